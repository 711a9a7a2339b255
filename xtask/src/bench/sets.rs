//! The data that whole learners are timed on: rows of the built-in random network.

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::program::Program;
use crate::command::metadata;

/// The built-in set of so many rows and features, each with one parent beside the class, of three classes.
pub(super) fn network(rows: usize, features: usize, arity: &str) -> String {
    format!("builtin:network:rows={rows},features={features},arity={arity},parents=1,classes=3")
}

/// The folder that keeps files from one run to the next.
pub(super) fn folder() -> Result<PathBuf> {
    let folder = metadata()?.target_directory.join("bench").into_std_path_buf();
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    Ok(folder)
}

/// A file of the set, written unless it is there.
pub(super) fn file(program: &Program, set: &str, name: &str) -> Result<PathBuf> {
    let file = folder()?.join(name);
    if !file.exists() {
        eprintln!("  writing {}", file.display());
        program.write(set, &file)?;
    }
    Ok(file)
}

/// A file's head and rows, parted after the first `train` rows: the files of the two parts.
pub(super) fn part(whole: &Path, train: usize) -> Result<(PathBuf, PathBuf)> {
    let extension = whole.extension().unwrap_or_default().to_string_lossy();
    let name = |part: &str| whole.with_extension(format!("{part}.{extension}"));
    let (first, second) = (name("train"), name("test"));
    let text = BufReader::new(File::open(whole).with_context(|| format!("cannot open {}", whole.display()))?);
    let (mut head, mut rest) = (writer(&first)?, writer(&second)?);
    let mut in_head = true;
    let mut rows = 0;
    for line in text.lines() {
        let line = line?;
        if in_head {
            writeln!(head, "{line}")?;
            writeln!(rest, "{line}")?;
            in_head = extension == "arff" && !line.eq_ignore_ascii_case("@data");
        } else {
            writeln!(if rows < train { &mut head } else { &mut rest }, "{line}")?;
            rows += 1;
        }
    }
    head.flush()?;
    rest.flush()?;
    Ok((first, second))
}

/// A CSV file with the rows of another one so many times.
pub(super) fn repeat(file: &Path, times: usize) -> Result<PathBuf> {
    let repeated = file.with_extension(format!("times{times}.csv"));
    let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let (head, rows) = text.split_once('\n').context("a CSV file has a header")?;
    let mut to = writer(&repeated)?;
    writeln!(to, "{head}")?;
    (0..times).try_for_each(|_| to.write_all(rows.as_bytes()))?;
    to.flush()?;
    Ok(repeated)
}

fn writer(file: &Path) -> Result<BufWriter<File>> {
    Ok(BufWriter::new(File::create(file).with_context(|| format!("cannot write {}", file.display()))?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_parted_and_heads_kept() {
        let folder = tempfile::tempdir().unwrap();
        let csv = folder.path().join("a.csv");
        std::fs::write(&csv, "x,y\n1,a\n2,b\n3,c\n").unwrap();
        let (train, test) = part(&csv, 2).unwrap();
        assert_eq!(std::fs::read_to_string(train).unwrap(), "x,y\n1,a\n2,b\n");
        assert_eq!(std::fs::read_to_string(test).unwrap(), "x,y\n3,c\n");
        let arff = folder.path().join("a.arff");
        std::fs::write(&arff, "@relation r\n@data\n1\n2\n").unwrap();
        let (_, test) = part(&arff, 1).unwrap();
        assert_eq!(std::fs::read_to_string(test).unwrap(), "@relation r\n@data\n2\n");
        let twice = repeat(&csv, 2).unwrap();
        assert_eq!(std::fs::read_to_string(twice).unwrap(), "x,y\n1,a\n2,b\n3,c\n1,a\n2,b\n3,c\n");
    }
}
