//! Rows parted by what they have in a subset of the variables, without those that need no more looking at.

use super::bottom::Joint;
use super::rows::{Codes, Row};

/// Rows alone in their cell are counted by weight up to this; heavier ones stay as cells.
const SLOTS: u64 = 32;
/// Up to this number of values all are gone through for every cell; beyond, those met are noted.
const FEW: usize = 8;
/// Up to this number of values the counts of a cell by code are lanes of one word, which stays in a register.
const LANES: usize = 4;
const LANE_BITS: usize = 16;
const LANE: u64 = (1 << LANE_BITS) - 1;

/// A stripped partition (the word is that of Huhtala et al. 1999): a row that is alone in its cell stays alone in every
/// superset and is only counted. With `together`, so are two or three rows of weight 1 that share a cell: whether two rows are
/// together in a superset depends on the variables on which they agree, and
///
/// `f(2) = 2 f(1) + g2` and `f(3) = 3 f(1) + 3 g2 + g3`
///
/// give their terms from how many of the pairs, and of the triples, agree.
#[derive(Debug)]
pub(super) struct Partition<R> {
    /// The rows of the cells, cell after cell; only the first `used` are in use.
    rows: Vec<R>,
    used: usize,
    /// Where each cell ends.
    ends: Vec<u32>,
    /// How many stripped rows there are of each weight.
    pub(super) stripped: Vec<u32>,
}

/// How many stripped pairs (low half) and triples (high half) agree on exactly a set of variables, by its mask.
pub(super) type Together = u64;
const TRIPLE: Together = 1 << 32;

/// Room for the counts of one cell by code.
#[derive(Debug, Default, Clone)]
pub(super) struct Tally {
    /// Rows and weight by code.
    counts: Vec<(u32, u64)>,
    ends: Vec<u32>,
    /// The codes to look at.
    codes: Vec<u32>,
    pieces: Vec<Piece>,
    /// Counts of cells by several variables.
    pub(super) joint: Joint,
}

impl<R> Default for Partition<R> {
    fn default() -> Self {
        Self { rows: Vec::new(), used: 0, ends: Vec::new(), stripped: Vec::new() }
    }
}

impl<R: Copy + Default> Partition<R> {
    /// A partition with the given cells, none of them stripped. `heaviest` is the largest weight of a row.
    pub(super) fn new(rows: Vec<R>, ends: Vec<u32>, heaviest: u64) -> Self {
        let used = rows.len();
        Self { rows, used, ends, stripped: vec![0; heaviest.min(SLOTS - 1) as usize + 1] }
    }

    /// Whether every row is stripped.
    pub(super) fn is_empty(&self) -> bool {
        self.used == 0
    }

