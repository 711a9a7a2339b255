//! One data set from its origin to the cache folder.

use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result, bail};
use sha2::{Digest, Sha256};
use tempfile::NamedTempFile;

use crate::catalogue::Set;
use crate::origin::Origin;

/// What it took to have the set.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// It was there, whole and unchanged.
    Present,
    /// It was fetched, checked and written.
    Fetched,
}

/// Makes sure that `into` holds the set, unchanged, as `GROUP/NAME.arff`. The file appears whole or not at all.
pub(crate) fn fetch(set: &Set, origin: &Origin, into: &Path, say: &mut dyn FnMut(&str)) -> Result<Outcome> {
    let folder = into.join(&set.group);
    let file = folder.join(format!("{}.arff", set.name));
    let part = folder.join(format!("{}.arff.part", set.name));

    if file.exists() {
        let bytes = fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?;
        if sha256(&bytes) == set.normalised {
            return Ok(Outcome::Present);
        }
        say("the file there is not the one expected and is replaced");
    }
    fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
    let text = normalise(origin.bytes(set, &part, say)?);
    if sha256(text.as_bytes()) != set.normalised {
        bail!("{}: the normalised file does not have the SHA-256 {}", set.name, set.normalised);
    }
    write(&folder, &file, text.as_bytes()).with_context(|| format!("cannot write {}", file.display()))?;
    if part.exists() {
        fs::remove_file(&part).with_context(|| format!("cannot remove {}", part.display()))?;
    }
    Ok(Outcome::Fetched)
}

fn write(folder: &Path, file: &Path, bytes: &[u8]) -> Result<()> {
    let mut temporary = NamedTempFile::new_in(folder)?;
    temporary.write_all(bytes)?;
    temporary.as_file().sync_all()?;
    temporary.persist(file)?;
    Ok(())
}

/// The bytes as UTF-8 (Latin-1 where they are not) with carriage returns removed.
fn normalise(bytes: Vec<u8>) -> String {
    let text = String::from_utf8(bytes)
        .unwrap_or_else(|error| error.as_bytes().iter().copied().map(char::from).collect());
    text.replace('\r', "")
}

/// The SHA-256 in hexadecimal.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    use std::fmt::Write;
    Sha256::digest(bytes).iter().fold(String::with_capacity(64), |mut text, byte| {
        // Writing to a String cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sha256_of_the_standard_example() {
        assert_eq!(sha256(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }

    #[test]
    fn utf8_stays_and_latin1_is_converted() {
        assert_eq!(normalise("é\r\nb\n".into()), "é\nb\n");
        assert_eq!(normalise(b"\xe9\r\nb\n".to_vec()), "é\nb\n");
    }
}
