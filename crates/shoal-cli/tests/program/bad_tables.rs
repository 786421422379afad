//! What happens to a table, hierarchy or place that cannot be used?

use crate::refusal::{POLICY, TABLE, bench, must_refuse};
use crate::workbench::Workbench;

const ANONYMIZE: [&str; 2] = ["anonymize", "policy.toml"];

#[test]
fn the_sound_table_is_not_refused() {
    let bench = bench();
    bench.must(&ANONYMIZE);
    assert_eq!(bench.text("release.csv").lines().count(), 5);
}

#[track_caller]
fn refuses_table(table: impl AsRef<[u8]>, parts: &[&str]) {
    let bench = bench();
    bench.write("table.csv", table);
    must_refuse(&bench, &ANONYMIZE, 2, parts);
}

#[test]
fn a_ragged_row() {
    refuses_table(
        TABLE.replace("Cid,38,m,Xanthoma", "Cid,38,m,Xanthoma,Yaws"),
        &["table.csv", "row 3 (line 4)", "5 cells"],
    );
    refuses_table(TABLE.replace("Cid,38,m,Xanthoma", "Cid,38,m"), &["table.csv", "row 3 (line 4)", "3 cells"]);
}

#[test]
fn invalid_utf_8() {
    let mut bytes = TABLE.as_bytes().to_vec();
    let place = TABLE.find("Zygo").unwrap();
    bytes[place + 1] = 0xFF;
    refuses_table(bytes, &["table.csv", "row 4", "`disease`", "utf-8", "hint: "]);
}

#[test]
fn an_unclosed_quote() {
    refuses_table(TABLE.replace("Cid,38,m,Xanthoma", "Cid,38,m,\"Xanthoma"), &["table.csv", "row 3 (line 4)", "quote"]);
}

#[test]
fn text_after_a_closing_quote() {
    refuses_table(
        TABLE.replace("Cid,38,m,Xanthoma", "Cid,38,m,\"Xan\"thoma"),
        &["table.csv", "row 3 (line 4)", "quote"],
    );
}

#[test]
fn an_empty_file() {
    refuses_table("", &["table.csv", "empty"]);
}

#[test]
fn a_header_and_no_rows() {
    refuses_table("name,age,sex,disease\n", &["table.csv", "no rows"]);
}

#[test]
fn only_rows_that_are_dropped() {
    let bench = bench();
    bench.write("table.csv", "name,age,sex,disease\nAnn,,f,Yaws\nBob,31,,Yaws\n");
    bench.write("policy.toml", POLICY.replace("[output]", "rows-with-missing = \"drop\"\n[output]"));
    must_refuse(&bench, &ANONYMIZE, 2, &["no rows are left", "2 rows", "rows-with-missing"]);
}

#[test]
fn two_columns_of_one_name() {
    refuses_table(TABLE.replace("name,age", "age,age"), &["table.csv", "columns 1 and 2 are both named `age`"]);
}

#[test]
fn a_column_that_the_table_lacks() {
    refuses_table(TABLE.replace("name,age", "name,Alter"), &["table.csv has no column `age`", "hint: it has"]);
    refuses_table(TABLE.replace("name,age", "name,Age"), &["table.csv has no column `age`", "did you mean `Age`?"]);
}

#[test]
fn columns_that_the_policy_does_not_name() {
    let table = TABLE.replace(",disease\n", ",disease,phone\n").replace("a\n", "a,1\n").replace("s\n", "s,2\n");
    refuses_table(table, &["does not say what to do with column `phone`", "other-columns"]);
}

fn with_hierarchy(hierarchy: &str) -> Workbench {
    let bench = bench();
    bench.write("hierarchy.csv", hierarchy);
    bench.write("policy.toml", POLICY.replace("intervals = [5, 10]", "file = \"hierarchy.csv\""));
    bench
}

#[test]
fn values_that_the_hierarchy_lacks() {
    let lacking = with_hierarchy("31;30s;*\n38;30s;*\n");
    must_refuse(&lacking, &ANONYMIZE, 2, &["hierarchy.csv", "lacks 2 of the 4 values of column `age`", "`32`"]);
}

#[test]
fn sensitive_values_that_the_hierarchy_lacks() {
    let bench = bench();
    bench.write("hierarchy.csv", "Yaws;*\nQuinsy;*\n");
    let policy = POLICY.replace("\"sensitive\"", "\"sensitive\"\nhierarchy = { file = \"hierarchy.csv\" }");
    bench.write("policy.toml", policy);
    must_refuse(&bench, &ANONYMIZE, 2, &["hierarchy.csv", "lacks 2 of the 3 values of column `disease`"]);
}

