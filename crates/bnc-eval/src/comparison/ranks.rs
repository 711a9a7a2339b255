//! Ranks.

/// The ranks of some values.
pub(super) struct Ranks {
    /// The rank of each value, 1 for the lowest; equal values share the mean of their ranks.
    pub(super) of: Vec<f64>,
    /// Σ t³ − t over the groups of t equal values; 0 without ties.
    pub(super) ties: f64,
}

/// Ranks values, none of which is NaN.
pub(super) fn ranks(values: &[f64]) -> Ranks {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = Ranks { of: vec![0.0; values.len()], ties: 0.0 };
    let mut below = 0;
    // `==` so that −0 and 0 are tied.
    #[expect(clippy::float_cmp, reason = "ties are equal values, not close ones")]
    for group in order.chunk_by(|&a, &b| values[a] == values[b]) {
        let size = group.len() as f64;
        let rank = below as f64 + f64::midpoint(1.0, size);
        for &index in group {
            ranks.of[index] = rank;
        }
        ranks.ties += size.powi(3) - size;
        below += group.len();
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_share_their_ranks() {
        let ranks = ranks(&[0.5, f64::INFINITY, -0.0, 0.5, 0.0, 0.5, -1.0]);
        assert_eq!((&ranks.of[..], ranks.ties), (&[5.0, 7.0, 2.5, 5.0, 2.5, 5.0, 1.0][..], 24.0 + 6.0));
    }
}
