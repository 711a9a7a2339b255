//! The loops over codes that several kernels share: plain code, compiled for several instruction sets, the best of which is
//! chosen when the program runs.

use bnc_data::Code;

/// Rows are taken in steps of this many, which stay in the fastest cache.
pub(super) const STEP: usize = 1024;

vectorised! {
/// Adds codes to joint codes, `stride` apart; a missing code counts as the value past the last.
pub(super) fn combine(column: &[Code], values: Code, stride: u16, codes: &mut [u16]) {
    for (joint, &code) in codes.iter_mut().zip(column) {
        *joint = joint.wrapping_add(code.min(values).wrapping_mul(stride));
    }
}
}

vectorised! {
/// Joint codes of a first code, `stride` apart, and one of a column; a missing code counts as the value past the last.
pub(super) fn join(first: &[u16], stride: u16, column: &[Code], values: Code, codes: &mut [u16]) {
    for ((joint, &first), &code) in codes.iter_mut().zip(first).zip(column) {
        *joint = first.wrapping_mul(stride).wrapping_add(code.min(values));
    }
}
}

vectorised! {
/// Appends a code to each number, as its last digit.
pub(super) fn append(column: &[Code], values: u32, numbers: &mut [u32]) {
    for (number, &code) in numbers.iter_mut().zip(column) {
        *number = number.wrapping_mul(values).wrapping_add(u32::from(code));
    }
}
}

vectorised! {
/// Sets the bit of each code, from bit `shift` on; none for a missing code.
pub(super) fn mark(codes: &[Code], values: Code, shift: u32, words: &mut [u64]) {
    for (word, &code) in words.iter_mut().zip(codes) {
        let bit = u64::from(code < values) << (u32::from(code).wrapping_add(shift) % 64);
        *word |= bit;
    }
}
}
