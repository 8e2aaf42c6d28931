#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use super::*;
use crate::surface::Mesh;

fn share(state: &mut u64) -> f64 {
    2.0 * rattleback_random::unit(state) - 1.0
}

fn refusal(points: &[[f64; 3]]) -> String {
    let points: Vec<Vec3> = points.iter().map(|p| Vec3::from(*p)).collect();
    Hull::new(&points).unwrap_err().to_string()
}

#[test]
fn a_grid_of_points_has_the_hull_of_its_corners() {
    let points: Vec<Vec3> = (0..125)
        .map(|k| Vec3::new(f64::from(k % 5), f64::from(k / 5 % 5), f64::from(k / 25)) * 0.1)
        .collect();
    let hull = Hull::new(&points).unwrap();
    assert_eq!((hull.vertices().len(), hull.faces().len()), (8, 6));
    assert!(hull.faces().iter().all(|face| face.len() == 4));
    let mesh = Mesh::new(hull.triangles().unwrap().0).unwrap();
    assert!((mesh.mesh().moments().volume - 0.064).abs() < 1e-15);
}

/// Coordinates of few bits make many points coplanar, collinear and equal.
#[test]
fn no_point_is_above_a_face_and_every_corner_is_one_of_the_points() {
    let mut state = 5;
    for round in 0..200 {
        let scale = [2.0, 4.0, 64.0, 1e12][round % 4];
        let count = 4 + rattleback_random::below(&mut state, 60);
        let points: Vec<Vec3> = (0..count)
            .map(|_| Vec3::from_fn(|_, _| (share(&mut state) * scale).round() / scale + 7.0))
            .collect();
        let Ok(hull) = Hull::new(&points) else { continue };
        for face in hull.faces() {
            let corner = |k: usize| hull.vertices()[face[k % face.len()] as usize];
            for k in 0..face.len() {
                let [a, b, c] = [corner(k), corner(k + 1), corner(k + 2)];
                assert!(points.iter().all(|p| orientation(&a, &b, &c, p) <= 0), "{points:?}");
                assert!(cross_sign(&a, &b, &b, &c) != 0);
            }
        }
        assert!(hull.vertices().iter().all(|v| points.contains(v)));
        Mesh::new(hull.triangles().unwrap().0).unwrap();
    }
}

#[test]
fn many_points_on_a_ball_are_all_corners_and_those_inside_are_none() {
    let mut state = 11;
    let mut points = Vec::new();
    while points.len() < 2000 {
        let p = Vec3::from_fn(|_, _| share(&mut state));
        if p.norm() > 0.1 && p.norm() < 1.0 {
            points.push(p.normalize());
            points.push(p * 0.9);
        }
    }
    let hull = Hull::new(&points).unwrap();
    assert_eq!(hull.vertices().len(), 1000);
    assert_eq!(hull.faces().len(), 1996);
}

#[test]
fn points_that_span_no_solid_are_refused_by_what_they_are() {
    let end = "must be four points or more that lie in no plane";
    assert_eq!(refusal(&[]), format!("points = no point: {end}"));
    assert_eq!(refusal(&[[1.0; 3]; 9]), format!("points = one point, there once or several times: {end}"));
    assert_eq!(refusal(&[[0.0; 3], [1.0; 3], [2.0, 1.0, 0.0]]), format!("points = 3 points: {end}"));
    let line: Vec<[f64; 3]> = (0..6).map(|k| [0.1 * f64::from(k); 3]).collect();
    assert_eq!(refusal(&line), format!("points = 6 points in a line: {end}"));
    let plane: Vec<[f64; 3]> = (0..9).map(|k| [f64::from(k % 3), f64::from(k / 3), 0.5]).collect();
    assert_eq!(refusal(&plane), format!("points = 9 points in a plane: {end}"));
    assert!(refusal(&[[0.0; 3], [f64::NAN, 0.0, 0.0]]).starts_with("points[1][0] = NaN"));
    let mut thin = plane.clone();
    thin.push([0.7, 0.4, 0.5 + 1e-15]);
    let points: Vec<Vec3> = thin.iter().map(|p| Vec3::from(*p)).collect();
    assert!(Hull::new(&points).is_ok());
    let error = Hull::with_flat(&points, 1e-12).unwrap_err().to_string();
    assert_eq!(error, format!("points = points that lie in a plane but for rounding: {end}"));
}

#[test]
fn faces_that_are_flat_but_for_rounding_are_one_where_that_is_asked_for() {
    // A dodecahedron, whose pentagons no doubles make flat.
    let g = (1.0 + 5f64.sqrt()) / 2.0;
    let mut points = Vec::new();
    for s in [1.0, -1.0] {
        for t in [1.0, -1.0] {
            points.extend([Vec3::new(s, t, 1.0), Vec3::new(s, t, -1.0)]);
            let (short, long) = (s / g, t * g);
            points.extend([
                Vec3::new(0.0, short, long),
                Vec3::new(short, long, 0.0),
                Vec3::new(long, 0.0, short),
            ]);
        }
    }
    let hull = Hull::with_flat(&points, 1e-12).unwrap();
    assert_eq!((hull.vertices().len(), hull.faces().len()), (20, 12));
    assert!(hull.faces().iter().all(|face| face.len() == 5));
}
