//! Dopico's programs against the distances of pieces.

use crate::near::random::Random;
use rattleback_contact::geom::surface::Link;
use rattleback_contact::geom::{Pose, Vec3};
use rattleback_contact::region::link::dopico::{bar_triangle, bend_triangle};
use rattleback_contact::region::link::{Nearest, Piece, piece_triangle, pieces};

fn link() -> Link {
    Link::from_outer(0.06, 0.36, 0.216).unwrap()
}

/// Triangles about the link in its own frame, some of them in planes along its axes.
fn triangle(random: &mut Random) -> [Vec3; 3] {
    let size = 0.36 * 10f64.powf(random.between(-1.5, 1.0));
    let centre = random.vector(0.2);
    let mut corners = [(); 3].map(|()| centre + random.vector(size));
    match random.between(0.0, 8.0) as usize {
        0 => corners[1].z = corners[0].z,
        1 => (corners[1].x, corners[2].x) = (corners[0].x, corners[0].x),
        2 => corners[1] = corners[0] + Vec3::z() * size,
        _ => {}
    }
    corners
}

/// The nearest of several pieces, and whether it is nearest inside their union.
fn nearest(list: &[Piece], corners: &[Vec3; 3]) -> (Nearest, bool) {
    let found: Vec<Nearest> = list.iter().map(|piece| piece_triangle(piece, corners)).collect();
    let best = (0..list.len()).min_by(|a, b| found[*a].distance.total_cmp(&found[*b].distance)).unwrap();
    let (s, length) = (found[best].parameter, list[best].length());
    let inside = (s > 1e-9 || best > 0) && (s < length - 1e-9 || best + 1 < list.len());
    (found[best], inside)
}

#[test]
fn the_programs_find_the_distances_of_bars_and_bends() {
    let mut random = Random(21);
    let all = pieces(&link(), &Pose::identity());
    let mut agreed = [0; 2];
    for _ in 0..4000 {
        let corners = triangle(&mut random);
        let cases = [
            (bar_triangle(&link(), 1.0, &corners).unwrap(), &all[0..1], 0),
            (bar_triangle(&link(), -1.0, &corners).unwrap(), &all[3..4], 0),
            (bend_triangle(&link(), 1.0, &corners).unwrap(), &all[1..3], 1),
            (bend_triangle(&link(), -1.0, &corners).unwrap(), &all[4..6], 1),
        ];
        for (found, list, kind) in cases {
            let (own, inside) = nearest(list, &corners);
            match found {
                Some(found) if inside => {
                    let off = (found.distance - own.distance).abs();
                    assert!(off < 1e-10 * 0.36, "{off} {found:?} {own:?} {corners:?}");
                    agreed[kind] += 1;
                }
                Some(found) => assert!(found.distance > own.distance - 1e-12, "{found:?} {own:?}"),
                None => assert!(!inside, "{own:?} {corners:?}"),
            }
        }
    }
    assert!(agreed.iter().all(|count| *count > 500), "{agreed:?}");
}

#[test]
fn a_triangle_beyond_the_planes_of_a_bar_has_no_distance_from_it() {
    let corners = [Vec3::new(0.0, 0.1, 0.08), Vec3::new(0.1, 0.0, 0.1), Vec3::new(0.0, 0.0, 0.09)];
    assert_eq!(bar_triangle(&link(), 1.0, &corners).unwrap(), None);
    assert!(bend_triangle(&link(), 1.0, &corners).unwrap().is_some());
    assert_eq!(bend_triangle(&link(), -1.0, &corners).unwrap(), None);
}
