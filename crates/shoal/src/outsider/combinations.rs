//! What does each class hold, whether it fits into memory or not?

use std::collections::BTreeMap;
use std::ops::Range;

use rayon::prelude::*;

use super::by_class::ByClass;
use super::members::Members;
use super::text_counts::{TextCounts, renumber};
use super::texts::Texts;
use shoal_core::Result;
use shoal_core::spill::{MemoryLimit, Merge, Runs, Sorter};

/// What one thread counts. Where a limit is set, combinations that exceed its share of it are put away; the texts stay.
#[derive(Debug)]
pub(super) struct CountedByThread {
    pub(super) counts: TextCounts,
    put_away: Option<Runs>,
}

impl CountedByThread {
    pub(super) fn new(counts: TextCounts) -> Self {
        Self { counts, put_away: None }
    }

    /// Puts away what takes too much memory. To be called every few thousand rows.
    pub(super) fn keep_within(&mut self, limit: &MemoryLimit) -> Result<()> {
        let share = limit.share();
        let most = share.saturating_sub(self.counts.texts().memory()).max(share / 8);
        if self.counts.bytes_of_combinations() <= most {
            return Ok(());
        }
        let runs = match &mut self.put_away {
            Some(runs) => runs,
            none => none.insert(Runs::new(limit)?),
        };
        runs.write(width(self.counts.texts().columns()), self.counts.combinations())?;
        self.counts.clear();
        Ok(())
    }

    /// All combinations under new numbers, in sorted runs.
    fn sorted(mut self, renumbered: &[Vec<u32>], limit: &MemoryLimit) -> Result<Runs> {
        let renumber = |combination: &[u32]| -> Box<[u32]> { renumber(combination, renumbered).collect() };
        let mut sorter = Sorter::new(width(renumbered.len()), limit)?;
        for run in 0..self.put_away.as_ref().map_or(0, Runs::len) {
            let Some(runs) = &self.put_away else { break };
            let mut reader = runs.read::<Box<[u32]>>(run, BUFFER);
            while let Some((combination, count)) = reader.next_entry()? {
                sorter.push(renumber(&combination), count)?;
            }
        }
        for (combination, count) in self.counts.combinations() {
            sorter.push(renumber(&combination), count)?;
        }
        sorter.finish()
    }
}

/// Bytes that are read at a time of a list that is read by itself.
const BUFFER: usize = 1 << 18;

/// The bytes of a combination in a file.
fn width(columns: usize) -> usize {
    size_of::<u32>() * columns
}

/// What all threads have counted.
#[derive(Debug)]
pub(super) struct Combinations {
    pub(super) texts: Texts,
    quasi: usize,
    /// All classes, unless they are in files.
    by_class: ByClass,
    /// All combinations in the order of their numbers, so that those of a class come one after the other.
    sorted: Vec<Runs>,
    buffers: usize,
}

impl Combinations {
    /// What was counted by one.
    pub(super) fn held(quasi: usize, counts: TextCounts) -> Self {
        Self::in_memory(quasi, counts, [])
    }

    fn in_memory(quasi: usize, first: TextCounts, others: impl IntoIterator<Item = TextCounts>) -> Self {
        let (texts, by_class) = ByClass::join(first, others);
        Self { texts, quasi, by_class, sorted: Vec::new(), buffers: 0 }
    }

    /// What threads have counted of so many quasi-identifiers and columns, the person included.
    pub(super) fn join(
        (quasi, columns): (usize, usize),
        threads: Vec<CountedByThread>,
        limit: Option<&MemoryLimit>,
    ) -> Result<Self> {
        let total: usize = threads.iter().map(|thread| thread.counts.bytes_of_combinations()).sum();
        let fits =
            |limit: &&MemoryLimit| threads.iter().all(|thread| thread.put_away.is_none()) && total <= limit.bytes() / 2;
        let Some(limit) = limit.filter(|limit| !fits(limit)) else {
            let mut counts = threads.into_iter().map(|thread| thread.counts);
            let first = counts.next().unwrap_or_else(|| TextCounts::new(quasi, columns));
            return Ok(Self::in_memory(quasi, first, counts));
        };
        let (mut texts, by_class) = (Texts::new(columns), ByClass::nothing(quasi, columns));
        let mut sorted = Vec::with_capacity(threads.len());
        for thread in threads {
            let renumbered = texts.adopt(thread.counts.texts());
            sorted.push(thread.sorted(&renumbered, limit)?);
        }
        Ok(Self { texts, quasi, by_class, sorted, buffers: limit.bytes() / 8 })
    }

    /// Every class once: the numbers of its texts, and its members.
    pub(super) fn each_class(&self, mut act: impl FnMut(&[u32], &Members)) -> Result<()> {
        let mut members = self.nobody();
        for class in 0..self.by_class.classes() {
            self.by_class.read(class, &mut members);
            act(self.by_class.shown(class), &members);
        }
        self.each_in_files(act)
    }

    /// How many collect where classes are looked at side by side.
    pub(super) fn parts(&self) -> usize {
        self.by_class.ranges().len() + usize::from(!self.sorted.is_empty())
    }

