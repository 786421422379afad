//! In which classes are all sensitive values of one kind?

use serde_json::json;

use super::finding::{Detail, Exposure};
use super::options::exactly;
use super::{Attack, Findings, Near, Scene};
use shoal_core::exact::Ratio;
use shoal_core::hierarchy::Hierarchy;
use shoal_core::model::Neighbours;
use shoal_core::{Error, Result};

/// # Similarity
///
/// **Definition.** All values of an equivalence class lie below one inner node of the sensitive column's hierarchy that is
/// not its root: they differ, but are of one kind. For numbers, with `--near`: all are within that distance of one of them.
/// **What is learned.** The kind of everybody's value (a stomach disease), or a narrow interval (a low salary).
/// **Prevented by.** `t-closeness` with `distance = "hierarchical"`, or `a-d-diversity` with d = 2 and `groups = { level = .. }`; for
/// numbers `epsilon-m-anonymity` with m = 2, or `t-closeness` with `distance = "ordered"`.
/// **Options.** a hierarchy of the column, from the policy or `--hierarchy COLUMN=FILE`; `--near [COLUMN=]NUMBER`, also `5%` of the
/// value; with `--confidence` below 1 such a share of the class is enough (numbers only).
/// **Example.** A class with gastric ulcer, gastritis and stomach cancer and the salaries 3K, 4K, 5K: Bob, who is in it, has a
/// stomach disease and earns little.
/// **Reference.** Li, Li and Venkatasubramanian 2007, section 3, the similarity attack, Table 4; Li, Tao and Xiao 2008.
#[derive(Debug)]
pub struct Similarity;

impl Attack for Similarity {
    fn id(&self) -> &'static str {
        "similarity"
    }

    fn run(&self, scene: &Scene<'_>, findings: &mut Findings) -> Result<()> {
        refuse_no_numbers(scene)?;
        for (column, known) in scene.columns.iter().enumerate() {
            let near = scene.options.near_of(known.name()).filter(|_| !known.is_generalized());
            let neighbours = near.and_then(|near| Some((near, Neighbours::new(known, near.epsilon, near.relative)?)));
            if let Some((near, neighbours)) = &neighbours {
                self.numbers(scene, column, near, neighbours, findings);
            }
            if let Some(hierarchy) = known.hierarchy() {
                self.kinds(scene, column, hierarchy, findings);
            } else if neighbours.is_none() {
                let near = if known.column_type().is_number() { ", or how near numbers are alike (--near)" } else { "" };
                findings.untried(self.id(), Some(known.name()), format!("a hierarchy of the column{near}"));
            }
        }
        Ok(())
    }
}

/// Refuses nearness in a column that has no numbers.
fn refuse_no_numbers(scene: &Scene<'_>) -> Result<()> {
    let has_numbers = |name: &&String| {
        let column = scene.columns.iter().find(|column| column.name() == name.as_str());
        column.is_some_and(|column| column.column_type().is_number())
    };
    let mut named = scene.options.near.iter().filter_map(|near| near.column.as_ref());
    match named.find(|name| !has_numbers(name)) {
        None => Ok(()),
        Some(name) => Err(Error::policy(format!("`--near` names `{name}`, which is no sensitive column of numbers"))),
    }
}

/// The lowest inner node (level, node) above all these leaves, if it says something: it has several leaves, and is not
/// above all there are.
fn common_node(hierarchy: &Hierarchy, leaves: &[u32]) -> Option<(usize, u32)> {
    let (&first, rest) = leaves.split_first()?;
    let all = hierarchy.domain_size();
    (1..hierarchy.height()).find_map(|number| {
        let level = hierarchy.level(number);
        let node = level.node_of(first);
        let is_common = rest.iter().all(|&leaf| level.node_of(leaf) == node);
        let says_something = (2..all).contains(&level.leaves_under(node));
        (is_common && says_something).then_some((number, node))
    })
}

impl Similarity {
    fn kinds(&self, scene: &Scene<'_>, column: usize, hierarchy: &Hierarchy, findings: &mut Findings) {
        let mut exposure = Exposure::default();
        for class in 0..scene.classes.len() {
            let members = scene.classes.class(class);
            let (induced, _) = scene.induce(column, members.counts(column), members.size());
            if let Some((level, node)) = common_node(hierarchy, &induced.codes) {
                exposure.add(class, members.size(), -(level as f64), || Detail {
                    figures: vec![("level", json!(level)), ("values", json!(induced.codes.len()))],
                    value: hierarchy.level(level).label(node).to_owned(),
                });
            }
        }
        let prevented_by = match hierarchy.height() {
            0 | 1 => "t-closeness (its hierarchy has no inner nodes: nothing can be of one kind)".to_owned(),
            height => format!("a-d-diversity with d = 2, groups = {{ level = {} }}", height - 1),
        };
        let learned = "the kind of the value: all lie below one node of the hierarchy";
        findings.push(exposure.finding(scene, self.id(), Some(column), learned, prevented_by));
    }

    fn numbers(&self, scene: &Scene<'_>, column: usize, near: &Near, neighbours: &Neighbours, findings: &mut Findings) {
        let confidence = scene.options.confidence;
        let mut exposure = Exposure::default();
        for class in 0..scene.classes.len() {
            let members = scene.classes.class(class);
            let (count, centre) = neighbours.most(members.counts(column));
            let share = Ratio::new(count.into(), members.size().into());
            if share >= exactly(confidence) {
                exposure.add(class, members.size(), share.to_f64(), || Detail {
                    figures: vec![("share", json!(share.to_f64()))],
                    value: centre.map_or_else(String::new, |code| format!("about {}", scene.columns[column].value(code))),
                });
            }
        }
        let (epsilon, kind) = (near.epsilon.normalize(), if near.relative { ", relative = true" } else { "" });
        let learned = format!("the number, to within {epsilon}{}", if near.relative { " of itself" } else { "" });
        let prevented_by = format!("epsilon-m-anonymity with epsilon = {epsilon}{kind}, m = 2");
        let finding = exposure.finding(scene, self.id(), Some(column), learned, prevented_by);
        findings.push(finding.with("near", epsilon.to_string()).with("relative", near.relative).with("confidence", confidence));
    }
}
