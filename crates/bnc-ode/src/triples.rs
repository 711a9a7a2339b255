//! The counts of every three features by class, in one flat array.

use bnc_models::bnc_data::{Schema, Variable};
use bnc_models::bnc_stats::{Table, Vars, pair_index};

/// All runs are over the classes; triples `i < j < k` come in lexicographic order, the values of `k` fastest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TripleCounts {
    classes: usize,
    dims: Vec<usize>,
    cells: Vec<u64>,
    /// For each pair `i < j` where its first triple is in `starts`.
    firsts: Vec<usize>,
    /// Where the block of each triple starts in `cells`, and a last one past the end.
    starts: Vec<usize>,
}

/// One table for every three features, in lexicographic order.
pub(crate) fn all_triples(features: usize) -> Vec<Vars> {
    let pairs = (0..features).flat_map(|i| (i + 1..features).map(move |j| (i, j)));
    pairs.flat_map(|(i, j)| (j + 1..features).map(move |k| Vars::new([i, j, k]))).collect()
}

impl TripleCounts {
    /// From the tables of [`all_triples`].
    pub(crate) fn new(schema: &Schema, tables: &[Table]) -> Self {
        let mut counts = Self::shape(schema);
        counts.cells = vec![0; counts.starts.last().copied().unwrap_or_default()];
        for (table, window) in tables.iter().zip(counts.starts.windows(2)) {
            table.copy_to(&mut counts.cells[window[0]..window[1]]);
        }
        counts
    }

    /// From a flat array; `None` when its length does not fit the schema.
    pub(crate) fn from_flat(schema: &Schema, cells: Vec<u64>) -> Option<Self> {
        let shape = Self::shape(schema);
        (shape.starts.last() == Some(&cells.len())).then_some(Self { cells, ..shape })
    }

    pub(crate) fn flat(&self) -> &[u64] {
        &self.cells
    }

    fn shape(schema: &Schema) -> Self {
        let classes = schema.classes();
        let dims: Vec<usize> = schema.features().iter().map(Variable::cardinality).collect();
        let (mut firsts, mut starts, mut next) = (Vec::new(), vec![0], 0);
        for i in 0..dims.len() {
            for j in i + 1..dims.len() {
                firsts.push(starts.len() - 1);
                for k in j + 1..dims.len() {
                    next += dims[i] * dims[j] * dims[k] * classes;
                    starts.push(next);
                }
            }
        }
        Self { classes, dims, cells: Vec::new(), firsts, starts }
    }

    /// The counts by class of three different features with a value each, in any order.
    pub(crate) fn run(&self, mut values: [(usize, usize); 3]) -> &[u64] {
        values.sort_unstable();
        let [(i, a), (j, b), (k, c)] = values;
        let triple = self.firsts[pair_index(self.dims.len(), i, j)] + k - j - 1;
        let configuration = (a * self.dims[j] + b) * self.dims[k] + c;
        let start = self.starts[triple] + configuration * self.classes;
        &self.cells[start..start + self.classes]
    }
}
