//! The exact search over some of the features.

use bnc_models::bnc_data::{Dataset, Error as DataError, Progress};
use bnc_models::bnc_stats::{ClassRole, FamilyScores};
use bnc_models::bnc_structure::{self, ArcConstraints, ExactSearch, Family, Structure, SubsetScores};
use bnc_models::{Error, Result};

use crate::Search;

/// The optimal structure among those of a kind.
pub(crate) struct Optimum {
    pub(crate) structure: Structure,
    /// How many structures reach it, where that is known.
    pub(crate) optima: Option<u64>,
}

/// An exact search by a learner of that name.
pub(crate) struct Task<'a> {
    pub(crate) learner: &'static str,
    pub(crate) search: &'a Search,
    pub(crate) constraints: &'a ArcConstraints,
    pub(crate) progress: &'a dyn Progress,
}

impl Task<'_> {
    /// The best augmented naive Bayes whose features are `features`, ascending; the others stand alone.
    pub(crate) fn augmented(&self, rows: &Dataset, features: &[usize]) -> Result<Optimum> {
        let (parents, optima) = self.run(rows, features, ClassRole::Parent)?;
        let mut families = vec![Family::default(); rows.features().len()];
        for (&feature, parents) in features.iter().zip(parents) {
            families[feature] = Family { parents, class: true };
        }
        Ok(Optimum { structure: Structure::new(families, Vec::new())?, optima })
    }

    /// The best network over the class and all features.
    pub(crate) fn general(&self, rows: &Dataset) -> Result<Optimum> {
        let class = rows.features().len();
        let features: Vec<usize> = (0..class).collect();
        let (mut parents, optima) = self.run(rows, &features, ClassRole::Variable)?;
        let class_parents = parents.pop().unwrap_or_default();
        let family = |mut parents: Vec<usize>| {
            let with_class = parents.contains(&class);
            parents.retain(|&parent| parent != class);
            Family { parents, class: with_class }
        };
        let families = parents.into_iter().map(family).collect();
        Ok(Optimum { structure: Structure::new(families, class_parents)?, optima })
    }

    /// The parents of each node, by the numbers of the features, and the number of optima.
    fn run(
        &self,
        rows: &Dataset,
        features: &[usize],
        class: ClassRole,
    ) -> Result<(Vec<Vec<usize>>, Option<u64>)> {
        todo!()
    }
}
