//! Surfaces that are known by their charts alone: the narrow phase has no solver for them and says so.

use rattleback_contact::geom::mesh::PolygonMesh;
use rattleback_contact::geom::patch::{BezierPatch, NurbsSurface, PatchNet};
use rattleback_contact::geom::subdivision::{CatmullClarkSurface, LoopSurface};
use rattleback_contact::geom::surface::{Capsule, Ellipsoid, Plane, Shape, Sphere, Surface, Torus};
use rattleback_contact::geom::{Pose, Vec3};
use rattleback_contact::narrow::touch;
use rattleback_contact::{Collider, ContactError, Start, contact_from};

/// A shape of every such kind, each with the name that scene files have for it.
fn charted() -> Vec<(Shape, &'static str)> {
    let mesh = Sphere::new(1.0).unwrap().tessellate(0.2).unwrap();
    let polygons = PolygonMesh::new(mesh.vertices().to_vec(), mesh.triangles()).unwrap();
    let corners = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]];
    let square: Vec<Vec3> = corners.iter().map(|[x, y]| Vec3::new(*x, *y, 0.1 * x * y)).collect();
    let net = PatchNet::new(vec![BezierPatch::new([1, 1], square.clone()).unwrap()]).unwrap();
    let knots = vec![0.0, 0.0, 1.0, 1.0];
    let nurbs = NurbsSurface::new([1, 1], [knots.clone(), knots], &square, None).unwrap();
    let shapes: [Shape; 4] = [
        LoopSurface::new(&mesh).unwrap().into(),
        CatmullClarkSurface::new(&polygons).unwrap().into(),
        net.into(),
        nurbs.into(),
    ];
    shapes.into_iter().map(|shape| (shape.clone(), shape.surface().kind())).collect()
}

fn refused(error: ContactError, kinds: [&'static str; 2]) {
    let said = error.to_string();
    assert!(said.starts_with(&format!("no solver for {} against {}: ", kinds[0], kinds[1])), "{said}");
    assert!(matches!(error, ContactError::Unsupported { a, b, .. } if [a, b] == kinds), "{error:?}");
}

#[test]
fn pairs_of_surfaces_known_by_their_charts_are_refused_by_name() {
    let shapes = charted();
    for (a, kind_a) in &shapes {
        for (b, kind_b) in &shapes {
            for z in [3.0, 0.5, 0.0] {
                let pose = Pose::from_position(0.1, 0.2, z);
                for start in [Start::Cold, Start::Warm(Vec3::z())] {
                    let found = touch(a, &Pose::identity(), b, &pose, start).unwrap_err();
                    refused(found, [kind_a, kind_b]);
                    let colliders =
                        (Collider::new(a.clone(), Pose::identity()), Collider::new(b.clone(), pose));
                    let found = contact_from(&colliders.0, &colliders.1, start).unwrap_err();
                    refused(found, [kind_a, kind_b]);
                }
            }
        }
    }
}

#[test]
fn so_are_they_with_bodies_of_other_kinds_on_either_side() {
    let others: [Shape; 5] = [
        Plane::new([0.0, 0.0, 1.0], 0.0).unwrap().into(),
        Sphere::new(0.3).unwrap().into(),
        Ellipsoid::new([0.3, 0.2, 0.1]).unwrap().into(),
        Capsule::new(0.2, 0.3).unwrap().into(),
        Torus::new(0.5, 0.1).unwrap().into(),
    ];
    let pose = Pose::from_position(0.1, 0.2, 1.5);
    for (shape, kind) in &charted() {
        for other in &others {
            let named = other.surface().kind();
            let found = touch(shape, &pose, other, &Pose::identity(), Start::Cold).unwrap_err().to_string();
            assert!(
                found.starts_with("no solver for ") && found.contains(kind) && found.contains(named),
                "{found}"
            );
            let found = touch(other, &Pose::identity(), shape, &pose, Start::Cold).unwrap_err().to_string();
            assert!(
                found.starts_with("no solver for ") && found.contains(kind) && found.contains(named),
                "{found}"
            );
        }
    }
}
