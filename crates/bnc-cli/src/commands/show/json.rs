//! A model for other programs.

use bnc_data::{Domain, Variable};
use bnc_models::{ConditionalTable, Member, Model, Network, StructureScore};
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
    /// What the learner says of the structure, where it searches for the best.
    score: Option<Score>,
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
    /// What it weighs by each value of a single super-parent, where not all weigh the same.
    weights: Option<Vec<f64>>,
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

/// Natural logarithms; greater is better.
#[derive(Serialize)]
struct Score {
    name: String,
    equivalent_sample_size: Option<f64>,
    /// The rows that it is over.
    rows: u64,
    /// The sum over the families of the features.
    features: f64,
    /// That sum and the family of the class.
    total: f64,
    /// How many structures reach the best score.
    optima: Option<u64>,
}

/// Probabilities; the last axis changes fastest.
#[derive(Serialize)]
struct Table {
    of: String,
    axes: Vec<String>,
    shape: Vec<usize>,
    /// In a table that is too large to be held whole: those values of the parents (the axes before that of the variable)
    /// that were observed, as indices into their lists of values. Only their probabilities are given, in this order.
    #[serde(skip_serializing_if = "Option::is_none")]
    configurations: Option<Vec<Vec<u16>>>,
    probabilities: Vec<f64>,
    /// The probabilities under all other values of the parents; the axes are the variable's and, where it is a parent, the
    /// class's.
    #[serde(skip_serializing_if = "Option::is_none")]
    otherwise: Option<Vec<f64>>,
}

impl Table {
    fn new(of: &str, axes: Vec<String>, shape: Vec<usize>, table: &ConditionalTable) -> Self {
        let probabilities = |logs: &[f64]| logs.iter().map(|log| log.exp()).collect();
        let configurations = || table.stored().map(|(parents, _)| parents).collect();
        Self {
            of: of.into(),
            axes,
            shape,
            configurations: (!table.is_dense()).then(configurations),
            probabilities: probabilities(table.logs()),
            otherwise: table.otherwise().map(probabilities),
        }
    }
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
            score: model.classifier().network().and_then(Network::score).map(score),
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
        weights: Some(member.weights.clone()).filter(|weights| !weights.is_empty()),
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

fn score(score: &StructureScore) -> Score {
    let StructureScore { name, equivalent_sample_size, rows, features, total, optima } = score.clone();
    Score { name, equivalent_sample_size, rows, features, total, optima }
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
        let axes = axes.chain(family.class.then(|| class.to_string())).collect();
        let shape = table.dims().iter().copied().chain(family.class.then_some(classes)).collect();
        Table::new(name, axes, shape, table)
    });
    let parents = network.structure().class_parents();
    let axes = parents.iter().map(|&parent| schema.features()[parent].name().to_string());
    let table = network.class_table();
    let class = Table::new(class, axes.chain([class.to_string()]).collect(), table.dims().to_vec(), table);
    Tables { class, features: features.collect() }
}
