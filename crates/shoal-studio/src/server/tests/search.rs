//! Is what is worked out what the library says?

use super::*;

#[test]
fn the_numbers_are_those_of_the_library() {
    let visit = visit();
    let (status, promises) = visit.get("/api/promises");
    assert_eq!(status, StatusCode::OK, "{promises}");
    // 60 rows of 30 ages; the sex follows from the age's parity: two rows each.
    assert_eq!((&promises["rows"], &promises["classes"], &promises["alone"]), (&json!(60), &json!(30), &json!(0)));
    assert_eq!(promises["people"], Value::Null);
    let promise = &promises["promises"][0];
    assert_eq!(
        (&promise["achieved"], &promise["holds"], &promise["failing_rows"]),
        (&json!("2"), &json!(false), &json!(60))
    );

    let found = visit.work("candidate", "");
    assert_eq!(found["status"], "done", "{found}");
    let asked = visit.studio.asked().unwrap();
    let study = shoal::Study::count(
        shoal::LocalSource::new(&asked.policy, None, None).unwrap(),
        &asked.policy,
        &shoal::Unwatched,
    )
    .unwrap();
    let best = study.best(&shoal::Unwatched).unwrap();
    let figures = &found["result"]["figures"];
    assert_eq!(figures["objective_value"].as_f64(), Some(best.objective_value()));
    assert_eq!(figures["released_rows"], 60);
    // A column alone loses at a level what a policy with it alone would.
    let (_, age) = visit.get("/api/hierarchy?name=age");
    let text = visit.studio.text().replace(
        "[columns.sex]\nrole = \"quasi-identifier\"\nhierarchy = { suppress = {} }",
        "[columns.sex]\nrole = \"insensitive\"",
    );
    let alone = shoal::Policy::parse(&text.replace("k = 4", "k = 2"), "p", visit.folder.path()).unwrap();
    let study =
        shoal::Study::count(shoal::LocalSource::new(&alone, None, None).unwrap(), &alone, &shoal::Unwatched).unwrap();
    for (level, shown) in age["levels"].as_array().unwrap().iter().enumerate() {
        let lost = study.at(&shoal::Node::new(vec![level as u8])).unwrap().objective_value();
        assert!((shown["loss"].as_f64().unwrap() - lost).abs() < 1e-12, "level {level}: {shown} {lost}");
    }
}

/// Whoever reads `[20, 30)` on eight rows has to think of four of each age that there is.
#[test]
fn columns_stand_in_the_same_bins_before_and_after() {
    let ages = [(20, 6), (21, 2), (30, 8)];
    let rows: String = ages
        .iter()
        .flat_map(|(age, rows)| (0..*rows).map(move |row| format!("{age},{}\n", ["flu", "gout"][row % 2])))
        .collect();
    let policy = "[input]\npath = \"a.csv\"\n[columns.age]\nrole = \"quasi-identifier\"\nhierarchy = { intervals = [10] }\n\
                  [columns.ill]\nrole = \"sensitive\"\n[[require]]\nmodel = \"k-anonymity\"\nk = 4\n";
    let visit = visit_to(&format!("age,ill\n{rows}"), policy);
    let found = visit.work("candidate", "");
    let columns = &found["result"]["columns"];
    let bin = |label: &str, before: u64, after: f64| json!({ "label": label, "before": before, "after": after });
    assert_eq!(
        columns[0]["binned"]["bins"],
        json!([bin("20", 6, 4.0), bin("21", 2, 4.0), bin("30", 8, 8.0)]),
        "{found}"
    );
    assert_eq!(columns[1]["binned"]["bins"], json!([bin("flu", 8, 8.0), bin("gout", 8, 8.0)]), "{found}");
    assert_eq!(columns[0]["labels"][0], json!({ "label": "[20, 30)", "rows": 8 }), "{found}");
    // With other labels for each class, and with everything hidden, every row is in some bin.
    for (key, value) in [("method", "mondrian"), ("columns.age.hierarchy", "{ suppress = {} }")] {
        visit.edit(&json!({ "change": "settings", "settings": [{ "key": key, "value": value }] }));
        let found = visit.work("candidate", "");
        let binned = &found["result"]["columns"][0]["binned"];
        let bins = binned["bins"].as_array().unwrap().iter().chain([&binned["other"]]);
        let after: f64 = bins.map(|bin| bin["after"].as_f64().unwrap()).sum();
        assert!((after - found["result"]["figures"]["released_rows"].as_f64().unwrap()).abs() < 1e-9, "{found}");
    }
}

