//! Why are these levels not enough?

use shoal_core::Result;
use shoal_core::lattice::Node;
use shoal_core::method::Suppress;
use shoal_core::method::full_domain::{allows_levels, blocking, blocking_alone};

use super::Study;

/// What keeps a combination of levels from being a release: the records that fail, by requirement and by the columns that make them
/// rare. No value of them is told.
///
/// ```
/// # fn main() -> shoal::Result<()> {
/// # use shoal::{LocalSource, Study, Unwatched, sample};
/// # let study = Study::count(LocalSource::in_memory(sample::patients()?), &sample::policy(2)?, &Unwatched)?;
/// use shoal::Node;
///
/// // Twelve patients of six ages in three wards: as they are, most are alone.
/// let why = study.why_not(&Node::new(vec![0, 0]))?.expect("nobody is like anybody else");
/// assert_eq!((why.rows, why.allowed), (12, 0));
/// assert!(study.why_not(&Node::new(vec![3, 1]))?.is_none());
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WhyNot {
    /// How many records are in classes that fail.
    pub rows: u64,
    /// How many classes that is.
    pub classes: u64,
    /// How many records the policy allows to be left out.
    pub allowed: u64,
    /// By requirement, in the policy's order, how many records would have to be left out if it were the only one.
    pub by_requirement: Vec<(String, u64)>,
    /// By column, how many of the failing records would stay if that column alone were not shown, most first.
    pub rare_by: Vec<(String, u64)>,
}

impl Study {
    /// Why these levels are not enough, if they are not. An error where that is asked of whole people, and rows do not tell.
    pub fn why_not(&self, levels: &Node) -> Result<Option<WhyNot>> {
        let task = self.task();
        allows_levels(&task, levels)?;
        let blocking = blocking(&task, levels);
        let allowed = task.rows_to_spare();
        let is_enough = blocking.rows <= allowed && blocking.rows < task.table.rows;
        let people_are_left_out = task.suppress == Suppress::People && allowed > 0;
        if is_enough || people_are_left_out {
            task.refuse_whole_people("whether levels are enough")?;
        }
        if is_enough {
            return Ok(None);
        }
        let names = self.requirements.iter().map(|requirement| requirement.model.name());
        let by_requirement = names.zip(blocking_alone(&task, levels)).collect();
        let rare = task.table.quasi.iter().map(|column| column.name.clone()).zip(blocking.rare_by);
        let mut rare_by: Vec<(String, u64)> = rare.filter(|(_, rows)| *rows > 0).collect();
        rare_by.sort_by_key(|(_, rows)| std::cmp::Reverse(*rows));
        Ok(Some(WhyNot { rows: blocking.rows, classes: blocking.classes, allowed, by_requirement, rare_by }))
    }
}
