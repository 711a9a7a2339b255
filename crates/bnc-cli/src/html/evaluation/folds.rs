//! The spread over the folds.

use bnc_eval::Metric;
use maud::html;

use super::{CHARTED, Input, Outcome, Section};
use crate::commands::evaluate::figures::best;
use crate::error::Result;
use crate::html::chart::{BoxPlot, Group};
use crate::html::grid;
use crate::text::counted;

pub(super) fn section(input: &Input<'_>) -> Result<Option<Section>> {
    let plots = input.per_data_set(|outcome| {
        let plots: Vec<_> = CHARTED
            .iter()
            .filter_map(|&(metric, axis)| plot(outcome, metric, axis))
            .map(|it| it.draw())
            .collect();
        Ok((!plots.is_empty()).then(|| grid(&plots)))
    })?;
    let Some(plots) = plots else { return Ok(None) };
    let content = html! {
        figure {
            figcaption {
                strong { "How much results vary from fold to fold." }
                " A box holds the middle half of the folds, the line in it is the median and the diamond the mean; whiskers reach to the \
                furthest fold within 1.5 box lengths, circles are folds beyond. Boxes that overlap widely belong to learners that \
                this data set hardly tells apart. ★ is the best mean."
            }
            (plots)
        }
    };
    Ok(Some(Section { id: "folds", title: "Folds", content }))
}

/// The values of all learners; `None` where none has two.
fn plot<'a>(outcome: &'a Outcome, metric: Metric, axis: &'a str) -> Option<BoxPlot<'a>> {
    let learners = &outcome.evaluation.learners;
    let best = best(&outcome.means(metric), metric);
    let groups = learners.iter().zip(best).map(|(learner, is_best)| Group {
        name: &learner.name,
        values: learner.parts.iter().filter_map(|part| part.metrics[metric]).collect(),
        is_best,
    });
    let groups: Vec<Group<'_>> = groups.collect();
    let most = groups.iter().map(|group| group.values.len()).max().unwrap_or(0);
    let of = format!("{} of {}", counted(most as u64, "fold"), outcome.name());
    (most > 1).then_some(BoxPlot { axis, of, groups })
}
