//! What does a privacy model say of a class, computed as its definition reads?

pub mod closeness;
pub mod diversity;
pub mod judge;
pub mod quantity;
pub mod sensitive;
