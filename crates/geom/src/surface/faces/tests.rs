use super::*;
use crate::mesh::PolygonMesh;
use crate::mesh::Topology;
use crate::mesh::samples::{cube, mapped, torus_point};
use crate::subdivision::{CatmullClarkSurface, LoopSurface};
use crate::surface::Surface;
use crate::{Mat3, TriMesh};
use std::f64::consts::TAU;

/// How much uniform cubic B-splines shrink a circle through `n` points.
fn shrink(n: usize) -> f64 {
    (2.0 + (TAU / n as f64).cos()) / 3.0
}

/// A ring of `n` by `n` quadrilaterals; its limit is nearly the torus of the radii s and 0.4 s², s = [`shrink`].
fn ring(n: usize) -> CatmullClarkSurface {
    let flat = Vec3::new(1.0, 1.0, shrink(n));
    let angle = |i: usize| TAU * i as f64 / n as f64;
    let points =
        (0..n * n).map(|k| torus_point(1.0, 0.4, angle(k % n), angle(k / n)).component_mul(&flat)).collect();
    let id = |i: usize, j: usize| ((j % n) * n + i % n) as u32;
    let faces: Vec<[u32; 4]> = (0..n * n)
        .map(|k| (k % n, k / n))
        .map(|(i, j)| [id(i, j), id(i + 1, j), id(i + 1, j + 1), id(i, j + 1)])
        .collect();
    CatmullClarkSurface::new(&PolygonMesh::new(points, &faces).unwrap()).unwrap()
}

fn polygons(mesh: &TriMesh) -> PolygonMesh {
    PolygonMesh::new(mesh.vertices().to_vec(), mesh.triangles()).unwrap()
}

/// A sheared box as every sort of subdivision surface.
fn bodies() -> Vec<Box<dyn Surface>> {
    let shear = Mat3::new(1.0, 0.3, 0.0, -0.2, 0.8, 0.1, 0.0, 0.2, 1.2);
    let mesh = mapped(&cube(0.5), |p| shear * p + Vec3::new(0.3, -0.2, 0.1));
    vec![
        Box::new(LoopSurface::new(&mesh).unwrap()),
        Box::new(CatmullClarkSurface::new(&polygons(&mesh)).unwrap()),
        Box::new(ring(6)),
    ]
}

#[test]
fn moments_are_the_limits_of_those_of_finer_and_finer_meshes() {
    for body in bodies() {
        let (exact, area) = (body.moments().unwrap(), body.area().unwrap());
        let size = body.bounds().diagonal();
        // The error of inscribed triangles falls with the chord: two meshes and what their sequence leads to.
        let at = |chord: f64| {
            let mesh = body.tessellate(chord * size).unwrap();
            let m = mesh.moments();
            [mesh.area(), m.volume, m.first.x, m.first.y, m.second[(0, 0)], m.second[(1, 2)]]
        };
        let wanted =
            [area, exact.volume, exact.first.x, exact.first.y, exact.second[(0, 0)], exact.second[(1, 2)]];
        let (coarse, fine) = (at(2e-3), at(1e-4));
        for k in 0..wanted.len() {
            let scale = if k == 0 { area } else { exact.volume };
            let (before, after) = ((coarse[k] - wanted[k]).abs(), (fine[k] - wanted[k]).abs());
            assert!(after < 1e-3 * scale, "{} {k}: {} {}", body.kind(), fine[k], wanted[k]);
            assert!(after < 0.2 * before + 1e-6 * scale, "{} {k}: {before} {after}", body.kind());
        }
    }
}

#[test]
fn a_fine_ring_has_the_moments_of_the_torus_that_its_circles_shrink_to() {
    // The splines bend off their circles by some (2π/n)⁴/720.
    let (n, s) = (24, shrink(24));
    let torus = crate::surface::Torus::new(s, 0.4 * s * s).unwrap();
    let (body, exact) = (ring(n), torus.moments().unwrap());
    let found = body.moments().unwrap();
    assert!((found.volume / exact.volume - 1.0).abs() < 1e-4, "{} {}", found.volume, exact.volume);
    assert!((found.second - exact.second).norm() < 1e-4 * exact.second.norm());
    assert!((body.area().unwrap() / torus.area().unwrap() - 1.0).abs() < 1e-4);
    let kappa = body.curvature_range().unwrap();
    let wanted = torus.curvature_range().unwrap();
    for k in 0..2 {
        assert!((kappa[k] / wanted[k] - 1.0).abs() < 1e-2, "{kappa:?} {wanted:?}");
    }
}

