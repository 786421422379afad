//! How can somebody check this?

use super::Subject;
use super::page::{Page, Table, header};
use crate::safe::{Safe, say};

/// Version, hashes, seconds, and the rule that the page obeys.
pub(super) fn write(subject: &Subject<'_>, page: &mut Page) {
    let hashes = subject.report.hashes;
    let mut rows = vec![vec![Safe::words("Shoal"), say!("version {}", Safe::words(env!("CARGO_PKG_VERSION")))]];
    let mut hash = |name: &'static str, hash: &Option<crate::Hash>| {
        rows.extend(hash.as_ref().map(|hash| vec![Safe::words(name), Safe::of_hash(hash)]));
    };
    hash("SHA-256 of the release", &hashes.release);
    hash("SHA-256 of the table of sensitive values", &hashes.sensitive);
    hash("SHA-256 of the policy", &hashes.policy);
    if let Some(run) = &subject.report.run {
        let seconds = &run.release.seconds;
        let parts = [
            ("Reading and counting the original", seconds.read + seconds.count),
            ("Reading and making hierarchies", seconds.hierarchies),
            ("Searching", seconds.search),
            ("Recoding and writing", seconds.recode + seconds.write),
            ("Verifying the written release", seconds.verify),
            ("Auditing it for this report", run.audit_seconds),
        ];
        rows.extend(parts.map(|(name, seconds)| vec![Safe::words(name), Safe::of_seconds(seconds)]));
    }
    page.table(&Table {
        caption: Safe::words("Versions, hashes and seconds"),
        header: header(&["What", "Value"]),
        rows,
    });
    if subject.report.run.is_some() {
        page.say("What was written was read back and every requirement counted anew, by other code than the search's, before it was published.");
    }
    page.paragraph(&say!(
        "This page is as safe to publish as the release: it has no original record, no original value that the release does not \
         show, and no count of fewer than {} originals that cannot be counted from the release, but for how few people share a class where \
         people are counted. The original has no hash here on purpose: whoever knew all of it but one value could try which value gives the \
         hash.",
        Safe::whole_of_release(subject.rule.threshold())
    ));
    for note in &subject.audit.notes {
        page.paragraph(&say!("Note: {}.", Safe::of_policy(note.clone())));
    }
}