#[test]
fn a_hierarchy_that_is_not_nested() {
    let crossed = with_hierarchy("31;low;a;*\n32;low;b;*\n38;high;b;*\n39;high;b;*\n");
    must_refuse(&crossed, &ANONYMIZE, 2, &["hierarchy.csv", "not nested", "`low`", "row 1", "row 2"]);
}

#[test]
fn a_sensitive_hierarchy_that_is_not_nested_or_lists_a_value_twice() {
    for hierarchy in ["Yaws;skin;a;*\nXanthoma;skin;b;*\nZygomycosis;z;b;*\n", "Yaws;a;*\nYaws;b;*\nXanthoma;a;*\n"] {
        let bench = bench();
        bench.write("hierarchy.csv", hierarchy);
        let policy = POLICY.replace("\"sensitive\"", "\"sensitive\"\nhierarchy = { file = \"hierarchy.csv\" }");
        bench.write("policy.toml", policy);
        must_refuse(&bench, &ANONYMIZE, 2, &["hierarchy.csv", "row 1", "row 2"]);
    }
}

#[test]
fn intervals_over_words() {
    refuses_table(TABLE.replace("38", "old"), &["`age`", "`old`"]);
}

#[test]
fn a_hierarchy_file_that_is_not_there() {
    let bench = with_hierarchy("");
    std::fs::remove_file(bench.path("hierarchy.csv")).unwrap();
    must_refuse(&bench, &ANONYMIZE, 2, &["hierarchy.csv", "no such file"]);
}

#[test]
fn a_disk_that_is_full() {
    let bench = bench();
    let rows: String = (0..4000).map(|row| format!("P{row},31,f,Yaws\n")).collect();
    bench.write("table.csv", format!("name,age,sex,disease\n{rows}"));
    let before = bench.everything();
    // A file of at most 1 KiB; the signal that the limit sends is ignored, so that writing fails.
    let ran = bench.run_in_shell("trap '' XFSZ; ulimit -f 1; \"$SHOAL\" anonymize policy.toml");
    assert_eq!(ran.code, 2, "{ran}");
    assert!(ran.stderr.contains("error: cannot write release.csv"), "{ran}");
    assert!(bench.everything() == before, "the earlier release was touched or a temporary file was left\n{ran}");
}

#[test]
fn a_stdout_that_is_full() {
    let bench = bench();
    for command in ["anonymize policy.toml --json", "generate census --rows 9", "explain", "solutions policy.toml"] {
        let ran = bench.run_in_shell(&format!("\"$SHOAL\" {command} > /dev/full"));
        assert_eq!(ran.code, 2, "{command}\n{ran}");
        assert!(ran.stderr.contains("error: cannot write"), "{command}\n{ran}");
    }
}

#[test]
fn places_that_cannot_be_written_to() {
    let bench = bench();
    let to = |output: &'static str| ["anonymize", "policy.toml", "--output", output];
    must_refuse(
        &bench,
        &to("no/such/folder.csv"),
        2,
        &["cannot be written to no/such/folder.csv", "no folder no/such"],
    );
    must_refuse(&bench, &to("table.csv/release.csv"), 2, &["cannot be written to table.csv/release.csv"]);
    std::fs::create_dir(bench.path("folder.csv")).unwrap();
    must_refuse(&bench, &to("folder.csv"), 2, &["cannot be written to folder.csv: it is a folder"]);
    must_refuse(&bench, &to(".."), 2, &[".."]);
}

#[test]
fn a_kind_of_file_that_is_not_known() {
    must_refuse(&bench(), &["anonymize", "policy.toml", "--output", "release.ods"], 2, &["release.ods", "hint: "]);
}

#[test]
fn the_input_itself_as_output() {
    let bench = bench();
    std::os::unix::fs::symlink(bench.path("table.csv"), bench.path("alias.csv")).unwrap();
    std::fs::create_dir(bench.path("folder")).unwrap();
    for output in
        ["table.csv", "./table.csv", "folder/../table.csv", "alias.csv", bench.path("table.csv").to_str().unwrap()]
    {
        let arguments = ["anonymize", "policy.toml", "--output", output];
        must_refuse(&bench, &arguments, 2, &["the release would replace its own input"]);
    }
    must_refuse(&bench, &["anonymize", "policy.toml", "--input", "release.csv"], 2, &["replace its own input"]);
}

#[test]
fn a_hierarchy_or_the_table_as_output_of_something_else() {
    let bench = with_hierarchy("31;*\n32;*\n38;*\n39;*\n");
    let over_hierarchy = ["anonymize", "policy.toml", "--output", "./hierarchy.csv"];
    must_refuse(&bench, &over_hierarchy, 2, &["the release would replace the hierarchy, hierarchy.csv"]);
    let over_table = ["hierarchy", "suggest", "table.csv", "--column", "age", "-o", "./table.csv"];
    must_refuse(&bench, &over_table, 2, &["the hierarchy would replace the table itself"]);
}

