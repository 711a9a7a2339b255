//! Conditional probability tables, whole or by what was observed.

use bnc_data::{Code, Schema, Variable};

use super::product;
use crate::{Error, Result};

/// A conditional probability table in natural logarithms.
///
/// For each configuration of the feature parents, numbered in the order of the structure with the last parent the fastest, it
/// has a block: the variable's values, each with a run over the classes where the class is a parent, and a single number
/// where it is not. The class is the fastest, so that a run is added to the class scores as it is. In the class's own table
/// a block is the distribution of the class.
///
/// A table of at most [`DENSE_CELLS`](bnc_stats::DENSE_CELLS) cells stores the blocks of all configurations. A larger one
/// stores those that were observed, and the one block that smoothing gives to every other configuration.
#[derive(Debug, Clone, PartialEq)]
pub struct ConditionalTable {
    /// The cardinalities of the feature parents, then of the variable.
    dims: Vec<usize>,
    /// The length of a run: the number of classes, or 1 when the class is no parent.
    run: usize,
    blocks: Blocks,
}

/// The blocks of a table.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Blocks {
    /// Those of all configurations.
    Dense(Vec<f64>),
    Observed(Observed),
}

/// The blocks of some configurations.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Observed {
    /// Ascending.
    pub(super) configurations: Vec<u128>,
    /// Their blocks, in the same order.
    pub(super) logs: Vec<f64>,
    /// The block of every other configuration.
    pub(super) otherwise: Vec<f64>,
}

impl ConditionalTable {
    /// The table of a feature, or of the class where `feature` is none.
    pub(super) fn new(
        schema: &Schema,
        parents: &[usize],
        feature: Option<usize>,
        by_class: bool,
        blocks: Blocks,
    ) -> Self {
        let variable = feature.map_or(schema.class(), |feature| &schema.features()[feature]);
        let cardinalities = parents.iter().map(|&parent| schema.cardinality(parent));
        let dims = cardinalities.chain([variable.cardinality()]).collect();
        Self { dims, run: if by_class { schema.classes() } else { 1 }, blocks }
    }

    /// # Errors
    /// [`Error::Unsound`] when the blocks are not of the right number and size, or are no distributions.
    pub(super) fn check(&self, variable: &Variable) -> Result<()> {
        match self.fault() {
            None => Ok(()),
            Some(fault) => Err(Error::Unsound(format!("the table of '{}' {fault}", variable.name()))),
        }
    }

    /// The cardinalities of the feature parents, then of the variable.
    #[must_use]
    pub fn dims(&self) -> &[usize] {
        &self.dims
    }

    /// The length of a run: the number of classes where the class is a parent, else 1.
    #[must_use]
    pub fn run_length(&self) -> usize {
        self.run
    }

    /// The number of cells of a block: the variable's values × [`ConditionalTable::run_length`].
    #[must_use]
    pub fn block_length(&self) -> usize {
        self.dims.last().map_or(0, |cardinality| cardinality * self.run)
    }

    /// The number of configurations of the feature parents; the largest number where there are more.
    #[must_use]
    pub fn configurations(&self) -> u128 {
        product(self.parent_dims().iter().copied())
    }

    /// Whether the blocks of all configurations are stored.
    #[must_use]
    pub fn is_dense(&self) -> bool {
        matches!(self.blocks, Blocks::Dense(_))
    }

    /// ln P(variable | parents, class) of the stored configurations, block after block in the order of their numbers.
    #[must_use]
    pub fn logs(&self) -> &[f64] {
        match &self.blocks {
            Blocks::Dense(logs) => logs,
            Blocks::Observed(observed) => &observed.logs,
        }
    }

    /// The stored configurations in the order of their numbers, each as the codes of the parents with its block.
    pub fn stored(&self) -> impl Iterator<Item = (Vec<Code>, &[f64])> {
        let numbers = match &self.blocks {
            Blocks::Dense(_) => None,
            Blocks::Observed(observed) => Some(&observed.configurations),
        };
        self.logs().chunks_exact(self.block_length()).enumerate().map(move |(place, block)| {
            (self.codes(numbers.map_or(place as u128, |numbers| numbers[place])), block)
        })
    }

