//! What is being worked on, how far is it, and shall it go on?

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use shoal::{Error, Go, Kind, Result, Watch};

use crate::wire::{Problem, Status, Work};

/// How far a run is. It is told, and asked whether to go on, from any thread.
#[derive(Debug, Default)]
pub struct Progress {
    stage: Mutex<Option<String>>,
    done: AtomicU64,
    /// 0 where it is not known.
    of: AtomicU64,
    stop: AtomicBool,
}

impl Progress {
    /// The run is to stop.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

impl Watch for Progress {
    fn begin(&self, stage: &str, of: Option<u64>) {
        *lock(&self.stage) = Some(stage.to_owned());
        self.done.store(0, Ordering::Relaxed);
        self.of.store(of.unwrap_or(0), Ordering::Relaxed);
    }

    fn advance(&self, steps: u64) {
        self.done.fetch_add(steps, Ordering::Relaxed);
    }

    fn go(&self) -> Go {
        if self.stop.load(Ordering::Relaxed) { Go::Stop } else { Go::On }
    }
}

/// Whoever is told how far it is, and lets it go on to its end.
pub struct Patient<'a>(pub &'a dyn Watch);

impl Watch for Patient<'_> {
    fn begin(&self, stage: &str, of: Option<u64>) {
        self.0.begin(stage, of);
    }

    fn advance(&self, steps: u64) {
        self.0.advance(steps);
    }

    fn end(&self) {
        self.0.end();
    }
}

/// Questions that are being answered, each with what it is about. Of one about an earlier policy nobody waits for the answer.
#[derive(Default)]
pub struct Questions(Mutex<Vec<(String, Weak<Progress>)>>);

impl Questions {
    /// A question begins to be answered; those about anything else end.
    pub fn begin(&self, about: &str) -> Arc<Progress> {
        self.only(about);
        let progress = Arc::new(Progress::default());
        lock(&self.0).push((about.to_owned(), Arc::downgrade(&progress)));
        progress
    }

    /// Stops all that are about anything else.
    pub fn only(&self, about: &str) {
        lock(&self.0).retain(|(other, progress)| {
            let Some(progress) = progress.upgrade() else { return false };
            if other != about {
                progress.stop();
            }
            other == about
        });
    }
}

/// A place for one run of a kind: whoever starts another one stops the one before.
pub struct Slot<T>(Mutex<State<T>>);

struct State<T> {
    /// Which run it is, so that one that was stopped says nothing any more.
    run: u64,
    status: Status,
    progress: Arc<Progress>,
    /// The policy that it is about.
    text: String,
    result: Option<T>,
    problem: Option<Problem>,
}

/// A run that has begun, on its way to the thread that does it.
pub struct Ticket {
    number: u64,
    progress: Arc<Progress>,
}

/// A run of a slot.
pub struct Run<'a, T> {
    slot: &'a Slot<T>,
    number: u64,
    /// Whoever watches it.
    pub progress: Arc<Progress>,
}

impl<T> Default for Slot<T> {
    fn default() -> Self {
        let (progress, text) = Default::default();
        Self(Mutex::new(State { run: 0, status: Status::Idle, progress, text, result: None, problem: None }))
    }
}

impl<T: Clone> Slot<T> {
    /// Begins a run about a policy; whoever asks from now on sees it.
    pub fn begin(&self, text: &str) -> Ticket {
        let mut state = lock(&self.0);
        state.progress.stop();
        let progress = Arc::new(Progress::default());
        let run = state.run + 1;
        *state = State {
            run,
            status: Status::Running,
            progress: Arc::clone(&progress),
            text: text.to_owned(),
            result: None,
            problem: None,
        };
        Ticket { number: run, progress }
    }

    /// The run that has begun.
    pub fn run(&self, Ticket { number, progress }: Ticket) -> Run<'_, T> {
        Run { slot: self, number, progress }
    }

    /// Stops the run, if there is one.
    pub fn stop(&self) {
        let mut state = lock(&self.0);
        if state.status == Status::Running {
            state.progress.stop();
            state.status = Status::Stopped;
        }
    }

    /// Does something go on?
    pub fn is_running(&self) -> bool {
        lock(&self.0).status == Status::Running
    }

    /// What has come of it, if it is about this policy.
    pub fn result_for(&self, text: &str) -> Option<T> {
        let state = lock(&self.0);
        state.result.clone().filter(|_| state.text == text && state.status == Status::Done)
    }

    /// How it stands, seen from this policy.
    pub fn view<V>(&self, text: &str, shown: impl FnOnce(&T) -> V) -> Work<V> {
        let state = lock(&self.0);
        let of = state.progress.of.load(Ordering::Relaxed);
        Work {
            status: state.status,
            stage: lock(&state.progress.stage).clone(),
            done: state.progress.done.load(Ordering::Relaxed),
            of: (of > 0).then_some(of),
            result: state.result.as_ref().map(shown),
            problem: state.problem.clone(),
            is_stale: state.status != Status::Idle && state.text != text,
        }
    }
}

