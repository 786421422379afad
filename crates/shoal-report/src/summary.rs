//! What did `anonymize` do?

use std::borrow::Cow;

use serde_json::{Map, Value, json};

use super::people_of_release::PeopleOfRelease;
use super::{Grid, combinations_json, document, grouped, households, label_order, number, peak_memory_bytes, plural};
use shoal::outsider::Measured;
use shoal::policy::{Policy, PublishedNumber};
use shoal::study::Release;
use shoal_core::model::OneOrTwo;
use shoal_core::printable;
use shoal_core::words::combinations;

/// The summary of a published release.
#[derive(Debug)]
pub struct Summary<'a> {
    release: &'a Release,
}

/// How many labels of a column are shown as examples.
const EXAMPLES: usize = 4;

/// Longer labels are cut: an example is to be taken in at a glance.
const LONGEST: usize = 60;

impl<'a> Summary<'a> {
    /// The summary of this release.
    pub fn new(release: &'a Release) -> Self {
        Self { release }
    }

    /// Does it live in a file, rather than in an engine or in memory?
    fn is_a_file(&self) -> bool {
        self.release.policy().input.engine.is_none() && self.release.in_memory.is_none()
    }

    fn objective_value(&self) -> f64 {
        let id = self.release.policy().method.objective.id();
        self.release.partition().objectives.iter().find(|(known, _)| *known == id).map_or(f64::NAN, |(_, value)| *value)
    }

    /// One object for programs.
    pub fn to_json(&self) -> Value {
        let (table, partition) = (self.release.table(), self.release.partition());
        let Release { measured, seconds, .. } = self.release;
        let levels = partition.levels().map(|node| {
            let pairs = table.quasi.iter().zip(node.levels());
            pairs.map(|(column, level)| (column.name.clone(), json!(level))).collect::<Map<_, _>>()
        });
        let objectives: Map<String, Value> =
            partition.objectives.iter().map(|(id, value)| ((*id).to_owned(), json!(value))).collect();
        let generalized: Map<String, Value> =
            partition.generalized_sensitive().into_iter().map(|(name, rows)| (name.to_owned(), json!(rows))).collect();
        let published: Map<String, Value> = published_numbers(self.release.policy())
            .map(|(column, publish)| (column.to_owned(), json!(publish)))
            .collect();
        let mut summary = json!({
            "method": self.release.policy().method.method.id(),
            "objective": self.release.policy().method.objective.id(),
            "objective_value": self.objective_value(),
            "guarantee": partition.guarantee(),
            "gap": partition.gap,
            "levels": levels,
            "rows": table.rows,
            "dropped_rows": self.release.dropped_rows(),
            "released_rows": partition.released(),
            "suppressed_rows": partition.suppressed(),
            "generalized_sensitive": generalized,
            "published_numbers": published,
            "classes": measured.classes,
            "class_size": {
                "min": measured.smallest,
                "mean": partition.released() as f64 / measured.classes.max(1) as f64,
                "max": measured.largest,
            },
            "most_classes": self.release.eligible().most_classes,
            "models": models_json(self.release.requirements(), measured),
            "objectives": objectives,
            "lattice": partition.lattice.map(|(nodes, checked)| json!({ "nodes": combinations_json(nodes), "checked": checked })),
            "seconds": {
                "read": seconds.read,
                "count": seconds.count,
                "hierarchies": seconds.hierarchies,
                "search": seconds.search,
                "recode": seconds.recode,
                "verify": seconds.verify,
                "write": seconds.write,
                "total": seconds.total,
            },
            "peak_memory_bytes": peak_memory_bytes(),
            "release": self.release.published.release,
        });
        let keys = summary.as_object_mut().expect("it was made as an object");
        keys.extend(self.people().map(|people| ("people".to_owned(), people.to_json())));
        keys.extend(self.release.households.iter().map(|known| ("households".to_owned(), json!(known))));
        keys.extend(self.release.published.sensitive.iter().map(|path| ("sensitive_release".to_owned(), json!(path))));
        keys.extend(partition.remark.iter().map(|remark| (remark.key.to_owned(), remark.json.clone())));
        document(summary, &self.release.warnings())
    }

