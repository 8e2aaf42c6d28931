//! The pencil of two ellipsoids against certificates: a direction along which they are apart, or a common point.

use super::sample::Random;
use super::{EllipsoidPencil, Relation};
use rattleback_geom::surface::{Ellipsoid, Implicit, Support};
use rattleback_geom::{Mat3, Pose, Vec3};

struct Placed {
    shape: Ellipsoid,
    pose: Pose,
}

impl Placed {
    fn new(axes: [f64; 3], pose: Pose) -> Self {
        Self { shape: Ellipsoid::new(axes).unwrap(), pose }
    }

    /// M in world axes.
    fn matrix(&self) -> Mat3 {
        let r = self.pose.rotation();
        r * Mat3::from_diagonal(&self.shape.semi_axes().map(|a| a * a)) * r.transpose()
    }

    fn support(&self, n: &Vec3) -> f64 {
        self.shape.support(&self.pose.vector_to_local(n))
    }

    fn value(&self, p: &Vec3) -> f64 {
        self.shape.value(&self.pose.point_to_local(p))
    }
}

fn pencil(a: &Placed, b: &Placed) -> EllipsoidPencil {
    EllipsoidPencil::new(&a.shape, &a.pose, &b.shape, &b.pose).unwrap()
}

/// f(n) = n·r − h_A(n) − h_B(−n).
fn apart(a: &Placed, b: &Placed, n: &Vec3) -> f64 {
    n.dot(&(b.pose.position - a.pose.position)) - a.support(n) - b.support(&-n)
}

/// The greatest f that a grid of directions and steps of shrinking length from the best of them find.
fn brute_force_separation(a: &Placed, b: &Placed) -> f64 {
    let r = b.pose.position - a.pose.position;
    let mut best = (f64::NEG_INFINITY, Vec3::x());
    let offer = |best: &mut (f64, Vec3), n: Vec3| {
        let f = apart(a, b, &n);
        if f > best.0 {
            *best = (f, n);
        }
    };
    if r.norm() > 0.0 {
        offer(&mut best, r.normalize());
    }
    for k in 0..200 {
        let z = 1.0 - (2.0 * k as f64 + 1.0) / 200.0;
        let (sin, cos) = (k as f64 * 2.399_963_229_728_653).sin_cos();
        offer(&mut best, Vec3::new(cos, sin, 0.0) * (1.0 - z * z).sqrt() + Vec3::z() * z);
    }
    let mut random = Random(99);
    let mut step = 0.2;
    while step > 1e-8 {
        let (before, n) = best;
        let t = n.cross(&random.direction()).normalize();
        let s = n.cross(&t);
        for d in [t, -t, s, -s] {
            offer(&mut best, (n + d * step).normalize());
        }
        step *= if best.0 > before { 1.3 } else { 0.6 };
    }
    best.0
}

/// Whether a point x = x_A + (1−t) M [(1−t)M + tN]⁻¹ r lies inside both. From t = 0, where x is B's centre, to t = 1,
/// where it is A's, x leaves B and enters A: t is halved to where both implicit functions are equal.
fn share_a_point(a: &Placed, b: &Placed) -> bool {
    let r = b.pose.position - a.pose.position;
    let (m, n) = (a.matrix(), b.matrix());
    let (mut low, mut high) = (-10.0, 10.0);
    for _ in 0..60 {
        let exponent = 0.5 * (low + high);
        let ratio = 10f64.powf(exponent);
        let (s, t) = (1.0 / (1.0 + ratio), ratio / (1.0 + ratio));
        let Some(solved) = (m * s + n * t).cholesky().map(|c| c.solve(&r)) else { return false };
        let x = a.pose.position + m * solved * s;
        let (in_a, in_b) = (a.value(&x), b.value(&x));
        if in_a <= 0.0 && in_b <= 0.0 {
            return true;
        }
        if in_a > in_b {
            low = exponent;
        } else {
            high = exponent;
        }
    }
    false
}

