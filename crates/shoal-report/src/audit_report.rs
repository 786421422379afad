//! What did `audit` find?

use serde_json::{Map, Value, json};

use super::attack_section::AttackSection;
use super::certificate::{Checked, SignatureState};
use super::risk_section::RiskSection;
use super::summary::{classes_and_sizes, requirements_grid};
use super::utility_section::UtilitySection;
use super::{Grid, document, grouped, households, number, plural};
use shoal::audit::{Audit, AuditedPeople, Homogeneous, LinkedPeople, Skewed};
use shoal::outsider::Measured;
use shoal::policy::PublishedNumber;
use shoal_core::model::{OneOrTwo, Quantity, Requirement, Side};
use shoal_core::printable;

/// The report of an audit.
#[derive(Debug)]
pub struct AuditReport<'a> {
    audit: &'a Audit,
    /// How the table stands to its certificate, if there is one.
    checked: Option<&'a Checked>,
    /// Is every subset of the quasi-identifiers told to programs?
    has_all_subsets: bool,
}

impl<'a> AuditReport<'a> {
    /// The report of this audit.
    pub fn new(audit: &'a Audit) -> Self {
        Self { audit, checked: None, has_all_subsets: false }
    }

    /// The same with how the table stands to its certificate.
    #[must_use]
    pub fn with_certificate(self, checked: Option<&'a Checked>) -> Self {
        Self { checked, ..self }
    }

    /// The same with every subset of the quasi-identifiers for programs: there may be thousands.
    #[must_use]
    pub fn with_all_subsets(self, has_all_subsets: bool) -> Self {
        Self { has_all_subsets, ..self }
    }

    /// One object for programs.
    pub fn to_json(&self) -> Value {
        let Audit { rows, exempt_rows, measured, measures, .. } = self.audit;
        let models: Vec<Value> = measures
            .iter()
            .zip(&measured.achieved)
            .enumerate()
            .map(|(place, (requirement, &achieved))| self.model(place, requirement, achieved))
            .collect();
        let (attacks, not_tried) = AttackSection::new(&self.audit.findings).to_json();
        let broken: Vec<&str> = self.audit.broken.iter().map(|limit| limit.text.as_str()).collect();
        let utility = self.audit.utility.as_ref().map(|utility| UtilitySection::new(utility).to_json());
        let mut object = json!({
            "rows": rows,
            "suppressed_rows": exempt_rows,
            "classes": measured.classes,
            "class_size": {
                "min": measured.smallest,
                "mean": *rows as f64 / measured.classes.max(1) as f64,
                "max": measured.largest,
            },
            "holds": (self.audit.required > 0).then(|| self.audit.holds()),
            "models": models,
            "attacks": attacks,
            "not_tried": not_tried,
            "not_measured": self.audit.unmeasured,
            "risk": self.audit.risk.as_ref().map(|risk| RiskSection::new(risk).to_json(self.has_all_subsets)),
            "utility": utility,
            "broken_limits": broken,
            "notes": self.audit.notes,
        });
        if !self.audit.unjudged.is_empty() {
            object["unjudged"] = self.audit.unjudged.iter().map(|unjudged| Value::Object(asked(unjudged))).collect();
        }
        if !self.audit.published_numbers.is_empty() {
            let of_column = |(name, publish): &(String, PublishedNumber)| (name.clone(), json!(publish));
            object["published_numbers"] =
                self.audit.published_numbers.iter().map(of_column).collect::<Map<_, _>>().into();
        }
        if let Some(people) = &self.audit.people {
            object["people"] = people_json(people);
        }
        if let Some(households) = &self.audit.households {
            object["households"] = json!(households);
        }
        if let Some(checked) = self.checked {
            object["certificate"] = json!({
                "holds": checked.holds(),
                "same_file": checked.is_same_file,
                "signature": checked.signature.id(),
                "differences": checked.differences,
                "not_checked": checked.not_checked,
            });
        }
        document(object, &self.audit.warnings)
    }

