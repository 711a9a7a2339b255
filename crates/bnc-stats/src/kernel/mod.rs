//! The counting kernels and the planner that chooses between them for every table; all agree exactly.
//!
//! - *Bit planes* ([`planes`]): population counts of conjunctions of bitmaps. Best while the cells are few.
//! - *Combined codes* ([`combined`]): one increment a row for the pairs of many features. Best over many rows.
//! - *Positional counts* ([`positional`]): one-hot rows, added up bit by bit. Best for many features of more values.
//! - *Blocked scatter* ([`scatter`]): one increment a row, in small counters.
//! - *Direct scatter* ([`direct`]): one increment a row, in the table itself.
//! - *Observed* ([`observed`]): sorted configurations, for tables beyond the dense budget.
//!
//! Rows are counted in blocks, and all tables from each block while it is in the cache. Threads share either the tables of a
//! block or, where the tables are small, the rows of a chunk; sums of integers do not depend on how.

mod block;
#[macro_use]
mod dispatch;
mod carry_save;
mod combined;
mod cost;
mod direct;
mod joint;
mod loops;
mod observed;
mod planes;
mod positional;
mod scatter;
#[cfg(test)]
mod tests;

use std::ops::Range;
use std::sync::Arc;

use bnc_data::{Dataset, Schema};
use rayon::prelude::*;

use crate::{Error, Result, Table, Vars};
use block::{Block, Columns, Memory};
use combined::{Codes, Groups};
use cost::{Kernel, Plan, Rows};
use direct::Joined;
use positional::{BLOCK, Layout};

/// Rows are counted in blocks of about the same size and at most this many, so that 16 bits count them.
const BLOCK_ROWS: usize = (1 << 16) - 64;

const _: () = assert!(BLOCK_ROWS <= u16::MAX as usize);

/// Fewer rows are not worth a thread of their own.
const THREAD_ROWS: usize = 1 << 15;

/// No more rows, or increments of all tables together, than these are counted directly: planning them takes longer.
const FEW_ROWS: usize = 1 << 8;
const FEW_INCREMENTS: usize = 1 << 14;

/// Less predicted work than this, in nanoseconds, is not worth waking threads for.
const PARALLEL_NANOSECONDS: f64 = 50_000.0;

/// Tables that are being counted.
pub(crate) struct Accumulator {
    schema: Arc<Schema>,
    tables: Vec<Table>,
}

/// A dense table, and what counts it.
struct Job<'a> {
    kernel: Kernel,
    table: &'a mut Table,
}

/// Jobs by the part that does them, and those of no part.
fn divide(
    jobs: Vec<Job<'_>>,
    parts: usize,
    part: impl Fn(Kernel) -> Option<usize>,
) -> (Vec<Vec<Job<'_>>>, Vec<Job<'_>>) {
    let mut divided = Vec::new();
    divided.resize_with(parts, Vec::new);
    let mut others = Vec::new();
    for job in jobs {
        part(job.kernel).map_or(&mut others, |part| &mut divided[part]).push(job);
    }
    (divided, others)
}

impl Accumulator {
    pub(crate) fn new(schema: &Arc<Schema>, asked: &[Vars]) -> Result<Self> {
        let features = schema.features().len();
        let mut tables = Vec::with_capacity(asked.len());
        for vars in asked {
            if let Some(feature) = vars.iter().find(|&feature| feature >= features) {
                return Err(Error::NoSuchFeature { feature, features });
            }
            let dims = vars.iter().map(|feature| schema.cardinality(feature)).collect();
            tables.push(Table::blank(vars.clone(), dims, schema.classes())?);
        }
        Ok(Self { schema: Arc::clone(schema), tables })
    }

    pub(crate) fn add(&mut self, chunk: &Dataset) {
        let increments = chunk.rows().saturating_mul(self.tables.len());
        if chunk.rows() <= FEW_ROWS || increments <= FEW_INCREMENTS {
            return self.add_directly(chunk);
        }
        let rows = Rows {
            count: chunk.rows(),
            weighted: chunk.weights().is_some(),
            missing: chunk.features_have_missing(),
        };
        let plan = Plan::new(&self.tables, &rows);
        self.add_by(&plan, chunk);
    }

    fn add_directly(&mut self, chunk: &Dataset) {
        let columns = Columns::new(chunk, 0..chunk.rows());
        let classes = self.schema.classes();
        let joined = Joined::new(self.tables.iter(), &columns, classes);
        for table in &mut self.tables {
            if joined.count(&columns, table) {
                continue;
            }
            if let (vars, dims, Some(cells)) = table.parts_mut() {
                columns.direct(vars, dims, classes, |rows| rows.count(cells));
            } else {
                add_observed(table, &columns);
            }
        }
    }

