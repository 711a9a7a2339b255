//! The fitted ensemble.

use std::array;
use std::ops::Range;
use std::sync::Arc;

use bnc_models::bnc_data::{Code, Dataset, MISSING, Schema};
use bnc_models::bnc_stats::PairCounts;
use bnc_models::bnc_structure::Structure;
use bnc_models::{Classifier, Error, Member, Result, Saved, Smoothing, check_row, exponentials};
use rayon::prelude::*;
use smallvec::SmallVec;

use crate::batch::{Estimator, Parent, Sum, posteriors_into};
use crate::cells::Cells;
use crate::conditionals::Scale;
use crate::subsumption::Implications;
use crate::tables::{Tables, check_size};
use crate::tiles::MARGIN;

/// How `P(y, x_i)` of a super-parent is estimated.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Joint {
    /// As one distribution over the pairs of value and class.
    #[default]
    Direct,
    /// As `P(y) P(x_i | y)`, each smoothed.
    Factored,
}

/// Log joint probabilities, a run by class for each estimator; on the stack where there are few.
pub(crate) type Scores = SmallVec<[f64; 512]>;

/// What tells one ensemble from another.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Settings {
    pub(crate) smoothing: Smoothing,
    pub(crate) joint: Joint,
    /// How often a value must have been seen to be a super-parent.
    pub(crate) minimum_frequency: u64,
    /// The weight of each value of each feature as a super-parent; empty: all the same.
    pub(crate) weights: Vec<f64>,
    /// Which values are left out because they follow from others; `None`: none.
    pub(crate) resolution: Option<Resolution>,
}

/// Subsumption resolution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Resolution {
    /// How often a value must have been seen for its generalisations to be left out.
    pub(crate) least: u64,
    /// Whether they are left out as super-parents, too, not only as children.
    pub(crate) parents: bool,
}

/// A fitted ensemble of one-dependence estimators, each with one feature as the super-parent of all others: a weighted sum
/// of their joint probabilities.
///
/// A super-parent of weight 0 takes part only where no known value has a weight; then all have the same. Where no value
/// was seen often enough to be a super-parent the posterior is that of naive Bayes. Where every class is ruled out
/// (possible without smoothing only) it is that of the estimators that do not rule out all classes, then naive Bayes over
/// the values that are possible, then the class distribution.
#[derive(Debug, Clone, PartialEq)]
pub struct Ensemble {
    pub(crate) settings: Settings,
    pub(crate) counts: PairCounts,
    tables: Tables,
    parents: Vec<SuperParent>,
    /// Where values are left out because they follow from others.
    implications: Option<Implications>,
}

/// The tables of one super-parent.
#[derive(Debug, Clone, PartialEq)]
struct SuperParent {
    parent: [Parent; 1],
    /// How often each value was seen.
    frequencies: Vec<u64>,
    /// ln of each value's weight.
    weights: Vec<f64>,
    /// ln P(y, x) plus the logarithm of the weight, as [`Estimator::starts`] has them.
    weighted: Vec<f64>,
    /// The same where all have the same weight.
    equal: Vec<f64>,
    /// ln P(child | y, x), as [`Estimator::children`] has them.
    children: Vec<f64>,
}

impl Ensemble {
    pub(crate) fn new(schema: Arc<Schema>, settings: Settings, counts: PairCounts) -> Result<Self> {
        check_size("an ensemble of one-dependence estimators", &schema)?;
        let (features, classes, smoothing) = (schema.features().len(), schema.classes(), settings.smoothing);
        let weights = weights_of_features(&schema, &settings.weights)?;
        let tables = Tables::new(schema, &counts, smoothing);
        let parents = (0..features)
            .into_par_iter()
            .zip(weights)
            .map(|(parent, weights)| {
                let single = counts.single(parent);
                let joint: Vec<f64> = match settings.joint {
                    Joint::Direct => smoothing.prior(single).into_iter().map(f64::ln).collect(),
                    Joint::Factored => {
                        let logs = tables.naive[parent].iter().zip(tables.prior.iter().cycle());
                        logs.map(|(x, y)| x + y).collect()
                    }
                };
                let frequencies: Vec<u64> =
                    single.chunks_exact(classes).map(|run| run.iter().sum()).collect();
                let seen = |value: usize| frequencies[value] >= settings.minimum_frequency;
                let weights: Vec<f64> = weights.into_iter().map(f64::ln).collect();
                SuperParent {
                    parent: [Parent { feature: parent, values: weights.len() }],
                    weighted: starts(&joint, classes, |value| seen(value).then_some(weights[value])),
                    equal: starts(&joint, classes, |value| seen(value).then_some(0.0)),
                    frequencies,
                    weights,
                    children: tables.children(&counts, parent, smoothing, Scale::Logarithm),
                }
            })
            .collect();
        let implications = settings.resolution.map(|resolution| Implications::new(&counts, resolution.least));
        Ok(Self { settings, counts, tables, parents, implications })
    }

