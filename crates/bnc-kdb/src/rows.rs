//! Training rows in a form that does not depend on their order: distinct, sorted, with their weights.

use std::cmp::Ordering;
use std::sync::Arc;

use bnc_models::bnc_data::{Code, Dataset, MISSING, Schema};
use bnc_models::{Error, Result};
use serde::{Deserialize, Serialize};

/// The labelled rows that weigh something, sorted by class, then by features; equal rows are one row of their joint weight
/// (more than one where that is beyond 32 bits).
///
/// # Errors
/// [`Error::NoLabelledRows`] when there are none.
pub(crate) fn distinct(data: &Dataset) -> Result<Dataset> {
    let weight = |row: usize| data.weights().map_or(1, |weights| u64::from(weights[row]));
    let mut order: Vec<usize> =
        (0..data.rows()).filter(|&row| data.class()[row] != MISSING && weight(row) > 0).collect();
    if order.is_empty() {
        return Err(Error::NoLabelledRows);
    }
    let columns = || std::iter::once(data.class()).chain(data.features().iter().map(Vec::as_slice));
    let compare = |a: usize, b: usize| {
        columns()
            .map(|column| column[a].cmp(&column[b]))
            .find(|order| order.is_ne())
            .unwrap_or(Ordering::Equal)
    };
    order.sort_unstable_by(|&a, &b| compare(a, b));
    let (mut rows, mut weights) = (Vec::new(), Vec::new());
    for equal in order.chunk_by(|&a, &b| compare(a, b).is_eq()) {
        let mut left: u64 = equal.iter().map(|&row| weight(row)).sum();
        while left > 0 {
            let part = u32::try_from(left).unwrap_or(u32::MAX);
            rows.push(equal[0]);
            weights.push(part);
            left -= u64::from(part);
        }
    }
    let pick = |column: &[Code]| rows.iter().map(|&row| column[row]).collect::<Vec<_>>();
    let weights = weights.iter().any(|&weight| weight != 1).then_some(weights);
    let features = data.features().iter().map(|column| pick(column)).collect();
    Ok(Dataset::new(Arc::clone(data.schema()), pick(data.class()), features, weights)?)
}

/// Version 1 of stored rows. A released version never changes.
#[derive(Serialize, Deserialize)]
pub(crate) struct RowsV1 {
    /// The number of distinct rows of each class, which come in the order of the classes.
    class_rows: Vec<u64>,
    weights: Vec<u32>,
    /// One column a feature.
    features: Vec<Vec<Code>>,
}

impl RowsV1 {
    /// The wire form of distinct rows.
    pub(crate) fn of(rows: &Dataset) -> Self {
        let mut class_rows = vec![0; rows.schema().classes()];
        rows.class().iter().for_each(|&class| class_rows[usize::from(class)] += 1);
        Self {
            class_rows,
            weights: rows.weights().map_or_else(|| vec![1; rows.rows()], <[u32]>::to_vec),
            features: rows.features().to_vec(),
        }
    }

    /// The rows.
    ///
    /// # Errors
    /// [`Error::Unsound`] and [`Error::Data`] when they do not fit the schema.
    pub(crate) fn rows(self, schema: &Arc<Schema>) -> Result<Dataset> {
        let total = self.class_rows.iter().try_fold(0_u64, |sum, &rows| sum.checked_add(rows));
        if self.class_rows.len() != schema.classes() || total != Some(self.weights.len() as u64) {
            return Err(Error::Unsound("its rows do not fit its classes".into()));
        }
        let class = self.class_rows.iter().enumerate();
        let class =
            class.flat_map(|(class, &rows)| std::iter::repeat_n(class as Code, rows as usize)).collect();
        distinct(&Dataset::new(Arc::clone(schema), class, self.features, Some(self.weights))?)
    }
}
