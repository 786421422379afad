//! Is the extension one that every Python from 3.10 on can load? (What it does is tested in `python/tests`.)

use std::path::PathBuf;

/// The library, which lies beside this program.
fn library() -> Vec<u8> {
    let program = std::env::current_exe().expect("a program has a path");
    let path: PathBuf = program.with_file_name("lib_shoal.so");
    std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn holds(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|window| window == text.as_bytes())
}

#[test]
fn it_is_a_module_that_needs_no_library_of_one_python() {
    let library = library();
    assert!(holds(&library, "PyInit__shoal"), "Python looks for this function");
    assert!(!holds(&library, "libpython"), "a library of one version would be needed to load it");
}
