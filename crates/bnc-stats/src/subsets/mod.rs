//! The local scores of every family of some variables.

mod bottom;
mod kernel;
mod layout;
mod partition;
mod penalties;
mod rows;
mod sample;
mod sparse;
mod terms;
mod watch;

use bnc_data::{Dataset, Schema};

use crate::{Error, LocalScore, Result};
use kernel::Kernel;
use layout::Layout;
use penalties::Penalties;
use rows::{Codes, Row};
use sample::{Sample, Work};
use sparse::Families;
use terms::{SetFunction, Terms};
use watch::Watch;

/// The most variables: a set of them is a word of 64 bits.
const MOST_NODES: usize = 63;

/// What the class is in the networks whose families are scored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ClassRole {
    /// A parent of every feature, as in an augmented naive Bayes; the nodes are the features.
    Parent,
    /// A node like any other, the last.
    Variable,
}

/// The local scores of all families over some features, and the class where it is a node, or of those with few parents.
///
/// Node i is the i-th of the features asked for; the class, where it is a node, comes after them. Sets of nodes are bit masks.
/// Scores are natural logarithms, larger is better, as [`LocalScore`] defines them, from the rows in which the class and all
/// these features are known; their number, by case weights, is the N of the penalties.
///
/// A family's score is a difference of two set functions, `A(parents + node) − B(parents)`, less a penalty, so that one number a
/// subset is held (two or more for K2 and factorised NML, whose B depends on the child's number of values), not one a
/// family. They are counted by refining partitions of the rows, variable by variable. BDs alone holds one number a family.
///
/// What a cell adds is rounded to a multiple of 2⁻³⁰ nats (about 10⁻⁹), and sums of these are exact up to 2²³ nats: under BDeu, BIC
/// and AIC equivalent structures tie exactly, and under BDeu the parent sets that tell every row from every other. Products
/// of counts that happen to coincide may be told apart by rounding.
///
/// # Examples
/// ```
/// use std::sync::Arc;
/// use bnc_stats::bnc_data::{Dataset, Domain, Schema, Variable};
/// use bnc_stats::{ClassRole, FamilyScores, LocalScore};
///
/// let binary = |name| Variable::new(name, Domain::Labels(vec!["no".into(), "yes".into()]));
/// let schema = Arc::new(Schema::new(binary("class")?, vec![binary("x")?, binary("z")?])?);
/// let data = Dataset::new(schema, vec![0, 0, 1, 1], vec![vec![0, 0, 1, 1], vec![0, 1, 0, 1]], None)?;
///
/// let score = LocalScore::Bdeu(1.0);
/// let scores = FamilyScores::count(&data, &[0, 1], ClassRole::Variable, score, None, &|_, _| true)?;
/// // x explains the class, z does not.
/// let (x, z) = (1 << 0, 1 << 1);
/// assert!(scores.score(2, x) > scores.score(2, 0));
/// assert!(scores.score(2, z) < scores.score(2, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct FamilyScores {
    nodes: usize,
    largest_parents: usize,
    store: Store,
}

#[derive(Debug)]
enum Store {
    Sets {
        layout: Layout,
        /// The set functions; the first is that of the family.
        functions: Vec<Vec<f64>>,
        /// For each node the function that is taken away at its parents.
        of_parents: Vec<usize>,
        penalties: Option<Penalties>,
    },
    Families {
        /// Of the other nodes.
        layout: Layout,
        scores: Vec<Vec<f64>>,
    },
}

impl FamilyScores {
    /// The most bytes that [`FamilyScores::count`] will hold in scores; the rows, and tables of some 32 MiB, come on top.
    ///
    /// # Panics
    /// When the schema does not have a feature.
    #[must_use]
    pub fn memory(
        schema: &Schema,
        features: &[usize],
        class: ClassRole,
        score: LocalScore,
        max_parents: Option<usize>,
    ) -> u64 {
        let dims = node_dims(schema, features, class);
        let nodes = dims.len();
        let numbers = if let LocalScore::Bds(_) = score {
            subsets(nodes.saturating_sub(1), max_parents).saturating_mul(nodes as u64)
        } else {
            let largest = max_parents.map(|most| most.saturating_add(1));
            let reordered = u64::from(largest.is_some_and(|largest| largest < nodes));
            subsets(nodes, largest).saturating_mul(set_functions(score, &dims).0.len() as u64 + reordered)
        };
        numbers.saturating_mul(size_of::<f64>() as u64)
    }

