//! Greedy search over equivalence classes of minimal class-focused graphs.

mod folds;
mod held_out;
mod learner;
mod operators;
mod pattern;
mod search;
#[cfg(test)]
mod tests;

pub use learner::{McDag, McDagScore, McDagStart};
