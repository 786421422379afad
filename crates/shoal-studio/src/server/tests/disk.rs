//! What if others change the files?

use super::*;

#[test]
fn a_table_that_others_change_is_read_again_and_what_was_found_in_it_is_stale() {
    let visit = visit();
    let found = visit.work("candidate", "");
    assert_eq!((&found["status"], &found["is_stale"]), (&json!("done"), &json!(false)), "{found}");
    let rows: String = (0..12).map(|row| format!("{row},31,f,flu\n")).collect();
    std::fs::write(visit.folder.path().join("a.csv"), format!("id,age,sex,diagnosis\n{rows}")).unwrap();
    let begin = Instant::now();
    let desk = loop {
        visit.studio.look_at_disk();
        let (_, desk) = visit.get("/api/desk");
        if desk["table"]["rows"] == 12 {
            break desk;
        }
        assert!(begin.elapsed() < Duration::from_secs(60), "{desk}");
        std::thread::sleep(Duration::from_millis(20));
    };
    assert!(desk["notice"].as_str().unwrap().contains("a.csv was changed by another program"), "{desk}");
    assert_eq!(visit.get("/api/rows?start=0&count=60").1["rows"].as_array().map(Vec::len), Some(12));
    assert_eq!(visit.get("/api/work/candidate").1["is_stale"], true);
    assert_eq!(visit.get("/api/pairs?start=0&count=9").0, StatusCode::UNPROCESSABLE_ENTITY);
    assert_eq!(visit.work("candidate", "")["result"]["figures"]["released_rows"], 12);
    // So is one that is to be read in another way.
    let setting = json!({ "key": "input.missing", "value": "[\"31\"]" });
    visit.post("/api/edit", &json!({ "change": "settings", "settings": [setting] }).to_string());
    let begin = Instant::now();
    while visit.get("/api/rows?start=0&count=1").1["rows"][0][1] != Value::Null {
        assert!(begin.elapsed() < Duration::from_secs(60), "the table is not read as the policy says");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_hierarchy_that_others_change_is_read_again_and_what_was_found_by_it_is_stale() {
    let visit = visit();
    let folder = visit.folder.path();
    let written = |woman: &str| std::fs::write(folder.join("sexes.csv"), format!("f;{woman};*\nm;man;*\n")).unwrap();
    written("woman");
    let text = visit.studio.text();
    let by_file = "hierarchy = { file = \"sexes.csv\" }\nmin-level = 1\nmax-level = 1";
    visit
        .studio
        .edit(&Edit::Text { text: text.replace("hierarchy = { suppress = {} }", by_file), before: None })
        .unwrap();
    let stale = || visit.get("/api/work/candidate").1["is_stale"].clone();
    assert_eq!(visit.work("candidate", "")["status"], "done");
    assert_eq!(stale(), false);
    written("WOMAN");
    visit.studio.look_at_disk();
    let (_, desk) = visit.get("/api/desk");
    assert!(desk["notice"].as_str().unwrap().starts_with("sexes.csv, which the policy names, was changed"), "{desk}");
    assert_eq!(stale(), true);
    assert_eq!(visit.work("candidate", "")["status"], "done");
    // Also one that is changed in the last moment, and one that is changed while an undone policy does not name it.
    written("Woman");
    let publish =
        json!({ "report": null, "certificate": null, "recipe": "a.recipe.json", "overwrite": true }).to_string();
    let published = || {
        let work = visit.work("publish", &publish);
        assert_eq!(work["status"], "done", "{work}");
        std::fs::read_to_string(folder.join("a.release.csv")).unwrap()
    };
    let release = published();
    assert!(release.contains("Woman"), "{release}");
    let policy = shoal::Policy::read(&folder.join("a.policy.toml")).unwrap();
    let source = shoal::LocalSource::new(&policy, None, Some(&folder.join("other.csv"))).unwrap();
    shoal::anonymize(source, &policy, shoal::Writing::new(), &shoal::Unwatched).unwrap();
    assert_eq!(release, std::fs::read_to_string(folder.join("other.csv")).unwrap());
    visit.post("/api/undo", "");
    assert_eq!(visit.studio.text(), text);
    written("she");
    visit.post("/api/redo", "");
    assert_eq!(stale(), true);
    assert!(published().contains("she"));
}