    /// Counts the families over `features` of at most `max_parents` parents among the nodes (the class not counted where it is
    /// the parent of all).
    ///
    /// `watch` is told how much is done and how much there is to do, from any thread, and returns `false` to stop.
    ///
    /// # Errors
    /// [`Error::NoSuchFeature`]; [`Error::TooManySubsets`] when the scores cannot be held; [`bnc_data::Error::Cancelled`].
    pub fn count(
        rows: &Dataset,
        features: &[usize],
        class: ClassRole,
        score: LocalScore,
        max_parents: Option<usize>,
        watch: &(dyn Fn(u64, u64) -> bool + Sync),
    ) -> Result<Self> {
        let known = rows.schema().features().len();
        if let Some(&feature) = features.iter().find(|&&feature| feature >= known) {
            return Err(Error::NoSuchFeature { feature, features: known });
        }
        let dims = node_dims(rows.schema(), features, class);
        let nodes = dims.len();
        let bytes = Self::memory(rows.schema(), features, class, score, max_parents);
        let too_many = || Error::TooManySubsets { nodes, bytes };
        if nodes > MOST_NODES {
            return Err(too_many());
        }
        let largest_parents = max_parents.unwrap_or(nodes).min(nodes.saturating_sub(1));
        let sample = Sample::new(rows, features, class);
        let store = if let LocalScore::Bds(_) = score {
            let layout = Layout::new(nodes.saturating_sub(1), largest_parents).ok_or_else(too_many)?;
            let watch = Watch::new(watch, (layout.len() * nodes) as u64);
            let scores = sample.work(OfFamilies { score, layout: &layout, watch: &watch });
            watch.finish()?;
            Store::Families { layout, scores }
        } else {
            let layout = Layout::new(nodes, largest_parents + 1).ok_or_else(too_many)?;
            let (wanted, of_parents) = set_functions(score, &dims);
            let watch = Watch::new(watch, (layout.len() * wanted.len()) as u64);
            let mut functions = Vec::new();
            for function in wanted {
                let mut values = Vec::new();
                values.try_reserve_exact(layout.len()).map_err(|_| too_many())?;
                values.resize(layout.len(), 0.0);
                let terms = Terms::new(function, &sample.dims, sample.base, sample.total);
                sample.work(OfSubsets { layout: &layout, terms: &terms, watch: &watch, values: &mut values });
                watch.finish()?;
                functions.push(layout.reorder(values, &sample.order));
            }
            let price = score.penalty(sample.total);
            let penalties = (price > 0.0).then(|| Penalties::new(price, &dims, sample.base));
            Store::Sets { layout, functions, of_parents, penalties }
        };
        Ok(Self { nodes, largest_parents, store })
    }

    /// The number of nodes.
    #[must_use]
    pub fn nodes(&self) -> usize {
        self.nodes
    }

    /// The score of a node with a set of parents, whose mask must not have the node's own bit nor any beyond the nodes;
    /// negative infinity for more parents than were asked for.
    ///
    /// # Panics
    /// When there is no such node or parent.
    #[inline]
    #[must_use]
    pub fn score(&self, node: usize, parents: u64) -> f64 {
        match &self.store {
            Store::Sets { layout, functions, of_parents, penalties } => {
                if !layout.is_complete() && parents.count_ones() as usize > self.largest_parents {
                    return f64::NEG_INFINITY;
                }
                let family = functions[0][layout.place(parents | 1 << node)];
                let difference = family - functions[of_parents[node]][layout.place(parents)];
                match penalties {
                    None => difference,
                    Some(penalties) => difference - penalties.of(node, parents),
                }
            }
            Store::Families { layout, scores } => {
                if parents.count_ones() as usize > self.largest_parents {
                    return f64::NEG_INFINITY;
                }
                let below = (1 << node) - 1;
                scores[node][layout.place(parents & below | parents >> 1 & !below)]
            }
        }
    }
}

/// The numbers of values of the nodes.
fn node_dims(schema: &Schema, features: &[usize], class: ClassRole) -> Vec<usize> {
    let class = matches!(class, ClassRole::Variable).then(|| schema.classes());
    features.iter().map(|&feature| schema.cardinality(feature)).chain(class).collect()
}

/// The set functions of a score, that of the family first, and which of them is taken away at each node's parents.
fn set_functions(score: LocalScore, dims: &[usize]) -> (Vec<SetFunction>, Vec<usize>) {
    let mut functions = vec![SetFunction::of_family(score)];
    let of_parents = dims
        .iter()
        .map(|&dim| {
            let function = SetFunction::of_parents(score, dim as f64);
            functions.iter().position(|known| *known == function).unwrap_or_else(|| {
                functions.push(function);
                functions.len() - 1
            })
        })
        .collect();
    (functions, of_parents)
}

/// The number of subsets of at most so many of some nodes, as far as it can be told.
fn subsets(nodes: usize, largest: Option<usize>) -> u64 {
    let mut count = 1_u128;
    let mut sum = 1_u128;
    for size in 1..=largest.unwrap_or(nodes).min(nodes) {
        count = count.saturating_mul((nodes - size + 1) as u128) / size as u128;
        sum = sum.saturating_add(count);
    }
    u64::try_from(sum).unwrap_or(u64::MAX)
}

/// The values of a set function.
struct OfSubsets<'a> {
    layout: &'a Layout,
    terms: &'a Terms,
    watch: &'a Watch<'a>,
    values: &'a mut [f64],
}

impl Work for OfSubsets<'_> {
    type Output = ();

    fn run<C: Codes, R: Row<C::Key>>(self, sample: &Sample, codes: &C) {
        let kernel = Kernel::new(codes, &sample.dims, self.layout, self.terms, self.watch);
        kernel.run::<R>(sample.start(codes), self.values);
    }
}

/// The scores of every family.
struct OfFamilies<'a> {
    score: LocalScore,
    layout: &'a Layout,
    watch: &'a Watch<'a>,
}

impl Work for OfFamilies<'_> {
    type Output = Vec<Vec<f64>>;

    fn run<C: Codes, R: Row<C::Key>>(self, sample: &Sample, codes: &C) -> Vec<Vec<f64>> {
        let Self { score, layout, watch } = self;
        Families { codes, sample, score, layout, watch }.run::<R>()
    }
}
