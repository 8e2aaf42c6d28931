//! The ledger of a contact closes: an oblique impact of two spinning ellipsoids, integrated in time, under every kind
//! of law.

use rattleback_contact::geom::nalgebra::{Quaternion, UnitQuaternion};
use rattleback_contact::geom::surface::{Ellipsoid, Surface};
use rattleback_contact::geom::{Mat3, Pose, Vec3};
use rattleback_contact::law::friction::{Bristle, Coulomb};
use rattleback_contact::law::normal::{Hysteresis, KelvinVoigt, Rule};
use rattleback_contact::law::{Application, ContactLaw, ContactState, Resistance};
use rattleback_contact::material::{Material, Stiffness};
use rattleback_contact::{Collider, Kinematics, Ledger, Start, Twist, contact, contact_from, rates};
use rattleback_dynamics::integrator::{
    AdvanceOutcome, Direction, Dop853, Equations, Event, Settings, Stepper, Tolerance, advance,
};
use rattleback_dynamics::{DynamicsError, Result};

/// Per body: position 3, quaternion 4, velocity 3, angular momentum 3 in world axes.
const BODY: usize = 13;
/// Then the bristle, damped, friction_loss, stiffness_change.
const BRISTLE: usize = 2 * BODY;
const BOOKS: usize = BRISTLE + 3;

#[derive(Clone)]
struct Impact {
    shapes: [Ellipsoid; 2],
    mass: [f64; 2],
    inertia: [Mat3; 2],
    law: ContactLaw,
    approach_speed: f64,
    normal: Vec3,
}

fn vector(y: &[f64], at: usize) -> Vec3 {
    Vec3::new(y[at], y[at + 1], y[at + 2])
}

impl Impact {
    fn bodies(&self, y: &[f64]) -> [(Collider, Twist, Mat3); 2] {
        std::array::from_fn(|k| {
            let at = BODY * k;
            let q = Quaternion::new(y[at + 3], y[at + 4], y[at + 5], y[at + 6]);
            let pose = Pose::new(vector(y, at), UnitQuaternion::from_quaternion(q));
            let r = pose.rotation();
            let inverse = r * self.inertia[k].try_inverse().unwrap() * r.transpose();
            let twist = Twist { velocity: vector(y, at + 7), angular_velocity: inverse * vector(y, at + 10) };
            (Collider::new(self.shapes[k], pose), twist, inverse)
        })
    }

    fn kinetic(&self, y: &[f64]) -> f64 {
        let bodies = self.bodies(y);
        let part = |k: usize| {
            let (_, twist, _) = &bodies[k];
            0.5 * self.mass[k] * twist.velocity.norm_squared()
                + 0.5 * twist.angular_velocity.dot(&vector(y, BODY * k + 10))
        };
        part(0) + part(1)
    }

    fn gap(&self, y: &[f64]) -> Result<f64> {
        let [(a, ..), (b, ..)] = &self.bodies(y);
        Ok(contact_from(a, b, Start::Warm(self.normal))?.touch.gap)
    }

    /// The ledger and the rate of the state.
    fn evaluate(&self, y: &[f64], dy: &mut [f64]) -> Result<Ledger> {
        let bodies = self.bodies(y);
        let [(a, twist_a, _), (b, twist_b, _)] = &bodies;
        let found = contact_from(a, b, Start::Warm(self.normal))?;
        let kinematics = Kinematics::new(a, b, &found.touch, [twist_a, twist_b], self.law.share());
        let state = ContactState { approach_speed: self.approach_speed, bristle: vector(y, BRISTLE) };
        let force = self.law.force(&found, &kinematics, &state)?;
        let rates = rates(a, b, &found, [twist_a, twist_b])?;
        let powers = force.powers(&rates);
        for (k, [f, torque]) in force.wrenches(&kinematics).into_iter().enumerate() {
            let (at, (collider, twist, _)) = (BODY * k, &bodies[k]);
            let w = twist.angular_velocity;
            let q = Quaternion::new(0.0, w.x, w.y, w.z) * *collider.pose.orientation.quaternion() * 0.5;
            dy[at..at + 3].copy_from_slice(twist.velocity.as_slice());
            dy[at + 3..at + 7].copy_from_slice(&[q.w, q.i, q.j, q.k]);
            dy[at + 7..at + 10].copy_from_slice((f / self.mass[k]).as_slice());
            dy[at + 10..at + 13].copy_from_slice(torque.as_slice());
        }
        let bristle = force.bristle_rate(&kinematics, &rates, &state);
        dy[BRISTLE..BOOKS].copy_from_slice(bristle.as_slice());
        dy[BOOKS..].copy_from_slice(&[powers.damped, powers.friction_loss, powers.stiffness_change]);
        let [damped, friction_loss, stiffness_change] = [y[BOOKS], y[BOOKS + 1], y[BOOKS + 2]];
        Ok(Ledger { stored: powers.stored, bristle: powers.bristle, damped, friction_loss, stiffness_change })
    }
}

impl Equations for Impact {
    fn dimension(&self) -> usize {
        BOOKS + 3
    }

    fn rate(&mut self, _t: f64, y: &[f64], dy: &mut [f64]) -> Result<()> {
        self.evaluate(y, dy).map(|_| ())
    }
}

