//! Folds as a file assigns them.

use bnc_data::{Code, Error as DataError, MISSING, Place};

use crate::folds::NEVER;
use crate::{Folds, Result};

impl Folds {
    /// Reads folds from the text of a file: one line a row, on it the row's fold (from 0) in each repeat, either a digit
    /// a repeat (`9587189046` is ten repeats) or numbers with commas between them (`12,0,7` is three; `12,` is one).
    /// `classes` holds the rows' class codes; the folds of unlabelled rows are passed over.
    ///
    /// # Errors
    /// [`bnc_data::Error::Format`], with the line, for anything else, for lines of unequal length, too few or too many
    /// lines, fewer than two folds, and folds without labelled rows; [`bnc_data::Error::NoLabelledRows`].
    ///
    /// # Examples
    /// ```
    /// use bnc_eval::Folds;
    /// let folds = Folds::parse("01\n10\n00\n11\n", "folds.txt", &[0, 0, 1, 1])?;
    /// assert_eq!((folds.folds(), folds.repeats()), (2, 2));
    /// assert_eq!(folds.test_rows(1, 0), [1, 2]);
    /// # Ok::<(), bnc_eval::Error>(())
    /// ```
    pub fn parse(text: &str, file_name: &str, classes: &[Code]) -> Result<Self> {
        let labelled = classes.iter().filter(|&&class| class != MISSING).count();
        if labelled == 0 {
            return Err(DataError::NoLabelledRows { file: file_name.into() }.into());
        }
        let mut repeats: Vec<Vec<u32>> = Vec::new();
        for (index, (line, &class)) in text.lines().zip(classes).enumerate() {
            let place = Place::line(file_name, index as u64 + 1);
            let numbers = numbers_of(line, labelled, &place)?;
            if index == 0 {
                repeats = vec![Vec::with_capacity(classes.len()); numbers.len()];
            } else if numbers.len() != repeats.len() {
                return Err(format_error(
                    place,
                    format!("{} repeats", numbers.len()),
                    format!("{}, as on the first line", repeats.len()),
                ));
            }
            for (repeat, fold) in repeats.iter_mut().zip(numbers) {
                repeat.push(if class == MISSING { NEVER } else { fold });
            }
        }
        let all_lines = text.lines().count();
        if all_lines != classes.len() {
            let place = Place::file(file_name);
            let expected = format!("one line for each of the {} rows", classes.len());
            return Err(format_error(place, format!("{all_lines} lines"), expected));
        }
        let folds = check_folds(&repeats, file_name)?;
        Ok(Self::from_parts(folds, repeats))
    }
}

/// The folds on a line.
fn numbers_of(line: &str, labelled: usize, place: &Place) -> Result<Vec<u32>> {
    let line = line.trim();
    if line.is_empty() {
        let expected = "a digit a repeat, or numbers with commas between them".into();
        return Err(format_error(place.clone(), "an empty line".into(), expected));
    }
    let number = |text: &str| match text.trim().parse() {
        // No fold is empty, so there are no more folds than rows.
        Ok(fold) if (fold as usize) < labelled => Ok(fold),
        _ => {
            let expected = format!("a fold, a whole number from 0 to {}", labelled - 1);
            Err(format_error(place.clone(), format!("'{text}'"), expected))
        }
    };
    if line.contains(',') {
        line.strip_suffix(',').unwrap_or(line).split(',').map(number).collect()
    } else {
        let mut digit = [0; 4];
        line.chars().map(|character| number(character.encode_utf8(&mut digit))).collect()
    }
}

/// The number of folds, every one of which must have rows in every repeat.
fn check_folds(repeats: &[Vec<u32>], file_name: &str) -> Result<usize> {
    let tested = |repeat: &[u32]| repeat.iter().copied().filter(|&fold| fold != NEVER).collect::<Vec<_>>();
    let folds = repeats.iter().flat_map(|repeat| tested(repeat)).max().map_or(0, |fold| fold as usize + 1);
    let fault =
        |found: String, expected: &str| Err(format_error(Place::file(file_name), found, expected.into()));
    if folds < 2 {
        return fault("a single fold".into(), "two folds or more, counted from 0");
    }
    for (index, repeat) in repeats.iter().enumerate() {
        let mut used = vec![false; folds];
        for fold in tested(repeat) {
            used[fold as usize] = true;
        }
        if let Some(empty) = used.iter().position(|used| !used) {
            let found = format!("no labelled row in fold {empty} of repeat {}", index + 1);
            return fault(found, "folds numbered from 0 without a gap, the same ones in every repeat");
        }
    }
    Ok(folds)
}

fn format_error(place: Place, found: String, expected: String) -> crate::Error {
    DataError::Format { place, found, expected }.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_and_numbers_are_read() {
        let digits = Folds::parse("01\r\n12\r\n20\r\n", "f", &[0, 0, 1]).unwrap();
        let numbers = Folds::parse("0,1\n1, 2\n2,0,", "f", &[0, 0, 1]).unwrap();
        assert_eq!(digits, numbers);
        assert_eq!(digits.test_rows(0, 1), [1]);
        assert_eq!(digits.train_rows(1, 2), [0, 2]);
    }

    #[test]
    fn a_number_of_two_digits_is_told_from_two_repeats() {
        let classes = vec![0; 12];
        let text = "0,\n1,\n2,\n3,\n4,\n5,\n6,\n7,\n8,\n9,\n10,\n11,\n";
        let folds = Folds::parse(text, "f", &classes).unwrap();
        assert_eq!((folds.folds(), folds.repeats()), (12, 1));
    }

    #[test]
    fn unlabelled_rows_are_not_tested() {
        let folds = Folds::parse("0\n1\n0\n1\n", "f", &[0, MISSING, 1, 1]).unwrap();
        assert_eq!(folds.fold_of(0, 1), None);
        assert_eq!(folds.train_rows(0, 0), [3]);
    }

    #[test]
    fn faults_name_file_and_line() {
        let fault =
            |text: &str, classes: &[Code]| Folds::parse(text, "folds.txt", classes).unwrap_err().to_string();
        let three = [0, 0, 1];
        assert_eq!(
            fault("0\n1\nx\n", &three),
            "folds.txt, line 3: 'x'; expected a fold, a whole number from 0 to 2"
        );
        assert_eq!(
            fault("0\n10\n1\n", &three),
            "folds.txt, line 2: 2 repeats; expected 1, as on the first line"
        );
        assert!(fault("0\n\n1\n", &three).starts_with("folds.txt, line 2: an empty line"));
        assert!(fault("0\n4000000000,\n1\n", &three).contains("'4000000000'"));
        assert!(fault("0\n-1,\n1\n", &three).contains("'-1'"));
        assert!(fault("0\né\n1\n", &three).contains("'é'"));
        assert!(fault("0\n1,,1\n1\n", &three).contains("line 2: ''"));
        assert_eq!(fault("0\n1\n", &three), "folds.txt: 2 lines; expected one line for each of the 3 rows");
        assert!(fault("0\n1\n0\n1\n", &three).contains("4 lines"));
        assert!(fault("", &three).contains("0 lines"));
        assert!(fault("0\n0\n0\n", &three).contains("a single fold"));
        assert!(fault("1\n1\n2\n", &three).contains("no labelled row in fold 0 of repeat 1"));
        assert!(fault("00\n11\n20\n", &three).contains("no labelled row in fold 2 of repeat 2"));
        assert!(fault("0\n", &[MISSING]).contains("no row has a class label"));
    }
}
