//! Values that make sense under a key: right units, numbers of the size of things on a table, names that are declared.
//!
//! A file whose values are any that the schema allows is refused for the first of them; one that makes sense all over
//! is accepted and run, and one that does so but for a few values is refused, or not, for those.

use super::tree::Tree;
use crate::random::Random;
use serde_json::{Map, Value as Json};

/// How a file is grown.
#[derive(Debug)]
pub struct Mood {
    /// Whether values make sense, as a rule.
    pub sensible: bool,
    /// A key that may be left away is there once in so many times.
    pub rare: usize,
    /// Names given so far.
    named: usize,
}

/// Keys without which most tables that may do without them are refused; those of the whole scene come last.
const NEEDED: [&str; 10] = [
    "exponents",
    "material",
    "position",
    "shape",
    "points",
    "heights",
    "bodies",
    "gravity",
    "materials",
    "solver",
];
const OF_SCENES: usize = 6;
/// Keys that do not go with others which are there as a rule.
const CONTRARY: [&str; 10] = [
    "manoeuvre",
    "parts",
    "mass",
    "inertia",
    "mass_centre",
    "barr_exponents",
    "motion",
    "include",
    "repeat",
    "inside",
];

impl Mood {
    /// A mood in which values make sense, three times out of four.
    pub fn any(random: &mut Random) -> Self {
        let sensible = !random.once_in(4);
        Self { sensible, rare: if sensible { [8, 32, 128][random.below(3)] } else { 4 }, named: 0 }
    }

    /// A mood for a value by itself, among others that are there.
    pub fn of_value(random: &mut Random) -> Self {
        Self { sensible: random.once_in(2), rare: 4, named: 0 }
    }

    /// Whether a value is to make sense: now and then one of a sensible file does not.
    pub fn makes_sense(&self, random: &mut Random) -> bool {
        self.sensible && !random.once_in(200)
    }

    /// Whether a key that may be left away is there.
    pub fn wants(&self, key: &str, table: &Map<String, Json>, random: &mut Random) -> bool {
        if !self.sensible {
            return random.once_in(self.rare);
        }
        let needed = match NEEDED.iter().position(|needed| *needed == key) {
            Some(place) => place < OF_SCENES || table.contains_key("gravity"),
            // Whatever is said of a material is of use to somebody.
            None => table.contains_key("young"),
        };
        let rare = if CONTRARY.contains(&key) { 8 * self.rare } else { self.rare };
        needed || random.once_in(rare)
    }

    /// A name under a key: new ones for what is named, those of the first bodies where one is meant.
    pub fn name(&mut self, key: &str, random: &mut Random) -> Option<String> {
        Some(match key {
            "name" => {
                self.named += 1;
                format!("b{}", self.named)
            }
            "body" | "bodies" | "exclude_contacts" | "on" | "follow" => format!("b{}", 1 + random.below(2)),
            "material" | "materials" => "steel".to_owned(),
            "shapes" => "pebble".to_owned(),
            "index" => (*random.pick(&["i", "j"])).to_owned(),
            "parameters" => (*random.pick(&["radius", "n"])).to_owned(),
            "file" => (*random.pick(&["stone.obj", "puck.obj"])).to_owned(),
            "curves" => (*random.pick(&["energy.kinetic_J", "b1.z_m", "b2.vx_m_s"])).to_owned(),
            "stiffness" => format!("{:e} N/m^1.5", power(2.0, 6.0, random)),
            "title" | "label" | "source" | "description" => "Something".to_owned(),
            _ => return None,
        })
    }
}

/// 10 to a power between two.
fn power(low: f64, high: f64, random: &mut Random) -> f64 {
    10f64.powf(low + (high - low) * random.real())
}

/// A number without a unit.
pub fn number(key: &str, random: &mut Random) -> String {
    let x = match key {
        "restitution" | "poisson" | "tangential_restitution" | "rho" => 0.45 * random.real(),
        "coefficient" | "static_coefficient" => 0.1 + 0.8 * random.real(),
        "exponents" | "exponent" => 1.1 + 5.0 * random.real(),
        "barr_exponents" => 0.2 + 1.5 * random.real(),
        "axis" | "normal" | "to" => 2.0 * random.real() - 1.0,
        "relative" | "absolute" | "convergence" | "tolerance" => power(-9.0, -4.0, random),
        "penalty" => power(6.0, 10.0, random),
        _ => 0.1 + 1.4 * random.real(),
    };
    format!("{x:.4e}")
}

/// A whole number.
pub fn count(random: &mut Random) -> String {
    (1 + random.below(3)).to_string()
}

