//! Where boxes and arrows of a graph go.
//!
//! layout-rs ranks the nodes, orders them, and finds a way past other ranks for long arrows; it draws from left to right, as
//! the boxes are wider than high. Three things are changed here, so that no arrow runs behind a box: boxes of a rank start
//! at the same left edge, arrows leave and arrive in the middle of a side, and they turn between the ranks only. The
//! vertical spacing, which is meant for upright drawings, is halved. Nodes without arcs, of which layout-rs would make one
//! endless column, are set in rows below.

use layout::core::base::Orientation;
use layout::core::format::{ClipHandle, RenderBackend};
use layout::core::geometry::Point;
use layout::core::style::StyleAttr;
use layout::std_shapes::shapes::{Arrow, Element, ShapeKind};
use layout::topo::layout::VisualGraph;

/// The unit in which layout-rs measures text: its characters are as wide as the font is high.
const UNIT: usize = 7;
pub(super) const BOX_HEIGHT: f64 = 28.0;
/// Beside the text of a box, left and right together.
pub(super) const PADDING: f64 = 20.0;
const GAP: f64 = 14.0;
const VERTICAL_SCALE: f64 = 0.45;
/// Rows of nodes without arcs are about as wide.
const ROW_WIDTH: f64 = 860.0;

/// A box, by its top left corner.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Place {
    pub(super) x: f64,
    pub(super) y: f64,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// A piece of an arrow, from left to right.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Piece {
    pub(super) from: (f64, f64),
    /// Where the piece stops being level: it turns between here and `to`, at both of which it is level.
    pub(super) turn: f64,
    pub(super) to: (f64, f64),
}

