//! What if a value is either shown as it is or not at all?

use schemars::JsonSchema;
use serde::Deserialize;

use super::{ColumnValues, Hierarchy};

/// Two levels: a value is shown as it is, or not at all.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Suppress {}

impl Suppress {
    pub(super) fn build(&self, column: &ColumnValues<'_>) -> Hierarchy {
        Hierarchy::suppress(column.dictionary)
    }
}

#[cfg(test)]
mod tests {
    use super::super::HierarchySpec;
    use super::super::testing::{build, dictionary};

    #[test]
    fn there_are_the_values_and_the_root() {
        let hierarchy = build("suppress = {}", &dictionary(&["f", "m"], Some("?"))).unwrap();
        assert_eq!(hierarchy.height(), 1);
        assert_eq!(hierarchy.level(0).labels(), ["f", "m", "?"]);
        assert_eq!(hierarchy.level(1).labels(), ["*"]);
        assert_eq!(hierarchy.domain_size(), 3);
        assert!(toml::from_str::<HierarchySpec>("suppress = { all = true }").is_err());
    }
}
