//! The program beside WEKA, on the sets and folds of the reference data.

use std::collections::BTreeMap;

use crate::support::Folder;

/// Accuracy of WEKA, mean of the folds, by set and learner.
fn weka(reference: &std::path::Path) -> BTreeMap<(String, String), f64> {
    let mut table = csv::Reader::from_path(reference.join("golden/weka_cv36.csv")).unwrap();
    let header = table.headers().unwrap().clone();
    let column = |name: &str| header.iter().position(|cell| cell == name).unwrap();
    let (set, learner, accuracy) = (column("set"), column("learner"), column("acc_foldmean"));
    let entry = |row: csv::StringRecord| {
        ((row[set].to_string(), row[learner].to_string()), row[accuracy].parse().unwrap())
    };
    table.records().map(|row| entry(row.unwrap())).collect()
}

#[test]
fn the_accuracy_of_naive_bayes_and_aode_is_that_of_weka_on_all_36_sets() {
    let Some(reference) = bnc_reference::folder("cross-validation beside WEKA on 36 sets") else { return };
    let weka = weka(&reference);
    let sets: Vec<&String> = weka.keys().filter(|key| key.1 == "nb").map(|key| &key.0).collect();
    assert_eq!(sets.len(), 36);
    let folder = Folder::new();
    let mut means = BTreeMap::<String, (f64, f64)>::new();
    for set in sets {
        let path = |kind: &str, name: String| reference.join(kind).join(name).display().to_string();
        let document = folder.json(&format!(
            "evaluate {} --fold-file {} --learner nb --learner aode --json",
            path("data/uci36-discrete", format!("{set}.arff")),
            path("golden/folds", format!("{set}.txt")),
        ));
        for result in document["results"].as_array().unwrap() {
            let learner = result["learner"].as_str().unwrap();
            let ours = result["accuracy"]["mean"].as_f64().unwrap();
            let theirs = weka[&(set.clone(), learner.to_string())];
            // WEKA's figures have six digits.
            assert!((ours - theirs).abs() < 2e-6, "{set} {learner}: {ours} {theirs}");
            let mean = means.entry(learner.into()).or_default();
            *mean = (mean.0 + ours / 36.0, mean.1 + theirs / 36.0);
        }
    }
    assert_eq!(means.len(), 2);
    for (learner, (ours, theirs)) in means {
        assert!((ours - theirs).abs() < 1e-6, "{learner}: {ours} {theirs}");
    }
}
