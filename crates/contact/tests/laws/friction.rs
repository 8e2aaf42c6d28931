use super::slope;
use proptest::prelude::*;
use rattleback_contact::geom::{Mat3, Vec3};
use rattleback_contact::law::Resistance;
use rattleback_contact::law::friction::{Bristle, Coulomb, FrictionLaw, Partials, Slip};

const STIFFNESS: f64 = 1e5;

/// Friction that slip shares with spin.
fn shared() -> Coulomb {
    Coulomb::with_viscous(0.4, 3.0, 1e-3).unwrap().with_spin_radius(2e-4).unwrap()
}

fn laws() -> Vec<FrictionLaw> {
    let bristle = Bristle::new(0.3, 1e-2, STIFFNESS, 40.0).unwrap();
    vec![
        FrictionLaw::None,
        Coulomb::new(0.4, 1e-3).unwrap().into(),
        Coulomb::with_viscous(0.4, 3.0, 1e-3).unwrap().into(),
        shared().into(),
        bristle.into(),
        bristle.with_static(0.6).unwrap().with_viscous(5.0).unwrap().into(),
        Bristle::new(0.3, 1e-2, STIFFNESS, 0.0).unwrap().with_static(0.2).unwrap().into(),
    ]
}

fn check(name: &str, exact: &Partials, by: &str, found: [f64; 3], column: usize, scale: f64) {
    let expected: Vec3 = match by {
        "velocity" => exact.by_velocity.column(column).into(),
        "bristle" => exact.by_bristle.column(column).into(),
        _ => exact.by_normal_force,
    };
    let error = (Vec3::from(found) - expected).norm();
    assert!(error < 2e-7 * scale, "{name} by {by}[{column}]: {found:?} against {expected:?}");
}

#[test]
fn derivatives_agree_with_differences_in_every_regime() {
    let stretch = |x: f64, y: f64| Vec3::new(x, y, 0.0) * (5.0 / STIFFNESS);
    for law in laws() {
        // Slow, about the transition and fast; the bristle within its limit, beyond it and against the slip.
        for velocity in [[1e-6, 2e-6, 0.0], [3e-4, -2e-4, 0.0], [7e-3, 4e-3, 0.0], [0.3, -0.2, 0.0]] {
            for bristle in [stretch(0.1, 0.2), stretch(2.0, 1.0), stretch(-3.0, 0.5), stretch(0.01, -0.02)] {
                let at = Slip { velocity: velocity.into(), spin: 3.0, normal_force: 10.0, bristle };
                let found = law.partials(&at);
                let both = |slip: &Slip| {
                    let f = law.force(slip);
                    let (a, b) = (f.force, f.bristle_rate);
                    [a.x, a.y, a.z, b.x, b.y, b.z]
                };
                let speed = at.velocity.norm();
                let name = format!("{law:?} at {at:?}");
                let halves = |s: [f64; 6]| ([s[0], s[1], s[2]], [s[3], s[4], s[5]]);
                for column in 0..2 {
                    let axis = Vec3::ith(column, 1.0);
                    let h = 1e-3 * speed;
                    let (f, z) = halves(slope(h, |d| both(&Slip { velocity: at.velocity + axis * d, ..at })));
                    check(&name, &found.force, "velocity", f, column, found.force.by_velocity.norm() + 1.0);
                    let scale = found.bristle_rate.by_velocity.norm() + 1.0;
                    check(&name, &found.bristle_rate, "velocity", z, column, scale);
                    let h = 1e-3 * at.bristle.norm();
                    let (f, z) = halves(slope(h, |d| both(&Slip { bristle: at.bristle + axis * d, ..at })));
                    check(&name, &found.force, "bristle", f, column, STIFFNESS);
                    let scale = found.bristle_rate.by_bristle.norm() + 1.0;
                    check(&name, &found.bristle_rate, "bristle", z, column, scale);
                }
                let (f, z) = halves(slope(1e-3, |d| both(&Slip { normal_force: 10.0 + d, ..at })));
                check(&name, &found.force, "force", f, 0, 1.0);
                check(
                    &name,
                    &found.bristle_rate,
                    "force",
                    z,
                    0,
                    1e-3 + found.bristle_rate.by_normal_force.norm(),
                );
            }
        }
    }
}

#[test]
fn derivatives_at_rest_are_finite_and_the_friction_is_zero() {
    for law in laws() {
        let found = law.partials(&Slip {
            velocity: Vec3::zeros(),
            spin: 0.0,
            normal_force: 3.0,
            bristle: Vec3::zeros(),
        });
        assert_eq!(found.force.value, Vec3::zeros());
        for m in [found.force.by_velocity, found.force.by_bristle, found.bristle_rate.by_velocity] {
            assert!(m.iter().all(|x| x.is_finite()));
        }
        let nothing =
            law.partials(&Slip { velocity: Vec3::x(), spin: 0.0, normal_force: 0.0, bristle: Vec3::zeros() });
        assert!(nothing.force.by_normal_force.iter().all(|x| x.is_finite()));
        assert!(nothing.bristle_rate.value.iter().all(|x| x.is_finite()));
    }
}

