//! Known motions: balls on planes, on each other, on tables that move; switches and impacts.

use super::engine::{ROUGH, ground, law, mode, model, on_floor, run, settings, start, uniform};
use super::reference::closed_forms::{Slip, shaken, turntable};
use super::reference::two_balls::{self, TwoBalls};
use super::reference::{GRAVITY, state_at};
use rattleback_contact::law::Resistance;
use rattleback_contact::law::friction::Coulomb;
use rattleback_dynamics::model::{Freedom, Harmonic, PrescribedMotion};
use rattleback_dynamics::rolling::{Mode, Rolling, Settings};
use rattleback_dynamics::{BodyModel, Energy, Motion, RunEvent, State};
use rattleback_geom::nalgebra::UnitQuaternion;
use rattleback_geom::surface::{Ellipsoid, Plane, Shape, Sphere, Torus};
use rattleback_geom::{Pose, Vec2, Vec3};

#[test]
fn a_sphere_rolls_down_an_incline_at_five_sevenths() {
    let (angle, radius) = (0.3f64, 0.05);
    let normal = [angle.sin(), 0.0, angle.cos()];
    let model = on_floor(Plane::new(normal, 0.0).unwrap(), Sphere::new(radius).unwrap(), 2.0, law(0.5, 0.5));
    let begin = start(normal.map(|x| x * radius), [0.0; 3], [0.0; 3]);
    let mut run = run(&model, begin);
    assert_eq!(mode(&run), Some(Mode::Rolling));
    let before = Energy::of(&model, run.state()).unwrap().total();
    // Three turns: the contact goes over all charts of the sphere many times.
    run.advance(2.0, &mut |_| Ok(())).unwrap();
    let motion = &run.state().motions[1];
    let down = Vec3::new(angle.cos(), 0.0, -angle.sin());
    let way = (motion.pose.position - Vec3::from(normal) * radius).dot(&down);
    let expected = 0.5 * 5.0 / 7.0 * GRAVITY * angle.sin() * 4.0;
    assert!((way - expected).abs() < 1e-9 * expected, "{way} {expected}");
    assert!((motion.pose.position.dot(&Vec3::from(normal)) - radius).abs() < 1e-14);
    let after = Energy::of(&model, run.state()).unwrap().total();
    assert!((after - before).abs() < 1e-10 * motion.velocity.norm_squared());
}

#[test]
fn a_sliding_sphere_begins_to_roll_when_it_must() {
    let (mu, v) = (0.2, 3.0);
    let model = on_floor(ground(), Sphere::new(0.1).unwrap(), 1.0, law(mu, 0.5));
    let begin = start([0.0, 0.0, 0.1], [v, 0.0, 0.0], [0.0; 3]);
    let mut run = run(&model, begin);
    assert_eq!(mode(&run), Some(Mode::Sliding));
    let expected = 2.0 * v / (7.0 * mu * GRAVITY);
    run.advance(0.99 * expected, &mut |_| Ok(())).unwrap();
    assert_eq!(mode(&run), Some(Mode::Sliding));
    run.advance(1.01 * expected, &mut |_| Ok(())).unwrap();
    assert_eq!(mode(&run), Some(Mode::Rolling));
    let motion = &run.state().motions[1];
    // The last slip of 1e-4 m/s is taken at once, as it would have been by friction.
    assert!((motion.velocity.x - 5.0 / 7.0 * v).abs() < 1e-10, "{}", motion.velocity.x - 5.0 / 7.0 * v);
    let energy = Energy::of(&model, run.state()).unwrap();
    assert!((energy.contacts.friction_loss - v * v / 7.0).abs() < 1e-9, "{}", energy.contacts.friction_loss);
}

#[test]
fn a_ball_bounces_and_settles() {
    let e = 0.5;
    let model = on_floor(ground(), Sphere::new(0.1).unwrap(), 1.0, law(0.3, e));
    let mut run = run(&model, start([0.0, 0.0, 1.1], [0.5, 0.0, 0.0], [0.0; 3]));
    assert_eq!(mode(&run), None);
    let before = Energy::of(&model, run.state()).unwrap().total();
    let mut bounces = Vec::new();
    run.advance(3.0, &mut |now| {
        if let RunEvent::Begin(_) = now.event {
            bounces.push(now.state.time);
        }
        Ok(())
    })
    .unwrap();
    let first = (2.0 / GRAVITY).sqrt();
    assert!((bounces[0] - first).abs() < 1e-9);
    for (k, pair) in bounces.windows(2).enumerate().take(5) {
        let expected = 2.0 * first * e.powi(k as i32 + 1);
        assert!((pair[1] - pair[0] - expected).abs() < 1e-8, "{k}: {pair:?}");
    }
    assert_eq!(mode(&run), Some(Mode::Rolling));
    let energy = Energy::of(&model, run.state()).unwrap();
    assert!((energy.total() - before).abs() < 1e-9, "{}", energy.total() - before);
}

