//! Information measures: identities, and the values of another tool.

use approx::assert_relative_eq;
use bnc_data::{Code, Dataset, Preparation};
use bnc_models::conformance::schema;
use bnc_reference::{Golden, SETS};
use bnc_stats::{
    Counter, NEGLIGIBLE, Vars, conditional_mutual_information, local_conditional_mutual_information,
    local_mutual_information, mutual_information, to_bits,
};
use proptest::prelude::*;

fn data(rows: &[(Code, Code, Code)]) -> Dataset {
    Dataset::new(
        schema(&[3, 4], 3),
        rows.iter().map(|row| row.2).collect(),
        vec![rows.iter().map(|row| row.0).collect(), rows.iter().map(|row| row.1).collect()],
        None,
    )
    .unwrap()
}

/// The entropies of the definition, straight from the rows.
fn entropy(rows: &[(Code, Code, Code)], key: impl Fn(&(Code, Code, Code)) -> (Code, Code, Code)) -> f64 {
    let mut counts = std::collections::BTreeMap::new();
    for row in rows {
        *counts.entry(key(row)).or_insert(0.0) += 1.0;
    }
    let total = rows.len() as f64;
    counts.values().map(|count| -count / total * (count / total).ln()).sum()
}

proptest! {
    #[test]
    fn local_values_sum_to_the_whole(rows in prop::collection::vec((0..3_u16, 0..4_u16, 0..3_u16), 1..80)) {
        let data = data(&rows);
        let tables = data.count(&[Vars::new([0]), Vars::new([1]), Vars::new([0, 1])]).unwrap();
        for table in &tables[..2] {
            let local = local_mutual_information(table);
            prop_assert!(local.iter().all(|value| *value >= -NEGLIGIBLE));
            prop_assert!((local.iter().sum::<f64>() - mutual_information(table)).abs() < 1e-11);
        }
        let local = local_conditional_mutual_information(&tables[2]);
        let whole = conditional_mutual_information(&tables[2]);
        prop_assert!((local.iter().sum::<f64>() - whole).abs() < 1e-11);
        prop_assert!(whole >= 0.0);
        let i_xy = entropy(&rows, |r| (r.0, 0, 0)) + entropy(&rows, |r| (0, 0, r.2)) - entropy(&rows, |r| (r.0, 0, r.2));
        prop_assert!((mutual_information(&tables[0]) - i_xy).abs() < 1e-9);
        let conditional = entropy(&rows, |r| (r.0, 0, r.2)) + entropy(&rows, |r| (0, r.1, r.2))
            - entropy(&rows, |r| *r) - entropy(&rows, |r| (0, 0, r.2));
        prop_assert!((whole - conditional).abs() < 1e-9);
    }
}

#[test]
fn one_bit() {
    let rows = [(0, 0, 0), (0, 1, 0), (1, 0, 1), (1, 1, 1)];
    let table = &data(&rows).count(&[Vars::new([0])]).unwrap()[0];
    assert_relative_eq!(to_bits(mutual_information(table)), 1.0, epsilon = 1e-15);
    let pair = &data(&rows).count(&[Vars::new([0, 1])]).unwrap()[0];
    assert_eq!(conditional_mutual_information(pair).to_bits(), 0.0_f64.to_bits());
}

#[test]
fn equal_to_bnclassify() {
    let Some(reference) = bnc_reference::folder("information measures against bnclassify") else {
        return;
    };
    for set in SETS {
        let golden = Golden::read(&reference.join(format!("golden/{set}/bnclassify_cmi.tsv")));
        let frame = bnc_reference::discrete_set(&reference, set);
        let (training, _) = bnc_reference::training_and_test(&frame, Preparation::default());
        assert!(!golden.rows.is_empty());
        for row in &golden.rows {
            let i: usize = row[0].parse().unwrap();
            let expected: f64 = row[2].parse().unwrap();
            let ours = match row[1].parse::<usize>() {
                Ok(j) => conditional_mutual_information(&training.count(&[Vars::new([i, j])]).unwrap()[0]),
                Err(_) => mutual_information(&training.count(&[Vars::new([i])]).unwrap()[0]),
            };
            assert_relative_eq!(ours, expected, epsilon = 1e-12, max_relative = 1e-9);
        }
    }
}