/// A laid out graph.
#[derive(Debug, Default)]
pub(super) struct Drawing {
    /// One box a node.
    pub(super) boxes: Vec<Place>,
    /// One arrow an arc.
    pub(super) arrows: Vec<Vec<Piece>>,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// Lays out a graph without cycles; `widths` are those of the nodes' texts.
pub(super) fn lay_out(widths: &[u32], arcs: &[(usize, usize)]) -> Drawing {
    let width = |node: usize| f64::from(widths[node]) + PADDING;
    let mut drawing = Drawing {
        boxes: widths.iter().map(|_| Place { x: 0.0, y: 0.0, width: 0.0, height: BOX_HEIGHT }).collect(),
        ..Drawing::default()
    };
    let linked = |node: usize| arcs.iter().any(|&(from, to)| from == node || to == node);
    let (linked, alone): (Vec<usize>, Vec<usize>) = (0..widths.len()).partition(|&node| linked(node));
    if !linked.is_empty() {
        lay_out_linked(&linked, widths, arcs, &mut drawing);
    }
    lay_out_rows(&alone, &width, &mut drawing);
    drawing
}

fn lay_out_linked(nodes: &[usize], widths: &[u32], arcs: &[(usize, usize)], drawing: &mut Drawing) {
    let width = |node: usize| f64::from(widths[node]) + PADDING;
    let mut graph = VisualGraph::new(Orientation::LeftToRight);
    let mut look = StyleAttr::simple();
    look.font_size = UNIT;
    let handles: Vec<_> = nodes
        .iter()
        .map(|&node| {
            // The text is measured only; what is shown is written by the caller.
            let text = "x".repeat(widths[node] as usize / UNIT + 1);
            let shape = ShapeKind::new_box(&text);
            let size = Point::new(width(node), BOX_HEIGHT);
            let element = Element::create_with_properties(
                shape,
                look.clone(),
                Orientation::LeftToRight,
                size,
                node.to_string(),
            );
            graph.add_node(element)
        })
        .collect();
    let position = |node: usize| nodes.binary_search(&node).ok();
    for index in by_depth(widths.len(), arcs) {
        let (from, to) = arcs[index];
        if let (Some(from), Some(to)) = (position(from), position(to)) {
            let mut arrow = Arrow::simple("");
            arrow.properties = Some(index.to_string());
            graph.add_edge(arrow, handles[from], handles[to]);
        }
    }
    // It would look for cycles along every path, of which there may be exponentially many.
    graph.dag.set_validate(false);
    let mut recorder = Recorder { bends: vec![Vec::new(); arcs.len()], ..Recorder::default() };
    graph.do_it(false, false, false, &mut recorder);
    place_boxes(&recorder, &width, drawing);
    drawing.arrows = arcs
        .iter()
        .zip(&recorder.bends)
        .map(|(&(from, to), bends)| route(&drawing.boxes, &recorder, from, to, bends))
        .collect();
    move_to_origin(nodes, drawing);
}

/// The arcs so that those into a node come before those out of it. For each arc layout-rs follows all paths from its end;
/// in this order there are none yet.
fn by_depth(nodes: usize, arcs: &[(usize, usize)]) -> Vec<usize> {
    let mut depth = vec![0; nodes];
    let mut settled = false;
    while !settled {
        settled = true;
        for &(from, to) in arcs {
            if depth[to] <= depth[from] {
                depth[to] = depth[from] + 1;
                settled = false;
            }
        }
    }
    let mut order: Vec<usize> = (0..arcs.len()).collect();
    order.sort_by_key(|&index| depth[arcs[index].1]);
    order
}

/// Puts the boxes where layout-rs put their centres; those of a rank, whose centres are one below the other, start at the
/// left edge of the widest.
fn place_boxes(recorder: &Recorder, width: &impl Fn(usize) -> f64, drawing: &mut Drawing) {
    for &(node, (x, y)) in &recorder.centres {
        let left = x - recorder.rank(x).map(width).fold(0.0, f64::max) / 2.0;
        drawing.boxes[node] =
            Place { x: left, y: y - BOX_HEIGHT / 2.0, width: width(node), height: BOX_HEIGHT };
    }
}

/// The pieces of an arrow: level to the right edge of its rank, then by way of the bends to the other box.
fn route(boxes: &[Place], recorder: &Recorder, from: usize, to: usize, bends: &[(f64, f64)]) -> Vec<Piece> {
    let middle = |node: usize| boxes[node].y + boxes[node].height / 2.0;
    let edge = |node: usize| boxes[node].x + boxes[node].width;
    let centre = recorder.centres.iter().find(|(node, _)| *node == from).map_or(0.0, |&(_, (x, _))| x);
    let mut turn = recorder.rank(centre).map(edge).fold(edge(from), f64::max);
    let mut last = (edge(from), middle(from));
    let mut pieces = Vec::with_capacity(bends.len() + 1);
    for &to in bends.iter().chain([&(boxes[to].x, middle(to))]) {
        pieces.push(Piece { from: last, turn: turn.min(to.0), to });
        last = to;
        turn = to.0;
    }
    pieces
}

fn move_to_origin(nodes: &[usize], drawing: &mut Drawing) {
    let boxes = || nodes.iter().copied();
    let ends = drawing.arrows.iter().flatten().map(|piece| piece.to);
    let corners: Vec<(f64, f64)> =
        boxes().map(|node| (drawing.boxes[node].x, drawing.boxes[node].y)).chain(ends).collect();
    let left = corners.iter().map(|&(x, _)| x).fold(f64::INFINITY, f64::min);
    let top = corners.iter().map(|&(_, y)| y).fold(f64::INFINITY, f64::min);
    for node in boxes() {
        let place = &mut drawing.boxes[node];
        place.x -= left;
        place.y -= top;
        drawing.width = drawing.width.max(place.x + place.width);
        drawing.height = drawing.height.max(place.y + place.height);
    }
    for piece in drawing.arrows.iter_mut().flatten() {
        piece.turn -= left;
        for point in [&mut piece.from, &mut piece.to] {
            point.0 -= left;
            point.1 -= top;
        }
        drawing.height = drawing.height.max(piece.to.1);
    }
}

fn lay_out_rows(nodes: &[usize], width: &impl Fn(usize) -> f64, drawing: &mut Drawing) {
    let limit = ROW_WIDTH.max(drawing.width);
    let mut x = 0.0;
    let mut y = if drawing.height > 0.0 { drawing.height + GAP } else { 0.0 };
    for &node in nodes {
        let width = width(node);
        if x > 0.0 && x + width > limit {
            x = 0.0;
            y += BOX_HEIGHT + GAP;
        }
        drawing.boxes[node] = Place { x, y, width, height: BOX_HEIGHT };
        drawing.width = drawing.width.max(x + width);
        drawing.height = drawing.height.max(y + BOX_HEIGHT);
        x += width + GAP;
    }
}

/// Takes down what layout-rs draws, with the vertical distances made smaller.
#[derive(Debug, Default)]
struct Recorder {
    /// The nodes with the centres of their boxes.
    centres: Vec<(usize, (f64, f64))>,
    /// For each arc the points on its way past other ranks.
    bends: Vec<Vec<(f64, f64)>>,
}

impl Recorder {
    /// The nodes whose centres are at `x`.
    fn rank(&self, x: f64) -> impl Iterator<Item = usize> {
        self.centres.iter().filter(move |(_, centre)| (centre.0 - x).abs() < 1.0).map(|&(node, _)| node)
    }
}

impl RenderBackend for Recorder {
    fn draw_rect(
        &mut self,
        xy: Point,
        size: Point,
        _: &StyleAttr,
        node: Option<String>,
        _: Option<ClipHandle>,
    ) {
        if let Some(node) = node.and_then(|node| node.parse().ok()) {
            self.centres.push((node, (xy.x + size.x / 2.0, (xy.y + size.y / 2.0) * VERTICAL_SCALE)));
        }
    }

