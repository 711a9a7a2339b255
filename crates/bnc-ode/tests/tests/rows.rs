//! Counts and formulas straight from the rows.

use bnc_models::bnc_data::{Code, Dataset, MISSING};
use bnc_models::conformance::pattern;

pub(crate) const DIMS: [usize; 4] = [2, 3, 4, 2];
pub(crate) const CLASSES: usize = 3;

/// From a count, the count of the parents and the number of values.
pub(crate) type Estimate = fn(f64, f64, usize) -> f64;

pub(crate) fn laplace(n: f64, total: f64, r: usize) -> f64 {
    (n + 1.0) / (total + r as f64)
}

pub(crate) fn m_estimate(n: f64, total: f64, r: usize) -> f64 {
    (n + 1.0 / r as f64) / (total + 1.0)
}

/// Rows of the pattern; without those of the first value of the second feature where it is to be unseen.
pub(crate) fn data(missing: usize, unseen: bool) -> Dataset {
    let data = pattern(&DIMS, CLASSES, 90, missing);
    let kept = (0..data.rows()).filter(|&row| !unseen || data.features()[1][row] != 0);
    data.select(&kept.collect::<Vec<_>>())
}

/// A row of the schema; codes beyond a feature's values are missing.
pub(crate) fn row(codes: &[Code]) -> Vec<Code> {
    codes.iter().zip(DIMS).map(|(&code, dim)| if usize::from(code) < dim { code } else { MISSING }).collect()
}

pub(crate) fn known(row: &[Code]) -> Vec<usize> {
    (0..row.len()).filter(|&feature| row[feature] != MISSING).collect()
}

/// How many rows have these values, know these features, and are of the class.
pub(crate) fn count(data: &Dataset, fixed: &[(usize, Code)], known: &[usize], class: Option<usize>) -> f64 {
    (0..data.rows())
        .filter(|&r| class.is_none_or(|class| usize::from(data.class()[r]) == class))
        .filter(|&r| fixed.iter().all(|&(feature, code)| data.features()[feature][r] == code))
        .filter(|&r| known.iter().all(|&feature| data.features()[feature][r] != MISSING))
        .count() as f64
}

/// `P(y) Π P(x_j | y)` by class.
pub(crate) fn naive_bayes(data: &Dataset, row: &[Code], estimate: Estimate) -> Vec<f64> {
    let of_class = |class| {
        let prior = estimate(count(data, &[], &[], Some(class)), data.rows() as f64, CLASSES);
        let features = known(row).into_iter().map(|j| {
            let total = count(data, &[], &[j], Some(class));
            estimate(count(data, &[(j, row[j])], &[], Some(class)), total, DIMS[j])
        });
        prior * features.product::<f64>()
    };
    (0..CLASSES).map(of_class).collect()
}

/// `P(y, s) Π_{j ∉ s} P(x_j | y, s)` by class, of the super-parents s of a row and the children that are left.
pub(crate) fn estimator(
    data: &Dataset,
    row: &[Code],
    left: &[Code],
    parents: &[usize],
    estimate: Estimate,
) -> Vec<f64> {
    let fixed: Vec<(usize, Code)> = parents.iter().map(|&i| (i, row[i])).collect();
    let cells: usize = parents.iter().map(|&i| DIMS[i]).product();
    let of_class = |class| {
        let joint =
            estimate(count(data, &fixed, &[], Some(class)), count(data, &[], parents, None), CLASSES * cells);
        let children = known(left).into_iter().filter(|j| !parents.contains(j)).map(|j| {
            let all: Vec<(usize, Code)> = fixed.iter().copied().chain([(j, row[j])]).collect();
            let total = count(data, &fixed, &[j], Some(class));
            estimate(count(data, &all, &[], Some(class)), total, DIMS[j])
        });
        joint * children.product::<f64>()
    };
    (0..CLASSES).map(of_class).collect()
}

