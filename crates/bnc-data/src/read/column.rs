//! A column while it is read: cells come in, their kind is settled, values go out.

use std::ops::Range;
use std::sync::Arc;

use super::dictionary::{CellRules, Dictionary};
use super::number;
use super::spelling::Spelling;
use crate::{Code, MISSING, RawKind, Values};

/// A cell as its file holds it.
#[derive(Clone, Copy)]
pub(crate) enum Cell<'a> {
    /// The cell's text, before blanks and missing tokens are looked at.
    Text(Span<'a>),
    /// Missing by the syntax of the file.
    Missing,
    /// Left out of a sparse row, which stands for 0 or the first label.
    #[cfg_attr(not(feature = "arff"), expect(dead_code, reason = "only ARFF has sparse rows"))]
    Absent,
}

/// The text of a cell within its row: see [`Spelling::within`].
#[derive(Clone, Copy)]
pub(crate) struct Span<'a> {
    row: &'a [u8],
    start: usize,
    length: usize,
}

impl<'a> Span<'a> {
    /// The bytes of a range of a row; none where the row is too short.
    #[inline]
    pub(crate) fn new(row: &'a [u8], range: Range<usize>) -> Self {
        let start = range.start.min(row.len());
        Self { row, start, length: range.len().min(row.len() - start) }
    }

    #[inline]
    pub(crate) fn bytes(self) -> &'a [u8] {
        &self.row[self.start..self.start + self.length]
    }

    #[inline]
    fn spelling(self) -> Option<Spelling> {
        Spelling::within(self.row, self.start, self.length)
    }
}

/// The number that a text stands for, if it stands for one.
pub(crate) type Parse = dyn Fn(&str) -> Option<f64>;

/// Turns the text of a cell into a number.
#[derive(Clone)]
pub(crate) struct Parser {
    /// The number of a text that is not missing.
    pub(crate) parse: Arc<Parse>,
    /// What such a text has to be.
    pub(crate) expected: String,
}

/// How the cells of a column are understood.
#[derive(Clone)]
pub(crate) enum Reading {
    /// Numbers if all known cells look like it, else labels.
    Infer,
    /// Labels, in natural order once all are known.
    Text,
    /// These labels and no others.
    Declared(Arc<[String]>),
    /// Numbers, and nothing but numbers.
    Number(Parser),
}

impl Reading {
    /// Decimals, infinities and `nan`.
    pub(crate) fn number() -> Self {
        Self::Number(Parser {
            parse: Arc::new(number::any),
            expected: "a number; name the column among the nominal ones if its cells are labels".into(),
        })
    }
}

/// Why a cell was refused.
pub(crate) enum Refusal {
    /// Its value is not what is expected.
    Value(String),
    /// One distinct value too many.
    TooMany,
    /// A sparse row leaves out a cell that has no default.
    Absent,
}

/// A column of the table that is being read.
pub(crate) struct Column {
    pub(crate) name: String,
    /// Where its cells stand in a row of the file.
    pub(crate) position: usize,
    /// The text that a cell left out of a sparse row stands for.
    pub(crate) absent: Option<Vec<u8>>,
    /// How many cells were missing.
    pub(crate) missing: u64,
    cells: Cells,
    rules: Arc<CellRules>,
}

enum Cells {
    Labels { dictionary: Dictionary, codes: Vec<Code>, order: Order },
    Numbers { parser: Parser, numbers: Vec<f64>, inferred: bool },
}

/// What the codes of a dictionary stand for.
enum Order {
    /// Order of appearance; perhaps they are numbers.
    Open { numeric: bool },
    /// The order of the labels, which are all known.
    Final { labels: Arc<[String]>, declared: bool },
}

