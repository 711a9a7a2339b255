//! What the figures were measured on.

use std::process::Command;

use anyhow::{Context, Result};

/// The number of processes that wanted to run, averaged over a minute, where the system tells.
pub(super) fn load() -> Option<f64> {
    std::fs::read_to_string("/proc/loadavg").ok()?.split(' ').next()?.parse().ok()
}

/// The machine in a line: processor, instructions, threads, compiler, and how busy it was before and after.
pub(super) fn describe(before: Option<f64>, after: Option<f64>) -> Result<String> {
    let version = Command::new("rustc").arg("--version").output().context("cannot start rustc")?;
    let version = String::from_utf8_lossy(&version.stdout).trim().to_owned();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let about = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let busy = match (before, after) {
        (Some(before), Some(after)) => {
            format!("; load {before:.1} before, {after:.1} at the end, its own included")
        }
        _ => String::new(),
    };
    Ok(format!(
        "*{}, {threads} threads, {}; {version}{busy}. Medians.*",
        processor(&about),
        instructions(&about),
    ))
}

fn field<'a>(about: &'a str, name: &str) -> Option<&'a str> {
    let line = about.lines().find(|line| line.starts_with(name))?;
    Some(line.split_once(':')?.1.trim())
}

fn processor(about: &str) -> String {
    let Some(model) = field(about, "model name") else {
        return format!("{} processor", std::env::consts::ARCH);
    };
    match (field(about, "cpu family"), field(about, "model\t")) {
        (Some(family), Some(number)) => format!("{model} (family {family}, model {number})"),
        _ => model.to_owned(),
    }
}

/// The widest instructions that the counting kernels choose between.
fn instructions(about: &str) -> &'static str {
    let flags = field(about, "flags").unwrap_or_default();
    let has = |flag: &str| flags.split(' ').any(|known| known == flag);
    if has("avx512_vpopcntdq") {
        "AVX-512 with VPOPCNTDQ"
    } else if has("avx2") {
        "AVX2"
    } else {
        "baseline instructions"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_processor_is_named() {
        let about = "processor\t: 0\ncpu family\t: 25\nmodel\t\t: 1\nmodel name\t: Some CPU\nflags\t\t: fpu avx2 aes\n";
        assert_eq!(processor(about), "Some CPU (family 25, model 1)");
        assert_eq!(instructions(about), "AVX2");
        assert!(processor("").ends_with(" processor"));
    }
}
