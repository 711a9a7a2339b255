//! Model files and `bnc show`.

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
