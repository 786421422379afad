//! Which table and which policy are open after somebody opens a file?

use super::*;

impl Visit {
    fn open(&self, path: &str) -> Value {
        let (status, answer) = self.post("/api/open", &json!({ "path": path }).to_string());
        assert_eq!(status, StatusCode::OK, "{path}: {answer}");
        self.opened()
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.folder.path().join(name), text).unwrap();
    }
}

#[test]
fn a_table_is_never_opened_by_the_policy_of_another() {
    let visit = visit();
    visit.write("a.2023.csv", "year,score\n2023,1\n2023,2\n2022,3\n");
    visit.write("a.tsv", "town\tscore\nUlm\t1\nBonn\t2\nUlm\t3\n");
    let desk = visit.open("a.2023.csv");
    assert_eq!((&desk["file"], &desk["table"]["path"]), (&json!("a.2023.policy.toml"), &json!("a.2023.csv")), "{desk}");
    assert_eq!(desk["notice"], Value::Null);
    let desk = visit.open("a.tsv");
    assert_eq!((&desk["file"], &desk["table"]["path"]), (&json!("a-2.policy.toml"), &json!("a.tsv")), "{desk}");
    let notice = "a.policy.toml is the policy of another table; the one of this table was begun in a-2.policy.toml";
    assert_eq!(desk["notice"], notice);
    assert_eq!(desk["columns"][0]["name"], "town");
    // Once it is there, it is the table's own.
    let desk = visit.open("a.csv");
    assert_eq!((&desk["file"], &desk["table"]["path"]), (&json!("a.policy.toml"), &json!("a.csv")), "{desk}");
    let desk = visit.open("a.tsv");
    assert_eq!((&desk["file"], &desk["notice"]), (&json!("a-2.policy.toml"), &Value::Null), "{desk}");
}

#[test]
fn what_is_open_stays_open_where_another_file_cannot_be_read() {
    let visit = visit();
    let before = visit.get("/api/desk").1;
    visit.write("empty.csv", "");
    visit.write("gone.policy.toml", "[input]\npath = \"gone.csv\"\n");
    for path in ["empty.csv", "gone.policy.toml"] {
        let desk = visit.open(path);
        for key in ["file", "text", "table", "table_problem", "columns", "problem"] {
            assert_eq!(desk[key], before[key], "{path}: {key}");
        }
        let opening = visit.get("/api/work/open").1;
        assert_eq!(opening["status"], "failed", "{path}: {opening}");
        assert!(opening["problem"]["text"].is_string(), "{path}: {opening}");
        assert_eq!(visit.get("/api/rows?start=0&count=60").1["rows"].as_array().map(Vec::len), Some(60), "{path}");
    }
    assert!(!visit.folder.path().join("empty.policy.toml").exists());
    // One that can be read takes its place.
    visit.write("b.policy.toml", "[input]\npath = \"b.csv\"\n");
    visit.write("b.csv", "age\n31\n");
    let desk = visit.open("b.policy.toml");
    assert_eq!((&desk["file"], &desk["table"]["path"]), (&json!("b.policy.toml"), &json!("b.csv")), "{desk}");
}
