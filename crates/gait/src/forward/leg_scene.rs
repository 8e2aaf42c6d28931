//! The scene of the leg.
//!
//! | body | on | moved by |
//! |---|---|---|
//! | path | the world | a table: along the ground as the pelvis' markers go |
//! | trunk, the rest of the body | path, a vertical slide | weight, the other foot's force, a soft guide |
//! | pelvis | trunk | tilt, list, rotation |
//! | thigh | pelvis, at the hip | flexion, adduction, rotation |
//! | shank, talus, rear foot | thigh, shank, talus | knee, ankle, subtalar joint |
//! | toes | rear foot | the file's angle, or a spring where the file has them locked |
//!
//! Three turns at one place are three revolute joints with light rings between. Masses are Winter's shares. The guide
//! follows the height of the pelvis' markers with k = m ω², c = 2 m ω, ω = [`GUIDE`]: soft against the foot, which is
//! stiffer by two orders, it keeps what the angles get wrong from adding up. A hinged leg without it would bounce on
//! its foot at some 10 Hz.

use super::angles::JointName;
use super::drive::Drive;
use super::foot_scene::{FOOT, SEGMENTS, begin, end, foot_body, parts, place, toe_joint};
use crate::Result;
use crate::body::GRAVITY;
use crate::foot::{FootTrack, Segment};
use rattleback_geom::nalgebra::{Unit, UnitQuaternion};
use rattleback_geom::{Pose, Vec3};
use std::fmt::Write as _;

/// Shares of the body's mass (Winter): pelvis, thigh, shank; and of a ring.
const PELVIS: f64 = 0.142;
const THIGH: f64 = 0.1;
const SHANK: f64 = 0.0465;
const RING: f64 = 1e-3;
/// Radii of gyration about the mass centre, as shares of the length: thigh and shank (Winter); of a ring, in m.
const GYRATION: f64 = 0.31;
const RING_RADIUS: f64 = 0.05;
/// Where the mass centres of thigh and shank are, from their upper ends.
const CENTRE: f64 = 0.433;
/// ω of the guide, in rad/s: a period of a second.
const GUIDE: f64 = std::f64::consts::TAU;
/// The step of differences for velocities at the start, in s.
const INSTANT: f64 = 1e-6;

/// A body of the chain.
struct Link {
    name: &'static str,
    mass: f64,
    /// Principal moments, in kg m².
    inertia: [f64; 3],
    centre: Vec3,
    /// A capsule that is seen, from the origin to a place.
    limb: Option<(Vec3, f64)>,
}

/// The scene as text.
pub fn leg_scene(name: &str, drive: &Drive) -> Result<String> {
    let side = drive.side.word();
    let mut text = format!(
        "# The {side} leg of {}, its joints driven by measured angles, from {:.3} s on.\n",
        super::foot_scene::comment(name),
        drive.start
    );
    if drive.side == crate::trial::Side::Left {
        text += "# It is mirrored: z points to the left.\n";
    }
    begin(&mut text, "A leg driven by measured joint angles", &drive.foot, &["leg"]);
    write_path(&mut text, drive);
    let moving = drive.splines()?;
    let [now, then] = [0.0, INSTANT].map(|t| poses(drive, &moving.turns.angles(t), &moving.pelvis(t)));
    let links = links(drive);
    for (k, link) in links.iter().enumerate() {
        write_link(&mut text, link);
        place(&mut text, &now[k]);
        write_motion(&mut text, &now[k], &then[k], &link.centre);
        if let Some((to, radius)) = &link.limb {
            write_limb(&mut text, to, *radius);
        }
    }
    for (k, (body, segment)) in SEGMENTS.into_iter().enumerate() {
        let k = links.len() + k;
        foot_body(&mut text, body, segment, &drive.foot, drive.length, drive.weight / GRAVITY);
        place(&mut text, &now[k]);
        let hinge = FootTrack::hinge_of(drive.length);
        let middle =
            Vec3::new(if segment == Segment::Rear { 0.5 * drive.length } else { hinge.x }, 0.04, 0.0);
        write_motion(&mut text, &now[k], &then[k], &middle);
        parts(&mut text, segment, &drive.foot);
    }
    write_joints(&mut text, drive);
    let duration = drive.times.last().copied().unwrap_or(0.0);
    end(&mut text, &drive.foot, "0.2 ms", duration, "2 ms");
    Ok(text)
}

