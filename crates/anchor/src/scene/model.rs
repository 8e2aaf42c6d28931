//! A manoeuvre as a model, with colours and a camera that suit it.

use crate::manoeuvre::{Manoeuvre, Rig};
use crate::monitor::ManoeuvreScene;
use rattleback_dynamics::mechanism::Settings;
use rattleback_dynamics::{DynamicsError, Scheme};
use rattleback_geom::Vec3;
use rattleback_scene::{ApplicationModel, Camera, Look, Scene};
use std::sync::Arc;

/// Colours of hull, chain, shank and head.
const COLOURS: [[u8; 3]; 4] = [[176, 190, 204], [92, 100, 110], [230, 159, 0], [213, 94, 0]];

/// The scene of a manoeuvre that lasts so many seconds, with colours and a camera that suit it.
pub fn scene_of(title: &str, manoeuvre: Manoeuvre, duration: f64) -> Result<Scene, DynamicsError> {
    Ok(Scene::of_application(title, model_of(manoeuvre)?, duration))
}

/// The model of a manoeuvre.
pub(super) fn model_of(manoeuvre: Manoeuvre) -> Result<ApplicationModel, DynamicsError> {
    let rig = manoeuvre.build()?;
    let remark = format!(
        "manoeuvre: an anchor of {:.1} kg with a shank of {:.3} m on {} links, a windlass that stalls at {:.1} kN",
        manoeuvre.anchor.mass(),
        rig.shank_length,
        rig.chain.links.len(),
        1e-3 * rig.windlass.limit
    );
    Ok(ApplicationModel {
        model: rig.model.clone(),
        state: rig.state.clone(),
        scheme: Scheme::Mechanism(Settings { penalty: manoeuvre.penalty, ..Rig::settings() }),
        looks: looks(&rig),
        camera: Some(camera(&manoeuvre)),
        files: Vec::new(),
        remarks: vec![remark],
        scene: Arc::new(ManoeuvreScene { manoeuvre, rig: Arc::new(rig) }),
    })
}

/// Gives the hull another colour.
pub(super) fn paint_hull(made: &mut ApplicationModel, colour: [u8; 3]) {
    if let Some(hull) = made.model.find("hull") {
        made.looks[hull.0].colour = Some(colour);
    }
}

fn looks(rig: &Rig) -> Vec<Look> {
    let mut looks = vec![Look { colour: Some(COLOURS[1]), hidden: false }; rig.model.bodies().len()];
    looks[rig.hull.0].colour = Some(COLOURS[0]);
    looks[rig.shank.0].colour = Some(COLOURS[2]);
    looks[rig.head.0].colour = Some(COLOURS[3]);
    looks
}

/// From outboard and forward of the mouth, such that the hanging anchor is seen.
fn camera(manoeuvre: &Manoeuvre) -> Camera {
    let bow = &manoeuvre.bow;
    let level = |v: Vec3| (v - Vec3::z() * v.z).try_normalize(1e-9);
    let outboard = level(-bow.axis).or_else(|| level(bow.outward)).unwrap_or_else(Vec3::y);
    let along = outboard.cross(&Vec3::z());
    let forward = if along.x < 0.0 { -along } else { along };
    let hangs = manoeuvre.depth + 1.2 * manoeuvre.anchor.shank_length;
    let target = bow.mouth + outboard * (0.15 * hangs) - Vec3::z() * (0.3 * hangs);
    let away = (outboard + forward * 0.9 + Vec3::z() * 0.1).normalize() * (3.0 * hangs);
    Camera { eye: target + away, target, up: None, field_of_view: 0.9 }
}
