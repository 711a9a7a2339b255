//! A model for other programs.

use bnc_data::{Domain, Variable};
use bnc_models::{Member, Model, Network};
use serde::Serialize;

use crate::labels::{class_labels, labels};
use crate::size::free_parameters;

#[derive(Serialize)]
pub(super) struct Document {
    program: &'static str,
    version: &'static str,
    learner: String,
    class: VariableOut,
    features: Vec<VariableOut>,
    /// The class probabilities that replace those of the data.
    prior: Option<Vec<f64>>,
    /// One graph, or one a super-parent.
    members: Vec<MemberOut>,
    /// The tables of a network.
    tables: Option<Tables>,
}

#[derive(Serialize)]
struct VariableOut {
    name: String,
    values: Vec<String>,
    /// Where the variable is made of intervals.
    cuts: Option<Vec<f64>>,
}

#[derive(Serialize)]
struct MemberOut {
    /// Empty for a network.
    super_parents: Vec<String>,
    /// How often training met each value of a single super-parent.
    frequencies: Option<Vec<u64>>,
    free_parameters: u64,
    class_parents: Vec<String>,
    nodes: Vec<Node>,
}

#[derive(Serialize)]
struct Node {
    feature: String,
    parents: Vec<String>,
    class_is_parent: bool,
}

#[derive(Serialize)]
struct Tables {
    class: Table,
    features: Vec<Table>,
}

/// Probabilities; the last axis changes fastest.
#[derive(Serialize)]
struct Table {
    of: String,
    axes: Vec<String>,
    shape: Vec<usize>,
    probabilities: Vec<f64>,
}

impl Document {
    pub(super) fn new(model: &Model) -> Self {
        let schema = model.schema();
        Self {
            program: "bnc",
            version: env!("CARGO_PKG_VERSION"),
            learner: model.learner().into(),
            class: variable(schema.class()),
            features: schema.features().iter().map(variable).collect(),
            prior: model.prior().map(<[f64]>::to_vec),
            members: model.classifier().members().iter().map(|it| member(model, it)).collect(),
            tables: model.classifier().network().map(|network| tables(model, network)),
        }
    }
}

fn variable(variable: &Variable) -> VariableOut {
    VariableOut {
        name: variable.name().into(),
        values: labels(variable),
        cuts: match variable.domain() {
            Domain::Intervals { cuts, .. } => Some(cuts.clone()),
            Domain::Labels(_) => None,
        },
    }
}

fn member(model: &Model, member: &Member) -> MemberOut {
    let schema = model.schema();
    let name = |&feature: &usize| schema.features()[feature].name().to_string();
    let nodes = member.structure.features().iter().zip(schema.features());
    MemberOut {
        super_parents: member.super_parents.iter().map(name).collect(),
        frequencies: Some(member.frequencies.clone()).filter(|frequencies| !frequencies.is_empty()),
        free_parameters: free_parameters(schema, member),
        class_parents: member.structure.class_parents().iter().map(name).collect(),
        nodes: nodes
            .map(|(family, feature)| Node {
                feature: feature.name().into(),
                parents: family.parents.iter().map(name).collect(),
                class_is_parent: family.class,
            })
            .collect(),
    }
}

fn tables(model: &Model, network: &Network) -> Tables {
    let schema = model.schema();
    let class = schema.class().name();
    let classes = class_labels(schema).len();
    let features = network.structure().features().iter().enumerate().map(|(feature, family)| {
        let name = schema.features()[feature].name();
        let table = network.table(feature);
        let axes = family.parents.iter().chain([&feature]);
        let axes = axes.map(|&axis| schema.features()[axis].name().to_string());
        Table {
            of: name.into(),
            axes: axes.chain(family.class.then(|| class.to_string())).collect(),
            shape: table.dims().iter().copied().chain(family.class.then_some(classes)).collect(),
            probabilities: table.logs().iter().map(|log| log.exp()).collect(),
        }
    });
    let parents = network.structure().class_parents();
    let names = parents.iter().map(|&parent| schema.features()[parent].name().to_string());
    let class = Table {
        of: class.into(),
        axes: names.chain([class.to_string()]).collect(),
        shape: parents.iter().map(|&parent| schema.cardinality(parent)).chain([classes]).collect(),
        probabilities: network.class_logs().iter().map(|log| log.exp()).collect(),
    };
    Tables { class, features: features.collect() }
}
