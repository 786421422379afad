//! How does one get back to what the policy said before?

use std::time::{Duration, Instant};

/// So many texts are kept.
const KEPT: usize = 500;

/// Who types on within this time changes one thing.
const ONE_CHANGE: Duration = Duration::from_secs(2);

/// The texts that a policy has had, and which of them it has now.
#[derive(Debug)]
pub struct History {
    texts: Vec<String>,
    now: usize,
    typed: Option<Instant>,
}

impl History {
    /// A text with nothing before it.
    pub fn new(text: String) -> Self {
        Self { texts: vec![text], now: 0, typed: None }
    }

    /// What the policy says.
    pub fn text(&self) -> &str {
        &self.texts[self.now]
    }

    /// What it said before, the latest first.
    pub fn earlier(&self) -> impl Iterator<Item = &str> {
        self.texts[..self.now].iter().rev().map(String::as_str)
    }

    /// The policy says something else; what had been undone is gone. Was anything changed?
    pub fn change(&mut self, text: String, is_typed: bool) -> bool {
        if text == self.text() {
            return false;
        }
        self.texts.truncate(self.now + 1);
        let goes_on = is_typed && self.typed.is_some_and(|last| last.elapsed() < ONE_CHANGE);
        if goes_on {
            self.texts[self.now] = text;
        } else {
            self.texts.push(text);
            if self.texts.len() > KEPT {
                self.texts.remove(0);
            }
            self.now = self.texts.len() - 1;
        }
        self.typed = is_typed.then(Instant::now);
        true
    }

    /// Is there something before?
    pub fn can_undo(&self) -> bool {
        self.now > 0
    }

    /// Is there something after?
    pub fn can_redo(&self) -> bool {
        self.now + 1 < self.texts.len()
    }

    /// Back to the text before, if there is one.
    pub fn undo(&mut self) -> bool {
        let can = self.can_undo();
        self.now -= usize::from(can);
        self.typed = None;
        can
    }

    /// On to the text after, if there is one.
    pub fn redo(&mut self) -> bool {
        let can = self.can_redo();
        self.now += usize::from(can);
        self.typed = None;
        can
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_undone_can_be_done_again_until_something_else_is_changed() {
        let mut history = History::new("a".into());
        assert!(!history.undo() && !history.redo());
        assert!(history.change("b".into(), false) && history.change("c".into(), false));
        assert!(!history.change("c".into(), false), "nothing was changed");
        assert!(history.undo() && history.undo() && !history.undo());
        assert_eq!(history.text(), "a");
        assert!(history.redo());
        assert_eq!(history.text(), "b");
        history.change("d".into(), false);
        assert!(!history.can_redo());
        assert_eq!(history.earlier().collect::<Vec<_>>(), ["b", "a"]);
        history.undo();
        assert_eq!(history.text(), "b");
    }

    #[test]
    fn what_is_typed_in_one_go_is_undone_in_one_go() {
        let mut history = History::new("".into());
        ["k", "k ", "k ="].into_iter().for_each(|text| _ = history.change(text.into(), true));
        history.change("k = 5".into(), false);
        assert!(history.undo());
        assert_eq!(history.text(), "k =");
        assert!(history.undo());
        assert_eq!(history.text(), "");
    }

    #[test]
    fn the_oldest_texts_are_forgotten() {
        let mut history = History::new("0".into());
        (1..=KEPT + 5).for_each(|number| _ = history.change(number.to_string(), false));
        while history.undo() {}
        assert_eq!(history.text(), "6");
    }
}
