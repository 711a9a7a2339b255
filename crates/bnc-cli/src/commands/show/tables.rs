//! Probability tables as people read them.

use std::fmt::Write;

use bnc_data::{Code, Schema, Variable};
use bnc_models::{ConditionalTable, Network};
use comfy_table::Table;

use crate::labels::{class_labels, labels};
use crate::text::{counted, probability, table};

/// P(feature | parents, class): a row a configuration, a column a value.
pub(super) fn of_feature(network: &Network, schema: &Schema, feature: usize) -> (String, Table) {
    let family = &network.structure().features()[feature];
    let by_class = family.class.then(|| schema.class());
    of_variable(schema, &family.parents, &schema.features()[feature], by_class, network.table(feature))
}

/// P(class | its parents).
pub(super) fn of_class(network: &Network, schema: &Schema) -> (String, Table) {
    let parents = network.structure().class_parents();
    if parents.is_empty() {
        let mut table = table(&[schema.class().name().into(), "probability".into()], 1);
        for (label, log) in class_labels(schema).into_iter().zip(network.class_table().logs()) {
            table.add_row([label, probability(log.exp())]);
        }
        return (title(schema.class().name(), &[]), table);
    }
    of_variable(schema, parents, schema.class(), None, network.class_table())
}

/// A table that holds what was observed only says so, and ends with the rows for all else.
fn of_variable(
    schema: &Schema,
    parents: &[usize],
    variable: &Variable,
    by_class: Option<&Variable>,
    conditional: &ConditionalTable,
) -> (String, Table) {
    let names = parents.iter().map(|&parent| schema.features()[parent].name());
    let given: Vec<&str> = names.chain(by_class.map(Variable::name)).collect();
    let mut title = title(variable.name(), &given);
    let mut table = table(&header(&given, &labels(variable)), given.len());
    let classes = by_class.map_or(vec![String::new()], labels);
    let mut add = |parents: Vec<String>, block: &[f64]| {
        for (class, label) in classes.iter().enumerate() {
            let mut row = parents.clone();
            row.extend(by_class.map(|_| label.clone()));
            let of_class = block.iter().skip(class).step_by(classes.len());
            row.extend(of_class.map(|log| probability(log.exp())));
            table.add_row(row);
        }
    };
    let mut stored = 0_u64;
    for (codes, block) in conditional.stored() {
        let label = |(&parent, &code): (&usize, &Code)| {
            schema.features()[parent].domain().label(code).unwrap_or_default()
        };
        add(parents.iter().zip(&codes).map(label).collect(), block);
        stored += 1;
    }
    if let Some(block) = conditional.otherwise() {
        add(vec![OTHERWISE.to_string(); parents.len()], block);
        let seen = counted(stored, "combination");
        let _ = write!(
            title,
            " of the {seen} of the parents' values that were observed, and of all others ({OTHERWISE})"
        );
    }
    (title, table)
}

/// In place of the parents' values.
const OTHERWISE: &str = "*";

fn title(name: &str, given: &[&str]) -> String {
    match given {
        [] => format!("P({name})"),
        given => format!("P({name} | {})", given.join(", ")),
    }
}

fn header(given: &[&str], values: &[String]) -> Vec<String> {
    given.iter().map(ToString::to_string).chain(values.iter().cloned()).collect()
}
