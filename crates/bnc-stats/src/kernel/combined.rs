//! Combined codes: several features make one code, so that one increment a row counts in the tables of all pairs between
//! two groups of features. The joint table is summed down to theirs at the end.
//!
//! A missing code is one more value of its feature. Cells are 16-bit indices into 32-bit counters. Features of many values
//! are groups of their own: then this is plain scatter, over more rows at a time than a block.

use bnc_data::Code;
use rayon::prelude::*;

use super::block::Columns;
use super::cost::Kernel;
use super::joint::JointTable;
use super::loops::{STEP, combine};
use super::{Job, Vars, divide};

/// All that 16-bit indices reach.
pub(super) const COUNTERS: usize = 1 << 16;

/// The bytes of counters that stay in the fastest cache.
const NEAR_BYTES: usize = 24 << 10;

/// The largest number of sub-tables, which take the increments by turns: equal neighbours do not wait for each other.
const SUB_TABLES: usize = 8;

/// The bytes of codes that are prepared at a time, which stay in the cache.
const BAND_BYTES: usize = 2 << 20;

/// The least and the most rows of a band.
const BAND_ROWS: [usize; 2] = [1 << 15, 1 << 20];

/// Which features make a joint code, and which joint codes are counted together.
#[derive(Default)]
pub(super) struct Groups {
    leads: Vec<Group>,
    /// Each lies within one of the leads.
    parts: Vec<Group>,
    /// By feature: its lead, and its part.
    places: Vec<Option<(usize, usize)>>,
}

/// Features that make a joint code.
#[derive(Default)]
pub(super) struct Group {
    pub(super) digits: Vec<Digit>,
    /// The number of joint codes.
    pub(super) size: usize,
}

/// A feature within a joint code.
#[derive(Clone, Copy)]
pub(super) struct Digit {
    pub(super) feature: usize,
    pub(super) values: usize,
    /// The values, and one more when a code is missing.
    pub(super) extended: usize,
    pub(super) stride: usize,
}

/// The tables over features of a lead, or those over one feature of a lead and one of a part of another lead.
pub(super) struct Block<'a> {
    lead: usize,
    part: Option<usize>,
    jobs: Vec<Job<'a>>,
}

/// The joint codes of some rows; those of the parts with the class, which is the faster. The memory is used again for the
/// next rows.
#[derive(Default)]
pub(super) struct Codes {
    class: Vec<u16>,
    leads: Vec<Vec<u16>>,
    parts: Vec<Vec<u16>>,
}

impl Group {
    fn push(&mut self, digit: Digit) {
        let stride = self.size.max(1);
        self.size = stride * digit.extended;
        self.digits.push(Digit { stride, ..digit });
    }

    pub(super) fn digit(&self, feature: usize) -> Option<&Digit> {
        self.digits.iter().find(|digit| digit.feature == feature)
    }

    /// Adds the joint codes of some rows, `apart` from each other.
    fn codes(&self, columns: &Columns<'_>, apart: usize, codes: &mut [u16]) {
        for digit in &self.digits {
            combine(
                columns.feature(digit.feature),
                digit.values as Code,
                (digit.stride * apart) as u16,
                codes,
            );
        }
    }
}

impl Groups {
    /// Groups of features, few of whose values are joined with few: of no more joint codes than given, but for features of
    /// more values than that; without parts where no pairs are counted. `values` has the number of values of each feature to group, `missing` whether it has missing
    /// codes.
    pub(super) fn new(
        values: &[Option<usize>],
        missing: &[bool],
        lead_codes: usize,
        part_codes: Option<usize>,
    ) -> Self {
        let digits = values.iter().zip(missing).enumerate().filter_map(|(feature, (&values, &missing))| {
            let values = values?;
            Some(Digit { feature, values, extended: values + usize::from(missing), stride: 1 })
        });
        let mut digits: Vec<Digit> = digits.collect();
        digits.sort_by_key(|digit| (digit.extended, digit.feature));
        let mut groups = Self { places: vec![None; values.len()], ..Self::default() };
        for digit in digits {
            let room = |groups: &[Group], codes: usize| {
                groups.last().is_some_and(|group| group.size * digit.extended <= codes)
            };
            let new_lead = !room(&groups.leads, lead_codes);
            if new_lead {
                groups.leads.push(Group::default());
            }
            let new_part = part_codes.is_some_and(|codes| new_lead || !room(&groups.parts, codes));
            if new_part {
                groups.parts.push(Group::default());
            }
            groups.places[digit.feature] =
                Some((groups.leads.len() - 1, groups.parts.len().saturating_sub(1)));
            groups
                .leads
                .last_mut()
                .into_iter()
                .chain(groups.parts.last_mut())
                .for_each(|group| group.push(digit));
        }
        groups
    }

