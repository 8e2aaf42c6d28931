//! Fig. 1: candidate points of a pair with normal, tangent and binormal.

use crate::Result;
use crate::still::{BLUE, FIRST, GREEN, SECOND, Stood, View, still, vector};
use rattleback_contact::narrow::lopes::TangentFrame;
use rattleback_contact::{Collider, Solver};
use rattleback_geom::surface::Ellipsoid;
use rattleback_geom::{Pose, Vec3};
use rattleback_record::Document;
use rattleback_record::picture::Marks;

/// The colour of binormals in the paper's figure.
const MAGENTA: [u8; 3] = [190, 30, 170];

/// Adds the picture.
pub(super) fn add(report: &mut Document) -> Result<()> {
    let poses = [
        Pose::identity().rotated(Vec3::new(0.2, 1.0, 0.4), 0.6)?,
        Pose {
            position: Vec3::new(0.4, 0.3, 1.9),
            ..Pose::identity().rotated(Vec3::new(1.0, 0.1, 0.3), 0.5)?
        },
    ];
    let bodies = [Ellipsoid::new([1.1, 0.9, 0.6])?, Ellipsoid::new([0.9, 0.6, 0.5])?];
    let [a, b] = [0, 1].map(|k| Collider::new(bodies[k], poses[k]));
    let found = Solver::LopesAuxiliary.solve(&a, &b)?;
    let mut marks = Marks { points: vec![found.point_a, found.point_b], ..Marks::default() };
    for (at, n) in [(found.point_a, found.normal), (found.point_b, -found.normal)] {
        let tangents = TangentFrame::Auxiliary.at(&n);
        for (v, colour) in [(tangents.b, MAGENTA), (tangents.t, GREEN), (n, BLUE)] {
            marks.vectors.push(vector(at, v.normalize() * 0.5, colour));
        }
    }
    let stood = [0, 1].map(|k| Stood::new(bodies[k], poses[k], [FIRST, SECOND][k]));
    let image = still(Vec::from(stood), marks, "", View::SMALL)?;
    report.picture(
        "fig-1",
        image.to_png()?,
        "Fig. 1: a pair of candidate points; normal, tangent (25) and binormal (26) in blue, green and magenta.",
    );
    Ok(())
}
