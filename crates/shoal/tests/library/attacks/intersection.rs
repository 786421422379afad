//! Is it told what two releases give away together?

use super::*;

const FIRST: &str = "age,zip,s\n2*,*,flu\n2*,*,cancer\n3*,*,ulcer\n3*,*,flu\n";
const SECOND: &str = "age,zip,s\n*,130**,flu\n*,130**,ulcer\n*,148**,cancer\n*,148**,flu\n";
const ORIGINAL: &str = "age,zip,s\n21,13053,flu\n22,14850,cancer\n31,13068,ulcer\n32,14853,flu\n";

fn case(release: &str, other: &str) -> Case {
    let mut case = Case::new(release, &["age", "zip"], &["s"]);
    case.other = Some(other.to_owned());
    case
}

/// {flu, cancer} and {flu, ulcer} leave flu; the other three pairs cancer or flu, flu or ulcer, and flu.
#[test]
fn two_diverse_releases_tell_more_together() {
    let mut case = case(FIRST, SECOND);
    case.original = Some(ORIGINAL.to_owned());
    let finding = case.finding("intersection");
    assert_eq!(exposed(&finding), (2, 2), "21 in 13053 and 32 in 14853 have flu");
    assert_eq!((&finding.figures["pairs"], &finding.figures["alone_in_both"]), (&Value::from(4), &Value::from(4)));
    case.original = None;
    let finding = case.finding("intersection");
    assert_eq!(exposed(&finding), (2, 2), "at most one flu in both");
    assert_eq!(finding.figures["certain"], false);
}

/// The class of {flu, cancer} meets that of {cancer, asthma}, and {cold, ulcer} meets {gout, cold}: one has cancer, one a cold,
/// however the same classes are written.
#[test]
fn labels_are_read_however_they_are_written() {
    for (these, those) in [
        (["[1950, 1955)", "[1960, 1965)"], ["[1950, 1960)", "[1960, 1970)"]),
        (["1954", "1961"], ["1950s", "1960s"]),
        (["1954-03", "1961-02"], ["1954", "1961"]),
        (["50-54", "60-64"], ["50-59", "60-69"]),
    ] {
        let [a, b] = these;
        let [c, d] = those;
        let first = format!("born,s\n\"{a}\",flu\n\"{a}\",cancer\n\"{b}\",cold\n\"{b}\",ulcer\n");
        let second = format!("born,s\n\"{c}\",cancer\n\"{c}\",asthma\n\"{d}\",gout\n\"{d}\",cold\n");
        let mut case = Case::new(&first, &["born"], &["s"]);
        case.other = Some(second);
        let finding = case.finding("intersection");
        assert_eq!(exposed(&finding), (2, 2), "{these:?} and {those:?}");
        assert_eq!(finding.figures["pairs"], 2, "{these:?} and {those:?}");
        assert_eq!(finding.figures["unread"], serde_json::json!([]));
    }
}

/// Nobody says whether the young are those under forty: they may be.
#[test]
fn what_cannot_be_read_may_be_the_same_people() {
    let first = "age,s\nyoung,flu\nyoung,cancer\nold,cold\nold,ulcer\n";
    let second = "age,s\nunder forty,cancer\nunder forty,asthma\nforty and more,gout\nforty and more,cold\n";
    let mut case = Case::new(first, &["age"], &["s"]);
    case.other = Some(second.to_owned());
    let finding = case.finding("intersection");
    assert_eq!((exposed(&finding), &finding.figures["pairs"]), ((2, 2), &Value::from(4)));
    assert_eq!(finding.figures["unread"], serde_json::json!(["age"]));
    assert!(finding.learned.contains("labels of `age` could not be read"), "{}", finding.learned);
    // With the original it is the same, as long as nobody knows whom the labels stand for.
    case.original = Some("age,s\n21,flu\n22,cancer\n61,cold\n62,ulcer\n".to_owned());
    let finding = case.finding("intersection");
    assert_eq!((exposed(&finding), &finding.figures["certain"]), ((2, 2), &Value::from(false)));
    // Words that both releases show are one vocabulary.
    case.original = None;
    case.other = Some(first.to_owned());
    let finding = case.finding("intersection");
    assert_eq!((exposed(&finding), &finding.figures["pairs"]), ((0, 0), &Value::from(2)));
}

#[test]
fn the_same_classes_tell_nothing_new() {
    assert_eq!(exposed(&case(FIRST, FIRST).finding("intersection")), (0, 0));
}
