//! Meshes of solids that a profile sweeps about the z axis, or a circle along a plane curve.
//!
//! The profile is a polyline (ρ, z) with the solid on its left: upwards where the surface faces away from the axis. The
//! meshes are closed because neighbours share vertices by index. Steps of angle that keep a chord error c:
//!
//! | surface | condition on the steps | source |
//! |---|---|---|
//! | circle of radius r | r(1 − cos(h/2)) ≤ c | the sagitta |
//! | sphere of radius r | r²(h_u² + h_v²)/4 ≤ c(2r − c) | below |
//! | any x(u, v) | (h_u²∣x_uu∣ + 2h_u h_v∣x_uv∣ + h_v²∣x_vv∣)/8 ≤ c | Filip, Magedson, Markot, CAGD 3 (1986) |
//!
//! The sphere: p = Σλᵢxᵢ has ∣p∣² = r² − Σλᵢλⱼ∣xᵢ − xⱼ∣². The sides of a cell are at most r h_u and r h_v and its
//! diagonal squared at most r²(h_u² + h_v²) (Ptolemy), so r² − ∣p∣² ≤ r²(h_u² + h_v²)/4; and r − ∣p∣ ≤ c is the
//! same as r² − ∣p∣² ≤ c(2r − c).

use super::MAX_TRIANGLES;
use crate::error::{GeomError, Result};
use crate::{TriMesh, Vec3};
use std::f64::consts::SQRT_2;

/// The step of angle that keeps the chord error on a circle of radius `r`.
pub(crate) fn circle_step(chord: f64, r: f64) -> f64 {
    4.0 * (0.5 * chord / r).sqrt().min(1.0).asin()
}

/// The step of angle, in longitude and latitude alike, that keeps the chord error on a sphere of radius `r`.
pub(crate) fn sphere_step(chord: f64, r: f64) -> f64 {
    let c = (chord / r).min(1.0);
    SQRT_2 * (c * (2.0 - c)).sqrt()
}

/// The steps (h_u, h_v) that keep the chord error where ∣x_uu∣ ≤ `uu`, ∣x_uv∣ ≤ `uv`, ∣x_vv∣ ≤ `vv`, all in metres.
///
/// The two pure terms get equal shares: h_u√uu = h_v√vv.
pub(crate) fn patch_steps(chord: f64, uu: f64, uv: f64, vv: f64) -> [f64; 2] {
    let (a, b) = (uu.sqrt(), vv.sqrt());
    let s = 2.0 * (chord / (1.0 + uv / (a * b))).sqrt();
    [s / a, s / b]
}

/// The number of steps over an angle: a multiple of `multiple`, so that the extremes of the axes are met.
pub(crate) fn divisions(chord: f64, angle: f64, step: f64, multiple: usize) -> Result<usize> {
    let count = (angle / step / multiple as f64).ceil().max(1.0);
    if count * multiple as f64 <= MAX_TRIANGLES as f64 {
        Ok(count as usize * multiple)
    } else {
        Err(too_fine(chord))
    }
}

/// The closed mesh of a profile turned once about the z axis in `steps` steps.
///
/// A profile that starts and ends on the axis (ρ = 0 exactly) is open; any other one is closed from its last point to
/// its first.
pub(crate) fn full_turn(chord: f64, profile: &[[f64; 2]], steps: usize) -> Result<TriMesh> {
    let angle = std::f64::consts::TAU / steps as f64;
    let spokes: Vec<_> = (0..steps).map(|j| (angle * j as f64).sin_cos()).collect();
    let (vertices, triangles) = strips(chord, profile, &spokes, true)?;
    TriMesh::new(vertices, triangles)
}

/// The closed mesh of a closed profile about (`centre`, 0), off the axis, turned from +x over +y to −x in `steps`
/// steps, with a fan of triangles about the centre at either end.
pub(crate) fn half_turn(chord: f64, profile: &[[f64; 2]], centre: f64, steps: usize) -> Result<TriMesh> {
    let angle = std::f64::consts::PI / steps as f64;
    let mut spokes: Vec<_> = (0..steps).map(|j| (angle * j as f64).sin_cos()).collect();
    // Exact where sin π is not.
    spokes.push((0.0, -1.0));
    let (mut vertices, mut triangles) = strips(chord, profile, &spokes, false)?;
    let start = vertices.len() as u32;
    vertices.push(Vec3::new(centre, 0.0, 0.0));
    vertices.push(Vec3::new(-centre, 0.0, 0.0));
    let (width, steps) = (spokes.len() as u32, steps as u32);
    let count = profile.len() as u32;
    for i in 0..count {
        let (a, b) = (i * width, (i + 1) % count * width);
        triangles.push([start, a, b]);
        triangles.push([start + 1, b + steps, a + steps]);
    }
    TriMesh::new(vertices, triangles)
}

