//! Values, missing cells, classes: what users have reported of other tools.

use std::fmt::Write;

use crate::support::{Folder, LEARNERS, T1, T2, assert_near, numbers, strings};

/// NB, TAN and AODE with one smoothing, so that they agree where their formulas do.
const LAPLACE: [&str; 3] = ["nb", "tan:smoothing=laplace", "aode"];

#[test]
fn r01_unseen_category() {
    let folder = Folder::with_t1();
    folder.train("nb", "t1.csv");
    folder.write("new.csv", "a,b\nz,p\nx,p\nz,w\n");
    let run = folder.ok("predict nb.bnc new.csv");
    let posteriors = crate::support::posteriors(&run.out);
    assert_near(&posteriors.concat(), &[0.5, 0.5, 0.2, 0.8, 0.5, 0.5], 1e-12);
    assert_eq!(run.err.matches("warning:").count(), 1);
    assert!(
        run.err.contains(
            "2 cells of 'a' (first 'z' in new.csv, line 2), 1 cell of 'b' (first 'w' in new.csv, line 4)"
        ),
        "{}",
        run.err
    );
    let error = folder.error(1, "predict nb.bnc new.csv --strict");
    assert!(error.starts_with("new.csv, line 2, column 'a': value 'z' of row 1 is not among"), "{error}");
    assert!(error.contains(": x, y;"), "{error}");
    folder.error(1, "predict nb.bnc new.csv --strict -o out.csv");
    assert!(!folder.path("out.csv").exists());
    folder.write("known.csv", "a,b\nx,?\n");
    folder.ok("predict nb.bnc known.csv --strict");
}

#[test]
fn r02_fold_that_lacks_a_value() {
    let folder = Folder::new();
    folder.write("t1w.csv", format!("{T1}w,p,no\n"));
    let document = folder.json("evaluate t1w.csv --folds 7 --json");
    for result in document["results"].as_array().unwrap() {
        let confusion = result["confusion"].as_array().unwrap();
        let predictions: f64 = confusion.iter().flat_map(numbers).sum();
        assert_eq!(predictions, 7.0);
        assert_eq!(result["accuracy"]["n"], 7);
    }
}

#[test]
fn r03_declared_domain_larger_than_the_data() {
    let folder = Folder::new();
    let rows = T1.split_once('\n').unwrap().1;
    folder.write(
        "t1.arff",
        format!("@relation t\n@attribute a {{x,y,z}}\n@attribute b {{p,q}}\n@attribute class {{no,yes}}\n@data\n{rows}"),
    );
    folder.train("tan:smoothing=laplace", "t1.arff");
    let document = folder.json("show tan.bnc --format json");
    let table = &document["tables"]["features"][0];
    assert_eq!(table["of"], "a");
    assert_eq!(table["shape"], serde_json::json!([3, 2]));
    let probabilities = numbers(&table["probabilities"]);
    assert_near(&probabilities, &[1.0 / 6.0, 4.0 / 6.0, 4.0 / 6.0, 1.0 / 6.0, 1.0 / 6.0, 1.0 / 6.0], 1e-12);
}

#[test]
fn r04_value_outside_the_declared_list() {
    let folder = Folder::new();
    folder
        .write("t.arff", "@relation t\n@attribute a {x,y}\n@attribute class {no,yes}\n@data\nx,yes\nz,no\n");
    let error = folder.error(1, "train t.arff --learner nb -o m.bnc");
    for part in ["t.arff", "line 6", "'a'", "'z'", "x", "y"] {
        assert!(error.contains(part), "{part}: {error}");
    }
    assert_eq!(folder.names(), ["t.arff"]);
}

#[test]
fn r09_one_class_only() {
    let folder = Folder::new();
    folder.write("yes.csv", "a,b,n,class\nx,p,1,yes\nx,q,2.5,yes\nx,p,3,yes\n");
    for learner in LEARNERS {
        let model = folder.train(learner, "yes.csv");
        let run = folder.ok(&format!("predict {model} yes.csv"));
        assert_eq!(run.out, "row,predicted,P(yes)\n1,yes,1.0\n2,yes,1.0\n3,yes,1.0\n");
        folder.ok(&format!("show {model}"));
    }
}

#[test]
fn r11_no_class_at_prediction() {
    let folder = Folder::with_t1();
    for learner in LEARNERS {
        let model = folder.train(learner, "t1.csv");
        folder.write("bare.csv", "a,b\nx,p\n");
        folder.write("unknown.csv", "a,b,class\nx,p,?\n");
        let bare = folder.ok(&format!("predict {model} bare.csv"));
        let unknown = folder.ok(&format!("predict {model} unknown.csv"));
        assert_eq!(bare.out, unknown.out);
        assert!(!bare.err.contains("accuracy") && !unknown.err.contains("accuracy"), "{}", unknown.err);
    }
}

#[test]
fn r14_one_feature_one_row() {
    let folder = Folder::with_t1();
    for learner in LAPLACE {
        folder.ok(&format!("train t1.csv --drop b --learner {learner} -o m.bnc"));
        assert_near(&folder.posteriors("m.bnc", "a\nx\n").concat(), &[0.2, 0.8], 1e-12);
    }
}

