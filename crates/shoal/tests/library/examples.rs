//! Do the examples run?

#[path = "../../examples/in_memory.rs"]
mod in_memory;
#[path = "../../examples/own_source.rs"]
mod own_source;

#[test]
fn tables_in_memory() {
    in_memory::main().unwrap();
}

#[test]
fn a_source_of_ones_own() {
    own_source::main().unwrap();
}

/// Not even an administrator can write there.
#[cfg(target_os = "linux")]
#[test]
fn tables_in_memory_need_no_file() {
    let mut again = std::process::Command::new(std::env::current_exe().unwrap());
    again.args(["--exact", "examples::tables_in_memory"]).current_dir("/proc").env("TMPDIR", "/proc");
    let output = again.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    assert!(String::from_utf8_lossy(&output.stdout).contains("1 passed"));
}
