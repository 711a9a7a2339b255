//! Class probabilities on the command line: `yes=0.3,no=0.7`.

use crate::error::{Error, Result};

/// The probabilities in the order of the labels. Labels may hold commas and equality signs.
pub(crate) fn parse(text: &str, labels: &[String]) -> Result<Vec<f64>> {
    let wrong = |what: String| {
        Error::Usage(format!("--prior {text}: {what}; the classes are: {}", labels.join(", ")))
    };
    let mut prior = vec![None; labels.len()];
    let mut rest = text;
    loop {
        let (label, value) = labels
            .iter()
            .enumerate()
            .filter_map(|(index, label)| Some((index, rest.strip_prefix(label.as_str())?.strip_prefix('=')?)))
            .min_by_key(|(_, value)| value.len())
            .ok_or_else(|| wrong(format!("'{rest}' does not begin with LABEL= of a class")))?;
        let (number, more) = match value.split_once(',') {
            Some((number, more)) => (number, Some(more)),
            None => (value, None),
        };
        let number: f64 = number.trim().parse().map_err(|_| wrong(format!("'{number}' is not a number")))?;
        if prior[label].replace(number).is_some() {
            return Err(wrong(format!("'{}' is given twice", labels[label])));
        }
        match more {
            Some(more) => rest = more.trim_start(),
            None => break,
        }
    }
    let given = prior.iter().zip(labels);
    given
        .map(|(probability, label)| probability.ok_or_else(|| wrong(format!("'{label}' is not given"))))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(labels: &[&str]) -> Vec<String> {
        labels.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn probabilities_go_to_their_labels() {
        assert_eq!(parse("yes=0.3,no=0.7", &labels(&["no", "yes"])).unwrap(), [0.7, 0.3]);
        assert_eq!(parse("a=0.5, a=b,c=0.5", &labels(&["a", "a=b,c"])).unwrap(), [0.5, 0.5]);
    }

    #[test]
    fn what_is_wrong_is_said() {
        let error = |text: &str| parse(text, &labels(&["no", "yes"])).unwrap_err().to_string();
        assert_eq!(
            error("maybe=1"),
            "--prior maybe=1: 'maybe=1' does not begin with LABEL= of a class; the classes are: no, yes"
        );
        assert_eq!(error("no=1"), "--prior no=1: 'yes' is not given; the classes are: no, yes");
        assert_eq!(error("no=x,yes=1"), "--prior no=x,yes=1: 'x' is not a number; the classes are: no, yes");
        assert!(error("no=1,no=0").contains("'no' is given twice"));
    }
}
