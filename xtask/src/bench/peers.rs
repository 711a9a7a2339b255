//! Other programs, timed on the same rows in the same run.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Result, bail};

use super::program::{Program, Timing, output};
use super::sets::{file, network, part};
use super::text::{digits, seconds, table};
use crate::command::root;

/// The environment variable that names WEKA's archive, and where Debian's package puts it.
const WEKA: (&str, &str) = ("WEKA_JAR", "/usr/share/java/weka.jar");
/// The environment variable that names a Python with scikit-learn and pandas.
const PYTHON: &str = "BNC_PEERS_PYTHON";

/// Another program, where it is installed.
struct Peer {
    name: &'static str,
    learners: &'static [&'static str],
    /// The command that times a learner, given its name; the arguments are the two files.
    command: Box<dyn Fn(&str) -> Command>,
}

/// Times every peer that is there, and ours right after it, on the same files.
pub(super) fn measure() -> Result<String> {
    let program = Program::build()?;
    let set = network(1_200_000, 30, "2-10");
    let (train, test) = part(&file(&program, &set, "csv")?, 1_000_000, 200_000)?;
    let (train_arff, test_arff) = part(&file(&program, &set, "arff")?, 1_000_000, 200_000)?;
    let peers: Vec<Peer> =
        [weka(&train_arff, &test_arff), scikit_learn(&train, &test)].into_iter().flatten().collect();
    if peers.is_empty() {
        bail!("no other program is installed: WEKA (set {} to weka.jar) or scikit-learn ({PYTHON})", WEKA.0);
    }
    let mut rows = Vec::new();
    for peer in &peers {
        for learner in peer.learners {
            eprintln!("  {}: {learner}", peer.name);
            let Some(theirs) = Timing::last(&output(&mut (peer.command)(learner))?) else {
                bail!("{} printed no timing of {learner}", peer.name);
            };
            let file = train.to_string_lossy();
            let test = test.to_string_lossy();
            let one = program.time(&file, learner, &["--test", &test, "--threads", "1"])?;
            let all = program.time(&file, learner, &["--test", &test])?;
            rows.extend(compare(&theirs, &one, &all));
        }
    }
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let head =
        ["learner and step", "peer", "ours, 1 thread", "times", &format!("ours, {threads} threads"), "times"];
    Ok(format!(
        "1,000,000 rows of 30 features (2–10 values) and 3 classes to learn from, 200,000 to predict, in memory; reading \
         is from CSV (WEKA: ARFF) to the form that the learner wants.\n\n{}",
        table(&head, &rows)
    ))
}

fn compare(theirs: &Timing, one: &Timing, all: &Timing) -> Vec<Vec<String>> {
    let peer = format!("{} {}", theirs.program, theirs.version);
    let steps = |timing: &Timing| {
        [("reads", timing.load_s), ("trains", timing.train_s), ("predicts", timing.predict_s)]
    };
    let times = steps(theirs).into_iter().zip(steps(one)).zip(steps(all));
    let mut rows: Vec<Vec<String>> = times
        .map(|(((step, theirs_s), (_, one_s)), (_, all_s))| {
            vec![
                format!("{} {step}, beside {peer}", theirs.learner),
                seconds(theirs_s),
                seconds(one_s),
                digits(theirs_s / one_s),
                seconds(all_s),
                digits(theirs_s / all_s),
            ]
        })
        .collect();
    let accuracy = |timing: &Timing| format!("{:.4}", timing.accuracy);
    rows.push(vec![
        format!("{} accuracy, beside {peer}", theirs.learner),
        accuracy(theirs),
        accuracy(one),
        String::new(),
        accuracy(all),
        String::new(),
    ]);
    rows
}

fn weka(train: &Path, test: &Path) -> Option<Peer> {
    let archive = std::env::var_os(WEKA.0).map_or_else(|| PathBuf::from(WEKA.1), PathBuf::from);
    if !archive.is_file() {
        eprintln!("  without WEKA: no {}; set {} to weka.jar", archive.display(), WEKA.0);
        return None;
    }
    let (train, test) = (train.to_owned(), test.to_owned());
    let command = move |learner: &str| {
        let mut command = Command::new("java");
        command.args(["-Xmx8g", "-cp"]).arg(&archive).arg(harness("Weka.java"));
        // Its search for a tree takes half a minute.
        command.arg(if learner == "tan" { "1" } else { "3" }).args([&train, &test]).arg(learner);
        command
    };
    Some(Peer { name: "WEKA", learners: &["nb", "aode", "waode", "tan"], command: Box::new(command) })
}

fn scikit_learn(train: &Path, test: &Path) -> Option<Peer> {
    let python = std::env::var_os(PYTHON).unwrap_or_else(|| "python3".into());
    let there = Command::new(&python).args(["-c", "import sklearn, pandas"]).output();
    if !there.is_ok_and(|output| output.status.success()) {
        eprintln!("  without scikit-learn: set {PYTHON} to a Python with scikit-learn and pandas");
        return None;
    }
    let (train, test) = (train.to_owned(), test.to_owned());
    let command = move |learner: &str| {
        let mut command = Command::new(&python);
        command.arg(harness("scikit_learn.py")).arg("5").args([&train, &test]).arg(learner);
        command
    };
    Some(Peer { name: "scikit-learn", learners: &["nb"], command: Box::new(command) })
}

fn harness(name: &str) -> PathBuf {
    root().join("xtask").join("peers").join(name)
}