    fn model(&self, place: usize, requirement: &Requirement, achieved: OneOrTwo<Quantity>) -> Value {
        let mut entry = named(requirement);
        if place < self.audit.required {
            entry = asked(requirement);
            entry.insert("holds".into(), json!(requirement.holds(achieved)));
        }
        entry.insert("achieved".into(), requirement.achieved_json(achieved));
        Value::Object(entry)
    }

    /// For people, on a terminal: the verdict first, then findings by severity, then tables.
    pub fn to_text(&self) -> String {
        let attacks = AttackSection::new(&self.audit.findings);
        let mut text = self.certified();
        text += &self.verdict(&attacks);
        text.push('\n');
        if self.audit.required > 0 {
            let (measures, achieved) = (&self.audit.measures, &self.audit.measured.achieved);
            text += &requirements_grid(&measures[..self.audit.required], &achieved[..self.audit.required]).render();
            text.push('\n');
        }
        text += &self.size();
        text += "\nwhat an attacker could do\n\n";
        text += &attacks.table();
        text += &attacks.details();
        let untried = attacks.untried();
        if !untried.is_empty() {
            text += if text.ends_with("\n\n") { "" } else { "\n" };
            text += &untried;
        }
        text += &self.unmeasured();
        if let Some(risk) = &self.audit.risk {
            text += "\nhow likely a record is found again (each row is taken for one person)\n\n";
            text += &RiskSection::new(risk).to_text();
        }
        if let Some(people) = &self.audit.people {
            text += "\nthe same by people\n\n";
            text += &people_text(people, &self.audit.measured);
        }
        if let Some(households) = &self.audit.households {
            text += "\nby households\n\n";
            text += &households::text(households);
        }
        if let Some(utility) = &self.audit.utility {
            text += "\n";
            text += &UtilitySection::new(utility).to_text();
        }
        text += "\nwhat the table promises\n\n";
        text += &self.promises().render();
        for (column, publish) in &self.audit.published_numbers {
            text += &format!(
                "\nnumbers of `{}` are published {publish}; what is measured is about these numbers, in the original as well\n",
                printable::line(column)
            );
        }
        for note in &self.audit.notes {
            text += &format!("\nnote: {}\n", printable::line(note));
        }
        format!("{text}\n{}", attacks.hint())
    }

    /// What was not measured, by the reason.
    fn unmeasured(&self) -> String {
        let mut by_reason: Vec<(&str, Vec<&str>)> = Vec::new();
        for unmeasured in &self.audit.unmeasured {
            match by_reason.iter_mut().find(|(why, _)| *why == unmeasured.why) {
                Some((_, ids)) => ids.push(unmeasured.what.id()),
                None => by_reason.push((unmeasured.why, vec![unmeasured.what.id()])),
            }
        }
        by_reason.iter().map(|(why, ids)| format!("not measured: {}: {why}\n", ids.join(", "))).collect()
    }

    fn certified(&self) -> String {
        let Some(checked) = self.checked else { return String::new() };
        let lines = |sentences: &[String]| {
            sentences.iter().map(|sentence| format!("  {}\n", printable::line(sentence))).collect::<String>()
        };
        if !checked.holds() {
            return format!("the table is NOT what its certificate says\n{}\n", lines(&checked.differences));
        }
        let anew = match (checked.measured, checked.stated) {
            (_, 0) => "every count and model worked out anew",
            (0, _) => "every count worked out anew, and no model, since the table alone does not tell",
            _ => "every count worked out anew, and every model but those below",
        };
        let mut text = match checked.is_same_file {
            true => format!("the table is what its certificate says: the same file, and {anew}\n"),
            false => format!(
                "the table is what its certificate says: {anew}; the certificate has no SHA-256 of the release, so that it may be \
                 another file with the same numbers\n"
            ),
        };
        text += match checked.signature {
            SignatureState::Valid => {
                "signed with the private key to that of --signer: whoever has it vouches for all that the certificate says, and \
                 nothing was changed since\n"
            }
            SignatureState::OfSomebody => {
                "signed, but nobody has said whose key it is: --signer KEY.pub.pem checks that. Until then it proves nothing about \
                 who made it\n"
            }
            SignatureState::Absent => {
                "not signed: it proves nothing about who made it, only that its numbers agree with this table\n"
            }
        };
        text += "not checked, said by whoever made it:\n";
        text + &lines(&checked.not_checked) + "\n"
    }

