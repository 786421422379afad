//! What do two releases of the same people tell together?

use std::collections::{BTreeMap, HashMap};

use serde_json::json;

use super::finding::{Detail, Exposure};
use super::overlap::{SharedColumn, overlaps};
use super::told_by_order::{self, ToldByOrder};
use super::{Attack, Finding, Findings, OtherRelease, Scene};
use crate::linking::{Link, Linker, People};
use shoal_core::Result;

/// # Intersection
///
/// **Definition.** Somebody is in one class of this release and in one of another release of the same people. Their sensitive value is
/// one that both classes hold; where the classes were made differently, that can be a single one.
/// Where the rows of both stand in one order, more is known: each row of one is of the same person as the row of the other beside it,
/// but for rows that only one of them has.
/// **What is learned.** The value of whoever is in two such classes, though each release by itself is diverse; by the order of rows, whose
/// row it is as well.
/// **Prevented by.** one release for all purposes, or the same classes in both (the same levels); no requirement on one table can.
/// `shuffle = true` in `[output]`, which is the default, so that no order of rows is that of the original.
/// **Options.** `--with FILE`, the other release; with `--original` everybody's two classes are known, and who is exposed is counted. Without it,
/// every two classes that could have somebody in common are tried (whose labels overlap in every column that both have), and
/// as many people are counted as could be in both at most. Labels that cannot be read may overlap with any that differ, except where both
/// releases show both of them; `unread` lists the columns where that was needed. The rows of both (the first 2^20) are laid side by side as
/// well, each beside one that agrees with it in what both show, in the order of both and so that as few as possible are left over. If none is,
/// or far fewer than if rows changed places with others nearby, and by chance that would be so less than once in 10,000 times, both stand in
/// one order (`by_order`), and whoever looks the same in both together is counted, all columns of the other taken for known: those whose
/// value is told by both together, and (`few`, `--few`, as in linkage) those of whom no more than so many look alike in both though more do
/// in either, of whom all is known that either shows; `certain` says that none is left over. Rows that are sorted by what both show, or look together as they do in one of both, tell nothing by their order.
/// **Example.** One class holds {flu, cancer}, the other {cancer, ulcer}: whoever is in both has cancer.
/// **Reference.** Wang and Fung 2006; Ganta, Kasiviswanathan and Smith 2008.
#[derive(Debug)]
pub struct Intersection;

/// How many pairs of classes are tried at most where the original is not at hand.
const MOST_PAIRS: usize = 2_000_000;

impl Attack for Intersection {
    fn id(&self) -> &'static str {
        "intersection"
    }

    fn not_in_two_tables(&self) -> Option<&'static str> {
        Some("classes are numbers, which say nothing about who is in a class of another release")
    }

    fn run(&self, scene: &Scene<'_>, findings: &mut Findings) -> Result<()> {
        let Some(other) = &scene.other else {
            findings.untried(self.id(), None, "--with another release of the same people");
            return Ok(());
        };
        if let Some(beside) = scene.beside
            && let Some(partners) = beside.in_one_order(scene, other)?
        {
            ToldByOrder::new(self.id(), (beside, &partners), scene, other)
                .findings()
                .for_each(|finding| findings.push(finding));
            findings.warnings.push(told_by_order::warning());
            return Ok(());
        }
        if other.sensitive.is_empty() {
            findings.untried(self.id(), None, "--with a release that has a sensitive column of this one");
            return Ok(());
        }
        let linked = scene.legible_original().map(|original| (original, link(original, other)));
        let pairs = match linked.filter(|(_, link)| link.is_legible()) {
            Some((original, link)) => Some(pairs_of_people(original, &link)),
            None => pairs_of_classes(scene, other)?,
        };
        let Some(pairs) = pairs else {
            findings.untried(self.id(), None, TOO_MANY);
            return Ok(());
        };
        for place in 0..other.sensitive.len() {
            findings.push(self.column(scene, other, place, &pairs));
        }
        Ok(())
    }
}

/// Why so many pairs are not tried.
const TOO_MANY: &str = "the table that both releases were made from (--original), with labels that tell whom they stand for: too many \
                        of their classes could have somebody in common";

/// Pairs of classes, of this release and the other, and how many people are known to be in both.
#[derive(Default)]
struct Pairs {
    by_class: BTreeMap<(usize, usize), Option<u64>>,
    /// Is it known who is in which?
    is_certain: bool,
    /// People who can be in several classes of a release.
    ambiguous: u64,
    /// The quasi-identifiers with labels that could not be read, and so may overlap.
    unread: Vec<String>,
}

/// How the people of the original link to the other release.
fn link(original: &People, other: &OtherRelease) -> Link {
    let columns: Vec<(usize, usize)> = original
        .known
        .iter()
        .enumerate()
        .filter_map(|(place, known)| Some((place, other.quasi.iter().position(|quasi| quasi == known)?)))
        .collect();
    original.link_to(&other.classes, &columns)
}

