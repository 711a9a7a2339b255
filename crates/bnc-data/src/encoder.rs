//! Fitted preprocessing: what turns raw rows into codes, learnt from training rows only.

use std::sync::Arc;

use crate::{
    Code, Discretization, Domain, Error, Frame, HistogramBuilder, MISSING, Place, RawColumn, RawKind,
    RawSource, Result, Schema, Values, Variable, parallel,
};

/// What training and prediction do with missing feature cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MissingPolicy {
    /// Missing cells stay missing: tables leave them out, prediction leaves out or sums out their factor.
    #[default]
    Ignore,
    /// A feature with missing cells in training has one more value that stands for them.
    Value,
    /// The most frequent value of the training rows (lowest code on ties); the mean for numbers.
    Mode,
    /// A missing feature cell is an error.
    Reject,
}

/// How raw columns become codes; see [`Encoder::fit`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Preparation {
    /// What happens to missing feature cells.
    pub missing: MissingPolicy,
    /// How numeric columns are cut.
    pub discretization: Discretization,
}

/// Turns raw rows into codes; learnt from training rows and stored with the model.
///
/// # Examples
/// ```
/// use bnc_data::{Column, Encoder, Frame, Preparation, Values};
/// let nominal = |name: &str, labels: &[&str], codes: &[u16]| Column {
///     name: name.into(),
///     values: Values::Nominal {
///         labels: labels.iter().map(ToString::to_string).collect(),
///         codes: codes.into(),
///     },
/// };
/// let frame = Frame::new(
///     "weather",
///     vec![nominal("sky", &["clear", "grey"], &[0, 1, 1]), nominal("play", &["no", "yes"], &[1, 0, 0])],
///     Some(1),
///     None,
/// )?;
/// let encoder = Encoder::fit(&frame, Preparation::default())?;
/// let encoded = encoder.encode(&frame)?;
/// assert_eq!(encoded.data.features()[0], [0, 1, 1]);
/// # Ok::<(), bnc_data::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Encoder {
    pub(crate) schema: Arc<Schema>,
    pub(crate) missing: MissingPolicy,
    /// For each feature the code of a missing cell: [`MISSING`], or what the policy puts in its place.
    pub(crate) fill: Vec<Code>,
}

impl Encoder {
    /// Learns domains, cut points and fill values from the labelled rows of a source.
    ///
    /// Nominal columns keep the source's labels. Numeric columns are cut by `preparation.discretization`.
    /// A column without a known cell keeps one value, so that it stays in the model and changes nothing.
    /// A source of nominal columns is not scanned unless the missing policy needs it.
    ///
    /// # Errors
    /// [`Error::Shape`] without a class column, [`Error::NumericClass`] for a numeric class,
    /// [`Error::MissingCell`] under [`MissingPolicy::Reject`], [`Error::TooManyValues`], and those of reading.
    pub fn fit(source: &dyn RawSource, preparation: Preparation) -> Result<Self> {
        let columns = source.columns();
        let class_index = source.class().ok_or_else(|| {
            Error::Shape(format!("{}: there is no class column; choose one of the columns", source.file()))
        })?;
        let class_labels = match &columns[class_index].kind {
            RawKind::Nominal(labels) => Arc::clone(labels),
            RawKind::Numeric => {
                return Err(Error::NumericClass { column: columns[class_index].name.clone() });
            }
        };
        if class_labels.is_empty() {
            return Err(Error::NoLabelledRows { file: source.file().to_string() });
        }
        let needs_scan = preparation.missing != MissingPolicy::Ignore
            || columns.iter().any(|column| column.kind == RawKind::Numeric);
        let mut surveys: Vec<Survey> =
            columns.iter().map(|column| Survey::new(&column.kind, class_labels.len())).collect();
        if needs_scan {
            source.scan(&mut |frame| survey_chunk(frame, class_index, preparation.missing, &mut surveys))?;
        }
        let mut features = Vec::with_capacity(columns.len().saturating_sub(1));
        let mut fill = Vec::with_capacity(columns.len().saturating_sub(1));
        for (index, (column, survey)) in columns.iter().zip(surveys).enumerate() {
            if index != class_index {
                let (variable, code) = survey.finish(column, preparation)?;
                features.push(variable);
                fill.push(code);
            }
        }
        let class = Variable::new(&*columns[class_index].name, Domain::Labels(class_labels.to_vec()))?;
        let schema = Arc::new(Schema::new(class, features)?);
        Ok(Self { schema, missing: preparation.missing, fill })
    }

