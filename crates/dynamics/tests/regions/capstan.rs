//! A chain drawn over a fixed drum by half a turn: the capstan equation.
//!
//! A belt whose line of pull runs at the height w above a drum of radius R has T₂/T₁ = exp(μθ R/(R + w)): per dθ the
//! drum presses with T dθ, and the friction at R balances the change of pull at R + w. The links of a chain have lines
//! between w = d/2, flat, and w = 1.8 d, on edge. Held to the middle of both bounds the ratio may miss by 3 %.

use super::stage::{law, settings};
use rattleback_dynamics::chain::{Chain, ChainEnd, EndJoint, LinkKind, LinkRun};
use rattleback_dynamics::force::{End, Force, Windlass};
use rattleback_dynamics::{Body, BodyModel, Mechanism, Model, Motion, State};
use rattleback_geom::nalgebra::UnitQuaternion;
use rattleback_geom::surface::{Cylinder, Mesh, Surface};
use rattleback_geom::{Mat3, Pose, Vec3};
use std::f64::consts::{FRAC_PI_2, PI};

const D: f64 = 0.02;
const RADIUS: f64 = 0.5;
const MASS: f64 = 4000.0;
const SPEED: f64 = 0.1;

/// The ratio of pulls while the chain slides, and the one of a belt in the middle of the bounds, with both bounds.
fn ratio(friction: f64) -> (f64, [f64; 2]) {
    let mut builder = Model::builder();
    builder.gravity(Vec3::new(0.0, 0.0, -9.81));
    let [drum, cable] = ["drum", "cable"].map(|name| builder.surface(name));
    builder.law(drum, cable, law(2e9, Some(friction)));
    let shape = Cylinder::new(RADIUS, 0.5).unwrap().tessellate(2e-5).unwrap();
    let across = UnitQuaternion::from_scaled_axis(Vec3::x() * FRAC_PI_2);
    let part = Pose::new(Vec3::zeros(), across);
    let fixed = builder.body(BodyModel::fixed("drum").with_part(Mesh::new(shape).unwrap(), part, drum));
    let mut motions = vec![Motion::at_rest(Pose::identity())];
    let line = RADIUS + 1.5 * D;
    let mut path = vec![Vec3::new(-line, 0.0, -0.6)];
    path.extend((0..=60).map(|k| {
        let angle = PI * (1.0 - f64::from(k) / 60.0);
        Vec3::new(line * angle.cos(), 0.0, line * angle.sin())
    }));
    path.push(Vec3::new(line, 0.0, -0.4));
    let count = Chain::count_along(LinkKind::Common, D, &path).unwrap();
    let inertia = Mat3::identity() * (0.1 * MASS);
    let weight = builder.body(BodyModel::free("weight", Body { mass: MASS, inertia }));
    motions.push(Motion::at_rest(Pose::new(path[0], UnitQuaternion::identity())));
    let chain = Chain {
        meshes: Vec::new(),
        name: "chain".to_owned(),
        diameter: D,
        density: 7850.0,
        links: vec![LinkRun { kind: LinkKind::Common, stud: true, count }],
        path,
        across: Some(Vec3::new(1.0, 1.0, 0.0)),
        friction: None,
        from: Some(ChainEnd { body: weight, point: Some(Vec3::zeros()), joint: EndJoint::Spherical }),
        to: None,
    };
    let ids = chain.build(&mut builder, cable, &mut motions).unwrap();
    let last = ids.links[count - 1];
    let end = Vec3::z() * (2.0 * D);
    let at = motions[last.0].pose.point_to_world(&end);
    let windlass = Windlass {
        a: End { body: fixed, point: at - Vec3::z() },
        b: End { body: last, point: end },
        length: 1.0,
        speed: SPEED,
        start: 0.02,
        ramp: 0.1,
        shortest: 0.1,
        rigidity: 4e10 * D * D,
        damping: 2e5,
        limit: 1e6,
        shoulder: 0.1,
        brake: 1e7,
        brake_at: None,
        brake_after_stall: None,
    };
    builder.force(Force::Windlass(windlass));
    let model = builder.build().unwrap();
    let mut state = State::new(motions);
    let mut mechanism = Mechanism::new(&model, settings(1e-3)).unwrap();
    let (mut sum, mut samples) = (0.0, 0);
    let pull = |state: &State| windlass.tension(&state.windlasses[0], &state.motions);
    mechanism
        .advance(&mut state, 0.42, &mut |_, state| {
            if state.time > 0.3 {
                sum += pull(state);
                samples += 1;
            }
            Ok(())
        })
        .unwrap();
    let bound = |w: f64| (friction * PI * RADIUS / (RADIUS + w)).exp();
    // The chain's own weight is a few thousandths of the load and much the same on both sides.
    (sum / f64::from(samples) / (9.81 * MASS), [bound(1.8 * D), bound(0.5 * D)])
}

#[test]
fn a_chain_over_a_drum_obeys_the_capstan_equation() {
    let (found, [low, high]) = ratio(0.1);
    let expected = 0.5 * (low + high);
    assert!((found / expected - 1.0).abs() < 0.03, "{found} of {low} to {high}");
}
