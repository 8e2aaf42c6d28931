//! The fitted foot as a scene: dropped on its heel, in the plane of walking, it rolls over to its toes. What it shares
//! with the scene of the leg: the ground, the bodies under the foot, their laws.
//!
//! The rear foot and the toes are bodies on a revolute joint with a spring, the bodies under them parts, each with the
//! law that was fitted. Scenes have F = K δⁿ(1 + c′ δ̇/v₀) with v₀ the speed at which a contact begins, or
//! `least_speed` where that is more: with least_speed = [`FASTEST`] and c′ = c [`FASTEST`] the law is F = K δⁿ(1 + c
//! δ̇), the one that was fitted, for every contact that begins slower.

use crate::Result;
use crate::body::GRAVITY;
use crate::foot::{Element, FootModel, FootTrack, REFERENCE_DEPTH, Segment};
use crate::predict::CalibratedFoot;
use rattleback_geom::nalgebra::UnitQuaternion;
use rattleback_geom::{Pose, Vec3};
use std::fmt::Write as _;

/// How high the heel is above the ground, in m, and the pitch at the start, in degrees.
const DROP: f64 = 0.02;
const PITCH: f64 = 18.0;
/// Masses as shares of the body: the foot's by Winter's table, of which the toes are a tenth.
pub(super) const FOOT: f64 = 0.0145;
pub(super) const TOES: f64 = 0.1;
/// The spring of the metatarsal joint, in N m/rad, and its damping, in N m s/rad.
const SPRING: [f64; 2] = [8.0, 0.05];
/// Contacts begin slower than this, in m/s.
const FASTEST: f64 = 10.0;
/// The names of the foot's two bodies.
pub(super) const SEGMENTS: [(&str, Segment); 2] = [("rear foot", Segment::Rear), ("toes", Segment::Toes)];

/// The scene of the dropped foot as text.
pub fn foot_scene(name: &str, foot: &CalibratedFoot) -> Result<String> {
    let hinge = FootTrack::hinge_of(foot.length);
    let mut text = format!("# The foot that was fitted to {}, dropped on its heel.\n", comment(name));
    begin(&mut text, "A fitted foot, dropped", &foot.model, &[]);
    let turn = UnitQuaternion::from_axis_angle(&Vec3::z_axis(), PITCH.to_radians());
    let height = DROP - lowest(&foot.model, &Pose::new(Vec3::zeros(), turn))?;
    let pose = Pose::new(Vec3::new(0.0, height, 0.0), turn);
    for (body, segment) in SEGMENTS {
        foot_body(&mut text, body, segment, &foot.model, foot.length, foot.weight / GRAVITY);
        place(&mut text, &pose);
        parts(&mut text, segment, &foot.model);
    }
    toe_joint(&mut text, &hinge, "");
    // A foot without a leg would fall over sideways: it stays in its plane.
    text += "\n[[joints]]\nname = \"plane of walking\"\ntype = \"planar\"\nbodies = [\"ground\", \"rear foot\"]\n\
             point = [0, 0, 0]\naxis = [0, 0, 1]\n";
    end(&mut text, &foot.model, "0.1 ms", 0.4, "1 ms");
    Ok(text)
}

/// A name as it may stand in a comment.
pub(super) fn comment(name: &str) -> String {
    name.chars().filter(|c| !c.is_control()).collect()
}

/// The head of a scene: title, gravity, materials, the ground.
pub(super) fn begin(text: &mut String, title: &str, model: &FootModel, materials: &[&str]) {
    let _ = write!(text, "title = \"{title}\"\ngravity = [0, -{GRAVITY}, 0]\n\n[materials.ground]\n");
    for name in model.elements.iter().map(|e| e.name.as_str()).chain(materials.iter().copied()) {
        let _ = writeln!(text, "[materials.{name}]");
    }
    *text += "\n[[bodies]]\nname = \"ground\"\nfixed = true\nmaterial = \"ground\"\n\
              shape = { type = \"plane\", normal = [0, 1, 0] }\n";
}

