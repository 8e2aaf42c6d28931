//! Figs 2 to 5: contact frames and coordinates, the change of reference frames, ψ across a border, a corner of patches.

use super::bowl;
use super::equations::{Contact, stones};
use crate::still::{BLUE, FIRST, GREEN, GREY, RED, SECOND, Stood, View, seen, vector};
use crate::{Result, StudyError};
use rattleback_dynamics::rolling::{Frame, RigidContact, Rolling};
use rattleback_geom::chart::{Atlas, Place};
use rattleback_geom::nalgebra::UnitQuaternion;
use rattleback_geom::patch::{BezierPatch, PatchNet};
use rattleback_geom::surface::{Parametric, Shape};
use rattleback_geom::{Pose, Vec2, Vec3};
use rattleback_record::picture::{Camera, Marks, Vector};
use rattleback_record::{Axis, Document, Figure, Series};

const WIDE: View = View { width: 760, height: 460, from: None };
/// ψ of Figs 2 and 3, in rad, and the parameters of the points on either stone.
const ANGLE: f64 = 0.6;
const POINTS: [[f64; 2]; 2] = [[0.5, 0.56], [0.47, 0.5]];

/// Three arrows along the columns of a frame.
fn arrows(at: Vec3, axes: &rattleback_geom::Mat3, length: f64, colours: [[u8; 3]; 3]) -> Vec<Vector> {
    (0..3).map(|k| vector(at, axes.column(k) * length, colours[k])).collect()
}

/// A colour between this one and white.
fn pale(colour: [u8; 3]) -> [u8; 3] {
    colour.map(|c| ((u16::from(c) + 2 * 235) / 3) as u8)
}

pub(super) fn add(report: &mut Document) -> Result<()> {
    add_stones(report)?;
    add_border(report)?;
    report.figure("fig-5", corner()?);
    Ok(())
}

/// Figs 2 and 3: two stones that touch, with their contact frames, and with the frames of their bodies.
fn add_stones(report: &mut Document) -> Result<()> {
    let (upper, lower) = stones()?;
    let contact = Contact::new(
        [
            Parametric::jet(&upper, POINTS[0][0], POINTS[0][1]),
            Parametric::jet(&lower, POINTS[1][0], POINTS[1][1]),
        ],
        ANGLE,
    );
    // The frame of body 2 is the world.
    let pose = contact.frames.pose();
    let [own, carrier] = &contact.frames.frames;
    let at = pose.point_to_world(&own.point);
    let apart = (at - carrier.point).norm();
    let stood = || -> Result<Vec<Stood>> {
        Ok(vec![
            Stood::new(PatchNet::new(vec![upper.clone()])?, pose, FIRST),
            Stood::new(PatchNet::new(vec![lower.clone()])?, Pose::identity(), SECOND),
        ])
    };
    let target = at - Vec3::z() * 0.03;
    let camera = Camera { eye: at + Vec3::new(0.35, -1.1, 0.42), target, up: Vec3::z(), field_of_view: 0.66 };
    let colours = [RED, GREEN, BLUE];
    let mut vectors = arrows(at, &(pose.rotation() * own.axes), 0.17, colours);
    vectors.extend(arrows(carrier.point, &carrier.axes, 0.12, colours.map(pale)));
    let marks = Marks { points: vec![at], vectors, ..Marks::default() };
    let image = seen(stood()?, marks.clone(), "", WIDE, Some(camera))?;
    let caption = format!(
        "Fig. 2: contact frames x, y, z (red, green, blue; those of body 2 pale) of two stones at (s, t, u, v, ψ) = ({}, {}, {}, {}, {ANGLE}); \
         their origins are {apart:.0e} m apart.",
        POINTS[0][0], POINTS[0][1], POINTS[1][0], POINTS[1][1]
    );
    report.picture("fig-2", image.to_png()?, caption);
    let mut all = marks;
    all.vectors.extend(arrows(pose.position, &pose.rotation(), 0.12, [GREY; 3]));
    all.vectors.extend(arrows(Vec3::zeros(), &rattleback_geom::Mat3::identity(), 0.12, [GREY; 3]));
    all.points.extend([pose.position, Vec3::zeros()]);
    // (9): frame 1 in frame 2, through the contact frames 1c and 2c, point by point.
    let p = Vec3::new(0.1, 0.05, 0.02);
    let in_contact = own.axes.tr_mul(&(p - own.point));
    let (sin, cos) = ANGLE.sin_cos();
    let aligned = Vec3::new(
        cos * in_contact.x - sin * in_contact.y,
        -sin * in_contact.x - cos * in_contact.y,
        -in_contact.z,
    );
    let composed = carrier.axes * aligned + carrier.point;
    let off = (composed - pose.point_to_world(&p)).norm();
    let image = seen(stood()?, all, "", WIDE, Some(camera))?;
    let caption = format!(
        "Fig. 3: the frames 1 and 2 of the bodies (grey) and the contact frames between them; a point taken from 1 through 1c and 2c to 2, \
         (9), is {off:.0e} m from where the pose has it."
    );
    report.picture("fig-3", image.to_png()?, caption);
    Ok(())
}

