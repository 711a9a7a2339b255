//! Box plots.

use maud::{Markup, html};

use super::scale::Scale;
use super::{WIDTH, axis, chart, figure, name, names_width, round};

const ROW: f64 = 28.0;
const BOX: f64 = 14.0;
const BELOW: f64 = 36.0;
/// Fewer values are shown one by one: quartiles of so few say nothing.
const LEAST: usize = 5;

/// Some groups of values on one axis, one below the other.
#[derive(Debug)]
pub(crate) struct BoxPlot<'a> {
    /// What the values are, with their unit.
    pub(crate) axis: &'a str,
    /// What the values come from, such as "10 folds of iris".
    pub(crate) of: String,
    pub(crate) groups: Vec<Group<'a>>,
}

/// The values of a box.
#[derive(Debug)]
pub(crate) struct Group<'a> {
    pub(crate) name: &'a str,
    /// In any order; those that are not finite are left out.
    pub(crate) values: Vec<f64>,
    /// Whether it is marked as the best.
    pub(crate) is_best: bool,
}

/// Quartiles by linear interpolation between order statistics (type 7 of Hyndman and Fan 1996), and whiskers to the
/// furthest values within 1.5 times the distance of the quartiles (Tukey 1977).
#[derive(Debug, PartialEq)]
struct Spread {
    low: f64,
    quartiles: [f64; 3],
    high: f64,
    mean: f64,
    outliers: Vec<f64>,
}

impl Spread {
    fn of(sorted: &[f64]) -> Option<Self> {
        let (&first, &last) = (sorted.first()?, sorted.last()?);
        let quartiles = [1, 2, 3].map(|quarters| quartile(sorted, quarters));
        let reach = 1.5 * (quartiles[2] - quartiles[0]);
        let inside = |value: &&f64| (quartiles[0] - reach..=quartiles[2] + reach).contains(*value);
        Some(Self {
            low: sorted.iter().find(inside).copied().unwrap_or(first),
            high: sorted.iter().rev().find(inside).copied().unwrap_or(last),
            quartiles,
            mean: sorted.iter().sum::<f64>() / sorted.len() as f64,
            outliers: sorted.iter().filter(|value| !inside(value)).copied().collect(),
        })
    }
}

fn quartile(sorted: &[f64], quarters: usize) -> f64 {
    let place = quarters * (sorted.len() - 1);
    let (below, above) = (sorted[place / 4], sorted[place.div_ceil(4)]);
    below + (above - below) * (place % 4) as f64 / 4.0
}

impl BoxPlot<'_> {
    pub(crate) fn draw(&self) -> Markup {
        let left = names_width(self.groups.iter().map(|group| group.name)) + 8.0;
        let bottom = ROW * self.groups.len() as f64 + 4.0;
        let all = self.groups.iter().flat_map(|group| group.values.iter().copied());
        let scale = Scale::linear(all, (left, WIDTH - 16.0), 4);
        let content = html! {
            (axis::below(&scale, 2.0, bottom, self.axis))
            @for (row, group) in self.groups.iter().enumerate() {
                @let y = ROW * (row as f64 + 0.5) + 2.0;
                (name(left - 8.0, y, "end", group.is_best, group.name))
                (group.draw(&scale, y))
            }
        };
        chart(WIDTH, bottom + BELOW, &self.label(), &content)
    }

    fn label(&self) -> String {
        let groups: Vec<String> = self.groups.iter().map(Group::label).collect();
        format!("Box plots: {}, {}. {}.", self.axis, self.of, groups.join("; "))
    }
}

impl Group<'_> {
    fn sorted(&self) -> Vec<f64> {
        let mut sorted: Vec<f64> = self.values.iter().copied().filter(|value| value.is_finite()).collect();
        sorted.sort_by(f64::total_cmp);
        sorted
    }

    fn label(&self) -> String {
        let sorted = self.sorted();
        match (sorted.first(), sorted.last()) {
            (Some(&low), Some(&high)) => format!(
                "{}{}: median {}, from {} to {}",
                self.name,
                if self.is_best { " (best)" } else { "" },
                figure(quartile(&sorted, 2)),
                figure(low),
                figure(high)
            ),
            _ => format!("{}: none", self.name),
        }
    }

    fn draw(&self, scale: &Scale, y: f64) -> Markup {
        let sorted = self.sorted();
        let at = |value: f64| round(scale.position(value));
        let (top, bottom) = (round(y - BOX / 2.0), round(y + BOX / 2.0));
        let dots = |values: &[f64]| {
            html! { @for &value in values { circle class="dot" cx=(at(value)) cy=(round(y)) r="2.2" {} } }
        };
        let spread = Spread::of(&sorted).filter(|_| sorted.len() >= LEAST);
        let Some(spread) = spread else { return dots(&sorted) };
        let [first, median, third] = spread.quartiles.map(at);
        html! {
            line class="whisker" x1=(at(spread.low)) x2=(at(spread.high)) y1=(round(y)) y2=(round(y)) {}
            rect class="box" x=(first) y=(top) width=(round(third - first)) height=(BOX) rx="2" {}
            line class="median" x1=(median) x2=(median) y1=(top) y2=(bottom) {}
            path class="mean" d=(diamond(at(spread.mean), y)) {}
            (dots(&spread.outliers))
        }
    }
}

fn diamond(x: f64, y: f64) -> String {
    format!("M{} {}l3.5 3.5l-3.5 3.5l-3.5 -3.5z", x, round(y - 3.5))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quartiles_are_those_of_r() {
        // quantile(c(1, 2, 4, 8, 16, 100)) in R: 25 % 2.5, 50 % 6, 75 % 14.
        let spread = Spread::of(&[1.0, 2.0, 4.0, 8.0, 16.0, 100.0]).unwrap();
        let near = |(found, expected): (f64, f64)| (found - expected).abs() < 1e-12;
        assert!(spread.quartiles.into_iter().zip([2.5, 6.0, 14.0]).all(near), "{spread:?}");
        assert_eq!((spread.low, spread.high), (1.0, 16.0));
        assert_eq!(spread.outliers, [100.0]);
        assert!((spread.mean - 131.0 / 6.0).abs() < 1e-12);
        assert_eq!(Spread::of(&[]), None);
    }

    fn plot(values: &[f64]) -> String {
        let group = Group { name: "a<b>\"c\"", values: values.to_vec(), is_best: true };
        BoxPlot { axis: "accuracy", of: "folds of \"x\"".into(), groups: vec![group] }.draw().into_string()
    }

    #[test]
    fn it_is_drawn_and_told() {
        let svg = plot(&[0.5, 0.6, 0.7, 0.8, 0.9, f64::INFINITY]);
        assert_eq!(svg.matches("class=\"box\"").count(), 1);
        assert!(svg.contains("median 0.7000, from 0.5000 to 0.9000"), "{svg}");
        assert!(svg.contains("★ a&lt;b&gt;") && svg.contains("folds of &quot;x&quot;"), "{svg}");
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }

    #[test]
    fn few_values_are_dots_and_none_is_said() {
        let svg = plot(&[0.5, 0.6]);
        assert_eq!((svg.matches("class=\"dot\"").count(), svg.matches("class=\"box\"").count()), (2, 0));
        assert!(plot(&[]).contains("&quot;c&quot;: none"));
    }
}
