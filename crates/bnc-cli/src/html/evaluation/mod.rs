//! The page of an evaluation.

mod bias;
mod calibration;
mod curves;
mod folds;
mod method;
mod networks;
mod ranks;
mod results;
mod summary;

use bnc_eval::Metric;
use maud::{Markup, html};

use self::ranks::Ranks;
use super::{Page, Section, figure};
use crate::commands::evaluate::{Outcome, Setting};
use crate::error::Result;
use crate::experiment::Significance;

/// The metrics that have a chart, all of which lie between 0 and 1.
const CHARTED: [(Metric, &str); 3] = [
    (Metric::Accuracy, "accuracy, more is better"),
    (Metric::Rmse, "RMSE, less is better"),
    (Metric::Auc, "AUC, more is better"),
];

/// What the page is made of.
pub(crate) struct Input<'a> {
    pub(crate) setting: &'a Setting,
    /// One a data set, with the same learners in each; one learner or more.
    pub(crate) outcomes: &'a [Outcome],
    /// The tests of the learners by accuracy over all data sets.
    pub(crate) significance: &'a Significance,
    /// The command line, as it can be typed again.
    pub(crate) command: &'a str,
}

/// The page as a document.
pub(crate) fn page(input: &Input<'_>) -> Result<String> {
    let mut sections = vec![results::section(input)?];
    let ranks = Ranks::of(input.significance);
    sections.extend(ranks.as_ref().map(|ranks| ranks.section(&input.learners())));
    sections.extend(folds::section(input)?);
    sections.extend(calibration::section(input)?);
    sections.extend(curves::section(input)?);
    sections.extend(bias::section(input)?);
    sections.extend(networks::section(input)?);
    sections.push(method::section(input));
    Ok(Page { title: summary::title(input), summary: summary::summary(input, ranks.as_ref()), sections }
        .render())
}

impl Input<'_> {
    /// The names of the learners.
    fn learners(&self) -> Vec<&str> {
        let first = self.outcomes.first();
        first.into_iter().flat_map(|first| &first.evaluation.learners).map(|it| it.name.as_str()).collect()
    }

    /// Whether there are folds, over which there is a spread and a test.
    fn has_folds(&self) -> bool {
        self.outcomes.iter().any(|outcome| outcome.evaluation.learners.iter().any(|it| it.parts.len() > 1))
    }

    /// Something for each data set: unfolded where there is one data set, otherwise to be unfolded.
    fn per_data_set(&self, content: impl Fn(&Outcome) -> Result<Option<Markup>>) -> Result<Option<Markup>> {
        let mut all = Vec::with_capacity(self.outcomes.len());
        for outcome in self.outcomes {
            all.extend(content(outcome)?.map(|content| (outcome, content)));
        }
        Ok(match (&all[..], self.outcomes.len()) {
            ([], _) => None,
            ([(_, content)], 1) => Some(content.clone()),
            _ => Some(super::folded(all.into_iter().map(|(outcome, content)| (heading(outcome), content)))),
        })
    }
}

/// A data set's name and size.
fn heading(outcome: &Outcome) -> Markup {
    html! { (outcome.name()) " " span class="note" { (outcome.size()) } }
}

/// Names as a sentence has them.
fn listed(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [name] => (*name).to_string(),
        [names @ .., last] => format!("{} and {last}", names.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_joined_as_in_a_sentence() {
        assert_eq!(listed(&[]), "");
        assert_eq!(listed(&["a"]), "a");
        assert_eq!(listed(&["a", "b", "c"]), "a, b and c");
    }
}
