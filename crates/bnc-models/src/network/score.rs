//! What a learner that searches for the best structure says of the one it found.

/// The score of a network's structure on its training rows, in natural logarithms; larger is better.
///
/// It is a statement of the learner, stored with the network: nothing is computed from it.
#[derive(Debug, Clone, PartialEq)]
pub struct StructureScore {
    /// The score as users write it, e.g. `bdeu`.
    pub name: String,
    /// The equivalent sample size, for a score that has one.
    pub equivalent_sample_size: Option<f64>,
    /// The rows that it is over, by case weight: not those with a missing cell where the learner takes its structure from
    /// complete rows only.
    pub rows: u64,
    /// The sum over the families of all features.
    pub features: f64,
    /// That sum and the family of the class.
    pub total: f64,
    /// How many structures reach the best score, where that is known.
    pub optima: Option<u64>,
}
