//! Does the program write over nothing that it must not?

use crate::refusal::must_refuse;
use crate::workbench::Workbench;

const POLICY: &str = r#"[input]
path = "table.csv"
[output]
path = "release.csv"
[columns.name]
role = "identifier"
replace = "pseudonym"
key-file = "secret.key"
[columns.age]
role = "quasi-identifier"
hierarchy = { file = "ages.csv" }
[columns.ill]
role = "sensitive"
[[require]]
model = "k-anonymity"
k = 2
[[require]]
model = "a-d-diversity"
a = 1
d = 1
groups = { file = "groups.csv" }
"#;

/// A table with everything that a policy can name.
fn bench() -> Workbench {
    Workbench::with(&[
        ("table.csv", "name,age,ill\nAnn,31,flu\nBob,32,cold\nCid,31,flu\nDot,32,gout\n"),
        ("policy.toml", POLICY),
        ("secret.key", "3f0c9a71b2d84e56a7c81f02e9d4b6537a1e5c08d2f94b36\n"),
        ("ages.csv", "31;30s;*\n32;30s;*\n"),
        ("groups.csv", "flu;a\ncold;a\ngout;b\n"),
    ])
}

/// Every way to name a file, whatever it is called.
fn names(bench: &Workbench, file: &str) -> Vec<String> {
    let stem = file.replace('.', "-");
    let (link, hard) = (format!("{stem}-link"), format!("{stem}-hard"));
    std::os::unix::fs::symlink(file, bench.path(&link)).unwrap();
    std::fs::hard_link(bench.path(file), bench.path(&hard)).unwrap();
    vec![file.to_owned(), format!("./{file}"), bench.path(file).display().to_string(), link, hard]
}

#[test]
fn no_output_replaces_what_its_run_reads() {
    let bench = bench();
    for file in ["table.csv", "policy.toml", "secret.key", "ages.csv", "groups.csv"] {
        for name in names(&bench, file) {
            for option in ["--report", "--certificate", "--recipe"] {
                for overwrite in [&[][..], &["--overwrite"]] {
                    let arguments = [&["anonymize", "policy.toml", option, &name], overwrite].concat();
                    must_refuse(&bench, &arguments, 2, &["would replace", "hint: give the "]);
                }
            }
            // The end of the name of a release tells its format.
            if name.ends_with(".csv") {
                let arguments = ["anonymize", "policy.toml", "--output", &name, "--overwrite"];
                must_refuse(&bench, &arguments, 2, &["the release would replace"]);
            }
        }
    }
}

#[test]
fn no_output_replaces_another_one() {
    let bench = bench();
    bench.must(&["anonymize", "policy.toml"]);
    std::fs::hard_link(bench.path("release.csv"), bench.path("same.html")).unwrap();
    for (options, said) in [
        (vec!["--report", "release.csv"], "the release and the report would be one file"),
        (vec!["--report", "same.html"], "the release and the report would be one file"),
        (vec!["--report", "a.html", "--certificate", "./a.html"], "the report and the certificate would be one file"),
        (vec!["--certificate", "new.json", "--recipe", "new.json"], "the certificate and the recipe would be one file"),
    ] {
        let arguments = [&["anonymize", "policy.toml", "--overwrite"], &options[..]].concat();
        must_refuse(&bench, &arguments, 2, &[said]);
    }
}

