//! In which classes is a value far likelier than in the whole table?

use serde_json::json;

use super::finding::{Detail, Exposure};
use super::options::exactly;
use super::{Attack, Findings, Scene};
use shoal_core::exact::Ratio;
use shoal_core::{Error, Result};

/// # Skewness
///
/// **Definition.** In an equivalence class a sensitive value is several times as likely as among all released records
/// (`--ratio`), and likelier by a good deal (`--difference`). Diversity does not help: a class may be as diverse as can be.
/// **What is learned.** That everybody in the class is far likelier to have the value than anybody else.
/// **Prevented by.** `t-closeness` with `distance = "equal"` and t below the difference; for a few bad values,
/// `alpha-k-anonymity` with `values`.
/// **Options.** `--ratio` (default 2); `--difference` (default 0.25); `--bad COLUMN=VALUE`, which may be repeated: only these
/// values count in that column. Nobody minds being suspected of what everybody has.
/// **Example.** One record in a hundred is positive. A class with 49 positive records of 50 makes them 98 times as likely;
/// one with as many positive as negative records, 50 times. Both are 2-diverse.
/// **Reference.** Li, Li and Venkatasubramanian 2007, section 3, the skewness attack.
#[derive(Debug)]
pub struct Skewness;

impl Attack for Skewness {
    fn id(&self) -> &'static str {
        "skewness"
    }

    fn run(&self, scene: &Scene<'_>, findings: &mut Findings) -> Result<()> {
        if let Some((name, _)) =
            scene.options.bad.iter().find(|(name, _)| !scene.columns.iter().any(|column| column.name() == name))
        {
            return Err(Error::policy(format!("`--bad` names `{name}`, which is no sensitive column of this audit")));
        }
        for column in 0..scene.columns.len() {
            let bad = bad_codes(scene, column)?;
            findings.push(self.column(scene, column, bad.as_deref()));
        }
        Ok(())
    }
}

/// The codes of the values that are marked as bad; none if no value is.
fn bad_codes(scene: &Scene<'_>, column: usize) -> Result<Option<Vec<u32>>> {
    let known = &scene.columns[column];
    let code = |value: &str| {
        known.code(value).ok_or_else(|| {
            Error::policy(format!("`--bad` names a value that column `{}` does not have", known.name()))
                .hint("values are compared letter by letter")
        })
    };
    let codes = scene.options.bad_of(known.name()).map(code).collect::<Result<Vec<_>>>()?;
    Ok(Some(codes).filter(|codes| !codes.is_empty()))
}

impl Skewness {
    fn column(&self, scene: &Scene<'_>, column: usize, bad: Option<&[u32]>) -> super::Finding {
        let released = scene.classes.profile().released(column);
        let (ratio, difference) = (exactly(scene.options.ratio), exactly(scene.options.difference));
        let mut exposure = Exposure::default();
        let (mut largest_ratio, mut largest_difference) = (Ratio::ZERO, Ratio::ZERO);
        for class in 0..scene.classes.len() {
            let members = scene.classes.class(class);
            let (induced, total) = scene.induce(column, members.counts(column), members.size());
            let mut worst: Option<(Ratio, Ratio, u32)> = None;
            for (&code, &count) in induced.codes.iter().zip(induced.counts.iter()) {
                if bad.is_some_and(|bad| !bad.contains(&code)) {
                    continue;
                }
                let here = u128::from(count) * u128::from(released.total());
                let overall = u128::from(released.counts()[code as usize]) * u128::from(total);
                let times = Ratio::new(here, overall);
                let more = Ratio::new(here.saturating_sub(overall), u128::from(total) * u128::from(released.total()));
                largest_ratio = largest_ratio.max(times);
                largest_difference = largest_difference.max(more);
                if times >= ratio && more >= difference && worst.is_none_or(|worst| (more, times) > (worst.0, worst.1)) {
                    worst = Some((more, times, code));
                }
            }
            if let Some((more, times, code)) = worst {
                exposure.add(class, members.size(), more.to_f64(), || Detail {
                    figures: vec![("ratio", json!(times.to_f64())), ("difference", json!(more.to_f64()))],
                    value: scene.columns[column].value(code).to_owned(),
                });
            }
        }
        let which = if bad.is_some() { "a bad value" } else { "a value" };
        let learned = format!("{which} is at least {} times as likely as overall", scene.options.ratio);
        let prevented_by = format!("t-closeness with t below {} (equal distance)", scene.options.difference);
        exposure
            .finding(scene, self.id(), Some(column), learned, prevented_by)
            .with("ratio", scene.options.ratio)
            .with("difference", scene.options.difference)
            .with("largest_ratio", largest_ratio.to_f64())
            .with("largest_difference", largest_difference.to_f64())
    }
}
