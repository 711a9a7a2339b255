//! Reliability diagrams.

use maud::{Markup, html};

use super::scale::Scale;
use super::{axis, chart, figure, name, round};

/// Two of them go side by side on a telephone.
const WIDTH: f64 = 160.0;
const LEFT: f64 = 34.0;
const RIGHT: f64 = WIDTH - 10.0;
const TOP: f64 = 58.0;
const BOTTOM: f64 = TOP + RIGHT - LEFT;
/// The height of the bars that count the rows, and their distance from what is above.
const BARS: f64 = 26.0;
const GAP: f64 = 6.0;

/// How often predictions of some confidence are right.
#[derive(Debug)]
pub(crate) struct Reliability<'a> {
    pub(crate) name: &'a str,
    /// Bins of equal width over 0 to 1, empty ones included.
    pub(crate) bins: Vec<Bin>,
    /// The expected calibration error.
    pub(crate) error: Option<f64>,
}

/// The predictions of like confidence.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bin {
    /// Their mean confidence and the share of right ones; `None` for an empty bin.
    pub(crate) point: Option<(f64, f64)>,
    /// How many there are.
    pub(crate) rows: u64,
}

impl Reliability<'_> {
    pub(crate) fn draw(&self) -> Markup {
        let across = Scale::linear([0.0, 1.0], (LEFT, RIGHT), 2);
        let up = Scale::linear([0.0, 1.0], (BOTTOM, TOP), 2);
        let points: Vec<(f64, f64, f64)> = self.points().collect();
        let place = |point: f64, right: f64| (round(across.position(point)), round(up.position(right)));
        let line = points.iter().map(|&(predicted, right, _)| place(predicted, right));
        let line: Vec<String> = line.map(|(x, y)| format!("{x},{y}")).collect();
        let base = BOTTOM + GAP + BARS;
        let content = html! {
            (name(0.0, 9.0, "", false, self.name))
            @if let Some(error) = self.error {
                text class="tick" x="0" y="24" dy="0.35em" { "ECE " (figure(error)) }
            }
            (axis::beside(&up, LEFT, RIGHT, "share right"))
            (axis::below(&across, TOP, base, "confidence"))
            line class="ideal" x1=(LEFT) y1=(BOTTOM) x2=(RIGHT) y2=(TOP) {}
            (self.bars(base))
            polyline class="line" points=(line.join(" ")) {}
            @for &(predicted, right, share) in &points {
                @let (x, y) = place(predicted, right);
                circle class="mark" cx=(x) cy=(y) r=(round(1.5 + 2.7 * share.sqrt())) {}
            }
        };
        let content = html! { g class="series s0" { (content) } };
        chart(WIDTH, base + 36.0, &self.label(), &content)
    }

    /// Where the filled bins are, and their rows as a share of the rows of the fullest.
    fn points(&self) -> impl Iterator<Item = (f64, f64, f64)> {
        let most = self.most();
        self.bins.iter().filter_map(move |bin| bin.point.map(|(x, y)| (x, y, bin.rows as f64 / most)))
    }

    fn most(&self) -> f64 {
        self.bins.iter().map(|bin| bin.rows).max().unwrap_or(0).max(1) as f64
    }

    /// One bar a bin, as high as it has rows.
    fn bars(&self, base: f64) -> Markup {
        let most = self.most();
        let width = (RIGHT - LEFT) / self.bins.len().max(1) as f64;
        html! {
            @for (index, bin) in self.bins.iter().enumerate() {
                @let height = round(bin.rows as f64 / most * BARS);
                @if bin.rows > 0 {
                    rect class="count" x=(round(LEFT + width * index as f64 + 0.5)) y=(round(base - height))
                        width=(round(width - 1.0)) height=(height.max(0.5)) {}
                }
            }
        }
    }

    fn label(&self) -> String {
        let error = self
            .error
            .map_or(String::new(), |error| format!(" Expected calibration error {}.", figure(error)));
        let points = self.bins.iter().filter_map(|bin| {
            let (predicted, right) = bin.point?;
            Some(format!("confidence {predicted:.2}, right {right:.2}, {} rows", bin.rows))
        });
        let points: Vec<String> = points.collect();
        format!("Reliability diagram of {}.{error} {}.", self.name, points.join("; "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filled_bins_have_a_point_and_a_bar() {
        let mut bins = vec![Bin { point: None, rows: 0 }; 10];
        bins[3] = Bin { point: Some((0.35, 0.3)), rows: 5 };
        bins[9] = Bin { point: Some((0.97, 0.9)), rows: 5000 };
        let svg = Reliability { name: "nb & co", bins, error: Some(0.0712) }.draw().into_string();
        assert_eq!((svg.matches("<circle").count(), svg.matches("class=\"count\"").count()), (2, 2));
        assert!(svg.contains("nb &amp; co") && svg.contains("ECE 0.0712"), "{svg}");
        assert!(svg.contains("confidence 0.97, right 0.90, 5000 rows"), "{svg}");
    }
}
