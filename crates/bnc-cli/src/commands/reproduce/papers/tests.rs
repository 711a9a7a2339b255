use super::super::protocol::{Scope, Test};
use super::super::published::{Kind, parse};
use super::*;

#[test]
fn the_published_figures_are_of_learners_sets_and_measures_of_their_protocol() {
    for paper in Paper::value_variants() {
        let protocol = paper.protocol();
        for figure in parse(protocol.published).unwrap() {
            let context = format!("{}: {figure:?}", protocol.name);
            assert!(protocol.learner(&figure.learner).is_some(), "{context}");
            assert!(figure.against.is_empty() || protocol.learner(&figure.against).is_some(), "{context}");
            assert!(protocol.measures.iter().any(|it| it.measure.name() == figure.measure), "{context}");
            assert!(!figure.source.is_empty(), "{context}");
            if figure.kind == Kind::Gain {
                assert!(protocol.sets.iter().any(|set| set.published == figure.dataset), "{context}");
            }
            let measured = protocol.measures.iter().find(|it| it.measure.name() == figure.measure).unwrap();
            if matches!(figure.kind, Kind::Figure | Kind::Mean | Kind::Gain) {
                assert_eq!(figure.unit, measured.unit.name(), "{context}");
            }
        }
    }
}

#[test]
fn the_learners_of_every_protocol_exist() {
    for paper in Paper::value_variants() {
        let protocol = paper.protocol();
        let learners = protocol.learners().unwrap();
        assert_eq!(learners.named().len(), protocol.learners.len());
        let mut keys: Vec<&str> = protocol.learners.iter().map(|it| it.key(protocol.learners)).collect();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), protocol.learners.len(), "{}: names of learners", protocol.name);
    }
}

#[test]
fn the_tests_are_of_learners_of_their_protocol() {
    for paper in Paper::value_variants() {
        let protocol = paper.protocol();
        for test in protocol.tests {
            let names: &[&str] = match test {
                Test::Friedman { learners, .. } => learners,
                Test::ResampledT { learner, .. }
                | Test::Sign { learner, .. }
                | Test::Hommel { learner, .. } => &[learner],
            };
            for name in names {
                assert!(protocol.learner(name).is_some(), "{}: {name}", protocol.name);
            }
        }
    }
}

#[test]
fn every_learner_has_a_published_figure_where_only_such_are_run() {
    for paper in Paper::value_variants() {
        let protocol = paper.protocol();
        let published = parse(protocol.published).unwrap();
        for set in protocol.sets.iter().filter(|_| protocol.scope == Scope::Published) {
            assert!(!protocol.learners_on(set, &published).is_empty(), "{}: {}", protocol.name, set.name);
        }
    }
}

#[test]
fn every_set_of_a_protocol_can_be_fetched() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../xtask/src/fetch/sources.tsv");
    let Ok(sources) = std::fs::read_to_string(path) else {
        println!("skipped: the list of sources is not part of the package");
        return;
    };
    let names: Vec<&str> = sources.lines().filter_map(|line| line.split('\t').next()).collect();
    for paper in Paper::value_variants() {
        for set in paper.protocol().sets {
            assert!(names.contains(&set.name), "{}: {}", paper.protocol().name, set.name);
        }
    }
}

#[test]
fn the_permuted_labels_are_put_right() {
    let published = parse(Paper::Anb.protocol().published).unwrap();
    let nb = |set: &str| published.iter().find(|it| it.is_of(set, "NB")).map(|it| it.value);
    // As PGM 2020, whose labels are right, has them within a point.
    for (set, value) in [("pima", 0.7031), ("HTRU2", 0.8966), ("Breast Cancer", 0.7401)] {
        assert_eq!(nb(set), Some(value));
    }
}
