//! How little must an attacker know beforehand to learn a sensitive value?

use std::collections::BTreeMap;

use serde_json::{Value, json};

use super::beliefs::{Person, TOLERANCE, people_of_knowledge};
use super::finding::{ByClass, Detail, Exposure};
use super::options::{exactly, shown};
use super::{Attack, Findings, Scene};
use shoal_core::Result;
use shoal_core::exact::Ratio;

/// # Background knowledge
///
/// **Definition.** An attacker rules out some sensitive values of a person's class. For every class: how many must be ruled
/// out, in the worst case, until one value reaches the confidence (the most frequent value is left, the next most frequent
/// are ruled out). Ruling out all values but one does not count: that needs no release. With a knowledge file, in addition:
/// the probability of each value for each person it speaks of, by Bayes' rule: the count of the value in the class times its
/// factor, over the sum of these.
/// **What is learned.** The value of whoever the attacker knows enough about.
/// **Prevented by.** `distinct-l-diversity` with l two above the number of pieces; for a confidence c,
/// `recursive-cl-diversity` with that l and c/(1-c). Against a symptom that a group of values shares, `a-d-diversity`.
/// **Options.** `--confidence` (default 1); `--pieces` (default 1): a class counts as exposed if so few pieces are enough;
/// `--knowledge FILE`, with one or more entries:
///
/// ```toml
/// [[know]]
/// where = { Nationality = "Japanese" }   # whom it is about, as in the original or the release; absent: anybody
/// column = "Condition"                   # needed only with several sensitive columns
/// times = { "Heart Disease" = 0.01 }     # so many times as likely as for the others of the class
/// otherwise = 1                          # the factor of all other values (default 1)
/// ```
///
/// A symptom k with the likelihoods P(k|S) of (a,d)-diversity is written the same way, without `where`. With `--original`
/// every record is judged; without it, whoever could be in a class.
/// **Example.** Umeko is Japanese and in a class with two heart diseases and two viral infections. Heart disease 0.01 times as
/// likely leaves the infection with 0.99. Somebody with a fever, among four diseases with P(k|S) = 0.9, 0.08, 0.03, 0.02: 0.874.
/// **Reference.** Machanavajjhala et al. 2006, sections 1.1, 3.1 (equation 1) and 4.1; Wang and Shi, section 3.3.
#[derive(Debug)]
pub struct BackgroundKnowledge;

impl Attack for BackgroundKnowledge {
    fn id(&self) -> &'static str {
        "background-knowledge"
    }

    fn run(&self, scene: &Scene<'_>, findings: &mut Findings) -> Result<()> {
        for column in 0..scene.columns.len() {
            self.rule_out(scene, column, findings);
            if scene.knowledge.as_ref().is_some_and(|knowledge| knowledge.is_about(column)) {
                self.apply_knowledge(scene, column, findings)?;
            }
        }
        Ok(())
    }
}

/// The number of values that must be ruled out until the most frequent reaches the confidence, and its share then.
///
/// Leaving the most frequent value and ruling out the next ones is the worst case: for any other value that is left, the
/// same number of pieces leaves at least as many other records, of which fewer have it.
fn pieces_needed(counts: &[u64], confidence: Ratio) -> (u64, f64) {
    let mut descending: Vec<u64> = counts.to_vec();
    descending.sort_unstable_by_key(|&count| std::cmp::Reverse(count));
    let mut left: u64 = descending.iter().sum();
    let largest = descending.first().copied().unwrap_or(0);
    let mut pieces = 0;
    for ruled_out in descending.into_iter().skip(1) {
        if Ratio::new(largest.into(), left.into()) >= confidence {
            break;
        }
        left -= ruled_out;
        pieces += 1;
    }
    (pieces, largest as f64 / left.max(1) as f64)
}

