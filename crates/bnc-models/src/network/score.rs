//! What a learner that searches for the best structure says of the one it found.

use bnc_stats::{Child, Counter, LocalScore, Table, Vars};
use bnc_structure::Structure;

use crate::{Network, Result};

/// The score of a network's structure on its training rows, in natural logarithms; larger is better.
///
/// It is a statement of the learner, stored with the network: nothing is computed from it.
#[derive(Debug, Clone, PartialEq)]
pub struct StructureScore {
    /// The score as users write it, e.g. `bdeu`.
    pub name: String,
    /// The equivalent sample size, for a score that has one.
    pub equivalent_sample_size: Option<f64>,
    /// The rows that it is over, by case weight: not those with a missing cell where the learner takes its structure from
    /// complete rows only.
    pub rows: u64,
    /// The sum over the families of all features.
    pub features: f64,
    /// That sum and the family of the class.
    pub total: f64,
    /// How many structures reach the best score, where that is known.
    pub optima: Option<u64>,
}

impl StructureScore {
    /// The score of a structure on counted rows: the sum of its families' local scores, each over the rows that know the
    /// family; the penalty is that of all labelled rows.
    ///
    /// # Errors
    /// Those of counting.
    pub fn of(counter: &dyn Counter, structure: &Structure, score: LocalScore) -> Result<Self> {
        let mut sum = Self::sum(counter, structure, score.name(), |table, child, class_is_parent, rows| {
            score.of_family(table, child, class_is_parent, rows)
        })?;
        sum.equivalent_sample_size = score.equivalent_sample_size();
        Ok(sum)
    }

    /// As [`StructureScore::of`], for any score that is a sum over families: `of_family` is given the table over the
    /// family, the child, whether the class is a parent, and the number of labelled rows.
    ///
    /// # Errors
    /// Those of counting.
    pub fn sum(
        counter: &dyn Counter,
        structure: &Structure,
        name: &str,
        of_family: impl Fn(&Table, Child, bool, u64) -> f64,
    ) -> Result<Self> {
        let mut plan = Network::plan(structure);
        plan.push(Vars::default());
        let tables = counter.count(&plan)?;
        let rows = tables.last().map_or(0, Table::total);
        let families = structure.features().iter().zip(&tables).enumerate();
        let features = families
            .map(|(feature, (family, table))| of_family(table, Child::Feature(feature), family.class, rows))
            .sum::<f64>();
        let class = tables.get(structure.features().len());
        let class = class.map_or(0.0, |table| of_family(table, Child::Class, false, rows));
        Ok(Self {
            name: name.into(),
            equivalent_sample_size: None,
            rows,
            features,
            total: features + class,
            optima: None,
        })
    }
}
