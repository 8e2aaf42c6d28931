//! Nets of Bézier patches and NURBS as surfaces: bodies where no border is left, open sheets otherwise.

use super::{Faced, surface, undefined};
use crate::chart::polygon::Polygon;
use crate::error::Result;
use crate::patch::{Edge, NurbsSurface, PatchNet};
use crate::surface::Parametric;
use crate::{Vec2, Vec3};

/// The sides of the unit square, counter-clockwise from the origin.
const SIDES: [Edge; 4] = [Edge::V0, Edge::U1, Edge::V1, Edge::U0];

fn across(net: &PatchNet, face: usize, side: usize) -> Option<[usize; 2]> {
    let there = net.neighbour(face, SIDES[side])?;
    Some([there.patch, SIDES.iter().position(|&edge| edge == there.edge)?])
}

fn point(net: &PatchNet, face: usize, at: &Vec2) -> Vec3 {
    net.patches()[face].point(at.x, at.y)
}

fn check_sides<F: Faced>(surface: &F, net: &PatchNet) -> Result<()> {
    if net.is_oriented() {
        return Ok(());
    }
    let reason = "the normals of some neighbouring patches lie on different sides; turn their parameters";
    Err(undefined(surface, "outside", reason.to_owned()))
}

macro_rules! faced {
    ($($name:ty, $kind:literal, $net:expr);*) => {
        $(impl Faced for $name {
            const KIND: &'static str = $kind;

            fn polygon(&self) -> Polygon {
                Polygon::Square
            }

            fn across(&self, face: usize, side: usize) -> Option<[usize; 2]> {
                across($net(self), face, side)
            }

            fn point_at(&self, face: usize, at: &Vec2) -> Result<Vec3> {
                Ok(point($net(self), face, at))
            }

            fn check_sides(&self) -> Result<()> {
                check_sides(self, $net(self))
            }

            fn is_pole(&self, face: usize, side: usize) -> bool {
                $net(self).is_pole(face, SIDES[side])
            }
        })*
    };
}

faced!(PatchNet, "bezier", std::convert::identity; NurbsSurface, "nurbs", NurbsSurface::net);

surface!(PatchNet, NurbsSurface);
