//! Does what holds for every hierarchy hold for each way to make one?

use std::path::Path;

use proptest::prelude::*;

use super::testing::{build_counted, dictionary, spec};
use super::{Hierarchy, ROOT, check};
use crate::table::Dictionary;

/// Level 0 has the values, the last one root, levels nest and shrink, and a node has the leaves of its children.
fn assert_sound(hierarchy: &Hierarchy, dictionary: &Dictionary) {
    let height = hierarchy.height();
    assert!(height >= 1);
    assert_eq!(hierarchy.level(height).labels(), [ROOT]);
    for (code, value) in dictionary.values().iter().enumerate() {
        assert_eq!(hierarchy.label(0, code as u32), value);
        assert_eq!(hierarchy.label(height, code as u32), ROOT);
    }
    let level_0 = hierarchy.level(0);
    assert!((0..level_0.len() as u32).all(|node| level_0.leaves_under(node) == 1));
    assert_eq!(hierarchy.domain_size(), level_0.len() as u64);
    for pair in hierarchy.levels().windows(2) {
        let (lower, upper) = (&pair[0], &pair[1]);
        assert!(lower.len() >= upper.len() || lower.is_empty(), "levels do not grow");
        assert_eq!(lower.first_split(upper), None, "levels are nested");
        let mut under_children = vec![0; upper.len()];
        for (node, parent) in lower.parents(upper).into_iter().enumerate() {
            under_children[parent as usize] += lower.leaves_under(node as u32);
        }
        for (node, under) in under_children.into_iter().enumerate() {
            assert_eq!(upper.leaves_under(node as u32), under, "leaves of `{}`", upper.label(node as u32));
        }
    }
}

/// Builds every hierarchy of the list over the values, which all must be able to deal with.
fn assert_all_sound(specs: &[&str], values: &[String], missing: bool) {
    let values: Vec<&str> = values.iter().map(String::as_str).collect();
    let dictionary = dictionary(&values, missing.then_some("?"));
    let counts: Vec<u64> = (0..dictionary.len() as u64).map(|code| 1 + code * code % 7).collect();
    for spec in specs {
        let hierarchy = build_counted(spec, &dictionary, &counts).unwrap_or_else(|error| panic!("{spec}: {error}"));
        assert_sound(&hierarchy, &dictionary);
    }
}

const FOR_NUMBERS: [&str; 7] = [
    "intervals = [5, 10, 20]",
    "intervals = [0.1, 0.3, 3]",
    "intervals = { widths = [7, 14], origin = -3.5, bottom = -20, top = 80 }",
    "quantiles = [64, 16, 4]",
    "quantiles = [3, 2]",
    "mask = { from = \"left\" }",
    "suppress = {}",
];

const FOR_TEXT: [&str; 3] = ["mask = {}", "mask = { from = \"left\", character = \"#\" }", "suppress = {}"];

const FOR_DATES: [&str; 4] =
    ["dates = ['day', 'week']", "dates = ['month', 'quarter', 'year', 'decade']", "dates = ['year']", "mask = {}"];

