//! Bayesian network classifiers: a structure with its conditional tables.

mod eliminate;
mod fit;
mod wire;

use std::sync::Arc;

use bnc_data::{Code, MISSING, Schema};
use bnc_structure::Structure;

pub use eliminate::MAX_ELIMINATION_CELLS;
pub use fit::MAX_TABLE_CELLS;
pub use wire::NETWORK_LOADER;

use crate::classifier::check_row;
use crate::{Classifier, Error, Member, Result, Saved, normalize};

/// A conditional probability table in natural logarithms.
///
/// The axes are the feature parents in the order of the structure, then the variable itself, then the class where it is a
/// parent: the class is the last, fastest axis, so that the run of a configuration is added to the class scores as it is.
#[derive(Debug, Clone, PartialEq)]
pub struct ConditionalTable {
    /// The axes' cardinalities without the class: parents, then the variable.
    dims: Vec<usize>,
    /// The length of a run: the number of classes, or 1 when the class is no parent.
    run: usize,
    logs: Vec<f64>,
}

impl ConditionalTable {
    /// The cardinalities of the feature parents, then of the variable.
    #[must_use]
    pub fn dims(&self) -> &[usize] {
        &self.dims
    }

    /// Whether the class is a parent.
    #[must_use]
    pub fn by_class(&self, classes: usize) -> bool {
        self.run == classes
    }

    /// ln P(variable | parents, class), the class fastest.
    #[must_use]
    pub fn logs(&self) -> &[f64] {
        &self.logs
    }

    /// The run of a configuration: codes of the parents, then of the variable.
    fn run_of(&self, codes: impl Iterator<Item = Code>) -> &[f64] {
        let index = codes.zip(&self.dims).fold(0, |index, (code, &dim)| index * dim + usize::from(code));
        &self.logs[index * self.run..(index + 1) * self.run]
    }
}

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
    /// ln P(class | its parents): parents' axes, then the class.
    class: Vec<f64>,
    tables: Vec<ConditionalTable>,
    children: Vec<Vec<usize>>,
}

impl Network {
    /// A network from its parts; `class` holds ln P(class | its feature parents) with the class fastest.
    ///
    /// # Errors
    /// [`Error::Unsound`] when the parts do not fit together or a table is no distribution.
    pub(crate) fn from_parts(
        schema: Arc<Schema>,
        structure: Structure,
        class: Vec<f64>,
        tables: Vec<Vec<f64>>,
    ) -> Result<Self> {
        let features = schema.features().len();
        let classes = schema.classes();
        if structure.features().len() != features || tables.len() != features {
            return Err(Error::Unsound(format!("{} tables for {features} features", tables.len())));
        }
        let class_configurations = product(structure.class_parents().iter().map(|&p| schema.cardinality(p)));
        check_table("the class", &class, class_configurations, classes, 1)?;
        let mut children = vec![Vec::new(); features];
        let mut checked = Vec::with_capacity(features);
        for (feature, (family, logs)) in structure.features().iter().zip(tables).enumerate() {
            family.parents.iter().for_each(|&parent| children[parent].push(feature));
            let dims: Vec<usize> =
                family.parents.iter().chain([&feature]).map(|&axis| schema.cardinality(axis)).collect();
            let run = if family.class { classes } else { 1 };
            let configurations = product(dims[..dims.len() - 1].iter().copied());
            check_table(
                schema.features()[feature].name(),
                &logs,
                configurations,
                schema.cardinality(feature),
                run,
            )?;
            checked.push(ConditionalTable { dims, run, logs });
        }
        Ok(Self { schema, structure, class, tables: checked, children })
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

    /// ln P(class | its feature parents), the class fastest.
    #[must_use]
    pub fn class_logs(&self) -> &[f64] {
        &self.class
    }

    /// The number of free parameters.
    #[must_use]
    pub fn free_parameters(&self) -> u64 {
        let classes = self.schema.classes();
        let free = |cells: usize, r: usize| (cells / r * (r - 1)) as u64;
        let features = self.tables.iter().enumerate();
        features.map(|(feature, table)| free(table.logs.len(), self.schema.cardinality(feature))).sum::<u64>()
            + free(self.class.len(), classes)
    }

    /// Log scores of a row without missing values that matter; `skip_impossible` leaves out the factors that are 0 under
    /// every class.
    fn scores(&self, row: &[Code], out: &mut [f64], skip_impossible: bool) {
        let classes = out.len();
        let configuration = self
            .structure
            .class_parents()
            .iter()
            .fold(0, |index, &parent| index * self.schema.cardinality(parent) + usize::from(row[parent]));
        out.copy_from_slice(&self.class[configuration * classes..(configuration + 1) * classes]);
        for (feature, (family, table)) in self.structure.features().iter().zip(&self.tables).enumerate() {
            if row[feature] == MISSING {
                continue;
            }
            let run = table.run_of(family.parents.iter().chain([&feature]).map(|&axis| row[axis]));
            if skip_impossible && run.iter().all(|&log| log == f64::NEG_INFINITY) {
                continue;
            }
            match *run {
                [log] => out.iter_mut().for_each(|score| *score += log),
                _ => out.iter_mut().zip(run).for_each(|(score, &log)| *score += log),
            }
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

    fn members(&self) -> Vec<Member> {
        vec![Member { super_parents: Vec::new(), frequencies: Vec::new(), structure: self.structure.clone() }]
    }

    fn save(&self) -> Result<Saved> {
        self.to_saved()
    }

    fn network(&self) -> Option<&Network> {
        Some(self)
    }
}

fn product(dims: impl Iterator<Item = usize>) -> u128 {
    dims.fold(1, |product, dim| product.saturating_mul(dim as u128))
}

/// Refuses a table of the wrong size, a log that is no log of a probability, and a distribution that does not sum to 1.
fn check_table(name: &str, logs: &[f64], configurations: u128, cardinality: usize, run: usize) -> Result<()> {
    let block = cardinality * run;
    if configurations.saturating_mul(block as u128) != logs.len() as u128 {
        return Err(Error::Unsound(format!("the table of '{name}' has {} cells", logs.len())));
    }
    if logs.iter().any(|log| log.is_nan() || *log > 1e-9) {
        return Err(Error::Unsound(format!("the table of '{name}' holds no probabilities")));
    }
    for block in logs.chunks_exact(block) {
        for class in 0..run {
            let sum: f64 = block.iter().skip(class).step_by(run).map(|log| log.exp()).sum();
            if (sum - 1.0).abs() > 1e-6 {
                return Err(Error::Unsound(format!("a distribution of '{name}' sums to {sum}")));
            }
        }
    }
    Ok(())
}
