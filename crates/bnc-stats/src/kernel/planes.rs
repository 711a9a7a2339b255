//! Bit planes: a bitmap a value over rows in class order. A cell is the number of ones in the conjunction of its values'
//! planes, within the words of its class.
//!
//! The codes of several features are packed into one 64-bit word a row, each row's word is moved to its place in class
//! order, and every 64 words are transposed as a matrix of bits: what a feature costs does not depend on the number of
//! classes, and no step branches on a code. Where no code is missing, the last value of either axis follows by subtraction.

use std::ops::Range;

use bnc_data::{Code, MISSING};
use multiversion::multiversion;
use rayon::prelude::*;

/// Rows are packed in steps of this many, which stay in the fastest cache.
const STEP: usize = 1024;

/// The planes of the features that are counted by them, over the rows of one block.
pub(super) struct Planes {
    /// The number of words of a plane.
    words: usize,
    /// The words of each class.
    classes: Vec<Range<usize>>,
    /// The number of rows of each class.
    sizes: Vec<u64>,
    /// By feature; empty for a feature that no table counts by planes.
    features: Vec<Feature>,
}

#[derive(Default)]
struct Feature {
    /// The planes of all values, one after the other.
    planes: Vec<u64>,
    /// How often each value occurs in each class, the class fastest.
    counts: Vec<u64>,
    missing: bool,
}

/// What a feature takes of the packed word.
struct Field {
    feature: usize,
    values: usize,
    missing: bool,
    shift: usize,
    bits: usize,
}

impl Planes {
    /// The planes of the features for which `values` gives their number of values, and `missing` whether one of their codes
    /// is missing.
    pub(super) fn new(
        class: &[Code],
        classes: usize,
        columns: &[&[Code]],
        values: &[Option<usize>],
        missing: &[bool],
        parallel: bool,
    ) -> Self {
        let (order, sizes) = ClassOrder::new(class, classes);
        let mut groups: Vec<Vec<Field>> = Vec::new();
        let mut shift = 64;
        for (feature, values) in values.iter().enumerate().filter_map(|(i, values)| Some((i, (*values)?))) {
            let missing = missing[feature];
            let bits = (usize::BITS - (values - usize::from(!missing)).leading_zeros()).max(1) as usize;
            if shift + bits > 64 {
                groups.push(Vec::new());
                shift = 0;
            }
            if let Some(group) = groups.last_mut() {
                group.push(Field { feature, values, missing, shift, bits });
            }
            shift += bits;
        }
        let planes_of = |group: &Vec<Field>| order.planes(columns, group);
        let built: Vec<Vec<Feature>> = if parallel {
            groups.par_iter().map(planes_of).collect()
        } else {
            groups.iter().map(planes_of).collect()
        };
        let mut features: Vec<Feature> = Vec::new();
        features.resize_with(columns.len(), Feature::default);
        for (field, feature) in groups.iter().flatten().zip(built.into_iter().flatten()) {
            features[field.feature] = feature;
        }
        Self { words: order.valid.len(), classes: order.classes, sizes, features }
    }

    /// Adds the counts of a table over `vars` to its cells, the class fastest.
    pub(super) fn count(
        &self,
        vars: impl ExactSizeIterator<Item = usize>,
        scratch: &mut Scratch,
        cells: &mut [u64],
    ) {
        let mut features = vars.map(|feature| &self.features[feature]);
        let leading = features.len().saturating_sub(1);
        let lead: Vec<&Feature> = features.by_ref().take(leading).collect();
        let Some(last) = features.next() else {
            return add(cells, &self.sizes);
        };
        let Some((first, more)) = lead.split_first() else {
            return add(cells, &last.counts);
        };
        if self.words == 0 {
            return;
        }
        let complete = !last.missing && lead.iter().all(|feature| !feature.missing);
        let Scratch { counts, planes, next_planes, ones } = scratch;
        counts.clear();
        counts.resize(cells.len(), 0);
        let (lead_planes, lead_counts) = if more.is_empty() {
            (first.planes.as_slice(), first.counts.as_slice())
        } else {
            planes.clone_from(&first.planes);
            for feature in more {
                conjunctions(planes, &feature.planes, self.words, next_planes);
                std::mem::swap(planes, next_planes);
            }
            ones.clear();
            ones.resize(planes.len() / self.words.max(1) * self.classes.len(), 0);
            if complete {
                count_ones(planes, self.words, &self.classes, ones);
            }
            (planes.as_slice(), ones.as_slice())
        };
        let job = Pairs {
            lead: lead_planes,
            last: &last.planes,
            words: self.words,
            classes: &self.classes,
            complete: usize::from(complete),
        };
        count_pairs(&job, counts);
        if complete {
            job.subtract(lead_counts, &last.counts, counts);
        }
        add(cells, counts);
    }
}