#[test]
fn tessellations_are_closed_and_keep_to_the_chord() {
    for body in bodies() {
        let size = body.bounds().diagonal();
        let mesh = body.tessellate(1e-3 * size).unwrap();
        assert!(Topology::closed(&mesh).is_ok(), "{}", body.kind());
        assert!(body.bounds().fattened(1e-9 * size).encloses(&mesh.bounds()), "{}", body.kind());
        let atlas = body.as_atlas().unwrap();
        for t in (0..mesh.triangles().len()).step_by(97) {
            let [a, b, c] = mesh.corners(t);
            let middle = (a + b + c) / 3.0;
            let place = atlas.locate(&middle).unwrap();
            let off = (atlas.jet(&place).unwrap().p - middle).norm();
            assert!(off < 1e-3 * size, "{}: {off}", body.kind());
        }
    }
}

#[test]
fn the_box_is_the_tightest() {
    for body in bodies() {
        let size = body.bounds().diagonal();
        let mesh = body.tessellate(1e-4 * size).unwrap();
        let slack = (body.bounds().extents() - mesh.bounds().extents()).amax();
        assert!((-1e-12..2e-4).contains(&(slack / size)), "{}: {slack}", body.kind());
    }
}

#[test]
fn curvature_at_a_point_is_that_of_its_place() {
    for body in bodies() {
        let (atlas, range) = (body.as_atlas().unwrap(), body.curvature_range().unwrap());
        for chart in 0..atlas.chart_count().min(12) {
            let jet = atlas.jet(&Place { chart, u: 0.31, v: 0.27 }).unwrap();
            let (found, wanted) = (body.curvature_at(&jet.p).unwrap(), jet.curvature());
            for k in 0..2 {
                assert!((found.kappa[k] - wanted.kappa[k]).abs() < 1e-8 * (1.0 + wanted.kappa[k].abs()));
                assert!(range[0] <= found.kappa[k] && found.kappa[k] <= range[1]);
            }
        }
        let error = body.curvature_at_normal(&Vec3::x()).unwrap_err().to_string();
        assert!(error.contains("has no curvature by normal"), "{error}");
        assert!(body.curvature_at_normal(&Vec3::repeat(f64::NAN)).unwrap_err().to_string().contains("NaN"));
        assert!(body.tessellate(-1.0).unwrap_err().to_string().starts_with("chord = -1"));
        assert!(body.tessellate(1e-12).unwrap_err().to_string().starts_with("chord = "));
    }
}

/// A sphere of radius one as eight rational biquadratic patches by turning a half circle, with poles.
fn globe() -> crate::patch::NurbsSurface {
    let w = 0.5f64.sqrt();
    let arc = [(0.0, -1.0, 1.0), (1.0, -1.0, w), (1.0, 0.0, 1.0), (1.0, 1.0, w), (0.0, 1.0, 1.0)];
    let circle =
        [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1), (1, 0)].map(|(x, y)| [x, y]);
    let (mut control, mut weights) = (Vec::new(), Vec::new());
    for (i, [x, y]) in circle.into_iter().enumerate() {
        for (rho, z, weight) in arc {
            control.push(Vec3::new(rho * f64::from(x), rho * f64::from(y), z));
            weights.push(weight * if i % 2 == 0 { 1.0 } else { w });
        }
    }
    let around = vec![0.0, 0.0, 0.0, 1.0, 1.0, 2.0, 2.0, 3.0, 3.0, 4.0, 4.0, 4.0];
    let up = vec![0.0, 0.0, 0.0, 1.0, 1.0, 2.0, 2.0, 2.0];
    crate::patch::NurbsSurface::new([2, 2], [around, up], &control, Some(&weights)).unwrap()
}

#[test]
fn a_sphere_of_rational_patches_has_the_sphere_s_measures() {
    use crate::surface::Sphere;
    let (globe, sphere) = (globe(), Sphere::new(1.0).unwrap());
    assert_eq!(Surface::kind(&globe), "nurbs");
    let (found, exact) = (globe.moments().unwrap(), sphere.moments().unwrap());
    assert!((found.volume / exact.volume - 1.0).abs() < 1e-8, "{}", found.volume);
    assert!((found.second - exact.second).norm() < 1e-8 && found.first.norm() < 1e-8);
    assert!((globe.area().unwrap() / sphere.area().unwrap() - 1.0).abs() < 1e-8);
    let range = globe.curvature_range().unwrap();
    assert!(range.iter().all(|k| (k - 1.0).abs() < 1e-4), "{range:?}");
    assert!((Surface::bounds(&globe).extents() - Vec3::repeat(2.0)).amax() < 1e-12);
    let mesh = globe.tessellate(1e-3).unwrap();
    assert!(Topology::closed(&mesh).is_ok() && mesh.moments().volume > 0.99 * exact.volume);
    for p in mesh.vertices() {
        assert!((p.norm() - 1.0).abs() < 1e-12);
    }
    let kappa = globe.curvature_at(&Vec3::new(0.48, 0.6, 0.64)).unwrap().kappa;
    assert!((kappa[0] - 1.0).abs() < 1e-9 && (kappa[1] - 1.0).abs() < 1e-9, "{kappa:?}");
}

