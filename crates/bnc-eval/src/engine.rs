//! Learning, predicting and scoring over all parts of an evaluation, in parallel.
//!
//! Repeats, folds and learners are independent outputs: each is computed on its own and put where it belongs, so that the
//! number of threads changes nothing. The posteriors of a repeat live until its pooled metrics are taken.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use bnc_data::{Code, Progress};
use bnc_models::{AnyLearner, most_probable};
use ndarray::ArrayView2;
use rayon::prelude::*;

use crate::evaluation::summarize;
use crate::monitor::Monitor;
use crate::part::PartData;
use crate::score::{Score, score};
use crate::{
    BiasVariance, Confusion, Error, Evaluation, Finished, Journal, LearnerResult, Metrics, Part, PartResult,
    Reliability, Resampling, Result, Timing,
};

/// A learner with the name that its results carry.
pub type NamedLearner<'a> = (&'a str, &'a dyn AnyLearner);

/// An evaluation of learners over parts that `prepare` codes, given repeat and fold.
pub(crate) struct Engine<'a> {
    pub(crate) classes: &'a [String],
    pub(crate) folds: usize,
    pub(crate) repeats: usize,
    pub(crate) learners: &'a [NamedLearner<'a>],
    /// The rows that are tested; `None` for a test file.
    pub(crate) tested: Option<Tested<'a>>,
    pub(crate) prepare: &'a (dyn Fn(usize, usize) -> Result<Arc<PartData<'a>>> + Sync),
}

/// What is known of the rows that an evaluation tests.
pub(crate) struct Tested<'a> {
    pub(crate) resampling: &'a dyn Resampling,
    pub(crate) classes: &'a [Code],
    pub(crate) weights: Option<&'a [u32]>,
}

impl Tested<'_> {
    /// The rows that a repeat tests, part after part.
    fn rows(&self, repeat: usize) -> Vec<usize> {
        (0..self.resampling.parts()).flat_map(|part| self.resampling.test_rows(repeat, part)).collect()
    }

    /// Bias and variance of the predictions of each repeat for its [`Tested::rows`].
    fn bias_variance<'p>(
        &self,
        repeats: impl Iterator<Item = (&'p Vec<usize>, &'p [Code])>,
    ) -> Result<Option<BiasVariance>> {
        let mut by_row = vec![Vec::new(); self.classes.len()];
        for (rows, predicted) in repeats {
            for (&row, &class) in rows.iter().zip(predicted) {
                by_row[row].push(class);
            }
        }
        BiasVariance::of(self.classes, &by_row, self.weights)
    }
}

/// So much memory of a search, in bytes, may be taken several times at once.
const SHARED_MEMORY: u64 = 1 << 30;

/// Whether independent tasks run at the same time; their results are the same.
#[derive(Debug, Clone, Copy)]
enum Schedule {
    Parallel,
    OneByOne,
}

impl Schedule {
    fn map<T: Send>(self, tasks: usize, work: impl Fn(usize) -> T + Sync + Send) -> Vec<T> {
        match self {
            Self::Parallel => (0..tasks).into_par_iter().map(work).collect(),
            Self::OneByOne => (0..tasks).map(work).collect(),
        }
    }
}

/// The finished parts of an interrupted run, by learner, repeat and fold.
type Known<'a> = HashMap<(usize, usize, usize), &'a Finished>;

/// A fold with the work of all learners.
struct FoldOutcome<'a> {
    truth: Vec<Code>,
    weights: Option<Vec<u32>>,
    learners: Vec<LearnerOutcome<'a>>,
}

struct LearnerOutcome<'a> {
    finished: Cow<'a, Finished>,
    result: PartResult,
    confusion: Confusion,
}

/// What a learner has done in a repeat.
struct RepeatOutcome {
    parts: Vec<PartResult>,
    timings: Vec<Timing>,
    confusion: Confusion,
    reliability: Reliability,
    pooled: Metrics,
    /// The predicted class of each row tested, part after part.
    predicted: Vec<Code>,
}

/// What the parts of a run share.
struct Run<'k, 'r, 'j> {
    known: Known<'k>,
    monitor: Monitor<'r, 'j>,
    schedule: Schedule,
    /// The very first part, prepared already, until its turn comes.
    first: Mutex<Option<Arc<PartData<'r>>>>,
}