    /// The same side by side: several collect what they see of some classes each.
    pub(super) fn fold_classes<T: Send>(
        &self,
        new: impl Fn() -> T + Sync,
        act: impl Fn(&mut T, &[u32], &Members) + Sync,
    ) -> Result<Vec<T>> {
        let collect = |classes: Range<usize>| {
            let (mut collected, mut members) = (new(), self.nobody());
            for class in classes {
                self.by_class.read(class, &mut members);
                act(&mut collected, self.by_class.shown(class), &members);
            }
            collected
        };
        let mut all: Vec<T> = self.by_class.ranges().into_par_iter().map(collect).collect();
        if !self.sorted.is_empty() {
            let mut collected = new();
            self.each_in_files(|shown, members| act(&mut collected, shown, members))?;
            all.push(collected);
        }
        Ok(all)
    }

    /// What is in files is sorted, and then nothing else is in memory.
    fn each_in_files(&self, mut act: impl FnMut(&[u32], &Members)) -> Result<()> {
        let mut merge = Merge::<Box<[u32]>>::new(&self.sorted, self.buffers)?;
        let (mut class, mut members): (Vec<u32>, Members) = (Vec::new(), self.nobody());
        while let Some((combination, count)) = merge.next_entry()? {
            let (shown, held) = combination.split_at(self.quasi);
            if shown != class {
                if !members.is_empty() {
                    act(&class, &members);
                }
                members.clear();
                class.clear();
                class.extend_from_slice(shown);
            }
            members.push(held.iter().copied(), count);
        }
        if !members.is_empty() {
            act(&class, &members);
        }
        Ok(())
    }

    fn nobody(&self) -> Members {
        Members::new(self.texts.columns() - self.quasi)
    }

    /// The same combinations without their last column, each counted as often as the text of that column says; none if one
    /// is no number, or zero: a value that nobody has would make a class look more diverse than it is. To be asked where no limit was set.
    pub(super) fn weighted(self) -> Option<Self> {
        let last = self.texts.columns().checked_sub(1)?;
        let weight = |text: &&str| text.parse().ok().filter(|&weight: &u64| weight > 0);
        let weights: Vec<u64> = self.texts.of_column(last).iter().map(weight).collect::<Option<_>>()?;
        let by_class = self.by_class.weighted(&weights)?;
        Some(Self { texts: self.texts.without_last(), by_class, ..self })
    }

    /// Does each text of the first column, which is the only quasi-identifier, occur as often as it does in others?
    pub(super) fn has_the_totals_of(&self, others: &Self) -> bool {
        self.totals() == others.totals()
    }

    fn totals(&self) -> BTreeMap<&str, u64> {
        let texts = self.texts.of_column(0);
        let total = |class: usize| (texts[self.by_class.shown(class)[0] as usize], self.by_class.rows(class));
        (0..self.by_class.classes()).map(total).collect()
    }
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use arrow_array::StringArray;
    use proptest::prelude::*;

    use super::super::text_counts::Whom;
    use super::*;
    use shoal_core::table::MissingMarkers;
    use shoal_format::Rows;

    /// Two quasi-identifiers, a sensitive column, and whose the row is.
    type Row = ([Option<String>; 3], u32);
    /// Of each class, by its texts: how many rows there are of each text and person.
    type Classes = BTreeMap<Vec<String>, BTreeMap<(String, Option<String>), u64>>;

    /// Who knows whose the rows are.
    #[derive(Debug, Clone, Copy)]
    enum Known {
        Nobody,
        ByText,
        ByNumber,
    }

    fn markers() -> MissingMarkers {
        MissingMarkers::new(vec!["?".to_owned(), String::new()])
    }

    /// What a thread counts of some rows.
    fn counted(rows: &[&Row], known: Known, limit: Option<&MemoryLimit>) -> CountedByThread {
        let column = |column: usize| rows.iter().map(|row| row.0[column].as_deref()).collect::<StringArray>();
        let cells = Rows::of_arrays(rows.len(), (0..3).map(|at| Cow::Owned(column(at))).collect());
        let counts = match known {
            Known::Nobody => TextCounts::new(2, 3),
            Known::ByText | Known::ByNumber => TextCounts::listing(2, 4),
        };
        let mut thread = CountedByThread::new(counts);
        for (at, row) in rows.iter().enumerate() {
            let name = format!("person {}", row.1);
            let person = match known {
                Known::Nobody => None,
                Known::ByText => Some(Whom::Named(name.as_str())),
                Known::ByNumber => Some(Whom::Numbered(row.1)),
            };
            thread.counts.add_row(&cells, at, &[0, 1, 2], person, &markers(), &mut Vec::new());
            limit.map_or(Ok(()), |limit| thread.keep_within(limit)).unwrap();
        }
        thread
    }

    fn naive(rows: &[Row], known: Known) -> Classes {
        let shown = |cell: &Option<String>| cell.clone().filter(|text| !text.is_empty()).unwrap_or("?".to_owned());
        let mut classes = Classes::new();
        for (cells, person) in rows {
            let person = match known {
                Known::Nobody => None,
                Known::ByText => Some(format!("person {person}")),
                Known::ByNumber => Some(person.to_string()),
            };
            let class = classes.entry(cells[..2].iter().map(shown).collect()).or_default();
            *class.entry((shown(&cells[2]), person)).or_default() += 1;
        }
        classes
    }