#[test]
fn a_sphere_leaves_a_sphere_where_it_must() {
    for (friction, cosine) in [(0.0, 2.0 / 3.0), (ROUGH, 10.0 / 17.0)] {
        let (floor, ball) = (Sphere::new(1.0).unwrap(), Sphere::new(0.25).unwrap());
        let model = on_floor(floor, ball, 1.0, law(friction, 0.5));
        let tilt = 0.05f64;
        let at = [1.25 * tilt.sin(), 0.0, 1.25 * tilt.cos()];
        let mut run = run(&model, start(at, [0.0; 3], [0.0; 3]));
        let mut left = None;
        run.advance(3.0, &mut |now| {
            if let RunEvent::End(_) = now.event {
                left.get_or_insert(now.state.motions[1].pose.position.z / 1.25);
            }
            Ok(())
        })
        .unwrap();
        // From a start at θ₀ both cosines are in proportion to that of the start.
        let left = left.unwrap();
        assert!((left - cosine * tilt.cos()).abs() < 1e-9, "{left} {}", cosine * tilt.cos());
    }
}

#[test]
fn a_billiard_ball_slips_along_a_parabola_and_rolls_along_a_line() {
    let slip = Slip {
        velocity: Vec2::new(1.5, 0.2),
        angular_velocity: Vec3::new(-20.0, -35.0, 12.0),
        radius: 0.03,
        share: 0.4,
        braking: 0.2 * GRAVITY,
    };
    let model = on_floor(ground(), Sphere::new(slip.radius).unwrap(), 0.2, law(0.2, 0.5));
    let mut run = run(&model, start([0.0, 0.0, 0.03], [1.5, 0.2, 0.0], slip.angular_velocity.into()));
    for share in [0.3, 0.9, 1.5, 3.0] {
        let t = share * slip.end();
        run.advance(t, &mut |_| Ok(())).unwrap();
        assert_eq!(mode(&run), Some(if share < 1.0 { Mode::Sliding } else { Mode::Rolling }));
        let error = (run.state().motions[1].pose.position.xy() - slip.path(t)).norm();
        // The last 1e-4 m/s of slip are taken at once: 5e-5 m/s too soon for 50 µs.
        assert!(error < if share < 1.0 { 1e-11 } else { 5e-9 }, "{share}: {error:e}");
    }
}

/// A ball on a table that moves as prescribed.
fn on_table(
    prescribed: PrescribedMotion,
    position: [f64; 3],
    velocity: [f64; 3],
    angular_velocity: [f64; 3],
) -> (rattleback_dynamics::Model, State) {
    let ball: Shape = Sphere::new(0.05).unwrap().into();
    let first = prescribed.at(0.0).motion;
    let body = BodyModel::free("ball", uniform(ball.surface(), 1.0));
    let table = (BodyModel::prescribed("table", prescribed), ground().into(), Pose::identity());
    let model = model(vec![table, (body, ball, Pose::identity())], law(ROUGH, 0.5));
    let mut state = start(position, velocity, angular_velocity);
    state.motions[0] = first;
    (model, state)
}

#[test]
fn a_ball_on_a_shaken_table_takes_two_sevenths_of_its_motion() {
    let (amplitude, w) = (0.1, 5.0);
    let harmonic =
        Harmonic { freedom: Freedom::Surge, amplitude, frequency: w, phase: -std::f64::consts::FRAC_PI_2 };
    let prescribed = PrescribedMotion::harmonic(Pose::identity(), &[harmonic]).unwrap();
    // At rest while the table already moves with A w: the ball spins so that it does not slip.
    let (model, state) = on_table(prescribed, [0.0, 0.0, 0.05], [0.0; 3], [0.0, -amplitude * w / 0.05, 0.0]);
    let mut run = run(&model, state);
    assert_eq!(mode(&run), Some(Mode::Rolling));
    let before = Energy::of(&model, run.state()).unwrap().total();
    for t in [0.3, 1.0, 2.5] {
        run.advance(t, &mut |_| Ok(())).unwrap();
        // The acceleration is k/(1 + k) of the table's.
        let error = run.state().motions[1].pose.position.x - shaken(amplitude, w, 0.4, t);
        assert!(error.abs() < 1e-9, "{t}: {error:e}");
        // What the table's drive has given is in the books.
        let energy = Energy::of(&model, run.state()).unwrap().total();
        assert!((energy - before).abs() < 1e-10, "{:e}", energy - before);
    }
}

