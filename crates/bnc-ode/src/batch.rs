//! Sums of joint probabilities for many rows at once.
//!
//! One member of an ensemble after the other is taken for all rows, so that its tables stay in the cache. Every sum adds the
//! same numbers in the same order as for a single row, hence the same bits.

#![allow(
    clippy::inline_always,
    reason = "the loops must be compiled with the instructions of each of their callers"
)]

use std::array;
use std::ops::Range;

use bnc_models::bnc_data::{Code, Dataset, MISSING};
use bnc_models::{Classifier, Result};
use multiversion::multiversion;

use crate::cells::Cells;
use crate::ensemble::{Scores, sum_of_joints};
use crate::subsumption::Implications;
use crate::tables::Tables;
use crate::tiles::{MARGIN, TILE, Tiles, UNKNOWN, plus, run};

/// What one batch may keep, in bytes.
const MEMORY: usize = 4 << 20;

/// A super-parent.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Parent {
    pub(crate) feature: usize,
    /// The number of its values.
    pub(crate) values: usize,
}

/// The tables of one estimator of an ensemble.
pub(crate) struct Estimator<'a> {
    /// In the order of the features.
    pub(crate) parents: &'a [Parent],
    /// What the sums start with, a run by class for each configuration of the parents, the last of their values fastest; −∞
    /// where they take no part. Then another such run for parents that are not known, and [`MARGIN`] cells.
    pub(crate) starts: &'a [f64],
    /// As many cells as the values of the parents have; a block for each configuration: the runs of the values of all other
    /// features, in order; then [`MARGIN`] cells.
    pub(crate) children: &'a [f64],
    /// The number of cells of a block.
    pub(crate) width: usize,
}

impl Estimator<'_> {
    /// Whether it takes part for some row.
    pub(crate) fn takes_part(&self) -> bool {
        self.starts.iter().any(|&log| log > f64::NEG_INFINITY)
    }

    /// Appends the sums of a row with these values of the parents, each given with the number of the cells of its values.
    /// None where they take no part.
    #[inline]
    pub(crate) fn append<const K: usize>(
        &self,
        configuration: usize,
        parents: [(usize, usize); K],
        row: &Cells,
        classes: usize,
        sums: &mut Scores,
    ) {
        let start = &self.starts[configuration * classes..(configuration + 1) * classes];
        if start.iter().any(|&log| log > f64::NEG_INFINITY) {
            let first = sums.len();
            sums.extend_from_slice(start);
            let block = parents.iter().map(|(_, cells)| cells).sum::<usize>() + configuration * self.width;
            row.add(&self.children[block..block + self.width], parents, &mut sums[first..]);
        }
    }

    /// The configurations of the parents for the rows of a tile, and how many there are, which stands for an unknown one.
    #[inline(always)]
    fn configurations(&self, codes: &[[Code; TILE]]) -> ([usize; TILE], usize) {
        let (mut numbers, mut all, mut known) = ([0; TILE], 1, [true; TILE]);
        for parent in self.parents {
            all *= parent.values;
            for row in 0..TILE {
                let code = usize::from(codes[parent.feature][row]);
                known[row] &= code < parent.values;
                numbers[row] = numbers[row] * parent.values + code;
            }
        }
        for row in 0..TILE {
            if !known[row] {
                numbers[row] = all;
            }
        }
        (numbers, all)
    }
}

/// Some rows with their sums.
struct Batch {
    tiles: Tiles,
    members: usize,
    /// The number of the classes rounded up, for whole parts.
    stride: usize,
    /// For each row and member the sums by class, −∞ past the last.
    scores: Vec<f64>,
}

impl Batch {
    fn new(tables: &Tables, members: usize) -> Self {
        let stride = tables.classes().next_multiple_of(4);
        Self { tiles: Tiles::new(tables), members, stride, scores: Vec::new() }
    }

    /// The number of rows to take at a time.
    fn rows(&self) -> usize {
        let a_row = 8 * self.members * self.stride + 6 * self.tiles.features;
        (MEMORY / a_row).next_multiple_of(TILE)
    }

    /// Takes in these rows; `false` when one does not fit the schema.
    fn read(&mut self, tables: &Tables, data: &Dataset, rows: &Range<usize>) -> bool {
        self.scores.resize(rows.len().next_multiple_of(TILE) * self.members * self.stride, 0.0);
        self.tiles.read(tables, data, rows)
    }

    /// Makes the values that follow from others unknown as children and, where that is asked for, as super-parents, too.
    fn resolve(&mut self, implications: &Implications, as_parents: bool) {
        let features = self.tiles.features;
        let mut row = vec![MISSING; features];
        let codes = self.tiles.codes.chunks_exact_mut(features);
        for (cells, codes) in self.tiles.cells.chunks_exact_mut(features).zip(codes) {
            for place in 0..TILE {
                row.iter_mut().zip(&*codes).for_each(|(code, codes)| *code = codes[place]);
                for feature in implications.implied(&row) {
                    cells[feature][place] = UNKNOWN;
                    if as_parents {
                        codes[feature][place] = MISSING;
                    }
                }
            }
        }
    }

    /// The posterior of a row; `false` when every member rules out every class.
    fn posterior(&mut self, row: usize, out: &mut [f64]) -> bool {
        let width = self.members * self.stride;
        sum_of_joints(&mut self.scores[row * width..(row + 1) * width], self.stride, out)
    }
}

