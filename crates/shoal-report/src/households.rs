//! How is the risk of households said?

use super::{number, plural};
use shoal::audit::Households;

/// For people, on a terminal; members are people, or rows where nothing says whose they are.
pub(super) fn text(households: &Households, of_people: bool) -> String {
    format!(
        "{} with {} in all\nwhoever looks for each member finds somebody of a household with a probability of at most {}, {} on average; \
         {} of them are expected to be found\n",
        plural(households.count, "household"),
        plural(households.members, if of_people { "person" } else { "row" }),
        number(households.highest),
        number(households.average),
        number(households.expected)
    )
}
