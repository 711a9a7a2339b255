//! Positional population counts: how many of some bitmaps have each bit set, by carry-save adders.
//!
//! An adder takes three bits of equal weight in and gives a bit of that weight and one of the next: 15 of them bring 16
//! bitmaps to one carry, and the sums stay apart by weight (Harley & Seal; Klarqvist, Muła & Lemire 2021, "Efficient
//! computation of positional population counts using SIMD instructions").

use multiversion::target::target_cfg_f;

/// The words of a bitmap.
pub(super) const LANES: usize = 8;

/// The bits of a bitmap.
pub(super) const BITS: usize = 64 * LANES;

/// How many bitmaps have each bit set.
pub(super) type Counts = [u16; BITS];

/// Bitmaps are added in groups of this many.
pub(super) const GROUP: usize = 16;

/// The binary digits of a sum: as many as a byte has.
const DIGITS: usize = 8;

/// What the registers of most instruction sets hold well.
const HALF: usize = LANES / 2;

/// A bitmap; it lies in one cache line.
#[derive(Debug, Clone, Copy, Default)]
#[repr(align(64))]
pub(super) struct Bitmap(pub(super) [u64; LANES]);

/// The index of a bit's count among the counts of all bits: sums come out by the byte of the word, then by word.
pub(super) fn place(lane: usize, bit: usize) -> usize {
    bit / 8 * 64 + lane * 8 + bit % 8
}

vectorised! {
/// Adds to `counts` how many of the bitmaps listed in `groups` have each bit set, at its [`place`]. Fewer than 65,536 are
/// added before the counts are taken. Lanes before `first` are left out if that is less work.
pub(super) fn add_up(
    bitmaps: &[Bitmap],
    groups: &[[u16; GROUP]],
    first: usize,
    counts: &mut Counts,
) {
    let mut digits = [[0; LANES]; DIGITS];
    if target_cfg_f!(target_feature = "avx512f") {
        sum::<LANES>(bitmaps, groups, 0, &mut digits, counts);
    } else {
        for half in (first / HALF * HALF..LANES).step_by(HALF) {
            sum::<HALF>(bitmaps, groups, half, &mut digits, counts);
        }
    }
    for (count, byte) in counts.iter_mut().zip(to_bytes(&mut digits)) {
        *count = count.wrapping_add(u16::from(byte));
    }
}
}

/// Sums the lanes from `first` on; what passes the digits goes to the counts.
#[inline(always)]
#[allow(clippy::inline_always, reason = "it must be compiled with the instructions of its caller")]
fn sum<const WIDTH: usize>(
    bitmaps: &[Bitmap],
    groups: &[[u16; GROUP]],
    first: usize,
    digits: &mut [[u64; LANES]; DIGITS],
    counts: &mut Counts,
) {
    let [mut ones, mut twos, mut fours, mut eights] = [[0; WIDTH]; 4];
    let mut high = [[0; WIDTH]; DIGITS - 4];
    for group in groups {
        let bitmap = |i: usize| lanes::<WIDTH>(&bitmaps[usize::from(group[i])], first);
        let a = add(&mut ones, bitmap(0), bitmap(1));
        let b = add(&mut ones, bitmap(2), bitmap(3));
        let c = add(&mut twos, a, b);
        let a = add(&mut ones, bitmap(4), bitmap(5));
        let b = add(&mut ones, bitmap(6), bitmap(7));
        let d = add(&mut twos, a, b);
        let e = add(&mut fours, c, d);
        let a = add(&mut ones, bitmap(8), bitmap(9));
        let b = add(&mut ones, bitmap(10), bitmap(11));
        let c = add(&mut twos, a, b);
        let a = add(&mut ones, bitmap(12), bitmap(13));
        let b = add(&mut ones, bitmap(14), bitmap(15));
        let d = add(&mut twos, a, b);
        let f = add(&mut fours, c, d);
        let mut carry = add(&mut eights, e, f);
        for digit in &mut high {
            for (digit, carry) in digit.iter_mut().zip(&mut carry) {
                (*digit, *carry) = (*digit ^ *carry, *digit & *carry);
            }
        }
        if carry.iter().fold(0, |any, &lane| any | lane) != 0 {
            carry_over(&carry, first, counts);
        }
    }
    for (digit, sum) in digits.iter_mut().zip([ones, twos, fours, eights].iter().chain(&high)) {
        digit[first..][..WIDTH].copy_from_slice(sum);
    }
}

