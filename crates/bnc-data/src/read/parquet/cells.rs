//! Arrays of Arrow to the values of a column.

use std::collections::HashMap;
use std::hash::Hash;

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowPrimitiveType, Date32Type, Date64Type, Decimal128Type, Float16Type, Float32Type, Float64Type,
    Int8Type, Int16Type, Int32Type, Int64Type, Time32MillisecondType, Time32SecondType,
    Time64MicrosecondType, Time64NanosecondType, TimestampMicrosecondType, TimestampMillisecondType,
    TimestampNanosecondType, TimestampSecondType, UInt8Type, UInt16Type, UInt32Type, UInt64Type,
};
use arrow_array::{Array, StringArray};
use arrow_schema::{DataType, TimeUnit};
use foldhash::fast::RandomState;

use crate::read::coder::Part;
use crate::read::column::{Column, Refusal};
use crate::read::plan::Declared;
use crate::read::table::weight;

/// What a type of Arrow declares for a column; `None` for lists, records, bytes and other types that are no cells.
pub(super) fn declared(data_type: &DataType) -> Option<Declared> {
    use DataType as T;
    match data_type {
        T::Utf8 | T::Boolean | T::Dictionary(..) => Some(Declared::Text),
        T::Decimal128(..) | T::Date32 | T::Date64 | T::Timestamp(..) | T::Time32(_) | T::Time64(_) => {
            Some(Declared::Number)
        }
        number if number.is_integer() || number.is_floating() => Some(Declared::Number),
        _ => None,
    }
}

/// The cells of a column, taken out of an array of a type that [`declared`] knows.
///
/// # Errors
/// The first row whose cell is refused, why, and the cell.
pub(super) fn take(column: &mut Column, array: &dyn Array) -> Result<Part, (usize, Refusal, String)> {
    let cells = Cells::of(array);
    if column.has_numbers()
        && let Some(numbers) = cells.numbers()
    {
        return Ok(column.take_numbers(numbers));
    }
    let (texts, keys) = cells.texts();
    column.take_texts(&texts, &keys).map_err(|(row, refusal)| {
        let text = keys[row].map(|key| texts[key].clone()).unwrap_or_default();
        (row, refusal, text)
    })
}

/// Case weights.
///
/// # Errors
/// The first row whose cell is no weight, and the cell.
pub(super) fn weights(array: &dyn Array) -> Result<Vec<u32>, (usize, String)> {
    let (texts, keys) = Cells::of(array).texts();
    let weight_of = |(row, key): (usize, &Option<usize>)| {
        let text = key.map_or("?", |key| texts[key].as_str());
        weight(text).ok_or_else(|| (row, text.to_owned()))
    };
    keys.iter().enumerate().map(weight_of).collect()
}

/// The cells of an array; `None` where missing.
enum Cells {
    /// Texts, and the number of each cell's text.
    Texts(Vec<String>, Vec<Option<usize>>),
    Integers(Vec<Option<i128>>),
    Reals(Vec<Option<f64>>),
    /// Milliseconds since 1970 in UTC, as dates are in ARFF.
    Instants(Vec<Option<f64>>),
}

impl Cells {
    fn of(array: &dyn Array) -> Self {
        use DataType as T;
        match array.data_type() {
            T::Utf8 => texts(array.as_string::<i32>()),
            T::Boolean => {
                let keys = array.as_boolean().iter().map(|value| value.map(usize::from)).collect();
                Self::Texts(vec!["false".into(), "true".into()], keys)
            }
            T::Dictionary(..) => {
                let array = array.as_dictionary::<Int32Type>();
                let values = array.values().as_string::<i32>();
                let known = |key: i32| usize::try_from(key).ok().filter(|&key| values.is_valid(key));
                let keys = array.keys().iter().map(|key| key.and_then(known)).collect();
                Self::Texts(strings(values), keys)
            }
            T::Int8 => integers::<Int8Type>(array),
            T::Int16 => integers::<Int16Type>(array),
            T::Int32 => integers::<Int32Type>(array),
            T::Int64 => integers::<Int64Type>(array),
            T::UInt8 => integers::<UInt8Type>(array),
            T::UInt16 => integers::<UInt16Type>(array),
            T::UInt32 => integers::<UInt32Type>(array),
            T::UInt64 => integers::<UInt64Type>(array),
            T::Float16 => Self::Reals(values::<Float16Type, _>(array, f64::from)),
            T::Float32 => Self::Reals(values::<Float32Type, _>(array, f64::from)),
            T::Float64 => Self::Reals(values::<Float64Type, _>(array, |value| value)),
            T::Decimal128(_, scale) => {
                let unit = 10_f64.powi((*scale).into());
                Self::Reals(values::<Decimal128Type, _>(array, |value| value as f64 / unit))
            }
            T::Date32 => {
                Self::Instants(values::<Date32Type, _>(array, |days| f64::from(days) * 86_400_000.0))
            }
            T::Date64 => Self::Instants(milliseconds::<Date64Type>(array, 1.0)),
            T::Timestamp(unit, _) => Self::Instants(match unit {
                TimeUnit::Second => milliseconds::<TimestampSecondType>(array, 1e3),
                TimeUnit::Millisecond => milliseconds::<TimestampMillisecondType>(array, 1.0),
                TimeUnit::Microsecond => milliseconds::<TimestampMicrosecondType>(array, 1e-3),
                TimeUnit::Nanosecond => milliseconds::<TimestampNanosecondType>(array, 1e-6),
            }),
            T::Time32(TimeUnit::Second) => {
                Self::Reals(values::<Time32SecondType, _>(array, |value| f64::from(value) * 1e3))
            }
            T::Time32(_) => Self::Reals(values::<Time32MillisecondType, _>(array, f64::from)),
            T::Time64(TimeUnit::Nanosecond) => Self::Reals(milliseconds::<Time64NanosecondType>(array, 1e-6)),
            T::Time64(_) => Self::Reals(milliseconds::<Time64MicrosecondType>(array, 1e-3)),
            // Columns of other types are refused before they are read.
            _ => Self::Reals(vec![None; array.len()]),
        }
    }

