//! Hamine and Helman (2005).

use bnc_data::Discretization;
use bnc_eval::Metric;

use super::uci::ALL;
use crate::commands::reproduce::protocol::{Competitor, Measure, Measured, Protocol, Scope, Unit};
use crate::data::{Discretize, Missing, PrepareArgs};

pub(super) static PROTOCOL: Protocol = Protocol {
    name: "abn",
    reference: "Hamine, Helman (2005). Learning optimal augmented Bayes networks. arXiv:cs/0509055",
    procedure: "what a reader of the paper would look for, not its own experiment: description length and arcs of the structure \
                learnt from all rows, and the accuracy of ten-fold cross-validation; missing cells filled with mode or mean and \
                numbers cut by MDL, both on the whole file",
    published: include_str!("../../../../published/abn.csv"),
    remarks: &[
        "Nothing is published in readable form: the text of the paper and its experiments were never at hand, so every published \
         figure is missing (null) and the sets are those at hand.",
        "MDL is (ln N / 2) × parameters − log-likelihood, in nats, the class included: the lower the better, and ABN (net weights) \
         has the lowest of all forests.",
    ],
    sets: &ALL,
    paper_sets: None,
    complete_rows: false,
    preparation: PrepareArgs { missing: Missing::Mode, discretize: Discretize(Some(Discretization::Mdl)) },
    folds: 10,
    repeats: 1,
    bias_variance: None,
    learners: &[
        Competitor { name: "NB", spec: "nb:smoothing=bdeu:1" },
        Competitor { name: "TAN", spec: "tan:smoothing=bdeu:1" },
        Competitor { name: "ABN", spec: "abn" },
        Competitor { name: "ABN (raw weights)", spec: "abn:weights=raw" },
    ],
    scope: Scope::Everything,
    measures: &[
        Measured {
            measure: Measure::DescriptionLength,
            title: "MDL, nats",
            unit: Unit::Nats,
            tolerance: [0.0, 0.0],
        },
        Measured {
            measure: Measure::Arcs,
            title: "arcs between features",
            unit: Unit::Arcs,
            tolerance: [0.0, 0.0],
        },
        Measured {
            measure: Measure::Metric(Metric::Accuracy),
            title: "accuracy, %",
            unit: Unit::Percent,
            tolerance: [0.0, 0.0],
        },
    ],
    tests: &[],
};
