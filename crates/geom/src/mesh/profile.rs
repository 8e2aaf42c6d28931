//! Plane polygons, and the solids that they sweep along z or about it.
//!
//! A profile is a polygon that neither crosses nor touches itself; which sides meet is decided without error
//! ([`crate::exact`]), corners on a straight side are dropped.
//!
//! Extruded, it is the polygon times [−h/2, h/2]; the mesh is the body. Revolved, with points (r, z), r ≥ 0, it is a
//! mesh of N equal turns whose vertices lie on the round body, so that a circle of radius r is at most r(1 − cos π/N)
//! outside of its chords. The moments are those of the round body: every side from (r₀, z₀) to (r₁, z₁) bounds a
//! frustum, signed by its Δz, and with r(z) on it
//!
//!   V = π∫r² dz,   ∫z dV = π∫r²z dz,   ∫x² dV = ∫y² dV = π/4 ∫r⁴ dz,   ∫z² dV = π∫r²z² dz,
//!
//! polynomials of degree four in z, for which Gauss's rule of three points is exact.

use super::{TriMesh, ears};
use crate::error::{GeomError, Result, length, within};
use crate::exact::cross_sign;
use crate::{Mat3, Moments, Vec3};
use std::f64::consts::{PI, TAU};

/// Most corners of a profile: what its sides are compared with is the square of it.
const MOST: usize = 1024;

/// The nodes of Gauss's rule of three points on [0, 1], √0.15 from the middle, and their weights.
const GAUSS: [[f64; 2]; 3] = [
    [0.5 - 0.387_298_334_620_741_7, 5.0 / 18.0],
    [0.5, 8.0 / 18.0],
    [0.5 + 0.387_298_334_620_741_7, 5.0 / 18.0],
];

/// A simple polygon in the plane, counter-clockwise, without corners on straight sides.
#[derive(Debug, Clone, PartialEq)]
pub struct Profile {
    corners: Vec<[f64; 2]>,
}

impl Profile {
    /// A profile from its corners, in metres, in either sense; the last is joined to the first.
    pub fn new(corners: &[[f64; 2]]) -> Result<Self> {
        for (k, corner) in corners.iter().enumerate() {
            for (i, x) in corner.iter().enumerate() {
                crate::error::coordinate(&format!("profile[{k}][{i}]"), *x)?;
            }
        }
        within("corners of the profile", corners.len() as f64, 3.0, MOST as f64, "from 3 to 1024")?;
        check_sides(corners)?;
        let n = corners.len();
        let turns = |k: usize| turn(&corners[(k + n - 1) % n], &corners[k], &corners[(k + 1) % n]);
        let mut kept: Vec<[f64; 2]> = (0..n).filter(|&k| turns(k) != 0).map(|k| corners[k]).collect();
        if kept.len() < 3 {
            return Err(wrong(0, format!("{n} points in a line"), "a polygon that bounds an area"));
        }
        // The lowest corner, of these the leftmost, is convex: it tells the sense.
        let m = kept.len();
        let least = |i: usize, j: usize| [kept[i][1], kept[i][0]] < [kept[j][1], kept[j][0]];
        let low = (1..m).fold(0, |low, k| if least(k, low) { k } else { low });
        if turn(&kept[(low + m - 1) % m], &kept[low], &kept[(low + 1) % m]) < 0 {
            kept.reverse();
        }
        Ok(Self { corners: kept })
    }

    /// The corners, counter-clockwise.
    pub fn corners(&self) -> &[[f64; 2]] {
        &self.corners
    }

    /// The polygon from z = −height/2 to height/2.
    pub fn extruded(&self, height: f64) -> Result<TriMesh> {
        let half = 0.5 * length("height", height)?;
        let n = self.corners.len() as u32;
        let at = |z: f64| self.corners.iter().map(move |[x, y]| Vec3::new(*x, *y, z));
        let vertices: Vec<Vec3> = at(-half).chain(at(half)).collect();
        let top = self.triangles()?;
        let mut triangles: Vec<[u32; 3]> = top.iter().map(|[a, b, c]| [*a, *c, *b]).collect();
        triangles.extend(top.iter().map(|t| t.map(|k| k + n)));
        for k in 0..n {
            let l = (k + 1) % n;
            triangles.extend([[k, l, l + n], [k, l + n, k + n]]);
        }
        TriMesh::new(vertices, triangles)
    }

