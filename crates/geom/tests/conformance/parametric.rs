use super::catalog::all;
use super::difference::difference;
use super::sample::Random;

#[test]
fn derivatives_to_third_order_agree_with_differences() {
    for entry in all() {
        let Some(x) = entry.surface.as_parametric() else { continue };
        let domain = x.domain();
        let mut random = Random(8);
        let mut count = 0;
        while count < 40 {
            let (u, v) = (random.within(domain.u[0], domain.u[1]), random.within(domain.v[0], domain.v[1]));
            let jet = x.jet(u, v);
            if !entry.is_regular(&jet.p) {
                continue;
            }
            count += 1;
            let size = jet.p.norm().max(jet.du.norm()).max(jet.dv.norm());
            let (hu, hv) = (5e-4 * (domain.u[1] - domain.u[0]), 5e-4 * (domain.v[1] - domain.v[0]));
            let du = difference(hu, |h| x.point(u + h, v));
            let dv = difference(hv, |h| x.point(u, v + h));
            let second = jet.duu.norm() + jet.dvv.norm() + size;
            let third = jet.duuu.norm() + jet.dvvv.norm() + jet.duuv.norm() + jet.duvv.norm() + second;
            let check = |what: &str, error: f64, scale: f64| {
                assert!(
                    error < 1e-5 * scale,
                    "{}: {what} at ({u}, {v}) errs by {error:e} of {scale:e}",
                    entry.name
                );
            };
            check("du", (du - jet.du).norm(), 1e-2 * third);
            check("dv", (dv - jet.dv).norm(), 1e-2 * third);
            check("duu", (difference(hu, |h| x.jet(u + h, v).du) - jet.duu).norm(), third);
            check("duv", (difference(hv, |h| x.jet(u, v + h).du) - jet.duv).norm(), third);
            check("dvv", (difference(hv, |h| x.jet(u, v + h).dv) - jet.dvv).norm(), third);
            check("duuu", (difference(hu, |h| x.jet(u + h, v).duu) - jet.duuu).norm(), 10.0 * third);
            check("duuv", (difference(hv, |h| x.jet(u, v + h).duu) - jet.duuv).norm(), 10.0 * third);
            check("duvv", (difference(hu, |h| x.jet(u + h, v).dvv) - jet.duvv).norm(), 10.0 * third);
            check("dvvv", (difference(hv, |h| x.jet(u, v + h).dvv) - jet.dvvv).norm(), 10.0 * third);
        }
    }
}

#[test]
fn parametric_points_lie_on_the_implicit_surface_with_the_same_normal_and_curvature() {
    for entry in all() {
        let (Some(x), Some(f)) = (entry.surface.as_parametric(), entry.surface.as_implicit()) else {
            continue;
        };
        let domain = x.domain();
        let mut random = Random(9);
        for _ in 0..300 {
            let (u, v) = (random.within(domain.u[0], domain.u[1]), random.within(domain.v[0], domain.v[1]));
            let jet = x.jet(u, v);
            let g = f.gradient(&jet.p);
            assert!(f.value(&jet.p).abs() < 1e-12 * (1.0 + g.norm() * jet.p.norm()), "{}", entry.name);
            if !entry.is_regular(&jet.p) || jet.normal().norm() < 1e-3 * jet.p.norm_squared() {
                continue;
            }
            assert!((jet.normal().normalize() - g.normalize()).norm() < 1e-9, "{} at ({u}, {v})", entry.name);
            let (a, b) = (jet.curvature(), entry.surface.curvature_at(&jet.p).unwrap());
            for k in 0..2 {
                let scale = a.kappa[0].abs().max(a.kappa[1].abs());
                assert!(
                    (a.kappa[k] - b.kappa[k]).abs() < 1e-9 * scale,
                    "{} at ({u}, {v}): {:?} {:?}",
                    entry.name,
                    a.kappa,
                    b.kappa
                );
            }
        }
    }
}
