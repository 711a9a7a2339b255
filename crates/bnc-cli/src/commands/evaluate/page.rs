//! The results as a page.

use std::ffi::OsString;
use std::path::Path;

use super::{Outcome, Setting};
use crate::error::Result;
use crate::experiment::Significance;
use crate::html::evaluation::{self, Input};
use crate::output;

/// Writes the page to a file.
pub(super) fn write(
    path: &Path,
    setting: &Setting,
    outcomes: &[Outcome],
    significance: &Significance,
) -> Result<()> {
    let command = command_line(std::env::args_os().skip(1));
    let page = evaluation::page(&Input { setting, outcomes, significance, command: &command })?;
    output::write(Some(path), |out| Ok(out.write_all(page.as_bytes())?))
}

/// The command as it can be typed again in a shell.
fn command_line(arguments: impl Iterator<Item = OsString>) -> String {
    let quoted = |argument: OsString| {
        let argument = argument.to_string_lossy();
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./:=,+@%".contains(c);
        if !argument.is_empty() && argument.chars().all(is_plain) {
            argument.into_owned()
        } else {
            format!("'{}'", argument.replace('\'', r"'\''"))
        }
    };
    std::iter::once("bnc".to_string()).chain(arguments.map(quoted)).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_quoted_for_a_shell() {
        let arguments = ["evaluate", "my data.csv", "it's", "--learner", "nb:smoothing=m:1", ""];
        let command = command_line(arguments.into_iter().map(OsString::from));
        assert_eq!(command, r"bnc evaluate 'my data.csv' 'it'\''s' --learner nb:smoothing=m:1 ''");
    }
}
