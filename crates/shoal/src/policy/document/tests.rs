//! Does a change of a policy change what it should, and nothing else?

use std::path::Path;

use proptest::prelude::*;

use super::*;
use shoal_core::hierarchy;

const POLICY: &str = r#"# What this is about.
[input]
path = "people.csv" # the table
missing = ["", "?"]

# Known to neighbours.
[columns."zip code"]
role = "quasi-identifier"
hierarchy = { mask = { from = "right" } } # 13053, 1305*
[columns.age] # in years
role = "quasi-identifier"
min-level = 1

[columns.pay]
role = "sensitive"

[[require]]
model = "k-anonymity"
k = 5 # at least

# And this one.
[[require]]
model = "entropy-l-diversity"
column = "pay"
l = 2.5

[method]
name = "full-domain"
search = "optimal" # all of it
max-suppressed = 0.02
"#;

fn document() -> PolicyDocument {
    PolicyDocument::parse(POLICY, "p.toml", Path::new("")).unwrap()
}

/// The comments of a text, in their order.
fn comments(text: &str) -> Vec<&str> {
    text.lines().filter_map(|line| line.find('#').map(|at| line[at..].trim_end())).collect()
}

#[test]
fn what_is_not_changed_stays_as_it_was() {
    assert_eq!(document().to_string(), POLICY);
    let windows = POLICY.replace('\n', "\r\n");
    assert_eq!(PolicyDocument::parse(&windows, "p.toml", Path::new("")).unwrap().to_string(), windows);
    let mut changed = document();
    changed.set("k", 7).unwrap();
    assert_eq!(changed.to_string(), POLICY.replace("k = 5", "k = 7"));
    changed.set("k", 5).unwrap();
    assert_eq!(changed.to_string(), POLICY);
}

#[test]
fn keys_are_added_and_removed_where_they_belong() {
    let mut document = document();
    document.set("columns.sex.role", "insensitive").unwrap();
    document.set("columns.age.hierarchy", hierarchy::intervals([5, 10])).unwrap();
    document.set("columns.\"zip code\".hierarchy.mask.character", "x").unwrap();
    document.set("require[1].among", "all-sensitive").unwrap();
    document.set("output.seed", 3).unwrap();
    assert!(document.remove("columns.age.min-level").unwrap());
    assert!(document.remove("input.missing").unwrap());
    let expected = POLICY
        .replace("missing = [\"\", \"?\"]\n", "")
        .replace("{ from = \"right\" }", "{ from = \"right\", character = \"x\" }")
        .replace("min-level = 1\n", "hierarchy = { intervals = [5, 10] }\n")
        .replace("role = \"sensitive\"\n", "role = \"sensitive\"\n\n[columns.sex]\nrole = \"insensitive\"\n")
        .replace("l = 2.5\n", "l = 2.5\namong = \"all-sensitive\"\n")
        + "\n[output]\nseed = 3\n";
    assert_eq!(document.to_string(), expected);
    document.policy().unwrap();
}

#[test]
fn requirements_are_found_however_they_are_written() {
    let text = "require = [{ model = \"k-anonymity\", k = 5 }, { model = \"distinct-l-diversity\", l = 2 }]\n";
    let mut document = PolicyDocument::parse(text, "p.toml", Path::new("")).unwrap();
    document.set("k", 7).unwrap();
    document.set("require[1].l", 3).unwrap();
    assert_eq!(document.to_string(), text.replace("k = 5", "k = 7").replace("l = 2", "l = 3"));
    let error = document.set("require[2].l", 3).unwrap_err().to_string();
    assert_eq!(error, "there is no `require[2]`\nhint: the policy has 2 requirements, `require[0]` to `require[1]`");
    let error = document.set("t", 0.2).unwrap_err().to_string();
    assert!(
        error.starts_with("no requirement of the policy has `t` to set\nhint: set one of k, l, objective, "),
        "{error}"
    );
}

#[test]
fn what_is_no_table_holds_no_keys() {
    let mut document =
        PolicyDocument::parse("input = 1\n[columns.a]\nhierarchy = 2\n", "p.toml", Path::new("")).unwrap();
    let error = document.set("input.path", "a.csv").unwrap_err().to_string();
    assert_eq!(error, "`input` is no section of the policy");
    let error = document.set("columns.a.hierarchy.mask", toml::Table::new()).unwrap_err().to_string();
    assert_eq!(error, "`hierarchy` holds no further keys");
}

