//! `[[repeat]]`: bodies, joints, forces and contacts for every value of an index.
//!
//! The index is a name in expressions, and texts may hold expressions in braces: `"ball {i}"`, `"link {mod(i+1, n)}"`.
//! Two braces are one. Loops are unrolled in the tree before it is read, so that everything in them is read, checked
//! and complained of as if it had been written out; the values of all turns together are bounded.

use super::body::BodySpec;
use super::chain::ChainSpec;
use super::contact::ContactSpec;
use super::force::ForceSpec;
use super::joint::JointSpec;
use crate::read::expression::{Expression, Mistake, is_name, taken};
use crate::read::unit::Dimension;
use crate::read::{At, Field, Fields, Key, Reader, SourceValue, Step, Value, entry, is_expression};

entry! {
    /// What is there again and again, for every value of an index.
    pub struct RepeatSpec {
        /// The name of the index, for expressions and for names such as "ball {i}".
        index: At<String>,
        /// How often.
        count: usize,
        /// The first value of the index; the others are one apart.
        from: f64 = 0.0,
        /// Bodies.
        bodies: Vec<BodySpec> = Vec::new(),
        /// Chains.
        chains: Vec<ChainSpec> = Vec::new(),
        /// Joints.
        joints: Vec<JointSpec> = Vec::new(),
        /// Forces.
        forces: Vec<ForceSpec> = Vec::new(),
        /// Contacts.
        contacts: Vec<ContactSpec> = Vec::new(),
        /// Pairs of bodies that never touch.
        exclude_contacts: Vec<[At<String>; 2]> = Vec::new(),
        /// Loops inside of it.
        repeat: Vec<RepeatSpec> = Vec::new(),
    }
}

const KEY: &str = "repeat";
const KEYS: &[&str] =
    &["index", "count", "from", "bodies", "chains", "joints", "forces", "contacts", "exclude_contacts", KEY];
/// What is repeated.
const LISTS: [&str; 6] = ["bodies", "chains", "joints", "forces", "contacts", "exclude_contacts"];
/// The most values of all turns together: at a hundred bytes each four hundred megabytes.
const MAX_VALUES: usize = 1 << 22;

/// Puts the turns of all loops of a scene into its lists.
pub(super) fn unroll(scene: &mut SourceValue, reader: &mut Reader) {
    let Value::Table(entries) = &mut scene.value else { return };
    let Some(place) = entries.iter().position(|(key, _)| key.name == KEY) else { return };
    let (key, loops) = entries.remove(place);
    let mut unrolling = Unrolling { made: LISTS.map(|_| Vec::new()), values: 0 };
    reader.repeats(&loops);
    reader.within(Step::Key(KEY.into()), |reader| unrolling.loops(&loops, 0, reader));
    for (name, made) in LISTS.into_iter().zip(unrolling.made).filter(|(_, made)| !made.is_empty()) {
        match entries.iter_mut().find(|(key, _)| key.name == name) {
            Some((_, SourceValue { value: Value::List(list), .. })) => list.extend(made),
            // What is no list is complained of where it is read.
            Some(_) => {}
            None => {
                let key = Key { name: name.to_owned(), span: key.span.clone() };
                let span = loops.span.clone();
                entries.push((key, SourceValue { span, turn: 0, value: Value::List(made) }));
            }
        }
    }
}

/// Loops under way.
struct Unrolling {
    /// In the order of [`LISTS`].
    made: [Vec<SourceValue>; 6],
    values: usize,
}

/// A loop's head.
struct Head {
    index: String,
    count: usize,
    from: f64,
}

impl Unrolling {
    /// Unrolls the loops of a list, in a turn of the loop about them; whether there is room for them.
    fn loops(&mut self, node: &SourceValue, turn: u32, reader: &mut Reader) -> bool {
        let Value::List(list) = &node.value else {
            reader.expected(node, "a list of loops: `[[repeat]]`");
            return true;
        };
        let mut each = list.iter().enumerate();
        each.all(|(k, node)| reader.within(Step::Index(k), |reader| self.turns(node, turn, reader)))
    }

    fn turns(&mut self, node: &SourceValue, outer: u32, reader: &mut Reader) -> bool {
        let Some(Head { index, count, from }) = head(node, outer, reader) else { return true };
        // What a turn makes, and the turn itself; loops inside of it count what they make.
        let lists = LISTS.iter().filter_map(|name| node.get(name));
        let each = lists.map(size).fold(1, usize::saturating_add);
        self.values = self.values.saturating_add(each.saturating_mul(count));
        if self.values > MAX_VALUES {
            let message =
                format!("the loops make more than {MAX_VALUES} values, which is the most there can be");
            let place = node.get("count").unwrap_or(node);
            reader.within(Step::Key("count".into()), |reader| reader.refuse(&place.span, message));
            return false;
        }
        for k in 0..count {
            let turn = reader.scope_mut().inside(outer, &index, from + k as f64);
            for (list, name) in LISTS.iter().enumerate() {
                let Some(found) = node.get(name) else { continue };
                let Value::List(entries) = &found.value else {
                    let step = Step::Key((*name).into());
                    reader.within(step, |reader| reader.expected(found, "a list"));
                    continue;
                };
                for entry in entries {
                    self.made[list].push(copy(entry, turn, reader));
                }
            }
            if let Some(inner) = node.get(KEY)
                && !reader.within(Step::Key(KEY.into()), |reader| self.loops(inner, turn, reader))
            {
                return false;
            }
        }
        true
    }
}

