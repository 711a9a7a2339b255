//! e^x for many numbers at once.
//!
//! x = k · ln 2 / 128 + r with a whole k, and e^x = 2^(k/128) · e^r: the power of 2 comes from a table and its exponent, e^r from a
//! polynomial of degree 5 (Tang 1989, "Table-driven implementation of the exponential function in IEEE floating-point
//! arithmetic"; constants of Arm's optimized routines, which the C library of GNU/Linux took over). The error stays below 0.52
//! units in the last place. Every step is rounded in one way only, so that the bits are those of that library and the same on
//! every processor that fuses multiplications with additions; others take the system's function.

use multiversion::multiversion;
use multiversion::target::match_target;

/// Closer to 0 than this, results are far from the least normal number.
const LARGE: f64 = 512.0;

/// Below this, results round to 0.
const VANISHING: f64 = -746.0;

/// Replaces numbers by their exponentials.
///
/// # Examples
/// ```
/// let mut values = [0.0, -1.0, f64::NEG_INFINITY];
/// bnc_models::exponentials(&mut values);
/// assert_eq!(values, [1.0, (-1.0_f64).exp(), 0.0]);
/// ```
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl+fma", "x86_64+avx2+fma"))]
pub fn exponentials(values: &mut [f64]) {
    match_target! {
        "x86_64+fma" => by_table(values),
        "aarch64" => by_table(values),
        _ => for value in values {
            *value = by_system(*value);
        },
    }
}

#[inline(always)]
#[allow(clippy::inline_always, reason = "it must be compiled with the instructions of its caller")]
fn by_table(values: &mut [f64]) {
    let usual = |value: f64| (value < VANISHING) | (value.abs() < LARGE);
    let exponential = |value: f64| {
        let near_zero = near_zero(value);
        if value < VANISHING { 0.0 } else { near_zero }
    };
    // One loop for most numbers, without a branch, so that it is done by the vector.
    if values.iter().fold(true, |all, &value| all & usual(value)) {
        for value in values {
            *value = exponential(*value);
        }
    } else {
        for value in values {
            *value = if usual(*value) { exponential(*value) } else { by_system(*value) };
        }
    }
}

/// A function of its own, lest the compiler calls the system's for every number.
#[cold]
#[inline(never)]
fn by_system(value: f64) -> f64 {
    value.exp()
}

/// 128 / ln 2.
const STEPS: f64 = 128.0 * std::f64::consts::LOG2_E;

/// -ln 2 / 128 in two parts; the first has few enough digits that its products with k are exact.
const STEP_HIGH: f64 = f64::from_bits(0xbf76_2e42_fefa_0000);
const STEP_LOW: f64 = f64::from_bits(0xbd0c_f79a_bc9e_3b3a);

/// e^r = 1 + r + these times r², r³, …
const COEFFICIENTS: [f64; 4] = [
    f64::from_bits(0x3fdf_ffff_ffff_fdbd),
    f64::from_bits(0x3fc5_5555_5555_543c),
    f64::from_bits(0x3fa5_5555_cf17_2b91),
    f64::from_bits(0x3f81_1111_67a4_d017),
];

/// Added and taken away again, it rounds to a whole number, which is in the lowest bits meanwhile.
const ROUNDING: f64 = 6_755_399_441_055_744.0;

#[inline(always)]
#[allow(clippy::inline_always, reason = "it must be compiled with the instructions of its callers")]
fn near_zero(x: f64) -> f64 {
    let shifted = STEPS.mul_add(x, ROUNDING);
    let k = shifted - ROUNDING;
    let r = k.mul_add(STEP_LOW, k.mul_add(STEP_HIGH, x));
    let power = &POWERS[(shifted.to_bits() % 128) as usize];
    let scale = f64::from_bits(power.bits.wrapping_add(shifted.to_bits() << (52 - 7)));
    let [c2, c3, c4, c5] = COEFFICIENTS;
    let square = r * r;
    let low = square.mul_add(r.mul_add(c3, c2), power.rest + r);
    let less_one = (square * square).mul_add(r.mul_add(c5, c4), low);
    scale.mul_add(less_one, scale)
}

/// 2^(i/128).
struct Power {
    /// What the number next to it lacks, relative to that.
    rest: f64,
    /// The bits of that number, without i / 128 in the exponent: what k adds there has it.
    bits: u64,
}

static POWERS: [Power; 128] = powers();

/// 2^(1/128) in units of 2^-127.
const ROOT: u128 = 0x80b1_ed4f_d999_ab6c_2533_5719_b6e6_fd20;

