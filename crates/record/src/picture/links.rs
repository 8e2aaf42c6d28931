//! What holds bodies together, made visible: sticks to the anchors of joints, and lines between bodies.
//!
//! | what | drawn as |
//! |---|---|
//! | a moving body without parts | sticks from its mass centre to its anchors; a ball if there are none |
//! | a moving body with an anchor outside its parts | a thinner stick from its mass centre to the anchor |
//! | a fixed body without parts | a bar along its anchors if they are on a line, otherwise a ball at each |
//! | distance joints, ropes, winches | thin sticks between their ends |
//! | springs | coils between their ends |

use super::soup::Soup;
use crate::report::Spring;
use rattleback_dynamics::force::Force;
use rattleback_dynamics::joint::JointKind;
use rattleback_dynamics::model::Mobility;
use rattleback_dynamics::{BodyId, BodyModel, Model, Motion};
use rattleback_geom::{Aabb, Vec3};

/// The radius of sticks in twice the mean distance of anchors from mass centres, at least and at most in the least
/// diagonal of parts.
const SLENDER: f64 = 0.018;
const PART: [f64; 2] = [0.04, 0.12];
/// Radii of other things in that of sticks.
const JOINT: f64 = 1.45;
const THIN: f64 = 0.5;
const COIL: f64 = 1.8;
/// Turns of a coil.
const TURNS: usize = 9;

/// A line between points of two bodies.
#[derive(Debug, Clone)]
pub(super) struct Line {
    pub(super) ends: [(BodyId, Vec3); 2],
    pub(super) coiled: bool,
    /// What it is called among curves.
    pub(super) owner: String,
}

impl Line {
    /// Adds the line as it is at an instant.
    pub(super) fn add_to(&self, soup: &mut Soup, motions: &[Motion], radius: f64) {
        let [a, b] = self.ends(motions);
        if self.coiled {
            soup.coil(&a, &b, COIL * radius, 0.7 * THIN * radius, TURNS);
        } else {
            soup.stick(&a, &b, THIN * radius);
        }
    }

    /// Its ends at an instant.
    pub(super) fn ends(&self, motions: &[Motion]) -> [Vec3; 2] {
        self.ends.map(|(body, point)| motions[body.0].pose.point_to_world(&point))
    }

    /// Whether it ends at a body.
    pub(super) fn ends_at(&self, body: BodyId) -> bool {
        self.ends.iter().any(|(other, _)| *other == body)
    }
}

/// The lines of a model, called as curves of them are.
pub(super) fn lines(model: &Model) -> Vec<Line> {
    let distances = model.joints().iter().filter(|joint| matches!(joint.kind, JointKind::Distance { .. }));
    let rods = distances.map(|joint| Line {
        ends: [&joint.a, &joint.b].map(|anchor| (anchor.body, anchor.pose.position)),
        coiled: false,
        owner: format!("joint {}", joint.name),
    });
    let mut springs = Spring::all(model).into_iter();
    let mut windlasses = 0;
    let forces = model.forces().iter().filter_map(|force| {
        let mut spring = || springs.next().map_or_else(String::new, |spring| spring.name);
        let (a, b, coiled, owner) = match force {
            Force::SpringDamper(own) => (&own.a, &own.b, !own.never_pushes, spring()),
            Force::Winch(own) => (&own.a, &own.b, false, spring()),
            Force::Windlass(own) => {
                windlasses += 1;
                (&own.a, &own.b, false, format!("windlass {windlasses}"))
            }
            Force::TorsionSpring(_) => {
                spring();
                return None;
            }
            Force::Constant(_) | Force::Table(_) | Force::Formula(_) => return None,
        };
        Some(Line { ends: [a, b].map(|end| (end.body, end.point)), coiled, owner })
    });
    rods.chain(forces).collect()
}

/// The points of each body at which joints and lines hold it, in its own frame.
fn anchors(model: &Model, lines: &[Line]) -> Vec<Vec<Vec3>> {
    let mut anchors = vec![Vec::new(); model.bodies().len()];
    for joint in model.joints() {
        // What slides on a surface holds it nowhere, and wheels are held by their own joints.
        match joint.kind {
            JointKind::Gear(_) => {}
            JointKind::PointOnSurface { .. } => anchors[joint.a.body.0].push(joint.a.pose.position),
            _ => [&joint.a, &joint.b].map(|a| anchors[a.body.0].push(a.pose.position)).into_iter().collect(),
        }
    }
    for (body, point) in lines.iter().flat_map(|line| line.ends) {
        anchors[body.0].push(point);
    }
    anchors
}

