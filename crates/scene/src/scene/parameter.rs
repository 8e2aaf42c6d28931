//! `[parameters]`: numbers by name, for the expressions of a scene.
//!
//! A parameter is a number in SI units, text with a unit, or an expression of other parameters, in whatever order. All
//! that depend on each other in a circle are refused with the way around it.

use crate::read::expression::{Expression, Scope, is_name, taken};
use crate::read::unit::{Dimension, Measured};
use crate::read::{
    Complaint, Definitions, Field, Reader, Source, SourceValue, Step, Value, is_expression, nearest,
    parse_unit,
};
use serde_json::{Value as Json, json};
use std::collections::{BTreeMap, BTreeSet};

/// A parameter, which is read before all the rest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ParameterSpec;

impl Field for ParameterSpec {
    fn read(_: &SourceValue, _: &mut Reader) -> Option<Self> {
        Some(Self)
    }

    fn schema(definitions: &mut Definitions) -> Json {
        definitions.define("Parameter", &mut |_| {
            json!({
                "description": "A number in SI units, text with a unit, or an expression after `=`.",
                "anyOf": [{"type": "number"}, {"type": "string"}],
            })
        })
    }
}

/// A value that a parameter of a scene may be given: a number in SI units, with its unit.
#[derive(Debug, Clone, PartialEq)]
pub struct ParameterValue {
    /// In SI units.
    pub value: f64,
    /// The unit, such as `kg m^-3`; empty where there is none.
    pub unit: String,
}

impl ParameterValue {
    /// As text that is read back to the same bits.
    pub fn text(&self) -> String {
        format!("{:?} {}", self.value, self.unit).trim_end().to_owned()
    }

    /// A parameter with this value.
    pub fn setting(&self, name: &str) -> Setting {
        Setting { name: name.to_owned(), value: self.text() }
    }
}

impl Field for ParameterValue {
    fn read(node: &SourceValue, reader: &mut Reader) -> Option<Self> {
        read_value(node, reader).map(|found| Self { value: found.value, unit: found.dimension.unit() })
    }

    fn schema(definitions: &mut Definitions) -> Json {
        ParameterSpec::schema(definitions)
    }
}

/// A parameter under way: its place in the tree, its text and what it needs.
struct Pending<'n> {
    name: &'n str,
    node: &'n SourceValue,
    needs: BTreeSet<usize>,
}

/// Reads the parameters of a scene into the reader's scope.
pub(super) fn read(scene: &SourceValue, reader: &mut Reader) {
    let Some(Value::Table(entries)) = scene.get("parameters").map(|node| &node.value) else { return };
    reader.within(Step::Key("parameters".into()), |reader| {
        let mut pending = Vec::new();
        for (key, node) in entries {
            let name = key.name.as_str();
            let wrong = match taken(name) {
                Some(what) => Some(format!("`{name}` is {what}; expected another name")),
                None if !is_name(name) => Some(format!(
                    "`{name}` cannot stand in expressions; expected a name of letters, digits and `_`"
                )),
                None => None,
            };
            if let Some(message) = wrong {
                reader.refuse(&key.span, message);
            }
            // What is wrong with a value is told at the value.
            reader.scope_mut().set(name, None);
            pending.push(Pending { name, node, needs: BTreeSet::new() });
        }
        depend(&mut pending);
        evaluate(&pending, reader);
    });
}

