//! What does a privacy model say of a class, computed as its definition reads?

mod by_people;
mod by_rows;
pub mod closeness;
mod crowd;
mod crowds;
pub mod diversity;
pub mod judge;
pub mod measured;
pub mod quantity;
pub mod sensitive;
