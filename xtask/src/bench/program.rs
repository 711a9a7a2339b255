//! The program `bnc` in its released form, run to be timed.

use std::env::consts::EXE_SUFFIX;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use wait4::Wait4;

use crate::command::{cargo, metadata, run};

/// What `bnc bench`, and each harness of another program, prints on a line of JSON.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Timing {
    pub(super) program: String,
    pub(super) version: String,
    pub(super) learner: String,
    pub(super) load_s: f64,
    pub(super) train_s: f64,
    pub(super) predict_s: f64,
    pub(super) accuracy: f64,
}

impl Timing {
    /// The last timing among the lines that a program printed.
    pub(super) fn last(printed: &str) -> Option<Self> {
        printed.lines().rev().find_map(|line| serde_json::from_str(line).ok())
    }
}

/// The program, built.
pub(super) struct Program(PathBuf);

impl Program {
    pub(super) fn build() -> Result<Self> {
        run(&mut cargo(&["build", "--release", "--package", "bnc-cli"]))?;
        let target = metadata()?.target_directory;
        Ok(Self(target.join("release").join(format!("bnc{EXE_SUFFIX}")).into()))
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.0);
        command.args(arguments).arg("--quiet");
        command
    }

    /// Times a learner: the medians of five runs. `more` are further options.
    pub(super) fn time(&self, data: &str, learner: &str, more: &[&str]) -> Result<Timing> {
        eprintln!("  {learner} on {data} {}", more.join(" "));
        let fixed = ["bench", data, "--learner", learner, "--discretize", "none", "--runs", "5"];
        let output = output(self.command(&fixed).args(more))?;
        Timing::last(&output).context("`bnc bench` printed no timing")
    }

    /// Writes a built-in set to a file.
    pub(super) fn write(&self, set: &str, file: &Path) -> Result<()> {
        let file = file.to_string_lossy();
        output(&mut self.command(&["discretize", set, "--discretize", "none", "--output", &file])).map(drop)
    }

    /// Trains a model three times as a process of its own: the median of the seconds, and the largest peak memory in MiB.
    pub(super) fn train(&self, data: &Path, learner: &str) -> Result<(f64, f64)> {
        eprintln!("  training {learner} on {}", data.display());
        let run = || self.train_once(data, learner);
        Ok(summary([run()?, run()?, run()?]))
    }

    fn train_once(&self, data: &Path, learner: &str) -> Result<(f64, f64)> {
        let (data, model) = (data.to_string_lossy(), data.with_extension("bnc"));
        let model = model.to_string_lossy();
        let fixed = ["train", &data, "--learner", learner, "--discretize", "none", "--output", &model];
        let start = Instant::now();
        let mut child = self.command(&fixed).stdout(Stdio::null()).spawn().context("cannot start bnc")?;
        let used = child.wait4().context("cannot wait for bnc")?;
        if !used.status.success() {
            bail!("`bnc train` failed ({})", used.status);
        }
        Ok((start.elapsed().as_secs_f64(), used.rusage.maxrss as f64 / f64::from(1 << 20)))
    }
}

/// The median of the seconds and the largest peak memory of three runs.
fn summary(mut runs: [(f64, f64); 3]) -> (f64, f64) {
    runs.sort_by(|(first, _), (second, _)| first.total_cmp(second));
    (runs[1].0, runs.iter().fold(0.0, |largest, (_, peak)| peak.max(largest)))
}

/// What a command prints; what it says on standard error is shown.
pub(super) fn output(command: &mut Command) -> Result<String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.stderr(Stdio::inherit()).output().with_context(|| format!("cannot start {name}"))?;
    if !output.status.success() {
        bail!("{name} failed ({})", output.status);
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_runs_have_a_median_and_a_peak() {
        assert_eq!(summary([(3.0, 10.0), (1.0, 30.0), (2.0, 20.0)]), (2.0, 30.0));
    }

    #[test]
    fn a_timing_is_found_among_other_lines() {
        let line = r#"{"program":"p","version":"1","learner":"nb","load_s":1,"train_s":2,"predict_s":3,"accuracy":0.5,"runs":5}"#;
        let found = Timing::last(&format!("a report\n\n{line}\nan end\n")).unwrap();
        assert!((found.predict_s - 3.0).abs() < 1e-12);
        assert!(Timing::last("a report\n").is_none());
    }
}
