//! The convex hull of points.

use super::mesh::{blame, hint_at_unit, scaled, told};
use super::{metres, refuse};
use crate::mesh_file;
use crate::read::{Length, Reader, entry};
use rattleback_contact::has_plain_faces;
use rattleback_geom::mesh::Hull;
use rattleback_geom::surface::{ConvexHull, Mesh, Shape};
use rattleback_geom::{GeomError, Vec3};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

entry! {
    /// The convex hull of points, with true or rounded edges.
    pub struct ConvexHullSpec {
        /// Four points or more that lie in no plane, each there once.
        points: Option<Vec<[Length; 3]>>,
        /// Their place is taken by the vertices of a mesh file, STL, OBJ, PLY, OFF, 3MF, glTF or COLLADA, relative to
        /// this file.
        file: Option<PathBuf>,
        /// Multiplies the coordinates of the file, for files in other units than metres.
        scale: f64 = 1.0,
        /// Radius of balls about the points, of which it is the hull then; true edges without it.
        rounding: Length = Length(0.0),
    }
}

impl ConvexHullSpec {
    pub(super) fn lower(
        &self,
        folder: &Path,
        remarks: &mut Vec<String>,
        reader: &mut Reader,
    ) -> Option<Shape> {
        match (&self.points, &self.file) {
            (Some(points), None) => {
                let points: Vec<Vec3> = points.iter().map(|p| Vec3::from(metres(*p))).collect();
                let built = each_once(&points).and_then(|()| self.hull(&points, remarks));
                built.map_err(|error| refuse(&error, &self.place, "points", reader)).ok()
            }
            (None, Some(file)) => {
                let path = folder.join(file);
                let file = told(mesh_file::read(&path, reader), &self.place, reader)?;
                remarks.extend(file.remarks);
                let built =
                    scaled(file.facets.vertices, self.scale).and_then(|points| self.hull(&points, remarks));
                let shape = built.map_err(|error| blame(&error, &path, &self.place, reader)).ok()?;
                hint_at_unit(&shape, &path, &self.place, file.has_unit, remarks);
                Some(shape)
            }
            (Some(_), Some(_)) => {
                reader.wrong(&self.place, "file", "the points are given twice; expected `points` or `file`");
                None
            }
            (None, None) => {
                reader.wrong(&self.place, "", "missing key `points`, or `file` in its place");
                None
            }
        }
    }

    /// A hull with true edges and of more corners than a support function asks is a mesh.
    fn hull(&self, points: &[Vec3], remarks: &mut Vec<String>) -> Result<Shape, GeomError> {
        if self.rounding.0 != 0.0 {
            return Ok(ConvexHull::new(points, self.rounding.0)?.into());
        }
        let hull = Hull::new(points)?;
        let Ok(body) = ConvexHull::new(hull.vertices(), 0.0) else {
            return Ok(Mesh::new(hull.triangles()?.0)?.into());
        };
        if !has_plain_faces(&body) {
            remarks.push(
                "convex_hull: its faces are many, or less than 4.3° apart; where one of them lies on a round body they \
                 touch at one point"
                    .to_owned(),
            );
        }
        Ok(body.into())
    }
}

/// Refuses points that are written twice: one of them was meant to be another.
fn each_once(points: &[Vec3]) -> Result<(), GeomError> {
    let mut seen = HashMap::with_capacity(points.len());
    for (k, p) in points.iter().enumerate() {
        // Adding zero makes one of both zeros.
        if let Some(first) = seen.insert(p.add_scalar(0.0).data.0[0].map(f64::to_bits), k) {
            return Err(GeomError::Inconsistent {
                field: format!("points[{k}]"),
                found: format!("points[{first}] once more"),
                allowed: "points each of which is there once".to_owned(),
            });
        }
    }
    Ok(())
}
