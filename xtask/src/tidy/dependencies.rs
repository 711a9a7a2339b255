//! The crates of others: stated once in the root manifest, explained in a document, and used.

use std::collections::BTreeSet;

use super::Violation;
use super::workspace::Member;

/// The document that explains them.
pub(super) const FILE: &str = "docs/dependencies.md";

const MANIFEST: &str = "Cargo.toml";

/// Compares what the root manifest declares, what the members use and what the document explains.
pub(super) fn check(
    declared: &BTreeSet<String>,
    members: &[Member],
    document: Option<&String>,
) -> Vec<Violation> {
    let mut violations = Vec::new();
    let mut report =
        |file: &str, remedy: String| violations.push(Violation::new(file, "dependencies", remedy));
    let used = used(members);
    for name in declared.difference(&used) {
        report(MANIFEST, format!("drop {name} from [workspace.dependencies]: no crate uses it"));
    }
    for name in used.difference(declared) {
        report(MANIFEST, format!("declare {name} in [workspace.dependencies] and use it from there"));
    }
    match document {
        None => report(FILE, "write what each dependency is for".into()),
        Some(text) => {
            let explained = explained(text);
            for name in declared.difference(&explained) {
                report(FILE, format!("add a row that says what {name} is for and why this one"));
            }
            for name in explained.difference(declared) {
                report(FILE, format!("drop the row of {name}: it is not declared"));
            }
        }
    }
    violations
}

fn used(members: &[Member]) -> BTreeSet<String> {
    let names = members.iter().flat_map(|member| &member.dependencies).map(|dependency| &dependency.name);
    names.filter(|name| !members.iter().any(|member| member.name == **name)).cloned().collect()
}

/// The names in backquotes in the first cells of the document's tables.
fn explained(text: &str) -> BTreeSet<String> {
    let cells =
        text.lines().filter_map(|line| line.strip_prefix('|')).filter_map(|row| row.split('|').next());
    cells.flat_map(|cell| cell.split('`').skip(1).step_by(2)).map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::super::workspace::Dependency;
    use super::*;

    fn remedies(declared: &[&str], uses: &[&str], document: Option<&str>) -> Vec<String> {
        let declared = declared.iter().map(ToString::to_string).collect();
        let dependencies =
            uses.iter().map(|name| Dependency { name: (*name).into(), development: true, versioned: true });
        let member =
            Member { name: "bnc-a".into(), dependencies: dependencies.collect(), ..Member::default() };
        let found = check(&declared, &[member], document.map(str::to_owned).as_ref());
        found.into_iter().map(|violation| violation.remedy).collect()
    }

    #[test]
    fn what_is_declared_used_and_explained_passes() {
        let document = "| crate | for |\n|---|---|\n| `csv`, `toml` | reading `rows` |\n";
        assert_eq!(remedies(&["csv", "toml"], &["csv", "toml", "bnc-a"], Some(document)), [""; 0]);
    }

    #[test]
    fn each_disagreement_is_found() {
        let row = Some("| `csv` | rows |\n");
        assert!(remedies(&["csv"], &[], row)[0].starts_with("drop csv from"));
        assert!(remedies(&[], &["csv"], Some(""))[0].starts_with("declare csv"));
        assert!(
            remedies(&["csv"], &["csv"], Some("csv reads rows\n| rows | `csv` |\n"))[0]
                .starts_with("add a row")
        );
        assert!(remedies(&[], &[], row)[0].starts_with("drop the row of csv"));
        assert!(remedies(&[], &[], None)[0].starts_with("write"));
    }
}
