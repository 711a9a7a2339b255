//! The error taken apart into bias and variance.

use bnc_eval::{BiasVariance, Decomposition, Summary};
use maud::{Markup, html};

use super::{Input, Section, figure};
use crate::error::Result;
use crate::html::chart::{Bar, Bars};
use crate::html::{Column, Table, grid};

/// The columns of the table. The charts have the second and third, and the last two.
const HEADER: [&str; 7] =
    ["error", "bias²", "variance", "bias², corrected", "variance, corrected", "bias, Webb", "variance, Webb"];

/// A learner's figures in the order of the header.
type Figures = [Option<f64>; HEADER.len()];

pub(super) fn section(input: &Input<'_>) -> Result<Option<Section>> {
    let Some(scheme) = &input.setting.bias_variance else { return Ok(None) };
    let learners = input.learners();
    let of = |outcome: &super::Outcome| outcome.bias_variance.iter().map(figures).collect::<Vec<Figures>>();
    let each = input.per_data_set(|outcome| Ok(Some(charts(&learners, &of(outcome), outcome.name()))))?;
    let all: Vec<Vec<Figures>> = input.outcomes.iter().map(of).collect();
    let means = means(&all, learners.len());
    let (title, overall) = match input.outcomes {
        [outcome] => (format!("Bias and variance, {}", outcome.name()), None),
        outcomes => {
            let title = format!("Means over {} data sets", outcomes.len());
            let charts = charts(&learners, &means, &title);
            (title, Some(charts))
        }
    };
    let content = html! {
        figure {
            figcaption {
                strong { "Why learners err." }
                " Bias (filled) is error that all training sets lead to, because a learner cannot say what is true; variance (hollow) is error \
                that comes of learning something else from each training set. Their sum, the length of a bar, is the zero-one loss. \
                Training sets: scheme " (scheme) "."
            }
            @if let Some(overall) = overall { (overall) }
            (table(&title, &learners, &means))
            @if let Some(each) = each { (each) }
        }
        p class="note" {
            "bias² and variance are Kohavi and Wolpert’s; corrected ones allow for the number of predictions of a row. Webb’s are the errors that agree with \
            the most frequent prediction of a row, and those that do not."
        }
    };
    Ok(Some(Section { id: "bias", title: "Bias and variance", content }))
}

fn figures(found: &BiasVariance) -> Figures {
    let corrected = found.kohavi_wolpert_corrected;
    let Decomposition { bias, variance } = found.kohavi_wolpert;
    [
        Some(found.error),
        Some(bias),
        Some(variance),
        corrected.map(|it| it.bias),
        corrected.map(|it| it.variance),
        Some(found.webb.bias),
        Some(found.webb.variance),
    ]
}

/// The mean of each figure of each learner over the data sets.
fn means(all: &[Vec<Figures>], learners: usize) -> Vec<Figures> {
    let mean = |learner: usize, column: usize| {
        Summary::of(all.iter().map(|figures| figures.get(learner).and_then(|its| its[column]))).mean
    };
    (0..learners).map(|learner| std::array::from_fn(|column| mean(learner, column))).collect()
}

/// Kohavi and Wolpert's parts beside Webb's.
fn charts(learners: &[&str], figures: &[Figures], of: &str) -> Markup {
    let chart = |axis, parts, [first, second]: [usize; 2]| {
        let bars = learners
            .iter()
            .zip(figures)
            .filter_map(|(name, figures)| Some(Bar { name, parts: [figures[first]?, figures[second]?] }));
        Bars { axis, of: of.to_string(), parts, rows: bars.collect() }.draw()
    };
    grid(&[
        chart("zero-one loss, by Kohavi and Wolpert", ["bias²", "variance"], [1, 2]),
        chart("zero-one loss, by Webb", ["bias", "variance"], [5, 6]),
    ])
}

fn table(title: &str, learners: &[&str], figures: &[Figures]) -> Markup {
    let mut columns = vec![Column::words("learner")];
    columns.extend(HEADER.map(Column::numbers));
    let rows = learners.iter().zip(figures).map(|(name, its)| {
        let cells = its.iter().map(|&value| html! { (figure(value)) });
        std::iter::once(html! { (name) }).chain(cells).collect()
    });
    html! { (Table { title, columns, rows: rows.collect(), foot: Vec::new() }) }
}
