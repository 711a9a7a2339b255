//! Parts of a column joined to its values.

use super::coder::Part;
use super::dictionary::Dictionary;
use crate::{Code, MISSING};

/// The numbers of all parts; `coded` has those of the codes.
pub(super) fn join_numbers(mut parts: Vec<Part>, coded: &[f64]) -> Vec<f64> {
    if let [Part::Numbers(numbers)] = &mut parts[..] {
        return std::mem::take(numbers);
    }
    let mut joined = Vec::with_capacity(parts.iter().map(Part::len).sum());
    for part in parts {
        match part {
            Part::Codes(codes) => joined.extend(look_up(&codes, coded)),
            Part::Numbers(numbers) => joined.extend_from_slice(&numbers),
        }
    }
    joined
}

/// The codes of all parts, each replaced by what `order` has for it, if there is an order.
pub(super) fn join_codes(mut parts: Vec<Part>, order: Option<&[Code]>) -> Vec<Code> {
    if let ([Part::Codes(codes)], None) = (&mut parts[..], order) {
        return std::mem::take(codes);
    }
    let mut joined = Vec::with_capacity(parts.iter().map(Part::len).sum());
    for part in parts {
        match (part, order) {
            (Part::Codes(codes), None) => joined.extend_from_slice(&codes),
            (Part::Codes(codes), Some(order)) => {
                let replaced = |&code: &Code| order.get(usize::from(code)).copied().unwrap_or(MISSING);
                joined.extend(codes.iter().map(replaced));
            }
            // A column of labels has codes.
            (Part::Numbers(_), _) => {}
        }
    }
    joined
}

/// The code in `labels` of each code of a dictionary; `None` if they are the same.
pub(super) fn final_codes(dictionary: &Dictionary, labels: &[String]) -> Option<Vec<Code>> {
    if dictionary.labels().eq(labels.iter().map(String::as_str)) {
        return None;
    }
    let mut order = vec![MISSING; dictionary.len()];
    for (label, code) in labels.iter().zip(0..) {
        if let Some(appeared) = dictionary.code_of(label.as_bytes()) {
            order[usize::from(appeared)] = code;
        }
    }
    Some(order)
}

pub(super) fn look_up(codes: &[Code], numbers: &[f64]) -> impl Iterator<Item = f64> {
    codes.iter().map(|&code| numbers.get(usize::from(code)).copied().unwrap_or(f64::NAN))
}
