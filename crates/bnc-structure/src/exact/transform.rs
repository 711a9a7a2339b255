//! Maxima over subsets, in place and cache by cache.

use rayon::prelude::*;

use super::cell::Cell;
use crate::Result;

/// Tables of up to so many entries are done at once: they stay in a core's cache.
const LEAF_BITS: u32 = 12;
/// Larger ones are split in up to 2^6 parts, which are then combined in one go.
const PART_BITS: u32 = 6;
/// Parts are combined in strips of so many entries, copied together: parts lie at distances that the sets of a cache
/// do not tell apart.
const STRIP: usize = 64;
/// Strips a thread does before the next is asked.
const STRIPS_A_TASK: usize = 16;

/// Makes every entry the maximum over all subsets of its index. Bits below `from` are taken as done.
pub(super) fn maximise<T: Cell>(table: &mut [T], from: u32) {
    let bits = table.len().trailing_zeros();
    let mut bit = from;
    if bit == 0 && bits >= 3 {
        let (blocks, _) = table.as_chunks_mut::<8>();
        for block in blocks {
            for stage in [1, 2, 4] {
                for index in 0..8 {
                    if index & stage != 0 {
                        block[index] = block[index].larger(block[index ^ stage]);
                    }
                }
            }
        }
        bit = 3;
    }
    // Two bits at a time take fewer loads and stores.
    while bit + 2 <= bits {
        let quarter = 1 << bit;
        for block in table.chunks_exact_mut(4 * quarter) {
            let (lower, upper) = block.split_at_mut(2 * quarter);
            let (none, first) = lower.split_at_mut(quarter);
            let (second, both) = upper.split_at_mut(quarter);
            for (((none, first), second), both) in none.iter().zip(first).zip(second).zip(both) {
                let with_first = first.larger(*none);
                *both = both.larger(*second).larger(with_first);
                *first = with_first;
                *second = second.larger(*none);
            }
        }
        bit += 2;
    }
    if bit < bits {
        for block in table.chunks_exact_mut(2 << bit) {
            let (lower, upper) = block.split_at_mut(1 << bit);
            for (with, without) in upper.iter_mut().zip(lower) {
                *with = with.larger(*without);
            }
        }
    }
}

/// Fills a table and makes every entry the maximum over all subsets of its index. `fill` gets the index of the first
/// entry of a piece, and the piece; its error ends the work.
pub(super) fn fill_and_maximise<T: Cell>(
    table: &mut [T],
    first: usize,
    fill: &(impl Fn(usize, &mut [T]) -> Result<()> + Sync),
) -> Result<()> {
    let bits = table.len().trailing_zeros();
    if bits <= LEAF_BITS {
        fill(first, table)?;
        maximise(table, 0);
        return Ok(());
    }
    let part = table.len() >> PART_BITS.min(bits - LEAF_BITS);
    table
        .par_chunks_mut(part)
        .enumerate()
        .try_for_each(|(index, entries)| fill_and_maximise(entries, first + index * part, fill))?;
    combine(table.chunks_exact_mut(part).collect());
    Ok(())
}

/// Maxima over the bits that number the parts.
fn combine<T: Cell>(mut parts: Vec<&mut [T]>) {
    let length = parts[0].len();
    if length > STRIP * STRIPS_A_TASK {
        let (lower, upper): (Vec<_>, Vec<_>) =
            parts.into_iter().map(|part| part.split_at_mut(length / 2)).unzip();
        rayon::join(|| combine(lower), || combine(upper));
        return;
    }
    let mut strips = vec![T::ZERO; parts.len() * STRIP];
    for start in (0..length).step_by(STRIP) {
        for (strip, part) in strips.chunks_exact_mut(STRIP).zip(&parts) {
            strip.copy_from_slice(&part[start..start + STRIP]);
        }
        maximise(&mut strips, STRIP.trailing_zeros());
        for (strip, part) in strips.chunks_exact(STRIP).zip(&mut parts) {
            part[start..start + STRIP].copy_from_slice(strip);
        }
    }
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "whole numbers are exact")]
mod tests {
    use super::*;

    fn scrambled(index: usize) -> i32 {
        (index as u32).wrapping_mul(2_654_435_761).rotate_left(11).cast_signed() >> 4
    }

    /// One bit after the other.
    fn plain(table: &mut [i32]) {
        for bit in 0..table.len().trailing_zeros() {
            for index in (0..table.len()).filter(|index| index >> bit & 1 == 1) {
                table[index] = table[index].max(table[index ^ 1 << bit]);
            }
        }
    }

    #[test]
    fn entries_become_maxima_over_subsets() {
        let mut small = vec![0, 3, -1, 2, 5, 1, 0, 0];
        maximise(&mut small, 0);
        assert_eq!(small, [0, 3, 0, 3, 5, 5, 5, 5]);
    }

    #[test]
    fn equal_to_one_bit_after_the_other_at_all_sizes() {
        for bits in [0, 1, 2, 3, 4, 5, 11, 12, 13, 14, 18, 19, 20] {
            let mut expected: Vec<i32> = (0..1 << bits).map(scrambled).collect();
            plain(&mut expected);
            let mut whole = vec![0; 1 << bits];
            fill_and_maximise(&mut whole, 0, &|first, piece: &mut [i32]| {
                for (index, entry) in piece.iter_mut().enumerate() {
                    *entry = scrambled(first + index);
                }
                Ok(())
            })
            .unwrap();
            assert!(whole == expected, "{bits} bits");
            let mut real: Vec<f64> = (0..1 << bits).map(|index| f64::from(scrambled(index))).collect();
            maximise(&mut real, 0);
            assert!(
                real.iter().zip(&expected).all(|(real, whole)| real.units() == whole.units()),
                "{bits} bits"
            );
        }
    }
}
