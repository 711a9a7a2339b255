//! The planner: which kernel counts a table in the least predicted time.
//!
//! The figures are nanoseconds, measured by `cargo xtask bench counting`. Only their ratios matter, and only the time spent
//! depends on them: all kernels count the same.

use super::dispatch::nanoseconds_a_bit;
use super::scatter::sub_tables;
use crate::Table;

/// The kernel that counts a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kernel {
    Planes,
    Blocked,
    Direct,
    Observed,
}

/// What decides on the kernels, besides the tables.
pub(super) struct Rows<'a> {
    /// The number of rows of a block.
    pub(super) count: usize,
    pub(super) weighted: bool,
    /// Whether each feature seems to have missing codes.
    pub(super) missing: &'a [bool],
}

/// The kernels of the tables, and what must be prepared for them.
pub(super) struct Plan {
    pub(super) kernels: Vec<Kernel>,
    /// The number of values of each feature that is counted by planes.
    pub(super) planes: Vec<Option<usize>>,
    /// The number of values of each feature that is counted by blocked scatter.
    pub(super) axes: Vec<Option<usize>>,
    /// The predicted time to count a block.
    pub(super) nanoseconds: f64,
}

impl Plan {
    pub(super) fn new(tables: &[Table], rows: &Rows<'_>) -> Self {
        let mut uses = vec![0_u32; rows.missing.len()];
        tables.iter().flat_map(|table| table.vars().iter()).for_each(|feature| uses[feature] += 1);
        let speed = nanoseconds_a_bit();
        let cheapest = |table: &Table| {
            let Some(cells) = table.dense() else {
                return (Kernel::Observed, 100.0 * rows.count as f64);
            };
            let axes = table.dims().len() as f64;
            let direct = 60.0 + rows.count as f64 * (1.2 + 0.15 * axes);
            if rows.weighted || cells.is_empty() || axes == 0.0 {
                return (Kernel::Direct, direct);
            }
            let shape = Shape { table, tables: tables.len(), rows, uses: &uses };
            [(Kernel::Planes, shape.planes(speed)), (Kernel::Blocked, shape.blocked())]
                .into_iter()
                .fold((Kernel::Direct, direct), |best, other| if other.1 < best.1 { other } else { best })
        };
        let (kernels, times): (Vec<Kernel>, Vec<f64>) = tables.iter().map(cheapest).unzip();
        Self::prepare(tables, kernels, rows.missing.len(), times.iter().sum())
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
                Kernel::Direct | Kernel::Observed => continue,
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
        Self { kernels, planes, axes, nanoseconds }
    }
}

/// A dense table with at least one feature and one cell, counted over unweighted rows.
struct Shape<'a> {
    table: &'a Table,
    /// The number of tables counted together.
    tables: usize,
    rows: &'a Rows<'a>,
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
        let rows = self.rows.count as f64 + 32.0 * classes;
        let preparation = self.preparation(|values| {
            500.0 + rows * (0.17 + (0.008 + speed) * values as f64) + classes * values as f64
        });
        let Some((&last, lead)) = self.table.dims().split_last() else {
            return preparation;
        };
        let cells = (self.table.dense().map_or(0, <[u64]>::len)) as f64;
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
        let subs = sub_tables(size, self.rows.count);
        if subs == 0 {
            return f64::INFINITY;
        }
        let rows = self.rows.count as f64;
        let preparation = self.preparation(|_| 50.0 + 0.25 * rows);
        let step = 0.34 + 0.06 * (dims.len() - 1) as f64;
        // The counters are allocated once for all tables.
        let counters = 6_000.0 / self.tables as f64;
        preparation + counters + 150.0 + rows * step + (subs * size) as f64 * 0.35
    }
}
