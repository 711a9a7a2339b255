//! Numbers cut into intervals, as the program shows them.

use std::fmt::Write;

use crate::support::{Folder, assert_near, numbers};

/// The cut points of the only feature.
fn cuts(folder: &Folder, arguments: &str) -> Vec<f64> {
    folder.ok(&format!("train {arguments} --learner nb -o cuts.bnc"));
    let document = folder.json("show cuts.bnc --format json");
    numbers(&document["features"][0]["cuts"])
}

#[test]
fn r60_a_cut_belongs_to_the_left() {
    let folder = Folder::new();
    let rows: String = (1..=8).map(|x| format!("{x},{}\n", if x < 5 { "n" } else { "y" })).collect();
    folder.write("eight.csv", format!("x,class\n{rows}"));
    assert_eq!(cuts(&folder, "eight.csv"), [4.5]);
    let posteriors = folder.posteriors("cuts.bnc", "x\n4.5\n4.4\n4.6\n");
    assert_near(&posteriors[0], &posteriors[1], 0.0);
    assert_near(&posteriors[0], &[5.0 / 6.0, 1.0 / 6.0], 1e-12);
    assert_near(&posteriors[2], &[1.0 / 6.0, 5.0 / 6.0], 1e-12);
    let run = folder.ok("train eight.csv --learner nb -o m.bnc");
    assert!(run.err.contains("numbers cut into intervals: x 2"), "{}", run.err);
    assert!(run.out.contains("numbers    1 feature cut into 2 intervals by mdl"), "{}", run.out);
}

#[test]
fn r61_nothing_to_cut() {
    let folder = Folder::new();
    folder.write(
        "flat.csv",
        "x,k,class\n1,7,n\n1,7,n\n1,7,n\n2,7,n\n2,7,y\n2,7,y\n3,7,n\n3,7,n\n3,7,y\n3,7,y\n",
    );
    let run = folder.ok("train flat.csv --learner nb -o m.bnc");
    assert!(
        run.err.contains("numbers with nothing to cut (one interval, so they change nothing): x, k"),
        "{}",
        run.err
    );
    let document = folder.json("show m.bnc --format json");
    assert_eq!(document["features"].as_array().unwrap().len(), 2);
    let posteriors = folder.posteriors("m.bnc", "x,k\n1,7\n99,-4\n?,?\n");
    assert_near(&posteriors.concat(), &[7.0 / 12.0, 5.0 / 12.0].repeat(3), 1e-12);
}

#[test]
fn r62_skewed_numbers() {
    let folder = Folder::new();
    let column = |numbers: &[i32]| {
        let rows = numbers.iter().enumerate().map(|(row, number)| format!("{number},{}\n", row % 2));
        format!("x,class\n{}", rows.collect::<String>())
    };
    folder.write("skewed.csv", column(&[0, 0, 0, 0, 0, 0, 0, 0, 1, 2]));
    folder.write("two.csv", column(&[-1, -1, 1, 1]));
    let skewed = cuts(&folder, "skewed.csv --discretize frequency:3");
    assert!(!skewed.is_empty() && skewed.windows(2).all(|pair| pair[0] < pair[1]), "{skewed:?}");
    assert!(skewed[0] > 0.0 && skewed[0] < 1.0, "{skewed:?}");
    assert_eq!(cuts(&folder, "two.csv --discretize frequency:3"), [0.0]);
    let run = folder.ok("train two.csv --discretize frequency:3 --learner nb -o m.bnc");
    assert!(run.out.contains("numbers    1 feature cut into 2 intervals by frequency:3"), "{}", run.out);
}

