//! A set function of every subset, by refining partitions from the top variable down.

use super::bottom::{Bottom, Joint};
use super::layout::Layout;
use super::partition::{Partition, Tally, Together};
use super::rows::{Codes, Row};
use super::terms::{Product, SubsetTerms, Terms};
use super::watch::Watch;

/// Blocks over this many variables or fewer are worked through by one thread, and tell their progress.
const ONE_THREAD: usize = 12;
/// For fewer variables it does not pay to strip rows that are together.
const FEWEST_TOGETHER: usize = 5;

/// What the values of a set function are counted from.
pub(super) struct Kernel<'a, C> {
    codes: &'a C,
    dims: &'a [usize],
    layout: &'a Layout,
    terms: &'a Terms,
    watch: &'a Watch<'a>,
    /// For every subset of the lowest variables, its product.
    low: Vec<Product>,
    bottom: Bottom,
    one_thread: usize,
}

/// A subset on the way down: its partition, its product and the sum over the cells that are not stripped.
struct Subset<R> {
    partition: Partition<R>,
    product: Product,
    kept: f64,
}

impl<'a, C: Codes> Kernel<'a, C> {
    pub(super) fn new(
        codes: &'a C,
        dims: &'a [usize],
        layout: &'a Layout,
        terms: &'a Terms,
        watch: &'a Watch<'a>,
    ) -> Self {
        // Enough blocks for many threads even where there are few variables and many rows.
        let one_thread = dims.len().saturating_sub(6).min(ONE_THREAD);
        let mut low = vec![Product::ONE];
        for variable in 0..one_thread {
            let with: Vec<Product> =
                low.iter().map(|&product| product.times(terms.variable(variable))).collect();
            low.extend(with);
        }
        let bottom = Bottom::new(dims, one_thread);
        Self { codes, dims, layout, terms, watch, low, bottom, one_thread }
    }

    /// The value of every subset, in the order of the layout.
    pub(super) fn run<R: Row<C::Key>>(&self, start: Partition<R>, values: &mut [f64]) {
        let product = self.terms.empty();
        let terms = self.terms.of(product);
        let kept = start.cells().map(|cell| terms.at(cell.iter().map(|row| row.weight()).sum())).sum();
        let subset = Subset { partition: start, product, kept };
        self.spread(&subset, self.layout.nodes(), self.layout.largest(), values);
    }

    /// Fills a large block, its parts side by side.
    fn spread<R: Row<C::Key>>(
        &self,
        subset: &Subset<R>,
        variables: usize,
        largest: usize,
        block: &mut [f64],
    ) {
        if self.watch.is_stopped() {
            return;
        }
        rayon::scope(|scope| {
            let mut rest = block;
            for x in (self.one_thread..variables).rev() {
                let (before, part) = rest.split_at_mut(self.layout.size(x, largest));
                rest = before;
                if !part.is_empty() {
                    scope.spawn(move |_| {
                        let mut tally = self.tally();
                        let mut partition = Partition::default();
                        let (product, kept) = self.refine(
                            subset.product,
                            &subset.partition,
                            x,
                            &mut [],
                            &mut partition,
                            &mut tally,
                        );
                        self.spread(&Subset { partition, product, kept }, x, largest - 1, part);
                    });
                }
            }
            let variables = variables.min(self.one_thread);
            let mut levels: Vec<Partition<R>> = (0..variables).map(|_| Partition::default()).collect();
            self.descend(
                (&subset.partition, subset.product, subset.kept),
                (&mut levels, &mut self.tally()),
                &mut [],
                (variables, largest),
                rest,
            );
            self.watch.advance(rest.len());
        });
    }

    fn tally(&self) -> Tally {
        Tally::new(self.dims.iter().copied().max().unwrap_or_default())
    }

    /// The partition of the subset with x added; its product, and the sum over the cells that stay.
    fn refine<R: Row<C::Key>>(
        &self,
        product: Product,
        partition: &Partition<R>,
        x: usize,
        together: &mut [Together],
        into: &mut Partition<R>,
        tally: &mut Tally,
    ) -> (Product, f64) {
        let product = product.times(self.terms.variable(x));
        let terms = self.terms.of(product);
        let mut kept = 0.0;
        partition
            .refine(self.codes, (x, self.dims[x]), together, into, tally, |weight| kept += terms.at(weight));
        (product, kept)
    }

