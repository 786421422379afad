//! Which commands are there? One file each.

pub mod advise;
pub mod anonymize;
pub mod apply;
pub mod attacker;
pub mod audit;
pub mod certified;
pub mod check;
pub mod chosen;
pub mod compare;
pub mod completions;
pub mod explain;
pub mod generate;
pub mod held;
pub mod hierarchy;
pub mod init;
pub mod keys;
pub mod man;
pub mod reference;
pub mod schema;
pub mod settings;
pub mod solutions;
pub mod studio;
pub mod written;
