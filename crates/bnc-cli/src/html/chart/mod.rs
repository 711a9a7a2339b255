//! Charts as SVG, from plain numbers and names.
//!
//! They are templates of ours and not those of a plotting crate, because the page's style sheet is to colour them (in dark
//! mode, in print) by classes, every chart is to say in words what it shows, and none of those crates has Demšar's diagram.
//! A chart is as wide as a telephone shows at full size, so that its text is never scaled down; wide screens show several
//! side by side. No chart rests on colour: what is compared differs in place, mark or filling, too.

mod axis;
mod bars;
mod box_plot;
mod critical_difference;
mod line;
mod reliability;
mod scale;

use maud::{Markup, html};

pub(crate) use self::bars::{Bar, Bars};
pub(crate) use self::box_plot::{BoxPlot, Group};
pub(crate) use self::critical_difference::CriticalDifference;
pub(crate) use self::line::{LineChart, Point, Series};
pub(crate) use self::reliability::{Bin, Reliability};

use crate::text::shortened;

/// The width of most charts.
const WIDTH: f64 = 340.0;
/// The height of the text, and about the mean width of its letters where they are bold and the font is a wide one.
const TEXT: f64 = 11.0;
const LETTER: f64 = 7.4;
/// Longer names are cut.
const MOST_LETTERS: usize = 20;

/// The `svg` element of a chart; `label` tells its content to those who do not see it.
fn chart(width: f64, height: f64, label: &str, content: &Markup) -> Markup {
    let view_box = format!("0 0 {} {}", round(width), round(height));
    html! {
        svg class="chart" role="img" aria-label=(label) width=(round(width)) height=(round(height)) viewBox=(view_box) {
            (content)
        }
    }
}

/// A name as it fits, with the whole of it as a tooltip; `anchor` is the class that says to which side it goes.
fn name(x: f64, y: f64, anchor: &str, is_best: bool, text: &str) -> Markup {
    let short = shortened(text, MOST_LETTERS);
    let class = if is_best { format!("name best {anchor}") } else { format!("name {anchor}") };
    html! {
        text class=(class) x=(round(x)) y=(round(y)) dy="0.35em" {
            @if short != text { title { (text) } }
            @if is_best { "★ " }
            (short)
        }
    }
}

/// About how wide the widest of some names is, beside a star.
fn names_width<'a>(names: impl Iterator<Item = &'a str>) -> f64 {
    let letters = names.map(|name| name.chars().count().min(MOST_LETTERS)).max().unwrap_or(0);
    letters as f64 * LETTER + 18.0
}

/// A coordinate to a tenth of a pixel.
fn round(value: f64) -> f64 {
    // Adding 0 makes −0 to 0.
    (value * 10.0).round() / 10.0 + 0.0
}

/// A value of a metric, as the tables have it.
fn figure(value: f64) -> String {
    crate::html::figure(Some(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_escaped_and_cut() {
        let long = format!("<script>{}", "x".repeat(40));
        let text = name(0.0, 0.0, "end", true, &long).into_string();
        assert!(!text.contains("<script>"), "{text}");
        assert!(text.contains("★ &lt;script&gt;xxx") && text.contains('…'), "{text}");
        assert!(text.contains(&format!("<title>&lt;script&gt;{}</title>", "x".repeat(40))), "{text}");
    }

    #[test]
    fn coordinates_have_no_negative_zero() {
        assert_eq!(round(-0.01).to_string(), "0");
        assert_eq!(round(12.345).to_string(), "12.3");
    }
}
