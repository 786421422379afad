//! What does an attack achieve, as plain data?

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value};

use super::Scene;

/// How bad a finding is: the share of records that are exposed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// No record is exposed.
    None,
    /// Fewer than one record in a hundred.
    Low,
    /// Fewer than one in ten.
    Medium,
    /// One in ten, or more.
    High,
}

impl Severity {
    /// The severity of so many records of so many.
    pub fn of(exposed: u64, records: u64) -> Self {
        let (exposed, records) = (u128::from(exposed), u128::from(records));
        match () {
            () if exposed == 0 => Self::None,
            () if exposed * 100 < records => Self::Low,
            () if exposed * 10 < records => Self::Medium,
            () => Self::High,
        }
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
        }
    }
}

/// What an attack achieves on a table.
#[derive(Debug, Clone, Serialize)]
pub struct Finding {
    /// The attack's id.
    pub attack: &'static str,
    /// The sensitive column it is about, if it is about one.
    pub column: Option<String>,
    /// How many classes are exposed.
    pub exposed_classes: u64,
    /// How many records are.
    pub exposed_records: u64,
    /// Of so many that were looked at.
    pub records: u64,
    /// How bad that is.
    pub severity: Severity,
    /// What is learned about whoever is exposed.
    pub learned: String,
    /// Which model at which parameter would prevent it, or what else would.
    pub prevented_by: String,
    /// What the attack measured, by name.
    #[serde(flatten)]
    pub figures: Map<String, Value>,
    /// The worst classes.
    pub worst: Vec<ExposedClass>,
    /// What counts as exposed, where something may also happen to records that are not.
    #[serde(skip)]
    pub spared: Option<Spared>,
}

/// What an attack counts as exposed, where records that are not may still be affected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spared {
    /// What is counted, in a word.
    pub from: &'static str,
    /// What was seen besides, and how often.
    pub but: Vec<(&'static str, u64)>,
}

/// A class that is exposed.
#[derive(Debug, Clone, Serialize)]
pub struct ExposedClass {
    /// What it shows in each quasi-identifier.
    pub quasi: Map<String, Value>,
    /// How many of its records are exposed.
    pub records: u64,
    /// What the attack measured on it.
    #[serde(flatten)]
    pub figures: Map<String, Value>,
    /// The sensitive value, or what is known of it. Only where the user asked for it: beside quasi-identifiers, it is what
    /// nobody must learn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<String>,
}

impl Finding {
    /// Adds a figure.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.figures.insert(name.to_owned(), value.into());
        self
    }

    /// The same where only this counts as exposed, and other things were seen besides.
    #[must_use]
    pub fn counting(mut self, from: &'static str, but: &[(&'static str, u64)]) -> Self {
        let but = but.iter().copied().filter(|(_, times)| *times > 0).collect();
        self.spared = Some(Spared { from, but });
        self
    }

    /// The same where another number of records was looked at.
    #[must_use]
    pub fn among(mut self, records: u64) -> Self {
        self.records = records;
        self.severity = Severity::of(self.exposed_records, records);
        self
    }
}

/// How many of the worst classes are kept.
const WORST: usize = 10;

/// What is known of an exposed class beside its labels.
#[derive(Debug, Default)]
pub struct Detail {
    /// Figures, in the order in which they are shown.
    pub figures: Vec<(&'static str, Value)>,
    /// The sensitive value that is learned.
    pub value: String,
}

/// Collects the exposed classes of one attack.
#[derive(Debug, Default)]
pub struct Exposure {
    /// How many classes are exposed.
    pub classes: u64,
    /// How many records are.
    pub records: u64,
    /// The worst so far: score, records, class, detail.
    worst: Vec<(f64, u64, usize, Detail)>,
}

impl Exposure {
    /// Adds a class with so many exposed records. The higher its score, the worse it is; of equal ones the larger, then the
    /// first. `detail` is asked only of those that are kept.
    pub fn add(&mut self, class: usize, records: u64, score: f64, detail: impl FnOnce() -> Detail) {
        self.classes += 1;
        self.records += records;
        self.keep(class, records, score, detail);
    }

    /// Shows a class among the worst without counting it.
    pub fn keep(&mut self, class: usize, records: u64, score: f64, detail: impl FnOnce() -> Detail) {
        let is_before = |entry: &(f64, u64, usize, Detail)| {
            entry.0.total_cmp(&score).then(entry.1.cmp(&records)).then(class.cmp(&entry.2)).is_ge()
        };
        let place = self.worst.partition_point(is_before);
        if place < WORST {
            self.worst.insert(place, (score, records, class, detail()));
            self.worst.truncate(WORST);
        }
    }

    /// The finding.
    pub fn finding(
        self,
        scene: &Scene<'_>,
        attack: &'static str,
        column: Option<usize>,
        learned: impl Into<String>,
        prevented_by: impl Into<String>,
    ) -> Finding {
        let records = scene.classes.rows();
        let worst = self.worst.into_iter().map(|(_, records, class, detail)| ExposedClass {
            quasi: scene.shown(class),
            records,
            figures: detail.figures.into_iter().map(|(name, value)| (name.to_owned(), value)).collect(),
            value: scene.options.reveal.then_some(detail.value).filter(|value| !value.is_empty()),
        });
        Finding {
            attack,
            column: column.map(|column| scene.columns[column].name().to_owned()),
            exposed_classes: self.classes,
            exposed_records: self.records,
            records,
            severity: Severity::of(self.records, records),
            learned: learned.into(),
            prevented_by: prevented_by.into(),
            figures: Map::new(),
            worst: worst.collect(),
            spared: None,
        }
    }
}

/// Collects people by their class where several of one class can be exposed, each with a value and a score.
#[derive(Debug, Default)]
pub struct ByClass(BTreeMap<usize, (u64, f64, u32)>);

impl ByClass {
    /// Adds so many records of a class.
    pub fn add(&mut self, class: usize, records: u64, code: u32, score: f64) {
        let seen = self.0.entry(class).or_insert((0, score, code));
        seen.0 += records;
        if (score, code) > (seen.1, seen.2) {
            (seen.1, seen.2) = (score, code);
        }
    }

    /// The classes, none with more records exposed than it has.
    pub fn exposure(self, scene: &Scene<'_>, detail: impl Fn(usize, u32, f64) -> Detail) -> Exposure {
        let mut exposure = Exposure::default();
        for (class, (records, score, code)) in self.0 {
            exposure.add(class, records.min(scene.classes.sizes()[class]), score, || detail(class, code, score));
        }
        exposure
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn severity_is_a_share_of_the_records() {
        assert_eq!(Severity::of(0, 100), Severity::None);
        assert_eq!(Severity::of(1, 101), Severity::Low);
        assert_eq!(Severity::of(1, 100), Severity::Medium);
        assert_eq!(Severity::of(9, 100), Severity::Medium);
        assert_eq!(Severity::of(10, 100), Severity::High);
    }

    #[test]
    fn the_worst_are_kept_in_order() {
        let mut exposure = Exposure::default();
        for class in 0..50 {
            exposure.add(class, (class % 3) as u64, f64::from(class as u32 % 5), Detail::default);
        }
        assert_eq!((exposure.classes, exposure.records), (50, 49));
        let order: Vec<usize> = exposure.worst.iter().map(|entry| entry.2).collect();
        assert_eq!(order, [14, 29, 44, 4, 19, 34, 49, 9, 24, 39]);
    }
}