    /// Adds what a class shows to what is known of all; every class must come once.
    fn note(classes: &mut Classes, texts: &Texts, shown: &[u32], members: &Members) {
        let text = |column: usize, number: u32| texts.of_column(column)[number as usize].to_owned();
        let mut class: BTreeMap<(String, Option<String>), u64> = BTreeMap::new();
        for (held, count) in members.iter() {
            let is_named = texts.columns() > 3 && texts.len(3) > 0;
            let named = |&person: &u32| if is_named { text(3, person) } else { person.to_string() };
            let person = held.get(1).map(named);
            *class.entry((text(2, held[0]), person)).or_default() += count;
        }
        let named = shown.iter().enumerate().map(|(column, &number)| text(column, number)).collect();
        assert!(classes.insert(named, class).is_none(), "a class comes once");
    }

    fn cell() -> impl Strategy<Value = Option<String>> {
        prop::option::of("[a-d?]{0,1}")
    }

    proptest! {
        #[test]
        fn classes_are_those_of_a_sorted_map_however_they_are_counted(
            rows in prop::collection::vec((prop::array::uniform3(cell()), prop_oneof![0u32..5, 65_530u32..65_540]), 0..80),
            threads in prop::collection::vec(0usize..4, 80),
            bytes in prop::sample::select(vec![None, Some(1), Some(1000), Some(5000), Some(1 << 20)]),
            known in prop::sample::select(vec![Known::Nobody, Known::ByText, Known::ByNumber]),
        ) {
            let limit = bytes.map(|bytes| MemoryLimit::new(bytes, std::env::temp_dir()));
            let of_thread = |thread: usize| -> Vec<&Row> {
                rows.iter().zip(&threads).filter(|pair| *pair.1 == thread).map(|pair| pair.0).collect()
            };
            let counted = (0..4).map(|thread| counted(&of_thread(thread), known, limit.as_ref())).collect();
            let columns = if matches!(known, Known::Nobody) { 3 } else { 4 };
            let found = Combinations::join((2, columns), counted, limit.as_ref()).unwrap();
            let slow = naive(&rows, known);

            let mut one_by_one = Classes::new();
            found.each_class(|shown, members| note(&mut one_by_one, &found.texts, shown, members)).unwrap();
            prop_assert_eq!(&one_by_one, &slow);
            let folded = found.fold_classes(Classes::new, |all, shown, members| note(all, &found.texts, shown, members));
            let folded = folded.unwrap();
            prop_assert_eq!(folded.iter().map(BTreeMap::len).sum::<usize>(), slow.len());
            prop_assert_eq!(folded.into_iter().flatten().collect::<Classes>(), slow);
            for column in 0..3 {
                let is_missing = rows.iter().any(|row| row.0[column].as_ref().is_none_or(|text| markers().contain(text)));
                prop_assert_eq!(found.texts.has_missing(column), is_missing);
            }
        }

        #[test]
        fn rows_count_as_often_as_their_last_column_says(
            rows in prop::collection::vec((0u32..4, 0u32..3, 1u64..1000), 0..40),
            split in 0usize..40,
        ) {
            let count = |rows: &[(u32, u32, u64)]| {
                let mut thread = CountedByThread::new(TextCounts::new(1, 3));
                for (class, value, weight) in rows {
                    let texts = [class.to_string(), value.to_string(), weight.to_string()];
                    let texts: Vec<Option<&str>> = texts.iter().map(|text| Some(text.as_str())).collect();
                    thread.counts.add_rows(&texts, None, 1, &markers(), &mut Vec::new());
                }
                thread
            };
            let (first, second) = rows.split_at(split.min(rows.len()));
            let counted = Combinations::join((1, 3), vec![count(first), count(second)], None).unwrap();
            let weighted = counted.weighted().unwrap();
            let mut slow: BTreeMap<String, u64> = BTreeMap::new();
            rows.iter().for_each(|row| *slow.entry(row.0.to_string()).or_default() += row.2);
            let found: BTreeMap<String, u64> =
                weighted.totals().into_iter().map(|(text, total)| (text.to_owned(), total)).collect();
            prop_assert_eq!(found, slow);
        }
    }

    #[test]
    fn counts_that_are_none_or_too_large_are_refused() {
        let weighted = |weights: &[&str]| {
            let mut counts = TextCounts::new(1, 3);
            for weight in weights {
                counts.add_rows(&[Some("1"), Some("flu"), Some(weight)], None, 1, &markers(), &mut Vec::new());
            }
            Combinations::held(1, counts).weighted().is_some()
        };
        let largest = u64::MAX.to_string();
        let largest = largest.as_str();
        assert!(weighted(&["2", "3"]) && weighted(&[largest]));
        assert!(!weighted(&["2", "many"]) && !weighted(&["-1"]) && !weighted(&["2", "0"]));
        assert!(!weighted(&[largest, "1"]) && !weighted(&[largest, largest]));
    }
}
