//! A model in words, trees and tables.

use std::fmt::{self, Write};

use bnc_data::{MissingPolicy, Variable};
use bnc_models::{Member, Model, Network};

use super::{tables, tree};
use crate::error::{Error, Result};
use crate::labels::{class_labels, labels, super_parents};
use crate::text::{counted, few, nearest, probability, table};
use crate::{registry, score, size};

/// So many probabilities are shown without being asked for.
const SHOWN_CELLS: usize = 600;
/// So wide a list of labels may be before the rest is only counted.
const LISTED: usize = 60;

pub(super) fn show(model: &Model, feature: Option<&str>, all_tables: bool) -> Result<String> {
    let mut text = String::new();
    if let Some(name) = feature {
        write_feature(&mut text, model, find(model, name)?)?;
        return Ok(text);
    }
    write_head(&mut text, model)?;
    writeln!(text, "\n{}\n", variables(model).trim_fmt())?;
    match model.classifier().members().as_slice() {
        [member] if member.super_parents.is_empty() => write_structure(&mut text, model, member)?,
        [] => {}
        members => write_ensemble(&mut text, model, members)?,
    }
    if let Some(network) = model.classifier().network() {
        write_tables(&mut text, model, network, all_tables)?;
    }
    Ok(text)
}

fn write_head(text: &mut String, model: &Model) -> fmt::Result {
    let name = model.learner().split(':').next().unwrap_or_default();
    let title = registry::info(name).map_or(name, |info| info.title);
    writeln!(text, "{title} ({})", model.learner())?;
    let missing = match model.encoder().missing() {
        MissingPolicy::Ignore => "left out (ignore)",
        MissingPolicy::Value => "a value of their own (value)",
        MissingPolicy::Mode => "filled with the most frequent value (mode)",
        MissingPolicy::Reject => "refused (reject)",
    };
    writeln!(text, "missing cells: {missing}")?;
    if let Some(prior) = model.prior() {
        let each = class_labels(model.schema()).into_iter().zip(prior);
        let each: Vec<String> = each.map(|(label, p)| format!("{label}={p}")).collect();
        writeln!(text, "class probabilities replaced by {}", each.join(", "))?;
    }
    writeln!(text, "structure: {}", size::describe(model.classifier()))?;
    match model.classifier().network().and_then(Network::score) {
        Some(score) => writeln!(text, "score: {}", score::describe(score)),
        None => Ok(()),
    }
}

/// All variables with their values.
fn variables(model: &Model) -> comfy_table::Table {
    let schema = model.schema();
    let mut table = table(&["variable", "role", "values", "labels"].map(String::from), usize::MAX);
    let row = |variable: &Variable, role: &str| {
        let shown = few(&labels(variable), LISTED);
        [variable.name().into(), role.into(), variable.cardinality().to_string(), shown]
    };
    table.add_row(row(schema.class(), "class"));
    for feature in schema.features() {
        table.add_row(row(feature, "feature"));
    }
    table
}

fn write_structure(text: &mut String, model: &Model, member: &Member) -> fmt::Result {
    let schema = model.schema();
    let class = schema.class().name();
    let names = |by_class: bool| {
        let families = member.structure.features().iter().zip(schema.features());
        families
            .filter(|(family, _)| family.class == by_class)
            .map(|(_, it)| it.name())
            .collect::<Vec<&str>>()
    };
    let (with, without) = (names(true), names(false));
    write!(text, "The class '{class}' is a parent of ")?;
    match (with.as_slice(), without.as_slice()) {
        (_, []) => write!(text, "every feature")?,
        ([], _) => write!(text, "no feature")?,
        (with, without) if with.len() < without.len() => write!(text, "{}", with.join(", "))?,
        (_, without) => write!(text, "every feature but {}", without.join(", "))?,
    }
    let parents = member.structure.class_parents().iter().map(|&parent| schema.features()[parent].name());
    let parents: Vec<&str> = parents.collect();
    if !parents.is_empty() {
        write!(text, "; its own parents are {}", parents.join(", "))?;
    }
    if member.structure.arcs().next().is_none() {
        return writeln!(text, ".\nThere are no arcs between features.");
    }
    writeln!(text, ".\nArcs between features:")?;
    tree::draw(schema, &member.structure).iter().try_for_each(|line| writeln!(text, "  {line}"))
}