    fn verdict(&self, attacks: &AttackSection<'_>) -> String {
        let Audit { measured, measures, required, broken, .. } = self.audit;
        let mut text = String::new();
        if *required > 0 {
            let achieved = measures.iter().zip(&measured.achieved).take(*required);
            text += &match achieved.filter(|(r, a)| !r.holds(**a)).count() {
                0 => "every requirement of the policy holds\n".to_owned(),
                1 => "1 requirement of the policy does NOT hold\n".to_owned(),
                failing => format!("{failing} requirements of the policy do NOT hold\n"),
            };
        }
        text += &match self.audit.unjudged.len() {
            0 => String::new(),
            1 => "1 requirement of the policy could NOT be judged\n".to_owned(),
            unjudged => format!("{unjudged} requirements of the policy could NOT be judged\n"),
        };
        for limit in broken {
            text += &format!("the limit `--fail-on {}` is BROKEN\n", limit.text);
        }
        text + &attacks.verdict() + "\n"
    }

    fn size(&self) -> String {
        let Audit { rows, exempt_rows, measured, .. } = self.audit;
        let mut text = format!("{} in {}\n", plural(*rows, "row"), classes_and_sizes(measured));
        if *exempt_rows > 0 {
            text += &format!("{} suppressed (every cell a `*`), set apart\n", plural(*exempt_rows, "row"));
        }
        if measured.alone > 0 {
            let are = if measured.alone == 1 { "is" } else { "are" };
            text += &format!(
                "{} {are} alone in a class: whoever knows its quasi-identifiers finds the row\n",
                plural(measured.alone, "row")
            );
        }
        text
    }

    fn promises(&self) -> Grid {
        let mut grid = Grid::new(&["model", "column", "holds for"], &[]);
        let measured = self.audit.measures.iter().zip(&self.audit.measured.achieved).skip(self.audit.required);
        for (requirement, &achieved) in measured {
            let fixed: Vec<String> = requirement.measured_parameters().iter().map(|(k, v)| in_words(k, v)).collect();
            let bounds = requirement.model.bounds().zip_with(achieved, |bound, quantity| match bound.side {
                Side::AtLeast => (bound.name, "up to", quantity),
                Side::AtMost => (bound.name, "from", quantity),
                Side::Below => (bound.name, "above", quantity),
            });
            let promise = bounds.iter().map(|(name, word, quantity)| match quantity.to_f64() {
                number if number.is_infinite() => format!("not for any {name}"),
                value => format!("{name} {word} {}", number(value)),
            });
            let promise = fixed.into_iter().chain(promise).collect::<Vec<_>>().join(", ");
            grid.row(vec![requirement.id.to_owned(), requirement.column.clone().unwrap_or_default(), promise]);
        }
        grid
    }
}

/// What is measured, for programs.
fn named(requirement: &Requirement) -> Map<String, Value> {
    let mut entry = Map::new();
    entry.insert("model".into(), json!(requirement.id));
    entry.extend(requirement.column.iter().map(|column| ("column".to_owned(), json!(column))));
    entry.extend(requirement.measured_parameters());
    entry
}

/// The same with how much of it is required.
fn asked(requirement: &Requirement) -> Map<String, Value> {
    let mut entry = named(requirement);
    entry.insert("label".into(), json!(requirement.model.name()));
    entry.insert("required".into(), requirement.required_json());
    entry
}

