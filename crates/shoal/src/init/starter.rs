//! With which policy could the owner of a table begin?

use std::ffi::OsStr;
use std::path::{Component, Path, PathBuf};

use super::choices::{Choices, Promise};
use super::findings::{ColumnFindings, TableFindings};
use super::for_people::{counted, on_one_line, percent};
use super::method_choice::MethodChoice;
use super::toml_text::{column_heading, comment, list, text};
use crate::policy::Role;
use shoal_core::table::{DateOrder, ValueKind};

/// A policy that runs as it is, with comments that say why each line is there; `folder` is where its file will be.
///
/// A release exists as soon as there are two rows: with every quasi-identifier at the top of its hierarchy the table is
/// one class, which has enough rows and, in every sensitive column, all values there are.
pub fn starter_policy(findings: &TableFindings, choices: &Choices, folder: &Path) -> String {
    let mut policy = String::new();
    let name = findings.input.path.file_name().map_or("a table in memory".into(), OsStr::to_string_lossy);
    policy += &comment(&format!(
        "A policy to begin with, proposed for {name}: {}, {}. It runs as it is, but only you know what others could know \
         about these people: go through the roles and change what is not right.",
        counted(findings.rows, "row"),
        counted(findings.columns.len() as u64, "column")
    ));
    findings.all_warnings().iter().for_each(|warning| policy += &comment(&format!("Mind: {warning}.")));
    let drops_others = findings.columns.iter().any(ColumnFindings::is_left_out);
    policy += &input(findings, drops_others, folder);
    let output = |path: &PathBuf| format!("\n[output]\npath = {}\n", text(&path.to_string_lossy()));
    policy.extend(choices.output.iter().map(output));
    policy += "\n# identifier: left out; quasi-identifier: others may know it, so it is generalized; sensitive: nobody must \
               learn it\n# about a person; insensitive: published as it is.\n";
    let (left_out, named): (Vec<_>, Vec<_>) = findings.columns.iter().partition(|column| column.is_left_out());
    named.into_iter().for_each(|column| policy += &self::column(column, choices));
    policy += &not_named(&left_out);
    policy += &requirements(findings, choices);
    policy += &method(choices);
    policy
}

fn input(findings: &TableFindings, drops_others: bool, folder: &Path) -> String {
    let input = &findings.input;
    let mut section = String::new();
    let mut say = |key: &str, value: Option<String>| {
        if let Some(value) = value {
            section += &format!("{key} = {value}\n");
        }
    };
    let is_file = !input.path.as_os_str().is_empty();
    say("path", is_file.then(|| text(&relative(&input.path, folder).to_string_lossy())));
    let character = |byte: u8| text(&char::from(byte).to_string());
    say("table", input.table.as_deref().map(text));
    say("delimiter", input.delimiter.map(character));
    say("quote", input.quote.map(character));
    say("header", input.header.map(|header| header.to_string()));
    say("encoding", input.encoding.as_deref().map(|name| text(name) + " # as it seems: the bytes are not UTF-8"));
    let skipped = match input.skip {
        1 => "as it seems: the first line is a title or a comment".to_owned(),
        lines => format!("as it seems: the first {lines} lines are titles or comments"),
    };
    say("skip", (input.skip > 0).then(|| format!("{} # {skipped}", input.skip)));
    let marks = input.marks;
    say("decimal", marks.decimal_comma.then(|| text(",") + " # as it seems: numbers with a comma make sense"));
    say(
        "thousands",
        marks.thousands.map(|mark| text(mark.name()) + " # as it seems: it stands between groups of three digits"),
    );
    let is_usual = matches!(input.missing.as_slice(), [only] if only.is_empty());
    say("missing", (!is_usual).then(|| list(&input.missing) + " # as it seems: these stand where values are missing"));
    let whose = findings.person();
    say(
        "person",
        whose.map(|whose| text(&whose.column) + " # as it seems: whose row it is, so that people are counted"),
    );
    let household = whose.and_then(|whose| whose.household.as_deref());
    say("household", household.map(|name| text(name) + " # as it seems: who lives together"));
    let left_out = "\"drop\" # columns that have no section here are left out".to_owned();
    say("other-columns", drops_others.then_some(left_out));
    if section.is_empty() { section } else { format!("\n[input]\n{section}") }
}

