use super::samples::{Random, assert_derivatives, parts, torus};
use rattleback_geom::Vec3;
use rattleback_geom::patch::NurbsSurface;
use rattleback_geom::surface::{Implicit, Parametric, ParametricJet, Surface, Torus};

/// The k-th derivative of the B-spline Nᵢᵖ by the recursion of Cox and de Boor and its derivative.
fn spline(knots: &[f64], i: usize, p: usize, k: usize, t: f64) -> f64 {
    if p == 0 {
        return if k == 0 && knots[i] <= t && t < knots[i + 1] { 1.0 } else { 0.0 };
    }
    let over = |a: f64, b: f64| if b > 0.0 { a / b } else { 0.0 };
    let (left, right) = (knots[i + p] - knots[i], knots[i + p + 1] - knots[i + 1]);
    if k > 0 {
        let n = p as f64;
        return over(n * spline(knots, i, p - 1, k - 1, t), left)
            - over(n * spline(knots, i + 1, p - 1, k - 1, t), right);
    }
    over((t - knots[i]) * spline(knots, i, p - 1, 0, t), left)
        + over((knots[i + p + 1] - t) * spline(knots, i + 1, p - 1, 0, t), right)
}

/// A direction: degree and knots.
type Direction = (usize, Vec<f64>);

fn size((p, knots): &Direction) -> usize {
    knots.len() - p - 1
}

fn net(u: &Direction, v: &Direction, random: &mut Random) -> Vec<Vec3> {
    let (m, n) = (size(u), size(v));
    (0..m * n).map(|k| Vec3::new((k / n) as f64, (k % n) as f64, 0.0) + random.point() * 0.3).collect()
}

/// Clamped, unclamped and half clamped knots, simple and repeated ones, of several degrees.
fn directions() -> Vec<Direction> {
    vec![
        (1, vec![0.0, 0.0, 0.7, 1.0, 1.0]),
        (2, vec![-1.0, -1.0, -1.0, 0.5, 0.5, 0.8, 2.0, 2.0, 2.0]),
        (3, vec![0.0, 0.0, 0.0, 0.0, 0.2, 0.5, 0.5, 0.9, 1.0, 1.0, 1.0, 1.0]),
        (3, (0..10).map(f64::from).collect()),
        (4, vec![0.0, 0.1, 0.3, 0.3, 1.0, 1.5, 1.7, 2.0, 2.0, 2.0, 2.0, 2.0]),
        (5, vec![0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.4, 0.4, 0.4, 1.0, 1.1, 1.3, 1.3, 1.6, 2.0]),
    ]
}

#[test]
fn positions_and_derivatives_are_those_of_the_recursion_of_cox_and_de_boor() {
    let mut random = Random(11);
    let orders = [(1, 0), (0, 1), (2, 0), (1, 1), (0, 2), (3, 0), (2, 1), (1, 2), (0, 3)];
    for u in directions() {
        for v in directions() {
            let control = net(&u, &v, &mut random);
            let n = size(&v);
            let surface = NurbsSurface::new([u.0, v.0], [u.1.clone(), v.1.clone()], &control, None).unwrap();
            let domain = surface.domain();
            assert_eq!((domain.u, domain.v), ([u.1[u.0], u.1[size(&u)]], [v.1[v.0], v.1[n]]));
            for _ in 0..10 {
                let (s, t) =
                    (random.within(domain.u[0], domain.u[1]), random.within(domain.v[0], domain.v[1]));
                let exact = |k, l| {
                    let bu: Vec<f64> = (0..size(&u)).map(|i| spline(&u.1, i, u.0, k, s)).collect();
                    let bv: Vec<f64> = (0..n).map(|j| spline(&v.1, j, v.0, l, t)).collect();
                    control
                        .iter()
                        .enumerate()
                        .fold(Vec3::zeros(), |x, (c, p)| x + p * (bu[c / n] * bv[c % n]))
                };
                let jet = surface.jet(s, t);
                assert!((jet.p - exact(0, 0)).norm() < 1e-13, "{u:?} {v:?}");
                for (found, (k, l)) in parts(&jet).into_iter().zip(orders) {
                    // Derivatives of order k carry k inverse spans, of which the shortest is 0.1.
                    let bound = 1e-13 * 50f64.powi((k + l) as i32);
                    assert!((found - exact(k, l)).norm() < bound, "{u:?} {v:?} {k} {l} at ({s}, {t})");
                }
            }
        }
    }
}

