//! Which policy and which table does the studio work on?
//!
//! The file on disk is the state: every change is written to it at once, and what an editor writes there is taken over.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use shoal::init::{self, Choices, TableFindings};
use shoal::policy::PolicyDocument;
use shoal::publish::{Intent, OutputKind, folder_of};
use shoal::{Error, Policy, Result, Table, Watch};
use shoal_core::text_file;
use shoal_format::InputFormat;

use crate::dropped::dropped;
use crate::edit::edited;
use crate::history::History;
use crate::jail::Jail;
use crate::read_from::{Files, ReadFrom, Written, beside, written};
use crate::sheet::Sheet;
use crate::wire::Edit;

/// A table that was looked at.
pub struct Opened {
    /// Its file.
    pub path: PathBuf,
    /// What was found in it, and what is proposed.
    pub findings: TableFindings,
    /// Its rows.
    pub sheet: Sheet,
    /// What a policy would begin with, where there is none yet.
    pub choices: Option<Choices>,
}

impl Opened {
    /// Looks at a table.
    pub fn read(input: &InputFormat, watch: &dyn Watch) -> Result<Self> {
        let findings = init::profile(input, watch)?;
        let sheet = Sheet::read(&findings.input, watch)?;
        Ok(Self { path: input.path.clone(), findings, sheet, choices: None })
    }

    /// The same for whoever has no policy yet: tries what could be proposed.
    pub fn read_and_propose(input: &InputFormat, watch: &dyn Watch) -> Result<Self> {
        let opened = Self::read(input, watch)?;
        let (choices, _) =
            init::propose(&Table::from(&*input.path), &opened.findings, Choices::proposed(&opened.findings), watch)?;
        Ok(Self { choices: Some(choices), ..opened })
    }
}

/// What the studio works on.
pub struct Desk {
    /// Grows with every change.
    pub revision: u64,
    /// What happened to the file that the page did not do.
    pub notice: Option<String>,
    /// What the last change took with it that nobody named.
    pub dropped: Vec<String>,
    /// The table.
    pub table: Option<Arc<Opened>>,
    /// What is wrong with it.
    pub table_problem: Option<Error>,
    /// Grows whenever what is read is not what it was: when the table has to be read again, when that is done, and when a file is another that the
    /// policy names beside it.
    pub reading: u64,
    /// The files that the policy names beside the table, as they were when they were last looked at.
    pub beside: Files,
    /// What the table was read from, or is being read from.
    pub read: Option<ReadFrom>,
    /// The file of the table as it was when it was last looked at, while somebody writes to it.
    unsettled: Option<Written>,
    file: Option<PathBuf>,
    history: History,
    /// The file as it was when it was last read or written.
    on_disk: Option<Written>,
}

/// The table that a policy names.
pub struct Named {
    /// Its file, and how that is read.
    pub input: InputFormat,
    /// Is that all that the policy says of it? Not where something is wrong with the policy.
    pub is_whole: bool,
}

impl Default for Desk {
    fn default() -> Self {
        let (revision, history) = (0, History::new(String::new()));
        let (notice, table, table_problem, file, on_disk) = Default::default();
        let (dropped, reading, beside, read, unsettled) = Default::default();
        Self {
            revision,
            notice,
            dropped,
            table,
            table_problem,
            reading,
            beside,
            read,
            unsettled,
            file,
            history,
            on_disk,
        }
    }
}

impl Desk {
    /// The policy.
    pub fn text(&self) -> &str {
        self.history.text()
    }

    /// What can be undone and done again.
    pub fn history(&self) -> &History {
        &self.history
    }

    /// The file of the policy.
    pub fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    fn name(&self) -> String {
        self.file
            .as_ref()
            .and_then(|file| file.file_name())
            .map_or("the policy".into(), |name| name.to_string_lossy().into_owned())
    }

    fn folder(&self) -> PathBuf {
        self.file.as_deref().map(folder_of).unwrap_or_default()
    }

    /// The policy, if it is right and stays in its folder.
    pub fn policy(&self, jail: &Jail) -> Result<Policy> {
        if self.file.is_none() {
            return Err(Error::policy("no policy is open"));
        }
        let policy = Policy::parse(self.text(), &self.name(), &self.folder())?;
        jail.holds(&policy)?;
        Ok(policy)
    }

    /// The policy as text that can be asked for keys, if it is TOML.
    pub fn document(&self) -> Result<PolicyDocument> {
        PolicyDocument::parse(self.text(), &self.name(), &self.folder())
    }

