//! From the columns that a file has and what the caller wants to the columns that are read.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::column::{Column, Parser, Reading};
use super::dictionary::CellRules;
use super::number;
use super::table::Table;
use super::{ClassChoice, ReadOptions};
use crate::{Error, RawKind, Result};

/// A column as the head of its file declares it.
pub(crate) struct Attribute {
    pub(crate) name: String,
    pub(crate) declared: Declared,
}

/// The kind that a file declares for a column.
pub(crate) enum Declared {
    /// Nothing.
    #[cfg_attr(not(feature = "csv"), expect(dead_code, reason = "only CSV leaves kinds open"))]
    Nothing,
    /// Numbers.
    #[cfg_attr(not(feature = "arff"), expect(dead_code, reason = "only ARFF declares kinds"))]
    Number,
    /// Labels, not listed.
    #[cfg_attr(not(feature = "arff"), expect(dead_code, reason = "only ARFF declares kinds"))]
    Text,
    /// Labels, listed.
    #[cfg_attr(not(feature = "arff"), expect(dead_code, reason = "only ARFF declares kinds"))]
    Labels(Arc<[String]>),
    /// Texts that stand for numbers, as dates do.
    #[cfg_attr(not(feature = "arff"), expect(dead_code, reason = "only ARFF declares kinds"))]
    Encoded(Parser),
}

/// What a caller wants a column to be.
#[derive(Clone, Copy, PartialEq)]
enum Wanted {
    AsDeclared,
    Labels,
    Numbers,
}

impl Declared {
    fn reading(&self, wanted: Wanted) -> Reading {
        match (self, wanted) {
            (Self::Nothing, Wanted::AsDeclared) => Reading::Infer,
            (Self::Labels(labels), Wanted::Numbers) => Reading::Number(numbers_of(labels)),
            (Self::Labels(labels), _) => Reading::Declared(Arc::clone(labels)),
            (Self::Encoded(parser), Wanted::AsDeclared | Wanted::Numbers) => Reading::Number(parser.clone()),
            (Self::Text, Wanted::AsDeclared) | (_, Wanted::Labels) => Reading::Text,
            (Self::Number, Wanted::AsDeclared) | (_, Wanted::Numbers) => Reading::number(),
        }
    }

    /// The text that a cell left out of a sparse row stands for.
    fn absent(&self) -> Option<Arc<[u8]>> {
        match self {
            Self::Number => Some(Arc::from(&b"0"[..])),
            Self::Labels(labels) => labels.first().map(|label| label.as_bytes().into()),
            Self::Nothing | Self::Text | Self::Encoded(_) => None,
        }
    }
}

/// Declared labels that are to be read as numbers.
fn numbers_of(labels: &[String]) -> Parser {
    let numbers: HashMap<String, Option<f64>> =
        labels.iter().map(|label| (label.clone(), number::any(label))).collect();
    Parser {
        parse: Arc::new(move |text| numbers.get(text).copied()?),
        expected: "a number among the declared values".into(),
    }
}

/// The table to read a file of these attributes into.
///
/// # Errors
/// [`Error::NoSuchColumn`] for a name that the file does not have, [`Error::DuplicateColumn`] for a name that it
/// has twice, [`Error::BadParameter`] for wishes that contradict each other, [`Error::NumericClass`].
pub(crate) fn plan(
    attributes: &[Attribute],
    options: &ReadOptions,
    file: Arc<str>,
    rules: CellRules,
) -> Result<Table> {
    let wishes = Wishes::new(attributes, options)?;
    let rules = Arc::new(rules);
    let mut kept: Vec<(usize, &Attribute)> = Vec::new();
    let mut weight = None;
    for (position, attribute) in attributes.iter().enumerate() {
        if options.weight.as_deref() == Some(&*attribute.name) {
            weight = Some((attribute.name.clone(), position));
        } else if wishes.keeps(&attribute.name) {
            kept.push((position, attribute));
        }
    }
    let class = wishes.class(&kept)?;
    let columns = kept
        .iter()
        .enumerate()
        .map(|(index, &(position, attribute))| {
            let declared = &attribute.declared;
            let reading = declared.reading(wishes.kind(&attribute.name, class == Some(index))?);
            let name = attribute.name.clone();
            Ok(Column::new(name, position, reading, declared.absent(), &rules))
        })
        .collect::<Result<_>>()?;
    let mut table = Table::new(file, columns, weight, rules);
    table.class = class;
    table.class_by_default = options.class == ClassChoice::Last;
    Ok(table)
}

