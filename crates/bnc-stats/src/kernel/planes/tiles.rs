//! The pairs of planes, counted by tiles.

use std::ops::Range;

use multiversion::target::match_target;

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
    /// Hands out every class in tiles of at most `SIDE` planes of either family, with their numbers.
    #[inline(always)]
    #[allow(
        clippy::inline_always,
        reason = "it must be compiled with the instructions of each of its callers"
    )]
    pub(super) fn for_each_tile<const SIDE: usize>(&self, mut count: impl FnMut(&Tile<'_>, usize, usize)) {
        let (leads, lasts) = (self.leads - self.complete, self.lasts - self.complete);
        for (class, range) in self.classes.iter().enumerate() {
            for lead in (0..leads).step_by(SIDE) {
                for last in (0..lasts).step_by(SIDE) {
                    let tile = Tile::new(self, class, range, lead, last);
                    count(&tile, SIDE.min(leads - lead), SIDE.min(lasts - last));
                }
            }
        }
    }

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

vectorised! {
/// Counts every pair of planes in every class, by tiles: a word that is read serves several counts.
pub(super) fn count_pairs(pairs: &Pairs<'_>, counts: &mut [u64]) {
    match_target! {
        "x86_64+avx512f" => super::avx512::count_pairs(pairs, counts),
        _ => pairs.for_each_tile::<2>(|tile, leads, lasts| match (leads, lasts) {
            (1, 1) => tile.count::<1, 1>(counts),
            (1, 2) => tile.count::<1, 2>(counts),
            (2, 1) => tile.count::<2, 1>(counts),
            (2, 2) => tile.count::<2, 2>(counts),
            _ => {}
        }),
    }
}
}

/// The words of a plane, by vectors.
type Vectors<'a, const L: usize> = &'a [[u64; L]];

/// Some planes of either family in one class.
pub(super) struct Tile<'a> {
    /// From the first of the tile on.
    pub(super) lead: &'a [u64],
    pub(super) last: &'a [u64],
    /// The words of a plane.
    pub(super) words: usize,
    /// Where the count of the first pair goes; from one plane of `lead` to the next, and of `last`.
    start: usize,
    strides: (usize, usize),
}

impl<'a> Tile<'a> {
    fn new(pairs: &Pairs<'a>, class: usize, range: &Range<usize>, lead: usize, last: usize) -> Self {
        let words = range.len();
        let classes = pairs.classes.len();
        Self {
            lead: &pairs.lead[pairs.leads * range.start + lead * words..],
            last: &pairs.last[pairs.lasts * range.start + last * words..],
            words,
            start: (lead * pairs.lasts + last) * classes + class,
            strides: (pairs.lasts * classes, classes),
        }
    }

    /// The words of the first planes, by vectors: slices of one length, so that no bound is checked in a loop over them.
    #[inline(always)]
    #[allow(
        clippy::inline_always,
        reason = "it must be compiled with the instructions of each of its callers"
    )]
    pub(super) fn planes<const A: usize, const B: usize, const L: usize>(
        &self,
    ) -> ([Vectors<'a, L>; A], [Vectors<'a, L>; B]) {
        let (mut a, mut b) = ([[].as_slice(); A], [[].as_slice(); B]);
        let chunks = self.words / L;
        for (i, a) in a.iter_mut().enumerate() {
            *a = &self.lead[i * self.words..][..self.words].as_chunks::<L>().0[..chunks];
        }
        for (j, b) in b.iter_mut().enumerate() {
            *b = &self.last[j * self.words..][..self.words].as_chunks::<L>().0[..chunks];
        }
        (a, b)
    }

    /// Puts the count of a pair of the tile in its place.
    pub(super) fn put(&self, counts: &mut [u64], lead: usize, last: usize, count: u64) {
        counts[self.start + lead * self.strides.0 + last * self.strides.1] = count;
    }

    #[inline(always)]
    #[allow(
        clippy::inline_always,
        reason = "it must be compiled with the instructions of each of its callers"
    )]
    fn count<const A: usize, const B: usize>(&self, counts: &mut [u64]) {
        let (a, b) = self.planes::<A, B, 1>();
        let mut ones = [[0; B]; A];
        for word in 0..a[0].len() {
            for i in 0..A {
                for j in 0..B {
                    ones[i][j] += u64::from((a[i][word][0] & b[j][word][0]).count_ones());
                }
            }
        }
        for (i, ones) in ones.into_iter().enumerate() {
            for (j, ones) in ones.into_iter().enumerate() {
                self.put(counts, i, j, ones);
            }
        }
    }
}
