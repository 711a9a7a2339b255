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
            .map_err(|error| bad_constraint(&error, schema))
    }

    /// As [`Constraints::resolve`], for a learner that makes the class a parent of every feature and gives it none.
    ///
    /// # Errors
    /// Those of [`Constraints::resolve`]; [`Error::BadConstraint`] where an arc of the class is ruled out, or one into it
    /// required.
    pub fn resolve_augmented(&self, schema: &Schema) -> Result<ArcConstraints> {
        let constraints = self.resolve(schema)?;
        let class = schema.features().len();
        for (feature, variable) in schema.features().iter().enumerate() {
            let (name, class_name) = (variable.name(), schema.class().name());
            if !constraints.allows(class, feature) {
                return Err(Error::BadConstraint(format!(
                    "the class is a parent of every feature here, and the arc {class_name}:{name} is ruled out; gbn learns such networks"
                )));
            }
            if constraints.requires(feature, class) {
                return Err(Error::BadConstraint(format!(
                    "the class has no parents here, and the arc {name}:{class_name} is required; gbn learns such networks"
                )));
            }
        }
        Ok(constraints)
    }
}

/// What a search finds wrong with constraints, in the words of the schema.
#[must_use]
pub fn bad_constraint(error: &bnc_structure::Error, schema: &Schema) -> Error {
    Error::BadConstraint(explain(error, schema))
}

fn explain(error: &bnc_structure::Error, schema: &Schema) -> String {
    use bnc_structure::Error as Fault;
    let name = |&node: &usize| schema.features().get(node).unwrap_or(schema.class()).name();
    match error {
        Fault::RequiredAndForbidden { parent, child } => {
            let (parent, child) = (name(parent), name(child));
            format!("the arc {parent}:{child} is required, and forbidden or against the order")
        }
        Fault::SelfArc { node } => format!("'{}' cannot be its own parent", name(node)),
        Fault::RepeatedInOrder { node } => format!("the order lists '{}' twice", name(node)),
        Fault::RequiredCycle { node } => format!("the required arcs form a cycle through '{}'", name(node)),
        Fault::TwoRequiredParents { child, first, second } => {
            let (child, first, second) = (name(child), name(first), name(second));
            format!(
                "'{child}' can have one parent, and {first}:{child} and {second}:{child} are both required"
            )
        }
        other => other.to_string(),
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
            [parent, child] if !parent.is_empty() && !child.is_empty() => {
                Ok((unescape(parent), unescape(child)))
            }
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

#[cfg(test)]
mod tests {
    use bnc_data::{Domain, Variable};

    use super::*;
    use crate::{LearnerInfo, ParameterInfo};

    const INFO: LearnerInfo = LearnerInfo {
        name: "test",
        title: "",
        idea: "",
        when: "",
        parameters: &[ParameterInfo::REQUIRE, ParameterInfo::FORBID, ParameterInfo::ORDER],
        complexity: "",
        reference: "",
    };

    fn of(text: &str) -> Result<Constraints> {
        let spec: crate::LearnerSpec = text.parse()?;
        Constraints::of(&Parameters::new(&INFO, spec.parameters)?)
    }

    fn schema() -> Schema {
        let variable = |name: &str| Variable::new(name, Domain::Labels(vec!["0".into()])).unwrap();
        Schema::new(variable("y"), ["a", "b+c", "d,e"].map(variable).into()).unwrap()
    }

    fn fault(text: &str) -> String {
        of(text).and_then(|constraints| constraints.resolve(&schema())).unwrap_err().to_string()
    }

    #[test]
    fn names_with_separators_are_escaped() {
        let constraints = of(r"test:require=a:b\+c,forbid=d\,e:a,order=a+y").unwrap();
        assert_eq!(constraints.required, [("a".to_string(), "b+c".to_string())]);
        assert_eq!(constraints.forbidden, [("d,e".to_string(), "a".to_string())]);
        let resolved = constraints.resolve(&schema()).unwrap();
        assert_eq!(resolved.required().collect::<Vec<_>>(), [(0, 1)]);
        assert!(!resolved.allows(2, 0) && !resolved.allows(3, 0) && resolved.allows(0, 3));
    }

    #[test]
    fn an_empty_list_is_no_list() {
        let none = of("test:require=none,forbid=none,order=none").unwrap();
        assert_eq!(none, Constraints::default());
        assert!(none.resolve(&schema()).unwrap().is_empty());
    }

    #[test]
    fn what_cannot_be_had_is_said_by_name() {
        for (text, said) in [
            ("test:require=a:x", "there is no column 'x'"),
            ("test:require=a:y,forbid=a:y", "the arc a:y is required, and forbidden or against the order"),
            ("test:require=a:y,order=y+a", "the arc a:y is required, and forbidden or against the order"),
            ("test:require=a:y+y:a", "the required arcs form a cycle through 'a'"),
            ("test:forbid=a:a", "'a' cannot be its own parent"),
            ("test:order=a+y+a", "the order lists 'a' twice"),
            ("test:require=a", "PARENT:CHILD+PARENT:CHILD"),
            ("test:require=a:b:y", "PARENT:CHILD+PARENT:CHILD"),
            ("test:order=a++y", "FIRST+SECOND+THIRD"),
        ] {
            let fault = fault(text);
            assert!(fault.contains(said), "{text}: {fault}");
        }
    }
}
