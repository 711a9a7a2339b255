//! From the bytes of a file to text: progress, gzip, character encodings, line ends.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::sync::Arc;

use encoding_rs::{Decoder, DecoderResult, Encoding, UTF_8};
use flate2::bufread::MultiGzDecoder;

use crate::{Error, Place, Progress, Result};

const BUFFER: usize = 64 * 1024;

/// Valid UTF-8 text without byte order mark, with `\n` alone as line end and without NUL.
///
/// Errors of reading are [`Error`]s inside [`io::Error`]s; [`read_error`] takes them out again.
pub(crate) struct Text<'a> {
    bytes: Box<dyn Read + 'a>,
    file: Arc<str>,
    encoding: &'static Encoding,
    decoder: Decoder,
    /// Bytes that wait for the decoder.
    raw: Vec<u8>,
    raw_start: usize,
    raw_end: usize,
    raw_is_last: bool,
    /// Text that waits for the caller.
    decoded: Vec<u8>,
    start: usize,
    end: usize,
    finished: bool,
    after_carriage_return: bool,
    /// The line that the text read so far ends in, and how many bytes of it were read.
    line: u64,
    offset: u64,
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
        let mut head = Vec::with_capacity(2);
        (&mut bytes).take(2).read_to_end(&mut head).map_err(|error| read_error(&file, error))?;
        let gzipped = head == [0x1f, 0x8b];
        let bytes = io::Cursor::new(head).chain(bytes);
        let bytes: Box<dyn Read + 'a> = if gzipped {
            Box::new(MultiGzDecoder::new(BufReader::with_capacity(BUFFER, bytes)))
        } else {
            Box::new(bytes)
        };
        let decoder = encoding.new_decoder();
        // The decoder never runs short of room for a whole buffer of bytes.
        let capacity = decoder.max_utf8_buffer_length(BUFFER).unwrap_or(4 * BUFFER);
        Ok(Self {
            bytes,
            file,
            encoding,
            decoder,
            raw: vec![0; BUFFER],
            raw_start: 0,
            raw_end: 0,
            raw_is_last: false,
            decoded: vec![0; capacity],
            start: 0,
            end: 0,
            finished: false,
            after_carriage_return: false,
            line: 1,
            offset: 0,
        })
    }

    /// Decodes bytes until there is text or none is left.
    fn decode(&mut self) -> io::Result<()> {
        (self.start, self.end) = (0, 0);
        while self.end == 0 && !self.finished {
            if self.raw_start == self.raw_end && !self.raw_is_last {
                self.raw_start = 0;
                self.raw_end = read_some(&mut self.bytes, &mut self.raw)?;
                self.raw_is_last = self.raw_end == 0;
            }
            let (result, read, written) = self.decoder.decode_to_utf8_without_replacement(
                &self.raw[self.raw_start..self.raw_end],
                &mut self.decoded,
                self.raw_is_last,
            );
            self.raw_start += read;
            self.end = written;
            self.refuse_nul()?;
            self.count_lines();
            match result {
                DecoderResult::InputEmpty => self.finished = self.raw_is_last,
                DecoderResult::OutputFull => {}
                DecoderResult::Malformed(..) => return Err(self.malformed()),
            }
            self.unify_line_ends();
        }
        Ok(())
    }

    /// Replaces `\r\n` and a lone `\r` by `\n`.
    fn unify_line_ends(&mut self) {
        let text = &mut self.decoded[..self.end];
        if !self.after_carriage_return && !text.contains(&b'\r') {
            return;
        }
        let mut kept = 0;
        for at in 0..text.len() {
            let byte = text[at];
            if !(byte == b'\n' && self.after_carriage_return) {
                text[kept] = if byte == b'\r' { b'\n' } else { byte };
                kept += 1;
            }
            self.after_carriage_return = byte == b'\r';
        }
        self.end = kept;
    }

    fn count_lines(&mut self) {
        let text = &self.decoded[..self.end];
        self.line += line_ends(text);
        match text.iter().rposition(|&byte| byte == b'\n') {
            Some(last) => self.offset = (text.len() - last - 1) as u64,
            None => self.offset += text.len() as u64,
        }
    }

    fn refuse_nul(&mut self) -> io::Result<()> {
        if !self.decoded[..self.end].contains(&0) {
            return Ok(());
        }
        self.end = self.decoded.iter().take_while(|&&byte| byte != 0).count();
        self.count_lines();
        Err(self.error(
            "a NUL byte".into(),
            "text; is this a binary file? Text in UTF-16 without a mark needs --encoding utf-16le or utf-16be",
        ))
    }

    fn malformed(&self) -> io::Error {
        if self.encoding == UTF_8 {
            self.error(
                format!("byte {} of the line is not UTF-8", self.offset + 1),
                "text in UTF-8; name another encoding if it is one, such as --encoding latin1",
            )
        } else {
            self.error(
                format!("a byte sequence that {} does not have", self.encoding.name()),
                "text in that encoding; name another with --encoding",
            )
        }
    }

    fn error(&self, found: String, expected: &str) -> io::Error {
        io::Error::other(Error::Format {
            place: Place::line(&*self.file, self.line),
            found,
            expected: expected.into(),
        })
    }
}

impl BufRead for Text<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.start == self.end {
            self.decode()?;
        }
        Ok(&self.decoded[self.start..self.end])
    }

    fn consume(&mut self, amount: usize) {
        self.start = (self.start + amount).min(self.end);
    }
}

impl Read for Text<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(out)?;
        self.consume(read);
        Ok(read)
    }
}

/// How many lines end in a text.
fn line_ends(text: &[u8]) -> u64 {
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
