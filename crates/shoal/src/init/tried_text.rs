//! What is there to say about the ways that were tried?

use super::for_people::{counted, on_one_line, percent};
use super::summary::wrapped;
use super::trial::{Kept, Trials, Tried};

/// More columns are counted, not named.
const NAMED: usize = 4;

impl Trials {
    /// What was tried and what each keeps, for a terminal. No value of the table is in it.
    pub fn to_text(&self) -> String {
        let mut text = wrapped(&self.opening());
        self.in_order().into_iter().for_each(|tried| text += &wrapped(&format!("  {}", self.line(tried))));
        self.remarks().iter().for_each(|said| text += &wrapped(said));
        match self.best() {
            None => text,
            Some((_, kept)) => {
                let share = |(name, kept): &(String, f64)| format!("{} {}", on_one_line(name), of_hundred(*kept));
                let shares: Vec<String> = kept.columns.iter().map(share).collect();
                text + &wrapped(&format!("The proposed one keeps of each column: {}", shares.join(", ")))
            }
        }
    }

    /// The same in a few sentences, for a comment in the policy.
    pub(super) fn in_a_comment(&self) -> String {
        let lines: Vec<String> = self.in_order().into_iter().map(|tried| self.line(tried)).collect();
        let remarks: String = self.remarks().iter().map(|said| format!(" {said}")).collect();
        format!("{} {}.{remarks}", self.opening(), lines.join(". "))
    }

    /// What has to be said of the lines, so that nobody wonders.
    fn remarks(&self) -> Vec<String> {
        [self.before_weights(), self.why_not_the_least(), self.last_step()].into_iter().flatten().collect()
    }

    /// What was tried first, where that is not what stands here.
    fn before_weights(&self) -> Option<String> {
        let faded = self.all_alike.as_ref()?;
        let ages: Vec<String> = faded.columns.iter().map(|name| format!("`{}`", on_one_line(name))).collect();
        let (_, weight) = self.weights.first()?;
        Some(format!(
            "They were tried before with all columns alike: {} lost least then, {:.3}, and left hardly anything of {}, which few users can do \
             without; therefore it counts {weight} times here.",
            faded.choice,
            faded.loss,
            ages.join(", ")
        ))
    }

    /// Why something else is proposed than what loses least.
    fn why_not_the_least(&self) -> Option<String> {
        let (_, proposed) = self.best()?;
        let mut less = self.losing_less().peekable();
        less.peek()?;
        let lose_an_age = !proposed.loses_an_age() && less.all(|(_, kept)| kept.loses_an_age());
        Some(match (lose_an_age, self.weights.as_slice()) {
            (true, _) => {
                "The proposed one does not lose least, but where less is lost nothing is left of an age.".to_owned()
            }
            (false, []) => {
                "The proposed one does not lose least, but it loses least by what its method makes small.".to_owned()
            }
            (false, weights) => {
                let weights: Vec<String> = weights
                    .iter()
                    .map(|(name, weight)| format!("`{}` counts {weight} times", on_one_line(name)))
                    .collect();
                format!(
                    "These losses are those of columns that all count alike; the proposed one loses least where {}.",
                    weights.join(" and ")
                )
            }
        })
    }

    fn opening(&self) -> String {
        format!("Tried on {}; a loss of 0 is the table as it is, 1 nothing but `*`:", self.on_what())
    }

    /// What was not tried of them.
    fn last_step(&self) -> Option<String> {
        let is_so = self.tried.iter().any(|tried| tried.before_last_step && tried.outcome.is_ok());
        is_so.then(|| {
            "`mondrian` was tried without its last step, `refine`, which takes longer and never loses more.".to_owned()
        })
    }

    fn on_what(&self) -> String {
        match self.looked_at == self.rows {
            true => format!("all {}", counted(self.rows, "row")),
            false => format!("a sample of {} of {}", counted(self.looked_at, "row"), counted(self.rows, "row")),
        }
    }

    /// The proposed one first, then those that lose more, then those without a release.
    fn in_order(&self) -> Vec<&Tried> {
        let mut order: Vec<usize> = (0..self.tried.len()).collect();
        let loss = |place: usize| self.tried[place].outcome.as_ref().map_or(f64::INFINITY, |kept| kept.loss);
        order.sort_by(|&a, &b| {
            let is_not_proposed = |place: usize| self.proposed != Some(place);
            is_not_proposed(a).cmp(&is_not_proposed(b)).then(loss(a).total_cmp(&loss(b)))
        });
        order.into_iter().map(|place| &self.tried[place]).collect()
    }

    fn line(&self, tried: &Tried) -> String {
        let name = &tried.choice;
        let is_proposed = self.best().is_some_and(|(best, _)| std::ptr::eq(best, tried));
        let kept = match &tried.outcome {
            Err(why) => return format!("No release by {name}: {}", on_one_line(why)),
            Ok(kept) => kept,
        };
        let mut line = format!("Loss {:.3}{}: {name}", kept.loss, left_out(kept, self.looked_at));
        let lost: Vec<String> = kept.lost().map(|name| format!("`{}`", on_one_line(name))).collect();
        line += &match lost.len() {
            0 => String::new(),
            1..=NAMED => format!("; nothing is left of {}", lost.join(", ")),
            count => format!("; nothing is left of {count} columns ({}, ..)", lost[..NAMED].join(", ")),
        };
        if is_proposed { line + " (proposed)" } else { line }
    }
}

fn left_out(kept: &Kept, rows: u64) -> String {
    match kept.left_out {
        0 => String::new(),
        some => format!(" and {} of the rows left out", percent(some, rows)),
    }
}

fn of_hundred(share: f64) -> String {
    const PARTS: u64 = 1_000_000;
    percent((share * PARTS as f64).round() as u64, PARTS)
}
