//! The formulas, straight from the rows.

use bnc_models::bnc_data::{Code, Dataset, MISSING};
use bnc_models::{Classifier, Learner};
use bnc_ode::{A2de, Aode, AodeSrBranch, Aodesr, Hnb, MiOde, SubsumptionRule, Waode};
use proptest::prelude::*;

use crate::rows::{
    self, DIMS, assert_proportional, branch_nodes, count, ensemble, estimator, known, laplace,
    local_information, m_estimate, pair_information,
};

fn posterior(learner: &impl Learner, data: &Dataset, row: &[Code]) -> Vec<f64> {
    let model = learner.fit(data).unwrap();
    let mut posterior = vec![0.0; rows::CLASSES];
    model.posterior_into(row, &mut posterior).unwrap();
    posterior
}

/// Deletes a value that follows from another one, straight from the definition.
#[expect(clippy::float_cmp, reason = "counts are whole numbers")]
fn resolved(data: &Dataset, row: &[Code], more_than: f64) -> Vec<Code> {
    let implies = |j: usize, i: usize| {
        let seen = count(data, &[(j, row[j])], &[], None);
        seen > more_than && seen == count(data, &[(i, row[i]), (j, row[j])], &[], None)
    };
    let deleted =
        |i: usize| known(row).into_iter().any(|j| j != i && implies(j, i) && !(implies(i, j) && i < j));
    (0..row.len()).map(|i| if row[i] != MISSING && deleted(i) { MISSING } else { row[i] }).collect()
}

/// The pairs of known values that were seen m times or more as super-parents; AODE where there is none.
fn two_dependence(data: &Dataset, row: &[Code], m: usize) -> Vec<f64> {
    let known = known(row);
    let mut scores = vec![0.0; rows::CLASSES];
    let mut any = false;
    for (place, &i) in known.iter().enumerate() {
        for &j in &known[place + 1..] {
            if count(data, &[(i, row[i]), (j, row[j])], &[], None) >= m as f64 {
                any = true;
                let joint = estimator(data, row, row, &[i, j], m_estimate);
                scores.iter_mut().zip(joint).for_each(|(score, joint)| *score += joint);
            }
        }
    }
    if any { scores } else { ensemble(data, row, m, |_| 1.0, m_estimate) }
}

/// Rows in which the values 2 and 3 of the third feature imply values of the others; the last feature can be the first again.
fn with_implications(missing: usize, twins: bool) -> Dataset {
    let data = rows::data(missing, false);
    let mut features = data.features().to_vec();
    let (first, rest) = features.split_at_mut(1);
    let (second, rest) = rest.split_at_mut(1);
    let (third, last) = rest.split_at_mut(1);
    for (row, code) in third[0].iter().enumerate() {
        match code {
            2 => first[0][row] = 1,
            3 => (first[0][row], second[0][row]) = (0, 1),
            _ => {}
        }
    }
    if twins {
        last[0].clone_from(&first[0]);
    }
    Dataset::new(data.schema().clone(), data.class().to_vec(), features, None).unwrap()
}

/// `P(y) Π_i Σ_j W_ij P(x_i | x_j, y)` with the weights of the known parents; `P(x_i | y)` where they are all 0.
fn hidden(data: &Dataset, row: &[Code]) -> Vec<f64> {
    let known = known(row);
    let weights = |i: usize| -> Vec<(usize, f64)> {
        known.iter().filter(|&&j| j != i).map(|&j| (j, pair_information(data, i, j))).collect()
    };
    let all: Vec<Vec<(usize, f64)>> = known.iter().map(|&i| weights(i)).collect();
    let of_class = |class| {
        let mut score = m_estimate(count(data, &[], &[], Some(class)), data.rows() as f64, rows::CLASSES);
        for (&i, weights) in known.iter().zip(&all) {
            let sum: f64 = weights.iter().map(|(_, weight)| weight).sum();
            let given = |fixed: &[(usize, Code)]| {
                let both: Vec<(usize, Code)> = fixed.iter().copied().chain([(i, row[i])]).collect();
                let total = count(data, fixed, &[i], Some(class));
                m_estimate(count(data, &both, &[], Some(class)), total, DIMS[i])
            };
            score *= if sum < 1e-11 {
                given(&[])
            } else {
                weights.iter().map(|&(j, weight)| weight / sum * given(&[(j, row[j])])).sum()
            };
        }
        score
    };
    (0..rows::CLASSES).map(of_class).collect()
}

prop_compose! {
    fn case()(
        missing in prop_oneof![Just(0), 3..9_usize],
        unseen in any::<bool>(),
        row in [0..3_u16, 0..4_u16, 0..5_u16, 0..3_u16],
    ) -> (usize, bool, Vec<Code>) {
        (missing, unseen, rows::row(&row))
    }
}

