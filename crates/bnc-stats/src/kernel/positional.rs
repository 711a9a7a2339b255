//! Positional counts: a row is a bitmap with a bit for each value of each feature. Rows are sorted by class and the value of a
//! lead feature, and the bitmaps of each class and value are added up bit by bit ([`carry_save`](super::carry_save)): a few
//! instructions a row count the tables of the lead with many features, however many values these have.
//!
//! Features of many values lead those of fewer, and lie in the first bitmaps: where few features are left to be counted with a
//! lead, fewer bitmaps are added up.

mod sorted;

use bnc_data::Code;
use rayon::prelude::*;
use smallvec::SmallVec;

use super::block::Columns;
use super::carry_save::{BITS, Bitmap, Counts, LANES, add_up, place};
use super::cost::Kernel;
use super::loops::{combine, join, mark};
use super::{Job, divide};
use crate::Vars;
use sorted::Sorted;

/// Rows are sorted and added up in blocks of this many: their bitmaps stay in the cache.
pub(super) const BLOCK: usize = 1 << 13;

/// Bits are set in steps of this many rows, whose bitmaps stay in the fastest cache.
const STEP: usize = 1 << 8;

/// The most values that a feature may have.
const VALUES: usize = 64;

/// The most classes and values of a lead.
const KEYS: usize = 1 << 16;

/// Where the values of features lie in the bitmaps of a row.
#[derive(Default)]
pub(super) struct Layout {
    /// By falling number of values: the order in which features lead.
    fields: Vec<Field>,
    /// By feature, its place among the fields.
    ranks: Vec<Option<usize>>,
    /// The bitmaps of a row.
    bitmaps: usize,
}

/// The values of a feature: bits of one lane of one bitmap.
#[derive(Debug, Clone, Copy)]
pub(super) struct Field {
    pub(super) feature: usize,
    pub(super) values: usize,
    /// The values, and one more when a code is missing.
    pub(super) extended: usize,
    bitmap: usize,
    lane: usize,
    shift: usize,
}

/// The tables of a lead with the features of a bitmap.
pub(super) struct Strip<'a> {
    lead: usize,
    bitmap: usize,
    /// The first lane that a table asks for.
    lane: usize,
    jobs: Vec<Job<'a>>,
    /// By class, then by value of the lead.
    counts: Vec<Counts>,
    /// By class the most frequent value: until the counts are taken it has those of the whole class, from which those of the
    /// other values are subtracted then.
    frequent: Vec<usize>,
    /// The most rows that any of them may count.
    most: usize,
}

/// The rows of a block; the memory is used again for the next one.
#[derive(Default)]
pub(super) struct Rows {
    class: Vec<u16>,
    by_class: Sorted,
    /// By bitmap, those of all rows, then one without bits.
    bitmaps: Vec<Vec<Bitmap>>,
    /// By bitmap and class.
    of_classes: Vec<Vec<Counts>>,
    /// By lead.
    sorted: Vec<Sorted>,
}

impl Layout {
    /// Bits for the features for which `values` gives a number of values that is not too large; `missing` tells which have
    /// missing codes.
    pub(super) fn new(values: &[Option<usize>], missing: &[bool], classes: usize) -> Self {
        let fields = values.iter().zip(missing).enumerate().filter_map(|(feature, (&values, &missing))| {
            let values = values.filter(|&values| values <= VALUES && (values + 1) * (classes + 1) <= KEYS)?;
            let extended = values + usize::from(missing);
            Some(Field { feature, values, extended, bitmap: 0, lane: 0, shift: 0 })
        });
        let mut fields: Vec<Field> = fields.collect();
        fields.sort_by_key(|field| (std::cmp::Reverse(field.values), field.feature));
        // From the last lane to the first, so that it is the first bitmap that is not full.
        let (mut lanes, mut shift) = (0, 64);
        for field in fields.iter_mut().rev() {
            if shift + field.values > 64 {
                (lanes, shift) = (lanes + 1, 0);
            }
            (field.lane, field.shift) = (lanes, shift);
            shift += field.values;
        }
        let bitmaps = lanes.div_ceil(LANES);
        let mut ranks = vec![None; values.len()];
        for (rank, field) in fields.iter_mut().enumerate() {
            let lane = bitmaps * LANES - field.lane;
            (field.bitmap, field.lane) = (lane / LANES, lane % LANES);
            ranks[field.feature] = Some(rank);
        }
        Self { fields, ranks, bitmaps }
    }

    /// The fields, in the order in which they lead.
    pub(super) fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// The number of strips of each lead.
    pub(super) fn bitmaps(&self) -> usize {
        self.bitmaps
    }

    /// The strip that counts a table: those of the first lead come first.
    pub(super) fn strip(&self, vars: &Vars) -> Option<usize> {
        let (lead, other) = self.pair(vars)?;
        Some(lead * self.bitmaps + self.fields[other].bitmap)
    }