impl BackgroundKnowledge {
    fn rule_out(&self, scene: &Scene<'_>, column: usize, findings: &mut Findings) {
        let (confidence, pieces) = (scene.options.confidence, scene.options.pieces);
        let mut exposure = Exposure::default();
        let mut by_pieces: BTreeMap<u64, (u64, u64)> = BTreeMap::new();
        // Ruling out every value but one tells which it is without any release.
        let values = scene.classes.profile().released(column).by_frequency().len() as u64;
        for class in 0..scene.classes.len() {
            let members = scene.classes.class(class);
            let (induced, _) = scene.induce(column, members.counts(column), members.size());
            let (needed, share) = pieces_needed(&induced.counts, exactly(confidence));
            let seen = by_pieces.entry(needed).or_default();
            *seen = (seen.0 + 1, seen.1 + members.size());
            if needed <= pieces && (needed == 0 || needed + 1 < values) {
                exposure.add(class, members.size(), -(needed as f64), || Detail {
                    figures: vec![("pieces", json!(needed)), ("share", json!(share))],
                    value: String::new(),
                });
            }
        }
        let l = pieces.saturating_add(2);
        let prevented_by = if confidence >= 1.0 {
            format!("distinct-l-diversity with l = {l}")
        } else {
            format!("recursive-cl-diversity with l = {l}, c = {}", shown(confidence / (1.0 - confidence)))
        };
        let few = if pieces == 1 { "one value".to_owned() } else { format!("{pieces} values") };
        let learned = format!("the value, after ruling out at most {few}");
        let fewest = by_pieces.first_key_value().map(|(&pieces, _)| pieces);
        let listed: Vec<Value> = by_pieces
            .iter()
            .take(10)
            .map(|(pieces, (classes, records))| json!({ "pieces": pieces, "classes": classes, "records": records }))
            .collect();
        let finding = exposure.finding(scene, self.id(), Some(column), learned, prevented_by);
        findings.push(finding.with("confidence", confidence).with("fewest_pieces", fewest).with("by_pieces", listed));
    }

    /// Whom the knowledge file gives away: somebody whose likeliest value reaches the confidence; where the confidence is
    /// 1, 0.9, since no factor but 0 makes anything certain.
    fn apply_knowledge(&self, scene: &Scene<'_>, column: usize, findings: &mut Findings) -> Result<()> {
        let confidence = if scene.options.confidence >= 1.0 { 0.9 } else { scene.options.confidence };
        let mut largest: f64 = 0.0;
        // Of the classes that somebody could be in, the one that gives most away.
        let mut worst: BTreeMap<usize, (usize, u64, u32, f64)> = BTreeMap::new();
        people_of_knowledge(scene, column, |somebody, person: &Person<'_>| {
            let Some((code, belief)) = person.likeliest() else { return };
            largest = largest.max(belief);
            let known = worst.get(&somebody).map_or(0.0, |known| known.3);
            if belief >= confidence - TOLERANCE && belief > known {
                worst.insert(somebody, (person.class, person.records, code, belief));
            }
        })?;
        let mut exposed = ByClass::default();
        worst.into_values().for_each(|(class, records, code, belief)| exposed.add(class, records, code, belief));
        let exposure = exposed.exposure(scene, |_, code, belief| Detail {
            figures: vec![("posterior", json!(belief))],
            value: scene.columns[column].value(code).to_owned(),
        });
        let learned = format!("the value, with a probability of at least {confidence}, by the knowledge file");
        let prevented_by = "a larger l, or a-d-diversity with groups of values that the knowledge cannot tell apart";
        let finding = exposure.finding(scene, self.id(), Some(column), learned, prevented_by);
        findings.push(
            finding.with("knowledge", true).with("confidence", confidence).with("largest_posterior", largest),
        );
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_counted_in_the_worst_case() {
        let needed = |counts: &[u64], confidence| pieces_needed(counts, exactly(confidence));
        assert_eq!(needed(&[4], 1.0), (0, 1.0));
        assert_eq!(needed(&[1, 2, 1], 1.0), (2, 1.0));
        assert_eq!(needed(&[2, 1, 1], 0.5), (0, 0.5), "a tie is reached");
        assert_eq!(needed(&[2, 1, 1], 0.6), (1, 2.0 / 3.0));
        assert_eq!(needed(&[5, 4, 1], 0.8), (1, 5.0 / 6.0));
    }
}
