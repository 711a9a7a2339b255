//! The planner: which kernel counts a table in the least predicted time.
//!
//! The figures are nanoseconds, measured by `cargo xtask bench counting`. Only their ratios matter, and only the time spent
//! depends on them: all kernels count the same.

use super::BLOCK_ROWS;
use super::combined::{COUNTERS, Groups, sub_tables as combined_sub_tables};
use super::dispatch::nanoseconds_a_bit;
use super::positional::Layout;
use super::scatter::sub_tables;
use crate::Table;
use strips::Strips;

mod strips;

/// The kernel that counts a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kernel {
    Planes,
    Blocked,
    /// In a block of the groups of the plan.
    Combined(usize),
    /// In a strip of the layout of the plan.
    Positional(usize),
    Direct,
    Observed,
}

/// What decides on the kernels, besides the tables.
pub(super) struct Rows<'a> {
    /// The number of rows of the chunk.
    pub(super) count: usize,
    pub(super) weighted: bool,
    /// Whether each feature has missing codes.
    pub(super) missing: &'a [bool],
}

/// The kernels of the tables, and what must be prepared for them.
pub(super) struct Plan {
    pub(super) kernels: Vec<Kernel>,
    /// The number of values of each feature that is counted by planes.
    pub(super) planes: Vec<Option<usize>>,
    /// The number of values of each feature that is counted by blocked scatter.
    pub(super) axes: Vec<Option<usize>>,
    /// What is counted by combined codes.
    pub(super) groups: Option<Groups>,
    /// What is counted by positional counts.
    pub(super) layout: Option<Layout>,
    /// The predicted time to count a chunk.
    pub(super) nanoseconds: f64,
}

impl Plan {
    pub(super) fn new(tables: &[Table], rows: &Rows<'_>) -> Self {
        let mut uses = vec![0_u32; rows.missing.len()];
        tables.iter().flat_map(|table| table.vars().iter()).for_each(|feature| uses[feature] += 1);
        let speed = nanoseconds_a_bit();
        let blocks = rows.count.div_ceil(BLOCK_ROWS).max(1);
        let of_block = rows.count / blocks;
        let block_rows = of_block as f64;
        let prices = |table: &Table| -> Prices {
            let Some(cells) = table.dense_cells() else {
                return [f64::INFINITY; 3];
            };
            let axes = table.dims().len();
            let step = if axes <= 2 { 1.0 } else { 1.2 + 0.15 * axes as f64 };
            let direct = 60.0 + rows.count as f64 * step;
            if rows.weighted || cells == 0 || axes == 0 {
                return [direct, f64::INFINITY, f64::INFINITY];
            }
            let shape = Shape { table, rows, of_block, uses: &uses };
            [direct, shape.blocked() * blocks as f64, shape.planes(speed) * blocks as f64]
        };
        let prices: Vec<Prices> = tables.iter().map(prices).collect();
        let features = uses.iter().filter(|&&uses| uses > 0).count() as f64;
        // What is prepared for all tables together: the axes; the order by class, and the packed words in it.
        let shared = [
            0.0,
            6_000.0 + block_rows * 2.0 * features * NANOSECONDS_A_FRESH_BYTE,
            block_rows * (2.5 * blocks as f64 + 12.0 * NANOSECONDS_A_FRESH_BYTE),
        ];
        let (mut kernels, mut times) = cheapest(tables, &prices, &shared, 100.0 * rows.count as f64);
        let mut nanoseconds: f64 = times.iter().sum();
        let (mut groups, mut layout) = (None, None);
        if rows.count >= JOINED_ROWS && nanoseconds > JOINED_NANOSECONDS && !rows.weighted {
            let mut combination = Combination::best(tables, &times, rows);
            let saved = combination.as_ref().map_or(0.0, |combination| combination.saved);
            if let Some(strips) = Strips::best(tables, &times, rows).filter(|strips| strips.saved > saved) {
                nanoseconds -= strips.saved;
                for ((kernel, time), strip) in kernels.iter_mut().zip(&mut times).zip(strips.of_tables) {
                    if let Some(strip) = strip {
                        (*kernel, *time) = (Kernel::Positional(strip), 0.0);
                    }
                }
                layout = Some(strips.layout);
                // For what is left.
                combination = Combination::best(tables, &times, rows);
            }
            if let Some(combination) = combination {
                nanoseconds -= combination.saved;
                combination.choose(tables, &times, &mut kernels);
                groups = Some(combination.groups);
            }
        }
        Self { groups, layout, ..Self::prepare(tables, kernels, rows.missing.len(), nanoseconds) }
    }

