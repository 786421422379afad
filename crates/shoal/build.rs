//! Are the data at hand that some tests need, and that are not part of the repository?

use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(shared_data)");
    if Path::new("../../../shared/data").is_dir() {
        println!("cargo::rustc-cfg=shared_data");
    }
}
