//! Which query gives the release of a table, once its mapping tables are there?

use shoal::outsider::SUPPRESSED_CELL;
use shoal::policy::{Policy, RowsWithMissing};

use crate::dialect::Dialect;
use crate::plan::{CLASSES, CountedValues, PLACES, Plan, SHOWN, Shows, ValueMap};

/// Writes the query of a plan.
pub struct RecodeQuery<'a> {
    /// What it is about.
    pub policy: &'a Policy,
    /// The language of the engine.
    pub dialect: &'a dyn Dialect,
    /// The table, as it stands after FROM.
    pub input: String,
    /// Its values.
    pub counted: CountedValues<'a>,
    /// What becomes of them.
    pub plan: &'a Plan,
}

impl RecodeQuery<'_> {
    /// The query, with the columns of the release under their names.
    pub fn text(&self) -> String {
        let Self { dialect, plan, .. } = self;
        let released = &self.counted.columns.released;
        let shown: Vec<String> = released
            .iter()
            .enumerate()
            .map(|(at, &index)| {
                let cell = self.cell(at, index);
                format!("{cell} AS {}", dialect.name(&self.counted.columns.all[index].name))
            })
            .collect();
        let release = format!("SELECT {} FROM ({}) AS r{}", shown.join(", "), self.looked_up(), self.place_joins());
        if !self.policy.output.shuffle {
            return release;
        }
        let columns: Vec<String> = released
            .iter()
            .map(|&index| {
                let column = &self.counted.columns.all[index];
                let expression = format!("o.{}", dialect.name(&column.name));
                if plan.keeps_suppressed { expression } else { dialect.as_text(&expression) }
            })
            .collect();
        format!("SELECT o.* FROM ({release}) AS o ORDER BY {}", dialect.hash_of_row(self.policy.output.seed, &columns))
    }

    /// Every row that takes part, with its codes, labels and number, and its released columns as `o0`, `o1`, ..
    fn looked_up(&self) -> String {
        let Self { dialect, counted, plan, .. } = self;
        let mut selected: Vec<String> = Vec::new();
        for (at, &index) in counted.columns.released.iter().enumerate() {
            if let Some(expression) = self.own(index) {
                selected.push(format!("{expression} AS o{at}"));
            }
        }
        let (mut joins, mut conditions) = (String::new(), Vec::new());
        for (place, map) in plan.values.iter().enumerate() {
            let expression = self.expression(counted.columns.counted[place]);
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
            if plan.shows[place] == Shows::Label {
                selected.push(format!("{} AS l{place}", self.label(place, map, &expression)));
            }
        }
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
        let code = |&place: &usize| {
            let map = self.plan.values[place].as_ref().expect("a column that places are found by is looked up");
            self.code(place, map, &self.expression(self.counted.columns.counted[place]))
        };
        let codes: Vec<String> = places.by.iter().map(code).collect();
        let order = match self.uncounted() {
            others if others.is_empty() => codes[0].clone(),
            others => self.dialect.hash_of_row(self.policy.output.seed, &others),
        };
        Some(format!("row_number() OVER (PARTITION BY {} ORDER BY {order}) AS nth", codes.join(", ")))
    }

    /// The released columns that were not counted, as text.
    fn uncounted(&self) -> Vec<String> {
        let columns = &self.counted.columns;
        let others = columns.released.iter().filter(|index| !columns.counted.contains(index));
        others.map(|&index| self.dialect.as_text(&self.expression(index))).collect()
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

    /// The expression of a released column that shows its own values, if it does.
    fn own(&self, index: usize) -> Option<String> {
        let Self { dialect, counted, plan, .. } = self;
        let column = &counted.columns.all[index];
        let expression = self.expression(index);
        let Some(place) = counted.columns.counted.iter().position(|&at| at == index) else { return Some(expression) };
        (plan.shows[place] == Shows::Itself).then(|| {
            let shown = dialect.shown(column, &expression);
            let marked = self.marked_missing(place);
            match marked.is_empty() {
                true => shown,
                false => format!(
                    "CASE WHEN {} IN ({}) THEN NULL ELSE {shown} END",
                    dialect.key(column, &expression),
                    marked.join(", ")
                ),
            }
        })
    }

    /// The keys of a counted column that mark a missing value.
    fn marked_missing(&self, place: usize) -> Vec<String> {
        let (native, missing) = (&self.counted.natives[place], self.counted.dictionaries[place].missing());
        let marked = native.iter().filter(|&(_, code)| Some(code) == missing);
        marked.map(|(written, _)| self.dialect.key_of_text(&native.column, written)).collect()
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
        let kind = if self.plan.keeps_suppressed { "LEFT JOIN" } else { "JOIN" };
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
    fn cell(&self, at: usize, index: usize) -> String {
        let counted = &self.counted;
        let place = counted.columns.counted.iter().position(|&counted| counted == index);
        let cell = match place.map(|place| (place, self.plan.shows[place])) {
            None | Some((_, Shows::Itself)) => format!("r.o{at}"),
            Some((place, Shows::Label)) => format!("r.l{place}"),
            Some((_, Shows::Class(quasi))) => format!("c.c{quasi}"),
            Some((_, Shows::Sensitive(sensitive))) => format!("h.c{sensitive}"),
        };
        if !self.plan.keeps_suppressed {
            return cell;
        }
        // A counted column shows labels then, which are text.
        let cell = if place.is_none() { self.dialect.as_text(&cell) } else { cell };
        format!("CASE WHEN p.class IS NULL THEN {} ELSE {cell} END", self.dialect.text(SUPPRESSED_CELL))
    }
}
