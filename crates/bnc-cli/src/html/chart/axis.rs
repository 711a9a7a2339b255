//! Axes with grid lines.

use maud::{Markup, html};

use super::round;
use super::scale::Scale;

/// A horizontal axis: grid lines from `top` to `bottom`, the numbers and what they are below.
pub(super) fn below(scale: &Scale, top: f64, bottom: f64, title: &str) -> Markup {
    let ticks: Vec<(f64, String)> = scale.ticks().collect();
    let middle = match (ticks.first(), ticks.last()) {
        (Some(first), Some(last)) => f64::midpoint(first.0, last.0),
        _ => 0.0,
    };
    html! {
        @for (x, text) in &ticks {
            line class="grid" x1=(round(*x)) x2=(round(*x)) y1=(round(top)) y2=(round(bottom)) {}
            text class="tick middle" x=(round(*x)) y=(round(bottom + 13.0)) { (text) }
        }
        text class="title middle" x=(round(middle)) y=(round(bottom + 29.0)) { (title) }
    }
}

/// A vertical axis: grid lines from `left` to `right`, the numbers to the left, and what they are above them.
pub(super) fn beside(scale: &Scale, left: f64, right: f64, title: &str) -> Markup {
    let ticks: Vec<(f64, String)> = scale.ticks().collect();
    let top = ticks.iter().map(|tick| tick.0).fold(f64::INFINITY, f64::min);
    html! {
        @for (y, text) in &ticks {
            line class="grid" x1=(round(left)) x2=(round(right)) y1=(round(*y)) y2=(round(*y)) {}
            text class="tick end" x=(round(left - 6.0)) y=(round(*y)) dy="0.35em" { (text) }
        }
        text class="title" x="0" y=(round(top - 10.0)) { (title) }
    }
}