    /// The posterior from the weighted sum of P(y, x) over the qualified super-parents of a row, with the children that are
    /// left; whether there was any that does not rule out every class.
    fn sum(&self, row: &[Code], children: &Cells, out: &mut [f64], weighted: bool) -> bool {
        let classes = out.len();
        let mut scores = Scores::with_capacity(row.len() * classes);
        for (parent, (&code, of_parent)) in row.iter().zip(&self.parents).enumerate() {
            if code != MISSING {
                let sizes = [self.tables.with_size(parent)];
                let estimator = self.estimator(of_parent, weighted);
                estimator.append(usize::from(code), sizes, children, classes, &mut scores);
            }
        }
        sum_of_joints(&mut scores, classes, out)
    }

    fn estimator<'a>(&self, of_parent: &'a SuperParent, weighted: bool) -> Estimator<'a> {
        Estimator {
            parents: &of_parent.parent,
            starts: if weighted { &of_parent.weighted } else { &of_parent.equal },
            children: &of_parent.children,
            width: self.tables.width(of_parent.parent.map(|parent| parent.feature)),
        }
    }

    /// Whether the super-parents have weights of their own.
    fn is_weighted(&self) -> bool {
        !self.settings.weights.is_empty()
    }

    /// The posterior of a row that fits the schema.
    pub(crate) fn posterior(&self, row: &[Code], out: &mut [f64]) {
        let resolved = self
            .resolution()
            .map(|(implications, as_parents)| (implications.without_implied(row), as_parents));
        let (row, children) = match &resolved {
            None => (row, row),
            Some((left, true)) => (left.as_slice(), left.as_slice()),
            Some((left, false)) => (row, left.as_slice()),
        };
        let weighted = self.is_weighted();
        let cells = self.tables.cells(children);
        let found = self.sum(row, &cells, out, weighted) || weighted && self.sum(row, &cells, out, false);
        if !found {
            self.tables.naive_posterior(children, out);
        }
    }
}

impl Sum for Ensemble {
    fn tables(&self) -> &Tables {
        &self.tables
    }

    fn estimators(&self) -> Vec<Estimator<'_>> {
        let members = self.parents.iter().map(|of_parent| self.estimator(of_parent, self.is_weighted()));
        members.filter(Estimator::takes_part).collect()
    }

    fn resolution(&self) -> Option<(&Implications, bool)> {
        self.implications.as_ref().zip(self.settings.resolution.map(|resolution| resolution.parents))
    }
}

/// The posterior that sums joint probabilities, given as runs of logs by class, one every `stride` cells with −∞ past the last
/// class, in whose place the probabilities are left, relative to the largest; `false` when all are 0 or there is none.
pub(crate) fn sum_of_joints(scores: &mut [f64], stride: usize, out: &mut [f64]) -> bool {
    let largest = largest(scores);
    if largest == f64::NEG_INFINITY {
        return false;
    }
    for score in &mut *scores {
        *score -= largest;
    }
    exponentials(scores);
    for (part, out) in out.chunks_mut(4).enumerate() {
        let mut sums = [0.0; 4];
        for run in scores.chunks_exact(stride) {
            let run = &run[4 * part..];
            // Four at once stay in registers.
            if let Some(run) = run.first_chunk::<4>() {
                sums = array::from_fn(|class| sums[class] + run[class]);
            } else {
                sums.iter_mut().zip(run).for_each(|(sum, probability)| *sum += probability);
            }
        }
        out.copy_from_slice(&sums[..out.len()]);
    }
    let sum: f64 = out.iter().sum();
    for probability in out {
        *probability /= sum;
    }
    true
}

