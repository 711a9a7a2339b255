//! Tables that are counted once and answered again.

use std::borrow::Cow;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use bnc_data::{Dataset, Schema};

use crate::{Counter, DENSE_CELLS, Result, Table, Vars};

/// The cells that the tables which a counter keeps may have together: 32 MiB.
const BUDGET: usize = 1 << 22;

/// What a table takes beside its cells, in cells.
const OVERHEAD: usize = 32;

/// A counter that keeps the tables it has counted, so that several learners that ask for the same ones cause one count. Its
/// answers are those of the counter beneath.
///
/// It keeps dense tables of no more cells than there are rows (larger ones are counted as fast as copied), up to 2²² cells in
/// all. What it does not keep, and what another thread is counting at the moment, is counted anew: nobody ever waits for
/// another thread's tables, which under work stealing might be one's own.
pub struct CachedCounter<C> {
    counter: C,
    /// The largest table that is kept, in cells.
    largest: usize,
    kept: Mutex<Kept>,
}

struct Kept {
    /// The cells that are not spoken for.
    left: usize,
    tables: HashMap<Vars, Slot>,
}

enum Slot {
    /// Someone is counting it.
    Claimed,
    Counted(Arc<Table>),
}

impl<C: Counter> CachedCounter<C> {
    /// Keeps the tables of a counter of that many rows.
    #[must_use]
    pub fn new(counter: C, rows: usize) -> Self {
        Self::with_budget(counter, rows, BUDGET)
    }

    pub(crate) fn with_budget(counter: C, rows: usize, budget: usize) -> Self {
        let kept = Kept { left: budget, tables: HashMap::new() };
        Self { counter, largest: rows.min(DENSE_CELLS), kept: Mutex::new(kept) }
    }

    /// The counter beneath.
    #[must_use]
    pub fn counter(&self) -> &C {
        &self.counter
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Those of the tables that are kept, the new ones among them counted now; `None` for the others.
    pub(crate) fn tables(&self, asked: &[Vars]) -> Result<Vec<Option<Arc<Table>>>> {
        let claimed = self.claim(asked);
        if !claimed.is_empty() {
            // Not under the lock: counting may run other tasks on this thread, which may ask for tables, too.
            let counted = self.counter.count(&claimed);
            let mut kept = self.kept();
            match counted {
                Ok(tables) => {
                    let tables = tables.into_iter().map(|table| Slot::Counted(Arc::new(table)));
                    kept.tables.extend(claimed.into_iter().zip(tables));
                }
                Err(error) => {
                    for vars in &claimed {
                        kept.tables.remove(vars);
                        kept.left += self.price(vars).unwrap_or(0);
                    }
                    return Err(error);
                }
            }
        }
        let kept = self.kept();
        let known = |vars| match kept.tables.get(vars) {
            Some(Slot::Counted(table)) => Some(Arc::clone(table)),
            _ => None,
        };
        Ok(asked.iter().map(known).collect())
    }

    /// The tables that are neither kept nor being counted, and that there is room for: now they are the caller's to count.
    fn claim(&self, asked: &[Vars]) -> Vec<Vars> {
        let mut kept = self.kept();
        let Kept { left, tables } = &mut *kept;
        let mut claimed = Vec::new();
        for vars in asked {
            if let Entry::Vacant(vacant) = tables.entry(vars.clone())
                && let Some(rest) = self.price(vars).and_then(|price| left.checked_sub(price))
            {
                *left = rest;
                vacant.insert(Slot::Claimed);
                claimed.push(vars.clone());
            }
        }
        claimed
    }

    /// What a table costs of the budget; `None` for one that is not worth it.
    fn price(&self, vars: &Vars) -> Option<usize> {
        let schema = self.counter.schema();
        let cells = vars.iter().try_fold(schema.classes(), |cells, feature| {
            cells.checked_mul(schema.features().get(feature)?.cardinality())
        })?;
        (cells <= self.largest).then_some(cells + OVERHEAD)
    }
}

impl<C: Counter> Counter for CachedCounter<C> {
    fn schema(&self) -> &Arc<Schema> {
        self.counter.schema()
    }

    fn count(&self, asked: &[Vars]) -> Result<Vec<Table>> {
        complete(self.tables(asked)?, asked, |table| Ok((*table).clone()), |rest| self.counter.count(rest))
    }

    fn rows(&self) -> Result<Cow<'_, Dataset>> {
        self.counter.rows()
    }
}

/// The tables asked for: made by `from` where they are known, counted by `count` where they are not.
pub(crate) fn complete<T>(
    known: Vec<Option<T>>,
    asked: &[Vars],
    from: impl Fn(T) -> Result<Table>,
    count: impl FnOnce(&[Vars]) -> Result<Vec<Table>>,
) -> Result<Vec<Table>> {
    let unknown = |(vars, table): (&Vars, &Option<T>)| table.is_none().then(|| vars.clone());
    let rest: Vec<Vars> = asked.iter().zip(&known).filter_map(unknown).collect();
    let mut rest = if rest.is_empty() { Vec::new() } else { count(&rest)? }.into_iter();
    let tables = known.into_iter().filter_map(|table| match table {
        Some(table) => Some(from(table)),
        None => rest.next().map(Ok),
    });
    tables.collect()
}

#[cfg(test)]
mod tests {
    use bnc_data::{Domain, Variable};

    use super::*;
    use crate::{Error, all_pairs};

    /// Answers nothing.
    struct Broken(Dataset);

    impl Counter for Broken {
        fn schema(&self) -> &Arc<Schema> {
            self.0.schema()
        }

        fn count(&self, asked: &[Vars]) -> Result<Vec<Table>> {
            Err(Error::Unanswered { plan: asked.to_vec() })
        }

        fn rows(&self) -> Result<Cow<'_, Dataset>> {
            Err(Error::NoRows)
        }
    }

    fn data() -> Dataset {
        let labels = |count: usize| Domain::Labels((0..count).map(|value| value.to_string()).collect());
        let feature = |i: usize| Variable::new(format!("x{i}"), labels(3)).unwrap();
        let schema = Schema::new(Variable::new("y", labels(2)).unwrap(), (0..4).map(feature).collect());
        let column = |dim: usize, step: usize| (0..60).map(|row| (row * step / 3 % dim) as u16).collect();
        let columns = (1..5).map(|step| column(3, step)).collect();
        Dataset::new(Arc::new(schema.unwrap()), column(2, 7), columns, None).unwrap()
    }

    #[test]
    fn no_more_is_kept_than_the_budget_allows() {
        let data = data();
        // A pair's table has 18 cells.
        let price = 18 + OVERHEAD;
        for (budget, expected) in [(0, 0), (price - 1, 0), (price, 1), (3 * price + 1, 3), (100 * price, 6)] {
            let cached = CachedCounter::with_budget(data.clone(), 60, budget);
            assert_eq!(cached.count(&all_pairs(4)).unwrap(), data.count(&all_pairs(4)).unwrap());
            let kept = cached.kept();
            assert_eq!((kept.tables.len(), kept.left), (expected, budget - expected * price));
        }
    }

    #[test]
    fn a_failure_gives_its_room_back() {
        let cached = CachedCounter::new(Broken(data()), 60);
        for _ in 0..2 {
            assert!(
                matches!(cached.count(&all_pairs(4)), Err(Error::Unanswered { plan }) if plan.len() == 6)
            );
            let kept = cached.kept();
            assert_eq!((kept.tables.len(), kept.left), (0, BUDGET));
        }
    }
}
