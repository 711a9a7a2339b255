//! The skeleton of a page.
//!
//! Its style and script are inside of it, and a content security policy forbids everything else: whatever a data set calls
//! its columns, the page loads nothing and runs nothing but that. Without scripts nothing is lost but sorting.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use sha2::{Digest, Sha256};

use crate::drawing;

const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("script.js");

/// A page.
pub(crate) struct Page {
    pub(crate) title: String,
    /// What is said above all sections.
    pub(crate) summary: Markup,
    pub(crate) sections: Vec<Section>,
}

/// A part of a page that the navigation leads to.
pub(crate) struct Section {
    /// Its anchor.
    pub(crate) id: &'static str,
    pub(crate) title: &'static str,
    pub(crate) content: Markup,
}

impl Page {
    /// The document.
    pub(crate) fn render(&self) -> String {
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta http-equiv="Content-Security-Policy" content=(policy());
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    meta name="generator" content=(concat!("bnc ", env!("CARGO_PKG_VERSION")));
                    title { (self.title) }
                    // Without it browsers ask a server for one.
                    link rel="icon" href="data:,";
                    style { (PreEscaped(STYLE)) }
                }
                body {
                    a class="skip" href="#content" { "Skip to the content" }
                    (drawing::arrow_heads())
                    header {
                        p class="program" { "bnc " (env!("CARGO_PKG_VERSION")) }
                        h1 { (self.title) }
                        (self.summary)
                    }
                    nav aria-label="Sections" {
                        ul { @for section in &self.sections { li { a href={ "#" (section.id) } { (section.title) } } } }
                    }
                    main id="content" {
                        @for section in &self.sections {
                            section id=(section.id) aria-labelledby={ (section.id) "-title" } {
                                h2 id={ (section.id) "-title" } { (section.title) }
                                (section.content)
                            }
                        }
                    }
                    script { (PreEscaped(SCRIPT)) }
                }
            }
        };
        page.into_string()
    }
}

/// What the page may do: have this style and this script.
fn policy() -> String {
    format!(
        "default-src 'none'; style-src {}; script-src {}; img-src data:; base-uri 'none'; form-action 'none'",
        source(STYLE),
        source(SCRIPT)
    )
}

/// A text of the page as the policy names it, by its hash.
fn source(text: &str) -> String {
    format!("'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(text)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sources_are_hashed_as_browsers_do() {
        // The example of the standard, Content Security Policy Level 3, section 2.3.1.
        let expected = "'sha256-qznLcsROx4GACP2dm0UCKCzCG+HiZ1guq6ZZDob/Tng='";
        assert_eq!(source("alert('Hello, world.');"), expected);
    }

    #[test]
    fn titles_are_escaped() {
        let section = Section { id: "a", title: "A", content: html! { p { "text" } } };
        let page = Page { title: "<b>\"R&D\"".into(), summary: html! {}, sections: vec![section] };
        let text = page.render();
        assert!(text.contains("<title>&lt;b&gt;&quot;R&amp;D&quot;</title>"), "{text}");
        assert!(text.contains("href=\"#a\"") && text.contains("id=\"a\""), "{text}");
    }

    /// The value of each custom property of a scheme: the first or the second block of them.
    fn colours(scheme: usize) -> Vec<(&'static str, [f64; 3])> {
        let block = STYLE.split(":root {").nth(scheme + 1).unwrap().split('}').next().unwrap();
        let property = |line: &'static str| {
            let (name, value) = line.trim().strip_prefix("--")?.trim_end_matches(';').split_once(": #")?;
            let part = |at: usize| f64::from(u8::from_str_radix(&value[at..at + 2], 16).unwrap()) / 255.0;
            Some((name, [part(0), part(2), part(4)]))
        };
        block.lines().filter_map(property).collect()
    }

    /// The contrast of two colours by the Web Content Accessibility Guidelines 2.2.
    fn contrast(a: [f64; 3], b: [f64; 3]) -> f64 {
        let luminance = |colour: [f64; 3]| {
            let linear =
                colour.map(|c| if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055_f64).powf(2.4) });
            0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] + 0.05
        };
        let (a, b) = (luminance(a), luminance(b));
        a.max(b) / a.min(b)
    }

    #[test]
    fn text_and_marks_stand_out_in_both_schemes() {
        for scheme in 0..2 {
            let colours = colours(scheme);
            let of = |name: &str| colours.iter().find(|colour| colour.0 == name).unwrap().1;
            for ground in ["paper", "ground", "tint"] {
                for text in ["ink", "quiet", "accent"] {
                    let found = contrast(of(text), of(ground));
                    assert!(found >= 4.5, "scheme {scheme}, {text} on {ground}: {found:.2}");
                }
            }
            let marks = colours.iter().filter(|(name, _)| name.starts_with("series-") || *name == "stroke");
            assert_eq!(marks.clone().count(), 8);
            for (name, colour) in marks {
                let found = contrast(*colour, of("paper"));
                assert!(found >= 3.0, "scheme {scheme}, {name}: {found:.2}");
            }
        }
    }
}
