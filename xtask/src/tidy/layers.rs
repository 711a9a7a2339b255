//! Who may depend on whom.

use super::Violation;
use super::workspace::Member;

/// A crate and what it may depend on, besides crates of others.
pub(super) struct Layer {
    pub(super) name: &'static str,
    siblings: &'static [&'static str],
    /// Whether it may talk to a terminal and read the environment: programs may, libraries may not.
    pub(super) program: bool,
}

/// A learner sees the contract, the statistics and the structures, never another learner; data it sees through the contract.
const fn learner(name: &'static str) -> Layer {
    Layer { name, siblings: &["bnc-models", "bnc-stats", "bnc-structure"], program: false }
}

/// From the bottom up; `docs/architecture.md` gives the reasons.
const LAYERS: &[Layer] = &[
    Layer { name: "bnc-data", siblings: &[], program: false },
    Layer { name: "bnc-stats", siblings: &["bnc-data"], program: false },
    Layer { name: "bnc-structure", siblings: &[], program: false },
    Layer { name: "bnc-models", siblings: &["bnc-data", "bnc-stats", "bnc-structure"], program: false },
    learner("bnc-nb"),
    learner("bnc-tan"),
    learner("bnc-ode"),
    learner("bnc-kdb"),
    learner("bnc-anb"),
    Layer { name: "bnc-eval", siblings: &["bnc-data", "bnc-models"], program: false },
    Layer {
        name: "bnc-cli",
        siblings: &[
            "bnc-data",
            "bnc-stats",
            "bnc-structure",
            "bnc-models",
            "bnc-nb",
            "bnc-tan",
            "bnc-ode",
            "bnc-kdb",
            "bnc-anb",
            "bnc-eval",
        ],
        program: true,
    },
    // Only tests use it; it says on the terminal what is skipped.
    Layer { name: "bnc-reference", siblings: &["bnc-data", "bnc-models"], program: true },
    Layer { name: "xtask", siblings: &[], program: true },
];

/// Crates that speak to a terminal.
const TERMINAL: &[&str] = &[
    "anstream",
    "clap",
    "clap_complete",
    "clap_mangen",
    "colored",
    "comfy-table",
    "console",
    "crossterm",
    "dialoguer",
    "env_logger",
    "indicatif",
    "owo-colors",
    "termcolor",
];

/// The row of a crate and its height, counted from the bottom.
pub(super) fn layer(name: &str) -> Option<(usize, &'static Layer)> {
    LAYERS.iter().enumerate().find(|(_, layer)| layer.name == name)
}

/// Checks every dependency of every member against the table.
pub(super) fn check(members: &[Member]) -> Vec<Violation> {
    let mut violations = Vec::new();
    for member in members {
        let mut report =
            |rule, remedy: String| violations.push(Violation::new(member.file("Cargo.toml"), rule, remedy));
        let Some((_, layer)) = layer(&member.name) else {
            report("layers", format!("give {} a row in LAYERS of xtask/src/tidy/layers.rs", member.name));
            continue;
        };
        for dependency in &member.dependencies {
            let name = &dependency.name;
            let sibling = members.iter().any(|member| member.name == *name);
            if sibling && dependency.development && dependency.versioned {
                // A published version would tie the release of one to that of the other, in a circle.
                report("dev-dependency", format!("name {name} by path alone, without version or workspace"));
            } else if sibling && !dependency.development && !dependency.versioned {
                report("version", format!("state the version of {name} (write {name}.workspace = true)"));
            }
            if dependency.development {
                continue;
            }
            if sibling && !layer.siblings.contains(&name.as_str()) {
                let may = match layer.siblings {
                    [] => "no crate of this workspace".to_owned(),
                    siblings => format!("only {}", siblings.join(", ")),
                };
                report("layers", format!("drop {name}: {} may depend on {may}", member.name));
            }
            if !layer.program && TERMINAL.contains(&name.as_str()) {
                report("terminal", format!("drop {name}: a library does not talk to a terminal"));
            }
        }
    }
    violations
}

#[cfg(test)]
mod tests {
    use super::super::workspace::Dependency;
    use super::*;

    /// What is said about bnc-nb, bnc-tan and bnc-eval when `name` has one dependency.
    fn found(name: &str, dependency: &str, development: bool, versioned: bool) -> Vec<&'static str> {
        let mut members: Vec<_> = ["bnc-data", "bnc-models", "bnc-nb", "bnc-tan", "bnc-eval"]
            .map(|name| Member { name: name.into(), ..Member::default() })
            .into();
        members.retain(|member| member.name != name);
        let dependencies = vec![Dependency { name: dependency.into(), development, versioned }];
        members.push(Member { name: name.into(), dependencies, ..Member::default() });
        check(&members).into_iter().map(|violation| violation.rule).collect()
    }

    #[test]
    fn arrows_go_as_drawn() {
        assert_eq!(found("bnc-nb", "bnc-models", false, true), [""; 0]);
        assert_eq!(found("bnc-nb", "bnc-tan", false, true), ["layers"]);
        assert_eq!(found("bnc-nb", "bnc-data", false, true), ["layers"]);
        assert_eq!(found("bnc-structure", "bnc-data", false, true), ["layers"]);
        assert_eq!(found("bnc-eval", "bnc-nb", false, true), ["layers"]);
        assert_eq!(found("bnc-data", "bnc-models", false, true), ["layers"]);
        assert_eq!(found("xtask", "bnc-data", false, true), ["layers"]);
    }

    #[test]
    fn tests_may_see_siblings_by_path_alone() {
        assert_eq!(found("bnc-eval", "bnc-nb", true, false), [""; 0]);
        assert_eq!(found("bnc-eval", "bnc-nb", true, true), ["dev-dependency"]);
        assert_eq!(found("bnc-nb", "bnc-models", false, false), ["version"]);
    }

    #[test]
    fn libraries_know_no_terminal() {
        assert_eq!(found("bnc-eval", "indicatif", false, true), ["terminal"]);
        assert_eq!(found("bnc-eval", "indicatif", true, true), [""; 0]);
        assert_eq!(found("bnc-cli", "indicatif", false, true), [""; 0]);
    }

    #[test]
    fn a_new_crate_needs_a_row() {
        assert_eq!(found("bnc-new", "csv", false, true), ["layers"]);
    }

    #[test]
    fn the_table_goes_from_the_bottom_up() {
        for (height, row) in LAYERS.iter().enumerate() {
            for sibling in row.siblings {
                assert!(layer(sibling).is_some_and(|(below, _)| below < height), "{} on {sibling}", row.name);
            }
        }
    }
}
