//! Whether two triangles cut each other, and where: decided without error, without a special case.
//!
//! The vertices of A in B's frame are rounded once and taken as exact from then on. A is thought to be moved by
//! δ = (ε, ε², ε³) with an ε below any that matters (Edelsbrunner, Mücke, "Simulation of simplicity", 1990, with a
//! translation in place of a perturbation of every vertex). Everything is decided by the signs of two determinants,
//!
//!   a point p against a triangle abc:   det[b − a, c − a, p − a] ± N·δ,    N = (b − a) × (c − a)
//!   an edge pq against an edge ab:      det[q − p, a − p, b − p] ± M·δ,    M = (q − p) × (b − a)
//!
//! with + where p, or pq, belongs to A. They are linear in δ, so that where a determinant vanishes its sign is that of
//! the first component of N or M that does not. Where all of them vanish the triangle is degenerate or the edges are
//! parallel, whatever δ, and the sign is zero.
//!
//! An edge pq cuts a triangle abc when p and q lie on opposite sides of its plane and the signs of pq against ab, bc
//! and ca are equal. Opposite sides mean that pq is not parallel to the plane, hence to none of the three sides: no
//! zero takes part. Of the moved bodies no vertex lies in a plane of the other and no two edges meet, so that two
//! triangles have no point in common or a segment with exactly two ends, each an edge of one on the triangle of the
//! other (for a degenerate triangle, which no edge cuts, two of its own sides). The end of a segment on an edge of A is
//! also the end of one segment in the triangle across that edge. Hence the segments of closed meshes make closed
//! contours, whether they cross, touch in vertices, along edges or in faces, or coincide.
//!
//! Contours run along N_A × N_B. On an edge of A, counter-clockwise in its triangle and with the direction e, the way
//! into the triangle has a positive product with N_A × e, and (N_A × N_B)·(N_A × e) = N_A² N_B·e: a segment starts
//! where the edge of A rises through B's triangle and ends where it falls; for edges of B the other way round. The part
//! of A inside B then lies on the left, seen from outside A.

use rattleback_geom::Vec3;
use rattleback_geom::exact::{accurate_determinant, cross_sign, orientation};

/// The corners of a triangle in B's frame.
pub(super) type Corners = [Vec3; 3];

/// What moves by δ against the other.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Moved {
    /// What is named first.
    First,
    /// What is named second.
    Second,
}

impl Moved {
    fn sign(self) -> i8 {
        match self {
            Self::First => 1,
            Self::Second => -1,
        }
    }
}

/// On which side of a triangle a point lies: 1 where the normal points to.
#[inline]
pub(super) fn side(p: &Vec3, [a, b, c]: &Corners, moved: Moved) -> i8 {
    match orientation(a, b, c, p) {
        0 => moved.sign() * cross_sign(a, b, a, c),
        sign => sign,
    }
}

/// How the edge pq turns about the edge ab.
#[inline]
pub(super) fn turn(p: &Vec3, q: &Vec3, a: &Vec3, b: &Vec3, moved: Moved) -> i8 {
    match orientation(p, q, a, b) {
        0 => moved.sign() * cross_sign(p, q, a, b),
        sign => sign,
    }
}

/// Whether an edge whose ends lie on the given sides of a triangle cuts it: 1 where it rises along the normal, −1 where
/// it falls, 0 where it does not.
pub(super) fn cut(p: &Vec3, q: &Vec3, sides: [i8; 2], corners: &Corners, moved: Moved) -> i8 {
    if sides[0] * sides[1] >= 0 {
        return 0;
    }
    let turns = |k: usize| turn(p, q, &corners[k], &corners[(k + 1) % 3], moved);
    let first = turns(0);
    if first != 0 && turns(1) == first && turns(2) == first { sides[1] } else { 0 }
}

/// Where a segment of a contour begins or ends: a side of one triangle on the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct End {
    /// Whose side it is, 0 for A, 1 for B.
    pub body: u8,
    /// Which of the three, from corner k to corner k + 1.
    pub side: u8,
    /// Whether it rises through the other's triangle, seen from corner k.
    pub rises: bool,
}