/// Two people with three rows each are in either class: a row is one of six, and somebody one of two.
#[test]
fn risks_are_those_of_people_where_people_are_counted() {
    let rows: String = (0..12).map(|row| format!("p{},{}\n", row % 4, if row % 4 < 2 { 20 } else { 30 })).collect();
    let policy = "[input]\npath = \"a.csv\"\nperson = \"id\"\n[columns.id]\nrole = \"identifier\"\n[columns.age]\n\
                  role = \"quasi-identifier\"\nhierarchy = { suppress = {} }\n[[require]]\nmodel = \"k-anonymity\"\nk = 2\n";
    let visit = visit_to(&format!("id,age\n{rows}"), policy);
    let found = visit.work("candidate", "");
    let [people, rows] = [0, 1].map(|place| &found["result"]["risks"][place]);
    assert_eq!((&people["of_people"], &people["name"]), (&json!(true), &json!("prosecutor")), "{found}");
    assert_eq!(
        (&people["highest"], &people["highest_before"], &people["average"]),
        (&json!(0.5), &json!(0.5), &json!(0.5))
    );
    assert_eq!((&people["at_risk"], &people["at_risk_before"]), (&json!(4), &json!(4)));
    assert_eq!((&rows["of_people"], &rows["highest"], &rows["at_risk"]), (&json!(false), &json!(1.0 / 6.0), &json!(0)));
    assert_eq!(
        (&found["result"]["sizes_before"], &found["result"]["sizes_after"]),
        (&json!([[2, 2]]), &json!([[2, 2]]))
    );
    visit.edit(&json!({ "change": "person", "column": null }));
    let found = visit.work("candidate", "");
    assert_eq!(
        (&found["result"]["sizes_after"], &found["result"]["sizes_are_of_people"]),
        (&json!([[6, 2]]), &json!(false))
    );
    assert_eq!(found["result"]["risks"][0]["of_people"], false);
}

#[test]
fn the_frontier_is_that_of_compare_and_can_be_stopped() {
    let visit = visit();
    let explore = json!({ "k": [2, 4, 6], "methods": ["full-domain", "mondrian"], "max_suppressed": [] }).to_string();
    let work = visit.work("explore", &explore);
    assert_eq!(work["status"], "done", "{work}");
    let points = work["result"]["points"].as_array().unwrap();
    assert_eq!(points.len(), 7);
    assert!(points.iter().any(|point| point["is_on_frontier"] == true));
    assert_eq!(points[0]["settings"], json!([]));
    assert_eq!(visit.post("/api/stop/explore", "").0, StatusCode::OK);
    let refused = visit.work("explore", &json!({ "k": [], "methods": ["magic"], "max_suppressed": [] }).to_string());
    assert_eq!(refused["status"], "failed", "{refused}");
    let levels = visit.get("/api/levels?levels=0,0").1;
    assert_eq!(levels["why_not"]["rows"], 60, "{levels}");
    let advice = visit.work("advise", "");
    assert!(advice["result"]["changes"].is_array(), "{advice}");
    let solutions = visit.work("solutions", "");
    assert!(solutions["result"]["minimal"].as_u64().unwrap() > 0, "{solutions}");
}

