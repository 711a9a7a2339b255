//! What the page says first.

use bnc_eval::{Metric, Outcome as Verdict, compare};
use maud::{Markup, html};

use super::ranks::Ranks;
use super::{Input, figure, listed};
use crate::commands::evaluate::figures::{best, means_over_data};
use crate::experiment::LEVEL;

/// The headline.
pub(super) fn title(input: &Input<'_>) -> String {
    let learners = input.learners();
    let data = match input.outcomes {
        [outcome] => outcome.name().to_string(),
        outcomes => format!("{} data sets", outcomes.len()),
    };
    match &learners[..] {
        [learner] => format!("{learner} on {data}"),
        learners if learners.len() <= 3 => format!("{} on {data}", listed(learners)),
        learners => format!("{} learners on {data}", learners.len()),
    }
}

/// Who is best, and how surely; and the size of it all.
pub(super) fn summary(input: &Input<'_>, ranks: Option<&Ranks<'_>>) -> Markup {
    let rows: usize = input.outcomes.iter().map(|outcome| outcome.rows).sum();
    let setting = input.setting;
    let mut facts = vec![("learners", input.learners().len().to_string())];
    match input.outcomes {
        [outcome] => {
            facts.push(("features", outcome.features.to_string()));
            facts.push(("classes", outcome.evaluation.classes.len().to_string()));
        }
        outcomes => facts.push(("data sets", outcomes.len().to_string())),
    }
    facts.push(("rows", rows.to_string()));
    if setting.test.is_none() {
        facts.push(("folds × repeats", format!("{} × {}", setting.folds, setting.repeats)));
    }
    html! {
        (finding(input))
        @if let Some(ranks) = ranks { (ranks.finding(&input.learners())) }
        dl class="facts" {
            @for (name, value) in &facts { div { dt { (name) } dd { (value) } } }
        }
    }
}

fn finding(input: &Input<'_>) -> Markup {
    let learners = input.learners();
    let means = means_over_data(input.outcomes, Metric::Accuracy);
    let mean = |index: usize| figure(means[index]);
    let over = match input.outcomes {
        [_] => String::new(),
        outcomes => format!(" over the {} data sets", outcomes.len()),
    };
    let best: Vec<usize> = indices(&best(&means, Metric::Accuracy));
    match best[..] {
        [] => {
            let all = learners.iter().zip(&means).map(|(name, &mean)| format!("{name} {}", figure(mean)));
            html! { p class="finding" { "Mean accuracy" (over) ": " (all.collect::<Vec<_>>().join(", ")) "." } }
        }
        [first] => html! {
            p class="finding" {
                strong { (learners[first]) } " has the highest mean accuracy" (over) ", " strong { (mean(first)) } "."
                (support(input, first))
            }
        },
        _ => {
            let names: Vec<&str> = best.iter().map(|&index| learners[index]).collect();
            html! {
                p class="finding" {
                    strong { (listed(&names)) } " share the highest mean accuracy" (over) ", "
                    strong { (mean(best[0])) } "."
                }
            }
        }
    }
}

/// On how many data sets the first learner is best, or on the only one how it compares with each other learner.
fn support(input: &Input<'_>, first: usize) -> Markup {
    let learners = input.learners();
    let [outcome] = input.outcomes else {
        let is_best = |outcome: &&crate::commands::evaluate::Outcome| {
            best(&outcome.means(Metric::Accuracy), Metric::Accuracy)[first]
        };
        let count = input.outcomes.iter().filter(is_best).count();
        return html! { " It is the best, or shares the best, on " (count) " of them." };
    };
    let results = &outcome.evaluation.learners;
    let of = |wanted: Verdict| -> Vec<&str> {
        let others = (0..results.len()).filter(|&other| other != first);
        let such = others.filter(|&other| {
            let test = compare(&results[first], &results[other], Metric::Accuracy);
            test.is_some_and(|test| test.outcome(Metric::Accuracy, LEVEL) == wanted)
        });
        such.map(|other| learners[other]).collect()
    };
    let (wins, ties) = (of(Verdict::Win), of(Verdict::Tie));
    html! {
        @if !wins.is_empty() { " It is significantly better than " (listed(&wins)) "." }
        @if !ties.is_empty() { " From " (listed(&ties)) " it does not differ significantly." }
        @if input.has_folds() { span class="note" { " (Corrected resampled t-test at 5\u{a0}%.)" } }
    }
}

fn indices(flags: &[bool]) -> Vec<usize> {
    (0..flags.len()).filter(|&index| flags[index]).collect()
}