/// The segment that two triangles have in common, from its start to its end.
pub(super) fn segment(a: &Corners, b: &Corners) -> Option<[End; 2]> {
    let on_b = [0, 1, 2].map(|k| side(&a[k], b, Moved::First));
    if on_b[0] != 0 && on_b[1] == on_b[0] && on_b[2] == on_b[0] {
        return None;
    }
    let on_a = [0, 1, 2].map(|k| side(&b[k], a, Moved::Second));
    if on_a[0] != 0 && on_a[1] == on_a[0] && on_a[2] == on_a[0] {
        return None;
    }
    let mut ends = [None; 2];
    for (body, own, other, sides, moved) in [(0, a, b, on_b, Moved::First), (1, b, a, on_a, Moved::Second)] {
        for k in 0..3 {
            let next = (k + 1) % 3;
            let rise = cut(&own[k], &own[next], [sides[k], sides[next]], other, moved);
            if rise != 0 {
                let starts = (rise > 0) == (body == 0);
                ends[usize::from(!starts)] = Some(End { body, side: k as u8, rises: rise > 0 });
            }
        }
    }
    Some([ends[0]?, ends[1]?])
}

/// How far along the edge pq the plane of a triangle is met that the edge cuts, from 0 at p to 1 at q.
pub(super) fn meeting(p: &Vec3, q: &Vec3, [a, b, c]: &Corners) -> f64 {
    let (from, to) = (accurate_determinant(a, b, c, p), accurate_determinant(a, b, c, q));
    // They differ in sign, or one of them vanishes: both would be zero for an edge in the plane, which cuts nothing.
    (from / (from - to)).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::proximity::sample::Random;

    /// All six cuts of two triangles, counted.
    fn cuts(a: &Corners, b: &Corners) -> [i32; 2] {
        let mut rises = [0; 2];
        for (own, other, moved) in [(a, b, Moved::First), (b, a, Moved::Second)] {
            for k in 0..3 {
                let (p, q) = (&own[k], &own[(k + 1) % 3]);
                let rise = cut(p, q, [side(p, other, moved), side(q, other, moved)], other, moved);
                let starts = (rise > 0) == (moved == Moved::First);
                rises[usize::from(starts)] += i32::from(rise != 0);
            }
        }
        rises
    }

    #[test]
    fn two_triangles_share_nothing_or_a_segment_from_one_start_to_one_end_on_a_coarse_grid_too() {
        let mut random = Random(5);
        let mut met = 0;
        for round in 0..60_000 {
            // On a grid of three to five places most triangles touch, coincide, lie in one plane or are degenerate.
            let places = 3 + round % 3;
            let mut point =
                || Vec3::from([0; 3].map(|_: i32| (random.within(0.0, places as f64)).floor() * 0.1 + 0.7));
            let (a, b) = ([point(), point(), point()], [point(), point(), point()]);
            let found = cuts(&a, &b);
            assert!(found == [0, 0] || found == [1, 1], "{a:?} {b:?}: {found:?}");
            assert_eq!(segment(&a, &b).is_some(), found == [1, 1]);
            met += found[0];
        }
        assert!(met > 3000, "{met}");
    }

    #[test]
    fn a_segment_runs_along_the_cross_product_of_the_normals() {
        let a = [Vec3::new(-2.0, -1.0, 0.0), Vec3::new(2.0, -1.0, 0.0), Vec3::new(0.0, 3.0, 0.0)];
        let b = [Vec3::new(-0.2, 0.0, -1.0), Vec3::new(0.3, 0.0, -1.0), Vec3::new(0.0, 0.0, 1.0)];
        let normal = |t: &Corners| (t[1] - t[0]).cross(&(t[2] - t[0]));
        let way = normal(&a).cross(&normal(&b));
        let [start, end] = segment(&a, &b).unwrap();
        let point = |e: End| {
            let (own, other) = if e.body == 0 { (&a, &b) } else { (&b, &a) };
            let (p, q) = (own[e.side as usize], own[(e.side as usize + 1) % 3]);
            p + (q - p) * meeting(&p, &q, other)
        };
        assert!((point(end) - point(start)).dot(&way) > 0.0);
        assert!(point(start).z.abs() < 1e-15 && point(end).z.abs() < 1e-15);
    }
}
