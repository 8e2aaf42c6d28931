//! A body that lies inside another as a whole, so that no contour tells of it.
//!
//! Every component of a mesh that no contour passes and that is turned outwards asks with one of its vertices whether
//! the other winds around it. If so, let c be the middle of its box and s the point of the other's surface that is
//! closest to c. The way out is taken to be u = (s − c)/∣s − c∣ (the other way where c itself lies outside), and the
//! depth u·(s − c) + max −u·(x − c) over its points x: the length after which the plane across u through s has let it
//! pass. For balls and for a ball under a flat face that is the least translation; for other bodies it is an estimate
//! of it. The area is zero, as that of the contour was when it closed above the body.

use super::boxes::Placement;
use super::inside::winding;
use crate::error::Result;
use crate::region::Region;
use rattleback_geom::surface::Mesh;
use rattleback_geom::{Aabb, Vec3};

/// A component of a mesh that is turned outwards.
#[derive(Debug, Clone)]
pub(super) struct Component {
    number: u32,
    vertex: u32,
    bounds: Aabb,
    is_only: bool,
}

/// The components of a mesh that are turned outwards; those turned inwards are walls of cavities.
pub(super) fn components(mesh: &Mesh) -> Vec<Component> {
    let of = mesh.topology().components();
    let count = mesh.topology().component_count();
    if count == 1 {
        let (vertex, bounds) = (mesh.mesh().triangles()[0][0], *mesh.tree().bounds());
        return vec![Component { number: 0, vertex, bounds, is_only: true }];
    }
    let mut found: Vec<(Component, f64)> = Vec::with_capacity(count);
    for (t, &number) in of.iter().enumerate() {
        let corners = mesh.mesh().corners(t);
        // Components are numbered in the order of their first triangles.
        if number as usize == found.len() {
            let vertex = mesh.mesh().triangles()[t][0];
            let component = Component { number, vertex, bounds: Aabb::EMPTY, is_only: false };
            found.push((component, 0.0));
        }
        let (component, volume) = &mut found[number as usize];
        component.bounds = component.bounds.union(&Aabb::of_points(&corners));
        let origin = mesh.mesh().vertices()[component.vertex as usize];
        let [a, b, c] = corners.map(|p| p - origin);
        *volume += a.dot(&b.cross(&c));
    }
    found.into_iter().filter(|(_, volume)| *volume > 0.0).map(|(component, _)| component).collect()
}

/// Calls `tell` with a region, in B's frame, for every component of `body` that no triangle of `cut` belongs to and
/// that lies inside the other.
pub(super) fn find(
    body: usize,
    meshes: [&Mesh; 2],
    components: &[Component],
    cut: &[u32],
    placement: &Placement,
    mut tell: impl FnMut(Region),
) -> Result<()> {
    let (own, other) = (meshes[body], meshes[1 - body]);
    let of = own.topology().components();
    for component in components {
        if cut.iter().any(|&t| of[t as usize] == component.number) {
            continue;
        }
        let vertex = &own.mesh().vertices()[component.vertex as usize];
        let p = if body == 0 { placement.point(vertex) } else { *vertex };
        if winding(&p, 1 - body, other, placement) > 0 {
            tell(way_out(body, own, component, other, placement)?);
        }
    }
    Ok(())
}

/// All in the frame of the outer body until the end.
fn way_out(
    body: usize,
    own: &Mesh,
    component: &Component,
    other: &Mesh,
    placement: &Placement,
) -> Result<Region> {
    let across = |p: &Vec3| if body == 0 { placement.point(p) } else { placement.back(p) };
    let c_own = component.bounds.centre();
    let c = across(&c_own);
    let seen = other.project(&c)?;
    let way = seen.closest.point - c;
    let sign = if seen.distance > 0.0 { -1.0 } else { 1.0 };
    // Within rounding of the surface only the surface knows the way.
    let u = if way.norm() > placement.margin { way * (sign / way.norm()) } else { seen.normal };
    let turned = -u;
    let u_own = if body == 0 { placement.rotation.tr_mul(&turned) } else { placement.rotation * turned };
    let behind = if component.is_only {
        let vertex = own.tree().farthest(own.mesh(), &u_own)?;
        u_own.dot(&(own.mesh().vertices()[vertex] - c_own))
    } else {
        u_own.abs().dot(&(component.bounds.extents() * 0.5))
    };
    let ahead = u.dot(&way);
    let point = c + u * (0.5 * (ahead - behind));
    let (point, u) = if body == 0 { (point, u) } else { (placement.point(&point), placement.rotation * u) };
    // A inside leaves along u, against the normal; B inside leaves along it.
    let normal = if body == 0 { -u } else { u }.normalize();
    Ok(Region::at_point(point, normal, (ahead + behind).max(0.0)))
}