/// The path as seen from `folder`, if one leads there that does not begin at the root of all files.
fn relative(path: &Path, folder: &Path) -> PathBuf {
    let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let (Some(name), Ok(from), Ok(to)) = (path.file_name(), here.canonicalize(), parent.canonicalize()) else {
        return std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    };
    let shared = from.components().zip(to.components()).take_while(|(a, b)| a == b).count();
    let is_near = from == to || from.components().take(shared).any(|part| matches!(part, Component::Normal(_)));
    if !is_near {
        return to.join(name);
    }
    let up = from.components().skip(shared).map(|_| Component::ParentDir);
    up.chain(to.components().skip(shared)).collect::<PathBuf>().join(name)
}

fn column(column: &ColumnFindings, choices: &Choices) -> String {
    let mut reason = capitalized(&column.why()) + ".";
    let mut section = format!("{}\nrole = \"{}\"\n", column_heading(&column.name), name_of(column.role));
    if let Some(unclear) = column.unclear.as_ref().filter(|_| column.is_read_as_dates()) {
        if !column.dates_are_said {
            let readings = unclear.readings(true);
            reason += &format!(" How its dates are read is a guess: {readings}. Change it where it is wrong.");
        }
        section += &column.dates.order.map_or_else(String::new, |order| format!("dates = \"{}\"\n", order.name()));
        let last = |first: i32| first + 99;
        section += &column
            .dates
            .first_year
            .map_or_else(String::new, |first| format!("two-digit-years = {first} # {first} to {}\n", last(first)));
    }
    if column.hierarchy.as_ref().is_some_and(|proposed| proposed.is_category) {
        section += "type = \"category\"\n";
    }
    if let Some(proposed) = &column.hierarchy {
        let (spec, why) = (&proposed.suggestion.spec, &proposed.suggestion.reason);
        if proposed.is_hidden {
            reason += " All values are hidden for now: `min-level` is the top of the hierarchy.";
            section += &format!("hierarchy = {spec}\nmin-level = {}\n", proposed.levels - 1);
        } else {
            reason += &format!(" {}.", capitalized(why));
            section += &format!("hierarchy = {spec}\n");
            if let Some((_, level)) = choices.max_levels.iter().find(|(name, _)| *name == column.name) {
                reason += " It is not to become vaguer than its `max-level`.";
                section += &format!("max-level = {level}\n");
            }
        }
        if let Some((_, weight)) = choices.weights.iter().find(|(name, _)| *name == column.name) {
            reason += match choices.weights_are_proposed {
                false => " It matters most: what is lost of it counts as often as its `weight` says.",
                true => {
                    " Hardly anything would be left of it if all columns counted alike, and few users can do without an age: what is lost of \
                     it counts as often as its `weight` says. Nobody has said that it matters so much: leave `weight` out if it does not."
                }
            };
            section += &format!("weight = {weight}\n");
        }
    }
    format!("\n{}{section}", comment(&reason))
}

/// What is to be said of columns that `other-columns` leaves out.
fn not_named(columns: &[&ColumnFindings]) -> String {
    let Some(first) = columns.first() else { return String::new() };
    let names: Vec<String> = columns.iter().map(|column| format!("`{}`", on_one_line(&column.name))).collect();
    let said = format!(
        "Left out, since no section names them: {}. They look like the answers to the questions of a survey, and whoever knows a few of \
         them of a person would find that person's row. A section like this one puts a column into the release as it is, which is right if nobody \
         else can know it; those that others could know are `quasi-identifier`.",
        names.join(", ")
    );
    let section = format!("# {}\n# role = \"sensitive\"\n", column_heading(&first.name));
    format!("\n{}{section}", comment(&said))
}

