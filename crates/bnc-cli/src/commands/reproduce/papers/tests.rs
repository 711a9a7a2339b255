use super::super::protocol::Scope;
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
