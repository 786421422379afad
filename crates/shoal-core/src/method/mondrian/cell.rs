//! How is a cell of the quasi-identifier space cut, so that every part satisfies all requirements?

use rayon::prelude::*;

use super::groups::{Gain, Groups, Split};
use super::span::{Ruler, Span, join_all, spans_of};
use super::{Choose, Cuts};
use crate::frequency::CountedTable;
use crate::method::{Acceptance, Member};

/// Cells of at most so many members are measured in all columns at once: what a cut does to the other columns counts,
/// too. In larger cells it hardly does anything to them, and looking would take as many passes as there are columns.
const MEASURED_WHOLE: usize = 4_096;
/// So many members are visited for trying cuts that some model may refuse, at most, beyond the first few.
const VISITS: usize = 1 << 24;
/// So many cuts are always tried.
const TRIES: usize = 16;

/// Cuts cells.
#[derive(Debug)]
pub(super) struct Cutter<'a> {
    pub(super) table: &'a CountedTable,
    pub(super) acceptance: &'a Acceptance<'a>,
    pub(super) rulers: &'a [Ruler<'a>],
    pub(super) cuts: Cuts,
    pub(super) choose: Choose,
}

/// The columns in which the members of a cell differ, and how.
struct View {
    columns: Vec<usize>,
    /// The span of each column.
    spans: Vec<Span>,
}

