//! `bnc evaluate`.

use std::process::Stdio;

use crate::support::{Folder, numbers, strings, without_times};

/// Thirty rows in which the features say much about the class.
fn folder() -> Folder {
    let folder = Folder::new();
    let row = |index: usize| {
        let class = index % 3;
        let noisy = |every: usize| if index.is_multiple_of(every) { (class + 1) % 3 } else { class };
        format!("a{},b{},{},c{class}\n", noisy(5), noisy(7), index % 4)
    };
    folder.write("d.csv", format!("a,b,k,class\n{}", (0..30).map(row).collect::<String>()));
    folder
}

#[test]
fn the_table_has_all_that_is_needed_to_read_it() {
    let folder = folder();
    let run = folder.ok("evaluate d.csv --folds 5 --repeats 2 --seed 3");
    for part in [
        "d.csv: 30 rows, 3 features, 3 classes",
        "accuracy ↑",
        "RMSE ↓",
        "log loss ↓",
        "Brier ↓",
        "AUC ↑",
        "vs nb",
        "fit ms",
        "predict ms",
        " ± ",
        "5 folds, 2 repeats, seed 3, protocol honest",
        "Hand and Till",
        "corrected resampled t-test",
    ] {
        assert!(run.out.contains(part), "{part}\n{}", run.out);
    }
    let learners: Vec<&str> = run.out.lines().filter_map(|line| line.split_whitespace().next()).collect();
    for learner in ["nb", "tan", "aode"] {
        assert_eq!(learners.iter().filter(|name| **name == learner).count(), 1, "{}", run.out);
    }
    assert!(!run.out.contains("inf") && !run.out.contains("NaN"), "{}", run.out);
}

#[test]
fn several_data_sets_have_means_and_a_tally() {
    let folder = folder();
    let run = folder.ok("evaluate d.csv builtin:led-7:rows=300 --learner nb --learner aode --folds 3");
    assert!(run.out.contains("mean of 2"), "{}", run.out);
    assert!(run.out.contains("d.csv") && run.out.contains("builtin:led-7:rows=300"), "{}", run.out);
    let document =
        folder.json("evaluate d.csv builtin:led-7:rows=300 --learner nb --learner aode --folds 3 --json");
    let results = document["results"].as_array().unwrap();
    assert_eq!(results.len(), 4);
    let mean = |index: usize| results[index]["accuracy"]["mean"].as_f64().unwrap();
    let overall = document["overall"][1]["mean"]["accuracy"].as_f64().unwrap();
    assert!((overall - f64::midpoint(mean(1), mean(3))).abs() < 1e-12);
    let tally = &document["overall"][1]["against_first"];
    let total: u64 = ["wins", "ties", "losses"].map(|key| tally[key].as_u64().unwrap()).iter().sum();
    assert_eq!(total, 2);
}

#[test]
fn one_of_several_sets_need_not_have_every_column_to_drop() {
    let folder = folder();
    let one = "evaluate d.csv --learner nb --folds 3 --json";
    assert!(folder.error(1, &format!("{one} --drop x1")).contains("no column 'x1'"));
    let several = "evaluate d.csv builtin:led-7:rows=60 --learner nb --folds 3 --drop k,nowhere --json";
    let run = folder.ok(several);
    assert!(run.err.contains("--drop nowhere: no data set has a column of that name"), "{}", run.err);
    let document: serde_json::Value = serde_json::from_str(&run.out).unwrap();
    let features = |index: usize| document["results"][index]["features"].as_u64();
    assert_eq!((features(0), features(1)), (Some(2), Some(7)));
}

