//! Contingency tables of any order.

use bnc_data::{Code, MISSING};
use smallvec::{SmallVec, smallvec};

use crate::{Error, Result, Vars};

/// The largest number of cells that a table stores densely; beyond it only observed configurations are stored.
pub const DENSE_CELLS: usize = 1 << 22;

/// The counts of every configuration of some features, by class.
///
/// Axes are the features in ascending order, then the class: the last and fastest axis, so that a configuration's
/// counts are a contiguous run over the classes. Counts are exact integers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    vars: Vars,
    dims: Dims,
    classes: usize,
    cells: Cells,
}

/// The number of values of each feature: on the heap only for three and more features, since there are many tables of two.
pub(crate) type Dims = SmallVec<[usize; 2]>;

#[derive(Debug, Clone, PartialEq, Eq)]
enum Cells {
    /// Not on the heap while they are few: there are millions of small tables over wide data.
    Dense(SmallVec<[u64; 8]>),
    /// Ascending numbers of the observed configurations, and their runs in the same order.
    Observed { configurations: Vec<u128>, runs: Vec<u64> },
}

impl Table {
    /// A table over `vars`, whose features have `dims` values, by `classes`, in which nothing is counted yet. If it is dense
    /// its cells come with [`Table::parts_mut`]: then they are in the cache when they are counted.
    ///
    /// # Errors
    /// [`Error::TooManyConfigurations`] when the configurations cannot be numbered in 128 bits.
    pub(crate) fn blank(vars: Vars, dims: Dims, classes: usize) -> Result<Self> {
        let cells = match cells(&dims, classes) {
            Some(_) => Cells::Dense(SmallVec::new()),
            None if dims
                .iter()
                .try_fold(1_u128, |product, &dim| product.checked_mul(dim as u128))
                .is_none() =>
            {
                return Err(Error::TooManyConfigurations { vars });
            }
            None => Cells::Observed { configurations: Vec::new(), runs: Vec::new() },
        };
        Ok(Self { vars, dims, classes, cells })
    }

    /// The same table with nothing counted; dense like this one.
    pub(crate) fn as_blank(&self) -> Self {
        let cells = Cells::Dense(SmallVec::new());
        Self { vars: self.vars.clone(), dims: self.dims.clone(), classes: self.classes, cells }
    }

    /// An empty table that stores observed configurations only.
    #[cfg(test)]
    pub(crate) fn observed(vars: Vars, dims: Dims, classes: usize) -> Self {
        Self { vars, dims, classes, cells: Cells::Observed { configurations: Vec::new(), runs: Vec::new() } }
    }

    /// The features of the table.
    #[must_use]
    pub fn vars(&self) -> &Vars {
        &self.vars
    }

    /// The number of values of each feature, in the order of [`Table::vars`].
    #[must_use]
    pub fn dims(&self) -> &[usize] {
        &self.dims
    }

    /// The number of classes.
    #[must_use]
    pub fn classes(&self) -> usize {
        self.classes
    }

    /// All cells, the class fastest, when the table is dense.
    #[must_use]
    pub fn dense(&self) -> Option<&[u64]> {
        match &self.cells {
            Cells::Dense(cells) => Some(cells),
            Cells::Observed { .. } => None,
        }
    }

    /// The number of cells when the table is dense, a blank one included.
    pub(crate) fn dense_cells(&self) -> Option<usize> {
        match &self.cells {
            Cells::Dense(_) => cells(&self.dims, self.classes),
            Cells::Observed { .. } => None,
        }
    }

    /// The features, their numbers of values, and all cells, the class fastest, when the table is dense; zeros in a blank one.
    pub(crate) fn parts_mut(&mut self) -> (&Vars, &[usize], Option<&mut [u64]>) {
        let size = self.dense_cells();
        let cells = match &mut self.cells {
            Cells::Dense(cells) => {
                if cells.is_empty() {
                    *cells = smallvec![0; size.unwrap_or_default()];
                }
                Some(cells.as_mut_slice())
            }
            Cells::Observed { .. } => None,
        };
        (&self.vars, &self.dims, cells)
    }

    /// The counts by class of a configuration (one code a feature, in the order of [`Table::vars`]);
    /// empty where nothing was observed and the table is not dense.
    ///
    /// # Panics
    /// When there is not one code a feature, or a code is out of range.
    #[must_use]
    pub fn run(&self, configuration: &[Code]) -> &[u64] {
        let number = self.number(configuration);
        match &self.cells {
            Cells::Dense(cells) => {
                let start = number as usize * self.classes;
                &cells[start..start + self.classes]
            }
            Cells::Observed { configurations, runs } => match configurations.binary_search(&number) {
                Ok(place) => &runs[place * self.classes..(place + 1) * self.classes],
                Err(_) => &[],
            },
        }
    }

