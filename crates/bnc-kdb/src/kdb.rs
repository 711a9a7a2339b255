//! The k-dependence Bayesian classifier.

use std::ops::Range;
use std::sync::Arc;

use bnc_models::bnc_data::{Code, Dataset, Schema};
use bnc_models::bnc_stats::{
    Counter, all_singles, conditional_mutual_information, measure_pairs, mutual_information,
};
use bnc_models::bnc_structure::{Structure, k_dependence};
use bnc_models::{
    Classifier, Configure, Learner, LearnerInfo, Member, Network, ParameterInfo, Parameters, Result, Saved,
    Smoothing,
};

use crate::BackOffNetwork;

/// KDB: each feature depends on the class and on up to k features that say more about the class than it does.
///
/// `P(y | x) ∝ P(y) Π P(x_i | y, x_parents(i))`
///
/// # Steps
/// 1. Count every pair of features by class.
/// 2. Place the features by falling mutual information with the class, I(Xi; Y).
/// 3. Give each the class and the k features placed before it with the highest I(Xi; Xj | Y) as parents, all of them
///    while there are no more than k.
/// 4. Count each feature with its parents, and turn counts into probabilities.
///
/// # Complexity
/// O(N n²) to count, O(n² c v²) for the measures, O(n c v min(N, vᵏ)) memory, O(n (k + c)) a prediction.
///
/// # Departures
/// - Ties in relevance go to the lower feature, ties in link to the feature placed earlier.
/// - Links of 0 are taken, too; the paper speaks of a threshold and states none.
/// - A missing cell is left out of the tables that need it; a missing value is summed out exactly.
/// - With back-off, as in later work of Webb's group, parents are asked in the order of falling link for as long as some
///   training row, of any class, has their values; the rest are left out, for this row and this feature. A missing parent
///   ends the sequence as an unseen one does, and the factor of a missing feature is left out.
/// - Memory grows with what was observed where that is less than all values of a feature and its parents, with back-off and
///   without.
/// - k = 0 is naive Bayes.
///
/// # References
/// - Sahami, M. (1996). Learning limited dependence Bayesian classifiers. Proceedings of the Second International
///   Conference on Knowledge Discovery and Data Mining, 335–338.
/// - Martínez, A. M., Webb, G. I., Chen, S., Zaidi, N. A. (2016). Scalable learning of Bayesian network classifiers. Journal
///   of Machine Learning Research 17 (44), 1–35.
///
/// # Examples
/// ```
/// use std::sync::Arc;
/// use bnc_kdb::Kdb;
/// use bnc_kdb::bnc_models::bnc_data::{Dataset, Domain, Schema, Variable};
/// use bnc_kdb::bnc_models::{Classifier, Learner};
///
/// let binary = |name| Variable::new(name, Domain::Labels(vec!["no".into(), "yes".into()]));
/// let schema = Arc::new(Schema::new(binary("xor")?, vec![binary("a")?, binary("b")?])?);
/// let data = Dataset::new(schema, vec![0, 1, 1, 0], vec![vec![0, 0, 1, 1], vec![0, 1, 0, 1]], None)?;
/// let model = Kdb::default().fit(&data)?;
/// assert_eq!(model.predict(&[0, 1])?, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Kdb {
    k: usize,
    back_off: bool,
    smoothing: Smoothing,
}

impl Default for Kdb {
    /// Two parents, no back-off, Laplace smoothing.
    fn default() -> Self {
        Self { k: 2, back_off: false, smoothing: Smoothing::Laplace }
    }
}

impl Kdb {
    /// The largest number of feature parents.
    #[must_use]
    pub fn with_k(mut self, k: usize) -> Self {
        self.k = k;
        self
    }

    /// Whether parents whose values were never seen together are left out.
    #[must_use]
    pub fn with_back_off(mut self, back_off: bool) -> Self {
        self.back_off = back_off;
        self
    }

