//! What would a run by this policy do, in a few lines?

use serde_json::Value;

use super::engine_input::{EngineInput, EngineRows};
use super::{ColumnPolicy, OtherColumns, Policy, Replacement, Required, Role, RowsWithMissing, Suppressed};
use shoal_core::exact::Ratio;
use shoal_core::hierarchy::HierarchySpec;
use shoal_core::method::Method;
use shoal_core::model::Scope;

impl Policy {
    /// What a run does, step by step: a verb, and what it is about. Values of the table do not stand in it.
    ///
    /// ```
    /// use shoal::hierarchy::intervals;
    /// use shoal::policy::Policy;
    ///
    /// let builder = Policy::builder().input("a.csv").quasi("age", intervals([5, 10])).sensitive("pay");
    /// let policy = builder.require("k-anonymity", [("k", 5)]).build()?;
    /// let outline = policy.outline();
    /// assert_eq!(outline[0], ("reads", "a.csv".to_owned()));
    /// assert!(outline.contains(&("promises", "k-anonymity (k = 5)".to_owned())));
    /// # Ok::<(), shoal::Error>(())
    /// ```
    pub fn outline(&self) -> Vec<(&'static str, String)> {
        let method = self.method.method.as_ref();
        let names = |role| self.with_role(role).map(|column| format!("`{}`", column.name)).collect::<Vec<_>>();
        let insensitive = names(Role::Insensitive);
        let is_separated = method.separates().is_some();
        let (asked, not_asked): (Vec<_>, Vec<_>) =
            self.with_role(Role::Sensitive).partition(|column| is_separated || self.asks_about(column));
        let named =
            |columns: Vec<&ColumnPolicy>| columns.iter().map(|column| format!("`{}`", column.name)).collect::<Vec<_>>();
        let (sensitive, unprotected) = (named(asked), named(not_asked));
        let nothing_required = (!unprotected.is_empty()).then(|| "of which nothing is required".to_owned());
        let quasi: Vec<String> = self.with_role(Role::QuasiIdentifier).map(|column| recoded(column, method)).collect();
        let others = |other: OtherColumns| {
            let is_said = self.input.other_columns == other;
            is_said.then(|| "every column that the policy does not name".to_owned())
        };
        let lines = [
            ("reads", self.table_read()),
            ("drops", list(self.dropped().chain(others(OtherColumns::Drop)))),
            ("replaces", list(self.replaced())),
            (if is_separated { "keeps" } else { "recodes" }, list(quasi)),
            (if is_separated { "separates" } else { "protects" }, list(sensitive)),
            ("shows", list(unprotected.into_iter().chain(nothing_required))),
            ("passes on", list(insensitive.into_iter().chain(others(OtherColumns::Insensitive)))),
            ("publishes", list(self.numbers_published())),
            ("promises", list(self.requirements.iter().map(promise))),
            ("by", self.means()),
            ("writes", self.files_written()),
        ];
        lines.into_iter().filter(|(_, text)| !text.is_empty()).collect()
    }

    /// Does any requirement look at the values of a sensitive column? k-anonymity looks at none.
    fn asks_about(&self, column: &ColumnPolicy) -> bool {
        self.requirements.iter().any(|required| match (required.parameters.scope(), &required.column) {
            (Scope::Table, _) => required.parameters.id() != "k-anonymity",
            (_, Some(name)) => required.among || *name == column.name,
            (_, None) => true,
        })
    }

    fn numbers_published(&self) -> impl Iterator<Item = String> {
        self.columns
            .iter()
            .filter_map(|column| Some(format!("numbers of `{}` {}", column.name, column.publish.as_ref()?)))
    }

    fn table_read(&self) -> String {
        let table = match (&self.input.engine, &self.input.path) {
            (Some(EngineInput { address, rows, .. }), _) => {
                let rows = match rows {
                    EngineRows::Table(table) => format!("table {table}"),
                    // Its text may name values.
                    EngineRows::Query(_) => "what a query gives".to_owned(),
                    EngineRows::Path(path) => path.clone(),
                };
                format!("{rows} in {} at {address}", address.engine().name)
            }
            (None, Some(path)) => path.display().to_string(),
            (None, None) => "the table that --input names".to_owned(),
        };
        match self.input.rows_with_missing {
            RowsWithMissing::Keep => table,
            RowsWithMissing::Drop => table + ", without its rows that have a missing value",
        }
    }