#[test]
fn an_audit_and_a_comparison_replace_nothing_that_they_read() {
    let bench = bench();
    bench.must(&["anonymize", "policy.toml", "--certificate", "certificate.json"]);
    bench.write("known.csv", "person,knows\n");
    for file in ["release.csv", "table.csv", "policy.toml", "ages.csv", "secret.key", "certificate.json"] {
        for name in names(&bench, file) {
            let audit = ["audit", "release.csv", "--policy", "policy.toml", "--original", "table.csv", "--certificate"];
            let audit = [&audit[..], &["certificate.json", "--overwrite", "--report", &name]].concat();
            must_refuse(&bench, &audit, 2, &["the report would replace"]);
        }
    }
    for option in ["--outsider", "--population", "--with", "--knowledge", "--sensitive-table"] {
        let audit = ["audit", "release.csv", "--policy", "policy.toml", option, "known.csv", "--report", "known.csv"];
        must_refuse(&bench, &audit, 2, &["the report would replace"]);
    }
    let by_hand = ["audit", "release.csv", "--quasi", "age", "--hierarchy", "age=ages.csv", "--report", "ages.csv"];
    must_refuse(&bench, &by_hand, 2, &["the report would replace the hierarchy"]);
    for file in ["table.csv", "policy.toml", "ages.csv", "secret.key"] {
        let plot = ["compare", "policy.toml", "--vary", "k=2", "--overwrite", "--plot", file];
        must_refuse(&bench, &plot, 2, &["the plot would replace"]);
    }
    let recipe = ["apply", "certificate.json", "table.csv", "-o", "table.csv"];
    assert_eq!(bench.run(&recipe).code, 2);
    for command in [
        &["init", "table.csv", "--yes", "--overwrite", "-o", "table.csv"][..],
        &["hierarchy", "suggest", "table.csv", "--column", "age", "--overwrite", "-o", "table.csv"],
    ] {
        must_refuse(&bench, command, 2, &["would replace the table"]);
    }
}

#[test]
fn a_recipe_is_not_replaced_by_what_it_makes() {
    let bench = bench();
    bench.write("policy.toml", POLICY.replace("replace = \"pseudonym\"\nkey-file = \"secret.key\"\n", ""));
    bench.must(&["anonymize", "policy.toml", "--recipe", "recipe.csv"]);
    must_refuse(&bench, &["apply", "recipe.csv", "table.csv", "-o", "recipe.csv"], 2, &["would replace the recipe"]);
    must_refuse(&bench, &["apply", "recipe.csv", "table.csv", "-o", "ages.csv"], 2, &["would replace the hierarchy"]);
}

#[test]
fn only_what_looks_like_an_earlier_output_is_replaced_unasked() {
    let bench = bench();
    let all = ["anonymize", "policy.toml", "--report", "r.html", "--certificate", "c.json", "--recipe", "e.json"];
    bench.write("policy.toml", POLICY.replace("replace = \"pseudonym\"\nkey-file = \"secret.key\"\n", ""));
    bench.must(&all);
    let outputs = ["release.csv", "r.html", "c.json", "e.json"].map(|name| (name, bench.bytes(name)));
    // Each of them is replaced by its like, and an empty file holds nothing.
    bench.must(&all);
    for (name, _) in &outputs {
        bench.write(name, "");
    }
    bench.must(&all);
    for (name, whole) in &outputs {
        for other in ["thesis\nchapter one\n", "{\"certificate\": \"of baptism\"}\n", "<html>my homepage</html>"] {
            bench.write(name, other);
            must_refuse(
                &bench,
                &all,
                2,
                &[&format!("{name} exists already"), "hint: give another name, or --overwrite"],
            );
        }
        bench.must(&[&all[..], &["--overwrite"]].concat());
        assert_eq!(bench.bytes(name).is_empty(), whole.is_empty());
    }
    // A certificate is no recipe, though both are Shoal's.
    bench.write("e.json", bench.bytes("c.json"));
    must_refuse(&bench, &all, 2, &["e.json exists already", "it is no recipe of Shoal"]);
    // Other columns are another table.
    bench.write("e.json", "");
    bench.write("release.csv", "name,age,ill\nAnn,31,flu\n");
    must_refuse(&bench, &all, 2, &["release.csv exists already", "does not have the columns"]);
}

