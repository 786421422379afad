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
