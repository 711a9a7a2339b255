//! What tells the runs of evaluations apart.

use bnc_data::{Frame, Values};
use bnc_eval::{CrossValidation, Resampling};
use crc32fast::Hasher;

/// A text that is the same for runs of which one can take over the other's parts: the same rows, resampling, preparation,
/// protocol and program version.
pub(super) fn run(validation: &CrossValidation<'_>) -> String {
    let CrossValidation { frame, preparation, protocol, resampling, .. } = *validation;
    format!(
        "bnc {}; {}; {preparation:?}; {} rows {:08x}; {} repeats of {} parts {:08x}",
        env!("CARGO_PKG_VERSION"),
        super::protocol_name(protocol),
        frame.rows(),
        rows(frame),
        resampling.repeats(),
        resampling.parts(),
        assignment(resampling)
    )
}

fn rows(frame: &Frame) -> u32 {
    let mut sum = Hasher::new();
    let mut text = |text: &str| {
        sum.update(&(text.len() as u64).to_le_bytes());
        sum.update(text.as_bytes());
    };
    for column in &frame.columns {
        text(&column.name);
        if let Values::Nominal { labels, .. } = &column.values {
            labels.iter().for_each(|label| text(label));
        }
    }
    for column in &frame.columns {
        match &column.values {
            Values::Nominal { codes, .. } => {
                for code in codes {
                    sum.update(&code.to_le_bytes());
                }
            }
            Values::Numeric(numbers) => {
                for number in numbers {
                    sum.update(&number.to_bits().to_le_bytes());
                }
            }
        }
    }
    for weight in frame.weights.iter().flatten() {
        sum.update(&weight.to_le_bytes());
    }
    sum.update(&(frame.class.map_or(0, |class| class as u64 + 1)).to_le_bytes());
    sum.finalize()
}

fn assignment(resampling: &dyn Resampling) -> u32 {
    let mut sum = Hasher::new();
    let mut numbers = |rows: Vec<usize>| {
        sum.update(&(rows.len() as u64).to_le_bytes());
        for row in rows {
            sum.update(&(row as u64).to_le_bytes());
        }
    };
    for repeat in 0..resampling.repeats() {
        for part in 0..resampling.parts() {
            numbers(resampling.train_rows(repeat, part));
            numbers(resampling.test_rows(repeat, part));
        }
    }
    sum.finalize()
}
