//! Demšar's diagram (2006) of mean ranks with the critical difference.

use maud::{Markup, html};

use super::scale::Scale;
use super::{chart, name, names_width, round};

/// Between the first rank and the last, at least.
const LEAST_AXIS: f64 = 180.0;
const PER_RANK: f64 = 26.0;
const AXIS: f64 = 58.0;
const BAR: f64 = 9.0;
const ROW: f64 = 22.0;
/// From the end of the axis to the names.
const STUB: f64 = 10.0;

/// Mean ranks of some methods, and which of them cannot be told apart.
#[derive(Debug)]
pub(crate) struct CriticalDifference<'a> {
    /// Names and mean ranks, 1 being the best, in any order.
    pub(crate) ranks: Vec<(&'a str, f64)>,
    /// Ranks differ significantly when they differ by this or more.
    pub(crate) difference: f64,
    /// The groups of those that do not, as numbers (from 0) in `ranks`.
    pub(crate) groups: &'a [Vec<usize>],
}

impl CriticalDifference<'_> {
    pub(crate) fn draw(&self) -> Markup {
        let mut sorted = self.ranks.clone();
        sorted.sort_by(|a, b| a.1.total_cmp(&b.1));
        let count = sorted.len();
        let (left, right) = sorted.split_at(count.div_ceil(2));
        let width = |side: &[(&str, f64)]| names_width(side.iter().map(|(name, _)| *name)) + STUB;
        let start = width(left);
        let length = LEAST_AXIS.max(PER_RANK * count.saturating_sub(1) as f64);
        let end = start + length;
        let scale = Scale::whole(1, count.max(2), 1 + count / 12, (start, end));
        let first_row = AXIS + 20.0 + BAR * self.groups.len() as f64;
        let content = html! {
            (self.bar(&scale, start, end))
            line class="axis" x1=(round(start)) x2=(round(end)) y1=(AXIS) y2=(AXIS) {}
            @for (x, text) in scale.ticks() {
                line class="axis" x1=(round(x)) x2=(round(x)) y1=(AXIS - 5.0) y2=(AXIS) {}
                text class="tick middle" x=(round(x)) y=(AXIS - 9.0) { (text) }
            }
            @for (row, &(of, rank)) in left.iter().enumerate() {
                (branch(scale.position(rank), first_row + ROW * row as f64, start - STUB))
                (name(start - STUB - 4.0, first_row + ROW * row as f64, "end", false, of))
            }
            @for (row, &(of, rank)) in right.iter().rev().enumerate() {
                (branch(scale.position(rank), first_row + ROW * row as f64, end + STUB))
                (name(end + STUB + 4.0, first_row + ROW * row as f64, "", false, of))
            }
            @for (index, group) in self.groups.iter().enumerate() {
                @let y = round(AXIS + 10.0 + BAR * index as f64);
                @let (best, worst) = self.extent(group);
                line class="group" y1=(y) y2=(y)
                    x1=(round(scale.position(best) - 4.0)) x2=(round(scale.position(worst) + 4.0)) {}
            }
        };
        chart(end + width(right), first_row + ROW * left.len() as f64 - 6.0, &self.label(&sorted), &content)
    }

    /// The best and the worst rank of a group.
    fn extent(&self, group: &[usize]) -> (f64, f64) {
        let ranks = group.iter().map(|&index| self.ranks[index].1);
        ranks
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(best, worst), rank| (best.min(rank), worst.max(rank)))
    }

    /// The length of the critical difference, above the axis; one that is longer than the axis ends in no stroke.
    fn bar(&self, scale: &Scale, start: f64, end: f64) -> Markup {
        let until = scale.position(1.0 + self.difference);
        let fits =
            start + (end - start) / (self.ranks.len().max(2) - 1) as f64 * self.difference <= end + 0.5;
        let more = if fits { "" } else { ", longer than the axis" };
        html! {
            line class="difference" x1=(round(start)) x2=(round(until)) y1="22" y2="22" {}
            line class="difference" x1=(round(start)) x2=(round(start)) y1="18" y2="26" {}
            @if fits { line class="difference" x1=(round(until)) x2=(round(until)) y1="18" y2="26" {} }
            text class="title" x=(round(start)) y="11" { "CD " (format!("{:.2}", self.difference)) (more) }
        }
    }

    fn label(&self, sorted: &[(&str, f64)]) -> String {
        let ranks: Vec<String> = sorted.iter().map(|(name, rank)| format!("{name} {rank:.2}")).collect();
        let names = |group: &Vec<usize>| {
            let names: Vec<&str> = group.iter().map(|&index| self.ranks[index].0).collect();
            names.join(", ")
        };
        let groups: Vec<String> = self.groups.iter().map(names).collect();
        let groups = if groups.is_empty() { "none".into() } else { groups.join("; ") };
        format!(
            "Critical-difference diagram. Mean ranks, best first: {}. Critical difference {:.2}. Groups that do not differ significantly: {groups}.",
            ranks.join(", "),
            self.difference
        )
    }
}

/// From a rank on the axis down, and to the side.
fn branch(x: f64, y: f64, to: f64) -> Markup {
    html! { path class="branch" d=(format!("M{} {AXIS}V{}H{}", round(x), round(y), round(to))) {} }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_drawn_and_told() {
        // The mean ranks of table 6 of Demšar (2006) and his critical difference at 0.05.
        let ranks = vec![("C4.5", 3.143), ("C4.5+m", 2.0), ("C4.5+cf", 2.893), ("C4.5+m+cf", 1.964)];
        let groups = [vec![3, 1, 2, 0]];
        let svg = CriticalDifference { ranks, difference: 1.25, groups: &groups }.draw().into_string();
        assert_eq!(svg.matches("class=\"branch\"").count(), 4);
        assert_eq!(svg.matches("class=\"group\"").count(), 1);
        assert!(svg.contains("C4.5+m+cf 1.96, C4.5+m 2.00, C4.5+cf 2.89, C4.5 3.14"), "{svg}");
        assert!(svg.contains("significantly: C4.5+m+cf, C4.5+m, C4.5+cf, C4.5."), "{svg}");
        assert!(svg.contains("CD 1.25<"), "{svg}");
    }

    #[test]
    fn a_group_reaches_from_its_best_to_its_worst() {
        let ranks = vec![("a", 3.0), ("b", 1.2), ("c", 1.8)];
        let chart = CriticalDifference { ranks, difference: 1.0, groups: &[] };
        assert_eq!(chart.extent(&[1, 2]), (1.2, 1.8));
    }

    #[test]
    fn a_difference_beyond_the_axis_is_said() {
        let ranks = vec![("a", 1.0), ("b", 2.0)];
        let svg = CriticalDifference { ranks, difference: 1.4, groups: &[] }.draw().into_string();
        assert!(svg.contains("CD 1.40, longer than the axis"), "{svg}");
    }
}
