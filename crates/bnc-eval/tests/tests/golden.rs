//! Agreement with scikit-learn's metrics and WEKA's cross-validation.

use bnc_data::{Code, Preparation, Silent};
use bnc_eval::{Folds, Metric, class_codes, score};
use bnc_models::{AnyLearner, Classifier, Learner, Smoothing};
use bnc_reference::{Golden, discrete_set, folder, training_and_test};
use ndarray::Array2;

use crate::{Naive, cross_validation};

const LAPLACE: Naive = Naive(Smoothing::Laplace);

/// `metrics.tsv` names files of posteriors. Where such a file is absent, those of WEKA's naive Bayes are computed anew; the
/// rest are passed over.
#[test]
fn metrics_equal_those_of_scikit_learn() {
    let Some(reference) = folder("metrics of scikit-learn") else { return };
    let table = Golden::read(&reference.join("golden/metrics.tsv"));
    let mut compared = 0;
    for cells in &table.rows {
        let (file, rows) = (&cells[0], cells[1].parse().unwrap());
        let path = reference.join("golden").join(file);
        let (truth, posteriors) = match file.strip_suffix("/weka_nb.tsv") {
            _ if path.exists() => stored(&Golden::read(&path)),
            Some(set) => naive_bayes(&discrete_set(&reference, set), rows),
            None => continue,
        };
        assert_eq!(truth.len(), rows, "{file}");
        let metrics = score(&truth, &posteriors, None).unwrap().metrics;
        for (name, expected) in table.header.iter().zip(cells).skip(2) {
            let expected: f64 = expected.parse().unwrap();
            let found = metrics[metric(name)].unwrap();
            assert!((found - expected).abs() < 1e-9, "{file}, {name}: {found} instead of {expected}");
            compared += 1;
        }
    }
    assert_eq!(compared, 90, "six files of posteriors and three naive Bayes, ten metrics each");
}

fn metric(column: &str) -> Metric {
    let name = match column {
        "auc_ovo_macro" => "auc",
        "brier_sum" => "brier",
        "rmse_true" => "rmse",
        name => name,
    };
    Metric::ALL.into_iter().find(|metric| metric.name() == name).unwrap()
}

fn stored(golden: &Golden) -> (Vec<Code>, Array2<f64>) {
    let rows = golden.posteriors();
    let posteriors = Array2::from_shape_fn((rows.len(), rows[0].2.len()), |(row, class)| rows[row].2[class]);
    (rows.iter().map(|(_, class, _)| *class).collect(), posteriors)
}

/// The first test rows.
fn naive_bayes(frame: &bnc_data::Frame, rows: usize) -> (Vec<Code>, Array2<f64>) {
    let (training, test) = training_and_test(frame, Preparation::default());
    let test = test.select(&(0..rows).collect::<Vec<_>>());
    let posteriors = LAPLACE.fit(&training).unwrap().posteriors(&test).unwrap();
    (test.class().to_vec(), posteriors)
}

#[test]
fn naive_bayes_on_wekas_folds_equals_weka() {
    let Some(reference) = folder("WEKA's cross-validation") else { return };
    let table = std::fs::read_to_string(reference.join("golden/weka_cv36.csv")).unwrap();
    let mut lines = table.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let header = lines.next().unwrap();
    let learners: [(&str, &dyn AnyLearner); 1] = [("nb", &LAPLACE)];
    let mut sets = 0;
    for cells in lines {
        let cell = |name: &str| cells[header.iter().position(|column| *column == name).unwrap()];
        if cell("learner") != "nb" {
            continue;
        }
        let set = cell("set");
        let frame = discrete_set(&reference, set);
        let file = format!("{set}.txt");
        let text = std::fs::read_to_string(reference.join("golden/folds").join(&file)).unwrap();
        let folds = Folds::parse(&text, &file, class_codes(&frame).unwrap()).unwrap();
        let evaluation = cross_validation(&frame, &learners, &folds).run(&Silent).unwrap();
        let result = &evaluation.learners[0];
        let pooled = |metric| result.pooled[metric].mean.unwrap();
        let of_folds = |metric| result.summary[metric].mean.unwrap();
        for (name, found) in [
            ("acc", pooled(Metric::Accuracy)),
            ("acc_foldmean", of_folds(Metric::Accuracy)),
            ("acc_sd", result.pooled[Metric::Accuracy].sd.unwrap()),
            ("auc_handtill", pooled(Metric::Auc)),
            ("auc_ovr_weighted", pooled(Metric::AucOvrWeighted)),
            ("auc_handtill_foldmean", of_folds(Metric::Auc)),
            ("auc_ovr_weighted_foldmean", of_folds(Metric::AucOvrWeighted)),
            ("rmse_true_class", pooled(Metric::Rmse)),
            ("logloss_bits", pooled(Metric::LogLoss) / std::f64::consts::LN_2),
        ] {
            let expected: f64 = cell(name).parse().unwrap();
            let tolerance = match (name, set) {
                // Ranks of probabilities that differ by rounding alone, as near 1 or between equal products.
                (name, "balance-scale" | "ionosphere") if name.starts_with("auc") => 2e-4,
                // There probabilities below 1e-15 were raised to it.
                ("logloss_bits", "audiology" | "ionosphere") => 0.15,
                _ => 1e-6,
            };
            assert!((found - expected).abs() < tolerance, "{set}, {name}: {found} instead of {expected}");
        }
        sets += 1;
    }
    assert_eq!(sets, 36);
}
