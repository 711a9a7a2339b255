//! The statistical comparisons that a paper made, on our figures, beside what it found.

use bnc_eval::{Friedman, Tally, Ties, hommel, sign_test, tally, to_12_decimals, wilcoxon};
use ndarray::Array2;
use serde::Serialize;

use super::comparison::Comparison;
use super::protocol::{Measure, Test};
use super::published::{Figure, Kind};
use super::run::SetResult;
use crate::error::Result;
use crate::experiment::LEVEL;

/// A learner against another.
#[derive(Serialize)]
pub(super) struct Versus<'a> {
    pub(super) test: &'static str,
    pub(super) measure: &'static str,
    pub(super) learner: &'static str,
    pub(super) against: &'static str,
    /// Both as the paper calls them.
    pub(super) names: [&'static str; 2],
    /// The data sets on which both ran.
    pub(super) data_sets: usize,
    /// On how many of them the first is better, neither, and worse; with the resampled t-test, significantly so.
    pub(super) ours: Tally,
    /// Over all data sets; null with the resampled t-test, which is one test a set.
    pub(super) p: Option<f64>,
    /// Adjusted for there being several comparisons.
    pub(super) adjusted_p: Option<f64>,
    pub(super) published: Option<Finding<'a>>,
}

/// What a paper found.
#[derive(Serialize)]
pub(super) struct Finding<'a> {
    pub(super) wins: Option<f64>,
    pub(super) adjusted_p: Option<f64>,
    /// The data sets that it is over.
    pub(super) data_sets: Option<usize>,
    pub(super) source: &'a str,
}

/// The order of some learners over all data sets by Friedman's test.
#[derive(Serialize)]
pub(super) struct Order<'a> {
    pub(super) test: &'static str,
    pub(super) measure: &'static str,
    pub(super) data_sets: usize,
    pub(super) chi_square: f64,
    pub(super) p: f64,
    /// Of Nemenyi's test at 5 %.
    pub(super) critical_difference: f64,
    /// From the best mean rank to the worst.
    pub(super) learners: Vec<Ranked>,
    pub(super) source: Option<&'a str>,
}

/// A learner in an order.
#[derive(Serialize)]
pub(super) struct Ranked {
    pub(super) learner: &'static str,
    pub(super) name: &'static str,
    pub(super) mean_rank: f64,
    /// 1 is the best.
    pub(super) place: usize,
    pub(super) published_place: Option<f64>,
}

/// All tests of a protocol.
pub(super) struct Significance<'a> {
    pub(super) versus: Vec<Versus<'a>>,
    pub(super) orders: Vec<Order<'a>>,
}