    fn number(&self, configuration: &[Code]) -> u128 {
        assert_eq!(configuration.len(), self.dims.len(), "one code a feature");
        configuration.iter().zip(&self.dims).fold(0, |number, (&code, &dim)| {
            assert!(usize::from(code) < dim, "a code within the feature's values");
            number * dim as u128 + u128::from(code)
        })
    }

    /// Every configuration that is stored (all of them when dense), ascending, with its counts by class.
    pub fn runs(&self) -> impl Iterator<Item = (u128, &[u64])> {
        let (numbers, runs): (Option<&[u128]>, &[u64]) = match &self.cells {
            Cells::Dense(cells) => (None, cells),
            Cells::Observed { configurations, runs } => (Some(configurations), runs),
        };
        runs.chunks_exact(self.classes.max(1))
            .enumerate()
            .map(move |(place, run)| (numbers.map_or(place as u128, |numbers| numbers[place]), run))
    }

    /// Writes the counts to their places among all cells, the class fastest; places without an observation are left as they
    /// are.
    ///
    /// # Panics
    /// When `cells` has not a place for each of them.
    pub fn copy_to(&self, cells: &mut [u64]) {
        for (number, run) in self.runs() {
            let start = number as usize * self.classes;
            cells[start..start + self.classes].copy_from_slice(run);
        }
    }

    /// The codes of a configuration's number.
    #[must_use]
    pub fn codes(&self, mut number: u128) -> Vec<Code> {
        let mut codes = vec![0; self.dims.len()];
        for (code, &dim) in codes.iter_mut().zip(&self.dims).rev() {
            *code = (number % dim as u128) as Code;
            number /= dim as u128;
        }
        codes
    }

    /// The number of rows counted.
    #[must_use]
    pub fn total(&self) -> u64 {
        match &self.cells {
            Cells::Dense(cells) => cells.iter().sum(),
            Cells::Observed { runs, .. } => runs.iter().sum(),
        }
    }

    /// The counts by class, over all configurations. With missing cells they are those of the rows in which all
    /// features of this table are known.
    #[must_use]
    pub fn class_counts(&self) -> Vec<u64> {
        self.marginal(&Vars::default()).into_dense()
    }

    /// The table summed down to some of its features.
    ///
    /// # Panics
    /// When `keep` names a feature that the table does not have.
    #[must_use]
    pub fn marginal(&self, keep: &Vars) -> Self {
        let axes: Vec<usize> = keep
            .iter()
            .map(|feature| {
                let axis = self.vars.position(feature);
                assert!(axis.is_some(), "feature {feature} is not an axis of the table");
                axis.unwrap_or_default()
            })
            .collect();
        let dims: Dims = axes.iter().map(|&axis| self.dims[axis]).collect();
        let size = cells(&dims, self.classes);
        let mut observed = std::collections::BTreeMap::<u128, Vec<u64>>::new();
        let mut dense = smallvec![0; size.unwrap_or_default()];
        for (number, run) in self.runs().filter(|(_, run)| run.iter().any(|&count| count > 0)) {
            let codes = self.codes(number);
            let number = axes
                .iter()
                .zip(&dims)
                .fold(0_u128, |number, (&axis, &dim)| number * dim as u128 + u128::from(codes[axis]));
            let target = if size.is_some() {
                let start = number as usize * self.classes;
                &mut dense[start..start + self.classes]
            } else {
                observed.entry(number).or_insert_with(|| vec![0; self.classes]).as_mut_slice()
            };
            add_run(target, run);
        }
        let cells = if size.is_some() { Cells::Dense(dense) } else { Cells::from_map(observed) };
        Self { vars: keep.clone(), dims, classes: self.classes, cells }
    }

    fn into_dense(self) -> Vec<u64> {
        match self.cells {
            Cells::Dense(cells) => cells.into_vec(),
            Cells::Observed { runs, .. } => runs,
        }
    }

    /// Adds the counts of a dense table of the same shape to a dense one.
    pub(crate) fn add(&mut self, other: Self) {
        if let (Cells::Dense(ours), Cells::Dense(theirs)) = (&mut self.cells, other.cells) {
            if ours.is_empty() {
                *ours = theirs;
            } else {
                add_run(ours, &theirs);
            }
        }
    }