#[test]
fn r20_a_row_of_missing_cells() {
    let folder = Folder::with_t1();
    folder.write("t2.csv", T2);
    for learner in LAPLACE {
        folder.ok(&format!("train t1.csv --learner {learner} -o m.bnc"));
        assert_near(&folder.posteriors("m.bnc", "a,b\n?,?\n,\n").concat(), &[0.5; 4], 1e-12);
        folder.ok(&format!("train t2.csv --learner {learner} -o m.bnc"));
        assert_near(&folder.posteriors("m.bnc", "a,b\n?,?\n").concat(), &[4.0 / 9.0, 5.0 / 9.0], 1e-12);
    }
}

#[test]
fn r24_blank_cells_are_missing() {
    let folder = Folder::new();
    folder.write("t.csv", "a,b,class\nx,   ,yes\nx,,yes\ny,p,no\n");
    let document = folder.json("describe t.csv --json");
    assert_eq!(document["columns"][1]["missing"], 2);
    assert_eq!(document["columns"][1]["values"], serde_json::json!([{"label": "p", "count": 1}]));
}

#[test]
fn r26_na_is_a_value() {
    let folder = Folder::new();
    folder.write("t.csv", "region,class\nNA,1\n\"EU\",2\nAS,1\n\"NA\",2\nnull,1\nNone,2\n");
    let labels = |arguments: &str| {
        let document = folder.json(&format!("describe t.csv {arguments} --json"));
        let column = &document["columns"][0];
        let values = column["values"].as_array().unwrap();
        let labels: Vec<String> =
            values.iter().map(|value| value["label"].as_str().unwrap().into()).collect();
        (labels.join(" "), column["missing"].as_u64().unwrap())
    };
    assert_eq!(labels(""), ("AS EU NA None null".into(), 0));
    assert_eq!(labels("--missing-token NA,null"), ("AS EU None".into(), 3));
    assert_eq!(labels("--missing-token NA --missing-token None"), ("AS EU null".into(), 3));
    let run = folder.ok("describe t.csv --missing-token NA");
    assert!(run.err.contains("missing: 2 cells in 1 column (region 2)"), "{}", run.err);
}

#[test]
fn r36_given_priors() {
    let folder = Folder::with_t1();
    folder.ok("train t1.csv --learner nb --prior yes=0.3,no=0.7 -o m.bnc");
    let expected = [0.14 / 0.38, 0.24 / 0.38];
    assert_near(&folder.posteriors("m.bnc", "a,b\nx,p\n").concat(), &expected, 1e-12);
    assert!(folder.ok("show m.bnc").out.contains("class probabilities replaced by no=0.7, yes=0.3"));
    let rows: String = (0..10).map(|class| format!("x,c{class}\n")).collect();
    folder.write("ten.csv", format!("a,class\n{rows}"));
    let prior: Vec<String> = (0..10).map(|class| format!("c{class}=0.1")).collect();
    folder.ok(&format!("train ten.csv --learner nb --prior {} -o m.bnc", prior.join(",")));
    let error = folder.error(1, "train t1.csv --learner nb --prior yes=0.3,no=0.3 -o bad.bnc");
    assert_eq!(error, "prior: the probabilities sum to 0.6, expected 1");
    let error = folder.error(2, "train t1.csv --learner nb --prior yes=1 -o bad.bnc");
    assert_eq!(error, "--prior yes=1: 'no' is not given; the classes are: no, yes");
    assert!(!folder.path("bad.bnc").exists());
}

