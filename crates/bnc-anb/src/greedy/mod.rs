//! Greedy search over general networks.

mod bnc2p;
mod climb;
mod conditional;
mod decomposable;
mod gbn;
mod graph;
mod rows;

pub use bnc2p::Bnc2p;
pub use gbn::{GreedyGbn, GreedyScore};

pub(crate) use climb::check_pairs;
pub(crate) use rows::Rows;

use bnc_models::Result;
use bnc_models::bnc_data::{Dataset, Progress};

use climb::{Space, climb};
use conditional::Conditional;
use graph::Graph;

/// Climbs by conditional log likelihood less a penalty a parameter, which depends on the number of rows.
fn climb_conditional(
    space: &Space,
    complete: &Dataset,
    penalty: impl Fn(u64) -> f64,
    progress: &dyn Progress,
) -> Result<Graph> {
    let rows = Rows::distinct(complete);
    let total = rows.total();
    climb(space, &mut Conditional::new(&rows, penalty(total)), total, progress)
}
