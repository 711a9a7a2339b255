//! Lines through points, such as learning curves.

use maud::{Markup, html};

use super::scale::Scale;
use super::{TEXT, WIDTH, axis, chart, figure, names_width, round};
use crate::text::shortened;

const TOP: f64 = 26.0;
const BOTTOM: f64 = 206.0;
const LEFT: f64 = 42.0;
const RIGHT: f64 = WIDTH - 14.0;
const LEGEND_ROW: f64 = 18.0;
/// Between the first and the last series at one place.
const ASIDE: f64 = 10.0;
/// Longer names are cut in the legend, which has more room than others.
const MOST_LETTERS: usize = 42;
/// So many colours and marks there are; later series have dashed lines and hollow marks.
const STYLES: usize = 7;

/// Lines over a logarithmic axis, with error bars.
#[derive(Debug)]
pub(crate) struct LineChart<'a> {
    /// What lies along the horizontal axis, with its unit.
    pub(crate) x: &'a str,
    /// What lies along the vertical axis, with its unit.
    pub(crate) y: &'a str,
    /// What the values come from.
    pub(crate) of: String,
    /// Between which values `y` must lie; error bars end there.
    pub(crate) bounds: (f64, f64),
    pub(crate) series: Vec<Series<'a>>,
}

/// A line.
#[derive(Debug)]
pub(crate) struct Series<'a> {
    pub(crate) name: &'a str,
    /// By increasing `x`; those that are not finite are left out.
    pub(crate) points: Vec<Point>,
}

/// A point of a line.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Point {
    /// More than 0.
    pub(crate) x: f64,
    pub(crate) y: f64,
    /// Half the length of the error bar.
    pub(crate) deviation: Option<f64>,
}

impl Point {
    fn bar(self) -> Option<(f64, f64)> {
        self.deviation.filter(|deviation| deviation.is_finite()).map(|it| (self.y - it, self.y + it))
    }
}

impl LineChart<'_> {
    pub(crate) fn draw(&self) -> Markup {
        let points = || self.series.iter().flat_map(Series::shown);
        let horizontal = Scale::logarithmic(points().map(|point| point.x), (LEFT + 8.0, RIGHT - 8.0));
        let ends = points().flat_map(|point| {
            let (low, high) = point.bar().unwrap_or((point.y, point.y));
            [low, high].map(|end| end.clamp(self.bounds.0, self.bounds.1))
        });
        let vertical = Scale::linear(ends, (BOTTOM, TOP), 4);
        let (legend, rows) = self.legend(BOTTOM + 50.0);
        let content = html! {
            (axis::beside(&vertical, LEFT, RIGHT, self.y))
            (axis::below(&horizontal, TOP, BOTTOM, self.x))
            @for (index, series) in self.series.iter().enumerate() {
                (series.draw(index, self.aside(index), &horizontal, &vertical))
            }
            (legend)
        };
        chart(WIDTH, BOTTOM + 44.0 + rows as f64 * LEGEND_ROW, &self.label(), &content)
    }

    /// How far a series is moved to the side, so that its error bars do not lie on those of others.
    fn aside(&self, index: usize) -> f64 {
        let last = self.series.len().saturating_sub(1).max(1) as f64;
        (index as f64 / last - 0.5) * ASIDE.min(2.5 * last)
    }

    /// The names with their marks, in rows from `top` on, and how many rows those are.
    fn legend(&self, top: f64) -> (Markup, usize) {
        let (mut x, mut row) = (LEFT, 0);
        let mut places = Vec::with_capacity(self.series.len());
        for series in &self.series {
            let width = names_width(std::iter::once(series.name)) + 22.0;
            if x > LEFT && x + width > WIDTH {
                (x, row) = (LEFT, row + 1);
            }
            places.push((x, top + row as f64 * LEGEND_ROW));
            x += width;
        }
        let legend = html! {
            @for (index, (series, &(x, y))) in self.series.iter().zip(&places).enumerate() {
                g class=(classes(index)) {
                    line class="line" x1=(round(x)) x2=(round(x + 18.0)) y1=(round(y)) y2=(round(y)) {}
                    (mark(index, x + 9.0, y))
                }
                text class="name" x=(round(x + 23.0)) y=(round(y)) dy="0.35em" {
                    (shortened(series.name, MOST_LETTERS))
                }
            }
        };
        (legend, row + 1)
    }

    fn label(&self) -> String {
        let series = self.series.iter().map(|series| {
            let ends = (series.shown().next(), series.shown().last());
            match ends {
                (Some(first), Some(last)) => format!(
                    "{}: {} at {}, {} at {}",
                    series.name,
                    figure(first.y),
                    first.x,
                    figure(last.y),
                    last.x
                ),
                _ => format!("{}: none", series.name),
            }
        });
        format!("{} against {}, {}. {}.", self.y, self.x, self.of, series.collect::<Vec<_>>().join("; "))
    }
}

