//! Who are the people that an attacker knows, and in which classes of a release can each be?

use std::borrow::Cow;
use std::path::Path;
use std::sync::OnceLock;

use super::candidates::Candidates;
use super::covers::{Legible, covers};
use super::{AuditedQuasi, Linker};
use crate::outsider::OutsiderClasses;
use shoal_core::Result;
use shoal_core::hierarchy::{ColumnValues, Hierarchy};
use shoal_core::table::{Dictionary, NumberMarks, Reading, Unclear};

/// A table of people as they are, and how they link to the audited release. People with the same quasi-identifiers are one
/// entry, just as rows of a release are one class.
#[derive(Debug)]
pub struct People {
    /// The people, by their quasi-identifiers.
    pub table: OutsiderClasses,
    /// Which of the release's quasi-identifiers are known of them.
    pub known: Vec<usize>,
    /// The values of each known column.
    columns: Vec<KnownColumn>,
    link: Link,
    /// The same entries with whose rows they are, where that is known.
    whose: Option<OutsiderClasses>,
    /// Where each entry can be, once somebody has asked; nothing where that is too much to keep.
    candidates: OnceLock<Option<Candidates>>,
}

/// A quasi-identifier of the people: its values, and what they become where a hierarchy is known.
#[derive(Debug)]
struct KnownColumn {
    dictionary: Dictionary,
    hierarchy: Option<Hierarchy>,
    /// The code of each text.
    codes: Vec<Option<u32>>,
}

/// How people link to a release.
#[derive(Debug)]
pub struct Link {
    /// Which columns of the people's are used.
    places: Vec<usize>,
    /// For each of these and each of its texts, the labels of the release that cover it.
    covering: Vec<Vec<Vec<u32>>>,
    /// For each of these, whether its labels in the release tell whom they stand for.
    legible: Vec<Legible>,
    linker: Linker,
}

/// How values are written.
#[derive(Debug, Clone, Copy)]
pub struct Written<'a> {
    /// How a missing value is.
    pub missing: &'a str,
    /// How numbers are.
    pub marks: NumberMarks,
    /// Where relative paths begin.
    pub folder: &'a Path,
}

impl People {
    /// Links a table of people, counted by these of the release's quasi-identifiers, to the release.
    pub fn new(
        table: OutsiderClasses,
        known: Vec<usize>,
        release: &OutsiderClasses,
        quasi: &[AuditedQuasi],
        written: Written<'_>,
    ) -> Result<Self> {
        let column = |(place, &column): (usize, &usize)| KnownColumn::new(&table, place, &quasi[column], written);
        let columns = known.iter().enumerate().map(column).collect::<Result<Vec<_>>>()?;
        let pairs: Vec<(usize, usize)> = known.iter().copied().enumerate().collect();
        let link = link(&columns, &pairs, release);
        Ok(Self { table, known, columns, link, whose: None, candidates: OnceLock::new() })
    }

    /// The same with whose rows they are: the classes of the same table by people.
    #[must_use]
    pub fn of_whom(self, whose: Option<OutsiderClasses>) -> Self {
        Self { whose, ..self }
    }

    /// Whose rows an entry has, and how many each of them; nothing where that is not known.
    pub fn whose(&self, entry: usize) -> Option<Vec<(u32, u64)>> {
        self.whose.as_ref().map(|whose| whose.people_of(entry))
    }

    /// How they link to another release: which of their columns is which of its quasi-identifiers.
    pub fn link_to(&self, release: &OutsiderClasses, columns: &[(usize, usize)]) -> Link {
        link(&self.columns, columns, release)
    }

    /// How they link to the audited release.
    pub fn linker(&self) -> &Linker {
        &self.link.linker
    }

    /// The known quasi-identifiers of which the audited release shows something that none of these people has. Of a table that
    /// the release was made from, that cannot be: what such labels stand for is not known.
    pub fn illegible(&self) -> Vec<usize> {
        let columns = self.known.iter().zip(&self.link.legible);
        columns.filter(|(_, legible)| **legible != Legible::All).map(|(&column, _)| column).collect()
    }

    /// Those of which it shows nothing that any of these people has, though ranges were read: of some people of whom others may
    /// be in the release, that alone tells that its labels are not understood.
    pub fn quite_illegible(&self) -> Vec<usize> {
        let columns = self.known.iter().zip(&self.link.legible);
        columns.filter(|(_, legible)| **legible == Legible::None).map(|(&column, _)| column).collect()
    }

