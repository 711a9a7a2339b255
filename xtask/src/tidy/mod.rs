//! `cargo xtask tidy`: the rules of the house that no compiler knows.
//!
//! Each rule is a pure function from what is to be checked to the violations found, with a test on input that violates it.

mod dependencies;
mod files;
mod layers;
mod readme;
mod source;
mod workspace;

use std::fmt;

use anyhow::{Context, Result, bail};

use crate::command::root;
use workspace::Workspace;

/// A broken rule.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Violation {
    /// The file, with a line where there is one.
    file: String,
    /// The rule's name.
    rule: &'static str,
    /// What to do about it.
    remedy: String,
}

impl Violation {
    fn new(file: impl Into<String>, rule: &'static str, remedy: impl Into<String>) -> Self {
        Self { file: file.into(), rule, remedy: remedy.into() }
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{}: {}: {}", self.file, self.rule, self.remedy)
    }
}

/// Checks all rules and prints every violation on a line of its own; `write` first brings the root README up to date.
pub(crate) fn run(write: bool) -> Result<()> {
    let mut workspace = Workspace::read()?;
    if write {
        let text = readme::rewrite(workspace.files.get(readme::FILE), &workspace.members)?;
        std::fs::write(root().join(readme::FILE), &text).context("cannot write README.md")?;
        workspace.files.insert(readme::FILE.into(), text);
    }
    let mut violations = check(&workspace);
    violations.sort();
    for violation in &violations {
        println!("{violation}");
    }
    match violations.len() {
        0 => Ok(()),
        1 => bail!("tidy: 1 rule is broken"),
        number => bail!("tidy: {number} rules are broken"),
    }
}

fn check(workspace: &Workspace) -> Vec<Violation> {
    let Workspace { members, declared, files } = workspace;
    let mut violations = layers::check(members);
    violations.extend(files::check(members, files));
    violations.extend(readme::check(files.get(readme::FILE), members));
    violations.extend(dependencies::check(declared, members, files.get(dependencies::FILE)));
    violations.extend(source::check(members, files));
    violations
}
