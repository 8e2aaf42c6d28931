//! Contacts that close loops: several of one pair, several carriers, heaps.

use super::engine::{law, model, run, uniform};
use super::reference::GRAVITY;
use rattleback_contact::Start;
use rattleback_contact::narrow::touch;
use rattleback_dynamics::rolling::{ContactList, Mode, Rolling};
use rattleback_dynamics::{BodyModel, Energy, Model, Motion, State};
use rattleback_geom::surface::{Plane, Shape, Sphere};
use rattleback_geom::{Pose, Vec3};

/// All modes, those of the tree first.
fn modes(run: &Rolling<'_>) -> Vec<Mode> {
    ContactList::of(run.state()).iter().map(|(.., contact)| contact.mode).collect()
}

/// The greatest gap of all contacts, as the narrow phase finds it from the poses alone.
fn greatest_gap(model: &Model, state: &State) -> f64 {
    let of = |(_, body, contact): (usize, rattleback_dynamics::BodyId, &rattleback_dynamics::rolling::RigidContact)| {
        let [a, b] = contact.parts(body).map(|part| {
            let model = &model.bodies()[part.body.0].parts[part.index];
            (&model.shape, state.motions[part.body.0].pose.compose(&model.pose))
        });
        touch(a.0, &a.1, b.0, &b.1, Start::Cold).unwrap().gap.abs()
    };
    ContactList::of(state).iter().map(of).fold(0.0, f64::max)
}

/// A groove of two planes, inclined by 45° to both sides and downwards along x by an angle, and a ball in it.
fn groove(slope: f64, radius: f64, friction: f64) -> (Model, State, Vec3) {
    let down = Vec3::new(slope.cos(), 0.0, -slope.sin());
    let up = Vec3::new(slope.sin(), 0.0, slope.cos());
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let wall = |side: f64| {
        let normal = (up + Vec3::y() * side) * half;
        let name = if side < 0.0 { "left" } else { "right" };
        (BodyModel::fixed(name), Plane::new(normal.into(), 0.0).unwrap().into(), Pose::identity())
    };
    let ball: Shape = Sphere::new(radius).unwrap().into();
    let body = BodyModel::free("ball", uniform(ball.surface(), 2.0));
    let model = model(vec![wall(-1.0), wall(1.0), (body, ball, Pose::identity())], law(friction, 0.5));
    let centre = up * (radius / half);
    let rest = Motion::at_rest(Pose::identity());
    let state = State::new(vec![rest, rest, Motion::at_rest(Pose::from_position(centre.x, centre.y, centre.z))]);
    (model, state, down)
}

/// It turns about the line through both contacts, which is R/√2 from its centre: a = g sin α/(1 + k R²/ρ²).
#[test]
fn a_ball_rolls_down_a_groove_on_its_effective_radius() {
    let (slope, radius) = (0.3f64, 0.05);
    let (model, state, down) = groove(slope, radius, 1.0);
    let mut run = run(&model, state.clone());
    assert_eq!(modes(&run), vec![Mode::Rolling; 2]);
    let before = Energy::of(&model, run.state()).unwrap().total();
    let mut worst = 0.0f64;
    run.advance(2.0, &mut |now| {
        worst = worst.max(greatest_gap(&model, now.state));
        Ok(())
    })
    .unwrap();
    assert_eq!(modes(&run), vec![Mode::Rolling; 2]);
    let way = (run.state().motions[2].pose.position - state.motions[2].pose.position).dot(&down);
    let expected = 0.5 * GRAVITY * slope.sin() / (1.0 + 0.4 * 2.0) * 4.0;
    assert!((way - expected).abs() < 1e-9 * expected, "{way} {expected}");
    let after = Energy::of(&model, run.state()).unwrap();
    assert!((after.total() - before).abs() < 1e-8 * after.kinetic, "{:e}", after.total() - before);
    assert!(worst < 1e-13, "{worst:e}");
}
