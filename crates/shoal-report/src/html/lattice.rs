//! Which other combinations of levels would have done?

use super::figure::{Described, hasse, histogram};
use super::page::{Page, Table, header};
use super::{MOST_NAMED, Subject};
use crate::plot::Mark;
use crate::safe::{Safe, say};
use shoal::attack::{Attack, Minimality, Severity};
use shoal_core::lattice::{Lattice, Node};

/// Lattices with more nodes are not drawn but summed up.
const MOST_DRAWN: u128 = 96;

/// No more minimal combinations are listed.
const MOST_LISTED: usize = 12;

/// The lattice, with what was chosen and what is minimal. Yes or no about each combination, and no counts.
pub(super) fn write(subject: &Subject<'_>, page: &mut Page) {
    let (Some(run), Some(chosen)) = (&subject.report.run, subject.node()) else { return };
    let lattice = run.release.table().lattice();
    let nodes = Safe::of_combinations(lattice.size());
    page.paragraph(&say!(
        "Each quasi-identifier has levels, from 0, as it is, upwards. There are {} combinations of levels; a combination is minimal \
         if it satisfies the policy and nothing less general does.",
        nodes
    ));
    match run.satisfying.filter(|_| !tells_too_much(subject)) {
        None if tells_too_much(subject) => {
            page.say("Which of them satisfy the policy is not said: together with the policy, it would tell something about a record (see the minimality attack).");
        }
        None => {
            page.say("Which of them satisfy the policy was not worked out, since there are so many.");
        }
        Some(satisfying) => {
            let minimal = minimal(satisfying);
            match lattice.size() <= MOST_DRAWN {
                true => draw(subject, page, &lattice, satisfying, &minimal, chosen),
                false => by_height(page, &lattice, satisfying, &minimal, chosen),
            }
            list(subject, page, &minimal, chosen);
        }
    }
}

/// Does it tell something about a record that nothing less general would have done?
fn tells_too_much(subject: &Subject<'_>) -> bool {
    let findings = &subject.audit.findings.found;
    findings.iter().any(|finding| finding.attack == Minimality.id() && finding.severity > Severity::None)
}

/// Those below which no other lies.
fn minimal(satisfying: &[Node]) -> Vec<&Node> {
    let mut by_height: Vec<&Node> = satisfying.iter().collect();
    by_height.sort_by_key(|node| node.height());
    let mut minimal: Vec<&Node> = Vec::new();
    for node in by_height {
        if !minimal.iter().any(|below| below.is_at_or_below(node)) {
            minimal.push(node);
        }
    }
    minimal
}

fn draw(
    subject: &Subject<'_>,
    page: &mut Page,
    lattice: &Lattice,
    satisfying: &[Node],
    minimal: &[&Node],
    chosen: &Node,
) {
    let mark = |node: &Node| match () {
        () if node == chosen => Mark::Chosen,
        () if minimal.contains(&node) => Mark::Minimal,
        () if satisfying.contains(node) => Mark::Satisfies,
        () => Mark::Fails,
    };
    let marks = lattice.nodes().map(|node| Some(mark(&node))).collect();
    let described = Described::new(
        "lattice",
        0,
        Safe::words("The lattice of levels"),
        say!(
            "From the least general combination at the bottom to the most general one at the top; {} satisfy the policy, {} of them minimal. The levels are those of {}, in this order.",
            Safe::whole_of_release(satisfying.len() as u64),
            Safe::whole_of_release(minimal.len() as u64),
            subject.quasi_in_short()
        ),
    );
    page.raw("<ul class=\"legend\"><li><span class=\"release\"></span>released</li><li><span class=\"minimal\"></span>minimal</li>");
    page.raw("<li><span class=\"satisfies\"></span>satisfies the policy</li><li><span class=\"fails\"></span>does not</li></ul>\n");
    page.figure(&hasse(&described, lattice, marks), &say!("Levels of {}.", subject.quasi_in_short()));
}

/// How many combinations of each height satisfy.
fn by_height(page: &mut Page, lattice: &Lattice, satisfying: &[Node], minimal: &[&Node], chosen: &Node) {
    let (lowest, highest) = (lattice.bottom().height(), lattice.top().height());
    let at = |height: u32| satisfying.iter().filter(|node| node.height() == height).count() as u64;
    let minimal_at = |height: u32| minimal.iter().filter(|node| node.height() == height).count() as u64;
    let heights: Vec<u32> = (lowest..=highest).collect();
    let bins: Vec<(Safe, u64)> =
        heights.iter().map(|&height| (Safe::whole_of_release(u64::from(height)), at(height))).collect();
    let height = Safe::whole_of_release(u64::from(chosen.height()));
    let described = Described::new(
        "lattice",
        0,
        Safe::words("Satisfying combinations by the sum of their levels"),
        say!("The release has a sum of {}; the table below has the numbers.", height),
    );
    let marked = heights.iter().position(|&at| at == chosen.height());
    let drawing = histogram(&described, ("sum of levels", "satisfying combinations"), &bins, marked);
    page.figure(
        &drawing,
        &say!("Less general combinations stand to the left; the release has a sum of levels of {}.", height),
    );
    let row = |&height: &u32| {
        let released = Safe::words(if height == chosen.height() { "the release" } else { "" });
        let whole = Safe::whole_of_release;
        vec![whole(u64::from(height)), whole(at(height)), whole(minimal_at(height)), released]
    };
    page.folded_table(
        "The same as a table",
        &Table {
            caption: Safe::words("Combinations of levels that satisfy the policy, by the sum of their levels"),
            header: header(&["Sum of levels", "#Satisfying", "#Minimal", ""]),
            rows: heights.iter().map(row).collect(),
        },
    );
}

fn list(subject: &Subject<'_>, page: &mut Page, minimal: &[&Node], chosen: &Node) {
    let levels =
        |node: &Node| node.levels().iter().map(|&level| Safe::whole_of_release(u64::from(level))).collect::<Vec<_>>();
    let released = Safe::words(if minimal.contains(&chosen) { "Released (minimal)" } else { "Released" });
    let mut rows = vec![[vec![released], levels(chosen)].concat()];
    let others: Vec<&&Node> = minimal.iter().filter(|node| **node != chosen).collect();
    rows.extend(others.iter().take(MOST_LISTED).map(|node| [vec![Safe::words("Minimal")], levels(node)].concat()));
    let (all, shown) = (minimal.len() as u64, others.len().min(MOST_LISTED) as u64);
    let caption = match others.len() > MOST_LISTED {
        true => say!(
            "The levels of the release and of {} of {} minimal combinations",
            Safe::whole_of_release(shown),
            Safe::whole_of_release(all)
        ),
        false => Safe::words("The levels of the release and of all minimal combinations"),
    };
    let mut names = vec![Safe::words("")];
    names.extend(subject.quasi());
    if names.len() > MOST_NAMED {
        (names, rows) = turned(names, rows);
    }
    let header = names.into_iter().enumerate().map(|(place, name)| (name, place > 0)).collect();
    page.table_in_short("The levels of every column", &Table { caption, header, rows });
}

/// Many columns stand below one another.
fn turned(names: Vec<Safe>, rows: Vec<Vec<Safe>>) -> (Vec<Safe>, Vec<Vec<Safe>>) {
    let column = |place: usize| rows.iter().map(|row| row[place].clone()).collect::<Vec<Safe>>();
    let header = [vec![Safe::words("")], column(0)].concat();
    (header, (1..names.len()).map(|place| [vec![names[place].clone()], column(place)].concat()).collect())
}
