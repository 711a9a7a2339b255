//! What is to be drawn.

use bnc_models::{Member, Model};

/// How a box looks.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Look {
    Class,
    Feature,
    SuperParent,
}

#[derive(Clone)]
pub(super) struct Node {
    pub(super) name: String,
    pub(super) look: Look,
}

/// Nodes and arcs, with those nodes apart whose arcs to all others are one arrow.
pub(super) struct Picture {
    /// The parents of all nodes, each a parent of the next.
    pub(super) heads: Vec<Node>,
    pub(super) nodes: Vec<Node>,
    pub(super) arcs: Vec<(usize, usize)>,
}

impl Picture {
    pub(super) fn new(model: &Model, member: &Member) -> Self {
        let schema = model.schema();
        let structure = &member.structure;
        let class = Node { name: schema.class().name().into(), look: Look::Class };
        let look =
            |feature| if member.super_parents.contains(&feature) { Look::SuperParent } else { Look::Feature };
        let features = schema.features().iter().enumerate();
        let mut nodes: Vec<Node> = features
            .map(|(index, feature)| Node { name: feature.name().into(), look: look(index) })
            .collect();
        let families = structure.features();
        if !structure.class_parents().is_empty() || families.iter().any(|family| !family.class) {
            let class_index = nodes.len();
            let from_class = (0..nodes.len()).filter(|&feature| families[feature].class);
            let arcs = from_class.map(|feature| (class_index, feature));
            let arcs = arcs.chain(structure.class_parents().iter().map(|&parent| (parent, class_index)));
            let arcs = arcs.chain(structure.arcs()).collect();
            nodes.push(class);
            return Self { heads: Vec::new(), nodes, arcs };
        }
        match *member.super_parents {
            [parent]
                if (0..nodes.len()).all(|child| child == parent || families[child].parents == [parent]) =>
            {
                let parent = nodes.remove(parent);
                Self { heads: vec![class, parent], nodes, arcs: Vec::new() }
            }
            _ => Self { heads: vec![class], nodes, arcs: structure.arcs().collect() },
        }
    }
}
