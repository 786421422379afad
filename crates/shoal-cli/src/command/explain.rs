//! `shoal explain`: a definition, objective, method, attack, risk or measure of utility in plain words.

use std::process::ExitCode;

use clap::Args;
use shoal::{attack, risk, utility};
use shoal_core::error::nearest;
use shoal_core::page::{MISSING_VALUES, Page, ROWS_AND_PEOPLE};
use shoal_core::{Error, Result, method, model, objective};
use shoal_report::Grid;

use crate::output::to_stdout;

#[derive(Args)]
pub struct Explain {
    /// What to explain; without it, everything there is
    id: Option<String>,
}

impl Explain {
    pub fn run(&self) -> Result<ExitCode> {
        let groups = groups();
        let all = || groups.iter().flat_map(|group| group.pages.iter().map(move |(id, page)| (*id, page, group)));
        let text = match &self.id {
            None => list(&groups),
            Some(id) => match all().find(|(known, ..)| known == id) {
                Some((_, page, group)) => render(page, group),
                None => {
                    let ids: Vec<&str> = all().map(|(id, ..)| id).collect();
                    let error = Error::policy(format!("there is nothing called `{id}` to explain"));
                    return Err(error.hint(what_may_be_meant(id, &ids)));
                }
            },
        };
        to_stdout(&text)?;
        Ok(ExitCode::SUCCESS)
    }
}

fn what_may_be_meant(id: &str, ids: &[&str]) -> String {
    let family: Vec<&str> = ids.iter().copied().filter(|known| known.contains(id)).collect();
    match (nearest(id, ids.iter().copied()), family.is_empty()) {
        (_, false) => format!("there is {}", family.join(", ")),
        (Some(near), true) => format!("did you mean `{near}`?"),
        (None, true) => "`shoal explain` lists everything there is".to_owned(),
    }
}

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
        noted(
            &[ROWS_AND_PEOPLE, MISSING_VALUES],
            group("privacy models", model::DEFINITIONS.iter().map(|model| (model.id, model.page())).collect()),
        ),
        group("objectives", objective::OBJECTIVES.iter().map(|entry| (entry.objective.id(), entry.page())).collect()),
        group("methods", method::METHODS.iter().map(|entry| (entry.id(), entry.page())).collect()),
        noted(
            &[ROWS_AND_PEOPLE, MISSING_VALUES],
            group("attacks", attack::ATTACKS.iter().map(|entry| (entry.attack.id(), entry.page())).collect()),
        ),
        noted(&[ROWS_AND_PEOPLE], group("risks", risk::RISKS.iter().map(|entry| (entry.id, entry.page())).collect())),
        group("utility", utility::MEASURES.iter().map(|entry| (entry.id, entry.page())).collect()),
    ]
}

fn list(groups: &[Group]) -> String {
    let mut text = String::new();
    for Group { title, pages, .. } in groups {
        let mut grid = Grid::new(&[title], &[]);
        for (id, page) in pages {
            grid.row(vec![format!("  {id}"), shortened(&page.summary())]);
        }
        text += &grid.render();
        text.push('\n');
    }
    text + "hint: `shoal explain ID` for one of them\n"
}

fn shortened(sentence: &str) -> String {
    const WIDTH: usize = 84;
    if sentence.chars().count() <= WIDTH {
        return sentence.to_owned();
    }
    let cut: String = sentence.chars().take(WIDTH).collect();
    cut.rsplit_once(' ').map_or(cut.as_str(), |(whole, _)| whole).to_owned() + " …"
}

/// The page as plain text: headings without their stars, paragraphs apart.
fn render(page: &Page, group: &Group) -> String {
    let title = &page.title;
    let body = page.text.replace("\n**", "\n\n**").replace("**", "");
    let notes: Vec<String> = group.notes.iter().map(|note| format!("\n{note}\n")).collect();
    format!("{title}\n{}\n\n{body}\n{}", "=".repeat(title.chars().count()), notes.concat())
}