#[test]
fn r39_any_amount_of_smoothing() {
    let folder = Folder::with_t1();
    for learner in LEARNERS {
        for amount in ["0", "1e-300", "1e6"] {
            folder.ok(&format!("train t1.csv --learner {learner}:smoothing=lidstone:{amount} -o m.bnc"));
            let rows = folder.posteriors("m.bnc", "a,b\nx,p\ny,q\nx,?\n?,?\n");
            for row in &rows {
                assert!(row.iter().all(|p| p.is_finite()), "{learner} {amount}: {rows:?}");
                assert!((row.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{learner} {amount}: {rows:?}");
            }
            if amount == "1e6" {
                assert_near(&rows.concat(), &[0.5; 8], 1e-4);
            }
        }
        for amount in ["-1", "NaN", "inf"] {
            let error = folder.error(
                2,
                &format!("train t1.csv --learner {learner}:smoothing=lidstone:{amount} -o bad.bnc"),
            );
            assert!(error.contains(&format!("smoothing=lidstone:{amount}")), "{error}");
        }
    }
}

#[test]
fn r45_the_class_is_no_node_of_the_tree() {
    let folder = Folder::new();
    let mut rows = String::from("a,b,c,class\n");
    for row in 0..200_u32 {
        let class = row % 2;
        let noisy = |every: u32| if row % every == 0 { 1 - class } else { class };
        writeln!(rows, "v{},v{},v{},v{class}", noisy(7), noisy(11), noisy(13)).unwrap();
    }
    folder.write("copies.csv", rows);
    folder.train("tan", "copies.csv");
    let document = folder.json("show tan.bnc --format json");
    let nodes = document["members"][0]["nodes"].as_array().unwrap();
    assert!(nodes.iter().all(|node| node["class_is_parent"] == true));
    assert_eq!(document["members"][0]["class_parents"], serde_json::json!([]));
    assert!(strings(&nodes[0]["parents"]).is_empty());
    assert!(nodes[1..].iter().all(|node| node["parents"].as_array().unwrap().len() == 1));
}

#[test]
fn r46_no_one_two_features() {
    let folder = Folder::with_t1();
    folder.ok("train t1.csv --drop a,b --learner tan -o none.bnc");
    assert_near(&folder.posteriors("none.bnc", "z\n1\n").concat(), &[0.5, 0.5], 1e-12);
    let run = folder.ok("train t1.csv --drop b --learner tan -o one.bnc");
    assert!(run.out.contains("structure  0 arcs between features, 3 free parameters"), "{}", run.out);
    let run = folder.ok("train t1.csv --learner tan -o two.bnc");
    assert!(run.out.contains("structure  1 arc between features, 7 free parameters"), "{}", run.out);
    for learner in LEARNERS {
        folder.ok(&format!("train t1.csv --drop a,b --learner {learner} -o none.bnc"));
        folder.ok("show none.bnc");
        folder.ok("show none.bnc --format json");
    }
}

#[test]
fn r52_features_that_say_nothing_stay() {
    let folder = Folder::new();
    let rows: Vec<String> =
        T1.lines().skip(1).enumerate().map(|(row, line)| format!("k,{},{line}\n", row % 2)).collect();
    folder.write("more.csv", format!("constant,coin,a,b,class\n{}", rows.concat()));
    for learner in LEARNERS {
        let model = folder.train(learner, "more.csv");
        let document = folder.json(&format!("show {model} --format json"));
        let features = document["features"].as_array().unwrap();
        let names: Vec<&str> = features.iter().map(|feature| feature["name"].as_str().unwrap()).collect();
        assert_eq!(names, ["constant", "coin", "a", "b"]);
        folder.ok(&format!("predict {model} more.csv"));
    }
    let run = folder.ok("train more.csv --learner nb -o m.bnc");
    assert!(run.err.contains("one value only, so they change nothing: constant"), "{}", run.err);
}

#[test]
fn r113_declared_order_is_kept() {
    let folder = Folder::new();
    folder.write(
        "levels.arff",
        "@relation levels\n@attribute risk {High,Medium,Low,None}\n@attribute class {b,c,a}\n@data\n\
         None,a\nLow,b\nHigh,c\nLow,a\n",
    );
    folder.train("nb", "levels.arff");
    let document = folder.json("show nb.bnc --format json");
    assert_eq!(strings(&document["features"][0]["values"]), ["High", "Medium", "Low", "None"]);
    assert_eq!(strings(&document["class"]["values"]), ["b", "c", "a"]);
    let run = folder.ok("predict nb.bnc levels.arff");
    assert_eq!(run.out.lines().next(), Some("row,predicted,P(b),P(c),P(a)"));
    let document = folder.json("evaluate levels.arff --folds 2 --json");
    assert_eq!(strings(&document["results"][0]["classes"]), ["b", "c", "a"]);
    let confusion = document["results"][0]["confusion"].as_array().unwrap();
    let truth: Vec<f64> = confusion.iter().map(|row| numbers(row).iter().sum()).collect();
    assert_eq!(truth, [1.0, 1.0, 2.0]);
}

#[test]
fn r120_identifiers() {
    let folder = Folder::new();
    let rows = |count: usize| -> String {
        let row = |index: usize| format!("u{index},{},{}\n", ["x", "y", "z"][index % 3], index % 2);
        (0..count).map(row).collect()
    };
    folder.write("ids.csv", format!("id,a,class\n{}", rows(3000)));
    for learner in LEARNERS {
        let run = folder.ok(&format!("train ids.csv --learner {learner} -o m.bnc"));
        assert!(
            run.err.contains("warning: ids.csv: column 'id' has 3000 values in 3000 rows; if it is an identifier, leave it out with --drop"),
            "{}",
            run.err
        );
    }
    let run = folder.ok("train ids.csv --drop id --learner nb -o m.bnc");
    assert!(!run.err.contains("warning"), "{}", run.err);
    folder.write("many.csv", format!("id,a,class\n{}", rows(70_000)));
    for learner in LEARNERS {
        let error = folder.error(1, &format!("train many.csv --learner {learner} -o m.bnc"));
        assert!(error.contains("'id'") && error.contains("65535"), "{error}");
    }
    // The pairs of two identifiers are too many for the tables of an ensemble: the size is said before any work.
    let pairs: String = (0..30_000).map(|row| format!("u{row},w{row},{}\n", row % 2)).collect();
    folder.write("pairs.csv", format!("id,other,class\n{pairs}"));
    let error = folder.error(1, "train pairs.csv --learner aode -o m.bnc");
    assert!(error.contains("GiB") && error.contains("drop columns of many values"), "{error}");
}
