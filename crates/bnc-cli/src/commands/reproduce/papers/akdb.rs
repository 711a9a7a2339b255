//! Wang, Zhao, Sun and Ning (2015).

use bnc_data::Discretization;
use bnc_eval::Metric;

use super::uci::ALL;
use crate::commands::reproduce::protocol::{Competitor, Measure, Measured, Protocol, Scope, Test, Unit};
use crate::data::{Discretize, Missing, PrepareArgs};

pub(super) static PROTOCOL: Protocol = Protocol {
    name: "akdb",
    reference: "Wang, Zhao, Sun, Ning (2015). General and local: averaged k-dependence Bayesian classifiers. Entropy 17(6), \
                4134–4154. doi:10.3390/e17064134",
    procedure: "missing cells filled with mode or mean and numbers cut by MDL, both on the whole file; Laplace's smoothing; \
                ten-fold cross-validation; bias and variance from 10 × 2-fold cross-validation; sign test, one-tailed, and \
                Friedman's test, 5 %",
    published: include_str!("../../../../published/akdb.csv"),
    remarks: &[
        "The paper's 41 sets are not listed in readable form, and its tables of zero-one loss, bias and variance were never at \
         hand: published are an order of the learners and one comparison of variances. The sets are those at hand.",
        "The paper does not say how it sampled for bias and variance; here every row is predicted ten times by models of halves \
         of the rows, and the figures are the raw ones of Kohavi and Wolpert, which sum to the error of these models.",
        "AODE is the paper's, with subsumption resolution (aodesr). The paper does not state k; a later one of its group says 2.",
    ],
    sets: &ALL,
    paper_sets: Some(41),
    complete_rows: false,
    preparation: PrepareArgs { missing: Missing::Mode, discretize: Discretize(Some(Discretization::Mdl)) },
    folds: 10,
    repeats: 1,
    bias_variance: Some((2, 10)),
    learners: &[
        Competitor { name: "NB", spec: "nb" },
        Competitor { name: "TAN", spec: "tan:smoothing=laplace" },
        Competitor { name: "AODE", spec: "aodesr:smoothing=laplace" },
        Competitor { name: "KDB", spec: "kdb" },
        Competitor { name: "TAN-FDA", spec: "tan-fda:smoothing=laplace" },
        Competitor { name: "AODE-SR", spec: "aode-sr-branch:smoothing=laplace" },
        Competitor { name: "LKDB", spec: "local-kdb" },
        Competitor { name: "AKDB", spec: "akdb" },
        Competitor { name: "KDB, k = 1", spec: "kdb:k=1" },
        Competitor { name: "LKDB, k = 1", spec: "local-kdb:k=1" },
        Competitor { name: "AKDB, k = 1", spec: "akdb:k=1" },
    ],
    scope: Scope::Everything,
    measures: &[
        measured(LOSS, "zero-one loss"),
        measured(Measure::Bias, "bias (Kohavi and Wolpert)"),
        measured(Measure::Variance, "variance (Kohavi and Wolpert)"),
    ],
    tests: &[
        Test::Friedman {
            learners: &["NB", "TAN", "AODE", "KDB", "TAN-FDA", "AODE-SR", "LKDB", "AKDB"],
            measure: LOSS,
        },
        Test::Sign { learner: "AKDB", measures: &[LOSS, Measure::Variance] },
    ],
};

const LOSS: Measure = Measure::Metric(Metric::ZeroOneLoss);

/// Nothing is published to be far from.
const fn measured(measure: Measure, title: &'static str) -> Measured {
    Measured { measure, title, unit: Unit::Proportion, tolerance: [0.0, 0.0] }
}
