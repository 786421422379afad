//! Are keys that the program makes good ones, its owner's alone, and never lost?

use crate::workbench::Workbench;

#[cfg(unix)]
fn mode(bench: &Workbench, name: &str) -> u32 {
    use std::os::unix::fs::PermissionsExt;
    std::fs::metadata(bench.path(name)).unwrap().permissions().mode() & 0o777
}

#[test]
fn a_key_of_pseudonyms_is_long_random_and_secret() {
    let bench = Workbench::new();
    let ran = bench.must(&["keys", "pseudonym", "-o", "a.key"]);
    bench.must(&["keys", "pseudonym", "-o", "b.key"]);
    let (a, b) = (bench.text("a.key"), bench.text("b.key"));
    assert!(a.trim().len() == 64 && a.trim().bytes().all(|byte| byte.is_ascii_hexdigit()), "{a}");
    assert_ne!(a, b);
    assert!(!ran.stderr.contains(a.trim()) && ran.stdout.is_empty(), "no message shows a key: {ran}");
    #[cfg(unix)]
    assert_eq!(mode(&bench, "a.key"), 0o600);
}

#[test]
fn a_pair_of_keys_is_in_the_files_that_others_read() {
    let bench = Workbench::new();
    let ran = bench.must(&["keys", "signature", "-o", "steward.pem"]);
    assert!(ran.stderr.contains("steward.pub.pem: the public key"), "{ran}");
    assert!(bench.text("steward.pem").starts_with("-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEI"));
    assert!(bench.text("steward.pub.pem").starts_with("-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA"));
    #[cfg(unix)]
    assert_eq!((mode(&bench, "steward.pem"), mode(&bench, "steward.pub.pem") & 0o400), (0o600, 0o400));
}

#[test]
fn nothing_that_is_there_is_replaced() {
    let bench = Workbench::with(&[("old.key", "old"), ("old.pub.pem", "old")]);
    let before = bench.everything();
    for arguments in [
        ["keys", "pseudonym", "-o", "old.key"],
        ["keys", "signature", "-o", "old.key"],
        // The private one is new, the public one would not be.
        ["keys", "signature", "-o", "old.pem"],
        ["keys", "pseudonym", "-o", "-"],
    ] {
        let ran = bench.run(&arguments);
        assert!(ran.code == 2 && ran.stderr.contains("hint: "), "{ran}");
        assert_eq!(bench.everything(), before);
    }
}

#[test]
fn a_key_of_pseudonyms_can_be_used_at_once() {
    let bench = Workbench::with(&[
        ("table.csv", "patient,age\n1,31\n2,35\n"),
        (
            "policy.toml",
            "[columns.patient]\nrole = \"identifier\"\nreplace = \"pseudonym\"\nkey-file = \"p.key\"\n\
             [columns.age]\nrole = \"quasi-identifier\"\nhierarchy = { intervals = [10] }\n\
             [[require]]\nmodel = \"k-anonymity\"\nk = 2\n",
        ),
    ]);
    bench.must(&["keys", "pseudonym", "-o", "p.key"]);
    let ran = bench.must(&["anonymize", "policy.toml", "--input", "table.csv"]);
    assert!(!ran.stderr.contains("chmod"), "{ran}");
}
