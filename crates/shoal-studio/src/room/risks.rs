//! How likely is somebody found, in the table as it is and in the release?

use std::collections::{BTreeMap, HashMap};

use shoal::Audit;
use shoal::risk::{Reidentification, prosecutor};
use shoal_core::frequency::CountedTable;

use crate::wire::RiskShown;

/// Risks, the worst first: where people are counted, whoever knows one row of somebody finds them among people, who are fewer than rows.
pub fn risks(audit: &Audit, before: &CountedTable) -> Vec<RiskShown> {
    let Some(risk) = &audit.risk else { return Vec::new() };
    let of_rows = prosecutor(before.base.sizes(), risk.threshold);
    let one = |name: &str, after: &Reidentification, before: Option<&Reidentification>| RiskShown {
        name: name.to_owned(),
        of_people: false,
        highest_before: before.map(|before| before.highest),
        highest: after.highest,
        average_before: before.map(|before| before.average),
        average: after.average,
        at_risk: after.records_at_risk,
        at_risk_before: before.map(|before| before.records_at_risk),
    };
    let mut risks: Vec<RiskShown> = of_people(audit, before, risk.threshold).into_iter().collect();
    risks.extend([
        one("prosecutor", &risk.prosecutor, Some(&of_rows)),
        one("journalist", &risk.journalist, None),
        one("marketer", &risk.marketer, None),
    ]);
    risks
}

fn of_people(audit: &Audit, before: &CountedTable, threshold: f64) -> Option<RiskShown> {
    let people = audit.people.as_ref()?;
    let (highest, average) = people.risk();
    let before = fewest(before)?;
    let risks = || before.values().map(|&fewest| 1.0 / fewest as f64);
    Some(RiskShown {
        name: "prosecutor".to_owned(),
        of_people: true,
        highest_before: Some(risks().fold(0.0, f64::max)),
        highest,
        average_before: Some(risks().sum::<f64>() / before.len().max(1) as f64),
        average,
        at_risk: (people.share_above(threshold) * people.count as f64).round() as u64,
        at_risk_before: Some(risks().filter(|risk| *risk > threshold).count() as u64),
    })
}

/// The people of each class of the table, where it is known whose rows they are.
fn people_by_class(table: &CountedTable) -> Option<impl Iterator<Item = Vec<usize>>> {
    let base = table.people.as_ref().map(|_| &table.base)?;
    Some((0..base.classes()).map(|class| {
        let mut people: Vec<usize> = base.entries(class).0.iter().map(|&tuple| base.person(tuple)).collect();
        people.sort_unstable();
        people.dedup();
        people
    }))
}

/// For everybody, how many people there are in the class of theirs with the fewest.
fn fewest(table: &CountedTable) -> Option<BTreeMap<usize, usize>> {
    let mut fewest = BTreeMap::new();
    for people in people_by_class(table)? {
        let count = people.len();
        for person in people {
            fewest.entry(person).and_modify(|least: &mut usize| *least = count.min(*least)).or_insert(count);
        }
    }
    Some(fewest)
}

/// How many classes of each size the table has: of people, where these are counted.
pub fn sizes(table: &CountedTable) -> Vec<[u64; 2]> {
    let tally = |sizes: &mut dyn Iterator<Item = u64>| {
        let mut tally: HashMap<u64, u64> = HashMap::new();
        sizes.for_each(|size| *tally.entry(size).or_default() += 1);
        let mut tally: Vec<[u64; 2]> = tally.into_iter().map(|(size, classes)| [size, classes]).collect();
        tally.sort_unstable();
        tally
    };
    match people_by_class(table) {
        Some(classes) => tally(&mut classes.map(|people| people.len() as u64)),
        None => tally(&mut table.base.sizes().iter().copied()),
    }
}
