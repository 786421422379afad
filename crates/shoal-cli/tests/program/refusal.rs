//! Is a refusal clear, does it keep secrets, and does it leave everything as it was?

use crate::workbench::Workbench;

/// What no message may show. The tables of these tests have no other sensitive values.
pub const SENSITIVE: [&str; 4] = ["Xanthoma", "Yaws", "Zygomycosis", "Quinsy"];

/// A sound table with a sound policy: every bad one is made from these.
pub const TABLE: &str = "\
name,age,sex,disease
Ann,31,f,Xanthoma
Bob,32,m,Yaws
Cid,38,m,Xanthoma
Dot,39,f,Zygomycosis
";

pub const POLICY: &str = r#"[input]
path = "table.csv"
[output]
path = "release.csv"
[columns.name]
role = "identifier"
[columns.age]
role = "quasi-identifier"
hierarchy = { intervals = [5, 10] }
[columns.sex]
role = "quasi-identifier"
[columns.disease]
role = "sensitive"
[[require]]
model = "k-anonymity"
k = 2
[method]
objective = "loss"
"#;

const EARLIER_RELEASE: &str = "age,sex,disease\nan earlier,release,that must stay\n";

/// A folder with the sound table, the sound policy and an earlier release.
pub fn bench() -> Workbench {
    Workbench::with(&[("table.csv", TABLE), ("policy.toml", POLICY), ("release.csv", EARLIER_RELEASE)])
}

/// Runs the program, which has to refuse with `code` and all of `parts` in its message; gives the message.
pub fn must_refuse(bench: &Workbench, arguments: &[&str], code: i32, parts: &[&str]) -> String {
    let before = bench.everything();
    let ran = bench.run(arguments);
    assert_eq!(ran.code, code, "{parts:?}\n{ran}");
    assert!(ran.stderr.contains("error: "), "{ran}");
    assert!(!ran.stderr.contains("panicked"), "{ran}");
    for part in parts {
        assert!(ran.stderr.contains(part), "`{part}` is not in the message\n{ran}");
    }
    for value in SENSITIVE {
        assert!(!ran.stderr.contains(value) && !ran.stdout.contains(value), "a sensitive value is shown\n{ran}");
    }
    assert!(bench.everything() == before, "files were changed, left behind or removed\n{ran}");
    ran.stderr
}