#[test]
fn a_ball_on_a_turntable_goes_in_circles() {
    let rate = 2.0;
    let times: Vec<f64> = (0..=1200).map(|k| 5e-3 * f64::from(k)).collect();
    let turned = |t: &f64| Pose::identity().rotated(Vec3::z(), rate * t).unwrap();
    let poses: Vec<Pose> = times.iter().map(turned).collect();
    let prescribed = PrescribedMotion::table(&times, &poses, rattleback_dynamics::Ends::Natural).unwrap();
    let (x, v) = (Vec2::new(0.3, 0.0), Vec2::new(0.0, 0.25));
    // Rolling: v = Ω × x + r ω × z.
    let slip = (v - Vec2::new(0.0, rate * x.x)) / 0.05;
    let angular_velocity = [-slip.y, slip.x, 0.7];
    let (model, state) = on_table(prescribed, [x.x, x.y, 0.05], [v.x, v.y, 0.0], angular_velocity);
    let mut run = run(&model, state);
    assert_eq!(mode(&run), Some(Mode::Rolling));
    for t in [1.0, 3.0, 5.5] {
        run.advance(t, &mut |_| Ok(())).unwrap();
        let expected = turntable(rate, 0.4, &Vec2::zeros(), [x, v], t);
        let error = (run.state().motions[1].pose.position.xy() - expected).norm();
        // The table's splines begin and end without curvature, which they should have.
        assert!(error < 2e-5, "{t}: {error:e}");
    }
}

#[test]
fn a_ball_rolls_off_a_ball_on_ice() {
    let sphere = |mass, radius| two_balls::Sphere { mass, radius, share: 0.4 };
    let mut pair = TwoBalls { lower: sphere(2.0, 0.2), upper: sphere(0.5, 0.05), gravity: GRAVITY };
    let mut builder = rattleback_dynamics::Model::builder();
    builder.gravity(Vec3::new(0.0, 0.0, -GRAVITY));
    let (ice, wood) = (builder.surface("ice"), builder.surface("wood"));
    builder.law(ice, wood, law(0.0, 0.5));
    builder.law(wood, wood, law(ROUGH, 0.5));
    builder.body(BodyModel::fixed("ground").with_part(ground(), Pose::identity(), ice));
    for (name, ball) in [("lower", &pair.lower), ("upper", &pair.upper)] {
        let shape = Sphere::new(ball.radius).unwrap();
        let body = uniform(&shape, ball.mass);
        builder.body(BodyModel::free(name, body).with_part(shape, Pose::identity(), wood));
    }
    let model = builder.build().unwrap();
    let angle = 0.2f64;
    let rest = |x: f64, z: f64| Motion::at_rest(Pose::from_position(x, 0.0, z));
    let motions = vec![rest(0.0, 0.0), rest(0.0, 0.2), rest(0.25 * angle.sin(), 0.2 + 0.25 * angle.cos())];
    let mut run = run(&model, State::new(motions));
    let rigid_contacts = run.state().rigid_contacts.clone().unwrap();
    assert_eq!(
        rigid_contacts[1].map(|rigid_contact| (rigid_contact.carrier.body.0, rigid_contact.mode)),
        Some((0, Mode::Sliding))
    );
    assert_eq!(
        rigid_contacts[2].map(|rigid_contact| (rigid_contact.carrier.body.0, rigid_contact.mode)),
        Some((1, Mode::Rolling))
    );
    let before = Energy::of(&model, run.state()).unwrap().total();
    let parting = pair.parting(angle);
    let time = pair.time(angle, parting);
    let mut left = None;
    let y = pair.state(angle, [0.0; 2]);
    run.advance(0.9 * time, &mut |_| Ok(())).unwrap();
    let expected = state_at(&mut pair, &y, 0.9 * time);
    let [lower, upper] = [1, 2].map(|k: usize| run.state().motions[k]);
    for (found, expected) in [
        (lower.pose.position.x, expected[0]),
        (upper.pose.position.x, expected[1]),
        (upper.pose.position.z, expected[2]),
        (lower.velocity.x, expected[3]),
        (upper.velocity.x, expected[4]),
        (upper.velocity.z, expected[5]),
        (lower.twist().angular_velocity.y, -expected[6]),
    ] {
        assert!((found.abs() - expected.abs()).abs() < 1e-9, "{found} {expected}");
    }
    run.advance(1.1 * time, &mut |now| {
        if let RunEvent::End(_) = now.event {
            left.get_or_insert(now.state.time);
        }
        Ok(())
    })
    .unwrap();
    assert!((left.unwrap() - time).abs() < 1e-7, "{left:?} {time}");
    let after = Energy::of(&model, run.state()).unwrap().total();
    assert!((after - before).abs() < 1e-9, "{:e}", after - before);
}

