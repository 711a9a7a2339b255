//! Other programs, timed on the same rows in the same run.

use std::ffi::{OsStr, OsString};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::program::{Program, Timing, output};
use super::sets::{file, network, part};
use super::text::{count, digits, seconds, table};
use crate::command::root;

/// The environment variable that names WEKA's archive, and where Debian's package puts it.
const WEKA: (&str, &str) = ("WEKA_JAR", "/usr/share/java/weka.jar");
/// The environment variable that names a Python with the packages, and the one that is taken without it.
const PYTHON: (&str, &str) = ("BNC_PEERS_PYTHON", "python3");

/// Rows to learn from, and those after them to predict.
const TRAINED: usize = 1_000_000;
const PREDICTED: usize = 200_000;

/// Another program that is installed.
struct Peer {
    name: &'static str,
    /// What times a learner: these arguments are followed by how often, the files to learn from and to predict, and the
    /// learner's name.
    program: OsString,
    arguments: Vec<OsString>,
    /// The format of its files.
    extension: &'static str,
    /// The learners, and how often each is run.
    learners: &'static [(&'static str, u32)],
    /// How many rows it predicts, and ours beside it.
    predicted: usize,
    /// What to know about its figures.
    note: &'static str,
}

/// Times every peer that is there, and ours right after it, on the same rows.
pub(super) fn measure() -> Result<String> {
    let peers = installed();
    if peers.is_empty() {
        bail!(
            "there is no other program to compare with: set {} to weka.jar, or {} to a Python with pandas and \
             scikit-learn or pyagrum",
            WEKA.0,
            PYTHON.0
        );
    }
    let program = Program::build()?;
    let set = network(TRAINED + PREDICTED, 30, "2-10");
    let mut rows = Vec::new();
    let mut notes = String::new();
    for peer in &peers {
        let parts = |extension: &str| part(&file(&program, &set, extension)?, TRAINED, peer.predicted);
        let (train, test) = parts("csv")?;
        let (their_train, their_test) = parts(peer.extension)?;
        for (learner, runs) in peer.learners {
            eprintln!("  {}: {learner}", peer.name);
            let theirs = peer.time(*runs, &their_train, &their_test, learner)?;
            let (train, test) = (train.to_string_lossy(), test.to_string_lossy());
            let one = program.time(&train, learner, &["--test", &test, "--threads", "1"])?;
            let all = program.time(&train, learner, &["--test", &test])?;
            rows.extend(compare(peer.predicted, &theirs, &one, &all));
        }
        let _ = writeln!(notes, "- {}: {}", peer.name, peer.note);
    }
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let head =
        ["learner and step", "peer", "ours, 1 thread", "times", &format!("ours, {threads} threads"), "times"];
    Ok(format!(
        "{} rows of 30 features (2–10 values) and 3 classes to learn from, and others to predict, in memory; reading is from \
         the training file to the form that the learner wants. Ours are medians of five runs, from CSV files.\n\n\
         {notes}\n{}",
        count(TRAINED),
        table(&head, &rows)
    ))
}

/// A row for each step: the peer's seconds, ours, and how many times as fast ours is.
fn compare(predicted: usize, theirs: &Timing, one: &Timing, all: &Timing) -> Vec<Vec<String>> {
    let predicted = count(predicted);
    let label =
        |step: &str| format!("{} {step}, beside {} {}", theirs.learner, theirs.program, theirs.version);
    let row = |step: &str, took: fn(&Timing) -> f64| {
        let (theirs, one, all) = (took(theirs), took(one), took(all));
        vec![
            label(step),
            seconds(theirs),
            seconds(one),
            digits(theirs / one),
            seconds(all),
            digits(theirs / all),
        ]
    };
    let accuracy = |timing: &Timing| format!("{:.4}", timing.accuracy);
    vec![
        row("reads", |timing| timing.load_s),
        row("trains", |timing| timing.train_s),
        row(&format!("predicts {predicted} rows"), |timing| timing.predict_s),
        vec![
            label(&format!("accuracy on {predicted} rows")),
            accuracy(theirs),
            accuracy(one),
            String::new(),
            accuracy(all),
            String::new(),
        ],
    ]
}