    /// The numbers that the cells are, `NaN` where missing; `None` for texts.
    fn numbers(&self) -> Option<Vec<f64>> {
        match self {
            Self::Texts(..) => None,
            Self::Integers(cells) => {
                Some(cells.iter().map(|cell| cell.map_or(f64::NAN, |cell| cell as f64)).collect())
            }
            Self::Reals(cells) | Self::Instants(cells) => {
                Some(cells.iter().map(|cell| cell.unwrap_or(f64::NAN)).collect())
            }
        }
    }

    /// The distinct texts of the cells, and the number of each cell's text.
    fn texts(self) -> (Vec<String>, Vec<Option<usize>>) {
        let known = |cell: &Option<f64>| cell.filter(|cell| !cell.is_nan()).map(f64::to_bits);
        match self {
            Self::Texts(texts, keys) => (texts, keys),
            Self::Integers(cells) => numbered(cells.iter().copied(), |integer| integer.to_string()),
            Self::Reals(cells) => numbered(cells.iter().map(known), |bits| f64::from_bits(bits).to_string()),
            Self::Instants(cells) => numbered(cells.iter().map(known), |bits| instant(f64::from_bits(bits))),
        }
    }
}

fn strings(array: &StringArray) -> Vec<String> {
    array.iter().map(|text| text.unwrap_or_default().to_owned()).collect()
}

fn texts(array: &StringArray) -> Cells {
    let (texts, keys) = numbered(array.iter(), str::to_owned);
    Cells::Texts(texts, keys)
}

fn values<T: ArrowPrimitiveType, V>(array: &dyn Array, of: impl Fn(T::Native) -> V) -> Vec<Option<V>> {
    array.as_primitive::<T>().iter().map(|value| value.map(&of)).collect()
}

fn integers<T: ArrowPrimitiveType<Native: Into<i128>>>(array: &dyn Array) -> Cells {
    Cells::Integers(values::<T, _>(array, Into::into))
}

fn milliseconds<T: ArrowPrimitiveType<Native = i64>>(array: &dyn Array, each: f64) -> Vec<Option<f64>> {
    // A division of whole numbers rounds once, a product with a fraction twice.
    values::<T, _>(array, |value| if each < 1.0 { value as f64 / each.recip() } else { value as f64 * each })
}

/// Numbers distinct values in order of appearance.
fn numbered<K: Copy + Eq + Hash>(
    cells: impl Iterator<Item = Option<K>>,
    text_of: impl Fn(K) -> String,
) -> (Vec<String>, Vec<Option<usize>>) {
    let mut numbers: HashMap<K, usize, RandomState> = HashMap::default();
    let mut texts = Vec::new();
    let key_of = |cell: Option<K>| {
        cell.map(|value| {
            *numbers.entry(value).or_insert_with(|| {
                texts.push(text_of(value));
                texts.len() - 1
            })
        })
    };
    let keys = cells.map(key_of).collect();
    (texts, keys)
}

/// A point in time in ISO 8601; its milliseconds where no calendar has it.
fn instant(milliseconds: f64) -> String {
    let text = jiff::Timestamp::from_nanosecond((milliseconds * 1e6) as i128);
    text.map_or_else(|_| milliseconds.to_string(), |text| text.to_string())
}