const fn powers() -> [Power; 128] {
    let mut powers = [const { Power { rest: 0.0, bits: 0 } }; 128];
    // In units of 2^-127.
    let mut exact = 1_u128 << 127;
    let mut i = 0;
    while i < 128 {
        // The number next to it has 52 binary places.
        let next = (exact + (1 << 74)) >> 75;
        let above = next << 75 > exact;
        let lacking = exact.abs_diff(next << 75) << 53;
        // To 128 binary places; a bit for all further ones makes the rounding right.
        let quotient = (lacking / next) | !lacking.is_multiple_of(next) as u128;
        let rest = quotient as f64 * power_of_two(-128);
        let number = next as f64 * power_of_two(-52);
        powers[i] = Power {
            rest: if above { -rest } else { rest },
            bits: number.to_bits() - ((i as u64) << (52 - 7)),
        };
        exact = product(exact, ROOT);
        i += 1;
    }
    powers
}

const fn power_of_two(exponent: i64) -> f64 {
    f64::from_bits((1023 + exponent).cast_unsigned() << 52)
}

/// The product of numbers in units of 2^-127.
const fn product(a: u128, b: u128) -> u128 {
    const LOW: u128 = u64::MAX as u128;
    let (a_high, a_low, b_high, b_low) = (a >> 64, a & LOW, b >> 64, b & LOW);
    let (one, other) = (a_high * b_low, a_low * b_high);
    let middle = (one & LOW) + (other & LOW) + ((a_low * b_low) >> 64);
    let high = a_high * b_high + (one >> 64) + (other >> 64) + (middle >> 64);
    (high << 1) | (middle >> 63 & 1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn exponential(value: f64) -> f64 {
        let mut values = [value];
        exponentials(&mut values);
        values[0]
    }

    /// ln 2 in units of 2^-127: the sum of 1 / (i 2^i).
    fn ln_two() -> u128 {
        (1..=127).map(|i| (1_u128 << (127 - i)) / i).sum()
    }

    /// e^-x for x in units of 2^-30, as a number from 1 up to 2 in units of 2^-127, and its exponent of 2.
    fn exact(x: u64) -> (u128, i64) {
        let exponent = (x as f64 / 2.0_f64.powi(30) / std::f64::consts::LN_2).ceil() as i64;
        // What is lost beyond 128 bits cancels.
        let all = ln_two().wrapping_mul(u128::from(exponent.cast_unsigned()));
        let rest = all.wrapping_sub(u128::from(x) << 97);
        let (mut sum, mut term) = (1_u128 << 127, 1_u128 << 127);
        for i in 1..40 {
            term = product(term, rest) / i;
            sum += term;
        }
        (sum, -exponent)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]
        #[test]
        fn exponentials_are_nearly_rounded_right(
            x in prop_oneof![0..512_u64 << 30, 0..8_u64 << 30, 0..1_u64 << 20],
        ) {
            let (exact, exponent) = exact(x);
            let found = exponential(-(x as f64) / 2.0_f64.powi(30));
            // In the units of the exact number: an integer and the place of its last bit.
            let bits = found.to_bits();
            let place = (bits >> 52).cast_signed() - 1023 - 52 - exponent + 127;
            let found = u128::from(bits & (u64::MAX >> 12) | 1 << 52) << place;
            let error = exact.abs_diff(found) as f64 / 2.0_f64.powi(place as i32);
            prop_assert!(error < 0.52, "{error} units in the last place");
        }

        #[test]
        fn many_numbers_get_what_each_gets(
            values in prop::collection::vec(prop_oneof![-20.0..0.0, -900.0..900.0, Just(f64::NEG_INFINITY)], 0..40),
        ) {
            let mut all = values.clone();
            exponentials(&mut all);
            let one_by_one: Vec<f64> = values.into_iter().map(exponential).collect();
            prop_assert_eq!(all, one_by_one);
        }
    }

    #[test]
    fn no_number_is_left_out() {
        let all_give = |values: &[f64], expected: f64| {
            for &value in values {
                assert_eq!(exponential(value).to_bits(), expected.to_bits(), "{value}");
            }
        };
        all_give(&[0.0, -0.0, -1e-300, 1e-17], 1.0);
        all_give(&[f64::NEG_INFINITY, f64::MIN, -750.0], 0.0);
        all_give(&[f64::INFINITY, f64::MAX, 710.0], f64::INFINITY);
        for value in [-745.0, -708.5, -513.0, -512.0, 512.0, 700.0_f64] {
            all_give(&[value], value.exp());
        }
        assert!(exponential(f64::NAN).is_nan());
    }
}
