//! What films show over the bodies: the marks of the page, in its colours and scales.

use crate::error::Result;
use crate::feed::{Contact, Feed, Frame};
use rattleback_dynamics::BodyId;
use rattleback_geom::Vec3;
use rattleback_geom::curvature::tangents;
use rattleback_record::picture::{Arrow, Marks, Spot, Trace, Vector, number, round_length, round_up};
use std::str::FromStr;

const FRICTION: [u8; 3] = [217, 128, 13];
const SLIP: [u8; 3] = [140, 60, 190];
const CONTOUR: [u8; 3] = [240, 90, 10];
/// Normal, tangent and binormal.
const FRAME: [[u8; 3]; 3] = [[33, 90, 200], [205, 45, 45], [25, 140, 60]];
/// Pressure from none over half of the greatest to it.
const PRESSURE: [[u8; 3]; 3] = [[60, 110, 200], [245, 235, 220], [190, 20, 40]];
/// In distances of the eye from what it looks at: the longest arrow and ellipse, normals, the axes of frames.
const LONGEST: f64 = 0.16;
const LARGEST: f64 = 0.035;
const NORMAL: f64 = 0.08;
const AXIS: f64 = 0.06;
/// Points of all paths together, and of one.
const PATHS: usize = 400_000;
const PATH: usize = 2_000;

/// Something that a film may show.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FilmMark {
    /// The points of contacts.
    Points,
    /// Their forces.
    Forces,
    /// The parts of the forces across the normals.
    Friction,
    /// Their normals.
    Normals,
    /// Their frames n, t, b.
    Frames,
    /// The velocities of slip.
    Slip,
    /// The ellipses of Hertz.
    Ellipses,
    /// The contours of regions.
    Contours,
    /// Joints.
    Joints,
    /// The paths of all bodies that move.
    Paths,
}

impl FilmMark {
    /// All of them, by the names that people write.
    pub const ALL: [(&'static str, Self); 10] = [
        ("points", Self::Points),
        ("forces", Self::Forces),
        ("friction", Self::Friction),
        ("normals", Self::Normals),
        ("frames", Self::Frames),
        ("slip", Self::Slip),
        ("ellipses", Self::Ellipses),
        ("contours", Self::Contours),
        ("joints", Self::Joints),
        ("paths", Self::Paths),
    ];
}

impl FromStr for FilmMark {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        let found = Self::ALL.iter().find(|(name, _)| *name == text);
        let names = || Self::ALL.map(|(name, _)| name).join(", ");
        found.map(|(_, mark)| *mark).ok_or_else(|| format!("expected one of {}", names()))
    }
}

/// A choice of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct FilmMarks(u16);

impl FilmMarks {
    /// Nothing but bodies.
    pub const NONE: Self = Self(0);
    /// What the page shows unless it is told otherwise.
    pub const USUAL: Self = Self::NONE.with(FilmMark::Points).with(FilmMark::Forces).with(FilmMark::Ellipses);

    /// These and another one.
    #[must_use]
    pub const fn with(self, mark: FilmMark) -> Self {
        Self(self.0 | 1 << mark as u16)
    }

    /// Whether one is among them.
    pub fn has(self, mark: FilmMark) -> bool {
        self.0 & (1 << mark as u16) != 0
    }
}

impl FromIterator<FilmMark> for FilmMarks {
    fn from_iter<I: IntoIterator<Item = FilmMark>>(marks: I) -> Self {
        marks.into_iter().fold(Self::NONE, Self::with)
    }
}

/// A scale of arrows: so long for so much.
#[derive(Debug, Clone, Copy)]
struct Scale {
    length: f64,
    value: f64,
}

impl Scale {
    /// One that suits the greatest value, round on both sides.
    fn new(most: f64, distance: f64) -> Option<Self> {
        let length = round_length(LONGEST * distance);
        let value = round_up(most * length / (LONGEST * distance));
        (most > 0.0 && most.is_finite() && value > 0.0).then_some(Self { length, value })
    }

