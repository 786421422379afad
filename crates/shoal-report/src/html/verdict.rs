//! Is it safe, and what does that mean?

use std::cmp::Reverse;

use super::page::Page;
use super::{Subject, attacks, rows_and_people};
use crate::safe::{Safe, say};
use shoal::attack::{Finding, Severity};
use shoal_core::model::{OneOrTwo, Quantity, Requirement, Side};

/// More attacks are not named in the head of the page.
const MOST_EXPOSING: usize = 3;

/// The head of the page.
pub(super) fn write(subject: &Subject<'_>, page: &mut Page) {
    page.raw("<header>\n<p class=\"over\">Privacy report</p>\n");
    page.element("h1", &Safe::of_policy(subject.report.name.clone())).raw("\n");
    rows_and_people::warn(subject, page);
    verdict(subject, page);
    rows_and_people::say(subject, page);
    facts(subject, page);
    contents(subject, page);
    page.raw("</header>\n");
}

fn verdict(subject: &Subject<'_>, page: &mut Page) {
    let audit = subject.audit;
    unjudged(subject, page);
    if audit.required == 0 {
        page.raw("<div class=\"verdict\">\n<p>What this table promises</p>\n<ul>\n<li>");
        let records = Safe::of_release(audit.measured.smallest, "record");
        page.text(&say!("Anyone who knows {} finds at least {} that could be it.", subject.known(), records));
        page.raw("</li>\n</ul>\n</div>\n");
        return;
    }
    let exposing = exposing(subject);
    match (audit.holds(), exposing.is_empty()) {
        (false, _) => {
            page.raw("<div class=\"verdict no\">\n<p>This table does NOT keep every promise of its policy.</p>\n<ul>\n")
        }
        (true, true) => page.raw("<div class=\"verdict\">\n<p>This release keeps every promise of its policy.</p>\n<ul>\n"),
        (true, false) => page.raw(
            "<div class=\"verdict partly\">\n<p>This release keeps every promise of its policy, and the policy does not ask for \
             everything.</p>\n<ul>\n",
        ),
    };
    let mut known = subject.known();
    for promises in alike(subject) {
        let Some((first, others)) = promises.split_first() else { continue };
        page.raw("<li>");
        if !first.holds() {
            page.raw("<strong class=\"high\">Broken:</strong> ");
        }
        // What is known is said once.
        page.text(&Safe::of_promise(first.requirement, &known));
        known = Safe::words("as much");
        let columns: Vec<Safe> =
            others.iter().filter_map(|other| other.requirement.column.clone()).map(Safe::of_policy).collect();
        if !columns.is_empty() {
            page.text(&say!(" The same holds of {}.", Safe::listed(&columns)));
        }
        for promise in promises {
            let (required, reached) =
                (required(promise.requirement), reached(subject, promise.requirement, promise.achieved));
            let name = Safe::of_requirement(promise.requirement);
            page.raw("<small>").text(&say!("{}: required {}, reached {}", name, required, reached)).raw("</small>");
        }
        page.raw("</li>\n");
    }
    page.raw("</ul>\n");
    if audit.holds() {
        not_prevented(&exposing, page);
    }
    page.raw("</div>\n");
    if subject.is_separated() {
        page.say(
            "Quasi-identifiers are published as they are: which records there are can be seen, and which sensitive value \
             belongs to which cannot. \
             Sensitive values stand in a second table, by class.",
        );
    }
}

/// What the policy requires and the table does not tell: it is neither kept nor broken, as far as anybody can say here.
fn unjudged(subject: &Subject<'_>, page: &mut Page) {
    let unjudged = &subject.audit.unjudged;
    if unjudged.is_empty() {
        return;
    }
    page.raw("<div class=\"verdict no\">\n<p>What its policy requires could NOT be judged by this table.</p>\n<ul>\n");
    for requirement in unjudged {
        let name = Safe::of_requirement(requirement);
        page.raw("<li>").text(&say!("{}: required {}", name, required(requirement))).raw("</li>\n");
    }
    page.raw("</ul>\n</div>\n");
}

/// A requirement and what the table reaches.
struct Promise<'a> {
    requirement: &'a Requirement,
    achieved: OneOrTwo<Quantity>,
}

impl Promise<'_> {
    fn holds(&self) -> bool {
        self.requirement.holds(self.achieved)
    }

    /// Do both promise the same, each of its own column, and is both kept?
    fn is_like(&self, other: &Self) -> bool {
        let (Some(column), Some(of_other)) = (&self.requirement.column, &other.requirement.column) else {
            return false;
        };
        let said = |promise: &Self| promise.requirement.model.promise("").replace(column, of_other);
        self.holds() && other.holds() && self.requirement.id == other.requirement.id && said(self) == said(other)
    }
}

/// The requirements in their order, those together that differ in their columns only.
fn alike<'a>(subject: &Subject<'a>) -> Vec<Vec<Promise<'a>>> {
    let audit = subject.audit;
    let mut groups: Vec<Vec<Promise<'a>>> = Vec::new();
    for (requirement, &achieved) in audit.requirements().iter().zip(&audit.measured.achieved) {
        let promise = Promise { requirement, achieved };
        match groups.iter_mut().find(|group| group[0].is_like(&promise)) {
            Some(group) => group.push(promise),
            None => groups.push(vec![promise]),
        }
    }
    groups
}

/// The findings that expose records, the worst first.
fn exposing<'a>(subject: &Subject<'a>) -> Vec<&'a Finding> {
    let mut exposing: Vec<&Finding> =
        subject.audit.findings.found.iter().filter(|finding| finding.severity > Severity::None).collect();
    exposing.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    exposing
}