fn random_pair(random: &mut Random, k: usize) -> (Placed, Placed) {
    let thin = if k % 4 == 3 { 0.01 } else { 0.2 };
    let mut axes = || [random.within(thin, 1.0), random.within(thin, 1.0), random.within(thin, 1.0)];
    let (ma, mut mb) = (axes(), axes());
    let mut a = random.pose(1.0);
    let mut b = random.pose(1.0);
    match k % 5 {
        0 => a.position *= random.within(0.0, 2.0),
        // Nested, whatever the turn.
        1 => {
            mb = ma.map(|_| 0.3 * ma.iter().fold(1.0f64, |x, y| x.min(*y)));
            b.position = a.position + random.direction() * (0.5 * mb[0]);
        }
        2 if k.is_multiple_of(2) => b.position = a.position,
        3 => b.orientation = a.orientation,
        _ => {}
    }
    (Placed::new(ma, a), Placed::new(mb, b))
}

#[test]
fn twenty_thousand_pairs_have_a_certificate_of_what_the_pencil_says() {
    let mut random = Random(11);
    let (mut separate, mut overlapping) = (0, 0);
    for k in 0..20_000 {
        let (a, b) = random_pair(&mut random, k);
        let pencil = pencil(&a, &b);
        let scale = pencil.scale().unwrap();
        if (scale - 1.0).abs() < 1e-5 {
            continue;
        }
        match pencil.relation(1e-9).unwrap() {
            Relation::Separate => {
                separate += 1;
                let f = brute_force_separation(&a, &b);
                let least = a.shape.semi_axes().min() + b.shape.semi_axes().min();
                assert!(f > 0.0, "pair {k}: the scale is {scale}, no direction parts them: {f}");
                assert!(f >= (scale - 1.0) * least - 1e-6, "pair {k}: {f} is below the bound for {scale}");
            }
            Relation::Overlapping => {
                overlapping += 1;
                assert!(share_a_point(&a, &b), "pair {k}: the scale is {scale}, no common point found");
                assert!(k % 50 > 0 || brute_force_separation(&a, &b) <= 0.0, "pair {k}: {scale}");
            }
            Relation::Touching => panic!("pair {k}: {scale} is not within the tolerance of one"),
        }
    }
    assert!(separate > 4000 && overlapping > 4000, "{separate} separate, {overlapping} overlapping");
}

#[test]
fn the_sturm_sequence_counts_two_positive_roots_exactly_for_separate_pairs() {
    let mut random = Random(12);
    for k in (0..40_000).filter(|k| k % 4 != 3) {
        let (a, b) = random_pair(&mut random, k);
        let pencil = pencil(&a, &b);
        let scale = pencil.scale().unwrap();
        if (scale - 1.0).abs() > 1e-4 {
            assert_eq!(pencil.positive_roots() == 2, scale > 1.0, "pair {k}: {scale} {:?}", pencil.quartic());
        }
    }
}

#[test]
fn the_quartic_is_the_determinant_of_the_pencil() {
    use rattleback_geom::nalgebra::Matrix4;
    let mut random = Random(13);
    for _ in 0..100 {
        let (a, b) = random_pair(&mut random, 0);
        let homogeneous = |e: &Placed| {
            let inverse = e.matrix().try_inverse().unwrap();
            let c = inverse * e.pose.position;
            let mut q = Matrix4::zeros();
            q.fixed_view_mut::<3, 3>(0, 0).copy_from(&inverse);
            q.fixed_view_mut::<3, 1>(0, 3).copy_from(&-c);
            q.fixed_view_mut::<1, 3>(3, 0).copy_from(&-c.transpose());
            q[(3, 3)] = e.pose.position.dot(&c) - 1.0;
            q
        };
        let (qa, qb) = (homogeneous(&a), homogeneous(&b));
        let p = pencil(&a, &b).quartic();
        // The roles of A and B, and with them λ and 1/λ, are the pencil's choice: compare both ways.
        let error = |qa: &Matrix4<f64>, qb: &Matrix4<f64>| {
            let unit = (qb.determinant() / qa.determinant()).powf(0.25);
            [0.3, 1.0, 2.0].iter().fold(0.0f64, |worst, s| {
                let expected = (qa * (s * unit) + qb).determinant() / qb.determinant();
                let found = p.iter().rev().fold(0.0, |sum, c| sum * s + c);
                worst.max((found - expected).abs() / (1.0 + expected.abs()))
            })
        };
        assert!(error(&qa, &qb).min(error(&qb, &qa)) < 1e-8);
    }
}

