//! Our figures beside the published ones.

use bnc_eval::Summary;
use serde::Serialize;

use super::protocol::{Measured, Protocol};
use super::published::{Figure, Kind};
use super::run::SetResult;
use crate::text::counted;

/// A learner on a data set. Ours and published are in the unit.
#[derive(Serialize)]
pub(super) struct Row<'a> {
    pub(super) dataset: &'static str,
    pub(super) learner: &'static str,
    /// The learner as the paper calls it.
    pub(super) name: &'static str,
    pub(super) measure: &'static str,
    pub(super) unit: &'static str,
    /// Null where none was ever published in a readable table.
    pub(super) published: Option<f64>,
    pub(super) ours: Option<f64>,
    /// Ours minus published.
    pub(super) difference: Option<f64>,
    /// Whether ours is further from all published figures than the protocol tolerates, and than one row of the set.
    pub(super) differs: bool,
    pub(super) source: Option<&'a str>,
    /// Further runs of the same authors.
    also_published: Vec<Other<'a>>,
}

/// Another published figure for the same set and learner.
#[derive(Serialize)]
struct Other<'a> {
    published: f64,
    source: &'a str,
}

/// A learner over all data sets.
#[derive(Serialize)]
pub(super) struct Mean {
    pub(super) learner: &'static str,
    pub(super) name: &'static str,
    pub(super) measure: &'static str,
    pub(super) unit: &'static str,
    pub(super) published: Option<f64>,
    pub(super) ours: Option<f64>,
    /// Ours minus published; null where they are not over as many sets.
    pub(super) difference: Option<f64>,
    pub(super) differs: bool,
    /// The sets that ours is over.
    pub(super) data_sets: usize,
    /// The sets that the published one is over.
    pub(super) published_data_sets: Option<usize>,
    pub(super) source: Option<String>,
}

/// By how much a learner is above another on a data set.
#[derive(Serialize)]
pub(super) struct Gain<'a> {
    pub(super) dataset: &'a str,
    pub(super) learner: &'static str,
    pub(super) against: &'static str,
    /// Both as the paper calls them.
    pub(super) names: [&'static str; 2],
    pub(super) measure: &'a str,
    pub(super) unit: &'static str,
    pub(super) published: f64,
    pub(super) ours: f64,
    pub(super) difference: f64,
    pub(super) source: &'a str,
}

/// What the comparisons are made of.
#[derive(Clone, Copy)]
pub(super) struct Comparison<'a> {
    pub(super) protocol: &'static Protocol,
    pub(super) published: &'a [Figure],
    pub(super) results: &'a [SetResult],
}

