//! What does a random policy require?

use std::collections::BTreeSet;

use crate::dice::Dice;
use crate::policy::{Meaning, Policy, Role};
use crate::requirement::{Groups, Milli, Model, Requirement, Weights};

/// One to three requirements that the method can take.
pub fn draw(dice: &mut Dice, policy: &Policy, cells: &[Vec<String>], method: &str) -> Vec<Requirement> {
    let sensitive: Vec<usize> =
        (0..policy.columns.len()).filter(|&place| policy.columns[place].role == Role::Sensitive).collect();
    let mut requirements = Vec::new();
    if sensitive.is_empty() {
        requirements.push(Requirement {
            model: Model::KAnonymity { k: 2 + dice.below(4) as u64 },
            column: None,
            among: false,
        });
        return requirements;
    }
    if method == "similarity-blocks" {
        requirements.push(of_column(dice, policy, cells, &sensitive, true));
    }
    // Sensitive values are generalized only where every model can judge that.
    let is_plain = method == "sweep" && dice.percent(60);
    let wanted = 1 + usize::from(dice.percent(45)) + usize::from(dice.percent(15));
    while requirements.len() < wanted.max(1) {
        let requirement = if dice.percent(35) {
            let k = 2 + dice.below(4) as u64;
            let model = match dice.below(3) {
                0 => Model::PSensitiveK { k, p: 1 + dice.below(k.min(3) as usize) as u64 },
                _ => Model::KAnonymity { k },
            };
            Requirement { model, column: None, among: false }
        } else {
            of_column(dice, policy, cells, &sensitive, false)
        };
        let can_judge =
            matches!(requirement.model, Model::KAnonymity { .. } | Model::TauL { .. } | Model::TCloseness { .. });
        let is_taken = if is_plain { can_judge } else { method != "anatomy" || !requirement.model.bounds_size() };
        if is_taken {
            requirements.push(requirement);
        }
    }
    requirements
}

fn of_column(
    dice: &mut Dice,
    policy: &Policy,
    cells: &[Vec<String>],
    sensitive: &[usize],
    grouped: bool,
) -> Requirement {
    let place = *dice.pick(sensitive);
    let column = &policy.columns[place];
    let values = distinct(policy, &cells[place]);
    let mut model = if grouped { alike(dice, policy, place, &values) } else { model(dice, policy, place, &values) };
    // Models that name values or need numbers are about one column; others may be about all.
    let is_general = matches!(
        model,
        Model::DistinctL { .. }
            | Model::EntropyL { .. }
            | Model::RecursiveCl { .. }
            | Model::SimpleL { .. }
            | Model::TauL { weights: None, .. }
    );
    if let Model::TCloseness { distance, .. } = &mut model
        && *distance == "ordered"
        && column.meaning != Meaning::Number
    {
        *distance = "equal";
    }
    let is_diversity =
        !matches!(model, Model::TCloseness { .. } | Model::BayesBreach { .. } | Model::BayesDifference { .. });
    let among = is_diversity && !grouped && sensitive.len() > 1 && dice.percent(15);
    let column = (!is_general || dice.percent(70)).then(|| column.name.clone());
    Requirement { model, column, among }
}

fn distinct(policy: &Policy, cells: &[String]) -> Vec<String> {
    let values: BTreeSet<&str> = cells.iter().map(|cell| policy.understood(cell)).collect();
    values.into_iter().map(str::to_owned).collect()
}