/// What was never asked of the release, or not enough: whoever reads of promises kept shall not take the rest for granted.
fn not_prevented(exposing: &[&Finding], page: &mut Page) {
    if exposing.is_empty() {
        return;
    }
    page.raw("<p class=\"asked\">What the policy did not ask for, and these promises do not prevent:</p>\n<ul>\n");
    for finding in exposing.iter().take(MOST_EXPOSING) {
        let (name, severity) = (attacks::name(finding), Safe::words(finding.severity.name()));
        let (learned, prevented_by) = (Safe::of_learned(finding), Safe::of_prevention(finding));
        page.raw("<li>").text(&say!("{} ({}): {}.", name, severity, learned));
        page.raw("<small>").text(&say!("What would prevent it: {}", prevented_by)).raw("</small></li>\n");
    }
    if let Some(more) = exposing.len().checked_sub(MOST_EXPOSING).filter(|&more| more > 0) {
        let more = Safe::whole_of_release(more as u64);
        page.raw("<li><a href=\"#attacks\">").text(&say!("{} more", more)).raw("</a></li>\n");
    }
    page.raw("</ul>\n");
}

/// What a requirement asks for.
pub(super) fn required(requirement: &Requirement) -> Safe {
    let bounds: Vec<Safe> = requirement
        .model
        .bounds()
        .iter()
        .map(|bound| {
            let number = Safe::number_of_release(bound.required);
            match bound.side {
                Side::AtLeast => say!("at least {}", number),
                Side::AtMost => say!("at most {}", number),
                Side::Below => say!("below {}", number),
            }
        })
        .collect();
    Safe::listed(&bounds)
}

/// What the release reaches; against the original that is a figure of the original.
pub(super) fn reached(subject: &Subject<'_>, requirement: &Requirement, achieved: OneOrTwo<Quantity>) -> Safe {
    let number = |value: f64| match (requirement.model.depends_on_input(), subject.original_rows()) {
        (true, Some(rows)) => subject.rule.figure(value, rows),
        _ => Safe::number_of_release(value),
    };
    let numbers: Vec<Safe> = achieved.iter().map(|quantity| number(quantity.to_f64())).collect();
    Safe::listed(&numbers)
}

fn facts(subject: &Subject<'_>, page: &mut Page) {
    let audit = subject.audit;
    page.raw("<dl class=\"facts\">\n");
    let mut fact = |name: &'static str, value: Safe, more: Safe| {
        page.raw("<div><dt>").raw(name).raw("</dt><dd>").text(&value);
        if !more.is_empty() {
            page.raw("<small>").text(&more).raw("</small>");
        }
        page.raw("</dd></div>\n");
    };
    fact("Rows released", Safe::whole_of_release(audit.rows), released_of(subject));
    let (smallest, largest) = (audit.measured.smallest, audit.measured.largest);
    let sizes = match smallest == largest {
        true => say!("of {} each", Safe::of_release(smallest, "record")),
        false => say!("of {} to {}", Safe::whole_of_release(smallest), Safe::of_release(largest, "record")),
    };
    fact("Classes", Safe::whole_of_release(audit.measured.classes), sizes);
    if let Some(risk) = &audit.risk {
        let average = say!("{} on average", Safe::share_of_release(risk.prosecutor.average));
        fact("Highest risk of being found", Safe::share_of_release(risk.prosecutor.highest), average);
    }
    // The first of equals, as in the list of attacks.
    let worst = audit.findings.found.iter().min_by_key(|finding| Reverse(finding.severity));
    if let Some(worst) = worst {
        let (severity, attack) = (Safe::words(worst.severity.name()), Safe::words(worst.attack));
        let none = worst.severity == Severity::None;
        let tried = Safe::of_release(audit.findings.found.len() as u64, "attack");
        let more = if none { say!("of {} tried", tried) } else { attack };
        fact("Worst attack", severity, more);
    }
    let learned = audit.utility.as_ref().and_then(|utility| utility.learned.first());
    if let Some(learned) = learned.filter(|learned| subject.rule.tells_figures(learned.tested)) {
        let release = subject.rule.share(learned.release, learned.tested);
        let original = subject.rule.share(learned.original, learned.tested);
        let more = say!("{} from the original ({})", original, Safe::of_policy(learned.target.clone()));
        fact("Right predictions", release, more);
    }
    page.raw("</dl>\n");
}

/// Of how many, as far as that may be told.
fn released_of(subject: &Subject<'_>) -> Safe {
    let Some(rows) = subject.original_rows() else { return Safe::words("") };
    match subject.left_out() {
        0 if subject.audit.exempt_rows > 0 => say!("of {}", Safe::whole_of_release(rows)),
        0 => Safe::words("all of the original"),
        _ if subject.rule.hides_left_out() => subject.rule.few_left_out(),
        _ => say!("of {}", subject.rule.count(rows)),
    }
}

fn contents(subject: &Subject<'_>, page: &mut Page) {
    page.raw("<nav aria-label=\"Contents\"><ul>\n");
    page.raw("<li><a href=\"#policy\">Policy</a></li>\n<li><a href=\"#columns\">Columns</a></li>\n");
    page.raw("<li><a href=\"#classes\">Classes</a></li>\n");
    if subject.has_associations() {
        page.raw("<li><a href=\"#associations\">Associations</a></li>\n");
    }
    page.raw("<li><a href=\"#risk\">Risk</a></li>\n<li><a href=\"#attacks\">Attacks</a></li>\n");
    if subject.node().is_some() {
        page.raw("<li><a href=\"#lattice\">Alternatives</a></li>\n");
    }
    if subject.audit.utility.is_some() {
        page.raw("<li><a href=\"#utility\">Usefulness</a></li>\n");
    }
    page.raw("<li><a href=\"#computed\">How it was computed</a></li>\n</ul></nav>\n");
}
