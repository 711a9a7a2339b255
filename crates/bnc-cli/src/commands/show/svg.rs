//! Structures as pictures.
//!
//! Where a node is a parent of all others, its arrows would hide the rest: it stands above a frame around the others, and
//! one arrow to the frame stands for them. That is the class of an augmented naive Bayes, and the super-parent of a
//! one-dependence estimator.

use std::fmt::Write;

use bnc_models::{Member, Model};

use super::drawing::{BOX_HEIGHT, Drawing, PADDING, Place, lay_out};
use crate::error::{Error, Result};

const MARGIN: f64 = 16.0;
/// Between the frame and what is inside.
const FRAME: f64 = 18.0;
/// From the nodes above to the frame.
const DROP: f64 = 44.0;
/// Between the nodes above.
const HEAD_GAP: f64 = 60.0;
/// Beyond it a picture is no help, and takes long to lay out.
const MOST_NODES: usize = 1000;
const MOST_CHARACTERS: usize = 40;

/// The picture as a document of its own.
pub(super) fn draw(model: &Model, member: &Member) -> Result<String> {
    let features = model.schema().features().len();
    if features > MOST_NODES {
        return Err(Error::failed(format!(
            "{features} features are too many for a picture (the limit is {MOST_NODES}); --format dot writes them for other programs"
        )));
    }
    let mut out = String::new();
    write(&mut out, model, &Picture::new(model, member))?;
    Ok(out)
}

/// How a box looks.
#[derive(Clone, Copy, PartialEq)]
enum Look {
    Class,
    Feature,
    SuperParent,
}

#[derive(Clone)]
struct Node {
    name: String,
    look: Look,
}

/// What is to be drawn.
struct Picture {
    /// The parents of all nodes, each a parent of the next.
    heads: Vec<Node>,
    nodes: Vec<Node>,
    arcs: Vec<(usize, usize)>,
}

impl Picture {
    fn new(model: &Model, member: &Member) -> Self {
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

fn write(out: &mut String, model: &Model, picture: &Picture) -> std::fmt::Result {
    let drawing = lay_out(&widths(&picture.nodes), &picture.arcs);
    let head_widths: Vec<f64> =
        widths(&picture.heads).iter().map(|&width| f64::from(width) + PADDING).collect();
    let heads_width = head_widths.iter().sum::<f64>() + HEAD_GAP * (head_widths.len().max(1) - 1) as f64;
    let is_framed = !picture.heads.is_empty() && !picture.nodes.is_empty();
    let above = if picture.heads.is_empty() { 0.0 } else { BOX_HEIGHT };
    let (drop, frame) = if is_framed { (DROP, FRAME) } else { (0.0, 0.0) };
    let inner = drawing.width.max(heads_width);
    let width = inner + 2.0 * (MARGIN + frame);
    let frame_top = MARGIN + above + drop;
    open(out, model, width, frame_top + drawing.height + 2.0 * frame + MARGIN)?;
    if is_framed {
        writeln!(
            out,
            r#"<rect class="frame" x="{MARGIN}" y="{}" width="{}" height="{}" rx="12"/>"#,
            round(frame_top),
            round(width - 2.0 * MARGIN),
            round(drawing.height + 2.0 * frame)
        )?;
    }
    let mut x = (width - heads_width) / 2.0;
    for (index, (head, &own)) in picture.heads.iter().zip(&head_widths).enumerate() {
        let (middle, bottom) = (round(x + own / 2.0), MARGIN + BOX_HEIGHT);
        if index > 0 {
            let y = MARGIN + BOX_HEIGHT / 2.0;
            arrow(out, "all", &format!("M {} {y} H {}", round(x - HEAD_GAP), round(x)))?;
        }
        if is_framed {
            arrow(out, "all", &format!("M {middle} {bottom} V {}", round(frame_top)))?;
        }
        write_box(out, head, Place { x, y: MARGIN, width: own, height: BOX_HEIGHT })?;
        x += own + HEAD_GAP;
        if is_framed && index + 1 == picture.heads.len() {
            let hint = if picture.heads.len() == 1 {
                "parent of every feature"
            } else {
                "parents of every feature below"
            };
            let y = round(bottom + DROP / 2.0);
            writeln!(out, r#"<text class="hint" x="{}" y="{y}" dy="0.35em">{hint}</text>"#, middle + 10.0)?;
        }
    }
    write_graph(
        out,
        &picture.nodes,
        &drawing,
        MARGIN + frame + (inner - drawing.width) / 2.0,
        frame_top + frame,
    )?;
    writeln!(out, "</svg>")
}

fn arrow(out: &mut String, class: &str, path: &str) -> std::fmt::Result {
    writeln!(out, r#"<path class="{class}" d="{path}" marker-end="url(#head)"/>"#)
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
.node text {{ text-anchor: middle; }}
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
    for pieces in &drawing.arrows {
        let mut path = String::new();
        for (index, piece) in pieces.iter().enumerate() {
            let ((x0, y0), (x1, y1)) = (piece.from, piece.to);
            let (start, turn, end) = (x0 + left, piece.turn + left, x1 + left);
            let (from, to) = (round(y0 + top), round(y1 + top));
            if index == 0 {
                write!(path, "M {} {from}", round(start))?;
            }
            let middle = round(f64::midpoint(turn, end));
            write!(path, " H {} C {middle} {from} {middle} {to} {} {to}", round(turn), round(end))?;
        }
        arrow(out, "arc", &path)?;
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
        r#"<g class="{class}"><title>{}</title><rect x="{}" y="{}" width="{}" height="{}" rx="{}"/><text x="{}" y="{}" dy="0.35em">{}</text></g>"#,
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

fn widths(nodes: &[Node]) -> Vec<u32> {
    nodes.iter().map(|node| text_width(&node.name)).collect()
}

/// About as many pixels as the text is wide: Latin letters by their average, all others as squares.
fn text_width(text: &str) -> u32 {
    let width = |c: char| match c {
        c if c.is_ascii_uppercase() || matches!(c, 'm' | 'w' | '%' | '@') => 10,
        c if c.is_ascii() => 7,
        _ => 13,
    };
    shortened(text).chars().map(width).sum()
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
