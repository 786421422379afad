//! How is the risk of households said?

use super::{number, plural};
use shoal::audit::{Households, Members};

/// For people, on a terminal.
pub(super) fn text(households: &Households) -> String {
    let member = match households.members_are {
        Members::People => "person",
        Members::Rows => "row",
    };
    format!(
        "{} with {} in all\nwhoever looks for each member finds somebody of a household with a probability of at most {}, {} on average; \
         {} of them are expected to be found\nof every member, that somebody of the household is found: {} on average; expected are {} members\n",
        plural(households.count, "household"),
        plural(households.members, member),
        number(households.highest),
        number(households.average),
        number(households.expected),
        number(households.average_of_members),
        number(households.expected_members)
    )
}
