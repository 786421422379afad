//! Does a signature notice every byte that was changed, and nothing else?

use std::sync::atomic::{AtomicUsize, Ordering};

use crate::workbench::Workbench;

/// A release of five rows, so that every byte of it and of its certificate can be tried.
fn signed() -> Workbench {
    let bench = Workbench::with(&[
        ("table.csv", "age,ill\n31,flu\n35,cold\n38,gout\n33,flu\n34,gout\n"),
        (
            "policy.toml",
            "[input]\npath = \"table.csv\"\n[output]\npath = \"release.csv\"\n\
             [columns.age]\nrole = \"quasi-identifier\"\nhierarchy = { intervals = [10] }\n\
             [columns.ill]\nrole = \"sensitive\"\n[[require]]\nmodel = \"k-anonymity\"\nk = 2\n",
        ),
    ]);
    bench.must(&["keys", "signature", "-o", "key.pem"]);
    bench.must(&["anonymize", "policy.toml", "--certificate", "c.json", "--sign", "key.pem"]);
    bench
}

const AUDIT: [&str; 6] = ["audit", "release.csv", "--certificate", "c.json", "--signer", "key.pub.pem"];

#[test]
fn whoever_has_the_public_key_knows_who_vouches_for_a_release() {
    let bench = signed();
    let ran = bench.must(&AUDIT);
    assert!(ran.stdout.starts_with("the table is what its certificate says: the same file"), "{ran}");
    assert!(ran.stdout.contains("signed with the private key to that of --signer"), "{ran}");
    let json = bench.json(&[&AUDIT[..], &["--json"]].concat());
    assert_eq!(json["certificate"]["signature"], "valid", "{json:#}");
    // Without the key it is not said who it was.
    let ran = bench.must(&AUDIT[..4]);
    assert!(ran.stdout.contains("signed, but nobody has said whose key it is"), "{ran}");
    // The same run gives the same bytes; without a signature it is the same text, and ends earlier.
    let first = bench.text("c.json");
    let ran = bench.must(&["anonymize", "policy.toml", "--certificate", "c.json", "--sign", "key.pem"]);
    assert!(ran.stderr.contains("next: shoal audit release.csv --certificate c.json --signer key.pub.pem"), "{ran}");
    assert_eq!(bench.text("c.json"), first);
    bench.must(&["anonymize", "policy.toml", "--certificate", "unsigned.json"]);
    let unsigned = bench.text("unsigned.json");
    assert!(first.starts_with(unsigned.strip_suffix("\n}\n").unwrap()));
    assert_eq!(first.matches("signature").count(), 1);
}

#[test]
fn who_did_not_sign_did_not_sign() {
    let bench = signed();
    bench.must(&["keys", "signature", "-o", "other.pem"]);
    let ran = bench.run(&[&AUDIT[..5], &["other.pub.pem"]].concat());
    assert!(ran.code == 1 && ran.stderr.contains("signed with another key"), "{ran}");
    bench.must(&["anonymize", "policy.toml", "--certificate", "c.json"]);
    let ran = bench.run(&AUDIT);
    assert!(ran.code == 1 && ran.stderr.contains("c.json is not signed"), "{ran}");
    let ran = bench.must(&AUDIT[..4]);
    assert!(ran.stdout.contains("not signed: it proves nothing about who made it"), "{ran}");
}

/// A certificate of somebody else's release, signed by the right one, is not one of this release.
#[test]
fn a_signature_is_about_one_release() {
    let bench = signed();
    bench.write("release.csv", bench.text("release.csv").replacen("flu", "gout", 1));
    let ran = bench.run(&AUDIT);
    assert!(ran.code == 1 && ran.stdout.contains("the release is another file"), "{ran}");
}