/// The closed mesh of a tube of radius `r` about a closed plane curve, given by middles and outward unit vectors of its
/// sections, one way round the unit normal `across` of its plane in the sense of a right-handed screw.
pub(crate) fn closed_tube(
    chord: f64,
    stations: &[[Vec3; 2]],
    across: &Vec3,
    r: f64,
    steps: usize,
) -> Result<TriMesh> {
    if 2 * stations.len() * steps > MAX_TRIANGLES {
        return Err(too_fine(chord));
    }
    let angle = std::f64::consts::TAU / steps as f64;
    let circle: Vec<_> = (0..steps).map(|j| (angle * j as f64).sin_cos()).collect();
    let vertices = stations
        .iter()
        .flat_map(|[middle, e]| circle.iter().map(move |(sin, cos)| middle + (e * *cos + across * *sin) * r))
        .collect();
    let vertex = |i: usize, j: usize| (i % stations.len() * steps + j % steps) as u32;
    let mut triangles = Vec::with_capacity(2 * stations.len() * steps);
    for i in 0..stations.len() {
        for j in 0..steps {
            let (a, b, c, d) = (vertex(i, j), vertex(i + 1, j), vertex(i + 1, j + 1), vertex(i, j + 1));
            triangles.extend([[a, b, c], [a, c, d]]);
        }
    }
    TriMesh::new(vertices, triangles)
}

type Soup = (Vec<Vec3>, Vec<[u32; 3]>);

/// The strips between neighbouring points of the profile, along the spokes (sin u, cos u); `around` joins the last
/// spoke to the first. A point off the axis has as many vertices in a row as there are spokes, one on it a single one.
fn strips(chord: f64, profile: &[[f64; 2]], spokes: &[(f64, f64)], around: bool) -> Result<Soup> {
    if 2 * profile.len() * spokes.len() > MAX_TRIANGLES {
        return Err(too_fine(chord));
    }
    let mut vertices = Vec::new();
    let mut first = Vec::with_capacity(profile.len());
    for &[rho, z] in profile {
        first.push(vertices.len() as u32);
        if rho == 0.0 {
            vertices.push(Vec3::new(0.0, 0.0, z));
        } else {
            vertices.extend(spokes.iter().map(|(sin, cos)| Vec3::new(rho * cos, rho * sin, z)));
        }
    }
    let on_axis = |i: usize| profile[i][0] == 0.0;
    let vertex = |i: usize, j: usize| first[i] + if on_axis(i) { 0 } else { (j % spokes.len()) as u32 };
    let last = profile.len() - 1;
    let open = on_axis(0) && on_axis(last);
    let mut triangles = Vec::new();
    for i in 0..if open { last } else { last + 1 } {
        let k = (i + 1) % profile.len();
        for j in 0..if around { spokes.len() } else { spokes.len() - 1 } {
            let (a, b, c, d) = (vertex(i, j), vertex(i, j + 1), vertex(k, j + 1), vertex(k, j));
            if a != b {
                triangles.push([a, b, c]);
            }
            if c != d {
                triangles.push([a, c, d]);
            }
        }
    }
    Ok((vertices, triangles))
}

fn too_fine(chord: f64) -> GeomError {
    GeomError::OutOfRange {
        field: "chord".to_owned(),
        value: chord,
        allowed: format!("large enough for at most {MAX_TRIANGLES} triangles"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_meet_the_chord_error_they_are_made_for() {
        for c in [1e-9, 1e-4, 0.1, 1.0] {
            let h = circle_step(c, 2.0);
            assert!((2.0 * (1.0 - (0.5 * h).cos()) / c - 1.0).abs() < 1e-6, "{c}");
            let h = sphere_step(c, 2.0);
            assert!((4.0 * h * h / 2.0 / (c * (4.0 - c)) - 1.0).abs() < 1e-12, "{c}");
            let [u, v] = patch_steps(c, 3.0, 0.7, 0.5);
            assert!(((u * u * 3.0 + 2.0 * u * v * 0.7 + v * v * 0.5) / (8.0 * c) - 1.0).abs() < 1e-12, "{c}");
        }
    }

    #[test]
    fn a_bipyramid_turned_from_three_points_has_its_volume() {
        let mesh = full_turn(1.0, &[[0.0, -1.0], [1.0, 0.0], [0.0, 1.0]], 4).unwrap();
        assert_eq!((mesh.vertices().len(), mesh.triangles().len()), (6, 8));
        assert!((mesh.moments().volume - 4.0 / 3.0).abs() < 1e-15);
    }

    #[test]
    fn a_chord_error_beyond_all_triangles_is_refused_before_any_is_made() {
        let error = divisions(1e-30, 6.0, circle_step(1e-30, 1.0), 4).unwrap_err();
        assert!(error.to_string().starts_with("chord = 1e-30"), "{error}");
        assert!(full_turn(1e-9, &[[1.0, 0.0], [2.0, 0.0], [1.0, 1.0]], 3_000_000).is_err());
    }
}