impl<'r> Run<'_, 'r, '_> {
    fn take_first(&self) -> Option<Arc<PartData<'r>>> {
        self.first.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl Engine<'_> {
    /// Runs what `finished` does not hold; `journal` is told of each part that is new.
    pub(crate) fn run(
        &self,
        finished: &[Finished],
        journal: &mut Journal<'_>,
        progress: &dyn Progress,
    ) -> Result<Evaluation> {
        let known = self.known(finished)?;
        let total = (self.repeats * self.folds * self.learners.len()) as u64;
        let monitor = Monitor::new(progress, journal, known.len() as u64, total);
        // What cannot be prepared is reported in its turn.
        let first = (self.prepare)(0, 0).ok();
        let schedule = self.schedule(first.as_deref());
        let run = Run { known, monitor, schedule, first: Mutex::new(first) };
        let repeats: Vec<Option<Vec<RepeatOutcome>>> =
            schedule.map(self.repeats, |repeat| self.repeat(repeat, &run));
        run.monitor.into_result()?;
        let mut by_learner: Vec<Vec<RepeatOutcome>> = self.learners.iter().map(|_| Vec::new()).collect();
        for repeat in repeats.into_iter().flatten() {
            by_learner.iter_mut().zip(repeat).for_each(|(its, outcome)| its.push(outcome));
        }
        let learners = self.learners.iter().zip(by_learner);
        // Found once for all learners, where rows are predicted more than once.
        let tested = self.tested.as_ref().filter(|_| self.repeats > 1);
        let tested = tested.map(|it| (it, (0..self.repeats).map(|repeat| it.rows(repeat)).collect()));
        Ok(Evaluation {
            classes: self.classes.to_vec(),
            folds: self.folds,
            repeats: self.repeats,
            learners: learners
                .map(|((name, _), repeats)| self.result(name, repeats, tested.as_ref()))
                .collect::<Result<_>>()?,
        })
    }