    /// The groups of classes of the audited release that an entry can be in.
    pub fn candidates(&self, entry: usize) -> Cow<'_, [u32]> {
        let look_up = |entry: usize, groups: &mut Vec<u32>| self.link.add_candidates(&self.table, entry, groups);
        match self.candidates.get_or_init(|| Candidates::find(self.table.len(), look_up)) {
            Some(known) => known.of(entry).into(),
            None => self.link.candidates(&self.table, entry).into(),
        }
    }

    /// The only class that an entry can be in, if there is just one.
    pub fn class_of(&self, entry: usize) -> Option<usize> {
        self.link.only_class(&self.candidates(entry))
    }

    /// May the audited release show a label for whoever has this value in a known column? Where its labels are not understood, it may.
    pub fn may_show(&self, place: usize, value: &str, label: &str, release: &OutsiderClasses) -> bool {
        let find = |texts: &[String], text: &str| texts.binary_search_by(|known| known.as_str().cmp(text)).ok();
        if self.link.legible[place] != Legible::All {
            return true;
        }
        match (find(self.table.labels(place), value), find(release.labels(self.known[place]), label)) {
            (Some(value), Some(label)) => self.link.covering[place][value].binary_search(&(label as u32)).is_ok(),
            _ => false,
        }
    }

    /// What is known of an entry in a quasi-identifier of the release.
    pub fn value(&self, entry: usize, column: usize) -> Option<&str> {
        let place = self.known.iter().position(|&known| known == column)?;
        Some(&self.table.labels(place)[self.table.key(entry)[place] as usize])
    }

    /// The values of a known column.
    pub fn dictionary(&self, place: usize) -> &Dictionary {
        &self.columns[place].dictionary
    }

    /// The known columns whose values are dates in several ways, so that ranges of them say nothing.
    pub fn unclear_dates(&self) -> Vec<(usize, &Unclear)> {
        let columns = self.known.iter().zip(&self.columns);
        columns.filter_map(|(&known, column)| Some((known, column.dictionary.column_type().unclear()?))).collect()
    }

    /// The code of a text of a known column.
    pub fn code(&self, place: usize, text: u32) -> Option<u32> {
        self.columns[place].codes[text as usize]
    }

    /// What the values of a known column become.
    pub fn hierarchy(&self, place: usize) -> Option<&Hierarchy> {
        self.columns[place].hierarchy.as_ref()
    }

    /// The node of each text of a known column on a level of its hierarchy.
    pub fn nodes(&self, place: usize, level: usize) -> Option<Vec<u32>> {
        let column = &self.columns[place];
        let level = column.hierarchy.as_ref()?.levels().get(level)?;
        column.codes.iter().map(|code| code.map(|code| level.node_of(code))).collect()
    }
}

impl Link {
    /// Do all labels of the release that are used tell whom they stand for?
    pub fn is_legible(&self) -> bool {
        self.legible.iter().all(|legible| *legible == Legible::All)
    }

    /// The release, through what is known.
    pub fn linker(&self) -> &Linker {
        &self.linker
    }

    /// The groups of classes that an entry can be in.
    pub fn candidates(&self, table: &OutsiderClasses, entry: usize) -> Vec<u32> {
        let mut groups = Vec::new();
        self.add_candidates(table, entry, &mut groups);
        groups
    }

    fn add_candidates(&self, table: &OutsiderClasses, entry: usize, groups: &mut Vec<u32>) {
        let key = table.key(entry);
        let texts = self.places.iter().zip(&self.covering);
        let covering: Vec<&[u32]> = texts.map(|(&place, covering)| covering[key[place] as usize].as_slice()).collect();
        self.linker.add_candidates(&covering, groups);
    }

    /// The only class that an entry can be in, if there is just one.
    pub fn class_of(&self, table: &OutsiderClasses, entry: usize) -> Option<usize> {
        self.only_class(&self.candidates(table, entry))
    }

    /// The only class of some groups, if there is just one.
    fn only_class(&self, groups: &[u32]) -> Option<usize> {
        match groups {
            &[group] => match self.linker.groups()[group as usize].classes.as_slice() {
                &[class] => Some(class as usize),
                _ => None,
            },
            _ => None,
        }
    }
}

impl KnownColumn {
    fn new(table: &OutsiderClasses, place: usize, quasi: &AuditedQuasi, written: Written<'_>) -> Result<Self> {
        let texts = table.labels(place);
        let is_missing = |text: &String| text == written.missing;
        let marker = texts.iter().any(is_missing).then_some(written.missing);
        let present = texts.iter().filter(|text| !is_missing(text)).cloned();
        let reading = Reading { marks: written.marks, dates: quasi.dates };
        let dictionary = Dictionary::new(present, marker, reading);
        let code = |text: &String| if is_missing(text) { dictionary.missing() } else { dictionary.code(text) };
        let codes: Vec<Option<u32>> = texts.iter().map(code).collect();
        let mut counts = vec![0; dictionary.len()];
        for (entry, &size) in table.sizes().iter().enumerate() {
            if let Some(code) = codes[table.key(entry)[place] as usize] {
                counts[code as usize] += size;
            }
        }
        let values = ColumnValues { name: &quasi.name, dictionary: &dictionary, counts: &counts, may_print: true };
        let hierarchy = quasi.hierarchy.as_ref().map(|spec| spec.build(&values, written.folder)).transpose()?;
        Ok(Self { dictionary, hierarchy, codes })
    }
}

fn link(columns: &[KnownColumn], pairs: &[(usize, usize)], release: &OutsiderClasses) -> Link {
    let (mut covering, mut legible) = (Vec::new(), Vec::new());
    for &(place, column) in pairs {
        let KnownColumn { dictionary, hierarchy, codes } = &columns[place];
        let labels = release.labels(column);
        let by_code = covers(labels, dictionary, hierarchy.as_ref());
        legible.push(Legible::new(labels, &by_code, dictionary.column_type()));
        let of_text = |code: &Option<u32>| code.map_or_else(Vec::new, |code| by_code[code as usize].clone());
        covering.push(codes.iter().map(of_text).collect());
    }
    let (places, known): (Vec<usize>, Vec<usize>) = pairs.iter().copied().unzip();
    Link { covering, legible, places, linker: Linker::new(release, &known) }
}
