//! The table of crates in the root README, generated between two markers.

use anyhow::{Result, bail};

use super::Violation;
use super::layers::layer;
use super::workspace::Member;
use crate::sections::renew;

/// The file that holds the table.
pub(super) const FILE: &str = "README.md";

const SECTION: &str = "crates";

/// Compares the table with the manifests.
pub(super) fn check(readme: Option<&String>, members: &[Member]) -> Option<Violation> {
    let Some(text) = readme else {
        return Some(Violation::new(FILE, "crates", "write the README of the workspace"));
    };
    match rewrite(Some(text), members) {
        Ok(wanted) if wanted == *text => None,
        Ok(_) => Some(Violation::new(
            FILE,
            "crates",
            "run `cargo xtask tidy --write` to renew the table of crates",
        )),
        Err(error) => Some(Violation::new(FILE, "crates", error.to_string())),
    }
}

/// The README with the table as it should be.
pub(super) fn rewrite(readme: Option<&String>, members: &[Member]) -> Result<String> {
    let Some(text) = readme else {
        bail!("there is no README.md to write the table of crates to");
    };
    renew(text, SECTION, &table(members))
}

/// The published crates, from the bottom layer up.
fn table(members: &[Member]) -> String {
    let mut published: Vec<_> = members.iter().filter(|member| member.published).collect();
    published.sort_by_key(|member| layer(&member.name).map_or(usize::MAX, |(height, _)| height));
    let rows = published.into_iter().map(|member| {
        let description = member.description.as_deref().unwrap_or_default().replace('|', "\\|");
        format!("| [`{}`]({}) | {description} |\n", member.name, member.folder)
    });
    std::iter::once("| crate | what it is |\n|---|---|\n".to_owned()).chain(rows).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn members() -> Vec<Member> {
        let member = |name: &str, published| Member {
            name: name.into(),
            folder: format!("crates/{name}"),
            description: Some(format!("About {name}.")),
            published,
            ..Member::default()
        };
        vec![member("bnc-cli", true), member("bnc-data", true), member("xtask", false)]
    }

    #[test]
    fn the_table_lists_published_crates_from_the_bottom_up() {
        let text = "# bnc\n\n<!-- crates -->\nold\n<!-- /crates -->\n\nEnd.\n".to_owned();
        let written = rewrite(Some(&text), &members()).unwrap();
        assert_eq!(
            written,
            "# bnc\n\n<!-- crates -->\n| crate | what it is |\n|---|---|\n\
             | [`bnc-data`](crates/bnc-data) | About bnc-data. |\n\
             | [`bnc-cli`](crates/bnc-cli) | About bnc-cli. |\n<!-- /crates -->\n\nEnd.\n"
        );
        assert_eq!(check(Some(&written), &members()), None);
    }

    #[test]
    fn a_stale_table_is_found() {
        let text = "<!-- crates -->\n<!-- /crates -->\n".to_owned();
        let written = rewrite(Some(&text), &members()).unwrap();
        for stale in [written.replace("About", "Of"), text, written.replace("bnc-cli", "bnc-clip")] {
            assert!(check(Some(&stale), &members()).unwrap().remedy.contains("--write"));
        }
    }

    #[test]
    fn a_readme_without_markers_or_none_is_found() {
        assert!(check(None, &members()).is_some());
        assert!(check(Some(&"# bnc\n".to_owned()), &members()).unwrap().remedy.contains("<!-- crates -->"));
    }
}