#[test]
fn a_release_that_could_not_be_told_from_suppressed_rows() {
    let bench = bench();
    bench.write("table.csv", "age,sex\n31,f\n51,m\n");
    bench.write("release.csv", "age,sex\nan earlier,release\n");
    let (policy, _) = POLICY.split_once("[columns.disease]").unwrap();
    let policy = policy.replace("[columns.name]\nrole = \"identifier\"\n", "");
    let rest = "[[require]]\nmodel = \"k-anonymity\"\nk = 2\n";
    bench.write("policy.toml", policy.replace("[output]", "[output]\nsuppressed = \"keep\"") + rest);
    must_refuse(&bench, &ANONYMIZE, 2, &["`*` in every cell", "suppressed = \"drop\""]);
}

#[test]
fn a_label_that_the_encoding_of_the_table_lacks() {
    let bench = with_hierarchy("31;→;*\n32;→;*\n38;→;*\n39;→;*\n");
    let policy = bench.text("policy.toml").replace("[output]", "encoding = \"windows-1252\"\n[output]");
    bench.write(
        "policy.toml",
        policy.replace("\"hierarchy.csv\" }", "\"hierarchy.csv\" }\nmin-level = 1\nmax-level = 1"),
    );
    must_refuse(&bench, &ANONYMIZE, 2, &["windows-1252 lacks a character", "column `age`"]);
}

#[test]
fn an_input_that_is_not_there_or_not_named() {
    let bench = bench();
    must_refuse(&bench, &["anonymize", "policy.toml", "--input", "tabel.csv"], 2, &["tabel.csv", "no such file"]);
    bench.write("policy.toml", POLICY.replace("path = \"table.csv\"", ""));
    must_refuse(&bench, &ANONYMIZE, 2, &["names no input", "--input"]);
    must_refuse(
        &bench,
        &["anonymize", "policy.toml", "--input", "."],
        2,
        &["would be one of the files of its own input"],
    );
}

#[test]
fn a_parquet_file_that_was_cut_short() {
    let bench = bench();
    bench.must(&["anonymize", "policy.toml", "--output", "release.parquet"]);
    let whole = bench.bytes("release.parquet");
    bench.write("policy.toml", POLICY.replace("[columns.name]\nrole = \"identifier\"\n", ""));
    for length in [whole.len() - 1, whole.len() / 2, 10, 0] {
        bench.write("cut.parquet", &whole[..length]);
        must_refuse(&bench, &["anonymize", "policy.toml", "--input", "cut.parquet"], 2, &["cut.parquet"]);
    }
    bench.write("whole.toml", bench.text("policy.toml").replace("hierarchy = { intervals = [5, 10] }", ""));
    bench.must(&["anonymize", "whole.toml", "--input", "release.parquet", "--output", "again.parquet"]);
}

#[test]
fn compressed_files_that_were_cut_short() {
    let bench = bench();
    bench.write("policy.toml", POLICY.replace("[columns.name]\nrole = \"identifier\"\n", ""));
    bench.write(
        "whole.csv",
        TABLE.replace("name,", "").replace("Ann,", "").replace("Bob,", "").replace("Cid,", "").replace("Dot,", ""),
    );
    for name in ["release.csv.gz", "release.csv.zst"] {
        bench.must(&["anonymize", "policy.toml", "--input", "whole.csv", "--output", name]);
        let cut = name.replace("release", "cut");
        let whole = bench.bytes(name);
        bench.write(&cut, &whole[..whole.len() - 6]);
        must_refuse(&bench, &["anonymize", "policy.toml", "--input", &cut], 2, &[&cut]);
    }
}

#[test]
fn lines_of_json_that_are_none() {
    let bench = bench();
    let line = |n: u32| format!("{{\"name\": \"P{n}\", \"age\": {n}, \"sex\": \"f\", \"disease\": \"Yaws\"}}\n");
    let refuses = |lines: &[String], parts: &[&str]| {
        bench.write("table.jsonl", lines.concat());
        must_refuse(&bench, &["anonymize", "policy.toml", "--input", "table.jsonl"], 2, parts);
    };
    refuses(&[line(1), "{\"name\": \"Xanthoma\n".to_owned()], &["table.jsonl", "row 2"]);
    refuses(&[line(1), "[\"Yaws\"]\n".to_owned()], &["table.jsonl", "row 2"]);
    refuses(&[line(1), "{\"name\": \"a\", \"Yaws\": 1}\n".to_owned()], &["table.jsonl", "row 2"]);
}
