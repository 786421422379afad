//! Which records keep a release from being finer, and which columns make them rare?

use shoal_core::frequency::QuasiColumn;
use shoal_core::method::full_domain::{self, Blocking};

use super::Asked;
use super::change::{About, Change, ChangeKind, Ladder};
use super::suppression::{enough, percent};
use super::trial::Trials;
use crate::policy::Setting;
use crate::study::Candidate;

/// So many columns are worth asking for with rows left out.
const MOST: usize = 3;

/// Records that stand in the way of something.
///
/// ```
/// # fn main() -> shoal::Result<()> {
/// # use shoal::{LocalSource, Study, Unwatched, sample};
/// # let study = Study::count(LocalSource::in_memory(sample::patients()?), &sample::policy(4)?, &Unwatched)?;
/// use shoal::{AdviseOptions, Blocked};
///
/// let blocked: Vec<Blocked> = study.advise(&AdviseOptions::default(), &Unwatched)?.blocked;
/// assert!(blocked.iter().all(|one| one.finer.is_some() && one.rows <= 12));
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Blocked {
    /// The column that could be a level finer without them; none where there could be a release.
    pub finer: Option<String>,
    /// How many there are, those included that are left out now.
    pub rows: u64,
    /// How many of all rows that is.
    pub share: f64,
    /// By column, how many of them would stay if that column alone were not shown, most first; the column that would be finer is
    /// none of these. No value of them is told.
    pub rare_by: Vec<(String, u64)>,
}

/// For each column that could be a level finer, the records that are in the way, fewest first.
pub(super) fn below(candidate: &Candidate, trials: &Trials<'_>) -> Vec<Blocked> {
    let Some(node) = candidate.levels() else { return Vec::new() };
    let (table, study) = (candidate.table(), candidate.study());
    let mut blocked = Vec::new();
    for (place, column) in table.quasi.iter().enumerate() {
        let Some(level) = node.levels()[place].checked_sub(1).filter(|level| *level >= column.min_level) else {
            continue;
        };
        if trials.is_over() {
            break;
        }
        let blocking = full_domain::blocking(&study.task(), &node.with_level(place, level));
        blocked.push(Blocked::new(&blocking, Some(column.name.clone()), study));
    }
    blocked.sort_by_key(|one| one.rows);
    blocked
}

/// The records that fail even at the most general levels that the policy allows.
pub(super) fn at_the_top(asked: &Asked<'_>) -> Vec<Blocked> {
    // Where classes have labels of their own, levels tell nothing.
    if !asked.study.policy().method.method.showing(asked.study.policy().method.style).one_level {
        return Vec::new();
    }
    let top = asked.study.table().lattice().top().clone();
    let blocking = full_domain::blocking(&asked.study.task(), &top);
    vec![Blocked::new(&blocking, None, asked.study)]
}

/// Leaving out just as many rows as are in the way, where that is no more than half of them.
pub(super) fn leaving_out(asked: &Asked<'_>, blocked: &[Blocked]) -> Vec<Ladder> {
    let (spare, rows) = (asked.spare(), asked.study.table().rows);
    let in_the_way = blocked.iter().filter(|one| one.rows > spare && one.rows <= rows / 2).take(MOST);
    let change = |one: &Blocked| {
        let for_what = match &one.finer {
            Some(column) => format!("as many as keep `{column}` from being finer"),
            None => "as many as cannot be released".to_owned(),
        };
        let noun = if one.rows == 1 { "row" } else { "rows" };
        let what =
            format!("up to {} {noun} ({}) left out, {for_what}", one.rows, percent((one.share * 1e4).round() / 1e4));
        let settings = vec![Setting::new("max-suppressed", enough(one.rows, rows).to_string())];
        vec![Change { kind: ChangeKind::RowsLeftOut, what, settings, about: About::Suppression }]
    };
    in_the_way.map(change).collect()
}

impl Blocked {
    fn new(blocking: &Blocking, finer: Option<String>, study: &crate::study::Study) -> Self {
        let table = study.table();
        let is_other = |column: &QuasiColumn| finer.as_ref() != Some(&column.name);
        let named = table.quasi.iter().zip(&blocking.rare_by).filter(|(column, rows)| **rows > 0 && is_other(column));
        let mut rare_by: Vec<(String, u64)> = named.map(|(column, &rows)| (column.name.clone(), rows)).collect();
        rare_by.sort_by_key(|(_, rows)| std::cmp::Reverse(*rows));
        let share = blocking.rows as f64 / table.rows.max(1) as f64;
        Self { finer, rows: blocking.rows, share, rare_by }
    }
}