fn pairs_of_people(original: &People, link: &Link) -> Pairs {
    let mut pairs = Pairs { is_certain: true, ..Pairs::default() };
    for entry in 0..original.table.len() {
        let size = original.table.sizes()[entry];
        match (original.class_of(entry), link.class_of(&original.table, entry)) {
            (Some(here), Some(there)) => {
                let known = pairs.by_class.entry((here, there)).or_insert(Some(0));
                *known = known.map(|known| known + size);
            }
            _ => {
                let is_released = !original.candidates(entry).is_empty() && !link.candidates(&original.table, entry).is_empty();
                pairs.ambiguous += if is_released { size } else { 0 };
            }
        }
    }
    pairs
}

/// Every two classes that could have somebody in common; none, if they are too many.
fn pairs_of_classes(scene: &Scene<'_>, other: &OtherRelease) -> Result<Option<Pairs>> {
    let (mut overlapping, mut unread) = (Vec::new(), Vec::new());
    for (place, &column) in other.quasi.iter().enumerate() {
        let quasi = &scene.quasi[column];
        let rows = match &quasi.hierarchy {
            Some(spec) => spec.rows(scene.folder)?.unwrap_or_default(),
            None => Vec::new(),
        };
        let (these, those) = (scene.classes.labels(column), other.classes.labels(place));
        let reading = scene.reading(quasi);
        let found = overlaps(SharedColumn { these, those, rows: &rows, missing: scene.missing, reading });
        overlapping.push(found.of);
        unread.extend(found.is_guessed.then(|| quasi.name.clone()));
    }
    let known: Vec<usize> = (0..other.quasi.len()).collect();
    let linker = Linker::new(&other.classes, &known);
    let mut by_class = BTreeMap::new();
    // Classes of this release that show the same in the common columns meet the same classes of the other.
    let mut found: HashMap<Vec<u32>, Vec<u32>> = HashMap::new();
    for class in 0..scene.classes.len() {
        let key = scene.classes.key(class);
        let common: Vec<u32> = other.quasi.iter().map(|&column| key[column]).collect();
        let candidates = found.entry(common).or_insert_with_key(|common| {
            let labels: Vec<&[u32]> =
                common.iter().zip(&overlapping).map(|(&label, column)| column[label as usize].as_slice()).collect();
            linker.candidates(&labels)
        });
        for &group in candidates.iter() {
            by_class.insert((class, linker.groups()[group as usize].classes[0] as usize), None);
        }
        if by_class.len() > MOST_PAIRS {
            return Ok(None);
        }
    }
    Ok(Some(Pairs { by_class, unread, ..Pairs::default() }))
}

impl Intersection {
    fn column(&self, scene: &Scene<'_>, other: &OtherRelease, place: usize, pairs: &Pairs) -> Finding {
        let column = other.sensitive[place];
        let mut narrowed: BTreeMap<usize, (u64, u32)> = BTreeMap::new();
        let (mut alone, mut people) = (0u64, 0u64);
        for (&(here, there), &both) in &pairs.by_class {
            people += both.unwrap_or(0);
            alone += u64::from(both == Some(1));
            let (members, others) = (scene.classes.class(here), other.classes.class(there));
            if members.counts(column).distinct() < 2 {
                continue;
            }
            let (a, scale) = scene.induce(column, members.counts(column), 1);
            let (b, _) = scene.induce(column, others.counts(place), 1);
            let in_both = a.codes.iter().zip(a.counts.iter()).filter_map(|(code, &count)| {
                let at = b.codes.binary_search(code).ok()?;
                Some((*code, count.min(b.counts[at])))
            });
            let in_both: Vec<(u32, u64)> = in_both.take(2).collect();
            if let [(code, most)] = in_both[..] {
                let records = both.unwrap_or(most.div_ceil(scale.max(1)));
                let seen = narrowed.entry(here).or_insert((0, code));
                seen.0 += records;
            }
        }
        let mut exposure = Exposure::default();
        for (class, (records, code)) in narrowed {
            let records = records.min(scene.classes.sizes()[class]);
            let share = records as f64 / scene.classes.sizes()[class] as f64;
            exposure.add(class, records, share, || Detail {
                figures: vec![("of_records", json!(scene.classes.sizes()[class]))],
                value: scene.columns[column].value(code).to_owned(),
            });
        }
        let mut learned = "the value, which only one of both classes' values can be".to_owned();
        if !pairs.unread.is_empty() {
            let names: Vec<String> = pairs.unread.iter().map(|name| format!("`{name}`")).collect();
            learned += &format!(" (labels of {} could not be read, and may stand for the same)", names.join(", "));
        }
        let prevented_by = "one release for all purposes, or the same classes in both";
        let finding = exposure
            .finding(scene, self.id(), Some(column), learned, prevented_by)
            .with("by_order", false)
            .with("pairs", pairs.by_class.len())
            .with("certain", pairs.is_certain);
        if !pairs.is_certain {
            return finding.with("unread", pairs.unread.clone());
        }
        finding.with("in_both", people).with("alone_in_both", alone).with("ambiguous", pairs.ambiguous)
    }
}
