use super::*;
use crate::Mat3;
use crate::mesh::samples::mapped;
use crate::subdivision::samples::{bipyramid, icosahedron, meshes, poked_torus};
use std::f64::consts::TAU;

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

/// Parameters of a triangle's corners, from those of the triangle it is cut from.
fn child(corners: [[f64; 2]; 3], which: usize) -> [[f64; 2]; 3] {
    let middle = |i: usize, j: usize| [0, 1].map(|x| 0.5 * (corners[i % 3][x] + corners[j % 3][x]));
    match which {
        3 => [middle(0, 1), middle(1, 2), middle(2, 0)],
        k => [corners[k], middle(k, k + 1), middle(k, k + 2)],
    }
}

#[test]
fn points_and_normals_are_the_limits_of_repeated_refinement() {
    for mesh in meshes() {
        let surface = LoopSurface::new(&mesh).unwrap();
        let levels = 4;
        let net = (0..levels).fold(ControlNet::new(&mesh).unwrap(), |net, _| net.refined());
        for triangle in 0..net.triangles.len() {
            let mut corners = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]];
            for level in (0..levels).rev() {
                corners = child(corners, triangle >> (2 * level) & 3);
            }
            let face = triangle >> (2 * levels);
            for (k, [u, v]) in corners.into_iter().enumerate() {
                let (p, ring) = net.ring(3 * triangle + k);
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
fn the_surface_of_a_refined_net_has_the_same_derivatives() {
    for mesh in meshes() {
        let surface = LoopSurface::new(&mesh).unwrap();
        let twice = ControlNet::new(&mesh).unwrap().refined().refined();
        let fine = LoopSurface::of_refined(twice.refined()).unwrap();
        for face in 0..fine.face_count() {
            let whole = [[0.0, 0.0], [1.0, 0.0], [0.0, 1.0]];
            let [o, a, b] = child(child(whole, face >> 2 & 3), face & 3);
            let gradient = [0, 1].map(|x| [a[x] - o[x], b[x] - o[x]]);
            for (s, t) in [(0.31, 0.42), (0.07, 0.03), (0.8, 0.15), (0.13, 0.77)] {
                let [u, v] = [0, 1].map(|x| o[x] + s * gradient[x][0] + t * gradient[x][1]);
                let coarse = reparametrised(&surface.jet(face >> 4, u, v).unwrap(), &gradient);
                let found = mismatch(&coarse, &fine.jet(face, s, t).unwrap(), 3);
                assert!(found < 1e-9, "{face} {s} {t}: {found:e}");
            }
        }
    }
}

#[test]
fn refined_vertices_draw_near_the_limit_points_of_the_control_vertices() {
    for mesh in meshes() {
        let first = ControlNet::new(&mesh).unwrap();
        let last = (0..5).fold(first.clone(), |net, _| net.refined());
        for (h, &v) in first.triangles.as_flattened().iter().enumerate() {
            let (p, ring) = first.ring(h);
            let (before, after) =
                (limit_point(&p, &ring) - p, limit_point(&p, &ring) - last.points[v as usize]);
            // The offset lies in the eigenspaces of (3/8 + cos(2π/N)/4)² ≤ 25/64 and below.
            assert!(after.norm() <= 1.0001 * before.norm() * 0.3906f64.powi(5) + 1e-14, "{before} {after}");
        }
    }
}

#[test]
fn derivatives_match_differences_to_third_order() {
    let h = 1e-5;
    for mesh in meshes() {
        let surface = LoopSurface::new(&mesh).unwrap();
        for face in 0..surface.face_count() {
            // None within h of a border between quartics, across which third derivatives jump.
            for (u, v) in
                [(0.31, 0.41), (0.03, 0.021), (0.9, 0.07), (0.057, 0.92), (0.61, 0.13), (0.22, 0.17)]
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
        let surface = LoopSurface::new(&mesh).unwrap();
        for face in 0..surface.face_count() {
            for side in 0..3 {
                let crossing = surface.across(face, side).unwrap();
                let back = surface.across(crossing.face, crossing.side).unwrap();
                assert_eq!((back.face, back.side), (face, side));
                for x in [1e-9, 1e-4, 0.2, 0.4999, 0.5, 0.77, 0.9999] {
                    let mut b = [0.0; 3];
                    (b[side], b[(side + 1) % 3]) = (1.0 - x, x);
                    let here = surface.jet(face, b[1], b[2]).unwrap();
                    let [u, v] = crossing.map(b[1], b[2]);
                    let there = surface.jet(crossing.face, u.max(0.0), v.max(0.0)).unwrap();
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

#[test]
fn derivatives_next_to_an_extraordinary_vertex_keep_their_digits() {
    for n in (3..=12).filter(|&n| n != 6) {
        let mesh = bipyramid(n);
        let surface = LoopSurface::new(&mesh).unwrap();
        let normal = surface.limit(0, 0).unwrap().normal();
        let lambda = 0.375 + 0.25 * (TAU / n as f64).cos();
        for (u, v) in [(0.3, 0.1), (0.15, 0.2), (0.0, 0.4)] {
            let near = |depth: i32| surface.jet(0, u * 0.5f64.powi(depth), v * 0.5f64.powi(depth)).unwrap();
            let (jet, next) = (near(200), near(201));
            assert!((jet.normal().normalize() - normal).norm() < 1e-13, "{n} {u} {v}");
            // Order by order the derivatives grow by 2λ, 4λ, 8λ from one depth to the next.
            let mut scaled = reparametrised(&jet, &[[2.0, 0.0], [0.0, 2.0]]);
            scaled.p = next.p;
            for d in [&mut scaled.du, &mut scaled.dv, &mut scaled.duu, &mut scaled.duv, &mut scaled.dvv] {
                *d *= lambda;
            }
            for d in [&mut scaled.duuu, &mut scaled.duuv, &mut scaled.duvv, &mut scaled.dvvv] {
                *d *= lambda;
            }
            // With valence three, λ = 1/4, the leading term is quadratic: of its third derivatives only rounding is
            // left.
            let found = mismatch(&next, &scaled, if n == 3 { 2 } else { 3 });
            assert!(found < 1e-12, "{n} {u} {v}: {found:e}");
            if n == 3 {
                let r = (u + v) * 0.5f64.powi(200);
                let left = all(&jet)[6..].iter().map(|d| d.norm() * r * r).fold(0.0, f64::max);
                assert!(left < 1e-12 * (jet.du.norm() + jet.dv.norm()), "{left:e}");
            }
        }
    }
}

#[test]
fn an_affine_map_of_the_control_points_maps_the_surface() {
    let linear = Mat3::new(1.0, 0.4, -0.3, 0.2, -2.0, 0.1, 0.0, 0.7, 1.5);
    let shift = Vec3::new(10.0, -3.0, 0.5);
    for mesh in [bipyramid(5), bipyramid(9), poked_torus()] {
        let surface = LoopSurface::new(&mesh).unwrap();
        let image = LoopSurface::new(&mapped(&mesh, |p| linear * p + shift)).unwrap();
        let still = LoopSurface::new(&mapped(&mesh, |p| p * 1e-12 + shift)).unwrap();
        for face in 0..surface.face_count() {
            for (u, v) in [(0.001, 0.002), (0.3, 0.3), (0.1, 0.85)] {
                let (a, b) = (surface.jet(face, u, v).unwrap(), image.jet(face, u, v).unwrap());
                let (a, b) = (all(&a), all(&b));
                assert!((linear * a[0] + shift - b[0]).norm() < 1e-13);
                for i in 1..10 {
                    assert!((linear * a[i] - b[i]).norm() < 1e-11 * (1.0 + a[i].norm()), "{i}");
                }
                // Equal control points: the weights sum to one.
                assert!((still.point(face, u, v).unwrap() - shift).norm() < 1e-11);
            }
        }
    }
}

#[test]
fn an_icosahedron_makes_a_surface_of_its_symmetry() {
    let surface = LoopSurface::new(&icosahedron()).unwrap();
    let third = 1.0 / 3.0;
    let radius = surface.limit(0, 0).unwrap().point.norm();
    let first = surface.jet(0, third, third).unwrap().curvature();
    assert!(surface.face_count() == 20 && first.kappa[0] > 0.0);
    for face in 0..20 {
        for corner in 0..3 {
            let limit = surface.limit(face, corner).unwrap();
            assert!(limit.valence == 5 && (limit.point.norm() - radius).abs() < 1e-14);
            assert!((limit.normal() - limit.point / radius).norm() < 1e-14);
        }
        let jet = surface.jet(face, third, third).unwrap();
        assert!((jet.normal().normalize() - jet.p.normalize()).norm() < 1e-13);
        for kappa in jet.curvature().kappa {
            assert!((kappa - first.kappa[0]).abs() < 1e-7, "{kappa}");
        }
        assert!(surface.bounds().contains(&jet.p));
    }
}

#[test]
fn what_cannot_be_answered_is_refused_by_name() {
    let surface = LoopSurface::new(&bipyramid(5)).unwrap();
    let said = |result: Result<ParametricJet>| result.unwrap_err().to_string();
    assert_eq!(said(surface.jet(0, f64::NAN, 0.1)), "u = NaN: must be from 0 to 1");
    assert_eq!(said(surface.jet(0, 0.1, -0.25)), "v = -0.25: must be from 0 to 1");
    assert!(said(surface.jet(0, 0.75, 0.5)).starts_with("u + v = 1.25"));
    assert_eq!(said(surface.jet(10, 0.1, 0.1)), "face = 10: must be a whole number below 10");
    assert!(said(surface.jet(0, 0.0, 0.0)).contains("of face 0 is a vertex of valence 5"));
    assert!((surface.point(0, 0.0, 0.0).unwrap() - surface.limit(0, 0).unwrap().point).norm() < 1e-15);
    assert!(surface.across(0, 3).unwrap_err().to_string().starts_with("side = 3"));
    assert!(surface.limit(0, 3).unwrap_err().to_string().starts_with("corner = 3"));
}

#[test]
fn meshes_that_bound_no_solid_are_refused() {
    let points = vec![Vec3::zeros(), Vec3::x(), Vec3::y(), Vec3::z(), -Vec3::z()];
    let mesh = |triangles: &[[u32; 3]]| TriMesh::new(points.clone(), triangles.to_vec()).unwrap();
    let open = LoopSurface::new(&mesh(&[[0, 2, 1], [0, 1, 3], [1, 2, 3]])).unwrap_err().to_string();
    assert!(open.contains("a border"), "{open}");
    let thick = LoopSurface::new(&mesh(&[[0, 1, 2], [0, 1, 3], [0, 1, 4]])).unwrap_err().to_string();
    assert!(thick.starts_with("edge [0, 1] is shared by 3"), "{thick}");
    let leaf = LoopSurface::new(&mesh(&[[0, 1, 2], [0, 2, 1]])).unwrap_err().to_string();
    assert!(leaf.starts_with("vertices[0] = a vertex of 2 triangles"), "{leaf}");
}