fn model(dice: &mut Dice, policy: &Policy, place: usize, values: &[String]) -> Model {
    let column = &policy.columns[place];
    let l = 2 + dice.below(2) as u64;
    let c = Milli(*dice.pick(&[500, 1000, 1500, 2000, 3000, 4000]));
    // A missing value can be named, too, but a policy seldom does.
    let named: Vec<String> = values.iter().filter(|value| *value != policy.marker()).cloned().collect();
    let some = |dice: &mut Dice, least: usize| {
        if named.is_empty() { Vec::new() } else { dice.some(&named, least.min(named.len())) }
    };
    match dice.below(14) {
        0 => Model::DistinctL { l: l + dice.below(2) as u64 },
        1 => Model::EntropyL { l: Milli(*dice.pick(&[1000, 1500, 2000, 2500, 3000])) },
        2 => Model::RecursiveCl { c, l: 1 + dice.below(3) as u64 },
        3 => Model::PdRecursiveCl { c, l: 1 + dice.below(3) as u64, disclosable: some(dice, 0) },
        4 if !named.is_empty() => {
            let guarded = vec![dice.pick(&named).clone()];
            let c2 = Milli(*dice.pick(&[5000, 10_000, 20_000, 33_000]));
            Model::NpdRecursiveCl { c1: c, c2, l: 1 + dice.below(3) as u64, disclosable: some(dice, 0), guarded }
        }
        5 => Model::SimpleL { l: Milli(*dice.pick(&[1250, 1500, 2000, 2500, 3000])) },
        6 => {
            let alpha = Milli(*dice.pick(&[250, 334, 500, 600, 667, 750, 1000]));
            let values = dice.percent(40).then(|| some(dice, 1)).filter(|values| !values.is_empty());
            Model::AlphaK { alpha, k: 2 + dice.below(3) as u64, values }
        }
        7 | 8 => {
            let is_weighed = dice.percent(40);
            let weights = match is_weighed {
                true if dice.percent(50) => Some(Weights::Released),
                true if !named.is_empty() && !values.contains(&policy.marker().to_owned()) => Some(Weights::ByValue(
                    named.iter().map(|value| (value.clone(), Milli(*dice.pick(&[500, 1000, 2000])))).collect(),
                )),
                _ => None,
            };
            let tau = Milli(*dice.pick(&[334, 400, 500, 500, 600, 667, 750, 800]));
            Model::TauL { tau, l, weights }
        }
        9 => alike(dice, policy, place, values),
        10 if column.meaning == Meaning::Number => {
            let (epsilon, relative) =
                if dice.percent(30) { (Milli(100), true) } else { (Milli(*dice.pick(&[0, 1000, 2500, 5000])), false) };
            Model::EpsilonM { epsilon, m: 2, relative }
        }
        11 if dice.percent(50) => {
            let rho1 = *dice.pick(&[100, 200, 300, 500]);
            Model::BayesBreach { rho1: Milli(rho1), rho2: Milli(rho1 + *dice.pick(&[0, 200, 400])) }
        }
        11 => Model::BayesDifference { difference: Milli(*dice.pick(&[250, 400, 500, 750])) },
        _ => {
            let distance = match (column.meaning == Meaning::Number, column.hierarchy.is_some()) {
                (true, true) => *dice.pick(&["equal", "ordered", "ordered", "hierarchical", "kl"]),
                (true, false) => *dice.pick(&["equal", "ordered", "ordered", "kl"]),
                (false, true) => *dice.pick(&["equal", "hierarchical", "hierarchical", "variational", "kl"]),
                (false, false) => *dice.pick(&["equal", "variational", "kl"]),
            };
            let t = Milli(*dice.pick(&[100, 150, 200, 250, 300, 375, 400, 500, 600]));
            Model::TCloseness { t, distance, to_table: dice.percent(25) }
        }
    }
}

/// (a,d)-diversity with groups that hold every value that occurs.
fn alike(dice: &mut Dice, policy: &Policy, place: usize, values: &[String]) -> Model {
    let (a, d) = (1 + dice.below(2) as u64, 1 + dice.below(2) as u64);
    let column = &policy.columns[place];
    let has_groups = column.hierarchy.is_some() && column.meaning == Meaning::Category;
    if has_groups && dice.percent(50) {
        return Model::ADDiversity { a, d, groups: Groups::Level(1) };
    }
    let count = 1 + dice.below(values.len().clamp(1, 3));
    let mut groups: Vec<(String, Vec<String>)> =
        (0..count).map(|place| (format!("group{place}"), Vec::new())).collect();
    for (place, value) in values.iter().enumerate() {
        groups[place % count].1.push(value.clone());
    }
    groups.retain(|(_, members)| !members.is_empty());
    Model::ADDiversity { a, d, groups: Groups::Listed(groups) }
}
