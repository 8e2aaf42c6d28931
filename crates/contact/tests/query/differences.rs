//! Differences of the query itself, and the derivatives in the same order.

use rattleback_contact::geom::nalgebra::{SVector, UnitQuaternion};
use rattleback_contact::geom::surface::Shape;
use rattleback_contact::geom::{Pose, Vec3};
use rattleback_contact::{Collider, Contact, Derivatives, Start, contact_from};

/// gap, normal, point_a, point_b, curvature_a, curvature_b, relative.
pub type Entries = SVector<f64, 16>;

/// Differences that agree to this are believed.
pub const AGREE: f64 = 1e-7;

/// Answers that are farther off than this share of a step tell nothing of their derivatives.
const OFF: f64 = 1e-3;

/// gap, normal, point_a, point_b, curvature_a, curvature_b, relative in one vector.
pub fn pack(c: &Contact) -> Entries {
    let t = &c.touch;
    let mut v = Entries::zeros();
    v[0] = t.gap;
    v.fixed_rows_mut::<3>(1).copy_from(&t.normal);
    v.fixed_rows_mut::<3>(4).copy_from(&t.point_a);
    v.fixed_rows_mut::<3>(7).copy_from(&t.point_b);
    for k in 0..2 {
        v[10 + k] = c.curvature_a.kappa[k];
        v[12 + k] = c.curvature_b.kappa[k];
        v[14 + k] = c.relative.kappa[k];
    }
    v
}

pub fn exact(d: &Derivatives, column: usize) -> Entries {
    let mut e = Entries::zeros();
    e[0] = d.gap[column];
    e.fixed_rows_mut::<3>(1).copy_from(&d.normal.column(column));
    e.fixed_rows_mut::<3>(4).copy_from(&d.point_a.column(column));
    e.fixed_rows_mut::<3>(7).copy_from(&d.point_b.column(column));
    for k in 0..2 {
        e[10 + k] = d.curvature_a[(k, column)];
        e[12 + k] = d.curvature_b[(k, column)];
        e[14 + k] = d.relative[(k, column)];
    }
    e
}

pub fn moved(c: &Collider, d: &[f64], s: f64) -> Collider {
    let turn = UnitQuaternion::from_scaled_axis(Vec3::new(d[3], d[4], d[5]) * s);
    let pose = Pose::new(c.pose.position + Vec3::new(d[0], d[1], d[2]) * s, turn * c.pose.orientation);
    Collider { shape: c.shape.clone(), pose }
}

/// The outer normal at a point of a body whose faces are so flat that queries refine its points; those of others follow from normals.
fn own_normal(body: &Collider, p: &Vec3) -> Option<Vec3> {
    let flat = match &body.shape {
        Shape::Superellipsoid(s) => s.exponents().iter().all(|&e| e >= 2.0),
        Shape::Superquadric(s) => s.exponents().iter().all(|&e| e >= 2.0),
        _ => false,
    };
    let implicit = body.shape.surface().as_implicit().filter(|_| flat)?;
    Some(body.pose.vector_to_world(&implicit.gradient(&body.pose.point_to_local(p)).normalize()))
}

/// The answer where points and normals are exactly opposite each other.
///
/// A query stops when its bounds have closed, with a part e of q − p left across n and normals that are an angle off: it is the
/// exact answer for B moved by −e and bodies turned about their points by that angle. What they change is taken from the
/// derivatives under test. Both are at most the share `OFF` of a step, so that no error of the derivatives above that share of
/// itself can hide behind them.
fn settled(pair: [&Collider; 2], c: &Contact, d: &[Entries; 12], h: f64) -> Option<Entries> {
    let t = &c.touch;
    let apart = t.point_b - t.point_a;
    let e = apart - t.normal * t.normal.dot(&apart);
    let mut v = pack(c);
    let mut off = e.norm();
    for k in 0..3 {
        v[7 + k] -= e[k];
        v += d[6 + k] * e[k];
    }
    for (side, point, normal) in [(0, t.point_a, t.normal), (1, t.point_b, -t.normal)] {
        let Some(own) = own_normal(pair[side], &point) else { continue };
        // Turning back by ω about the point moves the origin by ω × (x − p).
        let turn = normal.cross(&own);
        let shift = turn.cross(&(pair[side].pose.position - point));
        off = off.max(turn.norm());
        for k in 0..3 {
            v += d[6 * side + k] * shift[k] + d[6 * side + 3 + k] * turn[k];
        }
    }
    (off <= OFF * h).then_some(v)
}

/// The scale of each entry: of a length, of an angle, and of a curvature's change, with the largest entries of their own kind.
pub fn scales(e: &Entries, sharp: f64) -> Entries {
    let (turn, shift) = (e.fixed_rows::<3>(1).norm(), e.fixed_rows::<6>(4).norm());
    SVector::from_fn(|row, _| match row {
        0 => 1.0,
        1..4 => 1.0 + turn,
        4..10 => 1.0 + shift,
        // A curvature changes as the place moves on and as the normal turns: by κ² per length, by κ per turn.
        _ => (1.0 + sharp) * (1.0 + sharp) * (1.0 + shift) + e[row].abs(),
    })
}

/// What differences say of an entry.
#[derive(Clone, Copy)]
pub struct Said {
    pub slope: f64,
    /// How far the two steps that agree best are from each other, in the entry's scale.
    pub spread: f64,
}

/// Slopes of all entries along one coordinate.
pub fn slopes(
    pair: [&Collider; 2],
    start: Start,
    column: usize,
    scale: &Entries,
    exact: &[Entries; 12],
) -> [Said; 16] {
    let mut d = [0.0; 12];
    d[column] = 1.0;
    let at = |s: f64, h: f64| {
        let moved = [moved(pair[0], &d[..6], s), moved(pair[1], &d[6..], s)];
        let found = contact_from(&moved[0], &moved[1], start).ok()?;
        settled([&moved[0], &moved[1]], &found, exact, h)
    };
    let mut said = [Said { slope: f64::NAN, spread: f64::INFINITY }; 16];
    let mut before: Option<Entries> = None;
    let mut h = 1e-2;
    for _ in 0..8 {
        let delta = |k: f64| Some(at(k * h, h)? - at(-k * h, h)?);
        let slope = (|| Some((delta(1.0)? * 45.0 - delta(2.0)? * 9.0 + delta(3.0)?) / (60.0 * h)))();
        if let (Some(now), Some(last)) = (slope, before) {
            for row in 0..16 {
                let spread = (now[row] - last[row]).abs() / scale[row];
                if spread < said[row].spread {
                    said[row] = Said { slope: now[row], spread };
                }
            }
        }
        if said.iter().all(|s| s.spread <= 1e-3 * AGREE) {
            break;
        }
        (before, h) = (slope, 0.2 * h);
    }
    said
}
