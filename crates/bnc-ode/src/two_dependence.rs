//! The fitted ensemble of pairs of super-parents.

use std::sync::Arc;

use bnc_models::bnc_data::{Code, MISSING, Schema};
use bnc_models::bnc_stats::PairCounts;
use bnc_models::bnc_structure::Structure;
use bnc_models::{Classifier, Member, Result, Saved, check_row};
use rayon::prelude::*;

use crate::a2de::{A2de, check_size};
use crate::conditionals::{Conditionals, Scale};
use crate::ensemble::{Ensemble, Scores, sum_of_joints};
use crate::tables::marginal;
use crate::triples::TripleCounts;

/// A fitted [`A2de`]: for each pair of values of each pair of super-parents the log probabilities of all other features' values
/// by class, and AODE for the rows of which no pair of values was seen often enough.
#[derive(Debug, Clone, PartialEq)]
pub struct TwoDependenceEnsemble {
    pub(crate) triples: TripleCounts,
    pub(crate) aode: Ensemble,
    pairs: Vec<SuperParents>,
}

/// The tables of a pair of super-parents.
#[derive(Debug, Clone, PartialEq)]
struct SuperParents {
    features: [usize; 2],
    /// How often each pair of values was seen.
    frequencies: Vec<u64>,
    /// `ln P(y, x_i, x_j)`, pairs of values × classes.
    joint: Vec<f64>,
    /// `ln P(child | y, x_i, x_j)`.
    children: Vec<f64>,
}

impl TwoDependenceEnsemble {
    pub(crate) fn new(
        schema: Arc<Schema>,
        learner: A2de,
        counts: PairCounts,
        triples: TripleCounts,
    ) -> Result<Self> {
        check_size(&schema)?;
        let features = schema.features().len();
        let aode = Ensemble::new(schema, learner.aode().settings(), counts)?;
        let all: Vec<[usize; 2]> =
            (0..features).flat_map(|i| (i + 1..features).map(move |j| [i, j])).collect();
        let pairs = all.into_par_iter().map(|pair| SuperParents::new(&aode, &triples, pair)).collect();
        Ok(Self { triples, aode, pairs })
    }

    /// The posterior from the sum of P(y, x) over the qualified pairs; whether there was any that does not rule out every class.
    fn sum(&self, row: &[Code], out: &mut [f64]) -> bool {
        let classes = out.len();
        let tables = self.aode.tables();
        let least = self.aode.settings.minimum_frequency;
        let cells = tables.cells(row);
        let mut scores = Scores::with_capacity(self.pairs.len() * classes);
        for pair in &self.pairs {
            let [a, b] = pair.features.map(|feature| row[feature]);
            if a == MISSING || b == MISSING {
                continue;
            }
            let value = usize::from(a) * tables.cardinality(pair.features[1]) + usize::from(b);
            if pair.frequencies[value] < least {
                continue;
            }
            let first = scores.len();
            scores.extend_from_slice(&pair.joint[value * classes..(value + 1) * classes]);
            let width = tables.width(pair.features);
            let block = &pair.children[value * width..(value + 1) * width];
            cells.add(block, pair.features.map(|feature| tables.with_size(feature)), &mut scores[first..]);
        }
        sum_of_joints(&scores, out)
    }
}

impl SuperParents {
    fn new(aode: &Ensemble, triples: &TripleCounts, [i, j]: [usize; 2]) -> Self {
        let (tables, counts, smoothing) = (aode.tables(), &aode.counts, aode.settings.smoothing);
        let classes = tables.classes();
        let (of_i, of_j) = (tables.cardinality(i), tables.cardinality(j));
        let pair = counts.pair(i, j);
        let configurations = || (0..of_i).flat_map(|a| (0..of_j).map(move |b| (a, b)));
        let cells: Vec<u64> = configurations().flat_map(|(a, b)| pair.run(a, b).iter().copied()).collect();
        let q = (of_i * of_j * classes) as f64;
        let others: Vec<(usize, Vec<f64>)> = (0..tables.features())
            .filter(|&child| child != i && child != j)
            .map(|child| (child, marginal(counts.single(child), classes)))
            .collect();
        let mut conditionals = Conditionals::new(smoothing, Scale::Logarithm, classes);
        let mut children = Vec::with_capacity(of_i * of_j * tables.width([i, j]));
        for (a, b) in configurations() {
            for (child, marginal) in &others {
                let runs = (0..marginal.len()).map(|code| triples.run([(i, a), (j, b), (*child, code)]));
                conditionals.extend(&mut children, runs, marginal, q);
            }
        }
        Self {
            features: [i, j],
            frequencies: cells.chunks_exact(classes).map(|run| run.iter().sum()).collect(),
            joint: smoothing.prior(&cells).into_iter().map(f64::ln).collect(),
            children,
        }
    }
}

impl Classifier for TwoDependenceEnsemble {
    fn schema(&self) -> &Arc<Schema> {
        self.aode.schema()
    }

    fn posterior_into(&self, row: &[Code], out: &mut [f64]) -> Result<()> {
        check_row(self.schema(), row)?;
        if !self.sum(row, out) {
            self.aode.posterior(row, out);
        }
        Ok(())
    }

    /// One a pair of super-parents, of which the lower is a parent of the other; those of AODE where there is no pair.
    fn members(&self) -> Vec<Member> {
        if self.pairs.is_empty() {
            return self.aode.members();
        }
        let features = self.schema().features().len();
        let structure = |[i, j]: [usize; 2]| {
            let parents = (0..features).map(|child| match child {
                _ if child == i => Vec::new(),
                _ if child == j => vec![i],
                _ => vec![i, j],
            });
            Structure::augmented(parents.collect()).ok()
        };
        let member = |features: [usize; 2]| {
            let structure = structure(features)?;
            Some(Member { super_parents: features.to_vec(), ..Member::from(structure) })
        };
        self.pairs.iter().filter_map(|pair| member(pair.features)).collect()
    }

    fn save(&self) -> Result<Saved> {
        self.to_saved()
    }
}
