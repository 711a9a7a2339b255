//! The counts behind a one-dependence ensemble, in one flat array.

use bnc_models::bnc_data::{Code, MISSING, Schema, Variable};
use bnc_models::bnc_stats::{Counter, Table, Vars, all_pairs, all_singles};
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
    if counts.class.iter().all(|&count| count == 0) {
        return Err(Error::NoLabelledRows);
    }
    // The first counts the class alone.
    singles.remove(0);
    Ok((Gathered { counts, pairs, singles }, more))
}

/// Class counts, and the counts of every feature and every pair of features by class. All runs are over the classes; pairs
/// `i < j` come in lexicographic order, the values of `j` faster than those of `i`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PairCounts {
    classes: usize,
    dims: Vec<usize>,
    class: Vec<u64>,
    singles: Vec<u64>,
    pairs: Vec<u64>,
    /// Where the block of each single starts in `singles`, and a last one past the end.
    single_starts: Vec<usize>,
    /// Where the block of each pair starts in `pairs`, and a last one past the end.
    pair_starts: Vec<usize>,
}

impl PairCounts {
    /// From the tables of `all_pairs` and of `all_singles`.
    fn new(schema: &Schema, pairs: &[Table], singles: &[Table]) -> Self {
        let mut counts = Self::zeros(schema);
        let Some((class, singles)) = singles.split_first() else {
            return counts;
        };
        copy(class, &mut counts.class);
        for (table, window) in singles.iter().zip(counts.single_starts.windows(2)) {
            copy(table, &mut counts.singles[window[0]..window[1]]);
        }
        for (table, window) in pairs.iter().zip(counts.pair_starts.windows(2)) {
            copy(table, &mut counts.pairs[window[0]..window[1]]);
        }
        counts
    }

    /// From flat arrays; `None` when their lengths do not fit the schema.
    pub(crate) fn from_flat(
        schema: &Schema,
        class: Vec<u64>,
        singles: Vec<u64>,
        pairs: Vec<u64>,
    ) -> Option<Self> {
        let zeros = Self::shape(schema);
        let fits = class.len() == zeros.classes
            && zeros.single_starts.last() == Some(&singles.len())
            && zeros.pair_starts.last() == Some(&pairs.len());
        fits.then_some(Self { class, singles, pairs, ..zeros })
    }

    /// Class, singles and pairs as flat arrays.
    pub(crate) fn flat(&self) -> (&[u64], &[u64], &[u64]) {
        (&self.class, &self.singles, &self.pairs)
    }

    fn zeros(schema: &Schema) -> Self {
        let mut counts = Self::shape(schema);
        counts.class = vec![0; counts.classes];
        counts.singles = vec![0; counts.single_starts.last().copied().unwrap_or_default()];
        counts.pairs = vec![0; counts.pair_starts.last().copied().unwrap_or_default()];
        counts
    }

    fn shape(schema: &Schema) -> Self {
        let classes = schema.classes();
        let dims: Vec<usize> = schema.features().iter().map(Variable::cardinality).collect();
        let starts = |sizes: &mut dyn Iterator<Item = usize>| {
            let mut starts = vec![0];
            let mut next = 0;
            for size in sizes {
                next += size;
                starts.push(next);
            }
            starts
        };
        let single_starts = starts(&mut dims.iter().map(|dim| dim * classes));
        let pair_sizes = (0..dims.len())
            .flat_map(|i| (i + 1..dims.len()).map(move |j| (i, j)))
            .map(|(i, j)| dims[i] * dims[j] * classes);
        let pair_starts = starts(&mut pair_sizes.into_iter());
        Self {
            classes,
            class: Vec::new(),
            singles: Vec::new(),
            pairs: Vec::new(),
            single_starts,
            pair_starts,
            dims,
        }
    }

    /// The class counts.
    pub(crate) fn class(&self) -> &[u64] {
        &self.class
    }

    /// A feature's counts: values × classes.
    pub(crate) fn single(&self, feature: usize) -> &[u64] {
        &self.singles[self.single_starts[feature]..self.single_starts[feature + 1]]
    }

    /// A feature's number of values.
    pub(crate) fn cardinality(&self, feature: usize) -> usize {
        self.dims[feature]
    }

    /// Shows every cell that a row counts in.
    pub(crate) fn for_each_cell(&mut self, row: &[Code], class: Code, mut change: impl FnMut(&mut u64)) {
        let class = usize::from(class);
        change(&mut self.class[class]);
        let known = || row.iter().enumerate().filter(|(_, code)| **code != MISSING);
        for (i, &first) in known() {
            let first = usize::from(first);
            change(&mut self.singles[self.single_starts[i] + first * self.classes + class]);
            for (j, &second) in known().filter(|(j, _)| *j > i) {
                let configuration = first * self.dims[j] + usize::from(second);
                let start = self.pair_starts[pair_index(self.dims.len(), i, j)];
                change(&mut self.pairs[start + configuration * self.classes + class]);
            }
        }
    }

    /// How often a value was seen.
    pub(crate) fn frequency(&self, feature: usize, code: Code) -> u64 {
        let start = usize::from(code) * self.classes;
        self.single(feature)[start..start + self.classes].iter().sum()
    }

    /// The counts of two different features, seen from one of them.
    pub(crate) fn pair(&self, parent: usize, child: usize) -> PairView<'_> {
        let index = pair_index(self.dims.len(), parent, child);
        let j = parent.max(child);
        let cells = &self.pairs[self.pair_starts[index]..self.pair_starts[index + 1]];
        let (of_i, of_j) = (self.dims[j] * self.classes, self.classes);
        let (of_parent, of_child) = if parent < child { (of_i, of_j) } else { (of_j, of_i) };
        PairView { cells, of_parent, of_child, classes: self.classes }
    }
}

/// The place of a pair of different features among all pairs.
pub(crate) fn pair_index(features: usize, a: usize, b: usize) -> usize {
    let (i, j) = (a.min(b), a.max(b));
    i * features - i * (i + 1) / 2 + j - i - 1
}

/// A pair's counts seen from the parent.
pub(crate) struct PairView<'a> {
    cells: &'a [u64],
    of_parent: usize,
    of_child: usize,
    classes: usize,
}

impl PairView<'_> {
    /// The counts by class of a configuration.
    pub(crate) fn run(&self, parent: usize, child: usize) -> &[u64] {
        let start = parent * self.of_parent + child * self.of_child;
        &self.cells[start..start + self.classes]
    }
}

pub(crate) fn copy(table: &Table, target: &mut [u64]) {
    let classes = table.classes();
    for (number, run) in table.runs() {
        let start = number as usize * classes;
        target[start..start + classes].copy_from_slice(run);
    }
}
