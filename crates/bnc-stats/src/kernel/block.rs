//! The rows of a block, prepared for the kernels.

use std::ops::Range;

use bnc_data::{Code, Dataset};
use rayon::prelude::*;
use smallvec::SmallVec;

use super::Job;
use super::cost::{Kernel, Plan};
use super::direct::{Direct, Joined};
use super::planes::{self, Planes};
use super::scatter::{self, Axis, ClassAxis};
use crate::Vars;

/// What the kernels of a plan need of the rows of a block; the memory is used again for the next block.
pub(super) struct Block<'p> {
    plan: &'p Plan,
    classes: usize,
    planes: Planes,
    /// By feature; unused for a feature that no table counts by blocked scatter.
    axes: Vec<Axis>,
    joined: Joined,
}

/// A run of rows of a chunk, column by column.
#[derive(Clone, Copy)]
pub(super) struct Columns<'a> {
    chunk: &'a Dataset,
    start: usize,
    end: usize,
}

/// Memory that is used again for the next table or block.
#[derive(Default)]
pub(super) struct Memory {
    planes: planes::Memory,
    scatter: scatter::Memory,
}

impl<'a> Columns<'a> {
    pub(super) fn new(chunk: &'a Dataset, rows: Range<usize>) -> Self {
        Self { chunk, start: rows.start, end: rows.end }
    }

    pub(super) fn class(&self) -> &'a [Code] {
        &self.chunk.class()[self.start..self.end]
    }

    pub(super) fn feature(&self, feature: usize) -> &'a [Code] {
        &self.chunk.features()[feature][self.start..self.end]
    }

    pub(super) fn rows(&self) -> usize {
        self.end - self.start
    }

    /// The number of features.
    pub(super) fn features(&self) -> usize {
        self.chunk.features().len()
    }

    pub(super) fn weights(&self) -> Option<&'a [u32]> {
        self.chunk.weights().map(|weights| &weights[self.start..self.end])
    }

    pub(super) fn class_has_missing(&self) -> bool {
        self.chunk.class_has_missing()
    }

    pub(super) fn has_missing(&self, feature: usize) -> bool {
        self.chunk.features_have_missing()[feature]
    }

    fn class_axis(&self, classes: usize) -> ClassAxis<'a> {
        let extended = classes + usize::from(self.class_has_missing());
        ClassAxis { codes: self.class(), values: classes, extended }
    }

    /// The rows, as the kernels that go by row see them for a table over `vars`.
    pub(super) fn direct<R>(
        &self,
        vars: &Vars,
        dims: &[usize],
        classes: usize,
        count: impl FnOnce(&Direct<'_>) -> R,
    ) -> R {
        let columns: SmallVec<[(&[Code], usize); 4]> =
            vars.iter().zip(dims).map(|(feature, &values)| (self.feature(feature), values)).collect();
        let missing = self.class_has_missing() || vars.iter().any(|feature| self.has_missing(feature));
        let (class, weights) = (self.class(), self.weights());
        count(&Direct { columns: &columns, class, classes, weights, missing })
    }
}

impl<'p> Block<'p> {
    /// For rows of which `missing` tells which features have missing codes.
    pub(super) fn new(plan: &'p Plan, classes: usize, missing: &[bool]) -> Self {
        let mut axes = Vec::new();
        if plan.axes.iter().any(Option::is_some) {
            axes.resize_with(plan.axes.len(), Axis::default);
        }
        Self { plan, classes, planes: Planes::new(&plan.planes, missing), axes, joined: Joined::default() }
    }

    /// Prepares the columns for some jobs; in parallel over features if wanted.
    pub(super) fn fill(
        &mut self,
        columns: &Columns<'_>,
        jobs: &[Job<'_>],
        memory: &mut Memory,
        parallel: bool,
    ) {
        let direct = jobs.iter().filter(|job| job.kernel == Kernel::Direct);
        self.joined = Joined::new(direct.map(|job| &*job.table), columns, self.classes);
        if !self.planes.is_empty() {
            self.planes.fill(columns, self.classes, &mut memory.planes, parallel);
        }
        let class = columns.class_axis(self.classes);
        let fill = |(feature, (axis, values)): (usize, (&mut Axis, &Option<usize>))| {
            if let Some(values) = values {
                axis.fill(columns.feature(feature), *values, columns.has_missing(feature), &class);
            }
        };
        if parallel {
            self.axes.par_iter_mut().zip(&self.plan.axes).enumerate().for_each(fill);
        } else {
            self.axes.iter_mut().zip(&self.plan.axes).enumerate().for_each(fill);
        }
    }

    /// Adds the counts of the columns filled in to the cells of a dense table.
    pub(super) fn count(&self, columns: &Columns<'_>, job: &mut Job<'_>, memory: &mut Memory) {
        let kernel = job.kernel;
        if kernel == Kernel::Direct && self.joined.count(columns, job.table) {
            return;
        }
        let (vars, dims, Some(cells)) = job.table.parts_mut() else {
            return;
        };
        if kernel == Kernel::Planes && !self.planes.is_empty() {
            return self.planes.count(vars.iter(), &mut memory.planes, cells);
        }
        if kernel == Kernel::Blocked && !self.axes.is_empty() {
            let axes: SmallVec<[&Axis; 4]> = vars.iter().map(|feature| &self.axes[feature]).collect();
            let class = columns.class_axis(self.classes);
            if scatter::count_blocked(&axes, &class, &mut memory.scatter, cells) {
                return;
            }
        }
        columns.direct(vars, dims, self.classes, |rows| rows.count(cells));
    }
}
