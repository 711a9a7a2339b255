//! The range of independent standard normal variables: the studentized range with infinite degrees of freedom.

use statrs::distribution::{Continuous, ContinuousCDF, Normal};

/// The value that the range of `count` independent standard normal variables exceeds with probability `level`, within
/// rounding.
///
/// # Method
/// The range exceeds q with probability k ∫ φ(z) (Φ(z)ᵏ⁻¹ − (Φ(z) − Φ(z − q))ᵏ⁻¹) dz, z being the largest variable. The
/// integrand is smooth and vanishes at both ends, so that the trapezoidal rule converges faster than any power of its step.
/// The root is found by bisection.
pub(super) fn upper_quantile(count: usize, level: f64) -> f64 {
    let grid = Grid::new(count);
    let (mut low, mut high) = (0.0, 1.0);
    while grid.upper_tail(high) > level {
        (low, high) = (high, 2.0 * high);
    }
    loop {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            return middle;
        }
        if grid.upper_tail(middle) > level { low = middle } else { high = middle }
    }
}

/// The points at which the integrand is taken.
struct Grid {
    /// The other variables than the largest.
    others: f64,
    /// z, Φ(z), and the weight of z: step · k φ(z) Φ(z)ᵏ⁻¹.
    points: Vec<(f64, f64, f64)>,
}

impl Grid {
    const STEPS_A_UNIT: i32 = 16;
    /// Further out φ is 0 in double precision.
    const END: i32 = 39;

    fn new(count: usize) -> Self {
        let normal = Normal::standard();
        let others = count as f64 - 1.0;
        let point = |index: i32| {
            let z = f64::from(index) / f64::from(Self::STEPS_A_UNIT);
            let below = normal.cdf(z);
            let density = normal.pdf(z) / f64::from(Self::STEPS_A_UNIT);
            (z, below, count as f64 * density * below.powf(others))
        };
        let end = Self::END * Self::STEPS_A_UNIT;
        let points = (-end..=end).map(point).filter(|&(.., weight)| weight > 0.0).collect();
        Self { others, points }
    }

    /// The probability of a range above `q`.
    fn upper_tail(&self, q: f64) -> f64 {
        let normal = Normal::standard();
        let terms = self.points.iter().map(|&(z, below, weight)| {
            // 1 − (1 − share)ᵏ⁻¹, exact for small shares, too.
            let share = (normal.cdf(z - q) / below).min(1.0);
            -weight * (self.others * (-share).ln_1p()).exp_m1()
        });
        terms.sum()
    }
}

#[cfg(test)]
mod tests {
    use approx::assert_relative_eq;

    use super::*;

    #[test]
    fn agrees_with_scipy() {
        // scipy.stats.studentized_range.ppf(1 − level, count, inf) / √2, SciPy 1.17.1.
        for (count, level, expected) in [
            (2, 0.1, 1.644_853_626_951_472_2),
            (2, 0.05, 1.959_963_984_540_053_4),
            (2, 0.001, 3.290_526_731_491_835),
            (3, 0.1, 2.052_292_730_496_775_5),
            (3, 0.05, 2.343_700_586_378_409),
            (3, 0.000_001, 5.103_103_585_818_265),
            (3, 0.5, 1.122_735_485_425_546),
            (4, 0.05, 2.569_031_772_546_482),
            (5, 0.01, 3.254_685_971_528_862_5),
            (6, 0.9, 1.052_312_926_359_435),
            (7, 0.05, 2.948_320_017_529_674_4),
            (10, 0.05, 3.163_683_577_053_373),
            (10, 0.99, 1.037_348_673_092_474_1),
            (20, 0.01, 3.991_769_594_199_763_3),
            (50, 0.05, 3.992_343_290_009_407_6),
            (100, 0.1, 4.110_055_508_575_388),
            (100, 0.001, 5.171_845_352_636_985),
        ] {
            let found = upper_quantile(count, level) / 2.0_f64.sqrt();
            assert_relative_eq!(found, expected, max_relative = 1e-9);
        }
    }

    #[test]
    fn of_two_is_a_normal_difference() {
        let normal = Normal::standard();
        for level in [1e-300, 1e-30, 1e-9, 0.01, 0.3, 0.9, 0.999_999] {
            let q = upper_quantile(2, level) / 2.0_f64.sqrt();
            assert_relative_eq!(2.0 * normal.sf(q), level, max_relative = 1e-9);
        }
    }

    #[test]
    fn of_three_equals_simpsons_rule_on_the_definition() {
        // Over two dimensions: the lowest value x and the range r have the density 6 φ(x) φ(x + r) (Φ(x + r) − Φ(x)).
        let normal = Normal::standard();
        let q = upper_quantile(3, 0.05);
        let simpson = |low: f64, high: f64, integrand: &dyn Fn(f64) -> f64| {
            let (steps, width) = (400, (high - low) / 400.0);
            let term = |i: i32| {
                let factor = if i == 0 || i == steps { 1.0 } else { 2.0 + 2.0 * f64::from(i % 2) };
                factor * integrand(low + f64::from(i) * width)
            };
            width / 3.0 * (0..=steps).map(term).sum::<f64>()
        };
        let density = |r: f64| {
            simpson(-9.0, 9.0, &|x| {
                6.0 * normal.pdf(x) * normal.pdf(x + r) * (normal.cdf(x + r) - normal.cdf(x))
            })
        };
        assert_relative_eq!(simpson(0.0, q, &density), 0.95, max_relative = 1e-9);
    }

    #[test]
    fn of_very_many() {
        let mut last = 0.0;
        for count in [2, 10, 100, 1000, 10_000, 1_000_000] {
            let q = upper_quantile(count, 0.05);
            assert!(q.is_finite() && q > last);
            last = q;
        }
    }
}
