//! Areas under ROC curves, exact under ties and weights.

use bnc_data::Code;
use ndarray::ArrayRef2;

use crate::confusion::mean;

/// For each ordered pair of classes, how often the first is ranked above the second.
///
/// Everything is counted in whole numbers, so neither ties nor the order of rows can blur a result.
///
/// # Complexity
/// One sort of all rows a class: O(classes · rows · log rows).
pub(crate) struct Ranking {
    /// `twice_won[i][j]`: over pairs of a row of class `i` and a row of class `j`, 2 where the first has the higher
    /// P(i), 1 where both have the same.
    twice_won: Vec<Vec<u128>>,
    /// The case weight of each class.
    weights: Vec<u64>,
}

impl Ranking {
    /// The ranking by posteriors (rows × classes) of rows with the given true classes; each is below the number of
    /// classes.
    pub(crate) fn new(truth: &[Code], posteriors: &ArrayRef2<f64>, weight: impl Fn(usize) -> u64) -> Self {
        let classes = posteriors.ncols();
        let mut weights = vec![0; classes];
        for (row, &class) in truth.iter().enumerate() {
            weights[usize::from(class)] += weight(row);
        }
        let won_by = |class: usize| {
            let scored = truth.iter().enumerate().map(|(row, &other)| Scored {
                score: posteriors[[row, class]],
                class: usize::from(other),
                weight: weight(row),
            });
            sweep(scored.collect(), class, &weights)
        };
        Self { twice_won: (0..classes).map(won_by).collect(), weights }
    }

    /// See [`Metric::Auc`](crate::Metric::Auc).
    pub(crate) fn hand_till(&self) -> Option<f64> {
        let classes = self.weights.len();
        let pairs = (0..classes).flat_map(|first| (first + 1..classes).map(move |second| (first, second)));
        mean(pairs.filter_map(|(first, second)| {
            let (one, other) = (self.area(first, &[second])?, self.area(second, &[first])?);
            Some(f64::midpoint(one, other))
        }))
    }

    /// See [`Metric::AucOvrMacro`](crate::Metric::AucOvrMacro).
    pub(crate) fn one_vs_rest(&self) -> Option<f64> {
        mean(self.against_the_rest().map(|(_, area)| area))
    }

    /// See [`Metric::AucOvrWeighted`](crate::Metric::AucOvrWeighted).
    pub(crate) fn one_vs_rest_weighted(&self) -> Option<f64> {
        let weighted = self.against_the_rest().map(|(weight, area)| (weight, weight * area));
        let (weight, sum) = weighted.fold((0.0, 0.0), |sum, term| (sum.0 + term.0, sum.1 + term.1));
        (weight > 0.0).then(|| sum / weight)
    }

    /// The weight and the area of each class for which it is defined.
    fn against_the_rest(&self) -> impl Iterator<Item = (f64, f64)> {
        let classes = self.weights.len();
        (0..classes).filter_map(move |class| {
            let others: Vec<usize> = (0..classes).filter(|&other| other != class).collect();
            Some((self.weights[class] as f64, self.area(class, &others)?))
        })
    }

    /// The probability that a row of `class` is ranked above a row of one of the others.
    fn area(&self, class: usize, others: &[usize]) -> Option<f64> {
        let twice_won: u128 = others.iter().map(|&other| self.twice_won[class][other]).sum();
        let weight: u128 = others.iter().map(|&other| u128::from(self.weights[other])).sum();
        let pairs = u128::from(self.weights[class]) * weight;
        (pairs > 0).then(|| twice_won as f64 / (2 * pairs) as f64)
    }
}

struct Scored {
    score: f64,
    class: usize,
    weight: u64,
}

/// `Ranking::twice_won` of one class.
fn sweep(mut rows: Vec<Scored>, class: usize, weights: &[u64]) -> Vec<u128> {
    rows.sort_unstable_by(|a, b| a.score.total_cmp(&b.score));
    let mut twice_won = vec![0; weights.len()];
    // The weight of the class in rows that are not below the current ones.
    let mut remaining = u128::from(weights[class]);
    // `==` so that −0 and 0 are tied.
    #[expect(clippy::float_cmp, reason = "ties are equal scores, not close ones")]
    let tied = |a: &Scored, b: &Scored| a.score == b.score;
    for group in rows.chunk_by(tied) {
        let its: u64 = group.iter().filter(|row| row.class == class).map(|row| row.weight).sum();
        remaining -= u128::from(its);
        for row in group.iter().filter(|row| row.class != class) {
            twice_won[row.class] += u128::from(row.weight) * (2 * remaining + u128::from(its));
        }
    }
    twice_won
}
