//! The optimum of another program, confirmed by a second one.

use std::sync::Arc;

use bnc_anb::{Anb, Gbn, GreedyGbn, GreedyScore, RaiAnb, Search};
use bnc_models::bnc_data::{Dataset, Encoder, Preparation, Schema, builtin};
use bnc_models::bnc_stats::LocalScore;
use bnc_models::{Learner, Network};
use bnc_reference::{Golden, discrete_set, training_and_test};

const SETS: [&str; 5] = ["breast-cancer", "car", "diabetes", "iris", "tic-tac-toe"];

fn score_of(name: &str) -> LocalScore {
    match name {
        "bde1" => LocalScore::Bdeu(1.0),
        "bde10" => LocalScore::Bdeu(10.0),
        other => LocalScore::from_name(other, 1.0).unwrap(),
    }
}

#[test]
fn the_optimum_equals_the_reference() {
    let Some(reference) = bnc_reference::folder("exact augmented naive Bayes") else { return };
    let mut compared = 0;
    for set in SETS {
        // The reference left out the rows with missing cells, too.
        let (training, _) = training_and_test(&discrete_set(&reference, set), Preparation::default());
        let golden = Golden::read(&reference.join(format!("golden/exact-anb/{set}.tsv")));
        for row in &golden.rows {
            let model = Anb::new(Search::default().with_score(score_of(&row[0]))).fit(&training).unwrap();
            let score = model.score().unwrap();
            for (ours, theirs) in [(score.total, &row[1]), (score.features, &row[2])] {
                let theirs: f64 = theirs.parse().unwrap();
                assert!((ours - theirs).abs() <= 1e-9 * theirs.abs(), "{set} {}: {ours}, {theirs}", row[0]);
            }
            compared += 1;
        }
    }
    assert!(compared >= 20, "{compared} optima compared");
}

/// A general network may be an augmented naive Bayes, so its optimum is no worse.
#[test]
fn the_general_optimum_is_no_worse_than_the_augmented_one() {
    let Some(reference) = bnc_reference::folder("exact general networks") else { return };
    for set in SETS {
        let (training, _) = training_and_test(&discrete_set(&reference, set), Preparation::default());
        for score in [LocalScore::Bdeu(1.0), LocalScore::Bic] {
            let total = |model: Network| model.score().unwrap().total;
            let search = Search::default().with_score(score);
            let augmented = total(Anb::new(search.clone()).fit(&training).unwrap());
            let general = total(Gbn::new(search).fit(&training).unwrap());
            assert!(general >= augmented - 1e-6, "{set} {score:?}: {general}, {augmented}");
        }
    }
}

/// The best of all is no worse than what a search finds on its way.
#[test]
fn no_heuristic_scores_higher() {
    let frames = ["tic-tac-toe", "led-24:rows=400", "monks-1"].map(|name| builtin(name).unwrap());
    for frame in frames {
        let encoder = Encoder::fit(&frame, Preparation::default()).unwrap();
        let data = encoder.encode(&frame).unwrap().data;
        let first = data.features().len().min(12);
        let schema =
            Schema::new(data.schema().class().clone(), data.schema().features()[..first].to_vec()).unwrap();
        let columns = data.features()[..first].to_vec();
        let data = Dataset::new(Arc::new(schema), data.class().to_vec(), columns, None).unwrap();
        let score = |model: Network| model.score().unwrap().clone();
        let augmented = score(Anb::default().fit(&data).unwrap());
        let general = score(Gbn::default().fit(&data).unwrap());
        let found = score(RaiAnb::default().fit(&data).unwrap());
        assert!(found.features <= augmented.features + 1e-6, "{found:?} {augmented:?}");
        let found = score(GreedyGbn::default().fit(&data).unwrap());
        assert!(found.total <= general.total + 1e-6, "{found:?} {general:?}");
        let search = Search::default().with_score(LocalScore::Bic);
        let greedy = GreedyGbn::default().with_score(GreedyScore::Local(LocalScore::Bic));
        let (general, found) =
            (score(Gbn::new(search).fit(&data).unwrap()), score(greedy.fit(&data).unwrap()));
        assert!(found.total <= general.total + 1e-6, "{found:?} {general:?}");
    }
}
