//! Is a CSV written the way it was read?

use crate::workbench::Workbench;

const POLICY: &str = r#"[input]
path = "table.csv"
OPTIONS
[output]
shuffle = false
path = "release.csv"
[columns.town]
role = "quasi-identifier"
hierarchy = { suppress = {} }
max-level = 0
[columns.age]
role = "quasi-identifier"
hierarchy = { intervals = [10] }
min-level = 1
max-level = 1
[columns.ill]
role = "sensitive"
[[require]]
model = "k-anonymity"
k = 2
"#;

/// The bytes of the release of a table, which `shoal audit` has to read as the policy says, too.
#[track_caller]
fn release(options: &str, table: impl AsRef<[u8]>) -> Vec<u8> {
    let bench = Workbench::with(&[("policy.toml", &POLICY.replace("OPTIONS", options))]);
    bench.write("table.csv", table);
    bench.must(&["anonymize", "policy.toml"]);
    bench.must(&["audit", "release.csv", "--policy", "policy.toml"]);
    bench.bytes("release.csv")
}

#[track_caller]
fn gives(options: &str, table: &str, expected: &str) {
    assert_eq!(String::from_utf8(release(options, table)).unwrap(), expected);
}

/// The first row is read by itself, before the blocks that follow it.
#[test]
fn doubled_quotes_before_a_character_of_several_bytes() {
    let shown = "\"a\"\"ä\"";
    gives(
        "",
        &format!("town,age,ill\n{shown},31,a\n{shown},32,b\n"),
        &format!("town,age,ill\n{shown},\"[30, 40)\",a\n{shown},\"[30, 40)\",b\n"),
    );
}

#[test]
fn line_ends() {
    gives("", "town,age,ill\r\nX,31,a\r\nX,32,b\r\n", "town,age,ill\r\nX,\"[30, 40)\",a\r\nX,\"[30, 40)\",b\r\n");
    gives("", "town,age,ill\nX,31,a\nX,32,b", "town,age,ill\nX,\"[30, 40)\",a\nX,\"[30, 40)\",b\n");
}

#[test]
fn semicolons_and_tabs() {
    gives("", "town;age;ill\nX;31;a, b\nX;32;b\n", "town;age;ill\nX;[30, 40);a, b\nX;[30, 40);b\n");
    gives("", "town\tage\till\nX\t31\ta\nX\t32\tb\n", "town\tage\till\nX\t[30, 40)\ta\nX\t[30, 40)\tb\n");
    gives("delimiter = \"|\"", "town|age|ill\nX|31|a\nX|32|b\n", "town|age|ill\nX|[30, 40)|a\nX|[30, 40)|b\n");
}

#[test]
fn a_release_of_another_name_is_audited_by_the_same_policy() {
    let options = "delimiter = \"|\"\nquote = \"'\"\nencoding = \"windows-1252\"";
    let bench = Workbench::with(&[("policy.toml", &POLICY.replace("OPTIONS", options))]);
    bench.write("table.csv", b"town|age|ill\nK\xF6ln|31|'a|b'\nK\xF6ln|32|b\n");
    for output in ["release.csv", "release.tsv", "release.tsv.gz", "release.txt", "release.jsonl", "release.parquet"] {
        bench.must(&["anonymize", "policy.toml", "--output", output]);
        bench.must(&["audit", output, "--policy", "policy.toml"]);
    }
}

#[test]
fn a_header_of_numbers_is_a_header_where_the_policy_says_so() {
    let bench = Workbench::with(&[("table.csv", "1,2,3\n1,31,5\n1,32,6\n")]);
    let names = |policy: &str| {
        let policy = policy.replace("columns.town", "columns.1").replace("columns.age", "columns.2");
        policy.replace("columns.ill", "columns.3")
    };
    bench.write("policy.toml", names(&POLICY.replace("OPTIONS", "header = true")));
    bench.must(&["anonymize", "policy.toml"]);
    assert_eq!(bench.text("release.csv"), "1,2,3\n1,\"[30, 40)\",5\n1,\"[30, 40)\",6\n");
    bench.must(&["audit", "release.csv", "--policy", "policy.toml"]);
}

#[test]
fn windows_1252() {
    let table = b"town,age,ill\nK\xF6ln,31,a\xDF\nK\xF6ln,32,b\n";
    let expected = b"town,age,ill\nK\xF6ln,\"[30, 40)\",a\xDF\nK\xF6ln,\"[30, 40)\",b\n";
    assert_eq!(release("encoding = \"windows-1252\"", table), expected);
}

#[test]
fn byte_order_marks() {
    let expected = "\u{FEFF}town,age,ill\nX,\"[30, 40)\",a\nX,\"[30, 40)\",b\n";
    gives("", "\u{FEFF}town,age,ill\nX,31,a\nX,32,b\n", expected);
}

#[test]
fn decimal_commas() {
    let table = "town;age;ill\nX;30,5;a\nX;39,25;b\n";
    // The ends of a range are separated by a semicolon, and so the label stands in quotes.
    gives("decimal = \",\"", table, "town;age;ill\nX;\"[30; 40)\";a\nX;\"[30; 40)\";b\n");
}

#[test]
fn quotes_where_they_are_needed() {
    let table = "town,age,ill\n\"a, b\",31,\"two\nlines\"\n\"a, b\",32,\"say \"\"ah\"\"\"\n";
    let expected = table.replace("31", "\"[30, 40)\"").replace("32", "\"[30, 40)\"");
    gives("", table, &expected);
}

#[test]
fn several_marks_of_a_missing_value_become_the_first() {
    let table = "town,age,ill\n?,31,NA\n-,32,b\n?,?,a\nNA,-,a\n";
    let expected = "town,age,ill\n?,\"[30, 40)\",?\n?,\"[30, 40)\",b\n?,?,a\n?,?,a\n";
    gives("missing = [\"?\", \"-\", \"NA\"]", table, expected);
    gives(
        "",
        "town,age,ill\nX,31,\n,32,b\nX,33,\n,34,b\n",
        "town,age,ill\nX,\"[30, 40)\",\n,\"[30, 40)\",b\nX,\"[30, 40)\",\n,\"[30, 40)\",b\n",
    );
}

#[test]
fn a_table_without_a_header_gets_one() {
    let bench = Workbench::with(&[("table.csv", "X,31,a\nX,32,b\n")]);
    let names = |policy: &str| {
        policy
            .replace("columns.town", "columns.column1")
            .replace("columns.age", "columns.column2")
            .replace("columns.ill", "columns.column3")
    };
    bench.write("policy.toml", names(&POLICY.replace("OPTIONS", "header = false")));
    bench.must(&["anonymize", "policy.toml"]);
    assert_eq!(bench.text("release.csv"), "column1,column2,column3\nX,\"[30, 40)\",a\nX,\"[30, 40)\",b\n");
    bench.must(&["audit", "release.csv", "--policy", "policy.toml"]);
}
