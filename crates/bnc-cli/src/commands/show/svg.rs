//! Structures as pictures.
//!
//! Where the class is a parent of every feature, drawing all those arrows would hide the others: the class stands above a
//! frame around all features, and one arrow from the class to the frame stands for them.

use std::fmt::Write;

use bnc_models::{Member, Model};

use super::drawing::{BOX_HEIGHT, Drawing, Place, lay_out};
use crate::error::{Error, Result};

const MARGIN: f64 = 16.0;
const FRAME: f64 = 18.0;
/// From the class to the frame.
const DROP: f64 = 44.0;
/// Beyond it a picture is no help, and takes long to lay out.
const MOST_NODES: usize = 1000;
const MOST_CHARACTERS: usize = 32;

/// The picture as a document of its own.
pub(super) fn draw(model: &Model, member: &Member) -> Result<String> {
    let features = model.schema().features().len();
    if features > MOST_NODES {
        return Err(Error::Failed(format!(
            "{features} features are too many for a picture (the limit is {MOST_NODES}); --format dot writes them for other programs"
        )));
    }
    let mut out = String::new();
    let written = if is_augmented(member) { write_framed(&mut out, model, member) } else { write_plain(&mut out, model, member) };
    written.map_err(|_| Error::Failed("the picture cannot be written".into()))?;
    Ok(out)
}

/// Whether the class is a parent of every feature and has no parents.
fn is_augmented(member: &Member) -> bool {
    let structure = &member.structure;
    structure.class_parents().is_empty() && structure.features().iter().all(|family| family.class)
}

/// How a box looks.
#[derive(Clone, Copy, PartialEq)]
enum Look {
    Class,
    Feature,
    SuperParent,
}

struct Node {
    name: String,
    look: Look,
}

fn nodes(model: &Model, member: &Member) -> Vec<Node> {
    let features = model.schema().features().iter().enumerate();
    features
        .map(|(index, feature)| Node {
            name: feature.name().into(),
            look: if member.super_parent == Some(index) { Look::SuperParent } else { Look::Feature },
        })
        .collect()
}

fn write_framed(out: &mut String, model: &Model, member: &Member) -> std::fmt::Result {
    let nodes = nodes(model, member);
    let arcs: Vec<(usize, usize)> = member.structure.arcs().collect();
    let drawing = lay_out(&widths(&nodes), &arcs);
    let class = Node { name: model.schema().class().name().into(), look: Look::Class };
    let class_width = text_width(&class.name) + 20.0;
    let inner = drawing.width.max(class_width);
    let (width, height) = (inner + 2.0 * (MARGIN + FRAME), drawing.height + BOX_HEIGHT + DROP + 2.0 * MARGIN + 2.0 * FRAME);
    open(out, model, width, height)?;
    let middle = width / 2.0;
    let class_place = Place { x: middle - class_width / 2.0, y: MARGIN, width: class_width, height: BOX_HEIGHT };
    if !nodes.is_empty() {
        let frame_top = MARGIN + BOX_HEIGHT + DROP;
        writeln!(
            out,
            r#"<rect class="frame" x="{MARGIN}" y="{frame_top}" width="{}" height="{}" rx="12"/>"#,
            round(width - 2.0 * MARGIN),
            round(height - frame_top - MARGIN)
        )?;
        writeln!(
            out,
            r#"<path class="all" d="M {0} {1} L {0} {2}" marker-end="url(#head)"/>"#,
            round(middle),
            MARGIN + BOX_HEIGHT,
            frame_top
        )?;
        writeln!(
            out,
            r#"<text class="hint" x="{}" y="{}">parent of every feature</text>"#,
            round(middle + 10.0),
            round(MARGIN + BOX_HEIGHT + DROP / 2.0)
        )?;
    }
    write_box(out, &class, class_place)?;
    let left = MARGIN + FRAME + (inner - drawing.width) / 2.0;
    write_graph(out, &nodes, &drawing, left, MARGIN + BOX_HEIGHT + DROP + FRAME)?;
    writeln!(out, "</svg>")
}

