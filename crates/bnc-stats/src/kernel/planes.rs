//! Bit planes: a bitmap a value over rows in class order. A cell is the number of ones in the conjunction of its values'
//! planes, within the words of its class.
//!
//! The codes of several features are packed into one 64-bit word a row, each row's word is moved to its place in class
//! order, and every 64 words are transposed as a matrix of bits: what a feature costs does not depend on the number of
//! classes, and no step branches on a code. Where no code is missing, the last value of either axis follows by subtraction.

mod tiles;

use std::ops::Range;

use bnc_data::Code;
use rayon::prelude::*;
use smallvec::SmallVec;

use super::block::Columns;
use super::loops::{
    PART_BITS, PARTS, Packed, STEP, conjunctions, count_ones, pack, scatter, select, transpose,
};
use tiles::{Pairs, count_pairs, unit};

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
    /// Where its code lies in the packed word; room for a missing code included if there are any.
    shift: usize,
    bits: usize,
    /// Class by class the planes of all values: what is counted together lies together.
    planes: Vec<u64>,
    /// How often each value occurs in each class, the class fastest.
    counts: Vec<u64>,
}

impl Feature {
    /// The part of the packed word that its code lies in.
    fn part(&self) -> usize {
        self.shift / PART_BITS
    }
}

impl Planes {
    /// Room for the features for which `values` gives their number of values: a missing code may take another bit.
    pub(super) fn new(values: &[Option<usize>], missing: &[bool]) -> Self {
        let mut planes = Self::default();
        if values.iter().all(Option::is_none) {
            return planes;
        }
        planes.places = vec![None; values.len()];
        let mut shift = PARTS * PART_BITS;
        let columns = values.iter().zip(missing).enumerate();
        for (column, values, missing) in
            columns.filter_map(|(i, (values, &missing))| Some((i, (*values)?, missing)))
        {
            let largest = if missing { values } else { values.saturating_sub(1) };
            let bits = (usize::BITS - largest.leading_zeros()) as usize;
            if shift % PART_BITS + bits > PART_BITS {
                shift = shift.next_multiple_of(PART_BITS);
            }
            if shift == PARTS * PART_BITS {
                planes.groups.push(Group::default());
                shift = 0;
            }
            let number = planes.groups.len() - 1;
            if let Some(group) = planes.groups.last_mut() {
                planes.places[column] = Some((number, group.features.len()));
                let (planes, counts) = (Vec::new(), Vec::new());
                group.features.push(Feature { column, values, missing, shift, bits, planes, counts });
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
        // In halves side by side, so that few rows wait for what the one before has counted. By class, rows without one
        // last: the number of rows, then where the next one lies.
        let mut next = [vec![0_u32; classes + 1], vec![0_u32; classes + 1]];
        let (first, second) = class.split_at(class.len() / 2);
        {
            let [next, others] = &mut next;
            let (next, others) = (&mut next[..=classes], &mut others[..=classes]);
            for (&class, &other) in first.iter().zip(second) {
                next[usize::from(class).min(classes)] += 1;
                others[usize::from(other).min(classes)] += 1;
            }
            for &other in &second[first.len()..] {
                others[usize::from(other).min(classes)] += 1;
            }
        }
        sizes.clear();
        ranges.clear();
        valid.clear();
        // Tiny classes are not filled up: too much of the planes would be empty.
        let unit = if class.len() >= 128 * classes { unit() } else { 1 };
        for class in 0..classes {
            let start = valid.len();
            let mut size = 0;
            for next in &mut next {
                let next = &mut next[class];
                (*next, size) = (start as u32 * 64 + size, size + *next);
            }
            sizes.push(u64::from(size));
            let size = size as usize;
            valid.resize(start + size / 64, u64::MAX);
            if !size.is_multiple_of(64) {
                valid.push((1 << (size % 64)) - 1);
            }
            valid.resize(valid.len().next_multiple_of(unit), 0);
            ranges.push(start..valid.len());
        }
        let past = valid.len() as u32 * 64;
        places.resize(class.len(), 0);
        let (first_places, second_places) = places.split_at_mut(first.len());
        let [next, others] = &mut next;
        let (next, others) = (&mut next[..=classes], &mut others[..=classes]);
        (next[classes], others[classes]) = (past, past);
        let place = |next: &mut [u32], class: Code| {
            let next = &mut next[usize::from(class).min(classes)];
            *next += 1;
            (*next - 1).min(past)
        };
        let rows = first.iter().zip(first_places).zip(second.iter().zip(&mut *second_places));
        for ((&class, to), (&other, other_to)) in rows {
            *to = place(next, class);
            *other_to = place(others, other);
        }
        for (&other, to) in second.iter().zip(second_places).skip(first.len()) {
            *to = place(others, other);
        }
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
            for features in group.features.chunk_by(|a, b| a.part() == b.part()) {
                let packed = features.iter().map(|feature| Packed {
                    codes: &columns.feature(feature.column)[step * STEP..][..places.len()],
                    values: feature.values as Code,
                    shift: feature.shift % PART_BITS,
                });
                let packed: SmallVec<[Packed<'_>; PART_BITS]> = packed.collect();
                pack(&packed, &mut parts[features[0].part()]);
            }
            scatter(&parts, places, ordered);
        }
        // An odd number of cache lines from slice to slice: else all of them would share a few places in the cache.
        let stride = ((words / 8) | 1) * 8 + 16;
        slices.resize(group.bits * stride, 0);
        transpose(ordered, slices, stride);
        for field in &mut group.features {
            let slices = &slices[field.shift * stride..(field.shift + field.bits) * stride];
            field.planes.resize(field.values * words, 0);
            select(&self.valid, &self.classes, slices, stride, &mut field.planes);
            field.counts.resize(field.values * self.classes.len(), 0);
            count_ones(&field.planes, words, &self.classes, &mut field.counts);
        }
    }
}

/// Adds counts to cells.
fn add(cells: &mut [u64], counts: &[u64]) {
    cells.iter_mut().zip(counts).for_each(|(cell, &count)| *cell += count);
}
