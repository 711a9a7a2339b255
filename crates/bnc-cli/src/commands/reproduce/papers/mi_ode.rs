//! Yu, Gan and Fan (2020).

use bnc_data::Discretization;
use bnc_eval::Metric;

use super::uci::UCI36;
use crate::commands::reproduce::protocol::{Competitor, Measure, Measured, Protocol, Scope, Test, Unit};
use crate::data::{Discretize, Missing, PrepareArgs};

const ACCURACY: Measure = Measure::Metric(Metric::Accuracy);
const AUC: Measure = Measure::Metric(Metric::Auc);

pub(super) static PROTOCOL: Protocol = Protocol {
    name: "mi-ode",
    reference: "Yu, Gan, Fan (2020). Computer Engineering 46(11), 315–320. doi:10.19678/j.issn.1000-3428.0056498",
    procedure: "36 UCI sets without the columns that name the row; missing cells filled with mode or mean and numbers cut by MDL, \
                both on the whole file; 10 × 10-fold cross-validation; corrected resampled t-test, two-tailed, 5 %",
    published: include_str!("../../../../published/mi-ode.csv"),
    remarks: &[
        "The paper's tables of each set were never at hand: only means, wins and two gains are published in readable form.",
        "The published means of NB, AODE and TAN are from another paper (IWHNB) on the same sets and protocol; this paper's own are \
         those of MI-ODE.",
        "The paper does not define AUC for several classes; ours is Hand and Till's.",
        "TAN is smoothed by Laplace's rule, as its published mean suggests (85.10 with Friedman's smoothing, 85.27 with WEKA's \
         default).",
    ],
    sets: UCI36,
    paper_sets: Some(36),
    complete_rows: false,
    preparation: PrepareArgs { missing: Missing::Mode, discretize: Discretize(Some(Discretization::Mdl)) },
    folds: 10,
    repeats: 10,
    bias_variance: None,
    learners: &[
        Competitor { name: "NB", spec: "nb" },
        Competitor { name: "AODE", spec: "aode" },
        Competitor { name: "TAN", spec: "tan:smoothing=laplace" },
        Competitor { name: "WAODE", spec: "waode" },
        Competitor { name: "MI-ODE", spec: "mi-ode" },
    ],
    scope: Scope::Everything,
    measures: &[
        Measured { measure: ACCURACY, title: "accuracy, %", unit: Unit::Percent, tolerance: [0.3, 0.3] },
        Measured {
            measure: AUC,
            title: "AUC (Hand and Till), %",
            unit: Unit::Percent,
            tolerance: [0.5, 0.5],
        },
    ],
    tests: &[Test::ResampledT { learner: "MI-ODE", measures: &[ACCURACY, AUC] }],
};
