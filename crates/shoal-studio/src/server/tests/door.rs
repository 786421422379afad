//! Who is let in, and what can whoever is not do?

use super::*;

#[test]
fn whoever_has_no_cookie_gets_nothing_from_any_route() {
    let visit = visit();
    for path in ["/", "/app.js", "/api/desk", "/api/rows?start=0&count=9", "/api/events", "/api/nothing"] {
        let request = Request::builder().uri(visit.at(path)).header("host", HOST).body(Body::empty()).unwrap();
        let (status, text) = visit.send(request);
        assert_eq!(status, StatusCode::UNAUTHORIZED, "{path}");
        assert!(!text.contains("age") && !text.contains("gout"), "{path}: {text}");
    }
    for path in ["/api/edit", "/api/open", "/api/undo", "/api/work/publish"] {
        let request = Request::builder()
            .method("POST")
            .uri(visit.at(path))
            .header("host", HOST)
            .header("origin", format!("http://{HOST}"));
        assert_eq!(visit.send(request.body(Body::empty()).unwrap()).0, StatusCode::UNAUTHORIZED, "{path}");
    }
}

#[test]
fn the_page_is_under_the_path_of_the_cookie_and_nowhere_else() {
    let visit = visit();
    for (path, begins) in [("/", "<!doctype html>"), ("/app.js", ""), ("/app.css", ""), ("/icon.svg", "<svg")] {
        let (status, text) = visit.get(path);
        assert_eq!(status, StatusCode::OK, "{path}");
        assert!(text.as_str().unwrap().starts_with(begins), "{path}: {text}");
        let elsewhere = Request::builder().uri(path).header("host", HOST).header("cookie", &visit.cookie);
        assert_eq!(visit.send(elsewhere.body(Body::empty()).unwrap()).0, StatusCode::UNAUTHORIZED, "{path}");
    }
}

/// Every route, as it stands in the sources, so that a new one is among them.
fn routes() -> Vec<String> {
    let sources = [("/api", include_str!("../../server.rs")), ("/api", include_str!("../working.rs"))];
    let in_source = |(folder, source): (&str, &str)| -> Vec<String> {
        let quoted = source.split(".route(").skip(1).filter_map(|rest| rest.split('"').nth(1));
        quoted.filter(|path| path.len() > 1).map(|path| format!("{folder}{path}")).collect()
    };
    sources.into_iter().flat_map(in_source).collect()
}

#[test]
fn no_body_and_no_question_makes_any_route_fail() {
    let visit = visit();
    let routes = routes();
    assert!(routes.len() > 30 && routes.contains(&"/api/undo".to_owned()), "{routes:?}");
    let (before, deep) = (visit.studio.text(), "[".repeat(100_000));
    let bodies = [
        "",
        "{",
        "[]",
        "null",
        "0",
        "{}",
        "{\"change\":\"nothing\"}",
        "{\"path\":1}",
        "{\"k\":[-1]}",
        "\u{0}\u{7f}",
        &deep,
    ];
    let questions = [
        "",
        "?",
        "?name",
        "?start=-1",
        "?start=1e9&count=x",
        "?levels=%00",
        "?name=%ff%fe",
        "?id=../../x",
        "?=&&==&name=a&name=b",
    ];
    // These take no body: whatever is sent, they do the same.
    let takes_none =
        ["/api/undo", "/api/redo", "/api/stop/", "/api/work/advise", "/api/work/solutions", "/api/work/candidate"];
    for route in &routes {
        for body in bodies {
            let (status, answer) = visit.post(route, body);
            assert!(!status.is_server_error(), "{route} {body:.20}: {status} {answer}");
            let is_none_of_theirs = takes_none.iter().any(|taken| route.starts_with(taken));
            let is_the_optimum = route == "/api/work/around" && body == "{}";
            assert!(is_none_of_theirs || is_the_optimum || status.is_client_error(), "{route} {body:.20}: {status}");
        }
        for question in questions.iter().filter(|_| route != "/api/events") {
            let (status, answer) = visit.get(&format!("{route}{question}"));
            assert!(!status.is_server_error(), "{route}{question}: {status} {answer}");
        }
    }
    assert_eq!(visit.studio.text(), before);
    assert_eq!(visit.get("/api/desk").0, StatusCode::OK);
}

