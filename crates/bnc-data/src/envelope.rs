//! The envelope of every file that the project writes, and the only place that names bincode.
//!
//! A file is a header and a payload; `docs/format.md` is its specification. All numbers are little-endian:
//!
//! | bytes | what |
//! |---|---|
//! | 8 | signature `89 62 6E 63 0D 0A 1A 0A`: a transfer that rewrites line ends or strips bit 7 breaks it |
//! | 4 | version of the envelope |
//! | 16 | kind of the payload, ASCII, padded with zeros |
//! | 4 | version of the payload's wire format |
//! | 8 | length of the payload in bytes |
//! | 4 | CRC-32 of the payload |
//! | 4 | CRC-32 of the header up to here |
//!
//! Every later version of the envelope keeps these 48 bytes, so that a newer file and a damaged one can always be
//! told apart.

use std::io::{Read, Write};
use std::path::Path;

use bincode::error::DecodeError;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::{Error, Result};

const SIGNATURE: [u8; 8] = *b"\x89bnc\r\n\x1a\n";
const ENVELOPE_VERSION: u32 = 1;
const HEADER: usize = 48;

/// A payload with its kind and the version of its wire format.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Envelope {
    /// What the payload is: at most 16 ASCII characters.
    pub kind: String,
    /// The version of the payload's wire format.
    pub version: u32,
    /// The wire bytes.
    pub payload: Vec<u8>,
}

impl Envelope {
    /// Writes the envelope to a file, atomically: the file is either the old one or the whole new one.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn write(&self, path: &Path) -> Result<()> {
        write_atomically(path, |file| {
            file.write_all(&self.header())?;
            file.write_all(&self.payload)
        })
    }

    /// Refuses a payload of another kind, and one of a newer version than `supported`.
    ///
    /// # Errors
    /// [`Error::AnotherKind`], [`Error::Newer`].
    pub fn expect(&self, kind: &str, supported: u32, path: &Path) -> Result<()> {
        if self.kind != kind {
            return Err(Error::AnotherKind {
                path: path.into(),
                found: self.kind.clone(),
                expected: kind.into(),
            });
        }
        if self.version > supported {
            return Err(Error::Newer { path: path.into(), found: self.version, supported });
        }
        Ok(())
    }

    /// The whole file as bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = self.header();
        bytes.extend_from_slice(&self.payload);
        bytes
    }

    fn header(&self) -> Vec<u8> {
        let mut kind = [0_u8; 16];
        for (place, byte) in kind.iter_mut().zip(self.kind.bytes()) {
            *place = byte;
        }
        let mut header = Vec::with_capacity(HEADER);
        header.extend_from_slice(&SIGNATURE);
        header.extend_from_slice(&ENVELOPE_VERSION.to_le_bytes());
        header.extend_from_slice(&kind);
        header.extend_from_slice(&self.version.to_le_bytes());
        header.extend_from_slice(&(self.payload.len() as u64).to_le_bytes());
        header.extend_from_slice(&crc32fast::hash(&self.payload).to_le_bytes());
        header.extend_from_slice(&crc32fast::hash(&header).to_le_bytes());
        header
    }

    /// Reads the envelope of a file.
    ///
    /// # Errors
    /// [`Error::Io`], [`Error::NotOurs`], [`Error::Newer`] for a newer envelope, [`Error::Damaged`].
    pub fn read(path: &Path) -> Result<Self> {
        let mut bytes = Vec::new();
        std::fs::File::open(path)
            .and_then(|mut file| file.read_to_end(&mut bytes))
            .map_err(|source| Error::io(path, source))?;
        Self::from_bytes(&bytes, path)
    }

    /// Reads an envelope from a file's bytes; `path` is for error messages.
    ///
    /// # Errors
    /// As [`Envelope::read`].
    pub fn from_bytes(bytes: &[u8], path: &Path) -> Result<Self> {
        let damaged = |why: &str| Error::Damaged { path: path.into(), why: why.into() };
        let mut rest = bytes;
        let signature = take(&mut rest, 8).ok_or_else(|| Error::NotOurs { path: path.into() })?;
        if signature != SIGNATURE {
            return Err(Error::NotOurs { path: path.into() });
        }
        let header = bytes.get(..HEADER).ok_or_else(|| damaged("the header is cut short"))?;
        let envelope_version = number(&mut rest);
        let kind = take(&mut rest, 16).unwrap_or_default();
        let version = number(&mut rest);
        let length = u64::from(number(&mut rest)) | u64::from(number(&mut rest)) << 32;
        let payload_sum = number(&mut rest);
        let header_sum = number(&mut rest);
        if crc32fast::hash(&header[..HEADER - 4]) != header_sum {
            return Err(damaged("the header's checksum does not match"));
        }
        if envelope_version > ENVELOPE_VERSION {
            return Err(Error::Newer {
                path: path.into(),
                found: envelope_version,
                supported: ENVELOPE_VERSION,
            });
        }
        if rest.len() as u64 != length {
            return Err(damaged(&format!("{} bytes of content, the header says {length}", rest.len())));
        }
        if crc32fast::hash(rest) != payload_sum {
            return Err(damaged("the checksum does not match"));
        }
        let kind = kind.iter().take_while(|&&byte| byte != 0).map(|&byte| char::from(byte)).collect();
        Ok(Self { kind, version, payload: rest.to_vec() })
    }
}

