//! The subdivision surfaces as bodies: closed by construction.

use super::{Faced, curvature_at, extremes, measure, no_normals, tessellation};
use crate::chart::Atlas;
use crate::error::{Result, direction};
use crate::subdivision::{CatmullClarkSurface, LoopSurface};
use crate::surface::Surface;
use crate::{Aabb, Curvature, Moments, TriMesh, Vec2, Vec3};

impl Faced for LoopSurface {
    const KIND: &'static str = "loop";

    fn grading(&self, face: usize, corner: usize) -> f64 {
        self.grading_at(face, corner)
    }

    fn point_at(&self, face: usize, at: &Vec2) -> Result<Vec3> {
        self.point(face, at.x, at.y)
    }
}

impl Faced for CatmullClarkSurface {
    const KIND: &'static str = "catmull-clark";

    fn grading(&self, face: usize, corner: usize) -> f64 {
        self.grading_at(face, corner)
    }

    fn point_at(&self, face: usize, at: &Vec2) -> Result<Vec3> {
        self.point(face, at.x, at.y)
    }
}

macro_rules! surface {
    ($($name:ty),*) => {
        $(impl Surface for $name {
            fn kind(&self) -> &'static str {
                <Self as Faced>::KIND
            }

            fn as_atlas(&self) -> Option<&dyn Atlas> {
                Some(self)
            }

            fn bounds(&self) -> Aabb {
                <$name>::bounds(self)
            }

            fn curvature_at(&self, p: &Vec3) -> Result<Curvature> {
                curvature_at(self, p)
            }

            fn curvature_at_normal(&self, n: &Vec3) -> Result<Curvature> {
                direction("normal", n)?;
                Err(no_normals(self))
            }

            fn curvature_range(&self) -> Result<[f64; 2]> {
                extremes::curvature_range(self)
            }

            fn tessellate(&self, chord: f64) -> Result<TriMesh> {
                tessellation::mesh(self, chord)
            }

            fn area(&self) -> Result<f64> {
                measure::area(self)
            }

            fn moments(&self) -> Result<Moments> {
                measure::moments(self, &<$name>::bounds(self))
            }
        })*
    };
}

surface!(LoopSurface, CatmullClarkSurface);
