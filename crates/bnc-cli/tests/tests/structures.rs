//! Searching for structures: constraints, scores, limits.

use std::fmt::Write as _;

use crate::support::{Folder, strings};

/// The learners that take constraints.
const CONSTRAINED: [&str; 6] = ["tan", "abn", "anb", "gbn", "gbn-greedy", "bnc2p"];

/// Four features that follow from each other and the class, 60 rows.
fn folder() -> Folder {
    let folder = Folder::new();
    let mut text = String::from("a,b,c,\"d,+\",class\n");
    for row in 0..60 {
        let class = row % 2;
        let a = row / 2 % 3;
        let b = if row % 7 == 0 { 0 } else { a };
        let c = (b + class * (row / 5 % 2)) % 3;
        writeln!(text, "v{a},v{b},v{c},v{},c{class}", row / 4 % 2).unwrap();
    }
    folder.write("t.csv", text);
    folder
}

/// The arcs of a model between features, and from and to the class.
fn arcs(folder: &Folder, model: &str) -> Vec<(String, String)> {
    let document = folder.json(&format!("show {model} --format json"));
    let member = &document["members"][0];
    let mut arcs = Vec::new();
    for node in member["nodes"].as_array().unwrap() {
        let child = node["feature"].as_str().unwrap();
        arcs.extend(
            strings(&node["parents"]).into_iter().map(|parent| (parent.to_string(), child.to_string())),
        );
    }
    arcs
}

#[test]
fn r47_constraints_that_cannot_be_had_are_refused_each_in_its_own_words() {
    let folder = folder();
    for learner in CONSTRAINED {
        for (constraint, said) in [
            ("require=a:a", "'a' cannot be its own parent"),
            ("require=a:b+b:a", "the required arcs form a cycle through 'a'"),
            ("require=a:b,forbid=a:b", "the arc a:b is required, and forbidden or against the order"),
            ("require=b:a,order=a+b", "the arc b:a is required, and forbidden or against the order"),
            ("forbid=a:nobody", "there is no column 'nobody'"),
            ("order=a+b+a", "the order lists 'a' twice"),
        ] {
            let error = folder.error(1, &format!("train t.csv --learner {learner}:{constraint} -o m.bnc"));
            assert!(error.contains(said), "{learner}:{constraint}: {error}");
        }
        let error = folder.error(2, &format!("train t.csv --learner {learner}:require=a -o m.bnc"));
        assert!(error.contains("PARENT:CHILD+PARENT:CHILD"), "{learner}: {error}");
    }
    for learner in ["tan", "abn", "anb"] {
        let error = folder.error(1, &format!("train t.csv --learner {learner}:require=a:class -o m.bnc"));
        assert!(error.contains("a:class"), "{learner}: {error}");
    }
    assert_eq!(folder.names(), ["t.csv"]);
}

#[test]
fn constraints_are_obeyed_and_an_empty_list_is_no_list() {
    let folder = folder();
    for learner in CONSTRAINED {
        let free = folder.train(learner, "t.csv");
        let plain = folder.bytes(&free);
        folder
            .ok(&format!("train t.csv --learner {learner}:require=none,forbid=none,order=none -o none.bnc"));
        assert_eq!(arcs(&folder, "none.bnc"), arcs(&folder, &free), "{learner}");
        assert_eq!(folder.bytes(&free), plain);
        folder.ok(&format!(
            r"train t.csv --learner {learner}:require=c:d\,\+,forbid=a:b+b:a,order=c+b -o m.bnc"
        ));
        let found = arcs(&folder, "m.bnc");
        let has = |parent: &str, child: &str| found.contains(&(parent.into(), child.into()));
        assert!(
            has("c", "d,+") && !has("a", "b") && !has("b", "a") && !has("b", "c"),
            "{learner}: {found:?}"
        );
    }
}

#[test]
fn a_learner_without_constraints_refuses_them_by_name() {
    let folder = folder();
    for learner in ["nb", "aode", "kdb", "rai-anb", "mc-dag", "manb"] {
        let error = folder.error(2, &format!("train t.csv --learner {learner}:forbid=a:b -o m.bnc"));
        assert!(error.contains(&format!("{learner} has no parameter 'forbid'")), "{error}");
    }
}

#[test]
fn r53_a_search_beyond_memory_is_refused_with_the_figure_and_the_way_out() {
    let folder = Folder::new();
    let mut text = (0..30).map(|feature| format!("x{feature},")).collect::<String>() + "class\n";
    for row in 0..20 {
        for feature in 0..30 {
            write!(text, "v{},", (row * 7 + feature * 3 + row * feature) % 5 % 2).unwrap();
        }
        writeln!(text, "c{}", row % 2).unwrap();
    }
    folder.write("wide.csv", text);
    for learner in ["anb", "gbn", "manb"] {
        let error = folder.error(1, &format!("train wide.csv --learner {learner} -o m.bnc"));
        for part in ["GiB", "max-parents", "rai-anb", "nodes"] {
            assert!(error.contains(part), "{learner}: {part}: {error}");
        }
    }
    assert_eq!(folder.names(), ["wide.csv"]);
}

#[test]
fn the_score_is_shown_with_the_class_and_without() {
    let folder = folder();
    for (learner, name) in
        [("anb", "bdeu"), ("anb:score=mdl", "bic"), ("gbn:score=aic", "aic"), ("anb:score=k2", "k2")]
    {
        folder.ok(&format!("train t.csv --learner {learner} -o m.bnc"));
        let score = &folder.json("show m.bnc --format json")["score"];
        assert_eq!(score["name"], name);
        let number = |key: &str| score[key].as_f64().unwrap();
        assert!(number("total") < number("features") && number("features") < 0.0, "{score}");
        assert!(score["optima"].as_u64().unwrap() > 0);
        let text = folder.ok("show m.bnc").out;
        assert!(text.contains(&format!("score: {name}")), "{text}");
    }
    let error = folder.error(2, "train t.csv --learner anb:score=mdl,ess=10 -o m.bnc");
    assert!(error.contains("ess=10") && error.contains("bdeu"), "{error}");
    let error = folder.error(2, "train t.csv --learner anb:score=cmi -o m.bnc");
    assert!(error.contains("score=cmi") && error.contains("bdeu"), "{error}");
}
