use super::slope;
use proptest::prelude::*;
use rattleback_contact::law::normal::{Hysteresis, Indentation, KelvinVoigt, NormalLaw, Rule};

/// Every law with some of its parameters, pulling and not.
fn laws(restitution: f64, exponent: f64) -> Vec<NormalLaw> {
    let mut all: Vec<NormalLaw> = Rule::ALL
        .into_iter()
        .map(|rule| Hysteresis::new(rule, restitution, exponent).unwrap().into())
        .collect();
    all.push(KelvinVoigt::with_restitution(restitution, 1e5, 0.1).unwrap().into());
    let pulling: Vec<NormalLaw> = all.iter().map(|law| law.adhesive()).collect();
    all.extend(pulling);
    all
}

fn indentation(depth: f64, rate: f64) -> Indentation {
    Indentation { depth, rate, approach_speed: 0.7, stiffness: 2e6 }
}

#[test]
fn derivatives_agree_with_differences_in_every_regime() {
    for exponent in [1.0, 1.5, 2.2] {
        for law in laws(0.3, exponent) {
            // Approaching, at rest, receding slowly, and so fast that the force would pull.
            for rate in [2.0, 0.4, 0.0, -0.1, -3.0, -40.0] {
                let at = indentation(3e-3, rate);
                let found = law.force(&at);
                let depth = slope(1e-6, |d| {
                    let f = law.force(&Indentation { depth: at.depth + d, ..at });
                    [f.force, f.stored]
                });
                let by_rate = slope(1e-4, |d| [law.force(&Indentation { rate: at.rate + d, ..at }).force]);
                let stiffness = slope(1e3, |d| {
                    let f = law.force(&Indentation { stiffness: at.stiffness + d, ..at });
                    [f.force, f.stored]
                });
                let scale = found.force.abs().max(1.0);
                assert!((depth[0] - found.by_depth).abs() < 1e-8 * scale / at.depth, "{law:?} {rate}");
                assert!((by_rate[0] - found.by_rate).abs() < 1e-8 * scale, "{law:?} {rate}");
                assert!((stiffness[0] - found.by_stiffness).abs() < 1e-9 * scale / 1e3, "{law:?} {rate}");
                assert!((stiffness[1] / found.stored_by_stiffness - 1.0).abs() < 1e-8);
                // The stored energy is the work of the elastic part: the force without rate.
                let elastic = law.force(&indentation(at.depth, 0.0)).force;
                assert!((depth[1] / elastic - 1.0).abs() < 1e-8, "{law:?}");
            }
        }
    }
}

#[test]
fn without_depth_there_is_no_force_and_nan_makes_none() {
    for law in laws(0.5, 1.5) {
        for depth in [0.0, -0.0, -1e-3, f64::NEG_INFINITY, f64::NAN] {
            let found = law.force(&indentation(depth, 1.0));
            assert_eq!((found.force, found.stored, found.damped), (0.0, 0.0, 0.0));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn energy_is_never_made_and_the_force_pulls_only_if_asked(
        restitution in 0.05f64..=1.0,
        exponent in 1.0f64..4.0,
        log_depth in -12.0f64..0.0,
        rate in -100.0f64..100.0,
        log_speed in -6.0f64..2.0,
        log_stiffness in 0.0f64..12.0,
    ) {
        let count = laws(restitution, exponent).len();
        for (i, law) in laws(restitution, exponent).into_iter().enumerate() {
            let at = Indentation {
                depth: 10f64.powf(log_depth),
                rate,
                approach_speed: 10f64.powf(log_speed),
                stiffness: 10f64.powf(log_stiffness),
            };
            let found = law.force(&at);
            prop_assert!(found.damped >= 0.0, "{law:?} {at:?} {found:?}");
            prop_assert!(found.stored >= 0.0);
            prop_assert!(found.force >= 0.0 || i >= count / 2, "{law:?} {at:?}");
            // What the force does against the approach is stored or damped.
            let elastic = law.force(&Indentation { rate: 0.0, ..at }).force;
            let work = found.force * rate;
            let sum = elastic * rate + found.damped;
            prop_assert!((work - sum).abs() <= 1e-12 * (work.abs() + (elastic * rate).abs()), "{law:?} {at:?}");
        }
    }
}

#[test]
fn a_ball_on_a_plane_touches_it_in_a_circle_of_hertz_s_radius_and_pressure() {
    use rattleback_contact::material::Material;
    use rattleback_contact::{Collider, Kinematics, Twist, contact, law};
    use rattleback_geom::Pose;
    use rattleback_geom::surface::{Plane, Sphere};

    let (radius, depth) = (0.05, 2e-6);
    let steel = Material::new(210e9, 0.3).unwrap();
    let law = law::hertz(&steel, &steel);
    let floor = Collider::new(Plane::new([0.0, 0.0, 1.0], 0.0).unwrap(), Pose::identity());
    let ball = Collider::new(Sphere::new(radius).unwrap(), Pose::from_position(0.0, 0.0, radius - depth));
    let found = contact(&floor, &ball).unwrap();
    let at_rest = Twist::zero();
    let motion = Kinematics::new(&floor, &ball, &found.touch, [&at_rest, &at_rest], law.share());
    let force = law.force(&found, &motion, &law.begin(-1e-3).unwrap()).unwrap();
    let circle = (radius * depth).sqrt();
    for axis in force.patch {
        assert!((axis - circle).abs() < 1e-9 * circle, "{axis} {circle}");
    }
    // p₀ = (2/π) E* √(δ/R), K. L. Johnson, Contact Mechanics, section 4.2.
    let expected = 2.0 / std::f64::consts::PI * steel.effective_modulus(&steel) * (depth / radius).sqrt();
    let pressure = force.greatest_pressure().unwrap();
    assert!((pressure - expected).abs() < 1e-9 * expected, "{pressure} {expected}");
    let given = law::stiffness(1e9).unwrap();
    let force = given.force(&found, &motion, &given.begin(-1e-3).unwrap()).unwrap();
    assert_eq!(force.greatest_pressure(), None);
}
