//! Values and dimensions of expressions.

use super::{Expression, Item, Kind, Mistake, Scope, TIME};
use crate::read::unit::{Dimension, Measured};
use rattleback_dynamics::formula::{Formula, Function, Operation};
use std::ops::Range;

/// What an expression says.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Evaluated {
    pub(crate) dimension: Dimension,
    /// In SI units, by the time in s.
    pub(crate) formula: Formula,
    /// Where it calls a function that jumps, or whose rate does, of something that moves.
    pub(crate) jump: Option<Range<usize>>,
}

/// An operand under way.
#[derive(Debug, Clone)]
struct Operand {
    /// The value, where it does not depend on the time.
    value: Option<f64>,
    dimension: Dimension,
    /// A zero as it is written, which goes with every dimension.
    is_zero: bool,
    /// Where its operations begin.
    begin: usize,
    span: Range<usize>,
}

/// An evaluation under way.
struct Evaluation {
    operands: Vec<Operand>,
    operations: Vec<Operation>,
    jump: Option<Range<usize>>,
}

impl Expression {
    /// The value of an expression without time in a turn of a loop; nothing where a parameter is wrong.
    pub(crate) fn value(&self, scope: &Scope, turn: u32) -> Result<Option<Measured>, Mistake> {
        let found = self.evaluate(scope, turn)?;
        Ok(found.map(|found| Measured { value: found.formula.at(0.0)[0], dimension: found.dimension }))
    }

    /// Its formula and dimension; nothing where a parameter is wrong.
    pub(crate) fn evaluate(&self, scope: &Scope, turn: u32) -> Result<Option<Evaluated>, Mistake> {
        let mut evaluation = Evaluation { operands: Vec::new(), operations: Vec::new(), jump: None };
        for item in &self.items {
            let Some((value, dimension)) = self.operand(item, scope, turn)? else {
                match &item.kind {
                    Kind::Call(function) => evaluation.call(*function, item.span.clone())?,
                    _ => return Ok(None),
                }
                continue;
            };
            let is_zero = item.kind == Kind::Number(0.0);
            let operand = Operand {
                value,
                dimension,
                is_zero,
                begin: evaluation.operations.len(),
                span: item.span.clone(),
            };
            evaluation.operations.push(value.map_or(Operation::Time, Operation::Number));
            evaluation.operands.push(operand);
        }
        let whole = self.items.last().map_or(0..0, |item| item.span.clone());
        let dimension = evaluation.operands.first().map_or(Dimension::NONE, |operand| operand.dimension);
        let formula = Formula::new(evaluation.operations).map_err(|error| Mistake {
            span: whole,
            message: error.to_string(),
            help: None,
        })?;
        Ok(Some(Evaluated { dimension, formula, jump: evaluation.jump }))
    }

    /// Value and dimension of what is no function; the time has no value. Nothing where a parameter is wrong.
    #[allow(clippy::type_complexity, reason = "a value and its dimension, if there are any")]
    fn operand(
        &self,
        item: &Item,
        scope: &Scope,
        turn: u32,
    ) -> Result<Option<(Option<f64>, Dimension)>, Mistake> {
        match &item.kind {
            Kind::Call(_) => Ok(None),
            Kind::Number(value) => finite(*value, Dimension::NONE, item).map(Some),
            Kind::Measured(value, dimension) => finite(*value, Dimension(*dimension), item).map(Some),
            Kind::Name(name) if self.has_time && name == TIME => {
                Ok(Some((None, Dimension([0.0, 0.0, 1.0, 0.0]))))
            }
            Kind::Name(name) => match scope.find(name, turn) {
                Some(Some(found)) => Ok(Some((Some(found.value), found.dimension))),
                Some(None) => Ok(None),
                None => Err(self.unknown(name, item, scope, turn)),
            },
        }
    }

    fn unknown(&self, name: &str, item: &Item, scope: &Scope, turn: u32) -> Mistake {
        let mut names = scope.names(turn);
        if self.has_time {
            names.push(TIME);
        }
        let near = crate::read::nearest(name, &names).map(|near| format!("did you mean `{near}`?"));
        let is_function = Function::NAMED.iter().any(|(other, _)| *other == name);
        let message = if is_function {
            format!("the function `{name}` has no arguments; expected them in parentheses")
        } else {
            format!("nothing is named `{name}`; expected a parameter, a constant or a unit")
        };
        Mistake { span: item.span.clone(), message, help: near }
    }
}

fn finite(value: f64, dimension: Dimension, item: &Item) -> Result<(Option<f64>, Dimension), Mistake> {
    if value.is_finite() {
        return Ok((Some(value), dimension));
    }
    let message = "found a number that is too large".to_owned();
    Err(Mistake { span: item.span.clone(), message, help: None })
}

