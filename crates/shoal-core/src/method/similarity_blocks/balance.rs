//! How far are the shares of sensitive values in the classes from equal?

use serde_json::json;

use super::Clusters;
use crate::frequency::CountedTable;
use crate::method::{Partition, Remark};

/// How uneven the values of classes are: equation 3 of (a,d)-diversity wants every P(S) near the mean, 1/c for the c values
/// of a class.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Imbalance {
    /// The mean over all records of the largest distance of a share from 1/c in their class.
    mean: f64,
    /// The largest of those.
    largest: f64,
    /// The share of records in classes whose values are all equally frequent.
    even: f64,
}

pub(super) fn remark(table: &CountedTable, partition: &Partition, column: usize, clusters: &Clusters) -> Remark {
    let imbalance = imbalance(table, partition, column);
    let Clusters { nearness, leftover_records, leftover_blocks, .. } = clusters;
    let rounded = |number: f64| (number * 1e4).round() / 1e4;
    Remark {
        key: "similarity_blocks",
        json: json!({
            "imbalance": { "mean": imbalance.mean, "largest": imbalance.largest, "even": imbalance.even },
            "leftover_blocks": leftover_blocks,
            "leftover_records": leftover_records,
            "mean_distance": nearness.mean_distance(),
            "nearest_found": nearness.share_of_nearest(),
        }),
        text: format!(
            "values of `{}` in a class differ from equal shares by {} on average, {} at most; {leftover_blocks} blocks and \
             {leftover_records} records were left over and joined classes; {}% of neighbours are known to be the nearest",
            table.sensitive[column].name(),
            rounded(imbalance.mean),
            rounded(imbalance.largest),
            (nearness.share_of_nearest() * 1e3).floor() / 10.0,
        ),
    }
}

fn imbalance(table: &CountedTable, partition: &Partition, column: usize) -> Imbalance {
    let value = |shows: u32| table.base.sensitive().tuple(shows)[column];
    let parts = partition.assignments.iter();
    let mut counts: Vec<(u32, u32, u64)> =
        parts.filter_map(|part| Some((part.class?, value(part.shows), part.count))).collect();
    counts.sort_unstable();
    let (mut sum, mut largest, mut even, mut rows) = (0.0, 0.0f64, 0, 0);
    for class in counts.chunk_by(|a, b| a.0 == b.0) {
        let by_value = class.chunk_by(|a, b| a.1 == b.1).map(|same| same.iter().map(|part| part.2).sum::<u64>());
        let size: u64 = class.iter().map(|part| part.2).sum();
        let mean = 1.0 / by_value.clone().count() as f64;
        let (least, most) = by_value.fold((u64::MAX, 0), |(least, most), count| (least.min(count), most.max(count)));
        let off = if least == most {
            even += size;
            0.0
        } else {
            (most as f64 / size as f64 - mean).max(mean - least as f64 / size as f64)
        };
        sum += off * size as f64;
        largest = largest.max(off);
        rows += size;
    }
    Imbalance { mean: sum / rows.max(1) as f64, largest, even: even as f64 / rows.max(1) as f64 }
}
