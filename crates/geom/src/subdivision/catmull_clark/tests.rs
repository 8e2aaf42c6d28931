use super::*;
use crate::Mat3;
use crate::subdivision::catmull_clark_matrix::eigenvalue;
use crate::subdivision::polygon_samples::{cube, mapped, meshes, prism, torus, trapezohedron};

fn all(j: &ParametricJet) -> [Vec3; 10] {
    [j.p, j.du, j.dv, j.duu, j.duv, j.dvv, j.duuu, j.duuv, j.duvv, j.dvvv]
}

/// The difference of two jets, order by order relative to the size of the derivatives of that order.
fn mismatch(a: &ParametricJet, b: &ParametricJet, order: usize) -> f64 {
    let (a, b) = (all(a), all(b));
    let mut worst = 0f64;
    for range in [0..1, 1..3, 3..6, 6..10].into_iter().take(order + 1) {
        let size = a[range.clone()].iter().map(|d| d.norm()).fold(1e-300, f64::max);
        worst = range.map(|i| (a[i] - b[i]).norm() / size).fold(worst, f64::max);
    }
    worst
}

const SQUARE: [[f64; 2]; 4] = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]];

/// Parameters of a quadrilateral's corners, from those of the one it is cut from.
fn child(corners: [[f64; 2]; 4], k: usize) -> [[f64; 2]; 4] {
    let middle = |i: usize, j: usize| [0, 1].map(|x| 0.5 * (corners[i % 4][x] + corners[j % 4][x]));
    [corners[k], middle(k, k + 1), middle(0, 2), middle(k, k + 3)]
}

/// The net whose quadrilaterals are the faces.
fn net_of_faces(mesh: &PolygonMesh) -> PolygonNet {
    let net = PolygonNet::new(mesh).unwrap();
    if mesh.faces().all(|f| f.len() == 4) { net } else { net.refined() }
}

fn ring(net: &PolygonNet, h: usize) -> (Vec3, Vec<Vec3>) {
    let points: Vec<Vec3> = net.ring(h).map(|i| net.points[i as usize]).collect();
    (points[0], points[1..].to_vec())
}

#[test]
fn points_and_normals_are_the_limits_of_repeated_refinement() {
    for mesh in meshes() {
        let surface = CatmullClarkSurface::new(&mesh).unwrap();
        let levels = 4;
        let net = (0..levels).fold(net_of_faces(&mesh), |net, _| net.refined());
        for quad in 0..net.half_edge_count() / 4 {
            let corners = (0..levels).rev().fold(SQUARE, |c, level| child(c, quad >> (2 * level) & 3));
            let face = quad >> (2 * levels);
            for (k, [u, v]) in corners.into_iter().enumerate() {
                let (p, ring) = ring(&net, 4 * quad + k);
                let point = surface.point(face, u, v).unwrap();
                assert!((point - limit_point(&p, &ring)).norm() < 1e-13, "{face} {u} {v}");
                if let Ok(jet) = surface.jet(face, u, v) {
                    let [a, b] = limit_tangents(&p, &ring);
                    let normal = a.cross(&b).normalize();
                    assert!((jet.normal().normalize() - normal).norm() < 1e-11, "{face} {u} {v}");
                }
            }
        }
    }
}

#[test]
fn refined_vertices_draw_near_the_limits_of_the_control_vertices() {
    for mesh in meshes() {
        let surface = CatmullClarkSurface::new(&mesh).unwrap();
        let first = net_of_faces(&mesh);
        let last = (0..5).fold(first.clone(), |net, _| net.refined());
        for h in 0..first.half_edge_count() {
            let limit = surface.limit(h / 4, h % 4).unwrap();
            let (p, around) = ring(&first, h);
            let size = around.iter().map(|q| (q - p).norm()).fold(0.0, f64::max);
            // The distance lies in the eigenspaces below the subdominant ones, whose values are at most 0.44.
            let left = (limit.point - last.points[first.start(h)]).norm();
            assert!(left < 2.0 * size * 0.44f64.powi(5), "{left}");
            assert_eq!(limit.valence, around.len() / 2);
        }
    }
}

