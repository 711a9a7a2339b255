//! The machine-readable results, from which the tables are made as well.

use serde::Serialize;

use super::comparison::{Comparison, Gain, Mean, Row};
use super::run::{Choices, SetResult};
use super::significance::{Order, Versus};
use crate::error::Result;

/// All results of an experiment beside what was published.
#[derive(Serialize)]
pub(super) struct Document<'a> {
    program: &'static str,
    version: &'static str,
    pub(super) experiment: &'static str,
    pub(super) paper: &'static str,
    /// In words, with what was never published.
    pub(super) procedure: &'static str,
    pub(super) remarks: &'static [&'static str],
    pub(super) folds: usize,
    pub(super) repeats: usize,
    /// Null with folds from files.
    pub(super) seed: Option<u64>,
    pub(super) folds_from: Option<String>,
    /// Cut points and fill values are learnt from all rows, before they are split.
    protocol: &'static str,
    discretize: String,
    missing: &'static str,
    complete_rows_only: bool,
    pub(super) learners: Vec<Competing>,
    pub(super) data_sets: Vec<DataSet>,
    pub(super) data_sets_missing: Vec<&'a str>,
    /// How many data sets the paper has.
    pub(super) paper_data_sets: Option<usize>,
    pub(super) rows: Vec<Row<'a>>,
    pub(super) means: Vec<Mean>,
    pub(super) gains: Vec<Gain<'a>>,
    pub(super) tests: Vec<Versus<'a>>,
    pub(super) orders: Vec<Order<'a>>,
}

/// A learner and how it is written.
#[derive(Serialize)]
pub(super) struct Competing {
    pub(super) learner: &'static str,
    pub(super) name: &'static str,
    pub(super) spec: &'static str,
}

/// A data set as it was used.
#[derive(Serialize)]
pub(super) struct DataSet {
    pub(super) dataset: &'static str,
    pub(super) published_as: &'static str,
    pub(super) rows: usize,
    features: usize,
    classes: usize,
    dropped: &'static [&'static str],
    pub(super) remark: Option<&'static str>,
}

impl<'a> Document<'a> {
    pub(super) fn new(
        comparison: Comparison<'a>,
        choices: &Choices<'_>,
        missing: Vec<&'a str>,
    ) -> Result<Self> {
        let protocol = comparison.protocol;
        let evaluation = comparison.results.first().map(|result| &result.evaluation);
        let rows = comparison.rows();
        let significance = comparison.significance()?;
        Ok(Self {
            program: "bnc",
            version: env!("CARGO_PKG_VERSION"),
            experiment: protocol.name,
            paper: protocol.reference,
            procedure: protocol.procedure,
            remarks: protocol.remarks,
            folds: evaluation.map_or(protocol.folds, |it| it.folds),
            repeats: evaluation.map_or(choices.repeats, |it| it.repeats),
            seed: choices.folds_from.is_none().then_some(choices.seed),
            folds_from: choices.folds_from.map(|folder| folder.display().to_string()),
            protocol: "paper",
            discretize: protocol.preparation.discretize.to_string(),
            missing: protocol.preparation.missing.name(),
            complete_rows_only: protocol.complete_rows,
            learners: protocol
                .learners
                .iter()
                .map(|it| Competing { learner: it.key(protocol.learners), name: it.name, spec: it.spec })
                .collect(),
            data_sets: comparison.results.iter().map(DataSet::of).collect(),
            data_sets_missing: missing,
            paper_data_sets: protocol.paper_sets,
            means: comparison.means(&rows),
            rows,
            gains: comparison.gains(),
            tests: significance.versus,
            orders: significance.orders,
        })
    }
}

impl DataSet {
    fn of(result: &SetResult) -> Self {
        Self {
            dataset: result.set.name,
            published_as: result.set.published,
            rows: result.rows,
            features: result.features,
            classes: result.evaluation.classes.len(),
            dropped: result.set.drop,
            remark: result.set.remark,
        }
    }
}
