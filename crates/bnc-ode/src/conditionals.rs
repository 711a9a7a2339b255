//! From counts to the cells of tables.

use bnc_models::Smoothing;

/// What a cell holds of a probability.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scale {
    Probability,
    Logarithm,
}

/// Computes conditional probabilities, on a scale, one variable at a time.
pub(crate) struct Conditionals {
    smoothing: Smoothing,
    scale: Scale,
    logarithms: Logarithms,
    totals: Vec<u64>,
}

impl Conditionals {
    pub(crate) fn new(smoothing: Smoothing, scale: Scale, classes: usize) -> Self {
        Self { smoothing, scale, logarithms: Logarithms::new(), totals: vec![0; classes] }
    }

    /// Adds P(x | y, parents) of every value and class to `cells`, class fastest, from the runs by class of the values.
    /// `marginal` is P̂(x) of the values, `q` the number of the parents' configurations, the class among the parents.
    pub(crate) fn extend<'a>(
        &mut self,
        cells: &mut Vec<f64>,
        runs: impl Iterator<Item = &'a [u64]> + Clone,
        marginal: &[f64],
        q: f64,
    ) {
        self.totals.fill(0);
        for run in runs.clone() {
            for (total, count) in self.totals.iter_mut().zip(run) {
                *total += count;
            }
        }
        let first = cells.len();
        for (run, &of_value) in runs.zip(marginal) {
            cells.extend(run.iter().zip(&self.totals).map(|(&n, &total)| {
                self.smoothing.conditional(n as f64, total as f64, marginal.len(), q, of_value)
            }));
        }
        if self.scale == Scale::Logarithm {
            cells[first..].iter_mut().for_each(|cell| *cell = self.logarithms.of(*cell));
        }
    }
}

/// Natural logarithms, with those of the latest arguments at hand: few counts are so large that they do not come again, and
/// looking one up is much cheaper than the logarithm.
struct Logarithms {
    /// Arguments by their bits, with their logarithms.
    known: Box<[(u64, f64); Self::PLACES]>,
}

impl Logarithms {
    const PLACES: usize = 1 << 10;

    fn new() -> Self {
        Self { known: Box::new([(1.0_f64.to_bits(), 0.0); Self::PLACES]) }
    }

    fn of(&mut self, argument: f64) -> f64 {
        let bits = argument.to_bits();
        // Fibonacci hashing: the upper bits of the product depend on all bits.
        let place = bits.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - Self::PLACES.trailing_zeros());
        let known = &mut self.known[place as usize % Self::PLACES];
        if known.0 != bits {
            *known = (bits, argument.ln());
        }
        known.1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_logarithm_at_hand_is_the_logarithm_bit_for_bit() {
        let mut logarithms = Logarithms::new();
        // More arguments than places, so that they also displace each other.
        for round in 0..3 {
            for n in 0..4_000_u32 {
                let argument = f64::from(n) / 3_999.0;
                let found = logarithms.of(argument);
                assert_eq!(found.to_bits(), argument.ln().to_bits(), "ln {argument}, round {round}");
                assert_eq!(logarithms.of(argument).to_bits(), found.to_bits());
            }
        }
    }
}
