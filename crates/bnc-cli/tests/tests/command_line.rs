//! Options, exit statuses, messages, listings.

use std::io::Read;
use std::process::Stdio;

use crate::support::{Folder, LEARNERS};

#[test]
fn a_wrong_command_line_is_status_2() {
    let folder = Folder::with_t1();
    for arguments in [
        "",
        "fly",
        "train",
        "train t1.csv --learner nb",
        "train t1.csv -o m.bnc",
        "train t1.csv --learner nb -o m.bnc --discretize width:1",
        "train t1.csv --learner nb -o m.bnc --discretize often",
        "train t1.csv --learner nb -o m.bnc --missing maybe",
        "train t1.csv --learner nb -o m.bnc --delimiter ;;",
        "train t1.csv --learner nb:smoothing -o m.bnc",
        "--threads 0 learners",
        "--color sometimes learners",
        "evaluate",
        "evaluate t1.csv --fold-file f --seed 3",
        "discretize t1.csv -o coded.txt",
        "learners random-forest",
        "completions tcl",
    ] {
        let run = folder.run(arguments);
        assert_eq!(run.code, Some(2), "bnc {arguments}\n{}{}", run.out, run.err);
        assert!(run.out.is_empty() && !run.err.is_empty() && !run.err.contains("panicked"), "{}", run.err);
    }
    assert_eq!(folder.names(), ["t1.csv"]);
}

#[test]
fn an_unknown_learner_is_answered_with_those_that_exist() {
    let folder = Folder::with_t1();
    let error = folder.error(2, "train t1.csv --learner aodee -o m.bnc");
    let there_are = LEARNERS.join(", ");
    let expected = format!("no learner 'aodee'; there are: {there_are}; did you mean 'aode'?");
    assert!(error.contains(&expected), "{error}");
    let error = folder.error(2, "evaluate t1.csv --learner aode:k=2");
    assert!(error.contains("aode has no parameter 'k'; it takes: m, joint, smoothing"), "{error}");
    let error = folder.error(2, "evaluate t1.csv --learner aode:m=x");
    assert!(error.contains("aode: m=x is not a whole number of 0 or more"), "{error}");
}

#[test]
fn work_that_fails_is_status_1_with_the_place() {
    let folder = Folder::with_t1();
    folder.write("ragged.csv", "a,class\nx,1\ny\n");
    folder.write("empty.csv", "");
    folder.write("header.csv", "a,class\n");
    folder.write("binary.csv", [0_u8, 159, 146, 150, 10, 0, 1]);
    folder.write("unlabelled.csv", "a,class\nx,?\n");
    folder.write("cut.arff", "@relation r\n@attribute a {x");
    for (arguments, parts) in [
        ("train nowhere.csv", &["nowhere.csv: ", "No such file"][..]),
        ("train ragged.csv", &["ragged.csv, line 3"]),
        ("train empty.csv", &["empty.csv"]),
        ("train header.csv", &["header.csv", "no rows"]),
        ("train binary.csv", &["binary.csv"]),
        ("train unlabelled.csv", &["unlabelled.csv", "no row has a class label"]),
        ("train cut.arff", &["cut.arff, line 2"]),
        ("train t1.txt", &["t1.txt", ".csv, .tsv or .arff"]),
        ("train t1.csv --class klass", &["no column 'klass'; there are: a, b, class"]),
        ("train t1.csv --drop z", &["no column 'z'"]),
        ("train t1.csv --numeric a", &["t1.csv, line 2, column 'a'", "'x'"]),
        ("train t1.csv --encoding klingon", &["encoding = klingon"]),
        ("train builtin:nothing", &["nothing", "tic-tac-toe"]),
        ("train builtin:led-7:rows=0", &["rows"]),
    ] {
        let error = folder.error(1, &format!("{arguments} --learner nb -o m.bnc"));
        assert!(parts.iter().all(|part| error.contains(part)), "bnc {arguments}: {error}");
        assert!(!folder.path("m.bnc").exists());
    }
    let error = folder.error(1, "evaluate t1.csv --folds 7");
    assert!(error.contains("7 folds for 6 labelled rows"), "{error}");
    folder.error(1, "evaluate t1.csv --folds 1");
    folder.error(1, "evaluate t1.csv --repeats 0");
}

#[test]
fn names_from_files_cannot_break_the_line() {
    let folder = Folder::new();
    folder.write("evil.csv", "\"a\u{1b}[31m\nb\",class\nx,1\nx,2\n");
    let error = folder.error(1, "train evil.csv --class nope --learner nb -o m.bnc");
    assert_eq!(error, "no column 'nope'; there are: a\\u{1b}[31m\\nb, class");
}