impl Column {
    pub(crate) fn new(
        name: String,
        position: usize,
        reading: Reading,
        absent: Option<Vec<u8>>,
        rules: &Arc<CellRules>,
    ) -> Self {
        let open = |numeric| Cells::Labels {
            dictionary: Dictionary::new(Arc::clone(rules)),
            codes: Vec::new(),
            order: Order::Open { numeric },
        };
        let cells = match reading {
            Reading::Infer => open(true),
            Reading::Text => open(false),
            Reading::Declared(labels) => Cells::of_labels(rules, labels, true),
            Reading::Number(parser) => Cells::Numbers { parser, numbers: Vec::new(), inferred: false },
        };
        Self { name, position, absent, missing: 0, cells, rules: Arc::clone(rules) }
    }

    /// Takes the next cell.
    #[inline(always)]
    #[allow(clippy::inline_always, reason = "runs once a cell; a call costs as much as the work")]
    pub(crate) fn push(&mut self, cell: Cell<'_>) -> Result<(), Refusal> {
        if let (Cell::Text(text), Cells::Labels { dictionary, codes, .. }) = (cell, &mut self.cells)
            && let Some(spelling) = text.spelling()
            && let Some(code) = dictionary.familiar(spelling)
        {
            codes.push(code);
            self.missing += u64::from(code == MISSING);
            return Ok(());
        }
        self.push_unfamiliar(cell)
    }

    #[cold]
    #[inline(never)]
    fn push_unfamiliar(&mut self, cell: Cell<'_>) -> Result<(), Refusal> {
        match cell {
            Cell::Text(text) => self.push_text(text.bytes()),
            Cell::Missing => {
                self.missing += 1;
                match &mut self.cells {
                    Cells::Labels { codes, .. } => codes.push(MISSING),
                    Cells::Numbers { numbers, .. } => numbers.push(f64::NAN),
                }
                Ok(())
            }
            Cell::Absent => {
                let text = self.absent.take().ok_or(Refusal::Absent)?;
                let pushed = self.push_text(&text);
                self.absent = Some(text);
                pushed
            }
        }
    }

    fn push_text(&mut self, text: &[u8]) -> Result<(), Refusal> {
        match &mut self.cells {
            Cells::Labels { dictionary, codes, order } => {
                let code = match order {
                    Order::Open { .. } => dictionary.find_or_insert(text),
                    Order::Final { .. } => dictionary.find(text),
                };
                let code = match (code, order) {
                    (Some(code), _) => code,
                    (None, Order::Final { labels, declared }) => {
                        return Err(Refusal::Value(expected_label(labels, *declared)));
                    }
                    (None, Order::Open { numeric: false }) => return Err(Refusal::TooMany),
                    (None, Order::Open { numeric: true }) => {
                        self.become_numbers()?;
                        return self.push_text(text);
                    }
                };
                codes.push(code);
                self.missing += u64::from(code == MISSING);
            }
            Cells::Numbers { parser, numbers, inferred } => {
                let number = match self.rules.value(text) {
                    None => f64::NAN,
                    Some(value) => match std::str::from_utf8(value).ok().and_then(&*parser.parse) {
                        Some(number) => number,
                        // This many values are no categories, and one of them is no number.
                        None if *inferred => return Err(Refusal::TooMany),
                        None => return Err(Refusal::Value(parser.expected.clone())),
                    },
                };
                numbers.push(number);
                self.missing += u64::from(number.is_nan());
            }
        }
        Ok(())
    }

    /// From here on there is no more room for labels: the column is one of numbers or is refused.
    fn become_numbers(&mut self) -> Result<(), Refusal> {
        if let Cells::Labels { dictionary, codes, .. } = &self.cells {
            let numbers = numbers_of(dictionary).ok_or(Refusal::TooMany)?;
            self.cells = Cells::inferred(look_up(codes, &numbers));
        }
        Ok(())
    }

