//! Augmented naive Bayes by recursive autonomy identification.

mod graph;
mod orient;
mod search;
mod thin;

use bnc_models::bnc_data::{Progress, Silent};
use bnc_models::bnc_stats::{Counter, LocalScore};
use bnc_models::bnc_structure::Structure;
use bnc_models::{Configure, Learner, LearnerInfo, Network, ParameterInfo, Parameters, Result, Smoothing};

use crate::parameters::{EQUIVALENT_SAMPLE_SIZE, smoothing_of, validate};
use crate::training::{complete_rows, finish};

/// Augmented naive Bayes whose arcs between features are what tests of conditional independence leave, refined recursively
/// on ever smaller parts of the graph: for hundreds of features.
///
/// X and Y are independent given Z and the class when the Bayes factor says so: `s(Y; Z) − s(Y; Z ∪ {X}) > 0`, where `s`
/// is the (logarithmic) BDeu score of Y with these features and the class as its parents.
///
/// # Steps
/// 1. Link every two features that vary within some class. Begin with order d = 0 and the whole graph as the
///    sub-structure.
/// 2. Stop where no feature of the sub-structure has more than d potential parents: the ends of its links and its parents,
///    inside or outside.
/// 3. For each feature Y of the sub-structure and each parent X outside, take the arc away if they are independent given
///    d other potential parents of Y.
/// 4. The same for each potential parent X inside. Direct links.
/// 5. The descendants are the components that no arc leaves for another (features are in one component when arcs and links
///    lead back and forth); the other features fall into connected parts, the ancestors. Go on at 2 with order d + 1 with
///    each part, then with the descendants, to whom the parts are outside.
/// 6. Direct the links that are left, so that there is no cycle and, where that can be, no new collider (Dor and Tarsi
///    1992). Make the class a parent of every feature, and turn counts into probabilities.
///
/// To direct links: X → Z ← Y, where X and Y are not adjacent and Z is not in the set that separated them; then the rules of
/// Meek (1995).
///
/// # Complexity
/// O(N nᵈ⁺²) to test up to order d, in practice far less: most edges fall at orders 0 and 1. A feature with more than 2²⁰
/// sets to test at one order is refused; [`RaiAnb::with_max_order`] is the way out. O(n c) a prediction.
///
/// # Departures
/// - The papers leave the order of the tests open. Features are taken in their order; of the independences found for one
///   feature at one order the clearest, that of the largest Bayes factor, takes its edge away first, and one given a
///   feature whose edge is gone does not count. A pair's separating set is the one that took its edge away.
/// - Links are directed after step 4 only, not after step 3 as well: before the links inside have been tested at this order,
///   some of what looks like a collider is none.
/// - Where samples contradict themselves, the first direction given to a link stays, and none is given that would close a
///   cycle. Directions found at a lower order stay.
/// - A feature that has one value within each class has no arcs. All independences hold for it, but the Bayes factor
///   denies them: BDeu with more parents, whose prior is then weaker, expects constants more.
/// - A logarithm of 10⁻⁹ or less counts as 0, which is no independence.
/// - Tests are over the labelled rows without a missing cell; the probabilities are from all labelled rows, and a missing
///   value is summed out exactly.
///
/// # References
/// - Sugahara, S., Kishida, W., Kato, K., Ueno, M. (2022). Recursive autonomy identification-based learning of augmented
///   naive Bayes classifiers. PMLR 186, 265–276.
/// - Yehezkel, R., Lerner, B. (2009). Bayesian network structure learning by recursive autonomy identification. Journal of
///   Machine Learning Research 10, 1527–1570.
/// - Meek, C. (1995). Causal inference and causal explanation with background knowledge. Uncertainty in Artificial
///   Intelligence 11, 403–410.
/// - Dor, D., Tarsi, M. (1992). A simple algorithm to construct a consistent extension of a partially oriented graph.
///   Technical report R-185, UCLA.
///
/// # Examples
/// ```
/// use std::sync::Arc;
/// use bnc_anb::RaiAnb;
/// use bnc_anb::bnc_models::bnc_data::{Dataset, Domain, Schema, Variable};
/// use bnc_anb::bnc_models::Learner;
///
/// let binary = |name| Variable::new(name, Domain::Labels(vec!["no".into(), "yes".into()]));
/// let schema = Arc::new(Schema::new(binary("class")?, vec![binary("a")?, binary("b")?, binary("c")?])?);
/// // b repeats a within each class; c tells nothing of either.
/// let class = (0..40).map(|row| row / 20).collect();
/// let a: Vec<u16> = (0..40).map(|row| row % 2).collect();
/// let c = (0..40).map(|row| row / 2 % 2).collect();
/// let data = Dataset::new(schema, class, vec![a.clone(), a, c], None)?;
/// let model = RaiAnb::default().fit(&data)?;
/// assert_eq!(model.structure().arcs().collect::<Vec<_>>(), [(0, 1)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct RaiAnb {
    equivalent_sample_size: f64,
    max_order: Option<usize>,
    smoothing: Option<Smoothing>,
}