    /// How counts become probabilities.
    #[must_use]
    pub fn with_smoothing(mut self, smoothing: Smoothing) -> Self {
        self.smoothing = smoothing;
        self
    }
}

impl Learner for Kdb {
    type Model = KdbModel;

    fn fit(&self, counter: &dyn Counter) -> Result<KdbModel> {
        self.smoothing.validate(Self::INFO.name)?;
        let features = counter.schema().features().len();
        let pairs = measure_pairs(counter, conditional_mutual_information)?;
        let singles = pairs.counter(counter).count(&all_singles(features))?;
        let relevance: Vec<f64> = singles.iter().skip(1).map(mutual_information).collect();
        let structure = k_dependence(&relevance, &pairs.values, self.k);
        drop(pairs);
        if self.back_off {
            let parents = structure.features().iter().map(|family| family.parents.clone()).collect();
            BackOffNetwork::fit(counter, parents, self.smoothing).map(KdbModel::BackOff)
        } else {
            Network::fit(counter, structure, self.smoothing, self.smoothing).map(KdbModel::Network)
        }
    }
}

impl Configure for Kdb {
    const INFO: LearnerInfo = LearnerInfo {
        name: "kdb",
        title: "K-dependence Bayesian classifier",
        idea: "Features are ordered by what they say about the class; each depends on the class and on the k earlier ones \
               most linked to it.",
        when: "When there are thousands of rows and dependences of more than two features; raise k with the rows.",
        parameters: &[
            K,
            ParameterInfo {
                name: "backoff",
                default: "false",
                values: "true | false",
                meaning: "whether parents whose values were never seen together are left out, the weakest first",
            },
            ParameterInfo::smoothing("laplace"),
        ],
        complexity: "train O(N n²), predict O(n (k + c))",
        reference: "Sahami, KDD 1996",
    };

    fn configure(parameters: &Parameters) -> Result<Self> {
        let default = Self::default();
        Ok(Self {
            k: k_of(parameters)?.unwrap_or(default.k),
            back_off: parameters.get("backoff", "true or false")?.unwrap_or(default.back_off),
            smoothing: parameters.smoothing("smoothing")?.unwrap_or(default.smoothing),
        })
    }
}

/// The parameter `k` of all learners of this crate.
pub(crate) const K: ParameterInfo = ParameterInfo {
    name: "k",
    default: "2",
    values: "0, 1, 2, …",
    meaning: "the largest number of feature parents of a feature",
};

/// The value of [`K`] where it is given.
pub(crate) fn k_of(parameters: &Parameters) -> Result<Option<usize>> {
    parameters.get("k", "a whole number of 0 or more")
}

/// A fitted [`Kdb`].
#[derive(Debug, Clone, PartialEq)]
pub enum KdbModel {
    /// Without back-off: a Bayesian network.
    Network(Network),
    /// With back-off.
    BackOff(BackOffNetwork),
}

impl KdbModel {
    fn classifier(&self) -> &dyn Classifier {
        match self {
            Self::Network(network) => network,
            Self::BackOff(network) => network,
        }
    }

    /// The graph; parents are listed by falling link.
    #[must_use]
    pub fn structure(&self) -> &Structure {
        match self {
            Self::Network(network) => network.structure(),
            Self::BackOff(network) => network.structure(),
        }
    }
}

impl Classifier for KdbModel {
    fn schema(&self) -> &Arc<Schema> {
        self.classifier().schema()
    }

    fn posterior_into(&self, row: &[Code], out: &mut [f64]) -> Result<()> {
        self.classifier().posterior_into(row, out)
    }

    fn posteriors_into(&self, data: &Dataset, rows: Range<usize>, out: &mut [f64]) -> Result<()> {
        self.classifier().posteriors_into(data, rows, out)
    }

    fn members(&self) -> Vec<Member> {
        self.classifier().members()
    }

    fn save(&self) -> Result<Saved> {
        self.classifier().save()
    }

    fn network(&self) -> Option<&Network> {
        self.classifier().network()
    }
}
