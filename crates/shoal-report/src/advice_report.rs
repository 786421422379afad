//! What costs most, to people and to programs?

use serde_json::{Map, Value, json};

use super::{Grid, document, grouped, number, plural};
use shoal::advise::{Advice, Advised, Blocked, Change, ChangeKind, Effect, Prospect};
use shoal::study::Study;
use shoal_core::Error;
use shoal_core::error::Kind;
use shoal_core::frequency::QuasiColumn;
use shoal_core::lattice::Node;
use shoal_core::page::wrapped;
use shoal_core::printable;
use shoal_core::warning::Warning;

/// So many changes are told as commands.
const TOLD_AS_COMMANDS: usize = 5;

/// So many columns are named that make records rare.
const RARE_BY: usize = 3;

/// The levels of so many columns are told.
const NAMED: usize = 5;

/// So many columns are named that change their level; a line has an end.
const MOVED: usize = 3;

/// How wide lines are that are no table.
const WIDTH: usize = 100;

/// The report of advice.
#[derive(Debug)]
pub struct AdviceReport<'a> {
    advice: &'a Advice,
    study: &'a Study,
    warnings: &'a [Warning],
}

impl<'a> AdviceReport<'a> {
    /// The report of advice about a study, with what its readers should know.
    pub fn new(study: &'a Study, advice: &'a Advice, warnings: &'a [Warning]) -> Self {
        Self { advice, study, warnings }
    }

