use super::samples::{Random, assert_derivatives, parts, random_patch};
use rattleback_geom::patch::SPatch;
use rattleback_geom::surface::Parametric;
use rattleback_geom::{Vec2, Vec3};

/// A patch near the plane: the affine position of each index plus a random shift.
fn random_spatch(sides: usize, depth: usize, shift: f64, random: &mut Random) -> SPatch {
    let control = SPatch::indices(sides, depth)
        .unwrap()
        .iter()
        .map(|index| {
            let p = index.iter().enumerate().fold(Vec2::zeros(), |p, (k, &m)| {
                let angle = std::f64::consts::TAU * k as f64 / sides as f64;
                p + Vec2::new(angle.cos(), angle.sin()) * m as f64 / depth as f64
            });
            p.push(0.0) + random.point() * shift
        })
        .collect();
    SPatch::new(sides, depth, control).unwrap()
}

/// A point inside the polygon.
fn inside(patch: &SPatch, random: &mut Random) -> Vec2 {
    let k = (random.unit() * patch.sides() as f64) as usize;
    patch.on_edge(k, random.unit()) * random.within(0.0, 0.95)
}

#[test]
fn affine_control_points_give_the_identity() {
    let mut random = Random(21);
    for (sides, depth) in [(3, 1), (3, 9), (4, 3), (5, 4), (7, 3), (10, 3), (12, 2)] {
        let patch = random_spatch(sides, depth, 0.0, &mut random);
        for _ in 0..10 {
            let p = inside(&patch, &mut random);
            let jet = patch.jet(p.x, p.y);
            assert!((jet.p - p.push(0.0)).norm() < 1e-14, "{sides} {depth}");
            let exact = [Vec3::x(), Vec3::y()];
            for (k, found) in parts(&jet).into_iter().enumerate() {
                let exact = exact.get(k).copied().unwrap_or_else(Vec3::zeros);
                assert!((found - exact).norm() < 1e-10, "{sides} {depth} derivative {k} {found}");
            }
        }
    }
}

#[test]
fn four_sides_are_the_tensor_product_patch() {
    // With lₖ bilinear the index (i₁, i₂, i₃, i₄) belongs to s^(i₂+i₃) t^(i₃+i₄), and by Vandermonde's identity the
    // multinomial coefficients of one tensor index add up to the product of its binomial ones.
    let mut random = Random(22);
    for depth in [1, 3, 5] {
        let tensor = random_patch([depth, depth], false, &mut random);
        let patch =
            SPatch::from_fn(4, depth, |i| tensor.control()[(i[1] + i[2]) * (depth + 1) + i[2] + i[3]])
                .unwrap();
        // The square has its corners on the axes: p = P₀ + s(P₁ − P₀) + t(P₃ − P₀).
        let [a, b, _, d] = [0, 1, 2, 3].map(|k| patch.polygon()[k]);
        for _ in 0..10 {
            let (s, t) = (random.unit(), random.unit());
            let p = a + (b - a) * s + (d - a) * t;
            let (x, y) = (patch.jet(p.x, p.y), tensor.jet(s, t));
            let (e, f) = (b - a, d - a);
            assert!((x.p - y.p).norm() < 1e-14);
            assert!((x.du * e.x + x.dv * e.y - y.du).norm() < 1e-13 * (1.0 + y.du.norm()));
            assert!((x.du * f.x + x.dv * f.y - y.dv).norm() < 1e-13 * (1.0 + y.dv.norm()));
            let duv = x.duu * (e.x * f.x) + x.duv * (e.x * f.y + e.y * f.x) + x.dvv * (e.y * f.y);
            assert!((duv - y.duv).norm() < 1e-12 * (1.0 + y.duv.norm()));
            let duuu = x.duuu * e.x.powi(3)
                + x.duuv * (3.0 * e.x * e.x * e.y)
                + x.duvv * (3.0 * e.x * e.y * e.y)
                + x.dvvv * e.y.powi(3);
            assert!((duuu - y.duuu).norm() < 1e-11 * (1.0 + y.duuu.norm()), "{duuu} {}", y.duuu);
            let (k, l) = (x.curvature().kappa, y.curvature().kappa);
            assert!((k[0] - l[0]).abs() + (k[1] - l[1]).abs() < 1e-11 * (1.0 + l[0].abs() + l[1].abs()));
        }
    }
}

