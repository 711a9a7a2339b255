//! Complete rows as columns over all nodes, and the configurations of some of them.

use bnc_models::bnc_data::{Code, Dataset};

use super::climb::cardinalities;

/// The distinct complete rows in ascending order with their numbers, so that nothing computed from them depends on the order
/// of the rows read, or on whether repeated rows are weights.
pub(crate) struct Rows {
    /// A column a node: the features, then the class.
    pub(crate) columns: Vec<Vec<Code>>,
    /// The number of values of each node.
    pub(crate) cardinalities: Vec<usize>,
    /// How often each row occurs.
    weights: Vec<u64>,
}

/// A number for each row, the same for rows that agree on some nodes and different for others.
#[derive(Clone)]
pub(crate) struct Groups {
    pub(crate) ids: Vec<u32>,
    /// All numbers are below.
    pub(crate) count: usize,
}

impl Rows {
    pub(crate) fn distinct(data: &Dataset) -> Self {
        let columns: Vec<&[Code]> = data.features().iter().map(Vec::as_slice).chain([data.class()]).collect();
        let mut order: Vec<usize> = (0..data.rows()).collect();
        let compare = |&a: &usize, &b: &usize| {
            columns
                .iter()
                .map(|column| column[a].cmp(&column[b]))
                .find(|order| order.is_ne())
                .unwrap_or(std::cmp::Ordering::Equal)
        };
        order.sort_unstable_by(compare);
        let mut first: Vec<usize> = Vec::new();
        let mut weights: Vec<u64> = Vec::new();
        for &row in &order {
            let weight = data.weights().map_or(1, |weights| u64::from(weights[row]));
            match (first.last(), weights.last_mut()) {
                (Some(last), Some(sum)) if compare(last, &row).is_eq() => *sum += weight,
                _ => {
                    first.push(row);
                    weights.push(weight);
                }
            }
        }
        let columns = columns.iter().map(|column| first.iter().map(|&row| column[row]).collect()).collect();
        Self { columns, cardinalities: cardinalities(data.schema()), weights }
    }

    /// The rows at the given places, in that order, with the weights given.
    pub(crate) fn select(&self, places: &[usize], weights: Vec<u64>) -> Self {
        let pick = |column: &Vec<Code>| places.iter().map(|&place| column[place]).collect();
        let columns = self.columns.iter().map(pick).collect();
        Self { columns, cardinalities: self.cardinalities.clone(), weights }
    }

    pub(crate) fn len(&self) -> usize {
        self.weights.len()
    }

    /// The node of the class.
    pub(crate) fn class(&self) -> usize {
        self.columns.len() - 1
    }

    pub(crate) fn classes(&self) -> usize {
        self.cardinalities[self.class()]
    }

    /// The number of rows that these stand for.
    pub(crate) fn total(&self) -> u64 {
        self.weights.iter().sum()
    }

    /// How often each row occurs.
    pub(crate) fn weights(&self) -> &[u64] {
        &self.weights
    }

    /// The class of each row, and how often it occurs.
    pub(crate) fn labels(&self) -> impl Iterator<Item = (usize, f64)> {
        let classes = self.columns[self.class()].iter().map(|&class| usize::from(class));
        classes.zip(self.weights.iter().map(|&weight| weight as f64))
    }

    /// The configurations of some features; the class is left out where it is among the nodes.
    pub(crate) fn groups(&self, nodes: &[usize]) -> Groups {
        let all = Groups { ids: vec![0; self.len()], count: 1 };
        nodes
            .iter()
            .filter(|&&node| node != self.class())
            .fold(all, |groups, &node| self.refine(&groups, node))
    }

    /// The configurations with one more node.
    pub(crate) fn refine(&self, groups: &Groups, node: usize) -> Groups {
        let cardinality = self.cardinalities[node];
        let numbers = groups
            .ids
            .iter()
            .zip(&self.columns[node])
            .map(|(&id, &code)| id as usize * cardinality + usize::from(code));
        // Numbers may have gaps while they are not many more than the rows.
        let count = groups.count * cardinality;
        if count <= 4 * self.len() + 1024 {
            return Groups { ids: numbers.map(|number| number as u32).collect(), count };
        }
        let numbers: Vec<usize> = numbers.collect();
        let mut sorted = numbers.clone();
        sorted.sort_unstable();
        sorted.dedup();
        let ids =
            numbers.iter().map(|number| sorted.partition_point(|other| other < number) as u32).collect();
        Groups { ids, count: sorted.len() }
    }
}
