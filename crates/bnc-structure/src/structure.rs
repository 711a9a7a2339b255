//! A directed acyclic graph over the class and the features.

use crate::{Error, Result, topology};

/// The parents of a feature.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Family {
    /// The feature parents; their order is that of the axes of the feature's table.
    pub parents: Vec<usize>,
    /// Whether the class is a parent, too.
    pub class: bool,
}

/// A directed acyclic graph over the class and features numbered from 0. The class may have parents, and a feature need
/// not have the class as a parent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Structure {
    features: Vec<Family>,
    class_parents: Vec<usize>,
    order: Vec<usize>,
}

impl Structure {
    /// A graph from the family of each feature and the feature parents of the class.
    ///
    /// # Errors
    /// [`Error::NoSuchParent`], [`Error::RepeatedParent`], and [`Error::Cycle`] when the arcs form a cycle.
    pub fn new(features: Vec<Family>, class_parents: Vec<usize>) -> Result<Self> {
        let count = features.len();
        let child = |node: usize| {
            if node == count { "the class".to_string() } else { format!("feature {node}") }
        };
        let lists = features.iter().map(|family| &family.parents).chain([&class_parents]);
        for (node, parents) in lists.enumerate() {
            let mut sorted = parents.clone();
            sorted.sort_unstable();
            if let Some(&parent) = sorted.last().filter(|&&parent| parent >= count) {
                return Err(Error::NoSuchParent { child: child(node), parent, features: count });
            }
            if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
                return Err(Error::RepeatedParent { child: child(node), parent: pair[0] });
            }
        }
        let order = topological_order(&features, &class_parents)?;
        Ok(Self { features, class_parents, order })
    }

    /// Naive Bayes: the class is the only parent of every feature.
    #[must_use]
    pub fn naive(features: usize) -> Self {
        Self {
            features: vec![Family { parents: Vec::new(), class: true }; features],
            class_parents: Vec::new(),
            order: (0..features).collect(),
        }
    }

    /// An augmented naive Bayes: the class is a parent of every feature, which has the given feature parents as well.
    ///
    /// # Errors
    /// Those of [`Structure::new`].
    ///
    /// # Examples
    /// ```
    /// use bnc_structure::Structure;
    /// let chain = Structure::augmented(vec![vec![], vec![0], vec![1]])?;
    /// assert_eq!(chain.arcs().collect::<Vec<_>>(), [(0, 1), (1, 2)]);
    /// assert!(Structure::augmented(vec![vec![1], vec![0]]).is_err());
    /// # Ok::<(), bnc_structure::Error>(())
    /// ```
    pub fn augmented(parents: Vec<Vec<usize>>) -> Result<Self> {
        Self::new(parents.into_iter().map(|parents| Family { parents, class: true }).collect(), Vec::new())
    }

    /// A graph from the parents of each node: the features, and after them the class, which is the node of that number.
    ///
    /// # Errors
    /// Those of [`Structure::new`].
    ///
    /// # Examples
    /// ```
    /// use bnc_structure::Structure;
    /// // The class, node 2, has feature 0 as parent and feature 1 as child.
    /// let structure = Structure::of_nodes(vec![vec![], vec![0, 2], vec![0]])?;
    /// assert_eq!((structure.class_parents(), structure.features()[1].class), (&[0][..], true));
    /// assert_eq!(structure.features()[1].parents, [0]);
    /// # Ok::<(), bnc_structure::Error>(())
    /// ```
    pub fn of_nodes(mut parents: Vec<Vec<usize>>) -> Result<Self> {
        let class_parents = parents.pop().unwrap_or_default();
        let class = parents.len();
        let family = |mut parents: Vec<usize>| {
            let with_class = parents.contains(&class);
            parents.retain(|&parent| parent != class);
            Family { parents, class: with_class }
        };
        Self::new(parents.into_iter().map(family).collect(), class_parents)
    }

    /// The family of each feature.
    #[must_use]
    pub fn features(&self) -> &[Family] {
        &self.features
    }

    /// The feature parents of the class.
    #[must_use]
    pub fn class_parents(&self) -> &[usize] {
        &self.class_parents
    }

    /// The features so that every parent comes before its children; among the free, lower indices come first.
    #[must_use]
    pub fn order(&self) -> &[usize] {
        &self.order
    }

    /// The arcs between features as (parent, child), by child.
    pub fn arcs(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.features
            .iter()
            .enumerate()
            .flat_map(|(child, family)| family.parents.iter().map(move |&parent| (parent, child)))
    }
}

/// The features in topological order; the class is node `features.len()`.
fn topological_order(features: &[Family], class_parents: &[usize]) -> Result<Vec<usize>> {
    let class = features.len();
    let arcs = features.iter().enumerate().flat_map(|(child, family)| {
        let parents = family.parents.iter().copied().chain(family.class.then_some(class));
        parents.map(move |parent| (parent, child))
    });
    let arcs = arcs.chain(class_parents.iter().map(|&parent| (parent, class)));
    let mut order =
        topology::topological_order(class + 1, arcs).map_err(|feature| Error::Cycle { feature })?;
    order.retain(|&node| node != class);
    Ok(order)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cycle_through_the_class_is_refused() {
        let families =
            vec![Family { parents: vec![], class: true }, Family { parents: vec![0], class: false }];
        assert_eq!(Structure::new(families.clone(), vec![]).unwrap().order(), [0, 1]);
        assert_eq!(Structure::new(families, vec![1]), Err(Error::Cycle { feature: 0 }));
    }

    #[test]
    fn bad_parents_are_named() {
        let error = Structure::augmented(vec![vec![], vec![2]]).unwrap_err();
        assert_eq!(error.to_string(), "feature 1 has parent 2, and there are 2 features");
        let error = Structure::augmented(vec![vec![], vec![0, 0]]).unwrap_err();
        assert_eq!(error.to_string(), "feature 1 lists parent 0 twice");
    }

    #[test]
    fn parents_come_first() {
        let structure = Structure::augmented(vec![vec![2], vec![], vec![3], vec![]]).unwrap();
        assert_eq!(structure.order(), [1, 3, 2, 0]);
    }
}
