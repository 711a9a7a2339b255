#![doc = include_str!("../README.md")]

mod error;
mod forest;
mod structure;

pub use error::{Error, Result};
pub use forest::{SortedEdges, maximum_spanning_forest};
pub use structure::{Family, Structure};
