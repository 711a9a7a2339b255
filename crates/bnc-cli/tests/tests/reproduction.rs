//! `bnc reproduce`: experiments of papers, with our figures beside the published ones.

use std::collections::BTreeMap;

use serde_json::Value;

use crate::support::{Folder, numbers, strings, without_times};

/// A folder with two sets as `cargo xtask fetch` lays them out.
fn folder() -> Folder {
    let folder = Folder::new();
    for (part, set) in [("uci36", "balance-scale"), ("extra", "tic-tac-toe")] {
        std::fs::create_dir_all(folder.path(&format!("cache/{part}"))).unwrap();
        folder.ok(&format!("discretize builtin:{set} --discretize none -o cache/{part}/{set}.arff"));
    }
    folder
}

/// The row of a learner on a set.
fn row<'a>(document: &'a Value, dataset: &str, name: &str, measure: &str) -> &'a Value {
    let rows = document["rows"].as_array().unwrap();
    let is_it = |row: &&Value| row["dataset"] == dataset && row["name"] == name && row["measure"] == measure;
    rows.iter().find(is_it).ok_or_else(|| format!("{dataset}, {name}, {measure}")).unwrap()
}

/// The mean of a learner.
fn mean<'a>(document: &'a Value, name: &str, measure: &str) -> &'a Value {
    let means = document["means"].as_array().unwrap();
    means.iter().find(|it| it["name"] == name && it["measure"] == measure).unwrap()
}

#[test]
fn figures_stand_beside_the_published_ones_of_the_same_set() {
    let folder = folder();
    let run = folder.ok("reproduce anb --data cache --json anb.json");
    assert!(
        run.err.contains("23 of 25 data sets are not there and left out of the means: iris, car, "),
        "{}",
        run.err
    );
    let document: Value = serde_json::from_str(&folder.read("anb.json")).unwrap();
    assert_eq!(document["experiment"], "anb");
    assert_eq!(
        (&document["folds"], &document["repeats"], &document["seed"]),
        (&10.into(), &1.into(), &1.into())
    );
    assert_eq!(strings(&document["data_sets_missing"]).len(), 23);
    // TAN is published on one of the two, RAI-ANB on neither.
    assert_eq!(document["rows"].as_array().unwrap().len(), 8 + 9);

    let published = row(&document, "tic-tac-toe", "ANB-BDeu", "accuracy");
    assert_eq!(published["published"], 0.8497);
    assert_eq!(published["source"], "PGM 2018, Table 1");
    assert_eq!(published["also_published"][0]["published"], 0.8445);
    assert_eq!(published["unit"], "proportion");
    assert_eq!(published["differs"], false);
    assert_eq!(row(&document, "tic-tac-toe", "MANB-BDeu", "accuracy")["published"], 0.8476);
    // A known difference, which is flagged.
    assert_eq!(row(&document, "tic-tac-toe", "GBN-CMDL", "accuracy")["differs"], true);

    // Ours are what `evaluate` says with the same protocol.
    let evaluated = folder.json(
        "evaluate cache/extra/tic-tac-toe.arff --protocol paper --discretize median --learner anb \
         --learner nb:smoothing=bdeu:1 --json",
    );
    for (index, name) in ["ANB-BDeu", "NB"].into_iter().enumerate() {
        let ours = &row(&document, "tic-tac-toe", name, "accuracy")["ours"];
        assert_eq!(*ours, evaluated["results"][index]["accuracy"]["mean"], "{name}");
    }

    let means = mean(&document, "NB", "accuracy");
    let nb = ["balance-scale", "tic-tac-toe"].map(|set| row(&document, set, "NB", "accuracy"));
    for (of, value) in [("ours", "ours"), ("published", "published")] {
        let expected = nb.iter().map(|row| row[value].as_f64().unwrap()).sum::<f64>() / 2.0;
        assert!((means[of].as_f64().unwrap() - expected).abs() < 1e-12);
    }
    assert_eq!((&means["data_sets"], &means["published_data_sets"]), (&2.into(), &2.into()));
    assert_eq!(means["source"], "mean over 2 sets at hand: PGM 2018, Table 1");

    let tests = document["tests"].as_array().unwrap();
    assert_eq!(tests.len(), 6);
    assert_eq!(tests[0]["published"]["adjusted_p"], 0.0031);
    assert_eq!(tests[0]["published"]["data_sets"], 43);

    for text in
        ["tic-tac-toe    ours", "published", "means over the data sets", "≠", "rows 11 to 16 are permuted"]
    {
        assert!(run.out.contains(text), "{text}\n{}", run.out);
    }
}