/// Runs the audit with every changed version of a file, each in a folder of its own for each thread.
fn assert_all_refused(bench: &Workbench, name: &str, changes: &[(usize, u8)]) {
    let (next, original) = (AtomicUsize::new(0), bench.bytes(name));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(|| {
                let own = Workbench::new();
                ["release.csv", "c.json", "key.pub.pem"].iter().for_each(|file| own.write(file, bench.bytes(file)));
                while let Some(&(place, bits)) = changes.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let mut changed = original.clone();
                    changed[place] ^= bits;
                    own.write(name, &changed);
                    let ran = own.run(&AUDIT);
                    assert!([1, 2].contains(&ran.code), "{name}, byte {place}, bits {bits:08b}: {ran}");
                }
            });
        }
    });
}

/// One bit of every byte, and every bit of some.
fn flips(length: usize, sample: usize) -> Vec<(usize, u8)> {
    let one = (0..length).map(|place| (place, 1 << (place % 8)));
    let all = (0..length).step_by(sample).flat_map(|place| (0..8).map(move |bit| (place, 1 << bit)));
    one.chain(all).collect()
}

#[test]
fn every_flipped_bit_of_a_certificate_is_found() {
    let bench = signed();
    let length = bench.bytes("c.json").len();
    assert_all_refused(&bench, "c.json", &flips(length, 16));
}

#[test]
fn every_flipped_bit_of_a_release_is_found() {
    let bench = signed();
    let length = bench.bytes("release.csv").len();
    assert_all_refused(&bench, "release.csv", &flips(length, 1));
}

/// More, less, or other white space; digits in capitals, which mean the same.
#[test]
fn what_means_the_same_is_not_the_same() {
    let bench = signed();
    let text = bench.text("c.json");
    let minified = serde_json::from_str::<serde_json::Value>(&text).unwrap().to_string();
    let (before, signature) = text.rsplit_once("\"ed25519\": \"").unwrap();
    for changed in [
        format!("{text}\n"),
        format!(" {text}"),
        text.trim_end().to_owned(),
        text.replace('\n', "\r\n"),
        text.replacen("  \"release\"", "   \"release\"", 1),
        format!("{before}\"ed25519\": \"{}", signature.to_uppercase()),
        minified,
    ] {
        assert_ne!(changed, text);
        bench.write("c.json", &changed);
        for audit in [&AUDIT[..], &AUDIT[..4]] {
            let ran = bench.run(audit);
            assert!([1, 2].contains(&ran.code), "{changed}\n{ran}");
        }
    }
}

#[cfg(unix)]
#[test]
fn a_private_key_that_others_can_read_is_refused_before_anything_is_made() {
    use std::os::unix::fs::PermissionsExt;

    let bench = signed();
    let before = bench.bytes("release.csv");
    bench.write("table.csv", "age,ill\n31,flu\n35,flu\n");
    for mode in [0o640, 0o604, 0o620] {
        std::fs::set_permissions(bench.path("key.pem"), std::fs::Permissions::from_mode(mode)).unwrap();
        let ran = bench.run(&["anonymize", "policy.toml", "--certificate", "c.json", "--sign", "key.pem"]);
        assert!(ran.code == 2 && ran.stderr.contains("chmod 600 key.pem"), "{mode:o} {ran}");
        assert_eq!(bench.bytes("release.csv"), before);
    }
}

#[test]
fn the_wrong_key_file_is_named() {
    let bench = signed();
    let ran = bench.run(&["anonymize", "policy.toml", "--certificate", "c.json", "--sign", "key.pub.pem"]);
    assert!(ran.code == 2 && ran.stderr.contains("it is a public key"), "{ran}");
    let ran = bench.run(&[&AUDIT[..5], &["key.pem"]].concat());
    assert!(ran.code == 2 && ran.stderr.contains("it is a private key"), "{ran}");
    let secret = bench.text("key.pem");
    assert!(!ran.stderr.contains(secret.lines().nth(1).unwrap()), "{ran}");
    // A key is not replaced by what it signs.
    let ran = bench.run(&["anonymize", "policy.toml", "--certificate", "key.pem", "--sign", "key.pem"]);
    assert_eq!((ran.code, bench.text("key.pem")), (2, secret), "{ran}");
}