    /// An encoder that looks labels up in a schema and keeps missing cells missing.
    #[must_use]
    pub fn of_schema(schema: Arc<Schema>) -> Self {
        let fill = vec![MISSING; schema.features().len()];
        Self { schema, missing: MissingPolicy::Ignore, fill }
    }

    /// The schema of what it encodes.
    #[must_use]
    pub fn schema(&self) -> &Arc<Schema> {
        &self.schema
    }

    /// The policy for missing cells that it was fitted with.
    #[must_use]
    pub fn missing(&self) -> MissingPolicy {
        self.missing
    }

    /// The columns that it needs in a file, each with the kind that a reader should give it: categories for
    /// labels, numbers for intervals. The class comes last.
    #[must_use]
    pub fn raw_columns(&self) -> Vec<RawColumn> {
        let raw = |(variable, &fill): (&Variable, &Code)| RawColumn {
            name: variable.name().into(),
            kind: match variable.domain() {
                Domain::Labels(labels) => RawKind::Nominal(self.cell_labels(labels, fill).into()),
                Domain::Intervals { .. } => RawKind::Numeric,
            },
        };
        let features = self.schema.features().iter().zip(&self.fill);
        features.chain([(self.schema.class(), &MISSING)]).map(raw).collect()
    }

    /// The labels that can stand in a cell: all but the one that was added for missing cells, whose text a cell
    /// may hold by chance.
    pub(crate) fn cell_labels<'a>(&self, labels: &'a [String], fill: Code) -> &'a [String] {
        match self.missing {
            MissingPolicy::Value => &labels[..labels.len().min(usize::from(fill))],
            _ => labels,
        }
    }
}

/// What a scan has seen of a column.
enum Survey {
    Nominal { counts: Vec<u64>, missing: u64 },
    Numeric { histogram: HistogramBuilder, missing_by_class: Vec<u64> },
}

impl Survey {
    fn new(kind: &RawKind, classes: usize) -> Self {
        match kind {
            RawKind::Nominal(labels) => Self::Nominal { counts: vec![0; labels.len()], missing: 0 },
            RawKind::Numeric => Self::Numeric {
                histogram: HistogramBuilder::new(classes),
                missing_by_class: vec![0; classes],
            },
        }
    }

    /// Counts cells; `rows` gives the row, class and weight of each labelled one.
    fn add(&mut self, values: &Values, rows: impl Iterator<Item = (usize, usize, u64)>) {
        match (self, values) {
            (Self::Nominal { counts, missing }, Values::Nominal { codes, .. }) => {
                for (row, _, weight) in rows {
                    *counts.get_mut(usize::from(codes[row])).unwrap_or(missing) += weight;
                }
            }
            (Self::Numeric { histogram, missing_by_class }, Values::Numeric(numbers)) => {
                for (row, class, weight) in rows {
                    if numbers[row].is_nan() {
                        missing_by_class[class] += weight;
                    } else {
                        histogram.add(numbers[row], class, weight);
                    }
                }
            }
            // A source keeps the kinds that it declares.
            _ => {}
        }
    }

