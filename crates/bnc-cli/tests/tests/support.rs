//! A folder of its own for each test, and the program run in it.

use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// Two features, six rows; see `values` for its posteriors.
pub(crate) const T1: &str = "a,b,class\nx,p,yes\nx,q,yes\ny,p,no\ny,q,no\nx,p,yes\ny,p,no\n";
/// The same with missing cells.
pub(crate) const T2: &str = "a,b,class\nx,p,yes\nx,q,yes\ny,p,no\n?,q,no\nx,?,yes\ny,p,no\nx,p,yes\n";

pub(crate) const LEARNERS: [&str; 23] = [
    "nb",
    "tan",
    "abn",
    "tan-fda",
    "spode",
    "aode",
    "aodesr",
    "aode-sr-branch",
    "waode",
    "mi-ode",
    "hnb",
    "a2de",
    "kdb",
    "local-kdb",
    "akdb",
    "anb",
    "gbn",
    "fs-anb",
    "manb",
    "gbn-greedy",
    "bnc2p",
    "mc-dag",
    "rai-anb",
];

/// A temporary folder.
pub(crate) struct Folder(tempfile::TempDir);

/// What a run left.
pub(crate) struct Run {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// A folder with `t1.csv`.
    pub(crate) fn with_t1() -> Self {
        let folder = Self::new();
        folder.write("t1.csv", T1);
        folder
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), text).unwrap();
    }

    pub(crate) fn bytes(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).unwrap()
    }

    pub(crate) fn read(&self, name: &str) -> String {
        String::from_utf8(self.bytes(name)).unwrap()
    }

    /// The names of all files, hidden ones too.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    pub(crate) fn command(&self, arguments: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_bnc"));
        command.current_dir(self.0.path()).args(arguments.split_whitespace()).env_remove("CLICOLOR_FORCE");
        command
    }

    /// Runs the program with arguments that have no blanks in them.
    pub(crate) fn run(&self, arguments: &str) -> Run {
        Run::of(self.command(arguments).stdin(Stdio::null()).output().unwrap())
    }

    /// Runs the program with text on standard input.
    pub(crate) fn run_with_input(&self, arguments: &str, input: &str) -> Run {
        self.write("input", input);
        let file = std::fs::File::open(self.path("input")).unwrap();
        Run::of(self.command(arguments).stdin(file).output().unwrap())
    }

    /// Runs the program, which must do its work.
    pub(crate) fn ok(&self, arguments: &str) -> Run {
        let run = self.run(arguments);
        assert_eq!(run.code, Some(0), "bnc {arguments}\n{}{}", run.out, run.err);
        run
    }

    /// Runs the program, which must print a JSON document.
    pub(crate) fn json(&self, arguments: &str) -> Value {
        serde_json::from_str(&self.ok(arguments).out).unwrap()
    }

    /// Runs the program, which must fail with that exit status and one line; the line without `error: `.
    pub(crate) fn error(&self, code: i32, arguments: &str) -> String {
        let run = self.run(arguments);
        assert_eq!(run.code, Some(code), "bnc {arguments}\n{}{}", run.out, run.err);
        let lines: Vec<&str> = run.err.lines().filter(|line| line.starts_with("error: ")).collect();
        assert_eq!(lines.len(), 1, "{}", run.err);
        assert!(!run.err.contains("panicked"), "{}", run.err);
        lines[0]["error: ".len()..].to_string()
    }

    /// Trains on a file; the model is called `LEARNER.bnc`.
    pub(crate) fn train(&self, learner: &str, data: &str) -> String {
        let model = format!("{}.bnc", learner.split(':').next().unwrap());
        self.ok(&format!("train {data} --learner {learner} -o {model}"));
        model
    }

    /// The posteriors of some rows given as CSV with a header.
    pub(crate) fn posteriors(&self, model: &str, rows: &str) -> Vec<Vec<f64>> {
        self.write("rows.csv", rows);
        posteriors(&self.ok(&format!("predict {model} rows.csv")).out)
    }
}

impl Run {
    fn of(output: Output) -> Self {
        Self {
            code: output.status.code(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

/// The probabilities in a file of predictions.
pub(crate) fn posteriors(csv: &str) -> Vec<Vec<f64>> {
    let rows = csv.lines().skip(1);
    rows.map(|row| row.split(',').skip(2).map(|cell| cell.parse().unwrap()).collect()).collect()
}

pub(crate) fn assert_near(found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len(), "{found:?}");
    for (found_one, expected_one) in found.iter().zip(expected) {
        assert!((found_one - expected_one).abs() <= tolerance, "{found:?}, expected {expected:?}");
    }
}

/// The strings in a JSON list.
pub(crate) fn strings(value: &Value) -> Vec<&str> {
    value.as_array().unwrap().iter().map(|it| it.as_str().unwrap()).collect()
}

/// The numbers in a JSON list.
pub(crate) fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|it| it.as_f64().unwrap()).collect()
}

/// A JSON document without what depends on the clock.
pub(crate) fn without_times(mut value: Value) -> Value {
    fn strip(value: &mut Value) {
        match value {
            Value::Object(map) => {
                map.retain(|key, _| !key.ends_with("_seconds"));
                map.values_mut().for_each(strip);
            }
            Value::Array(list) => list.iter_mut().for_each(strip),
            _ => {}
        }
    }
    strip(&mut value);
    value
}
