//! What do whoever means well, and whoever does not, get from the server?

mod changes;
mod disk;
mod door;
mod opening;
mod release;
mod search;
mod table;

use std::path::Path;
use std::time::Instant;

use serde_json::{Value, json};
use tower::ServiceExt;

use super::*;

const HOST: &str = "127.0.0.1:7001";

/// A studio in a folder with a small table, and the cookie that it gives.
struct Visit {
    folder: tempfile::TempDir,
    router: Router,
    studio: Shared,
    cookie: String,
    place: String,
}

/// Values that a page must show as they are, and never run.
const SCRIPT: &str = "<img src=x onerror=alert(1)>";

fn visit() -> Visit {
    let rows: String = (0..60)
        .map(|row| format!("{},{},{},{}\n", row, 20 + row % 30, ["f", "m"][row % 2], ["flu", "gout", SCRIPT][row % 3]))
        .collect();
    let policy = "[input]\npath = \"a.csv\"\n[columns.id]\nrole = \"identifier\"\n[columns.age]\nrole = \"quasi-identifier\"\n\
                  hierarchy = { intervals = [5, 10] }\n[columns.sex]\nrole = \"quasi-identifier\"\nhierarchy = { suppress = {} }\n\
                  [columns.diagnosis]\nrole = \"sensitive\"\n[[require]]\nmodel = \"k-anonymity\"\nk = 4\n";
    visit_to(&format!("id,age,sex,diagnosis\n{rows}"), policy)
}

/// The same with another table and another policy of it.
fn visit_to(table: &str, policy: &str) -> Visit {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("a.csv"), table).unwrap();
    std::fs::write(folder.path().join("a.policy.toml"), policy).unwrap();
    let studio = Arc::new(Studio::new(Jail::new(folder.path(), None).unwrap()));
    studio.open(Path::new("a.policy.toml")).unwrap();
    let begin = Instant::now();
    while studio.table().is_err() {
        assert!(begin.elapsed() < Duration::from_secs(60), "the table is not opened");
        std::thread::sleep(Duration::from_millis(5));
    }
    let guard = Arc::new(Guard::new(7001).unwrap());
    let cookie = guard.cookie().split(';').next().unwrap().to_owned();
    let place = guard.place().to_owned();
    Visit { folder, router: router(Arc::clone(&studio), guard), studio, cookie, place }
}

impl Visit {
    fn send(&self, request: Request) -> (StatusCode, String) {
        let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let response = self.router.clone().oneshot(request).await.unwrap();
            let status = response.status();
            assert!(response.headers().contains_key("content-security-policy"));
            let bytes = axum::body::to_bytes(response.into_body(), 1 << 24).await.unwrap();
            (status, String::from_utf8_lossy(&bytes).into_owned())
        })
    }

    /// Where a path of the studio is.
    fn at(&self, path: &str) -> String {
        format!("{}{path}", self.place)
    }

    fn get(&self, path: &str) -> (StatusCode, Value) {
        let request = Request::builder().uri(self.at(path)).header("host", HOST).header("cookie", &self.cookie);
        let (status, text) = self.send(request.body(Body::empty()).unwrap());
        (status, serde_json::from_str(&text).unwrap_or(Value::String(text)))
    }

    fn post(&self, path: &str, body: &str) -> (StatusCode, Value) {
        let request = Request::builder()
            .method("POST")
            .uri(self.at(path))
            .header("host", HOST)
            .header("origin", format!("http://{HOST}"))
            .header("cookie", &self.cookie)
            .header("content-type", "application/json");
        let (status, text) = self.send(request.body(Body::from(body.to_owned())).unwrap());
        (status, serde_json::from_str(&text).unwrap_or(Value::String(text)))
    }

    /// Makes a change that is taken, and has the desk after it.
    fn edit(&self, edit: &Value) -> Value {
        let (status, desk) = self.post("/api/edit", &edit.to_string());
        assert_eq!(status, StatusCode::OK, "{desk}");
        desk
    }

    /// Waits until a table has been opened, or could not be.
    fn opened(&self) -> Value {
        let begin = Instant::now();
        while self.studio.opening.is_running() {
            assert!(begin.elapsed() < Duration::from_secs(60), "the table is not opened");
            std::thread::sleep(Duration::from_millis(5));
        }
        self.get("/api/desk").1
    }

    /// Waits for work to end.
    fn work(&self, kind: &str, body: &str) -> Value {
        assert_eq!(self.post(&format!("/api/work/{kind}"), body).0, StatusCode::OK);
        let begin = Instant::now();
        loop {
            let work = self.get(&format!("/api/work/{kind}")).1;
            if !["idle", "running"].contains(&work["status"].as_str().unwrap()) {
                return work;
            }
            assert!(begin.elapsed() < Duration::from_secs(120), "{work}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}