#[test]
fn every_command_that_writes_can_be_told_to_overwrite() {
    let bench = bench();
    bench.must(&["anonymize", "policy.toml"]);
    for command in [
        &["audit", "release.csv", "--policy", "policy.toml", "--report", "mine"][..],
        &["compare", "policy.toml", "--vary", "k=2", "--plot", "mine"],
        &["generate", "census", "--rows", "3", "-o", "mine.csv"],
        &["hierarchy", "suggest", "table.csv", "--column", "age", "-o", "mine"],
        &["init", "table.csv", "--yes", "-o", "mine"],
    ] {
        let name = command[command.len() - 1];
        bench.write(name, "my own words\n");
        must_refuse(&bench, command, 2, &[&format!("{name} exists already"), "--overwrite"]);
        bench.must(&[command, &["--overwrite"]].concat());
        assert_ne!(bench.text(name), "my own words\n", "{command:?}");
        std::fs::remove_file(bench.path(name)).unwrap();
        bench.must(command);
    }
    assert!(bench.everything().keys().all(|path| !path.display().to_string().contains(".shoal-")));
}

#[test]
fn a_made_up_table_replaces_one_of_its_kind_and_a_plot_a_plot() {
    let bench = bench();
    for rows in ["3", "5"] {
        bench.must(&["generate", "census", "--rows", rows, "-o", "census.csv"]);
        assert_eq!(
            bench.text("census.csv").lines().count().to_string(),
            (rows.parse::<usize>().unwrap() + 1).to_string()
        );
        bench.must(&["compare", "policy.toml", "--vary", "k=2", "--plot", "plot.svg"]);
        bench.must(&["audit", "table.csv", "--quasi", "age", "--report", "audit.html"]);
    }
    let to_stdout = bench.must(&["generate", "census", "--rows", "5", "-o", "-"]);
    assert_eq!(to_stdout.stdout, bench.text("census.csv"));
    assert!(!bench.path("-").exists());
}

#[test]
fn what_is_no_file_is_no_place_for_an_output() {
    let bench = bench();
    bench.must(&["anonymize", "policy.toml"]);
    std::fs::create_dir(bench.path("folder.csv")).unwrap();
    std::os::unix::fs::symlink("elsewhere.csv", bench.path("link.csv")).unwrap();
    let _socket = std::os::unix::net::UnixListener::bind(bench.path("socket.csv")).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(bench.path("pipe.csv")).status().unwrap().success());
    let refuse = |name: &str, said: &str| {
        for option in ["--report", "--certificate", "--recipe", "--output"] {
            if option != "--output" || name.ends_with(".csv") {
                for overwrite in [&[][..], &["--overwrite"]] {
                    let arguments = [&["anonymize", "policy.toml", option, name], overwrite].concat();
                    let ran = bench.run(&arguments);
                    assert!(ran.code == 2 && ran.stderr.contains(said), "{arguments:?}\n{ran}");
                }
            }
        }
        let ran = bench.run(&["generate", "census", "--rows", "3", "-o", name]);
        assert!(ran.code == 2 && ran.stderr.contains(said), "{ran}");
    };
    refuse("folder.csv", "it is a folder");
    refuse("link.csv", "it is a symbolic link");
    refuse("socket.csv", "it is a socket");
    refuse("pipe.csv", "it is a pipe");
    refuse("/dev/null", "it is a device");
    refuse("/dev/stdout", "it is a symbolic link");
    refuse("nowhere/a.csv", "there is no folder nowhere");
    assert!(!bench.path("elsewhere.csv").exists());
    use std::os::unix::fs::FileTypeExt;
    assert!(std::fs::metadata("/dev/null").unwrap().file_type().is_char_device());
}

#[test]
fn a_file_in_the_folder_that_is_read_is_not_replaced_through_a_link() {
    let bench = bench();
    bench.write("parts/a.csv", bench.bytes("table.csv"));
    std::fs::hard_link(bench.path("parts/a.csv"), bench.path("outside.csv")).unwrap();
    let over = ["anonymize", "policy.toml", "--input", "parts", "-o", "outside.csv", "--overwrite"];
    must_refuse(&bench, &over, 2, &["the release would be one of the files of its own input, parts"]);
    let report = ["anonymize", "policy.toml", "--input", "parts", "--report", "parts/r.html"];
    must_refuse(&bench, &report, 2, &["the report would be one of the files of its own input, parts"]);
}
