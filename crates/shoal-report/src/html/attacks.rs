//! What could somebody do who tries?

use super::Subject;
use super::page::{Page, Table, header};
use crate::safe::{Safe, say};
use shoal::attack::{ATTACKS, Finding, Severity};

/// The findings by severity. Which classes are exposed is not said: a report is no guide.
pub(super) fn write(subject: &Subject<'_>, page: &mut Page) {
    let mut findings: Vec<&Finding> = subject.audit.findings.found.iter().collect();
    findings.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    let (exposing, harmless): (Vec<&Finding>, Vec<&Finding>) =
        findings.into_iter().partition(|finding| finding.severity > Severity::None);
    if exposing.is_empty() {
        page.say("No attack that was tried exposes a record.");
    } else {
        page.table(&Table {
            caption: Safe::words("Attacks that expose records, the worst first"),
            header: header(&["Attack", "Severity", "#Exposed", "What is learned", "What would prevent it"]),
            rows: without_repetition(exposing.iter().map(|finding| row(subject, finding)).collect()),
        });
        explained(&exposing, page);
    }
    let (apart, spared): (Vec<&Finding>, Vec<&Finding>) = harmless.into_iter().partition(|f| f.spared.is_some());
    if !spared.is_empty() {
        let names: Vec<Safe> = spared.iter().map(|finding| name(finding)).collect();
        page.paragraph(&say!("No record is exposed to: {}.", Safe::joined(&names, "; ")));
    }
    if !apart.is_empty() {
        page.paragraph(&say!("Nothing that counts as exposed was found by: {}.", not_counted(&apart)));
    }
    if !subject.audit.findings.untried.is_empty() {
        let untried = subject.audit.findings.untried.iter().map(|untried| {
            let (attack, needs) = (Safe::words(untried.attack), Safe::of_policy(untried.needs.clone()));
            match untried.why {
                None => say!("{} (needs {})", attack, needs),
                Some(why) => say!("{} (needs {}: {})", attack, needs, Safe::words(why)),
            }
        });
        page.paragraph(&say!("Not tried: {}.", Safe::joined(&untried.collect::<Vec<_>>(), "; ")));
    }
}

/// Attacks that count only some of what they see, with what that is.
fn not_counted(findings: &[&Finding]) -> Safe {
    let with_reason = |finding: &&Finding| {
        let from = finding.spared.as_ref().map_or("", |spared| spared.from);
        say!("{} (no {})", name(finding), Safe::words(from))
    };
    Safe::joined(&findings.iter().map(with_reason).collect::<Vec<_>>(), "; ")
}

/// Sentences are not said again right below.
fn without_repetition(mut rows: Vec<Vec<Safe>>) -> Vec<Vec<Safe>> {
    for row in (1..rows.len()).rev() {
        for cell in SENTENCES {
            if rows[row][cell] == rows[row - 1][cell] {
                rows[row][cell] = Safe::words("as above");
            }
        }
    }
    rows
}

/// The cells of a row that are sentences.
const SENTENCES: [usize; 2] = [3, 4];

fn row(subject: &Subject<'_>, finding: &Finding) -> Vec<Safe> {
    // Whatever an attack looked at may be the original.
    let has_original = subject.original_rows().is_some();
    let (exposed, records) = (finding.exposed_records, finding.records);
    // Records of the release, or everybody of the original, some of whom are not in it.
    let of_release = records == subject.audit.rows;
    let count = match (has_original, of_release) {
        (true, true) => subject.rule.count(exposed),
        (true, false) if subject.rule.hides_left_out() => Safe::words("not told"),
        (true, false) => subject.rule.count(exposed),
        (false, _) => Safe::whole_of_release(exposed),
    };
    let hides_share = !subject.rule.tells(exposed) || (subject.rule.hides_left_out() && !of_release);
    let share = match has_original && hides_share {
        true => Safe::words(""),
        false => say!(" ({})", Safe::share_of_release(exposed as f64 / records.max(1) as f64)),
    };
    vec![
        name(finding),
        Safe::words(finding.severity.name()),
        say!("{}{}", count, share),
        Safe::of_learned(finding),
        Safe::of_prevention(finding),
    ]
}

/// The attack, which of several it was, and the column it is about.
pub(super) fn name(finding: &Finding) -> Safe {
    let which = ["prior", "with"].iter().find_map(|key| finding.figures.get(*key)?.as_str());
    let which = which.map_or(Safe::words(""), |which| say!(" ({})", Safe::of_policy(which)));
    let of = finding.column.clone().map_or(Safe::words(""), |column| say!(" of {}", Safe::of_policy(column)));
    say!("{}{}{}", Safe::words(finding.attack), which, of)
}

/// What the attacks are, once each.
fn explained(findings: &[&Finding], page: &mut Page) {
    page.raw("<details><summary>What these attacks are</summary>\n<dl>\n");
    for entry in ATTACKS.iter().filter(|entry| findings.iter().any(|finding| finding.attack == entry.item.id())) {
        let page_of_attack = entry.page();
        page.raw("<dt><strong>").text(&Safe::words(entry.item.id())).raw("</strong></dt><dd>");
        page.text(&Safe::of_policy(page_of_attack.summary())).raw(".</dd>\n");
    }
    page.raw("</dl></details>\n");
}
