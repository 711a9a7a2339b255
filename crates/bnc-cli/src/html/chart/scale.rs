//! From values to places, with ticks at round numbers.

/// An axis from one place to another.
#[derive(Debug, Clone)]
pub(super) struct Scale {
    low: f64,
    high: f64,
    start: f64,
    end: f64,
    is_logarithmic: bool,
    ticks: Vec<f64>,
    decimals: usize,
}

impl Scale {
    /// A linear axis that begins and ends at ticks, has about `ticks` of them, and has all finite `values` on it.
    pub(super) fn linear(
        values: impl IntoIterator<Item = f64>,
        (start, end): (f64, f64),
        ticks: usize,
    ) -> Self {
        let (mut low, mut high) = range(values);
        if low >= high {
            // One value only: it is put at the end, where measures that are bounded have their bound.
            if low == 0.0 { high = 0.1 } else { low -= 0.1 * low.abs() }
        }
        let step = round_step((high - low) / ticks as f64);
        let (first, last) = ((low / step + 1e-9).floor(), (high / step - 1e-9).ceil());
        let ticks = (0_u16..).map(|tick| first + f64::from(tick)).take_while(|tick| *tick < last + 0.5);
        let ticks = ticks.map(|tick| tick * step).collect();
        let decimals = decimals(step);
        Self { low: first * step, high: last * step, start, end, is_logarithmic: false, ticks, decimals }
    }

    /// A logarithmic axis that begins and ends at the extremes of some positive values, with ticks at powers of ten, or at
    /// their doubles and fivefolds, too, where there are less than three.
    pub(super) fn logarithmic(values: impl IntoIterator<Item = f64>, (start, end): (f64, f64)) -> Self {
        let (mut low, mut high) = range(values.into_iter().filter(|&value| value > 0.0));
        if low <= 0.0 {
            (low, high) = (1.0, 10.0);
        } else if low >= high {
            (low, high) = (low / 2.0, high * 2.0);
        }
        let within = |factors: &[f64]| -> Vec<f64> {
            let powers = low.log10().floor() as i32..=high.log10().ceil() as i32;
            let all = powers.flat_map(|power| factors.iter().map(move |factor| factor * 10_f64.powi(power)));
            all.filter(|tick| (low * 0.999..=high * 1.001).contains(tick)).collect()
        };
        let powers = within(&[1.0]);
        let ticks = if powers.len() > 2 { powers } else { within(&[1.0, 2.0, 5.0]) };
        let decimals = ticks.first().map_or(0, |&first| decimals(first));
        Self { low, high, start, end, is_logarithmic: true, ticks, decimals }
    }

    /// An axis between two values, with a tick at every whole number that `step` divides, from `low` on.
    pub(super) fn whole(low: usize, high: usize, step: usize, (start, end): (f64, f64)) -> Self {
        let ticks = (low..=high).step_by(step.max(1)).map(|tick| tick as f64).collect();
        Self { low: low as f64, high: high as f64, start, end, is_logarithmic: false, ticks, decimals: 0 }
    }

    /// Where a value is; what is beyond the axis is at its end.
    pub(super) fn position(&self, value: f64) -> f64 {
        let share = if self.is_logarithmic {
            (value / self.low).ln() / (self.high / self.low).ln()
        } else {
            (value - self.low) / (self.high - self.low)
        };
        self.start + share.clamp(0.0, 1.0) * (self.end - self.start)
    }

    /// The ticks: where they are, and their text.
    pub(super) fn ticks(&self) -> impl Iterator<Item = (f64, String)> {
        self.ticks.iter().map(|&tick| (self.position(tick), format!("{:.*}", self.decimals, tick + 0.0)))
    }
}

fn range(values: impl IntoIterator<Item = f64>) -> (f64, f64) {
    let finite = values.into_iter().filter(|value| value.is_finite());
    let (low, high) = finite
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
    if low <= high { (low, high) } else { (0.0, 1.0) }
}

/// The least of 1, 2, 2.5 and 5 times a power of ten that is not below `step`.
fn round_step(step: f64) -> f64 {
    let unit = 10_f64.powf(step.log10().floor());
    let steps = [1.0, 2.0, 2.5, 5.0, 10.0].map(|factor| factor * unit);
    steps.into_iter().find(|&round| round >= step * (1.0 - 1e-9)).unwrap_or(step)
}

/// How many decimals a round number has.
fn decimals(value: f64) -> usize {
    let is_whole = |decimals: &u8| {
        let shifted = value * 10_f64.powi((*decimals).into());
        (shifted - shifted.round()).abs() < 1e-6 * shifted
    };
    (0..12).find(is_whole).map_or(12, usize::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(scale: &Scale) -> Vec<String> {
        scale.ticks().map(|(_, text)| text).collect()
    }

    #[test]
    fn ticks_are_round_and_hold_all_values() {
        let scale = Scale::linear([0.713, 0.829], (0.0, 100.0), 4);
        assert_eq!(texts(&scale), ["0.70", "0.75", "0.80", "0.85"]);
        assert!((scale.position(0.75) - 100.0 / 3.0).abs() < 1e-9);
        assert_eq!(
            texts(&Scale::linear([0.0, 1.0], (0.0, 1.0), 4)),
            ["0.00", "0.25", "0.50", "0.75", "1.00"]
        );
        assert_eq!(texts(&Scale::linear([-3.0, 12.0], (0.0, 1.0), 3)), ["-5", "0", "5", "10", "15"]);
        assert_eq!(texts(&Scale::linear([0.0, 900.0], (0.0, 1.0), 1)), ["0", "1000"]);
    }

    #[test]
    fn one_value_and_none_have_an_axis() {
        assert_eq!(texts(&Scale::linear([1.0, 1.0], (0.0, 1.0), 2)), ["0.90", "0.95", "1.00"]);
        assert_eq!(texts(&Scale::linear([0.0], (0.0, 1.0), 2)), ["0.00", "0.05", "0.10"]);
        let none = Scale::linear([f64::NAN, f64::INFINITY], (0.0, 1.0), 2);
        assert_eq!(texts(&none), ["0.0", "0.5", "1.0"]);
    }

    #[test]
    fn an_axis_may_run_upwards() {
        let scale = Scale::linear([0.0, 10.0], (50.0, 0.0), 2);
        assert_eq!((scale.position(0.0), scale.position(10.0), scale.position(99.0)), (50.0, 0.0, 0.0));
    }

    #[test]
    fn logarithmic_ticks() {
        let scale = Scale::logarithmic([20.0, 5000.0], (0.0, 1.0));
        assert_eq!(texts(&scale), ["20", "50", "100", "200", "500", "1000", "2000", "5000"]);
        assert_eq!(texts(&Scale::logarithmic([1.0, 2e4], (0.0, 1.0))), ["1", "10", "100", "1000", "10000"]);
        assert_eq!(texts(&Scale::logarithmic([100.0], (0.0, 1.0))), ["50", "100", "200"]);
        assert!(
            (scale.position(10_f64.powf(2.5)) - (10_f64.powf(2.5) / 20.0).ln() / 250_f64.ln()).abs() < 1e-12
        );
        assert_eq!(texts(&Scale::logarithmic([], (0.0, 1.0))), ["1", "2", "5", "10"]);
    }
}