    /// The table that the policy names, whatever else may be wrong with the policy.
    pub fn input(&self, jail: &Jail) -> Result<Option<Named>> {
        if let Ok(policy) = self.policy(jail) {
            let input = policy.input.path.as_ref().map(|path| policy.input_format(&policy.folder.join(path)));
            return Ok(input.map(|input| Named { input, is_whole: true }));
        }
        let Ok(document) = self.document() else { return Ok(None) };
        let path = document.get("input.path")?;
        let Some(path) = path.as_ref().and_then(toml::Value::as_str) else { return Ok(None) };
        let path = jail.file(&self.folder().join(path))?;
        Ok(Some(Named { input: InputFormat::new(&path), is_whole: false }))
    }

    /// The table that the policy names, unless it was read already, or is being read, as the policy says.
    pub fn to_read(&self, jail: &Jail, is_reading: bool) -> Result<Option<InputFormat>> {
        let Some(Named { input, is_whole }) = self.input(jail)? else { return Ok(None) };
        let is_same = |read: &ReadFrom| read.is_as(&input) || (!is_whole && read.input.path == input.path);
        let is_there = (self.table.is_some() || is_reading) && self.read.as_ref().is_some_and(is_same);
        Ok((!is_there).then_some(input))
    }

    /// A table begins to be read.
    pub fn begin_reading(&mut self, input: &InputFormat) {
        self.read = Some(ReadFrom::now(input));
        self.reading += 1;
    }

    /// The table, where somebody has written to its file since it was read and has come to an end.
    pub fn look_at_table(&mut self) -> Option<InputFormat> {
        let read = self.read.as_mut()?;
        let now = written(&read.input.path);
        if now == read.written {
            self.unsettled = None;
            return None;
        }
        let name = read.input.path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        if now.is_none() {
            read.written = None;
            self.notice = Some(format!("{name} is gone from its folder; what is shown of it is what it was"));
            self.revision += 1;
            return None;
        }
        // Whoever is in the middle of writing goes on.
        if std::mem::replace(&mut self.unsettled, now) != now {
            return None;
        }
        self.unsettled = None;
        let input = read.input.clone();
        self.notice = Some(format!("{name} was changed by another program, and is read again"));
        self.revision += 1;
        Some(input)
    }

    /// Notes which files the policy names beside the table, as they are now.
    pub fn note_files(&mut self, jail: &Jail) {
        if let Ok(policy) = self.policy(jail) {
            self.beside = beside(&policy);
        }
    }

    /// Notices what somebody else wrote to files that the policy names beside the table.
    pub fn look_at_files(&mut self) {
        let Some((changed, _)) = self.beside.iter().find(|(path, before)| written(path) != *before) else { return };
        let name = changed.file_name().unwrap_or_default().to_string_lossy().into_owned();
        self.beside.iter_mut().for_each(|(path, before)| *before = written(path));
        self.notice =
            Some(format!("{name}, which the policy names, was changed by another program, and is read again"));
        self.revision += 1;
        self.reading += 1;
    }

    /// Opens a policy.
    pub fn open_policy(&mut self, file: &Path) -> Result<()> {
        let text = text_file::text("read", file)?;
        let (revision, reading) = (self.revision + 1, self.reading + 1);
        *self = Self { revision, reading, file: Some(file.to_owned()), history: History::new(text), ..Self::default() };
        self.on_disk = written(file);
        Ok(())
    }

    /// Opens a policy whose table was read already.
    pub fn open_with(&mut self, file: &Path, table: Opened, read: ReadFrom, jail: &Jail) -> Result<()> {
        self.open_policy(file)?;
        self.table = Some(Arc::new(table));
        self.read = Some(read);
        self.note_files(jail);
        Ok(())
    }

    /// Begins a policy for a table, which is written beside it.
    pub fn begin_policy(&mut self, file: &Path, table: Opened) -> Result<()> {
        let text = match &table.choices {
            Some(choices) => init::starter_policy(&table.findings, choices, &folder_of(file)),
            None => init::starter_policy(&table.findings, &Choices::proposed(&table.findings), &folder_of(file)),
        };
        write(file, &text, false)?;
        self.open_policy(file)?;
        self.table = Some(Arc::new(table));
        Ok(())
    }

    /// Changes the policy, and writes it.
    pub fn edit(&mut self, edit: &Edit) -> Result<()> {
        self.look_at_disk();
        let (name, folder) = (self.name(), self.folder());
        let sheet = self.table.as_ref().map(|table| &table.sheet);
        let earlier: Vec<&str> = self.history.earlier().collect();
        let text = edited(self.text(), &earlier, (&name, &folder), edit, sheet)?;
        if text != self.text() {
            let lost = dropped(self.text(), &text, edit);
            self.put(&text)?;
            self.dropped = lost;
            self.history.change(text, matches!(edit, Edit::Text { .. }));
        }
        Ok(())
    }

