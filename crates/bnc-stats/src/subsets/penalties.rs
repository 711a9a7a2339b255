//! What the free parameters of a family cost.

use super::terms::on_grid;

/// A price for each free parameter: `price · (r − 1) · q`.
#[derive(Debug)]
pub(super) struct Penalties {
    /// The price of each node's parameters for one configuration of its parents.
    nodes: Vec<f64>,
    dims: Vec<f64>,
    /// The products over the subsets of the lower and the upper half of the nodes, where these are not too many.
    halves: Option<(Vec<f64>, Vec<f64>)>,
}

impl Penalties {
    /// `base` is the number of configurations of what is a parent of every node.
    pub(super) fn new(price: f64, dims: &[usize], base: usize) -> Self {
        let dims: Vec<f64> = dims.iter().map(|&dim| dim as f64).collect();
        let products = |dims: &[f64]| {
            dims.iter().fold(vec![1.0], |mut products, dim| {
                products.extend(products.clone().iter().map(|product| product * dim));
                products
            })
        };
        let (low, high) = dims.split_at(dims.len() / 2);
        let halves = (dims.len() <= 32).then(|| (products(low), products(high)));
        // A whole number of these is on the grid, too.
        let price = on_grid(price);
        Self { nodes: dims.iter().map(|dim| price * base as f64 * (dim - 1.0)).collect(), dims, halves }
    }

    /// The penalty of a node with a set of parents.
    #[inline]
    pub(super) fn of(&self, node: usize, parents: u64) -> f64 {
        let configurations = if let Some((low, high)) = &self.halves {
            low[parents as usize & (low.len() - 1)] * high[(parents >> low.len().ilog2()) as usize]
        } else {
            let parent = |&(bit, _): &(usize, &f64)| parents >> bit & 1 == 1;
            self.dims.iter().enumerate().filter(parent).map(|(_, dim)| dim).product()
        };
        self.nodes[node] * configurations
    }
}
