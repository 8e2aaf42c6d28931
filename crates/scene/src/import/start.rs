//! What the first instant of a scene shows.

use super::log::Log;
use super::write::{Found, Scenery};
use crate::error::{Result, SceneError};
use crate::scene::Scene;
use rattleback_dynamics::Run;
use rattleback_geom::Vec3;
use rattleback_geom::surface::Shape;

/// Finds the height of the ground, and bodies of the robot that overlap: those never touch, which is told.
pub(super) fn look(scenery: &Scenery<'_>, scene: &Scene, found: &mut Found, log: &mut Log) -> Result<()> {
    found.ground = lowest(scene);
    let run = Run::new(&scene.model, scene.state.clone(), &scene.scheme);
    let overlaps = run
        .and_then(|run| run.overlaps())
        .map_err(|error| SceneError::Start { path: scenery.source.to_owned(), reason: error.to_string() })?;
    for overlap in overlaps {
        let bodies = [overlap.pair.a, overlap.pair.b].map(|part| part.body.0);
        let names = bodies.map(|body| scene.model.bodies()[body].name.clone());
        let numbers =
            names.each_ref().map(|name| scenery.robot.bodies.iter().position(|body| body.name == *name));
        let [Some(a), Some(b)] = numbers else { continue };
        // What stands in the world of an MJCF file is there to be touched, but by what a joint holds in it.
        let is_joined = scenery.is_joined(a, b) || scenery.is_joined(b, a);
        if scenery.robot.world_touches && !is_joined && (scenery.stands(a) || scenery.stands(b)) {
            let message = format!(
                "\"{}\" and \"{}\" overlap at the start by {:.2e} m: they are driven apart by {:.2e} J",
                names[0], names[1], overlap.depth, overlap.stored
            );
            log.lose(&scenery.robot.bodies[a.max(b)].spot, message);
            continue;
        }
        if found.overlaps.iter().any(|(other, _)| *other == names) {
            continue;
        }
        let message = format!(
            "\"{}\" and \"{}\" overlap at the start by {:.2e} m: they never touch",
            names[0], names[1], overlap.depth
        );
        log.lose(&scenery.robot.bodies[a.max(b)].spot, message);
        found.overlaps.push((names, overlap.depth));
    }
    Ok(())
}

/// The lowest point of all that has a surface.
fn lowest(scene: &Scene) -> Option<f64> {
    let mut lowest: Option<f64> = None;
    for (body, motion) in scene.model.bodies().iter().zip(&scene.state.motions) {
        for part in &body.parts {
            let pose = motion.pose.compose(&part.pose);
            let down = pose.vector_to_local(&-Vec3::z());
            let depth = match (&part.shape, part.shape.mesh()) {
                (Shape::Plane(_), _) => continue,
                (_, Some(mesh)) => {
                    mesh.mesh().vertices().iter().map(|v| v.dot(&down)).fold(f64::NEG_INFINITY, f64::max)
                }
                (shape, None) => match shape.surface().as_support() {
                    Some(support) => support.support(&down),
                    None => continue,
                },
            };
            let height = pose.position.z - depth;
            lowest = Some(lowest.map_or(height, |lowest| lowest.min(height)));
        }
    }
    lowest
}