    fn people(&self) -> Option<PeopleOfRelease<'_>> {
        PeopleOfRelease::new(self.release)
    }

    /// For people, on a terminal.
    pub fn to_text(&self) -> String {
        let release = self.release;
        let mut text = format!("{}\n\n", headline(release));
        text += &self.columns();
        text.push('\n');
        text += &requirements_grid(release.requirements(), &release.measured.achieved).render();
        text.push('\n');
        text += &published_text(self.release.policy());
        text += &self.generalized_sensitive();
        text += &self.classes();
        text.extend(self.people().map(|people| people.remarks() + "\n"));
        text.extend(release.households.iter().map(households::text));
        text.extend(release.partition().remark.iter().map(|remark| format!("{}\n", remark.text)));
        text += &self.cost();
        text
    }

    fn generalized_sensitive(&self) -> String {
        let partition = self.release.partition();
        let released = partition.released();
        let line = |(name, rows): (&str, u64)| {
            let share = number(rows as f64 / released as f64 * 100.0);
            let show = if rows == 1 { "shows" } else { "show" };
            format!(
                "{} of {} ({share}%) {show} a generalized `{name}`\n",
                grouped(rows as i64),
                plural(released, "row")
            )
        };
        partition.generalized_sensitive().into_iter().map(line).collect()
    }

    /// What each column shows where sensitive values are in a table of their own.
    fn separated_columns(&self) -> String {
        let table = self.release.table();
        let mut grid = Grid::new(&["column", "shown"], &[]);
        table.quasi.iter().for_each(|column| grid.row(vec![column.name.clone(), "as it is".to_owned()]));
        let apart = || "how often in each class, in the second table".to_owned();
        table.sensitive.iter().for_each(|column| grid.row(vec![column.name().to_owned(), apart()]));
        grid.render()
    }

    fn columns(&self) -> String {
        let (table, partition) = (self.release.table(), self.release.partition());
        if partition.is_separated {
            return self.separated_columns();
        }
        let mut grid = match partition.levels() {
            Some(_) => Grid::new(&["column", "level", "shown as"], &[]),
            None => Grid::new(&["column", "labels", "for example"], &[1]),
        };
        for (place, column) in table.quasi.iter().enumerate() {
            let marker = column.dictionary.missing().map(|code| column.dictionary.value(code));
            let mut labels: Vec<Cow<'_, str>> = Vec::new();
            for class in 0..partition.classes.len() as u32 {
                let label = match partition.classes.text(table, class, place) {
                    missing if Some(missing.as_ref()) == marker => "(missing)".into(),
                    label => label,
                };
                if !labels.contains(&label) {
                    labels.push(label);
                }
                if labels.len() > EXAMPLES {
                    break;
                }
            }
            let more = labels.len() > EXAMPLES;
            labels.truncate(EXAMPLES);
            labels.sort_by(|one, other| label_order::compare(one, other));
            let labels: Vec<Cow<'_, str>> = labels.into_iter().map(cut).collect();
            let shown = labels.join("  ") + if more { "  …" } else { "" };
            let level = match partition.levels() {
                Some(node) => format!("{} of {}", node.levels()[place], column.hierarchy.height()),
                None => grouped(partition.classes.labels(place).len() as i64),
            };
            grid.row(vec![column.name.clone(), level, shown]);
        }
        grid.render()
    }

    fn classes(&self) -> String {
        let measured = &self.release.measured;
        let mut line = classes_and_sizes(measured);
        if let Some(most) = self.release.eligible().most_classes {
            line += &format!(" (no release of this table could have more than {})", grouped(most as i64));
        }
        line + "\n"
    }

    fn cost(&self) -> String {
        let partition = self.release.partition();
        let mut line = format!("{} {}", self.release.policy().method.objective.id(), number(self.objective_value()));
        if partition.is_separated {
            line += " (quasi-identifiers stay as they are)";
        }
        if let Some((nodes, checked)) = partition.lattice {
            let looked_at =
                format!("{} combinations of levels ({} looked at)", combinations(nodes), grouped(checked as i64));
            line += &match partition.gap {
                Some(gap) if gap > 0.0 => {
                    format!(
                        ", the least found in time among {looked_at}, at most {} above the least of all",
                        number(gap)
                    )
                }
                Some(_) => format!(", the least of all {looked_at}"),
                None => format!(" from {looked_at}"),
            };
        }
        line + &format!(
            "; verified on the written {}; {:.2} s\n",
            match (partition.is_separated, self.is_a_file()) {
                (true, false) => "tables",
                (false, false) => "table",
                (true, true) => "files",
                (false, true) => "file",
            },
            self.release.seconds.total
        )
    }
}