    /// The preparations for the kernels.
    pub(super) fn prepare(
        tables: &[Table],
        mut kernels: Vec<Kernel>,
        features: usize,
        nanoseconds: f64,
    ) -> Self {
        let (mut planes, mut axes) = (vec![None; features], vec![None; features]);
        for (table, kernel) in tables.iter().zip(&kernels) {
            let prepared = match kernel {
                Kernel::Planes => &mut planes,
                Kernel::Blocked => &mut axes,
                Kernel::Direct | Kernel::Combined(_) | Kernel::Positional(_) | Kernel::Observed => continue,
            };
            for (feature, &values) in table.vars().iter().zip(table.dims()) {
                prepared[feature] = Some(values);
            }
        }
        // Whoever sorts by class knows the class counts.
        if planes.iter().any(Option::is_some) {
            for (kernel, _) in kernels.iter_mut().zip(tables).filter(|(_, table)| table.vars().is_empty()) {
                *kernel = Kernel::Planes;
            }
        }
        Self { kernels, planes, axes, groups: None, layout: None, nanoseconds }
    }
}

/// What a table takes directly, by blocked scatter and by planes.
type Prices = [f64; 3];

const PRICED: [Kernel; 3] = [Kernel::Direct, Kernel::Blocked, Kernel::Planes];

/// The first use of memory by a count.
const NANOSECONDS_A_FRESH_BYTE: f64 = 0.25;

/// The kernels that take least together, and the times of the tables by themselves; a table that is not dense takes `sparse`.
fn cheapest(tables: &[Table], prices: &[Prices], shared: &Prices, sparse: f64) -> (Vec<Kernel>, Vec<f64>) {
    let least = |prices: &Prices, allowed: [bool; 3]| {
        let allowed = (0..3).filter(|&kernel| allowed[kernel]);
        allowed.min_by(|&a, &b| prices[a].total_cmp(&prices[b])).unwrap_or(0)
    };
    let total = |allowed: [bool; 3]| -> f64 {
        let of_tables: f64 = prices
            .iter()
            .map(|prices| prices[least(prices, allowed)])
            .filter(|price| price.is_finite())
            .sum();
        of_tables + (0..3).filter(|&kernel| allowed[kernel]).map(|kernel| shared[kernel]).sum::<f64>()
    };
    let allowed = [(false, false), (true, false), (false, true), (true, true)]
        .map(|(blocked, planes)| [true, blocked, planes])
        .into_iter()
        .min_by(|&a, &b| total(a).total_cmp(&total(b)))
        .unwrap_or([true; 3]);
    let of_table = |(table, prices): (&Table, &Prices)| {
        let kernel = least(prices, allowed);
        table.dense_cells().map_or((Kernel::Observed, sparse), |_| (PRICED[kernel], prices[kernel]))
    };
    tables.iter().zip(prices).map(of_table).unzip()
}

/// Fewer rows do not pay for counting tables jointly, nor for planning it.
const JOINED_ROWS: usize = 1 << 12;

/// Nor does less work.
const JOINED_NANOSECONDS: f64 = 100_000.0;

/// The bytes of joint tables that groups are made for.
const JOINT_BYTES: [usize; 4] = [8 << 10, 24 << 10, 64 << 10, 256 << 10];

/// Groups of features, and what counting in their blocks saves.
struct Combination {
    groups: Groups,
    /// By block, whether it is worth it.
    worth: Vec<bool>,
    saved: f64,
}

impl Combination {
    /// The groups that save most beside the times of the tables by themselves.
    fn best(tables: &[Table], times: &[f64], rows: &Rows<'_>) -> Option<Self> {
        let classes = tables.first()?.classes().max(1);
        let values = values(tables.iter().filter(|table| suits(table)), rows.missing.len());
        let any_pairs = tables.iter().any(|table| suits(table) && table.dims().len() == 2);
        // A lead alone, or with a part of as many codes, or of fewer: a part may have to be one feature.
        let limits = JOINT_BYTES.iter().flat_map(|bytes| {
            let codes = bytes / size_of::<u32>() / classes;
            let few = (1..=codes).take_while(|few| few * few * few <= codes).last().unwrap_or(1);
            let pairs = [(codes.isqrt(), Some(codes.isqrt())), (codes / few, Some(few))];
            if any_pairs { pairs.to_vec() } else { vec![(codes, None)] }
        });
        limits
            .chain(any_pairs.then_some((1, Some(1))))
            .filter_map(|(lead, part)| {
                let groups = Groups::new(&values, rows.missing, lead, part);
                Self::new(groups, tables, times, rows.count)
            })
            .filter(|combination| combination.saved > 0.0)
            .max_by(|a, b| a.saved.total_cmp(&b.saved))
    }

