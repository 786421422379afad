//! In which classes do all records share a sensitive value, or nearly all?

use serde_json::json;

use super::finding::{Detail, Exposure};
use super::options::exactly;
use super::{Attack, Findings, Scene};
use shoal_core::Result;
use shoal_core::exact::Ratio;

/// # Homogeneity
///
/// **Definition.** Every record of an equivalence class has the same sensitive value: whoever is known to be in the class
/// has it. With a confidence below 1, one value makes up at least that share of the class.
/// **What is learned.** The value itself, for every record of the class, however many they are.
/// **Prevented by.** `distinct-l-diversity` with l = 2; for a confidence c, `simple-l-diversity` with l above 1/c.
/// **Options.** `--confidence` (default 1: all records).
/// **Example.** Bob is 31 and lives in 13053. All four records of the class (130**, 3*) have cancer, so Bob does.
/// **Reference.** Machanavajjhala et al. 2006, section 1.1 and Figure 2.
#[derive(Debug)]
pub struct Homogeneity;

impl Attack for Homogeneity {
    fn id(&self) -> &'static str {
        "homogeneity"
    }

    fn run(&self, scene: &Scene<'_>, findings: &mut Findings) -> Result<()> {
        let confidence = scene.options.confidence;
        let limit = exactly(confidence);
        for (column, known) in scene.columns.iter().enumerate() {
            let mut exposure = Exposure::default();
            let mut largest = Ratio::ZERO;
            for class in 0..scene.classes.len() {
                let members = scene.classes.class(class);
                let (induced, total) = scene.induce(column, members.counts(column), members.size());
                let entries = induced.codes.iter().zip(induced.counts.iter());
                let Some((&code, &count)) = entries.max_by_key(|(code, count)| (**count, u32::MAX - **code)) else {
                    continue;
                };
                let share = Ratio::new(count.into(), total.into());
                largest = largest.max(share);
                if share >= limit {
                    exposure.add(class, members.size(), share.to_f64(), || Detail {
                        figures: vec![("share", json!(share.to_f64()))],
                        value: known.value(code).to_owned(),
                    });
                }
            }
            let (learned, prevented_by) = if confidence >= 1.0 {
                ("the value, for certain".to_owned(), "distinct-l-diversity with l = 2".to_owned())
            } else {
                let l = super::options::shown(1.0 / confidence);
                (format!("the value, with a probability of at least {confidence}"), format!("simple-l-diversity with l above {l}"))
            };
            let finding = exposure.finding(scene, self.id(), Some(column), learned, prevented_by);
            findings.push(finding.with("confidence", confidence).with("largest_share", largest.to_f64()));
        }
        Ok(())
    }
}
