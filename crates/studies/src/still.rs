//! Pictures of bodies that stand still, with points and vectors marked.

use crate::Result;
use rattleback_dynamics::{BodyId, BodyModel, Model, Motion};
use rattleback_geom::surface::Shape;
use rattleback_geom::{Pose, Vec3};
use rattleback_record::picture::{Camera, Image, Look, Marks, Shot, Stage, Vector};

/// The colours of normals, tangents and binormals, as Lopes has them.
pub(crate) const RED: [u8; 3] = [200, 30, 20];
pub(crate) const GREEN: [u8; 3] = [20, 140, 40];
pub(crate) const BLUE: [u8; 3] = [30, 70, 200];
/// What is there besides.
pub(crate) const GREY: [u8; 3] = [120, 120, 124];
/// The colours of a first and a second body.
pub(crate) const FIRST: [u8; 3] = [236, 196, 150];
pub(crate) const SECOND: [u8; 3] = [160, 196, 226];

/// A body of a picture.
pub(crate) struct Stood {
    pub(crate) shape: Shape,
    pub(crate) pose: Pose,
    pub(crate) colour: [u8; 3],
}

impl Stood {
    pub(crate) fn new(shape: impl Into<Shape>, pose: Pose, colour: [u8; 3]) -> Self {
        Self { shape: shape.into(), pose, colour }
    }
}

/// How large a picture is, in pixels, and from where it is taken: `from` is the direction to the camera, none for one
/// from above and a little from the side.
#[derive(Debug, Clone, Copy)]
pub(crate) struct View {
    pub(crate) width: u32,
    pub(crate) height: u32,
    pub(crate) from: Option<[f64; 3]>,
}

impl View {
    pub(crate) const SMALL: Self = Self { width: 480, height: 360, from: None };
}

/// A vector with its colour.
pub(crate) fn vector(at: Vec3, vector: Vec3, colour: [u8; 3]) -> Vector {
    Vector { at, vector, colour }
}

/// A picture of bodies and marks.
pub(crate) fn still(bodies: Vec<Stood>, marks: Marks, label: &str, view: View) -> Result<Image> {
    seen(bodies, marks, label, view, None)
}

/// The same by a camera of one's own, if there is one.
pub(crate) fn seen(
    bodies: Vec<Stood>,
    marks: Marks,
    label: &str,
    view: View,
    own: Option<Camera>,
) -> Result<Image> {
    let mut builder = Model::builder();
    let surface = builder.surface("any");
    let mut motions = Vec::new();
    let mut colours = Vec::new();
    for (k, body) in bodies.into_iter().enumerate() {
        let model = BodyModel::fixed(format!("body {k}"));
        builder.body(model.with_part(body.shape, Pose::identity(), surface));
        motions.push(Motion::at_rest(body.pose));
        colours.push(body.colour);
    }
    let model = builder.build()?;
    let mut stage = Stage::new(&model)?;
    for (k, colour) in colours.into_iter().enumerate() {
        stage.set_look(BodyId(k), Look { colour: Some(colour), hidden: false })?;
    }
    let aspect = f64::from(view.width) / f64::from(view.height);
    let mut camera = stage.camera([motions.as_slice()], aspect)?;
    if let Some(from) = view.from {
        let distance = (camera.eye - camera.target).norm();
        let back = Vec3::from(from).normalize();
        let up = if back.z.abs() > 0.99 { Vec3::y() } else { Vec3::z() };
        camera = Camera { eye: camera.target + back * distance, up, ..camera };
    }
    let camera = own.unwrap_or(camera);
    let shot = Shot { width: view.width, height: view.height, label: label.to_owned(), marks, camera };
    Ok(stage.draw(&motions, &shot)?.image)
}