/// How many rows there are, and where.
pub(super) fn headline(release: &Release) -> String {
    let (table, partition, published) = (release.table(), release.partition(), &release.published);
    let dropped_rows = release.dropped_rows();
    let suppressed = match partition.suppressed() {
        0 => "none suppressed".to_owned(),
        rows => {
            format!("{} suppressed, {}%", grouped(rows as i64), number(rows as f64 / table.rows as f64 * 100.0))
        }
    };
    let released = grouped(partition.released() as i64);
    let files: Vec<&str> =
        [Some(&published.release), published.sensitive.as_ref()].into_iter().flatten().map(String::as_str).collect();
    let files = files.join(" and ");
    let files = printable::line(&files);
    let mut line = format!("{files}: {released} of {} ({suppressed})", plural(table.rows, "row"));
    line.extend(PeopleOfRelease::new(release).map(|people| people.headline()));
    if dropped_rows > 0 {
        line += &format!("; {} with a missing value left out before", plural(dropped_rows, "row"));
    }
    line
}

/// What was required of a release and what it reaches, for programs.
pub(super) fn models_json(requirements: &[shoal_core::model::Requirement], measured: &Measured) -> Vec<Value> {
    let model = |(requirement, &achieved): (&shoal_core::model::Requirement, &OneOrTwo<_>)| {
        let mut entry = Map::new();
        entry.insert("model".into(), json!(requirement.id));
        entry.insert("label".into(), json!(requirement.model.name()));
        entry.insert("column".into(), json!(requirement.column));
        entry.extend(requirement.measured_parameters());
        entry.insert("required".into(), requirement.required_json());
        entry.insert("achieved".into(), requirement.achieved_json(achieved));
        entry.insert("holds".into(), json!(requirement.holds(achieved)));
        entry.extend(requirement.model.record().map(|(key, value)| (key.to_owned(), value)));
        Value::Object(entry)
    };
    requirements.iter().zip(&measured.achieved).map(model).collect()
}

/// How many classes there are, and of what sizes.
pub(super) fn classes_and_sizes(measured: &Measured) -> String {
    let Measured { classes, smallest, largest, people, .. } = *measured;
    let between = |least: u64, most: u64, noun: &str| match least == most {
        true => plural(least, noun),
        false => format!("{} to {}", grouped(least as i64), plural(most, noun)),
    };
    let records = between(smallest, largest, "record");
    match people {
        None => format!("{} of {records}", plural(classes, "class")),
        Some(people) => {
            let people = between(people.fewest, people.most, "person");
            format!("{} of {people} ({records})", plural(classes, "class"))
        }
    }
}

/// What was required and what was achieved.
pub(super) fn requirements_grid(
    requirements: &[shoal_core::model::Requirement],
    achieved: &[OneOrTwo<shoal_core::model::Quantity>],
) -> Grid {
    let mut grid = Grid::new(&["requirement", "required", "achieved", ""], &[1, 2]);
    for (requirement, &achieved) in requirements.iter().zip(achieved) {
        let required = requirement.model.bounds().iter().map(|bound| bound_in_words(&bound)).collect::<Vec<_>>();
        let reached = achieved.iter().map(|quantity| number(quantity.to_f64())).collect::<Vec<_>>();
        let verdict = if requirement.holds(achieved) { "holds" } else { "FAILS" };
        grid.row(vec![requirement.model.name(), required.join(", "), reached.join(", "), verdict.to_owned()]);
    }
    grid
}

/// What is required of a quantity: `≥ 5`.
pub fn bound_in_words(bound: &shoal_core::model::Bound) -> String {
    let sign = match bound.side {
        shoal_core::model::Side::AtLeast => "≥",
        shoal_core::model::Side::AtMost => "≤",
        shoal_core::model::Side::Below => "<",
    };
    format!("{sign} {}", number(bound.required))
}
/// The columns whose numbers are published otherwise than they are, and how.
pub(crate) fn published_numbers(policy: &Policy) -> impl Iterator<Item = (&str, &PublishedNumber)> {
    policy.columns.iter().filter_map(|column| Some((column.name.as_str(), column.publish.as_ref()?)))
}

fn published_text(policy: &Policy) -> String {
    let line = |(column, publish): (&str, &PublishedNumber)| {
        format!("numbers of `{}` are published {publish}\n", printable::line(column))
    };
    published_numbers(policy).map(line).collect()
}

fn cut(label: Cow<'_, str>) -> Cow<'_, str> {
    match label.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &label[..end]).into(),
        None => label,
    }
}