fn write_ensemble(text: &mut String, model: &Model, members: &[Member]) -> fmt::Result {
    writeln!(
        text,
        "An ensemble of {}: in each, the class and its super-parents are parents of every other feature.\n\
         How often training met each value of a super-parent:",
        counted(members.len() as u64, "estimator")
    )?;
    let weighted = members.iter().any(|member| !member.weights.is_empty());
    let columns = ["super-parent", "rows by value", "weight by value"];
    let shown = if weighted { &columns[..] } else { &columns[..2] };
    let mut table = table(&shown.iter().map(|column| (*column).into()).collect::<Vec<_>>(), usize::MAX);
    for member in members {
        let [parent] = *member.super_parents else {
            table.add_row([super_parents(model.schema(), member), "–".into()]);
            continue;
        };
        let variable = &model.schema().features()[parent];
        let each = labels(variable).into_iter().zip(&member.frequencies);
        let each: Vec<String> = each.map(|(label, count)| format!("{label} ×{count}")).collect();
        let mut row = vec![variable.name().to_string(), few(&each, LISTED)];
        if weighted {
            let each = labels(variable).into_iter().zip(&member.weights);
            let each: Vec<String> =
                each.map(|(label, &weight)| format!("{label} {}", probability(weight))).collect();
            row.push(few(&each, LISTED));
        }
        table.add_row(row);
    }
    writeln!(text, "{}", table.trim_fmt())
}

fn write_tables(text: &mut String, model: &Model, network: &Network, all: bool) -> fmt::Result {
    let schema = model.schema();
    let features = schema.features().len();
    let own = network.class_table().logs().len();
    let others: usize = (0..features).map(|feature| network.table(feature).logs().len()).sum();
    if all || own <= SHOWN_CELLS {
        let (title, table) = tables::of_class(network, schema);
        writeln!(text, "\n{title}\n{}", table.trim_fmt())?;
    } else {
        writeln!(text, "\nThe table of the class with {own} probabilities is not shown: --tables shows it.")?;
    }
    if !all && others > SHOWN_CELLS {
        return writeln!(
            text,
            "\n{} with {others} probabilities are not shown: --feature NAME shows one, --tables all.",
            counted(features as u64, "table")
        );
    }
    (0..features).try_for_each(|feature| {
        let (title, table) = tables::of_feature(network, schema, feature);
        writeln!(text, "\n{title}\n{}", table.trim_fmt())
    })
}

/// The feature of that name.
fn find(model: &Model, name: &str) -> Result<usize> {
    let names: Vec<&str> = model.schema().features().iter().map(Variable::name).collect();
    names.iter().position(|known| *known == name).ok_or_else(|| {
        let guess = nearest(name, names.iter().copied());
        let guess = guess.map_or(String::new(), |guess| format!("; did you mean '{guess}'?"));
        Error::Usage(format!("--feature {name}: the model's features are: {}{guess}", few(&names, 400)))
    })
}

fn write_feature(text: &mut String, model: &Model, feature: usize) -> fmt::Result {
    let schema = model.schema();
    let variable = &schema.features()[feature];
    writeln!(text, "{}: {}", variable.name(), counted(variable.cardinality() as u64, "value"))?;
    if let Some(network) = model.classifier().network() {
        let (title, table) = tables::of_feature(network, schema, feature);
        return writeln!(text, "\n{title}\n{}", table.trim_fmt());
    }
    let members = model.classifier().members();
    let Some(member) = members.iter().find(|member| *member.super_parents == [feature]) else {
        return Ok(());
    };
    let total: u64 = member.frequencies.iter().sum();
    let mut table = table(&["value", "rows", "share"].map(String::from), 1);
    for (label, &count) in labels(variable).into_iter().zip(&member.frequencies) {
        table.add_row([label, count.to_string(), probability(count as f64 / total.max(1) as f64)]);
    }
    writeln!(text, "\nAs a super-parent:\n{}", table.trim_fmt())
}