impl<'a> Comparison<'a> {
    /// One row a measure, data set and learner that ran on it.
    pub(super) fn rows(self) -> Vec<Row<'a>> {
        let measures = self.protocol.measures.iter();
        let of_measure = move |measured: &'static Measured| {
            self.results.iter().flat_map(move |result| {
                let ran = (0..self.protocol.learners.len()).filter(|&it| result.learner(it).is_some());
                ran.map(move |learner| self.row(measured, result, learner))
            })
        };
        measures.flat_map(of_measure).collect()
    }

    fn row(self, measured: &'static Measured, result: &'a SetResult, learner: usize) -> Row<'a> {
        let competitor = &self.protocol.learners[learner];
        let scale = measured.unit.scale();
        let ours = result.value(learner, measured.measure).map(|value| value * scale);
        let of_set = self.published.iter().filter(|it| {
            it.is_of(result.set.published, competitor.name) && it.measure == measured.measure.name()
        });
        let all: Vec<&Figure> = of_set.collect();
        let difference = |figure: &&Figure| ours.map(|ours| ours - figure.value);
        let tolerance = measured.tolerance[0].max(1.05 * scale / result.rows as f64);
        let is_far = |figure: &&Figure| difference(figure).is_some_and(|it| it.abs() > tolerance);
        Row {
            dataset: result.set.name,
            learner: competitor.key(self.protocol.learners),
            name: competitor.name,
            measure: measured.measure.name(),
            unit: measured.unit.name(),
            published: all.first().map(|figure| figure.value),
            ours,
            difference: all.first().and_then(difference),
            differs: !all.is_empty() && all.iter().all(is_far),
            source: all.first().map(|figure| figure.source.as_str()),
            also_published: all
                .iter()
                .skip(1)
                .map(|figure| Other { published: figure.value, source: &figure.source })
                .collect(),
        }
    }

    /// The means over the data sets. Where figures of the sets are published the published mean is taken anew over those at
    /// hand.
    pub(super) fn means(self, rows: &[Row<'_>]) -> Vec<Mean> {
        let each =
            self.protocol.measures.iter().flat_map(|measured| {
                self.protocol.learners.iter().map(move |competitor| (measured, competitor))
            });
        let mean = |(measured, competitor): (&Measured, &super::protocol::Competitor)| {
            let measure = measured.measure.name();
            let rows: Vec<&Row<'_>> =
                rows.iter().filter(|row| row.measure == measure && row.name == competitor.name).collect();
            let ours = Summary::of(rows.iter().map(|row| row.ours));
            let (published, published_data_sets, source) =
                self.published_mean(&rows, competitor.name, measure);
            let difference = ours
                .mean
                .zip(published)
                .filter(|_| published_data_sets == Some(ours.n))
                .map(|(ours, published)| ours - published);
            Mean {
                learner: competitor.key(self.protocol.learners),
                name: competitor.name,
                measure,
                unit: measured.unit.name(),
                published,
                ours: ours.mean,
                difference,
                differs: difference.is_some_and(|it| it.abs() > measured.tolerance[1]),
                data_sets: ours.n,
                published_data_sets,
                source,
            }
        };
        each.map(mean).collect()
    }

    /// The published mean, over how many sets it is, and its source.
    fn published_mean(
        self,
        rows: &[&Row<'_>],
        learner: &str,
        measure: &str,
    ) -> (Option<f64>, Option<usize>, Option<String>) {
        let of_sets = Summary::of(rows.iter().map(|row| row.published));
        if of_sets.mean.is_some() {
            let mut sources: Vec<&str> = rows.iter().filter_map(|row| row.source).collect();
            sources.sort_unstable();
            sources.dedup();
            let at_hand = counted(of_sets.n as u64, "set");
            let source = format!("mean over {at_hand} at hand: {}", sources.join("; "));
            return (of_sets.mean, Some(of_sets.n), Some(source));
        }
        let is_it = |it: &&Figure| it.kind == Kind::Mean && it.learner == learner && it.measure == measure;
        let figure = self.published.iter().find(is_it);
        (figure.map(|it| it.value), figure.and_then(|it| it.sets), figure.map(|it| it.source.clone()))
    }

    /// The published gains on sets that are at hand.
    pub(super) fn gains(self) -> Vec<Gain<'a>> {
        let gain = |figure: &'a Figure| {
            let result = self.results.iter().find(|result| result.set.published == figure.dataset)?;
            let measured = self.protocol.measures.iter().find(|it| it.measure.name() == figure.measure)?;
            let learner = self.protocol.learner(&figure.learner)?;
            let against = self.protocol.learner(&figure.against)?;
            let value = |learner| result.value(learner, measured.measure);
            let ours = (value(learner)? - value(against)?) * measured.unit.scale();
            Some(Gain {
                dataset: &figure.dataset,
                learner: self.protocol.learners[learner].key(self.protocol.learners),
                against: self.protocol.learners[against].key(self.protocol.learners),
                names: [learner, against].map(|it| self.protocol.learners[it].name),
                measure: &figure.measure,
                unit: measured.unit.name(),
                published: figure.value,
                ours,
                difference: ours - figure.value,
                source: &figure.source,
            })
        };
        self.published.iter().filter(|it| it.kind == Kind::Gain).filter_map(gain).collect()
    }
}
