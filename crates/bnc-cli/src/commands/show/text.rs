//! A model in words, trees and tables.

use bnc_data::{MissingPolicy, Variable};
use bnc_models::{Member, Model, Network};

use super::{tables, tree};
use crate::error::{Error, Result};
use crate::labels::{class_labels, labels};
use crate::text::{counted, few, nearest, probability, table};
use crate::{registry, size};

/// So many probabilities are shown without being asked for.
const SHOWN_CELLS: usize = 600;
/// So wide a list of labels may be before the rest is only counted.
const LISTED: usize = 60;

pub(super) fn show(model: &Model, feature: Option<&str>, all_tables: bool) -> Result<String> {
    if let Some(name) = feature {
        return one_feature(model, name);
    }
    let mut text = head(model);
    text.push_str(&format!("\n{}\n", variables(model)));
    let members = model.classifier().members();
    text.push_str(&structure(model, &members));
    if let Some(network) = model.classifier().network() {
        text.push_str(&network_tables(model, network, all_tables));
    }
    Ok(text)
}

fn head(model: &Model) -> String {
    let name = model.learner().split(':').next().unwrap_or_default();
    let title = registry::info(name).map_or(name, |info| info.title);
    let missing = match model.encoder().missing() {
        MissingPolicy::Ignore => "left out (ignore)",
        MissingPolicy::Value => "a value of their own (value)",
        MissingPolicy::Mode => "filled with the most frequent value (mode)",
        MissingPolicy::Reject => "refused (reject)",
    };
    let mut text = format!("{title} ({})\nmissing cells: {missing}\n", model.learner());
    if let Some(prior) = model.prior() {
        let each =
            class_labels(model.schema()).into_iter().zip(prior).map(|(label, p)| format!("{label}={p}"));
        text.push_str(&format!("class probabilities replaced by {}\n", each.collect::<Vec<_>>().join(", ")));
    }
    text.push_str(&format!("structure: {}\n", size::describe(model.classifier())));
    text
}

/// All variables with their values.
fn variables(model: &Model) -> comfy_table::Table {
    let schema = model.schema();
    let mut table = table(&["variable", "role", "values", "labels"].map(String::from), usize::MAX);
    let row = |variable: &Variable, role: &str| {
        [
            variable.name().into(),
            role.into(),
            variable.cardinality().to_string(),
            few(&labels(variable), LISTED),
        ]
    };
    table.add_row(row(schema.class(), "class"));
    for feature in schema.features() {
        table.add_row(row(feature, "feature"));
    }
    table
}

fn structure(model: &Model, members: &[Member]) -> String {
    let schema = model.schema();
    let mut text = String::new();
    match members {
        [member @ Member { super_parent: None, .. }] => {
            let families = member.structure.features();
            let without: Vec<&str> = families
                .iter()
                .zip(schema.features())
                .filter(|(family, _)| !family.class)
                .map(|(_, feature)| feature.name())
                .collect();
            let all = if without.is_empty() {
                "every feature".into()
            } else {
                format!("every feature but {}", without.join(", "))
            };
            text.push_str(&format!("\nThe class '{}' is a parent of {all}.\n", schema.class().name()));
            if member.structure.arcs().next().is_none() {
                text.push_str("There are no arcs between features.\n");
            } else {
                text.push_str("Arcs between features:\n");
                for line in tree::draw(schema, &member.structure) {
                    text.push_str(&format!("  {line}\n"));
                }
            }
        }
        members => {
            text.push_str(&format!(
                "\nThe average of {}. In each, the class and one super-parent are parents of every other feature.\n\
                 How often training met each value of a super-parent:\n",
                counted(members.len() as u64, "estimator")
            ));
            let mut table = table(&["super-parent", "rows by value"].map(String::from), usize::MAX);
            for member in members {
                let Some(parent) = member.super_parent else { continue };
                let variable = &schema.features()[parent];
                let each: Vec<String> = labels(variable)
                    .iter()
                    .zip(&member.frequencies)
                    .map(|(label, count)| format!("{label} ×{count}"))
                    .collect();
                table.add_row([variable.name().to_string(), few(&each, LISTED)]);
            }
            text.push_str(&format!("{table}\n"));
        }
    }
    text
}

fn network_tables(model: &Model, network: &Network, all: bool) -> String {
    let schema = model.schema();
    let features = schema.features().len();
    let (title, table) = tables::of_class(network, schema);
    let mut text = format!("\n{title}\n{table}\n");
    let cells: usize = (0..features).map(|feature| network.table(feature).logs().len()).sum();
    if all || cells <= SHOWN_CELLS {
        for feature in 0..features {
            let (title, table) = tables::of_feature(network, schema, feature);
            text.push_str(&format!("\n{title}\n{table}\n"));
        }
    } else {
        text.push_str(&format!(
            "\n{} with {cells} probabilities are not shown: --feature NAME shows one, --tables all.\n",
            counted(features as u64, "table")
        ));
    }
    text
}

fn one_feature(model: &Model, name: &str) -> Result<String> {
    let schema = model.schema();
    let features = schema.features();
    let feature = features.iter().position(|feature| feature.name() == name).ok_or_else(|| {
        let names: Vec<&str> = features.iter().map(Variable::name).collect();
        let guess = nearest(name, names.iter().copied())
            .map_or(String::new(), |guess| format!("; did you mean '{guess}'?"));
        Error::Usage(format!("--feature {name}: the model's features are: {}{guess}", few(&names, 400)))
    })?;
    let variable = &features[feature];
    let mut text = format!("{name}: {}\n", counted(variable.cardinality() as u64, "value"));
    if let Some(network) = model.classifier().network() {
        let (title, table) = tables::of_feature(network, schema, feature);
        text.push_str(&format!("\n{title}\n{table}\n"));
        return Ok(text);
    }
    let members = model.classifier().members();
    if let Some(member) = members.iter().find(|member| member.super_parent == Some(feature)) {
        let total: u64 = member.frequencies.iter().sum();
        let mut table = table(&["value", "rows", "share"].map(String::from), 1);
        for (label, &count) in labels(variable).iter().zip(&member.frequencies) {
            let share = if total > 0 { count as f64 / total as f64 } else { 0.0 };
            table.add_row([label.clone(), count.to_string(), probability(share)]);
        }
        text.push_str(&format!("\nAs a super-parent:\n{table}\n"));
    }
    Ok(text)
}
