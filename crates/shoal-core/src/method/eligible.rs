//! Can any release of this table satisfy the requirements at all?

use super::Task;
use crate::frequency::EquivalenceClass;
use crate::model::{Monotonicity, OneOrTwo, Quantity};
use crate::{Error, Result};

/// What the whole table as one class reaches: for a monotone model, the best any release can reach.
#[derive(Debug, Clone)]
pub struct EligibleRange {
    /// For each requirement, what one class of everything reaches.
    pub whole_table: Vec<OneOrTwo<Quantity>>,
    /// No release can have more classes than this, if that is known.
    pub most_classes: Option<u64>,
}

/// Measures every requirement on the whole table.
pub fn eligible_range(task: &Task<'_>) -> EligibleRange {
    let table = task.table;
    let profile = table.profile();
    let mut by_tuple = vec![0u64; table.base.sensitive().len()];
    for class in 0..table.base.classes() {
        let (codes, counts) = table.base.entries(class);
        codes.iter().zip(counts).for_each(|(&code, &count)| by_tuple[code as usize] += count);
    }
    // Where some people were taken out of a table, no record has some of its tuples any more.
    let (codes, counts): (Vec<u32>, Vec<u64>) = (0..).zip(by_tuple).filter(|(_, count)| *count > 0).unzip();
    let whole = EquivalenceClass::new(table.base.sensitive(), &codes, &counts);
    EligibleRange {
        whole_table: task.requirements.iter().map(|requirement| requirement.model.measure(&whole, &profile)).collect(),
        most_classes: task.requirements.iter().filter_map(|requirement| requirement.model.most_classes(&profile)).min(),
    }
}

impl EligibleRange {
    /// An error if some requirement cannot be met by any release.
    ///
    /// If a class of some release were accepted, so would be that class merged with everything else (`Always`), or, with
    /// nothing suppressed, all accepted classes merged (`WithoutSuppression`): the whole table. Where rows may be
    /// suppressed, the latter may still hold for the rest.
    pub fn refuse_the_impossible(&self, task: &Task<'_>) -> Result<()> {
        for (requirement, &achieved) in task.requirements.iter().zip(&self.whole_table) {
            // Leaving rows out makes a class only smaller, but may make its values more even.
            let (binding, hint) = match requirement.model.monotonicity() {
                Monotonicity::Always => (true, "ask for no more than the whole table has"),
                Monotonicity::WithoutSuppression => (
                    task.rows_to_spare() == 0,
                    "ask for no more than the whole table has, or allow some suppression with `max-suppressed`",
                ),
                Monotonicity::Never => (false, ""),
            };
            if binding && !requirement.holds(achieved) {
                let name = requirement.model.name();
                return Err(Error::no_release(format!("no release of this table can satisfy {name}"))
                    .detail(format!(
                        "even all {} rows as one class reach only {}",
                        task.table.rows,
                        describe(
                            requirement.model.bounds().zip_with(achieved, |bound, quantity| (bound.name, quantity))
                        )
                    ))
                    .hint(hint));
            }
        }
        Ok(())
    }
}

/// Quantities in words: `l = 2.83`.
fn describe(achieved: OneOrTwo<(&'static str, Quantity)>) -> String {
    let one = |(name, quantity): (&str, Quantity)| match quantity.to_f64() {
        number if number.is_finite() => format!("{name} = {}", (number * 1e4).round() / 1e4),
        _ => format!("no {name} at all"),
    };
    achieved.iter().map(one).collect::<Vec<_>>().join(" and ")
}
