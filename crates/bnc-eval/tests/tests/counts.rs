//! Counts by subtraction change nothing: the posteriors are those of learning from the training rows themselves.

use bnc_data::{Encoder, Frame, MISSING, MissingPolicy, Preparation, Silent, Values};
use bnc_eval::{Finished, Protocol, Resampling};
use bnc_models::bnc_stats::Counter;
use bnc_models::bnc_structure::Structure;
use bnc_models::{AnyLearner, Learner, Network, Smoothing};

use crate::{Naive, bytes, cross_validation, frame, noisy, nominal, stratified, with_threads};

/// A network in which each feature has the two before it as parents.
struct Chain;

impl Learner for Chain {
    type Model = Network;

    fn fit(&self, counter: &dyn Counter) -> bnc_models::Result<Network> {
        let features = counter.schema().features().len();
        let parents = (0..features).map(|child| (child.saturating_sub(2)..child).collect()).collect();
        let smoothing = Smoothing::M(0.7);
        Network::fit(counter, Structure::augmented(parents)?, smoothing, smoothing)
    }
}

/// Learns from the first half of the rows, so that their order matters.
struct FirstHalf;

impl Learner for FirstHalf {
    type Model = Network;

    fn fit(&self, counter: &dyn Counter) -> bnc_models::Result<Network> {
        let rows = counter.rows()?;
        let half: Vec<usize> = (0..rows.rows() / 2).collect();
        Chain.fit(&rows.select(&half))
    }
}

/// Rows with gaps and weights (0 among them), some without a class; a feature that is an identifier, and one that is constant.
fn untidy() -> Frame {
    let mut untidy = noisy(150);
    let names: Vec<String> = (0..150).map(|row| format!("r{row}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let codes: Vec<u16> = (0..150).collect();
    untidy.columns.insert(0, nominal("id", &names, &codes));
    untidy.columns.insert(3, nominal("same", &["always"], &[0; 150]));
    for (index, column) in untidy.columns.iter_mut().enumerate() {
        if let Values::Nominal { codes, .. } = &mut column.values {
            (0..150).filter(|row| (row * 7 + index * 3) % 23 == index).for_each(|row| codes[row] = MISSING);
        }
    }
    let mut untidy = frame(untidy.columns);
    untidy.weights = Some((0..150).map(|row| row * 5 % 4).collect());
    untidy
}

/// The training rows as an evaluation would code them one part at a time, and the same of the test rows.
fn check(frame: &Frame, protocol: Protocol, preparation: Preparation) {
    let folds = stratified(frame, 5, 2);
    let naive = Naive(Smoothing::Laplace);
    let learners: [(&str, &dyn AnyLearner); 5] =
        [("nb", &naive), ("chain", &Chain), ("rows", &FirstHalf), ("again", &Chain), ("and again", &naive)];
    let mut job = cross_validation(frame, &learners, &folds);
    (job.protocol, job.preparation) = (protocol, preparation);
    let mut journal: Vec<Finished> = Vec::new();
    let mut write = |finished: &Finished| {
        journal.push(finished.clone());
        Ok(())
    };
    let evaluation = with_threads(1, || job.resume(&[], &mut write, &Silent)).unwrap();
    assert_eq!(journal.len(), 50);
    for finished in journal {
        let of = |rows: &[usize]| frame.select(rows);
        let (repeat, fold) = (finished.repeat, finished.fold);
        let (train, test) = (folds.train_rows(repeat, fold), Resampling::test_rows(&folds, repeat, fold));
        let learnt_from = if protocol == Protocol::Paper { frame.clone() } else { of(&train) };
        let encoder = Encoder::fit(&learnt_from, preparation).unwrap();
        let (train, test) = (of(&train), of(&test));
        let (train, test) = (encoder.encode(&train).unwrap().data, encoder.encode(&test).unwrap().data);
        let learner = learners.iter().find(|(name, _)| *name == finished.learner).unwrap().1;
        let posteriors = learner.fit_any(&train, &Silent).unwrap().posteriors(&test).unwrap();
        assert_eq!(finished.posteriors, posteriors.into_iter().collect::<Vec<f64>>());

        let result = &evaluation.learner(&finished.learner).unwrap().parts[5 * repeat + fold];
        assert_eq!((result.train_rows, result.test_rows), (train.rows(), test.rows()));
        let columns = train.features().iter().zip(test.features());
        let unseen = columns.map(|(train, test)| {
            test.iter().filter(|code| **code != MISSING && !train.contains(code)).count() as u64
        });
        assert_eq!(result.unseen_cells, unseen.sum::<u64>());
    }
    assert_eq!(bytes(with_threads(4, || job.run(&Silent)).unwrap()), bytes(evaluation));
}

#[test]
fn counts_by_subtraction_change_no_bit() {
    let ignore = Preparation::default();
    let value = Preparation { missing: MissingPolicy::Value, ..ignore };
    let mode = Preparation { missing: MissingPolicy::Mode, ..ignore };
    check(&noisy(90), Protocol::Honest, mode);
    for preparation in [ignore, value, mode] {
        check(&untidy(), Protocol::Honest, preparation);
        check(&untidy(), Protocol::Paper, preparation);
    }
}
