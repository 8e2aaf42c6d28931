//! Hollow carriers: all of space but a ball, an endless cylinder about z, or a cylinder between two flat ends.
//!
//! What is left free is the room. It is convex and bounded by walls; seen from a point x of the room a wall lies in the
//! direction e, out of the room, at the distance D, and as x moves by dx, dD = −e·dx and de = T dx:
//!
//! | wall | D | e | T |
//! |---|---|---|---|
//! | sphere of radius R | R − ∣x∣ | x/∣x∣ | (1 − eeᵀ)/∣x∣ |
//! | cylinder of radius R | R − ρ, ρ = hypot(x, y) | (x, y, 0)/ρ | (ẑ × e)(ẑ × e)ᵀ/ρ |
//! | ends at ±l | l ∓ z | ±ẑ | 0 |
//!
//! The outer normal of the solid is −e. Its curvatures are −1/R, twice on a sphere, once and zero on a cylinder.

use super::{Cylinder, Sphere, Surface, TouchPoint};
use crate::curvature::{BendingRate, tangents};
use crate::error::{GeomError, Result, direction, finite3, length, positive};
use crate::{Aabb, Curvature, Mat3, Moments, TriMesh, Vec3};
use std::f64::consts::PI;

/// A mesh is no coarser than this share of the radius, whatever is asked for.
const COARSEST: f64 = 5e-3;

/// The sine of the angle by which a normal may miss that of a wall.
const SAME_NORMAL: f64 = 1e-9;

/// A solid without bounds around a room.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Cavity {
    radius: f64,
    room: Room,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Room {
    Ball,
    /// Without ends where there is no half length.
    Cylinder {
        half_length: Option<f64>,
    },
}

/// A wall, seen from a point of the room.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wall {
    /// D in m, negative beyond the wall.
    pub distance: f64,
    /// e.
    pub out: Vec3,
    /// T in 1/m; zero where the point is on the axis or in the middle, where e is not unique.
    pub turn: Mat3,
    /// Whether e is unique.
    pub is_unique: bool,
}

impl Cavity {
    /// All but the ball of this radius, in metres, about the origin.
    pub fn sphere(radius: f64) -> Result<Self> {
        Ok(Self { radius: length("radius", radius)?, room: Room::Ball })
    }

    /// All but the cylinder of this radius about z, in metres: endless, or with flat ends at ± its half length.
    pub fn cylinder(radius: f64, half_length: Option<f64>) -> Result<Self> {
        let half_length = half_length.map(|l| length("half_length", l)).transpose()?;
        Ok(Self { radius: length("radius", radius)?, room: Room::Cylinder { half_length } })
    }

    /// The radius of the room, in metres.
    pub fn radius(&self) -> f64 {
        self.radius
    }

    /// The radius of the largest ball that fits into the room, in metres.
    pub fn inradius(&self) -> f64 {
        match self.room {
            Room::Cylinder { half_length: Some(l) } => self.radius.min(l),
            Room::Ball | Room::Cylinder { half_length: None } => self.radius,
        }
    }

    /// How many walls there are.
    pub fn wall_count(&self) -> usize {
        match self.room {
            Room::Ball | Room::Cylinder { half_length: None } => 1,
            Room::Cylinder { half_length: Some(_) } => 3,
        }
    }

    /// A wall as it is seen from x; of a cylinder its side first, then its upper and its lower end.
    pub fn wall(&self, place: usize, x: &Vec3) -> Option<Wall> {
        match (self.room, place) {
            (Room::Ball, 0) => Some(self.round(x, |e| Mat3::identity() - e * e.transpose())),
            (Room::Cylinder { .. }, 0) => Some(self.round(&Vec3::new(x.x, x.y, 0.0), |e| {
                let t = Vec3::z().cross(e);
                t * t.transpose()
            })),
            (Room::Cylinder { half_length: Some(l) }, 1 | 2) => {
                let out = if place == 1 { Vec3::z() } else { -Vec3::z() };
                Some(Wall { distance: l - out.z * x.z, out, turn: Mat3::zeros(), is_unique: true })
            }
            _ => None,
        }
    }

    fn round(&self, arm: &Vec3, across: impl Fn(&Vec3) -> Mat3) -> Wall {
        let far = arm.norm();
        if far > 0.0 {
            let out = arm / far;
            return Wall { distance: self.radius - far, out, turn: across(&out) / far, is_unique: true };
        }
        Wall { distance: self.radius, out: Vec3::x(), turn: Mat3::zeros(), is_unique: false }
    }

    /// The curvature of a wall whose direction is e, about the outer normal −e.
    pub fn wall_curvature(&self, place: usize, out: &Vec3) -> Curvature {
        let (bend, n) = (-1.0 / self.radius, -out);
        match (self.room, place) {
            (Room::Ball, _) => {
                let (t, u) = tangents(&n);
                Curvature { kappa: [bend; 2], direction: [t, u] }
            }
            (_, 0) => Curvature { kappa: [0.0, bend], direction: [Vec3::z(), n.cross(&Vec3::z())] },
            _ => Curvature::flat(&n),
        }
    }

    /// The wall that is nearest to a point.
    fn nearest(&self, x: &Vec3) -> Option<(usize, Wall)> {
        let walls = (0..self.wall_count()).filter_map(|k| Some((k, self.wall(k, x)?)));
        walls.min_by(|(_, a), (_, b)| a.distance.abs().total_cmp(&b.distance.abs()))
    }

    fn lacks<T>(&self, quantity: &'static str, reason: &str) -> Result<T> {
        Err(GeomError::Undefined { surface: self.kind(), quantity, reason: reason.to_owned() })
    }
}