#[inline(always)]
#[allow(clippy::inline_always, reason = "it must be compiled with the instructions of its caller")]
fn lanes<const WIDTH: usize>(bitmap: &Bitmap, first: usize) -> [u64; WIDTH] {
    let mut lanes = [0; WIDTH];
    lanes.copy_from_slice(&bitmap.0[first..][..WIDTH]);
    lanes
}

/// Counts what the digits have no room for.
#[cold]
#[inline(never)]
fn carry_over(carry: &[u64], first: usize, counts: &mut Counts) {
    for (lane, &carry) in carry.iter().enumerate() {
        let mut carry = carry;
        while carry != 0 {
            let count = &mut counts[place(first + lane, carry.trailing_zeros() as usize)];
            *count = count.wrapping_add(1 << DIGITS);
            carry &= carry - 1;
        }
    }
}

/// Adds two bitmaps of equal weight to a sum of that weight; the carry is returned.
#[inline(always)]
#[allow(clippy::inline_always, reason = "it must be compiled with the instructions of its caller")]
fn add<const WIDTH: usize>(sum: &mut [u64; WIDTH], a: [u64; WIDTH], b: [u64; WIDTH]) -> [u64; WIDTH] {
    let mut carry = [0; WIDTH];
    for lane in 0..WIDTH {
        let differs = sum[lane] ^ a[lane];
        carry[lane] = (differs & b[lane]) | (!differs & sum[lane]);
        sum[lane] = differs ^ b[lane];
    }
    carry
}

/// Transposes digits of bits to bytes: the digits of bit `8 i + j` of a lane become byte `j` of the lane of word `i`.
#[inline(always)]
#[allow(clippy::inline_always, reason = "it must be compiled with the instructions of its caller")]
fn to_bytes(words: &mut [[u64; LANES]; DIGITS]) -> [u8; BITS] {
    // Bytes between words, halving the distance.
    for (apart, mask) in [(4, 0xFFFF_FFFF), (2, 0xFFFF_0000_FFFF), (1, 0xFF_00FF_00FF_00FF)] {
        for first in (0..DIGITS).filter(|first| first & apart == 0) {
            let (mut low, mut high) = (words[first], words[first + apart]);
            for (low, high) in low.iter_mut().zip(&mut high) {
                let swap = ((*low >> (8 * apart)) ^ *high) & mask;
                *high ^= swap;
                *low ^= swap << (8 * apart);
            }
            (words[first], words[first + apart]) = (low, high);
        }
    }
    // Bits within each word, seen as a matrix of 8 by 8.
    for (apart, mask) in [(7, 0xAA_00AA_00AA_00AA), (14, 0xCCCC_0000_CCCC), (28, 0xF0F0_F0F0)] {
        for word in words.as_flattened_mut() {
            let swap = (*word ^ (*word >> apart)) & mask;
            *word ^= swap ^ (swap << apart);
        }
    }
    let mut bytes = [0; BITS];
    for (bytes, word) in bytes.as_chunks_mut::<8>().0.iter_mut().zip(words.as_flattened()) {
        *bytes = word.to_le_bytes();
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_bits_are_those_counted_one_by_one() {
        let mut state = 1_u64;
        let mut random = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state >> 11
        };
        let mut bitmaps: Vec<Bitmap> =
            (0..500).map(|_| Bitmap(std::array::from_fn(|_| random() | random() << 32))).collect();
        bitmaps.push(Bitmap([u64::MAX; LANES]));
        for groups in [0, 1, 14, 15, 16, 31, 100] {
            let mut listed = || [(random() % 501) as u16, 500][usize::from(random() % 4 == 0)];
            let groups: Vec<[u16; GROUP]> = (0..groups).map(|_| std::array::from_fn(|_| listed())).collect();
            let mut counts = [7; BITS];
            add_up(&bitmaps, &groups, 0, &mut counts);
            for (lane, bit) in (0..LANES).flat_map(|lane| (0..64).map(move |bit| (lane, bit))) {
                let set = |&&row: &&u16| bitmaps[usize::from(row)].0[lane] >> bit & 1 == 1;
                let expected = 7 + groups.iter().flatten().filter(set).count();
                assert_eq!(usize::from(counts[place(lane, bit)]), expected, "{lane} {bit}");
            }
        }
    }
}
