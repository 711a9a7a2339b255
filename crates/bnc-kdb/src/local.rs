//! The local k-dependence Bayesian classifier.

use bnc_models::bnc_stats::Counter;
use bnc_models::{Configure, Learner, LearnerInfo, ParameterInfo, Parameters, Result, Smoothing};

use crate::LocalKdbModel;
use crate::kdb::{K, k_of};
use crate::rows::distinct;

/// Local KDB: for each row to classify a KDB of its own, from what the row's values say about the class and about each
/// other.
///
/// `P(y | x) ∝ P(y) Π P(x_i | y, x_parents(i, x))`
///
/// # Steps
/// 1. Compute the local mutual information I(x; Y) of every value and the conditional local mutual information
///    I(x; x' | Y) of every pair of values, once.
/// 2. For a row, place its values by falling I(x; Y), and give each the k placed before it with the highest I(x; x' | Y) as
///    parents.
/// 3. Substitution-elimination resolution (SER): x implies x' when all training rows that have x have x', and these are l
///    or more. A parent that another parent implies is redundant; the next candidate takes its place. A value that one of
///    its parents implies has probability 1; its factor is left out.
/// 4. Count the training rows that have the values of a factor, by class, and turn counts into probabilities.
///
/// # Complexity
/// O(N n²) to count, O((Σ v)²) memory, and for a row O(n² k) for its structure and O(n k N / 64) to count: all training rows
/// are kept, as bitmaps.
///
/// # Departures
/// - The paper does not say which substitute is taken, nor what happens with chains and with values that imply each other:
///   candidates are asked by falling I(x; x' | Y), ties by the earlier place; a candidate that a kept one implies is passed
///   over, and one that implies kept ones takes their place. Of values that imply each other the one asked first stays.
/// - Implications come from the training rows alone; the paper takes them from all rows.
/// - Ties in I(x; Y) go to the lower feature.
/// - A missing value and one that no training row has are left out of the row's structure. A missing training cell is left
///   out of the counts that need it.
/// - A factor that is 0 under every class is left out; when the others rule out every class, the posterior is the class
///   distribution. Without smoothing only.
///
/// # References
/// - Wang, L., Zhao, H., Sun, M., Ning, Y. (2015). General and local: averaged k-dependence Bayesian classifiers. Entropy 17
///   (6), 4134–4154.
///
/// # Examples
/// ```
/// use std::sync::Arc;
/// use bnc_kdb::LocalKdb;
/// use bnc_kdb::bnc_models::bnc_data::{Dataset, Domain, Schema, Variable};
/// use bnc_kdb::bnc_models::{Classifier, Learner};
///
/// let binary = |name| Variable::new(name, Domain::Labels(vec!["no".into(), "yes".into()]));
/// let schema = Arc::new(Schema::new(binary("xor")?, vec![binary("a")?, binary("b")?])?);
/// let data = Dataset::new(schema, vec![0, 1, 1, 0], vec![vec![0, 0, 1, 1], vec![0, 1, 0, 1]], None)?;
/// let model = LocalKdb::default().fit(&data)?;
/// assert_eq!(model.predict(&[0, 1])?, 1);
/// assert_eq!(model.structure_for(&[0, 1])?.factors[1].parents, [0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LocalKdb {
    pub(crate) k: usize,
    pub(crate) l: u64,
    pub(crate) smoothing: Smoothing,
}

impl Default for LocalKdb {
    /// Two parents, implications from 100 rows on, Laplace smoothing, as in the paper.
    fn default() -> Self {
        Self { k: 2, l: 100, smoothing: Smoothing::Laplace }
    }
}

impl LocalKdb {
    /// The largest number of feature parents.
    #[must_use]
    pub fn with_k(mut self, k: usize) -> Self {
        self.k = k;
        self
    }

    /// How many rows must have a value for it to imply others.
    #[must_use]
    pub fn with_l(mut self, l: u64) -> Self {
        self.l = l;
        self
    }

    /// How counts become probabilities.
    #[must_use]
    pub fn with_smoothing(mut self, smoothing: Smoothing) -> Self {
        self.smoothing = smoothing;
        self
    }

    /// The parameters of a learner that takes those of this one.
    pub(crate) fn read(parameters: &Parameters) -> Result<Self> {
        let default = Self::default();
        Ok(Self {
            k: k_of(parameters)?.unwrap_or(default.k),
            l: parameters.get("l", "a whole number of 0 or more")?.unwrap_or(default.l),
            smoothing: parameters.smoothing("smoothing")?.unwrap_or(default.smoothing),
        })
    }
}

impl Learner for LocalKdb {
    type Model = LocalKdbModel;

    fn fit(&self, counter: &dyn Counter) -> Result<LocalKdbModel> {
        self.smoothing.validate(Self::INFO.name)?;
        LocalKdbModel::new(*self, distinct(&*counter.rows()?)?)
    }
}

/// The parameter `l` of the learners of this crate.
pub(crate) const L: ParameterInfo = ParameterInfo {
    name: "l",
    default: "100",
    values: "0, 1, 2, …",
    meaning: "how many rows must have a value for it to imply others",
};

impl Configure for LocalKdb {
    const INFO: LearnerInfo = LearnerInfo {
        name: "local-kdb",
        title: "Local k-dependence Bayesian classifier",
        idea: "A KDB of its own for each row, from what the row's values say about the class and about each other.",
        when: "When dependences differ between values; best as a part of akdb. Keeps all training rows.",
        parameters: &[K, L, ParameterInfo::smoothing("laplace")],
        complexity: "train O(N n²), predict O(n² k + n k N / 64)",
        reference: "Wang, Zhao, Sun and Ning, Entropy 17, 2015",
    };

    fn configure(parameters: &Parameters) -> Result<Self> {
        Self::read(parameters)
    }
}
