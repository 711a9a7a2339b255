#![doc = include_str!("../README.md")]
#![allow(
    clippy::panic,
    clippy::expect_used,
    clippy::cast_sign_loss,
    reason = "only tests use this crate; a panic is a failed test"
)]

mod compare;

use std::path::{Path, PathBuf};

pub use compare::{Comparison, SETS, compare, discrete_set, read_set, structure_of, training_and_test};

/// The folder of reference data, from the environment variable `BNC_REFERENCE`; where it is not set the caller's check is
/// skipped, and says so.
///
/// # Panics
/// When the variable names no folder: then a check would silently not run.
#[must_use]
pub fn folder(check: &str) -> Option<PathBuf> {
    let Some(folder) = std::env::var_os("BNC_REFERENCE").map(PathBuf::from) else {
        println!("skipped: {check} needs the reference data; set BNC_REFERENCE to its folder");
        return None;
    };
    assert!(folder.is_dir(), "BNC_REFERENCE is not a folder");
    Some(folder)
}

/// A table of reference values.
#[derive(Debug)]
pub struct Golden {
    /// The comment lines, without their mark.
    pub comments: Vec<String>,
    /// The column names.
    pub header: Vec<String>,
    /// The cells.
    pub rows: Vec<Vec<String>>,
}

impl Golden {
    /// Reads a tab-separated file with comment lines and a header.
    ///
    /// # Panics
    /// When the file cannot be read.
    #[must_use]
    pub fn read(path: &Path) -> Self {
        let text =
            std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let cells = |line: &str| line.split('\t').map(str::to_string).collect::<Vec<_>>();
        let (comments, lines): (Vec<&str>, Vec<&str>) = text.lines().partition(|line| line.starts_with('#'));
        let mut lines = lines.into_iter().map(cells);
        Self {
            comments: comments.iter().map(|line| line[1..].trim().to_string()).collect(),
            header: lines.next().unwrap_or_default(),
            rows: lines.collect(),
        }
    }

    /// The posteriors: row index, true class, P of every class.
    ///
    /// # Panics
    /// When a cell is no number.
    #[must_use]
    pub fn posteriors(&self) -> Vec<(usize, u16, Vec<f64>)> {
        let number = |cell: &String| cell.parse::<f64>().expect("a number");
        self.rows
            .iter()
            .map(|row| {
                (number(&row[0]) as usize, number(&row[1]) as u16, row[2..].iter().map(number).collect())
            })
            .collect()
    }

    /// The accuracy and the mean negative log-likelihood in nats over all test rows, from the comment lines.
    ///
    /// # Panics
    /// When there are none.
    #[must_use]
    pub fn summary(&self) -> (f64, f64) {
        let line =
            self.comments.iter().find(|line| line.starts_with("all test rows")).expect("a summary line");
        let after = |name: &str| {
            let rest = &line[line.find(name).expect("a figure") + name.len()..];
            rest.trim_start_matches("(nats)")
                .split_whitespace()
                .next()
                .map(|cell| cell.trim_end_matches(','))
                .and_then(|cell| cell.parse().ok())
                .expect("a number")
        };
        (after("accuracy"), after("mean_neg_log_lik"))
    }

    /// The parents of every node as the comment lines give them; the class is the node with the highest number. `None` where
    /// they give none.
    #[must_use]
    pub fn parents(&self) -> Option<Vec<Vec<usize>>> {
        let numbers =
            |text: &str| text.split_whitespace().filter_map(|cell| cell.parse().ok()).collect::<Vec<usize>>();
        let mut families: Vec<(usize, Vec<usize>)> = self
            .comments
            .iter()
            .filter_map(|line| line.strip_prefix("family child ").or_else(|| line.strip_prefix("node ")))
            .filter_map(|line| line.split_once(" parents"))
            .map(|(child, parents)| (numbers(child)[0], numbers(parents)))
            .collect();
        families.sort();
        (!families.is_empty()).then(|| families.into_iter().map(|(_, parents)| parents).collect())
    }
}
