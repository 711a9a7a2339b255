//! Counts along a graph become a network.

use std::sync::Arc;

use bnc_data::Code;
use bnc_stats::{Counter, DENSE_CELLS, Table, Vars};
use bnc_structure::{Family, Structure};
use rayon::prelude::*;

use super::product;
use super::table::{Blocks, Observed};
use crate::{Error, Network, Result, Smoothing};

/// The largest number of cells that a conditional table stores.
pub const MAX_TABLE_CELLS: usize = 1 << 27;

impl Network {
    /// The tables that [`Network::fit`] asks for.
    #[must_use]
    pub fn plan(structure: &Structure) -> Vec<Vars> {
        let families = structure.features().iter().enumerate();
        let families =
            families.map(|(feature, family)| Vars::new(family.parents.iter().copied().chain([feature])));
        let class = Vars::new(structure.class_parents().iter().copied());
        families.chain([class]).collect()
    }

    /// The network of a graph with probabilities from counts: `smoothing` for the features, `prior` for the class.
    ///
    /// A table of more than [`DENSE_CELLS`] cells stores what was observed only (see [`ConditionalTable`](crate::ConditionalTable)).
    ///
    /// # Errors
    /// [`Error::NoLabelledRows`], [`Error::TooLarge`] for a table that stores more than [`MAX_TABLE_CELLS`], and those of
    /// counting, among them that a family has more configurations than 128 bits can number.
    pub fn fit(
        counter: &dyn Counter,
        structure: Structure,
        smoothing: Smoothing,
        prior: Smoothing,
    ) -> Result<Self> {
        Self::fit_dense_up_to(DENSE_CELLS, counter, structure, smoothing, prior)
    }

    /// As [`Network::fit`]; tables of more than `dense_cells` store what was observed only.
    pub(super) fn fit_dense_up_to(
        dense_cells: usize,
        counter: &dyn Counter,
        structure: Structure,
        smoothing: Smoothing,
        prior: Smoothing,
    ) -> Result<Self> {
        let schema = Arc::clone(counter.schema());
        let tables = counter.count(&Self::plan(&structure))?;
        let Some((class_table, feature_tables)) = tables.split_last() else {
            return Err(Error::NoLabelledRows);
        };
        if class_table.total() == 0 && structure.class_parents().is_empty() {
            return Err(Error::NoLabelledRows);
        }
        let too_large = |name: &str, cells: u128| Error::TooLarge {
            what: format!("the table of '{name}' given its parents"),
            cells: u64::try_from(cells).unwrap_or(u64::MAX),
            limit: MAX_TABLE_CELLS,
            way_out:
                "drop columns of many values, such as identifiers, or choose a learner with fewer parents"
                    .into(),
        };
        let blocks_of = |(feature, (family, table)): (usize, (&Family, &Table))| {
            let variable = &schema.features()[feature];
            let run = if family.class { schema.classes() } else { 1 };
            let counts = BlockCounts::new(table, &family.parents, Some(feature), run, dense_cells)
                .map_err(|cells| too_large(variable.name(), cells))?;
            let marginal = marginal_distribution(table, feature);
            let q = counts.of as f64 * run as f64;
            Ok(counts.blocks(|block| conditionals(block, run, q, &marginal, smoothing)))
        };
        // All are collected before the first error is looked for: it is the same one on any number of threads.
        let features: Vec<Result<Blocks>> =
            structure.features().par_iter().zip(feature_tables).enumerate().map(blocks_of).collect();
        let features = features.into_iter().collect::<Result<Vec<Blocks>>>()?;
        let parents = structure.class_parents();
        let counts = BlockCounts::new(class_table, parents, None, schema.classes(), dense_cells)
            .map_err(|cells| too_large(schema.class().name(), cells))?;
        let class = if parents.is_empty() {
            counts.blocks(|block| prior.prior(block))
        } else {
            let marginal = Smoothing::Mle.prior(&class_table.class_counts());
            let q = counts.of as f64;
            counts.blocks(|block| conditionals(block, 1, q, &marginal, prior))
        };
        Ok(Self::assemble(schema, structure, class, features))
    }
}