/// How many values a part of the tree has.
fn size(node: &SourceValue) -> usize {
    1 + match &node.value {
        Value::Table(entries) => entries.iter().map(|(_, node)| size(node)).sum(),
        Value::List(list) => list.iter().map(size).sum(),
        _ => 0,
    }
}

/// A copy for a turn.
fn copy(node: &SourceValue, turn: u32, reader: &mut Reader) -> SourceValue {
    let value = match &node.value {
        Value::Table(entries) => {
            Value::Table(entries.iter().map(|(key, node)| (key.clone(), copy(node, turn, reader))).collect())
        }
        Value::List(list) => Value::List(list.iter().map(|node| copy(node, turn, reader)).collect()),
        Value::Text(text) if text.contains(['{', '}']) && !is_expression(text) => {
            let own = SourceValue { turn, ..node.clone() };
            Value::Text(filled(text, &own, reader).unwrap_or_else(|| text.clone()))
        }
        value => value.clone(),
    };
    SourceValue { span: node.span.clone(), turn, value }
}

/// Index, count and first value of a loop.
fn head(node: &SourceValue, outer: u32, reader: &mut Reader) -> Option<Head> {
    let fields = Fields::of(node, KEYS, "", reader)?;
    let index = fields.take::<At<String>>("index", None, reader);
    let own = |key: &str| node.get(key).map(|node| SourceValue { turn: outer, ..node.clone() });
    let count = match own("count") {
        Some(count) => reader.within(Step::Key("count".into()), |reader| usize::read(&count, reader)),
        None => fields.take("count", None, reader),
    };
    let from = match own("from") {
        Some(from) => reader.within(Step::Key("from".into()), |reader| f64::read(&from, reader)),
        None => Some(0.0),
    };
    let (index, count, from) = (index?, count?, from?);
    let name = index.value.as_str();
    let is_outer = reader.scope().indices(outer).iter().any(|(other, _)| other == name);
    let is_parameter = reader.scope().has(name);
    let wrong = match taken(name) {
        Some(what) => Some(format!("`{name}` is {what}")),
        None if is_outer => Some(format!("`{name}` is the index of the loop about this one")),
        None if is_parameter => Some(format!("`{name}` is a parameter")),
        None if !is_name(name) => Some(format!("found \"{name}\", which cannot stand in expressions")),
        None => None,
    };
    if let Some(wrong) = wrong {
        reader.refuse_at(&index, format!("{wrong}; expected another name, such as \"i\""));
        return None;
    }
    if !(from.is_finite() && (from + count as f64).abs() <= 9.0e15) {
        reader.refuse(&node.span, format!("found indices from {from} on; expected at most 9e15"));
        return None;
    }
    Some(Head { index: index.value, count, from })
}

/// A text with the values of the expressions that it has in braces.
fn filled(text: &str, node: &SourceValue, reader: &mut Reader) -> Option<String> {
    let mut made = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(brace) = text[at..].find(['{', '}']).map(|found| at + found) {
        made += &text[at..brace];
        let (one, rest) = text[brace..].split_at(1);
        if rest.starts_with(one) {
            made += one;
            at = brace + 2;
            continue;
        }
        let end = rest.find('}').filter(|_| one == "{");
        let Some(end) = end else {
            let message =
                format!("found a single `{one}`; expected an expression in braces, or `{one}{one}`");
            let mistake = Mistake { span: brace..brace + 1, message, help: None };
            reader.refuse_expression(node, text, 0, &mistake);
            return None;
        };
        let found = value(&rest[..end], node, reader).map_err(|mut mistake| {
            mistake.span = brace + 1 + mistake.span.start..brace + 1 + mistake.span.end;
            mistake
        });
        match found {
            Ok(found) => made += &found?.to_string(),
            Err(mistake) => {
                reader.refuse_expression(node, text, 0, &mistake);
                return None;
            }
        }
        at = brace + 1 + end + 1;
    }
    made += &text[at..];
    Some(made)
}

/// The number that stands in braces; nothing where a parameter is wrong.
fn value(text: &str, node: &SourceValue, reader: &Reader) -> Result<Option<f64>, Mistake> {
    let Some(found) = Expression::parse(text)?.value(reader.scope(), node.turn)? else { return Ok(None) };
    if found.dimension != Dimension::NONE {
        let message = format!("found {}; expected a number without unit", found.dimension.described());
        return Err(Mistake { span: 0..text.len(), message, help: None });
    }
    Ok(Some(found.value))
}
