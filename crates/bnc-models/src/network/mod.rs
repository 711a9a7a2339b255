//! Bayesian network classifiers: a structure with its conditional tables.

mod batch;
mod eliminate;
mod fit;
mod score;
mod table;
#[cfg(test)]
mod tests;
mod wire;

use std::ops::Range;
use std::sync::Arc;

use bnc_data::{Code, Dataset, MISSING, Schema};
use bnc_structure::Structure;

pub use eliminate::MAX_ELIMINATION_CELLS;
pub use fit::MAX_TABLE_CELLS;
pub use score::StructureScore;
use table::Blocks;
pub use table::ConditionalTable;
pub use wire::NETWORK_LOADER;

use crate::classifier::check_row;
use crate::{Classifier, Error, Member, Result, Saved, normalize};

/// A Bayesian network over class and features, with all its tables.
///
/// Prediction works in logarithms. A missing value is summed out exactly: a feature whose descendants are all missing
/// drops out, the others are eliminated (Zhang and Poole 1994) in the order of the smallest next factor. A factor whose
/// probability is 0 under every class says nothing about the class and is left out; when the remaining factors rule out
/// every class, the posterior is the class distribution.
#[derive(Debug, Clone, PartialEq)]
pub struct Network {
    schema: Arc<Schema>,
    structure: Structure,
    /// P(class | its parents).
    class: ConditionalTable,
    tables: Vec<ConditionalTable>,
    children: Vec<Vec<usize>>,
    score: Option<StructureScore>,
}

impl Network {
    /// A network from parts that somebody wrote.
    ///
    /// # Errors
    /// [`Error::Unsound`] when the parts do not fit together or a table is no distribution.
    fn from_parts(
        schema: Arc<Schema>,
        structure: Structure,
        class: Blocks,
        tables: Vec<Blocks>,
    ) -> Result<Self> {
        let features = schema.features().len();
        if structure.features().len() != features || tables.len() != features {
            return Err(Error::Unsound(format!("{} tables for {features} features", tables.len())));
        }
        let network = Self::assemble(schema, structure, class, tables);
        network.class.check(network.schema.class())?;
        for (table, variable) in network.tables.iter().zip(network.schema.features()) {
            table.check(variable)?;
        }
        Ok(network)
    }

    /// A network from parts that fit together.
    fn assemble(schema: Arc<Schema>, structure: Structure, class: Blocks, tables: Vec<Blocks>) -> Self {
        let class = ConditionalTable::new(&schema, structure.class_parents(), None, false, class);
        let mut children = vec![Vec::new(); tables.len()];
        let families = structure.features().iter().zip(tables).enumerate();
        let tables = families
            .map(|(feature, (family, blocks))| {
                family.parents.iter().for_each(|&parent| children[parent].push(feature));
                ConditionalTable::new(&schema, &family.parents, Some(feature), family.class, blocks)
            })
            .collect();
        Self { schema, structure, class, tables, children, score: None }
    }

    /// The network with what its learner says of its structure.
    #[must_use]
    pub fn with_score(mut self, score: StructureScore) -> Self {
        self.score = Some(score);
        self
    }

    /// What its learner says of its structure.
    #[must_use]
    pub fn score(&self) -> Option<&StructureScore> {
        self.score.as_ref()
    }

    /// The graph.
    #[must_use]
    pub fn structure(&self) -> &Structure {
        &self.structure
    }

    /// The table of a feature.
    ///
    /// # Panics
    /// When there is no such feature.
    #[must_use]
    pub fn table(&self, feature: usize) -> &ConditionalTable {
        &self.tables[feature]
    }

    /// P(class | its feature parents).
    #[must_use]
    pub fn class_table(&self) -> &ConditionalTable {
        &self.class
    }

    /// The number of free parameters, whether their cells are stored or not; the largest number where there are more.
    #[must_use]
    pub fn free_parameters(&self) -> u64 {
        let free = |table: &ConditionalTable| {
            let each = table.block_length() - table.run_length();
            u64::try_from(table.configurations().saturating_mul(each as u128)).unwrap_or(u64::MAX)
        };
        self.tables.iter().map(free).fold(free(&self.class), u64::saturating_add)
    }

    /// Log scores of a row without missing values that matter; `skip_impossible` leaves out the factors that are 0 under
    /// every class.
    fn scores(&self, row: &[Code], out: &mut [f64], skip_impossible: bool) {
        let code = |&parent: &usize| row[parent];
        out.copy_from_slice(self.class.block_of(self.structure.class_parents().iter().map(code)));
        for (feature, (family, table)) in self.structure.features().iter().zip(&self.tables).enumerate() {
            if row[feature] == MISSING {
                continue;
            }
            let run = table.run_of(family.parents.iter().map(code), row[feature]);
            if skip_impossible && run.iter().all(|&log| log == f64::NEG_INFINITY) {
                continue;
            }
            add_run(run, out);
        }
    }

    /// The missing features that some known feature or the class depends on, ascending; the others drop out.
    fn missing_that_matter(&self, row: &[Code]) -> Vec<usize> {
        let mut matters: Vec<bool> = row.iter().map(|&code| code != MISSING).collect();
        self.structure.class_parents().iter().for_each(|&parent| matters[parent] = true);
        for &feature in self.structure.order().iter().rev() {
            matters[feature] |= self.children[feature].iter().any(|&child| matters[child]);
        }
        (0..row.len()).filter(|&feature| row[feature] == MISSING && matters[feature]).collect()
    }
}

impl Classifier for Network {
    fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    fn posterior_into(&self, row: &[Code], out: &mut [f64]) -> Result<()> {
        check_row(&self.schema, row)?;
        let hidden = if row.contains(&MISSING) { self.missing_that_matter(row) } else { Vec::new() };
        for skip_impossible in [false, true] {
            if hidden.is_empty() {
                self.scores(row, out, skip_impossible);
            } else {
                self.eliminate(row, &hidden, out, skip_impossible)?;
            }
            if normalize(out) {
                return Ok(());
            }
        }
        if row.iter().any(|&code| code != MISSING) {
            return self.posterior_into(&vec![MISSING; row.len()], out);
        }
        out.fill(1.0 / out.len() as f64);
        Ok(())
    }

    fn posteriors_into(&self, data: &Dataset, rows: Range<usize>, out: &mut [f64]) -> Result<()> {
        self.classify(data, rows, out)
    }

    fn members(&self) -> Vec<Member> {
        vec![self.structure.clone().into()]
    }

    fn save(&self) -> Result<Saved> {
        self.to_saved()
    }

    fn network(&self) -> Option<&Network> {
        Some(self)
    }
}

/// Adds a run to the scores by class; a single number is the same for all classes.
fn add_run(run: &[f64], scores: &mut [f64]) {
    match *run {
        [log] => scores.iter_mut().for_each(|score| *score += log),
        _ => scores.iter_mut().zip(run).for_each(|(score, log)| *score += log),
    }
}

fn product(dims: impl Iterator<Item = usize>) -> u128 {
    dims.fold(1, |product, dim| product.saturating_mul(dim as u128))
}
