//! Going on with an interrupted evaluation.

use bnc_data::{Error as DataError, Silent};
use bnc_eval::{Error, Finished, Timing};
use bnc_models::{AnyLearner, Smoothing};

use crate::{Naive, Probe, bytes, cross_validation, noisy, stratified, with_threads};

#[test]
fn a_resumed_run_equals_an_uninterrupted_one() {
    let frame = noisy(90);
    let folds = stratified(&frame, 3, 2);
    let (first, second) = (Naive(Smoothing::Laplace), Probe::default());
    let learners: [(&str, &dyn AnyLearner); 2] = [("first", &first), ("second", &second)];
    let job = cross_validation(&frame, &learners, &folds);
    let mut journal = Vec::new();
    let mut write = |finished: &Finished| {
        journal.push(serde_json::to_string(finished).unwrap());
        Ok(())
    };
    let whole = job.resume(&[], &mut write, &Silent).unwrap();
    assert_eq!((journal.len(), second.seen.lock().unwrap().len()), (12, 6));
    let read = |line: &String| serde_json::from_str::<Finished>(line).unwrap();
    for kept in [0, 5, 12] {
        second.seen.lock().unwrap().clear();
        let finished: Vec<Finished> = journal.iter().take(kept).map(read).collect();
        let missing_of_second = 6 - finished.iter().filter(|finished| finished.learner == "second").count();
        let mut new = Vec::new();
        let mut note = |finished: &Finished| {
            new.push((finished.learner.clone(), finished.repeat, finished.fold));
            Ok(())
        };
        let resumed = with_threads(2, || job.resume(&finished, &mut note, &Silent)).unwrap();
        assert_eq!(bytes(resumed), bytes(whole.clone()));
        assert_eq!(new.len(), 12 - kept);
        assert_eq!(second.seen.lock().unwrap().len(), missing_of_second);
        let done_before = |part: &(String, usize, usize)| {
            finished.iter().any(|f| (&f.learner, f.repeat, f.fold) == (&part.0, part.1, part.2))
        };
        assert!(!new.iter().any(done_before));
    }
}

#[test]
fn work_of_another_run_is_refused() {
    let frame = noisy(60);
    let folds = stratified(&frame, 3, 1);
    let learner = Naive(Smoothing::Laplace);
    let learners: [(&str, &dyn AnyLearner); 1] = [("nb", &learner)];
    let job = cross_validation(&frame, &learners, &folds);
    let good = Finished {
        learner: "nb".into(),
        repeat: 0,
        fold: 1,
        posteriors: [1.0, 0.0, 0.0].repeat(20),
        timing: Timing::default(),
    };
    let resume = |finished: Finished| job.resume(&[finished], &mut |_| Ok(()), &Silent);
    assert_eq!(folds.test_rows(0, 1).len(), 20);
    resume(good.clone()).unwrap();
    let bad = [
        (Finished { learner: "tan".into(), ..good.clone() }, "there is no such learner"),
        (Finished { repeat: 1, ..good.clone() }, "there are 1 repeats of 3 folds"),
        (Finished { fold: 3, ..good.clone() }, "there are 1 repeats of 3 folds"),
        (Finished { fold: usize::MAX, ..good.clone() }, "there are 1 repeats of 3 folds"),
        (Finished { posteriors: vec![1.0; 3], ..good.clone() }, "it is not about 20 test rows"),
        (Finished { posteriors: vec![0.5; 60], ..good }, "row 0 (from 0): a sum of 1.5"),
    ];
    for (finished, why) in bad {
        let error = resume(finished).unwrap_err();
        assert!(matches!(error, Error::OtherRun { .. }), "{error:?}");
        assert!(error.to_string().contains(why), "{error}");
    }
}

#[test]
fn a_journal_that_cannot_be_written_stops_the_run() {
    let frame = noisy(60);
    let folds = stratified(&frame, 3, 1);
    let learner = Naive(Smoothing::Laplace);
    let learners: [(&str, &dyn AnyLearner); 1] = [("nb", &learner)];
    let job = cross_validation(&frame, &learners, &folds);
    let full = || DataError::io("journal", std::io::Error::other("no space"));
    let error = job.resume(&[], &mut |_| Err(full()), &Silent).unwrap_err();
    assert_eq!(error.to_string(), "journal: no space");
}
