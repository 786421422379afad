//! How do the tests make counted tables, requirements, and the classes that an outsider would see?

// Each test crate uses only some of these.
#![allow(dead_code)]

pub mod naive;
mod naive_closeness;
pub mod naive_labels;
pub mod naive_objectives;
pub mod naive_people;
pub mod random;
pub mod releases;

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use shoal_core::exact::Ratio;
use shoal_core::frequency::{CountedTable, FrequencySet, QuasiColumn, SensitiveColumn, TableProfile, TupleCounter};
use shoal_core::hierarchy::{Hierarchy, Level};
use shoal_core::model::{
    Among, AnyParameters, DEFINITIONS, Definition, OneOrTwo, Quantity, Requirement, Scope, Subject,
};
use shoal_core::table::{Dictionary, DictionaryBuilder};

/// The labels of each leaf, from the leaf to the root.
pub type Paths = Vec<Vec<String>>;

/// A table as text, and what its columns are.
#[derive(Debug, Clone)]
pub struct Plan {
    pub quasi: Vec<Quasi>,
    pub sensitive: Vec<Sensitive>,
    /// The cells of the quasi-identifiers, then those of the sensitive columns.
    pub rows: Vec<Vec<String>>,
}

#[derive(Debug, Clone)]
pub struct Quasi {
    pub name: String,
    pub paths: Paths,
    pub weight: f64,
    pub min_level: u8,
    pub max_level: u8,
}

#[derive(Debug, Clone)]
pub struct Sensitive {
    pub name: String,
    pub paths: Option<Paths>,
    pub weight: f64,
}

impl Quasi {
    pub fn new(name: &str, paths: Paths) -> Self {
        let max_level = paths.first().map_or(1, |path| path.len() - 1) as u8;
        Self { name: name.to_owned(), paths, weight: 1.0, min_level: 0, max_level }
    }

    /// The label of a value at a level.
    pub fn label(&self, value: &str, level: u8) -> &str {
        &self.path(value)[usize::from(level)]
    }

    pub fn path(&self, value: &str) -> &[String] {
        self.paths.iter().find(|path| path[0] == value).expect("every value is a leaf")
    }

    pub fn height(&self) -> usize {
        self.paths[0].len() - 1
    }

    /// The number of leaves under a label of a level.
    pub fn leaves_under(&self, label: &str, level: u8) -> usize {
        self.paths.iter().filter(|path| path[usize::from(level)] == label).count()
    }
}

impl Sensitive {
    pub fn new(name: &str, paths: Option<Paths>) -> Self {
        Self { name: name.to_owned(), paths, weight: 1.0 }
    }
}

impl Plan {
    /// The counted table.
    pub fn count(&self) -> CountedTable {
        self.count_by(None)
    }

    /// The same, where each row is somebody's.
    pub fn count_people(&self, people: &[u32]) -> CountedTable {
        self.count_by(Some(people))
    }

    fn count_by(&self, people: Option<&[u32]>) -> CountedTable {
        let of_values = self.quasi.len() + self.sensitive.len();
        let columns = of_values + usize::from(people.is_some());
        let mut builders: Vec<DictionaryBuilder> = (0..columns).map(|_| DictionaryBuilder::default()).collect();
        let mut counter = TupleCounter::new(columns);
        let mut counts: Vec<HashMap<&str, u64>> = vec![HashMap::new(); columns];
        let mut tuple = vec![0; columns];
        let names: Vec<String> = people.unwrap_or_default().iter().map(u32::to_string).collect();
        for (place, row) in self.rows.iter().enumerate() {
            for (column, cell) in row.iter().chain(names.get(place)).enumerate() {
                tuple[column] = builders[column].code(cell);
                *counts[column].entry(cell).or_default() += 1;
            }
            counter.add(&tuple);
        }
        let (dictionaries, renamed): (Vec<Dictionary>, Vec<Vec<u32>>) =
            builders.into_iter().map(|builder| builder.finish("", false)).unzip();
        let domain_sizes: Vec<usize> = dictionaries.iter().map(Dictionary::len).collect();
        let counts_of = |column: usize| -> Vec<u64> {
            dictionaries[column].values().iter().map(|value| counts[column][value.as_str()]).collect()
        };
        let quasi = |(column, quasi): (usize, &Quasi)| QuasiColumn {
            name: quasi.name.clone(),
            dictionary: dictionaries[column].clone().into(),
            hierarchy: hierarchy(&quasi.paths, &dictionaries[column]),
            counts: counts_of(column),
            weight: quasi.weight,
            min_level: quasi.min_level,
            max_level: quasi.max_level,
            ordered: dictionaries[column].column_type().kind() != shoal_core::table::ValueKind::Text,
            round_ends: std::sync::OnceLock::new(),
        };
        let sensitive = |(place, sensitive): (usize, &Sensitive)| {
            let column = self.quasi.len() + place;
            let hierarchy = sensitive.paths.as_ref().map(|paths| hierarchy(paths, &dictionaries[column]));
            SensitiveColumn::new(&sensitive.name, &dictionaries[column], hierarchy, counts_of(column))
        };
        let base = counter.finish(self.quasi.len(), &renamed, &domain_sizes);
        let base = if people.is_some() { base.of_people() } else { base };
        CountedTable::new(
            self.quasi.iter().enumerate().map(quasi).collect(),
            self.sensitive.iter().enumerate().map(sensitive).collect(),
            self.sensitive.iter().map(|sensitive| sensitive.weight).collect(),
            base.into(),
            self.rows.len() as u64,
        )
    }

