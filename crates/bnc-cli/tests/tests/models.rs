//! Model files and `bnc show`.

use bnc_models::{Model, NETWORK_LOADER, StructureScore};
use serde_json::Value;

use crate::support::{Folder, LEARNERS, assert_near, numbers};

#[test]
fn damaged_files_are_refused() {
    let folder = Folder::with_t1();
    for learner in LEARNERS {
        let model = folder.train(learner, "t1.csv");
        let bytes = folder.bytes(&model);
        for at in (0..bytes.len()).step_by(7) {
            let mut flipped = bytes.clone();
            flipped[at] ^= 0x10;
            folder.write("bad.bnc", &flipped);
            let error = folder.error(1, "predict bad.bnc t1.csv");
            assert!(error.starts_with("bad.bnc: "), "{error}");
        }
        for length in [0, 7, 20, 47, bytes.len() / 2, bytes.len() - 1] {
            folder.write("bad.bnc", &bytes[..length]);
            folder.error(1, "show bad.bnc");
        }
    }
    let error = folder.error(1, "show t1.csv");
    assert_eq!(
        error,
        "t1.csv: not a bnc file (its first bytes are not the signature); models are written by `bnc train`"
    );
}

#[test]
fn writing_leaves_no_other_files() {
    let folder = Folder::with_t1();
    folder.train("nb", "t1.csv");
    folder.ok("predict nb.bnc t1.csv -o out.csv");
    folder.error(1, "predict nb.bnc nowhere.csv -o none.csv");
    assert_eq!(folder.names(), ["nb.bnc", "out.csv", "t1.csv"]);
    let error = folder.error(1, "train t1.csv --learner nb -o no/such/folder/m.bnc");
    assert!(error.starts_with("no/such/folder/m.bnc: "), "{error}");
}

#[test]
fn a_failed_run_leaves_the_old_file() {
    let folder = Folder::with_t1();
    folder.train("nb", "t1.csv");
    folder.ok("predict nb.bnc t1.csv -o out.csv");
    let before = folder.bytes("out.csv");
    folder.write("new.csv", "a,b\nx,p\nz,p\n");
    folder.error(1, "predict nb.bnc new.csv --strict -o out.csv");
    assert_eq!(folder.bytes("out.csv"), before);
}