fn write_plain(out: &mut String, model: &Model, member: &Member) -> std::fmt::Result {
    let mut nodes = nodes(model, member);
    let class = nodes.len();
    nodes.push(Node { name: model.schema().class().name().into(), look: Look::Class });
    let families = member.structure.features().iter().enumerate();
    let from_class = families.filter(|(_, family)| family.class).map(|(feature, _)| (class, feature));
    let to_class = member.structure.class_parents().iter().map(|&parent| (parent, class));
    let arcs: Vec<(usize, usize)> = from_class.chain(to_class).chain(member.structure.arcs()).collect();
    let drawing = lay_out(&widths(&nodes), &arcs);
    open(out, model, drawing.width + 2.0 * MARGIN, drawing.height + 2.0 * MARGIN)?;
    write_graph(out, &nodes, &drawing, MARGIN, MARGIN)?;
    writeln!(out, "</svg>")
}

fn open(out: &mut String, model: &Model, width: f64, height: f64) -> std::fmt::Result {
    let (width, height) = (round(width), round(height));
    writeln!(
        out,
        r##"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">
<title>{}</title>
<defs><marker id="head" viewBox="0 0 10 8" refX="10" refY="4" markerWidth="9" markerHeight="7" markerUnits="userSpaceOnUse" orient="auto"><path d="M 0 0 L 10 4 L 0 8 z" fill="#44546a"/></marker></defs>
<style>
text {{ font: 13px Helvetica, Arial, "DejaVu Sans", sans-serif; fill: #1b2733; }}
.node text {{ text-anchor: middle; dominant-baseline: central; }}
.node rect {{ fill: #ffffff; stroke: #44546a; stroke-width: 1.2; }}
.node.class rect {{ fill: #1f4e79; stroke: #1f4e79; }}
.node.class text {{ fill: #ffffff; font-weight: bold; }}
.node.super rect {{ fill: #fce8c8; stroke: #b7791f; stroke-width: 2; }}
.arc {{ fill: none; stroke: #44546a; stroke-width: 1.2; }}
.all {{ fill: none; stroke: #44546a; stroke-width: 2; }}
.frame {{ fill: #f4f7fa; stroke: #9aa8b8; stroke-dasharray: 5 4; }}
.hint {{ font-size: 11px; fill: #5f6f80; }}
</style>
<rect width="100%" height="100%" fill="#ffffff"/>"##,
        escaped(model.learner())
    )
}

fn write_graph(out: &mut String, nodes: &[Node], drawing: &Drawing, left: f64, top: f64) -> std::fmt::Result {
    for arrow in &drawing.arrows {
        let [start, rest @ ..] = arrow.as_slice() else { continue };
        write!(out, r#"<path class="arc" d="M {} {}"#, round(start.0 + left), round(start.1 + top))?;
        for piece in rest.chunks_exact(3) {
            write!(out, " C")?;
            for (x, y) in piece {
                write!(out, " {} {}", round(x + left), round(y + top))?;
            }
        }
        writeln!(out, r#"" marker-end="url(#head)"/>"#)?;
    }
    for (node, place) in nodes.iter().zip(&drawing.boxes) {
        write_box(out, node, Place { x: place.x + left, y: place.y + top, ..*place })?;
    }
    Ok(())
}

fn write_box(out: &mut String, node: &Node, place: Place) -> std::fmt::Result {
    let class = match node.look {
        Look::Class => "node class",
        Look::Feature => "node",
        Look::SuperParent => "node super",
    };
    writeln!(
        out,
        r#"<g class="{class}"><title>{}</title><rect x="{}" y="{}" width="{}" height="{}" rx="{}"/><text x="{}" y="{}">{}</text></g>"#,
        escaped(&node.name),
        round(place.x),
        round(place.y),
        round(place.width),
        round(place.height),
        if node.look == Look::Class { 4 } else { 14 },
        round(place.x + place.width / 2.0),
        round(place.y + place.height / 2.0),
        escaped(&shortened(&node.name))
    )
}

fn widths(nodes: &[Node]) -> Vec<f64> {
    nodes.iter().map(|node| text_width(&node.name)).collect()
}

/// About as wide as the text of 13 pixels is: Latin letters by their average, all others as squares.
fn text_width(text: &str) -> f64 {
    let wide = |c: char| if c.is_ascii_uppercase() || matches!(c, 'm' | 'w' | '%' | '@') { 10.0 } else { 7.2 };
    shortened(text).chars().map(|c| if c.is_ascii() { wide(c) } else { 13.0 }).sum()
}

fn shortened(name: &str) -> String {
    if name.chars().count() <= MOST_CHARACTERS {
        return name.into();
    }
    let mut short: String = name.chars().take(MOST_CHARACTERS - 1).collect();
    short.push('…');
    short
}

/// Text that means itself in XML. Control characters, which XML cannot hold, become spaces.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            c if c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}') => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}

fn round(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}
