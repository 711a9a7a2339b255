//! The data that whole learners are timed on: rows of the built-in random network.

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::program::Program;
use crate::command::metadata;

/// The built-in set of so many rows and features, each with one parent beside the class, of three classes.
pub(super) fn network(rows: usize, features: usize, arity: &str) -> String {
    format!("builtin:network:rows={rows},features={features},arity={arity},parents=1,classes=3")
}

/// The folder that keeps files from one run to the next.
fn folder() -> Result<PathBuf> {
    let folder = metadata()?.target_directory.join("bench").into_std_path_buf();
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    Ok(folder)
}

/// A file of the set, written unless it is there; its extension is its format. The name tells the set, so that a file is
/// never taken for another set's.
pub(super) fn file(program: &Program, set: &str, extension: &str) -> Result<PathBuf> {
    let folder = folder()?;
    let name = set.trim_start_matches("builtin:").replace(|c: char| !c.is_alphanumeric(), "-");
    let file = folder.join(format!("{name}.{extension}"));
    if !file.exists() {
        eprintln!("  writing {}", file.display());
        // What is left of a run that was stopped is not taken for the whole file.
        let unfinished = folder.join(format!("unfinished.{extension}"));
        program.write(set, &unfinished)?;
        std::fs::rename(&unfinished, &file).with_context(|| format!("cannot write {}", file.display()))?;
    }
    Ok(file)
}

/// Two parts of a CSV or ARFF file, each with its head: the first `train` rows, and the `test` rows after them.
pub(super) fn part(whole: &Path, train: usize, test: usize) -> Result<(PathBuf, PathBuf)> {
    let extension = whole.extension().unwrap_or_default().to_string_lossy();
    let name = |part: &str, rows: usize| whole.with_extension(format!("{part}{rows}.{extension}"));
    let (first, second) = (name("first", train), name("next", test));
    let text = BufReader::new(File::open(whole).with_context(|| format!("cannot open {}", whole.display()))?);
    let (mut to_first, mut to_second) = (writer(&first)?, writer(&second)?);
    let mut in_head = true;
    let mut rows = 0;
    for line in text.lines() {
        let line = line?;
        if in_head {
            writeln!(to_first, "{line}")?;
            writeln!(to_second, "{line}")?;
            in_head = extension == "arff" && !line.eq_ignore_ascii_case("@data");
            continue;
        }
        if rows == train + test {
            break;
        }
        writeln!(if rows < train { &mut to_first } else { &mut to_second }, "{line}")?;
        rows += 1;
    }
    if rows < train + test {
        bail!("{} has {rows} rows, not {}: delete it and run this again", whole.display(), train + test);
    }
    to_first.flush()?;
    to_second.flush()?;
    Ok((first, second))
}

/// A CSV file with the rows of another one so many times.
pub(super) fn repeat(file: &Path, times: usize) -> Result<PathBuf> {
    let repeated = file.with_extension(format!("times{times}.csv"));
    let text = std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let (head, rows) = text.split_once('\n').with_context(|| format!("{} has no rows", file.display()))?;
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
        let read = |path: &Path| std::fs::read_to_string(path).unwrap();
        let csv = folder.path().join("a.csv");
        std::fs::write(&csv, "x,y\n1,a\n2,b\n3,c\n4,d\n").unwrap();
        let (train, test) = part(&csv, 2, 1).unwrap();
        assert_eq!(read(&train), "x,y\n1,a\n2,b\n");
        assert_eq!(read(&test), "x,y\n3,c\n");
        let error = part(&csv, 2, 3).unwrap_err().to_string();
        assert!(error.contains("has 4 rows, not 5"), "{error}");
        let arff = folder.path().join("a.arff");
        std::fs::write(&arff, "@relation r\n@data\n1\n2\n").unwrap();
        let (train, test) = part(&arff, 1, 1).unwrap();
        assert_eq!(read(&train), "@relation r\n@data\n1\n");
        assert_eq!(read(&test), "@relation r\n@data\n2\n");
    }

    #[test]
    fn rows_are_repeated_below_one_head() {
        let folder = tempfile::tempdir().unwrap();
        let csv = folder.path().join("a.csv");
        std::fs::write(&csv, "x,y\n1,a\n2,b\n").unwrap();
        let twice = repeat(&csv, 2).unwrap();
        assert_eq!(std::fs::read_to_string(twice).unwrap(), "x,y\n1,a\n2,b\n1,a\n2,b\n");
    }
}
