//! Hill climbing over directed acyclic graphs.

use bnc_models::bnc_data::{Error as DataError, Progress, Schema};
use bnc_models::bnc_structure::ArcConstraints;
use bnc_models::{Constraints, Error, MAX_TABLE_CELLS, Result};

use super::graph::{Graph, Operator};

/// The largest number of ordered pairs of nodes that a climb considers.
pub(crate) const MAX_PAIRS: usize = 1 << 20;

/// What a climb maximises.
pub(crate) trait Objective {
    /// What each operator would change the objective by.
    ///
    /// # Errors
    /// Those of counting.
    fn gains(&mut self, graph: &Graph, operators: &[Operator]) -> Result<Vec<f64>>;
}

/// The most parents of a node.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Limit {
    None,
    /// The class not counted.
    Features(usize),
    /// The class counted.
    All(usize),
}

/// The graphs that a climb may visit.
pub(crate) struct Space {
    constraints: ArcConstraints,
    /// Of the features, then of the class.
    cardinalities: Vec<usize>,
    limit: Limit,
}

impl Space {
    /// # Errors
    /// [`Error::TooLarge`] for too many columns, and [`Error::BadConstraint`], where more arcs are required than the limit
    /// allows as well.
    pub(crate) fn new(schema: &Schema, constraints: &Constraints, limit: Limit) -> Result<Self> {
        let features = schema.features().len();
        check_pairs(features, MAX_PAIRS)?;
        let constraints = constraints.resolve(schema)?;
        let cardinalities = cardinalities(schema);
        let space = Self { constraints, cardinalities, limit };
        let start = space.start();
        for node in 0..=features {
            if !space.within_limit(start.parents(node)) {
                let name = schema.features().get(node).unwrap_or(schema.class()).name();
                let (Limit::Features(most) | Limit::All(most)) = space.limit else { continue };
                return Err(Error::BadConstraint(format!(
                    "more parents of '{name}' are required than the {most} that it may have"
                )));
            }
        }
        Ok(space)
    }

    /// The required arcs and no others.
    fn start(&self) -> Graph {
        Graph::new(self.cardinalities.len(), self.constraints.required())
    }

    fn within_limit(&self, parents: &[usize]) -> bool {
        let class = self.cardinalities.len() - 1;
        match self.limit {
            Limit::None => true,
            Limit::Features(most) => parents.iter().filter(|&&parent| parent != class).count() <= most,
            Limit::All(most) => parents.len() <= most,
        }
    }

    /// The operators that lead to a graph of the space: additions, then deletions, then reversals, each by parent, then by
    /// child; the class is the first parent.
    fn operators(&self, graph: &Graph) -> Vec<Operator> {
        let nodes = graph.nodes();
        let below = graph.descendants();
        let cells = |node: usize| {
            let axes = graph.parents(node).iter().chain([&node]);
            axes.fold(1_u128, |cells, &axis| cells.saturating_mul(self.cardinalities[axis] as u128))
        };
        let cells: Vec<u128> = (0..nodes).map(cells).collect();
        let may_gain = |child: usize, parent: usize| {
            self.constraints.allows(parent, child)
                && cells[child].saturating_mul(self.cardinalities[parent] as u128) <= MAX_TABLE_CELLS as u128
                && (matches!(self.limit, Limit::None) || self.within_limit(&graph.toggled(child, parent)))
        };
        let pairs = || {
            let parents = [nodes - 1].into_iter().chain(0..nodes - 1);
            parents.flat_map(move |parent| (0..nodes).map(move |child| (parent, child)))
        };
        let additions = pairs()
            .filter(|&(parent, child)| {
                parent != child
                    && !graph.has(parent, child)
                    && !below.reaches(child, parent)
                    && may_gain(child, parent)
            })
            .map(|(parent, child)| Operator::Add { parent, child });
        let free = || {
            pairs().filter(|&(parent, child)| {
                graph.has(parent, child) && !self.constraints.requires(parent, child)
            })
        };
        let deletions = free().map(|(parent, child)| Operator::Delete { parent, child });
        let reversals = free()
            .filter(|&(parent, child)| {
                // Another path from parent to child would close a cycle.
                let detour = graph.parents(child).iter().any(|&other| below.reaches(parent, other));
                !detour && may_gain(parent, child)
            })
            .map(|(parent, child)| Operator::Reverse { parent, child });
        additions.chain(deletions).chain(reversals).collect()
    }
}

/// The number of values of each feature, then of the class.
pub(crate) fn cardinalities(schema: &Schema) -> Vec<usize> {
    (0..schema.features().len())
        .map(|feature| schema.cardinality(feature))
        .chain([schema.classes()])
        .collect()
}

/// Refuses more columns than a search over all pairs can take.
pub(crate) fn check_pairs(features: usize, limit: usize) -> Result<()> {
    let pairs = features.saturating_mul(features + 1);
    if pairs <= limit {
        return Ok(());
    }
    Err(Error::TooLarge {
        what: format!("the search over the arcs between {features} features and the class"),
        cells: pairs as u64,
        limit,
        way_out: "drop columns, or choose tan, kdb or nb".into(),
    })
}

/// Climbs from the required arcs: the operator of largest gain is applied until none gains. Of gains that differ by no more
/// than the tolerance the first in the order of [`Space::operators`] counts as the largest.
///
/// # Errors
/// Those of the objective, and [`DataError::Cancelled`].
pub(crate) fn climb(
    space: &Space,
    objective: &mut dyn Objective,
    rows: u64,
    progress: &dyn Progress,
) -> Result<Graph> {
    let tolerance = tolerance(rows);
    let mut graph = space.start();
    for step in 0.. {
        progress.advance(step, None);
        if progress.is_cancelled() {
            return Err(DataError::Cancelled.into());
        }
        let operators = space.operators(&graph);
        let gains = objective.gains(&graph, &operators)?;
        let mut best = (0.0, None);
        for (&operator, &gain) in operators.iter().zip(&gains) {
            if gain > best.0 + tolerance {
                best = (gain, Some(operator));
            }
        }
        let (_, Some(operator)) = best else { break };
        graph.apply(operator);
    }
    Ok(graph)
}

/// What a gain must exceed, so that rounding cannot lead in a circle: objectives are sums over rows.
fn tolerance(rows: u64) -> f64 {
    (1e-12 * rows as f64).max(1e-9)
}
