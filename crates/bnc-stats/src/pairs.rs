//! A measure of every pair of features, in bounded memory.

use std::ops::Range;
use std::sync::Arc;

use bnc_data::{Dataset, Schema};
use rayon::prelude::*;

use crate::plan::{all_pairs, all_singles};
use crate::{Counter, Counts, DENSE_CELLS, Result, Table, Vars};

/// The memory that the tables of one pass over rows which are read may take, in bytes.
const PASS_BYTES: usize = 1 << 27;

/// The memory that the tables of rows in memory may take to be kept, in bytes: more of them leave the cache.
const KEPT_BYTES: usize = 1 << 24;

/// The memory that the tables of a tile take, in bytes.
const TILE_BYTES: usize = 1 << 23;

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
/// Tables that together take more than a few MiB are counted and dropped in batches, so that 10,000 features do not exhaust
/// the memory: of 128 MiB and in one pass each where the rows are read, small enough for the cache where they are in
/// memory.
///
/// # Errors
/// Those of [`Counter::count`].
pub fn measure_pairs<T: Send>(
    counter: &dyn Counter,
    measure: impl Fn(&Table) -> T + Sync,
) -> Result<PairMeasure<T>> {
    let kept = if counter.in_memory().is_some() { KEPT_BYTES } else { PASS_BYTES };
    measure_within(counter, measure, [kept, PASS_BYTES, TILE_BYTES])
}

/// With limits for the tables that are kept, those of a pass, and those of a tile.
fn measure_within<T: Send>(
    counter: &dyn Counter,
    measure: impl Fn(&Table) -> T + Sync,
    [kept, pass, tile]: [usize; 3],
) -> Result<PairMeasure<T>> {
    let schema = counter.schema();
    let features = schema.features().len();
    let pairs = || (0..features).flat_map(|i| (i + 1..features).map(move |j| (i, j)));
    let sum = |sum: usize, (i, j)| Some(sum + bytes(schema, i, j)).filter(|sum| *sum <= kept);
    if pairs().try_fold(0, sum).is_some() {
        let mut asked = all_pairs(features);
        let count = asked.len();
        asked.extend(all_singles(features));
        let tables = counter.count(&asked)?;
        let values = tables[..count].par_iter().map(&measure).collect();
        return Ok(PairMeasure { values, counts: Some(Counts::new(Arc::clone(schema), tables)) });
    }
    let values = match counter.in_memory() {
        Some(data) => measure_tiles(data, measure, tile)?,
        None => measure_passes(counter, measure, pass)?,
    };
    Ok(PairMeasure { values, counts: None })
}

/// The memory that the table of two features takes, in bytes.
fn bytes(schema: &Schema, i: usize, j: usize) -> usize {
    let cells = schema.cardinality(i).saturating_mul(schema.cardinality(j)).saturating_mul(schema.classes());
    size_of::<Table>() + size_of::<u64>() * cells.min(DENSE_CELLS)
}

/// As many tables in lexicographic order as a pass has room for, then the next ones.
fn measure_passes<T: Send>(
    counter: &dyn Counter,
    measure: impl Fn(&Table) -> T + Sync,
    limit: usize,
) -> Result<Vec<T>> {
    let schema = counter.schema();
    let features = schema.features().len();
    let mut values = Vec::with_capacity(features * features.saturating_sub(1) / 2);
    let mut batch = Vec::new();
    let mut size = 0;
    for i in 0..features {
        for j in i + 1..features {
            batch.push(Vars::new([i, j]));
            size += bytes(schema, i, j);
            if size > limit {
                values.par_extend(counter.count(&batch)?.par_iter().map(&measure));
                batch.clear();
                size = 0;
            }
        }
    }
    values.par_extend(counter.count(&batch)?.par_iter().map(&measure));
    Ok(values)
}

/// The pairs of two blocks of features at a time: few features are prepared for many tables, which stay in the cache.
fn measure_tiles<T: Send>(
    data: &Dataset,
    measure: impl Fn(&Table) -> T + Sync,
    limit: usize,
) -> Result<Vec<T>> {
    let schema = data.schema();
    let features = schema.features().len();
    let blocks = blocks(schema, limit);
    let mut values = Vec::with_capacity(features * features.saturating_sub(1) / 2);
    for (number, rows) in blocks.iter().enumerate() {
        let columns = &blocks[number..];
        let tile = |columns: &Range<usize>| -> Result<Vec<T>> {
            let pairs =
                rows.clone().flat_map(|i| (columns.start.max(i + 1)..columns.end).map(move |j| [i, j]));
            let asked: Vec<Vars> = pairs.map(Vars::new).collect();
            Ok(data.count(&asked)?.iter().map(&measure).collect())
        };
        let tiles = columns.par_iter().map(tile).collect::<Result<Vec<Vec<T>>>>()?;
        let mut tiles: Vec<_> = tiles.into_iter().map(Vec::into_iter).collect();
        for i in rows.clone() {
            for (tile, columns) in tiles.iter_mut().zip(columns) {
                values.extend(tile.take(columns.end - columns.start.max(i + 1).min(columns.end)));
            }
        }
    }
    Ok(values)
}

/// Blocks of neighbouring features such that the tables between two of them stay within the limit, if there is more than one
/// feature in a block.
fn blocks(schema: &Schema, limit: usize) -> Vec<Range<usize>> {
    let mut blocks: Vec<Range<usize>> = Vec::new();
    let mut values = 0_usize;
    for feature in 0..schema.features().len() {
        values = values.saturating_add(schema.cardinality(feature));
        match blocks.last_mut() {
            Some(block) if tile_bytes(block.len() + 1, values, schema.classes()) <= limit => block.end += 1,
            _ => {
                values = schema.cardinality(feature);
                blocks.push(feature..feature + 1);
            }
        }
    }
    blocks
}

/// The memory that the tables between two blocks of so many features take, which have so many values together.
fn tile_bytes(features: usize, values: usize, classes: usize) -> usize {
    let cells = values.saturating_mul(values).saturating_mul(classes).saturating_mul(size_of::<u64>());
    cells.saturating_add(features.saturating_mul(features).saturating_mul(size_of::<Table>()))
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "the same tables give the same values")]
mod tests {
    use bnc_data::{Domain, Variable};

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
        let measure = |limits| measure_within(&data, conditional_mutual_information, limits).unwrap();
        let whole = measure([usize::MAX, 0, 0]);
        assert_eq!(whole.values.len(), 10);
        assert!(whole.values.iter().any(|value| *value > 0.01));
        assert_eq!(whole.counts.as_ref().unwrap().plan().len(), 16);
        for limit in [0, 700, 1500, 4000] {
            let passes = measure_passes(&data, conditional_mutual_information, limit).unwrap();
            assert_eq!(passes, whole.values);
            let tiles = measure([0, 0, limit]);
            assert_eq!(tiles.values, whole.values);
            assert!(tiles.counts.is_none());
        }
    }
}
