//! Random numbers whose values never change.
//!
//! The stream is that of `ChaCha` with 8 rounds, keyed by the seed; everything made of it uses only comparisons and
//! exactly rounded arithmetic, no logarithm or sine, whose last bit differs between machines. A test pins them.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

pub(super) struct Random(ChaCha8Rng);

impl Random {
    /// The stream of a seed: the `ChaCha` key is its little-endian bytes, then zeros.
    pub(super) fn new(seed: u64) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        Self(ChaCha8Rng::from_seed(key))
    }

    /// Uniform in `[0, 1)`, a multiple of 2^-53.
    pub(super) fn uniform(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Uniform among `0..count`, but for a bias below `count / 2^64`.
    pub(super) fn below(&mut self, count: usize) -> usize {
        ((u128::from(self.0.next_u64()) * count as u128) >> 64) as usize
    }

    /// True with the given probability.
    pub(super) fn chance(&mut self, probability: f64) -> bool {
        self.uniform() < probability
    }

    /// Standard normal, by comparisons of uniform numbers only: algorithm N of C. F. F. Karney, Sampling exactly
    /// from the normal distribution, ACM TOMS 42, 2016.
    pub(super) fn normal(&mut self) -> f64 {
        loop {
            // k with probability proportional to exp(-k/2), kept with probability exp(-k(k-1)/2): together
            // proportional to exp(-k^2/2).
            let k = self.run_of(0.5, u32::MAX);
            let halves = k * k.saturating_sub(1);
            if self.run_of(0.5, halves) < halves {
                continue;
            }
            // x with density proportional to exp(-x(2k + x)/2), so that k + x is half normal. The exponent is
            // parted into k + 1 equal ones below 1.
            let x = self.uniform();
            let (whole, parts) = (f64::from(k), f64::from(k + 1));
            if self.run_of(x * (2.0 * whole + x) / (2.0 * parts), k + 1) == k + 1 {
                let size = whole + x;
                return if self.chance(0.5) { -size } else { size };
            }
        }
    }

    /// How often in a row an event of probability `exp(-exponent)` happens, at most `most` times; the exponent
    /// is from 0 to 1.
    fn run_of(&mut self, exponent: f64, most: u32) -> u32 {
        let mut run = 0;
        while run < most && self.exponential_event(exponent) {
            run += 1;
        }
        run
    }

    /// True with probability `exp(-exponent)`, the exponent from 0 to 1: von Neumann's comparison of the lengths
    /// of falling runs, whose length is even with this probability.
    fn exponential_event(&mut self, exponent: f64) -> bool {
        let (mut last, mut even) = (exponent, true);
        loop {
            let next = self.uniform();
            if next >= last {
                return even;
            }
            last = next;
            even = !even;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mean(count: u32, mut draw: impl FnMut() -> f64) -> f64 {
        (0..count).map(|_| draw()).sum::<f64>() / f64::from(count)
    }

    #[test]
    fn the_stream_is_pinned() {
        let mut random = Random::new(1);
        let numbers = (random.uniform(), random.below(1000), random.normal());
        // The first two recomputed by another program from the definition of ChaCha8.
        assert_eq!(numbers, (0.381_489_413_238_261, 294, -1.841_685_674_878_602_8));
    }

    #[test]
    fn normal_numbers_have_the_moments_and_tails_of_the_normal_distribution() {
        let mut random = Random::new(3);
        let numbers: Vec<f64> = (0..400_000).map(|_| random.normal()).collect();
        let moment = |power: i32| {
            let mut numbers = numbers.iter();
            mean(400_000, || numbers.next().map_or(0.0, |number| number.powi(power)))
        };
        for (power, expected, tolerance) in [(1, 0.0, 0.008), (2, 1.0, 0.011), (3, 0.0, 0.03), (4, 3.0, 0.08)]
        {
            assert!((moment(power) - expected).abs() < tolerance, "{power}: {}", moment(power));
        }
        for (bound, share) in [(0.5, 0.617_075), (1.0, 0.317_311), (2.0, 0.045_500), (3.0, 0.002_700)] {
            let found = numbers.iter().filter(|number| number.abs() > bound).count() as f64 / 400_000.0;
            let error: f64 = (share * (1.0_f64 - share) / 400_000.0).sqrt();
            assert!((found - share).abs() < 5.0 * error, "{bound}: {found}");
        }
    }

    #[test]
    fn uniform_numbers_are_uniform() {
        let mut random = Random::new(5);
        assert!((mean(100_000, || random.uniform()) - 0.5).abs() < 0.005);
        let mut counts = [0_u32; 7];
        for _ in 0..70_000 {
            counts[random.below(7)] += 1;
        }
        assert!(counts.iter().all(|count| count.abs_diff(10_000) < 500), "{counts:?}");
    }
}