    fn objective(&self) -> &'static str {
        self.study.policy().method.objective.id()
    }

    fn quasi(&self) -> &[QuasiColumn] {
        &self.study.table().quasi
    }

    /// One object for programs.
    pub fn to_json(&self) -> Value {
        let Advice { now, advice, without_release, not_tried, blocked } = self.advice;
        let no_release = |error: &Error| json!({ "text": error.message(), "hint": error.hint_text() });
        let body = json!({
            "method": self.study.policy().method.method.id(),
            "objective": self.objective(),
            "rows": self.study.table().rows,
            "now": now.as_ref().ok().map(|figures| self.figures(figures)),
            "no_release": now.as_ref().err().map(no_release),
            "advice": advice.iter().map(|advised| self.advised(advised)).collect::<Vec<Value>>(),
            "without_release": without_release.iter().map(refused).collect::<Vec<Value>>(),
            "not_tried": not_tried.iter().map(changed).map(Value::Object).collect::<Vec<Value>>(),
            "blocking": blocked.iter().map(blocking).collect::<Vec<Value>>(),
        });
        document(body, self.warnings)
    }

    fn advised(&self, advised: &Advised) -> Value {
        let mut object = changed(&advised.change);
        object.insert("effect".to_owned(), json!(advised.effect.id()));
        object.insert("gained".to_owned(), json!(advised.gained));
        object.extend(self.figures(&advised.figures));
        Value::Object(object)
    }

    fn figures(&self, figures: &Prospect) -> Map<String, Value> {
        let levels = figures.levels.as_ref().map(|node| self.levels(node));
        let pairs = [
            ("objective_value", json!(figures.objective_value)),
            ("suppressed_rows", json!(figures.suppressed_rows)),
            ("released_rows", json!(figures.released_rows)),
            ("classes", json!(figures.classes)),
            ("levels", json!(levels)),
            ("promises", json!(figures.promises)),
            ("generalizes_sensitive", json!(figures.generalizes_sensitive)),
        ];
        pairs.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
    }

    fn levels(&self, node: &Node) -> Map<String, Value> {
        let levels = self.quasi().iter().zip(node.levels());
        levels.map(|(column, level)| (column.name.clone(), json!(level))).collect()
    }

    /// For people, on a terminal. `command` makes a release of the policy with these settings.
    pub fn to_text(&self, command: impl Fn(&Change) -> String) -> String {
        let of = |effect: Effect| self.advice.advice.iter().filter(move |one| one.effect == effect);
        let mut text = self.opening();
        let (helpful, repeated) = once_each(of(Effect::Possible).chain(of(Effect::Gains)));
        if !helpful.is_empty() {
            text += &format!("\n{}", self.table(&helpful, true));
            text += "\nTo get one of them:\n";
            for (place, one) in helpful.iter().take(TOLD_AS_COMMANDS).enumerate() {
                text += &format!("{:>3}  {}\n", place + 1, printable::line(&command(&one.change)));
            }
            let repeated = repeated.into_iter().map(|(one, place)| format!("{} ({place})", one.change.what));
            text += &self.listed("These give the same as the one in brackets", repeated);
        }
        let (more, worse): (Vec<&Advised>, Vec<&Advised>) =
            of(Effect::Loses).partition(|one| one.change.kind.asks_for_more());
        if !more.is_empty() {
            text += &format!("\nWhat it would cost to have more:\n\n{}", self.table(&more, false));
        }
        text += &self.listed("These cost nothing", of(Effect::Nothing).map(|one| one.change.what.clone()));
        let loses = |one: &Advised| format!("{} ({} {})", one.change.what, self.objective(), self.value(&one.figures));
        text += &self.listed("These would lose more", worse.into_iter().map(loses));
        let untold = format!("What these would lose is nothing that `{}` could tell", self.objective());
        text += &self.listed(&untold, of(Effect::Incomparable).map(|one| one.change.what.clone()));
        text += &self.refusals();
        text += &self.in_the_way();
        text + &self.listed("There was no time for these", self.advice.not_tried.iter().map(|one| one.what.clone()))
    }

    fn opening(&self) -> String {
        let rows = self.study.table().rows;
        match &self.advice.now {
            Ok(now) => {
                let said = format!(
                    "The best release as the policy is: {} {}, {} of {} in {}, {}.",
                    self.objective(),
                    self.value(now),
                    grouped(now.released_rows as i64),
                    plural(rows, "row"),
                    plural(now.classes, "class"),
                    match now.suppressed_rows {
                        0 => "none left out".to_owned(),
                        left_out => format!("{} left out", grouped(left_out as i64)),
                    }
                );
                let mut text = wrapped(&said, WIDTH, "") + "\n";
                if !self.advice.advice.iter().any(|one| one.effect == Effect::Gains) {
                    text += match self.advice.not_tried.is_empty() {
                        true => "No single change that was tried would lose less.\n",
                        false => "Nothing that there was time for would lose less.\n",
                    };
                }
                text
            }
            Err(error) => {
                let mut text =
                    wrapped(&format!("There is no release as the policy is: {}.", error.message()), WIDTH, "") + "\n";
                let advice = &self.advice.advice;
                text += match (advice.is_empty(), advice.iter().any(|one| one.change.kind == ChangeKind::Two)) {
                    (true, _) if !self.advice.not_tried.is_empty() => {
                        "Nothing that there was time for would give one.\n"
                    }
                    (true, _) => "Neither one change nor two of those that were tried would give one.\n",
                    (false, true) => "No single change would give one; these two at once would:\n",
                    (false, false) => "Each of these changes would give one:\n",
                };
                text
            }
        }
    }

    /// What is changed, and what comes of it; numbered, where commands follow.
    fn table(&self, rows: &[&Advised], numbered: bool) -> String {
        let compares = self.advice.now.is_ok();
        let mut header = vec!["", "what to change", self.objective()];
        header.extend(compares.then_some(if numbered { "less by" } else { "more by" }));
        header.extend(["left out", "classes", "then"]);
        let right: Vec<usize> = [0].into_iter().chain(2..header.len() - 1).collect();
        let mut grid = Grid::new(&header, &right);
        for (place, one) in rows.iter().enumerate() {
            let what = one.change.what.clone();
            let mut cells = vec![if numbered { (place + 1).to_string() } else { String::new() }, what];
            cells.push(self.value(&one.figures));
            cells.extend(one.gained.map(|gained| number(gained.abs())));
            cells.extend([grouped(one.figures.suppressed_rows as i64), grouped(one.figures.classes as i64)]);
            cells.push(self.then(one));
            grid.row(cells);
        }
        grid.render()
    }

    fn value(&self, figures: &Prospect) -> String {
        number(figures.objective_value)
    }

    /// What the columns look like then.
    fn then(&self, one: &Advised) -> String {
        let now = self.advice.now.as_ref().ok().map(|now| now.levels.as_ref());
        let sensitive = if one.figures.generalizes_sensitive { "; some sensitive values generalized" } else { "" };
        let columns = match (now, &one.figures.levels) {
            (Some(Some(now)), Some(then)) => self.moved(now, then),
            // Without anything to compare with, all levels would have to be told, and a line has an end.
            (None, Some(then)) if then.levels().len() > NAMED => String::new(),
            (None, Some(then)) => {
                let levels = self.quasi().iter().zip(then.levels());
                levels.map(|(column, level)| format!("{} {level}", column.name)).collect::<Vec<_>>().join(", ")
            }
            (Some(Some(_)), None) => "columns show labels of several levels".to_owned(),
            (Some(None), Some(_)) => "every column has one level for all rows".to_owned(),
            (Some(None) | None, None) => String::new(),
        };
        (columns + sensitive).trim_start_matches("; ").to_owned()
    }

    /// Which levels change.
    fn moved(&self, now: &Node, then: &Node) -> String {
        let both = now.levels().iter().zip(then.levels());
        let of = |is_meant: fn(&u8, &u8) -> bool| {
            let columns = self.quasi().iter().zip(both.clone()).filter(|(_, (now, then))| is_meant(now, then));
            let mut named: Vec<String> =
                columns.map(|(column, (now, then))| format!("{} {now} → {then}", column.name)).collect();
            if named.len() > MOVED {
                let others = named.split_off(MOVED).len();
                named.push(format!("{others} more"));
            }
            named.join(", ")
        };
        let (finer, coarser) = (of(|now, then| then < now), of(|now, then| then > now));
        match (finer.is_empty(), coarser.is_empty()) {
            (true, true) => "the same levels".to_owned(),
            (false, true) => format!("finer: {finer}"),
            (true, false) => format!("coarser: {coarser}"),
            (false, false) => format!("finer: {finer}; coarser: {coarser}"),
        }
    }

    fn refusals(&self) -> String {
        let refusals = self.advice.without_release.iter();
        // Without a release as the policy is, that a change gives none either goes without saying.
        let refusals = refusals.filter(|(_, error)| self.advice.now.is_ok() || error.kind() != Kind::NoRelease);
        let said = refusals.map(|(change, error)| match error.kind() {
            Kind::NoRelease => change.what.clone(),
            _ => format!("{} ({})", change.what, error.message()),
        });
        self.listed("These would give no release", said)
    }

    /// Which records keep columns from being finer, or the policy from having a release.
    fn in_the_way(&self) -> String {
        let mut grid =
            Grid::new(&["a level finer", "without", "", "how many could stay, if it were not shown"], &[1, 2]);
        let (mut columns, mut text) = (0, String::new());
        for one in &self.advice.blocked {
            let (rows, part) = (plural(one.rows, "row"), share(one.share));
            let Some(column) = &one.finer else {
                let said = format!(
                    "At the most general levels that the policy allows, {rows} ({part}) cannot be released. How many could, if one \
                     column were not shown: {}.",
                    rare_by(one)
                );
                text += &format!("\n{}\n", wrapped(&printable::line(&said), WIDTH, "").replace('\n', "\n  "));
                continue;
            };
            columns += 1;
            grid.row(vec![format!("`{column}`"), rows, part, rare_by(one)]);
        }
        match columns {
            0 => text,
            _ => format!("{text}\nWhat keeps columns from being finer:\n\n{}", grid.render()),
        }
    }

    fn listed(&self, heading: &str, what: impl Iterator<Item = String>) -> String {
        let what: Vec<String> = what.collect();
        if what.is_empty() {
            return String::new();
        }
        let lines = wrapped(&printable::line(&format!("{heading}: {}.", what.join("; "))), WIDTH, "");
        format!("\n{}\n", lines.replace('\n', "\n  "))
    }
}