impl Evaluation {
    /// Applies a function to the last operands.
    fn call(&mut self, function: Function, span: Range<usize>) -> Result<(), Mistake> {
        let first = self.operands.len().saturating_sub(function.arguments());
        let arguments = self.operands.split_off(first);
        let dimension = dimension(function, &arguments)?;
        let begin = arguments.first().map_or(self.operations.len(), |operand| operand.begin);
        let values: Option<Vec<f64>> = arguments.iter().map(|operand| operand.value).collect();
        let value = values.map(|values| function.value(&values));
        match value {
            Some(value) if value.is_finite() => {
                self.operations.truncate(begin);
                self.operations.push(Operation::Number(value));
            }
            Some(value) => {
                let found = if value.is_nan() { "no real number" } else { "no finite number" };
                return Err(Mistake { span, message: format!("this is {found}"), help: None });
            }
            None => {
                self.operations.push(Operation::Call(function));
                if !function.is_smooth() {
                    self.jump.get_or_insert_with(|| span.clone());
                }
            }
        }
        self.operands.push(Operand { value, dimension, is_zero: false, begin, span });
        Ok(())
    }
}

/// The dimension of what a function makes of its arguments.
fn dimension(function: Function, arguments: &[Operand]) -> Result<Dimension, Mistake> {
    use Function as F;
    let [first, others @ ..] = arguments else { return Ok(Dimension::NONE) };
    let number = Dimension::NONE;
    match function {
        F::Add | F::Subtract | F::Least | F::Greatest | F::Modulo | F::Hypotenuse => common(arguments),
        F::ArcTangent2 => common(arguments).map(|_| Dimension([0.0, 0.0, 0.0, 1.0])),
        F::SmoothStep => common(arguments).map(|_| number),
        F::Multiply => Ok(first.dimension.times(&others[0].dimension, 1.0)),
        F::Divide => Ok(first.dimension.times(&others[0].dimension, -1.0)),
        F::Negate | F::Absolute => Ok(first.dimension),
        F::SquareRoot => Ok(number.times(&first.dimension, 0.5)),
        F::Power => power(first, &others[0]),
        F::Sine | F::Cosine | F::Tangent => taken(first, "a number or an angle", true).map(|()| number),
        F::ArcSine | F::ArcCosine | F::ArcTangent => {
            taken(first, "a number without unit", false).map(|()| Dimension([0.0, 0.0, 0.0, 1.0]))
        }
        F::Exponential | F::Logarithm | F::HyperbolicTangent => {
            taken(first, "a number without unit", true).map(|()| number)
        }
        F::Floor | F::Ceiling | F::Round => {
            taken(first, "a number without unit, such as a length over a length", false).map(|()| number)
        }
    }
}

/// The one dimension of all arguments.
fn common(arguments: &[Operand]) -> Result<Dimension, Mistake> {
    let mut found: Option<Dimension> = None;
    for operand in arguments.iter().filter(|operand| !operand.is_zero) {
        let Some(before) = found else {
            found = Some(operand.dimension);
            continue;
        };
        found = Some(before.sum(&operand.dimension).ok_or_else(|| {
            let (own, before) = (operand.dimension.described(), before.described());
            let message = format!("found {own} together with {before}; expected one and the same");
            let is_bare = operand.dimension == Dimension::NONE || before.contains("without unit");
            let help = is_bare.then(|| "a number needs its unit here, such as `2 mm`".to_owned());
            Mistake { span: operand.span.clone(), message, help }
        })?);
    }
    Ok(found.unwrap_or(Dimension::NONE))
}

fn power(base: &Operand, exponent: &Operand) -> Result<Dimension, Mistake> {
    taken(exponent, "a number without unit", false)?;
    if base.dimension == Dimension::NONE {
        return Ok(Dimension::NONE);
    }
    match exponent.value {
        Some(power) => Ok(Dimension::NONE.times(&base.dimension, power)),
        None => {
            let found = base.dimension.described();
            let message =
                format!("found {found} raised to a power that moves; expected a number without unit");
            Err(Mistake { span: base.span.clone(), message, help: None })
        }
    }
}

/// Refuses what has a unit.
fn taken(operand: &Operand, expected: &str, angles: bool) -> Result<(), Mistake> {
    let dimension = operand.dimension;
    if dimension == Dimension::NONE || angles && dimension.is_number_or_angle() {
        return Ok(());
    }
    let message = format!("found {}; expected {expected}", dimension.described());
    Err(Mistake { span: operand.span.clone(), message, help: None })
}

impl Dimension {
    /// Its name, or its unit where it has none.
    pub(crate) fn described(&self) -> String {
        match self.name() {
            "another quantity" => format!("a quantity in {}", self.unit()),
            name => name.to_owned(),
        }
    }
}
