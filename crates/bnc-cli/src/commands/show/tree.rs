//! Graphs as indented text.

use bnc_data::Schema;
use bnc_structure::Structure;

/// The arcs between features: a tree where every feature has at most one feature parent, else a line a feature.
/// The class is not drawn. Features without arcs to others are gathered on one line.
pub(super) fn draw(schema: &Schema, structure: &Structure) -> Vec<String> {
    let families = structure.features();
    let name = |feature: usize| schema.features()[feature].name();
    let mut children = vec![Vec::new(); families.len()];
    structure.arcs().for_each(|(parent, child)| children[parent].push(child));
    let is_alone = |feature: usize| families[feature].parents.is_empty() && children[feature].is_empty();
    let mut lines = Vec::new();
    if families.iter().all(|family| family.parents.len() < 2) {
        for root in (0..families.len()).filter(|&f| families[f].parents.is_empty() && !is_alone(f)) {
            draw_tree(root, &children, &name, &mut lines);
        }
    } else {
        for &feature in structure.order().iter().filter(|&&feature| !is_alone(feature)) {
            let parents: Vec<&str> = families[feature].parents.iter().map(|&parent| name(parent)).collect();
            lines.push(match parents.as_slice() {
                [] => name(feature).to_string(),
                parents => format!("{} ← {}", name(feature), parents.join(", ")),
            });
        }
    }
    let alone: Vec<&str> = (0..families.len()).filter(|&feature| is_alone(feature)).map(name).collect();
    if !alone.is_empty() {
        lines.push(format!("without arcs to other features: {}", alone.join(", ")));
    }
    lines
}

/// Depth first, without recursion: a chain may be as long as there are features.
fn draw_tree<'a>(
    root: usize,
    children: &[Vec<usize>],
    name: &impl Fn(usize) -> &'a str,
    lines: &mut Vec<String>,
) {
    let mut stack = vec![(root, String::new(), String::new())];
    while let Some((feature, branch, below)) = stack.pop() {
        lines.push(format!("{branch}{}", name(feature)));
        for (index, &child) in children[feature].iter().enumerate().rev() {
            let is_last = index + 1 == children[feature].len();
            let (branch, bar) = if is_last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
            stack.push((child, format!("{below}{branch}"), format!("{below}{bar}")));
        }
    }
}
