//! The command line.

use std::process::ExitCode;

use clap::{ColorChoice, Parser, Subcommand};

use crate::commands::{
    bench, completions, datasets, describe, discretize, evaluate, learners, man, predict, reproduce, show,
    train,
};
use crate::error::{Error, Result};
use crate::terminal::{self, Terminal};

/// Bayesian network classifiers over categorical data: train, evaluate, inspect, use.
#[derive(Debug, Parser)]
#[command(name = "bnc", version, propagate_version = true, max_term_width = 100, after_help = AFTER_HELP)]
pub(crate) struct Cli {
    /// How many threads work [default: one a core]; results do not depend on it
    #[arg(long, global = true, value_name = "N", value_parser = clap::value_parser!(u16).range(1..), help_heading = GLOBAL)]
    threads: Option<u16>,
    /// Say nothing on standard error but warnings and errors
    #[arg(long, short, global = true, help_heading = GLOBAL)]
    quiet: bool,
    /// When to colour messages
    #[arg(long, global = true, value_name = "WHEN", default_value_t = ColorChoice::Auto, help_heading = GLOBAL)]
    color: ColorChoice,
    #[command(subcommand)]
    command: Command,
}

const GLOBAL: &str = "Global options";

const AFTER_HELP: &str = "\
Data are a file (.csv, .tsv, .arff, each also .gz; .parquet), - for CSV on standard input, or
builtin:NAME.
Results go to standard output, everything else to standard error.
Exit status: 0 done, 1 the work failed, 2 the command line is wrong.

Examples:
  bnc evaluate builtin:tic-tac-toe                        compare the learners
  bnc train weather.csv --class play --learner tan -o weather.bnc
  bnc predict weather.bnc tomorrow.csv                    labels with probabilities
  bnc show weather.bnc                                    the network";

#[derive(Debug, Subcommand)]
enum Command {
    Train(train::Train),
    Predict(predict::Predict),
    Evaluate(evaluate::Evaluate),
    Reproduce(reproduce::Reproduce),
    Show(show::Show),
    Bench(bench::Bench),
    Describe(describe::Describe),
    Discretize(discretize::Discretize),
    Learners(learners::Learners),
    Datasets(datasets::Datasets),
    Completions(completions::Completions),
    #[command(hide = true)]
    Man(man::Man),
}

/// Runs the program on its arguments.
pub(crate) fn run() -> ExitCode {
    let cli = Cli::parse();
    match cli.color {
        ColorChoice::Auto => anstream::ColorChoice::Auto,
        ColorChoice::Always => anstream::ColorChoice::Always,
        ColorChoice::Never => anstream::ColorChoice::Never,
    }
    .write_global();
    terminal::watch_for_interrupts();
    match execute(&cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if error.is_broken_pipe() => ExitCode::SUCCESS,
        Err(error) => {
            terminal::error(&error);
            error.exit_code()
        }
    }
}

fn execute(cli: &Cli) -> Result<()> {
    if let Some(threads) = cli.threads {
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads.into())
            .build_global()
            .map_err(|error| Error::failed(format!("{threads} threads cannot be started: {error}")))?;
    }
    let terminal = Terminal { quiet: cli.quiet };
    match &cli.command {
        Command::Train(command) => command.run(terminal),
        Command::Predict(command) => command.run(terminal),
        Command::Evaluate(command) => command.run(terminal),
        Command::Reproduce(command) => command.run(terminal),
        Command::Show(command) => command.run(terminal),
        Command::Bench(command) => command.run(terminal),
        Command::Describe(command) => command.run(terminal),
        Command::Discretize(command) => command.run(terminal),
        Command::Learners(command) => command.run(),
        Command::Datasets(command) => command.run(),
        Command::Completions(command) => command.run(),
        Command::Man(command) => command.run(),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        super::Cli::command().debug_assert();
    }
}
