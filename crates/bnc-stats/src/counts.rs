//! Stored tables: a commutative group under merge and subtract.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use bnc_data::{Dataset, Schema};

use crate::{Counter, Error, Result, Table, Vars};

/// Contingency tables under one schema. Counts of parts of the data merge to the counts of the whole, in any order
/// and grouping, to the last bit; the counts of a fold subtract to those of the other folds.
///
/// # Examples
/// ```
/// use std::sync::Arc;
/// use bnc_stats::bnc_data::{Dataset, Domain, Schema, Variable};
/// use bnc_stats::{Counter, Counts, all_singles};
///
/// let binary = |name| Variable::new(name, Domain::Labels(vec!["no".into(), "yes".into()]));
/// let schema = Arc::new(Schema::new(binary("class")?, vec![binary("x")?])?);
/// let data = Dataset::new(schema, vec![0, 1, 1], vec![vec![0, 1, 0]], None)?;
/// let whole = Counts::gather(&data, &all_singles(1))?;
/// let mut parts = Counts::gather(&data.select(&[0, 2]), &all_singles(1))?;
/// parts.merge(&Counts::gather(&data.select(&[1]), &all_singles(1))?)?;
/// assert_eq!(parts, whole);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Counts {
    schema: Arc<Schema>,
    tables: BTreeMap<Vars, Table>,
}

impl Counts {
    /// Counts the tables of a plan.
    ///
    /// # Errors
    /// Those of [`Counter::count`].
    pub fn gather(counter: &dyn Counter, plan: &[Vars]) -> Result<Self> {
        Ok(Self::new(Arc::clone(counter.schema()), counter.count(plan)?))
    }

    /// Tables that were counted under a schema.
    #[must_use]
    pub fn new(schema: Arc<Schema>, tables: Vec<Table>) -> Self {
        let tables = tables.into_iter().map(|table| (table.vars().clone(), table)).collect();
        Self { schema, tables }
    }

    /// The tables that are stored.
    #[must_use]
    pub fn plan(&self) -> Vec<Vars> {
        self.tables.keys().cloned().collect()
    }

    /// Adds the counts of other rows.
    ///
    /// # Errors
    /// [`Error::Mismatch`] for another schema or another set of tables; then `self` is unchanged.
    pub fn merge(&mut self, other: &Self) -> Result<()> {
        self.combine(other, Table::merge)
    }

    /// Takes away the counts of some of the rows.
    ///
    /// # Errors
    /// [`Error::Mismatch`] as for [`Counts::merge`], and when a count would fall below zero; then `self` is
    /// unchanged.
    pub fn subtract(&mut self, other: &Self) -> Result<()> {
        self.combine(other, Table::subtract)
    }

    fn combine(&mut self, other: &Self, op: fn(&mut Table, &Table) -> Result<()>) -> Result<()> {
        if self.schema != other.schema {
            return Err(Error::Mismatch("the schemas differ".into()));
        }
        if !self.tables.keys().eq(other.tables.keys()) {
            return Err(Error::Mismatch("they hold different tables".into()));
        }
        let mut tables = self.tables.clone();
        for (ours, theirs) in tables.values_mut().zip(other.tables.values()) {
            op(ours, theirs)?;
        }
        self.tables = tables;
        Ok(())
    }
}

impl Counter for Counts {
    fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    fn count(&self, asked: &[Vars]) -> Result<Vec<Table>> {
        let found: Vec<Option<&Table>> = asked.iter().map(|vars| self.tables.get(vars)).collect();
        let plan: Vec<Vars> = asked
            .iter()
            .zip(&found)
            .filter(|(_, table)| table.is_none())
            .map(|(vars, _)| vars.clone())
            .collect();
        if plan.is_empty() {
            Ok(found.into_iter().flatten().cloned().collect())
        } else {
            Err(Error::Unanswered { plan })
        }
    }

    fn rows(&self) -> Result<Cow<'_, Dataset>> {
        Err(Error::NoRows)
    }
}
