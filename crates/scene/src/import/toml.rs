//! Numbers, names and remarks as a scene file has them.

use rattleback_geom::nalgebra::UnitQuaternion;
use rattleback_geom::{Mat3, Vec3};
use std::path::Path;

/// Lengths in m and components of directions below this are what rounding leaves of nothing.
const NOTHING: f64 = 1e-14;

/// A number with fifteen digits at most: those that a person wrote come back as they were, and sums lose the digits
/// that rounding made.
pub(super) fn number(x: f64) -> String {
    let rounded = format!("{x:.14e}").parse::<f64>().unwrap_or(x);
    if rounded == 0.0 {
        return "0".to_owned();
    }
    if (1e-4..1e7).contains(&rounded.abs()) { format!("{rounded}") } else { format!("{rounded:e}") }
}

/// An angle in rad: as a number, or in degrees where that is what a person wrote.
pub(super) fn angle(x: f64) -> String {
    let degrees = (x.to_degrees() * 1e6).round() / 1e6;
    let (plain, text) = (number(x), format!("\"{} deg\"", number(degrees)));
    // The same angle but for the rounding of the unit.
    let is_same = (degrees.to_radians() - x).abs() <= 4.0 * f64::EPSILON * x.abs();
    if is_same && text.len() < plain.len() { text } else { plain }
}

/// A list of numbers.
pub(super) fn list(numbers: &[f64]) -> String {
    let numbers: Vec<String> = numbers.iter().map(|x| number(*x)).collect();
    format!("[{}]", numbers.join(", "))
}

/// A place or a direction.
pub(super) fn vector(v: &Vec3) -> String {
    list(v.map(|x| if x.abs() < NOTHING { 0.0 } else { x }).as_slice())
}

/// A quaternion w, x, y, z; none for no turn.
pub(super) fn orientation(q: &UnitQuaternion<f64>) -> Option<String> {
    let parts = [q.w, q.i, q.j, q.k].map(|x| if x.abs() < NOTHING { 0.0 } else { x });
    let sign = if parts.iter().find(|x| **x != 0.0).is_some_and(|x| *x < 0.0) { -1.0 } else { 1.0 };
    let turns = parts[1..].iter().any(|x| *x != 0.0);
    turns.then(|| list(&parts.map(|x| if x == 0.0 { 0.0 } else { sign * x })))
}

/// An inertia: three moments, or three rows.
pub(super) fn inertia(m: &Mat3) -> String {
    let least = NOTHING * m.amax();
    let at = |i: usize, j: usize| {
        if m[(i.min(j), i.max(j))].abs() < least { 0.0 } else { m[(i.min(j), i.max(j))] }
    };
    if [(0, 1), (0, 2), (1, 2)].iter().all(|(i, j)| at(*i, *j) == 0.0) {
        return list(&[at(0, 0), at(1, 1), at(2, 2)]);
    }
    let rows: Vec<String> = (0..3).map(|i| list(&[at(i, 0), at(i, 1), at(i, 2)])).collect();
    format!("[{}]", rows.join(", "))
}

/// A text in quotation marks.
pub(super) fn text(s: &str) -> String {
    let mut quoted = String::from("\"");
    for c in s.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            c if c.is_control() => quoted.push_str(&format!("\\u{:04X}", c as u32)),
            c => quoted.push(c),
        }
    }
    quoted + "\""
}

/// A path, with strokes that every system reads.
pub(super) fn path(path: &Path) -> String {
    text(&path.to_string_lossy().replace('\\', "/"))
}

/// A remark in one line.
pub(super) fn remark(s: &str) -> String {
    s.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_come_back() {
        for (x, said) in
            [(0.1 + 0.2, "0.3"), (-9.81, "-9.81"), (3.0, "3"), (1.5e-7, "1.5e-7"), (-0.0, "0"), (2e9, "2e9")]
        {
            assert_eq!(number(x), said);
        }
        for x in [1.0 / 3.0, std::f64::consts::PI * 1e-9, 6.02214076e23] {
            let back: f64 = number(x).parse().unwrap();
            assert!((back - x).abs() <= 5e-15 * x.abs(), "{x} {back}");
        }
    }

    #[test]
    fn angles_that_were_written_in_degrees_are_in_degrees_again() {
        assert_eq!(angle(-150f64.to_radians()), "\"-150 deg\"");
        assert_eq!(angle(1.57), "1.57");
        assert_eq!(angle(1.2345678912345), "1.2345678912345");
        assert_eq!(angle(0.0), "0");
    }

    #[test]
    fn what_stands_in_quotation_marks_stays_there() {
        let name = "a \"b\"\n\\c\u{7f}";
        let table: toml::Table = format!("x = {}", text(name)).parse().unwrap();
        assert_eq!(table["x"].as_str(), Some(name));
        assert_eq!(remark("a\nb"), "a b");
    }
}
