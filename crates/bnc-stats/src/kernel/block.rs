//! The rows of a block, prepared for the kernels.

use std::ops::Range;

use bnc_data::{Code, Dataset};
use rayon::prelude::*;

use super::cost::{Kernel, Plan};
use super::planes::{self, Planes, any_missing};
use super::scatter::{self, Axis, ClassAxis, Direct};
use crate::Vars;

/// A run of rows, and what the kernels of a plan need of them.
pub(super) struct Block<'a> {
    columns: Columns<'a>,
    class: ClassAxis<'a>,
    planes: Option<Planes>,
    /// By feature; empty for a feature that no table counts by blocked scatter.
    axes: Vec<Axis>,
}

/// The columns of a run of rows.
pub(super) struct Columns<'a> {
    class: &'a [Code],
    features: Vec<&'a [Code]>,
    weights: Option<&'a [u32]>,
    class_missing: bool,
    /// Whether each feature asked for has missing codes.
    pub(super) missing: Vec<bool>,
}

/// Memory that is used again for the next table.
#[derive(Default)]
pub(super) struct Scratch {
    planes: planes::Scratch,
    scatter: scatter::Scratch,
}

impl<'a> Columns<'a> {
    pub(super) fn new(chunk: &'a Dataset, rows: Range<usize>, asked: &[bool]) -> Self {
        let class = &chunk.class()[rows.clone()];
        let features: Vec<&[Code]> = chunk.features().iter().map(|column| &column[rows.clone()]).collect();
        let missing =
            features.iter().zip(asked).map(|(column, &asked)| asked && any_missing(column)).collect();
        let weights = chunk.weights().map(|weights| &weights[rows]);
        Self { class, features, weights, class_missing: any_missing(class), missing }
    }

    /// The rows, as the kernels that go by row see them for a table over `vars`.
    pub(super) fn direct<R>(
        &self,
        vars: &Vars,
        dims: &[usize],
        classes: usize,
        count: impl FnOnce(&Direct<'_>) -> R,
    ) -> R {
        let columns: smallvec::SmallVec<[(&[Code], usize); 4]> =
            vars.iter().zip(dims).map(|(feature, &values)| (self.features[feature], values)).collect();
        let missing = self.class_missing || vars.iter().any(|feature| self.missing[feature]);
        count(&Direct { columns: &columns, class: self.class, classes, weights: self.weights, missing })
    }
}

impl<'a> Block<'a> {
    /// Prepares the columns; in parallel over features if wanted.
    pub(super) fn new(columns: Columns<'a>, classes: usize, plan: &Plan, parallel: bool) -> Self {
        let extended = classes + usize::from(columns.class_missing);
        let class = ClassAxis { codes: columns.class, values: classes, extended };
        let planes = plan.planes.iter().any(Option::is_some).then(|| {
            Planes::new(columns.class, classes, &columns.features, &plan.planes, &columns.missing, parallel)
        });
        let axis = |(feature, values): (usize, &Option<usize>)| match values {
            Some(values) => Axis::new(columns.features[feature], *values, columns.missing[feature], &class),
            None => Axis::default(),
        };
        let axes = if parallel {
            plan.axes.par_iter().enumerate().map(axis).collect()
        } else {
            plan.axes.iter().enumerate().map(axis).collect()
        };
        Self { columns, class, planes, axes }
    }

    /// Adds the counts of a dense table to its cells.
    pub(super) fn count(
        &self,
        kernel: Kernel,
        (vars, dims): (&Vars, &[usize]),
        scratch: &mut Scratch,
        cells: &mut [u64],
    ) {
        if let (Kernel::Planes, Some(planes)) = (kernel, &self.planes) {
            return planes.count(vars.iter(), &mut scratch.planes, cells);
        }
        if kernel == Kernel::Blocked {
            let axes: smallvec::SmallVec<[&Axis; 4]> =
                vars.iter().map(|feature| &self.axes[feature]).collect();
            if scatter::count_blocked(&axes, &self.class, &mut scratch.scatter, cells) {
                return;
            }
        }
        self.columns.direct(vars, dims, self.class.values, |rows| rows.count(cells));
    }
}
