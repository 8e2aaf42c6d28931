//! How a body is turned, in one of four ways.
//!
//! | key | meaning |
//! |---|---|
//! | `quaternion = [w, x, y, z]` | a unit quaternion |
//! | `axis = [x, y, z]`, `angle` | a turn about an axis, whose length does not matter |
//! | `matrix = [[…], […], […]]` | rows of the matrix that takes body axes to world axes |
//! | `euler = "zyx"`, `angles = [α, β, γ]` | turns one after the other about the body's own axes: R = R₁(α) R₂(β) R₃(γ) |
//!
//! Small letters mean the body's own axes, which have turned already; capitals mean fixed axes: `"XYZ"` is R = R_z(γ)
//! R_y(β) R_x(α). A quaternion may stand by itself as a list of four numbers.

use crate::read::{Angle, Definitions, Field, Fields, Reader, SourceValue};
use rattleback_geom::nalgebra::{Quaternion, Rotation3, Unit, UnitQuaternion};
use rattleback_geom::{Mat3, Vec3};
use serde_json::{Value as Json, json};

/// How a body is turned: from its own axes to those of the world or of its body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Orientation(pub UnitQuaternion<f64>);

/// How far a quaternion's length or a matrix' product may be from one: rounded to four digits it is accepted, and made
/// exact.
const ROUNDED: f64 = 1e-3;

impl Default for Orientation {
    fn default() -> Self {
        Self(UnitQuaternion::identity())
    }
}

impl Field for Orientation {
    fn read(node: &SourceValue, reader: &mut Reader) -> Option<Self> {
        use crate::read::Value;
        if let Value::List(_) = node.value {
            return quaternion(node, <[f64; 4]>::read(node, reader)?, reader);
        }
        let has = |key: &str| node.get(key).is_some();
        let ways: [&[&str]; 4] = [&["quaternion"], &["axis", "angle"], &["matrix"], &["euler", "angles"]];
        let chosen: Vec<&&[&str]> = ways.iter().filter(|keys| keys.iter().any(|key| has(key))).collect();
        let [keys] = chosen.as_slice() else {
            reader.expected(
                node,
                "an orientation by `quaternion`, by `axis` and `angle`, by `matrix`, or by `euler` and `angles`",
            );
            return None;
        };
        let fields = Fields::of(node, keys, "", reader)?;
        match keys[0] {
            "quaternion" => quaternion(node, fields.take("quaternion", None, reader)?, reader),
            "axis" => {
                let axis: Option<[f64; 3]> = fields.take("axis", None, reader);
                let angle: Option<Angle> = fields.take("angle", None, reader);
                about(node, Vec3::from(axis?), angle?.0, reader)
            }
            "matrix" => matrix(node, fields.take("matrix", None, reader)?, reader),
            _ => {
                let sequence: Option<String> = fields.take("euler", None, reader);
                let angles: Option<[Angle; 3]> = fields.take("angles", None, reader);
                euler(node, &sequence?, angles?.map(|angle| angle.0), reader)
            }
        }
    }

    fn schema(definitions: &mut Definitions) -> Json {
        let angle = Angle::schema(definitions);
        definitions.define("Orientation", &mut |_| {
            let numbers = |n: usize| json!({"type": "array", "items": {"type": "number"}, "minItems": n, "maxItems": n});
            let table = |properties: Json, required: Json| {
                json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
            };
            let rows = json!({"type": "array", "items": numbers(3), "minItems": 3, "maxItems": 3});
            let angles = json!({"type": "array", "items": angle, "minItems": 3, "maxItems": 3});
            let letters = json!({"type": "string", "pattern": "^([xyz]{3}|[XYZ]{3})$"});
            json!({
                "description": "An orientation: quaternion w, x, y, z; axis and angle; matrix; or a sequence of Euler angles, \
                    small letters for turned axes and capitals for fixed ones.",
                "anyOf": [
                    numbers(4),
                    table(json!({"quaternion": numbers(4)}), json!(["quaternion"])),
                    table(json!({"axis": numbers(3), "angle": angle}), json!(["axis", "angle"])),
                    table(json!({"matrix": rows}), json!(["matrix"])),
                    table(json!({"euler": letters, "angles": angles}), json!(["euler", "angles"])),
                ],
            })
        })
    }
}

fn quaternion(node: &SourceValue, [w, x, y, z]: [f64; 4], reader: &mut Reader) -> Option<Orientation> {
    let q = Quaternion::new(w, x, y, z);
    let length = q.norm();
    if !((length - 1.0).abs() < ROUNDED) {
        reader.refuse(&node.span, format!("found a quaternion of length {length}; expected length 1"));
        return None;
    }
    // One that is exact already keeps its bits.
    let exact = (q.norm_squared() - 1.0).abs() <= 4.0 * f64::EPSILON;
    Some(Orientation(if exact { Unit::new_unchecked(q) } else { Unit::new_normalize(q) }))
}