    /// The triangles of the polygon.
    fn triangles(&self) -> Result<Vec<[u32; 3]>> {
        let points: Vec<Vec3> = self.corners.iter().map(|[x, y]| Vec3::new(*x, *y, 0.0)).collect();
        let ring: Vec<u32> = (0..points.len() as u32).collect();
        let mut found = Vec::with_capacity(points.len());
        let is_whole = ears::cut(&points, &ring, &mut found);
        let corner = |k: u32| &self.corners[k as usize];
        // Triangles that all turn the same way and are as many as they must be cover a simple polygon once.
        let turns = found.iter().all(|[a, b, c]| turn(corner(*a), corner(*b), corner(*c)) > 0);
        if is_whole && turns && found.len() == points.len() - 2 {
            return Ok(found);
        }
        Err(wrong(
            0,
            "a polygon with parts too narrow to be cut into triangles".to_owned(),
            "wider than rounding",
        ))
    }

    /// The polygon of points (r, z) turned about z: a mesh of so many turns, with the moments of the round body.
    pub fn revolved(&self, segments: usize) -> Result<(TriMesh, Moments)> {
        within("segments", segments as f64, 3.0, 4096.0, "from 3 to 4096")?;
        let n = self.corners.len();
        for (k, [r, _]) in self.corners.iter().enumerate() {
            if *r < 0.0 {
                return Err(wrong(k, format!("the radius {r}"), "radii of zero or above"));
            }
            let beside = [self.corners[(k + n - 1) % n][0], self.corners[(k + 1) % n][0]];
            if *r == 0.0 && !beside.contains(&0.0) {
                let found = "a corner that touches the axis from aside".to_owned();
                return Err(wrong(k, found, "along the axis, or off it"));
            }
        }
        let mut vertices = Vec::new();
        let rings: Vec<Vec<u32>> = self
            .corners
            .iter()
            .map(|&[r, z]| {
                let first = vertices.len() as u32;
                if r == 0.0 {
                    vertices.push(Vec3::new(0.0, 0.0, z));
                    return vec![first; segments];
                }
                let turned = (0..segments).map(|k| (TAU * k as f64 / segments as f64).sin_cos());
                vertices.extend(turned.map(|(sin, cos)| Vec3::new(r * cos, r * sin, z)));
                (first..first + segments as u32).collect()
            })
            .collect();
        let mut triangles = Vec::new();
        for (i, ring) in rings.iter().enumerate() {
            let next = &rings[(i + 1) % n];
            for k in 0..segments {
                let l = (k + 1) % segments;
                // Seen from outside: along the profile upwards, and on to the next turn on the right.
                let [a, b, c, d] = [ring[k], ring[l], next[l], next[k]];
                triangles.extend(
                    [[a, b, c], [a, c, d]].into_iter().filter(|[p, q, r]| p != q && q != r && r != p),
                );
            }
        }
        Ok((TriMesh::new(vertices, triangles)?, self.moments_about_z()))
    }

    /// How far the round body is outside of the chords of a mesh of so many turns, in metres, at most.
    pub fn chord_error(&self, segments: usize) -> f64 {
        let widest = self.corners.iter().fold(0.0, |most: f64, [r, _]| most.max(*r));
        widest * 2.0 * (0.5 * PI / segments as f64).sin().powi(2)
    }

    fn moments_about_z(&self) -> Moments {
        let n = self.corners.len();
        let mut m = Moments::zero();
        let mut across = 0.0;
        for (k, &[r0, z0]) in self.corners.iter().enumerate() {
            let [r1, z1] = self.corners[(k + 1) % n];
            for [t, weight] in GAUSS {
                let (r, z) = (r0 + (r1 - r0) * t, z0 + (z1 - z0) * t);
                let disc = weight * (z1 - z0) * PI * r * r;
                m.volume += disc;
                m.first.z += disc * z;
                m.second[(2, 2)] += disc * z * z;
                across += disc * r * r / 4.0;
            }
        }
        m.second += Mat3::from_diagonal(&Vec3::new(across, across, 0.0));
        m
    }
}

fn wrong(corner: usize, found: String, allowed: &str) -> GeomError {
    GeomError::Inconsistent { field: format!("profile[{corner}]"), found, allowed: allowed.to_owned() }
}

