//! Bit planes: a bitmap a value over rows in class order. A cell is the number of ones in the conjunction of its values'
//! planes, within the words of its class.
//!
//! The codes of several features are packed into one 64-bit word a row, each row's word is moved to its place in class
//! order, and every 64 words are transposed as a matrix of bits: what a feature costs does not depend on the number of
//! classes, and no step branches on a code. Where no code is missing, the last value of either axis follows by subtraction.

use std::ops::Range;

use bnc_data::Code;
use rayon::prelude::*;
use smallvec::SmallVec;

use super::block::Columns;
use super::loops::{PART_BITS, PARTS, STEP, conjunctions, count_ones, pack, scatter, select, transpose};

/// The planes of the features that are counted by them, over the rows of one block.
#[derive(Default)]
pub(super) struct Planes {
    order: ClassOrder,
    groups: Vec<Group>,
    /// The group of a feature, and its place there.
    places: Vec<Option<(usize, usize)>>,
}

/// Features whose codes fit together into 64 bits.
#[derive(Default)]
struct Group {
    features: Vec<Feature>,
    bits: usize,
}

struct Feature {
    column: usize,
    values: usize,
    missing: bool,
    /// Where its code lies in the packed word; room for a missing code included.
    shift: usize,
    bits: usize,
    /// Class by class the planes of all values: what is counted together lies together.
    planes: Vec<u64>,
    /// How often each value occurs in each class, the class fastest.
    counts: Vec<u64>,
}

impl Planes {
    /// Room for the features for which `values` gives their number of values.
    pub(super) fn new(values: &[Option<usize>]) -> Self {
        let mut planes = Self::default();
        if values.iter().all(Option::is_none) {
            return planes;
        }
        planes.places = vec![None; values.len()];
        let mut shift = PARTS * PART_BITS;
        for (feature, values) in values.iter().enumerate().filter_map(|(i, values)| Some((i, (*values)?))) {
            let bits = (usize::BITS - values.leading_zeros()) as usize;
            if shift % PART_BITS + bits > PART_BITS {
                shift = shift.next_multiple_of(PART_BITS);
            }
            if shift == PARTS * PART_BITS {
                planes.groups.push(Group::default());
                shift = 0;
            }
            let number = planes.groups.len() - 1;
            if let Some(group) = planes.groups.last_mut() {
                planes.places[feature] = Some((number, group.features.len()));
                let (planes, counts) = (Vec::new(), Vec::new());
                let field = Feature { column: feature, values, missing: false, shift, bits, planes, counts };
                group.features.push(field);
                group.bits = shift + bits;
            }
            shift += bits;
        }
        planes
    }

    /// Whether there is nothing to prepare.
    pub(super) fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// The planes of a block; in parallel over groups of features if wanted.
    pub(super) fn fill(
        &mut self,
        columns: &Columns<'_>,
        classes: usize,
        memory: &mut Memory,
        parallel: bool,
    ) {
        let order = &mut self.order;
        order.fill(columns.class(), classes);
        if parallel {
            let fill = |memory: &mut Memory, group: &mut Group| order.fill_group(columns, memory, group);
            self.groups.par_iter_mut().for_each_init(Memory::default, fill);
        } else {
            for group in &mut self.groups {
                order.fill_group(columns, memory, group);
            }
        }
    }

    fn feature(&self, feature: usize) -> Option<&Feature> {
        let (group, place) = self.places[feature]?;
        Some(&self.groups[group].features[place])
    }

    /// Adds the counts of a table over `vars` to its cells, the class fastest.
    pub(super) fn count(&self, vars: impl Iterator<Item = usize>, memory: &mut Memory, cells: &mut [u64]) {
        let features: SmallVec<[&Feature; 4]> = vars.filter_map(|feature| self.feature(feature)).collect();
        let Some((last, lead)) = features.split_last() else {
            return add(cells, &self.order.sizes);
        };
        let Some((first, more)) = lead.split_first() else {
            return add(cells, &last.counts);
        };
        let (words, classes) = (self.order.valid.len(), &self.order.classes);
        if words == 0 {
            return;
        }
        let complete = !last.missing && lead.iter().all(|feature| !feature.missing);
        let Memory { counts, planes, next_planes, ones, .. } = memory;
        counts.clear();
        counts.resize(cells.len(), 0);
        let (lead_planes, lead_counts) = if more.is_empty() {
            (first.planes.as_slice(), first.counts.as_slice())
        } else {
            planes.clone_from(&first.planes);
            for feature in more {
                conjunctions(planes, &feature.planes, words, classes, next_planes);
                std::mem::swap(planes, next_planes);
            }
            ones.clear();
            ones.resize(planes.len() / words * classes.len(), 0);
            if complete {
                count_ones(planes, words, classes, ones);
            }
            (planes.as_slice(), ones.as_slice())
        };
        let job = Pairs {
            lead: lead_planes,
            last: &last.planes,
            leads: lead_planes.len() / words,
            lasts: last.planes.len() / words,
            classes,
            complete: usize::from(complete),
        };
        count_pairs(&job, counts);
        if complete {
            job.subtract(lead_counts, &last.counts, counts);
        }
        add(cells, counts);
    }
}

