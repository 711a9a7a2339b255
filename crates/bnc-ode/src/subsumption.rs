//! Subsumption resolution (Zheng and Webb 2006).

use bnc_models::bnc_data::{Code, MISSING};
use bnc_models::bnc_stats::PairCounts;

/// Which values follow from which: `x_i` generalises `x_j` when `F(x_j) = F(x_i, x_j)`. Of two values that generalise each
/// other the one of the higher feature follows.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Implications {
    /// For each feature its first value among the values of all features.
    values: Vec<usize>,
    /// For each value where its own are in `implied`, and a last one past the end.
    starts: Vec<usize>,
    /// Features with a value that follows.
    implied: Vec<(usize, Code)>,
}

impl Implications {
    /// Of the values that were seen `least` times (and at all).
    pub(crate) fn new(counts: &PairCounts, least: u64) -> Self {
        let (mut values, mut starts, mut implied) = (Vec::new(), vec![0], Vec::new());
        for j in 0..counts.features() {
            values.push(starts.len() - 1);
            for value in 0..counts.cardinality(j) {
                let seen = counts.frequency(j, value as Code);
                if seen >= least.max(1) {
                    for i in (0..counts.features()).filter(|&i| i != j) {
                        implied.extend(followers(counts, (j, value, seen), i).map(|code| (i, code)));
                    }
                }
                starts.push(implied.len());
            }
        }
        Self { values, starts, implied }
    }

    /// The features of a row whose values follow from another one of it; a feature can come more than once.
    pub(crate) fn implied<'a>(&'a self, row: &'a [Code]) -> impl Iterator<Item = usize> + 'a {
        let known = row.iter().zip(&self.values).filter(|(code, _)| **code != MISSING);
        known.flat_map(move |(&code, first)| {
            let value = first + usize::from(code);
            let implied = &self.implied[self.starts[value]..self.starts[value + 1]];
            implied.iter().filter(|(feature, code)| row[*feature] == *code).map(|(feature, _)| *feature)
        })
    }

    /// The row with those values made missing.
    pub(crate) fn without_implied(&self, row: &[Code]) -> Vec<Code> {
        let mut left = row.to_vec();
        self.implied(row).for_each(|feature| left[feature] = MISSING);
        left
    }
}

/// The values of a feature that follow from a value of another one, seen so often.
fn followers(
    counts: &PairCounts,
    (j, value, seen): (usize, usize, u64),
    i: usize,
) -> impl Iterator<Item = Code> {
    let pair = counts.pair(i, j);
    (0..counts.cardinality(i))
        .filter(move |&general| pair.run(general, value).iter().sum::<u64>() == seen)
        .map(|code| code as Code)
        .filter(move |&general| {
            let frequency = counts.frequency(i, general);
            seen < frequency || seen == frequency && j < i
        })
}
