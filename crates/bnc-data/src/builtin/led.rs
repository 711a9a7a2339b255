//! Digits on a display of seven faulty segments (Breiman et al. 1984, section 2.6.1).

use super::numbered;
use super::parameters::Parameters;
use super::random::Random;
use crate::{Code, Column, Result};

/// For each digit its lit segments: top, upper left, upper right, middle, lower left, lower right, bottom.
const DIGITS: [&[u8; 7]; 10] = [
    b"1110111", b"0010010", b"1011101", b"1011011", b"0111010", b"1101011", b"1101111", b"1010010",
    b"1111111", b"1111011",
];

/// A digit drawn uniformly, each of its segments inverted with probability `noise`; features beyond the seven
/// are fair coins. A row draws the digit, then its features in order.
pub(super) fn led(features: usize, parameters: &Parameters) -> Result<Vec<Column>> {
    let rows = parameters.rows(features + 1)?;
    let noise = parameters.number("noise", 0.0..=1.0)?;
    let mut random = Random::new(parameters.seed()?);
    let mut columns = vec![Vec::with_capacity(rows); features];
    let mut class = Vec::with_capacity(rows);
    for _ in 0..rows {
        let digit = random.below(DIGITS.len());
        class.push(digit as Code);
        for (feature, column) in columns.iter_mut().enumerate() {
            let lit = match DIGITS[digit].get(feature) {
                Some(&segment) => (segment == b'1') != random.chance(noise),
                None => random.chance(0.5),
            };
            column.push(Code::from(lit));
        }
    }
    let mut columns: Vec<Column> =
        (1..).zip(columns).map(|(number, codes)| numbered(format!("x{number}"), 2, codes)).collect();
    columns.push(numbered("class", DIGITS.len(), class));
    Ok(columns)
}
