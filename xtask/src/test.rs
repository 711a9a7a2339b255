//! `cargo xtask test`: everything a user runs to test, with one total at the end.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use anyhow::{Context, Result, bail};

use crate::command::{cargo, show};

/// Runs the unit, integration and documentation tests of the workspace.
pub(crate) fn run() -> Result<()> {
    eprintln!("{}", reference_note(std::env::var_os("BNC_REFERENCE").as_deref()));
    let mut command = cargo(&["test", "--workspace", "--all-features", "--no-fail-fast"]);
    eprintln!("$ {}", show(&command));
    let mut child = command.stdout(Stdio::piped()).spawn().context("cannot start cargo")?;
    let mut total = Total::default();
    if let Some(output) = child.stdout.take() {
        for line in BufReader::new(output).split(b'\n') {
            // A failing test may print anything, so the line need not be UTF-8.
            let line = String::from_utf8_lossy(&line.context("cannot read what cargo prints")?).into_owned();
            println!("{line}");
            total.add(&line);
        }
    }
    let status = child.wait().context("cannot wait for cargo")?;
    println!("\n{} passed, {} failed, {} skipped", total.passed, total.failed, total.skipped);
    if !status.success() {
        bail!("the tests failed");
    }
    if total.passed == 0 {
        bail!("no test ran");
    }
    Ok(())
}

fn reference_note(folder: Option<&std::ffi::OsStr>) -> String {
    match folder {
        None => "BNC_REFERENCE is not set: the checks against the large reference data are skipped.".into(),
        Some(folder) if std::path::Path::new(folder).is_dir() => {
            format!("Reference data: {} (BNC_REFERENCE).", folder.to_string_lossy())
        }
        Some(folder) => format!(
            "BNC_REFERENCE names {}, which is not a folder: unset it, or the checks that read it fail.",
            folder.to_string_lossy()
        ),
    }
}

/// Sums of the closing lines of the test programs.
#[derive(Debug, Default, PartialEq)]
struct Total {
    passed: usize,
    failed: usize,
    skipped: usize,
}

impl Total {
    /// Adds a line such as `test result: ok. 3 passed; 0 failed; 1 ignored; …`; other lines add nothing.
    fn add(&mut self, line: &str) {
        let Some((_, counts)) = line.strip_prefix("test result: ").and_then(|rest| rest.split_once(". "))
        else {
            return;
        };
        for part in counts.split("; ") {
            if let Some((Ok(number), what)) = part.split_once(' ').map(|(n, what)| (n.parse::<usize>(), what))
            {
                match what {
                    "passed" => self.passed += number,
                    "failed" => self.failed += number,
                    "ignored" => self.skipped += number,
                    _ => {}
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closing_lines_are_summed_and_other_lines_ignored() {
        let mut total = Total::default();
        for line in [
            "running 4 tests",
            "test a ... ok",
            "test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s",
            "test result: FAILED. 2 passed; 5 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.10s",
            "9 passed; 9 failed",
        ] {
            total.add(line);
        }
        assert_eq!(total, Total { passed: 5, failed: 5, skipped: 1 });
    }

    #[test]
    fn the_note_says_whether_reference_data_is_there() {
        assert!(reference_note(None).contains("skipped"));
        let folder = tempfile::tempdir().unwrap();
        assert!(reference_note(Some(folder.path().as_os_str())).starts_with("Reference data: "));
        assert!(reference_note(Some(folder.path().join("none").as_os_str())).contains("not a folder"));
    }
}
