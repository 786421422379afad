//! What is seen of the table?

use super::*;

#[test]
fn sensitive_and_identifying_values_are_shown_only_when_asked_for() {
    let visit = visit();
    let (_, rows) = visit.get("/api/rows?start=0&count=60");
    assert_eq!(rows["hidden"], json!([true, false, false, true]));
    assert!(
        rows["rows"].as_array().unwrap().iter().all(|row| row[0].is_null() && row[3].is_null() && row[1].is_string())
    );
    // Nor does the order of rows tell what is hidden.
    let (_, sorted) = visit.get("/api/rows?start=0&count=60&sort=diagnosis");
    assert_eq!(sorted["rows"], rows["rows"]);
    let (_, revealed) = visit.get("/api/rows?start=0&count=3&reveal=true");
    assert_eq!(revealed["rows"][2], json!(["2", "22", "f", SCRIPT]));
    let (_, ids) = visit.get("/api/column?name=id");
    assert_eq!((&ids["hidden"], &ids["bars"]), (&json!(true), &json!([])));
    let (_, desk) = visit.get("/api/desk");
    assert!(!desk.to_string().contains("gout"), "{desk}");
    // A role that is none keeps nobody's name from being one.
    let mistyped = visit.studio.text().replace("role = \"identifier\"", "role = \"identifer\"");
    visit.post("/api/edit", &json!({ "change": "text", "text": mistyped }).to_string());
    let (_, ids) = visit.get("/api/column?name=id");
    assert_eq!((&ids["hidden"], &ids["bars"]), (&json!(true), &json!([])));
}

#[test]
fn a_row_has_its_number_in_whatever_order_it_stands() {
    let visit = visit();
    let (_, sorted) = visit.get("/api/rows?start=0&count=4&sort=age&descending=true");
    // Ages are 20 to 49, twice each: the oldest are in the rows 30 and 60.
    assert_eq!(sorted["numbers"], json!([60, 30, 59, 29]));
    assert_eq!((&sorted["rows"][0][1], &sorted["rows"][2][1]), (&json!("49"), &json!("48")));
    assert_eq!(visit.get("/api/rows?start=7&count=2").1["numbers"], json!([8, 9]));
}