impl Peer {
    fn time(&self, runs: u32, train: &Path, test: &Path, learner: &str) -> Result<Timing> {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).arg(runs.to_string()).args([train, test]).arg(learner);
        let printed = output(&mut command)?;
        Timing::last(&printed).with_context(|| format!("{} printed no timing of {learner}", self.name))
    }
}

/// The peers that are there; of the others it is said how to get them.
fn installed() -> Vec<Peer> {
    let python = std::env::var_os(PYTHON.0).unwrap_or_else(|| PYTHON.1.into());
    let archive = std::env::var_os(WEKA.0).unwrap_or_else(|| WEKA.1.into());
    [weka(Path::new(&archive)), scikit_learn(&python), pyagrum(&python)].into_iter().flatten().collect()
}

fn weka(archive: &Path) -> Option<Peer> {
    if !archive.is_file() {
        eprintln!("  without WEKA: there is no {}; set {} to its weka.jar", archive.display(), WEKA.0);
        return None;
    }
    if !succeeds(Command::new("java").arg("-version")) {
        eprintln!("  without WEKA: `java -version` fails; install Java 11 or newer");
        return None;
    }
    Some(Peer {
        name: "WEKA",
        program: "java".into(),
        arguments: vec!["-Xmx8g".into(), "-cp".into(), archive.into(), harness("Weka.java").into()],
        extension: "arff",
        learners: &[("nb", 3), ("aode", 3), ("waode", 3), ("tan", 1)],
        predicted: PREDICTED,
        note: "medians of three runs, from ARFF files; TAN, which takes much longer, runs once.",
    })
}

fn scikit_learn(python: &OsStr) -> Option<Peer> {
    Some(Peer {
        name: "scikit-learn",
        program: python.to_owned(),
        arguments: python_arguments(python, "scikit-learn", "sklearn")?,
        extension: "csv",
        learners: &[("nb", 5)],
        predicted: PREDICTED,
        note: "`CategoricalNB`; medians of five runs.",
    })
}

fn pyagrum(python: &OsStr) -> Option<Peer> {
    Some(Peer {
        name: "pyAgrum",
        program: python.to_owned(),
        arguments: python_arguments(python, "pyAgrum", "pyagrum.skbn")?,
        extension: "csv",
        learners: &[("nb", 1), ("tan", 1)],
        predicted: 20_000,
        note: "`BNClassifier` without discretisation, one added to every count (our TAN smooths otherwise). One run on one \
               thread and one on all, of which the faster to train is told. Training includes a CSV file that it writes \
               and reads itself. It predicts row by row, which is slow: fewer rows, for ours beside it as well.",
    })
}

/// The arguments of a peer in Python, where this module and pandas are there to be imported.
fn python_arguments(python: &OsStr, name: &str, module: &str) -> Option<Vec<OsString>> {
    if !succeeds(Command::new(python).args(["-c", &format!("import pandas, {module}")])) {
        eprintln!(
            "  without {name}: {} cannot import pandas and {module}; set {} to a Python that can",
            python.display(),
            PYTHON.0
        );
        return None;
    }
    Some(vec![harness("python_peers.py").into(), name.into()])
}

fn succeeds(command: &mut Command) -> bool {
    command.output().is_ok_and(|output| output.status.success())
}

fn harness(name: &str) -> PathBuf {
    root().join("xtask").join("peers").join(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_there_is_left_out() {
        assert!(weka(Path::new("no such weka.jar")).is_none());
        assert!(pyagrum(OsStr::new("no such python")).is_none());
    }

    #[test]
    fn steps_are_compared_with_those_of_the_peer() {
        let timing = |train_s: f64| Timing {
            program: "P".into(),
            version: "1".into(),
            learner: "nb".into(),
            load_s: 1.0,
            train_s,
            predict_s: 1.0,
            accuracy: 0.5,
        };
        let rows = compare(2_000, &timing(8.0), &timing(2.0), &timing(1.0));
        assert_eq!(rows[1], ["nb trains, beside P 1", "8.00 s", "2.00 s", "4.00", "1.00 s", "8.00"]);
        assert_eq!(rows[2][0], "nb predicts 2,000 rows, beside P 1");
        assert_eq!(rows[3], ["nb accuracy on 2,000 rows, beside P 1", "0.5000", "0.5000", "", "0.5000", ""]);
    }
}
