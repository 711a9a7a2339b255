//! What a fitted model can do.

use std::ops::Range;
use std::sync::Arc;

use bnc_data::{Code, Dataset, Schema};
use bnc_structure::Structure;
use ndarray::Array2;
use rayon::prelude::*;

use crate::{Error, Network, Result};

/// A fitted classifier. Only the schema, the posterior of a row, the members and the saved bytes must be written.
pub trait Classifier: Send + Sync {
    /// The schema of the rows that it classifies.
    fn schema(&self) -> &Arc<Schema>;

    /// Writes P(class | row) into `out`: one probability a class, finite, summing to 1. A missing code
    /// ([`bnc_data::MISSING`]) is a value that is not known.
    ///
    /// # Errors
    /// [`Error::RowLength`] and [`Error::BadCode`] for a row that does not fit the schema, [`Error::TooLarge`] when exact
    /// inference over the missing values is out of reach.
    fn posterior_into(&self, row: &[Code], out: &mut [f64]) -> Result<()>;

    /// The structures that the model is made of: one for a network, one a super-parent for an ensemble.
    fn members(&self) -> Vec<Member>;

    /// The model's bytes, for a model file.
    ///
    /// # Errors
    /// [`Error::Data`] when they cannot be serialised.
    fn save(&self) -> Result<Saved>;

    /// The model as a network, where it is one.
    fn network(&self) -> Option<&Network> {
        None
    }

    /// The most probable class; the lowest code wins ties.
    ///
    /// # Errors
    /// Those of [`Classifier::posterior_into`].
    fn predict(&self, row: &[Code]) -> Result<Code> {
        let mut posterior = vec![0.0; self.schema().classes()];
        self.posterior_into(row, &mut posterior)?;
        Ok(most_probable(&posterior))
    }

    /// Writes P(class | row) of a range of rows into `out`, one probability a class, row by row: the same bits as
    /// [`Classifier::posterior_into`] gives. A model that is faster on many rows at once says how here.
    ///
    /// # Errors
    /// Those of [`Classifier::posterior_into`].
    fn posteriors_into(&self, data: &Dataset, rows: Range<usize>, out: &mut [f64]) -> Result<()> {
        row_by_row(self, data, rows, out)
    }

    /// P(class | row) of every row: an array of rows × classes, computed in parallel, in order.
    ///
    /// # Errors
    /// Those of [`Classifier::posterior_into`].
    fn posteriors(&self, data: &Dataset) -> Result<Array2<f64>> {
        // So few rows cost less than waking threads does; several tasks a thread even out what else the processor does.
        const LEAST_ROWS_A_TASK: usize = 512;
        const TASKS_A_THREAD: usize = 8;
        let classes = self.schema().classes();
        let mut all = Array2::zeros((data.rows(), classes));
        let Some(cells) = all.as_slice_mut() else {
            return Ok(all);
        };
        if data.rows() <= LEAST_ROWS_A_TASK {
            self.posteriors_into(data, 0..data.rows(), cells)?;
        } else {
            let tasks = TASKS_A_THREAD * rayon::current_num_threads();
            let rows = data.rows().div_ceil(tasks).max(LEAST_ROWS_A_TASK);
            let tasks = cells.par_chunks_mut(rows * classes).enumerate();
            // Of several errors the one of the first row.
            let error = tasks.find_map_first(|(task, part)| {
                let first = task * rows;
                self.posteriors_into(data, first..first + part.len() / classes, part).err()
            });
            error.map_or(Ok(()), Err)?;
        }
        Ok(all)
    }
}

/// What [`Classifier::posteriors_into`] does where a model has nothing faster.
pub(crate) fn row_by_row(
    model: &(impl Classifier + ?Sized),
    data: &Dataset,
    rows: Range<usize>,
    out: &mut [f64],
) -> Result<()> {
    let mut row = vec![0; data.features().len()];
    for (index, out) in rows.zip(out.chunks_exact_mut(model.schema().classes())) {
        data.row_into(index, &mut row);
        model.posterior_into(&row, out)?;
    }
    Ok(())
}

/// The index of the largest probability; the lowest wins ties.
#[must_use]
pub fn most_probable(posterior: &[f64]) -> Code {
    let mut best = 0;
    for (class, &probability) in posterior.iter().enumerate() {
        if probability > posterior[best] {
            best = class;
        }
    }
    best as Code
}

/// Refuses a row that does not fit a schema; every implementation of [`Classifier::posterior_into`] starts with it.
///
/// # Errors
/// [`Error::RowLength`], [`Error::BadCode`].
pub fn check_row(schema: &Schema, row: &[Code]) -> Result<()> {
    let features = schema.features();
    if row.len() != features.len() {
        return Err(Error::RowLength { found: row.len(), expected: features.len() });
    }
    for (&code, variable) in row.iter().zip(features) {
        if code != bnc_data::MISSING && usize::from(code) >= variable.cardinality() {
            return Err(Error::BadCode {
                variable: variable.name().into(),
                code,
                cardinality: variable.cardinality(),
            });
        }
    }
    Ok(())
}

/// A structure that a model is made of.
#[derive(Debug, Clone, PartialEq)]
pub struct Member {
    /// Its super-parents, for a member of an ensemble of one- or two-dependence estimators; empty for a network.
    pub super_parents: Vec<usize>,
    /// How often training met each value of a single super-parent (by case weight); empty otherwise.
    pub frequencies: Vec<u64>,
    /// What the member weighs in the ensemble by each value of a single super-parent; empty where all weigh the same.
    pub weights: Vec<f64>,
    /// Its graph.
    pub structure: Structure,
}

/// A network, which has no super-parents.
impl From<Structure> for Member {
    fn from(structure: Structure) -> Self {
        Self { super_parents: Vec::new(), frequencies: Vec::new(), weights: Vec::new(), structure }
    }
}

/// A model's bytes with what is needed to read them again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Saved {
    /// Which [`Loader`](crate::Loader) reads them.
    pub kind: &'static str,
    /// The version of the wire format.
    pub version: u32,
    /// The wire bytes.
    pub bytes: Vec<u8>,
}
