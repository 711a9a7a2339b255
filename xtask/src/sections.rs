//! Generated sections of hand-written files: what stands between a line `<!-- name -->` and a line `<!-- /name -->`.

use anyhow::{Result, bail};

/// The text with another content of one section.
pub(crate) fn renew(text: &str, name: &str, content: &str) -> Result<String> {
    let (begin, end) = (format!("<!-- {name} -->"), format!("<!-- /{name} -->"));
    let Some((before, (_, after))) =
        text.split_once(&begin).and_then(|(before, rest)| Some((before, rest.split_once(&end)?)))
    else {
        bail!("mark where the generated section goes with lines `{begin}` and `{end}`");
    };
    Ok(format!("{before}{begin}\n{content}{end}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_section_changes() {
        let text = "a\n<!-- x -->\nold\n<!-- /x -->\nb\n<!-- y -->\n<!-- /y -->\n";
        assert_eq!(
            renew(text, "x", "new\n").unwrap(),
            "a\n<!-- x -->\nnew\n<!-- /x -->\nb\n<!-- y -->\n<!-- /y -->\n"
        );
    }

    #[test]
    fn a_section_without_both_marks_is_refused() {
        for text in ["", "<!-- x -->\n", "<!-- /x -->\n<!-- x -->\n"] {
            assert!(renew(text, "x", "new\n").unwrap_err().to_string().contains("<!-- /x -->"), "{text}");
        }
    }
}