/// The weighted sum of the estimators of the known values that were seen m times or more; with the same weight for each where
/// all weights are 0; naive Bayes where there is none.
pub(crate) fn ensemble(
    data: &Dataset,
    row: &[Code],
    m: usize,
    weight: impl Fn(usize) -> f64,
    estimate: Estimate,
) -> Vec<f64> {
    let qualified: Vec<usize> =
        known(row).into_iter().filter(|&i| count(data, &[(i, row[i])], &[], None) >= m as f64).collect();
    if qualified.is_empty() {
        return naive_bayes(data, row, estimate);
    }
    let equal = qualified.iter().all(|&i| weight(i) == 0.0);
    let mut scores = vec![0.0; CLASSES];
    for i in qualified {
        let weight = if equal { 1.0 } else { weight(i) };
        for (score, joint) in scores.iter_mut().zip(estimator(data, row, row, &[i], estimate)) {
            *score += weight * joint;
        }
    }
    scores
}

/// `Σ_y P̂(x, y) ln( P̂(x, y) / (P̂(x) P̂(y)) )` over the rows that know the feature.
pub(crate) fn local_information(data: &Dataset, feature: usize, code: Code) -> f64 {
    let total = count(data, &[], &[feature], None);
    let of_class = |class| {
        let joint = count(data, &[(feature, code)], &[], Some(class)) / total;
        let value = count(data, &[(feature, code)], &[], None) / total;
        let of_class = count(data, &[], &[feature], Some(class)) / total;
        if joint > 0.0 { joint * (joint / (value * of_class)).ln() } else { 0.0 }
    };
    (0..CLASSES).map(of_class).sum()
}

/// `Σ P̂(x_i, x_j, y) ln( P̂(x_i, x_j | y) / (P̂(x_i | y) P̂(x_j | y)) )` over the rows that know both features.
pub(crate) fn pair_information(data: &Dataset, i: usize, j: usize) -> f64 {
    let total = count(data, &[], &[i, j], None);
    let mut sum = 0.0;
    for class in 0..CLASSES {
        let of_class = count(data, &[], &[i, j], Some(class));
        for a in 0..DIMS[i] as Code {
            for b in 0..DIMS[j] as Code {
                let both = count(data, &[(i, a), (j, b)], &[], Some(class));
                let apart =
                    count(data, &[(i, a)], &[j], Some(class)) * count(data, &[(j, b)], &[i], Some(class));
                sum += if both > 0.0 { both / total * (both * of_class / apart).ln() } else { 0.0 };
            }
        }
    }
    sum
}

/// The inner nodes of the tree of most pair information, of all trees over four features; `None` where two trees have most.
pub(crate) fn branch_nodes(data: &Dataset) -> Option<Vec<usize>> {
    let edges: Vec<(usize, usize)> = (0..4).flat_map(|i| (i + 1..4).map(move |j| (i, j))).collect();
    let weights: Vec<f64> = edges.iter().map(|&(i, j)| pair_information(data, i, j)).collect();
    let degrees = |set: &[usize; 3]| {
        let mut degrees = vec![0; 4];
        for &edge in set {
            degrees[edges[edge].0] += 1;
            degrees[edges[edge].1] += 1;
        }
        degrees
    };
    let sets = (0..6).flat_map(|a| (a + 1..6).flat_map(move |b| (b + 1..6).map(move |c| [a, b, c])));
    // Three edges that reach all four features are a tree.
    let mut trees: Vec<[usize; 3]> =
        sets.filter(|set| degrees(set).iter().all(|&degree| degree > 0)).collect();
    let weight = |set: &[usize; 3]| set.iter().map(|&edge| weights[edge]).sum::<f64>();
    trees.sort_by(|a, b| weight(b).total_cmp(&weight(a)));
    let distinct = weight(&trees[0]) - weight(&trees[1]) > 1e-9;
    distinct.then(|| (0..4).filter(|&feature| degrees(&trees[0])[feature] >= 2).collect())
}

pub(crate) fn assert_proportional(posterior: &[f64], scores: &[f64]) {
    let sum: f64 = scores.iter().sum();
    for (ours, score) in posterior.iter().zip(scores) {
        assert!((ours - score / sum).abs() < 1e-11, "{posterior:?} {scores:?}");
    }
}
