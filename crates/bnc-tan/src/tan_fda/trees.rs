//! Trees over some of the features.

use std::collections::HashMap;
use std::sync::{Arc, RwLock};

use bnc_models::bnc_structure::{SortedEdges, Structure};

/// The features of all trees that are kept together, to bound their memory.
const KEPT_FEATURES: usize = 1 << 18;

/// The maximum spanning tree of any set of features. Rows share few sets, so that a tree is kept once it was built;
/// what is kept changes no result.
#[derive(Debug)]
pub(super) struct Trees {
    edges: SortedEdges,
    whole: Arc<Structure>,
    kept: RwLock<HashMap<Vec<bool>, Arc<Structure>>>,
}

impl Trees {
    pub(super) fn new(features: usize, weights: &[f64]) -> Self {
        let edges = SortedEdges::new(features, weights, None);
        let whole = Arc::new(edges.maximum_spanning_forest(|_| true));
        Self { edges, whole, kept: RwLock::default() }
    }

    /// The tree of all features.
    pub(super) fn whole(&self) -> &Structure {
        &self.whole
    }

    /// The tree of the features that are marked.
    pub(super) fn of(&self, marked: &[bool]) -> Arc<Structure> {
        if marked.iter().all(|&marked| marked) {
            return Arc::clone(&self.whole);
        }
        // Were a thread to fail with the lock held, trees would still be built, and not kept.
        if let Ok(kept) = self.kept.read()
            && let Some(tree) = kept.get(marked)
        {
            return Arc::clone(tree);
        }
        let tree = Arc::new(self.edges.maximum_spanning_forest(|feature| marked[feature]));
        if let Ok(mut kept) = self.kept.write()
            && (kept.len() + 1) * marked.len() <= KEPT_FEATURES
        {
            kept.insert(marked.to_vec(), Arc::clone(&tree));
        }
        tree
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kept_or_not_a_tree_is_that_of_its_features() {
        let features = 15;
        let weights: Vec<f64> = (0..105).map(|pair| f64::from(pair * 37 % 105)).collect();
        let trees = Trees::new(features, &weights);
        assert!(KEPT_FEATURES < features << features, "there are more sets than places");
        for _ in 0..2 {
            for set in 0_u32..1 << features {
                let marked: Vec<bool> = (0..features).map(|feature| set >> feature & 1 == 1).collect();
                let expected = trees.edges.maximum_spanning_forest(|feature| marked[feature]);
                assert_eq!(*trees.of(&marked), expected);
            }
        }
    }
}
