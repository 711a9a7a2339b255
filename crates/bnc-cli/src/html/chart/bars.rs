//! Stacked bars of bias and variance.

use maud::{Markup, html};

use super::scale::Scale;
use super::{LETTER, WIDTH, axis, chart, figure, name, names_width, round};

const TOP: f64 = 22.0;
const ROW: f64 = 26.0;
const BAR: f64 = 14.0;
const PARTS: usize = 2;

/// Bars of two parts each, the first filled and the second hollow.
#[derive(Debug)]
pub(crate) struct Bars<'a> {
    /// What the length is, with its unit.
    pub(crate) axis: &'a str,
    /// What the values come from.
    pub(crate) of: String,
    /// What the parts are.
    pub(crate) parts: [&'a str; PARTS],
    pub(crate) rows: Vec<Bar<'a>>,
}

/// A bar.
#[derive(Debug)]
pub(crate) struct Bar<'a> {
    pub(crate) name: &'a str,
    /// The lengths of the parts, 0 or more.
    pub(crate) parts: [f64; PARTS],
}

impl Bars<'_> {
    pub(crate) fn draw(&self) -> Markup {
        let left = names_width(self.rows.iter().map(|bar| bar.name)) + 8.0;
        let bottom = TOP + ROW * self.rows.len() as f64 + 2.0;
        let sums = self.rows.iter().map(|bar| bar.parts.iter().sum());
        let scale = Scale::linear(sums.chain([0.0]), (left, WIDTH - 16.0), 4);
        let content = html! {
            (self.legend(left))
            (axis::below(&scale, TOP, bottom, self.axis))
            @for (row, bar) in self.rows.iter().enumerate() {
                @let y = TOP + ROW * (row as f64 + 0.5);
                (name(left - 8.0, y, "end", false, bar.name))
                (bar.draw(&scale, y))
            }
        };
        chart(WIDTH, bottom + 36.0, &self.label(), &content)
    }

    fn legend(&self, left: f64) -> Markup {
        let second = left + 20.0 + (self.parts[0].chars().count() + 2) as f64 * LETTER;
        html! {
            @for ((part, class), x) in self.parts.iter().zip(["first", "second"]).zip([left, second]) {
                rect class=(class) x=(round(x)) y="3" width="11" height="11" rx="1.5" {}
                text class="name" x=(round(x + 16.0)) y="9" dy="0.35em" { (part) }
            }
        }
    }

    fn label(&self) -> String {
        let [first, second] = self.parts;
        let bars = self.rows.iter().map(|bar| {
            format!("{}: {first} {}, {second} {}", bar.name, figure(bar.parts[0]), figure(bar.parts[1]))
        });
        format!("Bars: {}, {}. {}.", self.axis, self.of, bars.collect::<Vec<_>>().join("; "))
    }
}

impl Bar<'_> {
    fn draw(&self, scale: &Scale, y: f64) -> Markup {
        let start = scale.position(0.0);
        let turn = scale.position(self.parts[0]);
        let end = scale.position(self.parts.iter().sum());
        let top = round(y - BAR / 2.0);
        html! {
            rect class="first" x=(round(start)) y=(top) width=(round(turn - start)) height=(BAR) {}
            rect class="second" x=(round(turn)) y=(top) width=(round(end - turn)) height=(BAR) {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_set_end_to_end() {
        let bars = vec![Bar { name: "nb", parts: [0.2, 0.05] }, Bar { name: "tan", parts: [0.1, 0.15] }];
        let svg = Bars { axis: "zero-one loss", of: "iris".into(), parts: ["bias", "variance"], rows: bars }
            .draw()
            .into_string();
        assert_eq!((svg.matches("class=\"first\"").count(), svg.matches("class=\"second\"").count()), (3, 3));
        assert!(svg.contains("nb: bias 0.2000, variance 0.0500; tan: bias 0.1000, variance 0.1500"), "{svg}");
        // Both bars are as long: they end at the same place.
        let scale = Scale::linear([0.0, 0.25], (0.0, 100.0), 4);
        let end = |parts: [f64; 2]| scale.position(parts.iter().sum());
        assert!((end([0.2, 0.05]) - end([0.1, 0.15])).abs() < 1e-9);
    }
}
