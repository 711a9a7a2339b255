//! Supervised cut points by entropy and the minimum description length principle.
//!
//! # Steps
//! For a run of sorted values with `n` rows, of which `k` classes are present and whose entropy is `E`:
//! 1. Of all cuts between adjacent distinct values, at their midpoint, take the one with the least class entropy
//!    `n1/n E1 + n2/n E2`, the first of equal ones (to 1e-12 bits, so that rounding does not choose).
//! 2. Accept it when `gain > (log2(n - 1) + log2(3^k - 2) - (k E - k1 E1 - k2 E2)) / n`.
//! 3. Go on with both sides of an accepted cut.
//!
//! # Complexity
//! One pass over the distinct values for every accepted or refused cut; at each value a sum over the classes,
//! and logarithms only of the counts that change there.
//!
//! # References
//! U. M. Fayyad and K. B. Irani, Multi-interval discretization of continuous-valued attributes for classification
//! learning, IJCAI 1993. Candidates, ties and `n - 1` are those of WEKA 3.

use super::between;
use crate::Histogram;
use crate::histogram::Cell;

pub(super) fn cuts(histogram: &Histogram) -> Vec<f64> {
    let mut cuts = Vec::new();
    // A stack of its own: the depth is bounded only by the number of distinct values.
    let mut runs = vec![histogram.cells()];
    while let Some(run) = runs.pop() {
        if let Some((at, cut)) = accepted_cut(run, histogram.classes()) {
            cuts.push(cut);
            let (left, right) = run.split_at(at);
            runs.extend([left, right]);
        }
    }
    cuts.sort_by(f64::total_cmp);
    cuts
}

/// Bits a row by which entropies that are equal may differ through rounding.
const SAME: f64 = 1e-12;

/// The best cut of a run, with the index of the first cell on its right, when the principle accepts it.
fn accepted_cut(run: &[Cell], classes: usize) -> Option<(usize, f64)> {
    let mut whole = Side::new(classes);
    for cell in run {
        whole.rows += cell.count;
        whole.set(cell.class, whole.counts[cell.class] + cell.count);
    }
    let (mut left, mut right) = (Side::new(classes), whole.clone());
    let mut best: Option<(f64, usize, f64)> = None;
    for (at, pair) in (1..).zip(run.windows(2)) {
        left.take(&pair[0], &mut right);
        if pair[0].value < pair[1].value
            && let Some(cut) = between(pair[0].value, pair[1].value)
        {
            let bits = left.bits() + right.bits();
            if best.is_none_or(|(least, ..)| bits < least - whole.rows as f64 * SAME) {
                best = Some((bits, at, cut));
            }
        }
    }
    let (bits, at, cut) = best?;
    let (mut left, mut right) = (Side::new(classes), whole.clone());
    for cell in &run[..at] {
        left.take(cell, &mut right);
    }
    let n = whole.rows as f64;
    let gain = (whole.bits() - bits) / n;
    let delta = description(whole.present())
        - (whole.weighted_entropy() - left.weighted_entropy() - right.weighted_entropy());
    (gain > ((n - 1.0).log2() + delta) / n).then_some((at, cut))
}

/// `log2(3^k - 2)`, for any `k >= 1`.
fn description(k: f64) -> f64 {
    // At k = 1 the second term is log2(1/3), and the sum is exactly log2 1 but for rounding.
    k * 3.0_f64.log2() + (-2.0 * 3.0_f64.powf(-k)).ln_1p() / std::f64::consts::LN_2
}

/// The class counts on one side of a cut, with `n log2 n` of each.
#[derive(Debug, Clone)]
struct Side {
    counts: Vec<u64>,
    terms: Vec<f64>,
    rows: u64,
}

impl Side {
    fn new(classes: usize) -> Self {
        Self { counts: vec![0; classes], terms: vec![0.0; classes], rows: 0 }
    }

    /// Takes the rows of a cell over from the other side.
    fn take(&mut self, cell: &Cell, other: &mut Self) {
        self.rows += cell.count;
        other.rows -= cell.count;
        self.set(cell.class, self.counts[cell.class] + cell.count);
        other.set(cell.class, other.counts[cell.class] - cell.count);
    }

    fn set(&mut self, class: usize, count: u64) {
        self.counts[class] = count;
        self.terms[class] = n_log_n(count);
    }

    /// The number of rows times their class entropy, in bits.
    fn bits(&self) -> f64 {
        n_log_n(self.rows) - self.terms.iter().sum::<f64>()
    }

    /// The number of classes that occur.
    fn present(&self) -> f64 {
        self.counts.iter().filter(|&&count| count > 0).count() as f64
    }

    /// The number of classes that occur times the class entropy, in bits.
    fn weighted_entropy(&self) -> f64 {
        self.present() * self.bits() / self.rows as f64
    }
}

/// `n log2 n`, 0 for no rows.
fn n_log_n(n: u64) -> f64 {
    if n == 0 { 0.0 } else { n as f64 * (n as f64).log2() }
}
