//! What does the studio hold, and who may change it?

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use shoal::{Error, LocalSource, Policy, Result, Study, Watch};
use shoal_format::{InputFormat, file_of};
use tokio::sync::broadcast;

use crate::desk::{Desk, Opened};
use crate::jail::Jail;
use crate::policy_of::{PolicyOf, policy_of};
use crate::read_from::{self, ReadFrom, Written, beside, written};
use crate::room::Found;
use crate::wire::{self, Edit, Event, WorkKind};
use crate::work::{Patient, Progress, Questions, Slot, lock, to_its_end};

/// So many events wait for a page that is slow to read them; one that missed some is told so, and asks for everything anew.
const WAITING: usize = 64;

/// Everything that is open.
pub struct Studio {
    /// Which files may be touched.
    pub jail: Jail,
    desk: Mutex<Desk>,
    counted: Mutex<Option<CountedOnce>>,
    events: broadcast::Sender<Event>,
    questions: Questions,
    /// The table that is being opened.
    pub opening: Slot<()>,
    /// The frontier.
    pub explore: Slot<wire::Explored>,
    /// What costs most.
    pub advise: Slot<wire::Advised>,
    /// Minimal nodes.
    pub solutions: Slot<wire::Solutions>,
    /// The nodes around one.
    pub around: Slot<wire::Neighbourhood>,
    /// The release of the policy, before it is written.
    pub candidate: Slot<Arc<Found>>,
    /// Its writing.
    pub publish: Slot<wire::Published>,
}

/// A study, and what would make it stale.
struct CountedOnce {
    files: Files,
    study: Study,
}

/// What a study reads and writes. A source keeps to these.
struct Files {
    input: PathBuf,
    written: Option<Written>,
    output: Option<PathBuf>,
    /// What the policy names beside its table.
    beside: read_from::Files,
}

impl Files {
    /// Does what was counted with these serve a policy with others? It may name other files beside its table; what both name is as it was.
    fn serve(&self, others: &Self) -> bool {
        let is_as_it_was = |(path, written): &(PathBuf, Option<Written>)| {
            self.beside.iter().find(|(known, _)| known == path).is_none_or(|(_, known)| known == written)
        };
        (&self.input, self.written, &self.output) == (&others.input, others.written, &others.output)
            && others.beside.iter().all(is_as_it_was)
    }
}

/// What a table is opened for.
enum Opening {
    /// For the policy that is open.
    Here,
    /// For another policy, which takes the place of that one.
    Instead(PathBuf),
    /// To begin a policy, and to say why it is called so.
    Begin { policy: PathBuf, notice: Option<String> },
}

/// The policy, and what stands around it at the same moment.
pub struct Asked {
    /// What work on it is about.
    pub about: String,
    /// The policy.
    pub policy: Policy,
    /// Its file.
    pub file: PathBuf,
}

impl Studio {
    /// With nothing open.
    pub fn new(jail: Jail) -> Self {
        let (events, _) = broadcast::channel(WAITING);
        Self {
            jail,
            desk: Mutex::default(),
            counted: Mutex::default(),
            events,
            questions: Questions::default(),
            opening: Slot::default(),
            explore: Slot::default(),
            advise: Slot::default(),
            solutions: Slot::default(),
            around: Slot::default(),
            candidate: Slot::default(),
            publish: Slot::default(),
        }
    }

    /// What will happen.
    pub fn listen(&self) -> broadcast::Receiver<Event> {
        self.events.subscribe()
    }

    /// Tells every page; where none listens, nobody needs to know.
    pub fn tell(&self, event: Event) {
        _ = self.events.send(event);
    }

    /// Tells that work has come further.
    pub fn tell_work(&self, kind: WorkKind) {
        self.tell(Event::Work { kind });
    }

    /// Every kind of work that goes on.
    pub fn running(&self) -> Vec<WorkKind> {
        let all = [
            (WorkKind::Open, self.opening.is_running()),
            (WorkKind::Explore, self.explore.is_running()),
            (WorkKind::Advise, self.advise.is_running()),
            (WorkKind::Solutions, self.solutions.is_running()),
            (WorkKind::Around, self.around.is_running()),
            (WorkKind::Candidate, self.candidate.is_running()),
            (WorkKind::Publish, self.publish.is_running()),
        ];
        all.into_iter().filter(|(_, runs)| *runs).map(|(kind, _)| kind).collect()
    }

