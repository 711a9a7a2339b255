#![doc = include_str!("../README.md")]

mod branching;
mod constraints;
mod error;
mod exact;
mod forest;
mod k_dependence;
mod structure;
mod topology;

pub use branching::{constrained_branching, maximum_branching};
pub use constraints::ArcConstraints;
pub use error::{Error, Result};
pub use exact::{ExactSearch, OptimalGraph, SubsetScores};
pub use forest::{SortedEdges, maximum_spanning_forest};
pub use k_dependence::{k_dependence, sort_by_relevance, strongest_links};
pub use structure::{Family, Structure};
