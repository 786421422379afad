//! How far apart are two records, with numbers and categories together?

use rust_decimal::prelude::ToPrimitive;

use crate::frequency::{CountedTable, QuasiColumn};

/// The quasi-identifier tuples of a table as points of a Euclidean space.
///
/// A number is one coordinate, standardized. A category has a coordinate for every node of its hierarchy below the root,
/// 0 or the root of 1/(2 height): the squared distance of two values is then the level of their lowest common ancestor over
/// the height. Because the space is Euclidean, a cluster has a centre, and squared distances to it add up as they should.
#[derive(Debug)]
pub(super) struct Space {
    numbers: usize,
    /// The coordinates of numbers, point after point.
    coordinates: Vec<f64>,
    categories: Vec<Category>,
    /// The codes of categories, point after point.
    codes: Vec<u32>,
    /// The number of records at each point.
    pub(super) counts: Vec<u64>,
}

/// A column whose values have no order.
#[derive(Debug)]
struct Category {
    weight: f64,
    height: usize,
    values: usize,
    /// The place of the node above each value among all nodes, level by level.
    node_of: Vec<u32>,
    /// The level at which every two values meet, where they are not too many.
    meeting: Vec<u8>,
}

/// The centre of some records.
#[derive(Debug, Clone)]
pub(super) struct Centre {
    records: f64,
    sums: Vec<f64>,
    /// The number of records under each node, category after category.
    nodes: Vec<Vec<f64>>,
    /// The sum of the squares of the numbers under the nodes of each category.
    squares: Vec<f64>,
}

/// Missing numbers are this far from present ones: farther than most numbers from each other.
const MISSING: f64 = 4.0;
const LARGEST_SQUARE: usize = 512;

impl Space {
    pub(super) fn new(table: &CountedTable) -> Self {
        let (ordered, others): (Vec<usize>, Vec<usize>) =
            (0..table.quasi.len()).partition(|&column| table.quasi[column].ordered);
        let scales: Vec<Vec<[f64; 2]>> = ordered.iter().map(|&column| standardized(&table.quasi[column])).collect();
        let points = table.base.classes();
        let mut coordinates = Vec::with_capacity(points * 2 * ordered.len());
        let mut codes = Vec::with_capacity(points * others.len());
        for point in 0..points {
            let code = |column: usize| table.base.code(point, column);
            ordered.iter().zip(&scales).for_each(|(&column, scale)| coordinates.extend(scale[code(column) as usize]));
            codes.extend(others.iter().map(|&column| code(column)));
        }
        Self {
            numbers: 2 * ordered.len(),
            coordinates,
            categories: others.iter().map(|&column| Category::new(&table.quasi[column])).collect(),
            codes,
            counts: table.base.sizes().to_vec(),
        }
    }

    fn coordinates(&self, point: u32) -> &[f64] {
        &self.coordinates[point as usize * self.numbers..][..self.numbers]
    }

    fn codes(&self, point: u32) -> &[u32] {
        let width = self.categories.len();
        &self.codes[point as usize * width..][..width]
    }

    /// The squared distance of two points; any number of at least `limit` if it is not below that.
    #[inline]
    pub(super) fn distance(&self, a: u32, b: u32, limit: f64) -> f64 {
        let numbers = self.coordinates(a).iter().zip(self.coordinates(b));
        let mut sum: f64 = numbers.map(|(a, b)| (a - b) * (a - b)).sum();
        for ((category, &a), &b) in self.categories.iter().zip(self.codes(a)).zip(self.codes(b)) {
            if sum >= limit {
                break;
            }
            if a != b {
                sum += category.weight * category.meeting_level(a, b) as f64 / category.height as f64;
            }
        }
        sum
    }

    /// The centre of no records.
    pub(super) fn nowhere(&self) -> Centre {
        Centre {
            records: 0.0,
            sums: vec![0.0; self.numbers],
            nodes: self.categories.iter().map(|category| vec![0.0; category.nodes()]).collect(),
            squares: vec![0.0; self.categories.len()],
        }
    }

    /// Adds so many records at a point to a centre, or takes them away.
    pub(super) fn shift(&self, centre: &mut Centre, point: u32, records: f64) {
        centre.records += records;
        let coordinates = self.coordinates(point);
        centre.sums.iter_mut().zip(coordinates).for_each(|(sum, coordinate)| *sum += records * coordinate);
        for (place, (category, &code)) in self.categories.iter().zip(self.codes(point)).enumerate() {
            for node in category.nodes_of(code) {
                let under = &mut centre.nodes[place][node];
                centre.squares[place] += records * (2.0 * *under + records);
                *under += records;
            }
        }
    }