    /// The number of blocks.
    pub(super) fn blocks(&self) -> usize {
        self.leads.len() * (self.parts.len() + 1)
    }

    /// The block that counts a table over so few features; `None` for a feature that is in no group.
    pub(super) fn block(&self, vars: &Vars) -> Option<usize> {
        let mut places = vars.iter().map(|feature| self.places[feature]);
        let number = |lead: usize, part: Option<usize>| {
            lead * (self.parts.len() + 1) + part.map_or(0, |part| part + 1)
        };
        let Some(first) = places.next() else {
            return (!self.leads.is_empty()).then(|| number(0, None));
        };
        let (first, second) = (first?, places.next().unwrap_or(first)?);
        let (first, second) = if first.0 <= second.0 { (first, second) } else { (second, first) };
        Some(number(first.0, (first.0 != second.0).then_some(second.1)))
    }

    /// The lead and the part of a block.
    fn of_block(&self, block: usize) -> (usize, Option<usize>) {
        let parts = self.parts.len() + 1;
        (block / parts, (block % parts).checked_sub(1))
    }

    /// The features of the lead of a block, its joint codes, and the joint codes of the part.
    pub(super) fn shape(&self, block: usize) -> (usize, usize, usize) {
        let (lead, part) = self.of_block(block);
        let lead = &self.leads[lead];
        (lead.digits.len(), lead.size, part.map_or(1, |part| self.parts[part].size))
    }

    /// The number of columns of joint codes.
    pub(super) fn columns(&self) -> usize {
        self.leads.len() + self.parts.len()
    }

    /// The number of features in them.
    pub(super) fn digits(&self) -> usize {
        self.leads.iter().chain(&self.parts).map(|group| group.digits.len()).sum()
    }

    /// How many rows are counted before the joint tables are summed down.
    pub(super) fn band(&self) -> usize {
        (BAND_BYTES / (2 * (self.columns() + 1))).clamp(BAND_ROWS[0], BAND_ROWS[1])
    }

