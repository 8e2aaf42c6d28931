//! The points nearest to each other of two parallel faces: points, segments, discs, rectangles and polygons across one
//! normal.
//!
//! What counts is the distance across the normal; along it the faces are as far apart as they are. In closed form:
//!
//! | faces | nearest points |
//! |---|---|
//! | point – any | the nearest point of the other |
//! | segment – segment | of their lines, or of an end and the other segment; where they are parallel, the middle of what is opposite |
//! | disc – segment | the middle of the part that lies within the disc, or of its nearest point |
//! | disc – disc | the middle of the lens, or along the line of centres |
//! | rectangle, polygon – disc | its point nearest to the disc's centre |
//! | rectangle, polygon – segment, rectangle, polygon | the middle of what is opposite, or the best of all corners and ends |

use rattleback_geom::Vec3;
use rattleback_geom::surface::Face;

/// The points of `a` and of `b` that are nearest to each other across the unit normal n.
pub(crate) fn nearest(a: &Face, b: &Face, n: &Vec3) -> (Vec3, Vec3) {
    match (a, b) {
        (Face::Point(p), _) => (*p, flat_nearest(b, p, n)),
        (_, Face::Point(q)) => (flat_nearest(a, q, n), *q),
        (Face::Segment { centre: c, half: u }, Face::Segment { centre: d, half: v }) => {
            segments(c, u, d, v, n)
        }
        (Face::Disc { .. }, Face::Segment { centre, half }) => disc_segment(a, centre, half, n),
        (Face::Segment { centre, half }, Face::Disc { .. }) => {
            let (q, p) = disc_segment(b, centre, half, n);
            (p, q)
        }
        (Face::Disc { centre: c, radius: r, .. }, Face::Disc { centre: d, radius: s, .. }) => {
            discs(c, *r, d, *s, n)
        }
        (Face::Rectangle { .. } | Face::Polygon { .. }, other) => plate(a, other, n),
        (other, Face::Rectangle { .. } | Face::Polygon { .. }) => {
            let (q, p) = plate(b, other, n);
            (p, q)
        }
    }
}

/// The part of v across n.
fn across(v: &Vec3, n: &Vec3) -> Vec3 {
    v - n * n.dot(v)
}

/// The point of the face nearest to x across n.
fn flat_nearest(face: &Face, x: &Vec3, n: &Vec3) -> Vec3 {
    let level = n.dot(&(face.middle() - x));
    face.nearest(&(x + n * level))
}

fn segments(c: &Vec3, u: &Vec3, d: &Vec3, v: &Vec3, n: &Vec3) -> (Vec3, Vec3) {
    let w = across(&(d - c), n);
    let (uu, uv, vv) = (u.dot(u), u.dot(v), v.dot(v));
    let (uw, vw) = (u.dot(&w), v.dot(&w));
    // sin² of the angle between them, by a cross product, which keeps its digits.
    let sin2 = u.cross(v).norm_squared() / (uu * vv);
    let best_t = |s: f64| ((s * uv - vw) / vv).clamp(-1.0, 1.0);
    let best_s = |t: f64| ((t * uv + uw) / uu).clamp(-1.0, 1.0);
    if sin2 > 1e-24 {
        let s = ((uw * vv - vw * uv) / (uu * vv * sin2)).clamp(-1.0, 1.0);
        let t = best_t(s);
        let s = best_s(t);
        return (c + u * s, d + v * t);
    }
    // Parallel: the stretch of the first that is opposite the second.
    let (middle, reach) = (uw / uu, (uv / uu).abs());
    let (low, high) = ((middle - reach).clamp(-1.0, 1.0), (middle + reach).clamp(-1.0, 1.0));
    let s = 0.5 * (low + high);
    (c + u * s, d + v * best_t(s))
}

/// The point of the disc, and that of the segment.
fn disc_segment(disc: &Face, centre: &Vec3, half: &Vec3, n: &Vec3) -> (Vec3, Vec3) {
    let Face::Disc { centre: c, radius, .. } = disc else { return (disc.middle(), *centre) };
    let w = across(&(centre - c), n);
    let hh = half.norm_squared();
    // ∣w + s h∣ is least at s = middle, and within the radius over `reach` on both sides.
    let middle = -w.dot(half) / hh;
    let least2 = (w + half * middle).norm_squared();
    let reach = ((radius * radius - least2).max(0.0) / hh).sqrt();
    let (low, high) = ((middle - reach).clamp(-1.0, 1.0), (middle + reach).clamp(-1.0, 1.0));
    let q = centre + half * (0.5 * (low + high));
    (flat_nearest(disc, &q, n), q)
}