    /// The places of the lead and the other feature of a table over two.
    fn pair(&self, vars: &Vars) -> Option<(usize, usize)> {
        let mut ranks = vars.iter().map(|feature| self.ranks[feature]);
        let (first, second) = (ranks.next()??, ranks.next()??);
        ranks.next().is_none().then_some((first.min(second), first.max(second)))
    }

    /// The tables that are planned so, by the strips that count them; the other tables are returned as well.
    pub(super) fn assign<'a>(&self, jobs: Vec<Job<'a>>, classes: usize) -> (Vec<Strip<'a>>, Vec<Job<'a>>) {
        let (by_strip, others) = divide(jobs, self.fields.len() * self.bitmaps, |kernel| match kernel {
            Kernel::Positional(strip) => Some(strip),
            _ => None,
        });
        let strips = by_strip.into_iter().enumerate().filter(|(_, jobs)| !jobs.is_empty());
        let mut strips: Vec<Strip<'a>> = strips
            .map(|(strip, jobs)| {
                let (lead, bitmap) = (strip / self.bitmaps, strip % self.bitmaps);
                let lanes = jobs.iter().filter_map(|job| self.pair(job.table.vars()));
                let lane = lanes.map(|(_, other)| self.fields[other].lane).min().unwrap_or(0);
                let counts = vec![[0; BITS]; classes * self.fields[lead].values];
                Strip { lead, bitmap, lane, jobs, counts, frequent: Vec::new(), most: 0 }
            })
            .collect();
        // The bitmaps that are added up together stay in the cache.
        strips.sort_by_key(|strip| strip.bitmap);
        (strips, others)
    }

    /// Adds the counts of a block to those of the strips; in parallel if wanted.
    pub(super) fn count(
        &self,
        columns: &Columns<'_>,
        classes: usize,
        rows: &mut Rows,
        strips: &mut [Strip<'_>],
        parallel: bool,
    ) {
        self.fill(columns, classes, rows, strips, parallel);
        let count = |strip: &mut Strip<'_>| {
            let lead = &self.fields[strip.lead];
            let (bitmaps, sorted) = (&rows.bitmaps[strip.bitmap], &rows.sorted[strip.lead]);
            if strip.most + sorted.most > usize::from(u16::MAX) {
                self.take(strip, classes);
            }
            strip.most += sorted.most;
            if strip.frequent.is_empty() && lead.extended == lead.values {
                strip.frequent = (0..classes).map(|class| sorted.most_frequent(class, lead.values)).collect();
            }
            for (number, counts) in strip.counts.iter_mut().enumerate() {
                let (class, value) = (number / lead.values, number % lead.values);
                if strip.frequent.get(class) == Some(&value) {
                    let whole = &rows.of_classes[strip.bitmap][class];
                    counts
                        .iter_mut()
                        .zip(whole)
                        .for_each(|(count, &whole)| *count = count.wrapping_add(whole));
                } else {
                    let groups = sorted.groups(class * lead.extended + value);
                    add_up(bitmaps, groups, strip.lane, counts);
                }
            }
        };
        for_each(strips, parallel, count);
    }

    /// Prepares the bitmaps and the order of the rows that the strips ask for.
    fn fill(
        &self,
        columns: &Columns<'_>,
        classes: usize,
        rows: &mut Rows,
        strips: &[Strip<'_>],
        parallel: bool,
    ) {
        let Rows { class, by_class, bitmaps, of_classes, sorted } = rows;
        bitmaps.resize_with(self.bitmaps, Vec::new);
        for (number, bitmaps) in bitmaps.iter_mut().enumerate() {
            self.mark_all(number, columns, bitmaps, parallel);
        }
        class.clear();
        class.resize(columns.rows(), 0);
        combine(columns.class(), classes as Code, 1, class);
        let mut sizes = vec![0; classes + usize::from(columns.class_has_missing())];
        for &class in &*class {
            sizes[usize::from(class)] += 1;
        }
        by_class.sort(class, &sizes);
        // What the rows are sorted into for the leads is counted with the class as the lead.
        let count = |bitmaps: &Vec<Bitmap>| -> Vec<Counts> {
            let mut counts = vec![[0; BITS]; sizes.len()];
            for (class, counts) in counts.iter_mut().enumerate() {
                add_up(bitmaps, by_class.groups(class), 0, counts);
            }
            counts
        };
        *of_classes = bitmaps.iter().map(count).collect();
        sorted.resize_with(self.fields.len(), Sorted::default);
        for strip in strips {
            sorted[strip.lead].wanted = true;
        }
        let sort = |keys: &mut Vec<u16>, (sorted, lead): (&mut Sorted, &Field)| {
            if sorted.wanted {
                let (column, values) = (columns.feature(lead.feature), lead.values as Code);
                keys.resize(columns.rows(), 0);
                join(class, lead.extended as u16, column, values, keys);
                sorted.sort(keys, &lead.sizes(&sizes, &of_classes[lead.bitmap]));
            }
        };
        if parallel {
            sorted.par_iter_mut().zip(&self.fields).for_each_init(Vec::new, sort);
        } else {
            let mut keys = Vec::new();
            sorted.iter_mut().zip(&self.fields).for_each(|lead| sort(&mut keys, lead));
        }
    }

    /// Fills in one of the bitmaps of all rows, and the one without bits after them.
    fn mark_all(&self, number: usize, columns: &Columns<'_>, bitmaps: &mut Vec<Bitmap>, parallel: bool) {
        bitmaps.resize(columns.rows(), Bitmap::default());
        let mark = |(step, bitmaps): (usize, &mut [Bitmap])| self.mark(number, step, columns, bitmaps);
        if parallel {
            bitmaps.par_chunks_mut(STEP).enumerate().for_each(mark);
        } else {
            bitmaps.chunks_mut(STEP).enumerate().for_each(mark);
        }
        bitmaps.push(Bitmap::default());
    }

    /// Fills in one of the bitmaps of the rows of a step.
    fn mark(&self, number: usize, step: usize, columns: &Columns<'_>, bitmaps: &mut [Bitmap]) {
        let start = self.fields.partition_point(|field| field.bitmap < number);
        let end = self.fields.partition_point(|field| field.bitmap <= number);
        for fields in self.fields[start..end].chunk_by(|a, b| a.lane == b.lane) {
            let mut words = [0; STEP];
            for field in fields {
                let codes = &columns.feature(field.feature)[step * STEP..][..bitmaps.len()];
                mark(codes, field.values as Code, field.shift as u32, &mut words);
            }
            let lane = fields[0].lane;
            bitmaps.iter_mut().zip(&words).for_each(|(bitmap, &word)| bitmap.0[lane] = word);
        }
    }

    /// Adds the counts of a strip to the cells of its tables, and begins anew.
    fn take(&self, strip: &mut Strip<'_>, classes: usize) {
        let values = self.fields[strip.lead].values;
        for (counts, &frequent) in strip.counts.chunks_exact_mut(values).zip(&strip.frequent) {
            subtract(counts, frequent);
        }
        for job in &mut strip.jobs {
            if let Some((_, other)) = self.pair(job.table.vars()) {
                let fields = (&self.fields[strip.lead], &self.fields[other]);
                add_to_cells(fields, &strip.counts, classes, job);
            }
        }
        strip.counts.fill([0; BITS]);
        strip.frequent.clear();
        strip.most = 0;
    }

    /// Adds all that was counted to the cells of the tables.
    pub(super) fn finish(&self, mut strips: Vec<Strip<'_>>, classes: usize, parallel: bool) {
        for_each(&mut strips, parallel, |strip| self.take(strip, classes));
    }
}

