//! A column while it is read: cells come in, their kind is settled, values go out.

use std::sync::Arc;

use super::coder::{CodedColumn, ColumnCoder, Known, Part};
use super::dictionary::{CellRules, Dictionary};
use super::join::{final_codes, join_codes, join_numbers, look_up};
use super::number;
use super::rows::{Cell, Rows};
use crate::{Code, MISSING, RawKind, Values};

/// The number that a text stands for, if it stands for one.
pub(crate) type Parse = dyn Fn(&str) -> Option<f64> + Send + Sync;

/// Turns the text of a cell into a number.
#[derive(Clone)]
pub(crate) struct Parser {
    /// The number of a text that is not missing.
    pub(crate) parse: Arc<Parse>,
    /// What such a text has to be.
    pub(crate) expected: Arc<str>,
}

impl Parser {
    /// The number in a cell, `NaN` where it is missing; `None` if there is something else.
    pub(crate) fn number(&self, cell: &[u8], rules: &CellRules) -> Option<f64> {
        match rules.value(cell) {
            None => Some(f64::NAN),
            Some(value) => std::str::from_utf8(value).ok().and_then(&*self.parse),
        }
    }
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
    pub(crate) absent: Option<Arc<[u8]>>,
    /// How many cells were missing.
    pub(crate) missing: u64,
    /// What is shown of `cells` to those who code blocks, and how many cells it has left open.
    shown: Known,
    open: usize,
    cells: Cells,
    rules: Arc<CellRules>,
}

enum Cells {
    Labels {
        dictionary: Arc<Dictionary>,
        order: Order,
    },
    Numbers {
        parser: Parser,
        inferred: bool,
        /// The numbers of the codes that were given before the column turned out to be one of numbers.
        coded: Vec<f64>,
    },
}

/// What the codes of a dictionary stand for.
enum Order {
    /// Order of appearance; perhaps they are numbers.
    Open { numeric: bool },
    /// The order of the labels, which are all known.
    Final { labels: Arc<[String]>, declared: bool },
}

/// What a cell holds.
#[derive(Clone, Copy)]
enum Value {
    Code(Code),
    Number(f64),
}

impl Column {
    pub(crate) fn new(
        name: String,
        position: usize,
        reading: Reading,
        absent: Option<Arc<[u8]>>,
        rules: &Arc<CellRules>,
    ) -> Self {
        let open = |numeric| Cells::Labels {
            dictionary: Arc::new(Dictionary::new(Arc::clone(rules))),
            order: Order::Open { numeric },
        };
        let cells = match reading {
            Reading::Infer => open(true),
            Reading::Text => open(false),
            Reading::Declared(labels) => Cells::of_labels(rules, labels, true),
            Reading::Number(parser) => Cells::Numbers { parser, inferred: false, coded: Vec::new() },
        };
        let shown = cells.known();
        Self { name, position, absent, missing: 0, shown, open: 0, cells, rules: Arc::clone(rules) }
    }

    /// What is known of the column, for those who code blocks.
    pub(crate) fn coder(&self) -> ColumnCoder {
        let (position, absent) = (self.position, self.absent.clone());
        ColumnCoder { position, absent, known: self.shown.clone() }
    }

    /// Shows what was learnt if cells that were left open have cost more by now than the copy of the dictionary that
    /// this takes in the end. Whether it did.
    pub(crate) fn show(&mut self) -> bool {
        let price = match &self.cells {
            Cells::Labels { dictionary, .. } => dictionary.len(),
            Cells::Numbers { .. } => 0,
        };
        let worth_it = self.open > price;
        if worth_it {
            self.open = 0;
            self.shown = self.cells.known();
        }
        worth_it
    }

    /// Takes the cells of the next block, those that are open looked at in order.
    ///
    /// # Errors
    /// The first row whose cell is refused, and why.
    pub(crate) fn add(&mut self, coded: CodedColumn, rows: &Rows) -> Result<Part, (usize, Refusal)> {
        let CodedColumn { mut part, missing, open } = coded;
        self.missing += missing;
        self.open += open.len();
        self.convert(&mut part);
        for row in open {
            let value = match rows.cell(row, self.position) {
                Cell::Text(text) => self.value(text),
                Cell::Absent => match self.absent.clone() {
                    Some(text) => self.value(&text),
                    None => Err(Refusal::Absent),
                },
                // Missing cells are never open.
                Cell::Missing => continue,
            };
            self.convert(&mut part);
            let missing = match (value.map_err(|refusal| (row, refusal))?, &mut part) {
                (Value::Code(code), Part::Codes(codes)) => {
                    codes[row] = code;
                    code == MISSING
                }
                (Value::Number(number), Part::Numbers(numbers)) => {
                    numbers[row] = number;
                    number.is_nan()
                }
                // The part was made what the column is.
                _ => false,
            };
            self.missing += u64::from(missing);
        }
        Ok(part)
    }

    /// Whether the column is one of numbers.
    #[cfg(feature = "parquet")]
    pub(crate) fn has_numbers(&self) -> bool {
        matches!(self.cells, Cells::Numbers { .. })
    }

    /// Takes the next cells of a column of numbers; `NaN` where missing.
    #[cfg(feature = "parquet")]
    pub(crate) fn take_numbers(&mut self, numbers: Vec<f64>) -> Part {
        self.missing += numbers.iter().filter(|number| number.is_nan()).count() as u64;
        Part::Numbers(numbers)
    }