    fn add_by(&mut self, plan: &Plan, chunk: &Dataset) {
        let classes = self.schema.classes();
        let parallel = plan.nanoseconds > PARALLEL_NANOSECONDS && rayon::current_num_threads() > 1;
        if plan.kernels.contains(&Kernel::Observed) {
            let columns = Columns::new(chunk, 0..chunk.rows());
            let observed = self.tables.par_iter_mut().zip(&plan.kernels);
            observed
                .filter(|(_, kernel)| **kernel == Kernel::Observed)
                .for_each(|(table, _)| add_observed(table, &columns));
        }
        let mut jobs: Vec<Job<'_>> = self
            .tables
            .iter_mut()
            .zip(&plan.kernels)
            .filter(|(_, kernel)| **kernel != Kernel::Observed)
            .map(|(table, &kernel)| {
                // Cells that every row looks for come when they are counted, and are in the cache then. Others come before
                // all that is needed to count them: what an allocator gets back last it can keep.
                if !matches!(kernel, Kernel::Direct | Kernel::Blocked) {
                    table.parts_mut();
                }
                Job { kernel, table }
            })
            .collect();
        let work = Work { chunk, classes, plan };
        if let Some(groups) = &plan.groups {
            jobs = work.combine(groups, jobs, parallel);
        }
        if let Some(layout) = &plan.layout {
            jobs = work.add_up(layout, jobs, parallel);
        }
        if jobs.is_empty() {
            return;
        }
        let threads = if parallel { rayon::current_num_threads() } else { 1 };
        let threads = threads.min(chunk.rows().div_ceil(THREAD_ROWS));
        let cells: usize = jobs.iter().filter_map(|job| job.table.dense_cells()).sum();
        // Cells of its own for every thread must be cheap beside the counting.
        if threads > 1 && cells * threads < chunk.rows().saturating_mul(jobs.len()) / 64 {
            work.split(threads, &mut jobs);
        } else {
            work.count(0..chunk.rows(), parallel, &mut jobs);
        }
    }

    pub(crate) fn finish(mut self) -> Vec<Table> {
        for table in &mut self.tables {
            table.parts_mut();
        }
        self.tables
    }
}

/// As few parts of at most `size` as there can be, of nearly the same size.
#[inline(always)]
#[allow(clippy::inline_always, reason = "it must be compiled with the instructions of each of its callers")]
fn parts(all: Range<usize>, size: usize) -> impl Iterator<Item = Range<usize>> {
    let parts = all.len().div_ceil(size);
    let bound = move |part: usize| all.start + all.len() * part / parts;
    (0..parts).map(move |part| bound(part)..bound(part + 1))
}

/// Adds the counts of some rows to a table that is not dense.
fn add_observed(table: &mut Table, columns: &Columns<'_>) {
    let (configurations, runs) = columns.direct(table.vars(), table.dims(), table.classes(), observed::count);
    table.add_observed(configurations, runs);
}

/// A chunk, and how it is counted.
struct Work<'a> {
    chunk: &'a Dataset,
    classes: usize,
    plan: &'a Plan,
}

impl Work<'_> {
    /// Counts by combined codes what is planned so; the other jobs are left to do.
    fn combine<'j>(&self, groups: &Groups, jobs: Vec<Job<'j>>, parallel: bool) -> Vec<Job<'j>> {
        let (mut blocks, others) = groups.assign(jobs);
        let mut codes = Codes::default();
        let band = groups.band();
        for start in (0..self.chunk.rows()).step_by(band) {
            let rows = start..self.chunk.rows().min(start + band);
            let columns = Columns::new(self.chunk, rows);
            groups.count(&columns, self.classes, &mut codes, &mut blocks, parallel);
        }
        others
    }

    /// Counts by positional counts what is planned so; the other jobs are left to do.
    fn add_up<'j>(&self, layout: &Layout, jobs: Vec<Job<'j>>, parallel: bool) -> Vec<Job<'j>> {
        let (mut strips, others) = layout.assign(jobs, self.classes);
        let mut rows = positional::Rows::default();
        let all = self.chunk.rows();
        for start in (0..all).step_by(BLOCK) {
            let columns = Columns::new(self.chunk, start..all.min(start + BLOCK));
            layout.count(&columns, self.classes, &mut rows, &mut strips, parallel);
        }
        layout.finish(strips, self.classes, parallel);
        others
    }

    /// Adds the counts of some rows, block by block; in parallel over features and tables if wanted.
    fn count(&self, rows: Range<usize>, parallel: bool, jobs: &mut [Job<'_>]) {
        let mut memory = Memory::default();
        let mut filled = Block::new(self.plan, self.classes, self.chunk.features_have_missing());
        for rows in parts(rows, BLOCK_ROWS) {
            let columns = Columns::new(self.chunk, rows);
            filled.fill(&columns, jobs, &mut memory, parallel);
            let count = |memory: &mut Memory, job: &mut Job<'_>| filled.count(&columns, job, memory);
            if parallel {
                jobs.par_iter_mut().for_each_init(Memory::default, count);
            } else {
                for job in jobs.iter_mut() {
                    count(&mut memory, job);
                }
            }
        }
    }

    /// Adds the counts of all rows, each thread those of some rows in cells of its own.
    fn split(&self, threads: usize, jobs: &mut [Job<'_>]) {
        let part = |rows: Range<usize>| {
            let mut tables: Vec<Table> = jobs.iter().map(|job| job.table.as_blank()).collect();
            let kernels = jobs.iter().map(|job| job.kernel);
            let mut own: Vec<Job<'_>> =
                tables.iter_mut().zip(kernels).map(|(table, kernel)| Job { kernel, table }).collect();
            self.count(rows, false, &mut own);
            tables
        };
        let rows: Vec<Range<usize>> =
            parts(0..self.chunk.rows(), self.chunk.rows().div_ceil(threads)).collect();
        let counted: Vec<Vec<Table>> = rows.into_par_iter().map(part).collect();
        for tables in counted {
            for (job, table) in jobs.iter_mut().zip(tables) {
                job.table.add(table);
            }
        }
    }
}