    /// What the column has turned out to be, all of its cells being read.
    pub(crate) fn kind(&self) -> RawKind {
        match &self.cells {
            Cells::Numbers { .. } => RawKind::Numeric,
            Cells::Labels { order: Order::Final { labels, .. }, .. } => RawKind::Nominal(Arc::clone(labels)),
            Cells::Labels { dictionary, order: Order::Open { numeric }, .. } => {
                if *numeric && dictionary.len() > 0 && numbers_of(dictionary).is_some() {
                    return RawKind::Numeric;
                }
                let mut labels: Vec<String> = dictionary.labels().map(ToString::to_string).collect();
                number::sort_naturally(&mut labels);
                RawKind::Nominal(labels.into())
            }
        }
    }

    /// Prepares a column that has not read anything yet for cells of which an earlier pass learnt the kind.
    pub(crate) fn settle(&mut self, kind: &RawKind) {
        if let Cells::Labels { order: Order::Open { .. }, .. } = &self.cells {
            self.cells = match kind {
                RawKind::Numeric => Cells::inferred(Vec::new()),
                RawKind::Nominal(labels) => Cells::of_labels(&self.rules, Arc::clone(labels), false),
            };
        }
    }

    /// Takes out the cells read so far, as values of the column's kind.
    pub(crate) fn take(&mut self, kind: &RawKind) -> Values {
        match (&mut self.cells, kind) {
            (Cells::Numbers { numbers, .. }, _) => Values::Numeric(std::mem::take(numbers)),
            (Cells::Labels { dictionary, codes, .. }, RawKind::Numeric) => {
                let numbers = numbers_of(dictionary).unwrap_or_default();
                Values::Numeric(look_up(&std::mem::take(codes), &numbers))
            }
            (Cells::Labels { dictionary, codes, order }, RawKind::Nominal(labels)) => {
                let mut codes = std::mem::take(codes);
                if matches!(order, Order::Open { .. }) {
                    let mut final_code = vec![MISSING; dictionary.len()];
                    for (code, label) in labels.iter().enumerate() {
                        if let Some(appeared) = dictionary.code_of(label.as_bytes()) {
                            final_code[usize::from(appeared)] = code as Code;
                        }
                    }
                    for code in &mut codes {
                        *code = final_code.get(usize::from(*code)).copied().unwrap_or(MISSING);
                    }
                }
                Values::Nominal { labels: Arc::clone(labels), codes }
            }
        }
    }

    /// Forgets the cells read so far, but not what they taught.
    pub(crate) fn clear(&mut self) {
        match &mut self.cells {
            Cells::Labels { codes, .. } => codes.clear(),
            Cells::Numbers { numbers, .. } => numbers.clear(),
        }
    }
}

impl Cells {
    fn of_labels(rules: &Arc<CellRules>, labels: Arc<[String]>, declared: bool) -> Self {
        Self::Labels {
            dictionary: Dictionary::of(Arc::clone(rules), &labels),
            codes: Vec::new(),
            order: Order::Final { labels, declared },
        }
    }

    fn inferred(numbers: Vec<f64>) -> Self {
        Self::Numbers {
            parser: Parser { parse: Arc::new(number::inferred), expected: String::new() },
            numbers,
            inferred: true,
        }
    }
}

/// The numbers that all labels are, if they are.
fn numbers_of(dictionary: &Dictionary) -> Option<Vec<f64>> {
    dictionary.labels().map(number::inferred).collect()
}

fn look_up(codes: &[Code], numbers: &[f64]) -> Vec<f64> {
    codes.iter().map(|&code| numbers.get(usize::from(code)).copied().unwrap_or(f64::NAN)).collect()
}

/// How many labels an error message lists.
const LISTED: usize = 20;

fn expected_label(labels: &[String], declared: bool) -> String {
    if !declared {
        return "among the values that the first pass found; the file changed while it was read".into();
    }
    let more = if labels.len() > LISTED { ", ..." } else { "" };
    let listed = labels.iter().take(LISTED).cloned().collect::<Vec<_>>().join(", ");
    format!("one of the declared values {{{listed}{more}}}")
}