fn take<'a>(bytes: &mut &'a [u8], count: usize) -> Option<&'a [u8]> {
    let (head, tail) = bytes.split_at_checked(count)?;
    *bytes = tail;
    Some(head)
}

/// The next little-endian number; the caller has checked that the header is complete.
fn number(bytes: &mut &[u8]) -> u32 {
    let mut four = [0; 4];
    four.copy_from_slice(take(bytes, 4).unwrap_or(&[0; 4]));
    u32::from_le_bytes(four)
}

/// A wire struct as bytes.
///
/// # Errors
/// [`Error::Shape`] when the value cannot be serialised.
pub fn encode<T: Serialize>(wire: &T) -> Result<Vec<u8>> {
    bincode::serde::encode_to_vec(wire, bincode::config::standard())
        .map_err(|error| Error::Shape(format!("cannot be written: {error}")))
}

/// A wire struct from bytes, all of them. Lengths in the bytes are not believed: what is set aside stays
/// within a multiple of the bytes that are there.
///
/// # Errors
/// [`Error::Damaged`] about `path` when the bytes are not such a struct.
pub fn decode<T: DeserializeOwned>(bytes: &[u8], path: &Path) -> Result<T> {
    let damaged = |why: String| Error::Damaged { path: path.into(), why };
    let (wire, used) = decode_within_limit(bytes).map_err(|error| damaged(error.to_string()))?;
    if used == bytes.len() { Ok(wire) } else { Err(damaged("bytes are left over".into())) }
}

/// bincode sets memory aside for a text before it looks whether so many bytes follow, up to a limit that must be
/// a constant: the least of these that no sound content of this length exceeds.
fn decode_within_limit<T: DeserializeOwned>(bytes: &[u8]) -> Result<(T, usize), DecodeError> {
    const MIB: usize = 1 << 20;
    const GIB: usize = 1 << 30;
    // A number counts for its size in memory, at most 16 bytes, and takes at least one byte.
    let most = bytes.len().saturating_mul(16);
    if most <= MIB {
        decode_limited::<T, MIB>(bytes)
    } else if most <= 32 * MIB {
        decode_limited::<T, { 32 * MIB }>(bytes)
    } else if most <= GIB {
        decode_limited::<T, GIB>(bytes)
    } else if most <= GIB.saturating_mul(32) {
        decode_limited::<T, { GIB.saturating_mul(32) }>(bytes)
    } else {
        decode_limited::<T, { GIB.saturating_mul(1024) }>(bytes)
    }
}

fn decode_limited<T: DeserializeOwned, const LIMIT: usize>(bytes: &[u8]) -> Result<(T, usize), DecodeError> {
    let config = bincode::config::standard().with_limit::<LIMIT>();
    bincode::serde::decode_from_slice(bytes, config)
}

/// Writes a file so that at every moment it is either the old one or the whole new one.
///
/// # Errors
/// [`Error::Io`]; then the old file is untouched.
pub fn write_atomically(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> Result<()> {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let io = |source| Error::io(path, source);
    let mut file = tempfile::Builder::new().prefix(".bnc-").tempfile_in(folder).map_err(io)?;
    let mut buffered = std::io::BufWriter::new(file.as_file_mut());
    write(&mut buffered).and_then(|()| buffered.flush()).map_err(io)?;
    drop(buffered);
    #[cfg(unix)]
    set_usual_permissions(&file).map_err(io)?;
    file.as_file().sync_all().map_err(io)?;
    file.persist(path).map_err(|error| io(error.error))?;
    Ok(())
}

/// A temporary file is private to its owner; a result is as readable as any other new file.
#[cfg(unix)]
fn set_usual_permissions(file: &tempfile::NamedTempFile) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    file.as_file().set_permissions(std::fs::Permissions::from_mode(0o644))
}
