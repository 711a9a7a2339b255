//! Exact inference with missing values: variable elimination.

use bnc_data::{Code, MISSING};

use super::{ConditionalTable, Network};
use crate::{Error, Result, log_sum_exp};

/// The largest number of cells of a factor during elimination.
pub const MAX_ELIMINATION_CELLS: usize = 1 << 24;

/// A function of some missing features and the class in logarithms; the class is the last, fastest axis.
struct Factor {
    vars: Vec<usize>,
    dims: Vec<usize>,
    logs: Vec<f64>,
}

impl Network {
    /// Log scores of a row whose `hidden` features are missing and matter.
    pub(super) fn eliminate(
        &self,
        row: &[Code],
        hidden: &[usize],
        out: &mut [f64],
        skip_impossible: bool,
    ) -> Result<()> {
        out.fill(0.0);
        let classes = out.len();
        let mut factors = Vec::new();
        let mut take = |factor: Factor, out: &mut [f64]| {
            if skip_impossible && factor.logs.iter().all(|&log| log == f64::NEG_INFINITY) {
                return;
            }
            if factor.vars.is_empty() {
                out.iter_mut().zip(&factor.logs).for_each(|(score, log)| *score += log);
            } else {
                factors.push(factor);
            }
        };
        take(self.restrict(row, self.structure.class_parents(), None, &self.class, classes)?, out);
        for (feature, (family, table)) in self.structure.features().iter().zip(&self.tables).enumerate() {
            if row[feature] == MISSING && hidden.binary_search(&feature).is_err() {
                continue;
            }
            take(self.restrict(row, &family.parents, Some(feature), table, classes)?, out);
        }
        let mut waiting = hidden.to_vec();
        while let Some(next) = self.cheapest(&waiting, &factors) {
            let var = waiting.remove(next);
            let (with, without): (Vec<Factor>, Vec<Factor>) =
                factors.into_iter().partition(|factor| factor.vars.contains(&var));
            factors = without;
            let summed = self.multiply(&with, classes)?.sum_out(var, classes);
            if summed.vars.is_empty() {
                out.iter_mut().zip(&summed.logs).for_each(|(score, log)| *score += log);
            } else {
                factors.push(summed);
            }
        }
        Ok(())
    }

    /// A table under the known values of a row: a function of its missing axes and the class. `own` is the feature of the
    /// table, none for that of the class.
    fn restrict(
        &self,
        row: &[Code],
        parents: &[usize],
        own: Option<usize>,
        table: &ConditionalTable,
        classes: usize,
    ) -> Result<Factor> {
        let missing = |axis: &usize| row[*axis] == MISSING;
        let free: Vec<usize> = parents.iter().copied().filter(missing).collect();
        let vars: Vec<usize> = free.iter().copied().chain(own.filter(missing)).collect();
        let cells = self.check_size(&vars, classes)?;
        let dims: Vec<usize> = vars.iter().map(|&var| self.schema.cardinality(var)).collect();
        let free_dims = &dims[..free.len()];
        let mut logs = Vec::with_capacity(cells);
        for configuration in 0..free_dims.iter().product() {
            let mut codes = codes_of(configuration, free_dims).into_iter();
            let block = table.block_of(parents.iter().map(|&parent| match row[parent] {
                MISSING => codes.next().unwrap_or_default() as Code,
                code => code,
            }));
            let run_length = if own.is_some() { table.run_length() } else { classes };
            let known = own.filter(|own| !missing(own)).map(|own| usize::from(row[own]));
            let runs = block.chunks_exact(run_length).enumerate();
            for (_, run) in runs.filter(|(value, _)| known.is_none_or(|known| known == *value)) {
                logs.extend((0..classes).map(|class| run[class.min(run.len() - 1)]));
            }
        }
        Ok(Factor { vars, dims, logs })
    }

    /// The place in `waiting` of the feature whose elimination makes the smallest factor; the lowest wins ties.
    fn cheapest(&self, waiting: &[usize], factors: &[Factor]) -> Option<usize> {
        let cost = |&var: &usize| {
            let with = factors.iter().filter(|factor| factor.vars.contains(&var));
            self.size(&union(with))
        };
        (0..waiting.len()).min_by_key(|&place| cost(&waiting[place]))
    }

    fn size(&self, vars: &[usize]) -> u128 {
        super::product(vars.iter().map(|&var| self.schema.cardinality(var)))
    }

    /// The number of cells of a factor.
    fn check_size(&self, vars: &[usize], classes: usize) -> Result<usize> {
        let cells = self.size(vars).saturating_mul(classes as u128);
        if cells > MAX_ELIMINATION_CELLS as u128 {
            return Err(Error::TooLarge {
                what: "summing out the row's missing values".into(),
                cells: u64::try_from(cells).unwrap_or(u64::MAX),
                limit: MAX_ELIMINATION_CELLS,
                way_out: "fill some of them, or train with missing=mode or missing=value".into(),
            });
        }
        Ok(cells as usize)
    }

    fn multiply(&self, factors: &[Factor], classes: usize) -> Result<Factor> {
        let vars = union(factors.iter());
        let mut logs = vec![0.0; self.check_size(&vars, classes)?];
        let dims: Vec<usize> = vars.iter().map(|&var| self.schema.cardinality(var)).collect();
        for factor in factors {
            let places: Vec<usize> =
                factor.vars.iter().filter_map(|var| vars.iter().position(|other| other == var)).collect();
            for (configuration, run) in logs.chunks_exact_mut(classes).enumerate() {
                let codes = codes_of(configuration, &dims);
                let index = places
                    .iter()
                    .zip(&factor.dims)
                    .fold(0, |index, (&place, &dim)| index * dim + codes[place]);
                let other = &factor.logs[index * classes..(index + 1) * classes];
                run.iter_mut().zip(other).for_each(|(log, more)| *log += more);
            }
        }
        Ok(Factor { vars, dims, logs })
    }
}

impl Factor {
    fn sum_out(self, var: usize, classes: usize) -> Self {
        let Some(axis) = self.vars.iter().position(|&other| other == var) else {
            return self;
        };
        let inner: usize = self.dims[axis + 1..].iter().product::<usize>() * classes;
        let dim = self.dims[axis];
        let outer: usize = self.dims[..axis].iter().product();
        let mut logs = Vec::with_capacity(outer * inner);
        let mut terms = vec![0.0; dim];
        for block in 0..outer {
            for place in 0..inner {
                for (value, term) in terms.iter_mut().enumerate() {
                    *term = self.logs[(block * dim + value) * inner + place];
                }
                logs.push(log_sum_exp(&terms));
            }
        }
        let drop_axis = |list: &[usize]| [&list[..axis], &list[axis + 1..]].concat();
        Self { vars: drop_axis(&self.vars), dims: drop_axis(&self.dims), logs }
    }
}

/// The codes of a configuration numbered with the last axis fastest.
fn codes_of(mut number: usize, dims: &[usize]) -> Vec<usize> {
    let mut codes = vec![0; dims.len()];
    for (code, &dim) in codes.iter_mut().zip(dims).rev() {
        *code = number % dim;
        number /= dim;
    }
    codes
}

fn union<'a>(factors: impl Iterator<Item = &'a Factor>) -> Vec<usize> {
    let mut vars: Vec<usize> = factors.flat_map(|factor| factor.vars.iter().copied()).collect();
    vars.sort_unstable();
    vars.dedup();
    vars
}
