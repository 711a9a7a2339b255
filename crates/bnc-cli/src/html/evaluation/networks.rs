//! The learned structures.

use bnc_models::Model;
use maud::{Markup, html};

use super::{Input, Outcome, Section};
use crate::error::Result;
use crate::{drawing, size};

/// Larger structures are told in words: on a page they would be a tangle.
const MOST_FEATURES: usize = 60;
const MOST_ARCS: usize = 180;

pub(super) fn section(input: &Input<'_>) -> Result<Option<Section>> {
    let networks = input.per_data_set(|outcome| {
        if outcome.models.is_empty() { Ok(None) } else { of_data_set(outcome).map(Some) }
    })?;
    let Some(networks) = networks else { return Ok(None) };
    let content = html! {
        figure {
            figcaption {
                strong { "What the learners found in all rows of a data set." }
                " An arrow from one feature to another says that the second depends on the first, given the class. Where the class is a parent of \
                every feature it stands above a frame, and one arrow stands for all. The models behind the figures above were learnt from the \
                training part of each fold, and may differ from these."
            }
            (networks)
        }
    };
    Ok(Some(Section { id: "networks", title: "Networks", content }))
}

fn of_data_set(outcome: &Outcome) -> Result<Markup> {
    let learners = outcome.evaluation.learners.iter().zip(&outcome.models);
    let mut parts = Vec::with_capacity(outcome.models.len());
    for (learner, model) in learners {
        let content = match model {
            Some(model) => of_model(outcome, model)?,
            None => {
                html! { p class="note" { "Not learnt from all rows: too large, or without a structure." } }
            }
        };
        parts.push(html! { h3 { (learner.name) } (content) });
    }
    Ok(html! { @for part in &parts { (part) } })
}

/// The picture, where it says more than words.
fn of_model(outcome: &Outcome, model: &Model) -> Result<Markup> {
    let members = model.classifier().members();
    let Some(first) = members.first() else {
        return Ok(html! { p { "It has no structure of its own: it learns one for every row." } });
    };
    let size = size::describe(model.classifier());
    let arcs = first.structure.arcs().count();
    if drawing::is_star(model, first) {
        let star = if first.super_parents.is_empty() {
            "The class is a parent of every feature, and no feature is one of another."
        } else {
            "In each estimator the class and one feature are the parents of all other features."
        };
        return Ok(html! { p { (star) " " span class="note" { "(" (size) ")" } } });
    }
    if model.schema().features().len() > MOST_FEATURES || arcs > MOST_ARCS {
        return Ok(html! {
            p {
                "More than " (MOST_FEATURES) " features or " (MOST_ARCS) " arcs are not drawn here; "
                code { "bnc show --format svg" } " draws a model. " span class="note" { "(" (size) ")" }
            }
        });
    }
    let label = format!("The structure that {} learnt from {}: {size}.", model.learner(), outcome.name());
    Ok(html! {
        p {
            (size) "."
            @if members.len() > 1 { " The first of " (members.len()) " estimators is drawn." }
        }
        div class="scroll" role="region" aria-label={ "Network of " (model.learner()) } tabindex="0" {
            (drawing::element(model, first, &label)?)
        }
    })
}