    /// One after the other where a learner's search takes so much memory that two at a time are too many.
    fn schedule(&self, part: Option<&PartData<'_>>) -> Schedule {
        let heavy = |data: &PartData<'_>| {
            let schema = data.train.schema();
            self.learners
                .iter()
                .any(|(_, it)| it.memory_any(schema).is_some_and(|bytes| bytes > SHARED_MEMORY))
        };
        if part.is_some_and(heavy) { Schedule::OneByOne } else { Schedule::Parallel }
    }

    /// The result of a learner from those of its repeats.
    fn result(
        &self,
        name: &str,
        outcomes: Vec<RepeatOutcome>,
        tested: Option<&(&Tested<'_>, Vec<Vec<usize>>)>,
    ) -> Result<LearnerResult> {
        let bias_variance = match tested {
            Some((tested, rows)) => tested
                .bias_variance(rows.iter().zip(outcomes.iter().map(|outcome| &outcome.predicted[..])))?,
            None => None,
        };
        let mut confusion = Confusion::new(self.classes.len());
        let mut reliability = Reliability::default();
        let (mut parts, mut timings, mut repeats) = (Vec::new(), Vec::new(), Vec::new());
        for outcome in outcomes {
            confusion.merge(&outcome.confusion);
            reliability.merge(&outcome.reliability);
            repeats.push(outcome.pooled);
            parts.extend(outcome.parts);
            timings.extend(outcome.timings);
        }
        Ok(LearnerResult {
            name: name.into(),
            summary: summarize(&parts.iter().map(|part: &PartResult| &part.metrics)),
            pooled: summarize(&repeats.iter()),
            confusion,
            reliability,
            bias_variance,
            parts,
            repeats,
            timings,
        })
    }

    /// The finished parts, each of which must be one of this evaluation's. Also refuses learners of one name.
    fn known<'f>(&self, finished: &'f [Finished]) -> Result<Known<'f>> {
        if self.learners.is_empty() {
            return Err(Error::NoLearners);
        }
        let mut names = HashSet::new();
        if let Some((name, _)) = self.learners.iter().find(|(name, _)| !names.insert(*name)) {
            return Err(Error::DuplicateLearner { name: (*name).into() });
        }
        let mut known = HashMap::new();
        for record in finished {
            let learner = self.learners.iter().position(|(name, _)| *name == record.learner);
            let learner = learner.ok_or_else(|| record.other_run("there is no such learner"))?;
            if record.repeat >= self.repeats || record.fold >= self.folds {
                let (repeats, folds) = (self.repeats, self.folds);
                return Err(record.other_run(format!("there are {repeats} repeats of {folds} folds")));
            }
            known.insert((learner, record.repeat, record.fold), record);
        }
        Ok(known)
    }

    /// All learners over a repeat; `None` when one of them failed.
    fn repeat(&self, repeat: usize, run: &Run<'_, '_, '_>) -> Option<Vec<RepeatOutcome>> {
        let folds: Vec<Option<FoldOutcome<'_>>> =
            run.schedule.map(self.folds, |fold| self.fold(repeat, fold, run));
        let folds: Vec<FoldOutcome<'_>> = folds.into_iter().collect::<Option<_>>()?;
        let outcomes: Vec<Option<RepeatOutcome>> = (0..self.learners.len())
            .into_par_iter()
            .map(|learner| {
                let last = self.task(repeat, self.folds - 1, learner);
                run.monitor.guard(last, || self.pool(&folds, learner))
            })
            .collect();
        outcomes.into_iter().collect()
    }

    /// The predictions of a learner over all folds of a repeat, taken together.
    fn pool(&self, folds: &[FoldOutcome<'_>], learner: usize) -> Result<RepeatOutcome> {
        let mut confusion = Confusion::new(self.classes.len());
        let (mut parts, mut timings) = (Vec::new(), Vec::new());
        let (mut truth, mut posteriors) = (Vec::new(), Vec::new());
        for fold in folds {
            let outcome = &fold.learners[learner];
            confusion.merge(&outcome.confusion);
            parts.push(outcome.result.clone());
            timings.push(outcome.finished.timing);
            truth.extend_from_slice(&fold.truth);
            posteriors.extend_from_slice(&outcome.finished.posteriors);
        }
        let weights: Option<Vec<&[u32]>> = folds.iter().map(|fold| fold.weights.as_deref()).collect();
        let weights = weights.map(|weights| weights.concat());
        let Score { metrics: pooled, reliability, .. } =
            self.score(&truth, &posteriors, weights.as_deref())?;
        let predicted = posteriors.chunks_exact(self.classes.len()).map(most_probable).collect();
        Ok(RepeatOutcome { parts, timings, confusion, reliability, pooled, predicted })
    }

    /// All learners on a fold, whose rows are coded once; `None` when one of them failed.
    fn fold<'k>(&self, repeat: usize, fold: usize, run: &Run<'k, '_, '_>) -> Option<FoldOutcome<'k>> {
        let monitor = &run.monitor;
        let part = Part { repeat, repeats: self.repeats, fold, folds: self.folds };
        let data = monitor.guard(self.task(repeat, fold, 0), || {
            let prepared = if (repeat, fold) == (0, 0) { run.take_first() } else { None };
            prepared
                .map_or_else(|| (self.prepare)(repeat, fold), Ok)
                .map_err(|source| Error::Unprepared { part, source: Box::new(source) })
        })?;
        let learners: Vec<Option<LearnerOutcome<'k>>> = run.schedule.map(self.learners.len(), |learner| {
            monitor.guard(self.task(repeat, fold, learner), || {
                let known = run.known.get(&(learner, repeat, fold)).copied();
                let outcome = self.learner(learner, part, &data, known, &monitor.watch())?;
                if known.is_none() {
                    monitor.finish(&outcome.finished)?;
                }
                Ok(outcome)
            })
        });
        Some(FoldOutcome {
            truth: data.test.class().to_vec(),
            weights: data.test.weights().map(<[u32]>::to_vec),
            learners: learners.into_iter().collect::<Option<_>>()?,
        })
    }

    /// One learner on one part: its finished work, done now unless it is known, and its score.
    fn learner<'k>(
        &self,
        learner: usize,
        part: Part,
        data: &PartData<'_>,
        known: Option<&'k Finished>,
        watch: &dyn Progress,
    ) -> Result<LearnerOutcome<'k>> {
        let (name, learner) = self.learners[learner];
        let failed = |source: Error| Error::Failed { learner: name.into(), part, source: Box::new(source) };
        let (finished, scored) = if let Some(known) = known {
            let rows = data.test.rows();
            if known.posteriors.len() != rows * self.classes.len() {
                return Err(known.other_run(format!("it is not about {rows} test rows")));
            }
            let scored = self.score(data.test.class(), &known.posteriors, data.test.weights());
            (Cow::Borrowed(known), scored.map_err(|fault| known.other_run(fault.to_string()))?)
        } else {
            let finished = self.work(name, learner, part, data, watch).map_err(failed)?;
            let scored = self.score(data.test.class(), &finished.posteriors, data.test.weights());
            (Cow::Owned(finished), scored.map_err(failed)?)
        };
        let result = PartResult {
            repeat: part.repeat,
            fold: part.fold,
            train_rows: data.train_rows,
            test_rows: data.test.rows(),
            unseen_cells: data.unseen_cells,
            metrics: scored.metrics,
        };
        Ok(LearnerOutcome { finished, result, confusion: scored.confusion })
    }

    /// Learns and predicts.
    fn work(
        &self,
        name: &str,
        learner: &dyn AnyLearner,
        part: Part,
        data: &PartData<'_>,
        watch: &dyn Progress,
    ) -> Result<Finished> {
        let start = Instant::now();
        let model = learner.fit_any(&*data.train, watch)?;
        let fit_seconds = start.elapsed().as_secs_f64();
        let start = Instant::now();
        let posteriors = model.posteriors(&data.test)?;
        let predict_seconds = start.elapsed().as_secs_f64();
        if posteriors.ncols() != self.classes.len() {
            let columns = posteriors.ncols();
            return Err(Error::Shape(format!(
                "{columns} columns of posteriors, {} classes",
                self.classes.len()
            )));
        }
        Ok(Finished {
            learner: name.into(),
            repeat: part.repeat,
            fold: part.fold,
            posteriors: posteriors.into_iter().collect(),
            timing: Timing { fit_seconds, predict_seconds },
        })
    }

    fn score(&self, truth: &[Code], posteriors: &[f64], weights: Option<&[u32]>) -> Result<Score> {
        let posteriors = ArrayView2::from_shape((truth.len(), self.classes.len()), posteriors)
            .map_err(|fault| Error::Shape(fault.to_string()))?;
        score(truth, &posteriors, weights)
    }

    /// The number of a task, in the order in which one thread would do them.
    fn task(&self, repeat: usize, fold: usize, learner: usize) -> usize {
        (repeat * self.folds + fold) * self.learners.len() + learner
    }
}
