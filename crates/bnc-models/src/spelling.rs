//! Separators in text, and the backslash that takes their meaning away.

/// The parts between unescaped separators, escapes kept.
pub(crate) fn split(text: &str, separator: char) -> Vec<&str> {
    let mut escaped = false;
    text.split(|character| {
        let separates = character == separator && !escaped;
        escaped = character == '\\' && !escaped;
        separates
    })
    .collect()
}

/// What is before and after the first unescaped separator.
pub(crate) fn split_once(text: &str, separator: char) -> Option<(&str, &str)> {
    let before = split(text, separator)[0];
    Some((before, text[before.len()..].strip_prefix(separator)?))
}

/// Without the backslashes that escape.
pub(crate) fn unescape(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        plain.push(if character == '\\' { characters.next().unwrap_or(character) } else { character });
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_backslash_takes_the_meaning_from_a_separator() {
        assert_eq!(split(r"a,b\,c,\\,d", ','), ["a", r"b\,c", r"\\", "d"]);
        assert_eq!(split("", ','), [""]);
        assert_eq!(split_once(r"a\=b=c=d", '='), Some((r"a\=b", "c=d")));
        assert_eq!(split_once(r"a\=b", '='), None);
        assert_eq!(unescape(r"b\,c\\d\"), r"b,c\d\");
    }
}
