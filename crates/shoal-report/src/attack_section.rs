//! What do the attacks' findings say, to somebody who has to decide?

use std::fmt::Write as _;

use serde_json::{Value, json};

use super::{Grid, grouped, number, plural};
use shoal::attack::{ExposedClass, Finding, Findings, Severity, Spared};
use shoal_core::printable;

/// How many of the worst classes are shown on a terminal; JSON has more.
const SHOWN: usize = 3;

/// The section of an audit report about attacks.
#[derive(Debug)]
pub(super) struct AttackSection<'a> {
    findings: &'a Findings,
    /// By severity, the worst first.
    sorted: Vec<&'a Finding>,
}

impl<'a> AttackSection<'a> {
    pub(super) fn new(findings: &'a Findings) -> Self {
        let mut sorted: Vec<&Finding> = findings.found.iter().collect();
        sorted.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
        Self { findings, sorted }
    }

    /// For programs: the findings in the order of the list of attacks, and what could not be tried.
    pub(super) fn to_json(&self) -> (Value, Value) {
        (json!(self.findings.found), json!(self.findings.untried))
    }

    /// How bad it is, in a sentence.
    pub(super) fn verdict(&self) -> String {
        let exposing: Vec<&&Finding> = self.sorted.iter().filter(|finding| finding.severity > Severity::None).collect();
        let Some(worst) = exposing.first() else {
            return match self.sorted.len() {
                0 => "no attack could be tried".to_owned(),
                _ => "no attack that was tried exposes a record".to_owned(),
            };
        };
        let severity = worst.severity.name();
        let mut names: Vec<&str> = exposing.iter().filter(|f| f.severity == worst.severity).map(|f| f.attack).collect();
        names.dedup();
        let mut distinct: Vec<&str> = exposing.iter().map(|finding| finding.attack).collect();
        distinct.sort_unstable();
        distinct.dedup();
        let expose = if distinct.len() == 1 { "exposes" } else { "expose" };
        format!(
            "{} {expose} records; of {severity} severity: {}",
            plural(distinct.len() as u64, "attack"),
            names.join(", ")
        )
    }

    /// The findings that expose a record in a table, the worst first, and the others in a line.
    pub(super) fn table(&self) -> String {
        let exposing = || self.sorted.iter().filter(|finding| finding.severity > Severity::None);
        let mut grid = Grid::new(&["severity", "attack", "column", "exposed", "prevented by"], &[]);
        for finding in exposing() {
            let (exposed, records) = (finding.exposed_records, finding.records);
            let of = format!("{} of {}", grouped(exposed as i64), grouped(records as i64));
            grid.row(vec![
                finding.severity.name().to_owned(),
                name(finding),
                finding.column.clone().unwrap_or_default(),
                format!("{of} ({})", percent(exposed, records)),
                finding.prevented_by.clone(),
            ]);
        }
        let mut text = if exposing().next().is_some() { grid.render() } else { String::new() };
        let harmless = self.harmless();
        if !harmless.is_empty() {
            let gap = if text.is_empty() { "" } else { "\n" };
            text = text + gap + &harmless;
        }
        text
    }

    /// The findings that expose no record: to nothing, or to nothing that counts.
    fn harmless(&self) -> String {
        let mut sentences: Vec<(String, Vec<String>)> = Vec::new();
        for finding in self.sorted.iter().filter(|finding| finding.severity == Severity::None) {
            let (sentence, name) = match &finding.spared {
                None => ("no record is exposed to".to_owned(), full_name(finding)),
                Some(spared) => (format!("no {}", spared.from), full_name(finding) + &besides(spared)),
            };
            match sentences.iter_mut().find(|(known, _)| *known == sentence) {
                Some((_, names)) => names.push(name),
                None => sentences.push((sentence, vec![name])),
            }
        }
        sentences.iter().map(|(sentence, names)| format!("{sentence}: {}\n", names.join(", "))).collect()
    }