/// The largest score; −∞ for none.
fn largest(scores: &[f64]) -> f64 {
    // Several at a time, which do not wait for each other.
    let (parts, rest) = scores.as_chunks::<8>();
    let greater = |a: f64, b: f64| if b > a { b } else { a };
    let mut lanes = [f64::NEG_INFINITY; 8];
    for part in parts {
        lanes = array::from_fn(|lane| greater(lanes[lane], part[lane]));
    }
    lanes.iter().chain(rest).copied().fold(f64::NEG_INFINITY, greater)
}

/// The weights of all values, a feature at a time; 1 for each where none are given.
fn weights_of_features(schema: &Schema, weights: &[f64]) -> Result<Vec<Vec<f64>>> {
    let dims = || schema.features().iter().map(bnc_models::bnc_data::Variable::cardinality);
    if weights.is_empty() {
        return Ok(dims().map(|dim| vec![1.0; dim]).collect());
    }
    if weights.len() != dims().sum::<usize>() || !weights.iter().all(|w| w.is_finite() && *w >= 0.0) {
        return Err(Error::Unsound("its weights do not fit its schema".into()));
    }
    let mut rest = weights;
    let mut split = |dim| {
        let (own, others) = rest.split_at(dim);
        rest = others;
        own.to_vec()
    };
    Ok(dims().map(&mut split).collect())
}

/// What the sums of an estimator start with, as [`Estimator::starts`] has them: its joint logarithms plus that of the weight,
/// which configurations that take no part lack.
pub(crate) fn starts(joint: &[f64], classes: usize, weight: impl Fn(usize) -> Option<f64>) -> Vec<f64> {
    let mut starts = Vec::with_capacity(joint.len() + classes + MARGIN);
    for (configuration, run) in joint.chunks_exact(classes).enumerate() {
        let weight = weight(configuration).unwrap_or(f64::NEG_INFINITY);
        starts.extend(run.iter().map(|log| log + weight));
    }
    starts.resize(joint.len() + classes + MARGIN, f64::NEG_INFINITY);
    starts
}

/// The structure with one feature as a parent of all others.
pub(crate) fn super_parent_structure(features: usize, parent: usize) -> Result<Structure> {
    let parents = (0..features).map(|child| if child == parent { Vec::new() } else { vec![parent] });
    Ok(Structure::augmented(parents.collect())?)
}

impl Classifier for Ensemble {
    fn schema(&self) -> &Arc<Schema> {
        &self.tables.schema
    }

    fn posterior_into(&self, row: &[Code], out: &mut [f64]) -> Result<()> {
        check_row(&self.tables.schema, row)?;
        self.posterior(row, out);
        Ok(())
    }

    fn posteriors_into(&self, data: &Dataset, rows: Range<usize>, out: &mut [f64]) -> Result<()> {
        posteriors_into(self, data, rows, out)
    }

    /// The estimators that have a weight; all where none has.
    fn members(&self) -> Vec<Member> {
        let weighs = |parent: &SuperParent| parent.weights.iter().any(|log| *log > f64::NEG_INFINITY);
        let any = self.parents.iter().any(weighs);
        let chosen = self.parents.iter().enumerate().filter(|(_, parent)| weighs(parent) || !any);
        chosen
            .filter_map(|(parent, tables)| {
                let structure = super_parent_structure(self.parents.len(), parent).ok()?;
                let frequencies = tables.frequencies.clone();
                let weighted = any && !self.settings.weights.is_empty();
                let weights =
                    if weighted { tables.weights.iter().map(|log| log.exp()).collect() } else { Vec::new() };
                Some(Member { super_parents: vec![parent], frequencies, weights, structure })
            })
            .collect()
    }

    fn save(&self) -> Result<Saved> {
        self.to_saved()
    }
}