impl Default for RaiAnb {
    /// An equivalent sample size of 1 for tests and probabilities, orders without a limit.
    fn default() -> Self {
        Self { equivalent_sample_size: 1.0, max_order: None, smoothing: None }
    }
}

impl RaiAnb {
    /// The equivalent sample size of the tests, and of the probabilities where no smoothing is given.
    #[must_use]
    pub fn with_equivalent_sample_size(mut self, size: f64) -> Self {
        self.equivalent_sample_size = size;
        self
    }

    /// The most features that a test is given.
    #[must_use]
    pub fn with_max_order(mut self, order: Option<usize>) -> Self {
        self.max_order = order;
        self
    }

    /// How counts become probabilities.
    #[must_use]
    pub fn with_smoothing(mut self, smoothing: Smoothing) -> Self {
        self.smoothing = Some(smoothing);
        self
    }
}

impl Learner for RaiAnb {
    type Model = Network;

    fn fit(&self, counter: &dyn Counter) -> Result<Network> {
        self.fit_with_progress(counter, &Silent)
    }

    fn fit_with_progress(&self, counter: &dyn Counter, progress: &dyn Progress) -> Result<Network> {
        let score = LocalScore::Bdeu(self.equivalent_sample_size);
        validate(score, Self::INFO.name)?;
        let smoothing = self.smoothing.unwrap_or_else(|| smoothing_of(score));
        smoothing.validate(Self::INFO.name)?;
        let rows = complete_rows(counter)?;
        let parents = search::parents(&rows, score, self.max_order, progress)?;
        finish(counter, &rows, Structure::augmented(parents)?, score, smoothing, None)
    }
}

impl Configure for RaiAnb {
    const INFO: LearnerInfo = LearnerInfo {
        name: "rai-anb",
        title: "Augmented naive Bayes by recursive autonomy identification",
        idea: "Tests of conditional independence take arcs between features away, on ever smaller parts of the graph.",
        when: "When there are too many features for exact search: up to some hundreds, with some hundreds of rows or more.",
        parameters: &[
            EQUIVALENT_SAMPLE_SIZE,
            ParameterInfo {
                name: "max-order",
                default: "none",
                values: "a number, or none",
                meaning: "the most features that a test of independence is given, the class not counted",
            },
            ParameterInfo::smoothing("bdeu with the ess"),
        ],
        complexity: "train O(N nᵈ⁺²) up to order d, predict O(n c)",
        reference: "Sugahara, Kishida, Kato and Ueno, PMLR 186, 2022",
    };

    fn configure(parameters: &Parameters) -> Result<Self> {
        const ORDER: &str = "a whole number of 0 or more, or none";
        let order: Option<String> = parameters.get("max-order", ORDER)?;
        let max_order = match order.filter(|order| order != "none") {
            None => None,
            Some(order) => {
                Some(order.parse().map_err(|_| parameters.bad("max-order", order.clone(), ORDER))?)
            }
        };
        let learner = Self {
            equivalent_sample_size: parameters.get("ess", EQUIVALENT_SAMPLE_SIZE.values)?.unwrap_or(1.0),
            max_order,
            smoothing: parameters.smoothing("smoothing")?,
        };
        validate(LocalScore::Bdeu(learner.equivalent_sample_size), Self::INFO.name)?;
        Ok(learner)
    }
}
