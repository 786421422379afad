//! What becomes of a change that somebody makes?

use super::*;

/// What is typed into a field is said to be wrong beside it, and takes nothing with it.
#[test]
fn a_wrong_value_of_a_field_changes_nothing() {
    let visit = visit();
    let before = visit.studio.text();
    let field = |key: &str, value: Option<&str>| {
        visit.post("/api/edit", &json!({ "change": "field", "key": key, "value": value }).to_string())
    };
    for (key, value) in [
        ("require[0].k", Some("many")),
        ("require[0].k", Some("-3")),
        ("require[0].k", Some("1.5")),
        ("require[0].k", None),
        ("columns.age.hierarchy.intervals", Some("[5, x]")),
        ("columns.age.hierarchy.intervals", Some("[5, 7]")),
        ("columns.age.min-level", Some("low")),
        ("max-suppressed", Some("2")),
    ] {
        let (status, problem) = field(key, value);
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{key} {value:?}: {problem}");
        assert!(problem["text"].is_string(), "{problem}");
        assert_eq!(visit.studio.text(), before, "{key} {value:?}");
    }
    assert_eq!(field("require[0].k", Some("7")).0, StatusCode::OK);
    assert!(visit.studio.text().contains("k = 7"));
    assert_eq!(field("columns.age.max-level", Some("2")).0, StatusCode::OK);
    assert_eq!(field("columns.age.max-level", None).0, StatusCode::OK);
    assert!(!visit.studio.text().contains("max-level"));
    // A policy that is wrong anyway is mended one field after the other.
    let wrong = before.replace("k = 4", "k = -4").replace("[5, 10]", "[5, 7]");
    visit.edit(&json!({ "change": "text", "text": wrong }));
    assert_eq!(field("require[0].k", Some("4")).0, StatusCode::OK);
    assert_eq!(field("columns.age.hierarchy.intervals", Some("[5, 10]")).0, StatusCode::OK);
    assert_eq!(visit.studio.text(), before);
}

#[test]
fn a_text_that_knows_nothing_of_what_others_wrote_does_not_take_its_place() {
    let visit = visit();
    let base = visit.studio.text();
    let file = visit.folder.path().join("a.policy.toml");
    let theirs = format!("# theirs\n{base}");
    std::fs::write(&file, &theirs).unwrap();
    let send = |text: &str, before: &str| {
        visit.post("/api/edit", &json!({ "change": "text", "text": text, "before": before }).to_string())
    };
    let mine = format!("# mine\n{base}");
    let (status, problem) = send(&mine, &base);
    assert_eq!((status, &problem["kind"]), (StatusCode::UNPROCESSABLE_ENTITY, &json!("changed")), "{problem}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), theirs);
    // Whoever has seen it may do so.
    assert_eq!(send(&mine, &theirs).0, StatusCode::OK);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), mine);
}

#[test]
fn what_goes_with_a_role_is_told_until_the_next_change() {
    let visit = visit();
    let t = [("t", "0.5")].map(|(key, value)| json!({ "key": key, "value": value }));
    visit.edit(&json!({ "change": "require", "model": "t-closeness", "column": "diagnosis", "parameters": t }));
    let before = visit.studio.text();
    let desk = visit.edit(&json!({ "change": "role", "column": "diagnosis", "role": "insensitive" }));
    assert_eq!(desk["dropped"], json!(["the promise `t-closeness` of `diagnosis`"]));
    let (_, desk) = visit.post("/api/undo", "");
    assert_eq!((&desk["dropped"], desk["text"].as_str()), (&json!([]), Some(&*before)));
    let desk = visit.edit(&json!({ "change": "role", "column": "age", "role": "identifier" }));
    assert_eq!(desk["dropped"], json!(["the hierarchy `{ intervals = [5, 10] }` of `age`"]));
    let desk = visit.edit(&json!({ "change": "settings", "settings": [{ "key": "k", "value": "5" }] }));
    assert_eq!(desk["dropped"], json!([]));
}
