//! A picture of the end of a manoeuvre, from outboard and below the mouth of the pipe.

use super::follow::Followed;
use crate::manoeuvre::Rig;
use rattleback_dynamics::BodyId;
use rattleback_geom::Vec3;
use rattleback_record::picture::{Camera, Look, Marks, Shot, Stage};
use rattleback_record::{Document, RecordError};

const SIZE: [u32; 2] = [960, 540];

pub(super) fn add(followed: &Followed<'_>, report: &mut Document) -> Result<(), RecordError> {
    let (rig, scene) = (followed.rig, &followed.case.scene);
    let mut stage = Stage::new(&rig.model)?;
    for (i, look) in scene.looks.iter().enumerate() {
        stage.set_look(BodyId(i), Look { colour: look.colour, hidden: look.hidden })?;
    }
    let state = &followed.state;
    let label = format!("{}: {}, t = {:.2} s", followed.case.name(), followed.word(), state.time);
    let shot = Shot {
        width: SIZE[0],
        height: SIZE[1],
        label,
        marks: Marks::of_contacts(&rig.model, state)?,
        ..Shot::new(camera(rig))
    };
    let picture = stage.draw(&state.motions, &shot)?;
    report.picture(file(&followed.case.name()), picture.image.to_png()?, picture.caption);
    Ok(())
}

/// The name as that of a file.
fn file(name: &str) -> String {
    let letters = name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' });
    let parts: String = letters.collect();
    parts.split('-').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-")
}

fn camera(rig: &Rig) -> Camera {
    let level = |v: Vec3| (v - Vec3::z() * v.z).try_normalize(1e-9);
    let outboard = level(rig.bow.outward).unwrap_or_else(Vec3::y);
    let along = Vec3::z().cross(&outboard);
    let size = rig.shank_length;
    let target = rig.bow.mouth + outboard * (0.4 * size) - Vec3::z() * (0.3 * size);
    let away = (outboard - along * 0.8 - Vec3::z() * 0.15).normalize() * (4.0 * size);
    Camera { eye: target + away, target, up: Vec3::z(), field_of_view: 0.85 }
}