/// A border of patches that the bowl's contact went over.
struct Border {
    pose: Pose,
    shape: Shape,
    places: [Place; 2],
    angles: [f64; 2],
}

/// The first one of the bowl's own, in its motion.
fn border() -> Result<Border> {
    let scene = bowl::scene()?;
    let shape = scene.model.bodies()[1].parts[0].shape.clone();
    let settings = bowl::settings(&scene, 4e-3)?;
    let mut run = Rolling::new(&scene.model, scene.state.clone(), settings)?;
    let mut last: Option<(RigidContact, Pose)> = None;
    let mut found: Option<(Pose, [RigidContact; 2])> = None;
    while found.is_none() && run.state().time < bowl::DURATION {
        let end = run.state().time + 0.1;
        run.advance(end, &mut |now| {
            let contact = now.state.rigid_contacts.as_ref().and_then(|contacts| contacts[1]);
            let here = contact.map(|contact| (contact, now.state.motions[1].pose));
            if let (Some((old, pose)), Some((new, _)), None) = (last, here, &found)
                && old.carrier == new.carrier
                && old.places[1].chart == new.places[1].chart
                && old.places[0].chart != new.places[0].chart
            {
                found = Some((pose, [old, new]));
            }
            last = here;
            Ok(())
        })?;
    }
    let wrong = StudyError::Unexpected { case: bowl::CASE, expected: "a contact that goes over a border" };
    let (pose, [old, new]) = found.ok_or(wrong)?;
    // The step after the border has gone on: back to the border, where the old patch was left.
    let atlas = shape.surface().as_atlas();
    let wrong = StudyError::Unexpected { case: bowl::CASE, expected: "a surface by charts" };
    let atlas = atlas.ok_or(wrong)?;
    let point = atlas.jet(&old.places[0])?.p;
    let mut there = new.places[0];
    // Newton in the tangent plane of the new patch.
    for _ in 0..20 {
        let jet = atlas.jet(&there)?;
        let Some(step) = rattleback_geom::patch::rates(&jet, &(point - jet.p)) else { break };
        (there.u, there.v) = (there.u + step.x, there.v + step.y);
    }
    let frames = [Frame::new(&atlas.jet(&old.places[0])?), Frame::new(&atlas.jet(&there)?)];
    let [a, b] = frames.each_ref().map(|frame| -> Vec3 { frame.axes.column(0).into() });
    // (42).
    let correction = a.dot(&b).clamp(-1.0, 1.0).acos() * a.cross(&b).dot(&frames[0].normal()).signum();
    let angles = [old.angle, old.angle + correction];
    Ok(Border { pose, shape: shape.clone(), places: [old.places[0], there], angles })
}

/// Fig. 4.
fn add_border(report: &mut Document) -> Result<()> {
    let Border { pose, shape, places, angles } = border()?;
    // Turned over, so that the light falls on what touches.
    let over = UnitQuaternion::from_axis_angle(&Vec3::x_axis(), std::f64::consts::PI);
    let pose = Pose::new(pose.position, over * pose.orientation);
    let Some(atlas) = shape.surface().as_atlas() else { return Ok(()) };
    let frames = [Frame::new(&atlas.jet(&places[0])?), Frame::new(&atlas.jet(&places[1])?)];
    let at = pose.point_to_world(&frames[0].point);
    let x = |k: usize| -> Vec3 { pose.vector_to_world(&frames[k].axes.column(0).into()) };
    let normal = pose.vector_to_world(&frames[0].normal());
    let marks = Marks {
        points: vec![at],
        vectors: vec![
            vector(at, x(0) * 0.035, RED),
            vector(at, x(1) * 0.035, GREEN),
            vector(at, normal * 0.025, BLUE),
        ],
        ..Marks::default()
    };
    let eye = at + normal * 0.16 + x(0) * 0.05;
    let camera = Camera { eye, target: at, up: x(0), field_of_view: 0.75 };
    let stood = vec![Stood::new(shape.clone(), pose, FIRST)];
    let image = seen(stood, marks, "", WIDE, Some(camera))?;
    let turn = (angles[1] - angles[0]).to_degrees();
    let apart = (frames[1].point - frames[0].point).norm();
    let caption = format!(
        "Fig. 4: the bowl's contact at the border of patches {} and {}: x of either patch (red, green) and the normal (blue); ψ changes by \
         {turn:.2}° as it goes over, (42). The point on either patch is the same to {apart:.0e} m.",
        places[0].chart, places[1].chart
    );
    report.picture("fig-4", image.to_png()?, caption);
    Ok(())
}

