//! Is nothing published that is not proven, whatever happens on the way?

use std::fs;
use std::path::{Path, PathBuf};

use shoal::policy::Policy;
use shoal::publish::{Intent, Outputs};
use shoal::run::anonymize;
use shoal::source::{Counted, LocalSource, Source, Staged};
use shoal::study::Writing;
use shoal_core::recode::Recoding;
use shoal_core::watch::{Unwatched, Watch};
use shoal_core::{Error, Result};

const POLICY: &str = r#"[input]
path = "table.csv"
[output]
path = "release.csv"
[columns.age]
role = "quasi-identifier"
hierarchy = { intervals = [10] }
[columns.ill]
role = "sensitive"
[columns.note]
role = "insensitive"
[[require]]
model = "k-anonymity"
k = 2
[[require]]
model = "distinct-l-diversity"
l = 2
"#;

const TABLE: &str = "age,ill,note\n31,flu,a\n32,cold,b\n33,flu,c\n41,cold,d\n42,flu,e\n";
const EARLIER: &str = "age,ill,note\n*,flu,x\n*,cold,y\n";

/// A file source to which something happens between two passes.
struct Disturbed {
    inner: LocalSource,
    before_staging: Box<dyn Fn() + Send>,
    after_staging: Box<dyn Fn() + Send>,
}

impl Source for Disturbed {
    fn count(&mut self, policy: &Policy, watch: &dyn Watch) -> Result<Counted> {
        self.inner.count(policy, watch)
    }

    fn stage(
        &mut self,
        policy: &Policy,
        counted: &Counted,
        recoding: &Recoding,
        outputs: &mut Outputs,
        watch: &dyn Watch,
    ) -> Result<Box<dyn Staged>> {
        (self.before_staging)();
        let staged = self.inner.stage(policy, counted, recoding, outputs, watch)?;
        (self.after_staging)();
        Ok(staged)
    }

    fn announce(&self, policy: &Policy, intent: &mut Intent) -> Result<()> {
        self.inner.announce(policy, intent)
    }

    fn some_values(&mut self, policy: &Policy, watch: &dyn Watch) -> Result<Vec<(String, Vec<String>)>> {
        self.inner.some_values(policy, watch)
    }
}

/// Runs the pipeline while the table, and then the staged file, are rewritten. Gives the error, if there is one, after
/// checking that it left nothing behind and the earlier release in place.
fn disturb(
    table: impl Fn(&str) -> String + Send + 'static,
    release: impl Fn(&str) -> String + Send + 'static,
) -> Option<Error> {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("table.csv"), TABLE).unwrap();
    fs::write(at("release.csv"), EARLIER).unwrap();
    let policy = Policy::parse(POLICY, "policy.toml", folder.path()).unwrap();
    let (path, place) = (at("table.csv"), folder.path().to_path_buf());
    let rewrite_table = move || fs::write(&path, table(TABLE)).unwrap();
    let rewrite_release = move || {
        let staged = staged_file(&place);
        fs::write(&staged, release(&fs::read_to_string(&staged).unwrap())).unwrap();
    };
    let source = Disturbed {
        inner: LocalSource::new(&policy, None, None).unwrap(),
        before_staging: Box::new(rewrite_table),
        after_staging: Box::new(rewrite_release),
    };
    let error = anonymize(source, &policy, Writing::new(), &Unwatched).err();
    let mut left: Vec<String> =
        fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    left.sort();
    assert_eq!(left, ["release.csv", "table.csv"]);
    assert_eq!(fs::read_to_string(at("release.csv")).unwrap() == EARLIER, error.is_some());
    error
}

fn staged_file(folder: &Path) -> PathBuf {
    let is_staged = |path: &PathBuf| path.file_name().unwrap().to_str().unwrap().ends_with(".new");
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).find(is_staged).expect("a release was staged")
}

#[test]
fn an_undisturbed_run_publishes() {
    assert!(disturb(str::to_owned, str::to_owned).is_none());
}