impl Cutter<'_> {
    #[inline]
    pub(super) fn code(&self, member: Member, column: usize) -> u32 {
        self.table.base.code(member.base as usize, column)
    }

    /// The spans of some members in all columns.
    pub(super) fn spans(&self, members: &[Member]) -> Vec<Span> {
        let mut spans = spans_of(self.rulers, self.table, members[0].base);
        let mut last = members[0].base;
        for member in members.iter().filter(|member| std::mem::replace(&mut last, member.base) != member.base) {
            for (column, (ruler, span)) in self.rulers.iter().zip(&mut spans).enumerate() {
                *span = ruler.join(*span, ruler.one(self.code(*member, column)));
            }
        }
        spans
    }

    /// The parts of a cell by the best cut that all requirements allow.
    pub(super) fn cut(&self, cell: &[Member]) -> Option<Vec<Vec<Member>>> {
        let rows: u64 = cell.iter().map(|member| member.count).sum();
        if rows < 2 * self.acceptance.least_size() {
            return None;
        }
        let spans = self.spans(cell);
        let differs = |&column: &usize| self.rulers[column].width(spans[column]) > 0.0;
        let view = View { columns: (0..spans.len()).filter(differs).collect(), spans };
        match self.choose {
            Choose::Objective => self.cut_by_gain(cell, &view),
            Choose::Width => self.cut_by_width(cell, &view),
        }
    }

    /// Cuts a cell until nothing more can be cut.
    pub(super) fn cut_completely(&self, cell: Vec<Member>, classes: &mut Vec<Vec<Member>>) {
        let mut cells = vec![cell];
        while let Some(cell) = cells.pop() {
            match self.cut(&cell) {
                Some(parts) => cells.extend(parts),
                None => classes.push(cell),
            }
        }
    }

    fn cut_by_gain(&self, cell: &[Member], view: &View) -> Option<Vec<Vec<Member>>> {
        let (least, relaxed) = (self.acceptance.least_size(), self.cuts == Cuts::Relaxed);
        let by_column: Vec<(Groups, Vec<Gain>)> = if cell.len() <= MEASURED_WHOLE {
            let code = |member: &Member| view.columns.iter().map(|&column| self.code(*member, column)).collect::<Vec<_>>();
            let codes: Vec<u32> = cell.iter().flat_map(code).collect();
            let of_column = |place| {
                let groups = self.groups_measured_whole(cell, view, &codes, place);
                let gains = groups.gains(self.rulers, &view.spans, least, relaxed);
                (groups, gains)
            };
            (0..view.columns.len()).map(of_column).collect()
        } else {
            let of_column = |&column: &usize| {
                let groups = self.groups_of_column(cell, view, column);
                let gains = groups.gains(&self.rulers[column..=column], &view.spans[column..=column], least, relaxed);
                (groups, gains)
            };
            view.columns.par_iter().map(of_column).collect()
        };
        let mut gains: Vec<Gain> = by_column.iter().flat_map(|(_, gains)| gains.iter().copied()).collect();
        gains.sort_unstable_by(|a, b| {
            b.gained.total_cmp(&a.gained).then_with(|| (a.column, a.cut).cmp(&(b.column, b.cut)))
        });
        gains.truncate(TRIES.max(VISITS / cell.len()));
        gains.into_iter().find_map(|Gain { column, cut, .. }| {
            let (groups, _) = by_column.iter().find(|(groups, _)| groups.column == column)?;
            self.allowed(cell, view, &groups.split(cut))
        })
    }

    /// The widest column that can be cut: at the median, or into the children of the node that covers its values.
    fn cut_by_width(&self, cell: &[Member], view: &View) -> Option<Vec<Vec<Member>>> {
        let mut columns = view.columns.clone();
        columns.sort_by(|&a, &b| {
            self.rulers[b].width(view.spans[b]).total_cmp(&self.rulers[a].width(view.spans[a])).then(a.cmp(&b))
        });
        let tries = TRIES.max(VISITS / cell.len());
        columns.into_iter().find_map(|column| {
            let groups = self.groups_of_column(cell, view, column);
            if groups.len() < 2 {
                return None;
            }
            if self.rulers[column].is_ordered() {
                let cuts = groups.medians(self.cuts == Cuts::Relaxed);
                return cuts.into_iter().take(tries).find_map(|cut| self.allowed(cell, view, &groups.split(cut)));
            }
            let everything_apart = Split::each_alone(&groups);
            let accepted: Vec<bool> =
                self.parts(cell, view, &everything_apart).iter().map(|part| self.accepts(part)).collect();
            let rest_accepted = |split: &Split<'_>| {
                self.parts(cell, view, split).last().is_some_and(|part| self.accepts(part))
            };
            groups.apart(&accepted, rest_accepted).map(|split| self.parts(cell, view, &split))
        })
    }

    pub(super) fn accepts(&self, members: &[Member]) -> bool {
        self.acceptance.accepts(members.iter().copied())
    }

    /// The parts of a split, if each may be a class.
    fn allowed(&self, cell: &[Member], view: &View, split: &Split<'_>) -> Option<Vec<Vec<Member>>> {
        let parts = self.parts(cell, view, split);
        parts.iter().all(|part| self.accepts(part)).then_some(parts)
    }

    fn parts(&self, cell: &[Member], view: &View, split: &Split<'_>) -> Vec<Vec<Member>> {
        let mut parts: Vec<Vec<Member>> = (0..split.parts).map(|_| Vec::new()).collect();
        let column = split.column();
        let (ruler, span) = (&self.rulers[column], view.spans[column]);
        let (divided, mut to_give) = split.divided.map_or((usize::MAX, 0), |(group, rows)| (group as usize, rows));
        for &member in cell {
            let group = split.group(ruler.group(span, self.code(member, column)));
            let part = split.part_of[group] as usize;
            if group != divided || to_give == 0 {
                parts[part].push(member);
                continue;
            }
            // Equal values at the median: as many as fit go to the part before.
            let given = to_give.min(member.count);
            to_give -= given;
            parts[part - 1].push(Member { count: given, ..member });
            if given < member.count {
                parts[part].push(Member { count: member.count - given, ..member });
            }
        }
        parts
    }

    /// The groups of a column, measured in all columns; `codes` are those of the columns that differ, member by member.
    fn groups_measured_whole(&self, cell: &[Member], view: &View, codes: &[u32], place: usize) -> Groups {
        let (width, column) = (view.columns.len(), view.columns[place]);
        let (ruler, span) = (&self.rulers[column], view.spans[column]);
        let group = |member: usize| u64::from(ruler.group(span, codes[member * width + place])) << 32 | member as u64;
        let mut order: Vec<u64> = (0..cell.len()).map(group).collect();
        order.sort_unstable();
        let mut groups = Groups::new(column, self.rulers.len(), ruler.is_ordered());
        let mut last = None;
        for key in order {
            let (id, member) = ((key >> 32) as u32, key as u32 as usize);
            if last.replace(id) != Some(id) {
                groups.push(id, cell[member].count, &spans_of(self.rulers, self.table, cell[member].base));
                continue;
            }
            let spans = groups.add(cell[member].count);
            for (&column, &code) in view.columns.iter().zip(&codes[member * width..]) {
                let ruler = &self.rulers[column];
                spans[column] = ruler.join(spans[column], ruler.one(code));
            }
        }
        groups
    }

    /// The groups of a column, measured in that column alone.
    fn groups_of_column(&self, cell: &[Member], view: &View, column: usize) -> Groups {
        let (ruler, span) = (&self.rulers[column], view.spans[column]);
        let mut rows_by_code = vec![0u64; self.table.quasi[column].dictionary.len()];
        cell.iter().for_each(|member| rows_by_code[self.code(*member, column) as usize] += member.count);
        let mut values: Vec<(u32, u64, Span)> = (0..)
            .zip(rows_by_code)
            .filter(|(_, rows)| *rows > 0)
            .map(|(code, rows)| (ruler.group(span, code), rows, ruler.one(code)))
            .collect();
        values.sort_by_key(|value| value.0);
        let mut groups = Groups::new(column, 1, ruler.is_ordered());
        for group in values.chunk_by(|a, b| a.0 == b.0) {
            let mut spans = [group[0].2];
            group.iter().for_each(|value| join_all(&self.rulers[column..=column], &mut spans, &[value.2]));
            groups.push(group[0].0, group.iter().map(|value| value.1).sum(), &spans);
        }
        groups
    }
}
