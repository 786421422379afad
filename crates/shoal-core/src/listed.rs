//! What does every entry of a list of definitions have?
//!
//! Models, objectives, methods, attacks, risks and measures are one list each, and the only place that names them all. Whatever needs
//! them asks the list.

use std::ops::Deref;

use crate::page::{Page, page};

/// Something with a name that is the same in policies, on the command line, in JSON and in the documentation.
pub trait Named {
    /// Its id, everywhere.
    fn id(&self) -> &'static str;
}

impl Named for &'static str {
    fn id(&self) -> &'static str {
        self
    }
}

/// An entry of a list: something, and the file that it is in, whose doc comment is its page.
#[derive(Debug)]
pub struct Listed<T> {
    /// What is listed.
    pub item: T,
    source: &'static str,
}

impl<T> Listed<T> {
    /// An entry; `source` is the text of the file.
    pub const fn new(item: T, source: &'static str) -> Self {
        Self { item, source }
    }

    /// Its page in `shoal explain`.
    pub fn page(&self) -> Page {
        page(self.source)
    }
}

impl<T: Named> Listed<T> {
    /// Its id, everywhere.
    pub fn id(&self) -> &'static str {
        self.item.id()
    }
}

impl<T> Deref for Listed<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.item
    }
}

/// The ids of all entries.
pub fn ids<T: Named>(list: &[Listed<T>]) -> impl Iterator<Item = &'static str> + Clone + use<'_, T> {
    list.iter().map(|entry| entry.item.id())
}

/// The entry with this id, if there is one.
pub fn find<'a, T: Named>(list: &'a [Listed<T>], id: &str) -> Option<&'a Listed<T>> {
    list.iter().find(|entry| entry.item.id() == id)
}

/// The pages of all entries, by their ids.
pub fn pages<T: Named>(list: &[Listed<T>]) -> Vec<(&'static str, Page)> {
    list.iter().map(|entry| (entry.item.id(), entry.page())).collect()
}
