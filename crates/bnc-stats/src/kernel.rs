//! The counting kernels and the planner that chooses between them; all agree exactly.
//!
//! - *Bit planes*: a bitmap a value over rows sorted by class; a cell is the population count of the conjunction of
//!   its values' bitmaps within the class's words. Best while the product of the cardinalities is small.
//! - *Scatter*: one increment a row at the cell's index.
//! - *Observed*: an ordered map, for tables beyond the dense budget.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use bitvec::prelude::{BitVec, Lsb0};
use bnc_data::{Code, Dataset, MISSING, Schema};
use rayon::prelude::*;

use crate::table::configuration;
use crate::{Error, Result, Table, Vars};

/// Rows are counted in blocks of this many, so that their columns stay in the cache while all tables use them.
const BLOCK_ROWS: usize = 1 << 16;

/// The largest number of configurations of the features that bit planes count faster than scatter does, measured by
/// `cargo xtask bench counting`.
const PLANE_CONFIGURATIONS: usize = 64;

/// The kernel that counts a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kernel {
    Planes,
    Scatter,
    Observed,
}

/// Tables that are being counted.
pub(crate) struct Accumulator {
    schema: Arc<Schema>,
    tables: Vec<Table>,
    /// The features that some table counts by planes.
    planes: Vec<bool>,
}

impl Accumulator {
    pub(crate) fn new(schema: &Arc<Schema>, asked: &[Vars]) -> Result<Self> {
        let features = schema.features().len();
        let mut planes = vec![false; features];
        let mut tables = Vec::with_capacity(asked.len());
        for vars in asked {
            if let Some(feature) = vars.iter().find(|&feature| feature >= features) {
                return Err(Error::NoSuchFeature { feature, features });
            }
            let dims = vars.iter().map(|feature| schema.cardinality(feature)).collect();
            let table = Table::zeros(vars.clone(), dims, schema.classes())?;
            if kernel_of(&table, false) == Kernel::Planes {
                vars.iter().for_each(|feature| planes[feature] = true);
            }
            tables.push(table);
        }
        Ok(Self { schema: Arc::clone(schema), tables, planes })
    }

    pub(crate) fn add(&mut self, chunk: &Dataset) {
        for start in (0..chunk.rows()).step_by(BLOCK_ROWS) {
            let rows = start..chunk.rows().min(start + BLOCK_ROWS);
            let block = Block::new(chunk, rows, self.schema.classes(), &self.planes);
            // Small blocks are not worth waking threads for.
            let work = self.tables.len() * block.class.len();
            if work < 1 << 14 {
                self.tables.iter_mut().for_each(|table| block.count(table));
            } else {
                self.tables.par_iter_mut().for_each(|table| block.count(table));
            }
        }
    }

    pub(crate) fn finish(self) -> Vec<Table> {
        self.tables
    }
}

/// The planner: the cheapest kernel for a table.
fn kernel_of(table: &Table, weighted: bool) -> Kernel {
    if table.dense().is_none() {
        Kernel::Observed
    } else if weighted || table.vars().is_empty() {
        Kernel::Scatter
    } else if table.dims().iter().product::<usize>() <= PLANE_CONFIGURATIONS {
        Kernel::Planes
    } else {
        Kernel::Scatter
    }
}

/// Up to [`BLOCK_ROWS`] rows, prepared for counting.
struct Block<'a> {
    class: &'a [Code],
    columns: Vec<&'a [Code]>,
    weights: Option<&'a [u32]>,
    /// Whether the class or a column has missing codes.
    class_missing: bool,
    missing: Vec<bool>,
    /// For each feature counted by planes one bitmap a value.
    planes: Vec<Vec<BitVec<u64, Lsb0>>>,
    /// The words of each class in the bitmaps.
    words: Vec<Range<usize>>,
}

impl<'a> Block<'a> {
    fn new(chunk: &'a Dataset, rows: Range<usize>, classes: usize, wanted: &[bool]) -> Self {
        let class = &chunk.class()[rows.clone()];
        let columns: Vec<&[Code]> = chunk.features().iter().map(|column| &column[rows.clone()]).collect();
        let weights = chunk.weights().map(|weights| &weights[rows]);
        let mut block = Self {
            class,
            class_missing: class.contains(&MISSING),
            missing: columns.par_iter().map(|column| column.contains(&MISSING)).collect(),
            columns,
            weights,
            planes: Vec::new(),
            words: Vec::new(),
        };
        if weights.is_none() && wanted.contains(&true) {
            block.build_planes(chunk.schema(), classes, wanted);
        }
        block
    }

