//! The counts behind the learners of this crate, from one pass.

use bnc_models::bnc_stats::{Counter, PairCounts, Table, Vars, all_pairs, all_singles};
use bnc_models::{Error, Result};

use crate::tables::check_size;

/// The tables of all pairs and of all features, from one pass, and their counts.
pub(crate) struct Gathered {
    pub(crate) counts: PairCounts,
    pub(crate) pairs: Vec<Table>,
    pub(crate) singles: Vec<Table>,
}

/// Counts what the learners of this crate need; `learner` is named where that is too much.
pub(crate) fn gather(counter: &dyn Counter, learner: &str) -> Result<Gathered> {
    Ok(gather_with(counter, learner, Vec::new())?.0)
}

/// As [`gather`], with more tables from the same pass.
pub(crate) fn gather_with(
    counter: &dyn Counter,
    learner: &str,
    more: Vec<Vars>,
) -> Result<(Gathered, Vec<Table>)> {
    let schema = counter.schema();
    check_size(learner, schema)?;
    let features = schema.features().len();
    let mut plan = all_pairs(features);
    let split = plan.len();
    plan.extend(all_singles(features));
    plan.extend(more);
    let mut pairs = counter.count(&plan)?;
    let mut singles = pairs.split_off(split);
    let more = singles.split_off(features + 1);
    let counts = PairCounts::new(schema, &pairs, &singles);
    if counts.class().iter().all(|&count| count == 0) {
        return Err(Error::NoLabelledRows);
    }
    // The first counts the class alone.
    singles.remove(0);
    Ok((Gathered { counts, pairs, singles }, more))
}
