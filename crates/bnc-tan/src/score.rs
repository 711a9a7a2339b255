//! Penalised likelihoods of a structure.

use std::str::FromStr;

use bnc_models::bnc_stats::{Counter, LocalScore};
use bnc_models::bnc_structure::Structure;
use bnc_models::{Error, Result, StructureScore};

/// What a structure costs: its free parameters, weighed, minus the log-likelihood of the rows under the maximum
/// likelihood estimates. Natural logarithms; the smaller the better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Score {
    /// The minimum description length: `(ln N / 2) |B| − LL`, the Bayesian information criterion with its sign turned.
    #[default]
    Mdl,
    /// Akaike's information criterion with its sign turned: `|B| − LL`.
    Aic,
}

impl Score {
    /// What one free parameter costs with so many rows (one or more), in nats.
    #[must_use]
    pub fn penalty(self, rows: u64) -> f64 {
        match self {
            Self::Mdl => (rows as f64).ln() / 2.0,
            Self::Aic => 1.0,
        }
    }

    /// What a structure costs on counted rows, in nats.
    ///
    /// The free parameters `|B| = Σ (r_i − 1) q_i` count declared values and classes, seen or not, as the conditional
    /// tables do. N is the number of labelled rows; each family's likelihood is over the rows that know it.
    ///
    /// # Errors
    /// [`Error::NoLabelledRows`], and those of counting.
    ///
    /// # Examples
    /// ```
    /// use std::sync::Arc;
    /// use bnc_tan::Score;
    /// use bnc_tan::bnc_models::bnc_data::{Dataset, Domain, Schema, Variable};
    /// use bnc_tan::bnc_models::bnc_structure::Structure;
    ///
    /// let binary = |name| Variable::new(name, Domain::Labels(vec!["no".into(), "yes".into()]));
    /// let schema = Arc::new(Schema::new(binary("class")?, vec![binary("x")?])?);
    /// let data = Dataset::new(schema, vec![0, 0, 1, 1], vec![vec![0, 1, 0, 1]], None)?;
    /// // Three parameters; the class and the value of each of the four rows have probability one half.
    /// let cost = Score::Aic.cost(&data, &Structure::naive(1))?;
    /// assert!((cost - (3.0 + 8.0 * 2.0_f64.ln())).abs() < 1e-12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn cost(self, counter: &dyn Counter, structure: &Structure) -> Result<f64> {
        let score = StructureScore::of(counter, structure, self.local())?;
        if score.rows == 0 {
            return Err(Error::NoLabelledRows);
        }
        Ok(-score.total)
    }

    /// The score that is this with its sign turned.
    pub(crate) fn local(self) -> LocalScore {
        match self {
            Self::Mdl => LocalScore::Bic,
            Self::Aic => LocalScore::Aic,
        }
    }
}

/// What [`Score`] reads; also the text for "expected …".
pub(crate) const SCORES: &str = "mdl or aic";

impl FromStr for Score {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "mdl" => Ok(Self::Mdl),
            "aic" => Ok(Self::Aic),
            _ => Err(SCORES.into()),
        }
    }
}
