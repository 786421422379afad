//! `shoal explain`: a definition, objective, method, attack, risk, measure of utility, known hierarchy or key of a policy in plain words.

use clap::Args;
use shoal::{attack, policy, risk, utility};
use shoal_core::error::nearest;
use shoal_core::hierarchy::known;
use shoal_core::listed::pages;
use shoal_core::page::{MISSING_VALUES, Page, ROWS_AND_PEOPLE, ROWS_OR_PEOPLE, wrapped};
use shoal_core::{Error, Result, method, model, objective};
use shoal_report::Grid;

use crate::exit::ExitCode;
use crate::output::to_stdout;

#[derive(Args)]
pub struct Explain {
    /// What to explain: an id, `policy`, a section of it such as `input`, or a key such as `input.missing`; without it,
    /// everything there is
    id: Option<String>,
}

impl Explain {
    pub fn run(&self) -> Result<ExitCode> {
        to_stdout(&explained(self.id.as_deref())?)?;
        Ok(ExitCode::SUCCESS)
    }
}

/// What there is to say about an id; without one, all that there is.
pub fn explained(id: Option<&str>) -> Result<String> {
    let groups = groups();
    let all = || groups.iter().flat_map(|group| group.pages.iter().map(move |(id, page)| (*id, page, group)));
    let Some(id) = id else { return Ok(list(&groups)) };
    Ok(match all().find(|(known, ..)| *known == id) {
        Some(("policy", page, group)) => render(page, group) + &keys_at_a_glance(),
        Some((_, page, group)) => render(page, group),
        None => of_key(id, &all().map(|(id, ..)| id).collect::<Vec<_>>())?,
    })
}

/// The page of a key, or of all that are called so in some section; an error if there is nothing with this id at all.
fn of_key(id: &str, others: &[&str]) -> Result<String> {
    let keys = policy::key_pages();
    let is_meant = |path: &str| path == id || path.strip_suffix(id).is_some_and(|before| before.ends_with('.'));
    let group = Group { title: POLICIES, pages: Vec::new(), notes: &[] };
    let pages: Vec<String> =
        keys.iter().filter(|(path, _)| is_meant(path)).map(|(_, page)| render(page, &group)).collect();
    if !pages.is_empty() {
        return Ok(pages.join("\n"));
    }
    let ids: Vec<&str> = others.iter().copied().chain(keys.iter().map(|(path, _)| path.as_str())).collect();
    let error = Error::policy(format!("there is nothing called `{id}` to explain"));
    Err(error.hint(what_may_be_meant(id, &ids)))
}

fn what_may_be_meant(id: &str, ids: &[&str]) -> String {
    // A letter or two stand in too many of them.
    let family: Vec<&str> = ids.iter().copied().filter(|known| id.len() > 2 && known.contains(id)).collect();
    match (nearest(id, ids.iter().copied()), family.is_empty()) {
        (_, false) => format!("there is {}", family.join(", ")),
        (Some(near), true) => format!("did you mean `{near}`?"),
        (None, true) => "`shoal explain` lists everything there is".to_owned(),
    }
}

/// The title of the pages about policies.
pub const POLICIES: &str = "policy";

/// Pages about the same kind of thing, by their ids.
pub struct Group {
    pub title: &'static str,
    pub pages: Vec<(&'static str, Page)>,
    /// What is true of all of them.
    pub notes: &'static [&'static str],
}

/// Everything there is to explain.
pub fn groups() -> Vec<Group> {
    let group = |title, pages| Group { title, pages, notes: &[] };
    let noted = |notes, group| Group { notes, ..group };
    vec![
        noted(&[ROWS_OR_PEOPLE, MISSING_VALUES], group("privacy models", pages(model::DEFINITIONS))),
        group("objectives", pages(objective::OBJECTIVES)),
        group("methods", pages(method::METHODS)),
        noted(&[ROWS_AND_PEOPLE, MISSING_VALUES], group("attacks", pages(attack::ATTACKS))),
        noted(&[ROWS_AND_PEOPLE], group("risks", pages(risk::RISKS))),
        group("utility", pages(utility::MEASURES)),
        noted(known::NOTES, group("known hierarchies", pages(known::KNOWN))),
        group(POLICIES, policy::pages()),
    ]
}

fn list(groups: &[Group]) -> String {
    let mut text = String::new();
    for Group { title, pages, .. } in groups {
        let mut grid = Grid::new(&[title], &[]);
        for (id, page) in pages {
            grid.row(vec![format!("  {id}"), shortened(&page.summary(), 84)]);
        }
        text += &grid.render();
        text.push('\n');
    }
    text + "hint: `shoal explain ID` for one of them\n"
}

/// Every key of a policy in a line of its own, by section; those of models and methods in one line for each.
fn keys_at_a_glance() -> String {
    let keys = policy::keys();
    let models: Vec<&str> = model::DEFINITIONS.iter().map(|model| model.id).collect();
    let methods: Vec<&str> = method::METHODS.iter().map(|method| method.id()).collect();
    let mut text = String::new();
    for (section, page) in policy::pages().iter().skip(1) {
        let here = || keys.iter().filter(|key| key.section == *section);
        let shared = here().filter(|key| key.of.is_none() && !key.name.contains('.'));
        let mut rows: Vec<(&str, String)> = shared.map(|key| (key.name.as_str(), key.summary().to_owned())).collect();
        let forms = match *section {
            "require" => &models[..],
            "method" => &methods[..],
            _ => &[],
        };
        for form in forms {
            let own: Vec<&str> =
                here().filter(|key| key.of.as_deref() == Some(form)).map(|key| key.name.as_str()).collect();
            rows.push((
                form,
                if own.is_empty() { "takes no others".to_owned() } else { format!("takes {}", own.join(", ")) },
            ));
        }
        let widest = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
        let mut grid = Grid::new(&[&page.title], &[]);
        rows.iter().for_each(|(name, what)| grid.row(vec![format!("  {name}"), shortened(what, WIDTH - 6 - widest)]));
        text += &format!("\n{}", grid.render());
    }
    text + "\nhint: `shoal explain input` and `shoal explain input.missing` say more\n"
}

/// How wide pages are: a terminal has at least so many columns.
const WIDTH: usize = 80;

fn shortened(sentence: &str, width: usize) -> String {
    if sentence.chars().count() <= width {
        return sentence.to_owned();
    }
    let cut: String = sentence.chars().take(width).collect();
    cut.rsplit_once(' ').map_or(cut.as_str(), |(whole, _)| whole).to_owned() + " …"
}

/// The page as plain text.
fn render(page: &Page, group: &Group) -> String {
    let title = &page.title;
    let notes: Vec<String> = group.notes.iter().map(|note| format!("\n{}\n", wrapped(note, WIDTH, ""))).collect();
    format!("{title}\n{}\n\n{}{}", "=".repeat(title.chars().count()), page.on_screen(WIDTH), notes.concat())
}
