//! Differences of the query itself, and the derivatives in the same order.

use rattleback_contact::geom::nalgebra::{SVector, UnitQuaternion};
use rattleback_contact::geom::{Pose, Vec3};
use rattleback_contact::{Collider, Contact, ContactQuery, Derivatives, Start};

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
        v[10 + k] = c.curvature.unwrap().a.kappa[k];
        v[12 + k] = c.curvature.unwrap().b.kappa[k];
        v[14 + k] = c.curvature.unwrap().relative.kappa[k];
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

/// The answer where the points are exactly opposite each other.
///
/// A query stops when its bounds have closed, with a part e of q − p left across n: it is the exact answer for B moved
/// by −e. What that changes is taken from the derivatives under test. It is at most the share `OFF` of a step, so that
/// no error of the derivatives above that share of itself can hide behind it.
fn settled(c: &Contact, d: &[Entries; 12], h: f64) -> Option<Entries> {
    let t = &c.touch;
    let apart = t.point_b - t.point_a;
    let e = apart - t.normal * t.normal.dot(&apart);
    let mut v = pack(c);
    let off = e.norm();
    for k in 0..3 {
        v[7 + k] -= e[k];
        v += d[6 + k] * e[k];
    }
    (off <= OFF * h).then_some(v)
}

/// The scale of each entry: of a length, of an angle, and of a curvature's change, with the largest entries of their
/// own kind.
pub fn scales(e: &Entries, c: &Contact) -> Entries {
    let (turn, shift) = (e.fixed_rows::<3>(1).norm(), e.fixed_rows::<6>(4).norm());
    let finite = |k: f64| if k < 1e100 { k } else { 0.0 };
    let sharpest = |all: &[f64]| all.iter().copied().map(finite).fold(0.0, f64::max);
    let ([a, b], relative) =
        ([c.curvature.unwrap().a.kappa, c.curvature.unwrap().b.kappa], c.curvature.unwrap().relative.kappa);
    // A curvature κ changes as the place moves on and as the normal turns: by κκ₁ per length, by κ per turn.
    let bent = |k1: f64, k: f64, row: usize| (1.0 + k1) * (1.0 + finite(k)) * (1.0 + shift) + e[row].abs();
    SVector::from_fn(|row, _| match row {
        0 => 1.0,
        1..4 => 1.0 + turn,
        4..10 => 1.0 + shift,
        10..12 => bent(sharpest(&a), a[row - 10], row),
        12..14 => bent(sharpest(&b), b[row - 12], row),
        _ => bent(sharpest(&[a, b].concat()), relative[row - 14], row),
    })
}

/// What differences say of an entry.
#[derive(Clone, Copy)]
pub struct Said {
    pub slope: f64,
    /// How far three steps in a row are from each other, in the entry's scale.
    pub spread: f64,
    /// Steps since three in a row first agreed.
    since: Option<u32>,
}

impl Said {
    fn hear(&mut self, [now, last, first]: [f64; 3], scale: f64) {
        let spread = (now - last).abs().max((last - first).abs()) / scale;
        // Beyond a few steps more, what is farther away takes part.
        if spread < self.spread && self.since.is_none_or(|k| k < FARTHER) {
            (self.slope, self.spread) = (last, spread);
        }
        self.since = self.since.map(|k| k + 1).or((self.spread <= AGREE).then_some(0));
    }

    fn is_done(&self) -> bool {
        self.spread <= 1e-3 * AGREE || self.since.is_some_and(|k| k >= FARTHER)
    }
}

/// The steps of the differences, each so many times as long as the one before.
const LONGER: f64 = 2.5;
const MAX_STEPS: u32 = 14;

/// So many steps more are taken for a better agreement.
const FARTHER: u32 = 2;

/// The contact of two bodies beside one that is known.
pub type Ask<'a> = &'a dyn Fn(&Collider, &Collider) -> Option<Contact>;

/// Slopes of all entries along one coordinate: differences of sixth order over the shortest three steps in a row that
/// agree, and those a few steps longer that agree better. `scale` is that of the entries `exact` of that column.
pub fn slopes(
    pair: [&Collider; 2],
    ask: Ask<'_>,
    column: usize,
    scale: &Entries,
    exact: &[Entries; 12],
) -> [Said; 16] {
    let mut d = [0.0; 12];
    d[column] = 1.0;
    let at = |s: f64, h: f64| {
        let moved = [moved(pair[0], &d[..6], s), moved(pair[1], &d[6..], s)];
        settled(&ask(&moved[0], &moved[1])?, exact, h)
    };
    let mut said = [Said { slope: f64::NAN, spread: f64::INFINITY, since: None }; 16];
    let mut before: [Option<Entries>; 2] = [None; 2];
    // The first step turns the normal and moves the points by 1e-7 at most: rounding leaves that many digits.
    let mut h = 1e-7 / scale[1].max(scale[4]);
    for _ in 0..MAX_STEPS {
        let delta = |k: f64| Some(at(k * h, h)? - at(-k * h, h)?);
        let slope = (|| Some((delta(1.0)? * 45.0 - delta(2.0)? * 9.0 + delta(3.0)?) / (60.0 * h)))();
        if let (Some(now), [Some(last), Some(first)]) = (slope, before) {
            for row in 0..16 {
                said[row].hear([now[row], last[row], first[row]], scale[row]);
            }
        }
        if said.iter().all(Said::is_done) {
            break;
        }
        (before, h) = ([slope, before[0]], LONGER * h);
    }
    said
}

/// Gap, weight, normal and points of a query.
fn with_weight(query: &ContactQuery<'_>) -> [f64; 11] {
    let found = query.contact_without_curvature(query.touch(Start::Cold).unwrap()).unwrap();
    let touch = &found.touch;
    let mut all = [touch.gap, found.weight, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    for (k, vector) in [touch.normal, touch.point_a, touch.point_b].iter().enumerate() {
        all[2 + 3 * k..5 + 3 * k].copy_from_slice(vector.as_slice());
    }
    all
}

/// Holds the derivatives of a contact with a weight to differences of step h, wherever those of 2h agree with them:
/// across a seam they tell nothing. Returns how many entries were compared, and how many of them are slopes of the
/// weight.
pub fn compare_with_differences(query: &ContactQuery<'_>, contact: &Contact, h: f64) -> [usize; 2] {
    let exact = query.derivatives(contact).unwrap();
    let mut compared = [0, 0];
    for column in 0..12 {
        let mut unit = [0.0; 12];
        unit[column] = 1.0;
        let at = |s: f64| {
            let (a, b) = (moved(query.a, &unit[..6], s), moved(query.b, &unit[6..], s));
            with_weight(&ContactQuery { a: &a, b: &b, ..*query })
        };
        let [coarse, fine] = [2.0 * h, h].map(|h| {
            let (up, down) = (at(h), at(-h));
            std::array::from_fn::<f64, 11, _>(|k| (up[k] - down[k]) / (2.0 * h))
        });
        let vectors = [&exact.normal, &exact.point_a, &exact.point_b];
        let rows = vectors.iter().flat_map(|m| (0..3).map(move |row| m[(row, column)]));
        for (k, value) in [exact.gap[column], exact.weight[column]].into_iter().chain(rows).enumerate() {
            let scale = 1.0 + value.abs();
            if (coarse[k] - fine[k]).abs() < 1e-5 * scale {
                assert!((value - fine[k]).abs() < 1e-4 * scale, "{k}: {value} for {}, {query:?}", fine[k]);
                compared[0] += 1;
                compared[1] += usize::from(k == 1 && value != 0.0);
            }
        }
    }
    compared
}
