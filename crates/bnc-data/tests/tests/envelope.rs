//! The envelope of files: there and back, every cut, every flipped bit, and a file that must be read for ever.

use std::io::Error as IoError;
use std::path::Path;

use bnc_data::{
    Encoder, EncoderV1, Envelope, Error, MissingPolicy, Preparation, decode, encode, write_atomically,
};
use proptest::prelude::*;

use crate::support::{frame, nominal, numeric};

fn sample() -> Envelope {
    Envelope { kind: "test".into(), version: 3, payload: b"some bytes, \x00 and \xff among them".to_vec() }
}

fn read(bytes: &[u8]) -> Result<Envelope, Error> {
    Envelope::from_bytes(bytes, Path::new("m.bnc"))
}

#[test]
fn an_envelope_survives_bytes_and_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.bnc");
    for payload in [Vec::new(), vec![7; 100_000]] {
        for kind in ["a", "sixteen-letters-"] {
            let envelope = Envelope { kind: kind.into(), version: u32::MAX, payload: payload.clone() };
            assert_eq!(read(&envelope.to_bytes()).unwrap(), envelope);
            envelope.write(&path).unwrap();
            assert_eq!(std::fs::read(&path).unwrap(), envelope.to_bytes());
            assert_eq!(Envelope::read(&path).unwrap(), envelope);
        }
    }
}

#[test]
fn a_file_cut_at_any_length_is_refused() {
    let bytes = sample().to_bytes();
    for length in 0..bytes.len() {
        match read(&bytes[..length]) {
            Err(Error::NotOurs { .. }) => assert!(length < 8, "{length}"),
            Err(Error::Damaged { .. }) => assert!(length >= 8, "{length}"),
            other => panic!("{length}: {other:?}"),
        }
    }
    let longer = [&bytes[..], b"\n"].concat();
    assert!(matches!(read(&longer), Err(Error::Damaged { .. })));
}

#[test]
fn any_flipped_bit_is_noticed() {
    let bytes = sample().to_bytes();
    for bit in 0..8 * bytes.len() {
        let mut flipped = bytes.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        match read(&flipped) {
            Err(Error::NotOurs { .. }) => assert!(bit < 8 * 8, "bit {bit}"),
            Err(Error::Damaged { .. }) => assert!(bit >= 8 * 8, "bit {bit}"),
            other => panic!("bit {bit}: {other:?}"),
        }
    }
}

#[test]
fn what_a_text_transfer_does_is_noticed() {
    let bytes = sample().to_bytes();
    let unix: Vec<u8> = bytes.iter().copied().filter(|&byte| byte != b'\r').collect();
    let seven_bits: Vec<u8> = bytes.iter().map(|byte| byte & 0x7f).collect();
    for changed in [unix, seven_bits] {
        assert!(matches!(read(&changed), Err(Error::NotOurs { .. })));
    }
}

#[test]
fn a_newer_envelope_says_so() {
    let mut bytes = sample().to_bytes();
    bytes[8..12].copy_from_slice(&2_u32.to_le_bytes());
    let sum = crc32fast::hash(&bytes[..44]);
    bytes[44..48].copy_from_slice(&sum.to_le_bytes());
    match read(&bytes) {
        Err(Error::Newer { found, supported, .. }) => assert_eq!((found, supported), (2, 1)),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_file_that_is_not_there_is_an_io_error() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("none.bnc");
    assert!(matches!(Envelope::read(&path), Err(Error::Io { path: told, .. }) if told == path));
    let nowhere = folder.path().join("no/such/folder/m.bnc");
    assert!(matches!(sample().write(&nowhere), Err(Error::Io { path, .. }) if path == nowhere));
}

#[test]
fn a_failed_write_keeps_the_old_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.bnc");
    sample().write(&path).unwrap();
    let failed = write_atomically(&path, |file| {
        file.write_all(&vec![0; 100_000])?;
        Err(IoError::other("the disk is full"))
    });
    let message = failed.unwrap_err().to_string();
    assert!(message.contains("m.bnc") && message.contains("the disk is full"), "{message}");
    assert_eq!(Envelope::read(&path).unwrap(), sample());
    let names: Vec<_> =
        std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["m.bnc"], "nothing is left behind");
}

