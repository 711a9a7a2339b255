//! CSV cells that may be quoted (RFC 4180): the one place that knows where quotes open and close.

/// Where a record goes on.
#[derive(Clone, Copy)]
enum State {
    CellStart,
    Plain,
    Quoted,
    /// After a quotation mark inside quotes: the closing one, unless another one follows.
    Quote,
}

/// Walks through the record at the start of a text: `keep` gets the bytes of each cell, without quotes, and `end` is
/// called where the cell ends. Gives the length of the record with its line end; `None` if the text ends before.
///
/// A quotation mark opens quotes at the start of a cell only; what follows a closing one belongs to the cell.
#[inline(always)]
#[allow(clippy::inline_always, reason = "without what it is told to do, half of the loop vanishes")]
pub(crate) fn walk<S>(
    text: &[u8],
    delimiter: u8,
    sink: &mut S,
    keep: impl Fn(&mut S, u8),
    end: impl Fn(&mut S),
) -> Option<usize> {
    let mut state = State::CellStart;
    for (at, &byte) in text.iter().enumerate() {
        state = match (state, byte) {
            (State::CellStart, b'"') => State::Quoted,
            (State::Quoted, b'"') => State::Quote,
            (State::Quoted, _) | (State::Quote, b'"') => {
                keep(sink, byte);
                State::Quoted
            }
            (_, b'\n') => {
                end(sink);
                return Some(at + 1);
            }
            (_, byte) if byte == delimiter => {
                end(sink);
                State::CellStart
            }
            _ => {
                keep(sink, byte);
                State::Plain
            }
        };
    }
    None
}

/// The length of the record at the start of a text.
pub(crate) fn record(text: &[u8], delimiter: u8) -> Option<usize> {
    walk(text, delimiter, &mut (), |(), _| {}, |()| {})
}

/// Where the last whole record of a text ends that starts with a record.
pub(crate) fn last_record_end(text: &[u8], delimiter: u8) -> Option<usize> {
    let mut end = 0;
    // Only records with quotes are walked through.
    while let Some(quote) = memchr::memchr(b'"', &text[end..]) {
        end += memchr::memrchr(b'\n', &text[end..end + quote]).map_or(0, |line_end| line_end + 1);
        match record(&text[end..], delimiter) {
            Some(length) => end += length,
            None => return (end > 0).then_some(end),
        }
    }
    end += memchr::memrchr(b'\n', &text[end..]).map_or(0, |line_end| line_end + 1);
    (end > 0).then_some(end)
}
