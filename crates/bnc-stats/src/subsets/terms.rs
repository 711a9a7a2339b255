//! The terms of cells for every subset, from tables.

use rayon::prelude::*;

use crate::LocalScore;
use crate::score::{Term, ln_regret};

/// The entries that the tables of all subsets may hold together.
const ENTRIES: usize = 1 << 22;
/// The most subsets of unlike products that are told apart.
const SIGNATURES: usize = 1 << 16;

/// A sum over the cells of the contingency table of a subset.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum SetFunction {
    /// The same term for every subset.
    Same(Term),
    /// `Σ lnΓ(a/p + n) − lnΓ(a/p)`, with p the product of the subset's numbers of values.
    Dirichlet(f64),
    /// `Σ n ln n − ln C(N, p)`.
    Quotient,
}

impl SetFunction {
    /// The function whose values at the family are those of the score's first sum.
    pub(super) fn of_family(score: LocalScore) -> Self {
        match score {
            LocalScore::Bdeu(size) | LocalScore::Bds(size) => Self::Dirichlet(size),
            LocalScore::QuotientNml => Self::Quotient,
            _ => Self::Same(score.family_term(1.0, 1.0, 1.0)),
        }
    }

    /// The function whose values at the parents are taken away, for a child of so many values.
    pub(super) fn of_parents(score: LocalScore, arity: f64) -> Self {
        match score {
            LocalScore::K2 | LocalScore::FactorizedNml => Self::Same(score.parents_term(arity, 1.0, 1.0)),
            _ => Self::of_family(score),
        }
    }

    fn term(self, product: f64) -> Term {
        match self {
            Self::Same(term) => term,
            Self::Dirichlet(size) => Term::Rising(size / product),
            Self::Quotient => Term::CountLogCount,
        }
    }
}

/// What a subset's terms depend on: it grows by one variable at a time.
#[derive(Debug, Clone, Copy)]
pub(super) struct Product {
    /// The number of configurations.
    value: f64,
    /// The number of its table.
    signature: usize,
}

impl Product {
    /// Changes nothing.
    pub(super) const ONE: Self = Self { value: 1.0, signature: 0 };

    #[inline]
    pub(super) fn times(self, other: Self) -> Self {
        Self { value: self.value * other.value, signature: self.signature + other.signature }
    }
}

/// The terms of a set function.
#[derive(Debug)]
pub(super) struct Terms {
    function: SetFunction,
    rows: u64,
    /// The products of the subsets of one variable.
    variables: Vec<Product>,
    base: f64,
    /// The tables, one after the other.
    tables: Vec<f64>,
    length: usize,
    shared: bool,
    offsets: Vec<f64>,
}

/// The terms of one subset.
#[derive(Debug, Clone, Copy)]
pub(super) struct SubsetTerms<'a> {
    table: &'a [f64],
    term: Term,
    /// What belongs to no cell.
    pub(super) offset: f64,
}

impl SubsetTerms<'_> {
    #[inline]
    pub(super) fn at(&self, count: u64) -> f64 {
        match self.table.get(count as usize) {
            Some(&value) => value,
            None => self.beyond(count),
        }
    }

    #[cold]
    fn beyond(&self, count: u64) -> f64 {
        self.term.at(count)
    }

    /// The sum over counts, in four interleaved parts that need not wait for each other.
    #[inline]
    pub(super) fn sum(&self, counts: &[u64]) -> f64 {
        let mut parts = [0.0; 4];
        let fours = counts.chunks_exact(4);
        let rest: f64 = fours.remainder().iter().map(|&count| self.at(count)).sum();
        for four in fours {
            for (part, &count) in parts.iter_mut().zip(four) {
                *part += self.at(count);
            }
        }
        (parts[0] + parts[1]) + (parts[2] + parts[3]) + rest
    }
}

impl Terms {
    /// The terms for variables with `dims` values beside `base` configurations of what belongs to every subset.
    pub(super) fn new(function: SetFunction, dims: &[usize], base: usize, rows: u64) -> Self {
        let base = base as f64;
        let mut arities: Vec<usize> = dims.to_vec();
        arities.sort_unstable();
        arities.dedup();
        // A subset's product follows from how many variables it has of each number of values: the digits of its signature.
        let multiplicity = |arity: usize| dims.iter().filter(|&&dim| dim == arity).count();
        let mut strides = Vec::new();
        let mut signatures = 1_usize;
        for &arity in &arities {
            strides.push(signatures);
            signatures = signatures.saturating_mul(multiplicity(arity) + 1);
        }
        let told_apart = !matches!(function, SetFunction::Same(_)) && signatures <= SIGNATURES;
        if !told_apart {
            signatures = 1;
            strides.fill(0);
        }
        let stride = |dim: usize| arities.binary_search(&dim).map_or(0, |at| strides[at]);
        let variables =
            dims.iter().map(|&dim| Product { value: dim as f64, signature: stride(dim) }).collect();
        let products: Vec<f64> = (0..signatures)
            .map(|signature| {
                let digits = arities.iter().zip(&strides).filter(|_| told_apart).map(|(&arity, &stride)| {
                    (arity as f64).powf((signature / stride % (multiplicity(arity) + 1)) as f64)
                });
                base * digits.product::<f64>()
            })
            .collect();
        let shared = !matches!(function, SetFunction::Dirichlet(_));
        let wanted = usize::try_from(rows).unwrap_or(usize::MAX).saturating_add(1);
        let length = match function {
            SetFunction::Dirichlet(_) if !told_apart => 0,
            SetFunction::Dirichlet(_) => wanted.min(ENTRIES / signatures),
            // Each entry is a sum by itself.
            SetFunction::Same(Term::Regret(_)) => wanted.min(ENTRIES >> 8),
            _ => wanted.min(ENTRIES),
        };
        let with_table = if shared { &products[..1] } else { &products[..] };
        let tables = match length.checked_sub(1) {
            Some(last) => with_table
                .par_iter()
                .flat_map_iter(|&product| function.term(product).table(last as u64))
                .collect(),
            None => Vec::new(),
        };
        let offsets = match function {
            SetFunction::Quotient if told_apart => {
                products.par_iter().map(|&product| -ln_regret(rows, product)).collect()
            }
            _ => Vec::new(),
        };
        Self { function, rows, variables, base, tables, length, shared, offsets }
    }

    /// The product of the empty subset.
    pub(super) fn empty(&self) -> Product {
        Product { value: self.base, signature: 0 }
    }

    /// What a variable adds to a product.
    #[inline]
    pub(super) fn variable(&self, variable: usize) -> Product {
        self.variables[variable]
    }

    /// The terms of a subset.
    #[inline]
    pub(super) fn of(&self, product: Product) -> SubsetTerms<'_> {
        let start = if self.shared { 0 } else { product.signature * self.length };
        let offset = match self.function {
            SetFunction::Quotient => match self.offsets.get(product.signature) {
                Some(&offset) => offset,
                None => -ln_regret(self.rows, product.value),
            },
            _ => 0.0,
        };
        SubsetTerms {
            table: &self.tables[start..start + self.length],
            term: self.function.term(product.value),
            offset,
        }
    }
}