#[test]
fn a_closed_pipe_ends_the_program_quietly() {
    let folder = Folder::new();
    folder.ok("train builtin:led-7:rows=200 --learner nb -o m.bnc");
    for arguments in
        ["predict m.bnc builtin:led-7:rows=60000", "predict m.bnc builtin:led-7:rows=60000 --json"]
    {
        let mut child =
            folder.command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut some = [0; 10];
        child.stdout.take().unwrap().read_exact(&mut some).unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0));
        assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    }
}

#[test]
fn colours_are_shown_when_asked_for() {
    let folder = Folder::new();
    let plain = folder.run("show none.bnc");
    assert!(plain.err.starts_with("error: none.bnc"), "{}", plain.err);
    let coloured = folder.run("--color always show none.bnc");
    assert!(coloured.err.contains("\u{1b}["), "{}", coloured.err);
    let never = folder.run("show none.bnc --color never");
    assert_eq!(never.err, plain.err);
}

#[test]
fn learners_and_sets_are_listed() {
    let folder = Folder::new();
    let text = folder.ok("learners").out;
    assert!(LEARNERS.iter().chain(&["Webb"]).all(|part| text.contains(part)), "{text}");
    let details = folder.ok("learners aode").out;
    assert!(
        details.contains("parameter") && details.contains("joint") && details.contains("Cost"),
        "{details}"
    );
    let document = folder.json("learners --json");
    let names = document.as_array().unwrap().iter().map(|info| info["name"].as_str().unwrap());
    assert!(names.eq(LEARNERS));
    assert_eq!(folder.json("learners tan --json")["parameters"][0]["name"], "score");
    let sets = folder.json("datasets --json");
    assert_eq!(sets.as_array().unwrap()[0]["name"], "tic-tac-toe");
    let text = folder.ok("datasets").out;
    for set in sets.as_array().unwrap() {
        let name = set["name"].as_str().unwrap();
        assert!(text.contains(name), "{name}");
        let described = folder.json(&format!("describe builtin:{name} --json"));
        assert_eq!(described["rows"], set["rows"], "{name}");
        assert_eq!(
            described["columns"].as_array().unwrap().len() as u64,
            set["features"].as_u64().unwrap() + 1
        );
    }
}

#[test]
fn descriptions_count() {
    let folder = Folder::new();
    folder.write("d.csv", "x,a,class\n1,u,yes\n2.5,?,no\n?,v,yes\n4,u,yes\n");
    let document = folder.json("describe d.csv --json");
    assert_eq!(document["class"], "class");
    let x = &document["columns"][0];
    assert_eq!((x["kind"].as_str(), x["missing"].as_u64()), (Some("numeric"), Some(1)));
    assert_eq!((x["min"].as_f64(), x["max"].as_f64(), x["mean"].as_f64()), (Some(1.0), Some(4.0), Some(2.5)));
    let class = serde_json::json!([{"label": "no", "count": 1}, {"label": "yes", "count": 3}]);
    assert_eq!(document["columns"][2]["values"], class);
    let text = folder.ok("describe d.csv").out;
    assert!(text.contains("1 to 4, mean 2.5") && text.contains("no ×1, yes ×3"), "{text}");
    let text = folder.ok("describe d.csv --no-header --class column1").out;
    assert!(text.contains("column3"), "{text}");
}

#[test]
fn every_option_explains_itself() {
    let folder = Folder::new();
    for command in [
        "train",
        "predict",
        "evaluate",
        "reproduce",
        "bench",
        "show",
        "describe",
        "discretize",
        "learners",
        "datasets",
        "completions",
    ] {
        let help = folder.ok(&format!("{command} --help")).out;
        assert!(help.contains("Example"), "{command}\n{help}");
        // An option without a text has nothing after its name but the end of the line, and nothing below it.
        let lines: Vec<&str> = help.lines().collect();
        for pair in lines.windows(2) {
            if pair[0].trim_start().starts_with("--") && !pair[0].trim().contains("  ") {
                assert!(
                    pair[1].trim_start().chars().next().is_some_and(char::is_alphabetic),
                    "{command}: {}",
                    pair[0]
                );
            }
        }
    }
}

#[test]
fn completions_and_man_pages_are_made() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = folder.ok(&format!("completions {shell}")).out;
        assert!(script.contains("evaluate") && script.contains("bnc"), "{shell}");
    }
    folder.ok("man -o man1");
    let page = folder.read("man1/bnc-evaluate.1");
    assert!(page.contains("fold\\-file"), "{page}");
    assert!(folder.path("man1/bnc.1").exists());
}
