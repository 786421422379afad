//! Does a table go the whole way to a release?

use super::*;

#[test]
fn a_table_whose_people_have_several_rows_goes_the_whole_way() {
    let rows: String =
        (0..60).map(|row| format!("p{},{},{}\n", row % 25, 20 + row % 25, ["flu", "gout", ""][row % 3])).collect();
    let policy = "[input]\npath = \"a.csv\"\nperson = \"id\"\n[columns.id]\nrole = \"identifier\"\n\
                  [columns.age]\nrole = \"quasi-identifier\"\nhierarchy = { intervals = [5, 10] }\n\
                  [columns.ill]\nrole = \"sensitive\"\n[[require]]\nmodel = \"k-anonymity\"\nk = 4\n";
    let visit = visit_to(&format!("id,age,ill\n{rows}"), policy);
    let explored = visit.work("explore", &json!({ "k": [2, 4], "methods": [], "max_suppressed": [] }).to_string());
    assert_eq!(explored["status"], "done", "{explored}");
    let found = visit.work("candidate", "");
    assert_eq!(found["status"], "done", "{found}");
    let publish = json!({ "report": null, "certificate": null, "recipe": null, "overwrite": false });
    let work = visit.work("publish", &publish.to_string());
    assert_eq!(work["status"], "done", "{work}");
    assert_eq!(found["result"]["promises"], work["result"]["promises"]);
    assert_eq!(found["result"]["promises"][0]["label"], "4-anonymity (people)");
    // A missing value is one before as it is after.
    let ill = &found["result"]["columns"][1];
    let values = &ill["binned"]["values"];
    assert_eq!((&ill["name"], values, &ill["labels_after"]), (&json!("ill"), &json!(3), &json!(3)));
    // What may be left out is a share of people where these are left out as a whole, and of what is not dropped.
    let counted = || {
        let promises = visit.get("/api/promises").1;
        (promises["rows"].clone(), promises["people"].clone())
    };
    assert_eq!(counted(), (json!(60), Value::Null));
    for (key, value) in [("method.suppress", "people"), ("input.rows-with-missing", "drop")] {
        let setting = json!({ "key": key, "value": value });
        visit.post("/api/edit", &json!({ "change": "settings", "settings": [setting] }).to_string());
    }
    assert_eq!(counted(), (json!(40), json!(25)));
}

#[test]
fn a_report_with_a_place_of_its_own_is_planned_there() {
    let visit = visit();
    let outside = "/srv/nowhere/report.html";
    for (said, planned) in [
        ("reports/a.html".to_owned(), "reports/a.html"),
        (visit.folder.path().canonicalize().unwrap().join("b.html").display().to_string(), "b.html"),
    ] {
        std::fs::create_dir_all(visit.folder.path().join("reports")).unwrap();
        let setting = json!({ "key": "output.report", "value": said });
        visit.post("/api/edit", &json!({ "change": "settings", "settings": [setting] }).to_string());
        assert_eq!(visit.get("/api/plan").1["report"], planned);
    }
    let setting = json!({ "key": "output.report", "value": outside });
    visit.post("/api/edit", &json!({ "change": "settings", "settings": [setting] }).to_string());
    assert_eq!(visit.get("/api/plan").0, StatusCode::UNPROCESSABLE_ENTITY);
}

#[test]
fn what_is_published_is_what_the_command_line_publishes() {
    let visit = visit();
    visit.post("/api/edit", &json!({ "change": "settings", "settings": [{ "key": "k", "value": "5" }] }).to_string());
    let publish = json!({ "report": null, "certificate": "a.certificate.json", "recipe": null, "overwrite": false });
    let work = visit.work("publish", &publish.to_string());
    assert_eq!(work["status"], "done", "{work}");
    let folder = visit.folder.path();
    let published = std::fs::read(folder.join("a.release.csv")).unwrap();
    assert!(folder.join("a.certificate.json").exists());
    let policy = shoal::Policy::read(&folder.join("a.policy.toml")).unwrap();
    let other = folder.join("other.csv");
    let source = shoal::LocalSource::new(&policy, None, Some(&other)).unwrap();
    shoal::anonymize(source, &policy, shoal::Writing::new(), &shoal::Unwatched).unwrap();
    assert_eq!(published, std::fs::read(&other).unwrap());
}