fn laws() -> Vec<(&'static str, ContactLaw)> {
    let (rubber, wood) = (Material::new(5e6, 0.45).unwrap(), Material::new(9e8, 0.3).unwrap());
    let hertz = Stiffness::hertz(&rubber, &wood);
    let given = Stiffness::given(3e4).unwrap();
    let exact = Hysteresis::new(Rule::Exact, 0.6, 1.5).unwrap();
    let resistance = Resistance::new(1e-3, 2e-3, 0.5).unwrap();
    let bristle = Bristle::new(0.2, 0.05, 2e4, 30.0).unwrap().with_static(0.3).unwrap();
    let by_stiffness = Application::by_stiffness(&rubber, &wood);
    let of = |stiffness, normal| ContactLaw::new(stiffness, normal).unwrap();
    vec![
        ("given stiffness, no friction", of(given, exact)),
        ("Hertz, no friction", of(hertz, exact)),
        ("Hertz and Coulomb", of(hertz, exact).with_friction(Coulomb::new(0.3, 0.05).unwrap())),
        (
            "Hertz, viscous, resistance",
            of(hertz, exact)
                .with_friction(Coulomb::with_viscous(0.3, 1.0, 0.05).unwrap())
                .with_resistance(resistance)
                .with_application(by_stiffness)
                .unwrap(),
        ),
        (
            "Hertz and friction shared with spin",
            of(hertz, exact)
                .with_friction(Coulomb::new(0.3, 0.05).unwrap().with_spin_radius(0.01).unwrap())
                .with_resistance(resistance),
        ),
        (
            "linear and bristle",
            ContactLaw::new(given, KelvinVoigt::new(5.0).unwrap())
                .unwrap()
                .with_friction(bristle)
                .with_resistance(resistance),
        ),
    ]
}

/// Two ellipsoids that just touch and approach each other, sliding and spinning.
fn impact(law: ContactLaw) -> (Impact, Vec<f64>) {
    let shapes = [Ellipsoid::new([0.1, 0.07, 0.05]).unwrap(), Ellipsoid::new([0.06, 0.09, 0.08]).unwrap()];
    let q = |v: [f64; 3]| UnitQuaternion::from_scaled_axis(v.into());
    let a = Collider::new(shapes[0], Pose::new(Vec3::zeros(), q([0.2, 0.5, -0.3])));
    let mut b = Collider::new(shapes[1], Pose::new(Vec3::new(0.1, 0.1, 0.1), q([-0.4, 0.1, 0.8])));
    for _ in 0..4 {
        let touch = contact(&a, &b).unwrap().touch;
        b.pose.position -= touch.normal * touch.gap;
    }
    let normal = contact(&a, &b).unwrap().touch.normal;
    let moments = [0, 1].map(|k| shapes[k].moments().unwrap().with_density(1100.0).unwrap());
    let (mass, inertia) = (moments.each_ref().map(|m| m.mass), moments.each_ref().map(|m| m.inertia));
    let mut impact = Impact { shapes, mass, inertia, law, approach_speed: 1.0, normal };
    let mut y = vec![0.0; BOOKS + 3];
    let angular_velocity = [Vec3::new(3.0, -2.0, 4.0), Vec3::new(-5.0, 1.0, 2.0)];
    let velocity = [Vec3::new(0.3, 0.1, -0.2), -normal * 1.2 + Vec3::new(0.4, -0.3, 0.2)];
    for (k, collider) in [&a, &b].into_iter().enumerate() {
        let at = BODY * k;
        let r = collider.pose.rotation();
        let momentum = r * impact.inertia[k] * r.transpose() * angular_velocity[k];
        y[at..at + 3].copy_from_slice(collider.pose.position.as_slice());
        y[at + 3..at + 7].copy_from_slice(&collider.pose.wxyz());
        y[at + 7..at + 10].copy_from_slice(velocity[k].as_slice());
        y[at + 10..at + 13].copy_from_slice(momentum.as_slice());
    }
    let [(a, twist_a, _), (b, twist_b, _)] = impact.bodies(&y);
    let found = contact(&a, &b).unwrap();
    let kinematics = Kinematics::new(&a, &b, &found.touch, [&twist_a, &twist_b], law.share());
    impact.approach_speed = law.begin(kinematics.gap_rate).unwrap().approach_speed;
    assert!(impact.approach_speed > 0.5);
    (impact, y)
}

#[test]
fn the_ledger_closes_to_a_billionth_of_the_energy_turned_over() {
    for (name, law) in laws() {
        let (mut impact, y) = impact(law);
        let before = impact.kinetic(&y);
        let tolerance = Tolerance::new(1e-12, 1e-13).unwrap();
        let mut stepper = Dop853::new(0.0, &y, tolerance, Settings::default()).unwrap();
        let (watch, check) = (impact.clone(), impact.clone());
        let mut parted = [Event::new(Direction::Rising, |_, y: &[f64]| watch.gap(y))];
        let (mut worst, mut stored) = (0.0f64, 0.0f64);
        let mut here = y.clone();
        let mut dy = y.clone();
        let outcome = advance(&mut stepper, &mut impact, &mut parted, 1.0, &mut |step| {
            step.interpolate(step.end(), &mut here);
            let ledger = check.evaluate(&here, &mut dy)?;
            stored = stored.max(ledger.stored);
            worst = worst.max((check.kinetic(&here) + ledger.taken() - before).abs());
            Ok::<(), DynamicsError>(())
        })
        .unwrap();
        assert!(matches!(outcome, AdvanceOutcome::Event { .. }), "{name}: the bodies did not part");
        assert!(stored > 0.2 * before, "{name}: only {stored} of {before} J were stored");
        assert!(worst < 1e-9 * before, "{name}: the ledger misses {worst} of {before} J");
        let mut ledger = check.evaluate(stepper.state(), &mut dy).unwrap();
        ledger.close();
        let after = check.kinetic(stepper.state());
        assert!((after + ledger.taken() - before).abs() < 1e-9 * before, "{name}: {ledger:?}");
        assert!(ledger.damped > 0.01 * before && ledger.friction_loss >= 0.0, "{name}: {ledger:?}");
        assert!(ledger.stiffness_change == 0.0 || name.contains("Hertz"), "{name}: {ledger:?}");
    }
}