#[test]
fn the_document_holds_every_fold() {
    let folder = folder();
    let document =
        folder.json("evaluate d.csv --learner nb --learner aode:m=5 --folds 5 --repeats 2 --seed 9 --json");
    for (key, value) in [("folds", 5), ("repeats", 2), ("seed", 9)] {
        assert_eq!(document[key], value);
    }
    assert_eq!(document["protocol"], "honest");
    assert_eq!(document["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(document["results"][1]["learner"], "aode:m=5");
    for result in document["results"].as_array().unwrap() {
        assert_eq!(result["data"], "d.csv");
        for metric in [
            "accuracy",
            "zero_one_loss",
            "rmse",
            "log_loss",
            "brier",
            "auc",
            "fit_seconds",
            "predict_seconds",
        ] {
            let summary = &result[metric];
            let values = numbers(&summary["values"]);
            assert_eq!((summary["n"].as_u64(), values.len()), (Some(10), 10), "{metric}");
            let mean = values.iter().sum::<f64>() / 10.0;
            let deviation = (values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / 9.0).sqrt();
            assert!((summary["mean"].as_f64().unwrap() - mean).abs() < 1e-12, "{metric}");
            assert!((summary["sd"].as_f64().unwrap() - deviation).abs() < 1e-12, "{metric}");
        }
        let accuracy = numbers(&result["accuracy"]["values"]);
        let loss = numbers(&result["zero_one_loss"]["values"]);
        assert!(accuracy.iter().zip(&loss).all(|(accuracy, loss)| (accuracy + loss - 1.0).abs() < 1e-12));
    }
}

#[test]
fn the_document_goes_to_a_file_beside_the_table() {
    let folder = folder();
    let run = folder.ok("evaluate d.csv --folds 3 --json out.json");
    assert!(run.out.contains("accuracy ↑"));
    let document: serde_json::Value = serde_json::from_str(&folder.read("out.json")).unwrap();
    assert_eq!(document["folds"], 3);
    let error = folder.error(2, "evaluate d.csv --json other.csv");
    assert!(error.contains("this looks like data"), "{error}");
}

#[test]
fn a_test_file_is_used_as_it_is() {
    let folder = folder();
    folder.write("test.csv", "b,class,a,k\nb1,c1,a1,1\nb2,c2,a2,2\nb0,c0,new,0\n");
    let run = folder.ok("evaluate d.csv --test test.csv --learner nb");
    assert!(run.out.contains("Trained on all rows, tested on test.csv"), "{}", run.out);
    assert!(run.err.contains("1 cell of 'a' (first 'new')"), "{}", run.err);
    let document = folder.json("evaluate d.csv --test test.csv --learner nb --json");
    let result = &document["results"][0];
    assert_eq!(
        (result["accuracy"]["n"].as_u64(), &result["accuracy"]["sd"]),
        (Some(1), &serde_json::Value::Null)
    );
    assert!(document["folds"].is_null() && document["seed"].is_null());
    // The same figures as training and predicting by hand.
    folder.train("nb", "d.csv");
    let predicted = folder.json("predict nb.bnc test.csv --json");
    let log_loss = |value: &serde_json::Value| value.as_f64().unwrap();
    assert!(
        (log_loss(&predicted["metrics"]["log_loss"]) - log_loss(&result["log_loss"]["mean"])).abs() < 1e-12
    );
    folder.error(2, "evaluate d.csv --test test.csv --folds 3");
}

#[test]
fn r94_one_label_in_the_test_file() {
    let folder = folder();
    folder.write("one.csv", "a,b,k,class\na1,b1,1,c1\na1,b1,2,c1\n");
    let document = folder.json("evaluate d.csv --test one.csv --json");
    for result in document["results"].as_array().unwrap() {
        assert!(result["auc"]["mean"].is_null());
        assert_eq!(result["auc"]["n"], 0);
        assert!(result["accuracy"]["mean"].is_number());
    }
    let run = folder.ok("evaluate d.csv --test one.csv");
    assert!(run.out.contains('–'), "{}", run.out);
}

#[test]
fn r96_rare_classes() {
    let folder = Folder::new();
    for (rare, count) in [("three", 3), ("one", 1)] {
        let rows = |class: &str, count: usize| -> String {
            (0..count).map(|row| format!("v{},{class}\n", row % 2)).collect()
        };
        folder.write("rare.csv", format!("a,class\n{}{}", rows("A", 10 - count), rows("B", count)));
        let run = folder.ok("evaluate rare.csv --folds 5 --json");
        assert!(
            run.err.contains("warning:") && run.err.contains(&format!("'B' ({count} row")),
            "{rare}: {}",
            run.err
        );
        let document: serde_json::Value = serde_json::from_str(&run.out).unwrap();
        for result in document["results"].as_array().unwrap() {
            let confusion = result["confusion"].as_array().unwrap();
            let truth: Vec<f64> = confusion.iter().map(|row| numbers(row).iter().sum()).collect();
            assert_eq!(truth, [10.0 - count as f64, count as f64]);
            assert_eq!(result["accuracy"]["n"], 5);
        }
    }
}

#[test]
fn folds_from_a_file() {
    let folder = folder();
    let folds: String = (0..30).map(|row| format!("{}{}\n", row % 3, row / 10)).collect();
    folder.write("folds.txt", &folds);
    let document = folder.json("evaluate d.csv --learner nb --fold-file folds.txt --json");
    assert_eq!((document["folds"].as_u64(), document["repeats"].as_u64()), (Some(3), Some(2)));
    assert_eq!(document["results"][0]["accuracy"]["n"], 6);
    assert!(document["seed"].is_null());
    folder.write("short.txt", "0\n1\n");
    let error = folder.error(1, "evaluate d.csv --fold-file short.txt");
    assert!(error.contains("short.txt") && error.contains("30 rows"), "{error}");
}

#[test]
fn an_interrupted_run_goes_on() {
    let folder = folder();
    let command = "evaluate d.csv --folds 4 --repeats 2 --json --resume run.jsonl";
    let whole = without_times(folder.json(command));
    let journal = folder.read("run.jsonl");
    assert_eq!(journal.lines().count(), 24);
    // As if the program had been stopped in the middle of a line.
    let lines: Vec<&str> = journal.lines().collect();
    folder.write("run.jsonl", format!("{}\n{}", lines[..9].join("\n"), &lines[9][..lines[9].len() / 2]));
    let run = folder.ok(command);
    assert!(run.err.contains("9 of 24 folds × learners are finished already"), "{}", run.err);
    assert_eq!(without_times(serde_json::from_str(&run.out).unwrap()), whole);
    assert_eq!(folder.read("run.jsonl").lines().count(), 24);
    // Other folds are another run, and leave the first one where it is.
    folder.ok(&format!("{command} --seed 2"));
    assert_eq!(folder.read("run.jsonl").lines().count(), 48);
    // What is no journal is left alone.
    let before = folder.read("d.csv");
    let error = folder.error(1, "evaluate d.csv --resume d.csv");
    assert!(error.contains("d.csv, line 1: not the record of an evaluation"), "{error}");
    assert_eq!(folder.read("d.csv"), before);
}

#[test]
fn a_run_that_is_killed_again_and_again_ends_as_if_it_had_not_been() {
    let folder = folder();
    let command = "evaluate builtin:waveform-21:rows=300 d.csv --repeats 2 --folds 5 --json";
    let whole = without_times(folder.json(command));
    let resumed = format!("{command} --resume run.jsonl");
    let length = || std::fs::metadata(folder.path("run.jsonl")).map_or(0, |data| data.len());
    let mut kills = 0;
    loop {
        let before = length();
        // Each run gets a little further, to a place in its journal that is as good as random.
        let goal = before + 3000 * (1 + kills % 7);
        let mut child = folder.command(&resumed).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        while length() < goal && child.try_wait().unwrap().is_none() {
            std::thread::sleep(std::time::Duration::from_micros(200));
        }
        if child.try_wait().unwrap().is_some() {
            break;
        }
        child.kill().unwrap();
        child.wait().unwrap();
        kills += 1;
    }
    assert!(kills > 3, "{kills}");
    assert_eq!(without_times(folder.json(&resumed)), whole);
}

#[test]
fn the_error_is_taken_apart() {
    let folder = folder();
    for (scheme, predictions) in [("", 300), ("=folds", 300), ("=sub-sampled:12", 300), ("=holdout:10", 1000)]
    {
        let command = format!("evaluate d.csv --learner nb --learner tan --folds 3 --bias-variance{scheme}");
        let run = folder.ok(&command);
        assert!(run.out.contains("Bias and variance of the zero-one loss, scheme "), "{}", run.out);
        let document = folder.json(&format!("{command} --json"));
        assert_eq!(document["repeats"], 10);
        for result in document["results"].as_array().unwrap() {
            let found = &result["bias_variance"];
            assert_eq!(found["predictions"], predictions, "{scheme}");
            let error = found["error"].as_f64().unwrap();
            for form in ["kohavi_wolpert", "kohavi_wolpert_corrected", "webb"] {
                let part = |name: &str| found[form][name].as_f64().unwrap();
                assert!((part("bias") + part("variance") - error).abs() < 1e-12, "{form}");
            }
            if !scheme.contains(':') {
                let loss = result["zero_one_loss"]["mean"].as_f64().unwrap();
                assert!((error - loss).abs() < 1e-12, "{error} {loss}");
            }
        }
    }
    let error = folder.error(2, "evaluate d.csv --bias-variance --repeats 1");
    assert!(error.contains("two repeats or more"), "{error}");
    assert!(folder.error(2, "evaluate d.csv --bias-variance=often").contains("expected folds, sub-sampled"));
    assert!(folder.error(1, "evaluate d.csv --bias-variance=holdout:29").contains("a pool of 29 rows"));
    let plain = folder.json("evaluate d.csv --learner nb --folds 3 --json");
    assert!(plain["results"][0]["bias_variance"].is_null());
}

#[test]
fn learning_curves_end_with_all_training_rows() {
    let folder = folder();
    let command =
        "evaluate d.csv builtin:led-7:rows=90 --learner nb --learner tan --folds 3 --learning-curve";
    let run = folder.ok(command);
    assert!(run.out.contains("Accuracy by the number of training rows, d.csv"), "{}", run.out);
    let document = folder.json(&format!("{command} --json"));
    for (result, sizes) in
        document["results"].as_array().unwrap().iter().zip([vec![10, 20], vec![10, 20], vec![15, 30, 60]])
    {
        let points = result["learning_curve"].as_array().unwrap();
        let rows: Vec<u64> = points.iter().map(|point| point["rows"].as_u64().unwrap()).collect();
        assert_eq!(rows, sizes);
        assert_eq!(points.last().unwrap()["accuracy"], result["accuracy"]);
        assert_eq!(points[0]["accuracy"]["n"], 3);
    }
    let chosen = folder.json("evaluate d.csv --learner nb --folds 3 --learning-curve=5,800 --json");
    let points = chosen["results"][0]["learning_curve"].as_array().unwrap();
    assert_eq!((points.len(), &points[1]["rows"]), (2, &20.into()));
    folder.error(2, "evaluate d.csv --learning-curve=0");
    assert!(chosen["results"][0]["bias_variance"].is_null());
}

#[test]
fn curves_and_bias_go_on_after_an_interruption() {
    let folder = folder();
    let command = "evaluate d.csv --folds 3 --bias-variance=holdout:10 --learning-curve --json";
    let whole = without_times(folder.json(command));
    let resumed = format!("{command} --resume run.jsonl");
    assert_eq!(without_times(folder.json(&resumed)), whole);
    let journal = folder.read("run.jsonl");
    // Three learners over thirty parts, fifty training sets, and thirty parts of the shorter point.
    assert_eq!(journal.lines().count(), 3 * (30 + 50 + 30));
    let some: String = journal.lines().step_by(3).flat_map(|line| [line, "\n"]).collect();
    folder.write("run.jsonl", some);
    assert_eq!(without_times(folder.json(&resumed)), whole);
    assert_eq!(folder.read("run.jsonl").lines().count(), 3 * (30 + 50 + 30));
}

#[test]
fn confusion_matrices_are_printed_when_asked_for() {
    let folder = folder();
    let run = folder.ok("evaluate d.csv --learner nb --folds 3 --confusion");
    assert!(run.out.contains("true \\ predicted"), "{}", run.out);
    let rows: Vec<Vec<&str>> = run.out.lines().rev().map(|line| line.split_whitespace().collect()).collect();
    let row = rows.iter().find(|cells| cells.first() == Some(&"c0")).unwrap();
    assert_eq!(row[1..].iter().map(|cell| cell.parse::<u32>().unwrap()).sum::<u32>(), 10);
}

#[test]
fn learners_can_have_parameters_but_not_be_twice_the_same() {
    let folder = folder();
    let document = folder.json("evaluate d.csv --learner nb --learner nb:smoothing=m:1 --folds 3 --json");
    let results = document["results"].as_array().unwrap();
    let names: Vec<&str> = results.iter().map(|result| result["learner"].as_str().unwrap()).collect();
    assert_eq!(names, ["nb", "nb:smoothing=m:1"]);
    assert_eq!(strings(&results[0]["classes"]), ["c0", "c1", "c2"]);
    assert_eq!(folder.error(2, "evaluate d.csv -l nb -l nb"), "--learner nb is given twice");
}

#[test]
fn several_data_sets_are_tested_over() {
    let folder = folder();
    let command = "evaluate d.csv builtin:led-7:rows=200 builtin:tic-tac-toe builtin:monks-1 --folds 4 \
                   --learner nb --learner tan --learner aode";
    let run = folder.ok(command);
    for part in
        ["Over 4 data sets by accuracy", "mean rank", "v tan", "Friedman χ² = ", "critical difference"]
    {
        assert!(run.out.contains(part), "{part}\n{}", run.out);
    }
    let document = folder.json(&format!("{command} --json"));
    let found = &document["significance"];
    assert_eq!(found["friedman"]["data_sets"], 4);
    // Ranks by hand from the means in the document.
    let results = document["results"].as_array().unwrap();
    let mut ranks = [0.0; 3];
    for set in results.chunks(3) {
        let means: Vec<f64> = set.iter().map(|it| it["accuracy"]["mean"].as_f64().unwrap()).collect();
        for (rank, mine) in ranks.iter_mut().zip(&means) {
            let better = means.iter().filter(|other| **other > mine + 1e-12).count() as f64;
            let equal = means.iter().filter(|other| (**other - mine).abs() <= 1e-12).count() as f64;
            *rank += (better + (equal + 1.0) / 2.0) / 4.0;
        }
    }
    let told = numbers(&found["friedman"]["mean_ranks"]);
    assert!(told.iter().zip(ranks).all(|(told, mine)| (told - mine).abs() < 1e-12), "{told:?} {ranks:?}");
    let pairs = found["pairs"].as_array().unwrap();
    let names: Vec<_> = pairs.iter().map(|pair| (&pair["learner"], &pair["other"])).collect();
    let expected = [("tan", "nb"), ("aode", "nb"), ("aode", "tan")];
    assert!(
        names.iter().zip(expected).all(|(told, mine)| *told.0 == mine.0 && *told.1 == mine.1),
        "{names:?}"
    );
    assert_eq!(pairs[0]["significant"], document["overall"][1]["against_first"]);
    let one = folder.json("evaluate d.csv --folds 4 --json");
    assert!(one["significance"].is_null());
}
