//! What an experiment of a paper is made of. A protocol is data; the running of it is one piece of code for all.

use bnc_eval::Metric;

use super::published::Figure;
use crate::data::PrepareArgs;
use crate::error::Result;
use crate::experiment::Learners;
use crate::registry;

/// The experiment of a paper.
pub(super) struct Protocol {
    /// As it is called on the command line.
    pub(super) name: &'static str,
    /// The paper.
    pub(super) reference: &'static str,
    /// What was done, in words.
    pub(super) procedure: &'static str,
    /// The published figures: see [`super::published`].
    pub(super) published: &'static str,
    /// What was never published in a readable table, and what else must be known to compare.
    pub(super) remarks: &'static [&'static str],
    pub(super) sets: &'static [Set],
    /// How many sets the paper has.
    pub(super) paper_sets: Option<usize>,
    /// Whether rows with a missing cell are left out, and with them the labels that only they have.
    pub(super) complete_rows: bool,
    /// Learnt from all rows, before they are split: so did all these papers.
    pub(super) preparation: PrepareArgs,
    pub(super) folds: usize,
    pub(super) repeats: usize,
    /// The folds and repeats of the cross-validation from which bias and variance are taken, where they are.
    pub(super) bias_variance: Option<(usize, usize)>,
    pub(super) learners: &'static [Competitor],
    pub(super) scope: Scope,
    pub(super) measures: &'static [Measured],
    pub(super) tests: &'static [Test],
}

/// A data set of an experiment.
pub(super) struct Set {
    /// As `cargo xtask fetch` calls it: `NAME.arff`.
    pub(super) name: &'static str,
    /// As the published figures call it.
    pub(super) published: &'static str,
    /// Columns to leave out; a prepared file may lack them already.
    pub(super) drop: &'static [&'static str],
    pub(super) numbers: Numbers,
    /// How it differs from the set of the paper.
    pub(super) remark: Option<&'static str>,
}

impl Set {
    /// A set that has the same name in the paper, of which every column is used.
    pub(super) const fn new(name: &'static str) -> Self {
        Self { name, published: name, drop: &[], numbers: Numbers::Cut, remark: None }
    }

    pub(super) const fn published_as(self, published: &'static str) -> Self {
        Self { published, ..self }
    }

    pub(super) const fn without(self, drop: &'static [&'static str]) -> Self {
        Self { drop, ..self }
    }

    pub(super) const fn with_numbers(self, numbers: Numbers) -> Self {
        Self { numbers, ..self }
    }

    pub(super) const fn with_remark(self, remark: &'static str) -> Self {
        Self { remark: Some(remark), ..self }
    }
}

/// What becomes of the numbers of a data set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Numbers {
    /// They are cut into intervals.
    Cut,
    /// They are few, and each is a label.
    Labels,
    /// There are none.
    Absent,
}

/// A learner of an experiment.
pub(super) struct Competitor {
    /// As the paper calls it.
    pub(super) name: &'static str,
    /// As `bnc` writes it.
    pub(super) spec: &'static str,
}

/// Which learners run on which sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scope {
    /// All on all.
    Everything,
    /// A learner on the sets for which there is a published figure of it.
    Published,
}

/// A quantity that is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Measure {
    /// A metric: the mean of the folds.
    Metric(Metric),
    /// The bias of zero-one loss, after Kohavi and Wolpert; see [`Protocol::bias_variance`].
    Bias,
    /// Its variance.
    Variance,
    /// The minimum description length of the structure learnt from all rows, in nats.
    DescriptionLength,
    /// The arcs between features of that structure.
    Arcs,
}

impl Measure {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Metric(metric) => metric.name(),
            Self::Bias => "bias",
            Self::Variance => "variance",
            Self::DescriptionLength => "mdl",
            Self::Arcs => "arcs",
        }
    }

    pub(super) fn higher_is_better(self) -> bool {
        matches!(self, Self::Metric(metric) if metric.higher_is_better())
    }

    /// Whether it is of a structure, and not of predictions.
    pub(super) fn is_of_structure(self) -> bool {
        matches!(self, Self::DescriptionLength | Self::Arcs)
    }
}

/// A measure, how it is written, and from which difference on a reader is told.
pub(super) struct Measured {
    pub(super) measure: Measure,
    pub(super) title: &'static str,
    pub(super) unit: Unit,
    /// The largest difference on a set, and of means, that is not marked; in the unit.
    pub(super) tolerance: [f64; 2],
}

/// What a figure is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unit {
    Percent,
    Proportion,
    Nats,
    Arcs,
}

impl Unit {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Percent => "percent",
            Self::Proportion => "proportion",
            Self::Nats => "nats",
            Self::Arcs => "arcs",
        }
    }

    /// By what our numbers are multiplied.
    pub(super) fn scale(self) -> f64 {
        if self == Self::Percent { 100.0 } else { 1.0 }
    }

    /// The places after the point.
    pub(super) fn places(self) -> usize {
        match self {
            Self::Percent => 2,
            Self::Proportion => 4,
            Self::Nats | Self::Arcs => 1,
        }
    }
}

/// A statistical comparison that the paper made.
pub(super) enum Test {
    /// On how many sets a learner is significantly better, not different, and worse: the corrected resampled t-test at 5 %.
    ResampledT { learner: &'static str, measures: &'static [Measure] },
    /// The sign test of a learner against every other, one-tailed.
    Sign { learner: &'static str, measures: &'static [Measure] },
    /// Wilcoxon's signed-ranks test of a learner against those that the paper compared with it, the p-values adjusted by
    /// Hommel's procedure.
    Hommel { learner: &'static str, measure: Measure },
    /// Friedman's test of some learners, with Nemenyi's critical difference.
    Friedman { learners: &'static [&'static str], measure: Measure },
}

impl Protocol {
    pub(super) fn learners(&self) -> Result<Learners> {
        let specs = self.learners.iter().map(|learner| registry::parse(learner.spec));
        Learners::new(
            &specs.collect::<std::result::Result<Vec<_>, _>>().map_err(crate::error::Error::failed)?,
        )
    }

    /// The places of the learners that run on a set.
    pub(super) fn learners_on(&self, set: &Set, published: &[Figure]) -> Vec<usize> {
        let runs = |learner: &Competitor| {
            self.scope == Scope::Everything
                || published.iter().any(|it| it.is_of(set.published, learner.name))
        };
        (0..self.learners.len()).filter(|&index| runs(&self.learners[index])).collect()
    }

    pub(super) fn learner(&self, name: &str) -> Option<usize> {
        self.learners.iter().position(|learner| learner.name == name)
    }
}

impl Competitor {
    /// What the learner is called in results: its name alone, where that tells it from the others.
    pub(super) fn key(&self, all: &[Self]) -> &'static str {
        let name = |spec: &'static str| spec.split(':').next().unwrap_or(spec);
        let its = name(self.spec);
        if all.iter().filter(|other| name(other.spec) == its).count() > 1 { self.spec } else { its }
    }
}