#[test]
fn the_scale_of_two_spheres_is_the_distance_over_the_sum_of_radii() {
    let mut random = Random(14);
    for _ in 0..1000 {
        let (ra, rb) = (random.within(1e-3, 1.0), random.within(1e-3, 1.0));
        let (pa, pb) = (random.pose(1.0), random.pose(1.0));
        let (a, b) = (Placed::new([ra; 3], pa), Placed::new([rb; 3], pb));
        let expected = (pa.position - pb.position).norm() / (ra + rb);
        let scale = pencil(&a, &b).scale().unwrap();
        assert!((scale / expected - 1.0).abs() < 1e-14, "{scale} {expected}");
    }
}

#[test]
fn tangent_ellipsoids_are_touching_and_a_small_shift_parts_or_overlaps_them() {
    let mut random = Random(15);
    for k in 0..2000 {
        let (a, mut b) = random_pair(&mut random, k);
        let n = random.direction();
        let point =
            |e: &Placed, n: &Vec3| e.pose.vector_to_world(&e.shape.support_point(&e.pose.vector_to_local(n)));
        let tangent = a.pose.position + point(&a, &n) - point(&b, &-n);
        for (shift, expected) in
            [(0.0, Relation::Touching), (1e-7, Relation::Separate), (-1e-7, Relation::Overlapping)]
        {
            b.pose.position = tangent + n * shift;
            let pencil = pencil(&a, &b);
            let found = pencil.relation(1e-9).unwrap();
            assert_eq!(found, expected, "pair {k}, shift {shift}: {:?}", pencil.scale());
        }
    }
}

#[test]
fn needles_and_plates_keep_their_digits() {
    for thin in [1e-2, 1e-4, 1e-6] {
        let a = Placed::new([1.0, 1.0, thin], Pose::identity());
        let b = Placed::new([thin, thin, 1.0], Pose::from_position(0.3, 0.2, (1.0 + thin) * 1.001));
        // The plate's height above the point (0.3, 0.2), not thin, is what the needle's tip meets; scaled it is lower.
        let scale = pencil(&a, &b).scale().unwrap();
        assert!(scale > 1.0, "{thin}: {scale}");
        let concentric = Placed::new([thin, thin, 1.0], Pose::identity());
        assert_eq!(pencil(&a, &concentric).scale().unwrap(), 0.0);
        let stacked = Placed::new([1.0, 1.0, thin], Pose::from_position(0.0, 0.0, 2.5 * thin));
        assert!((pencil(&a, &stacked).scale().unwrap() - 1.25).abs() < 1e-14);
    }
}

#[test]
fn nan_and_sizes_beyond_the_numbers_are_refused_by_name() {
    let ball = Ellipsoid::new([1.0; 3]).unwrap();
    let nan = Pose::from_position(f64::NAN, 0.0, 0.0);
    let error = EllipsoidPencil::new(&ball, &Pose::identity(), &ball, &nan).unwrap_err();
    assert!(error.to_string().starts_with("pose_b = NaN"), "{error}");
    let error = Ellipsoid::new([1e-200; 3]).unwrap_err();
    assert_eq!(error.to_string(), "semi_axes[0] = 1e-200: must be a length between 1e-20 and 1e20 m");
    let pencil = EllipsoidPencil::new(&ball, &Pose::identity(), &ball, &Pose::identity()).unwrap();
    assert!(pencil.relation(f64::NAN).unwrap_err().to_string().starts_with("tolerance = NaN"));
}