    fn build_planes(&mut self, schema: &Schema, classes: usize, wanted: &[bool]) {
        let mut sizes = vec![0_usize; classes];
        for &class in self.class.iter().filter(|&&class| class != MISSING) {
            sizes[usize::from(class)] += 1;
        }
        let mut next = Vec::with_capacity(classes);
        let mut word = 0;
        for size in sizes {
            let words = size.div_ceil(64);
            self.words.push(word..word + words);
            next.push(word * 64);
            word += words;
        }
        // The place of each row in class order; unlabelled rows have none.
        let places: Vec<usize> = self
            .class
            .iter()
            .map(|&class| match next.get_mut(usize::from(class)) {
                Some(place) => {
                    *place += 1;
                    *place - 1
                }
                None => usize::MAX,
            })
            .collect();
        let planes_of = |(feature, column): (usize, &&[Code])| {
            if !wanted[feature] {
                return Vec::new();
            }
            let mut planes = vec![BitVec::<u64, Lsb0>::repeat(false, word * 64); schema.cardinality(feature)];
            for (&code, &place) in column.iter().zip(&places) {
                if place != usize::MAX
                    && let Some(plane) = planes.get_mut(usize::from(code))
                {
                    plane.as_raw_mut_slice()[place / 64] |= 1 << (place % 64);
                }
            }
            planes
        };
        self.planes = self.columns.par_iter().enumerate().map(planes_of).collect();
    }

    fn count(&self, table: &mut Table) {
        match kernel_of(table, self.weights.is_some()) {
            Kernel::Planes => self.count_planes(table),
            Kernel::Scatter => self.count_scatter(table),
            Kernel::Observed => self.count_observed(table),
        }
    }

    fn weight(&self, row: usize) -> u64 {
        self.weights.map_or(1, |weights| u64::from(weights[row]))
    }

    fn count_planes(&self, table: &mut Table) {
        let features: Vec<&[BitVec<u64, Lsb0>]> =
            table.vars().iter().map(|feature| self.planes[feature].as_slice()).collect();
        let Some((last, first)) = features.split_last() else {
            return;
        };
        let classes = table.classes();
        let Some(cells) = table.dense_mut() else { return };
        let words = self.words.last().map_or(0, |range| range.end);
        let configurations: usize = first.iter().map(|planes| planes.len()).product();
        let mut joint = vec![0_u64; words];
        for (configuration, block) in
            (0..configurations).zip(cells.chunks_exact_mut((last.len() * classes).max(1)))
        {
            joint_plane(first, configuration, &mut joint);
            for (plane, run) in last.iter().zip(block.chunks_exact_mut(classes)) {
                let plane = plane.as_raw_slice();
                for (cell, range) in run.iter_mut().zip(&self.words) {
                    *cell += joint[range.clone()]
                        .iter()
                        .zip(&plane[range.clone()])
                        .map(|(a, b)| u64::from((a & b).count_ones()))
                        .sum::<u64>();
                }
            }
        }
    }

    fn count_scatter(&self, table: &mut Table) {
        const STEP: usize = 1024;
        let columns: Vec<(&[Code], u32)> = table
            .vars()
            .iter()
            .zip(table.dims())
            .map(|(feature, &dim)| (self.columns[feature], dim as u32))
            .collect();
        let classes = table.classes() as u32;
        let missing = self.class_missing || table.vars().iter().any(|feature| self.missing[feature]);
        let Some(cells) = table.dense_mut() else { return };
        let mut indices = [0_u32; STEP];
        for start in (0..self.class.len()).step_by(STEP) {
            let rows = start..self.class.len().min(start + STEP);
            let indices = &mut indices[..rows.len()];
            indices.fill(0);
            for (column, dim) in &columns {
                for (index, &code) in indices.iter_mut().zip(&column[rows.clone()]) {
                    *index = index.wrapping_mul(*dim).wrapping_add(u32::from(code));
                }
            }
            for (index, &class) in indices.iter_mut().zip(&self.class[rows.clone()]) {
                *index = index.wrapping_mul(classes).wrapping_add(u32::from(class));
            }
            if missing {
                let columns = columns.iter().map(|(column, _)| *column).chain([self.class]);
                for column in columns {
                    for (index, &code) in indices.iter_mut().zip(&column[rows.clone()]) {
                        if code == MISSING {
                            // Past the end of every dense table.
                            *index = u32::MAX;
                        }
                    }
                }
            }
            match self.weights {
                None => {
                    for &index in &*indices {
                        if let Some(cell) = cells.get_mut(index as usize) {
                            *cell += 1;
                        }
                    }
                }
                Some(weights) => {
                    for (&index, &weight) in indices.iter().zip(&weights[rows]) {
                        if let Some(cell) = cells.get_mut(index as usize) {
                            *cell += u64::from(weight);
                        }
                    }
                }
            }
        }
    }