#[test]
fn weighted_surfaces_are_quotients_of_the_recursion_and_derivatives_agree_with_differences() {
    let mut random = Random(12);
    let list = directions();
    for (u, v) in [(&list[2], &list[3]), (&list[4], &list[1]), (&list[5], &list[2])] {
        let control = net(u, v, &mut random);
        let weights: Vec<f64> = control.iter().map(|_| random.within(0.5, 2.0)).collect();
        let n = size(v);
        let surface =
            NurbsSurface::new([u.0, v.0], [u.1.clone(), v.1.clone()], &control, Some(&weights)).unwrap();
        let [bu, bv] = surface.breaks();
        for (a, b) in bu.windows(2).zip(bv.windows(2)) {
            let (s, t) = (0.4 * a[0] + 0.6 * a[1], 0.7 * b[0] + 0.3 * b[1]);
            let basis =
                |k: usize| weights[k] * spline(&u.1, k / n, u.0, 0, s) * spline(&v.1, k % n, v.0, 0, t);
            let sum: f64 = (0..control.len()).map(basis).sum();
            let exact = (0..control.len()).fold(Vec3::zeros(), |x, k| x + control[k] * basis(k)) / sum;
            assert!((surface.point(s, t) - exact).norm() < 1e-13);
            // Differences in the patch's own parameters, whose scale is one.
            let (k, [x, y]) = surface.locate(s, t);
            assert_derivatives(|x, y| surface.patches()[k].jet(x, y), x, y);
        }
    }
}

#[test]
fn a_torus_has_the_points_normals_and_curvatures_of_the_torus() {
    let (nurbs, torus) = (torus(1.3, 0.4), Torus::new(1.3, 0.4).unwrap());
    assert_eq!(nurbs.patches().len(), 16);
    for i in 0..=40 {
        for j in 0..=40 {
            let jet = nurbs.jet(f64::from(i) * 0.1, f64::from(j) * 0.1);
            assert!(torus.value(&jet.p).abs() < 2e-14);
            let n = torus.gradient(&jet.p).normalize();
            assert!((jet.normal().normalize() - n).norm() < 1e-14);
            let (a, b) = (jet.curvature(), torus.curvature_at(&jet.p).unwrap());
            for k in 0..2 {
                assert!((a.kappa[k] - b.kappa[k]).abs() < 1e-13, "{i} {j}");
                assert!(a.direction[k].cross(&b.direction[k]).norm() < 1e-12, "{i} {j}");
            }
        }
    }
}

#[test]
fn at_a_knot_of_multiplicity_m_the_derivatives_up_to_degree_minus_m_are_continuous() {
    let mut random = Random(13);
    let u = (
        5,
        vec![
            0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.4, 0.4, 0.4, 1.0, 1.3, 1.3, 1.3, 1.3, 1.3, 2.0, 2.0, 2.0, 2.0,
            2.0, 2.0,
        ],
    );
    let v = directions().remove(2);
    let control = net(&u, &v, &mut random);
    let surface = NurbsSurface::new([5, 3], [u.1, v.1], &control, None).unwrap();
    for (t, smooth) in [(0.4, 2), (1.0, 3), (1.3, 0)] {
        let (a, b) = (surface.jet(f64::next_down(t), 0.3), surface.jet(t, 0.3));
        let orders: [fn(&ParametricJet) -> Vec3; 4] = [|j| j.p, |j| j.du, |j| j.duu, |j| j.duuu];
        for (k, part) in orders.into_iter().enumerate() {
            let (jump, scale) = ((part(&a) - part(&b)).norm(), 1.0 + part(&a).norm());
            assert_eq!(jump < 1e-10 * scale, k <= smooth, "order {k} at {t}: {jump}");
        }
    }
}

#[test]
fn bad_knots_are_refused_by_name() {
    let control = net(&(2, vec![0.0; 7]), &(2, vec![0.0; 7]), &mut Random(14));
    let good = vec![0.0, 0.0, 0.0, 0.5, 1.0, 1.0, 1.0];
    let refusal = |knots: [f64; 7]| {
        NurbsSurface::new([2, 2], [good.clone(), knots.to_vec()], &control, None).unwrap_err().to_string()
    };
    assert_eq!(
        refusal([0.0, 0.0, 0.0, f64::NAN, 1.0, 1.0, 1.0]),
        "knots[1][3] = NaN: must be a finite number"
    );
    assert_eq!(
        refusal([0.0, 0.0, 0.5, 0.2, 1.0, 1.0, 1.0]),
        "knots[1][3] = 0.2: must be at least 0.5: knots do not decrease"
    );
    assert_eq!(
        refusal([0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0]),
        "knots[1][3] = 0: must be repeated at most 3 times at the degree 2"
    );
    let short = NurbsSurface::new([2, 2], [good.clone(), vec![0.0; 5]], &control, None).unwrap_err();
    assert_eq!(short.to_string(), "knots[1] = 5 knots: must be at least 6 knots for the degree 2");
    let torn = vec![0.0, 0.0, 0.0, 0.5, 0.5, 0.5, 1.0, 1.0, 1.0];
    let torn = NurbsSurface::new([2, 2], [torn, good.clone()], &control, None).unwrap_err().to_string();
    assert_eq!(torn, "knots[0][5] = 0.5: must be repeated at most 2 times at the degree 2");
    let count = NurbsSurface::new([2, 2], [good.clone(), good], &control[1..], None).unwrap_err().to_string();
    assert_eq!(count, "control = 15 entries: must be 4 by 4 = 16 entries");
}