    /// Tables by the blocks that count them; the other tables are returned as well.
    pub(super) fn assign<'a>(&self, jobs: Vec<Job<'a>>) -> (Vec<Block<'a>>, Vec<Job<'a>>) {
        let (by_block, others) = divide(jobs, self.blocks(), |kernel| match kernel {
            Kernel::Combined(block) => Some(block),
            _ => None,
        });
        let blocks = by_block.into_iter().enumerate().filter(|(_, jobs)| !jobs.is_empty());
        let mut blocks: Vec<Block<'a>> = blocks
            .map(|(block, jobs)| {
                let (lead, part) = self.of_block(block);
                Block { lead, part, jobs }
            })
            .collect();
        for Block { lead, jobs, .. } in &mut blocks {
            // Tables of one feature of the lead share a sum.
            let lead = &self.leads[*lead];
            jobs.sort_by_key(|job| job.table.vars().iter().find(|&feature| lead.digit(feature).is_some()));
        }
        (blocks, others)
    }

    /// Adds the counts of some rows to the cells of the tables; in parallel over groups and blocks if wanted.
    pub(super) fn count(
        &self,
        columns: &Columns<'_>,
        classes: usize,
        codes: &mut Codes,
        blocks: &mut [Block<'_>],
        parallel: bool,
    ) {
        let rows = columns.rows();
        let extended = classes + usize::from(columns.class_has_missing());
        let Codes { class, leads, parts } = codes;
        let blank = |codes: &mut Vec<u16>| {
            codes.clear();
            codes.resize(rows, 0);
        };
        blank(class);
        combine(columns.class(), classes as Code, 1, class);
        leads.resize_with(self.leads.len(), Vec::new);
        parts.resize_with(self.parts.len(), Vec::new);
        let lead = |(group, codes): (&Group, &mut Vec<u16>)| {
            blank(codes);
            group.codes(columns, 1, codes);
        };
        let part = |(group, codes): (&Group, &mut Vec<u16>)| {
            codes.clone_from(class);
            group.codes(columns, extended, codes);
        };
        if parallel {
            self.leads.par_iter().zip(&mut *leads).for_each(lead);
            self.parts.par_iter().zip(&mut *parts).for_each(part);
        } else {
            self.leads.iter().zip(&mut *leads).for_each(lead);
            self.parts.iter().zip(&mut *parts).for_each(part);
        }
        let count = |memory: &mut Memory, block: &mut Block<'_>| {
            let lead = &self.leads[block.lead];
            let part = block.part.map(|part| &self.parts[part]);
            let joined = block.part.map_or(&*class, |part| &parts[part]);
            let width = part.map_or(1, |part| part.size) * extended;
            memory.count(&leads[block.lead], joined, width, lead.size * width);
            let Memory { totals, sums, .. } = memory;
            JointTable { lead, part, classes, extended, totals }.add(&mut block.jobs, sums);
        };
        if parallel {
            blocks.par_iter_mut().for_each_init(Memory::default, count);
        } else {
            let mut memory = Memory::default();
            for block in blocks {
                count(&mut memory, block);
            }
        }
    }
}

/// The number of sub-tables for a joint table of so many cells.
pub(super) fn sub_tables(cells: usize) -> usize {
    let near = NEAR_BYTES / size_of::<u32>() / cells.max(1);
    1 << near.clamp(1, SUB_TABLES).ilog2()
}

/// Memory that is used again for the next joint table.
#[derive(Default)]
struct Memory {
    counters: Vec<u32>,
    totals: Vec<u32>,
    sums: Vec<u32>,
}

impl Memory {
    /// The joint table of two codes.
    fn count(&mut self, lead: &[u16], joined: &[u16], width: usize, size: usize) {
        self.counters.resize(COUNTERS, 0);
        self.totals.clear();
        self.totals.resize(size, 0);
        let Some(counters) = self.counters.first_chunk_mut::<COUNTERS>() else {
            return;
        };
        let subs = sub_tables(size);
        let mut offsets = [0; SUB_TABLES];
        for (turn, offset) in offsets.iter_mut().enumerate() {
            *offset = (turn % subs * size) as u16;
        }
        increment(lead, width as u16, joined, &offsets, counters);
        for counters in counters[..subs * size].chunks_exact_mut(size) {
            self.totals.iter_mut().zip(&*counters).for_each(|(total, &count)| *total += count);
            counters.fill(0);
        }
    }
}

vectorised! {
fn increment(
    lead: &[u16],
    width: u16,
    joined: &[u16],
    offsets: &[u16; SUB_TABLES],
    counters: &mut [u32; COUNTERS],
) {
    let mut indices = [0_u16; STEP];
    for (lead, joined) in lead.chunks(STEP).zip(joined.chunks(STEP)) {
        let indices = &mut indices[..lead.len()];
        for ((index, &lead), &joined) in indices.iter_mut().zip(lead).zip(joined) {
            *index = lead.wrapping_mul(width).wrapping_add(joined);
        }
        // The rows of a last, shorter turn all count in the first sub-table.
        for turn in indices.chunks_exact_mut(SUB_TABLES) {
            for (index, &offset) in turn.iter_mut().zip(offsets) {
                *index = index.wrapping_add(offset);
            }
        }
        for &index in &*indices {
            // Fewer than 2^32 rows: no counter overflows.
            counters[usize::from(index)] = counters[usize::from(index)].wrapping_add(1);
        }
    }
}
}
