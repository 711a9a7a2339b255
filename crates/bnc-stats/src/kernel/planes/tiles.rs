//! The pairs of planes, counted by tiles.

use std::ops::Range;

use multiversion::target::target_cfg_f;

use crate::kernel::parts;

/// As many words are counted at a time where vectors of them can be.
const LANES: usize = 8;

counts_ones! {
/// What the words of a class are filled up to a multiple of.
pub(super) fn unit() -> usize {
    if target_cfg_f!(target_feature = "avx512vpopcntdq") { LANES } else { 1 }
}
}

/// Two families of planes whose every pair is counted.
pub(super) struct Pairs<'a> {
    pub(super) lead: &'a [u64],
    pub(super) last: &'a [u64],
    /// The number of planes of either.
    pub(super) leads: usize,
    pub(super) lasts: usize,
    pub(super) classes: &'a [Range<usize>],
    /// 1 when the last plane of either family is left to subtraction, otherwise 0.
    pub(super) complete: usize,
}

impl Pairs<'_> {
    /// Fills in what is left to subtraction, from the counts of either family.
    pub(super) fn subtract(&self, lead_counts: &[u64], last_counts: &[u64], counts: &mut [u64]) {
        let classes = self.classes.len();
        let (leads, lasts) = (self.leads, self.lasts);
        let run = lasts * classes;
        for lead in 0..leads.saturating_sub(1) {
            for class in 0..classes {
                let counted: u64 =
                    (0..lasts - 1).map(|last| counts[lead * run + last * classes + class]).sum();
                counts[lead * run + (lasts - 1) * classes + class] =
                    lead_counts[lead * classes + class] - counted;
            }
        }
        let (known, rest) = counts.split_at_mut(leads.saturating_sub(1) * run);
        rest.copy_from_slice(last_counts);
        for known in known.chunks_exact(run) {
            rest.iter_mut().zip(known).for_each(|(rest, &known)| *rest -= known);
        }
    }
}

counts_ones! {
/// Counts every pair of planes in every class, by tiles: a word that is read serves several counts.
pub(super) fn count_pairs(pairs: &Pairs<'_>, counts: &mut [u64]) {
    let wide = target_cfg_f!(target_feature = "avx512vpopcntdq");
    // As many sums as stay in registers.
    let side = if wide { 4 } else { 2 };
    let classes = pairs.classes.len();
    for (class, range) in pairs.classes.iter().enumerate() {
        let mut write = |lead: usize, last: usize, count: u64| {
            counts[(lead * pairs.lasts + last) * classes + class] = count;
        };
        for leads in parts(0..pairs.leads - pairs.complete, side) {
            for lasts in parts(0..pairs.lasts - pairs.complete, side) {
                let tile = Tile { pairs, range, first: leads.start, second: lasts.start };
                match (leads.len(), lasts.len()) {
                    // Where ones are counted in several steps, the compiler makes more of a loop over single words.
                    (1, 1) if !wide => tile.count::<1, 1, 1>(&mut write),
                    (1, 2) if !wide => tile.count::<1, 2, 1>(&mut write),
                    (2, 1) if !wide => tile.count::<2, 1, 1>(&mut write),
                    (2, 2) if !wide => tile.count::<2, 2, 1>(&mut write),
                    // Twice as many words, as otherwise the compiler gathers them from afar.
                    (1, 1) if wide => tile.count::<1, 1, { 2 * LANES }>(&mut write),
                    (1, 2) if wide => tile.count::<1, 2, LANES>(&mut write),
                    (2, 1) if wide => tile.count::<2, 1, LANES>(&mut write),
                    (2, 2) if wide => tile.count::<2, 2, LANES>(&mut write),
                    (1, 3) if wide => tile.count::<1, 3, LANES>(&mut write),
                    (1, 4) if wide => tile.count::<1, 4, LANES>(&mut write),
                    (2, 3) if wide => tile.count::<2, 3, LANES>(&mut write),
                    (2, 4) if wide => tile.count::<2, 4, LANES>(&mut write),
                    (3, 1) if wide => tile.count::<3, 1, LANES>(&mut write),
                    (3, 2) if wide => tile.count::<3, 2, LANES>(&mut write),
                    (3, 3) if wide => tile.count::<3, 3, LANES>(&mut write),
                    (3, 4) if wide => tile.count::<3, 4, LANES>(&mut write),
                    (4, 1) if wide => tile.count::<4, 1, LANES>(&mut write),
                    (4, 2) if wide => tile.count::<4, 2, LANES>(&mut write),
                    (4, 3) if wide => tile.count::<4, 3, LANES>(&mut write),
                    (4, 4) if wide => tile.count::<4, 4, LANES>(&mut write),
                    _ => {}
                }
            }
        }
    }
}
}

