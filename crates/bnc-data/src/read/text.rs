//! From the bytes of a file to text: progress, gzip, character encodings, line ends.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;
use std::sync::Arc;

use encoding_rs::{Decoder, DecoderResult, Encoding, UTF_8};
use flate2::bufread::MultiGzDecoder;
use memchr::memchr;

use crate::{Error, Place, Progress, Result};

/// How many bytes are read at once where a decoder turns them into text.
const BUFFER: usize = 64 * 1024;

/// Valid UTF-8 text without byte order mark, with `\n` alone as line end and without NUL.
pub(crate) struct Text<'a> {
    bytes: Box<dyn Read + 'a>,
    file: Arc<str>,
    encoding: &'static Encoding,
    /// None is needed for UTF-8, which is only checked.
    decoder: Option<Decoder>,
    /// Bytes that wait: the first ones of the file, or the start of a character that was cut.
    raw: Vec<u8>,
    ended: bool,
    /// What ended the text too early: it stands behind the text that was given out.
    fault: Option<Fault>,
    after_carriage_return: bool,
}

/// Why a text does not go on.
#[derive(Debug)]
pub(crate) enum Fault {
    /// A byte 0.
    Nul,
    /// Bytes that are no text in this encoding.
    Malformed(&'static Encoding),
    /// Reading failed, or was cancelled.
    Failed(Error),
}

impl<'a> Text<'a> {
    /// The text of a file, gunzipped where its first bytes say so.
    pub(crate) fn open(
        path: &Path,
        file: Arc<str>,
        encoding: &'static Encoding,
        progress: &'a dyn Progress,
    ) -> Result<Self> {
        let source = File::open(path).map_err(|error| Error::io(path, error))?;
        let total = source.metadata().ok().map(|metadata| metadata.len());
        Self::new(source, total, file, encoding, progress)
    }

    /// The text of a stream of `total` bytes.
    pub(crate) fn new(
        bytes: impl Read + 'a,
        total: Option<u64>,
        file: Arc<str>,
        encoding: &'static Encoding,
        progress: &'a dyn Progress,
    ) -> Result<Self> {
        let mut bytes = Watched { bytes, done: 0, total, progress };
        let magic = head(&mut bytes, 2).map_err(|error| read_error(&file, error))?;
        let gzipped = magic == [0x1f, 0x8b];
        let bytes = io::Cursor::new(magic).chain(bytes);
        let mut bytes: Box<dyn Read + 'a> = if gzipped {
            Box::new(MultiGzDecoder::new(BufReader::with_capacity(BUFFER, bytes)))
        } else {
            Box::new(bytes)
        };
        let mut raw = head(&mut bytes, 3).map_err(|error| read_error(&file, error))?;
        let marked = Encoding::for_bom(&raw);
        let (encoding, mark) = marked.unwrap_or((encoding, 0));
        raw.drain(..mark);
        let decoder = (encoding != UTF_8).then(|| encoding.new_decoder_without_bom_handling());
        Ok(Self {
            bytes,
            file,
            encoding,
            decoder,
            raw,
            ended: false,
            fault: None,
            after_carriage_return: false,
        })
    }

    /// What error messages call the file.
    pub(crate) fn file(&self) -> &Arc<str> {
        &self.file
    }

    /// Appends some of the text that follows, of about `amount` bytes; `false` when there is none.
    pub(crate) fn fill(&mut self, text: &mut Vec<u8>, amount: usize) -> Result<bool, Fault> {
        if let Some(fault) = self.fault.take() {
            self.ended = true;
            return Err(fault);
        }
        if self.ended {
            return Ok(false);
        }
        let start = text.len();
        let filled = if self.decoder.is_some() { self.decode(text) } else { self.check(text, amount) };
        if let Err(error) = filled {
            text.truncate(start);
            self.ended = true;
            return Err(Fault::Failed(read_error(&self.file, error)));
        }
        if self.after_carriage_return || has_oddities(&text[start..]) {
            if let Some(nul) = memchr(0, &text[start..]) {
                text.truncate(start + nul);
                self.fault = Some(Fault::Nul);
            }
            self.unify_line_ends(text, start);
        }
        Ok(true)
    }

    /// Appends bytes that are UTF-8.
    fn check(&mut self, text: &mut Vec<u8>, amount: usize) -> io::Result<()> {
        let start = text.len();
        text.append(&mut self.raw);
        let read_from = text.len();
        text.resize(read_from + amount.max(1), 0);
        let read = read_some(&mut self.bytes, &mut text[read_from..])?;
        text.truncate(read_from + read);
        self.ended = read == 0;
        if text[start..].is_ascii() {
            return Ok(());
        }
        if let Err(error) = std::str::from_utf8(&text[start..]) {
            let valid = start + error.valid_up_to();
            if error.error_len().is_none() && !self.ended {
                self.raw = text.split_off(valid);
            } else {
                text.truncate(valid);
                self.fault = Some(Fault::Malformed(UTF_8));
            }
        }
        Ok(())
    }

