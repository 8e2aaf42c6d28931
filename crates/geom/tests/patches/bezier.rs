use super::samples::{Random, assert_derivatives, binomial, octant, parts, random_patch};
use rattleback_geom::Vec3;
use rattleback_geom::patch::BezierPatch;
use rattleback_geom::surface::Parametric;

/// The k-th derivative of t^a.
fn power(a: usize, k: usize, t: f64) -> f64 {
    if k > a { 0.0 } else { (a - k + 1..=a).map(|x| x as f64).product::<f64>() * t.powi((a - k) as i32) }
}

/// The graph of u^a v^b, whose Bernstein coefficients are C(i, a)/C(p, a) times C(j, b)/C(q, b).
fn graph([p, q]: [usize; 2], [a, b]: [usize; 2]) -> BezierPatch {
    let coefficient = |n, i, a| if i < a { 0.0 } else { binomial(i, a) / binomial(n, a) };
    let control = (0..=p)
        .flat_map(|i| (0..=q).map(move |j| (i, j)))
        .map(|(i, j)| {
            Vec3::new(i as f64 / p as f64, j as f64 / q as f64, coefficient(p, i, a) * coefficient(q, j, b))
        })
        .collect();
    BezierPatch::new([p, q], control).unwrap()
}

#[test]
fn every_monomial_of_the_bidegree_is_reproduced_with_all_derivatives() {
    const ORDERS: [[usize; 2]; 9] = [[1, 0], [0, 1], [2, 0], [1, 1], [0, 2], [3, 0], [2, 1], [1, 2], [0, 3]];
    for degree in [[3, 3], [1, 1], [1, 3], [2, 5], [9, 4], [9, 9]] {
        let top = degree[0].max(degree[1]) as f64;
        for a in 0..=degree[0] {
            for b in 0..=degree[1] {
                let patch = graph(degree, [a, b]);
                for [u, v] in [[0.0, 0.0], [1.0, 0.0], [0.3, 0.8], [0.5, 0.123], [1.0, 1.0]] {
                    let jet = patch.jet(u, v);
                    let exact = Vec3::new(u, v, power(a, 0, u) * power(b, 0, v));
                    assert!((jet.p - exact).norm() < 4e-15, "{degree:?} {a} {b} {u} {v}");
                    for (found, [k, l]) in parts(&jet).into_iter().zip(ORDERS) {
                        let exact = Vec3::new(
                            power(1, k, u) * power(0, l, v),
                            power(0, k, u) * power(1, l, v),
                            power(a, k, u) * power(b, l, v),
                        );
                        // An order more loses a factor of the degree against the size of the basis.
                        let bound = 4e-15 * (2.0 * top).powi((k + l) as i32);
                        assert!((found - exact).norm() < bound, "{degree:?} {a} {b} {k} {l} {u} {v}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_rational_octant_is_a_sphere() {
    for radius in [1.0, 2.5e-3, 7e3] {
        let patch = octant(radius, 0, false);
        for i in 0..=20 {
            for j in 0..=20 {
                let (u, v) = (f64::from(i) / 20.0, f64::from(j) / 20.0);
                let jet = patch.jet(u, v);
                assert!((jet.p.norm() / radius - 1.0).abs() < 1e-14);
                // At v = 1 is the pole, where the parametrisation has no normal.
                if v < 0.9 {
                    assert!((jet.normal().normalize() - jet.p / radius).norm() < 1e-14);
                    for kappa in jet.curvature().kappa {
                        assert!((kappa * radius - 1.0).abs() < 1e-12, "{u} {v} {kappa}");
                    }
                }
            }
        }
        assert!(patch.jet(0.4, 1.0).normal().norm() < 1e-14 * radius * radius);
    }
}

#[test]
fn derivatives_agree_with_differences() {
    let mut random = Random(1);
    for (degree, rational) in
        [([3, 3], false), ([3, 3], true), ([2, 4], true), ([1, 1], true), ([9, 7], true)]
    {
        let patch = random_patch(degree, rational, &mut random);
        for _ in 0..20 {
            let (u, v) = (random.unit(), random.unit());
            assert_derivatives(|u, v| patch.jet(u, v), u, v);
            assert!(patch.bounds().contains(&patch.point(u, v)));
        }
    }
}

#[test]
fn equal_weights_of_any_size_give_the_polynomial_patch() {
    let patch = random_patch([3, 3], false, &mut Random(2));
    for weight in [1.0, 3.0, 1e-150] {
        let same = BezierPatch::rational([3, 3], patch.control().to_vec(), vec![weight; 16]).unwrap();
        let (a, b) = (patch.jet(0.3, 0.6), same.jet(0.3, 0.6));
        assert!((a.p - b.p).norm() < 1e-15);
        for (a, b) in parts(&a).into_iter().zip(parts(&b)) {
            assert!((a - b).norm() < 1e-13 * (1.0 + a.norm()));
        }
    }
}

#[test]
fn tiny_huge_and_distant_patches_are_affine_images_of_ordinary_ones() {
    let patch = random_patch([3, 2], true, &mut Random(3));
    let image = |scale: f64, shift: f64| {
        let control = patch.control().iter().map(|p| p * scale + Vec3::repeat(shift)).collect();
        BezierPatch::rational([3, 2], control, patch.weights().unwrap().to_vec()).unwrap()
    };
    for (scale, shift) in [(1e-200, 0.0), (1e200, 0.0), (1.0, 1e6)] {
        let (a, b) = (patch.jet(0.7, 0.2), image(scale, shift).jet(0.7, 0.2));
        for (a, b) in parts(&a).into_iter().zip(parts(&b)) {
            assert!((b / scale - a).norm() < 1e-13 * (1.0 + shift) * (1.0 + a.norm()));
        }
    }
}

fn refusal(degree: [usize; 2], control: Vec<Vec3>, weights: Vec<f64>) -> String {
    BezierPatch::rational(degree, control, weights).unwrap_err().to_string()
}

#[test]
fn bad_nets_are_refused_by_name() {
    let good = random_patch([1, 1], false, &mut Random(4)).control().to_vec();
    let mut bad = good.clone();
    bad[2].y = f64::NAN;
    let text = BezierPatch::new([1, 1], bad).unwrap_err().to_string();
    assert_eq!(text, "control[2][1] = NaN: must be a finite number");
    assert_eq!(
        refusal([1, 1], good.clone(), vec![1.0, 0.0, 1.0, 1.0]),
        "weights[1] = 0: must be a finite number above zero"
    );
    assert_eq!(
        refusal([1, 1], good.clone(), vec![1.0, 1.0, 1.0, f64::NAN]),
        "weights[3] = NaN: must be a finite number above zero"
    );
    assert_eq!(
        refusal([1, 1], good.clone(), vec![1.0; 3]),
        "weights = 3 entries: must be 2 by 2 = 4 entries"
    );
    assert_eq!(
        refusal([1, 2], good.clone(), vec![1.0; 6]),
        "control = 4 entries: must be 2 by 3 = 6 entries"
    );
    assert_eq!(refusal([0, 3], good.clone(), vec![1.0; 4]), "degree[0] = 0: must be from 1 to 9");
    assert_eq!(refusal([1, 10], good, vec![1.0; 4]), "degree[1] = 10: must be from 1 to 9");
}

#[test]
fn nets_without_area_are_refused() {
    let curve = |t: f64| Vec3::new(t, t * t, 1.0 - t);
    let nets: [&dyn Fn(f64, f64) -> Vec3; 4] = [
        &|_, _| Vec3::new(1.0, 2.0, 3.0),
        &|_, _| Vec3::zeros(),
        &|u, v| Vec3::new(1.0, 2.0, 3.0) * (u + 2.0 * v * v),
        // A plane curve: its points are not on a line, yet nothing depends on v.
        &|u, _| curve(u),
    ];
    for net in nets {
        let control = (0..16).map(|k| net(f64::from(k / 4) / 3.0, f64::from(k % 4) / 3.0)).collect();
        let text = BezierPatch::new([3, 3], control).unwrap_err().to_string();
        assert!(text.starts_with("control = 16 points whose patch has no area"), "{text}");
    }
}
