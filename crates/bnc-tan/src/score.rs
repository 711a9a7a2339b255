//! Penalised likelihoods of a structure.

use std::str::FromStr;

use bnc_models::bnc_stats::{Counter, Table, Vars};
use bnc_models::bnc_structure::Structure;
use bnc_models::{Error, Network, Result};

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
        let schema = counter.schema();
        let mut plan = Network::plan(structure);
        plan.push(Vars::default());
        let tables = counter.count(&plan)?;
        let rows = tables.last().map_or(0, Table::total);
        if rows == 0 {
            return Err(Error::NoLabelledRows);
        }
        let configurations = |features: &[usize]| {
            features.iter().map(|&feature| schema.cardinality(feature) as f64).product::<f64>()
        };
        let classes = schema.classes() as f64;
        let mut parameters = (classes - 1.0) * configurations(structure.class_parents());
        let mut log_likelihood = class_log_likelihood(&tables[structure.features().len()]);
        for ((feature, family), table) in structure.features().iter().enumerate().zip(&tables) {
            let of_class = if family.class { classes } else { 1.0 };
            parameters +=
                (schema.cardinality(feature) as f64 - 1.0) * configurations(&family.parents) * of_class;
            let parents = table.marginal(&Vars::new(family.parents.iter().copied()));
            log_likelihood += sum_n_ln_n(table, family.class) - sum_n_ln_n(&parents, family.class);
        }
        Ok(self.penalty(rows) * parameters - log_likelihood)
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

/// ln P(class | its parents) summed over the rows.
fn class_log_likelihood(table: &Table) -> f64 {
    sum_n_ln_n(table, true) - sum_n_ln_n(table, false)
}

/// Σ F ln F over the cells of a table, with the class as an axis or summed out.
fn sum_n_ln_n(table: &Table, by_class: bool) -> f64 {
    let term = |count: u64| if count > 0 { count as f64 * (count as f64).ln() } else { 0.0 };
    let of_run = |run: &[u64]| {
        if by_class { run.iter().map(|&count| term(count)).sum() } else { term(run.iter().sum()) }
    };
    table.runs().map(|(_, run)| of_run(run)).sum()
}
