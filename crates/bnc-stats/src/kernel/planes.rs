//! Bit planes: a bitmap a value over rows in class order. A cell is the number of ones in the conjunction of its values'
//! planes, within the words of its class.
//!
//! The codes of several features are packed into one 64-bit word a row, each row's word is moved to its place in class
//! order, and every 64 words are transposed as a matrix of bits: what a feature costs does not depend on the number of
//! classes, and no step branches on a code. Where no code is missing, the last value of either axis follows by subtraction.

#[cfg(target_arch = "x86_64")]
mod avx512;
mod loops;
mod order;
mod tiles;

use bnc_data::Code;
use rayon::prelude::*;
use smallvec::SmallVec;

use super::block::Columns;
use super::loops::STEP;
use loops::{BITS, PART_BITS, Packed, Parts, conjunctions, count_ones, pack, put, select, transpose};
use order::ClassOrder;
use tiles::{Pairs, count_pairs};

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
        let mut shift = BITS;
        let columns = values.iter().zip(missing).enumerate();
        for (column, values, missing) in
            columns.filter_map(|(i, (values, &missing))| Some((i, (*values)?, missing)))
        {
            let largest = if missing { values } else { values.saturating_sub(1) };
            let bits = (usize::BITS - largest.leading_zeros()) as usize;
            if shift % PART_BITS + bits > PART_BITS {
                shift = shift.next_multiple_of(PART_BITS);
            }
            if shift == BITS {
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
            let fill = |memory: &mut Memory, group: &mut Group| group.fill(columns, order, memory);
            self.groups.par_iter_mut().for_each_init(Memory::default, fill);
        } else {
            for group in &mut self.groups {
                group.fill(columns, order, memory);
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
        let (words, classes) = (self.order.words(), &self.order.classes);
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

impl Group {
    fn fill(&mut self, columns: &Columns<'_>, order: &ClassOrder, memory: &mut Memory) {
        let words = order.words();
        let Memory { ordered, slices, .. } = memory;
        // What other rows left behind at places without a row is never looked at.
        ordered.resize(words * 64, 0);
        let mut next = order.start();
        let mut parts: Parts = [[0; STEP]; BITS / PART_BITS];
        let used = self.bits.div_ceil(PART_BITS);
        for (step, class) in columns.class().chunks(STEP).enumerate() {
            parts[..used].fill([0; STEP]);
            for features in self.features.chunk_by(|a, b| a.part() == b.part()) {
                let packed = features.iter().map(|feature| Packed {
                    codes: &columns.feature(feature.column)[step * STEP..][..class.len()],
                    values: feature.values as Code,
                    shift: feature.shift % PART_BITS,
                });
                let packed: SmallVec<[Packed<'_>; PART_BITS]> = packed.collect();
                pack(&packed, &mut parts[features[0].part()]);
            }
            put(&parts, class, &mut next, ordered);
        }
        // An odd number of cache lines from slice to slice: else all of them would share a few places in the cache.
        let stride = ((words / 8) | 1) * 8 + 16;
        slices.resize(self.bits * stride, 0);
        transpose(ordered, slices, stride);
        for field in &mut self.features {
            let slices = &slices[field.shift * stride..(field.shift + field.bits) * stride];
            field.planes.resize(field.values * words, 0);
            select(&order.valid, &order.classes, slices, stride, &mut field.planes);
            field.counts.resize(field.values * order.classes.len(), 0);
            count_ones(&field.planes, words, &order.classes, &mut field.counts);
        }
    }
}

/// Adds counts to cells.
fn add(cells: &mut [u64], counts: &[u64]) {
    cells.iter_mut().zip(counts).for_each(|(cell, &count)| *cell += count);
}
