//! What the results on several data sets say of the learners.

use bnc_eval::{
    Evaluation, Friedman, Metric, Nemenyi, SignTest, Tally, Ties, WilcoxonTest, friedman, holm, hommel,
    sign_test, tally, to_12_decimals, wilcoxon,
};
use serde::Serialize;

use crate::error::Result;

/// The level of significance, everywhere.
pub(crate) const LEVEL: f64 = 0.05;

/// The tests of some learners against each other over several data sets, by one metric.
#[derive(Serialize)]
pub(crate) struct Significance {
    pub(crate) metric: &'static str,
    pub(crate) level: f64,
    /// Null where it is undefined, as with a single data set.
    pub(crate) friedman: Option<Friedman>,
    /// At that level.
    pub(crate) nemenyi: Option<Nemenyi>,
    /// Every learner against every one before it.
    pub(crate) pairs: Vec<Pair>,
}

/// A learner against another. What is better or worse is told of the first.
#[derive(Serialize)]
pub(crate) struct Pair {
    /// Their numbers, from 0.
    #[serde(skip)]
    pub(crate) numbers: (usize, usize),
    pub(crate) learner: String,
    pub(crate) other: String,
    /// Data sets by the corrected resampled t-test at that level.
    pub(crate) significant: Tally,
    /// Over the data sets with a better and a worse mean.
    pub(crate) sign_test: SignTest,
    /// Of the differences of the means; null where one is undefined.
    pub(crate) wilcoxon: Option<WilcoxonTest>,
    /// Wilcoxon's two-tailed p, adjusted for all these pairs.
    pub(crate) wilcoxon_p_holm: Option<f64>,
    pub(crate) wilcoxon_p_hommel: Option<f64>,
}

impl Significance {
    /// The tests by a metric. All evaluations are of the same learners.
    pub(crate) fn new(evaluations: &[&Evaluation], metric: Metric) -> Result<Self> {
        let friedman = friedman(evaluations.iter().copied(), metric)?;
        let nemenyi = friedman.as_ref().map(|test| test.nemenyi(LEVEL)).transpose()?;
        let learners = evaluations.first().map_or(0, |first| first.learners.len());
        let numbers = (0..learners).flat_map(|learner| (0..learner).map(move |other| (learner, other)));
        let mut pairs =
            numbers.map(|numbers| Pair::new(evaluations, numbers, metric)).collect::<Result<Vec<_>>>()?;
        let raw: Vec<f64> = pairs.iter().filter_map(|pair| Some(pair.wilcoxon?.p)).collect();
        let adjusted = holm(&raw).into_iter().zip(hommel(&raw));
        let tested = pairs.iter_mut().filter(|pair| pair.wilcoxon.is_some());
        for (pair, (by_holm, by_hommel)) in tested.zip(adjusted) {
            (pair.wilcoxon_p_holm, pair.wilcoxon_p_hommel) = (Some(by_holm), Some(by_hommel));
        }
        Ok(Self { metric: metric.name(), level: LEVEL, friedman, nemenyi, pairs })
    }

    /// How a learner does against another over the data sets, by the corrected resampled t-test; both by number.
    pub(crate) fn tally(&self, learner: usize, other: usize) -> Option<Tally> {
        self.pairs.iter().find_map(|pair| match pair.numbers {
            numbers if numbers == (learner, other) => Some(pair.significant),
            numbers if numbers == (other, learner) => {
                let Tally { wins, ties, losses } = pair.significant;
                Some(Tally { wins: losses, ties, losses: wins })
            }
            _ => None,
        })
    }
}

impl Pair {
    fn new(evaluations: &[&Evaluation], numbers: (usize, usize), metric: Metric) -> Result<Self> {
        let (learner, other) = numbers;
        let results = || evaluations.iter().map(|it| (&it.learners[learner], &it.learners[other]));
        let gain = |(its, others): (&bnc_eval::LearnerResult, &bnc_eval::LearnerResult)| {
            let difference = to_12_decimals(its.summary[metric].mean? - others.summary[metric].mean?);
            Some(if metric.higher_is_better() { difference } else { -difference })
        };
        let gains: Vec<f64> = results().filter_map(gain).collect();
        let count = |holds: fn(f64) -> bool| gains.iter().filter(|&&gain| holds(gain)).count() as u64;
        let name = |number: usize| evaluations.first().map(|it| it.learners[number].name.clone());
        Ok(Self {
            numbers,
            learner: name(learner).unwrap_or_default(),
            other: name(other).unwrap_or_default(),
            significant: tally(results(), metric, LEVEL)?,
            sign_test: sign_test(
                count(|gain| gain > 0.0),
                count(|gain| gain == 0.0),
                count(|gain| gain < 0.0),
                Ties::Drop,
            ),
            wilcoxon: wilcoxon(&gains, Ties::Drop),
            wilcoxon_p_holm: None,
            wilcoxon_p_hommel: None,
        })
    }
}
