//! Pairs of placed bodies as they are written down: one JSON object per line.
//!
//! ```json
//! {"id": 1, "a": {"shape": {"type": "sphere", "radius": 0.1}}, "b": {"shape": {"type": "sphere", "radius": 0.2},
//! "position": [0.5, 0.0, 0.0]}}
//! ```

use crate::error::{Result, SceneError};
use crate::orientation::Orientation;
use crate::read::{
    AngularVelocity, Definitions, Field, Length, Reader, SourceValue, Velocity, entry, without_place,
};
use crate::shape::{ShapeSpec, placed};
use rattleback_contact::{Collider, Twist};
use serde::Deserialize;
use serde_json::value::RawValue;
use std::path::Path;

entry! {
    /// A shape and where it is.
    pub struct BodySpec {
        /// The shape.
        shape: ShapeSpec,
        /// Where its origin is.
        position: [Length; 3] = [Length(0.0); 3],
        /// How it is turned.
        orientation: Orientation = Orientation::default(),
        /// The velocity of its origin, in world axes.
        velocity: [Velocity; 3] = [Velocity(0.0); 3],
        /// The angular velocity about its origin, in world axes.
        angular_velocity: [AngularVelocity; 3] = [AngularVelocity(0.0); 3],
    }
}
entry! {
    /// A line of a file of pairs.
    pub struct PairSpec {
        /// Any JSON value, which the answer repeats.
        id: Anything,
        /// The body A.
        a: BodySpec,
        /// The body B.
        b: BodySpec,
    }
}

/// A value that is not looked at.
#[derive(Debug, Clone, PartialEq)]
pub struct Anything;

impl Field for Anything {
    fn read(_: &SourceValue, _: &mut Reader) -> Option<Self> {
        Some(Self)
    }

    fn schema(_: &mut Definitions) -> serde_json::Value {
        serde_json::json!({})
    }

    fn absent() -> Option<Self> {
        Some(Self)
    }
}

/// What a line says of itself, whatever else is wrong with it.
#[derive(Deserialize)]
struct Label {
    #[serde(default)]
    id: Option<Box<RawValue>>,
}

/// The `id` of a line that is no pair, as its author wrote it, any JSON value; none where there is none or the line is
/// no JSON.
pub fn pair_id(line: &str) -> Option<Box<RawValue>> {
    serde_json::from_str::<Label>(line).ok()?.id
}

/// What a line says.
#[derive(Debug, Clone)]
pub struct PairQuery {
    /// Its `id` as its author wrote it; none where there is none.
    pub id: Option<Box<RawValue>>,
    /// A and B.
    pub bodies: [Collider; 2],
    /// How they move.
    pub twists: [Twist; 2],
}

/// Reads a line; `file` is where it stands, for the files that its shapes name.
pub(crate) fn parse(line: &str, file: &Path, mut reader: Reader) -> Result<PairQuery> {
    let (node, id) = SourceValue::from_json_apart(line, "id").map_err(|error| SceneError::Pair {
        message: without_place(&error.to_string()).to_owned(),
        column: error.column(),
    })?;
    let folder = file.parent().unwrap_or(Path::new(""));
    let bodies = PairSpec::read(&node, &mut reader)
        .map(|pair| [pair.a, pair.b].map(|body| (body.lower(folder, &mut reader), body.twist())));
    match bodies {
        Some([(Some(a), of_a), (Some(b), of_b)]) if reader.is_content() => {
            Ok(PairQuery { id, bodies: [a, b], twists: [of_a, of_b] })
        }
        _ => {
            let sentences: Vec<String> = reader.into_complaints().iter().map(|c| c.sentence()).collect();
            Err(SceneError::Pair { message: sentences.join("; "), column: 0 })
        }
    }
}

impl BodySpec {
    fn lower(&self, folder: &Path, reader: &mut Reader) -> Option<Collider> {
        let shape = self.shape.lower(folder, &mut Vec::new(), reader);
        let pose = placed(self.position, self.orientation, &self.place, reader);
        Some(Collider::new(shape?, pose?))
    }

