//! Where the bytes come from.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::address::Address;
use crate::catalogue::Set;
use crate::download::sha256;

/// A place that holds the original bytes of the sets at their paths.
pub(crate) enum Origin {
    /// A folder.
    Folder(PathBuf),
    /// A base address.
    Address(Address),
}

impl Origin {
    /// An address if it reads like one, else a folder.
    pub(crate) fn new(place: &str) -> Self {
        if place.starts_with("http://") || place.starts_with("https://") {
            Self::Address(Address::new(place))
        } else {
            Self::Folder(place.into())
        }
    }

    /// The original bytes of the set, already checked. `part` is the file that an interrupted transfer is kept in.
    pub(crate) fn bytes(&self, set: &Set, part: &Path, say: &mut dyn FnMut(&str)) -> Result<Vec<u8>> {
        match self {
            Self::Folder(folder) => {
                let path = folder.join(&set.path);
                let bytes =
                    fs::read(&path).with_context(|| format!("the mirror lacks {}", path.display()))?;
                if sha256(&bytes) != set.original {
                    bail!("{} is not the file expected: its SHA-256 is not {}", path.display(), set.original);
                }
                Ok(bytes)
            }
            Self::Address(address) => address.bytes(set, part, say),
        }
    }
}