#[test]
fn another_page_changes_nothing() {
    let visit = visit();
    let before = visit.studio.text();
    let request = Request::builder()
        .method("POST")
        .uri(visit.at("/api/edit"))
        .header("host", HOST)
        .header("origin", "http://evil.example")
        .header("cookie", &visit.cookie)
        .header("content-type", "application/json");
    let body = json!({ "change": "text", "text": "" }).to_string();
    assert_eq!(visit.send(request.body(Body::from(body)).unwrap()).0, StatusCode::FORBIDDEN);
    assert_eq!(visit.studio.text(), before);
    // A form of another page can send text, but not JSON.
    let request = Request::builder()
        .method("POST")
        .uri(visit.at("/api/edit"))
        .header("host", HOST)
        .header("origin", format!("http://{HOST}"))
        .header("cookie", &visit.cookie)
        .header("content-type", "text/plain");
    let (status, _) = visit.send(request.body(Body::from(r#"{"change":"text","text":""}"#)).unwrap());
    assert_eq!(status, StatusCode::UNSUPPORTED_MEDIA_TYPE);
    assert_eq!(visit.studio.text(), before);
}

#[test]
fn no_path_leads_out_of_the_folder() {
    let visit = visit();
    for path in ["../a.csv", "/etc/passwd", "a.csv/../../x.csv", "..", "/", "nowhere.csv", "\u{0}"] {
        let (status, answer) = visit.post("/api/open", &json!({ "path": path }).to_string());
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{path}: {answer}");
        assert!(!answer.to_string().contains("root:"), "{answer}");
    }
    for path in ["/../Cargo.toml", "/%2e%2e/%2e%2e/etc/passwd", "/bundle/app.js", "/a.csv", "/api/../a.csv"] {
        assert_eq!(visit.get(path).0, StatusCode::NOT_FOUND, "{path}");
    }
    // Nor does what is published.
    let publish = json!({ "report": "../report.html", "certificate": null, "recipe": null, "overwrite": false });
    let work = visit.work("publish", &publish.to_string());
    assert_eq!(work["status"], "failed", "{work}");
    assert!(work["problem"]["text"].as_str().unwrap().contains("outside of the folder"), "{work}");
    assert!(!visit.folder.path().join("a.release.csv").exists());
}

#[test]
fn nonsense_is_refused_by_every_route() {
    let visit = visit();
    let before = visit.studio.text();
    let bodies =
        ["", "{", "[]", "null", "{}", "{\"change\":\"nothing\"}", "{\"change\":\"text\"}", "\u{7f}", "{\"path\":1}"];
    for path in ["/api/edit", "/api/open", "/api/work/explore", "/api/work/publish", "/api/work/around"] {
        for body in bodies {
            if path == "/api/work/around" && body == "{}" {
                // No levels are those of the optimum.
                continue;
            }
            let (status, answer) = visit.post(path, body);
            assert!(status.is_client_error(), "{path} {body}: {status}");
            assert!(answer["text"].is_string(), "{path} {body}: {answer}");
        }
    }
    for path in [
        "/api/rows",
        "/api/rows?start=-1&count=2",
        "/api/rows?start=x&count=2",
        "/api/rows?start=0&count=1&sort=nobody",
        "/api/column",
        "/api/column?name=nobody",
        "/api/explain?id=nothing",
        "/api/explain",
        "/api/hierarchy?name=nobody",
        "/api/levels?levels=",
        "/api/levels?levels=1",
        "/api/levels?levels=99,99",
        "/api/levels?levels=1,x",
        "/api/classes?start=0",
        "/api/classes?start=0&count=5",
        "/api/pairs",
        "/api/pairs?start=0",
        "/api/pairs?start=-1&count=2",
        "/api/pairs?start=0&count=5&descending=perhaps",
        "/api/pairs?start=0&count=5",
        "/api/nothing",
    ] {
        let (status, answer) = visit.get(path);
        assert!(status.is_client_error(), "{path}: {status} {answer}");
    }
    let (status, _) =
        visit.post("/api/edit", &json!({ "change": "text", "text": "x".repeat(LONGEST_BODY) }).to_string());
    assert_eq!(status, StatusCode::PAYLOAD_TOO_LARGE);
    assert_eq!(visit.studio.text(), before);
    let (status, answer) = visit.get("/api/rows?start=18446744073709551615&count=18446744073709551615");
    assert_eq!((status, answer["rows"].as_array().map(Vec::len)), (StatusCode::OK, Some(0)));
}

#[test]
fn values_with_markup_come_as_json_that_no_browser_takes_for_a_page() {
    let visit = visit();
    let request = Request::builder()
        .uri(visit.at("/api/column?name=diagnosis"))
        .header("host", HOST)
        .header("cookie", &visit.cookie);
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let response = runtime.block_on(visit.router.clone().oneshot(request.body(Body::empty()).unwrap())).unwrap();
    assert_eq!(response.headers()["content-type"], "application/json");
    assert_eq!(response.headers()["x-content-type-options"], "nosniff");
}

#[test]
fn a_dropped_file_arrives_and_nothing_else_does() {
    let visit = visit();
    let send = |name: &str, kind: &str, body: &'static str| {
        let request = Request::builder()
            .method("POST")
            .uri(visit.at(&format!("/api/upload{name}")))
            .header("host", HOST)
            .header("origin", format!("http://{HOST}"))
            .header("cookie", &visit.cookie)
            .header("content-type", kind);
        visit.send(request.body(Body::from(body)).unwrap())
    };
    let bytes = "application/octet-stream";
    let files = || std::fs::read_dir(visit.folder.path()).unwrap().count();
    let before = files();
    for name in
        ["", "?name=", "?name=../b.csv", "?name=%2e%2e%2fb.csv", "?name=/tmp/b.csv", "?name=b.exe", "?name=.b.csv"]
    {
        let (status, said) = send(name, bytes, "x\n1\n");
        assert!(status.is_client_error(), "{name}: {status} {said}");
    }
    assert_eq!(send("?name=b.csv", "text/plain", "x\n1\n").0, StatusCode::UNSUPPORTED_MEDIA_TYPE);
    assert_eq!(send("?name=a.csv", bytes, "x\n1\n").0, StatusCode::UNPROCESSABLE_ENTITY, "it would replace another");
    assert_eq!(files(), before);
    assert_eq!(send("?name=b.csv", bytes, "x\n1\n").0, StatusCode::OK);
    assert_eq!(std::fs::read_to_string(visit.folder.path().join("b.csv")).unwrap(), "x\n1\n");
}