    /// Takes the next cells: the number of each one's text among distinct texts, `None` where missing. The column
    /// is not one whose kind is guessed.
    ///
    /// # Errors
    /// The first row whose cell is refused, and why.
    #[cfg(feature = "parquet")]
    pub(crate) fn take_texts(
        &mut self,
        texts: &[String],
        keys: &[Option<usize>],
    ) -> Result<Part, (usize, Refusal)> {
        let mut values: Vec<Option<Value>> = vec![None; texts.len()];
        let mut value_of = |(row, key): (usize, &Option<usize>)| {
            let Some(key) = *key else { return Ok(None) };
            if values[key].is_none() {
                values[key] = Some(self.value(texts[key].as_bytes()).map_err(|refusal| (row, refusal))?);
            }
            Ok(values[key])
        };
        let cells = keys.iter().enumerate().map(&mut value_of).collect::<Result<Vec<_>, _>>()?;
        let part = if self.has_numbers() {
            let number = |cell| if let Some(Value::Number(number)) = cell { number } else { f64::NAN };
            Part::Numbers(cells.into_iter().map(number).collect())
        } else {
            let code = |cell| if let Some(Value::Code(code)) = cell { code } else { MISSING };
            Part::Codes(cells.into_iter().map(code).collect())
        };
        self.missing += match &part {
            Part::Codes(codes) => codes.iter().filter(|&&code| code == MISSING).count() as u64,
            Part::Numbers(numbers) => numbers.iter().filter(|number| number.is_nan()).count() as u64,
        };
        Ok(part)
    }

    /// Makes numbers of codes if that is what the column has turned out to be.
    fn convert(&self, part: &mut Part) {
        if let (Cells::Numbers { coded, .. }, Part::Codes(codes)) = (&self.cells, &*part) {
            *part = Part::Numbers(look_up(codes, coded).collect());
        }
    }

    fn value(&mut self, text: &[u8]) -> Result<Value, Refusal> {
        match &mut self.cells {
            Cells::Labels { dictionary, order } => {
                let dictionary = Arc::make_mut(dictionary);
                let code = match order {
                    Order::Open { .. } => dictionary.find_or_insert(text),
                    Order::Final { .. } => dictionary.find_and_remember(text),
                };
                match (code, order) {
                    (Some(code), _) => Ok(Value::Code(code)),
                    (None, Order::Final { labels, declared }) => {
                        Err(Refusal::Value(expected_label(labels, *declared)))
                    }
                    (None, Order::Open { numeric: false }) => Err(Refusal::TooMany),
                    (None, Order::Open { numeric: true }) => {
                        self.become_numbers()?;
                        self.value(text)
                    }
                }
            }
            Cells::Numbers { parser, inferred, .. } => match parser.number(text, &self.rules) {
                Some(number) => Ok(Value::Number(number)),
                // This many values are no categories, and one of them is no number.
                None if *inferred => Err(Refusal::TooMany),
                None => Err(Refusal::Value(parser.expected.to_string())),
            },
        }
    }

    /// From here on there is no more room for labels: the column is one of numbers or is refused.
    fn become_numbers(&mut self) -> Result<(), Refusal> {
        if let Cells::Labels { dictionary, .. } = &self.cells {
            self.cells = Cells::inferred(numbers_of(dictionary).ok_or(Refusal::TooMany)?);
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
            self.shown = self.cells.known();
        }
    }

    /// Joins parts of the column to values of its kind.
    pub(crate) fn join(&self, kind: &RawKind, parts: Vec<Part>) -> Values {
        match (&self.cells, kind) {
            (Cells::Numbers { coded, .. }, _) => Values::Numeric(join_numbers(parts, coded)),
            (Cells::Labels { dictionary, .. }, RawKind::Numeric) => {
                Values::Numeric(join_numbers(parts, &numbers_of(dictionary).unwrap_or_default()))
            }
            (Cells::Labels { dictionary, order }, RawKind::Nominal(labels)) => {
                let order = match order {
                    Order::Open { .. } => final_codes(dictionary, labels),
                    Order::Final { .. } => None,
                };
                Values::Nominal { labels: Arc::clone(labels), codes: join_codes(parts, order.as_deref()) }
            }
        }
    }
}

impl Cells {
    fn known(&self) -> Known {
        match self {
            Self::Labels { dictionary, .. } => Known::Labels(Arc::clone(dictionary)),
            Self::Numbers { parser, .. } => Known::Numbers(parser.clone()),
        }
    }

    fn of_labels(rules: &Arc<CellRules>, labels: Arc<[String]>, declared: bool) -> Self {
        Self::Labels {
            dictionary: Arc::new(Dictionary::of(Arc::clone(rules), &labels)),
            order: Order::Final { labels, declared },
        }
    }

    fn inferred(coded: Vec<f64>) -> Self {
        Self::Numbers {
            parser: Parser { parse: Arc::new(number::inferred), expected: "".into() },
            inferred: true,
            coded,
        }
    }
}

/// The numbers that all labels are, if they are.
fn numbers_of(dictionary: &Dictionary) -> Option<Vec<f64>> {
    dictionary.labels().map(number::inferred).collect()
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
