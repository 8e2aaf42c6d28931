//! The foot at instants of its stance, with the force that it makes.

use crate::foot::{FootLoad, Segment};
use crate::predict::Calibration;
use crate::{GaitError, Result};
use rattleback_dynamics::{BodyModel, Model, Motion};
use rattleback_geom::surface::{Plane, Superellipsoid};
use rattleback_geom::{Pose, Vec3};
use rattleback_record::picture::{Arrow, Camera, Marks, Shot, Stage};

/// Shares of the stance that are shown.
const INSTANTS: [f64; 4] = [0.06, 0.3, 0.7, 0.92];
/// Metres of arrow for the weight of the body.
const ARROW: f64 = 0.25;

/// Pictures as PNG files, each with its caption.
pub(super) fn stance_pictures(calibration: &Calibration, load: &FootLoad) -> Result<Vec<(Vec<u8>, String)>> {
    let drawn =
        |error: &dyn std::fmt::Display| GaitError::unsupported("a picture of the foot", error.to_string());
    let (stance, foot) = (&calibration.stance, &calibration.foot);
    let mut builder = Model::builder();
    builder.gravity(Vec3::new(0.0, -crate::body::GRAVITY, 0.0));
    let skin = builder.surface("skin");
    let floor = Plane::new([0.0, 1.0, 0.0], foot.floor).map_err(|e| drawn(&e))?;
    builder.body(BodyModel::fixed("ground").with_part(floor, Pose::identity(), skin));
    for (name, segment) in [("rear foot", Segment::Rear), ("toes", Segment::Toes)] {
        let mut body = BodyModel::fixed(name);
        for element in foot.model.elements.iter().filter(|e| e.segment == segment) {
            let shape = Superellipsoid::new(element.semi_axes, element.exponents).map_err(|e| drawn(&e))?;
            let [x, y, z] = element.centre;
            body = body.with_part(shape, Pose::from_position(x, y, z), skin);
        }
        builder.body(body);
    }
    let model = builder.build().map_err(|e| drawn(&e))?;
    let stage = Stage::new(&model).map_err(|e| drawn(&e))?;
    let [begin, end] = foot.interval;
    let mut pictures = Vec::new();
    for share in INSTANTS {
        let time = begin + share * (end - begin);
        let i = stance.track.times.partition_point(|t| *t < time).min(stance.track.times.len() - 1);
        let pose = stance.track.poses[i];
        let motions = [Pose::identity(), pose, pose.compose(&stance.track.toe_pose(i))].map(Motion::at_rest);
        let middle = pose.point_to_world(&Vec3::new(0.55 * foot.length, 0.02, 0.0));
        // From the lateral side, a little above.
        let camera = Camera {
            eye: middle + Vec3::new(0.0, 0.5 * foot.length, 3.2 * foot.length),
            target: middle + Vec3::new(0.0, 0.25 * foot.length, 0.0),
            up: Vec3::y(),
            field_of_view: 0.5,
        };
        let force = load.force[i];
        let centre = load.centre(i, 0.02 * foot.weight, foot.floor);
        let forces = centre.map(|at| Arrow { at, force }).into_iter().collect();
        let marks = Marks { forces, scale: Some(ARROW / foot.weight), ..Marks::default() };
        let caption = format!(
            "{:.3} s: {:.0} N, {:.0} % of body weight",
            stance.track.times[i],
            force.y,
            100.0 * force.y / foot.weight
        );
        let shot = Shot { width: 800, height: 450, marks, ..Shot::new(camera) };
        let picture = stage.draw(&motions, &shot).map_err(|e| drawn(&e))?;
        pictures.push((picture.image.to_png().map_err(|e| drawn(&e))?, caption));
    }
    Ok(pictures)
}