    fn new(groups: Groups, tables: &[Table], times: &[f64], rows: usize) -> Option<Self> {
        // Too many for tables so few to share them.
        if groups.blocks() > 4 * tables.len() + 64 {
            return None;
        }
        let classes = tables.first()?.classes();
        let (count, bands) = (rows as f64, rows.div_ceil(groups.band()) as f64);
        let mut savings = vec![0.0; groups.blocks()];
        for (table, &time) in tables.iter().zip(times).filter(|(table, time)| suits(table) && **time > 0.0) {
            if let Some(block) = groups.block(table.vars()) {
                // The second sum, over the codes of the part.
                let (_, lead, part) = groups.shape(block);
                let codes = if part == 1 { lead } else { part * table.dims()[0].max(table.dims()[1]) };
                savings[block] += time - bands * (100.0 + codes as f64 * (2.5 + 0.5 * classes as f64));
            }
        }
        let fresh = groups.band().min(rows) * 2 * (groups.columns() + 1) + COUNTERS * size_of::<u32>();
        let mut saved = -count * (0.1 * groups.digits() as f64 + 0.2 * groups.columns() as f64)
            - fresh as f64 * NANOSECONDS_A_FRESH_BYTE;
        let mut worth = vec![false; savings.len()];
        for (block, (&saving, worth)) in savings.iter().zip(&mut worth).enumerate() {
            if saving > 0.0 {
                let (features, lead, part) = groups.shape(block);
                let cells = lead.saturating_mul(part).saturating_mul(classes);
                if cells <= COUNTERS {
                    let subs = combined_sub_tables(cells) as f64;
                    let size = cells as f64;
                    let far = (subs * size * 4.0 - 24e3).max(0.0) / 72e3;
                    let flushes = bands * subs * size * 0.15;
                    let sums = if part == 1 { 0.0 } else { bands * features as f64 * size * 0.15 };
                    let gain = saving - count * (0.38 + 0.4 * far) - flushes - sums;
                    *worth = gain > 0.0;
                    saved += gain.max(0.0);
                }
            }
        }
        Some(Self { groups, worth, saved })
    }

    /// Chooses the kernel for the tables of the blocks that are worth it.
    fn choose(&self, tables: &[Table], times: &[f64], kernels: &mut [Kernel]) {
        let left =
            tables.iter().zip(times).zip(kernels).filter(|((table, time), _)| suits(table) && **time > 0.0);
        for ((table, _), kernel) in left {
            if let Some(block) = self.groups.block(table.vars()).filter(|&block| self.worth[block]) {
                *kernel = Kernel::Combined(block);
            }
        }
    }
}

/// Whether joint tables are summed down to such a table.
fn suits(table: &Table) -> bool {
    table.dims().len() <= 2 && table.dense_cells().is_some_and(|cells| cells > 0)
}

/// By feature, the number of values of those that are in a table.
fn values<'a>(tables: impl Iterator<Item = &'a Table>, features: usize) -> Vec<Option<usize>> {
    let mut values = vec![None; features];
    for (feature, &dim) in tables.flat_map(|table| table.vars().iter().zip(table.dims())) {
        values[feature] = Some(dim);
    }
    values
}

/// A dense table with at least one feature and one cell, counted over unweighted rows.
struct Shape<'a> {
    table: &'a Table,
    rows: &'a Rows<'a>,
    /// The number of rows of a block.
    of_block: usize,
    uses: &'a [u32],
}

impl Shape<'_> {
    /// What preparing the features costs, shared with the other tables that use them.
    fn preparation(&self, of_values: impl Fn(usize) -> f64) -> f64 {
        let (vars, dims) = (self.table.vars(), self.table.dims());
        vars.iter()
            .zip(dims)
            .map(|(feature, &values)| of_values(values) / f64::from(self.uses[feature]))
            .sum()
    }

    fn planes(&self, speed: f64) -> f64 {
        let classes = self.table.classes() as f64;
        let complete = self.table.vars().iter().all(|feature| !self.rows.missing[feature]);
        // Each class fills its last word up.
        let rows = self.of_block as f64 + 32.0 * classes;
        let preparation = self.preparation(|values| {
            500.0 + rows * (0.27 + (0.012 + speed) * values as f64) + classes * values as f64
        });
        let Some((&last, lead)) = self.table.dims().split_last() else {
            return preparation;
        };
        let cells = self.table.dense_cells().unwrap_or(0) as f64;
        if lead.is_empty() {
            return preparation + cells;
        }
        let lead_planes: usize = lead.iter().product();
        let conjunctions =
            if lead.len() > 1 { lead_planes as f64 * (rows * (0.006 + speed) + classes) } else { 0.0 };
        let left_out = usize::from(complete);
        let counted = ((lead_planes - left_out) * (last - left_out)) as f64;
        preparation + conjunctions + 30.0 + counted * (rows * speed + 4.0 * classes) + cells
    }

    fn blocked(&self) -> f64 {
        let (vars, dims) = (self.table.vars(), self.table.dims());
        // As if the class had missing codes, too.
        let extended = |feature: usize, values: usize| values + usize::from(self.rows.missing[feature]);
        let size =
            vars.iter().zip(dims).map(|(feature, &values)| extended(feature, values)).product::<usize>()
                * (self.table.classes() + 1);
        let subs = sub_tables(size, self.of_block);
        if subs == 0 {
            return f64::INFINITY;
        }
        let rows = self.of_block as f64;
        let preparation = self.preparation(|_| 50.0 + 0.25 * rows);
        let step = 0.40 + 0.06 * (dims.len() - 1) as f64;
        preparation + 150.0 + rows * step + (subs * size) as f64 * 0.35
    }
}
