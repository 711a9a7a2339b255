//! A measure of every pair of features, in bounded memory.

use std::sync::Arc;

use rayon::prelude::*;

use crate::plan::{all_pairs, all_singles};
use crate::{Counter, Counts, DENSE_CELLS, Result, Table, Vars};

/// The memory that the tables of one pass may take, in bytes.
const BATCH_BYTES: usize = 1 << 27;

/// A measure of every pair of features.
#[derive(Debug, Clone)]
pub struct PairMeasure<T> {
    /// One value a pair in lexicographic order: (0, 1), (0, 2), …, (1, 2), ….
    pub values: Vec<T>,
    /// The tables of all pairs, of all features and of the class, where they fit into memory.
    counts: Option<Counts>,
}

impl<T> PairMeasure<T> {
    /// Whom to ask for what is fitted next: the tables counted for the pairs, which spares a pass over the rows, or, where
    /// they were too many to keep, the counter of the rows.
    #[must_use]
    pub fn counter<'a>(&'a self, rows: &'a dyn Counter) -> &'a dyn Counter {
        match &self.counts {
            Some(counts) => counts,
            None => rows,
        }
    }
}

/// Counts every pair of features by class and measures each table.
///
/// Tables that together take more than about 128 MiB are counted and dropped in batches, one pass over the rows each, so
/// that 10,000 features do not exhaust the memory.
///
/// # Errors
/// Those of [`Counter::count`].
pub fn measure_pairs<T: Send>(
    counter: &dyn Counter,
    measure: impl Fn(&Table) -> T + Sync,
) -> Result<PairMeasure<T>> {
    measure_in_batches(counter, measure, BATCH_BYTES)
}

fn measure_in_batches<T: Send>(
    counter: &dyn Counter,
    measure: impl Fn(&Table) -> T + Sync,
    batch_bytes: usize,
) -> Result<PairMeasure<T>> {
    let schema = counter.schema();
    let features = schema.features().len();
    let bytes = |i: usize, j: usize| {
        let cells =
            schema.cardinality(i).saturating_mul(schema.cardinality(j)).saturating_mul(schema.classes());
        size_of::<Table>() + 8 * cells.min(DENSE_CELLS)
    };
    let pairs = || (0..features).flat_map(|i| (i + 1..features).map(move |j| (i, j)));
    if pairs()
        .try_fold(0_usize, |sum, (i, j)| Some(sum + bytes(i, j)).filter(|sum| *sum <= batch_bytes))
        .is_some()
    {
        let mut asked = all_pairs(features);
        let count = asked.len();
        asked.extend(all_singles(features));
        let tables = counter.count(&asked)?;
        let values = tables[..count].par_iter().map(&measure).collect();
        return Ok(PairMeasure { values, counts: Some(Counts::new(Arc::clone(schema), tables)) });
    }
    let mut values = Vec::with_capacity(features * features.saturating_sub(1) / 2);
    let mut batch = Vec::new();
    let mut size = 0;
    for (i, j) in pairs() {
        batch.push(Vars::new([i, j]));
        size += bytes(i, j);
        if size > batch_bytes {
            values.par_extend(counter.count(&batch)?.par_iter().map(&measure));
            batch.clear();
            size = 0;
        }
    }
    values.par_extend(counter.count(&batch)?.par_iter().map(&measure));
    Ok(PairMeasure { values, counts: None })
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "the same tables give the same values")]
mod tests {
    use bnc_data::{Dataset, Domain, Schema, Variable};

    use super::*;
    use crate::conditional_mutual_information;

    #[test]
    fn batches_change_nothing() {
        let labels = |count: usize| Domain::Labels((0..count).map(|value| value.to_string()).collect());
        let dims = [2, 3, 4, 2, 3];
        let features: Vec<Variable> =
            (0..5).map(|i| Variable::new(format!("x{i}"), labels(dims[i])).unwrap()).collect();
        let schema = Arc::new(Schema::new(Variable::new("y", labels(2)).unwrap(), features).unwrap());
        let column = |dim: usize, step: usize| (0..60).map(|row| (row * step / 3 % dim) as u16).collect();
        let columns = dims.iter().enumerate().map(|(i, &dim)| column(dim, i + 1)).collect();
        let data = Dataset::new(schema, column(2, 7), columns, None).unwrap();
        let whole = measure_in_batches(&data, conditional_mutual_information, usize::MAX).unwrap();
        assert_eq!(whole.values.len(), 10);
        assert!(whole.values.iter().any(|value| *value > 0.01));
        assert_eq!(whole.counts.as_ref().unwrap().plan().len(), 16);
        for limit in [0, 700, 1500] {
            let parts = measure_in_batches(&data, conditional_mutual_information, limit).unwrap();
            assert_eq!(parts.values, whole.values);
            assert!(parts.counts.is_none());
        }
    }
}
