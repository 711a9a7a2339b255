//! `cargo xtask`: everything that contributors and the continuous integration run.

mod bench;
mod ci;
mod command;
mod fetch;
mod sections;
mod test;
mod tidy;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Parser;

/// Test, check, measure and fetch: the chores of this workspace.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
enum Task {
    /// Run all tests: unit, integration and documentation.
    Test,
    /// Run every check that a change must pass, stopping at the first failure.
    Ci {
        /// Leave a step out (repeatable).
        #[arg(long, value_enum, value_name = "STEP")]
        skip: Vec<ci::Step>,
    },
    /// Check the rules of the house that no compiler knows.
    Tidy {
        /// Write the generated part of the root README instead of only comparing it.
        #[arg(long)]
        write: bool,
    },
    /// Fetch real data sets from their public address (`cargo xtask fetch --help` tells more).
    #[command(disable_help_flag = true)]
    Fetch {
        /// Passed on to the program that fetches, which is built when first needed.
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "ARGUMENTS")]
        arguments: Vec<OsString>,
    },
    /// Measure everything and write docs/performance.md, or one part of it.
    ///
    /// Without a name it takes half an hour and more on a quiet machine. `scaling`, `peers` and `parts` measure one section of
    /// the page; `peers` needs WEKA, scikit-learn or pyAgrum. A crate or a benchmark runs what it names, and
    /// writes nothing.
    Bench {
        /// A section, a crate or a benchmark.
        name: Option<String>,
    },
}

fn main() -> ExitCode {
    // Printed here, because what fails is a chore: nobody wants the stack of this program.
    match run(Task::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn run(task: Task) -> anyhow::Result<()> {
    match task {
        Task::Test => test::run(),
        Task::Ci { skip } => ci::run(&skip),
        Task::Tidy { write } => tidy::run(write),
        Task::Fetch { arguments } => fetch::run(&arguments),
        Task::Bench { name } => bench::run(name.as_deref()),
    }
}
