//! Does the sweep do what Figure 4 of its paper says, word for word and record by record?

use std::collections::BTreeMap;
use std::path::Path;

use crate::tables::{Plan, Quasi, data, flat, random, read_csv};
use proptest::prelude::*;
use shoal_core::exact::Ratio;
use shoal_core::frequency::SensitiveColumn;
use shoal_core::method::sweep::Sweep;
use shoal_core::method::{LabelStyle, Method, Numbers, Partition, Resolver, Task};
use shoal_core::model::{DEFINITIONS, Requirement, Subject};
use shoal_core::objective::Information;
use shoal_core::watch::Unwatched;

/// The rows of each class, as what they were and the sensitive value they show, by its labels.
type Classes = BTreeMap<Vec<String>, Vec<(Vec<String>, String)>>;

/// Hierarchies have at most five leaves, so that a record divides evenly among any of them, and so does a fifth of it.
const RECORD: u64 = 3600;

/// `tau` in tenths.
#[derive(Debug, Clone, Copy)]
struct TauL {
    tau: u64,
    l: u64,
}

impl Resolver for TauL {
    fn resolve(&self, columns: &[SensitiveColumn]) -> shoal_core::Result<Vec<Requirement>> {
        let definition = DEFINITIONS.iter().find(|known| known.id == "tau-l-diversity").expect("it is in the list");
        let text = format!("{{ tau = {}, l = {} }}", self.tau as f64 / 10.0, self.l);
        let parameters =
            definition.parse(toml::de::ValueDeserializer::parse(&text).expect("TOML")).expect("parameters");
        let model = parameters.resolve(Subject { columns, index: 0, folder: Path::new("."), is_release: false })?;
        let column = Some(columns[0].name().to_owned());
        Ok(vec![Requirement::new(definition.id, column, parameters.to_json(), model)])
    }
}

/// A record: its quasi-identifiers, its own sensitive value, and how far that is generalized.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Record<'a> {
    quasi: &'a [String],
    value: &'a str,
    level: usize,
}

/// The paper's algorithm on a list of records.
struct Figure4<'a> {
    plan: &'a Plan,
    asked: TauL,
    /// The sensitive values that occur, in the order of their codes.
    occurring: Vec<&'a str>,
}

impl<'a> Figure4<'a> {
    fn new(plan: &'a Plan, asked: TauL) -> Self {
        let mut occurring: Vec<&str> = plan.rows.iter().map(|row| row[plan.quasi.len()].as_str()).collect();
        occurring.sort_by_key(|value| (value.parse::<u64>().unwrap_or(0), *value));
        occurring.dedup();
        Self { plan, asked, occurring }
    }

