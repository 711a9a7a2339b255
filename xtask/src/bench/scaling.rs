//! How the time of whole learners grows with rows, columns, values and threads, and memory with rows.

use std::fmt::Write;
use std::path::Path;

use anyhow::Result;

use super::program::Program;
use super::sets::{file, network, repeat};
use super::text::{count, digits, seconds, table};

const LEARNERS: [&str; 6] = ["nb", "tan", "abn", "aode", "mi-ode", "kdb"];

/// A curve: what is varied, and the data for each value of it.
struct Curve {
    title: &'static str,
    varied: &'static str,
    points: Vec<(usize, String, Vec<String>)>,
    /// The power of what is varied with which the time to learn from pairs of features should grow.
    expected: Option<f64>,
}

/// Measures all curves.
pub(super) fn measure() -> Result<String> {
    let program = Program::build()?;
    let mut text = String::new();
    for curve in curves() {
        eprintln!("{}", curve.title);
        let _ = writeln!(text, "#### {}\n\n{}", curve.title, curve.measure(&program)?);
    }
    let _ = writeln!(text, "#### Files, memory\n\n{}", files(&program)?);
    Ok(text)
}

fn curves() -> Vec<Curve> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let point = |varied: usize, set: String| (varied, set, Vec::new());
    let doubled = |first: usize, times: u32| (0..=times).map(move |time| first << time);
    vec![
        Curve {
            title: "Rows (30 features of 2–10 values, 3 classes)",
            varied: "rows",
            points: doubled(125_000, 4).map(|rows| point(rows, network(rows, 30, "2-10"))).collect(),
            expected: Some(1.0),
        },
        Curve {
            title: "Columns (50,000 rows, 2–5 values, 3 classes)",
            varied: "features",
            points: doubled(25, 4)
                .map(|features| point(features, network(50_000, features, "2-5")))
                .collect(),
            expected: Some(2.0),
        },
        Curve {
            title: "Values (200,000 rows, 30 features, 3 classes)",
            varied: "values a feature",
            points: doubled(2, 5)
                .map(|values| point(values, network(200_000, 30, &values.to_string())))
                .collect(),
            expected: None,
        },
        Curve {
            title: "Threads (1,000,000 rows, 30 features of 2–10 values, 3 classes)",
            varied: "threads",
            points: (1..=threads)
                .map(|threads| {
                    let more = vec!["--threads".to_owned(), threads.to_string()];
                    (threads, network(1_000_000, 30, "2-10"), more)
                })
                .collect(),
            expected: None,
        },
    ]
}

impl Curve {
    fn measure(&self, program: &Program) -> Result<String> {
        // By learner: the times to train, and to predict the same rows.
        let mut trained = vec![Vec::new(); LEARNERS.len()];
        let mut rows = Vec::new();
        for (varied, set, more) in &self.points {
            let more: Vec<&str> = more.iter().map(String::as_str).collect();
            let mut row = vec![count(*varied)];
            for (learner, trained) in LEARNERS.iter().zip(&mut trained) {
                let timing = program.time(set, learner, &more)?;
                trained.push((*varied as f64, timing.train_s));
                row.push(format!("{} + {}", seconds(timing.train_s), seconds(timing.predict_s)));
            }
            rows.push(row);
        }
        if let Some(expected) = self.expected {
            rows.push(
                std::iter::once(format!("fitted power (expected {expected:.0}; 1 for nb)"))
                    .chain(trained.iter().map(|points| format!("{:.2}", power(upper_half(points)))))
                    .collect(),
            );
        }
        let head: Vec<&str> = std::iter::once(self.varied).chain(LEARNERS).collect();
        Ok(format!("To train + to predict the same rows, from memory.\n\n{}", table(&head, &rows)))
    }
}

/// The larger half of a curve, where fixed costs are small beside those that grow.
fn upper_half(points: &[(f64, f64)]) -> &[(f64, f64)] {
    &points[points.len().div_ceil(2) - 1..]
}

/// The power of x with which y grows: the slope of the least-squares line through the logarithms.
fn power(points: &[(f64, f64)]) -> f64 {
    let number = points.len() as f64;
    let logs: Vec<(f64, f64)> = points.iter().map(|(x, y)| (x.ln(), y.ln())).collect();
    let mean_x = logs.iter().map(|(x, _)| x).sum::<f64>() / number;
    let mean_y = logs.iter().map(|(_, y)| y).sum::<f64>() / number;
    let covariance: f64 = logs.iter().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum();
    covariance / logs.iter().map(|(x, _)| (x - mean_x).powi(2)).sum::<f64>()
}

/// The rate of reading, the memory of streamed files, and that of wide data.
fn files(program: &Program) -> Result<String> {
    let row = |what: &str, file: &Path, learner: &str| -> Result<Vec<String>> {
        let megabytes = file.metadata()?.len() as f64 / 1e6;
        let (took, peak) = program.train(file, learner)?;
        Ok(vec![
            format!("{learner}, {what}"),
            digits(megabytes),
            seconds(took),
            format!("{} MB/s", digits(megabytes / took)),
            format!("{} MiB", digits(peak)),
        ])
    };
    let whole = file(program, &network(1_000_000, 30, "2-10"), "csv")?;
    let wide = file(program, &network(100_000, 200, "2-5"), "csv")?;
    let binary = file(program, &network(1_000, 5_000, "2"), "csv")?;
    let streamed = file(program, &network(4_000_000, 10, "2-10"), "csv")?;
    let longer = repeat(&streamed, 10)?;
    let measured = vec![
        row("1,000,000 rows, 30 features, in memory", &whole, "nb")?,
        row("1,000,000 rows, 30 features, in memory", &whole, "aode")?,
        row("1,000,000 rows, 30 features, in memory", &whole, "kdb")?,
        row("100,000 rows, 200 features, in memory", &wide, "tan")?,
        row("1,000 rows, 5,000 binary features, in memory", &binary, "tan")?,
        row("4,000,000 rows, 10 features, streamed twice", &streamed, "aode")?,
        row("40,000,000 rows, 10 features, streamed twice", &longer, "aode")?,
    ];
    Ok(format!(
        "`bnc train FILE --learner L --discretize none`: the whole process, from the CSV file to the model's file; the median of \
         three runs, and the largest of their peak memory.\n\n{}",
        table(&["learner and file", "MB", "time", "rate", "peak memory"], &measured)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_power_is_that_of_the_curve() {
        let points: Vec<(f64, f64)> = (1..6).map(|x| (f64::from(x), 3.0 * f64::from(x).powi(2))).collect();
        assert!((power(&points) - 2.0).abs() < 1e-12);
        assert_eq!(upper_half(&points).len(), 3);
        assert_eq!(upper_half(&points[..4]).len(), 3);
    }
}