    fn twist(&self) -> Twist {
        Twist {
            velocity: self.velocity.map(|v| v.0).into(),
            angular_velocity: self.angular_velocity.map(|w| w.0).into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse_pair;
    use rattleback_geom::Pose;

    const BALL: &str = r#"{"shape": {"type": "sphere", "radius": 0.1}}"#;

    fn message(line: &str) -> String {
        parse_pair(line, Path::new("pairs.jsonl")).map(|_| ()).expect_err("a refusal").to_string()
    }

    #[test]
    fn a_body_stands_at_the_origin_unless_it_says_otherwise() {
        let line = format!(r#"{{"a": {BALL}, "b": {BALL}}}"#);
        let [a, b] = parse_pair(&line, Path::new("pairs.jsonl")).expect("a pair").bodies;
        assert_eq!([a.pose, b.pose], [Pose::identity(); 2]);
    }

    #[test]
    fn an_id_is_kept_as_it_was_written() {
        let id = |line: &str| pair_id(line).map(|id| id.get().to_owned());
        assert_eq!(id(r#"{"id": 123456789012345678901.50}"#).as_deref(), Some("123456789012345678901.50"));
        assert_eq!(id(r#"{"id": {"x": [1]}, "a": 3}"#).as_deref(), Some(r#"{"x": [1]}"#));
        assert_eq!(id(r#"{"a": 3}"#), None);
        assert_eq!(id(r#"{"id": 3"#), None);
    }

    #[test]
    fn a_refusal_names_the_body_the_key_and_what_is_allowed() {
        let wrong = BALL.replace("0.1", "-0.1");
        let text = message(&format!(r#"{{"a": {BALL}, "b": {wrong}}}"#));
        assert_eq!(text, "b.shape.radius: found -0.1; expected a length between 1e-20 and 1e20 m");
        let turned = BALL.replace("}}", r#"}, "orientation": [1, 1, 0, 0]}"#);
        let text = message(&format!(r#"{{"a": {turned}, "b": {BALL}}}"#));
        assert!(text.starts_with("a.orientation: found a quaternion of length 1.414"), "{text}");
        let text = message(&format!(r#"{{"a": {BALL}}}"#));
        assert_eq!(text, "missing key `b`");
        let text = message(&format!(r#"{{"a": {BALL}, "b": {BALL}, "c": 1}}"#));
        assert_eq!(text, "unknown key `c`; expected `id`, `a` or `b`");
        assert_eq!(message("[1, 2]"), "found a list of 2; expected a table with `id`, `a` or `b`");
        assert_eq!(message("{\"a\": x}"), "expected value, column 7");
        let text = message(&format!(r#"{{"a": {BALL}, "b": {BALL}, "b": {BALL}}}"#));
        assert!(text.starts_with("duplicate key `b`, column "), "{text}");
    }

    #[test]
    fn all_mistakes_of_a_line_are_told_in_one_sentence() {
        let heavy = BALL.replace("0.1", "\"10 kg\"");
        let small = BALL.replace("0.1", "-1");
        let text = message(&format!(r#"{{"a": {heavy}, "b": {{"shap": 1}}}}"#));
        assert_eq!(
            text,
            "a.shape.radius: found \"10 kg\", a mass; expected a length in SI units or with a unit, such as \"37.5 mm\"; \
             b: unknown key `shap`; expected `shape`, `position`, `orientation`, `velocity` or `angular_velocity`; b: missing key `shape`"
        );
        let text = message(&format!(r#"{{"a": {small}, "b": {small}}}"#));
        assert_eq!(text.matches("found -1; expected a length between 1e-20 and 1e20 m").count(), 2, "{text}");
    }

    #[test]
    fn lengths_may_carry_units_and_any_id_will_do() {
        let ball = BALL.replace("0.1", "\"37.5 mm\"");
        let placed =
            BALL.replace("}}", r#"}, "position": ["1 in", 0, "-2 cm"], "velocity": [0, "3 cm/s", 1]}"#);
        let line = format!(r#"{{"id": {{"x": 1e999}}, "a": {ball}, "b": {placed}}}"#);
        let PairQuery { id, bodies: [a, b], twists } =
            parse_pair(&line, Path::new("pairs.jsonl")).expect("a pair");
        assert_eq!(id.expect("an id").get(), r#"{"x": 1e999}"#);
        assert_eq!(a.shape.surface().bounds().max.x, 0.0375);
        assert_eq!(b.pose, Pose::from_position(0.0254, 0.0, -0.02));
        assert_eq!(twists[0], Twist::zero());
        assert_eq!(twists[1].velocity.as_slice(), [0.0, 0.03, 1.0]);
    }
}