#[test]
fn a_ring_falls_flat_and_comes_to_no_harm() {
    let ring = Torus::new(0.1, 0.02).unwrap();
    for flat in [true, false] {
        let model = on_floor(ground(), ring, 0.5, law(0.4, 0.3));
        let tilt = if flat { 0.0 } else { 0.4f64 };
        let mut state = start([0.0, 0.0, 0.021 + 0.1 * tilt.sin()], [0.0; 3], [0.0; 3]);
        state.motions[1].pose.orientation = UnitQuaternion::from_euler_angles(0.0, tilt, 0.0);
        let mut run = run(&model, state);
        let before = Energy::of(&model, run.state()).unwrap();
        let mut least = before.mechanical();
        run.advance(0.2, &mut |now| {
            let lowest = now.state.motions[1].pose.position.z - 0.02;
            let energy = Energy::of(&model, now.state)?.mechanical();
            // A hop brings no more than ½ m v², v the speed of settling.
            assert!(lowest > -1e-6 && energy < least + 2.6e-5, "{lowest:e} {:e}", energy - least);
            least = least.min(energy);
            Ok(())
        })
        .unwrap();
        let energy = Energy::of(&model, run.state()).unwrap();
        assert!((energy.total() - before.total()).abs() < 1e-9);
        assert!(energy.mechanical() < 0.4 * before.mechanical() || flat);
        let height = run.state().motions[1].pose.position.z;
        assert!(!flat || (height - 0.02).abs() < 1e-5, "{height}");
    }
}

#[test]
fn a_spinning_ball_is_braked_and_then_spins_no_more() {
    let (resistance, rate, radius) = (2e-3, 20.0, 0.05);
    let law = law(0.5, 0.5).with_resistance(Resistance::new(0.0, resistance, 1e-3).unwrap());
    let model = on_floor(ground(), Sphere::new(radius).unwrap(), 2.0, law);
    let mut run = run(&model, start([0.0, 0.0, radius], [0.0; 3], [0.0, 0.0, rate]));
    assert_eq!(mode(&run), Some(Mode::Rolling));
    let stop = 0.4 * radius * radius * rate / (resistance * GRAVITY);
    run.advance(0.5 * stop, &mut |_| Ok(())).unwrap();
    assert!((run.state().motions[1].angular_velocity_body.z - 0.5 * rate).abs() < 1e-9);
    run.advance(1.01 * stop, &mut |_| Ok(())).unwrap();
    assert_eq!(mode(&run), Some(Mode::Spinless));
    assert_eq!(run.state().motions[1].angular_velocity_body.z, 0.0);
    let energy = Energy::of(&model, run.state()).unwrap();
    let expected = 0.5 * 0.4 * 2.0 * (radius * rate).powi(2);
    assert!((energy.contacts.friction_loss - expected).abs() < 1e-9 * expected);
}

