use super::differences::{exact, moved, pack};
use super::random::Random;
use rattleback_contact::geom::surface::{Plane, Sphere};
use rattleback_contact::geom::{Pose, Vec3};
use rattleback_contact::{Collider, Start, contact, contact_from, derivatives};

/// Compares with sixth-order differences along every coordinate; `gap` shifts B along the normal first.
fn check(a: &Collider, b: &Collider, gap: Option<f64>, name: &str) {
    let mut b = b.clone();
    if let Some(gap) = gap {
        let first = contact(a, &b).unwrap().touch;
        b.pose.position += first.normal * (gap - first.gap);
    }
    let here = contact(a, &b).unwrap();
    let found = derivatives(a, &b, &here).unwrap();
    let start = Start::Warm(here.touch.normal);
    let sharp = here.curvature.unwrap().a.kappa[0].max(here.curvature.unwrap().b.kappa[0]);
    let h = 2e-3 / (1.0 + sharp);
    for column in 0..12 {
        let mut d = [0.0; 12];
        d[column] = 1.0;
        let at = |s: f64| pack(&contact_from(&moved(a, &d[..6], s), &moved(&b, &d[6..], s), start).unwrap());
        let delta = |k: f64| at(k * h) - at(-k * h);
        let slope = (delta(1.0) * 45.0 - delta(2.0) * 9.0 + delta(3.0)) / (60.0 * h);
        let e = exact(&found, column);
        for row in 0..16 {
            let scale = match row {
                0 => 1.0,
                1..4 => 1.0 + sharp,
                4..10 => 1.0 + e.fixed_rows::<6>(4).norm(),
                _ => (1.0 + sharp).powi(2) + e.fixed_rows::<6>(10).norm(),
            };
            let error = (slope[row] - e[row]).abs();
            assert!(error < 1e-7 * scale, "{name}: row {row}, column {column}: {} {}", slope[row], e[row]);
        }
    }
}

#[test]
fn derivatives_agree_with_differences_for_ellipsoids_through_zero_gap() {
    let mut random = Random(41);
    for k in 0..12 {
        let (a, b) = random.pair(1.0, |r| r.ellipsoid(0.4));
        for gap in [0.3, 1e-9, 0.0, -1e-9, -0.02] {
            check(&a, &b, Some(gap), &format!("ellipsoids {k} at {gap}"));
        }
    }
}

#[test]
fn derivatives_agree_with_differences_for_superellipsoids_and_superquadrics() {
    let mut random = Random(42);
    let mut count = 0;
    while count < 8 {
        let (a, b) = random.pair(1.0, |r| {
            if r.unit() < 0.5 { r.superellipsoid(2.0, 2.6) } else { r.superquadric(2.0, 2.6) }
        });
        let c = contact(&a, &b).unwrap();
        // Away from the planes where a coordinate vanishes, across which curvature is not differentiable.
        let inside = |body: &Collider, p: &Vec3| {
            body.pose.point_to_local(p).component_div(&body.shape.surface().bounds().max).amin() > 0.2
        };
        if inside(&a, &c.touch.point_a) && inside(&b, &c.touch.point_b) {
            count += 1;
            check(&a, &b, None, &format!("super {count}"));
        }
    }
}

#[test]
fn derivatives_agree_with_differences_for_closed_forms() {
    let mut random = Random(43);
    for k in 0..6 {
        let (a, mut b) = random.pair(1.0, |r| r.ellipsoid(0.4));
        let floor = Collider::new(
            Plane::new(random.vector().into(), 0.2).unwrap(),
            Pose::new(random.vector(), random.rotation()),
        );
        check(&floor, &a, None, &format!("plane and ellipsoid {k}"));
        check(&a, &floor, None, &format!("ellipsoid and plane {k}"));
        b.shape = Sphere::new(0.3).unwrap().into();
        // The two equal curvatures of a sphere are differentiable because both stay what they are.
        check(&a, &b, None, &format!("ellipsoid and sphere {k}"));
        let mut other = b.clone();
        other.pose = a.pose;
        check(&other, &b, None, &format!("spheres {k}"));
    }
}