/// The sense in which a, b, c turn: positive counter-clockwise, zero in a line. Exact.
fn turn(a: &[f64; 2], b: &[f64; 2], c: &[f64; 2]) -> i8 {
    let [a, b, c] = [a, b, c].map(|p| Vec3::new(p[0], p[1], 0.0));
    cross_sign(&a, &b, &a, &c)
}

/// Refuses sides without length, and sides that meet where they are not neighbours or fold back on them.
fn check_sides(corners: &[[f64; 2]]) -> Result<()> {
    let n = corners.len();
    let side = |k: usize| [&corners[k], &corners[(k + 1) % n]];
    let simple = "a polygon that neither crosses nor touches itself";
    if let Some(k) = (0..n).find(|&k| side(k)[0] == side(k)[1]) {
        return Err(wrong((k + 1) % n, "the point before it once more".to_owned(), simple));
    }
    for k in 0..n {
        let [a, b] = side(k);
        let c = side((k + 1) % n)[1];
        if turn(a, b, c) == 0 && (a[0] - b[0]) * (c[0] - b[0]) + (a[1] - b[1]) * (c[1] - b[1]) > 0.0 {
            return Err(wrong(
                (k + 1) % n,
                "a corner that folds back on the side before it".to_owned(),
                simple,
            ));
        }
        for l in k + 2..n {
            if (l + 1) % n != k && meet(side(k), side(l)) {
                return Err(wrong(l, format!("a side that meets the side from profile[{k}]"), simple));
            }
        }
    }
    Ok(())
}