#[test]
fn the_lattice_is_looked_at_around_the_optimum() {
    let visit = visit();
    let work = visit.work("around", "{}");
    assert_eq!(work["status"], "done", "{work}");
    let (found, nodes) = (&work["result"], work["result"]["nodes"].as_array().unwrap());
    // Four levels of the age, two of the sex: ages as they are are two rows each, whoever shows the sex.
    assert_eq!((nodes.len(), &found["is_whole"], &found["size"]), (8, &json!(true), &json!("8")));
    assert_eq!(found["best"], found["center"]);
    let node = |levels: Value| nodes.iter().find(|node| node["levels"] == levels).unwrap();
    assert_eq!(node(json!([0, 0]))["satisfies"], false);
    assert_eq!(node(json!([1, 0]))["satisfies"], true);
    let least = nodes.iter().filter(|node| node["satisfies"] == true).map(|node| &node["figures"]["objective_value"]);
    let least = least.map(|value| value.as_f64().unwrap()).fold(f64::INFINITY, f64::min);
    assert_eq!(node(found["best"].clone())["figures"]["objective_value"].as_f64(), Some(least));
    // What a node says is what the levels by hand say.
    let (_, tried) = visit.get("/api/levels?levels=1,0");
    assert_eq!(tried["figures"], node(json!([1, 0]))["figures"]);
    let outside = visit.work("around", r#"{"levels":[9,9]}"#);
    assert_eq!(outside["status"], "failed", "{outside}");
}

#[test]
fn rows_stand_beside_what_becomes_of_them_whatever_the_method() {
    let visit = visit();
    for method in ["full-domain", "mondrian", "anatomy"] {
        let setting = json!({ "key": "method", "value": method });
        visit.post("/api/edit", &json!({ "change": "settings", "settings": [setting] }).to_string());
        let work = visit.work("candidate", "");
        if method == "anatomy" && work["status"] == "failed" {
            continue;
        }
        assert_eq!(work["status"], "done", "{method}: {work}");
        let (status, pairs) = visit.get("/api/pairs?start=0&count=100");
        if method == "anatomy" {
            assert!(pairs["text"].as_str().unwrap().contains("leaves quasi-identifiers as they are"), "{pairs}");
            continue;
        }
        assert_eq!(status, StatusCode::OK, "{method}: {pairs}");
        let rows = pairs["pairs"].as_array().unwrap();
        let is_released = |pair: &&Value| pair["class"].is_u64();
        let open = pairs["open"].as_u64().unwrap();
        let released = rows.iter().filter(is_released).count() as u64;
        assert!(released + open >= work["result"]["figures"]["released_rows"].as_u64().unwrap(), "{pairs}");
        assert!(released > 0, "{method}: {pairs}");
        // Each class stands together, and shows one thing.
        let classes: Vec<&Value> = rows.iter().filter(is_released).map(|pair| &pair["class"]).collect();
        assert!(classes.is_sorted_by_key(|class| class.as_u64()), "{pairs}");
        for two in rows.windows(2).filter(|two| two[0]["class"] == two[1]["class"]) {
            assert_eq!(two[0]["after"], two[1]["after"], "{pairs}");
        }
        // What a row shows covers what it is: the sex is itself, or nothing is told of it.
        for pair in rows.iter().filter(is_released) {
            let (before, after) = (pair["before"][1].as_str().unwrap(), pair["after"][1].as_str().unwrap());
            assert!(after == before || !["f", "m"].contains(&after), "{pair}");
        }
    }
}

#[test]
fn a_page_that_was_too_slow_is_told_so_and_stays_connected() {
    let visit = visit();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let response = events(State(Arc::clone(&visit.studio))).await.into_response();
        let mut stream = response.into_body().into_data_stream();
        for _ in 0..1000 {
            visit.studio.tell_work(wire::WorkKind::Explore);
        }
        let mut said = String::new();
        while !said.contains("\"missed\"") || !said.contains("\"explore\"") {
            let piece = futures_util::StreamExt::next(&mut stream).await.expect("the stream goes on").unwrap();
            said.push_str(&String::from_utf8_lossy(&piece));
        }
        assert!(said.find("\"missed\"") < said.find("\"explore\""), "{said}");
    });
}