#[test]
fn the_surface_of_a_refined_net_has_the_same_derivatives() {
    for mesh in meshes() {
        let surface = CatmullClarkSurface::new(&mesh).unwrap();
        let twice = net_of_faces(&mesh).refined().refined();
        let fine = CatmullClarkSurface::of_net(twice.refined()).unwrap();
        for face in 0..fine.face_count() {
            let [o, a, _, b] = child(child(SQUARE, face >> 2 & 3), face & 3);
            let gradient = [0, 1].map(|x| [a[x] - o[x], b[x] - o[x]]);
            for (s, t) in [(0.31, 0.42), (0.07, 0.03), (0.8, 0.65), (0.13, 0.97)] {
                let [u, v] = [0, 1].map(|x| o[x] + s * gradient[x][0] + t * gradient[x][1]);
                let coarse = reparametrised(&surface.jet(face >> 4, u, v).unwrap(), &gradient);
                let found = mismatch(&coarse, &fine.jet(face, s, t).unwrap(), 3);
                assert!(found < 1e-9, "{face} {s} {t}: {found:e}");
            }
        }
    }
}

#[test]
fn derivatives_match_differences_to_third_order() {
    let h = 2e-6;
    for mesh in meshes() {
        let surface = CatmullClarkSurface::new(&mesh).unwrap();
        for face in 0..surface.face_count() {
            // None within h of a border between bicubics, across which third derivatives jump.
            for (u, v) in
                [(0.31, 0.41), (0.03, 0.021), (0.9, 0.07), (0.057, 0.92), (0.61, 0.83), (0.22, 0.17)]
            {
                let at = |u: f64, v: f64| all(&surface.jet(face, u, v).unwrap());
                let (j, scale) = (at(u, v), at(u, v).map(|d| d.norm()).into_iter().fold(1.0, f64::max));
                let (up, um) = (at(u + h, v), at(u - h, v));
                let (vp, vm) = (at(u, v + h), at(u, v - h));
                for (low, along_u, along_v) in
                    [(0, 1, 2), (1, 3, 4), (2, 4, 5), (3, 6, 7), (4, 7, 8), (5, 8, 9)]
                {
                    let du = (up[low] - um[low]) / (2.0 * h);
                    let dv = (vp[low] - vm[low]) / (2.0 * h);
                    assert!((du - j[along_u]).norm() < 1e-7 * scale, "{face} {u} {v} {low}");
                    assert!((dv - j[along_v]).norm() < 1e-7 * scale, "{face} {u} {v} {low}");
                }
            }
        }
    }
}

#[test]
fn second_derivatives_go_on_across_every_side() {
    for mesh in meshes() {
        let surface = CatmullClarkSurface::new(&mesh).unwrap();
        for face in 0..surface.face_count() {
            for side in 0..4 {
                let crossing = surface.across(face, side).unwrap();
                let back = surface.across(crossing.face, crossing.side).unwrap();
                assert_eq!((back.face, back.side), (face, side));
                for x in [1e-9, 1e-4, 0.2, 0.4999, 0.5, 0.77, 0.9999] {
                    let [u, v] = crate::subdivision::quad::from_side(side, [x, 0.0]);
                    let here = surface.jet(face, u, v).unwrap();
                    let [s, t] = crossing.map(u, v);
                    let there = surface.jet(crossing.face, s, t).unwrap();
                    let there = reparametrised(&there, &crossing.derivative());
                    // Near a corner that is not at the origin a parameter keeps only 16 digits of one.
                    let tolerance = 1e-11 + 1e-15 / x.min(1.0 - x);
                    let found = mismatch(&here, &there, 2);
                    assert!(found < tolerance, "{face} {side} {x}: {found:e}");
                }
            }
        }
    }
}

