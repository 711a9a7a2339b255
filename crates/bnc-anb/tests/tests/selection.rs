//! Which features are selected, and what becomes of the others.

use bnc_anb::{Anb, FsAnb, Gbn, Manb, Search};
use bnc_models::bnc_data::{Code, Dataset};
use bnc_models::bnc_structure::Family;
use bnc_models::{Classifier, Learner, conformance};

use crate::pathology::random_bits;

/// Two features that tell about the class, one that tells about nothing, two whose difference is the class.
fn rows() -> Dataset {
    let mut bits = random_bits();
    let mut column = || bits.by_ref().take(400).collect::<Vec<Code>>();
    let (class, noise, other_noise, third, fourth) = (column(), column(), column(), column(), column());
    let (more, again) = (column(), column());
    // Wrong in one row of four.
    let copy = |noise: &[Code], more: &[Code]| -> Vec<Code> {
        class.iter().zip(noise).zip(more).map(|((y, a), b)| y ^ (a & b)).collect()
    };
    let difference = class.iter().zip(&fourth).map(|(y, x)| y ^ x).collect();
    let columns = vec![copy(&noise, &more), copy(&other_noise, &again), third, fourth, difference];
    Dataset::new(conformance::schema(&[2; 5], 2), class, columns, None).unwrap()
}

fn alone() -> Family {
    Family::default()
}

#[test]
fn a_marginal_test_drops_what_tells_only_together() {
    let data = rows();
    let model = FsAnb::default().fit(&data).unwrap();
    let families = model.structure().features();
    assert!(families[0].class && families[1].class);
    assert_eq!(families[2..], [alone(), alone(), alone()]);
    // What was dropped says nothing, whatever its value.
    let posterior = |row: &[Code]| {
        let mut posterior = vec![0.0; 2];
        model.posterior_into(row, &mut posterior).unwrap();
        posterior
    };
    let pairs = posterior(&[1, 1, 0, 0, 0]).into_iter().zip(posterior(&[1, 1, 1, 1, 1]));
    assert!(pairs.into_iter().all(|(a, b)| (a - b).abs() < 1e-15));
}

#[test]
fn the_markov_blanket_keeps_what_tells_together() {
    let data = rows();
    let general = Gbn::default().fit(&data).unwrap();
    let model = Manb::default().fit(&data).unwrap();
    let families = model.structure().features();
    assert!(families[3].class && families[4].class, "{families:?}");
    assert_eq!(families[2], alone());
    // Over the blanket it is the exact augmented naive Bayes.
    let kept: Vec<usize> = (0..5).filter(|&feature| families[feature].class).collect();
    let columns = kept.iter().map(|&feature| data.features()[feature].clone()).collect();
    let schema = conformance::schema(&vec![2; kept.len()], 2);
    let part = Dataset::new(schema, data.class().to_vec(), columns, None).unwrap();
    let exact = Anb::new(Search::default()).fit(&part).unwrap();
    let total = |structure: &bnc_models::bnc_structure::Structure| structure.arcs().count();
    assert_eq!(total(model.structure()), total(exact.structure()));
    assert!(general.score().unwrap().total >= model.score().unwrap().total - 1e-9);
}

#[test]
fn without_a_feature_that_tells_the_most_frequent_class_is_predicted() {
    let class: Vec<Code> = (0..60).map(|row| u16::from(row % 3 == 0)).collect();
    let columns = vec![(0..60).map(|row| row / 3 % 2).collect(); 2];
    let data = Dataset::new(conformance::schema(&[2, 2], 2), class, columns, None).unwrap();
    for model in [FsAnb::default().fit(&data).unwrap(), Manb::default().fit(&data).unwrap()] {
        assert_eq!(model.structure().features(), [alone(), model.structure().features()[1].clone()]);
        for row in [[0, 0], [0, 1], [1, 0], [1, 1]] {
            assert_eq!(model.predict(&row).unwrap(), 0);
        }
    }
}
