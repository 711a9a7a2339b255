//! Arcs that a structure must have and must not have.

use crate::{Error, Result, Structure, topology::topological_order};

/// Arcs that a structure must have and must not have, as (parent, child). Nodes 0 to `features - 1` are the features,
/// node `features` is the class.
///
/// # Examples
/// ```
/// use bnc_structure::{ArcConstraints, Structure};
/// // Feature 0 is a parent of 1, and 2 is never a parent of 1 or of 0.
/// let constraints = ArcConstraints::new(4, &[(0, 1)], &[(2, 1)], &[0, 2])?;
/// assert!(constraints.requires(0, 1) && constraints.allows(1, 2));
/// assert!(!constraints.allows(2, 1) && !constraints.allows(2, 0));
/// assert!(constraints.is_met_by(&Structure::augmented(vec![vec![], vec![0], vec![1]])?));
/// assert!(!constraints.is_met_by(&Structure::naive(3)));
/// # Ok::<(), bnc_structure::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArcConstraints {
    nodes: usize,
    /// Sorted.
    required: Vec<(usize, usize)>,
    /// Sorted; without those that the order forbids.
    forbidden: Vec<(usize, usize)>,
    /// The place of each node in the order, if it is listed.
    places: Vec<Option<usize>>,
}

impl ArcConstraints {
    /// Any arc may be there, none must.
    #[must_use]
    pub fn none(nodes: usize) -> Self {
        Self { nodes, required: Vec::new(), forbidden: Vec::new(), places: vec![None; nodes] }
    }

    /// Arcs (parent, child) that must be there, arcs that must not, and an order of some of the nodes: of two listed
    /// nodes the later is never a parent of the earlier. Repeated arcs count once.
    ///
    /// # Errors
    /// [`Error::NoSuchNode`], [`Error::SelfArc`], [`Error::RepeatedInOrder`], [`Error::RequiredAndForbidden`] (by an arc
    /// or by the order) and [`Error::RequiredCycle`].
    pub fn new(
        nodes: usize,
        required: &[(usize, usize)],
        forbidden: &[(usize, usize)],
        order: &[usize],
    ) -> Result<Self> {
        let mut constraints = Self {
            required: checked_arcs(nodes, required)?,
            forbidden: checked_arcs(nodes, forbidden)?,
            ..Self::none(nodes)
        };
        for (place, &node) in order.iter().enumerate() {
            let slot = constraints.places.get_mut(node).ok_or(Error::NoSuchNode { node, nodes })?;
            if slot.replace(place).is_some() {
                return Err(Error::RepeatedInOrder { node });
            }
        }
        if let Some((parent, child)) =
            constraints.required().find(|&(parent, child)| !constraints.allows(parent, child))
        {
            return Err(Error::RequiredAndForbidden { parent, child });
        }
        topological_order(nodes, constraints.required()).map_err(|node| Error::RequiredCycle { node })?;
        Ok(constraints)
    }

    /// Whether nothing is required nor forbidden.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.required.is_empty()
            && self.forbidden.is_empty()
            && self.places.iter().filter(|place| place.is_some()).count() < 2
    }

    /// Whether the arc is not forbidden. Arcs of other nodes are allowed.
    #[must_use]
    pub fn allows(&self, parent: usize, child: usize) -> bool {
        let place = |node: usize| self.places.get(node).copied().flatten();
        let ordered =
            place(parent).zip(place(child)).is_none_or(|(of_parent, of_child)| of_parent <= of_child);
        ordered && self.forbidden.binary_search(&(parent, child)).is_err()
    }

    /// Whether the arc must be there.
    #[must_use]
    pub fn requires(&self, parent: usize, child: usize) -> bool {
        self.required.binary_search(&(parent, child)).is_ok()
    }

    /// The arcs that must be there as (parent, child), sorted.
    pub fn required(&self) -> impl Iterator<Item = (usize, usize)> {
        self.required.iter().copied()
    }

    /// Whether a structure over as many nodes (its features and the class) has all required arcs and no forbidden one.
    #[must_use]
    pub fn is_met_by(&self, structure: &Structure) -> bool {
        let class = structure.features().len();
        let mut arcs: Vec<(usize, usize)> = structure.arcs().collect();
        arcs.extend(
            (0..class).filter(|&child| structure.features()[child].class).map(|child| (class, child)),
        );
        arcs.extend(structure.class_parents().iter().map(|&parent| (parent, class)));
        arcs.sort_unstable();
        self.nodes == class + 1
            && self.required.iter().all(|arc| arcs.binary_search(arc).is_ok())
            && arcs.iter().all(|&(parent, child)| self.allows(parent, child))
    }
}