    fn per_unit(self) -> f64 {
        self.length / self.value
    }

    fn told(self, what: &str, unit: &str) -> String {
        format!("{what}: {} m for {} {unit}", number(self.length), number(self.value))
    }
}

/// How the frames of a film are marked: with the same scales throughout.
pub(super) struct Marking {
    marks: FilmMarks,
    distance: f64,
    force: Option<Scale>,
    slip: Option<Scale>,
    /// How many times larger than life ellipses are; none where there is none.
    enlarged: Option<f64>,
    pressure: f64,
    /// Times, and where the bodies with a path are then.
    instants: Vec<(f64, Vec<Vec3>)>,
    movers: Vec<usize>,
}

impl Marking {
    /// Scales that suit the greatest values of the frames of those numbers, seen from a distance.
    pub(super) fn new(feed: &Feed, marks: FilmMarks, numbers: &[u64], distance: f64) -> Result<Self> {
        let mut marking = Self {
            marks,
            distance,
            force: None,
            slip: None,
            enlarged: None,
            pressure: 0.0,
            instants: Vec::new(),
            movers: Vec::new(),
        };
        if marking.needs_contacts() {
            marking.choose_scales(feed, numbers)?;
        }
        if marks.has(FilmMark::Paths) {
            marking.read_paths(feed)?;
        }
        Ok(marking)
    }

    /// Whether contacts have to be read.
    pub(super) fn needs_contacts(&self) -> bool {
        FilmMark::ALL
            .iter()
            .any(|(_, mark)| self.marks.has(*mark) && !matches!(mark, FilmMark::Joints | FilmMark::Paths))
    }

    fn choose_scales(&mut self, feed: &Feed, numbers: &[u64]) -> Result<()> {
        let mut reader = feed.frame_reader(true);
        let (mut force, mut slip, mut long) = (0.0f64, 0.0f64, 0.0f64);
        for number in numbers {
            let Some(frame) = reader.read(*number)? else { break };
            for contact in &frame.contacts {
                force = force.max(contact.force.norm());
                slip = slip.max(contact.slip_velocity.norm());
                // There are NaN where there is no ellipse, which the greater of two leaves out.
                long = long.max(contact.patch[0]);
                self.pressure = self.pressure.max(contact.patch[2]);
            }
        }
        self.force = Scale::new(force, self.distance);
        self.slip = Scale::new(slip, self.distance);
        let enlarged = || round_length(LARGEST * self.distance / long).max(1.0);
        self.enlarged = (long > 0.0 && long.is_finite()).then(enlarged);
        Ok(())
    }

    fn read_paths(&mut self, feed: &Feed) -> Result<()> {
        let bodies = feed.scene().model.bodies().iter().enumerate();
        let is_hidden = |k: usize| feed.scene().looks.get(k).is_some_and(|look| look.hidden);
        self.movers = bodies.filter(|(k, body)| body.is_free() && !is_hidden(*k)).map(|(k, _)| k).collect();
        let points = (PATHS / self.movers.len().max(1)).clamp(2, PATH) as u64;
        let stride = feed.recorded().div_ceil(points).max(1);
        let mut reader = feed.frame_reader(false);
        for number in (0..feed.recorded()).step_by(stride as usize) {
            let Some(frame) = reader.read(number)? else { break };
            let places = self.movers.iter().map(|body| frame.poses[*body].position).collect();
            self.instants.push((frame.time, places));
        }
        Ok(())
    }

    /// What the scales are, in words.
    pub(super) fn legend(&self) -> Vec<String> {
        let has = |mark| self.marks.has(mark);
        let force = self.force.filter(|_| has(FilmMark::Forces) || has(FilmMark::Friction));
        let slip = self.slip.filter(|_| has(FilmMark::Slip));
        let ellipses = self.enlarged.filter(|times| has(FilmMark::Ellipses) && *times > 1.0);
        let told = [
            force.map(|scale| scale.told("forces", "N")),
            slip.map(|scale| scale.told("slip", "m/s")),
            ellipses.map(|times| format!("ellipses {} times as large", number(times))),
            has(FilmMark::Frames).then(|| "n blue, t red, b green".to_owned()),
        ];
        told.into_iter().flatten().collect()
    }

