//! Do the rows of a release stand in the order of its original?

use arrow_array::Array;

use crate::attack::Scene;
use crate::outsider::SUPPRESSED_CELL;
use shoal_core::Result;
use shoal_core::table::MissingMarkers;
use shoal_core::warning::Warning;
use shoal_format::TableReader;

/// The first rows of a release and of its original, by their quasi-identifiers and then their sensitive columns.
#[derive(Debug)]
pub struct Beginnings {
    release: Beginning,
    original: Beginning,
}

#[derive(Debug)]
struct Beginning {
    rows: Vec<Vec<String>>,
    /// Are there more?
    is_cut: bool,
}

/// How many rows of a release are looked at.
const ROWS: usize = 4_000;

/// So many more rows must find their place in the order of the original than in another one.
const DIFFERENCE: usize = 20;

impl Beginnings {
    /// Reads as many rows as it takes. `columns` are in both tables; `share` is that of the original's rows which are in the release.
    pub fn read(
        release: (&mut dyn TableReader, &MissingMarkers),
        original: (&mut dyn TableReader, &MissingMarkers),
        columns: &[String],
        share: f64,
    ) -> Result<Self> {
        let of_original = (ROWS as f64 / share.clamp(0.01, 1.0)).ceil() as usize;
        let mut of_release = Beginning::read(release, columns, ROWS)?;
        of_release.rows.retain(|row| row.iter().any(|cell| cell != SUPPRESSED_CELL));
        Ok(Self { release: of_release, original: Beginning::read(original, columns, of_original)? })
    }

    /// What to say if the release stands in the order of its original. `known` are the quasi-identifiers that both have, in the order in
    /// which the beginnings were read.
    pub(super) fn warning(&self, scene: &Scene<'_>) -> Option<Warning> {
        let original = scene.original.as_ref()?;
        let fits = |shown: &[String], row: &[String]| {
            let quasi = (0..original.known.len())
                .all(|place| original.may_show(place, &row[place], &shown[place], scene.classes));
            let sensitive = shown.iter().zip(row).skip(original.known.len()).zip(scene.columns);
            quasi
                && sensitive.into_iter().all(|((shown, own), column)| {
                    shown == own || column.code(shown).is_some_and(|code| code as usize >= column.leaves())
                })
        };
        let in_order = self.placed(self.release.rows.iter(), &fits);
        let is_in_order = in_order == self.release.rows.len()
            || (self.original.is_cut && in_order * 5 >= self.release.rows.len() * 4);
        if !is_in_order {
            return None;
        }
        let control = self.placed(scattered(&self.release.rows), &fits);
        (control + DIFFERENCE.min(in_order / 2) < in_order).then(|| {
            Warning::new(
                "order-of-rows",
                "the rows stand in the order of the original: whoever knows somebody's place in it has their row, and whoever has \
                 two releases in this order can lay them side by side; `shuffle = true` in [output], the default, prevents it",
            )
        })
    }

    /// How many rows find one after the other a row of the original that they may show, each after that of the row before.
    fn placed<'r>(
        &self,
        rows: impl Iterator<Item = &'r Vec<String>>,
        fits: &impl Fn(&[String], &[String]) -> bool,
    ) -> usize {
        let mut original = self.original.rows.iter();
        rows.take_while(|shown| original.any(|row| fits(shown, row))).count()
    }
}

/// The same rows in an order that has nothing to do with theirs.
fn scattered(rows: &[Vec<String>]) -> impl Iterator<Item = &Vec<String>> {
    // Steps of a length that has no divisor in common with the number of rows come to each row once.
    let gcd = |mut a: usize, mut b: usize| {
        while b > 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    let count = rows.len().max(1);
    let golden = (count as f64 * 0.618_033_988_75) as usize;
    let step = (golden.max(1)..).find(|&step| gcd(step, count) == 1).unwrap_or(1);
    (0..rows.len()).map(move |place| &rows[(place * step + count / 2) % count])
}

impl Beginning {
    fn read(
        (reader, markers): (&mut dyn TableReader, &MissingMarkers),
        columns: &[String],
        most: usize,
    ) -> Result<Self> {
        let places: Vec<usize> =
            columns.iter().filter_map(|name| reader.columns().iter().position(|column| column == name)).collect();
        let mut rows = Vec::new();
        while rows.len() <= most {
            let Some(batch) = reader.next_batch()? else { break };
            let texts = places.iter().map(|&place| batch.columns[place].text()).collect::<Result<Vec<_>>>()?;
            for row in 0..batch.rows().min(most + 1 - rows.len()) {
                let cell = |text: Option<&str>| {
                    text.filter(|text| !markers.contain(text)).unwrap_or(markers.first()).to_owned()
                };
                rows.push(texts.iter().map(|texts| cell(texts.is_valid(row).then(|| texts.value(row)))).collect());
            }
        }
        let is_cut = rows.len() > most;
        rows.truncate(most);
        Ok(Self { rows, is_cut })
    }
}
