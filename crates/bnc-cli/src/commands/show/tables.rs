//! Probability tables as people read them.

use bnc_data::Schema;
use bnc_models::Network;
use comfy_table::Table;

use crate::labels::{class_labels, labels};
use crate::text::{probability, table};

/// P(feature | parents, class): a row a configuration, a column a value.
pub(super) fn of_feature(network: &Network, schema: &Schema, feature: usize) -> (String, Table) {
    let family = &network.structure().features()[feature];
    let classes = class_labels(schema);
    let by_class = if family.class { classes } else { vec![String::new()] };
    let values = labels(&schema.features()[feature]);
    let given: Vec<&str> = family
        .parents
        .iter()
        .map(|&parent| schema.features()[parent].name())
        .chain(family.class.then(|| schema.class().name()))
        .collect();
    let title = title(schema.features()[feature].name(), &given);
    let mut table = table(&header(&given, &values), given.len());
    let logs = network.table(feature).logs();
    let configurations = logs.len() / (values.len() * by_class.len());
    for configuration in 0..configurations {
        let block = &logs[configuration * values.len() * by_class.len()..][..values.len() * by_class.len()];
        for (class, label) in by_class.iter().enumerate() {
            let mut row = parent_labels(schema, &family.parents, configuration);
            row.extend(family.class.then(|| label.clone()));
            row.extend(
                (0..values.len()).map(|value| probability(block[value * by_class.len() + class].exp())),
            );
            table.add_row(row);
        }
    }
    (title, table)
}

/// P(class | its parents).
pub(super) fn of_class(network: &Network, schema: &Schema) -> (String, Table) {
    let parents = network.structure().class_parents();
    let given: Vec<&str> = parents.iter().map(|&parent| schema.features()[parent].name()).collect();
    let values = class_labels(schema);
    if parents.is_empty() {
        let mut table = table(&[schema.class().name().into(), "probability".into()], 1);
        for (label, log) in values.into_iter().zip(network.class_logs()) {
            table.add_row([label, probability(log.exp())]);
        }
        return (title(schema.class().name(), &given), table);
    }
    let mut table = table(&header(&given, &values), given.len());
    for (configuration, logs) in network.class_logs().chunks_exact(values.len()).enumerate() {
        let mut row = parent_labels(schema, parents, configuration);
        row.extend(logs.iter().map(|log| probability(log.exp())));
        table.add_row(row);
    }
    (title(schema.class().name(), &given), table)
}

/// The labels of a configuration of parents; the last parent changes fastest.
fn parent_labels(schema: &Schema, parents: &[usize], mut configuration: usize) -> Vec<String> {
    let mut row = vec![String::new(); parents.len()];
    for (cell, &parent) in row.iter_mut().zip(parents).rev() {
        let variable = &schema.features()[parent];
        let code = configuration % variable.cardinality();
        configuration /= variable.cardinality();
        *cell = variable.domain().label(code as u16).unwrap_or_default();
    }
    row
}

fn title(name: &str, given: &[&str]) -> String {
    match given {
        [] => format!("P({name})"),
        given => format!("P({name} | {})", given.join(", ")),
    }
}

fn header(given: &[&str], values: &[String]) -> Vec<String> {
    given.iter().map(ToString::to_string).chain(values.iter().cloned()).collect()
}
