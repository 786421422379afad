//! Which commands are there? One file each.

pub mod anonymize;
pub mod attacker;
pub mod audit;
pub mod explain;
pub mod generate;
pub mod hierarchy;
pub mod init;
pub mod solutions;