#[test]
fn who_is_singled_out_follows_from_the_roles_that_columns_have() {
    let visit = visit();
    let of = |found: &Value| -> Vec<(String, u64)> {
        let all = found["combinations"].as_array().unwrap().iter();
        all.map(|one| (one["columns"].to_string(), one["alone"].as_u64().unwrap())).collect()
    };
    // Two rows of each age, and the sex follows from it.
    let found = visit.get("/api/singling-out").1;
    assert_eq!((of(&found), &found["of"]), (vec![(r#"["age","sex"]"#.to_owned(), 0)], &json!(60)));
    visit.edit(&json!({ "change": "role", "column": "id", "role": "quasi-identifier" }));
    let found = visit.get("/api/singling-out").1;
    assert_eq!(of(&found)[0], (r#"["id"]"#.to_owned(), 60), "{found}");
    assert_eq!(found["combinations"][0]["share"], 1.0);
    for column in ["id", "age", "sex"] {
        visit.edit(&json!({ "change": "role", "column": column, "role": "identifier" }));
    }
    assert_eq!(of(&visit.get("/api/singling-out").1), []);
}

/// p0 is alone with the age 20 in both of their rows, which no row is.
#[test]
fn people_are_singled_out_where_people_are_counted() {
    let policy = "[input]\npath = \"a.csv\"\nperson = \"id\"\n[columns.id]\nrole = \"identifier\"\n[columns.age]\n\
                  role = \"quasi-identifier\"\nhierarchy = { intervals = [5] }\n[[require]]\nmodel = \"k-anonymity\"\nk = 2\n";
    let visit = visit_to("id,age\np0,20\np0,20\np1,30\np2,30\n", policy);
    let found = visit.get("/api/singling-out").1;
    assert_eq!((&found["of"], &found["of_people"]), (&json!(3), &json!(true)));
    assert_eq!(
        (&found["combinations"][0]["alone"], found["combinations"].as_array().map(Vec::len)),
        (&json!(1), Some(1))
    );
    visit.edit(&json!({ "change": "person", "column": null }));
    let found = visit.get("/api/singling-out").1;
    assert_eq!(
        (&found["of"], &found["of_people"], &found["combinations"][0]["alone"]),
        (&json!(4), &json!(false), &json!(0))
    );
}

#[test]
fn what_there_is_to_think_about_follows_from_the_roles_too() {
    let visit = visit();
    let warns = |desk: &Value, of: &str| desk["table"]["warnings"].to_string().contains(of);
    let nothing = "no column looks sensitive, so the policy asks for k-anonymity only";
    assert!(!warns(&visit.get("/api/desk").1, nothing));
    let desk = visit.edit(&json!({ "change": "role", "column": "diagnosis", "role": "insensitive" }));
    assert!(warns(&desk, nothing), "{desk}");
    assert!(!warns(&desk, "starter policy"), "{desk}");
    let desk = visit.edit(&json!({ "change": "role", "column": "age", "role": "sensitive" }));
    assert!(!warns(&desk, nothing), "{desk}");
}

#[test]
fn sixty_columns_are_there_before_anybody_waits() {
    let names: Vec<String> = (0..60).map(|column| format!("column {column}")).collect();
    let row = |row: usize| (0..60).map(|column| ((row + column) % 7).to_string()).collect::<Vec<_>>().join(",");
    let rows: Vec<String> = (0..20).map(row).collect();
    let said = |name: &String| {
        format!("[columns.\"{name}\"]\nrole = \"quasi-identifier\"\nmin-level = 0\nhierarchy = {{ intervals = [2] }}\n")
    };
    let policy: String = names.iter().map(said).collect();
    let policy = format!("[input]\npath = \"a.csv\"\n{policy}[[require]]\nmodel = \"k-anonymity\"\nk = 2\n");
    let visit = visit_to(&format!("{}\n{}\n", names.join(","), rows.join("\n")), &policy);
    let begin = Instant::now();
    let (_, desk) = visit.get("/api/desk");
    assert_eq!(desk["columns"][59]["hierarchy"], "{ intervals = [2] }", "{desk}");
    for name in &names {
        let (_, column) = visit.get(&format!("/api/column?name={}", name.replace(' ', "+")));
        assert_eq!(column["bars"].as_array().map(Vec::len), Some(7), "{column}");
    }
    assert!(begin.elapsed() < Duration::from_secs(20), "the first room takes {:?}", begin.elapsed());
}

#[test]
fn a_hierarchy_says_what_is_wrong_or_odd_about_it() {
    let visit = visit();
    let set = |hierarchy: &str| {
        let setting = json!({ "key": "columns.sex.hierarchy", "value": hierarchy });
        let (status, desk) =
            visit.post("/api/edit", &json!({ "change": "settings", "settings": [setting] }).to_string());
        assert_eq!(status, StatusCode::OK, "{desk}");
        visit.get("/api/hierarchy?name=sex").1
    };
    let sound = set("{ suppress = {} }");
    assert_eq!((&sound["defects"], &sound["warnings"]), (&json!([]), &json!([])));
    assert!(!sound["known"].as_array().unwrap().is_empty());
    let odd = set("{ tree = { any = [\"f\", \"m\", \"x\"] } }");
    assert!(odd["warnings"].to_string().contains("does not occur"), "{odd}");
    let unsound = set("{ tree = { any = [\"f\"] } }");
    assert_eq!((unsound["levels"].as_array().map(Vec::len), unsound["kind"].as_str()), (Some(0), Some("tree")));
    assert!(unsound["defects"][0]["text"].is_string(), "{unsound}");
}

#[test]
fn values_as_they_are_lose_nothing_whatever_their_number() {
    let rows: String = (0..600).map(|row| format!("{}\n", 20 + row % 58)).collect();
    let policy = "[input]\npath = \"a.csv\"\n[columns.age]\nrole = \"quasi-identifier\"\nhierarchy = { intervals = [5] }\n\
                  [[require]]\nmodel = \"k-anonymity\"\nk = 2\n";
    let shown = visit_to(&format!("age\n{rows}"), policy).get("/api/hierarchy?name=age").1;
    let losses: Vec<Option<f64>> =
        shown["levels"].as_array().unwrap().iter().map(|level| level["loss"].as_f64()).collect();
    assert_eq!((losses.first(), losses.last()), (Some(&Some(0.0)), Some(&Some(1.0))), "{losses:?}");
}
