//! The loops that make and join bit planes: plain code, compiled for several instruction sets, the best of which is chosen
//! when the program runs.

use std::ops::Range;

use bnc_data::Code;
use multiversion::target::match_target;
use smallvec::SmallVec;

use crate::kernel::loops::STEP;

/// The bits of a packed word come in parts of this many, so that most of the packing is done on short numbers.
pub(super) const PART_BITS: usize = 16;

/// The parts of a packed word.
const PARTS: usize = 4;

/// The packed words of the rows of a step, in parts.
pub(super) type Parts = [[u16; STEP]; PARTS];

/// The bits of a packed word.
pub(super) const BITS: usize = PARTS * PART_BITS;

/// The words of a vector, where ones are counted by the vector.
pub(super) const LANES: usize = 8;

/// Of more classes, rows are counted and put in their places one by one.
pub(super) const FEW_CLASSES: usize = 16;

vectorised! {
/// Puts the packed words of some rows behind those of the same class, rows without one nowhere: `next` is by class the place of
/// the next one. Of few classes, up to [`LANES`] places from there on may be overwritten.
pub(super) fn put(parts: &Parts, class: &[Code], next: &mut [usize], ordered: &mut [u64]) {
    match_target! {
        "x86_64+avx512f" => if next.len() <= FEW_CLASSES {
            return super::avx512::put(parts, class, next, ordered);
        },
        _ => {}
    }
    let mut packed = [0_u64; STEP];
    for (row, word) in packed.iter_mut().enumerate() {
        *word = u64::from(parts[0][row])
            | u64::from(parts[1][row]) << PART_BITS
            | u64::from(parts[2][row]) << (2 * PART_BITS)
            | u64::from(parts[3][row]) << (3 * PART_BITS);
    }
    for (&word, &class) in packed.iter().zip(class) {
        if let Some(next) = next.get_mut(usize::from(class)) {
            ordered[*next] = word;
            *next += 1;
        }
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
/// Transposes every 64 words as a matrix of bits; `slices` has as many rows of `stride` words as bits are wanted, each with
/// room for a multiple of 8 words.
pub(super) fn transpose(ordered: &[u64], slices: &mut [u64], stride: usize) {
    match_target! {
        "x86_64+avx512f" => super::avx512::transpose(ordered, slices, stride),
        _ => transpose_plainly(ordered, slices, stride),
    }
}
}

#[inline(always)]
#[allow(clippy::inline_always, reason = "it must be compiled with the instructions of its caller")]
fn transpose_plainly(ordered: &[u64], slices: &mut [u64], stride: usize) {
    if slices.len() > 32 * stride {
        for (word, matrix) in ordered.as_chunks::<64>().0.iter().enumerate() {
            let mut matrix = *matrix;
            exchange(&mut matrix, 32, u64::from(u32::MAX));
            put_bits(&transposed(matrix), word, slices, stride);
        }
    } else {
        for (word, matrix) in ordered.as_chunks::<64>().0.iter().enumerate() {
            let (low, high) = matrix.split_at(32);
            let mut half = [0; 32];
            for (half, (low, high)) in half.iter_mut().zip(low.iter().zip(high)) {
                *half = low & u64::from(u32::MAX) | high << 32;
            }
            put_bits(&transposed(half), word, slices, stride);
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
fn put_bits(matrix: &[u64], word: usize, slices: &mut [u64], stride: usize) {
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
    let slices: SmallVec<[&[u64]; PART_BITS]> = slices.chunks_exact(stride).collect();
    for range in classes.iter().filter(|range| !range.is_empty()) {
        let planes = planes[values * range.start..values * range.end].chunks_exact_mut(range.len());
        let valid = &valid[range.clone()];
        for (value, plane) in planes.enumerate() {
            match *slices {
                [a] => select_by(value, valid, [a].map(|slice| &slice[range.clone()]), plane),
                [a, b] => select_by(value, valid, [a, b].map(|slice| &slice[range.clone()]), plane),
                [a, b, c] => select_by(value, valid, [a, b, c].map(|slice| &slice[range.clone()]), plane),
                _ => {
                    plane.copy_from_slice(valid);
                    for (bit, slice) in slices.iter().enumerate() {
                        let flip = flip(value, bit);
                        for (word, &slice) in plane.iter_mut().zip(&slice[range.clone()]) {
                            *word &= slice ^ flip;
                        }
                    }
                }
            }
        }
    }
}
}

/// What turns a slice to ones where its bit is that of the value.
#[inline(always)]
#[allow(clippy::inline_always, reason = "it must be compiled with the instructions of its callers")]
fn flip(value: usize, bit: usize) -> u64 {
    if value >> bit & 1 == 1 { 0 } else { u64::MAX }
}

/// All of a few bits at once: no word is written twice.
#[inline(always)]
#[allow(clippy::inline_always, reason = "it must be compiled with the instructions of its caller")]
fn select_by<const N: usize>(value: usize, valid: &[u64], slices: [&[u64]; N], plane: &mut [u64]) {
    let flips: [u64; N] = std::array::from_fn(|bit| flip(value, bit));
    let valid = &valid[..plane.len()];
    let slices = slices.map(|slice| &slice[..plane.len()]);
    for (place, word) in plane.iter_mut().enumerate() {
        *word = valid[place];
        for (slice, flip) in slices.iter().zip(flips) {
            *word &= slice[place] ^ flip;
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

vectorised! {
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