    /// Appends what bytes of another encoding stand for.
    fn decode(&mut self, text: &mut Vec<u8>) -> io::Result<()> {
        let Some(decoder) = &mut self.decoder else { return Ok(()) };
        if self.raw.is_empty() {
            self.raw.resize(BUFFER, 0);
            let read = read_some(&mut self.bytes, &mut self.raw)?;
            self.raw.truncate(read);
            self.ended = read == 0;
        }
        let start = text.len();
        // The decoder never runs short of room for a whole buffer of bytes.
        let room = decoder.max_utf8_buffer_length(self.raw.len()).unwrap_or(4 * BUFFER);
        text.resize(start + room, 0);
        let (result, read, written) =
            decoder.decode_to_utf8_without_replacement(&self.raw, &mut text[start..], self.ended);
        text.truncate(start + written);
        self.raw.drain(..read);
        if let DecoderResult::Malformed(..) = result {
            self.fault = Some(Fault::Malformed(self.encoding));
        }
        Ok(())
    }

    /// Replaces `\r\n` and a lone `\r` by `\n`, from `start` on.
    fn unify_line_ends(&mut self, text: &mut Vec<u8>, start: usize) {
        let Some(&last) = text[start..].last() else { return };
        let (mut kept, mut at) = (start, start);
        if self.after_carriage_return && text[at] == b'\n' {
            at += 1;
        }
        self.after_carriage_return = last == b'\r';
        while let Some(length) = memchr(b'\r', &text[at..]) {
            text.copy_within(at..at + length, kept);
            kept += length;
            text[kept] = b'\n';
            kept += 1;
            at += length + 1;
            if text.get(at) == Some(&b'\n') {
                at += 1;
            }
        }
        let length = text.len() - at;
        text.copy_within(at.., kept);
        text.truncate(kept + length);
    }
}

impl Fault {
    /// The error behind a text of which `line` is the last line and `rest` what is known of it.
    pub(crate) fn error(self, file: &str, line: u64, rest: &[u8]) -> Error {
        let (found, expected) = match self {
            Self::Failed(error) => return error,
            Self::Nul => (
                "a NUL byte".into(),
                "text; is this a binary file? Text in UTF-16 without a mark needs --encoding utf-16le or utf-16be",
            ),
            Self::Malformed(encoding) if encoding == UTF_8 => (
                format!("byte {} of the line is not UTF-8", rest.len() + 1),
                "text in UTF-8; name another encoding if it is one, such as --encoding latin1",
            ),
            Self::Malformed(encoding) => (
                format!("a byte sequence that {} does not have", encoding.name()),
                "text in that encoding; name another with --encoding",
            ),
        };
        Error::Format { place: Place::line(file, line), found, expected: expected.into() }
    }
}

/// Whether a text has a NUL or a carriage return, which are rare.
fn has_oddities(text: &[u8]) -> bool {
    // Without a branch inside a part, many bytes are compared at once.
    let odd = |found: u8, &byte: &u8| found | u8::from(byte == 0) | u8::from(byte == b'\r');
    text.chunks(1024).any(|part| part.iter().fold(0, odd) != 0)
}

/// The first bytes of a stream, up to `length` of them.
fn head(bytes: &mut impl Read, length: u64) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    bytes.take(length).read_to_end(&mut head)?;
    Ok(head)
}

/// How many lines end in a text.
pub(crate) fn line_ends(text: &[u8]) -> u64 {
    // Sums of up to 255 fit in a byte each, which lets sixteen or more bytes be compared at once.
    let in_part = |part: &[u8]| u64::from(part.iter().map(|&byte| u8::from(byte == b'\n')).sum::<u8>());
    text.chunks(255).map(in_part).sum()
}

/// The encoding of a name such as `utf-8`, `latin1` or `windows-1252`; UTF-8 where none is named.
pub(crate) fn encoding(name: Option<&str>) -> Result<&'static Encoding> {
    let Some(name) = name else { return Ok(UTF_8) };
    Encoding::for_label(name.as_bytes()).ok_or_else(|| Error::BadParameter {
        parameter: "encoding".into(),
        value: name.into(),
        expected: "the name of an encoding, such as utf-8, latin1, windows-1252, utf-16le or shift_jis"
            .into(),
    })
}

/// What went wrong in a read: an error that this crate put there, or the system's.
pub(crate) fn read_error(file: &str, error: io::Error) -> Error {
    error.downcast::<Error>().unwrap_or_else(|error| Error::io(file, error))
}

fn read_some(bytes: &mut impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    loop {
        match bytes.read(buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

/// Reports how many bytes were read, and ends the reading when asked to.
struct Watched<'a, R> {
    bytes: R,
    done: u64,
    total: Option<u64>,
    progress: &'a dyn Progress,
}

impl<R: Read> Read for Watched<'_, R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        if self.progress.is_cancelled() {
            return Err(io::Error::other(Error::Cancelled));
        }
        let read = self.bytes.read(out)?;
        self.done += read as u64;
        self.progress.advance(self.done, self.total);
        Ok(read)
    }
}
