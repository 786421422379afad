//! Is what some tests need at hand, though it is no part of the repository? Nothing is fetched.

use std::path::{Path, PathBuf};

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(shared_data, advisories)");
    if Path::new("../../../shared/data").is_dir() {
        println!("cargo::rustc-cfg=shared_data");
    }
    if looks_up_advisories() {
        println!("cargo::rustc-cfg=advisories");
    }
}

/// Is what looks up holes in dependencies here, with what it looks them up in?
fn looks_up_advisories() -> bool {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| std::env::home_dir().map(|home| home.join(".cargo"))).unwrap_or_default();
    let paths = std::env::var_os("PATH").unwrap_or_default();
    let mut folders = std::env::split_paths(&paths).chain([home.join("bin")]);
    let program = format!("cargo-audit{}", std::env::consts::EXE_SUFFIX);
    folders.any(|folder| folder.join(&program).is_file()) && home.join("advisory-db").is_dir()
}
