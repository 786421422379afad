//! Does one sensitive value give another away where it should?

use super::*;

fn block(lines: &str) -> Vec<Finding> {
    Case::new(&format!("q,S,V\n{lines}"), &["q"], &["S", "V"]).findings("several-sensitive")
}

#[test]
fn who_has_s2_or_not_s1_has_v3() {
    let findings = block("*,s1,v1\n*,s1,v2\n*,s2,v3\n*,s3,v3\n");
    for finding in &findings {
        assert_eq!(exposed(finding), (1, 2), "{finding:?}");
        assert_eq!(finding.figures["classes_by_ruling_out_one"], 1);
    }
}

#[test]
fn every_value_with_every_other_tells_nothing() {
    for finding in block("*,s1,v1\n*,s1,v2\n*,s2,v1\n*,s2,v2\n*,s3,v1\n*,s3,v2\n") {
        assert_eq!(exposed(&finding), (0, 0));
        assert_eq!(finding.figures["classes_by_ruling_out_one"], 0);
    }
}

/// Who has s2 or s3 has v3 wherever they are; v1 and v2 come with s1 alone, and v3 with two.
#[test]
fn what_no_hiding_prevents_is_said() {
    let [s, v]: [Finding; 2] = block("a,s1,v1\na,s1,v2\nb,s2,v3\nb,s3,v3\n").try_into().expect("two columns");
    let model = "distinct-l-diversity with l = 2, among = \"all-sensitive\"";
    let without = ", without 2 records whose other sensitive values come with one value only, whatever is hidden";
    assert_eq!(v.prevented_by, format!("{model}{without}"));
    assert_eq!(s.prevented_by, format!("{model}{without}"));
    let [s, v]: [Finding; 2] = block("a,s1,v1\na,s2,v2\nb,s1,v2\nb,s2,v1\n").try_into().expect("two columns");
    assert_eq!((s.prevented_by.as_str(), v.prevented_by.as_str()), (model, model), "larger classes would do");
}
