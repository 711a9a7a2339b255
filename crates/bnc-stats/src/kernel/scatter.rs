//! Blocked scatter: one increment a row at the index of its cell, in small counters.
//!
//! There are several sub-tables, incremented by turns: an increment need not wait for the one before it when both are of the
//! same cell. A missing code is one more value, whose cells are left out at the end, so that no step branches on a code.

use bnc_data::Code;
use smallvec::SmallVec;

/// Indices are made and used in steps of this many rows.
const STEP: usize = 512;

/// All that 16-bit indices reach.
const COUNTERS: usize = 1 << 16;

/// The bytes of counters that stay in the fastest cache.
const NEAR_BYTES: usize = 24 << 10;

/// The largest number of sub-tables.
const SUB_TABLES: usize = 8;

/// An axis of a blocked table: its codes, where a missing code is the value past the last.
#[derive(Default)]
pub(super) struct Axis {
    codes: Vec<u8>,
    wide: Vec<u16>,
    /// Together with the class, which is the faster: empty where that does not fit.
    joined: Vec<u16>,
    values: usize,
    /// The values, and one more when a code is missing.
    extended: usize,
}

impl Axis {
    /// Prepares the codes of a block.
    pub(super) fn fill(&mut self, column: &[Code], values: usize, missing: bool, class: &ClassAxis<'_>) {
        self.values = values;
        self.extended = values + usize::from(missing);
        self.codes.clear();
        self.wide.clear();
        self.joined.clear();
        let codes = column.iter().map(|&code| code.min(values as Code));
        if self.extended <= 1 << 8 {
            self.codes.extend(codes.clone().map(|code| code as u8));
        } else {
            self.wide.extend(codes.clone());
        }
        if self.extended * class.extended <= COUNTERS {
            let (past, classes) = (class.values as Code, class.extended as Code);
            let joined = codes.zip(class.codes);
            self.joined.extend(
                joined.map(|(code, &class)| code.wrapping_mul(classes).wrapping_add(class.min(past))),
            );
        }
    }
}

/// The class as an axis.
pub(super) struct ClassAxis<'a> {
    pub(super) codes: &'a [Code],
    pub(super) values: usize,
    pub(super) extended: usize,
}

/// The number of sub-tables for a table of so many cells; none when 16-bit indices do not reach it. Few rows are not worth
/// many cells to be summed.
pub(super) fn sub_tables(cells: usize, rows: usize) -> usize {
    if cells > COUNTERS {
        return 0;
    }
    let near = (NEAR_BYTES / size_of::<u16>()).min(rows / 4) / cells.max(1);
    1 << near.clamp(1, SUB_TABLES).ilog2()
}

/// Counters that are used again for the next table, which finds all of them zero.
#[derive(Default)]
pub(super) struct Memory {
    /// As many as indices reach, so that none has to be checked.
    counters: Vec<u16>,
}

/// Adds the counts of a block of fewer than 2^16 rows to the cells of a table, the class fastest; `false` when 16-bit indices
/// do not reach all of them, and nothing is counted.
pub(super) fn count_blocked(
    axes: &[&Axis],
    class: &ClassAxis<'_>,
    memory: &mut Memory,
    cells: &mut [u64],
) -> bool {
    let Some((last, lead)) = axes.split_last() else {
        return false;
    };
    let size: usize = axes.iter().map(|axis| axis.extended).product::<usize>() * class.extended;
    let subs = sub_tables(size, class.codes.len());
    if subs == 0 {
        return false;
    }
    if memory.counters.is_empty() {
        memory.counters = vec![0; COUNTERS];
    }
    let Some(counters) = memory.counters.first_chunk_mut() else {
        return false;
    };
    // The distance of two cells along each leading axis.
    let mut stride = last.extended * class.extended;
    let mut strides = SmallVec::<[u16; 4]>::new();
    for axis in lead.iter().rev() {
        strides.push(stride as u16);
        stride *= axis.extended;
    }
    strides.reverse();
    let mut offsets = [0; SUB_TABLES];
    for (turn, offset) in offsets.iter_mut().enumerate() {
        *offset = (turn % subs * size) as u16;
    }
    increment(lead, &strides, &last.joined, &offsets, counters);
    let exact = class.extended == class.values && axes.iter().all(|axis| axis.extended == axis.values);
    for counters in counters[..subs * size].chunks_exact_mut(size.max(1)) {
        if exact {
            cells.iter_mut().zip(&*counters).for_each(|(cell, &count)| *cell += u64::from(count));
        } else {
            add_known(lead, last, class, counters, cells);
        }
        counters.fill(0);
    }
    true
}

vectorised! {
fn increment(
    lead: &[&Axis],
    strides: &[u16],
    joined: &[u16],
    offsets: &[u16; SUB_TABLES],
    counters: &mut [u16; COUNTERS],
) {
    let mut indices = [0_u16; STEP];
    for (step, joined) in joined.chunks(STEP).enumerate() {
        let indices = &mut indices[..joined.len()];
        let rows = step * STEP..step * STEP + joined.len();
        indices.copy_from_slice(joined);
        // The rows of a last, shorter turn all count in the first sub-table.
        for turn in indices.chunks_exact_mut(SUB_TABLES) {
            for (index, &offset) in turn.iter_mut().zip(offsets) {
                *index = index.wrapping_add(offset);
            }
        }
        for (axis, &stride) in lead.iter().zip(strides) {
            if axis.wide.is_empty() {
                for (index, &code) in indices.iter_mut().zip(&axis.codes[rows.clone()]) {
                    *index = index.wrapping_add(u16::from(code).wrapping_mul(stride));
                }
            } else {
                for (index, &code) in indices.iter_mut().zip(&axis.wide[rows.clone()]) {
                    *index = index.wrapping_add(code.wrapping_mul(stride));
                }
            }
        }
        for &index in &*indices {
            // Fewer than 2^16 rows: no counter overflows.
            counters[usize::from(index)] = counters[usize::from(index)].wrapping_add(1);
        }
    }
}
}

/// Adds the counters of known values and classes.
fn add_known(lead: &[&Axis], last: &Axis, class: &ClassAxis<'_>, counters: &[u16], cells: &mut [u64]) {
    let run = last.values * class.values;
    for (configuration, cells) in cells.chunks_exact_mut(run.max(1)).enumerate() {
        let (mut number, mut place, mut stride) = (configuration, 0, 1);
        for axis in lead.iter().rev() {
            place += number % axis.values * stride;
            number /= axis.values;
            stride *= axis.extended;
        }
        let counters = &counters[place * last.extended * class.extended..];
        for (cells, counters) in
            cells.chunks_exact_mut(class.values).zip(counters.chunks_exact(class.extended))
        {
            cells.iter_mut().zip(counters).for_each(|(cell, &count)| *cell += u64::from(count));
        }
    }
}
