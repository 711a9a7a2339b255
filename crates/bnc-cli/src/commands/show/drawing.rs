//! Where boxes and arrows of a graph go.
//!
//! layout-rs ranks the nodes and routes the arrows, from left to right, as the boxes are wider than high. Its spacing is
//! that of upright drawings, so the vertical one is halved. Nodes without arcs, of which it would make one endless column,
//! are set in rows below.

use layout::core::base::Orientation;
use layout::core::format::{ClipHandle, RenderBackend};
use layout::core::geometry::Point;
use layout::core::style::StyleAttr;
use layout::std_shapes::shapes::{Arrow, Element, ShapeKind};
use layout::topo::layout::VisualGraph;

/// The unit in which layout-rs measures text: its characters are as wide as the font is high.
const UNIT: usize = 7;
pub(super) const BOX_HEIGHT: f64 = 28.0;
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

/// A laid out graph.
#[derive(Debug, Default)]
pub(super) struct Drawing {
    /// One box a node.
    pub(super) boxes: Vec<Place>,
    /// Bézier curves: a start, then a triple of two control points and an end for each piece.
    pub(super) arrows: Vec<Vec<(f64, f64)>>,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// Lays out a graph without cycles; `widths` are those of the nodes' texts.
pub(super) fn lay_out(widths: &[f64], arcs: &[(usize, usize)]) -> Drawing {
    let width = |node: usize| widths[node] + 20.0;
    let mut drawing = Drawing {
        boxes: widths.iter().map(|_| Place { x: 0.0, y: 0.0, width: 0.0, height: BOX_HEIGHT }).collect(),
        ..Drawing::default()
    };
    let linked = |node: usize| arcs.iter().any(|&(from, to)| from == node || to == node);
    let (linked, alone): (Vec<usize>, Vec<usize>) = (0..widths.len()).partition(|&node| linked(node));
    if !linked.is_empty() {
        lay_out_linked(&linked, &width, arcs, &mut drawing);
    }
    lay_out_rows(&alone, &width, &mut drawing);
    drawing
}

fn lay_out_linked(nodes: &[usize], width: &impl Fn(usize) -> f64, arcs: &[(usize, usize)], drawing: &mut Drawing) {
    let mut graph = VisualGraph::new(Orientation::LeftToRight);
    let mut look = StyleAttr::simple();
    look.font_size = UNIT;
    let handles: Vec<_> = nodes
        .iter()
        .map(|&node| {
            // The text is measured only; what is shown is written by the caller.
            let text = "x".repeat((width(node) / UNIT as f64).ceil() as usize);
            let shape = ShapeKind::new_box(&text);
            let size = Point::new(width(node), BOX_HEIGHT);
            let element = Element::create_with_properties(shape, look.clone(), Orientation::LeftToRight, size, node.to_string());
            graph.add_node(element)
        })
        .collect();
    let position = |node: usize| nodes.binary_search(&node).ok();
    for &(from, to) in arcs {
        if let (Some(from), Some(to)) = (position(from), position(to)) {
            graph.add_edge(Arrow::simple(""), handles[from], handles[to]);
        }
    }
    let mut recorder = Recorder::default();
    graph.do_it(false, false, false, &mut recorder);
    recorder.move_into(drawing, width);
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

/// Takes down what layout-rs draws.
#[derive(Debug, Default)]
struct Recorder {
    /// The node and the centre of its box.
    centres: Vec<(usize, Point)>,
    arrows: Vec<Vec<Point>>,
}

impl Recorder {
    /// Moves everything to the origin, with the vertical distances made smaller.
    fn move_into(self, drawing: &mut Drawing, width: &impl Fn(usize) -> f64) {
        let scaled = |point: &Point| (point.x, point.y * VERTICAL_SCALE);
        for (node, centre) in &self.centres {
            let (x, y) = scaled(centre);
            let (width, height) = (width(*node), BOX_HEIGHT);
            drawing.boxes[*node] = Place { x: x - width / 2.0, y: y - height / 2.0, width, height };
        }
        drawing.arrows = self.arrows.iter().map(|path| path.iter().map(scaled).collect()).collect();
        let boxes = || self.centres.iter().map(|&(node, _)| node);
        let corners: Vec<(f64, f64)> = boxes()
            .map(|node| (drawing.boxes[node].x, drawing.boxes[node].y))
            .chain(drawing.arrows.iter().flatten().copied())
            .collect();
        let left = corners.iter().map(|&(x, _)| x).fold(f64::INFINITY, f64::min);
        let top = corners.iter().map(|&(_, y)| y).fold(f64::INFINITY, f64::min);
        for node in boxes() {
            let place = &mut drawing.boxes[node];
            place.x -= left;
            place.y -= top;
            drawing.width = drawing.width.max(place.x + place.width);
            drawing.height = drawing.height.max(place.y + place.height);
        }
        for (x, y) in drawing.arrows.iter_mut().flatten() {
            *x -= left;
            *y -= top;
            drawing.width = drawing.width.max(*x);
            drawing.height = drawing.height.max(*y);
        }
    }
}

impl RenderBackend for Recorder {
    fn draw_rect(&mut self, xy: Point, size: Point, _: &StyleAttr, node: Option<String>, _: Option<ClipHandle>) {
        if let Some(node) = node.and_then(|node| node.parse().ok()) {
            self.centres.push((node, Point::new(xy.x + size.x / 2.0, xy.y + size.y / 2.0)));
        }
    }

    fn draw_arrow(
        &mut self,
        path: &[(Point, Point)],
        _: bool,
        _: (bool, bool),
        _: &StyleAttr,
        _: Option<String>,
        _: &str,
    ) {
        // The first pair is a point with the control point behind it; in the others the control point comes first.
        // The control point behind an inner point mirrors the one before it.
        let mut points = Vec::with_capacity(3 * path.len());
        for (index, &(first, second)) in path.iter().enumerate() {
            match index {
                0 => points.extend([first, second]),
                1 => points.extend([first, second]),
                _ => {
                    let (control, end) = path[index - 1];
                    points.push(Point::new(2.0 * end.x - control.x, 2.0 * end.y - control.y));
                    points.extend([first, second]);
                }
            }
        }
        self.arrows.push(points);
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

    #[test]
    fn no_boxes_overlap_and_all_lie_inside() {
        let widths: Vec<f64> = (0..40).map(|node| f64::from(30 + node * 17 % 110)).collect();
        let tree: Vec<(usize, usize)> = (1..30).map(|node| ((node - 1) / 3, node)).collect();
        let chain: Vec<(usize, usize)> = (1..40).map(|node| (node - 1, node)).collect();
        let dense: Vec<(usize, usize)> = (2..40).flat_map(|node| [(node - 1, node), (node - 2, node)]).collect();
        for arcs in [vec![], tree, chain, dense] {
            let drawing = lay_out(&widths, &arcs);
            assert_eq!(drawing.arrows.len(), arcs.len());
            for (index, place) in drawing.boxes.iter().enumerate() {
                assert!(place.x >= 0.0 && place.y >= 0.0, "{place:?}");
                assert!(place.x + place.width <= drawing.width && place.y + place.height <= drawing.height);
                assert!(place.width >= widths[index]);
                for other in &drawing.boxes[..index] {
                    assert!(!overlap(place, other), "{place:?} {other:?}");
                }
            }
        }
    }
}
