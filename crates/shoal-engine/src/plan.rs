//! Which mapping tables put a recoding on the rows of a table?
//!
//! Rows find their place by codes, just as they do when Shoal reads a file (`shoal_core::recode::PlacesTable` and `Dealer`): the value
//! of each column becomes a code, the codes together a place, the place labels.

use std::sync::Arc;

use shoal_core::method::Label;
use shoal_core::recode::{Recoding, Shows};

use crate::count::EngineColumns;
use crate::mapping::{MappingCells, MappingColumn, MappingTable};
use crate::natives::Natives;

/// What a recoding needs to know of the table that was counted.
#[derive(Debug, Clone, Copy)]
pub struct CountedValues<'a> {
    /// The columns of the table.
    pub columns: &'a EngineColumns,
    /// The values of the counted columns, as the engine writes them.
    pub natives: &'a [Arc<Natives>],
}

/// The mapping tables of a recoding.
#[derive(Debug)]
pub struct MappingPlan {
    /// What each counted column is looked up in, if it has to be.
    pub values: Vec<Option<ValueMap>>,
    /// Where rows go by their codes; nothing if all are released and their own values say what they show.
    pub places: Option<PlacesTable>,
    /// All mapping tables.
    pub tables: Vec<MappingTable>,
}

/// What the values of a column are looked up in: a table with the columns `value`, `code` and `label`.
#[derive(Debug)]
pub struct ValueMap {
    /// The name of the table.
    pub table: String,
    /// The code and the label of null, where it is a value; where it is none, rows with it are none of the release.
    pub null: Option<(u32, Option<String>)>,
}

/// Where rows go: a table with the columns `k0`, `k1`, .. for codes of counted columns, `class` and `shows`, and `after` and
/// `upto` where equal rows go to several places.
#[derive(Debug)]
pub struct PlacesTable {
    /// The counted columns by whose codes places are found. Behind them may stand whose row it is, whose number is its code.
    pub by: Vec<usize>,
    /// Do equal rows go to several places, by their number among them?
    pub has_numbers: bool,
    /// Is there a table of classes with what they show, in `c0`, `c1`, .. by quasi-identifier?
    pub has_classes: bool,
    /// Is there a table of generalized sensitive tuples, in `c0`, `c1`, .. by sensitive column?
    pub has_shown: bool,
}

/// The names of the mapping tables.
pub const PLACES: &str = "shoal_places";
/// What each class shows.
pub const CLASSES: &str = "shoal_classes";
/// What each generalized sensitive tuple shows.
pub const SHOWN: &str = "shoal_shown";

impl MappingPlan {
    /// The plan of a recoding.
    pub fn new(recoding: &Recoding<'_>, counted: CountedValues<'_>) -> Self {
        let finding = Finding::new(recoding);
        let mut tables = Vec::new();
        let places = finding.places(recoding, &mut tables);
        let by: &[usize] = places.as_ref().map_or(&[], |places| &places.by);
        let mut values = Vec::new();
        for (column, native) in counted.natives.iter().enumerate() {
            let shows = shown_by_value(recoding, column);
            let is_used = by.contains(&column) || shows.is_some();
            values.push(is_used.then(|| {
                let map = ValueMapping {
                    code: &|code| finding.code(recoding, column, code),
                    label: &|code| recoding.text_of_code(shows?, code).map(str::to_owned),
                };
                let table = format!("shoal_values_{column}");
                tables.push(map.table(&table, native));
                ValueMap { table, null: native.null().map(|code| ((map.code)(code), (map.label)(code))) }
            }));
        }
        Self { values, places, tables }
    }
}

/// What a counted column shows in the release, where its values have to be looked up for that: their labels, or themselves as text
/// beside the `*` of suppressed rows.
pub fn shown_by_value<'a>(recoding: &Recoding<'a>, counted: usize) -> Option<Shows<'a>> {
    let is_of_it = |shows: &Shows<'_>| match shows {
        Shows::Label(column) => *column == counted,
        Shows::Value(column) => *column == counted && recoding.shows_suppressed(),
        _ => false,
    };
    recoding.columns().iter().map(|column| column.shows).find(is_of_it)
}

/// What becomes of the values of a column.
struct ValueMapping<'a> {
    code: &'a dyn Fn(u32) -> u32,
    label: &'a dyn Fn(u32) -> Option<String>,
}

impl ValueMapping<'_> {
    fn table(&self, name: &str, native: &Natives) -> MappingTable {
        let (mut written, mut codes, mut labels) = (Vec::new(), Vec::new(), Vec::new());
        for (value, code) in native.iter() {
            written.push(value.to_owned());
            codes.push((self.code)(code));
            labels.push((self.label)(code));
        }
        let column = native.column.clone();
        let columns = vec![
            mapping_column("value", MappingCells::Keys { column, written }),
            mapping_column("code", MappingCells::Codes(codes)),
            mapping_column("label", MappingCells::Texts(labels)),
        ];
        MappingTable { name: name.to_owned(), columns }
    }
}

fn mapping_column(name: &str, cells: MappingCells) -> MappingColumn {
    MappingColumn { name: name.to_owned(), cells }
}

/// How rows find their places.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Finding {
    /// All are released.
    Everywhere,
    /// By the nodes of their quasi-identifiers: what is in no class is suppressed.
    ByNode,
    /// By their tuples.
    ByTuple {
        /// Does a tuple have several places?
        has_numbers: bool,
    },
}

