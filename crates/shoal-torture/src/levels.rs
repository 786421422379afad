//! What does each value of a column become, level by level, and how many leaves lie below?

use std::collections::{BTreeMap, HashMap};

use crate::calendar::Day;
use crate::decimal;
use crate::hierarchy::Hierarchy;
use crate::quantiles;

/// A hierarchy over the values of a column, worked out value by value.
#[derive(Debug, Clone)]
pub struct Levels {
    /// For each leaf, its labels from itself to the root.
    paths: HashMap<String, Vec<String>>,
    /// On each level, the number of leaves below each label.
    leaves: Vec<HashMap<String, u64>>,
}

impl Levels {
    /// The levels over these values and how often each occurs; `missing` marks a missing one. None where several levels would
    /// do, and only the program knows which it takes.
    pub fn new(hierarchy: &Hierarchy, values: &BTreeMap<&str, u64>, missing: &str, date_format: &str) -> Option<Self> {
        let present: Vec<&str> = values.keys().copied().filter(|&value| value != missing).collect();
        let mut paths: HashMap<String, Vec<String>> = match hierarchy {
            Hierarchy::File { .. } | Hierarchy::Tree(_) => {
                hierarchy.listed_rows()?.into_iter().map(|row| (row[0].clone(), row)).collect()
            }
            _ => {
                let longest = present.iter().map(|value| value.chars().count()).max().unwrap_or(0);
                let by_frequency = match hierarchy {
                    Hierarchy::Quantiles(groups) => quantiles::groups(values, missing, groups)?,
                    _ => HashMap::new(),
                };
                let inner = |value: &str| match by_frequency.get(value) {
                    Some(labels) => Some(labels.clone()),
                    None => inner_labels(hierarchy, value, longest, date_format),
                };
                let path = |value: &&str| {
                    let mut path = vec![(*value).to_owned()];
                    path.extend(inner(value)?);
                    path.push("*".to_owned());
                    Some(((*value).to_owned(), path))
                };
                present.iter().map(path).collect::<Option<_>>()?
            }
        };
        if values.contains_key(missing) && !paths.contains_key(missing) {
            // By itself under the root; where nothing else occurs, only parameters tell the height.
            let height = paths.values().next().map(|path| path.len() - 1).or_else(|| height_alone(hierarchy))?;
            let mut path = vec![missing.to_owned(); height];
            path.push("*".to_owned());
            paths.insert(missing.to_owned(), path);
        }
        let height = paths.values().next()?.len() - 1;
        let mut leaves = vec![HashMap::new(); height + 1];
        for path in paths.values() {
            for (level, label) in path.iter().enumerate() {
                *leaves[level].entry(label.clone()).or_insert(0) += 1;
            }
        }
        Some(Self { paths, leaves })
    }

    /// The number of the highest level.
    pub fn height(&self) -> usize {
        self.leaves.len() - 1
    }

    /// All leaves.
    pub fn domain(&self) -> u64 {
        self.leaves[self.height()]["*"]
    }

    /// What a value becomes on a level.
    pub fn label(&self, value: &str, level: usize) -> &str {
        &self.paths[value][level]
    }

    /// The leaves that become the same as a value on a level.
    pub fn group<'a>(&'a self, value: &'a str, level: usize) -> impl Fn(&str) -> bool + 'a {
        move |leaf| self.paths.get(leaf).is_some_and(|path| path[level] == self.paths[value][level])
    }

    /// The labels of a value from itself to the root.
    pub fn path(&self, value: &str) -> Option<&[String]> {
        self.paths.get(value).map(Vec::as_slice)
    }

    /// How many leaves lie below a label of a level.
    pub fn leaves_under(&self, level: usize, label: &str) -> u64 {
        self.leaves[level][label]
    }

    /// All leaves with their paths.
    pub fn paths(&self) -> impl Iterator<Item = (&String, &Vec<String>)> {
        self.paths.iter()
    }

    /// The leaves below a text that is a label somewhere, if it means the same wherever it stands.
    pub fn leaves_of_text(&self, text: &str) -> Option<u64> {
        let mut counts: Vec<u64> = self.leaves.iter().filter_map(|level| level.get(text).copied()).collect();
        counts.dedup();
        (counts.len() == 1).then(|| counts[0])
    }

    /// Does a label stand on two levels for different things? Then its text alone does not tell what it covers.
    pub fn has_collisions(&self) -> bool {
        let mut seen: BTreeMap<&str, u64> = BTreeMap::new();
        self.leaves.iter().flatten().any(|(label, &count)| *seen.entry(label).or_insert(count) != count)
    }
}

/// The height of a generated hierarchy over no values at all.
fn height_alone(hierarchy: &Hierarchy) -> Option<usize> {
    Some(match hierarchy {
        Hierarchy::Intervals { widths, .. } => widths.len() + 1,
        Hierarchy::Dates { periods, .. } => periods.len() + 1,
        Hierarchy::Quantiles(groups) => groups.len() + 1,
        Hierarchy::Mask { length, .. } => length.unwrap_or(0).max(1),
        _ => 1,
    })
}

/// The labels between a value and the root.
fn inner_labels(hierarchy: &Hierarchy, value: &str, longest: usize, date_format: &str) -> Option<Vec<String>> {
    Some(match hierarchy {
        Hierarchy::Intervals { widths, origin, bottom, top } => {
            let number = decimal::parse(value)?;
            widths.iter().map(|&width| interval(number, width, origin.unwrap_or(0), *bottom, *top)).collect()
        }
        Hierarchy::Mask { from_left, character, length } => {
            let longest = length.unwrap_or(longest);
            (1..longest).map(|hidden| masked(value, longest - hidden, hidden, *character, *from_left)).collect()
        }
        Hierarchy::Dates { periods, format } => {
            let day = Day::parse(value, format.as_deref().unwrap_or(date_format))?;
            periods.iter().map(|period| day.label(period)).collect()
        }
        _ => Vec::new(),
    })
}

fn interval(number: i128, width: i128, origin: i128, bottom: Option<i128>, top: Option<i128>) -> String {
    if let Some(bottom) = bottom.filter(|&bottom| number < bottom) {
        return format!("< {}", decimal::write(bottom));
    }
    if let Some(top) = top.filter(|&top| number >= top) {
        return format!(">= {}", decimal::write(top));
    }
    let from = number - (number - origin).rem_euclid(width);
    let below = from + width;
    let (from, below) = (bottom.map_or(from, |b| from.max(b)), top.map_or(below, |t| below.min(t)));
    format!("[{}, {})", decimal::write(from), decimal::write(below))
}

/// A value of which `shown` characters are left and the rest is hidden; a shorter one stays as it is.
fn masked(value: &str, shown: usize, hidden: usize, character: char, from_left: bool) -> String {
    let characters: Vec<char> = value.chars().collect();
    if characters.len() <= shown {
        return value.to_owned();
    }
    let mask = character.to_string().repeat(hidden);
    if from_left {
        let rest: String = characters[characters.len() - shown..].iter().collect();
        return mask + &rest;
    }
    characters[..shown].iter().collect::<String>() + &mask
}