/// What `steps` towards a vertex of valence `n` leave of the terms beside the subdominant ones.
fn rest(n: usize, steps: i32) -> f64 {
    (eigenvalue(n, 2).max(0.25) / eigenvalue(n, 1)).powi(steps)
}

#[test]
fn derivatives_next_to_an_extraordinary_vertex_keep_their_digits() {
    for n in (3..=12).chain([20]).filter(|&n| n != 4) {
        let surface = CatmullClarkSurface::new(&trapezohedron(n)).unwrap();
        let limit = surface.limit(0, 0).unwrap();
        let lambda = eigenvalue(n, 1);
        for (u, v) in [(0.3, 0.1), (0.15, 0.2), (0.0, 0.4)] {
            let near = |depth: i32| surface.jet(0, u * 0.5f64.powi(depth), v * 0.5f64.powi(depth)).unwrap();
            let (jet, next) = (near(200), near(201));
            assert!(
                (jet.normal().normalize() - limit.normal()).norm() < 1e-12 + 50.0 * rest(n, 200),
                "{n} {u} {v}"
            );
            // Order by order the derivatives grow by 2λ, 4λ, 8λ from one depth to the next.
            let mut scaled = reparametrised(&jet, &[[2.0 * lambda, 0.0], [0.0, 2.0 * lambda]]);
            for d in [&mut scaled.duu, &mut scaled.duv, &mut scaled.dvv] {
                *d /= lambda;
            }
            for d in [&mut scaled.duuu, &mut scaled.duuv, &mut scaled.duvv, &mut scaled.dvvv] {
                *d /= lambda * lambda;
            }
            scaled.p = next.p;
            let found = mismatch(&next, &scaled, 3);
            assert!(found < 1e-11 + 200.0 * rest(n, 200), "{n} {u} {v}: {found:e}");
            assert!((jet.p - limit.point).norm() < 1e-13);
        }
    }
}

#[test]
fn the_first_tangent_lies_along_the_side_that_begins_at_the_corner() {
    for mesh in meshes() {
        let surface = CatmullClarkSurface::new(&mesh).unwrap();
        for face in 0..surface.face_count() {
            for corner in 0..4 {
                let limit = surface.limit(face, corner).unwrap();
                let [u, v] = crate::subdivision::quad::from_side(corner, [1e-9, 0.0]);
                let secant = (surface.point(face, u, v).unwrap() - limit.point).normalize();
                let tangent = limit.tangents[0].normalize();
                // Thirty steps; the point is known to 1e-16 and at least 0.4³⁰ away.
                let tolerance = 1e-4 + 10.0 * rest(limit.valence, 30);
                assert!(
                    (secant - tangent).norm() < tolerance,
                    "{face} {corner} {}",
                    (secant - tangent).norm()
                );
            }
        }
    }
}

#[test]
fn an_affine_map_of_the_control_points_maps_the_surface() {
    let linear = Mat3::new(1.0, 0.4, -0.3, 0.2, -2.0, 0.1, 0.0, 0.7, 1.5);
    let shift = Vec3::new(10.0, -3.0, 0.5);
    for mesh in [trapezohedron(5), trapezohedron(9), prism(5), torus(6, 5, true)] {
        let surface = CatmullClarkSurface::new(&mesh).unwrap();
        let image = CatmullClarkSurface::new(&mapped(&mesh, |p| linear * p + shift)).unwrap();
        let still = CatmullClarkSurface::new(&mapped(&mesh, |p| p * 1e-12 + shift)).unwrap();
        for face in 0..surface.face_count() {
            for (u, v) in [(0.001, 0.002), (0.3, 0.3), (0.1, 0.85), (0.7, 0.999)] {
                let (a, b) = (surface.jet(face, u, v).unwrap(), image.jet(face, u, v).unwrap());
                let (a, b) = (all(&a), all(&b));
                assert!((linear * a[0] + shift - b[0]).norm() < 1e-13);
                // Control points at a distance of ten are known to 1e-15: over (1 − 0.999)² that is 1e-9.
                for i in 1..10 {
                    assert!((linear * a[i] - b[i]).norm() < 1e-8 * (1.0 + a[i].norm()), "{i}");
                }
                // Equal control points: the weights sum to one.
                assert!((still.point(face, u, v).unwrap() - shift).norm() < 1e-11);
            }
        }
    }
}