    fn draw_arrow(
        &mut self,
        path: &[(Point, Point)],
        _: bool,
        _: (bool, bool),
        _: &StyleAttr,
        arc: Option<String>,
        _: &str,
    ) {
        // The second point of each entry but the first is one that the arrow passes; the last one is its end.
        let Some(bends) =
            arc.and_then(|arc| arc.parse::<usize>().ok()).and_then(|arc| self.bends.get_mut(arc))
        else {
            return;
        };
        let inner = path.get(1..path.len().saturating_sub(1)).unwrap_or_default();
        bends.extend(inner.iter().map(|(_, point)| (point.x, point.y * VERTICAL_SCALE)));
    }

    fn draw_line(&mut self, _: Point, _: Point, _: &StyleAttr, _: Option<String>) {}

    fn draw_circle(&mut self, _: Point, _: Point, _: &StyleAttr, _: Option<String>) {}

    fn draw_text(&mut self, _: Point, _: &str, _: &StyleAttr) {}

    fn create_clip(&mut self, _: Point, _: Point, _: usize) -> ClipHandle {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn overlap(a: &Place, b: &Place) -> bool {
        a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
    }

    /// The height of a piece at `x`.
    fn height_at(piece: &Piece, x: f64) -> f64 {
        let ((_, y0), (x1, y1)) = (piece.from, piece.to);
        let share = ((x - piece.turn) / (x1 - piece.turn).max(1e-9)).clamp(0.0, 1.0);
        // On a curve with both control points half way, x and y are polynomials of t; find t by bisection.
        let curve = |t: f64, a: f64, b: f64, c: f64, d: f64| {
            let u = 1.0 - t;
            u * u * u * a + 3.0 * u * u * t * b + 3.0 * u * t * t * c + t * t * t * d
        };
        let (mut low, mut high) = (0.0, 1.0);
        for _ in 0..40 {
            let t = f64::midpoint(low, high);
            if curve(t, 0.0, 0.5, 0.5, 1.0) < share { low = t } else { high = t }
        }
        curve(low, y0, y0, y1, y1)
    }

    fn crosses(piece: &Piece, place: &Place) -> bool {
        let (first, last) = (piece.from.0.max(place.x + 1.0), piece.to.0.min(place.x + place.width - 1.0));
        (0..=20).map(|step| first + (last - first) * f64::from(step) / 20.0).any(|x| {
            let y = height_at(piece, x);
            first < last && y > place.y + 1.0 && y < place.y + place.height - 1.0
        })
    }

    #[test]
    fn arrows_run_from_box_to_box_and_behind_none() {
        let widths: Vec<u32> = (0..40).map(|node| 30 + node * 53 % 150).collect();
        let tree: Vec<(usize, usize)> = (1..40).map(|node| ((node - 1) / 4, node)).collect();
        let fan: Vec<(usize, usize)> = (1..40).map(|node| (0, node)).collect();
        for arcs in [tree, fan] {
            let drawing = lay_out(&widths, &arcs);
            for (&(from, to), pieces) in arcs.iter().zip(&drawing.arrows) {
                let (start, end) = (drawing.boxes[from], drawing.boxes[to]);
                let near = |a: (f64, f64), b: (f64, f64)| (a.0 - b.0).hypot(a.1 - b.1) < 1e-6;
                assert!(near(pieces[0].from, (start.x + start.width, start.y + start.height / 2.0)));
                assert!(near(pieces[pieces.len() - 1].to, (end.x, end.y + end.height / 2.0)));
                for piece in pieces {
                    assert!(piece.from.0 <= piece.turn && piece.turn <= piece.to.0, "{piece:?}");
                    assert!(!drawing.boxes.iter().any(|place| crosses(piece, place)), "{piece:?}");
                }
            }
        }
    }

    #[test]
    fn no_boxes_overlap_and_all_lie_inside() {
        let widths: Vec<u32> = (0..40).map(|node| 30 + node * 17 % 110).collect();
        let tree: Vec<(usize, usize)> = (1..30).map(|node| ((node - 1) / 3, node)).collect();
        let chain: Vec<(usize, usize)> = (1..40).map(|node| (node - 1, node)).collect();
        let dense: Vec<(usize, usize)> =
            (2..40).flat_map(|node| [(node - 1, node), (node - 2, node)]).collect();
        for arcs in [vec![], tree, chain, dense] {
            let drawing = lay_out(&widths, &arcs);
            assert_eq!(drawing.arrows.len(), arcs.len());
            for (index, place) in drawing.boxes.iter().enumerate() {
                assert!(place.x >= 0.0 && place.y >= 0.0, "{place:?}");
                assert!(place.x + place.width <= drawing.width && place.y + place.height <= drawing.height);
                assert!(place.width >= f64::from(widths[index]));
                for other in &drawing.boxes[..index] {
                    assert!(!overlap(place, other), "{place:?} {other:?}");
                }
            }
        }
    }
}