    /// The squared distance of a point from a centre.
    pub(super) fn distance_from(&self, centre: &Centre, point: u32) -> f64 {
        let n = centre.records;
        let numbers = self.coordinates(point).iter().zip(&centre.sums);
        let mut sum: f64 = numbers.map(|(coordinate, sum)| (coordinate - sum / n) * (coordinate - sum / n)).sum();
        for (place, (category, &code)) in self.categories.iter().zip(self.codes(point)).enumerate() {
            let under: f64 = category.nodes_of(code).map(|node| centre.nodes[place][node]).sum();
            let height = category.height as f64;
            let apart = height - 2.0 * under / n + centre.squares[place] / (n * n);
            sum += category.weight * (apart / (2.0 * height)).max(0.0);
        }
        sum
    }

    /// The centre of some records, so many at each point.
    pub(super) fn centre(&self, records: impl Iterator<Item = (u32, u64)>) -> Centre {
        let mut centre = self.nowhere();
        records.for_each(|(point, count)| self.shift(&mut centre, point, count as f64));
        centre
    }

    /// The sum of squared distances of records from their centre, computed within the cluster's own points.
    pub(super) fn squared_error(&self, records: &[(u32, u64)]) -> f64 {
        // Half the mean of all squared distances between two: for small clusters far cheaper than their centre.
        let size: f64 = records.iter().map(|record| record.1 as f64).sum();
        if records.len() <= 64 {
            let mut sum = 0.0;
            for (place, &(a, count)) in records.iter().enumerate() {
                for &(b, other) in &records[..place] {
                    sum += (count * other) as f64 * self.distance(a, b, f64::INFINITY);
                }
            }
            return sum / size;
        }
        let centre = self.centre(records.iter().copied());
        records.iter().map(|&(point, count)| count as f64 * self.distance_from(&centre, point)).sum()
    }
}

/// The two coordinates of each value: how many standard deviations it is from the mean, and whether it is missing.
fn standardized(column: &QuasiColumn) -> Vec<[f64; 2]> {
    let dictionary = &column.dictionary;
    let kind = dictionary.column_type();
    let number = |text: &String| match kind.number(text) {
        Some(number) => number.to_f64(),
        None => kind.date(text).map(|date| f64::from(chrono::Datelike::num_days_from_ce(&date))),
    };
    let numbers: Vec<f64> = dictionary.present().iter().map(|text| number(text).unwrap_or(0.0)).collect();
    let weighted = || numbers.iter().zip(&column.counts).map(|(number, &count)| (number, count as f64));
    let rows: f64 = weighted().map(|(_, count)| count).sum::<f64>().max(1.0);
    let mean = weighted().map(|(number, count)| number * count).sum::<f64>() / rows;
    let variance = weighted().map(|(number, count)| (number - mean) * (number - mean) * count).sum::<f64>() / rows;
    let scale = column.weight.sqrt() / if variance > 0.0 { variance.sqrt() } else { 1.0 };
    let present = numbers.iter().map(|number| [(number - mean) * scale, 0.0]);
    present.chain(dictionary.missing().map(|_| [0.0, (MISSING * column.weight).sqrt()])).collect()
}

impl Category {
    fn new(column: &QuasiColumn) -> Self {
        let (values, height) = (column.dictionary.len(), column.hierarchy.height().max(1));
        let mut node_of = Vec::with_capacity(values * height);
        let mut before = 0;
        for level in column.hierarchy.levels().iter().take(height) {
            node_of.extend((0..values as u32).map(|code| before + level.node_of(code)));
            before += level.len() as u32;
        }
        let mut category = Self { weight: column.weight, height, values, node_of, meeting: Vec::new() };
        if values <= LARGEST_SQUARE {
            let all = 0..values as u32;
            let with = |a: u32| all.clone().map(move |b| (a, b));
            category.meeting = all.clone().flat_map(with).map(|(a, b)| category.climb(a, b) as u8).collect();
        }
        category
    }

    fn nodes(&self) -> usize {
        self.node_of.iter().max().map_or(0, |&last| last as usize + 1)
    }

    fn nodes_of(&self, code: u32) -> impl Iterator<Item = usize> + '_ {
        (0..self.height).map(move |level| self.node_of[level * self.values + code as usize] as usize)
    }

    fn climb(&self, a: u32, b: u32) -> usize {
        let node = |level: usize, code: u32| self.node_of[level * self.values + code as usize];
        (0..self.height).find(|&level| node(level, a) == node(level, b)).unwrap_or(self.height)
    }

    #[inline]
    fn meeting_level(&self, a: u32, b: u32) -> usize {
        match self.meeting.get(a as usize * self.values + b as usize) {
            Some(&level) => usize::from(level),
            None => self.climb(a, b),
        }
    }
}
