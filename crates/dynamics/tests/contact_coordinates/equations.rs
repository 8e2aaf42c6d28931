//! The engine's motion without friction against Kry and Pai's equations of motion (20) in the coordinates themselves.
//!
//! The twist φ = (ω, v) of the mass centre in body axes is φ = J q̇ with J = T H: H is the matrix in the axes of A's
//! contact frame F at its point r from the mass centre, and
//!
//!   ω = F ω_P,   v = F v_P + r × ω,   T = [F 0; [r]F F],   Ḟ = F [W_A (ṡ, ṫ)],   ṙ = F N_A (ṡ, ṫ)
//!
//! Without friction the contact does no work on any q̇, so that with M = diag(I, m) and the gyroscopic terms of body
//! axes
//!
//!   q̈ = (JᵀMJ)⁻¹ Jᵀ (f − M J̇ q̇ − (ω × Iω, m ω × v)),   J̇ = Ṫ H + T Ḣ
//!
//! q, q̇ and q̈ of the engine are those of its trajectory, by differences of seven states.

use super::Five;
use super::samples::{bipyramid, box_of_quads, rounded};
use rattleback_contact::law::ContactLaw;
use rattleback_contact::law::normal::{Hysteresis, Rule};
use rattleback_contact::material::Stiffness;
use rattleback_dynamics::model::{BodyId, PartId};
use rattleback_dynamics::rolling::{ContactFrames, Frame, Mode, RigidContact, Rolling, Settings, Velocities};
use rattleback_dynamics::{Accuracy, Body, BodyModel, Model, Motion, State};
use rattleback_geom::chart::Place;
use rattleback_geom::nalgebra::{SMatrix, SVector, Vector2};
use rattleback_geom::subdivision::LoopSurface;
use rattleback_geom::surface::{Ellipsoid, ParametricJet, Plane, Shape, Superellipsoid, Torus};
use rattleback_geom::{Mat3, Pose, Vec3};

type Six = SVector<f64, 6>;
type Jacobian = SMatrix<f64, 6, 5>;

/// A body that slides on a fixed one, and how its surface lies in its axes.
struct Slide {
    shapes: [Shape; 2],
    places: [Place; 2],
    part: Pose,
    body: Body,
    gravity: Vec3,
}

/// What is known of a contact at an instant, in body axes on A's side.
struct Touch {
    contact_frames: ContactFrames,
    jets: [ParametricJet; 2],
}

fn place(chart: usize, u: f64, v: f64) -> Place {
    Place { chart, u, v }
}

impl Slide {
    /// With gravity that presses the bodies together, askew.
    fn new(own: impl Into<Shape>, at: Place, carrier: impl Into<Shape>, under: Place) -> Self {
        let shapes = [own.into(), carrier.into()];
        let below = Frame::new(&shapes[1].surface().as_atlas().unwrap().jet(&under).unwrap());
        let part = Pose::from_position(0.02, -0.01, 0.03).rotated(Vec3::new(1.0, 2.0, -1.0), 0.4).unwrap();
        let inertia = Mat3::new(0.05, 0.004, 0.0, 0.004, 0.07, -0.003, 0.0, -0.003, 0.06);
        let gravity = below.axes * Vec3::new(1.0, -0.7, -9.0);
        Self { shapes, places: [at, under], part, body: Body { mass: 1.3, inertia }, gravity }
    }

    fn model(&self) -> Model {
        let mut builder = Model::builder();
        builder.gravity(self.gravity);
        let surface = builder.surface("any");
        let normal = Hysteresis::new(Rule::Exact, 0.5, 1.5).unwrap();
        builder.law(surface, surface, ContactLaw::new(Stiffness::given(1e6).unwrap(), normal).unwrap());
        let [own, carrier] = self.shapes.clone();
        builder.body(BodyModel::fixed("carrier").with_part(carrier, Pose::identity(), surface));
        builder.body(BodyModel::free("body", self.body).with_part(own, self.part, surface));
        builder.build().unwrap()
    }

    fn touch(&self, places: &[Place; 2], angle: f64) -> Touch {
        let jets = [0, 1].map(|k| self.shapes[k].surface().as_atlas().unwrap().jet(&places[k]).unwrap());
        let [own, carrier] = jets.each_ref().map(Frame::new);
        let point = self.part.point_to_world(&own.point);
        let own = Frame { point, axes: self.part.rotation() * own.axes, ..own };
        Touch { contact_frames: ContactFrames { frames: [own, carrier], angle }, jets }
    }