    /// What is learned about whom, for every finding that exposes a record.
    pub(super) fn details(&self) -> String {
        let mut text = String::new();
        for finding in self.sorted.iter().filter(|finding| finding.severity > Severity::None) {
            let of =
                finding.column.as_ref().map_or_else(String::new, |column| format!(" of {}", printable::line(column)));
            let classes = plural(finding.exposed_classes, "class");
            let _ =
                writeln!(text, "\n{}{of}: {} in {classes}", name(finding), plural(finding.exposed_records, "record"));
            let _ = writeln!(text, "  what is learned: {}", finding.learned);
            let figures = figures(finding.figures.iter());
            if !figures.is_empty() {
                let _ = writeln!(text, "  measured: {figures}");
            }
            for class in finding.worst.iter().take(SHOWN) {
                let _ = writeln!(text, "  {}", line(class));
            }
            let more = finding.worst.len().saturating_sub(SHOWN);
            if more > 0 {
                let _ = writeln!(text, "  .. and more (--json lists the worst ten)");
            }
        }
        text
    }

    /// What to do next.
    pub(super) fn hint(&self) -> &'static str {
        if self.sorted.iter().any(|finding| finding.severity > Severity::None) {
            "hint: require in a policy what stands under `prevented by`, and make the release anew; `shoal explain ID` says how an\n  attack goes and what a model protects against; --reveal shows what an attacker would see\n"
        } else {
            "hint: `shoal explain ID` says what a model protects against and how an attack goes\n"
        }
    }

    /// What could not be tried, and what it needs.
    pub(super) fn untried(&self) -> String {
        let mut text = String::new();
        for untried in &self.findings.untried {
            let of =
                untried.column.as_ref().map_or_else(String::new, |column| format!(" of {}", printable::line(column)));
            let why = untried.why.map_or_else(String::new, |why| format!(": {why}"));
            let _ = writeln!(text, "not tried: {}{of}, which needs {}{why}", untried.attack, untried.needs);
        }
        text
    }
}

/// The attack, and which of several it was.
fn name(finding: &Finding) -> String {
    let which = |key: &str| finding.figures.get(key).and_then(Value::as_str).map(|text| format!(" ({text})"));
    let knowledge = || finding.figures.contains_key("knowledge").then(|| " (file)".to_owned());
    let which = which("prior").or_else(|| which("with")).or_else(knowledge).unwrap_or_default();
    format!("{}{which}", finding.attack)
}

/// The attack, and the column that it is about.
fn full_name(finding: &Finding) -> String {
    let of = finding.column.as_ref().map_or_else(String::new, |column| format!(" of {}", printable::line(column)));
    name(finding) + &of
}

/// What an attack saw besides what it counts, in brackets.
fn besides(spared: &Spared) -> String {
    let seen: Vec<String> =
        spared.but.iter().map(|(what, times)| format!("{} {what}", grouped(*times as i64))).collect();
    if seen.is_empty() { String::new() } else { format!(" ({})", seen.join(", ")) }
}

pub(super) fn percent(part: u64, whole: u64) -> String {
    let percent = part as f64 / whole.max(1) as f64 * 100.0;
    if percent >= 10.0 { format!("{percent:.0}%") } else { format!("{}%", number(percent)) }
}

/// Numbers only: texts and lists are for programs.
fn figures<'a>(figures: impl Iterator<Item = (&'a String, &'a Value)>) -> String {
    let shown =
        figures.filter_map(|(key, value)| Some(format!("{} {}", key.replace('_', " "), number(value.as_f64()?))));
    shown.collect::<Vec<_>>().join(", ")
}

fn line(class: &ExposedClass) -> String {
    let labels = class.quasi.iter().map(|(column, label)| format!("{column} {}", label.as_str().unwrap_or_default()));
    let mut line = format!("{}: {}", labels.collect::<Vec<_>>().join(", "), plural(class.records, "record"));
    let figures = figures(class.figures.iter());
    if !figures.is_empty() {
        line += &format!(" ({figures})");
    }
    if let Some(value) = &class.value {
        line += &format!(" → {value}");
    }
    printable::line(&line).into_owned()
}
