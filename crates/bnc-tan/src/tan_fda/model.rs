//! The fitted model.

use std::sync::Arc;

use bnc_models::bnc_data::{Code, MISSING, Schema};
use bnc_models::bnc_stats::PairCounts;
use bnc_models::bnc_structure::Structure;
use bnc_models::{Classifier, Member, Result, Saved, check_row, normalize};

use super::TanFda;
use super::logs::{Logs, pair, single};
use super::trees::Trees;

/// A fitted [`TanFda`].
///
/// A factor whose probability is 0 under every class (possible without smoothing only) says nothing about the class and is
/// left out; when the others rule out every class, the posterior is the class distribution.
#[derive(Debug)]
pub struct TanFdaModel {
    schema: Arc<Schema>,
    pub(super) learner: TanFda,
    pub(super) counts: PairCounts,
    /// I(Xi; Xj | Y) of each pair.
    pub(super) weights: Vec<f64>,
    trees: Trees,
    /// ln P(y).
    prior: Vec<f64>,
    logs: Logs,
    /// For each value of each feature the values that it removes.
    removes: Vec<Vec<Vec<(usize, Code)>>>,
}

impl TanFdaModel {
    pub(super) fn new(schema: Arc<Schema>, learner: TanFda, counts: PairCounts, weights: Vec<f64>) -> Self {
        Self {
            trees: Trees::new(schema.features().len(), &weights),
            schema,
            learner,
            prior: learner.smoothing.prior(counts.class()).into_iter().map(f64::ln).collect(),
            logs: Logs::new(&counts, learner.smoothing),
            removes: generalisations(&counts, learner.minimum_frequency),
            counts,
            weights,
        }
    }

    /// The features that the tree of a row is built on: those whose values are known and not implied by another value.
    ///
    /// # Errors
    /// Those of [`check_row`].
    pub fn remaining(&self, row: &[Code]) -> Result<Vec<usize>> {
        check_row(&self.schema, row)?;
        let kept = self.kept(row);
        Ok((0..row.len()).filter(|&feature| kept[feature]).collect())
    }

    /// The tree of a row; features outside of it have no arcs.
    ///
    /// # Errors
    /// Those of [`check_row`].
    pub fn tree(&self, row: &[Code]) -> Result<Structure> {
        check_row(&self.schema, row)?;
        Ok(Structure::clone(&self.trees.of(&self.kept(row))))
    }

    fn kept(&self, row: &[Code]) -> Vec<bool> {
        let mut kept: Vec<bool> = row.iter().map(|&code| code != MISSING).collect();
        for (&code, removes) in row.iter().zip(&self.removes).filter(|(code, _)| **code != MISSING) {
            for &(other, implied) in &removes[usize::from(code)] {
                kept[other] &= row[other] != implied;
            }
        }
        kept
    }

    /// ln P(x | its parent's value, y) by class.
    fn run(&self, row: &[Code], child: usize, parent: Option<&usize>) -> &[f64] {
        let of = |feature: usize| (feature, row[feature]);
        match parent {
            None => &self.logs.roots[single(&self.counts, child, row[child])],
            Some(&parent) if child < parent => &self.logs.of_lower[pair(&self.counts, of(child), of(parent))],
            Some(&parent) => &self.logs.of_higher[pair(&self.counts, of(parent), of(child))],
        }
    }
}

impl Classifier for TanFdaModel {
    fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    fn posterior_into(&self, row: &[Code], out: &mut [f64]) -> Result<()> {
        check_row(&self.schema, row)?;
        let kept = self.kept(row);
        let tree = self.trees.of(&kept);
        for skip_impossible in [false, true] {
            out.copy_from_slice(&self.prior);
            for child in (0..row.len()).filter(|&feature| kept[feature]) {
                let run = self.run(row, child, tree.features()[child].parents.first());
                if skip_impossible && run.iter().all(|&log| log == f64::NEG_INFINITY) {
                    continue;
                }
                out.iter_mut().zip(run).for_each(|(score, log)| *score += log);
            }
            if normalize(out) {
                return Ok(());
            }
        }
        out.copy_from_slice(&self.prior);
        normalize(out);
        Ok(())
    }

    /// The tree of a row in which no value is missing or implied.
    fn members(&self) -> Vec<Member> {
        vec![self.trees.whole().clone().into()]
    }

    fn save(&self) -> Result<Saved> {
        self.to_saved()
    }
}

/// For each value of each feature the values that it removes: those that it implies, but of two that imply each other only
/// the lower feature's removes the other.
fn generalisations(counts: &PairCounts, minimum_frequency: u64) -> Vec<Vec<Vec<(usize, Code)>>> {
    let features = counts.features();
    // The values of a feature that can imply others, with their frequencies; 0 for those that cannot.
    let enough = |feature: usize| -> Vec<u64> {
        (0..counts.cardinality(feature))
            .map(|code| counts.frequency(feature, code as Code))
            .map(|frequency| if frequency >= minimum_frequency { frequency } else { 0 })
            .collect()
    };
    let frequencies: Vec<Vec<u64>> = (0..features).map(enough).collect();
    let mut removes: Vec<Vec<Vec<(usize, Code)>>> =
        frequencies.iter().map(|values| vec![Vec::new(); values.len()]).collect();
    for i in 0..features {
        for j in i + 1..features {
            let both = counts.pair(i, j);
            for (of_i, &alone_i) in frequencies[i].iter().enumerate() {
                for (of_j, &alone_j) in frequencies[j].iter().enumerate() {
                    let (lower, higher) = ((i, of_i as Code), (j, of_j as Code));
                    let together: u64 = both.run(of_i, of_j).iter().sum();
                    if together > 0 && together == alone_i {
                        removes[i][of_i].push(higher);
                    } else if together > 0 && together == alone_j {
                        removes[j][of_j].push(lower);
                    }
                }
            }
        }
    }
    removes
}