/// The sticks of every body, in its own frame, and the radius of sticks; the soups of most bodies are empty.
pub(super) fn sticks(model: &Model, lines: &[Line]) -> (Vec<Soup>, f64) {
    let anchors = anchors(model, lines);
    let lengths = || {
        anchors.iter().zip(model.bodies()).filter(|(_, b)| b.is_free()).flat_map(|(a, _)| a).map(Vec3::norm)
    };
    let (sum, count) = lengths().fold((0.0, 0usize), |(sum, count), length| (sum + length, count + 1));
    let mut radius = if sum > 0.0 { SLENDER * 2.0 * sum / count as f64 } else { f64::INFINITY };
    let size = size_of_parts(model);
    if size.is_finite() {
        radius = radius.clamp(PART[0] * size, PART[1] * size);
    }
    if !(radius > 0.0 && radius.is_finite()) {
        radius = 0.05;
    }
    let soups = model.bodies().iter().zip(&anchors).map(|(body, anchors)| match body.mobility {
        Mobility::Fixed => frame(body, anchors, radius),
        _ => arms(body, anchors, radius),
    });
    (soups.collect(), radius)
}

/// The least diagonal of bounded parts; infinite if there are none.
fn size_of_parts(model: &Model) -> f64 {
    let sizes =
        model.bodies().iter().flat_map(|b| &b.parts).map(|part| part.shape.surface().bounds().diagonal());
    sizes.fold(f64::INFINITY, f64::min)
}

/// Balls at the joints of bodies without parts, in the frames of the first bodies.
pub(super) fn knuckles(model: &Model, radius: f64) -> Vec<(BodyId, Soup)> {
    let bare = |body: BodyId| model.bodies()[body.0].parts.is_empty();
    let shown = model.joints().iter().filter(|joint| {
        bare(joint.a.body)
            && bare(joint.b.body)
            && !matches!(joint.kind, JointKind::Gear(_) | JointKind::Distance { .. })
    });
    let ball = |joint: &rattleback_dynamics::joint::Joint| {
        let mut soup = Soup::default();
        soup.ball(&joint.a.pose.position, JOINT * radius);
        (joint.a.body, soup)
    };
    shown.map(ball).collect()
}

fn arms(body: &BodyModel, anchors: &[Vec3], radius: f64) -> Soup {
    let mut soup = Soup::default();
    if body.parts.is_empty() {
        let centre = if anchors.is_empty() { 3.0 } else { 1.0 };
        soup.ball(&Vec3::zeros(), centre * radius);
        match anchors {
            // A straight rod is one stick.
            [a, b] if a.cross(b).norm() <= 1e-6 * (a - b).norm_squared() && a.dot(b) < 0.0 => {
                soup.stick(a, b, radius)
            }
            _ => anchors.iter().for_each(|anchor| soup.stick(&Vec3::zeros(), anchor, radius)),
        }
        return soup;
    }
    let inside = |p: &Vec3| {
        body.parts.iter().any(|part| {
            let bounds: Aabb = part.shape.surface().bounds();
            bounds.fattened(0.02 * bounds.diagonal()).contains(&part.pose.point_to_local(p))
        })
    };
    for anchor in anchors.iter().filter(|p| !inside(p)) {
        soup.stick(&Vec3::zeros(), anchor, 0.35 * radius);
    }
    soup
}

fn frame(body: &BodyModel, anchors: &[Vec3], radius: f64) -> Soup {
    let mut soup = Soup::default();
    if !body.parts.is_empty() {
        return soup;
    }
    let Some(first) = anchors.first() else { return soup };
    let far = |from: &Vec3| {
        let nearer = |a: &&Vec3, b: &&Vec3| (*a - from).norm().total_cmp(&(*b - from).norm());
        anchors.iter().max_by(nearer).copied().unwrap_or(*from)
    };
    let one = far(first);
    let other = far(&one);
    let span = other - one;
    let on_line = |p: &Vec3| (p - one).cross(&span).norm() <= 1e-6 * span.norm_squared();
    for anchor in anchors {
        soup.ball(anchor, radius);
    }
    if anchors.iter().all(on_line) {
        soup.stick(&one, &other, radius);
    }
    soup
}