fn discs(c: &Vec3, r: f64, d: &Vec3, s: f64, n: &Vec3) -> (Vec3, Vec3) {
    let w = across(&(d - c), n);
    let length = w.norm();
    let e = if length > 0.0 { w / length } else { Vec3::zeros() };
    // Along the line of centres the first reaches from −r to r, the second from length − s to length + s.
    let (low, high) = ((-r).max(length - s), r.min(length + s));
    if low <= high {
        let middle = 0.5 * (low + high);
        return (c + e * middle, d + e * (middle - length));
    }
    (c + e * r, d - e * s)
}

/// The point of a rectangle or a polygon, and that of a segment, a disc or another one.
fn plate(face: &Face, other: &Face, n: &Vec3) -> (Vec3, Vec3) {
    let ends = corners_of(other);
    if ends.is_empty() {
        let p = flat_nearest(face, &other.middle(), n);
        return (p, flat_nearest(other, &p, n));
    }
    let shared = clipped(&sides_of(face), &ends);
    if !shared.is_empty() {
        let middle = shared.iter().sum::<Vec3>() / shared.len() as f64;
        return (flat_nearest(face, &middle, n), flat_nearest(other, &middle, n));
    }
    let from_ends = ends.iter().map(|q| (flat_nearest(face, q, n), *q));
    let own = corners_of(face);
    let from_corners = own.iter().map(|p| (*p, flat_nearest(other, p, n)));
    let apart = |(p, q): &(Vec3, Vec3)| across(&(q - p), n).norm_squared();
    let best = from_ends.chain(from_corners).min_by(|x, y| apart(x).total_cmp(&apart(y)));
    best.unwrap_or((face.middle(), other.middle()))
}

fn corners(centre: &Vec3, [u, v]: &[Vec3; 2]) -> [Vec3; 4] {
    [centre + u + v, centre - u + v, centre - u - v, centre + u - v]
}

/// The ends or corners of what is straight.
fn corners_of(face: &Face) -> Vec<Vec3> {
    match face {
        Face::Segment { centre, half } => vec![centre - half, centre + half],
        Face::Rectangle { centre, half } => corners(centre, half).to_vec(),
        Face::Polygon { corners, .. } => corners.to_vec(),
        Face::Point(_) | Face::Disc { .. } => Vec::new(),
    }
}

/// A side of a rectangle or a polygon: x is within where level − (x − from)·out is not negative.
struct Side {
    from: Vec3,
    out: Vec3,
    level: f64,
}

fn sides_of(face: &Face) -> Vec<Side> {
    match face {
        Face::Rectangle { centre, half } => half
            .iter()
            .flat_map(|h| [*h, -h])
            .map(|out| Side { from: *centre, out, level: out.norm_squared() })
            .collect(),
        Face::Polygon { axis, corners, .. } => corners
            .iter()
            .enumerate()
            .map(|(k, a)| {
                let along = corners[(k + 1) % corners.len()] - a;
                Side { from: *a, out: along.cross(axis), level: 0.0 }
            })
            .collect(),
        _ => Vec::new(),
    }
}