/// The arcs sorted and without repetition.
fn checked_arcs(nodes: usize, arcs: &[(usize, usize)]) -> Result<Vec<(usize, usize)>> {
    for &(parent, child) in arcs {
        if let Some(node) = [parent, child].into_iter().find(|&node| node >= nodes) {
            return Err(Error::NoSuchNode { node, nodes });
        }
        if parent == child {
            return Err(Error::SelfArc { node: child });
        }
    }
    let mut arcs = arcs.to_vec();
    arcs.sort_unstable();
    arcs.dedup();
    Ok(arcs)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Family;
    use proptest::prelude::*;

    #[test]
    fn contradictions_are_named() {
        let new = |required: &[_], forbidden: &[_], order: &[_]| {
            ArcConstraints::new(4, required, forbidden, order).unwrap_err()
        };
        assert_eq!(new(&[(0, 4)], &[], &[]), Error::NoSuchNode { node: 4, nodes: 4 });
        assert_eq!(new(&[], &[(5, 0)], &[]), Error::NoSuchNode { node: 5, nodes: 4 });
        assert_eq!(new(&[], &[], &[1, 9]), Error::NoSuchNode { node: 9, nodes: 4 });
        assert_eq!(new(&[(2, 2)], &[], &[]), Error::SelfArc { node: 2 });
        assert_eq!(new(&[], &[(1, 1)], &[]), Error::SelfArc { node: 1 });
        assert_eq!(new(&[], &[], &[1, 0, 1]), Error::RepeatedInOrder { node: 1 });
        let clash = Error::RequiredAndForbidden { parent: 0, child: 1 };
        assert_eq!(new(&[(0, 1)], &[(0, 1)], &[]), clash);
        assert_eq!(new(&[(0, 1)], &[], &[1, 3, 0]), clash);
        assert_eq!(new(&[(3, 1), (1, 2), (2, 3), (3, 0)], &[], &[]), Error::RequiredCycle { node: 1 });
    }

    #[test]
    fn emptiness() {
        let empty = |required: &[_], forbidden: &[_], order: &[_]| {
            ArcConstraints::new(3, required, forbidden, order).unwrap().is_empty()
        };
        assert!(ArcConstraints::none(3).is_empty());
        assert!(empty(&[], &[], &[1]));
        assert!(!empty(&[], &[], &[1, 2]));
        assert!(!empty(&[(0, 1)], &[], &[]));
        assert!(!empty(&[], &[(0, 1)], &[]));
    }

    #[test]
    fn the_class_is_the_last_node() {
        let no_class = || Family { parents: vec![], class: false };
        let general = Structure::new(vec![no_class(), no_class()], vec![0]).unwrap();
        let into_class = ArcConstraints::new(3, &[(0, 2)], &[(2, 1)], &[]).unwrap();
        assert!(into_class.is_met_by(&general));
        assert!(!into_class.is_met_by(&Structure::naive(2)));
        let from_class = ArcConstraints::new(3, &[(2, 0)], &[], &[]).unwrap();
        assert!(!from_class.is_met_by(&general));
        assert!(from_class.is_met_by(&Structure::naive(2)));
        assert!(!from_class.is_met_by(&Structure::naive(3)), "another number of nodes");
    }

    proptest! {
        #[test]
        fn an_order_forbids_every_arc_backwards(
            order in Just((0..5).collect::<Vec<usize>>()).prop_shuffle(),
            listed in 0_usize..6,
            forbidden in prop::collection::vec((0_usize..5, 0_usize..5), 0..6),
        ) {
            let forbidden: Vec<_> = forbidden.into_iter().filter(|(a, b)| a != b).collect();
            let constraints = ArcConstraints::new(5, &[], &forbidden, &order[..listed]).unwrap();
            for parent in 0..5 {
                for child in (0..5).filter(|&child| child != parent) {
                    let place = |node| order[..listed].iter().position(|&other| other == node);
                    let backwards = matches!((place(parent), place(child)), (Some(p), Some(c)) if p > c);
                    let expected = !backwards && !forbidden.contains(&(parent, child));
                    prop_assert_eq!(constraints.allows(parent, child), expected);
                    prop_assert_eq!(
                        ArcConstraints::new(5, &[(parent, child)], &forbidden, &order[..listed]).is_ok(),
                        expected
                    );
                }
            }
        }
    }
}