    /// Somebody asks something that may take a while: whoever answers watches this, and stops once the policy is another.
    pub fn question(&self) -> Arc<Progress> {
        self.questions.begin(&self.about())
    }

    /// Looks at the desk.
    pub fn with_desk<T>(&self, look: impl FnOnce(&Desk) -> T) -> T {
        look(&lock(&self.desk))
    }

    /// The policy, if it is right.
    pub fn asked(&self) -> Result<Asked> {
        let desk = lock(&self.desk);
        let policy = desk.policy(&self.jail)?;
        let file = desk.file().ok_or_else(|| Error::policy("no policy is open"))?.to_owned();
        Ok(Asked { about: about(&desk), policy, file })
    }

    /// What work that begins now is about: the policy, the table as it was read last, and what the policy names beside it. Once any of them is
    /// another, the work is stale.
    pub fn about(&self) -> String {
        about(&lock(&self.desk))
    }

    /// The text of the policy.
    #[cfg(test)]
    pub fn text(&self) -> String {
        lock(&self.desk).text().to_owned()
    }

    /// The table.
    pub fn table(&self) -> Result<Arc<Opened>> {
        let table = lock(&self.desk).table.clone();
        table.ok_or_else(|| Error::table("no table is open"))
    }

    /// Changes the desk, and opens the table if it is another one now.
    pub fn change(self: &Arc<Self>, change: impl FnOnce(&mut Desk) -> Result<()>) -> Result<()> {
        let (before, after, outcome) = {
            let mut desk = lock(&self.desk);
            let before = desk.revision;
            let outcome = change(&mut desk);
            if desk.revision != before {
                desk.note_files(&self.jail);
            }
            (before, desk.revision, outcome)
        };
        if before != after {
            self.questions.only(&self.about());
            self.tell(Event::Desk { revision: after });
            self.follow_the_policy();
        }
        outcome
    }

    /// Applies an edit.
    pub fn edit(self: &Arc<Self>, edit: &Edit) -> Result<()> {
        self.change(|desk| desk.edit(edit))
    }

    /// Takes over what others wrote to the policy's file, to the table's and to those that the policy names.
    pub fn look_at_disk(self: &Arc<Self>) {
        let mut again = None;
        // A file that cannot be read is said in a notice.
        _ = self.change(|desk| {
            desk.look_at_disk();
            desk.look_at_files();
            again = desk.look_at_table();
            Ok(())
        });
        if let Some(input) = again {
            self.open_table(input, Opening::Here);
        }
    }

    /// Opens a table or a policy.
    pub fn open(self: &Arc<Self>, path: &Path) -> Result<()> {
        let file = self.jail.file(path)?;
        if !file_of(&file).exists() {
            return Err(Error::place(format!("there is no file {}", path.display())));
        }
        if is_policy(&file) {
            return self.open_policy(file);
        }
        match policy_of(&file, &self.jail)? {
            PolicyOf::Found(policy) => self.open_policy(policy),
            PolicyOf::Begun(policy, other) => {
                let notice = other.map(|other| self.begun_instead(&policy, &other));
                self.open_table(InputFormat::new(file), Opening::Begin { policy, notice });
                Ok(())
            }
        }
    }

    /// Opens a policy. What is open stays until the table of another can be read, too.
    fn open_policy(self: &Arc<Self>, file: PathBuf) -> Result<()> {
        if self.with_desk(|desk| desk.file().is_none()) {
            return self.change(|desk| desk.open_policy(&file));
        }
        let mut other = Desk::default();
        other.open_policy(&file)?;
        match other.input(&self.jail)? {
            Some(named) => {
                self.open_table(named.input, Opening::Instead(file));
                Ok(())
            }
            // Without a table it is opened to be mended.
            None => self.change(|desk| desk.open_policy(&file)),
        }
    }

    /// Why a policy has another name than that of its table.
    fn begun_instead(&self, policy: &Path, other: &Path) -> String {
        let [policy, other] = [policy, other].map(|file| self.jail.shown(file));
        format!("{other} is the policy of another table; the one of this table was begun in {policy}")
    }

    /// Opens the table that the policy names, where that is another one than the one that is open, or is to be read in another way.
    fn follow_the_policy(self: &Arc<Self>) {
        let is_reading = self.opening.is_running();
        match self.with_desk(|desk| desk.to_read(&self.jail, is_reading)) {
            Ok(Some(input)) => self.open_table(input, Opening::Here),
            Ok(None) => lock(&self.desk).table_problem = None,
            Err(error) => lock(&self.desk).table_problem = Some(error),
        }
    }

