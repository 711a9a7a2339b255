//! AODE with the branch nodes of a tree as super-parents.

use std::sync::Arc;

use bnc_models::bnc_stats::{Counter, conditional_mutual_information};
use bnc_models::bnc_structure::maximum_spanning_forest;
use bnc_models::{Configure, Learner, LearnerInfo, ParameterInfo, Parameters, Result, Smoothing};
use rayon::prelude::*;

use crate::aode::Aode;
use crate::ensemble::{Ensemble, Resolution, Settings};
use crate::pairs::gather;

/// AODE-SR: AODE whose super-parents are the branch nodes of the maximum spanning tree, without redundant children.
///
/// # Steps
/// 1. Count every pair of features by class.
/// 2. Take the maximum spanning tree by conditional mutual information I(Xi; Xj | Y), as TAN does. Its branch nodes, those
///    that are no leaf (two neighbours or more), are the super-parents.
/// 3. For a row, a value that follows from another one (`F(x_j) = F(x_i, x_j)` and `F(x_j) ≥ l`) is no child. Of two values that
///    follow from each other the one of the lower feature stays.
/// 4. Sum the joint probabilities of the estimators of the super-parents.
///
/// # Complexity
/// O(N n²) to count, O(n² (c v² + log n)) for the tree, O(n² c) a prediction, O(c (Σ v)²) memory.
///
/// # Departures
/// Only the idea of the paper is published where we could read it. Unverified against it are:
/// - that a value that follows from another one stays a super-parent, and that one-to-one dependencies stand for the canonical
///   cover;
/// - the frequencies l = 100 and m = 1, the m-estimate, and all features as super-parents where no known branch node was
///   seen m times, or the tree has none (fewer than three features);
/// - missing values: left out as parent and as child, and of no dependency.
///
/// # References
/// - Wang et al. (2014). Extracting credible dependencies for averaged one-dependence estimator analysis. Mathematical
///   Problems in Engineering 2014, 470821.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AodeSrBranch {
    smoothing: Smoothing,
    frequency: u64,
}

impl Default for AodeSrBranch {
    /// The m-estimate with m = 1, l = 100.
    fn default() -> Self {
        Self { smoothing: Smoothing::M(1.0), frequency: 100 }
    }
}

impl AodeSrBranch {
    /// How counts become probabilities.
    #[must_use]
    pub fn with_smoothing(mut self, smoothing: Smoothing) -> Self {
        self.smoothing = smoothing;
        self
    }

    /// How often a value must have been seen for what follows from it to be left out.
    #[must_use]
    pub fn with_frequency(mut self, frequency: u64) -> Self {
        self.frequency = frequency;
        self
    }
}

impl Learner for AodeSrBranch {
    type Model = Ensemble;

    fn fit(&self, counter: &dyn Counter) -> Result<Ensemble> {
        self.smoothing.validate(Self::INFO.name)?;
        let gathered = gather(counter, Self::INFO.name)?;
        let schema = Arc::clone(counter.schema());
        let information: Vec<f64> = gathered.pairs.par_iter().map(conditional_mutual_information).collect();
        let tree = maximum_spanning_forest(schema.features().len(), &information, None);
        let mut neighbours = vec![0_usize; schema.features().len()];
        for (parent, child) in tree.arcs() {
            neighbours[parent] += 1;
            neighbours[child] += 1;
        }
        let of_values = schema.features().iter().zip(neighbours).flat_map(|(feature, neighbours)| {
            std::iter::repeat_n(if neighbours >= 2 { 1.0 } else { 0.0 }, feature.cardinality())
        });
        let settings = Settings {
            weights: of_values.collect(),
            resolution: Some(Resolution { least: self.frequency, parents: false }),
            ..Aode::default().with_smoothing(self.smoothing).settings()
        };
        Ensemble::new(schema, settings, gathered.counts)
    }
}

impl Configure for AodeSrBranch {
    const INFO: LearnerInfo = LearnerInfo {
        name: "aode-sr-branch",
        title: "AODE with branch nodes as super-parents",
        idea: "AODE whose super-parents are the inner nodes of the most likely tree, without children that follow from others.",
        when: "In place of AODE when few features carry the dependencies; the details of the paper are not public.",
        parameters: &[
            ParameterInfo {
                name: "l",
                default: "100",
                values: "0, 1, 2, …",
                meaning: "how often a value must have been seen for what follows from it to be left out",
            },
            ParameterInfo::smoothing("m:1"),
        ],
        complexity: "train O(N n²), predict O(n² c)",
        reference: "Wang et al., Mathematical Problems in Engineering 2014, 470821",
    };

    fn configure(parameters: &Parameters) -> Result<Self> {
        let default = Self::default();
        Ok(Self {
            smoothing: parameters.smoothing("smoothing")?.unwrap_or(default.smoothing),
            frequency: parameters.get("l", "a whole number of 0 or more")?.unwrap_or(default.frequency),
        })
    }
}