    /// The block of every configuration that is not stored; `None` where all are.
    #[must_use]
    pub fn otherwise(&self) -> Option<&[f64]> {
        match &self.blocks {
            Blocks::Dense(_) => None,
            Blocks::Observed(observed) => Some(&observed.otherwise),
        }
    }

    /// The block of any configuration: one code a feature parent.
    ///
    /// # Panics
    /// When a code is out of range, in a table that stores all configurations.
    #[must_use]
    pub fn block(&self, parents: &[Code]) -> &[f64] {
        self.block_of(parents.iter().copied())
    }

    pub(super) fn block_of(&self, parents: impl Iterator<Item = Code>) -> &[f64] {
        let length = self.block_length();
        let parents = parents.zip(self.parent_dims());
        match &self.blocks {
            Blocks::Dense(logs) => {
                let number = parents.fold(0, |number, (code, &dim)| number * dim + usize::from(code));
                &logs[number * length..(number + 1) * length]
            }
            Blocks::Observed(Observed { configurations, logs, otherwise }) => {
                let number = parents.fold(0, |number, (code, &dim)| number * dim as u128 + u128::from(code));
                match configurations.binary_search(&number) {
                    Ok(place) => &logs[place * length..(place + 1) * length],
                    Err(_) => otherwise,
                }
            }
        }
    }

    /// The run of a value of the variable under a configuration of its parents.
    pub(super) fn run_of(&self, parents: impl Iterator<Item = Code>, value: Code) -> &[f64] {
        let start = usize::from(value) * self.run;
        &self.block_of(parents)[start..start + self.run]
    }

    pub(super) fn blocks(&self) -> &Blocks {
        &self.blocks
    }

    fn parent_dims(&self) -> &[usize] {
        &self.dims[..self.dims.len() - 1]
    }

    fn codes(&self, mut number: u128) -> Vec<Code> {
        let mut codes = vec![0; self.dims.len() - 1];
        for (code, &dim) in codes.iter_mut().zip(self.parent_dims()).rev() {
            *code = (number % dim as u128) as Code;
            number /= dim as u128;
        }
        codes
    }

    /// What is wrong with the blocks: their number, their size, or a block that is no distribution.
    fn fault(&self) -> Option<String> {
        if self.parent_dims().iter().try_fold(1_u128, |all, &dim| all.checked_mul(dim as u128)).is_none() {
            return Some("has more configurations than can be numbered".into());
        }
        let stored = match &self.blocks {
            Blocks::Dense(_) => self.configurations(),
            Blocks::Observed(Observed { configurations, otherwise, .. }) => {
                let ascending = configurations.windows(2).all(|pair| pair[0] < pair[1]);
                let within = configurations.last().is_none_or(|&last| last < self.configurations());
                if !ascending || !within || otherwise.len() != self.block_length() {
                    return Some("holds configurations that it cannot have".into());
                }
                configurations.len() as u128
            }
        };
        if stored.checked_mul(self.block_length() as u128) != Some(self.logs().len() as u128) {
            return Some(format!("has {} cells", self.logs().len()));
        }
        let all = || [self.logs(), self.otherwise().unwrap_or_default()];
        if all().into_iter().flatten().any(|log| log.is_nan() || *log > 1e-9) {
            return Some("holds no probabilities".into());
        }
        for block in all().into_iter().flat_map(|logs| logs.chunks_exact(self.block_length())) {
            for class in 0..self.run {
                let sum: f64 = block.iter().skip(class).step_by(self.run).map(|log| log.exp()).sum();
                if (sum - 1.0).abs() > 1e-6 {
                    return Some(format!("holds a distribution that sums to {sum}"));
                }
            }
        }
        None
    }
}
