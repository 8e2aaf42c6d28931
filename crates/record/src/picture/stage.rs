//! The stage: everything about the pictures of a model that does not change from one instant to the next.

use super::camera::{Camera, Projector};
use super::colour::{self, Light, to_light};
use super::fittings::{self, Finish, Fitting};
use super::ground::Ground;
use super::image::Image;
use super::links::{self, Line};
use super::marks::{Marks, number};
use super::render::{Piece, Scene};
use super::soup::Soup;
use crate::error::{RecordError, Result};
use crate::lettering;
use rattleback_dynamics::{BodyId, Model, Motion};
use rattleback_geom::surface::Plane;
use rattleback_geom::{Aabb, Pose, Vec3};

/// The radius of patches of planes in half widths of the picture at the target.
const PATCH: f64 = 2.6;
/// The colour of planes.
pub(super) const FLOOR: [u8; 3] = [226, 226, 224];
const INK: [u8; 3] = [40, 42, 46];
/// A floor's normal is at least so much along what is up, and a camera that looks for floors sees them where they are
/// no more than so many sizes of the bodies below them.
const LEAST_LEVEL: f64 = 0.5;
const FARTHEST: f64 = 8.0;

/// How a body looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Look {
    /// Red, green, blue; none for the colour that is its turn.
    pub colour: Option<[u8; 3]>,
    /// Whether it is left out.
    pub hidden: bool,
}

/// How a picture is taken.
#[derive(Debug, Clone, PartialEq)]
pub struct Shot {
    /// From where.
    pub camera: Camera,
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Text in the lower left corner, such as the time; may be empty.
    pub label: String,
    /// What is marked.
    pub marks: Marks,
}

impl Shot {
    /// A picture of 1280 × 720 pixels without label and marks.
    pub fn new(camera: Camera) -> Self {
        Self { camera, width: 1280, height: 720, label: String::new(), marks: Marks::default() }
    }
}

/// A picture and what has to be said under it.
#[derive(Debug, Clone, PartialEq)]
pub struct Picture {
    /// The picture.
    pub image: Image,
    /// The label, the side of the squares on planes and the scale of the arrows, as far as there are any.
    pub caption: String,
}

/// The colour of joints and lines.
fn dark() -> Light {
    to_light(colour::neutral()) * 0.3
}

/// A model ready to be drawn at many instants.
#[derive(Debug, Clone)]
pub struct Stage {
    gravity: Vec3,
    names: Vec<String>,
    colours: Vec<[u8; 3]>,
    pub(super) looks: Vec<Look>,
    fittings: Vec<Fitting>,
    pub(super) planes: Vec<(usize, Plane, Pose)>,
    pub(super) lines: Vec<Line>,
    joints: Vec<(BodyId, Vec3)>,
    pub(super) radius: f64,
}

impl Stage {
    /// Makes triangles of all shapes of a model.
    pub fn new(model: &Model) -> Result<Self> {
        let lines = links::lines(model);
        let (sticks, radius) = links::sticks(model, &lines);
        let (fittings, planes) = fittings::parts(model)?;
        let bare = fittings::sticks(sticks).chain(fittings::knuckles(model, radius));
        let fittings = fittings.into_iter().chain(bare).collect();
        Ok(Self {
            gravity: model.gravity(),
            names: model.bodies().iter().map(|body| body.name.clone()).collect(),
            colours: colours(model),
            looks: vec![Look::default(); model.bodies().len()],
            fittings,
            planes,
            lines,
            joints: model.joints().iter().map(|joint| (joint.a.body, joint.a.pose.position)).collect(),
            radius,
        })
    }

    /// Sets how a body looks.
    pub fn set_look(&mut self, body: BodyId, look: Look) -> Result<()> {
        let count = self.looks.len();
        let place = self.looks.get_mut(body.0).ok_or_else(|| RecordError::Picture {
            what: format!("body number {}", body.0),
            reason: format!("the model has {count} bodies"),
        })?;
        *place = look;
        Ok(())
    }