/// The names in [`ReadOptions`], checked against the file and ready to be looked up.
struct Wishes<'a> {
    options: &'a ReadOptions,
    nominal: HashSet<&'a str>,
    numeric: HashSet<&'a str>,
    dropped: HashSet<&'a str>,
    only: Option<HashMap<&'a str, &'a RawKind>>,
}

fn set(names: &[String]) -> HashSet<&str> {
    names.iter().map(String::as_str).collect()
}

impl<'a> Wishes<'a> {
    fn new(attributes: &'a [Attribute], options: &'a ReadOptions) -> Result<Self> {
        let wishes = Self {
            options,
            nominal: set(&options.nominal),
            numeric: set(&options.numeric),
            dropped: set(&options.drop),
            only: options
                .columns
                .as_ref()
                .map(|columns| columns.iter().map(|column| (column.name.as_str(), &column.kind)).collect()),
        };
        let mut there = HashSet::with_capacity(attributes.len());
        for attribute in attributes {
            let name = attribute.name.as_str();
            if !there.insert(name) && (wishes.keeps(name) || options.weight.as_deref() == Some(name)) {
                return Err(Error::DuplicateColumn { column: name.into() });
            }
        }
        let optional = match &options.class {
            ClassChoice::IfPresent(name) => Some(name),
            ClassChoice::Last | ClassChoice::Named(_) => None,
        };
        let asked = [&options.nominal, &options.numeric, &options.drop]
            .into_iter()
            .flatten()
            .chain(&options.weight)
            .chain(
                options
                    .columns
                    .iter()
                    .flatten()
                    .map(|column| &column.name)
                    .filter(|name| Some(*name) != optional),
            );
        for name in asked {
            if !there.contains(name.as_str()) {
                return Err(Error::NoSuchColumn {
                    column: name.clone(),
                    available: attributes.iter().map(|attribute| attribute.name.clone()).collect(),
                });
            }
        }
        if let Some(name) = options.nominal.iter().find(|name| wishes.numeric.contains(name.as_str())) {
            return Err(Error::BadParameter {
                parameter: "nominal".into(),
                value: name.clone(),
                expected: "a column that is not among the numeric ones too".into(),
            });
        }
        Ok(wishes)
    }

    fn keeps(&self, name: &str) -> bool {
        !self.dropped.contains(name) && self.only.as_ref().is_none_or(|only| only.contains_key(name))
    }

    /// The index of the class among the columns that are read.
    fn class(&self, kept: &[(usize, &Attribute)]) -> Result<Option<usize>> {
        let find = |name: &str| kept.iter().position(|(_, attribute)| attribute.name == name);
        let available = || kept.iter().map(|(_, attribute)| attribute.name.clone()).collect();
        match &self.options.class {
            ClassChoice::IfPresent(name) => Ok(find(name)),
            ClassChoice::Named(name) => find(name)
                .map(Some)
                .ok_or_else(|| Error::NoSuchColumn { column: name.clone(), available: available() }),
            ClassChoice::Last => kept.len().checked_sub(1).map(Some).ok_or_else(|| Error::BadParameter {
                parameter: "drop".into(),
                value: self.options.drop.join(", "),
                expected: "at least one column that is left".into(),
            }),
        }
    }

    fn kind(&self, name: &str, is_class: bool) -> Result<Wanted> {
        let forced = match self.only.as_ref().and_then(|only| only.get(name)) {
            Some(RawKind::Nominal(_)) => Wanted::Labels,
            Some(RawKind::Numeric) => Wanted::Numbers,
            None if self.nominal.contains(name) => Wanted::Labels,
            None if self.numeric.contains(name) => Wanted::Numbers,
            None => Wanted::AsDeclared,
        };
        match forced {
            Wanted::Numbers if is_class => Err(Error::NumericClass { column: name.into() }),
            Wanted::AsDeclared if is_class || !self.options.infer_numbers => Ok(Wanted::Labels),
            wanted => Ok(wanted),
        }
    }
}