    /// Looks at a table in the background. What is open stays open where another one cannot be read.
    fn open_table(self: &Arc<Self>, input: InputFormat, opening: Opening) {
        let studio = Arc::clone(self);
        let was_reading = self.opening.is_running();
        let ticket = self.opening.begin("");
        let read = ReadFrom::now(&input);
        if matches!(opening, Opening::Here) {
            lock(&self.desk).begin_reading(&input);
        }
        std::thread::spawn(move || {
            let run = studio.opening.run(ticket);
            studio.tell_work(WorkKind::Open);
            let opened = to_its_end("the reading of the table", || match &opening {
                Opening::Begin { .. } => Opened::read_and_propose(&input, run.progress.as_ref()),
                _ => Opened::read(&input, run.progress.as_ref()),
            });
            if !run.is_current() {
                return;
            }
            let outcome = studio.take(opened, &opening, read);
            let has_failed = outcome.is_err();
            run.end(outcome);
            studio.questions.only(&studio.about());
            studio.tell_work(WorkKind::Open);
            studio.tell(Event::Desk { revision: studio.with_desk(|desk| desk.revision) });
            // Whoever was reading the table that stays begins again.
            let stays = studio.with_desk(|desk| desk.read.as_ref().map(|read| read.input.clone()));
            if let (true, true, Some(input)) = (has_failed, was_reading && !matches!(opening, Opening::Here), stays) {
                studio.open_table(input, Opening::Here);
            }
        });
    }

    /// Puts a table that was read onto the desk, or says why it could not be.
    fn take(&self, opened: Result<Opened>, opening: &Opening, mut read: ReadFrom) -> Result<()> {
        let mut desk = lock(&self.desk);
        let outcome = match (opened, opening) {
            (Ok(table), Opening::Begin { policy, notice }) => desk.begin_policy(policy, table).map(|()| {
                // The policy says how the table is read from now on, in words that were found out.
                if let Ok(Some(named)) = desk.input(&self.jail) {
                    read.input = named.input;
                }
                desk.read = Some(read);
                desk.notice.clone_from(notice);
            }),
            (Ok(table), Opening::Instead(policy)) => desk.open_with(policy, table, read, &self.jail),
            (Ok(table), Opening::Here) => {
                desk.table = Some(Arc::new(table));
                Ok(())
            }
            (Err(error), _) => Err(error),
        };
        let is_of_desk = matches!(opening, Opening::Here) || desk.file().is_none();
        if outcome.is_ok() || is_of_desk {
            desk.revision += 1;
            desk.reading += 1;
            desk.table_problem = outcome.as_ref().err().cloned();
        }
        if outcome.is_err() && is_of_desk {
            desk.table = None;
        }
        outcome
    }

    /// The table, counted as a policy asks. It is read again only where that is not enough.
    pub fn study(&self, policy: &Policy, watch: &dyn Watch) -> Result<Study> {
        self.counted(policy, watch, watch)
    }

    /// The same for a question: whatever becomes of that, what is counted serves the next one, and is counted to its end.
    pub fn study_for(&self, policy: &Policy, question: &Progress) -> Result<Study> {
        self.counted(policy, &Patient(question), question)
    }

    fn counted(&self, policy: &Policy, counting: &dyn Watch, watch: &dyn Watch) -> Result<Study> {
        let source = LocalSource::new(policy, None, None)?;
        let input = source.input().map(Path::to_path_buf).unwrap_or_default();
        let output = source.output().map(Path::to_path_buf);
        let files = Files { written: written(&input), input, output, beside: beside(policy) };
        let mut counted = lock(&self.counted);
        let study = match counted.as_ref().filter(|known| known.files.serve(&files)) {
            Some(known) if known.study.policy().text == policy.text => return Ok(known.study.clone()),
            Some(known) => known.study.with(policy, watch)?,
            None => Study::count(source, policy, counting)?,
        };
        *counted = Some(CountedOnce { files, study: study.clone() });
        Ok(study)
    }
}

fn about(desk: &Desk) -> String {
    format!("{}\u{0}{}\u{0}{:?}", desk.reading, desk.text(), desk.beside)
}

/// Is this the name of a policy?
pub fn is_policy(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("toml"))
}
