//! The learners ranked over the data sets.

use bnc_eval::{Friedman, Nemenyi};
use maud::{Markup, html};

use super::{Section, listed};
use crate::experiment::{LEVEL, Significance};
use crate::html::chart::CriticalDifference;
use crate::html::{Column, Table};
use crate::text;

/// The ranks by mean accuracy, with the tests of Friedman and Nemenyi.
pub(super) struct Ranks<'a> {
    friedman: &'a Friedman,
    nemenyi: &'a Nemenyi,
}

impl<'a> Ranks<'a> {
    /// `None` for fewer than two learners or data sets.
    pub(super) fn of(significance: &'a Significance) -> Option<Self> {
        Some(Self { friedman: significance.friedman.as_ref()?, nemenyi: significance.nemenyi.as_ref()? })
    }

    fn differs(&self) -> bool {
        self.friedman.iman_davenport.p < LEVEL
    }

    /// The learners by mean rank, the best first.
    fn order(&self) -> Vec<usize> {
        let ranks = &self.friedman.mean_ranks;
        let mut order: Vec<usize> = (0..ranks.len()).collect();
        order.sort_by(|&a, &b| ranks[a].total_cmp(&ranks[b]));
        order
    }

    /// The learners that are significantly worse than one.
    fn worse_than<'n>(&self, learner: usize, learners: &[&'n str]) -> Vec<&'n str> {
        let ranks = &self.friedman.mean_ranks;
        let is_worse = |other: &usize| ranks[*other] - ranks[learner] >= self.nemenyi.critical_difference;
        self.order().into_iter().filter(is_worse).map(|other| learners[other]).collect()
    }

    /// What the summary says of the ranks.
    pub(super) fn finding(&self, learners: &[&str]) -> Markup {
        let Some(&first) = self.order().first() else { return html! {} };
        let worse = self.worse_than(first, learners);
        html! {
            p {
                @if self.differs() {
                    "The learners differ significantly over the data sets (Friedman’s test, "
                    (p_value(self.friedman.iman_davenport.p)) "). The best mean rank has " strong { (learners[first]) }
                    @if worse.is_empty() {
                        "; Nemenyi’s test tells it from no other."
                    } @else {
                        ", significantly better than " (listed(&worse)) " by Nemenyi’s test."
                    }
                } @else {
                    "Over the data sets the learners do not differ significantly (Friedman’s test, "
                    (p_value(self.friedman.iman_davenport.p)) ")."
                }
            }
        }
    }

    pub(super) fn section(&self, learners: &[&str]) -> Section {
        let difference = self.nemenyi.critical_difference;
        let ranks = learners.iter().copied().zip(self.friedman.mean_ranks.iter().copied()).collect();
        let chart = CriticalDifference { ranks, difference, groups: &self.nemenyi.groups }.draw();
        let content = html! {
            figure {
                figcaption {
                    strong { "Which learners differ over all data sets." }
                    " On each data set the learners are ranked by accuracy, the best being 1. In the diagram the axis has the mean ranks, the best on the left; \
                    a thick bar joins learners that do not differ significantly, because their ranks are less than the critical difference (CD, "
                    (format!("{difference:.2}")) " ranks; Nemenyi’s test, 5\u{a0}%) apart."
                }
                div class="two" {
                    div class="scroll grid" role="region" aria-label="Critical-difference diagram" tabindex="0" { (chart) }
                    (self.table(learners))
                }
            }
            p class="note" { (self.tests()) }
        };
        Section { id: "ranks", title: "Ranks", content }
    }

    fn tests(&self) -> String {
        let Friedman { data_sets, mean_ranks, chi_square, iman_davenport, .. } = self.friedman;
        let (between, within) = (mean_ranks.len() - 1, (mean_ranks.len() - 1) * (data_sets - 1));
        let f = iman_davenport.statistic;
        let f = if f.is_infinite() { "∞".into() } else { format!("{f:.3}") };
        format!(
            "Friedman’s test over {data_sets} data sets: χ² = {:.3} with {between} degrees of freedom, {}; Iman and Davenport’s F = {f} with {between} and {within}, {}.",
            chi_square.statistic,
            p_value(chi_square.p),
            p_value(iman_davenport.p)
        )
    }

    fn table(&self, learners: &[&str]) -> Markup {
        let columns = vec![
            Column::words("learner"),
            Column::numbers("mean rank ↓"),
            Column::words("significantly better than"),
        ];
        let rows = self.order().into_iter().map(|index| {
            let worse = self.worse_than(index, learners);
            vec![
                html! { (learners[index]) },
                html! { (format!("{:.3}", self.friedman.mean_ranks[index])) },
                html! { @if worse.is_empty() { "none" } @else { (worse.join(", ")) } },
            ]
        });
        html! { (Table { title: "Mean ranks", columns, rows: rows.collect(), foot: Vec::new() }) }
    }
}

fn p_value(p: f64) -> String {
    format!("p\u{a0}=\u{a0}{}", text::p_value(p))
}