fn numbers(values: impl Iterator<Item = f64>) -> String {
    let all: Vec<String> = values.map(|v| format!("{v:.9}")).collect();
    format!("[{}]", all.join(", "))
}

/// The body that goes along the ground.
fn write_path(text: &mut String, drive: &Drive) {
    let places: Vec<String> = drive.pelvis.iter().map(|p| format!("[{:.9}, 0, {:.9}]", p.x, p.z)).collect();
    let _ = write!(
        text,
        "\n[[bodies]]\nname = \"path\"\nposition = {}\n[bodies.motion]\ntype = \"table\"\nends = \"natural\"\ntimes = {}\n\
         positions = [{}]\n",
        places[0],
        numbers(drive.times.iter().copied()),
        places.join(", ")
    );
}

fn links(drive: &Drive) -> Vec<Link> {
    let mass = drive.weight / GRAVITY;
    let ring = |name| Link {
        name,
        mass: RING * mass,
        inertia: [RING * mass * RING_RADIUS * RING_RADIUS; 3],
        centre: Vec3::zeros(),
        limb: None,
    };
    let limb = |name, share: f64, to: Vec3, radius: f64| {
        let across = share * mass * (GYRATION * to.norm()).powi(2);
        Link {
            name,
            mass: share * mass,
            inertia: [across, 0.2 * across, across],
            centre: to * CENTRE,
            limb: Some((to, radius)),
        }
    };
    let links = &drive.leg.links;
    let pelvis = PELVIS * mass;
    let rest = mass * (1.0 - PELVIS - THIGH - SHANK - FOOT - 5.0 * RING);
    vec![
        Link { name: "trunk", mass: rest, inertia: [0.06 * rest; 3], centre: Vec3::zeros(), limb: None },
        ring("tilt ring"),
        ring("list ring"),
        Link {
            name: "pelvis",
            mass: pelvis,
            inertia: [0.01 * pelvis; 3],
            centre: Vec3::zeros(),
            limb: Some((links.hip, 0.05)),
        },
        ring("flexion ring"),
        ring("adduction ring"),
        limb("thigh", THIGH, links.knee, 0.055),
        limb("shank", SHANK, links.ankle, 0.04),
        ring("talus"),
    ]
}

/// The poses of the links, of the rear foot and of the toes.
fn poses(drive: &Drive, angles: &[f64; 10], pelvis: &Vec3) -> Vec<Pose> {
    let turn = |k: usize| JointName::ALL[k].turn(angles[k]);
    let l = &drive.leg.links;
    let mut q = UnitQuaternion::identity();
    let mut at = *pelvis;
    let mut all = vec![Pose::new(at, q)];
    for (k, link) in [
        (0, None),
        (1, None),
        (2, None),
        (3, Some(l.hip)),
        (4, None),
        (5, None),
        (6, Some(l.knee)),
        (7, Some(l.ankle)),
    ] {
        at += link.map_or_else(Vec3::zeros, |link| q * link);
        q *= turn(k);
        all.push(Pose::new(at, q));
    }
    let foot = drive.foot_pose(&super::chain::segments(angles), pelvis);
    let hinge = FootTrack::hinge_of(drive.length);
    let bent = if drive.leg.angles.toes_move() { turn(9) } else { UnitQuaternion::identity() };
    all.push(foot);
    all.push(foot.compose(&Pose::new(hinge - bent * hinge, bent)));
    all
}

fn write_link(text: &mut String, link: &Link) {
    let (c, [a, b, d]) = (link.centre, link.inertia);
    let _ = write!(
        text,
        "\n[[bodies]]\nname = \"{}\"\nmass = \"{:.6} kg\"\ninertia = [{a:.6e}, {b:.6e}, {d:.6e}]\n\
         mass_centre = [{:.9}, {:.9}, {:.9}]\n",
        link.name, link.mass, c.x, c.y, c.z
    );
}

/// The velocity of a mass centre and the angular velocity, by differences.
fn write_motion(text: &mut String, now: &Pose, then: &Pose, centre: &Vec3) {
    let v = (then.point_to_world(centre) - now.point_to_world(centre)) / INSTANT;
    let w = (then.orientation * now.orientation.inverse()).scaled_axis() / INSTANT;
    let _ = write!(
        text,
        "velocity = [{:.9}, {:.9}, {:.9}]\nangular_velocity = {{ world = [{:.9}, {:.9}, {:.9}] }}\n",
        v.x, v.y, v.z, w.x, w.y, w.z
    );
}

