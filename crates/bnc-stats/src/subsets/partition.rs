//! Rows parted by what they have in a subset of the variables, without those that need no more looking at.

use super::rows::{Codes, Row};

/// Rows alone in their cell are counted by weight up to this; heavier ones stay as cells.
const SLOTS: u64 = 32;
/// Up to this number of values all are gone through for every cell; beyond, those met are noted.
const FEW: usize = 8;

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
    rows: Vec<u32>,
    weights: Vec<u64>,
    starts: Vec<u32>,
    /// The codes to look at.
    codes: Vec<u32>,
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
        let mut out = 0;
        tally.prepare(arity);
        for cell in self.cells() {
            tally.count::<C, R>(field, arity, cell);
            // Large cells from the front, small ones from the back of the place of the cell.
            let (mut front, mut back) = (out as u32, (out + cell.len()) as u32);
            for &code in &tally.codes {
                let rows = tally.rows[code as usize];
                tally.starts[code as usize] = if rows > small {
                    front += rows;
                    front - rows
                } else {
                    back -= rows;
                    back
                };
            }
            let target = &mut into.rows[..out + cell.len()];
            for &row in cell {
                let start = &mut tally.starts[C::code(field, row.key())];
                target[*start as usize] = row;
                *start += 1;
            }
            out = front as usize;
            for &code in &tally.codes {
                if tally.rows[code as usize] > small {
                    into.ends.push(tally.starts[code as usize]);
                    add(tally.weights[code as usize]);
                }
            }
            // The cells at the back lie from the last code to the first; going that way they are never overwritten.
            for &code in tally.codes.iter().rev() {
                let rows = tally.rows[code as usize] as usize;
                if (1..=small as usize).contains(&rows) {
                    let end = tally.starts[code as usize] as usize;
                    if !into.strip(codes, end - rows..end, together) {
                        into.rows.copy_within(end - rows..end, out);
                        out += rows;
                        into.ends.push(out as u32);
                        add(tally.weights[code as usize]);
                    }
                }
            }
            tally.clear(arity);
        }
        into.used = out;
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
        if arity == 2 {
            for cell in self.cells() {
                let (mut all, mut ones) = (0, 0);
                for row in cell {
                    all += row.weight();
                    ones += row.weight() * C::code(field, row.key()) as u64;
                }
                add(all - ones);
                add(ones);
            }
            return;
        }
        tally.prepare(arity);
        for cell in self.cells() {
            tally.count::<C, R>(field, arity, cell);
            for &code in &tally.codes {
                add(tally.weights[code as usize]);
            }
            tally.clear(arity);
        }
    }
}

impl Tally {
    /// Room for variables of at most so many values.
    pub(super) fn new(largest: usize) -> Self {
        Self {
            rows: vec![0; largest],
            weights: vec![0; largest],
            starts: vec![0; largest],
            codes: Vec::new(),
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
            if arity > FEW && self.rows[code] == 0 {
                self.codes.push(code as u32);
            }
            self.rows[code] += 1;
            self.weights[code] += row.weight();
        }
    }

    #[inline]
    fn clear(&mut self, arity: usize) {
        for &code in &self.codes {
            self.rows[code as usize] = 0;
            self.weights[code as usize] = 0;
        }
        if arity > FEW {
            self.codes.clear();
        }
    }
}
