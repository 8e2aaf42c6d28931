use super::catalog::all;
use super::difference::difference;
use super::sample::Random;
use rattleback_geom::Vec3;

/// Points at and about the surface, as multiples of its parametric or support points.
fn points(entry: &super::catalog::Entry, random: &mut Random) -> Vec<Vec3> {
    let mut points = Vec::new();
    for _ in 0..400 {
        if points.len() == 40 {
            break;
        }
        let p = if let Some(support) = entry.surface.as_support() {
            support.support_point(&random.direction())
        } else if let Some(parametric) = entry.surface.as_parametric() {
            let d = parametric.domain();
            parametric.point(random.within(d.u[0], d.u[1]), random.within(d.v[0], d.v[1]))
        } else {
            return points;
        };
        if entry.is_regular(&p) {
            let q = p * random.within(0.8, 1.2);
            if entry.is_regular(&q) {
                points.push(q);
            }
        }
    }
    points
}

#[test]
fn gradients_and_hessians_agree_with_differences() {
    for entry in all() {
        let Some(f) = entry.surface.as_implicit() else { continue };
        let mut random = Random(1);
        for p in points(&entry, &mut random) {
            let size = p.norm();
            let (g, hessian) = (f.gradient(&p), f.hessian(&p));
            // The step is a hundredth of the distance to the nearest coordinate plane.
            let h = 3e-3 * if entry.margin > 0.0 { p.amin().min(size) } else { size };
            for _ in 0..3 {
                let d = random.direction();
                let slope = difference(h, |s| f.value(&(p + d * s)));
                let scale = g.norm() + hessian.norm() * size;
                assert!(
                    (slope - g.dot(&d)).abs() < 1e-8 * scale,
                    "{}: ∇F at {p:?}: {slope} {}",
                    entry.name,
                    g.dot(&d)
                );
                let turn = difference(h, |s| f.gradient(&(p + d * s)));
                assert!((turn - hessian * d).norm() < 1e-8 * scale / size, "{}: ∇²F at {p:?}", entry.name);
                let Some(third) = f.hessian_rate(&p, &d) else { continue };
                let bent = difference(h, |s| f.hessian(&(p + d * s)));
                let scale = (hessian.norm() + bent.norm() * size) / size;
                assert!((bent - third).norm() < 1e-7 * scale, "{}: ∇³F at {p:?}: {bent} {third}", entry.name);
            }
        }
    }
}

#[test]
fn value_is_negative_inside_and_positive_outside() {
    for entry in all() {
        let Some(f) = entry.surface.as_implicit() else { continue };
        let mut random = Random(2);
        for p in points(&entry, &mut random) {
            let n = f.gradient(&p).normalize();
            let step = 1e-6 * p.norm();
            assert!(f.value(&(p + n * step)) > f.value(&(p - n * step)), "{}", entry.name);
        }
        if let Some(support) = entry.surface.as_support() {
            for _ in 0..20 {
                let p = support.support_point(&random.direction());
                assert!(f.value(&(p * 1.001)) > 0.0 && f.value(&(p * 0.999)) < 0.0, "{}", entry.name);
            }
        }
    }
}