    /// Adds the runs of ascending, distinct configurations to a table that is not dense.
    pub(crate) fn add_observed(&mut self, configurations: Vec<u128>, runs: Vec<u64>) {
        let theirs = Cells::Observed { configurations, runs };
        match &self.cells {
            Cells::Observed { configurations, .. } if configurations.is_empty() => self.cells = theirs,
            Cells::Observed { .. } => {
                self.cells = self.cells.combined(&theirs, self.classes, u64::checked_add).unwrap_or(theirs);
            }
            Cells::Dense(_) => {}
        }
    }

    /// The sum with another table of the same shape.
    ///
    /// # Errors
    /// [`Error::Mismatch`] for different shapes or an overflow.
    pub fn merge(&mut self, other: &Self) -> Result<()> {
        self.combine(other, u64::checked_add, "a count overflows")
    }

    /// The difference to another table of the same shape.
    ///
    /// # Errors
    /// [`Error::Mismatch`] for different shapes, or when a count would fall below zero.
    pub fn subtract(&mut self, other: &Self) -> Result<()> {
        self.combine(other, u64::checked_sub, "a count would fall below zero")
    }

    /// The difference to another table of the same shape, as [`Table::subtract`] makes it.
    pub(crate) fn without(&self, other: &Self) -> Result<Self> {
        self.combined(other, u64::checked_sub, "a count would fall below zero")
    }

    fn combine(&mut self, other: &Self, op: fn(u64, u64) -> Option<u64>, why: &str) -> Result<()> {
        *self = self.combined(other, op, why)?;
        Ok(())
    }

    fn combined(&self, other: &Self, op: impl Fn(u64, u64) -> Option<u64>, why: &str) -> Result<Self> {
        if (&self.vars, &self.dims, self.classes) != (&other.vars, &other.dims, other.classes) {
            return Err(Error::Mismatch(format!("tables over {:?} and {:?}", self.vars, other.vars)));
        }
        let cells = self.cells.combined(&other.cells, self.classes, op);
        let cells =
            cells.ok_or_else(|| Error::Mismatch(format!("{why} in the table over {:?}", self.vars)))?;
        Ok(Self { vars: self.vars.clone(), dims: self.dims.clone(), classes: self.classes, cells })
    }
}

/// The number of cells of a table that is stored densely.
fn cells(dims: &[usize], classes: usize) -> Option<usize> {
    let cells = dims.iter().try_fold(classes, |product, &dim| product.checked_mul(dim));
    cells.filter(|&cells| cells <= DENSE_CELLS)
}

impl Cells {
    fn from_map(map: std::collections::BTreeMap<u128, Vec<u64>>) -> Self {
        let mut configurations = Vec::with_capacity(map.len());
        let mut runs = Vec::new();
        for (number, run) in map {
            configurations.push(number);
            runs.extend_from_slice(&run);
        }
        Self::Observed { configurations, runs }
    }

    /// Cell by cell; `None` when `op` fails, or when one side is dense and the other is not. Observed
    /// configurations that come to nothing are left out, so that equal counts are equal tables.
    fn combined(&self, other: &Self, classes: usize, op: impl Fn(u64, u64) -> Option<u64>) -> Option<Self> {
        match (self, other) {
            (Self::Dense(ours), Self::Dense(theirs)) => {
                let mut cells = SmallVec::with_capacity(ours.len());
                for (&a, &b) in ours.iter().zip(theirs) {
                    cells.push(op(a, b)?);
                }
                Some(Self::Dense(cells))
            }
            (
                Self::Observed { configurations, runs },
                Self::Observed { configurations: other_configurations, runs: other_runs },
            ) => {
                let mut map: std::collections::BTreeMap<u128, Vec<u64>> = configurations
                    .iter()
                    .zip(runs.chunks_exact(classes))
                    .map(|(&number, run)| (number, run.to_vec()))
                    .collect();
                for (&number, run) in other_configurations.iter().zip(other_runs.chunks_exact(classes)) {
                    let target = map.entry(number).or_insert_with(|| vec![0; classes]);
                    for (cell, &more) in target.iter_mut().zip(run) {
                        *cell = op(*cell, more)?;
                    }
                }
                map.retain(|_, run| run.iter().any(|&count| count > 0));
                Some(Self::from_map(map))
            }
            _ => None,
        }
    }
}

fn add_run(target: &mut [u64], run: &[u64]) {
    for (cell, &more) in target.iter_mut().zip(run) {
        *cell += more;
    }
}

/// The number of a row's configuration, `None` when one of its codes is missing.
pub(crate) fn configuration(codes: impl Iterator<Item = (Code, usize)>) -> Option<u128> {
    let mut number = 0_u128;
    for (code, dim) in codes {
        if code == MISSING {
            return None;
        }
        number = number * dim as u128 + u128::from(code);
    }
    Some(number)
}
