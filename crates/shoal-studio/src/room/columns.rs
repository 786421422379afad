//! What does each column show before and after, in the same bins?

use shoal::audit::ShownColumn;
use shoal::{Audit, Candidate};
use shoal_core::frequency::{CountedTable, QuasiColumn};
use shoal_core::method::{Label, Partition};
use shoal_core::objective::{Loss, Objective};

use super::finite;
use crate::bins::{Bins, MOST_BINS, Values};
use crate::wire::{Bar, Bin, Binned, ColumnAfter};

/// Every column of the release that says something about people.
pub fn columns(candidate: &Candidate, audit: &Audit) -> Vec<ColumnAfter> {
    let (counted, partition) = (candidate.table(), candidate.partition());
    let one = |(place, shown): (usize, &ShownColumn)| {
        let quasi = counted.quasi.get(place).filter(|column| column.name == shown.name);
        let level =
            quasi.zip(candidate.levels()).map(|(column, node)| [node.levels()[place], column.hierarchy.height() as u8]);
        let labels: Vec<Bar> = shown
            .labels
            .iter()
            .filter(|(_, rows)| *rows > 0)
            .map(|(label, rows)| Bar { label: label.clone(), rows: *rows })
            .collect();
        let utility = audit.utility.as_ref();
        let of_column = |name: &str| utility?.losses.columns.iter().find(|(known, _)| known == name);
        let loss = of_column(&shown.name).and_then(|(_, losses)| losses.iter().find(|(id, _)| *id == Loss.id()));
        let distance = utility.and_then(|utility| utility.marginals.iter().find(|(name, _)| *name == shown.name));
        let binned = match quasi {
            Some(column) => Some(of_quasi(column, partition, place)),
            None => of_sensitive(counted, partition, &shown.name),
        };
        ColumnAfter {
            name: shown.name.clone(),
            is_quasi: quasi.is_some(),
            level,
            binned,
            labels_after: labels.len() as u64,
            labels: most(labels),
            loss: loss.and_then(|(_, value)| finite(*value)),
            distance: distance.and_then(|(_, distance)| distance.as_ref()).map(|distance| distance.total_variation),
        }
    };
    audit.shown.iter().enumerate().map(one).collect()
}

/// In the order of labels as long as they are few; otherwise the most frequent first.
fn most(mut labels: Vec<Bar>) -> Vec<Bar> {
    if labels.len() > MOST_BINS {
        labels.sort_by_key(|bar| std::cmp::Reverse(bar.rows));
        labels.truncate(MOST_BINS);
    }
    labels
}

fn of_quasi(column: &QuasiColumn, partition: &Partition, place: usize) -> Binned {
    binned(&(&*column.dictionary).into(), &column.counts, &spread(column, partition, place))
}

fn of_sensitive(counted: &CountedTable, partition: &Partition, name: &str) -> Option<Binned> {
    let place = counted.sensitive.iter().position(|column| column.name() == name)?;
    let column = &counted.sensitive[place];
    let leaves = column.leaves().min(column.input_counts().len());
    let values = Values {
        texts: &column.values()[..leaves],
        column_type: column.column_type(),
        missing: column.missing().filter(|&code| (code as usize) < leaves),
    };
    Some(binned(&values, &column.input_counts()[..leaves], &shown(counted, partition, place, leaves)))
}

fn binned(values: &Values<'_>, before: &[u64], after: &[f64]) -> Binned {
    let bins = Bins::of(values, before);
    let ((befores, other_before), (afters, other_after)) = (bins.sums(before), bins.sums(after));
    let bin = |((label, before), after): ((String, u64), f64)| Bin { label, before, after };
    Binned {
        is_ordered: bins.is_ordered,
        values: values.texts.len() as u64,
        others: bins.others as u64,
        other: Bin { label: String::new(), before: other_before, after: other_after },
        bins: bins.labels.into_iter().zip(befores).zip(afters).map(bin).collect(),
    }
}

/// How many rows of the release could have each value of a quasi-identifier, as whoever reads it has to guess: those of a label in equal parts
/// on all values that it covers.
fn spread(column: &QuasiColumn, partition: &Partition, place: usize) -> Vec<f64> {
    let labels = partition.classes.labels(place);
    let mut rows = vec![0u64; labels.len()];
    for (class, size) in partition.class_sizes().into_iter().enumerate() {
        rows[partition.classes.place(class as u32, place) as usize] += size;
    }
    let mut after = vec![0.0; column.dictionary.len()];
    let mut nodes: Vec<Vec<u64>> = column.hierarchy.levels().iter().map(|level| vec![0; level.len()]).collect();
    for (label, rows) in labels.iter().zip(rows).filter(|(_, rows)| *rows > 0) {
        match label {
            &Label::Node { level, node } => nodes[usize::from(level)][node as usize] += rows,
            &Label::Range { first, last } | &Label::Between { first, last } | &Label::Number { first, last, .. } => {
                share(&mut after, rows, first..=last);
            }
            Label::Set(codes) | Label::Value { covers: codes, .. } => share(&mut after, rows, codes.iter().copied()),
        }
    }
    // All nodes of a level at once: values are many, and so are nodes.
    for (level, rows) in
        column.hierarchy.levels().iter().zip(nodes).filter(|(_, rows)| rows.iter().any(|&rows| rows > 0))
    {
        let mut values = vec![0u64; level.len()];
        (0..after.len()).for_each(|code| values[level.node_of(code as u32) as usize] += 1);
        for (code, after) in after.iter_mut().enumerate() {
            let node = level.node_of(code as u32) as usize;
            *after += rows[node] as f64 / values[node] as f64;
        }
    }
    after
}

fn share(after: &mut [f64], rows: u64, codes: impl Iterator<Item = u32> + Clone) {
    let part = rows as f64 / codes.clone().count() as f64;
    codes.for_each(|code| after[code as usize] += part);
}

/// How many rows of the release show each sensitive value; those of a generalized one in equal parts on what it covers.
fn shown(counted: &CountedTable, partition: &Partition, place: usize, leaves: usize) -> Vec<f64> {
    let columns = partition.sensitive_columns(counted);
    let tuples = partition.sensitive.as_ref().map_or(counted.base.sensitive(), |generalized| &generalized.tuples);
    let mut after = vec![0.0; leaves];
    for (_, tuple, rows) in partition.sensitive_rows() {
        let code = tuples.tuple(tuple)[place];
        match columns[place].covered(code) {
            [] => after[code as usize] += rows as f64,
            covered => covered.iter().for_each(|&leaf| after[leaf as usize] += rows as f64 / covered.len() as f64),
        }
    }
    after
}
