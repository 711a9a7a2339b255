//! Hill climbing by conditional likelihood.

use bnc_models::bnc_data::{Progress, Silent};
use bnc_models::bnc_stats::Counter;
use bnc_models::{
    Configure, Constraints, Learner, LearnerInfo, Network, ParameterInfo, Parameters, Result, Smoothing,
};

use super::climb::{Limit, Space};
use super::climb_conditional;
use crate::training::complete_rows;

/// The most parents of a node, the class counted.
const MAX_PARENTS: usize = 2;

/// BNC-2P: the network that a greedy search finds to have the largest conditional likelihood of the class, with at most two
/// parents a node.
///
/// `CLL(B) = Σ ln P_B(y | x)` over the training rows, with maximum likelihood estimates. It measures what a classifier needs
/// and nothing else, is no sum over families, and has no optimum in closed form.
///
/// # Steps
/// 1. Start from the required arcs: the empty graph by default.
/// 2. Of all arcs that can be added, deleted or reversed without a cycle and without a third parent, take the change that
///    raises CLL most; among equals additions come before deletions before reversals, then lower parents (the class first),
///    then lower children.
/// 3. Repeat until no change raises CLL by more than 1e-9 (or 1e-12 a row, if that is more).
/// 4. Turn counts into probabilities.
///
/// # Complexity
/// O(n² N c) a step: a candidate's CLL needs the factors that it changes alone. O(n c) a prediction.
///
/// # Departures
/// - The papers do not say whether the class counts as one of the two parents. Here the class is a node as any other: it
///   counts, starts without children, and can have parents itself.
/// - Estimates for the search: a configuration of parents that was never seen has the uniform distribution; a value never seen
///   with a configuration that was seen has probability 0. The own class of a training row is never ruled out.
/// - The search uses the rows in which every value is known, and probabilities come from all.
/// - Predictions use expected a posteriori estimates (BDeu, equivalent sample size 1), as in the comparison of Sugahara, Uto
///   and Ueno (2018).
///
/// # References
/// - Grossman, D., Domingos, P. (2004). Learning Bayesian network classifiers by maximizing conditional likelihood. ICML.
/// - Sugahara, S., Uto, M., Ueno, M. (2018). Exact learning augmented naive Bayes classifier. PMLR 72, 439–450.
///
/// # Examples
/// ```
/// use std::sync::Arc;
/// use bnc_anb::Bnc2p;
/// use bnc_anb::bnc_models::bnc_data::{Dataset, Domain, Schema, Variable};
/// use bnc_anb::bnc_models::Learner;
///
/// let binary = |name| Variable::new(name, Domain::Labels(vec!["no".into(), "yes".into()]));
/// let schema = Arc::new(Schema::new(binary("class")?, vec![binary("a")?, binary("b")?])?);
/// // The class follows a; b tells nothing.
/// let a: Vec<u16> = (0..40).map(|row| row % 2).collect();
/// let class = a.iter().enumerate().map(|(row, a)| if row < 4 { 1 - a } else { *a }).collect();
/// let b = (0..40).map(|row| row / 2 % 2).collect();
/// let model = Bnc2p::default().fit(&Dataset::new(schema, class, vec![a, b], None)?)?;
/// assert!(model.structure().features()[0].class);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Bnc2p {
    constraints: Constraints,
    smoothing: Smoothing,
}

impl Default for Bnc2p {
    /// No constraints, BDeu with an equivalent sample size of 1.
    fn default() -> Self {
        Self { constraints: Constraints::default(), smoothing: Smoothing::Bdeu(1.0) }
    }
}

impl Bnc2p {
    /// Arcs that must and must not be there.
    #[must_use]
    pub fn with_constraints(mut self, constraints: Constraints) -> Self {
        self.constraints = constraints;
        self
    }

    /// How counts become probabilities.
    #[must_use]
    pub fn with_smoothing(mut self, smoothing: Smoothing) -> Self {
        self.smoothing = smoothing;
        self
    }
}

impl Learner for Bnc2p {
    type Model = Network;

    fn fit(&self, counter: &dyn Counter) -> Result<Network> {
        self.fit_with_progress(counter, &Silent)
    }

    fn fit_with_progress(&self, counter: &dyn Counter, progress: &dyn Progress) -> Result<Network> {
        self.smoothing.validate(Self::INFO.name)?;
        let space = Space::new(counter.schema(), &self.constraints, Limit::All(MAX_PARENTS))?;
        let graph = climb_conditional(&space, &complete_rows(counter)?, |_| 0.0, progress)?;
        Network::fit(counter, graph.structure()?, self.smoothing, self.smoothing)
    }
}

impl Configure for Bnc2p {
    const INFO: LearnerInfo = LearnerInfo {
        name: "bnc2p",
        title: "Greedy network of two parents by conditional likelihood",
        idea: "Arcs are added, deleted and reversed while the conditional likelihood of the class rises; no node has more than two parents.",
        when: "When prediction is all that counts and the features are no more than some dozens.",
        parameters: &[
            ParameterInfo::REQUIRE,
            ParameterInfo::FORBID,
            ParameterInfo::ORDER,
            ParameterInfo::smoothing("bdeu:1"),
        ],
        complexity: "train O(n² N c) a step, predict O(n c)",
        reference: "Grossman and Domingos, ICML 2004",
    };

    fn configure(parameters: &Parameters) -> Result<Self> {
        Ok(Self {
            constraints: Constraints::of(parameters)?,
            smoothing: parameters.smoothing("smoothing")?.unwrap_or(Self::default().smoothing),
        })
    }
}
