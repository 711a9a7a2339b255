#![doc = include_str!("../README.md")]

mod acll;
mod cached;
mod complement;
mod counter;
mod counts;
mod error;
mod information;
mod kernel;
mod pair_counts;
mod pairs;
mod plan;
mod score;
mod subsets;
mod table;

pub use acll::{acll_beta, approximate_conditional_log_likelihood};
pub use cached::CachedCounter;
pub use complement::Complement;
pub use counter::Counter;
pub use counts::Counts;
pub use error::{Error, Result};
pub use information::{
    NEGLIGIBLE, conditional_mutual_information, local_conditional_mutual_information,
    local_mutual_information, mutual_information, to_bits,
};
pub use pair_counts::{PairCounts, PairView, pair_index};
pub use pairs::{PairMeasure, measure_pairs};
pub use plan::{Vars, all_pairs, all_singles};
pub use score::{Child, LocalScore};
pub use subsets::{ClassRole, FamilyScores};
pub use table::{DENSE_CELLS, Table};

pub use bnc_data;
