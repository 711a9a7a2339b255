//! From counts to probabilities.

use std::fmt;
use std::str::FromStr;

/// How counts become probabilities. In the formulas `n` is a cell's count, `N` the count of its parents' configuration,
/// `r` the variable's number of values, and `q` the number of configurations of all its parents, the class among them.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Smoothing {
    /// `(n + 1) / (N + r)`.
    #[default]
    Laplace,
    /// `(n + a) / (N + a r)` with a ≥ 0.
    Lidstone(f64),
    /// The m-estimate with a uniform prior: `(n + m/r) / (N + m)` with m ≥ 0.
    M(f64),
    /// The expected a posteriori estimate under BDeu with an equivalent sample size a ≥ 0:
    /// `(n + a/(r q)) / (N + a/q)`.
    Bdeu(f64),
    /// Maximum likelihood, `n / N`; uniform where `N` is 0.
    Mle,
    /// Friedman, Geiger and Goldszmidt 1997: towards the variable's own distribution P̂(x) with weight s ≥ 0,
    /// `(n + s P̂(x)) / (N + s)`; the class itself is not smoothed.
    Friedman(f64),
}

impl Smoothing {
    /// P(x | parents) from its counts. `marginal` is P̂(x), which [`Smoothing::Friedman`] needs.
    ///
    /// Uniform where nothing was counted and nothing is added.
    #[must_use]
    pub fn conditional(self, n: f64, total: f64, r: usize, q: f64, marginal: f64) -> f64 {
        let r = r as f64;
        let (added, spread) = match self {
            Self::Laplace => (1.0, r),
            Self::Lidstone(a) => (a, a * r),
            Self::M(m) => (m / r, m),
            Self::Bdeu(a) => (a / (r * q), a / q),
            Self::Mle => (0.0, 0.0),
            Self::Friedman(s) => (s * marginal, s),
        };
        let denominator = total + spread;
        if denominator > 0.0 { (n + added) / denominator } else { 1.0 / r }
    }

    /// P(class) from the class counts.
    #[must_use]
    pub fn prior(self, counts: &[u64]) -> Vec<f64> {
        let total = counts.iter().sum::<u64>() as f64;
        let smoothing = if matches!(self, Self::Friedman(_)) { Self::Mle } else { self };
        let of_class = |&count: &u64| smoothing.conditional(count as f64, total, counts.len(), 1.0, 0.0);
        counts.iter().map(of_class).collect()
    }

    /// The smoothing that a stored model names.
    ///
    /// # Errors
    /// [`Error::Unsound`](crate::Error::Unsound) when there is none of that name.
    pub fn stored(text: &str) -> crate::Result<Self> {
        let unsound = |expected| crate::Error::Unsound(format!("smoothing '{text}', expected {expected}"));
        text.parse().map_err(unsound)
    }

    /// The first parameter that is out of range, with its value.
    pub(crate) fn fault(self) -> Option<f64> {
        match self {
            Self::Laplace | Self::Mle => None,
            Self::Lidstone(x) | Self::M(x) | Self::Bdeu(x) | Self::Friedman(x) => {
                (!(x >= 0.0 && x.is_finite())).then_some(x)
            }
        }
    }

    /// Refuses a negative or infinite parameter.
    ///
    /// # Errors
    /// [`Error::BadParameter`](crate::Error::BadParameter) that names the learner.
    pub fn validate(self, learner: &str) -> crate::Result<()> {
        match self.fault() {
            None => Ok(()),
            Some(_) => Err(crate::Error::BadParameter {
                learner: learner.into(),
                parameter: "smoothing".into(),
                value: self.to_string(),
                expected: "a finite number of 0 or more after the colon".into(),
            }),
        }
    }
}

impl fmt::Display for Smoothing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Laplace => f.write_str("laplace"),
            Self::Lidstone(a) => write!(f, "lidstone:{a}"),
            Self::M(m) => write!(f, "m:{m}"),
            Self::Bdeu(a) => write!(f, "bdeu:{a}"),
            Self::Mle => f.write_str("mle"),
            Self::Friedman(s) => write!(f, "friedman:{s}"),
        }
    }
}

/// What [`Smoothing`] reads; also the text for "expected …".
pub(crate) const SMOOTHINGS: &str =
    "laplace, lidstone:A, m:M, bdeu:ESS, mle or friedman:S with numbers of 0 or more";

impl FromStr for Smoothing {
    type Err = String;

    /// Reads what [`Display`](fmt::Display) writes.
    fn from_str(text: &str) -> Result<Self, String> {
        let (name, number) = match text.split_once(':') {
            Some((name, number)) => (name, Some(number)),
            None => (text, None),
        };
        let bad = || SMOOTHINGS.to_string();
        let smoothing = match (name, number) {
            ("laplace", None) => Self::Laplace,
            ("mle", None) => Self::Mle,
            (_, None) => return Err(bad()),
            (_, Some(number)) => {
                let number = number.parse().map_err(|_| bad())?;
                match name {
                    "lidstone" => Self::Lidstone(number),
                    "m" => Self::M(number),
                    "bdeu" => Self::Bdeu(number),
                    "friedman" => Self::Friedman(number),
                    _ => return Err(bad()),
                }
            }
        };
        if smoothing.fault().is_some() { Err(bad()) } else { Ok(smoothing) }
    }
}