/// Fig. 5: four patches that meet in a corner, and how a point on its way through the corner goes from one to the next.
fn corner() -> Result<Figure> {
    let square = |x: f64, y: f64| {
        let point = |i: f64, j: f64| Vec3::new(x + i, y + j, 0.0);
        BezierPatch::new([1, 1], vec![point(0.0, 0.0), point(0.0, 1.0), point(1.0, 0.0), point(1.0, 1.0)])
    };
    let origins = [[-1.0, -1.0], [0.0, -1.0], [0.0, 0.0], [-1.0, 0.0]];
    let patches = origins.iter().map(|[x, y]| square(*x, *y)).collect::<std::result::Result<Vec<_>, _>>()?;
    let net = PatchNet::new(patches)?;
    let (mut place, rates) = (Place { chart: 0, u: 1.0, v: 1.0 }, Vec2::new(1.0, 0.6));
    let mut order = vec![place.chart];
    for _ in 0..8 {
        let Some(next) = net.onward(&place, &rates)? else { break };
        if next.chart == place.chart {
            break;
        }
        place = next;
        order.push(place.chart);
        let moved = Place { u: place.u + 1e-3 * rates.x, v: place.v + 1e-3 * rates.y, ..place };
        if net.inside(&moved) > 0.0 {
            break;
        }
    }
    let middle = |chart: usize| [origins[chart][0] + 0.5, origins[chart][1] + 0.5];
    let line = |name: String, points: Vec<[f64; 2]>| Series { name, points, dashed: false };
    let mut borders = Vec::new();
    for [x, y] in origins {
        borders.extend([[x, y], [x + 1.0, y], [x + 1.0, y + 1.0], [x, y + 1.0], [x, y], [f64::NAN; 2]]);
    }
    let names: Vec<String> = order.iter().map(|chart| (chart + 1).to_string()).collect();
    let axis =
        |label: &str, half: f64| Axis { label: label.to_owned(), range: [-half, half], logarithmic: false };
    Ok(Figure {
        title: "Fig. 5: a contact that moves through a corner of patches".to_owned(),
        x: axis("x in patches", 1.9),
        y: axis("y in patches", 1.1),
        series: vec![
            line("four patches".to_owned(), borders),
            line("path of the contact".to_owned(), vec![[-1.0, -0.6], [1.0, 0.6]]),
            line(
                format!("transitions: {}", names.join(", ")),
                order.iter().map(|&chart| middle(chart)).collect(),
            ),
            Series::marks("the corner", [[0.0, 0.0]]),
        ],
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn a_contact_in_a_corner_ends_in_the_patch_that_it_moves_into() {
        let figure = corner().unwrap();
        let order = &figure.series[2];
        assert!(order.name.ends_with(", 3") && order.points.len() >= 2, "{}", order.name);
    }

    #[test]
    fn across_a_border_the_point_stays_and_psi_turns_by_the_angle_of_the_axes() {
        let Border { shape, places, angles, .. } = border().unwrap();
        let atlas = shape.surface().as_atlas().unwrap();
        let [a, b] = places.map(|place| Frame::new(&atlas.jet(&place).unwrap()));
        assert!((a.point - b.point).norm() < 1e-9 && (a.normal() - b.normal()).norm() < 1e-6);
        let turn = (a.axes.column(0).dot(&b.axes.column(0))).acos();
        assert!(((angles[1] - angles[0]).abs() - turn).abs() < 1e-9 && turn > 1e-3);
    }
}