/// Changes of which each gives a release of its own, and the others with the place, from 1, of the one that gives theirs.
fn once_each<'a>(advised: impl Iterator<Item = &'a Advised>) -> (Vec<&'a Advised>, Vec<(&'a Advised, usize)>) {
    let (mut kept, mut repeated): (Vec<&Advised>, Vec<(&Advised, usize)>) = (Vec::new(), Vec::new());
    for one in advised {
        let same = |known: &&Advised| known.figures.are_those_of(&one.figures);
        match kept.iter().position(same) {
            Some(place) => repeated.push((one, place + 1)),
            None => kept.push(one),
        }
    }
    (kept, repeated)
}

/// The columns that make records rare, and how many of these each of them does.
fn rare_by(blocked: &Blocked) -> String {
    let named =
        blocked.rare_by.iter().take(RARE_BY).map(|(column, rows)| format!("`{column}` {}", grouped(*rows as i64)));
    let named: Vec<String> = named.collect();
    if named.is_empty() { "none".to_owned() } else { named.join(", ") }
}

/// A part of all rows, in percent.
fn share(share: f64) -> String {
    let percent = share * 100.0;
    if percent > 0.0 && percent < 0.01 { "less than 0.01%".to_owned() } else { format!("{percent:.2}%") }
}

fn changed(change: &Change) -> Map<String, Value> {
    let pairs = [("kind", json!(change.kind.id())), ("what", json!(change.what)), ("set", json!(change.words()))];
    pairs.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

fn refused((change, error): &(Change, Error)) -> Value {
    let mut object = changed(change);
    object.insert("reason".to_owned(), json!(error.message()));
    Value::Object(object)
}

fn blocking(blocked: &Blocked) -> Value {
    let rare_by: Vec<Value> =
        blocked.rare_by.iter().map(|(column, rows)| json!({ "column": column, "rows": rows })).collect();
    json!({ "finer": blocked.finer, "rows": blocked.rows, "share": blocked.share, "rare_by": rare_by })
}
