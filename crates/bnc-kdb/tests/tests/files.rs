//! A file of every released version is read for ever.

use std::path::{Path, PathBuf};

use bnc_kdb::{AKDB_LOADER, Akdb, BACK_OFF_LOADER, Kdb, LOCAL_KDB_LOADER, LocalKdb};
use bnc_models::bnc_data::{Dataset, Silent};
use bnc_models::conformance::pattern;
use bnc_models::{AnyLearner, Loader, Model};

const LOADERS: [Loader; 3] = [BACK_OFF_LOADER, LOCAL_KDB_LOADER, AKDB_LOADER];

fn data() -> Dataset {
    pattern(&[2, 3, 2], 2, 30, 5)
}

fn learners() -> [(&'static str, Box<dyn AnyLearner>); 3] {
    [
        ("kdb", Box::new(Kdb::default().with_back_off(true))),
        ("local-kdb", Box::new(LocalKdb::default().with_l(5))),
        ("akdb", Box::new(Akdb::default().with_l(5))),
    ]
}

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/files/{name}-1.bnc"))
}

#[test]
fn version_1_is_read() {
    for (name, learner) in learners() {
        let model = Model::read(&file(name), &LOADERS).unwrap();
        assert_eq!(model.learner(), name);
        let expected = learner.fit_any(&data(), &Silent).unwrap().posteriors(&data()).unwrap();
        for (ours, expected) in model.posteriors(&data()).unwrap().iter().zip(&expected) {
            assert!((ours - expected).abs() < 1e-12, "{name}: {ours} {expected}");
        }
    }
}