/// Whether two segments have a point in common.
fn meet([a, b]: [&[f64; 2]; 2], [c, d]: [&[f64; 2]; 2]) -> bool {
    let (of_c, of_d) = (turn(a, b, c), turn(a, b, d));
    let (of_a, of_b) = (turn(c, d, a), turn(c, d, b));
    if of_c * of_d < 0 && of_a * of_b < 0 {
        return true;
    }
    // A point in line with a segment is on it where it is within its box.
    let between = |p: &[f64; 2], a: &[f64; 2], b: &[f64; 2]| {
        (0..2).all(|i| p[i] >= a[i].min(b[i]) && p[i] <= a[i].max(b[i]))
    };
    of_c == 0 && between(c, a, b)
        || of_d == 0 && between(d, a, b)
        || of_a == 0 && between(a, c, d)
        || of_b == 0 && between(b, c, d)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surface::{Mesh, Surface};

    const L: [[f64; 2]; 6] = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]];

    fn refusal(corners: &[[f64; 2]]) -> String {
        Profile::new(corners).unwrap_err().to_string()
    }

    #[test]
    fn a_concave_profile_keeps_its_notch_in_either_sense_and_from_any_corner() {
        for first in 0..6 {
            let mut corners: Vec<[f64; 2]> = (0..6).map(|k| L[(k + first) % 6]).collect();
            for _ in 0..2 {
                corners.reverse();
                let profile = Profile::new(&corners).unwrap();
                let body = Mesh::new(profile.extruded(0.5).unwrap()).unwrap();
                let m = body.moments().unwrap();
                assert!((m.volume - 1.5).abs() < 1e-14, "{}", m.volume);
                assert!((m.first - Vec3::new(1.25, 1.25, 0.0)).norm() < 1e-14, "{:?}", m.first);
                assert!((body.area().unwrap() - (6.0 + 4.0)).abs() < 1e-13);
                assert!(body.signed_distance(&Vec3::new(1.5, 1.5, 0.0)).unwrap() > 0.49);
            }
        }
    }

    #[test]
    fn corners_on_straight_sides_are_dropped() {
        let corners = [[0.0, 0.0], [0.1, 0.0], [0.2, 0.0], [0.3, 0.0], [0.3, 0.3], [0.0, 0.3], [0.0, 0.1]];
        let profile = Profile::new(&corners).unwrap();
        assert_eq!(profile.corners(), [[0.0, 0.0], [0.3, 0.0], [0.3, 0.3], [0.0, 0.3]]);
    }

    #[test]
    fn polygons_that_meet_themselves_are_refused_with_their_corner() {
        let end = "must be a polygon that neither crosses nor touches itself";
        let bow = refusal(&[[0.0, 0.0], [1.0, 1.0], [1.0, 0.0], [0.0, 1.0]]);
        assert_eq!(bow, format!("profile[2] = a side that meets the side from profile[0]: {end}"));
        let twice = refusal(&[[0.0, 0.0], [1.0, 0.0], [1.0, 0.0], [0.0, 1.0]]);
        assert_eq!(twice, format!("profile[2] = the point before it once more: {end}"));
        let spike = refusal(&[[0.0, 0.0], [2.0, 0.0], [1.0, 0.0], [0.0, 1.0]]);
        assert!(spike.starts_with("profile[1] = a corner that folds back"), "{spike}");
        // A corner that touches a side.
        let touch = refusal(&[[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [1.0, 0.0], [0.0, 2.0]]);
        assert!(touch.contains("meets the side from profile[0]"), "{touch}");
        assert!(refusal(&[[0.0, 0.0], [1.0, 0.0]]).contains("from 3 to 1024"));
        assert!(refusal(&[[0.0, 0.0], [1.0, f64::NAN], [0.0, 1.0]]).starts_with("profile[1][1] = NaN"));
        assert!(refusal(&[[0.0, 0.0], [1.0, 1.0], [2.0, 2.0]]).starts_with("profile["));
    }

    /// Cylinder, cone and tube by their textbook moments, and the mesh on its way to them as 1/N².
    #[test]
    fn revolved_profiles_have_the_moments_of_the_round_body() {
        let (r, h, q) = (0.3, 0.8, 0.2);
        let cylinder = [[0.0, -0.4], [r, -0.4], [r, 0.4], [0.0, 0.4]];
        let cone = [[0.0, 0.0], [r, 0.0], [0.0, h]];
        let tube = [[q, -0.4], [r, -0.4], [r, 0.4], [q, 0.4]];
        let about = |r: f64, v: f64| [v * r * r / 4.0, v * h * h / 12.0];
        let (full, hole) = (PI * r * r * h, PI * q * q * h);
        let [[a, b], [c, d]] = [about(r, full), about(q, hole)];
        for (corners, volume, second) in [
            (&cylinder[..], full, [a, b]),
            (&cone[..], full / 3.0, [PI * r.powi(4) * h / 20.0, PI * r * r * h.powi(3) / 30.0]),
            (&tube[..], full - hole, [a - c, b - d]),
        ] {
            let profile = Profile::new(corners).unwrap();
            let (mesh, m) = profile.revolved(64).unwrap();
            assert!((m.volume - volume).abs() < 1e-15, "{} {volume}", m.volume);
            for (i, expected) in [second[0], second[0], second[1]].into_iter().enumerate() {
                assert!((m.second[(i, i)] - expected).abs() < 1e-15, "{i}");
            }
            let errors = [32, 64, 128].map(|n| {
                let solid = Mesh::new(profile.revolved(n).unwrap().0).unwrap();
                volume - solid.moments().unwrap().volume
            });
            assert!(errors[0] > 0.0 && (errors[0] / errors[1] - 4.0).abs() < 0.05, "{errors:?}");
            assert!((errors[1] / errors[2] - 4.0).abs() < 0.05, "{errors:?}");
            let tube = Mesh::with_moments(mesh, m).unwrap();
            assert_eq!(tube.moments().unwrap(), m);
        }
    }

    #[test]
    fn the_chord_error_is_the_greatest_distance_of_the_round_body_from_the_mesh() {
        let profile = Profile::new(&[[0.2, 0.0], [0.5, 0.0], [0.5, 1.0], [0.2, 1.0]]).unwrap();
        let solid = Mesh::new(profile.revolved(24).unwrap().0).unwrap();
        let (sin, cos) = (PI / 24.0).sin_cos();
        let off = solid.signed_distance(&Vec3::new(0.5 * cos, 0.5 * sin, 0.5)).unwrap();
        assert!((off - profile.chord_error(24)).abs() < 1e-15);
    }

    #[test]
    fn profiles_that_cross_the_axis_or_touch_it_from_aside_are_refused() {
        let refusal =
            |corners: &[[f64; 2]]| Profile::new(corners).unwrap().revolved(12).unwrap_err().to_string();
        assert!(refusal(&[[-0.1, 0.0], [1.0, 0.0], [1.0, 1.0]]).contains("the radius -0.1"));
        assert!(refusal(&[[0.0, 0.5], [1.0, 0.0], [1.0, 1.0]]).contains("touches the axis from aside"));
        let error = Profile::new(&L).unwrap().revolved(2).unwrap_err().to_string();
        assert_eq!(error, "segments = 2: must be from 3 to 4096");
    }
}