/// P(variable | parents, class) of one block of counts, values × run.
fn conditionals(counts: &[u64], run: usize, q: f64, marginal: &[f64], smoothing: Smoothing) -> Vec<f64> {
    let mut block = vec![0.0; counts.len()];
    for class in 0..run {
        let total = counts.iter().skip(class).step_by(run).sum::<u64>() as f64;
        for (value, &marginal_of_value) in marginal.iter().enumerate() {
            let cell = value * run + class;
            block[cell] =
                smoothing.conditional(counts[cell] as f64, total, marginal.len(), q, marginal_of_value);
        }
    }
    block
}

/// P̂(feature) over the rows of the table; uniform without any.
fn marginal_distribution(table: &Table, feature: usize) -> Vec<f64> {
    let single = table.marginal(&Vars::new([feature]));
    let r = single.dims()[0];
    let mut counts = vec![0; r];
    for (value, run) in single.runs() {
        counts[value as usize] = run.iter().sum();
    }
    Smoothing::Mle.prior(&counts)
}

/// The counts of a table as the blocks of a conditional table.
struct BlockCounts {
    /// The number of configurations of the parents.
    of: u128,
    /// The numbers of those that are stored, where not all are.
    configurations: Option<Vec<u128>>,
    counts: Vec<u64>,
    block: usize,
}

impl BlockCounts {
    /// From the table over the parents and, unless it is the class's, the feature. `run` is the number of classes, or 1
    /// for their sum. The error is the number of cells where that is beyond [`MAX_TABLE_CELLS`].
    fn new(
        table: &Table,
        parents: &[usize],
        feature: Option<usize>,
        run: usize,
        dense_cells: usize,
    ) -> Result<Self, u128> {
        let axis = |feature: usize| table.vars().position(feature).unwrap_or_default();
        let axes: Vec<usize> = parents.iter().map(|&parent| axis(parent)).collect();
        let own = feature.map(axis);
        let block = own.map_or(1, |own| table.dims()[own]) * run;
        let of = product(axes.iter().map(|&axis| table.dims()[axis]));
        let number = |codes: &[Code]| {
            axes.iter().fold(0, |number, &axis| number * table.dims()[axis] as u128 + u128::from(codes[axis]))
        };
        let observed = || {
            let runs = table.runs().filter(|(_, counts)| counts.iter().any(|&count| count > 0));
            runs.map(|(number, counts)| (table.codes(number), counts))
        };
        let configurations = (of.saturating_mul(block as u128) > dense_cells as u128).then(|| {
            let mut numbers: Vec<u128> = observed().map(|(codes, _)| number(&codes)).collect();
            numbers.sort_unstable();
            numbers.dedup();
            numbers
        });
        let stored = configurations.as_ref().map_or(of, |numbers| numbers.len() as u128);
        let cells = stored.saturating_mul(block as u128);
        if cells > MAX_TABLE_CELLS as u128 {
            return Err(cells);
        }
        let mut counts = vec![0; cells as usize];
        for (codes, by_class) in observed() {
            let number = number(&codes);
            let place = match &configurations {
                None => number as usize,
                Some(numbers) => numbers.partition_point(|&other| other < number),
            };
            let start = place * block + own.map_or(0, |own| usize::from(codes[own])) * run;
            if run == by_class.len() {
                counts[start..start + run].copy_from_slice(by_class);
            } else {
                counts[start] = by_class.iter().sum();
            }
        }
        Ok(Self { of, configurations, counts, block })
    }

    /// The logarithms of what an estimate makes of each block.
    fn blocks(self, estimate: impl Fn(&[u64]) -> Vec<f64>) -> Blocks {
        let logs_of = |counts: &[u64]| estimate(counts).into_iter().map(f64::ln);
        // Most configurations of many parents were never seen.
        let otherwise: Vec<f64> = logs_of(&vec![0; self.block]).collect();
        let mut logs = Vec::with_capacity(self.counts.len());
        for counts in self.counts.chunks_exact(self.block) {
            if counts.iter().all(|&count| count == 0) {
                logs.extend_from_slice(&otherwise);
            } else {
                logs.extend(logs_of(counts));
            }
        }
        match self.configurations {
            None => Blocks::Dense(logs),
            Some(configurations) => Blocks::Observed(Observed { configurations, logs, otherwise }),
        }
    }
}
