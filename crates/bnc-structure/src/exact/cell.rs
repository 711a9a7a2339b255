//! What a table of best scores holds.

/// A score in whole units (powers of two of a nat), or that of a forbidden parent set.
pub(super) trait Cell: Copy + PartialOrd + Send + Sync + 'static {
    const ZERO: Self;
    /// Less than every score.
    const FORBIDDEN: Self;

    /// The score of a whole number of units.
    fn new(units: f64) -> Self;

    /// The number of units, negative infinity for a forbidden set.
    fn units(self) -> f64;

    fn larger(self, other: Self) -> Self {
        if other > self { other } else { self }
    }
}

impl Cell for f64 {
    const ZERO: Self = 0.0;
    const FORBIDDEN: Self = f64::NEG_INFINITY;

    fn new(units: f64) -> Self {
        units
    }

    fn units(self) -> f64 {
        self
    }
}

impl Cell for i32 {
    const ZERO: Self = 0;
    const FORBIDDEN: Self = i32::MIN;

    fn new(units: f64) -> Self {
        // The number of units in a nat is chosen so that this is no less than -(2^31 - 2).
        units as i32
    }

    fn units(self) -> f64 {
        if self == Self::FORBIDDEN { f64::NEG_INFINITY } else { f64::from(self) }
    }
}

/// The units in a nat where there is room: rounding is far above the noise of a score and far below any difference.
pub(super) const FINEST: f64 = (1_u64 << 30) as f64;

/// The units in a nat with which scores up to `largest` nats in absolute value fit in 32 bits.
pub(super) fn fitting_units(largest: f64) -> f64 {
    let mut units = FINEST;
    while largest * units > f64::from(i32::MAX - 1) {
        units /= 2.0;
    }
    units
}

/// The nearest whole number.
#[inline]
pub(super) fn rounded(number: f64) -> f64 {
    // Adding and subtracting 1.5 · 2^52 leaves no room for a fraction; without it this is a call of a library function.
    const SHIFT: f64 = 6_755_399_441_055_744.0;
    const LIMIT: f64 = 2_251_799_813_685_248.0;
    if number.abs() < LIMIT { (number + SHIFT) - SHIFT } else { number.round_ties_even() }
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "whole numbers are exact")]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_units_fit() {
        assert_eq!(fitting_units(0.0), FINEST);
        assert_eq!(fitting_units(1.0), FINEST);
        assert_eq!(fitting_units(1000.0), f64::from(1 << 21));
        for largest in [1e-300, 0.7, 2.0, 12345.6, 1e12, f64::MAX] {
            let units = fitting_units(largest);
            assert!(largest * units <= f64::from(i32::MAX - 1));
            assert!(units == FINEST || largest * units * 2.0 > f64::from(i32::MAX - 1));
        }
        assert_eq!(i32::FORBIDDEN.units(), f64::NEG_INFINITY);
        assert!(i32::new(-f64::from(i32::MAX - 1)) > i32::FORBIDDEN);
    }

    proptest! {
        #[test]
        fn rounding_is_to_the_nearest(number in prop_oneof![-4e15..4e15, -1e3..1e3]) {
            prop_assert_eq!(rounded(number), number.round_ties_even());
        }
    }
}
