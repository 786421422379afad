//! What are the counts of a table whose columns have got other roles?

use std::sync::Arc;

use shoal_core::frequency::TupleCounter;

use crate::policy::{Policy, Role};
use crate::source::Counted;

/// What was counted, grouped by these of its columns, in the order of a policy; whose rows they are stays behind them.
pub(super) fn regroup(counted: &Counted, policy: &Policy, columns: &[usize]) -> Counted {
    let person = counted.layout.person.then(|| counted.dictionaries.len() - 1);
    let columns: Vec<usize> = columns.iter().copied().chain(person).collect();
    let quasi = policy.with_role(Role::QuasiIdentifier).count();
    let dictionaries: Vec<_> = columns.iter().map(|&column| Arc::clone(&counted.dictionaries[column])).collect();
    let sizes: Vec<usize> = dictionaries.iter().map(|dictionary| dictionary.len()).collect();
    let same_codes: Vec<Vec<u32>> = sizes.iter().map(|&size| (0..size as u32).collect()).collect();
    let mut counter = TupleCounter::new(columns.len());
    let mut tuple = vec![0; columns.len()];
    counted.each_tuple(|codes, count| {
        tuple.iter_mut().zip(&columns).for_each(|(code, &column)| *code = codes[column]);
        counter.add_times(&tuple, count);
    });
    let tuples = counter.finish(quasi, &same_codes, &sizes);
    Counted {
        dictionaries,
        tuples: Arc::new(if person.is_some() { tuples.of_people() } else { tuples }),
        rows: counted.rows,
        dropped_rows: counted.dropped_rows,
        layout: policy.layout(&counted.layout.names),
        repeats: counted.repeats.clone(),
        telling: counted.telling.clone(),
        households: counted.households.clone(),
        read_seconds: 0.0,
        kept: counted.kept.clone(),
    }
}