#[test]
fn text_shows_structure_and_tables() {
    let folder = Folder::with_t1();
    folder.train("nb", "t1.csv");
    let text = folder.ok("show nb.bnc").out;
    for part in [
        "Naive Bayes (nb)",
        "missing cells: left out (ignore)",
        "The class 'class' is a parent of every feature.\nThere are no arcs between features.",
        "P(class)",
        "P(a | class)",
        "no     0.2000  0.8000",
        "yes    0.8000  0.2000",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    folder.train("tan", "t1.csv");
    let text = folder.ok("show tan.bnc").out;
    assert!(text.contains("  a\n  └─ b\n") && text.contains("P(b | a, class)"), "{text}");
    let text = folder.ok("show tan.bnc --feature b").out;
    assert!(text.starts_with("b: 2 values") && !text.contains("P(a | class)"), "{text}");
    folder.train("aode", "t1.csv");
    let text = folder.ok("show aode.bnc").out;
    assert!(text.contains("An ensemble of 2 estimators") && text.contains("x ×3, y ×3"), "{text}");
    assert!(folder.ok("show aode.bnc --feature b").out.contains("As a super-parent:"));
    let error = folder.error(2, "show nb.bnc --feature aa");
    assert_eq!(error, "--feature aa: the model's features are: a, b; did you mean 'a'?");
}

#[test]
fn large_tables_are_shown_when_asked_for() {
    let folder = Folder::new();
    folder.ok("train builtin:led-24:rows=500 --learner tan -o m.bnc");
    let short = folder.ok("show m.bnc").out;
    assert!(
        short.contains("probabilities are not shown: --feature NAME shows one, --tables all."),
        "{short}"
    );
    let long = folder.ok("show m.bnc --tables").out;
    assert_eq!(long.matches("\nP(").count(), 25);
}

#[test]
fn json_holds_probabilities_that_sum_to_one() {
    let folder = Folder::with_t1();
    folder.train("tan", "t1.csv");
    let document = folder.json("show tan.bnc --format json");
    assert_eq!(document["learner"], "tan");
    assert_near(&numbers(&document["tables"]["class"]["probabilities"]), &[0.5, 0.5], 1e-12);
    let b = &document["tables"]["features"][1];
    assert_eq!(b["axes"], serde_json::json!(["a", "b", "class"]));
    assert_eq!(b["shape"], serde_json::json!([2, 2, 2]));
    let p = numbers(&b["probabilities"]);
    for a in 0..2 {
        for class in 0..2 {
            assert!((p[a * 4 + class] + p[a * 4 + 2 + class] - 1.0).abs() < 1e-12);
        }
    }
    folder.train("aode", "t1.csv");
    let document = folder.json("show aode.bnc --format json");
    assert!(document["tables"].is_null());
    assert_eq!(document["members"][1]["super_parents"][0], "b");
    assert_eq!(document["members"][1]["frequencies"], serde_json::json!([4, 2]));
}

/// The last of 24 features has so many parents that its table holds what was observed only.
#[test]
fn tables_of_what_was_observed_are_shown() {
    let folder = Folder::new();
    folder.ok("train builtin:led-24:rows=40 --learner kdb:k=22 -o m.bnc");
    let document = folder.json("show m.bnc --format json");
    assert!(document["score"].is_null());
    let tables = document["tables"]["features"].as_array().unwrap();
    let (observed, dense): (Vec<&Value>, Vec<&Value>) =
        tables.iter().partition(|table| table.get("configurations").is_some());
    assert!(!observed.is_empty() && !dense.is_empty());
    assert!(dense.iter().all(|table| table.get("otherwise").is_none()));
    for table in observed {
        let configurations = table["configurations"].as_array().unwrap();
        assert!((1..=40).contains(&configurations.len()));
        let axes = table["axes"].as_array().unwrap().len();
        assert!(configurations.iter().all(|codes| codes.as_array().unwrap().len() == axes - 2));
        assert_near(&numbers(&table["otherwise"]), &[0.5; 20], 1e-12);
        let p = numbers(&table["probabilities"]);
        assert_eq!(p.len(), configurations.len() * 20);
        for block in p.chunks_exact(20) {
            (0..10).for_each(|class| assert!((block[class] + block[10 + class] - 1.0).abs() < 1e-12));
        }
    }
    let name =
        tables.iter().find(|table| table.get("configurations").is_some()).unwrap()["of"].as_str().unwrap();
    let text = folder.ok(&format!("show m.bnc --feature {name}")).out;
    assert!(text.contains("of the parents' values that were observed, and of all others (*)"), "{text}");
    let others = text.lines().filter(|line| line.starts_with("*  "));
    let others: Vec<Vec<&str>> = others.map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(others.len(), 10, "a line a class\n{text}");
    assert!(others.iter().all(|line| line.ends_with(&["0.5000"; 2])), "{text}");
}

#[test]
fn the_score_of_a_structure_is_shown() {
    let folder = Folder::with_t1();
    let model = Model::read(&folder.path(&folder.train("nb", "t1.csv")), &[NETWORK_LOADER]).unwrap();
    let score = |equivalent_sample_size, optima| StructureScore {
        name: "bdeu".into(),
        equivalent_sample_size,
        rows: 80,
        features: -1_866.783_25,
        total: -1982.105,
        optima,
    };
    let shown = |score| {
        let network = model.classifier().network().unwrap().clone().with_score(score);
        let model = Model::new("nb", model.encoder().clone(), Box::new(network)).unwrap();
        model.write(&folder.path("m.bnc")).unwrap();
        folder.ok("show m.bnc").out
    };
    let text = shown(score(None, None));
    assert!(text.contains(
        "\nscore: bdeu of 80 rows, features -1866.783, with the class -1982.105 (natural logs, greater is better)\n"
    ));
    let text = shown(score(None, Some(1)));
    assert!(text.contains("better); no other structure reaches it\n"), "{text}");
    let text = shown(score(Some(1.0), Some(12)));
    assert!(
        text.contains("\nscore: bdeu (equivalent sample size 1) of 80 rows, features -1866.783, with"),
        "{text}"
    );
    assert!(text.contains("better); 12 structures reach it\n"), "{text}");
    let expected = serde_json::json!({
        "name": "bdeu", "equivalent_sample_size": 1.0, "rows": 80, "features": -1_866.783_25, "total": -1982.105, "optima": 12
    });
    assert_eq!(folder.json("show m.bnc --format json")["score"], expected);
}

#[test]
fn columns_must_be_there() {
    let folder = Folder::with_t1();
    folder.train("nb", "t1.csv");
    folder.write("less.csv", "a,c\nx,1\n");
    let error = folder.error(1, "predict nb.bnc less.csv");
    assert_eq!(error, "no column 'b'; there are: a, c");
    let error = folder.error(2, "predict nb.bnc t1.csv --class a");
    assert!(error.starts_with("--class a: the class of this model is 'class'"), "{error}");
    let error = folder.error(2, "predict nb.bnc t1.csv --numeric a");
    assert!(error.starts_with("--numeric a: the column was not numeric"), "{error}");
    folder.ok("predict nb.bnc t1.csv --class class --nominal a");
}

#[test]
fn a_word_where_a_number_was_is_an_error() {
    let folder = Folder::new();
    let rows: String = (1..=8).map(|x| format!("{x},{}\n", x / 5)).collect();
    folder.write("n.csv", format!("x,class\n{rows}"));
    folder.train("nb", "n.csv");
    folder.write("bad.csv", "x\n1\ntall\n");
    let error = folder.error(1, "predict nb.bnc bad.csv");
    assert!(error.contains("bad.csv, line 3, column 'x'") && error.contains("'tall'"), "{error}");
}