/// Of the spin too: ∂F/∂ω, ∂T/∂v, ∂T/∂ω, and both proportional to N but for the viscous term.
#[test]
fn friction_shared_with_spin_agrees_with_differences_and_keeps_its_limit_surface() {
    let law = FrictionLaw::from(shared());
    for velocity in [[0.0, 0.0, 0.0], [1e-6, 2e-6, 0.0], [3e-4, -2e-4, 0.0], [7e-3, 4e-3, 0.0]] {
        for spin in [0.0, 1e-3, -4.0, 70.0] {
            let at = Slip { velocity: velocity.into(), spin, normal_force: 10.0, bristle: Vec3::zeros() };
            let (found, force) = (law.partials(&at), law.force(&at));
            assert_eq!((found.force.value, found.torque), (force.force, force.torque));
            let all = |slip: &Slip| {
                let f = law.force(slip);
                [f.force.x, f.force.y, f.torque]
            };
            let name = format!("{at:?}");
            let (per, rho) = (0.4 * 10.0 / 1e-3, 2e-4);
            for column in 0..2 {
                let axis = Vec3::ith(column, 1.0);
                let h = 1e-6f64.max(1e-3 * at.velocity.norm());
                let slope = slope(h, |d| all(&Slip { velocity: at.velocity + axis * d, ..at }));
                assert!((slope[2] - found.torque_by_velocity[column]).abs() < 1e-6 * per * rho, "{name}");
                assert!((slope[0] - found.force.by_velocity[(0, column)]).abs() < 1e-6 * per, "{name}");
            }
            let slope = slope(1e-3f64.max(1e-3 * spin.abs()), |d| all(&Slip { spin: spin + d, ..at }));
            assert!((slope[0] - found.force_by_spin.x).abs() < 1e-6 * per * rho, "{name}");
            assert!((slope[1] - found.force_by_spin.y).abs() < 1e-6 * per * rho, "{name}");
            assert!((slope[2] - found.torque_by_spin).abs() < 1e-6 * per * rho * rho, "{name}");
            // Without the viscous term force and torque are on the ellipsoid, or within it about rest.
            let dry = FrictionLaw::from(Coulomb::new(0.4, 1e-3).unwrap().with_spin_radius(rho).unwrap());
            let dry = dry.force(&at);
            let share = (dry.force / 4.0).norm().hypot(dry.torque / (4.0 * rho));
            let rise = (at.velocity.norm().hypot(rho * spin) / 1e-3).tanh();
            assert!((share - rise).abs() < 1e-12, "{name}: {share} against {rise}");
        }
    }
}

#[test]
fn resistance_agrees_with_differences() {
    let law = Resistance::new(1e-3, 4e-3, 0.5).unwrap();
    for (tangent, normal) in [([0.2, 0.1, 0.0], 0.3), ([1e-4, 0.0, 0.0], -1e-4), ([5.0, -9.0, 0.0], -8.0)] {
        let tangent = Vec3::from(tangent);
        let found = law.torque(&tangent, normal, 20.0);
        for column in 0..2 {
            let axis = Vec3::ith(column, 1.0);
            let d = slope(1e-3 * tangent.norm(), |d| {
                law.torque(&(tangent + axis * d), normal, 20.0).rolling.into()
            });
            let expected: Vec3 = found.rolling_by_angular_velocity.column(column).into();
            assert!((Vec3::from(d) - expected).norm() < 1e-9);
        }
        let d = slope(1e-4, |d| [law.torque(&tangent, normal + d, 20.0).spinning]);
        assert!((d[0] - found.spinning_by_spin).abs() < 1e-9);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn energy_is_never_made_and_the_cone_is_kept(
        vx in -1.0f64..1.0, vy in -1.0f64..1.0, log_speed in -9.0f64..2.0,
        zx in -1.0f64..1.0, zy in -1.0f64..1.0, log_stretch in -12.0f64..-1.0,
        log_force in -9.0f64..6.0,
    ) {
        let velocity = Vec3::new(vx, vy, 0.0) * 10f64.powf(log_speed);
        let bristle = Vec3::new(zx, zy, 0.0) * 10f64.powf(log_stretch);
        let normal_force = 10f64.powf(log_force);
        for law in laws() {
            let found = law.force(&Slip { velocity, spin: 3.0, normal_force, bristle });
            prop_assert!(found.friction_loss >= 0.0 && found.stored >= 0.0, "{law:?}");
            // −F·v = friction_loss + d(stored)/dt.
            let work = -found.force.dot(&velocity) - found.torque * 3.0;
            let storing = if found.stored > 0.0 { STIFFNESS * bristle.dot(&found.bristle_rate) } else { 0.0 };
            let scale = found.friction_loss + storing.abs() + STIFFNESS * bristle.norm() * velocity.norm();
            prop_assert!((work - found.friction_loss - storing).abs() <= 1e-11 * scale, "{law:?} {work} {} {storing}", found.friction_loss);
            let bound = law.bound(normal_force, velocity.norm());
            prop_assert!(found.force.norm() <= bound * (1.0 + 1e-12), "{law:?}");
            if !matches!(law, FrictionLaw::Bristle(_)) {
                // Straight against the slip.
                prop_assert!(found.force.dot(&velocity) <= 0.0);
                prop_assert!(found.force.cross(&velocity).norm() <= 1e-12 * bound * velocity.norm());
            }
        }
        let resistance = Resistance::new(1e-3, 2e-3, 1.0).unwrap();
        let found = resistance.torque(&velocity, vx, normal_force);
        prop_assert!(found.friction_loss >= 0.0);
        prop_assert!(found.rolling.norm() <= 1e-3 * normal_force * (1.0 + 1e-12));
        prop_assert!(found.spinning.abs() <= 2e-3 * normal_force * (1.0 + 1e-12));
        prop_assert!((found.friction_loss + found.rolling.dot(&velocity) + found.spinning * vx).abs() <= 1e-12 * found.friction_loss);
        prop_assert!(found.rolling_by_angular_velocity != Mat3::zeros());
    }
}
