//! How is a table made into a release in a browser, on one's own machine?
//!
//! A server on loopback, and a page that is part of the program. The policy file is the state: whatever is done in the page could have been
//! written there, and is. Numbers are those of the library; the page draws them.

#![deny(clippy::print_stdout, clippy::print_stderr)]

mod bins;
mod desk;
mod dropped;
mod edit;
mod guard;
mod hints;
mod history;
mod jail;
mod page;
mod policy_of;
mod read_from;
mod room;
mod server;
mod sheet;
mod studio;
mod wire;
mod work;

pub use server::{Addresses, Options, serve};
