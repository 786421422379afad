//! Does the report of a large table open in a real browser, without a network and without complaints?

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::workbench::Workbench;

/// A browser, which must be there: a report that nobody has opened is not tested.
fn browser() -> PathBuf {
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&folders)
        .flat_map(|folder| names.map(|name| folder.join(name)))
        .find(|path| path.exists());
    found.unwrap_or_else(|| panic!("no Chromium was found; hint: run `services/install`, which installs it"))
}

/// Opens a page in a window of this width, light or dark, and returns what the browser complains of.
fn open(page: &Path, width: u32, dark: bool, screenshot: &Path) -> Vec<String> {
    let profile = tempfile::tempdir().unwrap();
    let output = Command::new(browser())
        .args([
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--hide-scrollbars",
            "--enable-logging=stderr",
            "--v=0",
        ])
        // Nothing can be looked up, so nothing can be loaded.
        .args(["--host-resolver-rules=MAP * ~NOTFOUND", "--disable-background-networking", "--no-first-run"])
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .arg(format!("--blink-settings=preferredColorScheme={}", u8::from(!dark)))
        .arg(format!("--window-size={width},7600"))
        .arg(format!("--screenshot={}", screenshot.display()))
        .arg(format!("file://{}", page.display()))
        .output()
        .unwrap();
    let log = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{log}");
    log.lines().filter(|line| line.contains("CONSOLE")).map(str::to_owned).collect()
}

#[test]
fn the_report_of_the_census_opens_without_complaints() {
    let bench = Workbench::with_example("census");
    let table = bench.must(&["generate", "census", "--rows", "100000", "--seed", "1"]).stdout;
    bench.write("census.csv", table);
    bench.must(&["anonymize", "policy.toml", "--report", "report.html"]);
    let page = bench.path("report.html");
    let screenshots = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/screenshots");
    std::fs::create_dir_all(&screenshots).unwrap();
    let mut sizes = Vec::new();
    for width in [1200, 390] {
        for dark in [false, true] {
            let picture = screenshots.join(format!("report-{width}-{}.png", if dark { "dark" } else { "light" }));
            let complaints = open(&page, width, dark, &picture);
            assert!(complaints.is_empty(), "{complaints:?}");
            sizes.push(std::fs::metadata(&picture).unwrap().len());
        }
    }
    // A page that was not drawn is a few kilobytes of one colour.
    assert!(sizes.iter().all(|&size| size > 50_000), "{sizes:?}");
    let dark = std::fs::read(screenshots.join("report-1200-dark.png")).unwrap();
    assert_ne!(dark, std::fs::read(screenshots.join("report-1200-light.png")).unwrap());
}

#[test]
fn a_page_that_wants_something_from_elsewhere_is_noticed() {
    let bench = Workbench::with_example("inpatients");
    bench.must(&["anonymize", "policy.toml", "--report", "report.html"]);
    let html = bench.text("report.html").replacen("<h2 ", "<img src=\"https://example.org/x.png\"><h2 ", 1);
    bench.write("sabotaged.html", html);
    let complaints = open(&bench.path("sabotaged.html"), 800, false, &bench.path("x.png"));
    assert!(!complaints.is_empty(), "the browser should have complained");
}
