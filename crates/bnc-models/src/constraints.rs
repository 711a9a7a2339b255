//! Arcs that a learner must and must not use, by the names of the columns.

use std::str::FromStr;

use bnc_data::Schema;
use bnc_structure::ArcConstraints;

use crate::spelling::{split, unescape};
use crate::{Error, Parameters, Result};

/// What a user knows about the arcs of a structure. Nothing is constrained by default; an empty list is no list.
///
/// As text, arcs are written `PARENT:CHILD+PARENT:CHILD` and an order `FIRST+SECOND+THIRD`; a backslash takes the meaning
/// from a character that a name contains.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Constraints {
    /// Arcs (parent, child) that must be there.
    pub required: Vec<(String, String)>,
    /// Arcs (parent, child) that must not be there.
    pub forbidden: Vec<(String, String)>,
    /// Of two columns listed here the later is never a parent of the earlier.
    pub order: Vec<String>,
}

impl Constraints {
    /// The constraints among the parameters `require`, `forbid` and `order`.
    ///
    /// # Errors
    /// [`Error::BadParameter`] for text that is no list of arcs.
    pub fn of(parameters: &Parameters) -> Result<Self> {
        let arcs = |key| {
            let arcs = parameters.get::<Arcs>(key, ARCS)?;
            Ok::<_, Error>(arcs.map_or_else(Vec::new, |arcs| arcs.0))
        };
        let order = parameters.get::<Names>("order", NAMES)?;
        Ok(Self {
            required: arcs("require")?,
            forbidden: arcs("forbid")?,
            order: order.map_or_else(Vec::new, |names| names.0),
        })
    }

    /// The constraints over the columns of a schema; the class is the node after the last feature.
    ///
    /// # Errors
    /// [`Error::BadConstraint`] for a name that is no column, and for constraints that contradict each other.
    pub fn resolve(&self, schema: &Schema) -> Result<ArcConstraints> {
        let node = |name: &String| -> Result<usize> {
            if name == schema.class().name() {
                return Ok(schema.features().len());
            }
            let place = schema.features().iter().position(|feature| feature.name() == name);
            place.ok_or_else(|| Error::BadConstraint(format!("there is no column '{name}'")))
        };
        let arcs = |arcs: &[(String, String)]| -> Result<Vec<(usize, usize)>> {
            arcs.iter().map(|(parent, child)| Ok((node(parent)?, node(child)?))).collect()
        };
        let order = self.order.iter().map(node).collect::<Result<Vec<usize>>>()?;
        let nodes = schema.features().len() + 1;
        ArcConstraints::new(nodes, &arcs(&self.required)?, &arcs(&self.forbidden)?, &order)
            .map_err(|error| Error::BadConstraint(self.explain(&error, schema)))
    }

    /// The contradiction in the words of the schema.
    fn explain(&self, error: &bnc_structure::Error, schema: &Schema) -> String {
        let name = |&node: &usize| schema.features().get(node).unwrap_or(schema.class()).name().to_string();
        match error {
            bnc_structure::Error::RequiredAndForbidden { parent, child } => {
                format!("the arc {}:{} is both required and ruled out", name(parent), name(child))
            }
            bnc_structure::Error::SelfArc { node } => format!("'{}' cannot be its own parent", name(node)),
            bnc_structure::Error::RepeatedInOrder { node } => format!("the order lists '{}' twice", name(node)),
            bnc_structure::Error::RequiredCycle { node } => {
                format!("the required arcs form a cycle through '{}'", name(node))
            }
            other => other.to_string(),
        }
    }
}

const ARCS: &str = "PARENT:CHILD+PARENT:CHILD with the names of columns, or none";
const NAMES: &str = "FIRST+SECOND+THIRD with the names of columns, or none";
const NONE: &str = "none";

struct Arcs(Vec<(String, String)>);

impl FromStr for Arcs {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == NONE {
            return Ok(Self(Vec::new()));
        }
        let arc = |part: &str| match split(part, ':').as_slice() {
            [parent, child] if !parent.is_empty() && !child.is_empty() => Ok((unescape(parent), unescape(child))),
            _ => Err(ARCS.to_string()),
        };
        split(text, '+').into_iter().map(arc).collect::<Result<_, _>>().map(Self)
    }
}

struct Names(Vec<String>);

impl FromStr for Names {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == NONE {
            return Ok(Self(Vec::new()));
        }
        let name = |part: &str| if part.is_empty() { Err(NAMES.to_string()) } else { Ok(unescape(part)) };
        split(text, '+').into_iter().map(name).collect::<Result<_, _>>().map(Self)
    }
}
