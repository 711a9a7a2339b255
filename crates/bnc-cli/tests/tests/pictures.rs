//! Dot and SVG.

use crate::support::Folder;

/// Names that mean something to Graphviz, XML, CSV or ARFF.
const ODD: [&str; 7] = ["(1,999, 20]", "<=5", "a b", "{x}", "a|b", "say \"a\\b\"", "R&D"];

fn odd_folder() -> Folder {
    let folder = Folder::new();
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    let mut text: String = ODD.iter().map(|name| quoted(name) + ",").collect();
    text.push_str("\"cl\"\"ass\"\n");
    for row in 0..40 {
        for column in 0..ODD.len() {
            let value = (row * (column + 3) / 5 + row % 2) % ODD.len();
            text.push_str(&(quoted(ODD[value]) + ","));
        }
        text.push_str(["yes\n", "no\n"][row % 2]);
    }
    folder.write("odd.csv", text);
    folder
}

/// The quoted strings of a document in the language of Graphviz; everything outside them must be plain.
fn dot_strings(dot: &str) -> Vec<String> {
    let mut strings = Vec::new();
    let mut rest = dot.chars();
    while let Some(c) = rest.next() {
        if c == '"' {
            let mut string = String::new();
            loop {
                match rest.next().unwrap() {
                    '"' => break,
                    '\\' => string.push(rest.next().unwrap()),
                    c => string.push(c),
                }
            }
            strings.push(string);
        } else {
            assert!(c.is_ascii_alphanumeric() || " \n{}[]=->;,_".contains(c), "{c} in {dot}");
        }
    }
    strings
}

#[test]
fn r109_names_and_labels_survive() {
    let folder = odd_folder();
    for learner in ["nb", "tan", "aode"] {
        let model = folder.train(learner, "odd.csv");
        let dot = folder.ok(&format!("show {model} --format dot")).out;
        let strings = dot_strings(&dot);
        for name in ODD.iter().chain(&["cl\"ass"]) {
            assert_eq!(strings.iter().filter(|string| string == name).count(), 1, "{name}\n{dot}");
        }
        let document = folder.json(&format!("show {model} --format json"));
        for (feature, name) in document["features"].as_array().unwrap().iter().zip(ODD) {
            assert_eq!(feature["name"], name);
            let mut labels = crate::support::strings(&feature["values"]);
            labels.sort_unstable();
            let count = labels.len();
            labels.dedup();
            assert_eq!(labels.len(), count);
            assert!(labels.iter().all(|label| ODD.contains(label)));
        }
        let svg = folder.ok(&format!("show {model} --format svg")).out;
        for name in ["(1,999, 20]", "&lt;=5", "a b", "{x}", "a|b", "say \"a\\b\"", "R&amp;D", "cl\"ass"] {
            assert!(svg.contains(&format!(">{name}</text>")), "{name}\n{svg}");
        }
        assert!(!svg.contains("R&D"));
        assert_eq!(svg.matches("<g ").count(), ODD.len() + 1);
        assert_eq!(svg.matches("<g ").count(), svg.matches("</g>").count());
    }
}

#[test]
fn arcs_are_drawn() {
    let folder = odd_folder();
    folder.train("tan", "odd.csv");
    let dot = folder.ok("show tan.bnc --format dot").out;
    let arcs =
        |from: &str| dot.lines().filter(|line| line.trim().starts_with(from) && line.contains("->")).count();
    assert_eq!((arcs("class"), arcs("f")), (ODD.len(), ODD.len() - 1));
    let svg = folder.ok("show tan.bnc --format svg").out;
    assert_eq!(svg.matches("class=\"arc\"").count(), ODD.len() - 1);
    assert!(svg.contains("parent of every feature"));
}

#[test]
fn a_member_of_an_ensemble_is_chosen() {
    let folder = Folder::with_t1();
    folder.train("aode", "t1.csv");
    let run = folder.ok("show aode.bnc --format dot");
    assert!(run.out.contains("f0 -> f1;") && run.err.contains("that of 'a'"), "{}{}", run.out, run.err);
    let run = folder.ok("show aode.bnc --format dot --super-parent b");
    assert!(run.out.contains("f1 -> f0;") && run.err.is_empty(), "{}{}", run.out, run.err);
    folder.ok("show aode.bnc --format svg --super-parent b -o b.svg");
    assert!(folder.read("b.svg").contains("node super"));
    assert_eq!(
        folder.error(2, "show aode.bnc --format dot --super-parent c"),
        "--super-parent c: there are: a, b"
    );
    folder.train("nb", "t1.csv");
    folder.error(2, "show nb.bnc --format dot --super-parent a");
}

#[test]
fn pictures_are_the_same_every_time() {
    let folder = odd_folder();
    folder.train("tan", "odd.csv");
    let first = folder.ok("show tan.bnc --format svg").out;
    assert!((0..3).all(|_| folder.ok("show tan.bnc --format svg").out == first));
}