/// Memory that is used again for the next table.
#[derive(Default)]
pub(super) struct Scratch {
    counts: Vec<u64>,
    planes: Vec<u64>,
    next_planes: Vec<u64>,
    ones: Vec<u64>,
}

/// Where each row lies when rows are ordered by class and every class begins with a new word.
struct ClassOrder {
    classes: Vec<Range<usize>>,
    /// A row without a class lies past the end.
    places: Vec<u32>,
    /// The places that hold a row.
    valid: Vec<u64>,
}

impl ClassOrder {
    fn new(class: &[Code], classes: usize) -> (Self, Vec<u64>) {
        let mut sizes = vec![0; classes + 1];
        for &class in class {
            sizes[usize::from(class).min(classes)] += 1;
        }
        sizes.truncate(classes);
        let mut ranges = Vec::with_capacity(classes);
        let mut next = Vec::with_capacity(classes + 1);
        let mut valid = Vec::new();
        for &size in &sizes {
            let (start, size) = (valid.len(), size as usize);
            next.push(start as u32 * 64);
            valid.resize(start + size / 64, u64::MAX);
            if !size.is_multiple_of(64) {
                valid.push((1 << (size % 64)) - 1);
            }
            ranges.push(start..valid.len());
        }
        let past = valid.len() as u32 * 64;
        next.push(past);
        let place = |&class: &Code| {
            let next = &mut next[usize::from(class).min(classes)];
            let place = *next;
            *next += 1;
            place.min(past)
        };
        let places = class.iter().map(place).collect();
        (Self { classes: ranges, places, valid }, sizes)
    }

    fn planes(&self, columns: &[&[Code]], group: &[Field]) -> Vec<Feature> {
        let words = self.valid.len();
        let mut ordered = vec![0; words * 64 + 1];
        let mut packed = [0; STEP];
        for (step, places) in self.places.chunks(STEP).enumerate() {
            let packed = &mut packed[..places.len()];
            packed.fill(0);
            for field in group {
                let codes = &columns[field.feature][step * STEP..][..places.len()];
                pack(codes, field.values as Code, field.shift, packed);
            }
            for (&word, &place) in packed.iter().zip(places) {
                ordered[place as usize] = word;
            }
        }
        let bits = group.last().map_or(0, |field| field.shift + field.bits);
        let mut slices = vec![0; bits * words];
        transpose(&mut ordered, &mut slices, words);
        let planes_of = |field: &Field| {
            let slices = &slices[field.shift * words..(field.shift + field.bits) * words];
            let mut planes = vec![0; field.values * words];
            for (value, plane) in planes.chunks_exact_mut(words.max(1)).enumerate() {
                select(&self.valid, slices, value, plane);
            }
            let mut counts = vec![0; field.values * self.classes.len()];
            count_ones(&planes, words, &self.classes, &mut counts);
            Feature { planes, counts, missing: field.missing }
        };
        group.iter().map(planes_of).collect()
    }
}

/// Puts codes into their bits of the packed words; a missing code counts as the value past the last.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl", "x86_64+avx2", "aarch64+neon"))]
fn pack(codes: &[Code], values: Code, shift: usize, packed: &mut [u64]) {
    for (word, &code) in packed.iter_mut().zip(codes) {
        *word |= u64::from(code.min(values)) << shift;
    }
}

/// Transposes every 64 words as a matrix of bits; `slices` has as many rows of `words` words as bits are wanted.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl", "x86_64+avx2", "aarch64+neon"))]
fn transpose(ordered: &mut [u64], slices: &mut [u64], words: usize) {
    for (word, matrix) in ordered.chunks_exact_mut(64).enumerate() {
        let mut width = 32;
        let mut mask = u64::from(u32::MAX);
        while width > 0 {
            for pair in matrix.chunks_exact_mut(2 * width) {
                let (low, high) = pair.split_at_mut(width);
                for (low, high) in low.iter_mut().zip(high) {
                    let swap = ((*low >> width) ^ *high) & mask;
                    *high ^= swap;
                    *low ^= swap << width;
                }
            }
            width /= 2;
            mask ^= mask << width;
        }
        for (slice, &bits) in slices.chunks_exact_mut(words).zip(&*matrix) {
            slice[word] = bits;
        }
    }
}

/// The plane of a value: the valid places whose slices are the bits of the value.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl", "x86_64+avx2", "aarch64+neon"))]
fn select(valid: &[u64], slices: &[u64], value: usize, plane: &mut [u64]) {
    plane.copy_from_slice(valid);
    for (bit, slice) in slices.chunks_exact(valid.len().max(1)).enumerate() {
        let flip = if value >> bit & 1 == 1 { 0 } else { u64::MAX };
        for (word, &slice) in plane.iter_mut().zip(slice) {
            *word &= slice ^ flip;
        }
    }
}