    /// Fills a block: the subset itself, and it with subsets of at most `largest` of the lowest `variables`. `together` tells
    /// of the stripped rows that share a cell, on which of these variables they agree.
    fn descend<R: Row<C::Key>>(
        &self,
        (partition, product, kept): (&Partition<R>, Product, f64),
        (levels, tally): (&mut [Partition<R>], &mut Tally),
        mut together: &mut [Together],
        (variables, largest): (usize, usize),
        block: &mut [f64],
    ) {
        let floor = self.bottom.variables();
        let floor = if floor <= variables.min(largest) { floor } else { 0 };
        let mut rest = block;
        for x in (floor..variables).rev() {
            let (before, part) = std::mem::take(&mut rest).split_at_mut(self.layout.size(x, largest));
            rest = before;
            if part.is_empty() {
                continue;
            }
            // The rows that agree on x are together in the part; for the variables below, agreement on x is then all one.
            let mut own = Vec::new();
            let agreeing = if together.is_empty() {
                if x >= FEWEST_TOGETHER && part.len() == 1 << x {
                    own.resize(1 << x, 0);
                }
                own.as_mut_slice()
            } else {
                let (without, with) = std::mem::take(&mut together).split_at_mut(1 << x);
                for (all, more) in without.iter_mut().zip(&*with) {
                    *all += more;
                }
                together = without;
                with
            };
            if let [value] = part {
                let product = product.times(self.terms.variable(x));
                let terms = self.terms.of(product);
                let mut kept = 0.0;
                partition
                    .refined_weights(self.codes, (x, self.dims[x]), tally, |weight| kept += terms.at(weight));
                *value = kept + of_stripped(terms, &partition.stripped, agreeing.first().copied());
                continue;
            }
            let Some((level, deeper)) = levels.split_first_mut() else {
                continue;
            };
            let (product, kept) = self.refine(product, partition, x, agreeing, level, tally);
            if level.is_empty() && !agreeing.is_empty() {
                self.fill(product, &level.stripped, agreeing, part);
            } else {
                self.descend((level, product, kept), (deeper, tally), agreeing, (x, largest - 1), part);
            }
        }
        if floor > 0 {
            self.bottom(product, partition, together, &mut tally.joint, rest);
        } else if let [value] = rest {
            *value =
                kept + of_stripped(self.terms.of(product), &partition.stripped, together.first().copied());
        }
    }

    /// Fills the block of a subset and the lowest variables.
    fn bottom<R: Row<C::Key>>(
        &self,
        product: Product,
        partition: &Partition<R>,
        together: &mut [Together],
        joint: &mut Joint,
        block: &mut [f64],
    ) {
        at_least(together);
        self.bottom.visit(self.codes, partition, joint, |mask, counts| {
            let terms = self.terms.of(product.times(self.low[mask]));
            let together = together.get(mask).copied();
            block[mask] = terms.sum(counts) + of_stripped(terms, &partition.stripped, together);
        });
    }

    /// Fills a block when all rows are stripped.
    fn fill(&self, product: Product, stripped: &[u32], together: &mut [Together], block: &mut [f64]) {
        at_least(together);
        for ((value, &agreeing), &low) in block.iter_mut().zip(&*together).zip(&self.low) {
            *value = of_stripped(self.terms.of(product.times(low)), stripped, Some(agreeing));
        }
    }
}

/// From agreement on exactly a set of variables to agreement on at least that set.
fn at_least(together: &mut [Together]) {
    let mut step = 1;
    while step < together.len() {
        for pair in together.chunks_exact_mut(2 * step) {
            let (without, with) = pair.split_at_mut(step);
            for (all, more) in without.iter_mut().zip(with) {
                *all += *more;
            }
        }
        step *= 2;
    }
}

/// The terms of the stripped rows of a subset, and what belongs to no row.
#[inline]
fn of_stripped(terms: SubsetTerms<'_>, stripped: &[u32], together: Option<Together>) -> f64 {
    let mut sum = terms.offset;
    for (weight, &count) in stripped.iter().enumerate().skip(1) {
        if count > 0 {
            sum += f64::from(count) * terms.at(weight as u64);
        }
    }
    let together = together.unwrap_or_default();
    let (pairs, triples) = (together as u32, (together >> 32) as u32);
    if pairs > 0 {
        let (one, two, three) = (terms.at(1), terms.at(2), terms.at(3));
        sum += f64::from(pairs) * (two - 2.0 * one);
        sum += f64::from(triples) * (three - 3.0 * two + 3.0 * one);
    }
    sum
}