/// Finds what each parameter needs.
fn depend(pending: &mut [Pending<'_>]) {
    let places: BTreeMap<&str, usize> = pending.iter().enumerate().map(|(k, one)| (one.name, k)).collect();
    for one in pending.iter_mut() {
        if let Value::Text(text) = &one.node.value
            && let Some((_, formula)) = text.trim_start().split_once('=').filter(|_| is_expression(text))
            && let Ok(expression) = Expression::parse(formula)
        {
            one.needs = expression.names().filter_map(|name| places.get(name).copied()).collect();
        }
    }
}

/// Evaluates parameters after those that they need.
fn evaluate(pending: &[Pending<'_>], reader: &mut Reader) {
    let mut left: Vec<usize> = pending.iter().map(|one| one.needs.len()).collect();
    let mut needed_by = vec![Vec::new(); pending.len()];
    for (k, one) in pending.iter().enumerate() {
        one.needs.iter().for_each(|&need| needed_by[need].push(k));
    }
    let mut ready: Vec<usize> = (0..pending.len()).filter(|&k| left[k] == 0).collect();
    let mut done = vec![false; pending.len()];
    while let Some(k) = ready.pop() {
        done[k] = true;
        let Pending { name, node, .. } = &pending[k];
        let value = reader.within(Step::Key((*name).to_owned().into()), |reader| read_value(node, reader));
        reader.scope_mut().set(name, value);
        for &next in &needed_by[k] {
            left[next] -= 1;
            if left[next] == 0 {
                ready.push(next);
            }
        }
    }
    refuse_circles(pending, &mut done, reader);
}

/// Complains of every circle once; parameters that only need one of a circle have no value and are not complained of.
fn refuse_circles(pending: &[Pending<'_>], done: &mut [bool], reader: &mut Reader) {
    // Where each was met on the way from a start.
    let mut met = vec![usize::MAX; pending.len()];
    for start in 0..pending.len() {
        let mut way: Vec<usize> = Vec::new();
        let mut at = Some(start);
        // Each of these needs another one that is not done.
        while let Some(k) = at.filter(|&k| !done[k]) {
            if met[k] != usize::MAX {
                let circle = &way[met[k]..];
                let names: Vec<&str> = circle.iter().chain([&k]).map(|&k| pending[k].name).collect();
                let one = &pending[circle[0]];
                let message = format!("it depends on itself: {}", names.join(" → "));
                reader.within(Step::Key(one.name.to_owned().into()), |reader| {
                    reader.refuse(&one.node.span, message);
                });
                break;
            }
            met[k] = way.len();
            way.push(k);
            at = pending[k].needs.iter().copied().find(|&need| !done[need]);
        }
        way.into_iter().for_each(|k| done[k] = true);
    }
}

/// The value of a parameter.
fn read_value(node: &SourceValue, reader: &mut Reader) -> Option<Measured> {
    let expected = "a finite number, text with a unit such as \"12 mm\", or an expression such as \"=2*pi\"";
    let found = match &node.value {
        Value::Float(x) => Measured { value: *x, dimension: Dimension::NONE },
        Value::Integer(x) => Measured { value: *x as f64, dimension: Dimension::NONE },
        Value::Text(text) if is_expression(text) => reader.evaluate(node, text)?,
        Value::Text(text) => match parse_unit(text) {
            Ok(found) => found,
            Err(reason) => {
                reader.refuse(&node.span, format!("found \"{text}\": {reason}; expected {expected}"));
                return None;
            }
        },
        _ => {
            reader.expected(node, expected);
            return None;
        }
    };
    if !found.value.is_finite() {
        reader.refuse(&node.span, format!("found {}; expected {expected}", found.value));
        return None;
    }
    Some(found)
}

/// The parameters in SI units, as text that is read back.
pub(super) fn values(scope: &Scope) -> BTreeMap<String, String> {
    let text =
        |found: Measured| format!("{:?} {}", found.value, found.dimension.unit()).trim_end().to_owned();
    scope.parameters().map(|(name, found)| (name.to_owned(), text(found))).collect()
}

/// A parameter's value from the command line, in place of the scene's: `radius=15mm`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting {
    /// The parameter.
    pub name: String,
    /// What stands there: a number, text with a unit, or an expression after `=`.
    pub value: String,
}

impl std::str::FromStr for Setting {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE, such as radius=15mm")?;
        let (name, value) = (name.trim().to_owned(), value.trim().to_owned());
        let is_number = value.parse::<f64>().is_ok_and(f64::is_finite);
        if is_expression(&value) || is_number || parse_unit(&value).is_ok() {
            return Ok(Self { name, value });
        }
        let reason = parse_unit(&value).err().unwrap_or_else(|| "it is not finite".to_owned());
        Err(format!("found \"{value}\": {reason}; expected a number, a number with a unit, or =EXPRESSION"))
    }
}

impl Setting {
    /// As it stands in a file, TOML or JSON.
    fn written(&self) -> String {
        match (self.value.parse::<i64>(), self.value.parse::<f64>()) {
            (Ok(number), _) => number.to_string(),
            (_, Ok(number)) if number.is_finite() => format!("{number:?}"),
            _ => Json::from(self.value.as_str()).to_string(),
        }
    }

    /// Puts the values of settings into the text of a scene; each must name a parameter that is there. The last of two
    /// for one parameter counts.
    pub(crate) fn apply(
        settings: &[Self],
        scene: &SourceValue,
        source: &mut Source,
    ) -> Result<(), Vec<Complaint>> {
        let entries = match scene.get("parameters").map(|node| &node.value) {
            Some(Value::Table(entries)) => entries.as_slice(),
            _ => &[],
        };
        let mut complaints = Vec::new();
        let mut edits = BTreeMap::new();
        for setting in settings {
            match entries.iter().find(|(key, _)| key.name == setting.name) {
                Some((_, node)) => _ = edits.insert(node.span.start, (node.span.clone(), setting.written())),
                None => complaints.push(unknown(setting, entries.iter().map(|(key, _)| key.name.as_str()))),
            }
        }
        if !complaints.is_empty() {
            return Err(complaints);
        }
        // From the end, so that the places before stay.
        for (span, text) in edits.into_values().rev() {
            source.replace(span, &text);
        }
        Ok(())
    }
}

fn unknown<'n>(setting: &Setting, names: impl Iterator<Item = &'n str>) -> Complaint {
    let names: Vec<&str> = names.collect();
    let known =
        if names.is_empty() { "there is none".to_owned() } else { format!("there are {}", names.join(", ")) };
    Complaint {
        span: 0..0,
        key: "parameters".to_owned(),
        message: format!("no parameter is named \"{}\", which is to be set; {known}", setting.name),
        help: nearest(&setting.name, &names).map(|near| format!("did you mean \"{near}\"?")),
    }
}
