//! Evaluating the learners on one data set.

use bnc_data::{ClassChoice, Encoder, Frame, Values};
use bnc_eval::{CrossValidation, Evaluation, Folds, NamedLearner, class_codes, train_and_test};

use super::journal::Journal;
use super::{Evaluate, Learners, Outcome, Protocol, fingerprint};
use crate::data::{Data, load};
use crate::error::Result;
use crate::notes;
use crate::terminal::{self, Terminal};
use crate::text::{counted, few};

/// So wide a list in a warning may be before the rest is only counted.
const LISTED: usize = 200;

impl Evaluate {
    /// The results on one data set, which progress bars call `label`.
    pub(super) fn evaluate(
        &self,
        data: &Data,
        label: &str,
        learners: &Learners,
        journal: Option<&mut Journal>,
        terminal: Terminal,
    ) -> Result<Outcome> {
        let bar = terminal.reading(format!("reading {label}"));
        let (frame, report) = load(data, &self.read.options(Some(&self.prepare)), &bar)?;
        bar.clear();
        notes::read(terminal, &report);
        let learners: Vec<NamedLearner<'_>> =
            learners.iter().map(|(name, learner)| (name.as_str(), &**learner)).collect();
        let evaluation = match &self.test {
            Some(test) => self.test_on(test, &frame, &learners, terminal)?,
            None => self.cross_validate(label, &frame, &learners, journal, terminal)?,
        };
        Ok(Outcome {
            data: data.to_string(),
            rows: frame.rows(),
            features: frame.columns.len() - 1,
            evaluation,
        })
    }

    fn test_on(
        &self,
        test: &Data,
        frame: &Frame,
        learners: &[NamedLearner<'_>],
        terminal: Terminal,
    ) -> Result<Evaluation> {
        let preparation = self.prepare.preparation();
        let encoder = Encoder::fit(frame, preparation)?;
        // The training file says which columns there are and of which kind.
        let mut options = self.read.options(Some(&self.prepare));
        options.columns = Some(encoder.raw_columns());
        options.class = ClassChoice::Named(encoder.schema().class().name().into());
        (options.nominal, options.numeric, options.drop) = Default::default();
        let bar = terminal.reading(format!("reading {test}"));
        let (test, _) = load(test, &options, &bar)?;
        bar.clear();
        let bar = terminal.working("testing");
        let holdout = train_and_test(frame, &test, preparation, learners, &bar)?;
        bar.clear();
        let unseen = holdout.unseen.iter().map(|unseen| {
            format!("{} of '{}' (first '{}')", counted(unseen.cells, "cell"), unseen.column, unseen.first)
        });
        let unseen: Vec<String> = unseen.collect();
        if !unseen.is_empty() {
            terminal::warning(format!(
                "values of the test file that the training file does not have, taken as missing: {}",
                few(&unseen, LISTED)
            ));
        }
        Ok(holdout.evaluation)
    }

    fn cross_validate(
        &self,
        label: &str,
        frame: &Frame,
        learners: &[NamedLearner<'_>],
        journal: Option<&mut Journal>,
        terminal: Terminal,
    ) -> Result<Evaluation> {
        let preparation = self.prepare.preparation();
        let folds = self.folds(frame)?;
        warn_of_rare_classes(frame, &folds)?;
        let protocol = match self.protocol {
            Protocol::Honest => bnc_eval::Protocol::Honest,
            Protocol::Paper => bnc_eval::Protocol::Paper,
        };
        let validation = CrossValidation { frame, preparation, protocol, learners, resampling: &folds };
        let Some(journal) = journal else {
            return Ok(validation.run(&terminal.working(label))?);
        };
        let run = fingerprint::run(frame, &folds, preparation, self.protocol.name());
        let finished = journal.finished(&run, learners);
        terminal.note(format!(
            "{label}: {} of {} folds × learners are finished already",
            finished.len(),
            folds.folds() * folds.repeats() * learners.len()
        ));
        let bar = terminal.working(label);
        Ok(validation.resume(&finished, &mut |record| journal.add(&run, record), &bar)?)
    }

    fn folds(&self, frame: &Frame) -> Result<Folds> {
        let classes = class_codes(frame)?;
        let Some(path) = &self.fold_file else {
            return Ok(Folds::stratified(classes, self.folds, self.repeats, self.seed)?);
        };
        let text = std::fs::read_to_string(path).map_err(|error| bnc_data::Error::io(path, error))?;
        Ok(Folds::parse(&text, &path.display().to_string(), classes)?)
    }
}

fn warn_of_rare_classes(frame: &Frame, folds: &Folds) -> Result<()> {
    let labels = match frame.class.map(|class| &frame.columns[class].values) {
        Some(Values::Nominal { labels, .. }) => &labels[..],
        _ => &[],
    };
    let rare = folds.rare_classes(class_codes(frame)?).into_iter().filter_map(|rare| {
        let label = labels.get(usize::from(rare.class))?;
        Some(format!("'{label}' ({})", counted(rare.rows as u64, "row")))
    });
    let rare: Vec<String> = rare.collect();
    if !rare.is_empty() {
        terminal::warning(format!(
            "{}: a class with fewer rows than there are folds ({}) is not tested in all of them: {}",
            frame.file,
            folds.folds(),
            few(&rare, LISTED)
        ));
    }
    Ok(())
}
