//! Parent sets as bit masks: which are permitted, and their places in a node's table.

use crate::{ArcConstraints, Error, Result};

/// The parent sets that a limit and constraints permit.
pub(super) struct Legal {
    /// The nodes that must be parents of each node.
    pub(super) required: Vec<u32>,
    /// The nodes that may be parents of each node.
    pub(super) allowed: Vec<u32>,
    pub(super) max_parents: usize,
}

impl Legal {
    pub(super) fn new(nodes: usize, limit: Option<usize>, constraints: &ArcConstraints) -> Result<Self> {
        let max_parents = limit.unwrap_or(nodes).min(nodes);
        let mask = |keep: &dyn Fn(&usize) -> bool| {
            (0..nodes).filter(|parent| keep(parent)).fold(0, |mask, parent| mask | 1_u32 << parent)
        };
        let required: Vec<u32> =
            (0..nodes).map(|child| mask(&|&parent| constraints.requires(parent, child))).collect();
        let allowed = (0..nodes)
            .map(|child| mask(&|&parent| parent != child && constraints.allows(parent, child)))
            .collect();
        for (child, required) in required.iter().map(|required| required.count_ones() as usize).enumerate() {
            if required > max_parents {
                return Err(Error::ManyRequiredParents { child, required, limit: max_parents });
            }
        }
        Ok(Self { required, allowed, max_parents })
    }

    #[inline]
    pub(super) fn permits(&self, node: usize, parents: u32) -> bool {
        parents & !self.allowed[node] == 0
            && self.required[node] & !parents == 0
            && (self.max_parents + 1 >= self.allowed.len()
                || parents.count_ones() as usize <= self.max_parents)
    }
}

/// The place of a parent set in the table of a node: its mask without the node's own bit.
pub(super) fn place(node: usize, parents: u32) -> usize {
    let (parents, below) = (parents as usize, (1_usize << node) - 1);
    parents & below | (parents >> 1) & !below
}

/// The parent set at a place in the table of a node.
#[inline]
pub(super) fn parents_at(node: usize, place: usize) -> u32 {
    let below = (1_usize << node) - 1;
    (place & below | (place & !below) << 1) as u32
}

/// The nodes of a mask, ascending.
pub(super) fn members(mut mask: usize) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lowest = mask.trailing_zeros() as usize;
        (mask != 0).then(|| {
            mask &= mask - 1;
            lowest
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_leave_out_the_node() {
        assert_eq!(parents_at(2, 0b1101), 0b11001);
        for node in 0..5 {
            for index in 0..16 {
                let parents = parents_at(node, index);
                assert_eq!(parents >> node & 1, 0);
                assert_eq!(place(node, parents), index);
            }
        }
        assert_eq!(parents_at(31, (1 << 31) - 1), u32::MAX >> 1);
        assert_eq!(members(0b1010_0001).collect::<Vec<_>>(), [0, 5, 7]);
    }

    #[test]
    fn limit_and_constraints_permit_together() {
        let constraints = ArcConstraints::new(4, &[(0, 3)], &[(1, 3)], &[]).unwrap();
        let permitted = |limit| {
            let legal = Legal::new(4, limit, &constraints).unwrap();
            (0..8).filter(|&parents| legal.permits(3, parents)).collect::<Vec<_>>()
        };
        assert_eq!(permitted(None), [0b001, 0b101]);
        assert_eq!(permitted(Some(1)), [0b001]);
        let error = Error::ManyRequiredParents { child: 3, required: 1, limit: 0 };
        assert_eq!(Legal::new(4, Some(0), &constraints).err(), Some(error));
    }
}
