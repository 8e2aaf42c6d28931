//! Overlapping pairs with laws and motions for the tests of whole contacts.

use rattleback_contact::geom::nalgebra::UnitQuaternion;
use rattleback_contact::geom::surface::{Ellipsoid, Plane, Shape, Sphere, Superellipsoid};
use rattleback_contact::geom::{Pose, Vec3};
use rattleback_contact::law::friction::{Bristle, Coulomb};
use rattleback_contact::law::normal::{Hysteresis, KelvinVoigt, Rule};
use rattleback_contact::law::{Application, ContactLaw, ContactState, Resistance};
use rattleback_contact::material::{Material, Stiffness};
use rattleback_contact::{Collider, ContactForce, Kinematics, Start, Twist, contact, contact_from};

/// Two bodies, how they move, their laws and what their contact remembers.
#[derive(Clone)]
pub struct Scene {
    pub name: &'static str,
    pub bodies: [Collider; 2],
    pub twist: [Twist; 2],
    pub law: ContactLaw,
    pub state: ContactState,
}

impl Scene {
    /// Everything about the contact, on the branch of `start`.
    pub fn evaluate(&self, start: Start) -> (rattleback_contact::Contact, Kinematics, ContactForce) {
        let [a, b] = &self.bodies;
        let contact = contact_from(a, b, start).unwrap();
        let kinematics =
            Kinematics::new(a, b, &contact.touch, [&self.twist[0], &self.twist[1]], self.law.share());
        let force = self.law.force(&contact, &kinematics, &self.state).unwrap();
        (contact, kinematics, force)
    }

    /// The scene after a small change of both poses: dx and a rotation for A, then for B.
    pub fn moved(&self, d: &[f64; 12], s: f64) -> Self {
        let mut scene = self.clone();
        for (k, body) in scene.bodies.iter_mut().enumerate() {
            let part = |i: usize| Vec3::new(d[6 * k + i], d[6 * k + i + 1], d[6 * k + i + 2]) * s;
            body.pose = Pose::new(
                body.pose.position + part(0),
                UnitQuaternion::from_scaled_axis(part(3)) * body.pose.orientation,
            );
        }
        scene
    }

    /// The scene with changed twists.
    pub fn driven(&self, d: &[f64; 12], s: f64) -> Self {
        let mut scene = self.clone();
        for (k, twist) in scene.twist.iter_mut().enumerate() {
            let part = |i: usize| Vec3::new(d[6 * k + i], d[6 * k + i + 1], d[6 * k + i + 2]) * s;
            twist.velocity += part(0);
            twist.angular_velocity += part(3);
        }
        scene
    }
}

/// Pushes B into A until they overlap by `depth`.
fn pressed(a: Collider, mut b: Collider, depth: f64) -> [Collider; 2] {
    for _ in 0..3 {
        let touch = contact(&a, &b).unwrap().touch;
        b.pose.position -= touch.normal * (touch.gap + depth);
    }
    [a, b]
}

fn laws() -> [ContactLaw; 5] {
    let rubber = Material::new(5e6, 0.45).unwrap();
    let wood = Material::new(9e6, 0.3).unwrap();
    let hertz = Stiffness::hertz(&rubber, &wood);
    let given = Stiffness::given(3e4).unwrap();
    let flores = Hysteresis::new(Rule::Flores, 0.6, 1.5).unwrap();
    let resistance = Resistance::new(1e-3, 2e-3, 0.5).unwrap();
    let bristle = Bristle::new(0.3, 0.05, 2e4, 30.0).unwrap().with_static(0.5).unwrap();
    let shared = Coulomb::with_viscous(0.4, 3.0, 0.1).unwrap().with_spin_radius(0.07).unwrap();
    [
        ContactLaw::new(hertz, flores).unwrap().with_friction(shared).with_resistance(resistance),
        ContactLaw::new(hertz, flores).unwrap().with_friction(Coulomb::new(0.4, 0.1).unwrap()),
        ContactLaw::new(hertz, flores)
            .unwrap()
            .with_friction(Coulomb::with_viscous(0.4, 3.0, 0.1).unwrap())
            .with_resistance(resistance)
            .with_application(Application::by_stiffness(&rubber, &wood))
            .unwrap(),
        ContactLaw::new(given, KelvinVoigt::new(20.0).unwrap())
            .unwrap()
            .with_friction(bristle)
            .with_resistance(resistance),
        ContactLaw::new(given, KelvinVoigt::new(500.0).unwrap().adhesive()).unwrap().with_friction(bristle),
    ]
}

/// Pairs of several shapes under every law, with linear and angular motion of both.
pub fn all() -> Vec<Scene> {
    let pose = |p: [f64; 3], q: [f64; 3]| Pose::new(p.into(), UnitQuaternion::from_scaled_axis(q.into()));
    let ellipsoid = |axes| Shape::from(Ellipsoid::new(axes).unwrap());
    let pairs: Vec<(&'static str, [Collider; 2])> = vec![
        (
            "two ellipsoids",
            pressed(
                Collider::new(ellipsoid([0.3, 0.2, 0.25]), pose([0.1, 0.2, -0.1], [0.3, -0.2, 0.9])),
                Collider::new(ellipsoid([0.2, 0.3, 0.15]), pose([0.3, 0.4, 0.4], [-0.5, 0.4, 0.1])),
                4e-3,
            ),
        ),
        (
            "ellipsoid on a plane",
            pressed(
                Collider::new(Plane::new([0.0, 0.0, 1.0], 0.0).unwrap(), pose([0.0; 3], [0.1, 0.2, 0.0])),
                Collider::new(ellipsoid([0.2, 0.3, 0.15]), pose([0.3, 0.4, 0.4], [-0.5, 0.4, 0.1])),
                3e-3,
            ),
        ),
        (
            "sphere under an ellipsoid",
            pressed(
                Collider::new(ellipsoid([0.2, 0.1, 0.15]), pose([0.0; 3], [1.0, 0.2, 0.0])),
                Collider::new(Sphere::new(0.1).unwrap(), pose([-0.1, 0.1, -0.3], [0.0; 3])),
                2e-3,
            ),
        ),
        (
            "two superellipsoids",
            pressed(
                Collider::new(
                    Superellipsoid::new([0.3, 0.2, 0.25], [2.5, 1.8]).unwrap(),
                    pose([0.1, 0.2, -0.1], [0.3, -0.2, 0.9]),
                ),
                Collider::new(
                    Superellipsoid::new([0.2, 0.3, 0.15], [3.0, 2.2]).unwrap(),
                    pose([0.3, 0.5, 0.4], [-0.5, 0.4, 0.1]),
                ),
                4e-3,
            ),
        ),
    ];
    let twist = [
        Twist { velocity: Vec3::new(0.1, -0.2, 0.15), angular_velocity: Vec3::new(0.7, -0.4, 0.9) },
        Twist { velocity: Vec3::new(-0.1, 0.1, -0.1), angular_velocity: Vec3::new(-0.8, 0.5, 1.2) },
    ];
    let mut scenes = Vec::new();
    for (name, bodies) in pairs {
        for law in laws() {
            let bristle = Vec3::new(2e-4, -1e-4, 3e-4);
            let state = ContactState { bristle, ..law.begin(-0.5).unwrap() };
            scenes.push(Scene { name, bodies: bodies.clone(), twist, law, state });
        }
    }
    scenes
}