#[test]
fn a_cube_makes_a_surface_of_its_symmetry() {
    let surface = CatmullClarkSurface::new(&cube()).unwrap();
    assert_eq!(surface.face_count(), 6);
    // The limit of a corner is (N²a + 4Σe + Σf)/N(N + 5) with Σe = a and Σf = −a: (9 + 4 − 1)/24 of it.
    let corner = 12.0 / 24.0;
    let first = surface.jet(0, 0.5, 0.5).unwrap();
    for face in 0..6 {
        for k in 0..4 {
            let limit = surface.limit(face, k).unwrap();
            assert!(limit.valence == 3 && (limit.point.abs() - Vec3::repeat(corner)).norm() < 1e-15);
            assert!((limit.normal() - limit.point.normalize()).norm() < 1e-14);
        }
        let jet = surface.jet(face, 0.5, 0.5).unwrap();
        assert!((jet.p.norm() - first.p.norm()).abs() < 1e-15);
        assert!((jet.normal().normalize() - jet.p.normalize()).norm() < 1e-14);
        assert!((jet.curvature().kappa[0] - first.curvature().kappa[1]).abs() < 1e-13);
        assert!(surface.bounds().contains(&jet.p));
    }
}

#[test]
fn a_torus_of_quadrilaterals_is_a_bicubic_everywhere() {
    let mesh = torus(6, 5, false);
    let surface = CatmullClarkSurface::new(&mesh).unwrap();
    // The control points of face 0 straight from the grid.
    let id = |i: usize, j: usize| mesh.vertices()[((j + 4) % 5) * 6 + (i + 5) % 6];
    let control: bicubic::Grid = std::array::from_fn(|j| std::array::from_fn(|i| id(i, j)));
    for (u, v) in [(0.0, 0.0), (0.3, 0.8), (0.5, 0.5), (1.0, 0.2), (1.0, 1.0)] {
        let found = mismatch(&surface.jet(0, u, v).unwrap(), &bicubic::jet(&control, u, v), 3);
        assert!(found < 1e-12, "{u} {v} {found:e}");
    }
}

#[test]
fn what_cannot_be_answered_is_refused_by_name() {
    let surface = CatmullClarkSurface::new(&trapezohedron(5)).unwrap();
    let said = |result: Result<ParametricJet>| result.unwrap_err().to_string();
    assert_eq!(said(surface.jet(0, f64::NAN, 0.1)), "u = NaN: must be from 0 to 1");
    assert_eq!(said(surface.jet(0, 0.1, -0.25)), "v = -0.25: must be from 0 to 1");
    assert_eq!(said(surface.jet(10, 0.1, 0.1)), "face = 10: must be a whole number below 10");
    assert!(said(surface.jet(0, 0.0, 0.0)).contains("of face 0 is a vertex of valence 5"));
    assert!((surface.point(0, 0.0, 0.0).unwrap() - surface.limit(0, 0).unwrap().point).norm() < 1e-15);
    assert!(surface.across(0, 4).unwrap_err().to_string().starts_with("side = 4"));
    assert!(surface.limit(0, 4).unwrap_err().to_string().starts_with("corner = 4"));
    let open = PolygonMesh::new(cube().vertices().to_vec(), &cube().faces().skip(1).collect::<Vec<_>>());
    let error = CatmullClarkSurface::new(&open.unwrap()).unwrap_err().to_string();
    assert!(error.contains("is a border: one face"), "{error}");
}