#[cfg(unix)]
#[test]
fn a_written_file_is_readable_like_any_other() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.bnc");
    sample().write(&path).unwrap();
    let mode = std::fs::metadata(&path).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o644);
}

#[test]
fn lengths_in_the_bytes_are_not_believed() {
    // A text, then a list, said to be longer than any memory.
    let mut bytes = vec![0xfd];
    bytes.extend(u64::MAX.to_le_bytes());
    bytes.extend(b"abc");
    for length in [2_u64.pow(30), 2_u64.pow(40), u64::MAX >> 1, u64::MAX] {
        bytes[1..9].copy_from_slice(&length.to_le_bytes());
        let path = Path::new("m.bnc");
        assert!(matches!(decode::<String>(&bytes, path), Err(Error::Damaged { .. })));
        assert!(matches!(decode::<Vec<u64>>(&bytes, path), Err(Error::Damaged { .. })));
        assert!(matches!(decode::<Vec<String>>(&bytes, path), Err(Error::Damaged { .. })));
    }
}

#[test]
fn every_size_of_content_is_within_its_limit() {
    let path = Path::new("m.bnc");
    for size in [0, 1, 60_000, 70_000, 2_000_000, 2_100_000] {
        // The most memory for its bytes: numbers of 8 bytes that take one.
        let numbers = vec![0_u64; size];
        let bytes = encode(&numbers).unwrap();
        assert!(decode::<Vec<u64>>(&bytes, path).unwrap() == numbers, "{size}");
    }
    let text = "x".repeat(3_000_000);
    assert!(decode::<String>(&encode(&text).unwrap(), path).unwrap() == text);
}

#[test]
fn bytes_left_over_are_refused() {
    let mut bytes = encode(&7_u8).unwrap();
    bytes.push(0);
    let error = decode::<u8>(&bytes, Path::new("m.bnc")).unwrap_err();
    assert!(matches!(&error, Error::Damaged { .. }) && error.to_string().contains("left over"), "{error}");
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300), at in 0..48_usize) {
        let _ = read(&bytes);
        let mut spliced = sample().to_bytes();
        spliced.splice(at.., bytes.iter().copied());
        prop_assert!(read(&spliced).is_err());
        if let Ok(wire) = decode::<EncoderV1>(&bytes, Path::new("m.bnc")) {
            let _ = Encoder::from_wire(wire);
        }
    }
}

/// A file of the first released formats: envelope 1 with an encoder of wire version 1. It must be read by every
/// later version, to the same meaning; a new format gets a file beside it.
const FIRST: &[u8] = include_bytes!("../files/encoder-1.bnc");

fn first_encoder() -> Encoder {
    let frame = frame(vec![
        nominal("colour", &["red", "grün", "?"], &["red", "grün", "red", "?"]),
        numeric("size", &[0.5, 1.5, f64::NAN, 2.5]),
        nominal("class", &["no", "yes"], &["no", "no", "yes", "yes"]),
    ]);
    let preparation =
        Preparation { missing: MissingPolicy::Value, discretization: bnc_data::Discretization::Width(2) };
    Encoder::fit(&frame, preparation).unwrap()
}

#[test]
fn the_first_format_is_read_for_ever() {
    let path = Path::new("encoder-1.bnc");
    let envelope = Envelope::from_bytes(FIRST, path).unwrap();
    assert_eq!((&*envelope.kind, envelope.version), ("encoder", 1));
    let wire: EncoderV1 = decode(&envelope.payload, path).unwrap();
    assert_eq!(Encoder::from_wire(wire).unwrap(), first_encoder());
}