/// Some planes of either family in one class.
struct Tile<'a> {
    pairs: &'a Pairs<'a>,
    range: &'a Range<usize>,
    first: usize,
    second: usize,
}

impl Tile<'_> {
    #[inline(always)]
    #[allow(
        clippy::inline_always,
        reason = "it must be compiled with the instructions of each of its callers"
    )]
    #[allow(clippy::needless_range_loop, reason = "only so does the compiler keep all sums in registers")]
    fn count<const A: usize, const B: usize, const L: usize>(
        &self,
        write: &mut impl FnMut(usize, usize, u64),
    ) {
        let Self { pairs, range, first, second } = self;
        let words = range.len();
        let lead = &pairs.lead[pairs.leads * range.start + first * words..];
        let last = &pairs.last[pairs.lasts * range.start + second * words..];
        // Slices of one length, so that no bound is checked in the loop.
        let chunks = words / L;
        let (mut a, mut b) = ([[].as_slice(); A], [[].as_slice(); B]);
        for i in 0..A {
            a[i] = &lead[i * words..][..words].as_chunks::<L>().0[..chunks];
        }
        for j in 0..B {
            b[j] = &last[j * words..][..words].as_chunks::<L>().0[..chunks];
        }
        let mut ones = [[[0; L]; B]; A];
        for chunk in 0..chunks {
            for i in 0..A {
                for j in 0..B {
                    ones[i][j] = add_ones(ones[i][j], &a[i][chunk], &b[j][chunk]);
                }
            }
        }
        let mut sums = [[0; B]; A];
        for i in 0..A {
            for j in 0..B {
                sums[i][j] = sum(ones[i][j]);
            }
        }
        for i in 0..A {
            for j in 0..B {
                let (a, b) = (&lead[i * words..][..words], &last[j * words..][..words]);
                let rest = add_rest(&a[chunks * L..], &b[chunks * L..]);
                write(first + i, second + j, sums[i][j] + rest);
            }
        }
    }
}

/// Adds the ones of a conjunction, by itself so that the compiler sees a vector in it.
#[inline(always)]
#[allow(clippy::inline_always, reason = "it must be compiled with the instructions of each of its callers")]
fn add_ones<const L: usize>(mut ones: [u64; L], a: &[u64; L], b: &[u64; L]) -> [u64; L] {
    for lane in 0..L {
        ones[lane] += u64::from((a[lane] & b[lane]).count_ones());
    }
    ones
}

#[inline(always)]
#[allow(clippy::inline_always, reason = "it must be compiled with the instructions of each of its callers")]
fn sum<const L: usize>(ones: [u64; L]) -> u64 {
    let mut sum = 0;
    for ones in ones {
        sum += ones;
    }
    sum
}

#[inline(always)]
#[allow(clippy::inline_always, reason = "it must be compiled with the instructions of each of its callers")]
fn add_rest(a: &[u64], b: &[u64]) -> u64 {
    let mut sum = 0;
    for (a, b) in a.iter().zip(b) {
        sum += u64::from((a & b).count_ones());
    }
    sum
}
