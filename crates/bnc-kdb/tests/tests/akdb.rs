//! AKDB is the mean of its parts, and better than each on the mean of many sets.

use std::path::Path;

use bnc_eval::{CrossValidation, Folds, Metric, NamedLearner, Protocol, class_codes};
use bnc_kdb::{Akdb, Kdb, LocalKdb};
use bnc_models::bnc_data::{Frame, MissingPolicy, Preparation, ReadOptions, Silent, read};
use bnc_models::conformance::pattern;
use bnc_models::{Classifier, Learner, Smoothing};

#[test]
fn it_is_the_mean_of_its_parts() {
    let data = pattern(&[2, 3, 4, 2, 3], 3, 110, 6);
    for k in 0..4 {
        let smoothing = Smoothing::M(1.0);
        let akdb = Akdb::default().with_k(k).with_l(5).with_smoothing(smoothing).fit(&data).unwrap();
        let general = Kdb::default().with_k(k).with_smoothing(smoothing).fit(&data).unwrap();
        let local = LocalKdb::default().with_k(k).with_l(5).with_smoothing(smoothing).fit(&data).unwrap();
        let mean = (general.posteriors(&data).unwrap() + local.posteriors(&data).unwrap()) / 2.0;
        for (ours, expected) in akdb.posteriors(&data).unwrap().iter().zip(&mean) {
            assert!((ours - expected).abs() < 1e-12, "{ours} {expected}");
        }
    }
}

/// A set by its name in the table. The names of the animals and of the sequences are no features: nearly every row has one
/// of its own.
fn set(reference: &Path, name: &str) -> Frame {
    let drop = match name {
        "zoo" => vec!["animal".into()],
        "splice" => vec!["Instance_name".into()],
        _ => Vec::new(),
    };
    let path = reference.join("data/uci36").join(name.replace('.', "-")).with_extension("arff");
    read(&path, &ReadOptions { drop, ..ReadOptions::default() }, &Silent).unwrap().0
}

/// Mean zero-one losses of KDB, local KDB and AKDB over the sets of a table of an independent reproduction, in ten folds,
/// with ours beside it: other folds, so that only means can be compared.
fn against(reference: &Path, table: &str, k: usize, smoothing: Smoothing) {
    let path = reference.join("published/own_checks").join(table);
    let text = std::fs::read_to_string(path).unwrap();
    let mut lines =
        text.lines().filter(|line| !line.starts_with('#')).map(|line| line.split(',').collect::<Vec<_>>());
    let header = lines.next().unwrap();
    let columns = ["KDB", "LKDB", "AKDB"].map(|name| header.iter().position(|cell| *cell == name).unwrap());
    let kdb = Kdb::default().with_k(k).with_smoothing(smoothing);
    let local = LocalKdb::default().with_k(k).with_smoothing(smoothing);
    let akdb = Akdb::default().with_k(k).with_smoothing(smoothing);
    let learners: [NamedLearner<'_>; 3] = [("KDB", &kdb), ("LKDB", &local), ("AKDB", &akdb)];
    let preparation = Preparation { missing: MissingPolicy::Mode, ..Preparation::default() };
    let (mut ours, mut theirs, mut sets) = ([0.0; 3], [0.0; 3], 0.0);
    for cells in lines.filter(|cells| cells[0] != "MEAN") {
        let frame = set(reference, cells[0]);
        assert_eq!(frame.rows(), cells[1].parse::<usize>().unwrap(), "{}", cells[0]);
        let folds = Folds::stratified(class_codes(&frame).unwrap(), 10, 1, 1).unwrap();
        let evaluation = CrossValidation {
            frame: &frame,
            preparation,
            protocol: Protocol::Paper,
            learners: &learners,
            resampling: &folds,
        }
        .run(&Silent)
        .unwrap();
        for (place, column) in columns.into_iter().enumerate() {
            ours[place] += 1.0 - evaluation.learners[place].pooled[Metric::Accuracy].mean.unwrap();
            theirs[place] += cells[column].parse::<f64>().unwrap();
        }
        sets += 1.0;
    }
    assert!(sets > 20.0, "{sets} sets");
    let ours = ours.map(|sum| sum / sets);
    let theirs = theirs.map(|sum| sum / sets);
    println!("{table}: KDB, local KDB, AKDB over {sets} sets: ours {ours:.4?}, reproduction {theirs:.4?}");
    for (name, (ours, theirs)) in ["KDB", "LKDB", "AKDB"].iter().zip(ours.iter().zip(theirs)) {
        assert!((ours - theirs).abs() < 0.004, "{name}: {ours} {theirs}");
    }
    assert!(ours[2] < ours[0] && ours[2] < ours[1], "better than its parts: {ours:?}");
}

#[test]
fn akdb_is_better_than_its_parts_with_one_parent() {
    let Some(reference) = bnc_reference::folder("AKDB on 25 sets, k = 1") else { return };
    against(&reference, "ours_akdb_k1_m.csv", 1, Smoothing::M(1.0));
}

#[test]
fn akdb_is_better_than_its_parts_with_two_parents() {
    let Some(reference) = bnc_reference::folder("AKDB on 25 sets, k = 2") else { return };
    against(&reference, "ours_akdb_k2_laplace.csv", 2, Smoothing::Laplace);
}