/// Friction that slip shares with spin: v̇ = −7/2 μg v/s and ω̇ = −μg ρ²/(0.4 R²) ω/s with s² = v² + ρ²ω², so that v
/// ω^{−k} is kept with k = 3.5·0.4 R²/ρ². What spins alone is braked by μNρ.
#[test]
fn slip_and_spin_that_share_the_friction_die_together_and_then_the_ball_sticks() {
    let (mu, rho, radius) = (0.3, 0.04, 0.05);
    let shared = Coulomb::new(mu, 1e-3).unwrap().with_spin_radius(rho).unwrap();
    let shared = law(mu, 0.5).with_friction(shared);
    let model = on_floor(ground(), Sphere::new(radius).unwrap(), 2.0, shared);
    let arm = 0.4 * radius * radius;
    let slip = |run: &Rolling<'_>| {
        let motion = &run.state().motions[1];
        let angular = motion.twist().angular_velocity;
        let slip = motion.velocity + angular.cross(&Vec3::new(0.0, 0.0, -radius));
        (slip.xy().norm(), angular.z)
    };
    // Spin alone.
    let rate = 20.0;
    let begin = start([0.0, 0.0, radius], [0.0; 3], [0.0, 0.0, rate]);
    let both = start([0.0, 0.0, radius], [0.4, 0.1, 0.0], [0.0, 0.0, 12.0]);
    let [mut run, mut other] = [begin, both].map(|begin| run(&model, begin));
    assert_eq!(mode(&run), Some(Mode::Sliding));
    let stop = arm * rate / (mu * rho * GRAVITY);
    run.advance(0.5 * stop, &mut |_| Ok(())).unwrap();
    assert!((run.state().motions[1].angular_velocity_body.z - 0.5 * rate).abs() < 1e-8);
    run.advance(1.01 * stop, &mut |_| Ok(())).unwrap();
    assert_eq!(mode(&run), Some(Mode::Spinless));
    assert_eq!(run.state().motions[1].angular_velocity_body.z, 0.0);
    // Both, and what is lost is in the books.
    let before = Energy::of(&model, other.state()).unwrap().total();
    let (v, spin) = slip(&other);
    let kept = 3.5 * arm / (rho * rho);
    other.advance(0.05, &mut |_| Ok(())).unwrap();
    let (later, spun) = slip(&other);
    assert!(later < 0.8 * v && spun < 0.9 * spin);
    assert!(
        (later / v - (spun / spin).powf(kept)).abs() < 1e-8,
        "{} {}",
        later / v,
        (spun / spin).powf(kept)
    );
    other.advance(1.0, &mut |_| Ok(())).unwrap();
    assert!(mode(&other) == Some(Mode::Spinless) && slip(&other).1.abs() < 1e-12);
    let after = Energy::of(&model, other.state()).unwrap();
    assert!((after.total() - before).abs() < 1e-9 && after.contacts.friction_loss > 0.0);
}

#[test]
fn a_rolling_body_that_does_not_spin_takes_a_torque_within_its_bound() {
    // An egg rolls in a curve and so wants to spin: without spin it takes a torque about the normal.
    let egg = Ellipsoid::new([0.09, 0.06, 0.05]).unwrap();
    for (resistance, kept) in [(0.05, Mode::Spinless), (1e-5, Mode::Rolling)] {
        let law = law(2.0, 0.5).with_resistance(Resistance::new(0.0, resistance, 1e-3).unwrap());
        let model = on_floor(ground(), egg, 1.0, law);
        let mut state = start([0.0, 0.0, 0.052], [0.0; 3], [0.0; 3]);
        state.motions[1].pose.orientation = UnitQuaternion::from_euler_angles(0.25, 0.2, 0.0);
        let settings = Settings { touching: 5e-3, ..settings() };
        let mut run = Rolling::new(&model, state, settings).unwrap();
        let before = Energy::of(&model, run.state()).unwrap().total();
        let mut seen = Vec::new();
        run.advance(0.5, &mut |now| {
            seen.extend(
                now.state.rigid_contacts.as_ref().unwrap()[1].map(|rigid_contact| rigid_contact.mode),
            );
            for (_, found) in now.active_contacts {
                let torque = found.kinematics.normal.dot(&found.force.torque).abs();
                assert!(torque <= resistance * found.force.normal * (1.0 + 1e-9));
            }
            Ok(())
        })
        .unwrap();
        assert!(seen.contains(&kept), "{resistance}");
        let energy = Energy::of(&model, run.state()).unwrap().total();
        assert!((energy - before).abs() < 1e-9, "{:e}", energy - before);
    }
}

/// Both balls have rigid contacts with the floor, which are kept with the velocities after the impact.
#[test]
fn a_ball_that_slides_gives_its_velocity_to_one_that_rests_on_the_same_floor() {
    let ball = |name: &str| {
        let shape = Shape::from(Sphere::new(0.03).unwrap());
        (BodyModel::free(name, uniform(shape.surface(), 0.2)), shape, Pose::identity())
    };
    let floor = (BodyModel::fixed("floor"), Shape::from(ground()), Pose::identity());
    let model = model(vec![floor, ball("one"), ball("other")], law(0.0, 1.0));
    let at = |x: f64| Motion::at_rest(Pose::from_position(x, 0.0, 0.03));
    for coming in [1, 2] {
        let mut motions = vec![Motion::at_rest(Pose::identity()), at(0.0), at(0.1)];
        let velocity = if coming == 1 { Vec3::x() } else { -Vec3::x() };
        motions[coming].velocity = velocity;
        let mut run = run(&model, State::new(motions));
        run.advance(0.1, &mut |_| Ok(())).unwrap();
        let motions = &run.state().motions;
        assert!(motions[coming].velocity.norm() < 1e-9, "{}", motions[coming].velocity);
        assert!((motions[3 - coming].velocity - velocity).norm() < 1e-9);
        let contacts = run.state().rigid_contacts.as_ref().unwrap();
        assert!(contacts[1].is_some() && contacts[2].is_some());
    }
}
