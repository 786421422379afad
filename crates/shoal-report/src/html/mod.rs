//! What would a steward hand to a board or an ethics committee? One page that explains a release and opens anywhere.
//!
//! Each section is one file. All that they write passes through `report/safe`: the page is as safe to publish as the release.

mod associations;
mod attacks;
mod classes;
mod columns;
mod computed;
mod distribution;
mod figure;
mod lattice;
mod page;
mod policy;
mod risks;
mod rows_and_people;
mod usefulness;
mod verdict;

use crate::Hashes;
use crate::safe::{Rule, Safe, Shown, say};
use page::Page;
use shoal::audit::Audit;
use shoal::policy::{Policy, Role};
use shoal::study::Release;
use shoal_core::lattice::Node;
use shoal_core::method::Knows;
use shoal_core::model::Requirement;

/// A release and everything that is known of it.
#[derive(Debug)]
pub struct HtmlReport<'a> {
    /// What the release is called.
    pub name: String,
    /// What was found out about it.
    pub audit: &'a Audit,
    /// What it should satisfy.
    pub policy: Option<&'a Policy>,
    /// How it was made, if it was made just now.
    pub run: Option<Run<'a>>,
    /// The hashes of files; a table that lives elsewhere has none.
    pub hashes: &'a Hashes,
}

/// The run that made a release.
#[derive(Debug)]
pub struct Run<'a> {
    /// What it did.
    pub release: &'a Release,
    /// Which combinations of levels would have done, if that is known.
    pub satisfying: Option<&'a [Node]>,
    /// The seconds that the audit took.
    pub audit_seconds: f64,
}

/// No sentence names more columns than that.
const MOST_NAMED: usize = 8;

/// Longer tables are folded.
const MOST_ROWS: usize = 20;

/// What all sections look at.
struct Subject<'a> {
    report: &'a HtmlReport<'a>,
    audit: &'a Audit,
    rule: Rule,
    shown: Shown<'a>,
}

impl HtmlReport<'_> {
    /// The page.
    pub fn to_html(&self) -> String {
        let mut subject = Subject {
            report: self,
            audit: self.audit,
            rule: Rule::new(self.audit.asked()),
            shown: Shown::new(&self.audit.shown),
        };
        subject.rule = subject.rule.leaving_out(subject.left_out(), subject.people_left_out());
        let mut page = Page::default();
        verdict::write(&subject, &mut page);
        page.section("policy", "What was asked for", |page| policy::write(&subject, page));
        page.section("columns", "Each column before and after", |page| columns::write(&subject, page));
        page.section("classes", "How many share a class", |page| classes::write(&subject, page));
        if subject.has_associations() {
            page.section("associations", "What belongs together", |page| associations::write(&subject, page));
        }
        page.section("risk", "How likely a record is found again", |page| risks::write(&subject, page));
        page.section("attacks", "What an attacker could do", |page| attacks::write(&subject, page));
        if subject.node().is_some() {
            page.section("lattice", "What else was possible", |page| lattice::write(&subject, page));
        }
        if subject.audit.utility.is_some() {
            page.section("utility", "What it is still good for", |page| usefulness::write(&subject, page));
        }
        page.section("computed", "How it was computed", |page| computed::write(&subject, page));
        page.finish(&say!("Privacy report: {}", Safe::of_policy(self.name.clone())))
    }
}

impl Subject<'_> {
    /// The quasi-identifiers, by name.
    fn quasi(&self) -> Vec<Safe> {
        match self.report.policy {
            Some(policy) => policy.with_role(Role::QuasiIdentifier).map(|c| Safe::of_policy(c.name.clone())).collect(),
            None => {
                let sensitive = self.sensitive_count();
                let quasi = &self.audit.shown[..self.audit.shown.len() - sensitive];
                quasi.iter().map(|column| Safe::of_policy(column.name.clone())).collect()
            }
        }
    }

    fn sensitive_count(&self) -> usize {
        self.audit.sensitive.len()
    }

    /// What an attacker is taken to know.
    fn known(&self) -> Safe {
        let knows = self.report.policy.map(|policy| policy.input.knows).unwrap_or_default();
        match (self.counts_people(), knows) {
            (true, Knows::AllRows) => say!("the {} of all rows of a person", self.quasi_in_short()),
            (true, Knows::OneRow) => say!("the {} of one row of a person", self.quasi_in_short()),
            (false, _) => say!("the {} of a record", self.quasi_in_short()),
        }
    }

    /// Are promises made to people?
    fn counts_people(&self) -> bool {
        self.audit.asked().any(|requirement| requirement.model.counts_people())
    }

    /// The size of classes that is asked for, of rows, where any definition asks for more than one.
    fn smallest_k(&self) -> Option<u64> {
        self.audit.asked().map(Requirement::least_size).max().filter(|&size| size > 1)
    }

    /// The quasi-identifiers in a sentence: by name, or how many they are where nobody would read all names.
    fn quasi_in_short(&self) -> Safe {
        let quasi = self.quasi();
        match quasi.len() {
            ..=MOST_NAMED => Safe::listed(&quasi),
            count => say!("{} quasi-identifiers", Safe::whole_of_release(count as u64)),
        }
    }

    /// Are sensitive values in a table of their own?
    fn is_separated(&self) -> bool {
        self.report.policy.is_some_and(|policy| policy.method.method.separates().is_some())
    }

    /// The levels that were released, where a method has one for all rows.
    fn node(&self) -> Option<&Node> {
        self.report.run.as_ref()?.release.partition().node.as_ref()
    }

    /// How many rows the original has, if it is at hand.
    fn original_rows(&self) -> Option<u64> {
        let of_run = self.report.run.as_ref().map(|run| run.release.table().rows);
        of_run.or_else(|| self.audit.utility.as_ref().map(|utility| utility.rows))
    }

    /// How many of them are not in the release, and cannot be counted there as rows of `*` either.
    fn left_out(&self) -> u64 {
        let Audit { rows, exempt_rows, .. } = self.audit;
        self.original_rows().map_or(0, |original| original.saturating_sub(rows + exempt_rows))
    }

    /// Of how many people they are, where people were counted: whoever has nothing but the table and its original only knows the least.
    fn people_left_out(&self) -> Option<u64> {
        match &self.report.run {
            _ if self.left_out() == 0 => None,
            Some(run) => run.release.people_left_out(),
            None => self.audit.people_left_out,
        }
    }

    fn has_associations(&self) -> bool {
        let utility = self.audit.utility.as_ref();
        utility.is_some_and(|utility| !utility.associations.is_empty() && self.rule.tells_figures(utility.rows))
    }
}