/// One of the foot's two bodies: a rod along it, of so many kilograms of body.
pub(super) fn foot_body(
    text: &mut String,
    name: &str,
    segment: Segment,
    model: &FootModel,
    length: f64,
    body_mass: f64,
) {
    debug_assert!(!model.elements.is_empty());
    let hinge = FootTrack::hinge_of(length);
    let is_rear = segment == Segment::Rear;
    let mass = FOOT * body_mass * if is_rear { 1.0 - TOES } else { TOES };
    let rod = if is_rear { length } else { 0.3 * length };
    let middle = if is_rear { 0.5 * length } else { hinge.x + 0.5 * rod };
    let inertia = mass * rod * rod / 12.0;
    let _ = write!(
        text,
        "\n[[bodies]]\nname = \"{name}\"\nmass = \"{mass:.6} kg\"\ninertia = [{:.3e}, {inertia:.3e}, {inertia:.3e}]\n\
         mass_centre = [{middle:.6}, 0.04, 0]\n",
        0.2 * inertia
    );
}

/// The pose of a body.
pub(super) fn place(text: &mut String, pose: &Pose) {
    let (p, q) = (pose.position, pose.orientation);
    let _ = write!(
        text,
        "position = [{:.12}, {:.12}, {:.12}]\norientation = {{ quaternion = [{:.15}, {:.15}, {:.15}, {:.15}] }}\n",
        p.x, p.y, p.z, q.w, q.i, q.j, q.k
    );
}

/// The superellipsoids of a segment.
pub(super) fn parts(text: &mut String, segment: Segment, model: &FootModel) {
    for element in model.elements.iter().filter(|e| e.segment == segment) {
        let ([x, y, z], [a, b, c], [m, n]) = (element.centre, element.semi_axes, element.exponents);
        let _ = write!(
            text,
            "\n[[bodies.parts]]\nmaterial = \"{}\"\nposition = [{x:.9}, {y:.9}, {z:.9}]\n\
             shape = {{ type = \"superellipsoid\", semi_axes = [{a:.9}, {b:.9}, {c:.9}], exponents = [{m}, {n}] }}\n",
            element.name
        );
    }
}

/// The metatarsal joint: with a spring, or as `motor` says.
pub(super) fn toe_joint(text: &mut String, hinge: &Vec3, motor: &str) {
    let _ = write!(
        text,
        "\n[[joints]]\nname = \"metatarsal joint\"\ntype = \"revolute\"\nbodies = [\"rear foot\", \"toes\"]\n\
         a = {{ position = [{0:.9}, {1:.9}, {2:.9}] }}\nb = {{ position = [{0:.9}, {1:.9}, {2:.9}] }}\n",
        hinge.x, hinge.y, hinge.z
    );
    if motor.is_empty() {
        let _ = write!(
            text,
            "spring = {{ stiffness = \"{} N m/rad\" }}\ndamper = {{ damping = \"{} N m s/rad\" }}\n",
            SPRING[0], SPRING[1]
        );
    } else {
        *text += motor;
    }
}

/// The end of a scene: laws, solver, run.
pub(super) fn end(text: &mut String, model: &FootModel, step: &str, duration: f64, every: &str) {
    for element in &model.elements {
        let n = element.depth_exponent;
        let stiffness = element.force_at_5mm / REFERENCE_DEPTH.powf(n);
        let _ = write!(
            text,
            "\n[[contacts]]\nmaterials = [\"{}\", \"ground\"]\nstiffness = {stiffness:.12e}\nleast_speed = \"{FASTEST} m/s\"\n\
             normal = {{ law = \"factor\", factor = {:.12}, exponent = {n:.12} }}\n\
             friction = {{ law = \"coulomb\", coefficient = {}, transition = \"{} m/s\" }}\n",
            element.name,
            element.damping * FASTEST,
            model.friction,
            model.friction_transition
        );
    }
    let _ = write!(
        text,
        "\n[solver]\ntype = \"mechanism\"\nstep = \"{step}\"\nsnap = true\n\n\
         [run]\nduration = \"{duration:.6} s\"\n\n[output]\nevery = \"{every}\"\n"
    );
}

/// The height of a foot's lowest point, toes unbent, in m.
pub(super) fn lowest(model: &FootModel, pose: &Pose) -> Result<f64> {
    let heights: Vec<f64> = model.elements.iter().map(|e: &Element| e.lowest(pose)).collect::<Result<_>>()?;
    Ok(heights.into_iter().fold(f64::INFINITY, f64::min))
}