impl<'a> Comparison<'a> {
    pub(super) fn significance(self) -> Result<Significance<'a>> {
        let (mut versus, mut orders) = (Vec::new(), Vec::new());
        for test in self.protocol.tests {
            match *test {
                Test::ResampledT { learner, measures } => {
                    for &measure in measures {
                        versus.extend(self.resampled_t(learner, measure)?);
                    }
                }
                Test::Sign { learner, measures } => {
                    for &measure in measures {
                        versus.extend(self.sign(learner, measure));
                    }
                }
                Test::Hommel { learner, measure } => versus.extend(self.hommel(learner, measure)),
                Test::Friedman { learners, measure } => orders.extend(self.friedman(learners, measure)?),
            }
        }
        Ok(Significance { versus, orders })
    }

    /// All learners but one.
    fn others(self, learner: usize) -> impl Iterator<Item = usize> {
        (0..self.protocol.learners.len()).filter(move |&other| other != learner)
    }

    fn resampled_t(self, learner: &str, measure: Measure) -> Result<Vec<Versus<'a>>> {
        let (Some(learner), Measure::Metric(metric)) = (self.protocol.learner(learner), measure) else {
            return Ok(Vec::new());
        };
        let against = |other: usize| {
            let pairs = self.results.iter().filter_map(|it| it.learner(learner).zip(it.learner(other)));
            let tally = tally(pairs, metric, LEVEL)?;
            let name = "corrected resampled t, two-tailed";
            Ok(self.versus(name, Kind::Wins, measure, [learner, other], tally))
        };
        self.others(learner).map(against).collect()
    }

    fn sign(self, learner: &str, measure: Measure) -> Vec<Versus<'a>> {
        let Some(learner) = self.protocol.learner(learner) else { return Vec::new() };
        let against = |other: usize| {
            let tally = count(&self.differences([learner, other], measure));
            let counts = [tally.wins, tally.ties, tally.losses].map(|count| count as u64);
            let test = sign_test(counts[0], counts[1], counts[2], Ties::Drop);
            let versus = self.versus("sign, one-tailed", Kind::Lower, measure, [learner, other], tally);
            Versus { p: Some(test.p_greater), ..versus }
        };
        self.others(learner).map(against).collect()
    }

    fn hommel(self, learner: &str, measure: Measure) -> Vec<Versus<'a>> {
        let Some(learner) = self.protocol.learner(learner) else { return Vec::new() };
        let against = |other: usize| {
            let differences = self.differences([learner, other], measure);
            let tally = count(&differences);
            let p = wilcoxon(&differences, Ties::Split).map(|test| test.p);
            let versus = self.versus(
                "Wilcoxon, adjusted by Hommel",
                Kind::AdjustedP,
                measure,
                [learner, other],
                tally,
            );
            Versus { p, ..versus }
        };
        // The adjustment depends on how many comparisons there are: the paper's.
        let mut all: Vec<Versus<'a>> =
            self.others(learner).map(against).filter(|versus| versus.published.is_some()).collect();
        let p_values: Vec<f64> = all.iter().map(|versus| versus.p.unwrap_or(1.0)).collect();
        for (versus, adjusted) in all.iter_mut().zip(hommel(&p_values)) {
            versus.adjusted_p = versus.p.map(|_| adjusted);
        }
        all
    }

    /// For each set that has both, by how much the first is better.
    fn differences(self, [learner, other]: [usize; 2], measure: Measure) -> Vec<f64> {
        let pair = |result: &SetResult| {
            let difference = to_12_decimals(result.value(learner, measure)? - result.value(other, measure)?);
            Some(if measure.higher_is_better() { difference } else { -difference })
        };
        self.results.iter().filter_map(pair).collect()
    }

    /// `kind` is that of the published figures which the comparison is like.
    fn versus(
        self,
        test: &'static str,
        kind: Kind,
        measure: Measure,
        pair: [usize; 2],
        ours: Tally,
    ) -> Versus<'a> {
        let names = pair.map(|learner| self.protocol.learners[learner].name);
        let [learner, against] = pair.map(|it| self.protocol.learners[it].key(self.protocol.learners));
        // The adjusted p-values of a paper are those of the others against its own.
        let [first, second] = if kind == Kind::AdjustedP { [names[1], names[0]] } else { names };
        let is_it = |it: &&Figure| {
            it.kind == kind && it.measure == measure.name() && it.learner == first && it.against == second
        };
        let published = self.published.iter().find(is_it).map(|figure| {
            let is_p = kind == Kind::AdjustedP;
            Finding {
                wins: (!is_p).then_some(figure.value),
                adjusted_p: is_p.then_some(figure.value),
                data_sets: figure.sets,
                source: &figure.source,
            }
        });
        Versus {
            test,
            measure: measure.name(),
            learner,
            against,
            names,
            data_sets: ours.wins + ours.ties + ours.losses,
            ours,
            p: None,
            adjusted_p: None,
            published,
        }
    }

    fn friedman(self, learners: &[&str], measure: Measure) -> Result<Option<Order<'a>>> {
        let learners: Vec<usize> = learners.iter().filter_map(|name| self.protocol.learner(name)).collect();
        let values =
            |result: &SetResult| learners.iter().map(|&it| result.value(it, measure)).collect::<Option<_>>();
        let complete: Vec<Vec<f64>> = self.results.iter().filter_map(values).collect();
        let rounded = |(set, learner): (usize, usize)| to_12_decimals(complete[set][learner]);
        let table = Array2::from_shape_fn((complete.len(), learners.len()), rounded);
        let Some(test) = Friedman::of(&table, measure.higher_is_better()) else { return Ok(None) };
        let place_of = |learner: usize| {
            let name = self.protocol.learners[learner].name;
            self.published
                .iter()
                .find(|it| it.kind == Kind::Place && it.learner == name && it.measure == measure.name())
        };
        let mut places: Vec<Ranked> = learners
            .iter()
            .zip(&test.mean_ranks)
            .map(|(&learner, &mean_rank)| Ranked {
                learner: self.protocol.learners[learner].key(self.protocol.learners),
                name: self.protocol.learners[learner].name,
                mean_rank,
                place: 1 + test.mean_ranks.iter().filter(|&&other| other < mean_rank).count(),
                published_place: place_of(learner).map(|figure| figure.value),
            })
            .collect();
        places.sort_by(|a, b| a.mean_rank.total_cmp(&b.mean_rank));
        Ok(Some(Order {
            test: "Friedman",
            measure: measure.name(),
            data_sets: test.data_sets,
            chi_square: test.chi_square.statistic,
            p: test.chi_square.p,
            critical_difference: test.nemenyi(LEVEL)?.critical_difference,
            learners: places,
            source: learners.first().and_then(|&it| place_of(it)).map(|figure| figure.source.as_str()),
        }))
    }
}

/// On how many sets a learner is better, as good, and worse.
fn count(differences: &[f64]) -> Tally {
    let wins = differences.iter().filter(|&&difference| difference > 0.0).count();
    let losses = differences.iter().filter(|&&difference| difference < 0.0).count();
    Tally { wins, ties: differences.len() - wins - losses, losses }
}