    fn dropped(&self) -> impl Iterator<Item = String> {
        let identifiers = self.with_role(Role::Identifier).filter(|column| column.replace.is_none());
        identifiers.map(|column| format!("`{}`", column.name))
    }

    fn replaced(&self) -> impl Iterator<Item = String> {
        self.columns.iter().filter_map(|column| {
            let by = match column.replace.as_ref()? {
                Replacement::Pseudonym { .. } => "by pseudonyms",
                Replacement::Random => "by random names",
            };
            Some(format!("`{}` {by}", column.name))
        })
    }

    fn means(&self) -> String {
        let fraction = self.method.max_suppressed;
        let suppressed = match fraction == Ratio::ZERO {
            true => "no row may be suppressed".to_owned(),
            false => format!("at most {}% of the rows may be suppressed", percent(fraction)),
        };
        format!("{}, objective {}; {suppressed}", self.method.method.id(), self.method.objective.id())
    }

    fn files_written(&self) -> String {
        let release = match (&self.output.table, &self.output.path) {
            (Some(table), _) => format!("table {table}"),
            (None, Some(path)) => path.display().to_string(),
            (None, None) => "a release beside the table".to_owned(),
        };
        let sensitive = self.output.sensitive_path.as_ref().filter(|_| self.method.method.separates().is_some());
        let files = sensitive.into_iter().chain(&self.output.report).map(|path| path.display().to_string());
        let kept = (self.output.suppressed == Suppressed::Keep).then(|| "suppressed rows as `*`".to_owned());
        let order = (!self.output.shuffle).then(|| "rows in the order of the table".to_owned());
        list(std::iter::once(release).chain(files).chain(kept).chain(order))
    }
}

/// A quasi-identifier and what it becomes.
fn recoded(column: &ColumnPolicy, method: &dyn Method) -> String {
    let way = column.hierarchy.as_ref().map(HierarchySpec::name).filter(|_| method.separates().is_none());
    let levels = match (column.min_level, column.max_level) {
        (None, None) => None,
        (Some(least), None) => Some(format!("level {least} or higher")),
        (None, Some(most)) => Some(format!("level {most} or lower")),
        (Some(least), Some(most)) => Some(format!("level {least} to {most}")),
    };
    let what: Vec<String> = way.map(str::to_owned).into_iter().chain(levels).collect();
    if what.is_empty() { format!("`{}`", column.name) } else { format!("`{}` ({})", column.name, what.join(", ")) }
}

/// A requirement with its parameters. Lists and tables hold values of the table, so that they are only named.
fn promise(required: &Required) -> String {
    let parameters = required.parameters.to_json();
    let parameter = |(key, value): (&String, &Value)| match value {
        Value::Null => None,
        Value::Array(list) if list.is_empty() => None,
        Value::Array(_) | Value::Object(_) => Some(format!("{key} = ..")),
        Value::String(word) => Some(format!("{key} = {word}")),
        other => Some(format!("{key} = {other}")),
    };
    let parameters: Vec<String> = parameters.as_object().into_iter().flatten().filter_map(parameter).collect();
    let about = match (&required.column, required.parameters.scope()) {
        (_, Scope::Table) => String::new(),
        (Some(column), _) => format!(" of `{column}`"),
        (None, _) => " of every sensitive column".to_owned(),
    };
    let among = if required.among { " among all sensitive columns" } else { "" };
    format!("{}{about}{among} ({})", required.parameters.id(), parameters.join(", "))
}