/// A quantity by the name of its kind in the schema: a number in SI units, or with a unit.
pub fn quantity(kind: &str, key: &str, random: &mut Random) -> Option<Tree> {
    match kind {
        "Number" | "FormulaSpec" => return Some(Tree::Token(number(key, random))),
        "Count" => return Some(Tree::Token(count(random))),
        "Parameter" => return Some(Tree::Text("=2 cm + 1 mm".to_owned())),
        _ => {}
    }
    let real = random.real();
    let (value, unit) = match (kind, key) {
        ("Length", "position" | "point" | "points" | "offset") => (real - 0.5, "m"),
        ("Length", "height" | "length") => (0.4 + 0.2 * real, "m"),
        ("Length", "bar_diameter" | "minor_radius" | "thickness" | "rounding") => (0.01 + 0.02 * real, "m"),
        ("Length", "inner_radius") => (0.04 + 0.05 * real, "m"),
        ("Length", _) => (0.1 + 0.2 * real, "m"),
        ("Time", "duration") => (0.01 + real, "s"),
        ("Time", _) => (1e-4 + 1e-3 * real, "s"),
        ("Velocity", "settle" | "stick" | "transition" | "least_speed") => (1e-3 + 0.02 * real, "m/s"),
        ("Velocity", _) => (2.0 * real - 1.0, "m/s"),
        ("AngularVelocity" | "CircularFrequency", _) => (0.1 + 5.0 * real, "rad/s"),
        ("Angle", _) => (0.1 + real, "rad"),
        ("Acceleration", _) => (20.0 * real - 10.0, "m/s^2"),
        ("Density", _) => (power(2.0, 4.0, random), "kg/m^3"),
        ("Mass", _) => (0.1 + 10.0 * real, "kg"),
        ("Inertia", _) => (0.01 * (0.9 + 0.2 * real), "kg m^2"),
        ("Pressure", _) => (power(5.0, 11.0, random), "Pa"),
        ("Stiffness", _) => (power(2.0, 5.0, random), "N/m"),
        ("TurningStiffness", _) => (power(0.0, 3.0, random), "N m/rad"),
        ("Damping", _) => (0.1 + 5.0 * real, "N s/m"),
        ("Force", _) => (20.0 * real - 10.0, "N"),
        ("Torque", _) => (2.0 * real - 1.0, "N m"),
        _ => return None,
    };
    Some(if random.once_in(2) {
        Tree::Text(format!("{value:.4e} {unit}"))
    } else {
        Tree::Token(format!("{value:.4e}"))
    })
}

/// Lists whose entries only make sense together, by key and length.
pub fn list(key: &str, length: Option<usize>, random: &mut Random) -> Option<Tree> {
    let text = match (key, length) {
        ("profile", None) => *random.pick(&[
            "[[0, 0], [0.2, 0], [0.1, 0.2]]",
            "[[0.1, -0.1], [0.3, -0.1], [0.3, 0.1], [0.2, 0], [0.1, 0.1]]",
        ]),
        ("heights", None) => *random.pick(&["[[0, 0.1, 0], [0.05, 0, 0.1]]", "[[0, 0], [0, 0], [0, 0]]"]),
        ("points", None) => *random.pick(&[
            "[[0, 0, 0], [0.2, 0, 0], [0, 0.2, 0], [0, 0, 0.3]]",
            "[[0.1, 0, 0], [-0.1, 0, 0], [0, 0.1, 0], [0, -0.1, 0], [0, 0, 0.1], [0, 0, -0.1]]",
        ]),
        ("orientation" | "quaternion", Some(4)) => {
            *random.pick(&["[1, 0, 0, 0]", "[0.6, 0, 0.8, 0]", "[0.5, 0.5, 0.5, 0.5]", "[0, 0.8, 0, -0.6]"])
        }
        ("matrix", Some(3)) => "[[1, 0, 0], [0, 0, -1], [0, 1, 0]]",
        ("bodies" | "exclude_contacts", Some(2)) => *random.pick(&["[\"b1\", \"b2\"]", "[\"b2\", \"b1\"]"]),
        ("degree", Some(2)) => "[1, 1]",
        ("knots", Some(2)) => "[[0, 0, 1, 1], [0, 0, 1, 1]]",
        ("control", None) => "[[0, 0, 0], [0, 0.2, 0.01], [0.3, 0, 0], [0.2, 0.2, 0.05]]",
        ("weights", None) => "[1, 0.7, 1, 2]",
        ("coefficients", None) => "[0.3, 0.02, 0.01, 0, 0.004, 0, -0.01, 0.002, 0.003]",
        _ => return None,
    };
    Tree::from_json(text)
}

/// Makes entries of a table agree that only make sense together.
pub fn agree(entries: &mut Vec<(String, Tree)>, table: &Map<String, Json>) {
    let kind = |entries: &[(String, Tree)], key: &str| match entries.iter().find(|(k, _)| k == key) {
        Some((_, Tree::Table(inner))) => inner.iter().find_map(|(k, value)| match value {
            Tree::Text(word) if k == "type" => Some(word.clone()),
            _ => None,
        }),
        _ => None,
    };
    // What encloses nothing has no mass, and what is fixed has no velocity.
    let encloses = |kind: String| !["plane", "bezier", "nurbs", "s-patch"].contains(&kind.as_str());
    if table.contains_key("fixed") && !kind(entries, "shape").is_none_or(encloses) {
        entries.retain(|(key, _)| !key.ends_with("velocity"));
        set(entries, "fixed", Tree::Token("true".to_owned()));
    }
    let has = |key: &str| entries.iter().any(|(k, _)| k == key);
    // One engine only moves what is joined.
    if has("solver")
        && (has("joints") || has("chains"))
        && kind(entries, "solver").as_deref() != Some("mechanism")
    {
        set(entries, "solver", Tree::Table(vec![("type".to_owned(), Tree::Text("mechanism".to_owned()))]));
    }
}

fn set(entries: &mut Vec<(String, Tree)>, key: &str, value: Tree) {
    entries.retain(|(k, _)| k != key);
    entries.push((key.to_owned(), value));
}