    /// The number of cells.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The cells.
    pub(super) fn cells(&self) -> impl Iterator<Item = &[R]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let cell = &self.rows[start..end as usize];
            start = end as usize;
            cell
        })
    }

    /// Parts every cell by a variable of `arity` values and writes the cells to `into`, less what can be stripped; `add` is told
    /// the weight of each cell that stays. `together` is empty, or holds a place for every subset of the variables below this one.
    pub(super) fn refine<C: Codes>(
        &self,
        codes: &C,
        (variable, arity): (usize, usize),
        together: &mut [Together],
        into: &mut Self,
        tally: &mut Tally,
        mut add: impl FnMut(u64),
    ) where
        R: Row<C::Key>,
    {
        into.stripped.clone_from(&self.stripped);
        into.ends.clear();
        if into.rows.len() < self.used {
            into.rows.resize(self.used, R::default());
        }
        let small = if together.is_empty() { 1 } else { 3 };
        let field = codes.field(variable);
        into.used = 0;
        tally.prepare(arity);
        for cell in self.cells() {
            let target = &mut into.rows[into.used..into.used + cell.len()];
            if in_lanes::<C, R>(arity, cell) {
                let mut pieces = [Piece::default(); LANES];
                let counts = lanes::<C, R>(field, cell);
                for (code, piece) in pieces[..arity].iter_mut().enumerate() {
                    let rows = counts >> (LANE_BITS * code) & LANE;
                    *piece = Piece { rows: rows as usize, end: 0, weight: rows };
                }
                let mut ends = 0;
                for (code, start) in starts(&pieces[..arity], small, cell.len()).enumerate() {
                    ends |= (start as u64) << (LANE_BITS * code);
                }
                for &row in cell {
                    let lane = LANE_BITS * C::code(field, row.key());
                    target[(ends >> lane & LANE) as usize] = row;
                    ends += 1 << lane;
                }
                for (code, piece) in pieces[..arity].iter_mut().enumerate() {
                    piece.end = (ends >> (LANE_BITS * code) & LANE) as usize;
                }
                into.take(codes, &pieces[..arity], small, together, &mut add);
            } else {
                tally.count::<C, R>(field, arity, cell);
                let mut pieces = std::mem::take(&mut tally.pieces);
                pieces.clear();
                pieces.extend(tally.codes.iter().map(|&code| {
                    let (rows, weight) = tally.counts[code as usize];
                    Piece { rows: rows as usize, end: 0, weight }
                }));
                for (&code, start) in tally.codes.iter().zip(starts(&pieces, small, cell.len())) {
                    tally.ends[code as usize] = start as u32;
                }
                for &row in cell {
                    let end = &mut tally.ends[C::code(field, row.key())];
                    target[*end as usize] = row;
                    *end += 1;
                }
                for (piece, &code) in pieces.iter_mut().zip(&tally.codes) {
                    piece.end = tally.ends[code as usize] as usize;
                }
                into.take(codes, &pieces, small, together, &mut add);
                tally.pieces = pieces;
                tally.clear(arity);
            }
        }
    }

    /// Takes over the pieces of a cell that lie after the rows in use, the large ones in front; `small` ones are stripped.
    #[inline]
    fn take<C: Codes>(
        &mut self,
        codes: &C,
        pieces: &[Piece],
        small: usize,
        together: &mut [Together],
        add: &mut impl FnMut(u64),
    ) where
        R: Row<C::Key>,
    {
        let start = self.used;
        for piece in pieces.iter().filter(|piece| piece.rows > small) {
            self.used = start + piece.end;
            self.ends.push(self.used as u32);
            add(piece.weight);
        }
        // The small ones lie from the last to the first; going that way they are never overwritten.
        for piece in pieces.iter().rev().filter(|piece| (1..=small).contains(&piece.rows)) {
            let end = start + piece.end;
            if !self.strip(codes, end - piece.rows..end, together) {
                self.rows.copy_within(end - piece.rows..end, self.used);
                self.used += piece.rows;
                self.ends.push(self.used as u32);
                add(piece.weight);
            }
        }
    }

    /// Counts one, two or three rows as stripped, if they can be.
    #[inline]
    fn strip<C: Codes>(&mut self, codes: &C, cell: std::ops::Range<usize>, together: &mut [Together]) -> bool
    where
        R: Row<C::Key>,
    {
        let cell = &self.rows[cell];
        let asked = together.len().wrapping_sub(1);
        let mut agree = |a: R, b: R| {
            let both = codes.agreement(a.key(), b.key(), asked as u64) as usize & asked;
            together[both] += 1;
            both
        };
        match *cell {
            [row] => match self.stripped.get_mut(usize::try_from(row.weight()).unwrap_or(usize::MAX)) {
                Some(count) => *count += 1,
                None => return false,
            },
            _ if cell.iter().any(|row| row.weight() != 1) => return false,
            [a, b] => {
                agree(a, b);
                self.stripped[1] += 2;
            }
            [a, b, c] => {
                let all = agree(a, b) & agree(a, c);
                agree(b, c);
                together[all] += TRIPLE;
                self.stripped[1] += 3;
            }
            _ => return false,
        }
        true
    }

    /// Tells `add` the weights of the cells of the partition refined by a variable, without refining it.
    pub(super) fn refined_weights<C: Codes>(
        &self,
        codes: &C,
        (variable, arity): (usize, usize),
        tally: &mut Tally,
        mut add: impl FnMut(u64),
    ) where
        R: Row<C::Key>,
    {
        let field = codes.field(variable);
        tally.prepare(arity);
        for cell in self.cells() {
            if in_lanes::<C, R>(arity, cell) {
                let counts = lanes::<C, R>(field, cell);
                for code in 0..arity {
                    add(counts >> (LANE_BITS * code) & LANE);
                }
            } else {
                tally.count::<C, R>(field, arity, cell);
                for &code in &tally.codes {
                    add(tally.counts[code as usize].1);
                }
                tally.clear(arity);
            }
        }
    }
}

/// The rows of a cell that have the same code.
#[derive(Debug, Default, Clone, Copy)]
struct Piece {
    rows: usize,
    /// Where they end, in the place of the cell.
    end: usize,
    weight: u64,
}

/// Where each piece starts in the place of its cell: the large ones from the front, the small ones from the back.
#[inline]
fn starts(pieces: &[Piece], small: usize, rows: usize) -> impl Iterator<Item = usize> {
    let (mut front, mut back) = (0, rows);
    pieces.iter().map(move |piece| {
        if piece.rows > small {
            front += piece.rows;
            front - piece.rows
        } else {
            back -= piece.rows;
            back
        }
    })
}

/// Whether the counts of a cell fit the lanes of a word.
#[inline]
fn in_lanes<C: Codes, R: Row<C::Key>>(arity: usize, cell: &[R]) -> bool {
    R::UNIT && arity <= LANES && cell.len() as u64 <= LANE
}

/// The numbers of rows by code, each in a lane.
#[inline]
fn lanes<C: Codes, R: Row<C::Key>>(field: C::Field<'_>, cell: &[R]) -> u64 {
    cell.iter().map(|row| 1 << (LANE_BITS * C::code(field, row.key()))).sum()
}

impl Tally {
    /// Room for variables of at most so many values.
    pub(super) fn new(largest: usize) -> Self {
        Self {
            counts: vec![(0, 0); largest],
            ends: vec![0; largest],
            codes: Vec::new(),
            pieces: Vec::new(),
            joint: Joint::default(),
        }
    }

    /// Makes ready for cells of a variable.
    fn prepare(&mut self, arity: usize) {
        self.codes.clear();
        if arity <= FEW {
            self.codes.extend(0..arity as u32);
        }
    }

    /// Counts a cell by code.
    #[inline]
    fn count<C: Codes, R: Row<C::Key>>(&mut self, field: C::Field<'_>, arity: usize, cell: &[R]) {
        for row in cell {
            let code = C::code(field, row.key());
            let (rows, weight) = &mut self.counts[code];
            if arity > FEW && *rows == 0 {
                self.codes.push(code as u32);
            }
            *rows += 1;
            *weight += row.weight();
        }
    }

    #[inline]
    fn clear(&mut self, arity: usize) {
        for &code in &self.codes {
            self.counts[code as usize] = (0, 0);
        }
        if arity > FEW {
            self.codes.clear();
        }
    }
}