impl Finding {
    fn new(recoding: &Recoding<'_>) -> Self {
        let mut has_numbers = false;
        recoding.each_tuple(|_, places| has_numbers |= places.len() != 1);
        let classes = recoding.classes();
        let has_nodes = || {
            (0..classes.columns())
                .all(|column| classes.labels(column).iter().all(|label| matches!(label, Label::Node { .. })))
        };
        match recoding.has_levels() && !has_numbers && has_nodes() {
            true if recoding.suppressed() == 0 => Self::Everywhere,
            true => Self::ByNode,
            false => Self::ByTuple { has_numbers },
        }
    }

    /// The code that a value has where places are looked up.
    fn code(self, recoding: &Recoding<'_>, column: usize, code: u32) -> u32 {
        match self {
            Self::ByNode if column < recoding.classes().columns() => recoding.node_of_code(column, code),
            Self::Everywhere | Self::ByNode | Self::ByTuple { .. } => code,
        }
    }

    fn places(self, recoding: &Recoding<'_>, tables: &mut Vec<MappingTable>) -> Option<PlacesTable> {
        let (quasi, counted) = (recoding.classes().columns(), recoding.tuple_width());
        let has = |wanted: fn(&Shows<'_>) -> bool| recoding.columns().iter().any(|column| wanted(&column.shows));
        match self {
            Self::Everywhere => None,
            Self::ByNode => {
                tables.push(places_by_node(recoding, quasi));
                let by = (0..quasi).collect();
                Some(PlacesTable { by, has_numbers: false, has_classes: false, has_shown: false })
            }
            Self::ByTuple { has_numbers } => {
                tables.push(places_by_tuple(recoding, counted, has_numbers));
                let has_classes = has(|shows| matches!(shows, Shows::OfClass(_)));
                let has_shown = has(|shows| matches!(shows, Shows::Sensitive(_)));
                if has_classes {
                    tables.push(classes(recoding, quasi));
                }
                if has_shown {
                    tables.push(shown(recoding));
                }
                Some(PlacesTable { by: (0..counted).collect(), has_numbers, has_classes, has_shown })
            }
        }
    }
}

fn places_by_node(recoding: &Recoding<'_>, quasi: usize) -> MappingTable {
    let classes = recoding.classes();
    let node = |class: u32, column: usize| match classes.label(class, column) {
        Label::Node { node, .. } => *node,
        _ => unreachable!("this way is taken only where all labels are nodes"),
    };
    let all = 0..classes.len() as u32;
    let key = |column: usize| MappingCells::Codes(all.clone().map(|class| node(class, column)).collect());
    let mut columns: Vec<_> = (0..quasi).map(|column| mapping_column(&format!("k{column}"), key(column))).collect();
    columns.push(mapping_column("class", MappingCells::Codes(all.collect())));
    MappingTable { name: PLACES.to_owned(), columns }
}

/// Suppressed rows have no place.
fn places_by_tuple(recoding: &Recoding<'_>, counted: usize, has_numbers: bool) -> MappingTable {
    let mut keys: Vec<Vec<u32>> = vec![Vec::new(); counted];
    let (mut classes, mut shown) = (Vec::new(), Vec::new());
    let (mut after, mut upto) = (Vec::new(), Vec::new());
    recoding.each_tuple(|codes, places| {
        let mut number = 0;
        for place in places {
            if let Some(class) = place.class {
                keys.iter_mut().zip(codes).for_each(|(key, &code)| key.push(code));
                classes.push(class);
                shown.push(place.shows);
                after.push(number);
                upto.push(number + place.count);
            }
            number += place.count;
        }
    });
    let key = |(at, codes): (usize, Vec<u32>)| mapping_column(&format!("k{at}"), MappingCells::Codes(codes));
    let mut columns: Vec<MappingColumn> = keys.into_iter().enumerate().map(key).collect();
    columns.push(mapping_column("class", MappingCells::Codes(classes)));
    columns.push(mapping_column("shows", MappingCells::Codes(shown)));
    if has_numbers {
        columns.push(mapping_column("after", MappingCells::Counts(after)));
        columns.push(mapping_column("upto", MappingCells::Counts(upto)));
    }
    MappingTable { name: PLACES.to_owned(), columns }
}

fn classes(recoding: &Recoding<'_>, quasi: usize) -> MappingTable {
    let classes = recoding.classes();
    let all = 0..classes.len() as u32;
    let mut columns = vec![mapping_column("class", MappingCells::Codes(all.clone().collect()))];
    for column in 0..quasi {
        let texts = recoding.label_texts(column);
        let text = |class| texts[classes.place(class, column) as usize].as_ref().map(|text| text.clone().into_owned());
        columns.push(mapping_column(&format!("c{column}"), MappingCells::Texts(all.clone().map(text).collect())));
    }
    MappingTable { name: CLASSES.to_owned(), columns }
}

fn shown(recoding: &Recoding<'_>) -> MappingTable {
    let mut tuples: Vec<u32> = Vec::new();
    recoding.each_tuple(|_, places| tuples.extend(places.iter().filter(|p| p.class.is_some()).map(|p| p.shows)));
    tuples.sort_unstable();
    tuples.dedup();
    let mut columns = vec![mapping_column("shows", MappingCells::Codes(tuples.clone()))];
    for released in recoding.columns() {
        if let Shows::Sensitive(column) = released.shows {
            let texts = tuples.iter().map(|&tuple| recoding.generalized_sensitive(column, tuple).map(str::to_owned));
            columns.push(mapping_column(&format!("c{column}"), MappingCells::Texts(texts.collect())));
        }
    }
    MappingTable { name: SHOWN.to_owned(), columns }
}
