//! The loops that make and join bit planes: plain code, compiled for several instruction sets, the best of which is chosen
//! when the program runs.

use std::ops::Range;

use bnc_data::Code;

/// Rows are packed in steps of this many, which stay in the fastest cache.
pub(super) const STEP: usize = 1024;

/// The bits of a packed word come in parts of this many, so that most of the packing is done on short numbers.
pub(super) const PART_BITS: usize = 16;

/// The parts of a packed word.
pub(super) const PARTS: usize = 4;

vectorised! {
/// Moves the packed words of some rows to their places.
pub(super) fn scatter(parts: &[[u16; STEP]; PARTS], places: &[u32], ordered: &mut [u64]) {
    let mut packed = [0_u64; STEP];
    for (row, word) in packed.iter_mut().enumerate() {
        *word = u64::from(parts[0][row])
            | u64::from(parts[1][row]) << PART_BITS
            | u64::from(parts[2][row]) << (2 * PART_BITS)
            | u64::from(parts[3][row]) << (3 * PART_BITS);
    }
    for (&word, &place) in packed.iter().zip(places) {
        ordered[place as usize] = word;
    }
}
}

/// The codes of a feature, and where in a part they are put.
#[derive(Clone, Copy)]
pub(super) struct Packed<'a> {
    pub(super) codes: &'a [Code],
    /// The number of values.
    pub(super) values: Code,
    pub(super) shift: usize,
}

vectorised! {
/// Puts codes into their bits of a part of the packed words; a missing code counts as the value past the last.
pub(super) fn pack(features: &[Packed<'_>], part: &mut [u16; STEP]) {
    // Several at a time: memory answers sooner when it is asked for several columns.
    let (fours, rest) = features.as_chunks();
    for &four in fours {
        pack_columns::<4>(four, part);
    }
    for &one in rest {
        pack_columns([one], part);
    }
}
}

#[inline(always)]
#[allow(clippy::inline_always, reason = "it must be compiled with the instructions of each of its callers")]
fn pack_columns<const N: usize>(features: [Packed<'_>; N], part: &mut [u16; STEP]) {
    let rows = features[0].codes.len().min(STEP);
    let columns = features.map(|feature| &feature.codes[..rows]);
    for (row, bits) in part[..rows].iter_mut().enumerate() {
        for (column, feature) in columns.iter().zip(&features) {
            *bits |= column[row].min(feature.values) << feature.shift;
        }
    }
}

vectorised! {
/// Transposes every 64 words as a matrix of bits; `slices` has as many rows of `stride` words as bits are wanted.
pub(super) fn transpose(ordered: &[u64], slices: &mut [u64], stride: usize) {
    if slices.len() > 32 * stride {
        for (word, matrix) in ordered.as_chunks::<64>().0.iter().enumerate() {
            let mut matrix = *matrix;
            exchange(&mut matrix, 32, u64::from(u32::MAX));
            put(&transposed(matrix), word, slices, stride);
        }
    } else {
        for (word, matrix) in ordered.as_chunks::<64>().0.iter().enumerate() {
            let (low, high) = matrix.split_at(32);
            let mut half = [0; 32];
            for (half, (low, high)) in half.iter_mut().zip(low.iter().zip(high)) {
                *half = low & u64::from(u32::MAX) | high << 32;
            }
            put(&transposed(half), word, slices, stride);
        }
    }
}
}

/// Goes on with a matrix whose halves of words are in their places.
#[inline(always)]
#[allow(clippy::inline_always, reason = "it must be compiled with the instructions of each of its callers")]
fn transposed<const N: usize>(mut matrix: [u64; N]) -> [u64; N] {
    exchange(&mut matrix, 16, 0x0000_ffff_0000_ffff);
    exchange(&mut matrix, 8, 0x00ff_00ff_00ff_00ff);
    exchange(&mut matrix, 4, 0x0f0f_0f0f_0f0f_0f0f);
    exchange(&mut matrix, 2, 0x3333_3333_3333_3333);
    exchange(&mut matrix, 1, 0x5555_5555_5555_5555);
    matrix
}

/// Exchanges the bits of words `width` apart that are not in the half of their blocks where they belong.
#[inline(always)]
#[allow(clippy::inline_always, reason = "it must be compiled with the instructions of each of its callers")]
fn exchange<const N: usize>(matrix: &mut [u64; N], width: usize, mask: u64) {
    for pair in matrix.chunks_exact_mut(2 * width) {
        let (low, high) = pair.split_at_mut(width);
        for (low, high) in low.iter_mut().zip(high) {
            let swap = ((*low >> width) ^ *high) & mask;
            *high ^= swap;
            *low ^= swap << width;
        }
    }
}

#[inline(always)]
#[allow(clippy::inline_always, reason = "it must be compiled with the instructions of each of its callers")]
fn put(matrix: &[u64], word: usize, slices: &mut [u64], stride: usize) {
    for (slice, &bits) in slices.chunks_exact_mut(stride).zip(matrix) {
        slice[word] = bits;
    }
}

vectorised! {
/// The planes of all values, class by class: the valid places whose slices are the bits of the value.
pub(super) fn select(
    valid: &[u64],
    classes: &[Range<usize>],
    slices: &[u64],
    stride: usize,
    planes: &mut [u64],
) {
    let values = planes.len() / valid.len().max(1);
    for range in classes.iter().filter(|range| !range.is_empty()) {
        let planes = &mut planes[values * range.start..values * range.end];
        for (value, plane) in planes.chunks_exact_mut(range.len()).enumerate() {
            plane.copy_from_slice(&valid[range.clone()]);
            for (bit, slice) in slices.chunks_exact(stride).enumerate() {
                let flip = if value >> bit & 1 == 1 { 0 } else { u64::MAX };
                for (word, &slice) in plane.iter_mut().zip(&slice[range.clone()]) {
                    *word &= slice ^ flip;
                }
            }
        }
    }
}
}

vectorised! {
/// All conjunctions of a plane of `a` and a plane of `b`, those of `b` faster.
pub(super) fn conjunctions(a: &[u64], b: &[u64], words: usize, classes: &[Range<usize>], out: &mut Vec<u64>) {
    out.clear();
    let (of_a, of_b) = (a.len() / words, b.len() / words);
    for range in classes.iter().filter(|range| !range.is_empty()) {
        for a in a[of_a * range.start..of_a * range.end].chunks_exact(range.len()) {
            for b in b[of_b * range.start..of_b * range.end].chunks_exact(range.len()) {
                out.extend(a.iter().zip(b).map(|(&a, &b)| a & b));
            }
        }
    }
}
}

counts_ones! {
/// The number of ones of each plane in each class, the class fastest.
pub(super) fn count_ones(planes: &[u64], words: usize, classes: &[Range<usize>], counts: &mut [u64]) {
    counts.fill(0);
    let values = planes.len() / words.max(1);
    for (class, range) in classes.iter().enumerate().filter(|(_, range)| !range.is_empty()) {
        let planes = planes[values * range.start..values * range.end].chunks_exact(range.len());
        for (plane, counts) in planes.zip(counts.chunks_exact_mut(classes.len())) {
            counts[class] = plane.iter().map(|word| u64::from(word.count_ones())).sum();
        }
    }
}
}

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
