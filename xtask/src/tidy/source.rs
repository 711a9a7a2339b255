//! What the text of a file may hold. Rust is read as tokens, so that comments and strings are not mistaken for code.

use std::path::Path;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

use super::Violation;
use super::layers::layer;
use super::workspace::{Files, Member};

const LONGEST: usize = 500;
const ENVELOPE: &str = "crates/bnc-data/src/envelope.rs";
const UNFINISHED: &[&str] = &["todo!", "unimplemented!", "dbg!"];
const PRINTING: &[&str] = &["print!", "println!", "eprint!", "eprintln!"];
const ENVIRONMENT: &str = "std::env";
const BINCODE: &str = "bincode";

/// Checks every file.
pub(super) fn check(members: &[Member], files: &Files) -> Vec<Violation> {
    let mut violations = Vec::new();
    for (path, text) in files {
        violations.extend(machine_paths(path, text));
        if is_rust(path) {
            violations.extend(length(path, text));
            violations.extend(tokens(path, text, is_library(path, members)));
        }
    }
    violations
}

fn is_rust(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|extension| extension == "rs")
}

/// Whether the file is part of what a library does, rather than of its tests and benchmarks.
fn is_library(path: &str, members: &[Member]) -> bool {
    let owner = members.iter().find(|member| path.starts_with(&member.file("src/")));
    let library = owner.and_then(|member| layer(&member.name)).is_some_and(|(_, layer)| !layer.program);
    library && !path.ends_with("/tests.rs") && !path.contains("/tests/")
}

/// Absolute paths that exist on one machine only.
fn machine_paths(path: &str, text: &str) -> Vec<Violation> {
    let mut violations = Vec::new();
    for (number, line) in text.lines().enumerate() {
        for folder in ["home", "root", "work", "Users"] {
            let folder = format!("/{folder}/");
            // Inside a longer path or address the same letters mean something else.
            let absolute = line.match_indices(&folder).any(|(at, _)| {
                !line[..at].ends_with(|before: char| before.is_alphanumeric() || "._-~/*}".contains(before))
            });
            if absolute {
                let remedy = format!("name no path of one machine ({folder})");
                violations.push(Violation::new(format!("{path}:{}", number + 1), "machine-path", remedy));
            }
        }
    }
    violations
}

fn length(path: &str, text: &str) -> Option<Violation> {
    let lines = text.lines().count();
    let remedy = format!("split it: {lines} lines are more than {LONGEST}");
    (lines > LONGEST).then(|| Violation::new(path, "length", remedy))
}

fn tokens(path: &str, text: &str, library: bool) -> Vec<Violation> {
    let Ok(stream) = text.parse::<TokenStream>() else {
        return vec![Violation::new(path, "tokens", "make it Rust: its tokens cannot be read")];
    };
    let mut found = Vec::new();
    collect(stream, false, &mut found);
    let mut violations = Vec::new();
    for Found { line, name, test } in found {
        let (rule, remedy) = if UNFINISHED.contains(&name.as_str()) {
            ("unfinished", format!("finish what {name} stands for"))
        } else if name == BINCODE {
            if path == ENVELOPE {
                continue;
            }
            ("bincode", format!("go through {ENVELOPE}, the only file that names bincode"))
        } else if library && !test {
            ("silent-library", format!("drop {name}: a library neither prints nor reads the environment"))
        } else {
            continue;
        };
        violations.push(Violation::new(format!("{path}:{line}"), rule, remedy));
    }
    violations
}

/// A token sequence that some rule is about.
struct Found {
    line: usize,
    name: String,
    /// Whether it is inside an item marked `#[cfg(test)]`.
    test: bool,
}

fn collect(stream: TokenStream, test: bool, found: &mut Vec<Found>) {
    let trees: Vec<TokenTree> = stream.into_iter().collect();
    // The end of the item that the last `#[cfg(test)]` stands before.
    let mut test_until = 0;
    for (at, tree) in trees.iter().enumerate() {
        if is_test_attribute(&trees[at..]) {
            test_until = at + item_length(&trees[at..]);
        }
        let test = test || at < test_until;
        let next = |offset: usize| trees.get(at + offset);
        match tree {
            TokenTree::Group(group) => collect(group.stream(), test, found),
            TokenTree::Ident(word) => {
                let macro_name = format!("{word}!");
                let known =
                    UNFINISHED.contains(&macro_name.as_str()) || PRINTING.contains(&macro_name.as_str());
                let name = if known && next(1).is_some_and(|tree| is_sign(tree, '!')) {
                    macro_name
                } else if word == "std" && next(3).is_some_and(leads_to_environment) {
                    ENVIRONMENT.to_owned()
                } else if word == BINCODE {
                    BINCODE.to_owned()
                } else {
                    continue;
                };
                found.push(Found { line: word.span().start().line, name, test });
            }
            _ => {}
        }
    }
}

fn is_sign(tree: &TokenTree, sign: char) -> bool {
    matches!(tree, TokenTree::Punct(punct) if punct.as_char() == sign)
}