fn percent(fraction: Ratio) -> String {
    // As somebody wrote it: 0.29 is 29, not 28.999999999999996.
    let percent = fraction.to_f64() * 100.0;
    let rounded = format!("{percent:.10}");
    rounded.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn list(texts: impl IntoIterator<Item = String>) -> String {
    texts.into_iter().collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn outline(text: &str) -> String {
        let policy = Policy::parse(text, "p.toml", Path::new("/nowhere")).unwrap();
        policy.outline().iter().map(|(verb, text)| format!("{verb}: {text}\n")).collect()
    }

    #[test]
    fn every_step_is_there() {
        let text = "[input]\npath = 'a.csv'\nrows-with-missing = 'drop'\nother-columns = 'drop'\n\
                    [output]\npath = 'b.csv'\nreport = 'b.html'\nsuppressed = 'keep'\nshuffle = false\n\
                    [columns.name]\nrole = 'identifier'\n[columns.id]\nrole = 'identifier'\nreplace = 'random'\n\
                    [columns.age]\nrole = 'quasi-identifier'\nhierarchy = { intervals = [5] }\nmin-level = 1\n\
                    [columns.sex]\nrole = 'quasi-identifier'\n\
                    [columns.ill]\nrole = 'sensitive'\n[columns.note]\nrole = 'insensitive'\n\
                    [[require]]\nmodel = 'k-anonymity'\nk = 5\n\
                    [[require]]\nmodel = 'pd-recursive-cl-diversity'\nc = 2.5\nl = 3\ndisclosable = ['Yaws']\n\
                    [method]\nmax-suppressed = 0.29\nobjective = 'precision'\n";
        assert_eq!(
            outline(text),
            "reads: a.csv, without its rows that have a missing value\n\
             drops: `name`, every column that the policy does not name\n\
             replaces: `id` by random names\n\
             recodes: `age` (intervals, level 1 or higher), `sex`\n\
             protects: `ill`\n\
             passes on: `note`\n\
             promises: k-anonymity (k = 5), pd-recursive-cl-diversity of every sensitive column (c = 2.5, l = 3, disclosable = ..)\n\
             by: full-domain, objective precision; at most 29% of the rows may be suppressed\n\
             writes: b.csv, b.html, suppressed rows as `*`, rows in the order of the table\n"
        );
    }

    #[test]
    fn a_sensitive_column_is_protected_where_something_is_required_of_it() {
        let columns = "[columns.age]\nrole = 'quasi-identifier'\nhierarchy = { intervals = [5] }\n\
                       [columns.ill]\nrole = 'sensitive'\n[columns.pay]\nrole = 'sensitive'\n[[require]]\n";
        let k = outline(&format!("{columns}model = 'k-anonymity'\nk = 5\n"));
        assert!(k.contains("\nshows: `ill`, `pay`, of which nothing is required\n") && !k.contains("protects"), "{k}");
        let one = outline(&format!("{columns}model = 'distinct-l-diversity'\ncolumn = 'pay'\nl = 2\n"));
        assert!(one.contains("\nprotects: `pay`\nshows: `ill`, of which nothing is required\n"), "{one}");
        for all in ["distinct-l-diversity'\nl = 2", "p-sensitive-k-anonymity'\nk = 5\np = 2"] {
            let all = outline(&format!("{columns}model = '{all}\n"));
            assert!(all.contains("\nprotects: `ill`, `pay`\n") && !all.contains("shows"), "{all}");
        }
    }

    #[test]
    fn what_is_separated_is_not_recoded() {
        let text = "[columns.age]\nrole = 'quasi-identifier'\nhierarchy = { intervals = [5] }\n\
                    [columns.ill]\nrole = 'sensitive'\n\
                    [[require]]\nmodel = 'distinct-l-diversity'\ncolumn = 'ill'\nl = 2\namong = 'all-sensitive'\n\
                    [method]\nname = 'anatomy'\n";
        assert_eq!(
            outline(text),
            "reads: the table that --input names\nkeeps: `age`\nseparates: `ill`\n\
             promises: distinct-l-diversity of `ill` among all sensitive columns (l = 2)\n\
             by: anatomy, objective loss; no row may be suppressed\nwrites: a release beside the table\n"
        );
    }
}
