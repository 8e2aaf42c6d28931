//! Meshes: read as they are, repaired, and as the control mesh or the measure of smooth surfaces.

use super::shape::{measure, shape};
use super::{FORMAT, demand_place};
use crate::corpus::MESH_ENDINGS;
use crate::sandbox::Outcome;
use rattleback_contact::{Collider, contact};
use rattleback_geom::Pose;
use rattleback_geom::surface::Sphere;
use std::fs;
use std::io;
use std::path::Path;

/// Shapes that are made of a mesh: the name of their file and what it says.
const DESCRIPTIONS: [(&str, &str); 5] = [
    ("mesh", "type = \"mesh\"\nscale = 0.01\n"),
    ("closed", "type = \"mesh\"\nclose_holes = true\n"),
    ("loop", "type = \"loop\"\n"),
    ("catmull-clark", "type = \"catmull-clark\"\n"),
    ("fit", "type = \"fit\"\ndegree = 3\n"),
];

/// Writes the descriptions of shapes that are made of `mesh.stl`, `mesh.obj` and so on.
pub fn describe_meshes(folder: &Path) -> io::Result<()> {
    for (name, text) in DESCRIPTIONS {
        for ending in MESH_ENDINGS {
            let path = folder.join(format!("{name}-{ending}.toml"));
            fs::write(path, format!("{text}file = \"mesh.{ending}\"\n"))?;
        }
    }
    Ok(())
}

/// Examines a file.
pub fn mesh(path: &Path, outcome: &mut Outcome) {
    shape(path, outcome);
    let accepted = outcome.accepted;
    let ending = path.extension().unwrap_or_default().to_string_lossy();
    let folder = path.parent().unwrap_or(Path::new("."));
    // One of them, by the last bytes: to make all of them of every mesh would take most of the time that there is.
    let bytes = fs::read(path).unwrap_or_default();
    let choice = bytes.iter().rev().take(64).map(|byte| usize::from(*byte)).sum::<usize>() + bytes.len();
    let (name, _) = DESCRIPTIONS[choice % DESCRIPTIONS.len()];
    let described = folder.join(format!("{name}-{ending}.toml"));
    match FORMAT.read_shape(&described) {
        // Areas and moments of subdivision surfaces take seconds where many points are extraordinary.
        Ok((shape, _)) => measure(shape.surface(), outcome),
        Err(error) => demand_place(&error, &described, outcome),
    }
    if let (true, Ok((solid, _)), Ok(ball)) = (accepted, FORMAT.read_shape(path), Sphere::new(0.01)) {
        let reach = solid.surface().bounds().diagonal();
        let ball = Collider::new(ball, Pose::from_position(0.5 * reach, 0.0, 0.0));
        // Meshes are asked for regions of contact elsewhere; here they may be refused.
        let _ = contact(&Collider::new(solid, Pose::identity()), &ball);
    }
    outcome.accepted = accepted;
}