    /// What a row shows at a node.
    pub fn labels(&self, row: &[String], levels: &[u8]) -> Vec<String> {
        let cells = self.quasi.iter().zip(row).zip(levels);
        cells.map(|((quasi, cell), &level)| quasi.label(cell, level).to_owned()).collect()
    }

    /// The rows of each class at a node, by what they show: what an outsider would group.
    pub fn classes_at(&self, levels: &[u8]) -> BTreeMap<Vec<String>, Vec<usize>> {
        let mut classes: BTreeMap<Vec<String>, Vec<usize>> = BTreeMap::new();
        for (place, row) in self.rows.iter().enumerate() {
            classes.entry(self.labels(row, levels)).or_default().push(place);
        }
        classes
    }

    /// The sensitive cells of some rows.
    pub fn sensitive_cells(&self, rows: &[usize]) -> Vec<&[String]> {
        rows.iter().map(|&row| &self.rows[row][self.quasi.len()..]).collect()
    }

    /// How often each sensitive tuple occurs in some rows.
    pub fn sensitive_counts(&self, rows: &[usize]) -> BTreeMap<Vec<String>, u64> {
        let mut counts = BTreeMap::new();
        for cells in self.sensitive_cells(rows) {
            *counts.entry(cells.to_vec()).or_default() += 1;
        }
        counts
    }
}

/// A hierarchy from its paths: the leaves that occur come first, in the order of the dictionary.
pub fn hierarchy(paths: &Paths, dictionary: &Dictionary) -> Hierarchy {
    let by_leaf: HashMap<&str, &Vec<String>> = paths.iter().map(|path| (path[0].as_str(), path)).collect();
    let occurring = dictionary.values().iter().map(|value| by_leaf[value.as_str()]);
    let others = paths.iter().filter(|path| dictionary.code(&path[0]).is_none());
    let leaves: Vec<&Vec<String>> = occurring.chain(others).collect();
    let level = |level: usize| Level::from_labels(leaves.iter().map(|path| path[level].as_str()));
    Hierarchy::new((0..paths[0].len()).map(level).collect())
}

/// Paths of two levels: the value, and the root.
pub fn flat(values: impl IntoIterator<Item = impl Into<String>>) -> Paths {
    values.into_iter().map(|value| vec![value.into(), "*".to_owned()]).collect()
}

/// The rows of a file in the folder of the tests' data, its header first.
pub fn read_csv(path: &Path, delimiter: u8, has_header: bool) -> Vec<Vec<String>> {
    let reader = csv::ReaderBuilder::new().delimiter(delimiter).has_headers(has_header).from_path(path);
    let mut reader = reader.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let cells = |record: csv::StringRecord| record.iter().map(str::to_owned).collect();
    reader.records().map(|record| cells(record.unwrap_or_else(|error| panic!("{}: {error}", path.display())))).collect()
}

/// A file of the tests' own data.
pub fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../shoal-core/tests/data").join(name)
}