proptest! {
    #[test]
    fn whole_numbers(numbers in prop::collection::vec(-200_i64..200, 1..60), missing: bool) {
        let values: Vec<String> = numbers.iter().map(i64::to_string).collect();
        assert_all_sound(&FOR_NUMBERS, &values, missing);
    }

    #[test]
    fn decimals(numbers in prop::collection::vec((-9_999_i64..9_999, 0_u32..4), 1..60), missing: bool) {
        let decimal = |&(digits, scale)| rust_decimal::Decimal::new(digits, scale).to_string();
        let values: Vec<String> = numbers.iter().map(decimal).collect();
        assert_all_sound(&FOR_NUMBERS, &values, missing);
    }

    #[test]
    fn large_numbers(numbers in prop::collection::vec(any::<i64>(), 1..30), missing: bool) {
        let values: Vec<String> = numbers.iter().map(i64::to_string).collect();
        assert_all_sound(&FOR_NUMBERS, &values, missing);
    }

    #[test]
    fn text(values in prop::collection::vec("[ab*#?1é]{0,4}|[0-9]{5}", 0..60), missing: bool) {
        assert_all_sound(&FOR_TEXT, &values, missing);
    }

    #[test]
    fn dates(days in prop::collection::vec(-30_000_i64..60_000, 1..60), missing: bool) {
        let date = |&days| (chrono::NaiveDate::default() + chrono::TimeDelta::days(days)).to_string();
        let values: Vec<String> = days.iter().map(date).collect();
        assert_all_sound(&FOR_DATES, &values, missing);
    }

    #[test]
    fn trees_and_files(groups in prop::collection::vec((0_usize..4, 0_usize..3), 1..40), missing: bool) {
        // Leaf i lies in a random group, the group in one that depends on it alone.
        let row = |(leaf, (group, fold)): (usize, &(usize, usize))| {
            [format!("v{leaf}"), format!("g{group}{fold}"), format!("h{group}"), ROOT.to_owned()].join(";")
        };
        let rows: Vec<String> = groups.iter().enumerate().map(row).collect();
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), rows.join("\n")).unwrap();
        let values: Vec<String> = (0..groups.len()).step_by(2).map(|leaf| format!("v{leaf}")).collect();
        assert_all_sound(&[&format!("file = '{}'", file.path().display())], &values, missing);
    }

    #[test]
    fn any_file_is_read_or_refused(text in "([ab*]?[;,\"\n]|[ab];\\*\n|a;b;\\*\r\n){0,12}") {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        let spec = spec(&format!("file = '{}'", file.path().display()));
        let report = check(&spec, Path::new(""), None, true);
        match spec.standalone(Path::new("")) {
            Ok(hierarchy) => {
                prop_assert!(report.is_sound());
                prop_assert!(hierarchy.is_some());
            }
            Err(_) => prop_assert!(!report.is_sound()),
        }
    }
}

#[test]
fn an_empty_column_has_hierarchies_too() {
    for missing in [false, true] {
        assert_all_sound(&FOR_NUMBERS, &[], missing);
        assert_all_sound(&FOR_TEXT, &[], missing);
        assert_all_sound(&FOR_DATES, &[], missing);
    }
}

#[test]
#[cfg_attr(not(shared_data), ignore = "../shared/data is not here")]
fn the_hierarchies_of_adult_load_with_their_heights() {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    assert!(data.is_dir(), "../shared/data was there when this was built");
    let ours = [
        ("age", 4),
        ("sex", 1),
        ("race", 1),
        ("marital-status", 2),
        ("marital-status_4groups", 2),
        ("education", 3),
        ("native-country", 2),
        ("workclass", 2),
        ("occupation", 2),
        ("occupation_ad-groups", 2),
        ("salary-class", 1),
    ];
    let arx = [
        ("sex", 1),
        ("age", 4),
        ("race", 1),
        ("marital-status", 2),
        ("education", 3),
        ("native-country", 2),
        ("workclass", 2),
        ("occupation", 2),
        ("salary-class", 1),
    ];
    let ours = ours.map(|(name, height)| (format!("adult/hierarchies/{name}.csv"), height));
    let arx = arx.map(|(name, height)| (format!("arx/adult/adult_hierarchy_{name}.csv"), height));
    for (name, height) in ours.into_iter().chain(arx) {
        let spec = super::HierarchySpec::File(super::File::new(&name));
        let rows = spec.rows(&data).unwrap().unwrap();
        assert_eq!(rows[0].len() - 1, height, "{name}");
        let leaves: Vec<&str> = rows.iter().map(|row| row[0].as_str()).collect();
        let dictionary = dictionary(&leaves, Some("?"));
        let text = format!("file = '{}'", data.join(&name).display());
        let hierarchy = build_counted(&text, &dictionary, &vec![1; dictionary.len()]).unwrap();
        assert_eq!(hierarchy.height(), height, "{name}");
        assert_sound(&hierarchy, &dictionary);
    }
}