/// Memory that is used again for the next table or block.
#[derive(Default)]
pub(super) struct Memory {
    counts: Vec<u64>,
    planes: Vec<u64>,
    next_planes: Vec<u64>,
    ones: Vec<u64>,
    ordered: Vec<u64>,
    slices: Vec<u64>,
}

/// Where each row lies when rows are ordered by class and every class begins with a new word.
#[derive(Default)]
struct ClassOrder {
    /// The number of rows of each class.
    sizes: Vec<u64>,
    /// The words of each class.
    classes: Vec<Range<usize>>,
    /// A row without a class lies past the end.
    places: Vec<u32>,
    /// The places that hold a row.
    valid: Vec<u64>,
}

impl ClassOrder {
    fn fill(&mut self, class: &[Code], classes: usize) {
        let Self { sizes, classes: ranges, places, valid } = self;
        sizes.clear();
        sizes.resize(classes + 1, 0);
        for &class in class {
            sizes[usize::from(class).min(classes)] += 1;
        }
        sizes.truncate(classes);
        ranges.clear();
        valid.clear();
        let mut next = Vec::with_capacity(classes + 1);
        for &size in &*sizes {
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
        places.clear();
        places.extend(class.iter().map(|&class| {
            let next = &mut next[usize::from(class).min(classes)];
            let place = *next;
            *next += 1;
            place.min(past)
        }));
    }

    fn fill_group(&self, columns: &Columns<'_>, memory: &mut Memory, group: &mut Group) {
        let words = self.valid.len();
        let Memory { ordered, slices, .. } = memory;
        // What other rows left behind at places without a row is never looked at.
        ordered.resize(words * 64 + 1, 0);
        let mut parts = [[0; STEP]; PARTS];
        let used = group.bits.div_ceil(PART_BITS);
        for (step, places) in self.places.chunks(STEP).enumerate() {
            parts[..used].fill([0; STEP]);
            for field in &group.features {
                let codes = &columns.feature(field.column)[step * STEP..][..places.len()];
                let part = &mut parts[field.shift / PART_BITS];
                pack(codes, field.values as Code, field.shift % PART_BITS, part);
            }
            scatter(&parts, places, ordered);
        }
        // An odd number of cache lines from slice to slice: else all of them would share a few places in the cache.
        let stride = ((words / 8) | 1) * 8 + 16;
        slices.resize(group.bits * stride, 0);
        transpose(ordered, slices, stride);
        for field in &mut group.features {
            let slices = &slices[field.shift * stride..(field.shift + field.bits) * stride];
            field.missing = columns.has_missing(field.column);
            field.planes.resize(field.values * words, 0);
            select(&self.valid, &self.classes, slices, stride, &mut field.planes);
            field.counts.resize(field.values * self.classes.len(), 0);
            count_ones(&field.planes, words, &self.classes, &mut field.counts);
        }
    }
}

/// Two families of planes whose every pair is counted.
struct Pairs<'a> {
    lead: &'a [u64],
    last: &'a [u64],
    /// The number of planes of either.
    leads: usize,
    lasts: usize,
    classes: &'a [Range<usize>],
    /// 1 when the last plane of either family is left to subtraction, otherwise 0.
    complete: usize,
}

impl Pairs<'_> {
    /// Fills in what is left to subtraction, from the counts of either family.
    fn subtract(&self, lead_counts: &[u64], last_counts: &[u64], counts: &mut [u64]) {
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
/// Counts every pair of planes in every class, two by two planes at a time so that each word is read half as often.
fn count_pairs(pairs: &Pairs<'_>, counts: &mut [u64]) {
    let (leads, lasts) = (pairs.leads, pairs.lasts);
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
}

#[inline(always)]
#[allow(clippy::inline_always, reason = "it must be compiled with the instructions of each of its callers")]
fn tile<const A: usize, const B: usize>(
    pairs: &Pairs<'_>,
    range: &Range<usize>,
    first: usize,
    second: usize,
    write: &mut impl FnMut(usize, usize, u64),
) {
    // Slices of one length, so that no bound is checked in the loop.
    let words = range.len();
    let lead = &pairs.lead[pairs.leads * range.start + first * words..];
    let last = &pairs.last[pairs.lasts * range.start + second * words..];
    let a: [&[u64]; A] = std::array::from_fn(|i| &lead[i * words..][..words]);
    let b: [&[u64]; B] = std::array::from_fn(|j| &last[j * words..][..words]);
    let mut ones = [[0_u64; B]; A];
    for word in 0..words {
        for (a, ones) in a.iter().zip(&mut ones) {
            for (b, ones) in b.iter().zip(ones) {
                *ones += u64::from((a[word] & b[word]).count_ones());
            }
        }
    }
    for (i, ones) in ones.iter().enumerate() {
        for (j, &ones) in ones.iter().enumerate() {
            write(first + i, second + j, ones);
        }
    }
}

/// Adds counts to cells.
fn add(cells: &mut [u64], counts: &[u64]) {
    cells.iter_mut().zip(counts).for_each(|(cell, &count)| *cell += count);
}