    /// The marks of a frame.
    pub(super) fn marks(&self, feed: &Feed, frame: &Frame) -> Marks {
        let scale = self.force.map(Scale::per_unit);
        let joints = self.marks.has(FilmMark::Joints);
        let mut marks = Marks { scale, joints, ..Marks::default() };
        for contact in &frame.contacts {
            let on_b = feed.scene().model.bodies()[contact.bodies[1]].is_free();
            self.mark(contact, if on_b { contact.force } else { -contact.force }, &mut marks);
        }
        if self.marks.has(FilmMark::Contours) {
            let lines = feed.contour_lines(frame).into_iter();
            marks.traces.extend(lines.map(|points| Trace { points, colour: CONTOUR }));
        }
        for (k, body) in self.movers.iter().enumerate() {
            let past = self.instants.iter().take_while(|(time, _)| *time < frame.time);
            let points = past.map(|(_, places)| places[k]).chain([frame.poses[*body].position]).collect();
            let colour = feed.stage().colour_of(BodyId(*body)).unwrap_or([120; 3]);
            marks.traces.push(Trace { points, colour });
        }
        marks
    }

    fn mark(&self, contact: &Contact, force: Vec3, marks: &mut Marks) {
        let (at, has) = (contact.force_point, |mark| self.marks.has(mark));
        let [n, t, b] = frame_of(contact);
        let mut arrow = |vector: Vec3, colour| marks.vectors.push(Vector { at, vector, colour });
        if has(FilmMark::Normals) {
            arrow(n * (NORMAL * self.distance), FRAME[0]);
        }
        if has(FilmMark::Frames) {
            [n, t, b]
                .iter()
                .zip(FRAME)
                .for_each(|(axis, colour)| arrow(axis * (AXIS * self.distance), colour));
        }
        if let Some(scale) = self.force.filter(|_| has(FilmMark::Friction)) {
            arrow((force - n * n.dot(&force)) * scale.per_unit(), FRICTION);
        }
        if let Some(scale) = self.slip.filter(|_| has(FilmMark::Slip)) {
            arrow(contact.slip_velocity * scale.per_unit(), SLIP);
        }
        if has(FilmMark::Forces) {
            marks.forces.push(Arrow { at, force });
        }
        if has(FilmMark::Points) {
            marks.points.push(at);
        }
        let [long, short, pressure] = contact.patch;
        if let Some(times) = self.enlarged.filter(|_| has(FilmMark::Ellipses) && long > 0.0 && short > 0.0) {
            let semi_axes = [t * (long * times), b * (short * times)];
            marks.spots.push(Spot { at, semi_axes, colour: pressure_colour(pressure / self.pressure) });
        }
    }
}

/// n from A to B, t along the ellipse's long axis where there is one, b across both.
fn frame_of(contact: &Contact) -> [Vec3; 3] {
    let n = contact.normal;
    let level = contact.along - n * n.dot(&contact.along);
    let t = if level.norm() > 0.5 { level.normalize() } else { tangents(&n).0 };
    [n, t, n.cross(&t)]
}

fn pressure_colour(share: f64) -> [u8; 3] {
    // A pressure that is no number counts as none.
    let s = 2.0 * if share > 0.0 { share.min(1.0) } else { 0.0 };
    let (from, to, s) =
        if s < 1.0 { (PRESSURE[0], PRESSURE[1], s) } else { (PRESSURE[1], PRESSURE[2], s - 1.0) };
    std::array::from_fn(|k| (f64::from(from[k]) * (1.0 - s) + f64::from(to[k]) * s).round() as u8)
}
