//! What becomes of derivatives that are held to differences.
//!
//! Where no differences agree the entry is unresolved, for one of three reasons:
//!
//! - beside a plane: a point is so near to a plane where curvature has no derivative, or is infinite, that steps which
//!   stay on one side of it are lost in rounding;
//! - steep: the normal turns so fast, as between rims that are nearly parallel, that rounding is above what differences
//!   show;
//! - flat: a surface has so little curvature, but some, that the rounding of the normal moves the point on it by more
//!   than that.

use super::differences::{AGREE, Ask, Entries, Said, exact, pack, scales, slopes};
use rattleback_contact::geom::Vec3;
use rattleback_contact::geom::surface::Shape;
use rattleback_contact::{Collider, Contact, Regularity, derivatives};
use std::collections::BTreeMap;

/// The greatest difference from the exact answer that is right, in units of the entry's own scale.
const RIGHT: f64 = 1e-6;

/// What became of the pairs of one kind.
#[derive(Default)]
pub struct Tally {
    pairs: u32,
    uncertified: u32,
    typed: BTreeMap<String, u32>,
    entries: u32,
    /// Beside a plane, steep or flat, for another reason.
    unresolved: [u32; 3],
    wrong: u32,
    worst: f64,
    /// Of an entry that is wrong, or unresolved for another reason.
    example: String,
}

/// A share of a coordinate below this is beside the plane where it vanishes: stencils that are long enough for rounding
/// cross it.
const BESIDE: f64 = 1e-3;

/// A normal that turns faster than this, in rad per metre or radian, is steep.
const STEEP: f64 = 1e3;

/// A body of about a metre is flat in a direction in which its curvature is less than this, in 1/m.
const FLAT: f64 = 1e-3;

/// Whether a point is beside a plane across which curvature is not differentiable.
fn is_beside_plane(body: &Collider, point: &Vec3) -> bool {
    let (axes, exponents) = match &body.shape {
        Shape::Superellipsoid(s) => (s.semi_axes(), s.exponents().to_vec()),
        Shape::Superquadric(s) => (s.semi_axes(), s.exponents().to_vec()),
        _ => return false,
    };
    let least = body.pose.point_to_local(point).component_div(axes).abs().min();
    least < BESIDE && exponents.iter().any(|&e| e != 2.0)
}

impl Tally {
    /// Compares the derivatives of a known contact with what differences of it say.
    pub fn examine(&mut self, [a, b]: [&Collider; 2], found: Option<&Contact>, ask: Ask<'_>) {
        self.pairs += 1;
        let Some(found) = found else {
            self.uncertified += 1;
            return;
        };
        let d = derivatives(a, b, found).unwrap();
        assert!(d.point_a.iter().chain(&d.relative).chain(&d.normal).all(|x| x.is_finite()), "{a:?} {b:?}");
        if d.regularity != Regularity::Smooth {
            *self.typed.entry(format!("{:?}", d.regularity)).or_default() += 1;
        }
        let rows = match d.regularity {
            r if r.has_curvatures() => 16,
            r if r.has_points() => 10,
            r if r.has_gap() => 1,
            _ => return,
        };
        let infinite = pack(found).map(|x| !(x.abs() < 1e100));
        let all: [Entries; 12] = std::array::from_fn(|column| exact(&d, column));
        for column in 0..12 {
            let e = all[column];
            let scale = scales(&e, found);
            let said = slopes([a, b], ask, column, &scale, &all);
            for row in (0..rows).filter(|&row| !infinite[row]) {
                self.entries += 1;
                let Said { slope, spread, .. } = said[row];
                let error = (slope - e[row]).abs() / scale[row];
                if spread > AGREE {
                    let touch = &found.touch;
                    let beside = is_beside_plane(a, &touch.point_a) || is_beside_plane(b, &touch.point_b);
                    let steep = e.fixed_rows::<3>(1).norm() > STEEP;
                    let is_flat = |kappa: &f64| *kappa != 0.0 && kappa.abs() < FLAT;
                    let flat = found
                        .curvature
                        .is_some_and(|c| [c.a, c.b].iter().any(|c| c.kappa.iter().any(is_flat)));
                    self.unresolved[if beside { 0 } else { 2 - usize::from(steep || flat) }] += 1;
                    if beside || steep || flat {
                        continue;
                    }
                } else {
                    self.worst = self.worst.max(error);
                    self.wrong += u32::from(error > RIGHT);
                }
                if (spread > AGREE || error > RIGHT) && self.example.is_empty() {
                    self.example = format!(
                        "row {row}, column {column}: {slope:e} by differences to {spread:.1e}, {:e} exactly, {:?}\n{a:?}\n{b:?}\n{found:?}",
                        e[row], d.regularity
                    );
                }
            }
        }
    }
}

/// Prints a row per kind of pair; fails where an entry is wrong, or where more than a share of them is unresolved
/// without a reason.
pub fn report(tallies: &BTreeMap<[&str; 2], Tally>, without_reason: f64) {
    let sum = |of: fn(&Tally) -> u32| tallies.values().map(of).sum::<u32>();
    for (kinds, t) in tallies {
        println!(
            "{:<40} {:>5} pairs, {:>4} uncertified, {:>7} entries, {:?} unresolved, {:>4} wrong, worst {:.1e} {:?}",
            kinds.join(" - "),
            t.pairs,
            t.uncertified,
            t.entries,
            t.unresolved,
            t.wrong,
            t.worst,
            t.typed
        );
    }
    for t in tallies.values().filter(|t| !t.example.is_empty()) {
        println!("{}", t.example);
    }
    let (entries, wrong) = (sum(|t| t.entries), sum(|t| t.wrong));
    let [beside, steep, other] =
        [sum(|t| t.unresolved[0]), sum(|t| t.unresolved[1]), sum(|t| t.unresolved[2])];
    println!("{entries} entries, {wrong} wrong, {} pairs uncertified", sum(|t| t.uncertified));
    println!("unresolved: {beside} beside a plane, {steep} steep or flat, {other} others");
    assert_eq!(wrong, 0);
    assert!(f64::from(other) <= without_reason * f64::from(entries), "{other} of {entries} unresolved");
    assert!(f64::from(beside + steep) < 1e-4 * f64::from(entries));
}