fn about(node: &SourceValue, axis: Vec3, angle: f64, reader: &mut Reader) -> Option<Orientation> {
    let largest = axis.amax();
    if !(largest > 0.0 && axis.sum().is_finite() && angle.is_finite()) {
        let found = format!("found the axis {:?} and the angle {angle}", axis.as_slice());
        reader.refuse(&node.span, format!("{found}; expected finite numbers and an axis that is not zero"));
        return None;
    }
    let axis = Unit::new_normalize(axis / largest);
    Some(Orientation(UnitQuaternion::from_axis_angle(&axis, angle)))
}

fn matrix(node: &SourceValue, rows: [[f64; 3]; 3], reader: &mut Reader) -> Option<Orientation> {
    let m = Mat3::from_fn(|i, j| rows[i][j]);
    let off = (m * m.transpose() - Mat3::identity()).amax();
    if !(off < ROUNDED && m.determinant() > 0.0) {
        reader.refuse(
            &node.span,
            "found a matrix that is no rotation; expected orthogonal rows of length 1 and determinant 1",
        );
        return None;
    }
    Some(Orientation(UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix(&m))))
}

fn euler(node: &SourceValue, sequence: &str, angles: [f64; 3], reader: &mut Reader) -> Option<Orientation> {
    let letters: Vec<char> = sequence.chars().collect();
    let own = letters.iter().all(|c| "xyz".contains(*c));
    let fixed = letters.iter().all(|c| "XYZ".contains(*c));
    let repeated = letters.windows(2).any(|pair| pair[0] == pair[1]);
    if letters.len() != 3 || !(own || fixed) || repeated || !angles.iter().all(|angle| angle.is_finite()) {
        let expected = "three letters as \"zyx\" (turned axes) or \"XYZ\" (fixed axes), no letter twice in a row, and finite angles";
        reader.refuse(&node.span, format!("found the sequence \"{sequence}\"; expected {expected}"));
        return None;
    }
    let turn = |(letter, angle): (&char, f64)| {
        let axis = match letter.to_ascii_lowercase() {
            'x' => Vec3::x_axis(),
            'y' => Vec3::y_axis(),
            _ => Vec3::z_axis(),
        };
        UnitQuaternion::from_axis_angle(&axis, angle)
    };
    let turns = letters.iter().zip(angles).map(turn);
    let all = UnitQuaternion::identity();
    Some(Orientation(if own {
        turns.fold(all, |r, turn| r * turn)
    } else {
        turns.fold(all, |r, turn| turn * r)
    }))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    fn read(text: &str) -> Result<UnitQuaternion<f64>, String> {
        let (node, complaints) = SourceValue::from_toml(&format!("o = {text}"));
        let mut reader = Reader::with(complaints);
        let found = Orientation::read(node.get("o").unwrap(), &mut reader);
        match reader.into_complaints().first() {
            Some(complaint) => Err(complaint.message.clone()),
            None => Ok(found.unwrap().0),
        }
    }

    #[test]
    fn four_ways_say_the_same() {
        let ways = [
            "[0.5, 0.5, 0.5, 0.5]",
            "{ quaternion = [0.5, 0.5, 0.5, 0.5] }",
            "{ axis = [1, 1, 1], angle = \"120 deg\" }",
            "{ matrix = [[0, 0, 1], [1, 0, 0], [0, 1, 0]] }",
            "{ euler = \"zyx\", angles = [\"90 deg\", 0, \"90 deg\"] }",
            "{ euler = \"XYZ\", angles = [\"90 deg\", 0, \"90 deg\"] }",
        ];
        let first = read(ways[0]).unwrap();
        for way in ways {
            assert!(read(way).unwrap().angle_to(&first) < 1e-7, "{way}");
        }
    }

    #[test]
    fn tait_bryan_angles_are_those_of_the_literature() {
        let found = read("{ euler = \"zyx\", angles = [0.3, -0.4, 0.5] }").unwrap();
        assert!(found.angle_to(&UnitQuaternion::from_euler_angles(0.5, -0.4, 0.3)) < 1e-15);
    }

    #[test]
    fn what_is_no_rotation_is_refused() {
        for (text, said) in [
            ("[1, 1, 0, 0]", "found a quaternion of length 1.414"),
            ("{ axis = [0, 0, 0], angle = 1 }", "found the axis [0.0, 0.0, 0.0]"),
            ("{ matrix = [[1, 0, 0], [0, 1, 0], [0, 0, -1]] }", "found a matrix that is no rotation"),
            ("{ euler = \"zyy\", angles = [0, 0, 0] }", "found the sequence \"zyy\""),
            ("{ euler = \"zYx\", angles = [0, 0, 0] }", "found the sequence \"zYx\""),
            ("{ axis = [0, 0, 1], matrix = [] }", "found a table; expected an orientation by"),
            ("{ axis = [nan, 0, 1], angle = 1 }", "found the axis"),
            ("3", "found the number 3; expected an orientation by"),
        ] {
            let message = read(text).unwrap_err();
            assert!(message.starts_with(said), "{text}: {message}");
        }
    }
}
