//! The recursion over sub-structures.

use bnc_models::Result;
use bnc_models::bnc_data::{Code, Dataset, Progress};
use bnc_models::bnc_stats::LocalScore;

use super::graph::{Graph, set_of};
use super::orient::{Separators, extend, orient};
use super::thin::Tests;

/// The feature parents of each feature.
pub(super) fn parents(
    rows: &Dataset,
    score: LocalScore,
    max_order: Option<usize>,
    progress: &dyn Progress,
) -> Result<Vec<Vec<usize>>> {
    let features = rows.schema().features().len();
    let nodes: Vec<usize> = (0..features).filter(|&feature| varies(rows, feature)).collect();
    let mut search = Search {
        graph: Graph::complete(features, &nodes),
        separators: Separators::default(),
        tests: Tests { rows, score, progress, scored: 0 },
        max_order: max_order.unwrap_or(features),
    };
    search.refine(&nodes, 0)?;
    Ok(extend(search.graph))
}

/// Whether a feature has two values within some class.
fn varies(rows: &Dataset, feature: usize) -> bool {
    let mut first: Vec<Option<Code>> = vec![None; rows.schema().classes()];
    let mut cells = rows.features()[feature].iter().zip(rows.class());
    cells.any(|(code, &class)| first[usize::from(class)].get_or_insert(*code) != code)
}

struct Search<'a> {
    graph: Graph,
    separators: Separators,
    tests: Tests<'a>,
    max_order: usize,
}

impl Search<'_> {
    /// Refines a sub-structure by tests of this order and higher ones. What is outside is known by the arcs that enter.
    fn refine(&mut self, nodes: &[usize], order: usize) -> Result<()> {
        let is_done = |&node: &usize| self.graph.potential_parents(node).len() <= order;
        if order > self.max_order || nodes.iter().all(is_done) {
            return Ok(());
        }
        let inside = set_of(self.graph.count(), nodes);
        for within in [false, true] {
            for &node in nodes {
                let mut candidates = self.graph.potential_parents(node);
                // Given nothing, both ends of a link answer alike: one of them is asked.
                candidates.retain(|&other| inside[other] == within && (order > 0 || other > node));
                self.tests.thin(&mut self.graph, &mut self.separators, (node, &candidates), order)?;
            }
            orient(&mut self.graph, &self.separators, nodes);
        }
        let (descendants, ancestors) = self.graph.split(nodes);
        for part in ancestors {
            self.refine(&part, order + 1)?;
        }
        self.refine(&descendants, order + 1)
    }
}