    /// Back to what the policy said before.
    pub fn undo(&mut self) -> Result<()> {
        self.look_at_disk();
        if !self.history.undo() {
            return Ok(());
        }
        let text = self.text().to_owned();
        self.put(&text).inspect_err(|_| _ = self.history.redo())
    }

    /// On to what it said after.
    pub fn redo(&mut self) -> Result<()> {
        self.look_at_disk();
        if !self.history.redo() {
            return Ok(());
        }
        let text = self.text().to_owned();
        self.put(&text).inspect_err(|_| _ = self.history.undo())
    }

    /// Writes the policy. Where that fails, the page goes on showing what the file says.
    fn put(&mut self, text: &str) -> Result<()> {
        if let Some(file) = &self.file {
            write(file, text, true)?;
            self.on_disk = written(file);
        }
        self.revision += 1;
        self.notice = None;
        self.dropped.clear();
        Ok(())
    }

    /// Takes over what somebody else wrote to the file. Is anything different now?
    pub fn look_at_disk(&mut self) -> bool {
        let Some(file) = &self.file else { return false };
        let now = written(file);
        if now == self.on_disk {
            return false;
        }
        let vanished = now.is_none();
        let text = text_file::text("read", file);
        self.on_disk = now;
        self.notice = match text {
            Ok(text) => {
                if !self.history.change(text, false) {
                    return false;
                }
                self.dropped.clear();
                Some(format!("{} was changed by another program; this is what it says now", self.name()))
            }
            Err(_) if vanished => {
                Some(format!("{} is gone from its folder; the next change here writes it again", self.name()))
            }
            Err(error) => Some(format!("{} was changed, and cannot be read: {}", self.name(), error.message())),
        };
        self.revision += 1;
        true
    }
}