/// What is opposite a rectangle or a polygon of a segment or a polygon, given by its ends or corners: cut by one side
/// after the other.
fn clipped(sides: &[Side], ends: &[Vec3]) -> Vec<Vec3> {
    let mut ring = ends.to_vec();
    for Side { from, out, level } in sides {
        let within = |x: &Vec3| level - (x - from).dot(out);
        let closed = ring.len() > 2;
        let mut kept = Vec::with_capacity(ring.len() + 2);
        for (k, x) in ring.iter().enumerate() {
            let here = within(x);
            if here >= 0.0 {
                kept.push(*x);
            }
            let Some(next) = ring.get(k + 1).or(ring.first().filter(|_| closed)) else { continue };
            let there = within(next);
            if here * there < 0.0 {
                kept.push(x + (next - x) * (here / (here - there)));
            }
        }
        ring = kept;
    }
    ring
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tangent_distance(a: &Face, b: &Face) -> f64 {
        let (p, q) = nearest(a, b, &Vec3::z());
        across(&(q - p), &Vec3::z()).norm()
    }

    /// Points of a face, many.
    fn sample(face: &Face) -> Vec<Vec3> {
        match *face {
            Face::Point(p) => vec![p],
            Face::Segment { centre, half } => {
                (0..=400).map(|k| centre + half * (k as f64 / 200.0 - 1.0)).collect()
            }
            Face::Disc { centre, radius, .. } => (0..=40)
                .flat_map(|k| (0..60).map(move |j| (k as f64 / 40.0, j as f64 * 0.104_72)))
                .map(|(rho, angle)| centre + Vec3::new(angle.cos(), angle.sin(), 0.0) * (radius * rho))
                .collect(),
            Face::Polygon { centre, ref corners, .. } => (0..=40)
                .flat_map(|k| (0..corners.len() * 8).map(move |j| (k as f64 / 40.0, j)))
                .map(|(rho, j)| {
                    let (a, b) = (corners[j / 8], corners[(j / 8 + 1) % corners.len()]);
                    centre + (a + (b - a) * (j % 8) as f64 / 8.0 - centre) * rho
                })
                .collect(),
            Face::Rectangle { centre, half: [u, v] } => (0..=40)
                .flat_map(|k| (0..=40).map(move |j| (k as f64 / 20.0 - 1.0, j as f64 / 20.0 - 1.0)))
                .map(|(s, t)| centre + u * s + v * t)
                .collect(),
        }
    }

    #[test]
    fn no_sampled_points_are_nearer_than_the_nearest() {
        let mut state = 5u64;
        let mut unit = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1u64 << 53) as f64
        };
        for _ in 0..300 {
            let mut face = || {
                let centre = Vec3::new(2.0 * unit(), 2.0 * unit(), unit());
                match (unit() * 5.0) as u32 {
                    0 => Face::Point(centre),
                    1 => Face::Segment { centre, half: Vec3::new(unit() - 0.5, unit() - 0.5, 0.0) },
                    2 => Face::Disc { centre, axis: Vec3::z(), radius: 0.1 + unit() },
                    3 => {
                        let size = unit();
                        let turned = (0..5).map(|k| 1.2 * (f64::from(k) + 0.9 * unit()));
                        let corners =
                            turned.map(|phi| centre + Vec3::new(phi.cos(), phi.sin(), 0.0) * size).collect();
                        Face::Polygon { centre, axis: Vec3::z(), corners }
                    }
                    _ => {
                        let (s, c) = (3.0 * unit()).sin_cos();
                        let half = [Vec3::new(c, s, 0.0) * unit(), Vec3::new(-s, c, 0.0) * unit()];
                        Face::Rectangle { centre, half }
                    }
                }
            };
            let (a, b) = (face(), face());
            let found = tangent_distance(&a, &b);
            let least = sample(&a)
                .iter()
                .flat_map(|p| {
                    sample(&b).into_iter().step_by(7).map(move |q| across(&(q - p), &Vec3::z()).norm())
                })
                .fold(f64::INFINITY, f64::min);
            assert!(found <= least + 1e-12, "{a:?} {b:?}: {found} {least}");
            let (p, q) = nearest(&a, &b, &Vec3::z());
            assert!((a.nearest(&p) - p).norm() < 1e-14 && (b.nearest(&q) - q).norm() < 1e-14);
            assert!((found - tangent_distance(&b, &a)).abs() < 1e-14);
        }
    }

    #[test]
    fn where_faces_are_opposite_over_a_stretch_its_middle_is_taken() {
        let bar = |x: f64| Face::Segment { centre: Vec3::new(x, 0.0, 0.0), half: Vec3::x() };
        assert_eq!(nearest(&bar(0.0), &bar(1.0), &Vec3::z()).0, Vec3::new(0.5, 0.0, 0.0));
        let cap = |x: f64| Face::Disc { centre: Vec3::new(x, 0.0, 0.0), axis: Vec3::z(), radius: 1.0 };
        assert_eq!(nearest(&cap(0.0), &cap(1.0), &Vec3::z()).1, Vec3::new(0.5, 0.0, 0.0));
        assert_eq!(nearest(&cap(0.0), &bar(1.0), &Vec3::z()).1, Vec3::new(0.5, 0.0, 0.0));
    }
}