#[test]
fn what_was_never_published_is_null() {
    let document = folder().json("reproduce abn --data cache --json");
    let rows = document["rows"].as_array().unwrap();
    assert_eq!(rows.len(), 2 * 4 * 3);
    for row in rows.iter().chain(document["means"].as_array().unwrap()) {
        assert!(row["published"].is_null() && row["difference"].is_null(), "{row}");
        assert!(row["ours"].is_f64(), "{row}");
    }
    assert!(strings(&document["remarks"])[0].starts_with("Nothing is published in readable form"));
    for set in ["balance-scale", "tic-tac-toe"] {
        let cost = |name: &str| row(&document, set, name, "mdl")["ours"].as_f64().unwrap();
        for other in ["NB", "TAN", "ABN (raw weights)"] {
            assert!(cost("ABN") <= cost(other), "{set}, {other}");
        }
        assert_eq!(row(&document, set, "NB", "arcs")["ours"], 0.0);
    }
    assert_eq!(row(&document, "tic-tac-toe", "TAN", "arcs")["ours"], 8.0);
}

#[test]
fn an_order_of_learners_stands_beside_the_published_one() {
    let folder = folder();
    let run = folder.ok("reproduce akdb --data cache --json akdb.json");
    let document: Value = serde_json::from_str(&folder.read("akdb.json")).unwrap();
    assert_eq!(document["rows"].as_array().unwrap().len(), 2 * 11 * 3);
    let order = &document["orders"][0];
    let places = order["learners"].as_array().unwrap();
    assert_eq!((&order["data_sets"], places.len()), (&2.into(), 8));
    let ranks: Vec<f64> = places.iter().map(|it| it["mean_rank"].as_f64().unwrap()).collect();
    assert!(ranks.is_sorted());
    assert!((ranks.iter().sum::<f64>() - 36.0).abs() < 1e-9);
    let akdb = places.iter().find(|it| it["name"] == "AKDB").unwrap();
    assert_eq!(akdb["published_place"], 1.0);

    let tests = document["tests"].as_array().unwrap();
    let variance = |it: &&Value| it["measure"] == "variance" && it["against"] == "kdb";
    let test = tests.iter().find(variance).unwrap();
    assert_eq!((&test["published"]["wins"], &test["published"]["data_sets"]), (&9.0.into(), &11.into()));
    let lower = ["balance-scale", "tic-tac-toe"].into_iter().filter(|set| {
        let of = |name: &str| row(&document, set, name, "variance")["ours"].as_f64().unwrap();
        of("AKDB") < of("KDB")
    });
    assert_eq!(test["ours"]["wins"], lower.count());
    for test in tests {
        let mut expected = [0, 0, 0];
        for set in ["balance-scale", "tic-tac-toe"] {
            let of = |name: &Value| {
                let name = name.as_str().unwrap();
                row(&document, set, name, test["measure"].as_str().unwrap())["ours"].as_f64().unwrap()
            };
            let difference = of(&test["names"][1]) - of(&test["names"][0]);
            expected[if difference.abs() < 1e-12 {
                1
            } else if difference > 0.0 {
                0
            } else {
                2
            }] += 1;
        }
        let ours = ["wins", "ties", "losses"].map(|outcome| test["ours"][outcome].as_u64().unwrap());
        assert_eq!(ours, expected, "{test}");
    }
    assert!(run.out.contains("never at hand"), "{}", run.out);
}

#[test]
fn complete_rows_are_taken_with_the_labels_that_they_have() {
    let folder = Folder::new();
    let mut text = String::from(
        "@relation vote\n@attribute a {x,y,z}\n@attribute b {p,q}\n@attribute class {yes,no,perhaps}\n@data\n",
    );
    for _ in 0..20 {
        text.push_str("x,p,yes\ny,q,no\nz,?,perhaps\nx,q,?\n");
    }
    folder.write("vote.arff", text);
    let document = folder.json("reproduce anb --data . --only vote --json");
    let set = &document["data_sets"][0];
    assert_eq!(
        (&set["published_as"], &set["rows"], &set["features"], &set["classes"]),
        (&"Congressional Voting Records".into(), &40.into(), &2.into(), &2.into())
    );
    assert_eq!(row(&document, "vote", "NB", "accuracy")["ours"], 1.0);
    assert_eq!(row(&document, "vote", "NB", "accuracy")["published"], 0.9095);
}