    fn count_observed(&self, table: &mut Table) {
        let columns: Vec<(&[Code], usize)> = table
            .vars()
            .iter()
            .zip(table.dims())
            .map(|(feature, &dim)| (self.columns[feature], dim))
            .collect();
        let classes = table.classes();
        let mut runs = BTreeMap::<u128, Vec<u64>>::new();
        for (row, &class) in self.class.iter().enumerate() {
            let weight = self.weight(row);
            if class == MISSING || weight == 0 {
                continue;
            }
            if let Some(number) = configuration(columns.iter().map(|(column, dim)| (column[row], *dim))) {
                runs.entry(number).or_insert_with(|| vec![0; classes])[usize::from(class)] += weight;
            }
        }
        table.add_observed(runs);
    }
}

/// The conjunction of the planes of a configuration of the leading features; all ones when there are none.
fn joint_plane(features: &[&[BitVec<u64, Lsb0>]], mut configuration: usize, joint: &mut [u64]) {
    joint.fill(u64::MAX);
    for planes in features.iter().rev() {
        let plane = planes[configuration % planes.len()].as_raw_slice();
        configuration /= planes.len();
        for (word, &other) in joint.iter_mut().zip(plane) {
            *word &= other;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bnc_data::{Domain, Variable};
    use proptest::prelude::*;

    fn schema(dims: &[usize], classes: usize) -> Arc<Schema> {
        let labels = |count: usize| Domain::Labels((0..count).map(|value| value.to_string()).collect());
        let features =
            dims.iter().enumerate().map(|(i, &dim)| Variable::new(format!("x{i}"), labels(dim)).unwrap());
        Arc::new(Schema::new(Variable::new("y", labels(classes)).unwrap(), features.collect()).unwrap())
    }

    fn naive(data: &Dataset, table: &Table) -> BTreeMap<(Vec<Code>, Code), u64> {
        let mut cells = BTreeMap::new();
        for row in 0..data.rows() {
            let codes: Vec<Code> = table.vars().iter().map(|feature| data.features()[feature][row]).collect();
            let class = data.class()[row];
            let weight = data.weights().map_or(1, |weights| u64::from(weights[row]));
            if class != MISSING && !codes.contains(&MISSING) && weight > 0 {
                *cells.entry((codes, class)).or_insert(0) += weight;
            }
        }
        cells
    }

    fn cells(table: &Table) -> BTreeMap<(Vec<Code>, Code), u64> {
        let mut cells = BTreeMap::new();
        for (number, run) in table.runs() {
            for (class, &count) in run.iter().enumerate().filter(|(_, count)| **count > 0) {
                cells.insert((table.codes(number), class as Code), count);
            }
        }
        cells
    }

    fn code(cardinality: usize) -> impl Strategy<Value = Code> {
        prop_oneof![9 => 0..cardinality as Code, 1 => Just(MISSING)]
    }

    proptest! {
        #[test]
        fn kernels_agree_with_a_naive_count(
            rows in prop::collection::vec((code(3), code(2), code(3), code(60), 0_u32..4), 0..200),
            weighted: bool,
        ) {
            let schema = schema(&[2, 3, 60], 3);
            let data = Dataset::new(
                Arc::clone(&schema),
                rows.iter().map(|row| row.0).collect(),
                vec![
                    rows.iter().map(|row| row.1).collect(),
                    rows.iter().map(|row| row.2).collect(),
                    rows.iter().map(|row| row.3).collect(),
                ],
                weighted.then(|| rows.iter().map(|row| row.4).collect()),
            ).unwrap();
            let asked: Vec<Vars> =
                [&[][..], &[0], &[1], &[2], &[0, 1], &[0, 2], &[1, 2], &[0, 1, 2]].map(|vars| Vars::new(vars.to_vec())).into();
            let mut accumulator = Accumulator::new(&schema, &asked).unwrap();
            accumulator.add(&data);
            for mut table in accumulator.finish() {
                let expected = naive(&data, &table);
                prop_assert_eq!(&cells(&table), &expected);
                // Every dense table by the scatter and the observed kernel as well.
                let dims = table.dims().to_vec();
                let block = Block::new(&data, 0..data.rows(), 3, &[false; 3]);
                table = Table::zeros(table.vars().clone(), dims.clone(), 3).unwrap();
                block.count_scatter(&mut table);
                prop_assert_eq!(&cells(&table), &expected);
                table = Table::observed(table.vars().clone(), dims, 3);
                block.count_observed(&mut table);
                prop_assert_eq!(&cells(&table), &expected);
            }
        }
    }
}