fn in_words(key: &str, value: &Value) -> String {
    match value {
        Value::String(text) => format!("{text} {key}"),
        other => format!("{key} = {other}"),
    }
}

/// What a table promises its people, for programs.
fn people_json(people: &AuditedPeople) -> Value {
    let model = |(requirement, &achieved): (&Requirement, &OneOrTwo<Quantity>)| {
        let mut entry = named(requirement);
        entry.insert("achieved".into(), requirement.achieved_json(achieved));
        Value::Object(entry)
    };
    let measured = people.measured.people;
    let (highest, average) = people.risk();
    let mut object = json!({
        "column": people.column,
        "knows": people.knows,
        "count": people.count,
        "with_several_rows": people.with_several_rows,
        "class_size": { "min": measured.map(|people| people.fewest), "max": measured.map(|people| people.most) },
        "classes_of_one": measured.map(|people| people.classes_of_one),
        "alone": people.alone,
        "homogeneity": people.homogeneous,
        "skewness": people.skewed,
        "risk": { "highest": highest, "average": average },
        "models": people.measures.iter().zip(&people.measured.achieved).map(model).collect::<Vec<_>>(),
    });
    if let Some(linked) = &people.linked {
        object["linkage"] = json!(linked);
    }
    object
}

/// How many people whoever has the original finds, on a terminal.
fn linked_text(linked: &LinkedPeople) -> String {
    let LinkedPeople { people, linked_to_one, linked_to_few, few, linked_to_none } = *linked;
    let none = match linked_to_none {
        0 => String::new(),
        none => format!("; {} to none", grouped(none as i64)),
    };
    format!(
        "whoever has the original links {} of {}, by some row, to records of one person only, and {} to those of at most {few}{none}\n",
        grouped(linked_to_one as i64),
        plural(people, "person"),
        grouped(linked_to_few as i64)
    )
}

/// The same for people, on a terminal.
fn people_text(people: &AuditedPeople, rows: &Measured) -> String {
    let (highest, average) = people.risk();
    let counted_by =
        people.column.as_ref().map(|column| format!("people are counted by `{}`: ", printable::line(column)));
    let mut text = counted_by.unwrap_or_default();
    text += &format!(
        "{}, of whom {} have more than one row; {}\n",
        plural(people.count, "person"),
        grouped(people.with_several_rows as i64),
        classes_and_sizes(&people.measured)
    );
    text += &match people.alone {
        0 => "nobody is alone in a class\n".to_owned(),
        1 => "1 person is in a class with nobody else: whoever knows that row knows who it is\n".to_owned(),
        alone => format!(
            "{} are in a class with nobody else: whoever knows that row of theirs knows who it is\n",
            plural(alone, "person")
        ),
    };
    for Homogeneous { column, classes, people } in people.homogeneous.iter().filter(|found| found.classes > 0) {
        text += &format!(
            "in {} everybody has some {} in common: that of {} is certain\n",
            plural(*classes, "class"),
            printable::line(column),
            plural(*people, "person")
        );
    }
    for Skewed { column, classes, people } in people.skewed.iter().filter(|found| found.classes > 0) {
        text += &format!(
            "in {} some {} is far commoner than among all people: {} are in one of them\n",
            plural(*classes, "class"),
            printable::line(column),
            plural(*people, "person")
        );
    }
    text += &people.linked.as_ref().map(linked_text).unwrap_or_default();
    let fewest = people.measured.people.map_or(0, |people| people.fewest);
    if fewest < rows.smallest {
        text +=
            &format!("classes have at least {} but only {}\n", plural(rows.smallest, "row"), plural(fewest, "person"));
    }
    text + &format!(
        "whoever knows one row of somebody finds them with a probability of at most {}, {} on average over people\n",
        number(highest),
        number(average)
    )
}
