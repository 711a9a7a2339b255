//! Information measures from counts: maximum likelihood, natural logarithms, 0 ln 0 = 0.
//!
//! Sums run in the order of the cells, so a value does not depend on threads. A value closer to zero than
//! [`NEGLIGIBLE`] is zero: under another order of summation an exact zero can come out as 1e-16, and as a weight that
//! would change posteriors.

use smallvec::{SmallVec, smallvec};

use crate::Table;

/// Values below this in absolute terms are 0.
pub const NEGLIGIBLE: f64 = 1e-12;

/// Nats to bits.
#[must_use]
pub fn to_bits(nats: f64) -> f64 {
    nats / std::f64::consts::LN_2
}

/// The mutual information I(X; Y) of a table over one feature X and the class Y, in nats; ≥ 0.
///
/// `I(X;Y) = Σ P(x,y) ln( P(x,y) / (P(x) P(y)) )`
///
/// # Panics
/// When the table is not over one feature.
#[must_use]
pub fn mutual_information(table: &Table) -> f64 {
    settle(local_mutual_information(table).iter().sum::<f64>()).max(0.0)
}

/// The local mutual information I(x; Y) of each value x of a feature with the class Y, in nats; ≥ 0 up to rounding,
/// 0 for a value that was never seen. Their sum is I(X; Y). (Wang et al. 2015, definition 5.)
///
/// `I(x;Y) = Σ_y P(x,y) ln( P(x,y) / (P(x) P(y)) )`
///
/// # Panics
/// When the table is not over one feature.
#[must_use]
pub fn local_mutual_information(table: &Table) -> Vec<f64> {
    assert_eq!(table.dims().len(), 1, "a table over one feature");
    let class = table.class_counts();
    let total = class.iter().sum::<u64>() as f64;
    let mut local = vec![0.0; table.dims()[0]];
    for (value, run) in table.runs() {
        let of_value = run.iter().sum::<u64>() as f64;
        let terms = run.iter().zip(&class).filter(|(count, _)| **count > 0);
        local[value as usize] = settle(
            terms
                .map(|(&count, &of_class)| {
                    let count = count as f64;
                    count / total * (count * total / (of_value * of_class as f64)).ln()
                })
                .sum(),
        );
    }
    local
}

/// The conditional mutual information I(Xi; Xj | Y) of a table over two features and the class Y, in nats; ≥ 0.
///
/// `I(Xi;Xj|Y) = (1/N) Σ F(xi,xj,y) ln( F(xi,xj,y) F(y) / (F(xi,y) F(xj,y)) )`
///
/// # Panics
/// When the table is not over two features.
#[must_use]
pub fn conditional_mutual_information(table: &Table) -> f64 {
    let mut sum = 0.0;
    for_each_local(table, |_, _, local| sum += local);
    settle(sum).max(0.0)
}

/// The conditional local mutual information I(xi; xj | Y) of each pair of values, in nats; it can be negative, and is 0
/// for a pair that was never seen. Row-major over (xi, xj); their sum is I(Xi; Xj | Y). (Wang et al. 2015,
/// definition 6.)
///
/// `I(xi;xj|Y) = Σ_y P(xi,xj,y) ln( P(xi,xj|y) / (P(xi|y) P(xj|y)) )`
///
/// # Panics
/// When the table is not over two features.
#[must_use]
pub fn local_conditional_mutual_information(table: &Table) -> Vec<f64> {
    let width = table.dims().get(1).copied().unwrap_or_default();
    let mut locals = vec![0.0; table.dims().iter().product()];
    for_each_local(table, |i, j, local| locals[i * width + j] = settle(local));
    locals
}

/// Shows the term of every stored pair of values, in their order.
fn for_each_local(table: &Table, mut visit: impl FnMut(usize, usize, f64)) {
    assert_eq!(table.dims().len(), 2, "a table over two features");
    let (rows, columns) = (table.dims()[0], table.dims()[1]);
    let classes = table.classes();
    // Small tables, of which there may be millions, do not touch the heap.
    let mut marginals: SmallVec<[u64; 32]> = smallvec![0; (1 + rows + columns) * classes];
    let (of_class, of_feature) = marginals.split_at_mut(classes);
    let (of_first, of_second) = of_feature.split_at_mut(rows * classes);
    for_each_run(table, |i, j, run| {
        for (class, &count) in run.iter().enumerate() {
            of_class[class] += count;
            of_first[i * classes + class] += count;
            of_second[j * classes + class] += count;
        }
    });
    let total = of_class.iter().sum::<u64>() as f64;
    for_each_run(table, |i, j, run| {
        let mut local = 0.0;
        for (class, &count) in run.iter().enumerate().filter(|(_, count)| **count > 0) {
            let count = count as f64;
            let first = of_first[i * classes + class] as f64;
            let second = of_second[j * classes + class] as f64;
            local += count / total * (count * of_class[class] as f64 / (first * second)).ln();
        }
        visit(i, j, local);
    });
}

/// Shows every stored pair of values and its counts by class, in their order.
fn for_each_run(table: &Table, mut visit: impl FnMut(usize, usize, &[u64])) {
    let (columns, classes) = (table.dims()[1].max(1), table.classes().max(1));
    let Some(cells) = table.dense() else {
        // Two codes: 64 bits hold the number.
        return table
            .runs()
            .for_each(|(number, run)| visit(number as usize / columns, number as usize % columns, run));
    };
    for (i, row) in cells.chunks_exact(columns * classes).enumerate() {
        for (j, run) in row.chunks_exact(classes).enumerate() {
            visit(i, j, run);
        }
    }
}

fn settle(value: f64) -> f64 {
    if value.abs() < NEGLIGIBLE { 0.0 } else { value }
}
