//! Shoal.
fn main() {}