proptest! {
    #[test]
    fn aode((missing, unseen, row) in case(), m in 0..70_usize) {
        let data = rows::data(missing, unseen);
        let ours = posterior(&Aode::default().with_minimum_frequency(m as u64), &data, &row);
        assert_proportional(&ours, &ensemble(&data, &row, m, |_| 1.0, laplace));
    }

    #[test]
    fn waode((missing, unseen, row) in case()) {
        let data = rows::data(missing, unseen);
        let weight = |i: usize| (0..DIMS[i]).map(|code| local_information(&data, i, code as Code)).sum();
        assert_proportional(&posterior(&Waode::default(), &data, &row), &ensemble(&data, &row, 0, weight, m_estimate));
    }

    #[test]
    fn mi_ode((missing, unseen, row) in case()) {
        let data = rows::data(missing, unseen);
        let weight = |i: usize| local_information(&data, i, row[i]);
        assert_proportional(&posterior(&MiOde::default(), &data, &row), &ensemble(&data, &row, 1, weight, m_estimate));
    }

    #[test]
    fn aodesr((missing, _, row) in case(), l in 0..60_u16, paper in any::<bool>()) {
        let data = with_implications(missing, true);
        let rule = if paper { SubsumptionRule::Paper } else { SubsumptionRule::Weka };
        let learner = Aodesr::default().with_subsumption(u64::from(l), rule);
        // A value that was never seen implies nothing, whatever l is.
        let more_than = if paper { f64::from(l) - 0.5 } else { f64::from(l) };
        let reduced = resolved(&data, &row, more_than.max(0.0));
        assert_proportional(&posterior(&learner, &data, &row), &ensemble(&data, &reduced, 1, |_| 1.0, m_estimate));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a2de((missing, unseen, row) in case(), m in 0..20_usize) {
        let data = rows::data(missing, unseen);
        let learner = A2de::default().with_minimum_frequency(m as u64);
        assert_proportional(&posterior(&learner, &data, &row), &two_dependence(&data, &row, m));
    }

    /// The branch nodes that are known and were seen; all super-parents where there is none.
    #[test]
    fn aode_sr_branch((missing, _, row) in case(), l in 1..40_u16) {
        let data = with_implications(missing, false);
        let learner = AodeSrBranch::default().with_frequency(u64::from(l));
        let branches = branch_nodes(&data);
        prop_assume!(branches.is_some());
        let branches = branches.unwrap();
        let left = resolved(&data, &row, f64::from(l) - 0.5);
        let seen: Vec<usize> =
            known(&row).into_iter().filter(|&i| count(&data, &[(i, row[i])], &[], None) > 0.0).collect();
        let chosen: Vec<usize> = seen.iter().copied().filter(|i| branches.contains(i)).collect();
        let parents = if chosen.is_empty() { seen } else { chosen };
        let mut scores = vec![0.0; rows::CLASSES];
        for i in &parents {
            let joint = estimator(&data, &row, &left, &[*i], m_estimate);
            scores.iter_mut().zip(joint).for_each(|(score, joint)| *score += joint);
        }
        if parents.is_empty() {
            scores = rows::naive_bayes(&data, &left, m_estimate);
        }
        assert_proportional(&posterior(&learner, &data, &row), &scores);
    }

    #[test]
    fn hnb((missing, unseen, row) in case()) {
        let data = rows::data(missing, unseen);
        assert_proportional(&posterior(&Hnb::default(), &data, &row), &hidden(&data, &row));
    }
}

/// No feature says anything about the class, so every weight is 0.
#[test]
fn weights_that_are_all_0_are_equal() {
    let schema = bnc_models::conformance::schema(&[2, 2], 2);
    let columns = vec![vec![0, 0, 1, 1, 0, 0, 1, 1], vec![0, 0, 0, 0, 1, 1, 1, 1]];
    let data = Dataset::new(schema, vec![0, 1, 0, 1, 0, 1, 0, 1], columns, None).unwrap();
    let aode = Aode::default().with_smoothing(bnc_models::Smoothing::M(1.0)).fit(&data).unwrap();
    let expected = aode.posteriors(&data).unwrap();
    assert_eq!(Waode::default().fit(&data).unwrap().posteriors(&data).unwrap(), expected);
    assert_eq!(MiOde::default().fit(&data).unwrap().posteriors(&data).unwrap(), expected);
}

/// a implies b implies c: only a is left. Of the twins c and d only c would be.
#[test]
fn chains_and_twins_are_resolved() {
    let schema = bnc_models::conformance::schema(&[2, 2, 2, 2], 2);
    let column = |ones: usize| (0..40).map(|row| u16::from(row < ones)).collect::<Vec<_>>();
    let class = (0..40).map(|row| u16::from(row % 3 == 0)).collect();
    let data =
        Dataset::new(schema, class, vec![column(10), column(20), column(30), column(30)], None).unwrap();
    let model = Aodesr::default().with_subsumption(10, SubsumptionRule::Paper).fit(&data).unwrap();
    let posterior = |row: [Code; 4]| {
        let mut posterior = vec![0.0; 2];
        model.posterior_into(&row, &mut posterior).unwrap();
        posterior
    };
    let none = MISSING;
    assert_eq!(posterior([1, 1, 1, 1]), posterior([1, none, none, none]));
    assert_eq!(posterior([none, none, 1, 1]), posterior([none, none, 1, none]));
    // Seen 10 times is not more than 10 times.
    let strict = Aodesr::default().with_subsumption(10, SubsumptionRule::Weka).fit(&data).unwrap();
    let mut by_strict = vec![0.0; 2];
    strict.posterior_into(&[1, none, 1, none], &mut by_strict).unwrap();
    assert_ne!(by_strict, posterior([1, none, 1, none]));
}
