//! The fitted ensemble of pairs of super-parents.

use std::ops::Range;
use std::sync::Arc;

use bnc_models::bnc_data::{Code, Dataset, MISSING, Schema};
use bnc_models::bnc_stats::PairCounts;
use bnc_models::bnc_structure::Structure;
use bnc_models::{Classifier, Member, Result, Saved, check_row};
use rayon::prelude::*;

use crate::a2de::{A2de, check_size};
use crate::batch::{Estimator, Parent, Sum, posteriors_into};
use crate::conditionals::{Conditionals, Scale};
use crate::ensemble::{Ensemble, Scores, starts, sum_of_joints};
use crate::tables::{Tables, marginal};
use crate::tiles::MARGIN;
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
    parents: [Parent; 2],
    /// `ln P(y, x_i, x_j)`, as [`Estimator::starts`] has them.
    starts: Vec<f64>,
    /// `ln P(child | y, x_i, x_j)`, as [`Estimator::children`] has them.
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

    fn estimator<'a>(&self, pair: &'a SuperParents) -> Estimator<'a> {
        Estimator {
            parents: &pair.parents,
            starts: &pair.starts,
            children: &pair.children,
            width: self.aode.tables().width(pair.features()),
        }
    }

    /// The posterior from the sum of P(y, x) over the qualified pairs; whether there was any that does not rule out every class.
    fn sum(&self, row: &[Code], out: &mut [f64]) -> bool {
        let classes = out.len();
        let tables = self.aode.tables();
        let cells = tables.cells(row);
        let mut scores = Scores::with_capacity(self.pairs.len() * classes);
        for pair in &self.pairs {
            let [a, b] = pair.features().map(|feature| row[feature]);
            if a != MISSING && b != MISSING {
                let configuration = usize::from(a) * pair.parents[1].values + usize::from(b);
                let sizes = pair.features().map(|feature| tables.with_size(feature));
                self.estimator(pair).append(configuration, sizes, &cells, classes, &mut scores);
            }
        }
        sum_of_joints(&mut scores, classes, out)
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
        let mut children = vec![0.0; (of_i + of_j) * classes];
        children.reserve_exact(of_i * of_j * tables.width([i, j]) + MARGIN);
        for (a, b) in configurations() {
            for (child, marginal) in &others {
                let runs = (0..marginal.len()).map(|code| triples.run([(i, a), (j, b), (*child, code)]));
                conditionals.extend(&mut children, runs, marginal, q);
            }
        }
        children.extend([0.0; MARGIN]);
        let joint: Vec<f64> = smoothing.prior(&cells).into_iter().map(f64::ln).collect();
        let seen = |pair: usize| cells[pair * classes..(pair + 1) * classes].iter().sum::<u64>();
        let weight = |pair| (seen(pair) >= aode.settings.minimum_frequency).then_some(0.0);
        Self {
            parents: [Parent { feature: i, values: of_i }, Parent { feature: j, values: of_j }],
            starts: starts(&joint, classes, weight),
            children,
        }
    }

    fn features(&self) -> [usize; 2] {
        self.parents.map(|parent| parent.feature)
    }
}

impl Sum for TwoDependenceEnsemble {
    fn tables(&self) -> &Tables {
        self.aode.tables()
    }

    fn estimators(&self) -> Vec<Estimator<'_>> {
        self.pairs.iter().map(|pair| self.estimator(pair)).filter(Estimator::takes_part).collect()
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

    fn posteriors_into(&self, data: &Dataset, rows: Range<usize>, out: &mut [f64]) -> Result<()> {
        posteriors_into(self, data, rows, out)
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
        self.pairs.iter().filter_map(|pair| member(pair.features())).collect()
    }

    fn save(&self) -> Result<Saved> {
        self.to_saved()
    }
}