    fn path(&self, value: &str) -> &'a [String] {
        let paths = self.plan.sensitive[0].paths.as_ref().expect("it has a hierarchy");
        paths.iter().find(|path| path[0] == value).expect("every value is a leaf")
    }

    fn shown(&self, record: &Record<'a>) -> &'a str {
        &self.path(record.value)[record.level]
    }

    /// Definition 2: how much of a record counts for a leaf.
    fn share(&self, record: &Record<'a>, leaf: &str) -> u64 {
        let level = record.level;
        let covered =
            self.occurring.iter().filter(|other| self.path(other)[level] == self.shown(record)).count() as u64;
        if self.path(leaf)[level] == self.shown(record) { RECORD / covered } else { 0 }
    }

    fn mass(&self, records: &[Record<'a>], leaf: &str) -> u64 {
        records.iter().map(|record| self.share(record, leaf)).sum()
    }

    /// Definition 4; an empty class counts as satisfied.
    fn is_diverse(&self, records: &[Record<'a>]) -> bool {
        let mut masses: Vec<u64> = self.occurring.iter().map(|leaf| self.mass(records, leaf)).collect();
        masses.sort_by(|a, b| b.cmp(a));
        let (TauL { tau, l }, size) = (self.asked, records.len() as u64 * RECORD);
        (1..=l).all(|k| {
            let f: u64 = masses.iter().take(k as usize).sum();
            f * 10 * (l - 1) <= size * (tau * (l - 1) + (10 - tau) * (k - 1))
        })
    }

    fn dominant(&self, records: &[Record<'a>]) -> &'a str {
        let largest = self.occurring.iter().map(|leaf| self.mass(records, leaf)).max();
        self.occurring.iter().find(|leaf| Some(self.mass(records, leaf)) == largest).expect("there is a record")
    }

    /// Section III.C; false if it does not help.
    fn generalize(&self, records: &mut [Record<'a>]) -> bool {
        while !self.is_diverse(records) {
            let dominant = self.dominant(records);
            let top = self.path(dominant).len() - 1;
            let candidates = (0..records.len())
                .filter(|&place| records[place].level < top && self.share(&records[place], dominant) > 0);
            let Some(chosen) = candidates.min_by_key(|&place| (records[place].level, records[place].quasi)) else {
                return false;
            };
            records[chosen].level += 1;
        }
        true
    }

    /// Definition 6: 3600 times the sum over columns of what a level keeps, then levels.
    fn order(&self) -> Vec<Vec<u8>> {
        let kept = |quasi: &Quasi, column: usize, level: u8| {
            let mut values: Vec<&String> = self.plan.rows.iter().map(|row| &row[column]).collect();
            values.sort();
            values.dedup();
            let leaves = |value: &str| quasi.leaves_under(quasi.label(value, level), level) as u64;
            let whole = values.len() as u64;
            values.iter().map(|value| RECORD / (leaves(value) * whole)).sum::<u64>()
        };
        let mut nodes: Vec<(u64, Vec<u8>)> = vec![(0, vec![])];
        for (column, quasi) in self.plan.quasi.iter().enumerate() {
            let extended = nodes.iter().flat_map(|(sum, levels)| {
                (quasi.min_level..=quasi.height() as u8)
                    .map(move |level| (sum + kept(quasi, column, level), [&levels[..], &[level]].concat()))
            });
            nodes = extended.collect();
        }
        nodes.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.cmp(&b.1)));
        nodes.into_iter().map(|(_, levels)| levels).collect()
    }

    /// Steps 10 to 13: who stays and who is swept.
    fn sweep(&self, mut class: Vec<Record<'a>>) -> (Vec<Record<'a>>, Vec<Record<'a>>) {
        let mut swept = Vec::new();
        while !class.is_empty() && !self.is_diverse(&class) {
            let dominant = self.dominant(&class);
            let code = |record: &Record<'a>| (record.level, self.occurring.iter().position(|v| *v == record.value));
            let rank = |record: &Record<'a>| {
                (std::cmp::Reverse(self.share(record, dominant)), code(record).0, self.shown(record), record.quasi)
            };
            let chosen = (0..class.len()).min_by_key(|&place| rank(&class[place])).expect("there is a record");
            if self.share(&class[chosen], dominant) * class.len() as u64 <= self.mass(&class, dominant) {
                swept.append(&mut class);
                break;
            }
            swept.push(class.remove(chosen));
        }
        (class, swept)
    }

    /// The whole algorithm: the records of each class by its smallest labels.
    fn run(&self) -> Option<Classes> {
        let columns = self.plan.quasi.len();
        let record = |row: &'a Vec<String>| Record { quasi: &row[..columns], value: &row[columns], level: 0 };
        let mut records: Vec<Record<'a>> = self.plan.rows.iter().map(record).collect();
        records.sort_by_key(|record| record.quasi);
        if !self.generalize(&mut records) {
            return None;
        }
        let order = self.order();
        let mut closed: Vec<Vec<Record<'a>>> = Vec::new();
        for levels in &order[..order.len() - 1] {
            let mut classes: BTreeMap<Vec<String>, Vec<Record<'a>>> = BTreeMap::new();
            for record in records.drain(..) {
                classes.entry(self.plan.labels(record.quasi, levels)).or_default().push(record);
            }
            for class in classes.into_values() {
                let (kept, swept) = self.sweep(class);
                records.extend(swept);
                closed.extend((!kept.is_empty()).then_some(kept));
            }
            records.sort_by_key(|record| record.quasi);
        }
        if !records.is_empty() {
            if !self.generalize(&mut records) {
                return None;
            }
            closed.push(records);
        }
        let mut release: BTreeMap<Vec<String>, Vec<(Vec<String>, String)>> = BTreeMap::new();
        for class in closed {
            let shown = release.entry(self.smallest_labels(&class)).or_default();
            shown.extend(class.iter().map(|record| (record.quasi.to_vec(), self.shown(record).to_owned())));
        }
        release.values_mut().for_each(|records| records.sort());
        Some(release)
    }

    fn smallest_labels(&self, class: &[Record<'a>]) -> Vec<String> {
        let label = |(column, quasi): (usize, &Quasi)| {
            let label = |level: u8| quasi.label(&class[0].quasi[column], level);
            let covers = |level: &u8| class.iter().all(|r| quasi.label(&r.quasi[column], *level) == label(*level));
            label((quasi.min_level..).find(covers).expect("the root covers everything")).to_owned()
        };
        self.plan.quasi.iter().enumerate().map(label).collect()
    }
}

fn sweep(plan: &Plan, asked: TauL) -> Option<Classes> {
    let table = plan.count();
    let requirements = asked.resolve(&table.sensitive).expect("it is a requirement");
    let style = LabelStyle { numbers: Numbers::Hierarchy, ..LabelStyle::default() };
    let task = Task { style, resolver: Some(&asked), ..Task::new(&table, &requirements, &Information, Ratio::ZERO) };
    let partition = Sweep::default().partition(&task, &Unwatched).ok()?;
    let Partition { classes, assignments, .. } = &partition;
    let columns = partition.sensitive_columns(&table);
    let tuples = partition.sensitive.as_ref().map_or(table.base.sensitive(), |shown| &shown.tuples);
    let mut release: BTreeMap<Vec<String>, Vec<(Vec<String>, String)>> = BTreeMap::new();
    for part in assignments {
        let base = (0..table.base.classes()).rev().find(|&base| table.base.first_entry(base) <= part.tuple as usize);
        let base = base.expect("every tuple has a class");
        let quasi = |column: usize| table.quasi[column].dictionary.value(table.base.code(base, column)).to_owned();
        let quasi: Vec<String> = (0..table.quasi.len()).map(quasi).collect();
        let class = part.class.expect("nothing is suppressed");
        let labels = (0..table.quasi.len()).map(|column| classes.text(&table, class, column).into_owned()).collect();
        let shown = columns[0].value(tuples.tuple(part.shows)[0]).to_owned();
        let records = release.entry(labels).or_default();
        records.extend((0..part.count).map(|_| (quasi.clone(), shown.clone())));
    }
    release.values_mut().for_each(|records| records.sort());
    Some(release)
}

proptest! {
    #![proptest_config(random::cases(1500))]

    #[test]
    fn it_is_figure_4_word_for_word(
        plan in random::table(1..=3, 1..=1, 1..=30),
        tau in 2..=9u64,
        l in 2..=4u64,
    ) {
        let mut plan = plan;
        plan.quasi.iter_mut().for_each(|quasi| quasi.max_level = quasi.height() as u8);
        let asked = TauL { tau, l };
        prop_assert_eq!(sweep(&plan, asked), Figure4::new(&plan, asked).run());
    }
}

fn figure_1a() -> Plan {
    let rows = read_csv(&data("tau_l_fig1a_microdata.csv"), b',', true);
    let rows = rows.into_iter().map(|row| row[2..].to_vec()).collect();
    let root = |value: u32, decade: String| vec![value.to_string(), decade, "*".to_owned()];
    let ages = (20..40).map(|age| root(age, format!("[{},{}]", age / 10 * 10, age / 10 * 10 + 9))).collect();
    let zips = (10_000..10_020).map(|zip| root(zip, format!("{}*", zip / 10))).collect();
    let taxonomy = read_csv(&data("tau_l_fig1c_disease_taxonomy.csv"), b';', false);
    let quasi = vec![Quasi::new("Age", ages), Quasi::new("Zipcode", zips)];
    Plan { quasi, sensitive: vec![crate::tables::Sensitive::new("Disease", Some(taxonomy))], rows }
}

/// Every row of Figure 2(a); its roots are printed `[20,39]` and `100**`.
#[test]
fn figure_1a_becomes_figure_2a() {
    let plan = figure_1a();
    let release = sweep(&plan, TauL { tau: 5, l: 3 }).expect("the paper has one");
    let printed = read_csv(&data("tau_l_fig2a_0.5_3_diversity.csv"), b',', true);
    let mut expected: BTreeMap<Vec<String>, Vec<(Vec<String>, String)>> = BTreeMap::new();
    for (row, original) in printed.iter().zip(&plan.rows) {
        let label = |text: &String| if text == "[20,39]" || text == "100**" { "*".to_owned() } else { text.clone() };
        let records = expected.entry(row[1..3].iter().map(label).collect()).or_default();
        records.push((original[..2].to_vec(), row[3].clone()));
    }
    expected.values_mut().for_each(|records| records.sort());
    assert_eq!(release, expected);
}

/// The information of tuple 1 is 1/10 + 1/10 + 1/2 (Example 4); of all twelve 8/5 + 4/10 + 11 of 36.
#[test]
fn figure_2a_keeps_the_information_that_the_paper_counts() {
    let plan = figure_1a();
    let (table, asked) = (plan.count(), TauL { tau: 5, l: 3 });
    let requirements = asked.resolve(&table.sensitive).expect("it is a requirement");
    let style = LabelStyle { numbers: Numbers::Hierarchy, ..LabelStyle::default() };
    let task = Task { style, resolver: Some(&asked), ..Task::new(&table, &requirements, &Information, Ratio::ZERO) };
    let partition = Sweep::default().partition(&task, &Unwatched).expect("the paper has one");
    assert_eq!(partition.generalized_sensitive(), [("Disease", 2)]);
    let lost = partition.objectives.iter().find(|(id, _)| *id == "information").map_or(0.0, |(_, value)| *value);
    assert!((lost - (1.0 - 13.0 / 36.0)).abs() < 1e-12, "{lost}");
}

/// Values that nothing can hide: no release, and the message says why nothing was generalized.
#[test]
fn without_generalizing_there_may_be_no_release() {
    let mut plan = figure_1a();
    let asked = TauL { tau: 4, l: 3 };
    assert!(sweep(&plan, asked).is_some(), "half of all have hepatitis, and some of them a hemal disease");
    let refusal = |plan: &Plan, method: Sweep| {
        let table = plan.count();
        let requirements = asked.resolve(&table.sensitive).expect("it is a requirement");
        let task = Task { resolver: Some(&asked), ..Task::new(&table, &requirements, &Information, Ratio::ZERO) };
        method.partition(&task, &Unwatched).map(|_| ()).expect_err("there is none").to_string()
    };
    let kept = refusal(&plan, Sweep { generalize_sensitive: false });
    assert!(kept.contains("sensitive values were not generalized: `generalize-sensitive` is false"), "{kept}");
    plan.sensitive[0].paths = None;
    assert!(refusal(&plan, Sweep::default()).contains("no hierarchy"));
    plan.quasi[0] = Quasi::new("Age", flat((20..40).map(|age| age.to_string())));
    plan.quasi[0].max_level = 0;
    assert!(refusal(&plan, Sweep::default()).contains("`max-level` of column `Age`"));
}
