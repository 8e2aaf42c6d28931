//! Bodies: where they are, how they move, what they are made of, and their shapes.
//!
//! A body has a frame of its own, in which its parts, its joints' frames and the points of forces are given. Where its
//! mass centre lies in it follows from shapes and densities, unless mass and inertia are given.

use super::prescribed_motion::PrescribedMotionSpec;
use crate::orientation::Orientation;
use crate::read::{
    Angle, AngularVelocity, At, Definitions, Density, Field, Fields, Inertia, Length, Mass, Reader,
    SourceValue, Value, Velocity, entry,
};
use crate::shape::ShapeSpec;
use rattleback_geom::{Mat3, Vec3};
use serde_json::{Value as Json, json};

entry! {
    /// A body.
    pub struct BodySpec {
        /// Its name, by which joints, forces, contacts and plots call it.
        name: At<String>,
        /// Whether it stands still.
        fixed: bool = false,
        /// A prescribed motion, whatever the forces.
        motion: Option<PrescribedMotionSpec>,
        /// Where its own frame is in the world, in m.
        position: [Length; 3] = [Length(0.0); 3],
        /// How its own frame is turned.
        orientation: Orientation = Orientation::default(),
        /// Velocity of its mass centre in world axes.
        velocity: [Velocity; 3] = [Velocity(0.0); 3],
        /// Its angular velocity, in axes that are stated.
        angular_velocity: Option<AngularVelocitySpec>,
        /// Its mass; without it the densities say it.
        mass: Option<Mass>,
        /// Its inertia about its mass centre in the axes of its own frame: three moments, or a symmetric matrix of
        /// three rows.
        inertia: Option<Moments>,
        /// Its mass centre in its own frame.
        mass_centre: Option<[Length; 3]>,
        /// The density of all its parts, in place of that of their materials.
        density: Option<Density>,
        /// Its shape, where it has only one, in its own frame.
        shape: Option<ShapeName>,
        /// The material of `shape`.
        material: Option<At<String>>,
        /// Its shapes, where it has several or places them.
        parts: Vec<PartSpec> = Vec::new(),
        /// Copies of it in a lattice.
        copies: Option<CopiesSpec>,
        /// Its colour in pictures, as "#4477aa".
        colour: Option<Colour>,
        /// Whether pictures leave it out.
        hidden: bool = false,
    }
}

entry! {
    /// A shape of a body.
    pub struct PartSpec {
        /// The shape, or the name of one of the scene's `shapes`.
        shape: ShapeName,
        /// Its material, which says what it touches and how; a part without one is only drawn, and weighs what the
        /// body's `density` says.
        material: Option<At<String>>,
        /// Where it is in the body's own frame.
        position: [Length; 3] = [Length(0.0); 3],
        /// How it is turned in the body's own frame.
        orientation: Orientation = Orientation::default(),
    }
}

entry! {
    /// Copies of a body in a lattice, x counting fastest. Copy i, from 0, is named after the body and its number; with
    /// t = (sin i, cos 2i, sin 3i) it can be turned and set in motion in a way of its own, which is the same in every
    /// run.
    pub struct CopiesSpec {
        /// How many along x, y and z.
        count: [usize; 3],
        /// How far apart.
        spacing: [Length; 3],
        /// It is turned by the vector `turn` times t.
        turn: Angle = Angle(0.0),
        /// It gets `velocity` times t.
        velocity: Velocity = Velocity(0.0),
        /// It gets `angular_velocity` times t, in body axes.
        angular_velocity: AngularVelocity = AngularVelocity(0.0),
    }
}

/// A shape of a body: its own, or one of the scene's by name.
#[derive(Debug, Clone, PartialEq)]
pub enum ShapeName {
    /// One of the scene's.
    Name(At<String>),
    /// Its own.
    Own(Box<ShapeSpec>),
}

impl Field for ShapeName {
    fn read(node: &SourceValue, reader: &mut Reader) -> Option<Self> {
        match node.value {
            Value::Text(_) => At::read(node, reader).map(Self::Name),
            Value::Table(_) => Field::read(node, reader).map(Self::Own),
            _ => {
                reader.expected(node, "the name of a shape or a table with the key `type`");
                None
            }
        }
    }

    fn schema(definitions: &mut Definitions) -> Json {
        let shape = ShapeSpec::schema(definitions);
        json!({"anyOf": [{"type": "string"}, shape]})
    }
}

/// An angular velocity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum AngularVelocitySpec {
    /// In world axes.
    World(Vec3),
    /// In the axes of the body.
    Body(Vec3),
}

impl Field for AngularVelocitySpec {
    fn read(node: &SourceValue, reader: &mut Reader) -> Option<Self> {
        let (world, body) = (node.get("world").is_some(), node.get("body").is_some());
        if world == body {
            let example = "{ world = [0, 0, \"60 rpm\"] } or { body = [0, 0, 3.1] }";
            reader.expected(node, &format!("an angular velocity in stated axes: {example}"));
            return None;
        }
        let key = if world { "world" } else { "body" };
        let fields = Fields::of(node, if world { &["world"] } else { &["body"] }, "", reader)?;
        let angular_velocity: [AngularVelocity; 3] = fields.take(key, None, reader)?;
        let angular_velocity = Vec3::from(angular_velocity.map(|component| component.0));
        Some(if world { Self::World(angular_velocity) } else { Self::Body(angular_velocity) })
    }

    fn schema(definitions: &mut Definitions) -> Json {
        let vector = <[AngularVelocity; 3]>::schema(definitions);
        let table = |key: &str| json!({"type": "object", "properties": {key: vector}, "required": [key], "additionalProperties": false});
        json!({"anyOf": [table("world"), table("body")]})
    }
}

/// An inertia: three moments or a matrix.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moments(pub Mat3);

impl Field for Moments {
    fn read(node: &SourceValue, reader: &mut Reader) -> Option<Self> {
        let rows = matches!(&node.value, Value::List(list) if list.iter().any(|row| matches!(row.value, Value::List(_))));
        if rows {
            let rows = <[[Inertia; 3]; 3]>::read(node, reader)?;
            return Some(Self(Mat3::from_fn(|i, j| rows[i][j].0)));
        }
        let moments = <[Inertia; 3]>::read(node, reader)?;
        Some(Self(Mat3::from_diagonal(&Vec3::from(moments.map(|moment| moment.0)))))
    }

    fn schema(definitions: &mut Definitions) -> Json {
        let (moments, rows) = (<[Inertia; 3]>::schema(definitions), <[[Inertia; 3]; 3]>::schema(definitions));
        json!({"anyOf": [moments, rows]})
    }
}

/// A colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Colour(pub [u8; 3]);

impl Field for Colour {
    fn read(node: &SourceValue, reader: &mut Reader) -> Option<Self> {
        let digits = match &node.value {
            Value::Text(text) => text.strip_prefix('#').filter(|d| d.len() == 6 && d.is_ascii()),
            _ => None,
        };
        let byte = |digits: &str, k: usize| u8::from_str_radix(&digits[2 * k..2 * k + 2], 16).ok();
        let found = digits.and_then(|d| Some(Self([byte(d, 0)?, byte(d, 1)?, byte(d, 2)?])));
        if found.is_none() {
            reader.expected(node, "a colour such as \"#4477aa\"");
        }
        found
    }

    fn schema(_: &mut Definitions) -> Json {
        json!({"type": "string", "pattern": "^#[0-9a-fA-F]{6}$"})
    }
}