impl Surface for Cavity {
    fn kind(&self) -> &'static str {
        match self.room {
            Room::Ball => "hollow sphere",
            Room::Cylinder { .. } => "hollow cylinder",
        }
    }

    fn bounds(&self) -> Aabb {
        Aabb::ALL
    }

    fn curvature_at(&self, p: &Vec3) -> Result<Curvature> {
        match self.nearest(&finite3("point", p)?) {
            Some((place, wall)) if wall.is_unique => Ok(self.wall_curvature(place, &wall.out)),
            _ => self.lacks("curvature there", "the point is on no wall"),
        }
    }

    fn curvature_at_normal(&self, n: &Vec3) -> Result<Curvature> {
        let n = direction("normal", n)?;
        let place = match self.room {
            Room::Ball => 0,
            Room::Cylinder { .. } if n.z.abs() <= SAME_NORMAL => 0,
            Room::Cylinder { half_length: Some(_) } if n.x.hypot(n.y) <= SAME_NORMAL => 1,
            Room::Cylinder { .. } => {
                return self
                    .lacks("point with this normal", "its walls are round about z, or flat across it");
            }
        };
        Ok(self.wall_curvature(place, &-n))
    }

    fn bending_rate(&self, _at: &TouchPoint, _dp: &Vec3, _dn: &Vec3) -> Option<BendingRate> {
        Some(BendingRate::NONE)
    }

    fn curvature_range(&self) -> Result<[f64; 2]> {
        let bend = -1.0 / self.radius;
        Ok([bend, if self.room == Room::Ball { bend } else { 0.0 }])
    }

    /// The walls, their faces towards the room.
    fn tessellate(&self, chord: f64) -> Result<TriMesh> {
        let chord = positive("chord", chord)?.min(COARSEST * self.radius);
        let room = match self.room {
            Room::Ball => Sphere::new(self.radius)?.tessellate(chord)?,
            Room::Cylinder { half_length: Some(l) } => Cylinder::new(self.radius, l)?.tessellate(chord)?,
            // Endless: as much of it as ten radii to either side.
            Room::Cylinder { half_length: None } => {
                Cylinder::new(self.radius, 10.0 * self.radius)?.tessellate(chord)?
            }
        };
        let turned = room.triangles().iter().map(|[a, b, c]| [*a, *c, *b]).collect();
        TriMesh::new(room.vertices().to_vec(), turned)
    }

    fn area(&self) -> Result<f64> {
        let r = self.radius;
        match self.room {
            Room::Ball => Ok(4.0 * PI * r * r),
            Room::Cylinder { half_length: Some(l) } => Ok(2.0 * PI * r * (r + 2.0 * l)),
            Room::Cylinder { half_length: None } => self.lacks("area", "it is endless"),
        }
    }

    fn moments(&self) -> Result<Moments> {
        self.lacks("volume", "the solid around the room is unbounded; give its body a mass, or fix it")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn walls_move_as_their_differentials_say() {
        let cavities = [
            Cavity::sphere(0.7).unwrap(),
            Cavity::cylinder(0.7, None).unwrap(),
            Cavity::cylinder(0.7, Some(0.4)).unwrap(),
        ];
        let (x, d, h) = (Vec3::new(0.2, -0.3, 0.25), Vec3::new(0.5, 0.7, -0.4), 1e-6);
        for cavity in cavities {
            for place in 0..cavity.wall_count() {
                let [before, wall, after] = [-h, 0.0, h].map(|s| cavity.wall(place, &(x + d * s)).unwrap());
                let rate = (after.distance - before.distance) / (2.0 * h);
                assert!((rate + wall.out.dot(&d)).abs() < 1e-9, "{cavity:?} {place}");
                let turn = (after.out - before.out) / (2.0 * h);
                assert!((turn - wall.turn * d).norm() < 1e-9, "{cavity:?} {place}");
                let on_wall = x + wall.out * wall.distance;
                assert!(cavity.wall(place, &on_wall).unwrap().distance.abs() < 1e-15);
            }
            assert!(cavity.wall(cavity.wall_count(), &x).is_none());
        }
    }

    #[test]
    fn walls_are_concave_and_what_is_endless_has_no_volume() {
        let sphere = Cavity::sphere(0.5).unwrap();
        assert_eq!(sphere.curvature_at(&Vec3::new(0.0, 0.3, 0.4)).unwrap().kappa, [-2.0; 2]);
        let tube = Cavity::cylinder(0.5, Some(1.0)).unwrap();
        let side = tube.curvature_at(&Vec3::new(0.3, 0.4, 0.2)).unwrap();
        assert_eq!(side.kappa, [0.0, -2.0]);
        let frame = side.direction[0].cross(&side.direction[1]);
        assert!((frame - Vec3::new(-0.6, -0.8, 0.0)).norm() < 1e-15);
        assert_eq!(tube.curvature_at(&Vec3::new(0.1, 0.0, 1.0)).unwrap().kappa, [0.0; 2]);
        assert!(tube.curvature_at_normal(&Vec3::new(0.6, 0.0, 0.8)).is_err());
        assert!(sphere.moments().unwrap_err().to_string().starts_with("a hollow sphere has no volume: "));
        assert!(Cavity::cylinder(0.5, None).unwrap().area().is_err());
        // Towards the room: the volume within is negative.
        assert!(tube.tessellate(0.01).unwrap().moments().volume < -1.5);
        assert!(Cavity::sphere(-1.0).is_err() && Cavity::cylinder(1.0, Some(0.0)).is_err());
    }
}
