//! Hidden naive Bayes.

use std::ops::Range;
use std::sync::Arc;

use bnc_models::bnc_data::{Code, Dataset, MISSING, Schema};
use bnc_models::bnc_stats::{
    Counter, NEGLIGIBLE, PairCounts, Table, Vars, conditional_mutual_information, pair_index,
};
use bnc_models::bnc_structure::Structure;
use bnc_models::{
    Classifier, Configure, Error, Learner, LearnerInfo, Member, ParameterInfo, Parameters, Result, Saved,
    Smoothing, check_row, normalize,
};
use rayon::prelude::*;

use crate::conditionals::Scale;
use crate::mixtures::posteriors_into;
use crate::pairs::gather;
use crate::tables::{Tables, check_size};

/// HNB: each feature has a hidden parent, a mixture of all other features weighted by how much they depend on it.
///
/// `P(y | x) ∝ P(y) Π_i Σ_{j ≠ i} W_ij P(x_i | x_j, y)`, `W_ij = I(X_i; X_j | Y) / Σ_{k ≠ i} I(X_i; X_k | Y)`
///
/// # Steps
/// 1. Count every pair of features by class.
/// 2. Weigh each pair by its conditional mutual information, from relative frequencies.
/// 3. For a row, multiply the class probability with the mixture of each known value.
///
/// # Complexity
/// O(N n²) to count, O(n² c) a prediction, O(c (Σ v)²) memory.
///
/// # Departures
/// - A feature whose weights are all 0 has its factor of naive Bayes, `P(x_i | y)`, as in WEKA's program.
/// - [`PairInformation::Weka`] leaves small terms out of the conditional mutual information, as that program does.
/// - A missing value has no factor and is no parent: the weights of the known parents are made to sum to 1.
/// - Without smoothing every class can be ruled out: then the posterior is that of naive Bayes.
///
/// # References
/// - Jiang, L., Zhang, H., Cai, Z. (2009). A novel Bayes model: hidden naive Bayes. IEEE Transactions on Knowledge and Data
///   Engineering 21(10), 1361–1371.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hnb {
    smoothing: Smoothing,
    information: PairInformation,
}

/// Which terms the conditional mutual information of a pair sums.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PairInformation {
    /// All of them.
    #[default]
    Exact,
    /// Those with `P(x_i, x_j, y) P(y)` and `P(x_i, y) P(x_j, y)` of 10⁻⁶ or more.
    Weka,
}

impl Default for Hnb {
    /// The m-estimate with m = 1, as in the paper.
    fn default() -> Self {
        Self { smoothing: Smoothing::M(1.0), information: PairInformation::Exact }
    }
}

impl Hnb {
    /// How counts become probabilities.
    #[must_use]
    pub fn with_smoothing(mut self, smoothing: Smoothing) -> Self {
        self.smoothing = smoothing;
        self
    }

    /// Which terms the weights sum.
    #[must_use]
    pub fn with_information(mut self, information: PairInformation) -> Self {
        self.information = information;
        self
    }
}

impl Learner for Hnb {
    type Model = HnbModel;

    fn fit(&self, counter: &dyn Counter) -> Result<HnbModel> {
        self.smoothing.validate(Self::INFO.name)?;
        let gathered = gather(counter, Self::INFO.name)?;
        let information = match self.information {
            PairInformation::Exact => conditional_mutual_information,
            PairInformation::Weka => information_of_large_terms,
        };
        let weights = gathered.pairs.par_iter().map(information).collect();
        HnbModel::new(Arc::clone(counter.schema()), self.smoothing, weights, gathered.counts)
    }
}

impl Configure for Hnb {
    const INFO: LearnerInfo = LearnerInfo {
        name: "hnb",
        title: "Hidden naive Bayes",
        idea: "Each feature depends on the class and on a mixture of all other features, weighted by mutual information.",
        when: "In place of AODE when each feature depends on few others, which the weights then pick out.",
        parameters: &[
            ParameterInfo {
                name: "cmi",
                default: "exact",
                values: "exact | weka",
                meaning: "conditional mutual information of all terms, or without terms below 1e-6 as in WEKA",
            },
            ParameterInfo::smoothing("m:1"),
        ],
        complexity: "train O(N n²), predict O(n² c)",
        reference: "Jiang, Zhang and Cai, IEEE Transactions on Knowledge and Data Engineering 21, 2009",
    };

    fn configure(parameters: &Parameters) -> Result<Self> {
        let default = Self::default();
        let information = match parameters.get::<String>("cmi", "exact or weka")?.as_deref() {
            None => default.information,
            Some("exact") => PairInformation::Exact,
            Some("weka") => PairInformation::Weka,
            Some(other) => {
                return Err(Error::BadParameter {
                    learner: Self::INFO.name.into(),
                    parameter: "cmi".into(),
                    value: other.into(),
                    expected: "exact or weka".into(),
                });
            }
        };
        Ok(Self { smoothing: parameters.smoothing("smoothing")?.unwrap_or(default.smoothing), information })
    }
}

