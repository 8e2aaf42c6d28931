//! Expressions of the time `t`, for motors, efforts, forces and prescribed motions.

use super::amount::{Aspect, Measure, wanted};
use crate::read::unit::Dimension;
use crate::read::{At, Definitions, Field, Reader, SourceValue, Span, Value};
use rattleback_dynamics::formula::{Formula, Operation};
use serde_json::{Value as Json, json};

/// An expression of time, with or without `=` before it; or a number in SI units, which is constant.
#[derive(Debug, Clone, PartialEq)]
pub struct FormulaSpec(Box<Said>);

#[derive(Debug, Clone, PartialEq)]
struct Said {
    formula: Formula,
    /// The text and its dimension; none where the result has no unit.
    unit: Option<(String, Dimension)>,
    /// Where it jumps, or its rate does.
    jump: Option<Span>,
}

impl Field for FormulaSpec {
    fn read(node: &SourceValue, reader: &mut Reader) -> Option<Self> {
        let Value::Text(text) = &node.value else {
            let number = match node.value {
                Value::Float(x) => Some(x),
                Value::Integer(x) => Some(x as f64),
                _ => None,
            };
            let formula = number.and_then(|x| Formula::new(vec![Operation::Number(x)]).ok());
            if formula.is_none() {
                reader.expected(node, "an expression of the time, such as \"0.2 rad * sin(2*pi*t/1 s)\"");
            }
            return Some(Self(Box::new(Said { formula: formula?, unit: None, jump: None })));
        };
        let found = reader.formula(node, text)?;
        let unit = (found.dimension != Dimension::NONE).then(|| (text.clone(), found.dimension));
        let begin = text.find('=').filter(|_| crate::read::is_expression(text)).map_or(0, |at| at + 1);
        let place = |span: Span| reader.place_within(node, text, begin + span.start..begin + span.end);
        Some(Self(Box::new(Said { formula: found.formula, unit, jump: found.jump.map(place) })))
    }

    fn schema(definitions: &mut Definitions) -> Json {
        definitions.define("FormulaSpec", &mut |_| {
            json!({
                "description": "An expression of the time t, such as \"0.2 rad * sin(2*pi*t/1 s)\", or a number in SI units.",
                "anyOf": [{"type": "number"}, {"type": "string"}],
            })
        })
    }
}

impl At<FormulaSpec> {
    /// The formula, if its unit is that of the aspect.
    pub(crate) fn take(&self, aspect: Aspect, measure: Measure, reader: &mut Reader) -> Option<Formula> {
        let (what, example, dimension) = wanted(aspect, measure);
        if let Some((text, found)) = &self.value.0.unit
            && !found.serves(&Dimension(dimension))
        {
            let found = found.described();
            reader.refuse_at(
                self,
                format!("found \"{text}\", {found}; expected {what}, such as \"{example}\""),
            );
            return None;
        }
        Some(self.value.0.formula.clone())
    }

    /// The same for what moves whatever it takes: a rate that jumps takes an infinite force.
    pub(crate) fn take_smooth(
        &self,
        aspect: Aspect,
        measure: Measure,
        help: &str,
        reader: &mut Reader,
    ) -> Option<Formula> {
        if let Some(jump) = &self.value.0.jump {
            let message = format!(
                "found a function whose value or rate jumps in a motion that is kept whatever it takes; expected smooth \
                 ones, such as `smoothstep`{help}"
            );
            let key = self.key.clone();
            reader.refuse_at(&At { value: (), key, span: jump.clone() }, message);
            return None;
        }
        self.take(aspect, measure, reader)
    }
}
