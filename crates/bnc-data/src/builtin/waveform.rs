//! Noisy mixtures of two triangular waves (Breiman et al. 1984, section 2.6.2).

use super::numbered;
use super::parameters::Parameters;
use super::random::Random;
use crate::{Code, Column, Result, Values};

/// Where the three waves are highest; each is `max(6 - |i - peak|, 0)` at `i = 1..21`.
const PEAKS: [i32; 3] = [7, 15, 11];

/// The two waves that each class mixes, numbered as in the UCI set.
const MIXTURES: [[usize; 2]; 3] = [[0, 1], [0, 2], [1, 2]];

/// A class drawn uniformly, its two waves mixed in a uniform ratio, and standard normal noise on each of the
/// features; those beyond 21 are noise alone. Two decimals, as in the UCI set. A row draws the class, the
/// ratio, then the noise in order.
pub(super) fn waveform(features: usize, parameters: &Parameters) -> Result<Vec<Column>> {
    let rows = parameters.rows(features + 1)?;
    let mut random = Random::new(parameters.seed()?);
    let mut columns = vec![Vec::with_capacity(rows); features];
    let mut class = Vec::with_capacity(rows);
    for _ in 0..rows {
        let mixture = random.below(MIXTURES.len());
        class.push(mixture as Code);
        let ratio = random.uniform();
        let [first, second] = MIXTURES[mixture].map(|wave| PEAKS[wave]);
        for (position, column) in (1..).zip(&mut columns) {
            let height = |peak: i32| {
                let height = if position <= 21 { 6 - (position - peak).abs() } else { 0 };
                f64::from(height.max(0))
            };
            let value = ratio * height(first) + (1.0 - ratio) * height(second) + random.normal();
            column.push((value * 100.0).round() / 100.0);
        }
    }
    let mut columns: Vec<Column> = (1..)
        .zip(columns)
        .map(|(number, numbers)| Column { name: format!("x{number}"), values: Values::Numeric(numbers) })
        .collect();
    columns.push(numbered("class", MIXTURES.len(), class));
    Ok(columns)
}
