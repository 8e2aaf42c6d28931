//! The subdivision surfaces as bodies: closed by construction.

use super::{Faced, surface};
use crate::chart::polygon::{Faces, Polygon};
use crate::error::Result;
use crate::subdivision::{CatmullClarkSurface, LoopSurface};
use crate::{Vec2, Vec3};

macro_rules! faced {
    ($($name:ty, $kind:literal);*) => {
        $(impl Faced for $name {
            const KIND: &'static str = $kind;

            fn polygon(&self) -> Polygon {
                Faces::polygon(self)
            }

            fn across(&self, face: usize, side: usize) -> Option<[usize; 2]> {
                Faces::across(self, face, side)
            }

            fn cut(&self, face: usize, corner: usize) -> f64 {
                Faces::cut(self, face, corner)
            }

            fn point_at(&self, face: usize, at: &Vec2) -> Result<Vec3> {
                self.point(face, at.x, at.y)
            }

            fn grading(&self, face: usize, corner: usize) -> f64 {
                self.grading_at(face, corner)
            }
        })*
    };
}

faced!(LoopSurface, "loop"; CatmullClarkSurface, "catmull-clark");

surface!(LoopSurface, CatmullClarkSurface);
