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
        /// The lowest feature on the cycle.
        feature: usize,
    },
    /// A constraint on a node that does not exist.
    #[error("a constraint names node {node}, and there are {nodes} nodes")]
    NoSuchNode {
        /// The node's index.
        node: usize,
        /// The number of nodes.
        nodes: usize,
    },
    /// A constraint on the arc from a node to itself.
    #[error("a constraint names the arc from node {node} to itself")]
    SelfArc {
        /// The node's index.
        node: usize,
    },
    /// A node listed twice in an order.
    #[error("the order lists node {node} twice")]
    RepeatedInOrder {
        /// The node's index.
        node: usize,
    },
    /// An arc that is required, and forbidden by itself or by the order.
    #[error("the arc from node {parent} to node {child} is both required and forbidden")]
    RequiredAndForbidden {
        /// The parent's index.
        parent: usize,
        /// The child's index.
        child: usize,
    },
    /// A cycle of required arcs.
    #[error("the required arcs form a cycle through node {node}")]
    RequiredCycle {
        /// The lowest node on the cycle.
        node: usize,
    },
    /// Two required parents of a node that can have one.
    #[error(
        "node {child} can have one parent, and the arcs from nodes {first} and {second} are both required"
    )]
    TwoRequiredParents {
        /// The child's index.
        child: usize,
        /// The lower parent's index.
        first: usize,
        /// The higher parent's index.
        second: usize,
    },
    /// More required parents of a node than the limit on parents.
    #[error("node {child} has {required} required parents, and the limit is {limit} parents a node")]
    ManyRequiredParents {
        /// The child's index.
        child: usize,
        /// The number of required parents.
        required: usize,
        /// The limit.
        limit: usize,
    },
    /// More nodes than an exact search can take.
    #[error("exact search takes at most {limit} nodes, and there are {nodes}")]
    ManyNodes {
        /// The number of nodes.
        nodes: usize,
        /// The limit.
        limit: usize,
    },
    /// Tables that are larger than the budget.
    #[error(
        "exact search over {nodes} nodes needs {bytes} bytes, and the budget is {budget}; take fewer nodes, limit the number of parents or raise the budget"
    )]
    OverBudget {
        /// The number of nodes.
        nodes: usize,
        /// The bytes needed.
        bytes: u64,
        /// The bytes there may be.
        budget: u64,
    },
    /// No graph that is permitted has a score.
    #[error("every permitted graph has a family whose score is not finite")]
    NoGraph,
    /// The work was stopped from outside.
    #[error("the work was stopped before its end")]
    Cancelled,
}