/// Sums the logarithms of one estimator for all rows.
#[multiversion(targets("x86_64+avx2"))]
fn add(batch: &mut Batch, index: usize, estimator: &Estimator<'_>) {
    let (classes, stride) = (batch.tiles.classes, batch.stride);
    let of_tile = TILE * batch.members * stride;
    for ((cells, codes), scores) in batch.tiles.iter().zip(batch.scores.chunks_exact_mut(of_tile)) {
        let configurations = estimator.configurations(codes);
        let mut class = 0;
        while class < classes {
            let part = class..classes;
            let scores = &mut scores[index * stride + class..];
            // A part that is wider than what is left costs no more than a narrower one.
            class += match part.len() {
                5.. => add_part::<8>(cells, configurations, part, estimator, scores, batch.members * stride),
                _ => add_part::<4>(cells, configurations, part, estimator, scores, batch.members * stride),
            };
        }
    }
}

/// The same for a tile and the first `WIDTH` of the classes that are left. The scores of the rows are `stride` apart.
#[inline(always)]
fn add_part<const WIDTH: usize>(
    cells: &[[u32; TILE]],
    (configurations, all): ([usize; TILE], usize),
    part: Range<usize>,
    estimator: &Estimator<'_>,
    scores: &mut [f64],
    stride: usize,
) -> usize {
    let (class, classes) = (part.start, part.end);
    let of_parents = estimator.parents.iter().map(|parent| parent.values * classes).sum::<usize>();
    // Where there are no children there is nothing to skip.
    let skipped = class.min(estimator.width);
    let end = estimator.width + MARGIN - skipped;
    let (mut sums, mut blocks) = ([[0.0; WIDTH]; TILE], [0; TILE]);
    let zeros = zeros(part.len());
    for row in 0..TILE {
        let start = configurations[row] * classes + class;
        sums[row] = plus(zeros, run(estimator.starts, start));
        // What an unknown configuration adds to −∞ does not matter.
        blocks[row] = of_parents + configurations[row].min(all - 1) * estimator.width + skipped;
    }
    let (mut next, mut lacking) = (0, 0);
    for parent in estimator.parents {
        let blocks = slices(estimator.children, blocks, lacking, end);
        sums = add_runs(&cells[next..parent.feature], blocks, sums);
        lacking += parent.values * classes;
        next = parent.feature + 1;
    }
    sums = add_runs(&cells[next..], slices(estimator.children, blocks, lacking, end), sums);
    for (row, sums) in sums.iter().enumerate() {
        if let Some(scores) = scores[row * stride..].first_chunk_mut::<WIDTH>() {
            *scores = *sums;
        }
    }
    WIDTH
}

/// Slices of the same size, each from so many cells before a place to so many after it.
#[inline(always)]
fn slices(cells: &[f64], places: [usize; TILE], before: usize, after: usize) -> [&[f64]; TILE] {
    let [a, b, c, d] = places;
    [
        &cells[a - before..][..before + after],
        &cells[b - before..][..before + after],
        &cells[c - before..][..before + after],
        &cells[d - before..][..before + after],
    ]
}

/// What changes no sum of so many classes, and makes those of the others −∞.
#[inline(always)]
fn zeros<const WIDTH: usize>(classes: usize) -> [f64; WIDTH] {
    array::from_fn(|class| if class < classes { -0.0 } else { f64::NEG_INFINITY })
}

/// Adds the runs of some features, in order, to the sums of the rows of a tile, which stay in registers.
#[inline(always)]
fn add_runs<const WIDTH: usize>(
    cells: &[[u32; TILE]],
    [block_a, block_b, block_c, block_d]: [&[f64]; TILE],
    [mut a, mut b, mut c, mut d]: [[f64; WIDTH]; TILE],
) -> [[f64; WIDTH]; TILE] {
    for &[cell_a, cell_b, cell_c, cell_d] in cells {
        a = plus(a, run(block_a, cell_a as usize));
        b = plus(b, run(block_b, cell_b as usize));
        c = plus(c, run(block_c, cell_c as usize));
        d = plus(d, run(block_d, cell_d as usize));
    }
    [a, b, c, d]
}

/// An ensemble whose posterior is the sum of joint probabilities.
pub(crate) trait Sum: Classifier {
    fn tables(&self) -> &Tables;

    /// The estimators that take part for some row.
    fn estimators(&self) -> Vec<Estimator<'_>>;

    /// Which values follow from others, and whether they are no super-parents either.
    fn resolution(&self) -> Option<(&Implications, bool)> {
        None
    }
}

/// The posteriors of some rows, those of [`Classifier::posterior_into`] bit for bit.
pub(crate) fn posteriors_into(
    model: &impl Sum,
    data: &Dataset,
    rows: Range<usize>,
    out: &mut [f64],
) -> Result<()> {
    let tables = model.tables();
    let mut row = vec![MISSING; data.features().len()];
    let mut one = |index: usize, out: &mut [f64]| {
        data.row_into(index, &mut row);
        model.posterior_into(&row, out)
    };
    let members = if rows.len() < TILE { Vec::new() } else { model.estimators() };
    let mut batch = Batch::new(tables, members.len());
    let together = if members.is_empty() { rows.len().max(1) } else { batch.rows() };
    let end = rows.end;
    for (start, out) in rows.step_by(together).zip(out.chunks_mut(together * tables.classes())) {
        let rows = start..end.min(start + together);
        let summed = !members.is_empty() && batch.read(tables, data, &rows);
        if summed {
            if let Some((implications, as_parents)) = model.resolution() {
                batch.resolve(implications, as_parents);
            }
            for (index, estimator) in members.iter().enumerate() {
                add(&mut batch, index, estimator);
            }
        }
        for (index, out) in rows.zip(out.chunks_exact_mut(tables.classes())) {
            if !summed || !batch.posterior(index - start, out) {
                one(index, out)?;
            }
        }
    }
    Ok(())
}
