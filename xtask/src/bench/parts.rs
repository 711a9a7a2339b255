//! The benchmarks of the crates, run by criterion, and the medians that it leaves behind.

use std::fmt::Write;
use std::path::Path;
use std::time::SystemTime;

use anyhow::{Context, Result, bail};
use serde::Deserialize;
use serde_json::Value;

use super::text::{digits, seconds, table};
use crate::command::{cargo, metadata, run as run_command};

/// A benchmark whose name is another one's with this appended is what the other one is compared with.
const BASELINES: [&str; 2] = ["plain loop", "row by row"];

/// Medians do not need the seconds that criterion takes for each of hundreds of benchmarks.
const BRIEF: [&str; 6] = ["--warm-up-time", "0.3", "--measurement-time", "1", "--sample-size", "20"];

/// Runs the benchmarks of the crate or of the name given.
pub(super) fn run(name: &str) -> Result<()> {
    let all = all()?;
    let chosen: Vec<_> = all.iter().filter(|(package, bench)| name == package || name == bench).collect();
    if chosen.is_empty() {
        let known: Vec<_> = all.iter().map(|(package, bench)| format!("{bench} of {package}")).collect();
        let sections = super::SECTIONS.map(|(section, _)| section).join(", ");
        bail!(
            "no crate or benchmark is called '{name}'; there are {}, and the sections {sections}",
            known.join(", ")
        );
    }
    chosen.into_iter().try_for_each(|(package, bench)| start(package, bench, &[]))
}

/// Runs all benchmarks; tables of their medians.
pub(super) fn measure() -> Result<String> {
    let folder = metadata()?.target_directory.join("criterion");
    let mut text = String::new();
    for (package, bench) in all()? {
        let begun = SystemTime::now();
        start(&package, &bench, &BRIEF)?;
        let mut measured = Vec::new();
        collect(folder.as_std_path(), begun, &mut measured)?;
        measured.sort_by_key(|(at, _)| *at);
        let measured: Vec<Measured> = measured.into_iter().map(|(_, measured)| measured).collect();
        let _ = writeln!(text, "#### {package}: {bench}\n\n{}", describe(&measured));
    }
    Ok(text)
}

/// The package and name of every benchmark of the workspace.
fn all() -> Result<Vec<(String, String)>> {
    let metadata = metadata()?;
    let packages = metadata.workspace_packages().into_iter();
    let benches = packages.flat_map(|package| {
        let targets = package.targets.iter().filter(|target| target.is_bench());
        targets.map(|target| (package.name.to_string(), target.name.clone()))
    });
    Ok(benches.collect())
}

fn start(package: &str, bench: &str, options: &[&str]) -> Result<()> {
    let mut command = cargo(&["bench", "--all-features", "--package", package, "--bench", bench, "--"]);
    run_command(command.args(options))
}

/// A benchmark and its median.
#[derive(Debug)]
struct Measured {
    group: String,
    name: String,
    /// Nanoseconds of an iteration.
    median: f64,
    /// How many elements or bytes an iteration goes through.
    throughput: Option<Throughput>,
}

#[derive(Debug, Clone, Copy, Deserialize)]
enum Throughput {
    Elements(f64),
    Bytes(f64),
}

#[derive(Deserialize)]
struct Benchmark {
    group_id: String,
    function_id: Option<String>,
    value_str: Option<String>,
    throughput: Option<Value>,
}

/// The benchmarks under a folder that were measured since a time, with when that was.
fn collect(folder: &Path, since: SystemTime, found: &mut Vec<(SystemTime, Measured)>) -> Result<()> {
    let entries = std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    for entry in entries {
        let path = entry?.path();
        let file = path.join("estimates.json");
        if path.is_dir() && path.file_name().is_some_and(|name| name == "new") && file.is_file() {
            let at = file.metadata()?.modified()?;
            if at >= since {
                found.push((at, read(&path)?));
            }
        } else if path.is_dir() {
            collect(&path, since, found)?;
        }
    }
    Ok(())
}

