//! What do the server and the page say to each other?
//!
//! These types are the only description of it: what the page is written against, `studio/src/wire.ts`, is made of them by a test.

mod answers;
mod definitions;
mod questions;
mod release;
mod results;
#[cfg(test)]
mod typescript;

pub use answers::*;
pub use definitions::*;
pub use questions::*;
pub use release::*;
pub use results::*;
