//! The counts of all pairs of features in one flat array, for models that keep them.

use std::ops::Range;

use bnc_data::{Code, MISSING, Schema, Variable};

use crate::Table;

/// Class counts, and the counts of every feature and every pair of features by class. All runs are over the classes; pairs
/// `i < j` come in lexicographic order, the values of `j` faster than those of `i`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairCounts {
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
    /// From the tables of [`all_pairs`](crate::all_pairs) and of [`all_singles`](crate::all_singles).
    #[must_use]
    pub fn new(schema: &Schema, pairs: &[Table], singles: &[Table]) -> Self {
        let mut counts = Self::zeros(schema);
        let Some((class, singles)) = singles.split_first() else {
            return counts;
        };
        class.copy_to(&mut counts.class);
        for (table, window) in singles.iter().zip(counts.single_starts.windows(2)) {
            table.copy_to(&mut counts.singles[window[0]..window[1]]);
        }
        for (table, window) in pairs.iter().zip(counts.pair_starts.windows(2)) {
            table.copy_to(&mut counts.pairs[window[0]..window[1]]);
        }
        counts
    }

    /// From flat arrays; `None` when their lengths do not fit the schema, or a sum of theirs is out of range.
    #[must_use]
    pub fn from_flat(schema: &Schema, class: Vec<u64>, singles: Vec<u64>, pairs: Vec<u64>) -> Option<Self> {
        let zeros = Self::shape(schema);
        let in_range =
            |counts: &[u64]| counts.iter().try_fold(0_u64, |sum, &count| sum.checked_add(count)).is_some();
        let fits = [&class, &singles, &pairs].into_iter().all(|counts| in_range(counts))
            && class.len() == zeros.classes
            && zeros.single_starts.last() == Some(&singles.len())
            && zeros.pair_starts.last() == Some(&pairs.len());
        fits.then_some(Self { class, singles, pairs, ..zeros })
    }

    /// Class, singles and pairs as flat arrays.
    #[must_use]
    pub fn flat(&self) -> (&[u64], &[u64], &[u64]) {
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
    #[must_use]
    pub fn class(&self) -> &[u64] {
        &self.class
    }

    /// Where a feature's counts, values × classes, lie among those of all features.
    #[must_use]
    pub fn single_cells(&self, feature: usize) -> Range<usize> {
        self.single_starts[feature]..self.single_starts[feature + 1]
    }

    /// Where the counts of features `i < j`, values × values × classes, lie among those of all pairs.
    #[must_use]
    pub fn pair_cells(&self, i: usize, j: usize) -> Range<usize> {
        let index = pair_index(self.dims.len(), i, j);
        self.pair_starts[index]..self.pair_starts[index + 1]
    }

    /// A feature's counts: values × classes.
    #[must_use]
    pub fn single(&self, feature: usize) -> &[u64] {
        &self.singles[self.single_cells(feature)]
    }

    /// The number of features.
    #[must_use]
    pub fn features(&self) -> usize {
        self.dims.len()
    }

    /// The number of classes.
    #[must_use]
    pub fn classes(&self) -> usize {
        self.classes
    }

    /// A feature's number of values.
    #[must_use]
    pub fn cardinality(&self, feature: usize) -> usize {
        self.dims[feature]
    }

    /// Shows every cell that a row counts in.
    pub fn for_each_cell(&mut self, row: &[Code], class: Code, mut change: impl FnMut(&mut u64)) {
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
    #[must_use]
    pub fn frequency(&self, feature: usize, code: Code) -> u64 {
        let start = usize::from(code) * self.classes;
        self.single(feature)[start..start + self.classes].iter().sum()
    }

    /// The counts of two different features, seen from one of them.
    #[must_use]
    pub fn pair(&self, parent: usize, child: usize) -> PairView<'_> {
        let (i, j) = (parent.min(child), parent.max(child));
        let cells = &self.pairs[self.pair_cells(i, j)];
        let (of_i, of_j) = (self.dims[j] * self.classes, self.classes);
        let (of_parent, of_child) = if parent < child { (of_i, of_j) } else { (of_j, of_i) };
        PairView { cells, of_parent, of_child, classes: self.classes }
    }
}

/// The place of a pair of different features among all pairs in lexicographic order.
#[must_use]
pub fn pair_index(features: usize, a: usize, b: usize) -> usize {
    let (i, j) = (a.min(b), a.max(b));
    i * features - i * (i + 1) / 2 + j - i - 1
}

/// A pair's counts seen from the parent.
#[derive(Debug, Clone, Copy)]
pub struct PairView<'a> {
    cells: &'a [u64],
    of_parent: usize,
    of_child: usize,
    classes: usize,
}

impl PairView<'_> {
    /// The counts by class of a configuration.
    #[must_use]
    pub fn run(&self, parent: usize, child: usize) -> &[u64] {
        let start = parent * self.of_parent + child * self.of_child;
        &self.cells[start..start + self.classes]
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use bnc_data::{Dataset, Domain};

    use super::*;
    use crate::{Counter, all_pairs, all_singles};

    #[test]
    fn the_flat_counts_are_those_of_the_tables() {
        let labels = |count: usize| Domain::Labels((0..count).map(|value| value.to_string()).collect());
        let dims = [2, 3, 4];
        let features = (0..3).map(|i| Variable::new(format!("x{i}"), labels(dims[i])).unwrap()).collect();
        let schema = Arc::new(Schema::new(Variable::new("y", labels(2)).unwrap(), features).unwrap());
        let column = |dim: usize, step: usize| (0..50).map(|row| (row * step / 3 % dim) as u16).collect();
        let mut columns: Vec<Vec<u16>> =
            dims.iter().enumerate().map(|(i, &dim)| column(dim, i + 1)).collect();
        columns[1][7] = MISSING;
        let data = Dataset::new(Arc::clone(&schema), column(2, 7), columns.clone(), None).unwrap();
        let (pairs, singles) = (data.count(&all_pairs(3)).unwrap(), data.count(&all_singles(3)).unwrap());
        let counts = PairCounts::new(&schema, &pairs, &singles);
        assert_eq!(counts.class(), singles[0].dense().unwrap());
        for i in 0..3 {
            assert_eq!(counts.single(i), singles[i + 1].dense().unwrap());
            for j in i + 1..3 {
                let table = &pairs[pair_index(3, j, i)];
                assert_eq!(&counts.flat().2[counts.pair_cells(i, j)], table.dense().unwrap());
                for (number, run) in table.runs() {
                    let codes = table.codes(number);
                    assert_eq!(counts.pair(i, j).run(codes[0].into(), codes[1].into()), run);
                    assert_eq!(counts.pair(j, i).run(codes[1].into(), codes[0].into()), run);
                }
            }
        }
        // Row by row comes to the same.
        let (class, singles, pairs) = counts.flat();
        let zeros = |counts: &[u64]| vec![0; counts.len()];
        let mut again = PairCounts::from_flat(&schema, zeros(class), zeros(singles), zeros(pairs)).unwrap();
        for row in 0..50 {
            let codes: Vec<Code> = columns.iter().map(|column| column[row]).collect();
            again.for_each_cell(&codes, data.class()[row], |cell| *cell += 1);
        }
        assert_eq!(again, counts);
        assert_eq!(counts.frequency(1, 2), counts.single(1)[4..].iter().sum::<u64>());
        assert_eq!(PairCounts::from_flat(&schema, vec![0; 2], vec![0; 18], vec![0; 51]), None);
        assert_eq!(PairCounts::from_flat(&schema, vec![u64::MAX; 2], vec![0; 18], vec![0; 52]), None);
    }
}
