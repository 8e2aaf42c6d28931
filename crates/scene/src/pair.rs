//! Pairs of placed bodies as they are written down: one JSON object per line.
//!
//! ```json
//! {"id": 1, "a": {"shape": {"type": "sphere", "radius": 0.1}}, "b": {"shape": {"type": "sphere", "radius": 0.2}, "position": [0.5, 0.0, 0.0]}}
//! ```

use crate::error::{Result, SceneError};
use crate::shape::{ShapeSpec, upright};
use rattleback_contact::Collider;
use rattleback_geom::Pose;
use serde::Deserialize;
use serde_json::value::RawValue;
use std::path::Path;

/// A shape and where it is.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BodySpec {
    /// The shape.
    pub shape: ShapeSpec,
    /// Where its origin is, in m.
    #[serde(default)]
    pub position: [f64; 3],
    /// How it is turned, as a unit quaternion w, x, y, z.
    #[serde(default = "upright")]
    pub orientation: [f64; 4],
}

/// A line of a file of pairs.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PairSpec {
    #[serde(default, rename = "id")]
    _id: Option<Box<RawValue>>,
    a: BodySpec,
    b: BodySpec,
}

/// What a line says of itself, whatever else is wrong with it.
#[derive(Deserialize)]
struct Label {
    #[serde(default)]
    id: Option<Box<RawValue>>,
}

/// The `id` of a line as its author wrote it, any JSON value; none where there is none or the line is no JSON.
pub fn pair_id(line: &str) -> Option<Box<RawValue>> {
    serde_json::from_str::<Label>(line).ok()?.id
}

/// The bodies A and B of a line; `file` is where the line stands, for the files that its shapes name.
pub fn parse_pair(line: &str, file: &Path) -> Result<[Collider; 2]> {
    let spec: PairSpec = serde_json::from_str(line).map_err(|error| SceneError::Pair {
        message: without_line(&error.to_string()).to_owned(),
        column: error.column(),
    })?;
    Ok([spec.a.lower("a", file)?, spec.b.lower("b", file)?])
}

/// serde_json counts lines within its own text, which is one line.
fn without_line(message: &str) -> &str {
    message.rfind(" at line ").map_or(message, |end| &message[..end])
}

impl BodySpec {
    /// Builds the body; `name` is its key, for messages.
    fn lower(&self, name: &'static str, file: &Path) -> Result<Collider> {
        let shape = self.shape.lower(file, &mut Vec::new()).map_err(|error| match error {
            SceneError::Shape { path, source } if path == file => {
                SceneError::Body { key: format!("{name}.shape"), source }
            }
            other => other,
        })?;
        let pose = Pose::from_parts(self.position, self.orientation)
            .map_err(|source| SceneError::Body { key: name.to_owned(), source })?;
        Ok(Collider::new(shape, pose))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BALL: &str = r#"{"shape": {"type": "sphere", "radius": 0.1}}"#;

    fn message(line: &str) -> String {
        parse_pair(line, Path::new("pairs.jsonl")).map(|_| ()).expect_err("a refusal").to_string()
    }

    #[test]
    fn a_body_stands_at_the_origin_unless_it_says_otherwise() {
        let line = format!(r#"{{"a": {BALL}, "b": {BALL}}}"#);
        let [a, b] = parse_pair(&line, Path::new("pairs.jsonl")).expect("a pair");
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
        assert_eq!(text, "b.shape: radius = -0.1: must be a finite number above zero");
        let turned = BALL.replace("}}", r#"}, "orientation": [1, 1, 0, 0]}"#);
        let text = message(&format!(r#"{{"a": {turned}, "b": {BALL}}}"#));
        assert!(text.starts_with("a: orientation = 1.414"), "{text}");
        let text = message(&format!(r#"{{"a": {BALL}}}"#));
        assert!(text.starts_with("missing field `b`, column "), "{text}");
        let text = message(&format!(r#"{{"a": {BALL}, "b": {BALL}, "c": 1}}"#));
        assert!(text.starts_with("unknown field `c`"), "{text}");
    }
}