/// All conjunctions of a plane of `a` and a plane of `b`, those of `b` faster.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl", "x86_64+avx2", "aarch64+neon"))]
fn conjunctions(a: &[u64], b: &[u64], words: usize, out: &mut Vec<u64>) {
    out.clear();
    for a in a.chunks_exact(words.max(1)) {
        for b in b.chunks_exact(words.max(1)) {
            out.extend(a.iter().zip(b).map(|(&a, &b)| a & b));
        }
    }
}

/// The number of ones of each plane in each class, the class fastest.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512vl+avx512vpopcntdq",
    "x86_64+avx2+bmi2+popcnt",
    "aarch64+neon"
))]
fn count_ones(planes: &[u64], words: usize, classes: &[Range<usize>], counts: &mut [u64]) {
    for (plane, counts) in planes.chunks_exact(words.max(1)).zip(counts.chunks_exact_mut(classes.len())) {
        for (count, range) in counts.iter_mut().zip(classes) {
            *count = plane[range.clone()].iter().map(|word| u64::from(word.count_ones())).sum();
        }
    }
}

/// Two families of planes whose every pair is counted.
struct Pairs<'a> {
    lead: &'a [u64],
    last: &'a [u64],
    words: usize,
    classes: &'a [Range<usize>],
    /// 1 when the last plane of either family is left to subtraction, otherwise 0.
    complete: usize,
}

impl Pairs<'_> {
    fn sizes(&self) -> (usize, usize) {
        let words = self.words.max(1);
        (self.lead.len() / words, self.last.len() / words)
    }

    /// Fills in what is left to subtraction, from the counts of either family.
    fn subtract(&self, lead_counts: &[u64], last_counts: &[u64], counts: &mut [u64]) {
        let classes = self.classes.len();
        let (leads, lasts) = self.sizes();
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

/// Counts every pair of planes in every class, two by two planes at a time so that each word is read half as often.
#[multiversion(targets(
    "x86_64+avx512f+avx512bw+avx512vl+avx512vpopcntdq",
    "x86_64+avx2+bmi2+popcnt",
    "aarch64+neon"
))]
fn count_pairs(pairs: &Pairs<'_>, counts: &mut [u64]) {
    let (leads, lasts) = pairs.sizes();
    let classes = pairs.classes.len();
    let (lead_end, last_end) = (leads - pairs.complete, lasts - pairs.complete);
    for (class, range) in pairs.classes.iter().enumerate() {
        let mut write =
            |lead: usize, last: usize, count: u64| counts[(lead * lasts + last) * classes + class] = count;
        for lead in (0..lead_end).step_by(2) {
            for last in (0..last_end).step_by(2) {
                match (lead + 1 < lead_end, last + 1 < last_end) {
                    (true, true) => tile::<2, 2>(pairs, range, lead, last, &mut write),
                    (true, false) => tile::<2, 1>(pairs, range, lead, last, &mut write),
                    (false, true) => tile::<1, 2>(pairs, range, lead, last, &mut write),
                    (false, false) => tile::<1, 1>(pairs, range, lead, last, &mut write),
                }
            }
        }
    }
}

#[inline(always)]
#[allow(clippy::inline_always, reason = "it must be compiled with the instructions of each of its callers")]
fn tile<const A: usize, const B: usize>(
    pairs: &Pairs<'_>,
    range: &Range<usize>,
    lead: usize,
    last: usize,
    write: &mut impl FnMut(usize, usize, u64),
) {
    let a: [&[u64]; A] = std::array::from_fn(|i| &pairs.lead[(lead + i) * pairs.words..][range.clone()]);
    let b: [&[u64]; B] = std::array::from_fn(|j| &pairs.last[(last + j) * pairs.words..][range.clone()]);
    let mut ones = [[0_u64; B]; A];
    for word in 0..range.len() {
        for (a, ones) in a.iter().zip(&mut ones) {
            for (b, ones) in b.iter().zip(ones) {
                *ones += u64::from((a[word] & b[word]).count_ones());
            }
        }
    }
    for (i, ones) in ones.iter().enumerate() {
        for (j, &ones) in ones.iter().enumerate() {
            write(lead + i, last + j, ones);
        }
    }
}

/// Adds counts to cells.
fn add(cells: &mut [u64], counts: &[u64]) {
    cells.iter_mut().zip(counts).for_each(|(cell, &count)| *cell += count);
}

/// Whether a column has missing codes.
#[multiversion(targets("x86_64+avx512f+avx512bw+avx512vl", "x86_64+avx2", "aarch64+neon"))]
pub(super) fn any_missing(column: &[Code]) -> bool {
    column.chunks(STEP).any(|codes| codes.iter().fold(false, |any, &code| any | (code == MISSING)))
}