/// In parallel if wanted.
fn for_each<'a>(strips: &mut [Strip<'a>], parallel: bool, visit: impl Fn(&mut Strip<'a>) + Sync + Send) {
    if parallel {
        strips.par_iter_mut().for_each(visit);
    } else {
        strips.iter_mut().for_each(visit);
    }
}

/// Subtracts the counts of the other values of a class from those of the most frequent one.
fn subtract(counts: &mut [Counts], frequent: usize) {
    let (before, after) = counts.split_at_mut(frequent);
    if let Some((whole, after)) = after.split_first_mut() {
        for counts in before.iter().chain(&*after) {
            whole.iter_mut().zip(counts).for_each(|(whole, &count)| *whole = whole.wrapping_sub(count));
        }
    }
}

fn add_to_cells((lead, other): (&Field, &Field), counts: &[Counts], classes: usize, job: &mut Job<'_>) {
    let (_, dims, Some(cells)) = job.table.parts_mut() else {
        return;
    };
    // How far apart two values lie in the table.
    let (far, near) = if lead.feature < other.feature { (dims[1], 1) } else { (1, dims[1]) };
    let places: SmallVec<[usize; VALUES]> = other.places().collect();
    for (number, counts) in counts.iter().enumerate() {
        let (class, value) = (number / lead.values, number % lead.values);
        let run = cells[value * far * classes + class..].iter_mut().step_by(near * classes);
        run.zip(&places).for_each(|(cell, &place)| *cell += u64::from(counts[place]));
    }
}

impl Field {
    /// Where the counts of its values are.
    fn places(&self) -> impl Iterator<Item = usize> {
        (self.shift..self.shift + self.values).map(|bit| place(self.lane, bit))
    }

    /// The number of rows of each class and value, from those of the classes and the counts by class.
    fn sizes(&self, classes: &[usize], counts: &[Counts]) -> Vec<usize> {
        let mut sizes = Vec::with_capacity(classes.len() * self.extended);
        for (&class, counts) in classes.iter().zip(counts) {
            sizes.extend(self.places().map(|place| usize::from(counts[place])));
            if self.extended > self.values {
                sizes.push(class - sizes[sizes.len() - self.values..].iter().sum::<usize>());
            }
        }
        sizes
    }
}
