//! The two phases of greedy equivalence search.

use std::cmp::Ordering;

use bnc_models::bnc_data::{Error as DataError, Progress};
use bnc_models::{MAX_TABLE_CELLS, Result};

use super::McDagScore;
use super::folds::Folds;
use super::held_out::{HeldOut, Merit};
use super::operators::{Operator, deletions, insertions};
use super::pattern::Pattern;

/// A search over equivalence classes of minimal class-focused graphs.
pub(super) struct Search<'a> {
    folds: &'a Folds,
    score: McDagScore,
    progress: &'a dyn Progress,
    /// Always a class that has a minimal class-focused graph.
    pattern: Pattern,
    /// That graph, as the parents of each node.
    graph: Vec<Vec<usize>>,
    steps: u64,
}

/// The operators of a phase, in the order in which ties are decided.
type Operators = fn(&Pattern, usize) -> Vec<Operator>;

impl<'a> Search<'a> {
    pub(super) fn new(
        folds: &'a Folds,
        score: McDagScore,
        progress: &'a dyn Progress,
        start: Vec<Vec<usize>>,
    ) -> Self {
        Self { folds, score, progress, pattern: Pattern::of_graph(&start), graph: start, steps: 0 }
    }

    /// Insertions, then deletions; the parents of each node of the graph found.
    ///
    /// # Errors
    /// [`DataError::Cancelled`].
    pub(super) fn run(mut self) -> Result<Vec<Vec<usize>>> {
        while self.step(insertions)? {}
        while self.step(deletions)? {}
        Ok(self.graph)
    }

    /// Applies the best operator that betters the graph; whether there was one.
    fn step(&mut self, operators: Operators) -> Result<bool> {
        self.progress.advance(self.steps, None);
        if self.progress.is_cancelled() {
            return Err(DataError::Cancelled.into());
        }
        self.steps += 1;
        let (class, rows) = (self.folds.rows.class(), self.folds.rows.total());
        let held_out = HeldOut::new(self.folds, self.score, &self.graph);
        let current = held_out.current();
        if current.is_perfect(rows) {
            return Ok(false);
        }
        let mut operators = operators(&self.pattern, class);
        operators.retain(|operator| self.fits(operator));
        let mut better: Vec<(Merit, &Operator)> =
            held_out.scores(&operators).into_iter().zip(&operators).collect();
        better.retain(|(merit, _)| merit.exceeds(current, self.score, rows));
        better.sort_by(|(a, _), (b, _)| b.partial_cmp(a).unwrap_or(Ordering::Equal));
        for (_, operator) in better {
            let changed = operator.apply(&self.pattern, class);
            if let Some((graph, pattern)) = changed.and_then(|new| Some((new.class_focused(class)?, new))) {
                (self.graph, self.pattern) = (graph, pattern);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the new table of the child is not too large.
    fn fits(&self, operator: &Operator) -> bool {
        let axes =
            operator.after.iter().chain([&operator.child]).map(|&node| self.folds.rows.cardinalities[node]);
        axes.fold(1, |cells: u128, dim| cells.saturating_mul(dim as u128)) <= MAX_TABLE_CELLS as u128
    }
}
