//! Which tables to count.

use smallvec::SmallVec;

/// The features of a contingency table, ascending and without repetition. The class is always one more axis.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Vars(SmallVec<[u32; 4]>);

impl Clone for Vars {
    // The derived one goes number by number, and every table has its own.
    fn clone(&self) -> Self {
        Self(SmallVec::from_slice(&self.0))
    }
}

impl Vars {
    /// The table over these features, in any order; repetitions count once.
    ///
    /// # Examples
    /// ```
    /// use bnc_stats::Vars;
    /// assert_eq!(Vars::new([3, 1, 3]).iter().collect::<Vec<_>>(), [1, 3]);
    /// ```
    #[must_use]
    pub fn new(features: impl IntoIterator<Item = usize>) -> Self {
        let mut vars: SmallVec<[u32; 4]> =
            features.into_iter().map(|feature| u32::try_from(feature).unwrap_or(u32::MAX)).collect();
        vars.sort_unstable();
        vars.dedup();
        Self(vars)
    }

    /// The features, ascending.
    #[must_use]
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = usize> + ExactSizeIterator + '_ {
        self.0.iter().map(|&feature| feature as usize)
    }

    /// The number of features.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether only the class is counted.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The axis of a feature.
    #[must_use]
    pub fn position(&self, feature: usize) -> Option<usize> {
        self.iter().position(|var| var == feature)
    }
}

/// The class alone, then one table a feature: what naive Bayes asks for.
#[must_use]
pub fn all_singles(features: usize) -> Vec<Vars> {
    std::iter::once(Vars::default()).chain((0..features).map(|feature| Vars::new([feature]))).collect()
}

/// One table a pair of features, in lexicographic order: (0, 1), (0, 2), …, (1, 2), ….
#[must_use]
pub fn all_pairs(features: usize) -> Vec<Vars> {
    (0..features).flat_map(|i| (i + 1..features).map(move |j| Vars::new([i, j]))).collect()
}
