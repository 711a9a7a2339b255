//! Scores that are sums over families.

use bnc_models::Result;
use bnc_models::bnc_data::Dataset;
use bnc_models::bnc_stats::{Child, Counter, LocalScore, Vars};
use rayon::prelude::*;

use super::climb::{Objective, cardinalities};
use super::graph::{Graph, Operator};

/// The cells of the tables that are counted in one pass.
const BATCH_CELLS: usize = 1 << 22;

/// A local score of every family that the climb may come to next; what does not change is kept.
pub(crate) struct Decomposable<'a> {
    rows: &'a Dataset,
    total: u64,
    score: LocalScore,
    cardinalities: Vec<usize>,
    /// The parents of each node for which the scores below hold.
    parents: Vec<Option<Vec<usize>>>,
    current: Vec<f64>,
    /// By child, then by the node that joins its parents or leaves them; NaN where not known.
    toggled: Vec<f64>,
}

/// A family to be scored, and where the score belongs.
struct Asked {
    child: usize,
    /// The node that joins the parents or leaves them.
    other: Option<usize>,
    parents: Vec<usize>,
}

impl<'a> Decomposable<'a> {
    /// Scores on complete rows, of which there are `total`.
    pub(crate) fn new(rows: &'a Dataset, total: u64, score: LocalScore) -> Self {
        let cardinalities = cardinalities(rows.schema());
        let nodes = cardinalities.len();
        Self {
            rows,
            total,
            score,
            cardinalities,
            parents: vec![None; nodes],
            current: vec![f64::NAN; nodes],
            toggled: vec![f64::NAN; nodes * nodes],
        }
    }

    /// Forgets what no longer holds, and gathers what is lacking.
    fn lacking(&mut self, graph: &Graph, operators: &[Operator]) -> Vec<Asked> {
        let nodes = graph.nodes();
        let mut asked = Vec::new();
        for child in 0..nodes {
            let parents = graph.parents(child);
            if self.parents[child].as_deref() != Some(parents) {
                self.parents[child] = Some(parents.to_vec());
                self.toggled[child * nodes..(child + 1) * nodes].fill(f64::NAN);
                asked.push(Asked { child, other: None, parents: parents.to_vec() });
            }
        }
        let mut seen = vec![false; nodes * nodes];
        for (child, other) in operators.iter().flat_map(|operator| operator.toggles()) {
            let place = child * nodes + other;
            if self.toggled[place].is_nan() && !std::mem::replace(&mut seen[place], true) {
                asked.push(Asked { child, other: Some(other), parents: graph.toggled(child, other) });
            }
        }
        asked
    }

    fn score_all(&self, asked: &[Asked]) -> Result<Vec<f64>> {
        let class = self.cardinalities.len() - 1;
        let mut scores = Vec::with_capacity(asked.len());
        while scores.len() < asked.len() {
            let mut plan = Vec::new();
            let mut cells = 0_usize;
            for family in &asked[scores.len()..] {
                let axes =
                    family.parents.iter().chain([&family.child]).copied().filter(|&node| node != class);
                let vars = Vars::new(axes);
                let dims = vars.iter().map(|feature| self.cardinalities[feature]);
                let size = dims.fold(self.cardinalities[class], usize::saturating_mul);
                cells = cells.saturating_add(size);
                if !plan.is_empty() && cells > BATCH_CELLS {
                    break;
                }
                plan.push(vars);
            }
            let tables = self.rows.count(&plan)?;
            let batch = &asked[scores.len()..scores.len() + tables.len()];
            let score = |(family, table): (&Asked, _)| {
                let child = if family.child == class { Child::Class } else { Child::Feature(family.child) };
                self.score.of_family(table, child, family.parents.contains(&class), self.total)
            };
            scores.par_extend(batch.par_iter().zip(&tables).map(score));
        }
        Ok(scores)
    }
}

impl Objective for Decomposable<'_> {
    fn gains(&mut self, graph: &Graph, operators: &[Operator]) -> Result<Vec<f64>> {
        let nodes = graph.nodes();
        let asked = self.lacking(graph, operators);
        let scores = self.score_all(&asked)?;
        for (family, score) in asked.iter().zip(scores) {
            match family.other {
                None => self.current[family.child] = score,
                Some(other) => self.toggled[family.child * nodes + other] = score,
            }
        }
        let gain = |(child, other): (usize, usize)| self.toggled[child * nodes + other] - self.current[child];
        Ok(operators.iter().map(|operator| operator.toggles().map(gain).sum()).collect())
    }
}