    /// The variable, and the code of a missing cell.
    fn finish(self, column: &RawColumn, preparation: Preparation) -> Result<(Variable, Code)> {
        let (domain, missing, mode) = match (self, &column.kind) {
            (Self::Nominal { counts, missing }, RawKind::Nominal(labels)) => {
                let mut labels = labels.to_vec();
                if labels.is_empty() {
                    labels.push("?".into());
                }
                (Domain::Labels(labels), missing, mode(&counts))
            }
            (Self::Numeric { mut histogram, missing_by_class }, _) => {
                let missing: u64 = missing_by_class.iter().sum();
                let mut counted = histogram.histogram();
                let mean = counted.mean();
                if let (MissingPolicy::Mode, Some(mean)) = (preparation.missing, mean) {
                    for (class, &count) in missing_by_class.iter().enumerate() {
                        histogram.add(mean, class, count);
                    }
                    counted = histogram.histogram();
                }
                let domain = Domain::intervals(preparation.discretization.cuts(&column.name, &counted)?);
                let mode = mean.map(|mean| domain.interval(mean));
                (domain, missing, mode)
            }
            (Self::Nominal { .. }, RawKind::Numeric) => (Domain::intervals(Vec::new()), 0, None),
        };
        let (domain, fill) = match preparation.missing {
            MissingPolicy::Value if missing > 0 => with_value_for_missing(domain),
            MissingPolicy::Mode => {
                // Without a single known cell there is one value, and it is the mode.
                (domain, mode.unwrap_or(0))
            }
            _ => (domain, MISSING),
        };
        Ok((Variable::new(&*column.name, domain)?, fill))
    }
}

/// The most frequent code, lowest first; `None` when nothing was counted.
fn mode(counts: &[u64]) -> Option<Code> {
    let most = counts.iter().copied().max().filter(|&most| most > 0)?;
    counts.iter().position(|&count| count == most).map(|code| code as Code)
}

/// The domain with one more value, the last, for missing cells.
fn with_value_for_missing(domain: Domain) -> (Domain, Code) {
    let fill = domain.cardinality() as Code;
    let domain = match domain {
        Domain::Labels(mut labels) => {
            let mut name = "?".to_string();
            while labels.contains(&name) {
                name.push('?');
            }
            labels.push(name);
            Domain::Labels(labels)
        }
        Domain::Intervals { cuts, .. } => Domain::Intervals { cuts, missing: true },
    };
    (domain, fill)
}

fn survey_chunk(frame: &Frame, class: usize, missing: MissingPolicy, surveys: &mut [Survey]) -> Result<()> {
    let Values::Nominal { codes: class_codes, .. } = &frame.columns[class].values else {
        return Err(Error::NumericClass { column: frame.columns[class].name.clone() });
    };
    let labelled = || class_codes.iter().enumerate().filter(|&(_, &code)| code != MISSING);
    let features = frame.columns.iter().zip(surveys).enumerate().filter(|&(index, _)| index != class);
    let counted = parallel::map(
        frame.rows() * frame.columns.len(),
        features.map(|(_, feature)| feature).collect(),
        |(column, survey)| {
            if missing == MissingPolicy::Reject
                && let Some((row, _)) = labelled().find(|&(row, _)| column.values.is_missing(row))
            {
                return Err(missing_cell(frame, row, &column.name));
            }
            let rows = labelled().map(|(row, &code)| (row, usize::from(code), frame.weight(row).into()));
            survey.add(&column.values, rows);
            Ok(())
        },
    );
    // The first error in the order of the columns.
    counted.into_iter().collect()
}

/// The error of a missing cell under [`MissingPolicy::Reject`].
pub(crate) fn missing_cell(frame: &Frame, row: usize, column: &str) -> Error {
    Error::MissingCell { place: frame.place(row).in_column(column) }
}

impl Frame {
    /// Where a row stands in its file: its line where lines are known.
    #[must_use]
    pub fn place(&self, row: usize) -> Place {
        match self.lines.get(row) {
            Some(&line) => Place::line(&*self.file, line),
            None => Place::file(format!("{}, row {}", self.file, row + 1)),
        }
    }
}
