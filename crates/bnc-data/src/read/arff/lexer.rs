//! Words, quotes and signs of a line of ARFF.

use std::ops::Range;

use crate::{Error, Place, Result};

/// A piece of a line.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// A word, or what stood between quotes: its place in the line, and whether it was quoted.
    Text(Range<usize>, bool),
    Comma,
    Open,
    Close,
    /// The end of the line, or a comment up to it.
    End,
}

/// Takes a line apart, token by token.
pub(super) struct Lexer<'a> {
    file: &'a str,
    line: &'a mut [u8],
    at: usize,
    number: u64,
}

impl<'a> Lexer<'a> {
    /// `line` is the line of that number, with its end.
    pub(super) fn new(file: &'a str, line: &'a mut [u8], number: u64) -> Self {
        Self { file, line, at: 0, number }
    }

    /// Whether the line is blank or a comment.
    pub(super) fn is_empty(&mut self) -> bool {
        self.skip_blanks();
        self.line.get(self.at).is_none_or(|&byte| byte == b'%')
    }

    /// The text of a token of this line.
    pub(super) fn bytes(&self, range: Range<usize>) -> &[u8] {
        &self.line[range]
    }

    pub(super) fn string(&self, range: Range<usize>) -> String {
        String::from_utf8_lossy(self.bytes(range)).into_owned()
    }

    fn skip_blanks(&mut self) {
        while self.line.get(self.at).is_some_and(|&byte| byte <= b' ') {
            self.at += 1;
        }
    }

    /// The next token of the line.
    pub(super) fn next(&mut self) -> Result<Token> {
        self.skip_blanks();
        let start = self.at;
        let Some(&byte) = self.line.get(start) else {
            return Ok(Token::End);
        };
        self.at += 1;
        match byte {
            b',' => Ok(Token::Comma),
            b'{' => Ok(Token::Open),
            b'}' => Ok(Token::Close),
            b'%' => {
                self.at = self.line.len();
                Ok(Token::End)
            }
            b'\'' | b'"' => self.quoted(byte),
            _ => self.word(start),
        }
    }

    fn word(&mut self, start: usize) -> Result<Token> {
        while let Some(&byte) = self.line.get(self.at) {
            if byte == b'%' {
                return Err(self.error(
                    "a % inside a word",
                    "quotes around a value that holds %, or a blank before a comment",
                ));
            }
            if byte <= b' ' || matches!(byte, b',' | b'{' | b'}') {
                break;
            }
            self.at += 1;
        }
        Ok(Token::Text(start..self.at, false))
    }

    /// What stands between quotes; escapes are undone in place, which only ever shortens.
    fn quoted(&mut self, quote: u8) -> Result<Token> {
        let start = self.at;
        let mut end = start;
        loop {
            let Some(&byte) = self.line.get(self.at).filter(|&&byte| byte != b'\n') else {
                return Err(self.error(
                    "a quotation mark is opened and never closed",
                    "a closing quotation mark on the same line; one inside quotes is written \\' or \\\"",
                ));
            };
            self.at += 1;
            if byte == quote {
                break;
            }
            let escaped = (byte == b'\\').then(|| self.line.get(self.at)).flatten();
            let meant = match escaped {
                None | Some(b'\n') => byte,
                Some(&letter) => {
                    self.at += 1;
                    match letter {
                        b'n' => b'\n',
                        b'r' => b'\r',
                        b't' => b'\t',
                        other => other,
                    }
                }
            };
            self.line[end] = meant;
            end += 1;
        }
        if let Some(&next) = self.line.get(self.at)
            && next > b' '
            && !matches!(next, b',' | b'{' | b'}' | b'%')
        {
            return Err(self.error(
                "text right after a closing quotation mark",
                "a comma; a quotation mark inside quotes is written \\' or \\\"",
            ));
        }
        Ok(Token::Text(start..end, true))
    }

    /// An error about this line.
    pub(super) fn error(&self, found: impl Into<String>, expected: impl Into<String>) -> Error {
        Error::Format { place: self.place(), found: found.into(), expected: expected.into() }
    }

    /// This line.
    pub(super) fn place(&self) -> Place {
        Place::line(self.file, self.number)
    }

    /// A token as error messages show it.
    pub(super) fn describe(&self, token: Token) -> String {
        match token {
            Token::Text(range, _) => format!("'{}'", self.string(range)),
            Token::Comma => "a comma".into(),
            Token::Open => "a '{'".into(),
            Token::Close => "a '}'".into(),
            Token::End => "the end of the line".into(),
        }
    }
}