/// What stands after `std::`: `env`, or a list of imports with it.
fn leads_to_environment(tree: &TokenTree) -> bool {
    match tree {
        TokenTree::Ident(word) => word == "env",
        TokenTree::Group(group) => group.stream().into_iter().any(|tree| leads_to_environment(&tree)),
        _ => false,
    }
}

fn is_test_attribute(trees: &[TokenTree]) -> bool {
    let [sign, TokenTree::Group(group), ..] = trees else {
        return false;
    };
    is_sign(sign, '#') && group.stream().to_string().replace(' ', "") == "cfg(test)"
}

/// The number of trees up to the item's body or semicolon.
fn item_length(trees: &[TokenTree]) -> usize {
    let ends = |tree: &TokenTree| {
        is_sign(tree, ';') || matches!(tree, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
    };
    trees.iter().position(ends).map_or(trees.len(), |end| end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rules(path: &str, text: &str, library: bool) -> Vec<(String, &'static str)> {
        let found = tokens(path, text, library);
        found.into_iter().map(|violation| (violation.file, violation.rule)).collect()
    }

    #[test]
    fn unfinished_code_is_found_everywhere() {
        let text = "fn a() {\n  let b = vec![dbg!(1)];\n  todo!()\n}\n#[cfg(test)]\nmod tests {\n  fn c() { unimplemented!() }\n}\n";
        let lines: Vec<_> =
            rules("a.rs", text, false).into_iter().map(|(file, rule)| format!("{file} {rule}")).collect();
        assert_eq!(lines, ["a.rs:2 unfinished", "a.rs:3 unfinished", "a.rs:7 unfinished"]);
    }

    #[test]
    fn comments_strings_and_other_words_are_not_code() {
        let text = "//! println!(\"x\") todo!()\n/// dbg!(bincode) std::env\nfn todo() { let bincodes = \"todo!() bincode\"; todo(); }";
        assert_eq!(rules("a.rs", text, true), []);
    }

    #[test]
    fn libraries_neither_print_nor_read_the_environment() {
        for code in
            ["println!()", "eprint!(\"a\")", "std::env::var(\"A\")", "format!(\"{:?}\", ::std::env::args())"]
        {
            let text = format!("fn a() {{ {code}; }}");
            assert_eq!(rules("a.rs", &text, true), [("a.rs:1".into(), "silent-library")], "{code}");
            assert_eq!(rules("a.rs", &text, false), [], "{code}");
        }
        for text in ["use std::{env, fs};", "use std::{io, env::{self, var}};", "use std::env;"] {
            assert_eq!(rules("a.rs", text, true).len(), 1, "{text}");
        }
        assert_eq!(rules("a.rs", "use std::fs; fn a() { env!(\"A\"); }", true), []);
    }

    #[test]
    fn only_the_test_items_of_a_library_may_print() {
        let text = "#[cfg(test)]\nuse std::env;\n#[cfg(test)]\n#[allow(a)]\nmod tests { fn a() { println!() } }\nfn b() { println!() }";
        assert_eq!(rules("a.rs", text, true), [("a.rs:6".into(), "silent-library")]);
        assert_eq!(rules("a.rs", "#[cfg(not(test))] fn b() { println!() }", true).len(), 1);
    }

    #[test]
    fn only_the_envelope_names_bincode() {
        assert_eq!(rules("a.rs", "use bincode::encode;", false), [("a.rs:1".into(), "bincode")]);
        assert_eq!(rules(ENVELOPE, "use bincode::encode;", true), []);
    }

    #[test]
    fn what_is_not_rust_is_said() {
        assert_eq!(rules("a.rs", "fn a( {", false), [("a.rs".into(), "tokens")]);
    }

    #[test]
    fn tests_and_programs_are_no_library() {
        let member = |name: &str, folder: &str| Member {
            name: name.into(),
            folder: folder.into(),
            ..Member::default()
        };
        let members = [member("bnc-data", "crates/bnc-data"), member("bnc-cli", "crates/bnc-cli")];
        assert!(is_library("crates/bnc-data/src/lib.rs", &members));
        for path in [
            "crates/bnc-data/src/csv/tests.rs",
            "crates/bnc-data/tests/tests/main.rs",
            "crates/bnc-data/benches/read.rs",
            "crates/bnc-cli/src/main.rs",
            "xtask/src/main.rs",
        ] {
            assert!(!is_library(path, &members), "{path}");
        }
    }

    #[test]
    fn paths_of_one_machine_are_found() {
        for folder in ["home", "root", "work", "Users"] {
            let text = format!("fine\nsee \"/{folder}/a/b\"\n");
            assert_eq!(machine_paths("a.md", &text)[0].file, "a.md:2");
            assert_eq!(machine_paths("a.md", &format!("https://example.org/{folder}/a ./{folder}/a")), []);
        }
    }

    #[test]
    fn long_files_are_found() {
        assert!(length("a.rs", &"\n".repeat(LONGEST)).is_none());
        assert!(length("a.rs", &"\n".repeat(LONGEST + 1)).is_some());
    }
}
