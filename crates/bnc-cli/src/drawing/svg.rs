//! Pictures as SVG.

use std::fmt::Write;

use super::layout::{BOX_HEIGHT, Drawing, PADDING, Place, lay_out};
use super::picture::{Look, Node, Picture};
use crate::text::shortened;

const MARGIN: f64 = 16.0;
/// Between the frame and what is inside.
const FRAME: f64 = 18.0;
/// From the nodes above to the frame.
const DROP: f64 = 44.0;
/// Between the nodes above.
const HEAD_GAP: f64 = 60.0;
const MOST_CHARACTERS: usize = 40;

/// A document of its own, entitled `title`.
pub(super) fn document(title: &str, picture: &Picture) -> Result<String, std::fmt::Error> {
    let Drawn { content, width, height } = draw(picture)?;
    Ok(format!(
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
<rect width="100%" height="100%" fill="#ffffff"/>
{content}</svg>
"##,
        escaped(title)
    ))
}

/// A drawn picture: what is inside of its `svg` element, and how large that is.
pub(super) struct Drawn {
    pub(super) content: String,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// Draws a picture. Arrows end in the marker `head`, which the document is to define, and their looks are classes.
pub(super) fn draw(picture: &Picture) -> Result<Drawn, std::fmt::Error> {
    let mut content = String::new();
    let (width, height) = write(&mut content, picture)?;
    Ok(Drawn { content, width: round(width), height: round(height) })
}

/// Writes the content and gives its width and height.
fn write(out: &mut String, picture: &Picture) -> Result<(f64, f64), std::fmt::Error> {
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
    Ok((width, frame_top + drawing.height + 2.0 * frame + MARGIN))
}

fn arrow(out: &mut String, class: &str, path: &str) -> std::fmt::Result {
    writeln!(out, r#"<path class="{class}" d="{path}" marker-end="url(#head)"/>"#)
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
        escaped(&shortened(&node.name, MOST_CHARACTERS))
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
    shortened(text, MOST_CHARACTERS).chars().map(width).sum()
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