/// Writes a policy, whole or not at all.
fn write(file: &Path, text: &str, overwrite: bool) -> Result<()> {
    let mut intent = Intent::new(overwrite);
    intent.writes("the policy", file, OutputKind::Edited);
    let mut outputs = intent.claim()?;
    outputs.write(file, text)?;
    outputs.publish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use shoal::Unwatched;

    fn begun(folder: &Path) -> (Desk, PathBuf, Jail) {
        let table = folder.join("a.csv");
        let rows: String =
            (0..40).map(|row| format!("{},{},{}\n", 20 + row, ["f", "m"][row % 2], ["flu", "gout"][row % 2])).collect();
        std::fs::write(&table, format!("age,sex,diagnosis\n{rows}")).unwrap();
        let mut desk = Desk::default();
        let policy = folder.join("a.policy.toml");
        desk.begin_policy(&policy, Opened::read(&InputFormat::new(&table), &Unwatched).unwrap()).unwrap();
        (desk, policy, Jail::new(folder, None).unwrap())
    }

    fn set(key: &str, value: &str) -> Edit {
        let setting = crate::wire::SettingWords { key: key.into(), value: value.into() };
        Edit::Settings { settings: vec![setting] }
    }

    #[test]
    fn every_change_is_on_disk_at_once() {
        let folder = tempfile::tempdir().unwrap();
        let (mut desk, file, jail) = begun(folder.path());
        let on_disk = || std::fs::read_to_string(&file).unwrap();
        let before = on_disk();
        desk.edit(&set("k", "4")).unwrap();
        assert!(on_disk() == desk.text() && on_disk().contains("k = 4"), "{}", on_disk());
        assert!(desk.policy(&jail).is_ok());
        desk.undo().unwrap();
        assert_eq!(on_disk(), before);
        desk.redo().unwrap();
        assert!(on_disk().contains("k = 4"));
        assert!(desk.edit(&set("nonsense", "4")).is_err());
        assert!(on_disk().contains("k = 4"));
    }

    #[test]
    fn what_cannot_be_written_is_not_shown_as_if_it_were() {
        let outer = tempfile::tempdir().unwrap();
        let (folder, elsewhere) = (outer.path().join("here"), outer.path().join("there"));
        std::fs::create_dir(&folder).unwrap();
        let (mut desk, file, _) = begun(&folder);
        desk.edit(&set("k", "4")).unwrap();
        desk.edit(&set("k", "5")).unwrap();
        desk.undo().unwrap();
        let before = desk.text().to_owned();
        std::fs::rename(&folder, &elsewhere).unwrap();
        assert!(desk.edit(&set("k", "7")).is_err() && desk.undo().is_err() && desk.redo().is_err());
        assert_eq!(desk.text(), before);
        assert!(desk.history().can_undo() && desk.history().can_redo() && desk.notice.is_some());
        std::fs::rename(&elsewhere, &folder).unwrap();
        desk.redo().unwrap();
        assert!(desk.text().contains("k = 5") && std::fs::read_to_string(file).unwrap() == desk.text());
    }

    #[test]
    fn what_an_editor_writes_is_taken_over_and_can_be_undone() {
        let folder = tempfile::tempdir().unwrap();
        let (mut desk, file, _) = begun(folder.path());
        let before = desk.text().to_owned();
        assert!(!desk.look_at_disk());
        std::fs::write(&file, format!("# by hand\n{before}")).unwrap();
        assert!(desk.look_at_disk());
        assert!(desk.text().starts_with("# by hand\n") && desk.notice.as_ref().unwrap().contains("another program"));
        desk.edit(&set("k", "7")).unwrap();
        assert!(desk.text().starts_with("# by hand\n") && desk.notice.is_none());
        desk.undo().unwrap();
        desk.undo().unwrap();
        assert_eq!(desk.text(), before);
        std::fs::remove_file(&file).unwrap();
        assert!(desk.look_at_disk() && desk.notice.as_ref().unwrap().contains("gone"));
        desk.edit(&set("k", "9")).unwrap();
        assert!(file.exists());
    }

    #[test]
    fn a_table_is_read_again_when_its_file_or_the_way_it_is_read_changes() {
        let folder = tempfile::tempdir().unwrap();
        let (mut desk, _, jail) = begun(folder.path());
        let named = desk.input(&jail).unwrap().unwrap();
        desk.begin_reading(&named.input);
        assert!(named.is_whole && desk.to_read(&jail, false).unwrap().is_none());
        // What has nothing to do with reading leaves the table as it is, and so does a policy that is wrong for a moment.
        for (key, value) in [("k", "4"), ("columns.age.weight", "2"), ("columns.age.role", "nonsense")] {
            desk.edit(&set(key, value)).unwrap();
            assert!(desk.to_read(&jail, false).unwrap().is_none(), "{key}");
            desk.undo().unwrap();
        }
        for (key, value) in [("input.missing", "[\"?\"]"), ("input.encoding", "latin1"), ("input.decimal", "\",\"")] {
            desk.edit(&set(key, value)).unwrap();
            assert!(desk.policy(&jail).is_ok(), "{key}: {:?}", desk.policy(&jail).err());
            assert!(desk.to_read(&jail, false).unwrap().is_some(), "{key}");
            desk.undo().unwrap();
        }
        // Whoever writes it is let finish.
        assert!(desk.look_at_table().is_none());
        let table = folder.path().join("a.csv");
        std::fs::write(&table, "age,sex,diagnosis\n31,f,flu\n").unwrap();
        assert!(desk.look_at_table().is_none() && desk.notice.is_none());
        let again = desk.look_at_table().unwrap();
        assert!(desk.notice.as_ref().unwrap().contains("is read again"));
        let reading = desk.reading;
        desk.begin_reading(&again);
        assert!(desk.reading > reading && desk.look_at_table().is_none());
        std::fs::remove_file(&table).unwrap();
        assert!(desk.look_at_table().is_none() && desk.notice.as_ref().unwrap().contains("is gone"));
        assert!(desk.look_at_table().is_none());
        std::fs::write(&table, "age,sex,diagnosis\n31,f,flu\n").unwrap();
        assert!(desk.look_at_table().is_none());
        assert!(desk.look_at_table().is_some());
    }

    #[test]
    fn a_policy_cannot_lead_out_of_its_folder() {
        let folder = tempfile::tempdir().unwrap();
        let (mut desk, _, jail) = begun(folder.path());
        for (key, value) in
            [("input.path", "/etc/passwd"), ("output.path", "../release.csv"), ("output.report", "/tmp/report.html")]
        {
            desk.edit(&set(key, value)).unwrap();
            let error = desk.policy(&jail).unwrap_err();
            assert!(error.message().contains("outside of the folder"), "{error}");
            assert!(key != "input.path" || desk.input(&jail).is_err());
            desk.undo().unwrap();
        }
        assert!(desk.policy(&jail).is_ok());
    }

    #[test]
    fn a_policy_that_somebody_has_worked_on_is_not_begun_anew() {
        let folder = tempfile::tempdir().unwrap();
        let (_, file, _) = begun(folder.path());
        let table = Opened::read(&InputFormat::new(folder.path().join("a.csv")), &Unwatched).unwrap();
        assert!(Desk::default().begin_policy(&file, table).is_err());
    }
}