#[track_caller]
fn notices_a_changed_table(change: impl Fn(&str) -> String + Send + 'static) {
    let error = disturb(change, str::to_owned).expect("a changed table is refused");
    assert!(error.message().contains("table.csv: the table changed while it was being anonymized"), "{error}");
}

#[test]
fn a_table_that_changes_between_the_passes_is_refused() {
    notices_a_changed_table(|table| table.replace("33,flu,c\n", ""));
    notices_a_changed_table(|table| format!("{table}33,flu,f\n"));
    notices_a_changed_table(|table| table.replace("33,flu", "34,flu"));
    notices_a_changed_table(|table| table.replace("33,flu", "33,cold"));
    notices_a_changed_table(|table| table.replace("33,flu", "33,gout"));
    notices_a_changed_table(|table| table.replace("33,flu", ",flu"));
}

#[test]
fn columns_that_change_between_the_passes_are_refused() {
    notices_a_changed_table(|table| table.replace("age,ill,note", "age,ill,name"));
    notices_a_changed_table(|table| table.replace("age,ill,note", "age,note,ill"));
    notices_a_changed_table(|table| table.replace("age,ill,note", "years,ill,note"));
}

#[track_caller]
fn notices_a_bad_release(change: impl Fn(&str) -> String + Send + 'static, reason: &str) {
    let error = disturb(str::to_owned, change).expect("a bad release is refused");
    assert!(error.message().contains("the release failed its verification"), "{error}");
    assert!(error.message().contains(reason), "{error}");
    assert!(error.hint_text().is_some_and(|hint| hint.contains("bug in Shoal")), "{error}");
}

#[test]
fn a_release_that_breaks_a_promise_is_not_published() {
    let range = "\"[40, 50)\",cold";
    notices_a_bad_release(move |release| release.replace(range, "41,cold"), "it does not satisfy 2-anonymity");
    notices_a_bad_release(
        move |release| release.replace(range, "\"[40, 50)\",flu"),
        "it does not satisfy distinct 2-diversity",
    );
    notices_a_bad_release(move |release| release.replace(range, "\"[40, 50)\",gout"), "a value that the input lacks");
}

#[test]
fn a_release_with_other_rows_or_columns_is_not_published() {
    notices_a_bad_release(|release| release.replace("\"[30, 40)\",flu,c\n", ""), "it has 4 rows");
    notices_a_bad_release(|release| format!("{release}\"[30, 40)\",flu,c\n"), "it has 6 rows");
    notices_a_bad_release(|release| release.replace("note\n", "name\n"), "its columns are not those");
    notices_a_bad_release(|release| release.replace('\n', ",x\n"), "its columns");
}

#[test]
fn a_release_that_cannot_be_read_back_is_not_published() {
    let changes: [fn(&str) -> String; 3] =
        [|release| release.replace("age,", "years,"), |_| "age,ill,note\n".to_owned(), |_| String::new()];
    for change in changes {
        let error = disturb(str::to_owned, change).expect("a broken release is refused");
        assert!(error.message().starts_with("the release cannot be read back: "), "{error}");
    }
}

/// What a run that was killed had begun to publish gets its name from the next run, after that has said what it will write.
#[test]
fn a_release_that_appears_after_it_was_announced_is_replaced_by_its_like_alone() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("table.csv"), TABLE).unwrap();
    let policy = Policy::parse(POLICY, "policy.toml", folder.path()).unwrap();
    let claimed = |appears: &str| {
        let mut intent = Intent::new(false);
        LocalSource::new(&policy, None, None).unwrap().announce(&policy, &mut intent).unwrap();
        fs::write(at("release.csv"), appears).unwrap();
        let claimed = intent.claim().map(drop);
        fs::remove_file(at("release.csv")).unwrap();
        claimed
    };
    claimed(EARLIER).expect("an earlier release of these columns");
    let error = claimed("name,ill\nAnn,flu\n").expect_err("somebody else's table");
    assert!(error.message().contains("exists already"), "{error}");
}