impl<T: Clone> Run<'_, T> {
    /// Has no other run taken its place?
    pub fn is_current(&self) -> bool {
        lock(&self.slot.0).run == self.number
    }

    /// What has come of it so far.
    pub fn so_far(&self, result: T) {
        let mut state = lock(&self.slot.0);
        if state.run == self.number {
            state.result = Some(result);
        }
    }

    /// It has ended.
    pub fn end(self, result: Result<T>) {
        let mut state = lock(&self.slot.0);
        if state.run != self.number {
            return;
        }
        match result {
            Ok(result) => {
                state.result = Some(result);
                // Somebody who stopped it in its last moment gets what it found all the same.
                state.status = Status::Done;
            }
            Err(error) if error.kind() == Kind::Cancelled => state.status = Status::Stopped,
            Err(error) => self.fail(&mut state, &error),
        }
    }

    fn fail(&self, state: &mut State<T>, error: &Error) {
        state.status = Status::Failed;
        state.problem = Some(Problem::from(error));
    }
}

/// Does something that others wait for: they are told whatever happens, be it a panic.
pub fn to_its_end<T>(what: &str, act: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(act)).unwrap_or_else(|_| Err(Error::bug(format!("{what} ended in the middle"))))
}

/// Whoever panicked while holding it left nothing half done that matters here.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_that_was_replaced_says_nothing_any_more() {
        let slot: Slot<u32> = Slot::default();
        let first = slot.run(slot.begin("a"));
        assert!(first.is_current());
        let second = slot.run(slot.begin("b"));
        assert!(!first.is_current() && second.is_current());
        assert_eq!((first.progress.go(), second.progress.go()), (Go::Stop, Go::On));
        first.so_far(1);
        first.end(Ok(1));
        assert!(slot.is_running() && slot.view("b", |result| *result).result.is_none());
        second.so_far(2);
        assert_eq!(slot.view("b", |result| *result).result, Some(2));
        assert_eq!(slot.result_for("b"), None, "it is not done");
        second.end(Ok(3));
        assert_eq!((slot.result_for("b"), slot.result_for("a")), (Some(3), None));
        assert!(slot.view("c", |result| *result).is_stale && !slot.view("b", |result| *result).is_stale);
    }

    #[test]
    fn a_question_about_an_earlier_policy_ends_and_others_go_on() {
        let questions = Questions::default();
        let [first, second] = ["a", "a"].map(|about| questions.begin(about));
        assert_eq!((first.go(), second.go()), (Go::On, Go::On));
        let third = questions.begin("b");
        assert_eq!((first.go(), second.go(), third.go()), (Go::Stop, Go::Stop, Go::On));
        // What has to be counted in any case is counted to its end.
        assert_eq!(Patient(&*first).go(), Go::On);
        questions.only("c");
        assert_eq!(third.go(), Go::Stop);
        drop(questions.begin("c"));
        questions.only("c");
        assert!(lock(&questions.0).is_empty());
    }

    #[test]
    fn whoever_waits_for_work_that_panics_is_told() {
        let slot: Slot<u32> = Slot::default();
        let run = slot.run(slot.begin("a"));
        run.end(to_its_end("the reading of the table", || panic!("on purpose")));
        let view = slot.view("a", |result| *result);
        assert_eq!(view.status, Status::Failed);
        assert!(view.problem.unwrap().text.contains("the reading of the table ended in the middle"));
        assert_eq!(to_its_end("nothing", || Ok(3)).unwrap(), 3);
    }

    #[test]
    fn what_is_stopped_keeps_what_it_had() {
        let slot: Slot<u32> = Slot::default();
        let run = slot.run(slot.begin("a"));
        run.progress.begin("searching", Some(10));
        run.progress.advance(4);
        run.so_far(7);
        slot.stop();
        assert_eq!(run.progress.go(), Go::Stop);
        run.end(Err(Error::cancelled()));
        let view = slot.view("a", |result| *result);
        assert_eq!((view.status, view.done, view.of, view.result), (Status::Stopped, 4, Some(10), Some(7)));
        let failing = slot.run(slot.begin("a"));
        failing.end(Err(Error::table("no rows")));
        assert_eq!(slot.view("a", |result| *result).problem.unwrap().text, "no rows");
    }
}
