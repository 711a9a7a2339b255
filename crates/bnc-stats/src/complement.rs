//! The counts of some rows as those of all without those of the others.

use std::borrow::Cow;
use std::sync::{Arc, OnceLock};

use bnc_data::{Dataset, Schema};

use crate::cached::complete;
use crate::{CachedCounter, Counter, Result, Table, Vars};

/// The training rows of a fold: all rows but those of a part. A table is that of all rows, counted once for all folds, without
/// that of the part; where the whole does not keep it, it is counted from the rows.
///
/// # Examples
/// ```
/// use std::sync::Arc;
/// use bnc_stats::bnc_data::{Dataset, Domain, Schema, Variable};
/// use bnc_stats::{CachedCounter, Complement, Counter, all_singles};
///
/// let binary = |name| Variable::new(name, Domain::Labels(vec!["no".into(), "yes".into()]));
/// let schema = Arc::new(Schema::new(binary("class")?, vec![binary("x")?])?);
/// let data = Dataset::new(schema, vec![0, 1, 1, 1], vec![vec![0, 1, 0, 1]], None)?;
/// let test = Arc::new(data.select(&[1]));
/// let train = data.select(&[0, 2, 3]);
///
/// let whole = CachedCounter::new(data, 4);
/// let complement = Complement::new(&whole, test, vec![0, 2, 3]);
/// assert_eq!(complement.count(&all_singles(1))?, train.count(&all_singles(1))?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Complement<'a> {
    whole: &'a CachedCounter<Dataset>,
    part: Arc<Dataset>,
    /// The labelled rows of the whole that are not of the part.
    rows: Vec<usize>,
    selected: OnceLock<Dataset>,
}

impl<'a> Complement<'a> {
    /// The rows of `whole` that are not those of `part`: `rows` says which of the labelled ones they are.
    #[must_use]
    pub fn new(whole: &'a CachedCounter<Dataset>, part: Arc<Dataset>, rows: Vec<usize>) -> Self {
        Self { whole, part, rows, selected: OnceLock::new() }
    }

    /// The rows, selected when they are first needed.
    fn selected(&self) -> &Dataset {
        self.selected.get_or_init(|| self.whole.counter().select(&self.rows))
    }
}

impl Counter for Complement<'_> {
    fn schema(&self) -> &Arc<Schema> {
        self.whole.schema()
    }

    fn count(&self, asked: &[Vars]) -> Result<Vec<Table>> {
        let whole = self.whole.tables(asked)?;
        let known = asked.iter().zip(&whole).filter(|(_, table)| table.is_some());
        let known: Vec<Vars> = known.map(|(vars, _)| vars.clone()).collect();
        let mut parts = self.part.count(&known)?.into_iter();
        let known = whole.into_iter().map(|table| table.and_then(|table| Some((table, parts.next()?))));
        let difference = |(whole, part): (Arc<Table>, Table)| whole.without(&part);
        complete(known.collect(), asked, difference, |rest| self.selected().count(rest))
    }

    fn rows(&self) -> Result<Cow<'_, Dataset>> {
        Ok(Cow::Borrowed(self.selected()))
    }
}