    /// The direction that is up: against gravity, or z.
    pub fn up(&self) -> Vec3 {
        (-self.gravity).try_normalize(0.0).unwrap_or_else(Vec3::z)
    }

    /// A camera that sees all bodies at all the instants given, planes aside, in a picture `aspect` times as wide as
    /// high.
    pub fn camera<'a>(
        &self,
        instants: impl IntoIterator<Item = &'a [Motion]>,
        aspect: f64,
    ) -> Result<Camera> {
        let mut points = Vec::new();
        for motions in instants {
            points.extend(self.points(motions)?);
        }
        Camera::seeing(&points, &self.up(), aspect)
    }

    /// A camera that sees all bodies where `motions` says that they are, and the floors below them, as far as these
    /// are no more than some of the bodies' sizes away.
    pub fn camera_to_floors(&self, motions: &[Motion], aspect: f64) -> Result<Camera> {
        let mut points = self.points(motions)?;
        let size = Aabb::of_points(&points).diagonal();
        let up = self.up();
        let mut feet = Vec::new();
        for (body, plane, pose) in self.planes.iter().filter(|(body, ..)| !self.looks[*body].hidden) {
            let pose = motions[*body].pose.compose(pose);
            let normal = pose.vector_to_world(plane.normal());
            let offset = plane.offset() + normal.dot(&pose.position);
            let steep = normal.dot(&up);
            if steep < LEAST_LEVEL {
                continue;
            }
            let heights = points.iter().map(|p| (p, (normal.dot(p) - offset) / steep));
            feet.extend(heights.filter(|(_, h)| *h > 0.0 && *h < FARTHEST * size).map(|(p, h)| p - up * h));
        }
        points.extend(feet);
        Camera::seeing(&points, &up, aspect)
    }

    /// What a camera has to see of the bodies.
    fn points(&self, motions: &[Motion]) -> Result<Vec<Vec3>> {
        self.check(motions)?;
        let mut points = Vec::new();
        for fitting in self.shown() {
            let pose = motions[fitting.body].pose.compose(&fitting.pose);
            points.extend(fitting.hull.iter().map(|p| pose.point_to_world(p)));
        }
        let lines = self.lines.iter().filter(|line| !self.is_hanging(line));
        points.extend(lines.flat_map(|line| line.ends(motions)));
        if points.is_empty() {
            // Nothing but planes: a few metres of them.
            points.extend([Vec3::repeat(-1.0), Vec3::repeat(1.0)]);
        }
        Ok(points)
    }

    /// Takes a picture of the bodies where `motions` says that they are.
    pub fn draw(&self, motions: &[Motion], shot: &Shot) -> Result<Picture> {
        self.check(motions)?;
        let mut image = Image::filled(shot.width, shot.height, [0; 3])?;
        let projector = Projector::new(&shot.camera, shot.width, shot.height)?;
        let mut cords = Soup::default();
        for line in self.lines.iter().filter(|line| !self.is_hanging(line)) {
            line.add_to(&mut cords, motions, self.radius);
        }
        let mut pieces: Vec<Piece<'_>> = self.shown().map(|fitting| self.piece(fitting, motions)).collect();
        if !cords.is_empty() {
            let colour = dark();
            pieces.push(Piece {
                soup: &cords,
                coarse: &cords,
                pose: Pose::identity(),
                colour,
                patterned: false,
                one_sided: false,
            });
        }
        let ground = self.ground(motions, shot, &projector);
        let square = (!ground.is_empty()).then_some(ground.square);
        let scene = Scene { projector, pieces, ground, up: self.up() };
        image.pixels = scene.paint(shot.width, shot.height)?.pixels;
        let joints: Vec<Vec3> =
            self.joints.iter().map(|(body, p)| motions[body.0].pose.point_to_world(p)).collect();
        shot.marks.draw(&mut image, &scene.projector, &joints);
        write(&mut image, &shot.label)?;
        let caption = [
            (!shot.label.is_empty()).then(|| shot.label.clone()),
            square.map(|side| format!("squares of {} m", number(side))),
            shot.marks.legend(scene.projector.distance),
        ];
        Ok(Picture { image, caption: caption.into_iter().flatten().collect::<Vec<_>>().join("; ") })
    }

    pub(super) fn shown(&self) -> impl Iterator<Item = &Fitting> {
        self.fittings.iter().filter(|fitting| !self.looks[fitting.body].hidden)
    }

    pub(super) fn is_hanging(&self, line: &Line) -> bool {
        (0..self.looks.len()).any(|body| self.looks[body].hidden && line.ends_at(BodyId(body)))
    }

    pub(super) fn colour(&self, body: usize) -> [u8; 3] {
        self.looks[body].colour.unwrap_or(self.colours[body])
    }

    fn piece<'a>(&self, fitting: &'a Fitting, motions: &[Motion]) -> Piece<'a> {
        Piece {
            soup: &fitting.soup,
            coarse: &fitting.coarse,
            pose: motions[fitting.body].pose.compose(&fitting.pose),
            colour: match fitting.finish {
                Finish::Dark => dark(),
                Finish::Plain | Finish::Patterned | Finish::Wall => to_light(self.colour(fitting.body)),
            },
            patterned: matches!(fitting.finish, Finish::Patterned | Finish::Wall),
            one_sided: fitting.finish == Finish::Wall,
        }
    }

    fn ground(&self, motions: &[Motion], shot: &Shot, projector: &Projector) -> Ground {
        let shown = self.planes.iter().filter(|(body, _, _)| !self.looks[*body].hidden);
        let planes: Vec<_> = shown
            .map(|(body, plane, pose)| {
                let colour = to_light(self.looks[*body].colour.unwrap_or(FLOOR));
                (*plane, motions[*body].pose.compose(pose), colour)
            })
            .collect();
        let radius = PATCH * projector.distance * (0.5 * shot.camera.field_of_view).tan();
        Ground::new(&planes, &shot.camera.target, radius, &projector.eye, &self.up())
    }

    fn check(&self, motions: &[Motion]) -> Result<()> {
        let (found, expected) = (motions.len(), self.names.len());
        if found != expected {
            let reason = format!("{found} of them for {expected} bodies");
            return Err(RecordError::Picture { what: "motions".to_owned(), reason });
        }
        for (motion, name) in motions.iter().zip(&self.names) {
            let pose = &motion.pose;
            if !pose.position.iter().chain(pose.orientation.coords.iter()).all(|x| x.is_finite()) {
                let reason = "its pose is not of finite numbers".to_owned();
                return Err(RecordError::Picture { what: format!("body {name}"), reason });
            }
        }
        Ok(())
    }
}

/// The colours of bodies that are given none.
fn colours(model: &Model) -> Vec<[u8; 3]> {
    let mut free = 0;
    let mut next = |is_free: bool| {
        if !is_free {
            return colour::neutral();
        }
        free += 1;
        colour::of_body(free - 1)
    };
    model.bodies().iter().map(|body| next(body.is_free())).collect()
}

/// Text in the lower left corner, on a light ground.
fn write(image: &mut Image, text: &str) -> Result<()> {
    if text.is_empty() {
        return Ok(());
    }
    let size = (image.height / 32).clamp(11, 64);
    let mask = lettering::mask(text, size)?;
    let margin = size / 2;
    let Some(top) = image.height.checked_sub(mask.height + margin) else { return Ok(()) };
    for y in 0..mask.height {
        for x in 0..mask.width.min(image.width.saturating_sub(margin)) {
            image.blend(x + margin, y + top, [255; 3], 0.55);
            image.blend(x + margin, y + top, INK, mask.ink[(y * mask.width + x) as usize]);
        }
    }
    Ok(())
}
