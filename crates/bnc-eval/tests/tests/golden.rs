//! Agreement with scikit-learn.

use std::path::PathBuf;

use approx::assert_abs_diff_eq;
use bnc_data::Code;
use bnc_eval::{Metric, score};
use ndarray::Array2;

/// `metrics.tsv` names files of posteriors; those that are not in the reference folder are passed over.
#[test]
fn metrics_equal_those_of_scikit_learn() {
    let Some(folder) = std::env::var_os("BNC_REFERENCE").map(|folder| PathBuf::from(folder).join("golden"))
    else {
        println!("skipped: BNC_REFERENCE does not name the folder with the reference values");
        return;
    };
    let table = std::fs::read_to_string(folder.join("metrics.tsv")).unwrap();
    let mut lines = table.lines().filter(|line| !line.starts_with('#'));
    let names: Vec<Metric> = lines.next().unwrap().split('\t').skip(2).map(metric).collect();
    let mut compared = 0;
    for line in lines {
        let mut cells = line.split('\t');
        let file = cells.next().unwrap();
        let Ok(text) = std::fs::read_to_string(folder.join(file)) else {
            println!("skipped: {file} is not in the reference folder");
            continue;
        };
        let (truth, posteriors) = predictions(&text);
        assert_eq!(truth.len().to_string(), cells.next().unwrap());
        let metrics = score(&truth, &posteriors, None).unwrap().metrics;
        for (&metric, expected) in names.iter().zip(cells) {
            let expected: f64 = expected.parse().unwrap();
            // Half a unit of the last digit printed, and the rounding of the posteriors.
            assert_abs_diff_eq!(metrics[metric].unwrap(), expected, epsilon = 1e-9);
            compared += 1;
        }
    }
    assert!(compared >= 60, "only {compared} values were compared");
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

/// The true classes and the posteriors of a file.
fn predictions(text: &str) -> (Vec<Code>, Array2<f64>) {
    let rows: Vec<Vec<&str>> = text
        .lines()
        .filter(|line| line.starts_with(|first: char| first.is_ascii_digit()))
        .map(|line| line.split('\t').collect())
        .collect();
    let truth = rows.iter().map(|row| row[1].parse().unwrap()).collect();
    let classes = rows[0].len() - 2;
    let posteriors =
        Array2::from_shape_fn((rows.len(), classes), |(row, class)| rows[row][2 + class].parse().unwrap());
    (truth, posteriors)
}
