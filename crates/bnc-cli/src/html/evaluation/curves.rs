//! Learning curves.

use bnc_eval::Metric;
use maud::html;

use super::{CHARTED, Input, Outcome, Section};
use crate::error::Result;
use crate::html::chart::{LineChart, Point, Series};
use crate::html::grid;

pub(super) fn section(input: &Input<'_>) -> Result<Option<Section>> {
    let charts = input.per_data_set(|outcome| {
        let charts: Vec<_> = CHARTED.iter().map(|&(metric, y)| chart(outcome, metric, y).draw()).collect();
        Ok((!outcome.learning_curve.is_empty()).then(|| grid(&charts)))
    })?;
    let Some(charts) = charts else { return Ok(None) };
    let content = html! {
        figure {
            figcaption {
                strong { "What more data would bring." }
                " Each point is the mean over the folds when the learners see only so many training rows (logarithmic scale), each bar one standard deviation up \
                and down; learners are set a little apart to show their bars. A curve that still climbs at its right end, or falls where less is better, would gain from more rows."
            }
            (charts)
        }
    };
    Ok(Some(Section { id: "curves", title: "Learning curves", content }))
}

fn chart<'a>(outcome: &'a Outcome, metric: Metric, y: &'a str) -> LineChart<'a> {
    let series = outcome.evaluation.learners.iter().enumerate().map(|(index, learner)| {
        let points = outcome.learning_curve.iter().filter_map(|point| {
            let summary = point.evaluation.learners.get(index)?.summary[metric];
            Some(Point { x: point.rows as f64, y: summary.mean?, deviation: summary.sd })
        });
        Series { name: &learner.name, points: points.collect() }
    });
    LineChart {
        x: "training rows",
        y,
        of: outcome.name().to_string(),
        bounds: (0.0, 1.0),
        series: series.collect(),
    }
}
