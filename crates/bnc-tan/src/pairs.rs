//! The counts of all pairs of features, and what the pairs know of each other.

use bnc_models::Result;
use bnc_models::bnc_stats::{Counter, Table, all_pairs, all_singles, conditional_mutual_information};
use rayon::prelude::*;

/// The tables of all pairs, of the class and of all single features, with I(Xi; Xj | Y) of each pair.
pub(crate) struct Pairs {
    tables: Vec<Table>,
    information: Vec<f64>,
}

impl Pairs {
    /// Counts them in one pass.
    pub(crate) fn count(counter: &dyn Counter) -> Result<Self> {
        let features = counter.schema().features().len();
        let mut plan = all_pairs(features);
        let pairs = plan.len();
        plan.extend(all_singles(features));
        let tables = counter.count(&plan)?;
        let information = tables[..pairs].par_iter().map(conditional_mutual_information).collect();
        Ok(Self { tables, information })
    }

    /// I(Xi; Xj | Y) of each pair in lexicographic order, in nats.
    pub(crate) fn information(&self) -> &[f64] {
        &self.information
    }

    /// The table of each pair, in the same order.
    pub(crate) fn tables(&self) -> &[Table] {
        &self.tables[..self.information.len()]
    }

    /// The number of labelled rows.
    pub(crate) fn rows(&self) -> u64 {
        self.tables[self.information.len()].total()
    }

    /// The tables of the pairs, then that of the class, then those of the features.
    pub(crate) fn into_tables(self) -> Vec<Table> {
        self.tables
    }
}
