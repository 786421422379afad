//! Which query gives the release of a table, once its mapping tables are there?

use shoal::outsider::SUPPRESSED_CELL;
use shoal::policy::{Policy, RowsWithMissing};
use shoal_core::recode::{Recoding, ReleasedColumn, Shows};

use crate::dialect::SqlDialect;
use crate::plan::{CLASSES, CountedValues, MappingPlan, PLACES, SHOWN, ValueMap, shown_by_value};

/// Writes the query of a plan.
pub struct RecodeQuery<'a> {
    /// What it is about.
    pub policy: &'a Policy,
    /// The language of the engine.
    pub dialect: &'a dyn SqlDialect,
    /// The table, as it stands after FROM.
    pub input: String,
    /// Its values.
    pub counted: CountedValues<'a>,
    /// What becomes of them.
    pub recoding: &'a Recoding<'a>,
    /// The mapping tables that they are looked up in.
    pub plan: &'a MappingPlan,
}

impl RecodeQuery<'_> {
    /// The query, with the columns of the release under their names, and behind them whose each row is, where people are counted.
    pub fn text(&self) -> String {
        let Self { dialect, recoding, .. } = self;
        let shown = recoding.columns().iter().enumerate();
        let shown = shown.map(|(at, column)| format!("{} AS {}", self.cell(at, column), dialect.name(column.name)));
        let people = self.counted.columns.people.iter();
        let person =
            people.map(|people| format!("r.k{} AS {}", self.person_place(), dialect.name(&people.number.name)));
        let shown: Vec<String> = shown.chain(person).collect();
        let release = format!("SELECT {} FROM ({}) AS r{}", shown.join(", "), self.looked_up(), self.place_joins());
        let Some(seed) = recoding.seed() else { return release };
        let column = |column: &ReleasedColumn<'_>| {
            let expression = format!("o.{}", dialect.name(column.name));
            if recoding.shows_suppressed() { expression } else { dialect.as_text(&expression) }
        };
        let columns: Vec<String> = recoding.columns().iter().map(column).collect();
        format!("SELECT o.* FROM ({release}) AS o ORDER BY {}", dialect.hash_of_row(seed, &columns))
    }

    /// Every row that takes part, with its codes, labels and number, and its released columns as `o0`, `o1`, ..
    fn looked_up(&self) -> String {
        let Self { dialect, counted, plan, .. } = self;
        let mut selected: Vec<String> = Vec::new();
        for (at, column) in self.recoding.columns().iter().enumerate() {
            if let Some(expression) = self.own(column) {
                selected.push(format!("{expression} AS o{at}"));
            }
        }
        let (mut joins, mut conditions) = (String::new(), Vec::new());
        for (place, map) in plan.values.iter().enumerate() {
            let expression = self.expression(counted.columns.layout.counted[place]);
            let Some(map) = map else {
                conditions.extend(self.is_not_missing(place, &expression));
                continue;
            };
            let key = dialect.key(&counted.natives[place].column, &expression);
            let kind = if map.null.is_some() { "LEFT JOIN" } else { "JOIN" };
            joins += &format!(" {kind} {} AS v{place} ON {key} = v{place}.value", map.table);
            if map.null.is_some() {
                conditions.push(format!("({expression} IS NULL OR v{place}.value IS NOT NULL)"));
            }
            if plan.places.as_ref().is_some_and(|places| places.by.contains(&place)) {
                selected.push(format!("{} AS k{place}", self.code(place, map, &expression)));
            }
            if shown_by_value(self.recoding, place).is_some() {
                selected.push(format!("{} AS l{place}", self.label(place, map, &expression)));
            }
        }
        selected.extend(self.person().map(|person| format!("{person} AS k{}", self.person_place())));
        selected.extend(self.number());
        conditions.extend(counted.columns.others_are_complete(self.policy, *dialect));
        let conditions = match conditions.is_empty() {
            true => String::new(),
            false => format!(" WHERE {}", conditions.join(" AND ")),
        };
        format!("SELECT {} FROM {} AS s{joins}{conditions}", selected.join(", "), self.input)
    }

    /// The number of a row among its equals, where these go to several places: by a hash of what they show besides, so that it does
    /// not depend on where they are. Where they show nothing else, or the same, it does not matter which of them is the first.
    fn number(&self) -> Option<String> {
        let places = self.plan.places.as_ref().filter(|places| places.has_numbers)?;
        let code = |place: usize| {
            let map = self.plan.values[place].as_ref().expect("a column that places are found by is looked up");
            self.code(place, map, &self.expression(self.counted.columns.layout.counted[place]))
        };
        let codes: Vec<String> = places
            .by
            .iter()
            .filter_map(|&place| if place == self.person_place() { self.person() } else { Some(code(place)) })
            .collect();
        let order = match self.uncounted() {
            others if others.is_empty() => codes[0].clone(),
            others => self.dialect.hash_of_row(self.recoding.seed().unwrap_or_default(), &others),
        };
        Some(format!("row_number() OVER (PARTITION BY {} ORDER BY {order}) AS nth", codes.join(", ")))
    }

    /// The place of the person, behind all columns that are counted for their values.
    fn person_place(&self) -> usize {
        self.counted.natives.len()
    }

    /// The code of the person of a row, where people are counted: their number, or that of whoever is not known.
    fn person(&self) -> Option<String> {
        let people = self.counted.columns.people.as_ref()?;
        let number = format!("s.{}", self.dialect.name(&people.number.name));
        let missing = self.recoding.dictionaries().get(self.person_place()).and_then(|people| people.missing());
        Some(match missing {
            None => number,
            Some(code) => format!("coalesce({number}, {code})"),
        })
    }

    /// The released columns that were not counted, as text.
    fn uncounted(&self) -> Vec<String> {
        let others = self.recoding.columns().iter().filter(|column| column.shows.is_own());
        others.filter_map(|column| Some(self.dialect.as_text(&self.expression(column.index?)))).collect()
    }

    fn expression(&self, index: usize) -> String {
        format!("s.{}", self.dialect.name(&self.counted.columns.all[index].name))
    }

    fn code(&self, place: usize, map: &ValueMap, expression: &str) -> String {
        match &map.null {
            None => format!("v{place}.code"),
            Some((code, _)) => format!("CASE WHEN {expression} IS NULL THEN {code} ELSE v{place}.code END"),
        }
    }

    fn label(&self, place: usize, map: &ValueMap, expression: &str) -> String {
        match &map.null {
            None | Some((_, None)) => format!("v{place}.label"),
            Some((_, Some(label))) => {
                let label = self.dialect.text(label);
                format!("CASE WHEN {expression} IS NULL THEN {label} ELSE v{place}.label END")
            }
        }
    }

    /// The expression of a released column that shows its own cells or values, if it does.
    fn own(&self, released: &ReleasedColumn<'_>) -> Option<String> {
        let (dialect, index) = (self.dialect, released.index?);
        let expression = self.expression(index);
        match released.shows {
            Shows::Cell => Some(expression),
            Shows::Value(place) if !self.recoding.shows_suppressed() => {
                let column = &self.counted.columns.all[index];
                let shown = dialect.shown(column, &expression);
                let marked = self.marked_missing(place);
                Some(match marked.is_empty() {
                    true => shown,
                    false => format!(
                        "CASE WHEN {} IN ({}) THEN NULL ELSE {shown} END",
                        dialect.key(column, &expression),
                        marked.join(", ")
                    ),
                })
            }
            _ => None,
        }
    }

    /// The keys of a counted column that mark a missing value.
    fn marked_missing(&self, place: usize) -> Vec<String> {
        let native = &self.counted.natives[place];
        native.missing().map(|written| self.dialect.key_of_text(&native.column, written)).collect()
    }

    /// The condition that a counted column which is not looked up has a value, where rows without one are left out.
    fn is_not_missing(&self, place: usize, expression: &str) -> Option<String> {
        if self.policy.input.rows_with_missing == RowsWithMissing::Keep {
            return None;
        }
        let marked = self.marked_missing(place);
        let key = self.dialect.key(&self.counted.natives[place].column, expression);
        Some(match marked.is_empty() {
            true => format!("{expression} IS NOT NULL"),
            false => format!("{expression} IS NOT NULL AND {key} NOT IN ({})", marked.join(", ")),
        })
    }

    /// The joins that find the place of a row and what is shown there.
    fn place_joins(&self) -> String {
        let Some(places) = &self.plan.places else { return String::new() };
        // A suppressed row has no place.
        let kind = if self.recoding.shows_suppressed() { "LEFT JOIN" } else { "JOIN" };
        let keys: Vec<String> = places.by.iter().map(|place| format!("r.k{place} = p.k{place}")).collect();
        let mut joins = format!(" {kind} {PLACES} AS p ON {}", keys.join(" AND "));
        if places.has_numbers {
            joins += " AND r.nth > p.after AND r.nth <= p.upto";
        }
        if places.has_classes {
            joins += &format!(" {kind} {CLASSES} AS c ON p.class = c.class");
        }
        if places.has_shown {
            joins += &format!(" {kind} {SHOWN} AS h ON p.shows = h.shows");
        }
        joins
    }

    /// What a column of the release shows.
    fn cell(&self, at: usize, column: &ReleasedColumn<'_>) -> String {
        let keeps_suppressed = self.recoding.shows_suppressed();
        let cell = match column.shows {
            Shows::Cell if keeps_suppressed => self.dialect.as_text(&format!("r.o{at}")),
            Shows::Value(place) if keeps_suppressed => format!("r.l{place}"),
            Shows::Cell | Shows::Value(_) => format!("r.o{at}"),
            Shows::Label(place) => format!("r.l{place}"),
            Shows::OfClass(quasi) => format!("c.c{quasi}"),
            Shows::Sensitive(sensitive) => format!("h.c{sensitive}"),
            Shows::ClassNumber => "p.class + 1".to_owned(),
            // Names are made here, of identifiers that stay there: an engine's policy cannot ask for them.
            Shows::Pseudonym(_) => "NULL".to_owned(),
        };
        if !keeps_suppressed {
            return cell;
        }
        format!("CASE WHEN p.class IS NULL THEN {} ELSE {cell} END", self.dialect.text(SUPPRESSED_CELL))
    }
}