/// The patch by de Casteljau's steps on the simplex, with barycentric coordinates from areas of triangles.
fn casteljau(patch: &SPatch, p: Vec2) -> Vec3 {
    let (n, polygon) = (patch.sides(), patch.polygon());
    let area = |j: usize| (polygon[j] - p).perp(&(polygon[(j + 1) % n] - p));
    let pi: Vec<f64> =
        (0..n).map(|k| (0..n).filter(|j| *j != k && (j + 1) % n != k).map(area).product()).collect();
    let sum: f64 = pi.iter().sum();
    let mut level = patch.control().to_vec();
    for depth in (0..patch.depth()).rev() {
        let upper = SPatch::indices(n, depth + 1).unwrap();
        let lower = if depth > 0 { SPatch::indices(n, depth).unwrap() } else { vec![vec![0; n]] };
        level = lower
            .iter()
            .map(|index| {
                (0..n).fold(Vec3::zeros(), |x, k| {
                    let mut above = index.clone();
                    above[k] += 1;
                    let at = upper.iter().position(|i| *i == above).unwrap();
                    x + level[at] * (pi[k] / sum)
                })
            })
            .collect();
    }
    level[0]
}

#[test]
fn points_are_those_of_de_casteljau_and_derivatives_agree_with_differences() {
    let mut random = Random(23);
    for (sides, depth) in [(3, 3), (5, 3), (6, 4), (9, 2)] {
        let patch = random_spatch(sides, depth, 0.3, &mut random);
        for _ in 0..5 {
            let p = inside(&patch, &mut random);
            assert!((patch.jet(p.x, p.y).p - casteljau(&patch, p)).norm() < 1e-14);
            assert!(patch.bounds().contains(&patch.jet(p.x, p.y).p));
            assert_derivatives(|u, v| patch.jet(u, v), p.x, p.y);
        }
    }
}

#[test]
fn borders_are_the_bezier_curves_of_their_own_control_points() {
    let mut random = Random(24);
    let patch = random_spatch(5, 4, 0.3, &mut random);
    for k in 0..5 {
        for s in [0.0, 0.2, 0.75, 1.0] {
            let mut points = patch.edge(k).unwrap();
            while points.len() > 1 {
                points = points.windows(2).map(|w| w[0] * (1.0 - s) + w[1] * s).collect();
            }
            let p = patch.on_edge(k, s);
            let jet = patch.jet(p.x, p.y);
            assert!((jet.p - points[0]).norm() < 1e-14, "{k} {s}");
            assert!(parts(&jet).iter().all(|d| d.iter().all(|x| x.is_finite())));
        }
    }
}

#[test]
fn bad_patches_are_refused_by_name() {
    let refusal = |sides, depth, control| SPatch::new(sides, depth, control).unwrap_err().to_string();
    assert_eq!(refusal(2, 3, vec![]), "sides = 2: must be from 3 to 12");
    assert_eq!(refusal(13, 3, vec![]), "sides = 13: must be from 3 to 12");
    assert_eq!(refusal(5, 0, vec![]), "depth = 0: must be from 1 to 9");
    assert_eq!(
        refusal(5, 2, vec![Vec3::x(); 14]),
        "control = 14 points: must be 15 points for 5 sides and the depth 2"
    );
    let mut control = random_spatch(5, 2, 0.1, &mut Random(25)).control().to_vec();
    control[7].z = f64::NAN;
    assert_eq!(refusal(5, 2, control), "control[7][2] = NaN: must be a finite number");
    let line = (0..15).map(|k| Vec3::new(1.0, 2.0, -1.0) * f64::from(k * k)).collect();
    assert!(refusal(5, 2, line).starts_with("control = 15 points whose patch has no area"));
}
