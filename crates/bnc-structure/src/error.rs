//! What makes a graph unusable.

/// A result of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error of building a graph.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A parent that does not exist.
    #[error("{child} has parent {parent}, and there are {features} features")]
    NoSuchParent {
        /// The child, as text: a feature's index or `the class`.
        child: String,
        /// The parent's index.
        parent: usize,
        /// The number of features.
        features: usize,
    },
    /// A parent listed twice.
    #[error("{child} lists parent {parent} twice")]
    RepeatedParent {
        /// The child, as text: a feature's index or `the class`.
        child: String,
        /// The parent's index.
        parent: usize,
    },
    /// A cycle of arcs.
    #[error("the arcs form a cycle through feature {feature}")]
    Cycle {
        /// A feature on the cycle.
        feature: usize,
    },
}