impl Series<'_> {
    fn shown(&self) -> impl Iterator<Item = Point> {
        self.points
            .iter()
            .copied()
            .filter(|point| point.x > 0.0 && point.x.is_finite() && point.y.is_finite())
    }

    fn draw(&self, index: usize, aside: f64, horizontal: &Scale, vertical: &Scale) -> Markup {
        let at =
            |point: Point| (round(horizontal.position(point.x) + aside), round(vertical.position(point.y)));
        let line: Vec<String> = self.shown().map(at).map(|(x, y)| format!("{x},{y}")).collect();
        html! {
            g class=(classes(index)) {
                @for point in self.shown() {
                    @if let Some((low, high)) = point.bar() {
                        line class="error" x1=(at(point).0) x2=(at(point).0)
                            y1=(round(vertical.position(low))) y2=(round(vertical.position(high))) {}
                    }
                }
                polyline class="line" points=(line.join(" ")) {}
                @for (x, y) in self.shown().map(at) { (mark(index, x, y)) }
            }
        }
    }
}

fn classes(index: usize) -> String {
    let later = if index >= STYLES { " later" } else { "" };
    format!("series s{}{later}", index % STYLES)
}

/// The mark of a series: its shape tells it from others without colour.
fn mark(index: usize, x: f64, y: f64) -> Markup {
    const SHAPES: [&str; STYLES] = [
        "m-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0z",
        "m-3.2 -3.2h6.4v6.4h-6.4z",
        "m0 -4.2l4.2 7.2h-8.4z",
        "m0 -4.6l4.6 4.6l-4.6 4.6l-4.6 -4.6z",
        "m0 4.2l4.2 -7.2h-8.4z",
        "m-1.4 -4.2h2.8v2.8h2.8v2.8h-2.8v2.8h-2.8v-2.8h-2.8v-2.8h2.8z",
        "m-4.2 -1.6h8.4v3.2h-8.4z",
    ];
    html! { path class="mark" d=(format!("M{} {}{}", round(x), round(y), SHAPES[index % STYLES])) {} }
}

const _: () = assert!(TEXT < LEGEND_ROW, "rows of the legend do not touch");

#[cfg(test)]
mod tests {
    use super::*;

    fn series<'a>(name: &'a str, ys: &[f64]) -> Series<'a> {
        let points = (0_u8..).zip(ys).map(|(index, &y)| Point {
            x: 10.0 * 2_f64.powi(index.into()),
            y,
            deviation: (index > 0).then_some(0.05),
        });
        Series { name, points: points.collect() }
    }

    #[test]
    fn every_series_has_a_line_its_marks_and_an_entry() {
        let many: Vec<String> = (0..9).map(|index| format!("learner {index}")).collect();
        let series = many.iter().map(|name| series(name, &[0.5, 0.6, f64::NAN, 0.8])).collect();
        let svg =
            LineChart { x: "training rows", y: "accuracy", of: "iris".into(), bounds: (0.0, 1.0), series }
                .draw()
                .into_string();
        assert_eq!(svg.matches("<polyline").count(), 9);
        assert_eq!(svg.matches("class=\"mark\"").count(), 9 * (3 + 1));
        assert_eq!(svg.matches("class=\"error\"").count(), 9 * 2);
        assert_eq!(
            svg.matches(" later\"").count(),
            2 * 2,
            "the eighth and ninth look different from the first two"
        );
        assert!(svg.contains("learner 8: 0.5000 at 10, 0.8000 at 80"), "{svg}");
        assert!(!svg.contains("NaN"), "{svg}");
    }

    #[test]
    fn the_legend_stays_inside() {
        let long = "x".repeat(60);
        let series =
            vec![series(&long, &[0.1, 0.2]), series("short", &[0.1, 0.2]), series("other", &[0.1, 0.2])];
        let chart = LineChart { x: "x", y: "y", of: "z".into(), bounds: (0.0, 1.0), series };
        assert_eq!(chart.legend(0.0).1, 2);
    }

    #[test]
    fn nothing_is_an_empty_chart() {
        let svg =
            LineChart { x: "x", y: "y", of: "z".into(), bounds: (0.0, 1.0), series: vec![series("a", &[])] }
                .draw()
                .into_string();
        assert!(svg.contains("a: none"), "{svg}");
    }
}
