//! Prediction by local KDB.
fn main() {}
