//! What is learned about whom, once it is known which rows of two releases are of the same person?

use std::collections::{BTreeMap, HashMap};

use serde_json::json;

use super::finding::{ByClass, Detail, Exposure};
use super::side_by_side::{Beside, Partners, counts};
use super::{Finding, OtherRelease, Scene};
use shoal_core::warning::Warning;

/// Two releases whose rows stand in one order.
pub(super) struct ToldByOrder<'a> {
    attack: &'static str,
    beside: &'a Beside,
    partners: &'a Partners,
    scene: &'a Scene<'a>,
    other: &'a OtherRelease,
    /// Of each combination of quasi-identifiers, the class.
    classes: Vec<Option<usize>>,
    /// How many rows look the same in both, by their combinations here and there.
    joint: HashMap<(u32, u32), u64>,
}

impl<'a> ToldByOrder<'a> {
    pub(super) fn new(
        attack: &'static str,
        (beside, partners): (&'a Beside, &'a Partners),
        scene: &'a Scene<'a>,
        other: &'a OtherRelease,
    ) -> Self {
        let class_of: HashMap<Vec<&str>, usize> =
            (0..scene.classes.len()).map(|class| (scene.classes.shown(class).collect(), class)).collect();
        let shown = |combination: u32| (0..scene.quasi.len()).map(move |at| beside.these.known.text(combination, at));
        let classes = (0..beside.these.known.len() as u32)
            .map(|combination| class_of.get(&shown(combination).collect::<Vec<_>>()).copied())
            .collect();
        let both =
            |&(one, other): &(u32, u32)| (beside.these.rows[one as usize].0, beside.those.rows[other as usize].0);
        let joint = counts(partners.pairs.iter().map(both));
        Self { attack, beside, partners, scene, other, classes, joint }
    }

    /// All that is learned: whose row is whose, and the value in each sensitive column of both.
    pub(super) fn findings(&self) -> impl Iterator<Item = Finding> {
        std::iter::once(self.rows()).chain((0..self.other.sensitive.len()).map(|place| self.values(place)))
    }

    /// Rows like which few look in both releases together, though more do in either.
    fn rows(&self) -> Finding {
        let (sizes, few) = (self.scene.classes.sizes(), self.scene.options.few);
        let of_others = counts(self.beside.those.rows.iter().map(|row| row.0));
        let mut exposed: BTreeMap<usize, (u64, u64)> = BTreeMap::new();
        for (&(own, others), &size) in &self.joint {
            let Some(class) = self.classes[own as usize] else { continue };
            if size <= few && sizes[class].min(of_others[&others]) > few {
                let (records, least) = exposed.entry(class).or_insert((0, size));
                (*records, *least) = (*records + size, size.min(*least));
            }
        }
        let mut exposure = Exposure::default();
        for (class, (records, least)) in exposed {
            let detail = || Detail {
                figures: vec![("of_records", json!(sizes[class])), ("candidates", json!(least))],
                value: String::new(),
            };
            exposure.add(class, records, -(least as f64), detail);
        }
        let learned = "whose row it is among few others, and with it all that either release shows of them";
        self.told(exposure, None, learned).with("few", few)
    }

    /// Classes in which all who look the same in both releases have one value, though neither release by itself tells it.
    fn values(&self, place: usize) -> Finding {
        let Self { beside, scene, .. } = self;
        let column = self.other.sensitive[place];
        let only_of_other =
            only_values(beside.those.rows.iter().map(|&(known, value)| ((known, known), value)), &|value| {
                beside.those.values.at(value, place)
            });
        let joint = self.partners.pairs.iter().map(|&(one, other)| {
            let (known, value) = beside.these.rows[one as usize];
            ((known, beside.those.rows[other as usize].0), value)
        });
        let joint = only_values(joint, &|value| beside.these.values.at(value, place));
        let mut joint: Vec<_> = joint.into_iter().collect();
        joint.sort_unstable();
        let mut exposed = ByClass::default();
        for &((own, others), (size, only)) in &joint {
            let Some(class) = self.classes[own as usize] else { continue };
            let told_by_itself = scene.classes.class(class).counts(column).distinct() < 2
                || only_of_other[&(others, others)].1.is_some();
            let text = |text: u32| &beside.these.values.texts(place)[text as usize];
            let code = only.and_then(|only| scene.columns[column].code(text(only)));
            if let (false, Some(code)) = (told_by_itself, code) {
                exposed.add(class, size, code, size as f64 / scene.classes.sizes()[class] as f64);
            }
        }
        let detail = |class: usize, code: u32, _| Detail {
            figures: vec![("of_records", json!(scene.classes.sizes()[class]))],
            value: scene.columns[column].value(code).to_owned(),
        };
        self.told(exposed.exposure(scene, detail), Some(column), "the value")
    }

    fn told(&self, exposure: Exposure, column: Option<usize>, learned: &str) -> Finding {
        let how = if self.partners.is_even { IN_ONE_ORDER } else { MOSTLY_IN_ONE_ORDER };
        let alone = self.joint.values().filter(|&&size| size == 1).count();
        exposure
            .finding(self.scene, self.attack, column, format!("{learned}: {how}"), PREVENTED_BY)
            .with("by_order", true)
            .with("pairs", self.joint.len())
            .with("certain", self.partners.is_even)
            .with("in_both", self.partners.pairs.len())
            .with("alone_in_both", alone)
    }
}

/// What to say of a table whenever its rows stand in the order of another release's, whether or not somebody is exposed by that.
pub(crate) fn warning() -> Warning {
    Warning::new(
        "order-of-rows",
        "the rows stand in the order of those of the other release: whoever has both can lay them side by side, and each row of one \
         tells what the row of the same person shows in the other; `shuffle = true` in [output], the default, prevents it",
    )
}

/// For each group, how many rows it has and the only text that they have, if it is one; by the number of their sensitive values.
fn only_values(
    rows: impl Iterator<Item = ((u32, u32), u32)>,
    text: &dyn Fn(u32) -> u32,
) -> HashMap<(u32, u32), (u64, Option<u32>)> {
    let mut groups: HashMap<(u32, u32), (u64, Option<u32>)> = HashMap::new();
    for (group, value) in rows {
        let text = text(value);
        let (size, only) = groups.entry(group).or_insert((0, Some(text)));
        *size += 1;
        *only = only.filter(|known| *known == text);
    }
    groups
}

const IN_ONE_ORDER: &str = "rows of both releases stand in one order, so that each row of one is of the same person as the row of the other beside it";

const MOSTLY_IN_ONE_ORDER: &str = "rows of both releases stand in one order, though each has rows that the other lacks, so that most rows of one \
                                   can be laid beside the row of the other that is of the same person";

const PREVENTED_BY: &str = "`shuffle = true` in [output], the default, for both releases";
