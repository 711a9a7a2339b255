//! The error taken apart into bias and variance.

use maud::{Markup, html};

use super::{Input, Section, figure};
use crate::commands::evaluate::figures::{Parts, mean_parts, parts};
use crate::error::Result;
use crate::html::chart::{Bar, Bars};
use crate::html::{Column, Table, grid};

/// The columns of the table. The charts have the second and third, and the last two.
const HEADER: [&str; 7] =
    ["error", "bias²", "variance", "bias², corrected", "variance, corrected", "bias, Webb", "variance, Webb"];

pub(super) fn section(input: &Input<'_>) -> Result<Option<Section>> {
    let Some(scheme) = &input.setting.bias_variance else { return Ok(None) };
    let learners = input.learners();
    let of = |outcome: &super::Outcome| outcome.bias_variance.iter().map(parts).collect::<Vec<Parts>>();
    let each = input.per_data_set(|outcome| Ok(Some(charts(&learners, &of(outcome), outcome.name()))))?;
    let means = mean_parts(input.outcomes);
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

/// Kohavi and Wolpert's parts beside Webb's.
fn charts(learners: &[&str], figures: &[Parts], of: &str) -> Markup {
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

fn table(title: &str, learners: &[&str], figures: &[Parts]) -> Markup {
    let mut columns = vec![Column::words("learner")];
    columns.extend(HEADER.map(Column::numbers));
    let rows = learners.iter().zip(figures).map(|(name, its)| {
        let cells = its.iter().map(|&value| html! { (figure(value)) });
        std::iter::once(html! { (name) }).chain(cells).collect()
    });
    html! { (Table { title, columns, rows: rows.collect(), foot: Vec::new() }) }
}
