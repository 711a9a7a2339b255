//! The tables of results.

use bnc_eval::{Metric, Outcome as Verdict, PairedTest, Summary, Tally, compare, tally};
use maud::{Markup, html};

use super::{Input, Section, figure};
use crate::commands::evaluate::Outcome;
use crate::commands::evaluate::figures::{self, SHOWN, best, mean_over_data, mean_times, means_over_data};
use crate::error::Result;
use crate::experiment::LEVEL;
use crate::html::{Column, Table, folded};

pub(super) fn section(input: &Input<'_>) -> Result<Section> {
    let content = match input.outcomes {
        [outcome] => single(input, outcome),
        _ => several(input)?,
    };
    Ok(Section { id: "results", title: "Results", content: html! { (content) (legend(input)) } })
}

/// The learners on the only data set.
fn single(input: &Input<'_>, outcome: &Outcome) -> Markup {
    let learners = &outcome.evaluation.learners;
    let against = |index: usize| {
        let test = compare(&learners[index], &learners[0], Metric::Accuracy);
        html! { (verdict(test, Metric::Accuracy)) (figures::verdict(test)) }
    };
    let table =
        overview(input, "Results of each learner", |index, metric| learners[index].summary[metric], against);
    html! { figure { figcaption { strong { (outcome.name()) } ": " (outcome.size()) "." } (table) } }
}

/// The means over the data sets, then a table a metric.
fn several(input: &Input<'_>) -> Result<Markup> {
    let count = input.outcomes.len();
    let mean =
        |index, metric| Summary { mean: mean_over_data(input.outcomes, index, metric), sd: None, n: count };
    let against = |index: usize| {
        html! { @if let Some(tally) = input.significance.tally(index, 0) { (counts(tally)) } }
    };
    let table = overview(input, "Means over the data sets", mean, against);
    let mut each = Vec::with_capacity(SHOWN.len());
    for (metric, name) in SHOWN {
        let heading = html! { (name) " " span class="note" { "by data set" } };
        each.push((heading, by_data_set(input, metric, name)?));
    }
    Ok(html! {
        figure { figcaption { "Means over the " (count) " data sets." } (table) }
        (folded(each))
    })
}

/// A row a learner, a column a metric.
fn overview(
    input: &Input<'_>,
    title: &str,
    summary: impl Fn(usize, Metric) -> Summary,
    against_first: impl Fn(usize) -> Markup,
) -> Markup {
    let learners = input.learners();
    let has_tests = input.has_folds() && learners.len() > 1;
    let mut columns = vec![Column::words("learner")];
    columns.extend(SHOWN.map(|(_, name)| Column::measures(name)));
    if has_tests {
        columns.push(Column::words(format!("vs {}", learners[0])));
    }
    columns.extend(["fit, ms", "predict, ms"].map(Column::numbers));
    let rows = (0..learners.len()).map(|index| {
        let mut row = vec![html! { (learners[index]) }];
        row.extend(SHOWN.map(|(metric, _)| {
            let means: Vec<Option<f64>> = (0..learners.len()).map(|it| summary(it, metric).mean).collect();
            cell(summary(index, metric), best(&means, metric)[index], None)
        }));
        if has_tests {
            row.push(if index == 0 {
                html! {}
            } else {
                against_first(index)
            });
        }
        row.extend(mean_times(input.outcomes, index).map(|seconds| {
            html! { (format!("{:.2}", seconds * 1000.0)) }
        }));
        row
    });
    let rows = rows.collect();
    html! { (Table { title, columns, rows, foot: Vec::new() }) }
}

/// A row a data set, a column a learner.
fn by_data_set(input: &Input<'_>, metric: Metric, name: &str) -> Result<Markup> {
    let learners = input.learners();
    let mut columns = vec![Column::words("data")];
    columns.extend(learners.iter().map(Column::measures));
    let rows = input.outcomes.iter().map(|outcome| {
        let results = &outcome.evaluation.learners;
        let best = best(&outcome.means(metric), metric);
        let mut row = vec![html! { (outcome.name()) }];
        row.extend(results.iter().enumerate().map(|(index, learner)| {
            let test = (index > 0).then(|| compare(learner, &results[0], metric)).flatten();
            cell(learner.summary[metric], best[index], Some(verdict(test, metric)))
        }));
        row
    });
    let means = means_over_data(input.outcomes, metric);
    let best = best(&means, metric);
    let mut mean_row = vec![html! { "mean" }];
    mean_row.extend(means.iter().zip(best).map(|(&mean, is_best)| {
        cell(Summary { mean, sd: None, n: input.outcomes.len() }, is_best, Some(verdict(None, metric)))
    }));
    let mut foot = vec![mean_row];
    if input.has_folds() && learners.len() > 1 {
        let mut row = vec![html! { "wins/ties/losses" }, html! {}];
        for index in 1..learners.len() {
            let pairs = input.outcomes.iter().map(|outcome| &outcome.evaluation.learners);
            row.push(counts(tally(pairs.map(|its| (&its[index], &its[0])), metric, LEVEL)?));
        }
        foot.push(row);
    }
    let title = format!("{name} by data set");
    Ok(html! { (Table { title: &title, columns, rows: rows.collect(), foot }) })
}

/// A mean with its deviation, the best marked, and with room for how it compares.
fn cell(summary: Summary, is_best: bool, verdict: Option<Markup>) -> Markup {
    html! {
        @if is_best { strong { (figure(summary.mean)) } } @else { (figure(summary.mean)) }
        span class="star" { @if is_best { "★" } }
        @if let Some(sd) = summary.sd {
            span class="spread" { "± " (format!("{sd:.3}")) }
        } @else if verdict.is_some() {
            span class="spread" {}
        }
        @if let Some(verdict) = verdict { (verdict) }
    }
}

/// A mark of fixed width.
fn verdict(test: Option<PairedTest>, metric: Metric) -> Markup {
    let (class, mark) = match test.map(|test| test.outcome(metric, LEVEL)) {
        Some(Verdict::Win) => ("verdict win", "▲"),
        Some(Verdict::Loss) => ("verdict loss", "▼"),
        Some(Verdict::Tie) | None => ("verdict", ""),
    };
    html! { span class=(class) { (mark) } }
}

fn counts(tally: Tally) -> Markup {
    html! { (tally.wins) "/" (tally.ties) "/" (tally.losses) }
}

fn legend(input: &Input<'_>) -> Markup {
    let learners = input.learners();
    let first = learners.first().copied().unwrap_or_default();
    let several = input.outcomes.len() > 1;
    html! {
        p class="note" {
            "↑ more is better, ↓ less is better, ★ best, – undefined. "
            @if input.has_folds() { "± standard deviation over the folds. Times are for one fold. " }
            @if input.has_folds() && learners.len() > 1 {
                "▲ significantly better, ▼ significantly worse than " (first) " (corrected resampled t-test, 5\u{a0}%)"
                @if several { "; wins/ties/losses count the data sets" }
                "."
            }
        }
    }
}