    /// q̈ by (20).
    fn accelerations(&self, touch: &Touch, rates: &Five) -> Five {
        let contact_frames = &touch.contact_frames;
        // Ḣ depends on products of axes and derivatives alone, and so not on where the part is in its body.
        let bare =
            ContactFrames { frames: touch.jets.each_ref().map(Frame::new), angle: contact_frames.angle };
        let (h, h_rate) = (bare.matrix(), bare.matrix_rate([&touch.jets[0], &touch.jets[1]], rates));
        let frame = &contact_frames.frames[0];
        let over = Vector2::new(rates[0], rates[1]);
        let turning = (frame.turn * over).cross_matrix();
        let point_rates = frame.axes * (frame.stretch * over).push(0.0);
        let (f, f_rate) = (frame.axes, frame.axes * turning);
        let (r, r_rate) = (frame.point.cross_matrix(), point_rates.cross_matrix());
        let t = blocks(&f, &(r * f));
        let t_rate = blocks(&f_rate, &(r_rate * f + r * f_rate));
        let (j, j_rate): (Jacobian, Jacobian) = (t * h, t_rate * h + t * h_rate);
        let twist = j * rates;
        let (angular_velocity, velocity) =
            (twist.fixed_rows::<3>(0).into_owned(), twist.fixed_rows::<3>(3).into_owned());
        let Body { mass, inertia } = self.body;
        let mut m = SMatrix::<f64, 6, 6>::identity() * mass;
        m.fixed_view_mut::<3, 3>(0, 0).copy_from(&inertia);
        let mut load = Six::zeros();
        load.fixed_rows_mut::<3>(0).copy_from(&-angular_velocity.cross(&(inertia * angular_velocity)));
        let gravity = contact_frames.pose().vector_to_local(&self.gravity);
        load.fixed_rows_mut::<3>(3).copy_from(&((gravity - angular_velocity.cross(&velocity)) * mass));
        let right = j.tr_mul(&(load - m * (j_rate * rates)));
        (j.transpose() * m * j).cholesky().unwrap().solve(&right)
    }
}

/// [a 0; b a], the rotation and the transport of a twist.
fn blocks(a: &Mat3, b: &Mat3) -> SMatrix<f64, 6, 6> {
    let mut t = SMatrix::<f64, 6, 6>::zeros();
    t.fixed_view_mut::<3, 3>(0, 0).copy_from(a);
    t.fixed_view_mut::<3, 3>(3, 0).copy_from(b);
    t.fixed_view_mut::<3, 3>(3, 3).copy_from(a);
    t
}

fn coordinates(rigid_contact: &RigidContact) -> Five {
    let [own, other] = &rigid_contact.places;
    Five::new(own.u, own.v, other.u, other.v, rigid_contact.angle)
}

fn slides() -> Vec<(&'static str, Slide)> {
    let egg = || Ellipsoid::new([0.3, 0.2, 0.1]).unwrap();
    let floor = || Plane::new([0.0, 0.0, 1.0], 0.0).unwrap();
    let dice = Superellipsoid::new([0.5, 0.6, 0.55], [2.5, 3.5]).unwrap();
    let pebble = LoopSurface::new(&bipyramid()).unwrap();
    vec![
        ("ellipsoid on plane", Slide::new(egg(), place(4, 0.3, -0.2), floor(), place(0, 0.4, 0.7))),
        ("ellipsoid on superellipsoid", Slide::new(egg(), place(0, 0.1, 0.5), dice, place(2, 0.3, 0.4))),
        (
            "potential body on ellipsoid",
            Slide::new(rounded(), place(3, 0.3, 0.2), egg(), place(1, -0.2, 0.4)),
        ),
        (
            "torus on plane",
            Slide::new(Torus::new(0.4, 0.1).unwrap(), place(0, 0.6, 0.5), floor(), place(0, 0.0, 0.1)),
        ),
        ("Loop on plane", Slide::new(pebble, place(2, 0.13, 0.21), floor(), place(0, 0.2, 0.1))),
        (
            "Catmull and Clark on plane",
            Slide::new(box_of_quads(), place(3, 0.4, 0.3), floor(), place(0, 0.2, 0.1)),
        ),
    ]
}

#[test]
fn the_engine_moves_as_kry_and_pai_say() {
    let step = 1e-3;
    for (name, slide) in slides() {
        let model = slide.model();
        let rigid_contact = RigidContact {
            part: 0,
            carrier: PartId::new(BodyId(0), 0),
            places: slide.places,
            angle: 0.8,
            velocities: Velocities::new(0.5, -0.7, 1.1, 0.3, -0.2),
            region: 0,
            mode: Mode::Sliding,
        };
        let pose = slide.touch(&slide.places, rigid_contact.angle).contact_frames.pose();
        let mut state = State::new(vec![Motion::at_rest(Pose::identity()), Motion::at_rest(pose)]);
        state.rigid_contacts = Some(vec![None, Some(rigid_contact)]);
        let accuracy = Accuracy { relative: 1e-13, absolute: 1e-15 };
        let mut run = Rolling::new(&model, state, Settings { accuracy, ..Settings::default() }).unwrap();
        let rigid_contacts: Vec<RigidContact> = (1..=7)
            .map(|k| {
                run.advance(step * f64::from(k), &mut |_| Ok(())).unwrap();
                run.state().rigid_contacts.as_ref().unwrap()[1].unwrap()
            })
            .collect();
        let middle = &rigid_contacts[3];
        let charts = |rigid_contact: &RigidContact| rigid_contact.places.map(|place| place.chart);
        assert!(
            rigid_contacts.iter().all(|rigid_contact| charts(rigid_contact) == charts(middle)
                && rigid_contact.mode == Mode::Sliding)
        );
        let at = |k: usize| coordinates(&rigid_contacts[k]);
        let rates = ((at(4) - at(2)) * 45.0 - (at(5) - at(1)) * 9.0 + (at(6) - at(0))) / (60.0 * step);
        let found = ((at(4) + at(2)) * 270.0 - (at(5) + at(1)) * 27.0 + (at(6) + at(0)) * 2.0
            - at(3) * 490.0)
            / (180.0 * step * step);
        let expected = slide.accelerations(&slide.touch(&middle.places, middle.angle), &rates);
        let error = (found - expected).norm() / expected.norm();
        assert!(error < 1e-9, "{name}: {error:e}\n{found}{expected}");
    }
}
