//! Counts along a graph become a network.

use std::sync::Arc;

use bnc_data::{Code, Schema};
use bnc_stats::{Counter, Table, Vars};
use bnc_structure::Structure;

use super::product;
use crate::{Error, Network, Result, Smoothing};

/// The largest number of cells of a conditional table.
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
    /// # Errors
    /// [`Error::NoLabelledRows`], [`Error::TooLarge`] for a table beyond [`MAX_TABLE_CELLS`], and those of counting.
    pub fn fit(
        counter: &dyn Counter,
        structure: Structure,
        smoothing: Smoothing,
        prior: Smoothing,
    ) -> Result<Self> {
        let schema = Arc::clone(counter.schema());
        for (feature, family) in structure.features().iter().enumerate() {
            let axes = family.parents.iter().chain([&feature]).map(|&axis| schema.cardinality(axis));
            let run = if family.class { schema.classes() } else { 1 };
            let cells = product(axes.chain([run]));
            if cells > MAX_TABLE_CELLS as u128 {
                return Err(Error::TooLarge {
                    what: format!("the table of '{}' given its parents", schema.features()[feature].name()),
                    cells: u64::try_from(cells).unwrap_or(u64::MAX),
                    limit: MAX_TABLE_CELLS,
                    way_out: "drop columns of many values, such as identifiers, or choose naive Bayes".into(),
                });
            }
        }
        let tables = counter.count(&Self::plan(&structure))?;
        let Some((class_table, feature_tables)) = tables.split_last() else {
            return Err(Error::NoLabelledRows);
        };
        let features = structure
            .features()
            .iter()
            .zip(feature_tables)
            .enumerate()
            .map(|(feature, (family, table))| {
                feature_logs(table, &family.parents, feature, family.class, smoothing)
            })
            .collect();
        let class = class_logs(class_table, structure.class_parents(), &schema, prior);
        if class_table.total() == 0 && structure.class_parents().is_empty() {
            return Err(Error::NoLabelledRows);
        }
        Self::from_parts(schema, structure, class, features)
    }
}

/// ln P(feature | parents, class), from the table over the family.
fn feature_logs(
    table: &Table,
    parents: &[usize],
    feature: usize,
    by_class: bool,
    smoothing: Smoothing,
) -> Vec<f64> {
    let order: Vec<usize> = parents.iter().chain([&feature]).copied().collect();
    let axes = Axes::new(table, &order);
    let r = axes.dims[parents.len()];
    let run = if by_class { table.classes() } else { 1 };
    let configurations: usize = axes.dims[..parents.len()].iter().product();
    let q = configurations as f64 * run as f64;
    let marginal = marginal_distribution(table, feature);
    let mut logs = vec![0.0; configurations * r * run];
    let mut counts = vec![0.0; r * run];
    for (configuration, block) in logs.chunks_exact_mut(r * run).enumerate() {
        for (value, cells) in counts.chunks_exact_mut(run).enumerate() {
            axes.read(table, configuration * r + value, cells);
        }
        for class in 0..run {
            let total: f64 = counts.iter().skip(class).step_by(run).sum();
            for value in 0..r {
                let n = counts[value * run + class];
                block[value * run + class] = smoothing.conditional(n, total, r, q, marginal[value]).ln();
            }
        }
    }
    logs
}

/// ln P(class | its parents), from the table over the parents.
fn class_logs(table: &Table, parents: &[usize], schema: &Schema, smoothing: Smoothing) -> Vec<f64> {
    let classes = schema.classes();
    let axes = Axes::new(table, parents);
    let configurations: usize = axes.dims.iter().product();
    if parents.is_empty() {
        return smoothing.prior(&table.class_counts()).into_iter().map(f64::ln).collect();
    }
    let marginal = Smoothing::Mle.prior(&table.class_counts());
    let mut logs = Vec::with_capacity(configurations * classes);
    let mut counts = vec![0.0; classes];
    for configuration in 0..configurations {
        axes.read(table, configuration, &mut counts);
        let total: f64 = counts.iter().sum();
        let probability = |(&n, &marginal): (&f64, &f64)| {
            smoothing.conditional(n, total, classes, configurations as f64, marginal)
        };
        logs.extend(counts.iter().zip(&marginal).map(probability).map(f64::ln));
    }
    logs
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

/// Reads a table in another order of its axes.
struct Axes {
    /// The cardinalities in the wanted order.
    dims: Vec<usize>,
    /// For each axis of the table its position in the wanted order.
    position: Vec<usize>,
}

impl Axes {
    fn new(table: &Table, order: &[usize]) -> Self {
        let position: Vec<usize> = table
            .vars()
            .iter()
            .map(|var| order.iter().position(|&feature| feature == var).unwrap_or_default())
            .collect();
        let mut dims = vec![1; order.len()];
        for (&place, &dim) in position.iter().zip(table.dims()) {
            dims[place] = dim;
        }
        Self { dims, position }
    }

    /// The counts of a configuration numbered in the wanted order: by class, or their sum where `out` has one place.
    fn read(&self, table: &Table, mut number: usize, out: &mut [f64]) {
        let mut codes: Vec<Code> = vec![0; self.dims.len()];
        for (code, &dim) in codes.iter_mut().zip(&self.dims).rev() {
            *code = (number % dim) as Code;
            number /= dim;
        }
        let in_table: Vec<Code> = self.position.iter().map(|&place| codes[place]).collect();
        let counts = table.run(&in_table);
        if out.len() == table.classes() {
            out.fill(0.0);
            out.iter_mut().zip(counts).for_each(|(cell, &count)| *cell = count as f64);
        } else {
            out.fill(counts.iter().sum::<u64>() as f64);
        }
    }
}