/// A capsule from the origin to a place; its material has no law, so that it is seen and touches nothing.
fn write_limb(text: &mut String, to: &Vec3, radius: f64) {
    let q = turned_to(to);
    let middle = to / 2.0;
    let _ = write!(
        text,
        "\n[[bodies.parts]]\nmaterial = \"leg\"\nposition = [{:.9}, {:.9}, {:.9}]\n\
         orientation = {{ quaternion = [{:.15}, {:.15}, {:.15}, {:.15}] }}\n\
         shape = {{ type = \"capsule\", radius = {radius}, half_length = {:.9} }}\n",
        middle.x,
        middle.y,
        middle.z,
        q.w,
        q.i,
        q.j,
        q.k,
        0.5 * to.norm()
    );
}

/// The turn that takes z to a direction.
fn turned_to(to: &Vec3) -> UnitQuaternion<f64> {
    let to = Unit::try_new(*to, 1e-12).unwrap_or(Vec3::z_axis());
    UnitQuaternion::rotation_between_axis(&Vec3::z_axis(), &to)
        .unwrap_or_else(|| UnitQuaternion::from_axis_angle(&Vec3::x_axis(), std::f64::consts::PI))
}

fn frame(position: &Vec3, q: &UnitQuaternion<f64>) -> String {
    format!(
        "{{ position = [{:.12}, {:.12}, {:.12}], orientation = {{ quaternion = [{:.15}, {:.15}, {:.15}, {:.15}] }} }}",
        position.x, position.y, position.z, q.w, q.i, q.j, q.k
    )
}

fn write_joints(text: &mut String, drive: &Drive) {
    let mass = drive.weight / GRAVITY;
    let times = numbers(drive.times.iter().copied());
    let up = turned_to(&Vec3::y());
    let table = |values: String| {
        format!("times = {times}, values = {values}, interpolation = \"spline\", ends = \"natural\"")
    };
    let _ = write!(
        text,
        "\n[[joints]]\nname = \"height of the pelvis\"\ntype = \"prismatic\"\nbodies = [\"path\", \"trunk\"]\na = {0}\nb = {0}\n\
         motor = {{ {1}, stiffness = {2:.3}, damping = {3:.3} }}\n",
        frame(&Vec3::zeros(), &up),
        table(numbers(drive.pelvis.iter().map(|p| p.y))),
        mass * GUIDE * GUIDE,
        2.0 * mass * GUIDE
    );
    let _ = write!(
        text,
        "\n[[forces]]\ntype = \"table\"\nbody = \"trunk\"\ntimes = {times}\nforces = [{}]\n",
        drive.other.iter().map(|f| format!("[0, {f:.6}, 0]")).collect::<Vec<_>>().join(", ")
    );
    let l = &drive.leg.links;
    let none = Vec3::zeros();
    let bodies = [
        ("trunk", "tilt ring", none),
        ("tilt ring", "list ring", none),
        ("list ring", "pelvis", none),
        ("pelvis", "flexion ring", l.hip),
        ("flexion ring", "adduction ring", none),
        ("adduction ring", "thigh", none),
        ("thigh", "shank", l.knee),
        ("shank", "talus", l.ankle),
        ("talus", "rear foot", none),
    ];
    let motor = |k: usize| {
        let values = numbers(drive.angles.iter().map(|row| row[k]));
        format!("motor = {{ {} }}\n", table(values))
    };
    for (k, (a, b, at)) in bodies.into_iter().enumerate() {
        let joint = JointName::ALL[k];
        let axis = turned_to(&joint.axis());
        let is_foot = joint == JointName::Subtalar;
        let (on_b, turn_b) =
            if is_foot { (l.ankle_in_foot, l.foot_turn.inverse() * axis) } else { (none, axis) };
        let _ = write!(
            text,
            "\n[[joints]]\nname = \"{}\"\ntype = \"revolute\"\nbodies = [\"{a}\", \"{b}\"]\na = {}\nb = {}\n{}",
            joint.word(),
            frame(&at, &axis),
            frame(&on_b, &turn_b),
            motor(k)
        );
    }
    let hinge = FootTrack::hinge_of(drive.length);
    let toes = if drive.leg.angles.toes_move() { motor(9) } else { String::new() };
    toe_joint(text, &hinge, &toes);
}
