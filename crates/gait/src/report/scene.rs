//! The fitted foot as a scene: dropped on its heel, in the plane of walking, it rolls over to its toes.
//!
//! The rear foot and the toes are bodies on a revolute joint with a spring, the bodies under them parts, each with the law that
//! was fitted. Scenes have F = K δⁿ(1 + c′ δ̇/v₀) with v₀ the speed at which a contact begins; c′ = c v with v the speed of the
//! drop, so that the first contact has the damping that was fitted.

use crate::body::GRAVITY;
use crate::foot::{Element, Segment};
use crate::predict::CalibratedFoot;
use std::fmt::Write as _;

/// How high the heel is above the ground, in m, and the pitch at the start, in degrees.
const DROP: f64 = 0.02;
const PITCH: f64 = 18.0;
/// Masses as shares of the body: the foot's by Winter's table, of which the toes are a tenth.
const FOOT: f64 = 0.0145;
const TOES: f64 = 0.1;
/// The spring of the metatarsal joint, in N m/rad, and its damping, in N m s/rad.
const SPRING: [f64; 2] = [8.0, 0.05];

/// The scene as text.
pub fn foot_scene(name: &str, foot: &CalibratedFoot) -> String {
    let mass = FOOT * foot.weight / GRAVITY;
    let speed = (2.0 * GRAVITY * DROP).sqrt();
    let hinge = crate::foot::FootTrack::hinge_of(foot.length);
    let mut text = format!(
        "# The foot that was fitted to {name}, dropped on its heel.\n\
         title = \"A fitted foot, dropped\"\ngravity = [0, -{GRAVITY}, 0]\n\n[materials.ground]\n"
    );
    for element in &foot.model.elements {
        let _ = writeln!(text, "[materials.{}]", element.name);
    }
    text += "\n[[bodies]]\nname = \"ground\"\nfixed = true\nmaterial = \"ground\"\n\
             shape = { type = \"plane\", normal = [0, 1, 0] }\n";
    let angle = PITCH.to_radians();
    let height = DROP + lowest(foot, angle);
    for (body, segment, share) in [("rear foot", Segment::Rear, 1.0 - TOES), ("toes", Segment::Toes, TOES)] {
        let own: Vec<&Element> = foot.model.elements.iter().filter(|e| e.segment == segment).collect();
        // A rod along the foot.
        let (mass, length) =
            (share * mass, if segment == Segment::Rear { foot.length } else { 0.3 * foot.length });
        let middle = if segment == Segment::Rear { 0.5 * foot.length } else { hinge.x + 0.5 * length };
        let inertia = mass * length * length / 12.0;
        let _ = write!(
            text,
            "\n[[bodies]]\nname = \"{body}\"\nmass = \"{mass:.6} kg\"\ninertia = [{:.3e}, {inertia:.3e}, {inertia:.3e}]\n\
             mass_centre = [{middle:.6}, 0.04, 0]\nposition = [0, {height:.9}, 0]\n\
             orientation = {{ axis = [0, 0, 1], angle = \"{PITCH} deg\" }}\n",
            0.2 * inertia
        );
        for element in own {
            let ([x, y, z], [a, b, c], [m, n]) = (element.centre, element.semi_axes, element.exponents);
            let _ = write!(
                text,
                "\n[[bodies.parts]]\nmaterial = \"{}\"\nposition = [{x:.9}, {y:.9}, {z:.9}]\n\
                 shape = {{ type = \"superellipsoid\", semi_axes = [{a:.9}, {b:.9}, {c:.9}], exponents = [{m}, {n}] }}\n",
                element.name
            );
        }
    }
    let (sin, cos) = angle.sin_cos();
    let _ = write!(
        text,
        "\n[[joints]]\nname = \"metatarsal joint\"\ntype = \"revolute\"\nbodies = [\"rear foot\", \"toes\"]\n\
         point = [{:.9}, {:.9}, 0]\naxis = [0, 0, 1]\nspring = {{ stiffness = \"{} N m/rad\" }}\ndamper = {{ damping = \"{} N m s/rad\" }}\n",
        hinge.x * cos - hinge.y * sin,
        height + hinge.x * sin + hinge.y * cos,
        SPRING[0],
        SPRING[1]
    );
    // A foot without a leg would fall over sideways: it stays in its plane.
    text += "\n[[joints]]\nname = \"plane of walking\"\ntype = \"planar\"\nbodies = [\"ground\", \"rear foot\"]\n\
             point = [0, 0, 0]\naxis = [0, 0, 1]\n";
    for element in &foot.model.elements {
        let n = element.depth_exponent;
        let stiffness = element.force_at_5mm / 5e-3_f64.powf(n);
        let _ = write!(
            text,
            "\n[[contacts]]\nmaterials = [\"{}\", \"ground\"]\nstiffness = {stiffness:.9e}\n\
             normal = {{ law = \"factor\", factor = {:.9}, exponent = {n:.9} }}\n\
             friction = {{ law = \"coulomb\", coefficient = {}, transition = \"{} m/s\" }}\n",
            element.name,
            element.damping * speed,
            foot.model.friction,
            foot.model.friction_transition
        );
    }
    text += "\n[solver]\ntype = \"mechanism\"\nstep = \"0.1 ms\"\n\n[run]\nduration = \"0.4 s\"\n\n[output]\nevery = \"2 ms\"\n";
    text
}

/// How far the lowest point is below the foot's origin when it is pitched, in m.
fn lowest(foot: &CalibratedFoot, angle: f64) -> f64 {
    let (sin, cos) = angle.sin_cos();
    let below = |e: &Element| {
        // A box about the body is no higher: the drop is at least what is asked for.
        let [a, b, _] = e.semi_axes;
        -(e.centre[0] * sin + e.centre[1] * cos) + a * sin.abs() + b * cos
    };
    foot.model.elements.iter().map(below).fold(f64::NEG_INFINITY, f64::max)
}