fn requirements(findings: &TableFindings, choices: &Choices) -> String {
    let k = choices.k;
    let whose = findings.person();
    let promise = match whose {
        None => format!("in the release every row is one of at least {k} that look the same"),
        Some(_) => format!("in the release every row looks the same as rows of at least {} others", k - 1),
    };
    let promise = match &findings.singling_out.together {
        Some(all) => {
            let share = percent(all.grouping.alone, findings.rows);
            format!("As the table is, {share} of the rows are alone with their quasi-identifiers; {promise}.")
        }
        None => format!("{}.", capitalized(&promise)),
    };
    let mut section = format!("\n{}", comment(&format!("What the release has to promise. {promise}")));
    section += &format!("[[require]]\nmodel = \"k-anonymity\"\nk = {k}\n");
    for column in findings.with_role(Role::Sensitive) {
        section += &promised(column, choices.promise(&column.name), whose.is_some());
    }
    let others = "Others to consider: `entropy-l-diversity` and `recursive-cl-diversity`, where one value is much more \
                  frequent than the rest; `t-closeness`, where values are near or far from each other, as numbers are. \
                  `shoal explain` describes them all.";
    section + "\n" + &comment(others)
}

fn promised(column: &ColumnFindings, promise: Promise, of_people: bool) -> String {
    let (why, model, parameter) = match promise {
        Promise::None if column.values() < 2 => return String::new(),
        Promise::None => {
            let nothing = format!(
                "Nothing is required of {} but k-anonymity: people whose rows look the same may all have one value.",
                on_one_line(&format!("`{}`", column.name))
            );
            return format!("\n{}", comment(&nothing));
        }
        Promise::Distinct(l) => (
            match (of_people, l) {
                (false, _) => format!("Rows that look the same have at least {l} different values here."),
                (true, 2) => "People whose rows look the same do not all share a value here.".to_owned(),
                (true, _) => format!(
                    "Of people whose rows look the same, no {} values are enough to name one that each of them has.",
                    l - 1
                ),
            },
            "distinct-l-diversity",
            format!("l = {l}"),
        ),
        Promise::Entropy(l) => (
            "Among those who look the same, values are many and none is much more frequent than the others.".to_owned(),
            "entropy-l-diversity",
            format!("l = {l}"),
        ),
        Promise::Closeness(t) => (
            "Among those who look the same, values are about as frequent as in the whole release.".to_owned(),
            "t-closeness",
            match column.kind {
                _ if column.dates.order == Some(DateOrder::None) => format!("t = {t}"),
                ValueKind::Text => format!("t = {t}"),
                ValueKind::Integer | ValueKind::Decimal | ValueKind::Date => format!("t = {t}\ndistance = \"ordered\""),
            },
        ),
    };
    let column = text(&column.name);
    format!("\n{}[[require]]\nmodel = \"{model}\"\ncolumn = {column}\n{parameter}\n", comment(&why))
}

fn method(choices: &Choices) -> String {
    let why = match choices.max_suppressed {
        0.0 => "All rows stay.",
        // It leaves nobody out, however rare.
        _ if choices.method.name == "mondrian" => {
            "`mondrian` leaves no row out; this is how many of the rows another method may leave out, such as `full-domain`."
        }
        _ => "So many rows may be left out, so that the few who are like nobody else do not make all others vaguer.",
    };
    let MethodChoice { name, keys } = &choices.method;
    let mut section = choices.tried.as_ref().map_or_else(|| "\n".to_owned(), |tried| format!("\n{}", comment(tried)));
    section += &format!("[method]\nname = {}\n", text(name));
    keys.iter().for_each(|(key, value)| section += &format!("{key} = {value}\n"));
    section + &format!("{}max-suppressed = {}\n", comment(why), choices.max_suppressed)
}

/// The role as a policy writes it.
pub fn name_of(role: Role) -> &'static str {
    match role {
        Role::Identifier => "identifier",
        Role::QuasiIdentifier => "quasi-identifier",
        Role::Sensitive => "sensitive",
        Role::Insensitive => "insensitive",
    }
}

fn capitalized(sentence: &str) -> String {
    let mut characters = sentence.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_seen_from_the_policy() {
        let folder = tempfile::tempdir().expect("a folder");
        let (data, policies) = (folder.path().join("data"), folder.path().join("policies"));
        [&data, &policies].iter().for_each(|path| std::fs::create_dir(path).expect("a folder"));
        let table = data.join("a.csv");
        assert_eq!(relative(&table, &data), Path::new("a.csv"));
        assert_eq!(relative(&table, folder.path()), Path::new("data/a.csv"));
        assert_eq!(relative(&table, &policies), Path::new("../data/a.csv"));
        assert_eq!(relative(Path::new("a.csv"), Path::new("")), Path::new("a.csv"));
        assert!(relative(&table, &folder.path().join("nowhere")).is_absolute());
    }
}