#[test]
fn an_open_patch_has_an_area_and_no_volume() {
    let control = (0..9).map(|k| Vec3::new(f64::from(k / 3), f64::from(k % 3), 0.0)).collect();
    let patch = crate::patch::BezierPatch::new([2, 2], control).unwrap();
    let net = crate::patch::PatchNet::new(vec![patch]).unwrap();
    assert_eq!(Surface::kind(&net), "bezier");
    assert!((net.area().unwrap() - 4.0).abs() < 1e-12);
    let error = net.moments().unwrap_err().to_string();
    assert!(error.starts_with("a bezier has no volume: it encloses no solid"), "{error}");
    assert!((net.tessellate(0.1).unwrap().area() - 4.0).abs() < 1e-12);
    assert_eq!(net.curvature_range().unwrap(), [0.0, 0.0]);
}

#[test]
fn an_s_patch_is_an_open_sheet_with_its_own_box_area_and_curvature() {
    use crate::patch::{SPatch, SPatchSurface};
    use std::f64::consts::{PI, TAU};
    // Control points over the means of the corners: the polygon itself, lifted by a quadratic, to depth two.
    for sides in [3, 5, 8] {
        let corner = |k: usize| {
            let (sin, cos) = (TAU * k as f64 / sides as f64).sin_cos();
            crate::Vec2::new(cos, sin)
        };
        let flat = |index: &[usize]| {
            let sum: crate::Vec2 = index.iter().enumerate().map(|(k, &i)| corner(k) * i as f64).sum();
            (sum / 2.0).push(0.3)
        };
        let sheet = SPatchSurface::new(SPatch::from_fn(sides, 2, flat).unwrap()).unwrap();
        assert_eq!(Surface::kind(&sheet), "s-patch");
        let area = 0.5 * sides as f64 * (TAU / sides as f64).sin();
        assert!((sheet.area().unwrap() - area).abs() < 1e-8, "{sides}");
        assert!((sheet.tessellate(0.1).unwrap().area() - area).abs() < 1e-12, "{sides}");
        let range = sheet.curvature_range().unwrap();
        assert!(range.iter().all(|k| k.abs() < 1e-9), "{range:?}");
        let bounds = Surface::bounds(&sheet);
        assert!((bounds.max - Vec3::new(1.0, bounds.max.y, 0.3)).norm() < 1e-9, "{bounds:?}");
        let error = sheet.moments().unwrap_err().to_string();
        assert!(error.starts_with("a s-patch has no volume: it encloses no solid"), "{error}");
        // A cap: blossoms of the quadratic 1 − |p|², so that z = 1 − |p|² exactly; its curvature in the middle is −2.
        let cap = |index: &[usize]| {
            let of: Vec<usize> =
                index.iter().enumerate().flat_map(|(k, &i)| std::iter::repeat_n(k, i)).collect();
            let (a, b) = (corner(of[0]), corner(of[1]));
            ((a + b) / 2.0).push(1.0 - a.dot(&b))
        };
        let cap = SPatchSurface::new(SPatch::from_fn(sides, 2, cap).unwrap()).unwrap();
        let kappa = cap.curvature_at(&Vec3::z()).unwrap().kappa;
        assert!(kappa.iter().all(|k| (k - 2.0).abs() < 1e-9), "{kappa:?}");
        let bounds = Surface::bounds(&cap);
        assert!((bounds.max.z - 1.0).abs() < 1e-12 && bounds.min.z.abs() < 1e-9, "{bounds:?}");
        let mesh = cap.tessellate(1e-3).unwrap();
        for p in mesh.vertices() {
            assert!((p.z - 1.0 + p.x * p.x + p.y * p.y).abs() < 1e-12);
        }
        // ∫ √(1 + 4r²) dA over the inscribed circle is less than the area.
        let apothem = (PI / sides as f64).cos();
        let disc = PI / 6.0 * ((1.0 + 4.0 * apothem * apothem).powf(1.5) - 1.0);
        assert!(cap.area().unwrap() > disc);
    }
}
