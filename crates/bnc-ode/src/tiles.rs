//! Rows in tiles, and the loops over them.

#![allow(
    clippy::inline_always,
    reason = "the loops must be compiled with the instructions of each of their callers"
)]

use std::array;
use std::ops::Range;

use bnc_models::bnc_data::{Code, Dataset, MISSING};

use crate::tables::Tables;

/// So many rows are summed side by side, since the additions of one wait for each other.
pub(crate) const TILE: usize = 4;

/// Where the run of a value that is not known starts: past the end of all tables ([`MAX_CELLS`](crate::MAX_CELLS)).
pub(crate) const UNKNOWN: u32 = 1 << 31;

/// Sums are read so many cells past the last run, and not used; tables have as many cells more.
pub(crate) const MARGIN: usize = 3;

/// Some rows, a tile after the other; what the last one has too much is not known.
pub(crate) struct Tiles {
    pub(crate) features: usize,
    pub(crate) classes: usize,
    /// For each tile and feature where the values' runs start among those of all features.
    pub(crate) cells: Vec<[u32; TILE]>,
    /// For each tile and feature the values.
    pub(crate) codes: Vec<[Code; TILE]>,
}

impl Tiles {
    pub(crate) fn new(tables: &Tables) -> Self {
        Self { features: tables.features(), classes: tables.classes(), cells: Vec::new(), codes: Vec::new() }
    }

    /// The cells and the values of each tile.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&[[u32; TILE]], &[[Code; TILE]])> {
        self.cells.chunks_exact(self.features).zip(self.codes.chunks_exact(self.features))
    }

    /// Takes in these rows; `false` when they do not fit the schema.
    pub(crate) fn read(&mut self, tables: &Tables, data: &Dataset, rows: &Range<usize>) -> bool {
        if data.features().len() != self.features {
            return false;
        }
        let tiles = rows.len().div_ceil(TILE);
        self.cells.clear();
        self.cells.resize(tiles * self.features, [UNKNOWN; TILE]);
        self.codes.clear();
        self.codes.resize(tiles * self.features, [MISSING; TILE]);
        let mut fits = true;
        for (feature, column) in data.features().iter().enumerate() {
            let (first, values) = (tables.first(feature), tables.cardinality(feature));
            let places = self.cells.iter_mut().zip(&mut self.codes).skip(feature).step_by(self.features);
            for ((cells, codes), tile) in places.zip(column[rows.clone()].chunks(TILE)) {
                for ((cell, code), &value) in cells.iter_mut().zip(codes).zip(tile) {
                    *code = value;
                    let start = (first + usize::from(value) * self.classes) as u32;
                    *cell = if value == MISSING { UNKNOWN } else { start };
                    fits &= value == MISSING || usize::from(value) < values;
                }
            }
        }
        fits
    }
}

/// `WIDTH` cells from one on; `None` past the end.
#[inline(always)]
pub(crate) fn run<const WIDTH: usize>(cells: &[f64], start: usize) -> Option<&[f64; WIDTH]> {
    cells.get(start..start + WIDTH)?.first_chunk()
}

/// The sums with a run more, where there is one.
#[inline(always)]
pub(crate) fn plus<const WIDTH: usize>(sums: [f64; WIDTH], run: Option<&[f64; WIDTH]>) -> [f64; WIDTH] {
    match run {
        Some(run) => array::from_fn(|class| sums[class] + run[class]),
        None => sums,
    }
}