/// A requirement, its parameters written as in a policy.
pub fn requirement(table: &CountedTable, id: &str, column: usize, parameters: &str) -> Requirement {
    let definition = DEFINITIONS.iter().find(|definition| definition.id == id).expect("the definition is in the list");
    let value = toml::de::ValueDeserializer::parse(parameters).expect("parameters are TOML");
    let parameters = definition.parse(value).unwrap_or_else(|error| panic!("{id}: {error}"));
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shoal-core/tests/data");
    parameters.check(&folder).unwrap_or_else(|complaint| panic!("{id}: {}", complaint.error));
    resolve(
        definition,
        parameters.as_ref(),
        Subject { columns: &table.sensitive, index: column, folder: &folder, is_release: false },
    )
}

fn resolve(definition: &Definition, parameters: &dyn AnyParameters, subject: Subject<'_>) -> Requirement {
    let model = parameters.resolve(subject).unwrap_or_else(|error| panic!("{}: {error}", definition.id));
    let column = (definition.scope != Scope::Table).then(|| subject.column().name().to_owned());
    Requirement::new(definition.id, column, parameters.to_json(), model)
}

/// A requirement of the list of definitions, and what it is about.
#[derive(Debug)]
pub struct Sample {
    pub requirement: Requirement,
    /// The place of the sensitive column.
    pub column: usize,
    /// Is it asked of the blocks in which the other sensitive columns are equal?
    pub among: bool,
}

/// Every sample of every definition, on every sensitive column, with and without `among` where that makes sense.
pub fn samples(table: &CountedTable) -> Vec<Sample> {
    let mut samples = Vec::new();
    for definition in DEFINITIONS {
        let columns = if definition.scope == Scope::Table { 0..1 } else { 0..table.sensitive.len() };
        for index in columns {
            let subject = Subject { columns: &table.sensitive, index, folder: Path::new("."), is_release: false };
            for parameters in definition.samples(subject) {
                parameters.check(Path::new(".")).unwrap_or_else(|complaint| panic!("{}", complaint.error));
                let plain = || resolve(definition, parameters.as_ref(), subject);
                samples.push(Sample { requirement: plain(), column: index, among: false });
                if definition.scope == Scope::Diversity && table.sensitive.len() > 1 {
                    let Requirement { id, column, parameters, model, .. } = plain();
                    let model = Box::new(Among::new(model, index));
                    let requirement = Requirement::new(id, column, parameters, model);
                    samples.push(Sample { requirement, column: index, among: true });
                }
            }
        }
    }
    samples
}

/// The profile of a table that is released as it is.
pub fn profile(table: &CountedTable) -> TableProfile {
    TableProfile::of_input(&table.sensitive, table.rows)
}

/// The exact value of a quantity, which must be known exactly.
pub fn exactly(quantity: Quantity) -> Ratio {
    match quantity {
        Quantity::Exact(ratio) => ratio,
        other => panic!("{other:?} is not exact"),
    }
}

/// The only quantity of a model.
pub fn only(quantities: OneOrTwo<Quantity>) -> Quantity {
    match quantities {
        OneOrTwo::One(quantity) => quantity,
        two => panic!("{two:?} is not one quantity"),
    }
}

/// Both quantities of a model.
pub fn both(quantities: OneOrTwo<Quantity>) -> (Quantity, Quantity) {
    match quantities {
        OneOrTwo::Two(first, second) => (first, second),
        one => panic!("{one:?} is not two quantities"),
    }
}

/// The classes of a frequency set by the text of their labels, with the counts of their sensitive tuples as text.
pub fn as_text(
    table: &CountedTable,
    set: &FrequencySet,
    levels: &[u8],
) -> BTreeMap<Vec<String>, BTreeMap<Vec<String>, u64>> {
    let label = |class: usize, column: usize| {
        let level = table.quasi[column].hierarchy.level(usize::from(levels[column]));
        level.label(set.code(class, column)).to_owned()
    };
    let sensitive = |tuple: u32| {
        let codes = set.sensitive().tuple(tuple).iter().zip(&table.sensitive);
        codes.map(|(&code, column)| column.value(code).to_owned()).collect::<Vec<String>>()
    };
    let class = |class: usize| {
        let (codes, counts) = set.entries(class);
        let counts = codes.iter().zip(counts).map(|(&tuple, &count)| (sensitive(tuple), count)).collect();
        ((0..levels.len()).map(|column| label(class, column)).collect(), counts)
    };
    let text: BTreeMap<_, _> = (0..set.classes()).map(class).collect();
    assert_eq!(text.len(), set.classes(), "classes differ in what they show");
    text
}