fn read(folder: &Path) -> Result<Measured> {
    let text = |name: &str| {
        let path = folder.join(name);
        std::fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))
    };
    let benchmark: Benchmark = serde_json::from_str(&text("benchmark.json")?)?;
    let estimates: Value = serde_json::from_str(&text("estimates.json")?)?;
    let median = estimates["median"]["point_estimate"].as_f64().context("criterion states no median")?;
    let name = [benchmark.function_id, benchmark.value_str].into_iter().flatten().collect::<Vec<_>>();
    let throughput = benchmark.throughput.and_then(|value| serde_json::from_value(value).ok());
    Ok(Measured { group: benchmark.group_id, name: name.join(", "), median, throughput })
}

fn describe(measured: &[Measured]) -> String {
    let rows: Vec<Vec<String>> = measured
        .iter()
        .map(|one| {
            let rate = match one.throughput {
                Some(Throughput::Elements(elements)) => {
                    format!("{} each", seconds(one.median * 1e-9 / elements))
                }
                Some(Throughput::Bytes(bytes)) => format!("{} MB/s", digits(bytes / one.median * 1e3)),
                None => String::new(),
            };
            let faster = baseline(measured, one)
                .map_or_else(String::new, |baseline| digits(per_element(baseline) / per_element(one)));
            vec![format!("{}: {}", one.group, one.name), seconds(one.median * 1e-9), rate, faster]
        })
        .collect();
    table(&["benchmark", "median", "per element, or rate", "times as fast"], &rows)
}

/// Time an element, so that a baseline may go through fewer.
fn per_element(measured: &Measured) -> f64 {
    match measured.throughput {
        Some(Throughput::Elements(number) | Throughput::Bytes(number)) => measured.median / number,
        None => measured.median,
    }
}

/// What a benchmark is compared with.
fn baseline<'a>(all: &'a [Measured], one: &Measured) -> Option<&'a Measured> {
    all.iter().filter(|other| other.group == one.group && other.name != one.name).find(|other| {
        BASELINES.iter().any(|suffix| {
            let stem = other.name.strip_suffix(suffix).and_then(|stem| stem.strip_suffix(", "));
            stem.is_some_and(|stem| {
                one.name.strip_prefix(stem).is_some_and(|rest| rest.is_empty() || rest.starts_with(", "))
            })
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(name: &str, median: f64, elements: f64) -> Measured {
        Measured {
            group: "g".into(),
            name: name.into(),
            median,
            throughput: Some(Throughput::Elements(elements)),
        }
    }

    #[test]
    fn a_benchmark_is_compared_with_its_baseline_only() {
        let all = [
            measured("2 values, plain loop", 400.0, 100.0),
            measured("2 values, counter", 100.0, 200.0),
            measured("3 values, counter", 100.0, 200.0),
            measured("fit", 10.0, 1.0),
            measured("fit, row by row", 30.0, 1.0),
        ];
        let text = describe(&all);
        let last = |name: &str| {
            let row = text.lines().find(|line| line.starts_with(&format!("| g: {name} |"))).unwrap();
            row.trim_end_matches('|').rsplit('|').next().unwrap().trim().to_owned()
        };
        assert_eq!(last("2 values, counter"), "8.00");
        assert_eq!(last("3 values, counter"), "");
        assert_eq!(last("fit"), "3.00");
        assert_eq!(last("fit, row by row"), "");
    }

    #[test]
    fn what_criterion_leaves_is_read() {
        let folder = tempfile::tempdir().unwrap();
        let new = folder.path().join("g").join("f").join("new");
        std::fs::create_dir_all(&new).unwrap();
        std::fs::write(
            new.join("benchmark.json"),
            r#"{"group_id":"g","function_id":"f","value_str":null,"throughput":{"Bytes":1000}}"#,
        )
        .unwrap();
        std::fs::write(new.join("estimates.json"), r#"{"median":{"point_estimate":500.0}}"#).unwrap();
        let mut found = Vec::new();
        collect(folder.path(), SystemTime::UNIX_EPOCH, &mut found).unwrap();
        assert!(describe(&[found.pop().unwrap().1]).contains("| g: f | 500 ns | 2000 MB/s |  |"));
        let later = SystemTime::now() + std::time::Duration::from_secs(60);
        collect(folder.path(), later, &mut found).unwrap();
        assert!(found.is_empty());
    }
}