#[test]
fn r70_cuts_are_learnt_from_training_rows() {
    let folder = Folder::new();
    let mut state = 7_u64;
    let mut random = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 40
    };
    let mut text: String = (0..200).map(|column| format!("x{column},")).collect();
    text.push_str("class\n");
    for row in 0..40 {
        for _ in 0..200 {
            write!(text, "{}.5,", random()).unwrap();
        }
        writeln!(text, "c{}", (row / 7 + random() as usize) % 2).unwrap();
    }
    folder.write("noise.csv", text);
    let document = folder.json("evaluate noise.csv --learner nb --repeats 5 --json");
    let honest = document["results"][0]["accuracy"]["mean"].as_f64().unwrap();
    assert!((0.3..=0.7).contains(&honest), "{honest}");
    assert_eq!(document["protocol"], "honest");
    let paper = folder.ok("evaluate noise.csv --learner nb --repeats 5 --protocol paper --json");
    assert!(
        paper.err.contains("warning: --protocol paper") && paper.err.contains("flatters"),
        "{}",
        paper.err
    );
    let run = folder.ok("discretize noise.csv -o coded.csv");
    assert!(run.err.contains("warning: coded.csv must not be cross-validated"), "{}", run.err);
    let run = folder.ok("discretize noise.csv --discretize none -o labels.csv");
    assert!(!run.err.contains("cross-validated"), "nothing was cut: {}", run.err);
}

#[test]
fn coded_files_are_read_again() {
    let folder = Folder::new();
    folder.write(
        "mixed.csv",
        "x,colour,class\n1,red,n\n2,\"a, b\",n\n3,red,n\n4,?,n\n5,red,y\n6,blue,y\n7,red,y\n8,red,y\n",
    );
    folder.ok("discretize mixed.csv -o coded.csv");
    let coded = folder.read("coded.csv");
    assert!(
        coded.starts_with("x,colour,class\n\"(-inf, 4.5]\",red,n\n\"(-inf, 4.5]\",\"a, b\",n\n"),
        "{coded}"
    );
    assert!(coded.contains("\"(-inf, 4.5]\",?,n\n"), "{coded}");
    folder.ok("discretize mixed.csv -o coded.arff");
    let describe = |file: &str| {
        let mut document = folder.json(&format!("describe {file} --json"));
        document["data"] = "".into();
        document
    };
    assert_eq!(describe("coded.csv")["columns"][0]["values"].as_array().unwrap().len(), 2);
    assert_eq!(describe("coded.arff")["columns"][1]["missing"], 1);
    let labels = describe("coded.arff");
    let labels: Vec<&str> = labels["columns"][0]["values"]
        .as_array()
        .unwrap()
        .iter()
        .map(|value| value["label"].as_str().unwrap())
        .collect();
    assert_eq!(labels, ["(-inf, 4.5]", "(4.5, inf)"]);
}

#[test]
fn numbers_as_labels() {
    let folder = Folder::new();
    folder.write("n.csv", "x,class\n10,a\n9,b\n10,a\n");
    folder.ok("train n.csv --discretize none --learner nb -o m.bnc");
    let document = folder.json("show m.bnc --format json");
    assert_eq!(document["features"][0]["values"], serde_json::json!(["9", "10"]));
    folder.ok("train n.csv --nominal x --learner nb -o same.bnc");
    assert_eq!(folder.bytes("m.bnc"), folder.bytes("same.bnc"));
    folder.ok("train builtin:balance-scale --discretize none --learner nb -o scale.bnc");
    let document = folder.json("show scale.bnc --format json");
    assert_eq!(document["features"][0]["values"], serde_json::json!(["1", "2", "3", "4", "5"]));
}

#[test]
fn policies_for_missing_cells() {
    let folder = Folder::new();
    folder.write("m.csv", "a,x,class\nu,1,n\n?,2,n\nu,?,y\nv,4,y\n");
    let values = |policy: &str| {
        folder.ok(&format!("train m.csv --missing {policy} --learner nb -o m.bnc"));
        folder.json("show m.bnc --format json")["features"][0]["values"].to_string()
    };
    assert_eq!(values("ignore"), "[\"u\",\"v\"]");
    assert_eq!(values("value"), "[\"u\",\"v\",\"?\"]");
    assert_eq!(values("mode"), "[\"u\",\"v\"]");
    let error = folder.error(1, "train m.csv --missing reject --learner nb -o m.bnc");
    assert!(error.contains("m.csv, line 3, column 'a'"), "{error}");
}
