//! Structures as pictures: alone as a document of its own, or inside a page.
//!
//! Where a node is a parent of all others, its arrows would hide the rest: it stands above a frame around the others, and
//! one arrow to the frame stands for them. That is the class of an augmented naive Bayes, and the super-parent of a
//! one-dependence estimator.

mod layout;
mod picture;
mod svg;

use bnc_models::{Member, Model};
use maud::{Markup, PreEscaped, html};

use self::picture::Picture;
use self::svg::Drawn;
use crate::error::{Error, Result};

/// Beyond it a picture is no help, and takes long to lay out.
const MOST_NODES: usize = 1000;

/// Pictures of such widths may shrink to the lower one of their class, if the page is not wider; still wider ones could not be
/// read then.
const SHRINKING: [(std::ops::Range<f64>, &str); 2] =
    [(704.0..1250.0, "network wide"), (1250.0..1750.0, "network wider")];

/// The picture as a document of its own.
pub(crate) fn document(model: &Model, member: &Member) -> Result<String> {
    let features = model.schema().features().len();
    if features > MOST_NODES {
        return Err(Error::failed(format!(
            "{features} features are too many for a picture (the limit is {MOST_NODES}); --format dot writes them for other programs"
        )));
    }
    Ok(svg::document(model.learner(), &Picture::new(model, member))?)
}

/// Whether a picture has no other arcs than those from a node to all others.
pub(crate) fn is_star(model: &Model, member: &Member) -> bool {
    Picture::new(model, member).arcs.is_empty()
}

/// The picture as an element of a page, which colours it by class and defines the marker `head` ([`arrow_heads`]); `label` says
/// what it is to those who do not see it.
pub(crate) fn element(model: &Model, member: &Member, label: &str) -> Result<Markup> {
    let Drawn { content, width, height } = svg::draw(&Picture::new(model, member))?;
    let view_box = format!("0 0 {width} {height}");
    let class = SHRINKING.iter().find(|(widths, _)| widths.contains(&width)).map_or("network", |it| it.1);
    Ok(html! {
        svg class=(class) role="img" aria-label=(label) width=(width) height=(height) viewBox=(view_box) {
            (PreEscaped(content))
        }
    })
}

/// The heads of the arrows of all pictures of a page.
pub(crate) fn arrow_heads() -> Markup {
    html! {
        svg class="definitions" aria-hidden="true" width="0" height="0" {
            defs {
                marker id="head" viewBox="0 0 10 8" refX="10" refY="4" markerWidth="9" markerHeight="7"
                    markerUnits="userSpaceOnUse" orient="auto" {
                    path d="M 0 0 L 10 4 L 0 8 z" {}
                }
            }
        }
    }
}
