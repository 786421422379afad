//! Which values can nobody in a class have, although many in the table do?

use serde_json::json;

use super::finding::{Detail, Exposure};
use super::options::exactly;
use super::{Attack, Findings, Scene};
use shoal_core::Result;
use shoal_core::exact::Ratio;

/// # Negative disclosure
///
/// **Definition.** An equivalence class lacks sensitive values that others have: nobody in it can have them. Each such
/// value weighs as much as its share of all released records; one with a share below `--epsilon` seemed impossible before, and
/// ruling it out tells nothing.
/// **What is learned.** Which values a person does not have, where at least half of all records (or `--ruled-out`) have one of them.
/// **Prevented by.** `t-closeness` with `distance = "equal"` and t below that share: the distance is never smaller than what a class
/// lacks. For single values, `npd-recursive-cl-diversity` with `guarded`.
/// **Options.** `--ruled-out` (default 0.5); `--epsilon` (default 0.01).
/// **Example.** 5 of 12 patients have cancer. In a class without cancer an attacker rules out 0.42 of what seemed possible; in one with
/// nothing but cancer, 0.58.
/// **Reference.** Machanavajjhala et al. 2006, Definition 3.2 and section 4.2.
#[derive(Debug)]
pub struct NegativeDisclosure;

impl Attack for NegativeDisclosure {
    fn id(&self) -> &'static str {
        "negative-disclosure"
    }

    fn run(&self, scene: &Scene<'_>, findings: &mut Findings) -> Result<()> {
        let limit = exactly(scene.options.ruled_out);
        for column in 0..scene.columns.len() {
            let released = scene.classes.profile().released(column);
            // There are at most 1/epsilon of these, however many values the column has.
            let share = |code: u32| Ratio::new(released.counts()[code as usize].into(), released.total().into());
            let is_common = |code: &&u32| share(**code) >= exactly(scene.options.epsilon);
            let common: Vec<u32> = released.by_frequency().iter().take_while(is_common).copied().collect();
            let mut exposure = Exposure::default();
            let (mut largest, mut weighted) = (Ratio::ZERO, 0.0);
            for class in 0..scene.classes.len() {
                let members = scene.classes.class(class);
                let (induced, _) = scene.induce(column, members.counts(column), members.size());
                let lacking = common.iter().filter(|code| induced.codes.binary_search(code).is_err());
                let lacking: u64 = lacking.map(|&code| released.counts()[code as usize]).sum();
                let ruled_out = Ratio::new(lacking.into(), released.total().into());
                largest = largest.max(ruled_out);
                weighted += ruled_out.to_f64() * members.size() as f64;
                if ruled_out >= limit {
                    exposure.add(class, members.size(), ruled_out.to_f64(), || Detail {
                        figures: vec![
                            ("ruled_out", json!(ruled_out.to_f64())),
                            ("values_left", json!(induced.codes.len())),
                        ],
                        value: most_common_lacking(scene, column, &induced.codes),
                    });
                }
            }
            let ruled_out = scene.options.ruled_out;
            let learned = format!("values that the record does not have, with a share of at least {ruled_out} overall");
            let prevented_by = format!("t-closeness with t below {ruled_out} (equal distance)");
            let finding = exposure.finding(scene, self.id(), Some(column), learned, prevented_by);
            let mean = weighted / scene.classes.rows().max(1) as f64;
            findings.push(finding.with("largest_ruled_out", largest.to_f64()).with("mean_ruled_out", mean));
        }
        Ok(())
    }
}

/// The most common value that a class lacks, in words.
fn most_common_lacking(scene: &Scene<'_>, column: usize, codes: &[u32]) -> String {
    let by_frequency = scene.classes.profile().released(column).by_frequency();
    let lacking = by_frequency.iter().find(|code| codes.binary_search(code).is_err());
    lacking.map_or_else(String::new, |&code| format!("not {}", scene.columns[column].value(code)))
}
