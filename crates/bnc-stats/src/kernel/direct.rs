//! Direct scatter: one increment a row in the cells of the table itself: for few rows, for tables too large for 16-bit indices,
//! and for weighted rows.

use bnc_data::{Code, MISSING};

use super::block::Columns;
use super::loops::append;
use crate::Table;

/// No more codes than these are joined: they stay in the cache.
const JOINED_CODES: usize = 1 << 18;

/// Places are made in steps of this many rows where they are made column by column.
const STEP: usize = 512;

/// Columns whose codes count in the cells of a dense table, by row.
#[derive(Clone, Copy)]
pub(super) struct Direct<'a> {
    /// The columns of the features, and their numbers of values.
    pub(super) columns: &'a [(&'a [Code], usize)],
    pub(super) class: &'a [Code],
    pub(super) classes: usize,
    pub(super) weights: Option<&'a [u32]>,
    /// Whether a code is missing in any of the columns.
    pub(super) missing: bool,
}

impl Direct<'_> {
    /// Adds the counts to the cells, the class fastest.
    pub(super) fn count(&self, cells: &mut [u64]) {
        match *self.columns {
            [] => self.increment(self.class.iter().map(|&class| self.place([], class)), cells),
            [(x, _)] => {
                let rows = x.iter().zip(self.class);
                self.increment(rows.map(|(&x, &class)| self.place([(x, 0)], class)), cells);
            }
            [(x, _), (z, values)] => {
                let rows = x.iter().zip(z).zip(self.class);
                self.increment(
                    rows.map(|((&x, &z), &class)| self.place([(x, 0), (z, values)], class)),
                    cells,
                );
            }
            _ => self.count_in_steps(cells),
        }
    }

    /// The cell of a row; past the end of every table where a code is missing.
    #[inline]
    fn place<const FEATURES: usize>(&self, codes: [(Code, usize); FEATURES], class: Code) -> usize {
        if self.missing && (class == MISSING || codes.iter().any(|&(code, _)| code == MISSING)) {
            return usize::MAX;
        }
        let configuration =
            codes.iter().fold(0, |number, &(code, values)| number * values + usize::from(code));
        configuration * self.classes + usize::from(class)
    }

    #[inline]
    fn increment(&self, places: impl Iterator<Item = usize>, cells: &mut [u64]) {
        match self.weights {
            None => count_places(places, cells),
            Some(weights) => {
                for (place, &weight) in places.zip(weights) {
                    if let Some(cell) = cells.get_mut(place) {
                        *cell += u64::from(weight);
                    }
                }
            }
        }
    }

    /// Three and more features: places are made column by column, in vectorised steps.
    fn count_in_steps(&self, cells: &mut [u64]) {
        let mut indices = [0; STEP];
        for start in (0..self.class.len()).step_by(STEP) {
            let end = self.class.len().min(start + STEP);
            let indices = &mut indices[..end - start];
            self.index(start, indices);
            let rows = Self { weights: self.weights.map(|weights| &weights[start..end]), ..*self };
            rows.increment(indices.iter().map(|&index| index as usize), cells);
        }
    }

    /// The cells of the rows from `start` on; past the end of every dense table where a code is missing.
    fn index(&self, start: usize, indices: &mut [u32]) {
        indices.fill(0);
        let rows = start..start + indices.len();
        let axes = || self.columns.iter().copied().chain([(self.class, self.classes)]);
        for (column, values) in axes() {
            append(&column[rows.clone()], values as u32, indices);
        }
        if self.missing {
            for (column, _) in axes() {
                for (index, &code) in indices.iter_mut().zip(&column[rows.clone()]) {
                    if code == MISSING {
                        *index = u32::MAX;
                    }
                }
            }
        }
    }
}

#[inline]
fn count_places(places: impl Iterator<Item = usize>, cells: &mut [u64]) {
    for place in places {
        if let Some(cell) = cells.get_mut(place) {
            *cell += 1;
        }
    }
}

/// The codes of features together with the class, the faster, for tables of two features that share their second one.
#[derive(Default)]
pub(super) struct Joined {
    codes: Vec<u32>,
    /// By feature, the number of its column among the codes.
    places: Vec<Option<usize>>,
}

impl Joined {
    /// Joins what more than one of the tables needs, as far as there is room; nothing of weighted rows.
    pub(super) fn new<'a>(
        tables: impl Iterator<Item = &'a Table> + Clone,
        columns: &Columns<'_>,
        classes: usize,
    ) -> Self {
        let mut joined = Self::default();
        // Whoever asks for one table has nothing to share.
        if tables.clone().nth(2).is_none() || columns.weights().is_some() {
            return joined;
        }
        joined.places = vec![None; columns.features()];
        let mut once = vec![false; columns.features()];
        for second in tables.filter_map(second) {
            let room = joined.codes.len() + columns.rows() <= JOINED_CODES;
            if once[second] && joined.places[second].is_none() && room {
                joined.places[second] = Some(joined.codes.len() / columns.rows().max(1));
                let rows = columns.feature(second).iter().zip(columns.class());
                joined.codes.extend(rows.map(|(&code, &class)| match (code, class) {
                    (MISSING, _) | (_, MISSING) => u32::MAX,
                    (code, class) => u32::from(code) * classes as u32 + u32::from(class),
                }));
            }
            once[second] = true;
        }
        joined
    }

    /// Adds the counts of a table of two features to its cells; `false` where nothing was joined for it.
    pub(super) fn count(&self, columns: &Columns<'_>, table: &mut Table) -> bool {
        let Some(joined) = second(table).and_then(|second| *self.places.get(second)?) else {
            return false;
        };
        let (vars, dims, cells) = table.parts_mut();
        let (Some(first), Some(cells)) = (vars.iter().next(), cells) else {
            return false;
        };
        let joined = &self.codes[joined * columns.rows()..][..columns.rows()];
        let stride = (cells.len() / dims[0].max(1)) as u64;
        // Past the end where the joined code is missing, and where the first code is: no feature has as many values as that.
        let place = |(&code, &joined): (&Code, &u32)| u64::from(code) * stride + u64::from(joined);
        let places = columns.feature(first).iter().zip(joined).map(place);
        count_places(places.map(|place| usize::try_from(place).unwrap_or(usize::MAX)), cells);
        true
    }
}

/// The second feature of a dense table of two.
fn second(table: &Table) -> Option<usize> {
    table.dense_cells()?;
    (table.dims().len() == 2).then(|| table.vars().iter().next_back())?
}