/// I(Xi; Xj | Y) in nats without the terms that WEKA's program drops.
fn information_of_large_terms(table: &Table) -> f64 {
    const LEAST: f64 = 1e-6;
    let class = table.class_counts();
    let total = class.iter().sum::<u64>() as f64;
    let singles: Vec<Table> = table.vars().iter().map(|var| table.marginal(&Vars::new([var]))).collect();
    let mut sum = 0.0;
    for (number, run) in table.runs() {
        let codes = table.codes(number);
        let (first, second) = (singles[0].run(&codes[..1]), singles[1].run(&codes[1..]));
        for (y, &count) in run.iter().enumerate().filter(|(_, count)| **count > 0) {
            let joint = count as f64 / total * (class[y] as f64 / total);
            let apart = first[y] as f64 / total * (second[y] as f64 / total);
            if joint >= LEAST && apart >= LEAST {
                sum += count as f64 / total * (joint / apart).ln();
            }
        }
    }
    if sum < NEGLIGIBLE { 0.0 } else { sum }
}

/// The parents of a feature with their weights, relative to the largest, and the sum of these.
#[derive(Debug, Default)]
pub(crate) struct Mixture {
    pub(crate) weights: Vec<(usize, f64)>,
    pub(crate) sum: f64,
}

/// A fitted [`Hnb`].
#[derive(Debug, Clone, PartialEq)]
pub struct HnbModel {
    pub(crate) smoothing: Smoothing,
    /// I(Xi; Xj | Y) of every pair, in lexicographic order.
    pub(crate) weights: Vec<f64>,
    pub(crate) counts: PairCounts,
    tables: Tables,
    /// For each feature as the parent P(child | y, x).
    children: Vec<Vec<f64>>,
}

impl HnbModel {
    pub(crate) fn new(
        schema: Arc<Schema>,
        smoothing: Smoothing,
        weights: Vec<f64>,
        counts: PairCounts,
    ) -> Result<Self> {
        check_size(Hnb::INFO.name, &schema)?;
        let features = schema.features().len();
        let sound = |weight: &f64| weight.is_finite() && *weight >= 0.0;
        if weights.len() != features * features.saturating_sub(1) / 2 || !weights.iter().all(sound) {
            return Err(Error::Unsound("its weights do not fit its schema".into()));
        }
        let tables = Tables::new(schema, &counts, smoothing);
        let children = (0..features)
            .into_par_iter()
            .map(|parent| tables.children(&counts, parent, smoothing, Scale::Probability))
            .collect();
        Ok(Self { smoothing, weights, counts, tables, children })
    }

    pub(crate) fn tables(&self) -> &Tables {
        &self.tables
    }

    /// Makes `mixture` that of a feature over some parents, of which it may be one itself; `false` where all weights are 0.
    pub(crate) fn mix(&self, child: usize, parents: &[usize], mixture: &mut Mixture) -> bool {
        let features = self.children.len();
        let others = parents.iter().copied().filter(|&parent| parent != child);
        let weights = others.map(|parent| (parent, self.weights[pair_index(features, parent, child)]));
        mixture.weights.clear();
        mixture.weights.extend(weights);
        let largest = mixture.weights.iter().map(|(_, weight)| *weight).fold(0.0, f64::max);
        mixture.weights.iter_mut().for_each(|(_, weight)| *weight /= largest);
        mixture.sum = mixture.weights.iter().map(|(_, weight)| weight).sum();
        largest > 0.0
    }

    /// The probabilities of a parent, where those of the first value of a child start for its first value, and the distance to
    /// those for its next.
    pub(crate) fn children(&self, parent: usize, child: usize) -> (&[f64], usize, usize) {
        let (_, own) = self.tables.with_size(parent);
        let place = own + self.tables.cell(parent, child, 0);
        (&self.children[parent], place, self.tables.width([parent]))
    }

    /// Adds `ln Σ_j W_ij P(x_i | x_j, y)` to the scores.
    fn add_factor(
        &self,
        row: &[Code],
        child: usize,
        known: &[usize],
        (mixture, sums): (&mut Mixture, &mut [f64]),
        scores: &mut [f64],
    ) {
        let classes = scores.len();
        if !self.mix(child, known, mixture) {
            for (score, log) in scores.iter_mut().zip(self.tables.naive_run(child, row[child])) {
                *score += log;
            }
            return;
        }
        sums.fill(0.0);
        for &(parent, weight) in &mixture.weights {
            let (children, place, width) = self.children(parent, child);
            let start = place + usize::from(row[parent]) * width + usize::from(row[child]) * classes;
            for (sum, probability) in sums.iter_mut().zip(&children[start..start + classes]) {
                *sum += weight * probability;
            }
        }
        for (score, sum) in scores.iter_mut().zip(sums) {
            *score += (*sum / mixture.sum).ln();
        }
    }
}

impl Classifier for HnbModel {
    fn schema(&self) -> &Arc<Schema> {
        &self.tables.schema
    }

    fn posterior_into(&self, row: &[Code], out: &mut [f64]) -> Result<()> {
        check_row(&self.tables.schema, row)?;
        out.copy_from_slice(&self.tables.prior);
        let known: Vec<usize> = (0..row.len()).filter(|&feature| row[feature] != MISSING).collect();
        let (mut mixture, mut sums) = (Mixture::default(), vec![0.0; out.len()]);
        for &child in &known {
            self.add_factor(row, child, &known, (&mut mixture, &mut sums), out);
        }
        if !normalize(out) {
            self.tables.naive_posterior(row, out);
        }
        Ok(())
    }

    fn posteriors_into(&self, data: &Dataset, rows: Range<usize>, out: &mut [f64]) -> Result<()> {
        posteriors_into(self, data, rows, out)
    }

    /// Naive Bayes: the hidden parents are no features.
    fn members(&self) -> Vec<Member> {
        vec![Structure::naive(self.children.len()).into()]
    }

    fn save(&self) -> Result<Saved> {
        self.to_saved()
    }
}