#[test]
fn columns_that_name_the_row_are_left_out_and_cut_numbers_are_noticed() {
    let folder = Folder::new();
    let head =
        "@relation zoo\n@attribute animal {a,b,c,d}\n@attribute legs {b0,b1}\n@attribute type {t,u}\n@data\n";
    folder.write("zoo.arff", format!("{head}{}", "a,b0,t\nb,b1,u\nc,b0,t\nd,b1,u\n".repeat(10)));
    let run = folder.ok("reproduce anb --data . --only zoo --json zoo.json");
    assert!(run.err.contains("zoo.arff: its numbers are intervals already"), "{}", run.err);
    let document: Value = serde_json::from_str(&folder.read("zoo.json")).unwrap();
    assert_eq!(document["data_sets"][0]["features"], 1);
    assert!(run.out.contains("zoo: seven classes here, five there."), "{}", run.out);
}

#[test]
fn an_interrupted_experiment_goes_on() {
    let folder = folder();
    let command = "reproduce akdb --data cache --only balance-scale --resume run";
    let whole = folder.json(&format!("{command} --json"));
    let journal = folder.read("run");
    let lines: Vec<&str> = journal.split_inclusive('\n').collect();
    folder.write("run", lines[..lines.len() / 2].concat() + "{\"run\":\"cut o");
    assert_eq!(without_times(folder.json(&format!("{command} --json"))), without_times(whole));
    assert_eq!(folder.read("run").lines().count(), lines.len());
}

#[test]
fn what_cannot_be_run_is_refused() {
    let folder = Folder::with_t1();
    let error = folder.error(1, "reproduce mi-ode --data .");
    assert!(error.contains("none of the data sets of mi-ode is there"), "{error}");
    assert!(error.contains("cargo xtask fetch uci36 extra"), "{error}");
    let error = folder.error(2, "reproduce mi-ode --data . --only car");
    assert!(error.starts_with("--only car: not a set of mi-ode; it has: anneal, "), "{error}");
    let error = folder.error(2, "reproduce mi-ode --data . --repeats 0");
    assert_eq!(error, "--repeats 0: expected 1 or more");
}

#[test]
fn on_the_folds_of_weka_the_figures_are_those_of_weka() {
    let Some(reference) = bnc_reference::folder("the experiment on MI-ODE beside WEKA") else { return };
    let sets = ["glass", "iris", "soybean", "vote", "zoo", "colic-orig"];
    let document = Folder::new().json(&format!(
        "reproduce mi-ode --data {} --folds-from {} --only {} --json",
        reference.join("data/uci36-discrete").display(),
        reference.join("golden/folds").display(),
        sets.join(",")
    ));
    assert_eq!((&document["repeats"], &document["seed"]), (&10.into(), &Value::Null));
    let mut weka = BTreeMap::new();
    let mut table = csv::Reader::from_path(reference.join("golden/weka_cv36.csv")).unwrap();
    for record in table.deserialize::<BTreeMap<String, String>>() {
        let mut record = record.unwrap();
        let key = (record.remove("set").unwrap(), record.remove("learner").unwrap());
        weka.insert(key, record);
    }
    for set in sets {
        for (name, learner) in [("NB", "nb"), ("AODE", "aode"), ("WAODE", "waode")] {
            for (measure, column) in [("accuracy", "acc_foldmean"), ("auc", "auc_handtill_foldmean")] {
                let ours = row(&document, set, name, measure)["ours"].as_f64().unwrap();
                let theirs: f64 = weka[&(set.to_string(), learner.to_string())][column].parse().unwrap();
                assert!((ours - 100.0 * theirs).abs() < 1e-2, "{set}, {name}, {measure}: {ours} {theirs}");
            }
        }
    }
}

#[test]
fn the_raw_sets_give_the_published_means() {
    let Some(reference) = bnc_reference::folder("the experiment on MI-ODE beside its paper") else { return };
    let document = Folder::new()
        .json(&format!("reproduce mi-ode --data {} --repeats 1 --json", reference.join("data").display()));
    assert_eq!(strings(&document["data_sets_missing"]).len(), 0);
    for (name, measure, published, tolerance) in [
        ("NB", "accuracy", 83.31, 0.3),
        ("AODE", "accuracy", 85.68, 0.3),
        ("TAN", "accuracy", 84.95, 0.3),
        ("MI-ODE", "accuracy", 86.49, 0.3),
        ("MI-ODE", "auc", 93.88, 0.5),
    ] {
        let mean = mean(&document, name, measure);
        assert_eq!(mean["published"], published, "{name}, {measure}");
        assert!(mean["difference"].as_f64().unwrap().abs() < tolerance, "{name}, {measure}: {mean}");
        assert_eq!(mean["differs"], false);
    }
    let gains = document["gains"].as_array().unwrap();
    let differences = gains.iter().map(|gain| gain["difference"].as_f64().unwrap());
    assert!(differences.into_iter().all(|it| it.abs() < 0.5), "{gains:?}");
    assert_eq!(numbers(&gains.iter().map(|gain| gain["published"].clone()).collect()), [17.63, 6.11]);
}