/// Keys, and values that suit them.
fn settings() -> impl Strategy<Value = Vec<(String, toml::Value)>> {
    let number = (2..100_i64).prop_map(toml::Value::from);
    let text = "[ -~]{0,8}".prop_map(toml::Value::from);
    let texts = prop::collection::vec("[a-z\"'#=\\[{]{0,5}", 1..4).prop_map(toml::Value::from);
    let column = "[ -~]{1,8}".prop_map(|name| {
        format!("columns.{}.role", toml_edit::Key::new(name).default_repr().as_raw().as_str().unwrap_or("\"x\""))
    });
    let one = prop_oneof![
        (Just("k".to_owned()), number.clone()),
        (Just("require[0].k".to_owned()), number.clone()),
        (Just("output.seed".to_owned()), number),
        (Just("input.path".to_owned()), text.clone()),
        (Just("output.report".to_owned()), text),
        (Just("input.missing".to_owned()), texts),
        (Just("method.local".to_owned()), any::<bool>().prop_map(toml::Value::from)),
        (Just("max-suppressed".to_owned()), (0..1000_u32).prop_map(|n| toml::Value::from(f64::from(n) / 1000.0))),
        (
            Just("columns.age.hierarchy".to_owned()),
            prop::collection::vec(1..9_i64, 1..3).prop_map(hierarchy::intervals)
        ),
        (column, Just(toml::Value::from("insensitive"))),
    ];
    prop::collection::vec(one, 1..8)
}

proptest! {
    #[test]
    fn what_is_set_is_read_back_and_comments_stay(settings in settings()) {
        let mut document = document();
        for (key, value) in &settings {
            document.set(key, value.clone()).unwrap();
            let read = document.get(key).unwrap();
            prop_assert_eq!(read.as_ref(), Some(value), "{}\n{}", key, document);
            prop_assert_eq!(&PolicyDocument::parse(&document.to_string(), "p.toml", Path::new("")).unwrap().to_string(), &document.to_string());
        }
        // A text may have a `#` in it, so that the comments are looked for among the lines.
        let text = document.to_string();
        for comment in comments(POLICY) {
            prop_assert!(text.contains(comment), "`{}` is gone:\n{}", comment, text);
        }
        for (key, _) in &settings {
            document.remove(key).unwrap();
            prop_assert_eq!(document.get(key).unwrap(), None);
        }
    }

    #[test]
    fn a_built_policy_is_the_one_that_its_text_says(
        names in prop::collection::btree_set("\\PC{1,6}", 2..5),
        k in 2..50_i64,
        suppressed in 0..=20_u32,
        ways in prop::collection::vec(0..6_usize, 4),
    ) {
        let way = |number: usize| match number {
            0 => hierarchy::intervals([5, 10]),
            1 => hierarchy::mask("left"),
            2 => hierarchy::dates(["month", "year"]),
            3 => hierarchy::tree([("a", ["b", "c"])]),
            4 => hierarchy::quantiles([8, 2]),
            _ => hierarchy::suppress(),
        };
        let names: Vec<&String> = names.iter().collect();
        let mut builder = Policy::builder().input("a b.csv").sensitive(names[0]).require("k-anonymity", [("k", k)]);
        for (name, number) in names[1..].iter().zip(&ways) {
            builder = builder.quasi(name, way(*number));
        }
        let builder = builder.require("distinct-l-diversity", [("l", 2)]).max_suppressed(f64::from(suppressed) / 20.0);
        let built = builder.build().unwrap();
        let read = Policy::parse(built.to_toml(), "the policy", Path::new("")).unwrap();
        prop_assert_eq!(format!("{built:?}"), format!("{read:?}"));
        prop_assert_eq!(built.columns.iter().map(|column| &column.name).collect::<Vec<_>>(), names.clone());
        let again = PolicyDocument::of(&built, "p.toml").unwrap();
        prop_assert_eq!(again.get("k").unwrap(), Some(k.into()));
    }
}
