//! Wang, Zhao, Sun and Ning (2015).

use bnc_data::{Discretization, MissingPolicy, Preparation};
use bnc_eval::Metric;

use super::uci::ALL;
use crate::commands::reproduce::protocol::{Competitor, Measure, Measured, Protocol, Scope, Unit};

pub(super) static PROTOCOL: Protocol = Protocol {
    name: "akdb",
    reference: "Wang, Zhao, Sun, Ning (2015). General and local: averaged k-dependence Bayesian classifiers. Entropy 17(6), \
                4134–4154. doi:10.3390/e17064134",
    procedure: "missing cells filled with mode or mean and numbers cut by MDL, both on the whole file; Laplace's smoothing; \
                ten-fold cross-validation",
    published: include_str!("../../../../published/akdb.csv"),
    remarks: &[
        "The paper's 41 sets are not listed in readable form, and its tables of zero-one loss, bias and variance were never at \
         hand: published are an order of the learners and one comparison of variances. The sets are those at hand.",
        "AODE is the paper's, with subsumption resolution (aodesr). The paper does not state k; a later one of its group says 2.",
    ],
    sets: &ALL,
    paper_sets: Some(41),
    complete_rows: false,
    preparation: Preparation { missing: MissingPolicy::Mode, discretization: Discretization::Mdl },
    folds: 10,
    repeats: 1,
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
    measures: &[Measured {
        measure: Measure::Metric(Metric::ZeroOneLoss),
        title: "zero-one loss",
        unit: Unit::Proportion,
        tolerance: [0.01, 0.005],
    }],
    tests: &[],
};
