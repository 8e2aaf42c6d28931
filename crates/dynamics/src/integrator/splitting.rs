//! Kick, drift, kick: a symplectic method of order 2 with fixed steps for many rigid bodies.
//!
//! With h the step, F and τ the loads about the mass centres in world axes, Π the angular momentum in principal axes:
//!
//!   kick    v ← v + ½h (F/m + g),   Π ← Π + ½h Rᵀτ
//!   drift   x ← x + h v,   R, Π by the free rotation of `rotor.rs`
//!   kick    with the loads at the end of the step
//!
//! Each part is the flow of a part of the Hamiltonian where the loads have a potential: the method is then symplectic
//! and symmetric, its energy error stays of the order h² without drift, linear momentum changes by the loads' sum alone
//! and so does angular momentum, both to rounding.
//!
//! | symbol | field | unit |
//! |---|---|---|
//! | h | `dt`; negative steps go back | s |
//! | F, τ | `loads` | N, N m |
//! | g | `gravity` | m/s² |
//! | v, Π after the first kick | `half` | m/s, N m s |
//!
//! Loads that depend on velocities. The loads of the first kick are taken at the state at its beginning. Those of the
//! last one would need the velocities that they are about to give; they are taken at the new poses with predicted
//! velocities,
//!
//!   v* = v_½ + ½h (F₀/m + g),   Π* = Π_½ + ½h Rᵀτ₀
//!
//! with the loads F₀, τ₀ of the first kick in world axes. v* errs by O(h²), the step by O(h³): order 2 remains, while
//! reversibility and symplecticity belong to loads by poses alone. Damping is taken explicitly: steps must resolve its
//! time, m/c.
//!
//! Evaluations. A step evaluates the loads twice, and depends on nothing but what it is given. With
//! [`Splitting::reusing_loads`] the loads at the end of a step serve the next one as well, where that one starts at the
//! motions which the last one left, to the bit, and at its end, to the rounding of k h. Loads by poses alone make that
//! the same to the bit at half the price. With loads by velocities, order 2 remains (the loads kept belong to v*), but
//! a run that goes on from a stored state is no longer the same run to the last bit.
//!
//! Bodies. A fixed body's motion is not touched. A prescribed body has its prescribed motion at the beginning and at
//! the end of a step, whatever it was given as. All loops are over bodies, each on its own; sums across bodies are the
//! caller's. Steps do not allocate. The same input gives the same bits; the sine and cosine are the platform's.
//!
//! Sources: Dullweber, Leimkuhler, McLachlan, J. Chem. Phys. 107 (1997) 5840; Hairer, Lubich, Wanner, Geometric
//! Numerical Integration, sections VI.3 and VII.5; what departs from them in the rotation is said in `rotor.rs`.

use super::rotor::Rotor;
use crate::body::Motion;
use crate::error::{DynamicsError, Result};
use crate::model::{BodyModel, Mobility, Model, PrescribedMotion};
use rattleback_geom::Vec3;

/// Writes force and torque, in world axes about the mass centres, for each body at a time and motions. The list is all
/// zeros when it is called, so that loads can be added to it. Gravity is not among them.
pub type Loads<'a> = dyn FnMut(f64, &[Motion], &mut [[Vec3; 2]]) -> Result<()> + 'a;

/// How a body goes through a step.
#[derive(Debug, Clone)]
enum Mover {
    Free { mass: f64, rotor: Rotor },
    Fixed,
    Prescribed(PrescribedMotion),
}

/// Velocity in world axes and angular momentum in principal axes after the first kick, and what the step began with.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Half {
    velocity: Vec3,
    momentum: Vec3,
    /// Angular velocity in body axes and angular momentum in principal axes at the beginning of the step. The new
    /// angular velocity is the old one plus what the change of momentum makes: see [`Rotor::angular_velocity`].
    before: [Vec3; 2],
}

/// The stepper: what it knows of the bodies, and its buffers.
///
/// ```
/// use rattleback_dynamics::integrator::Splitting;
/// use rattleback_dynamics::{Body, BodyModel, Model, Motion, measure};
/// use rattleback_geom::{Mat3, Pose, Vec3};
///
/// # fn main() -> rattleback_dynamics::Result<()> {
/// let inertia = Mat3::from_diagonal(&Vec3::new(1.0, 2.0, 2.5));
/// let mut builder = Model::builder();
/// builder.body(BodyModel::free("box", Body { mass: 3.0, inertia }));
/// let model = builder.build()?;
/// let angular_velocity = Vec3::new(0.1, 5.0, 0.0);
/// let mut motions = vec![Motion { angular_velocity_body: angular_velocity, ..Motion::at_rest(Pose::identity()) }];
/// let before = measure::momentum(&model, &motions)?.angular;
///
/// let mut stepper = Splitting::new(&model);
/// for k in 0..1000 {
///     stepper.step(&mut motions, f64::from(k) * 0.01, 0.01, &mut |_, _, _| Ok(()))?;
/// }
/// assert!((measure::momentum(&model, &motions)?.angular - before).norm() < 1e-12 * before.norm());
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct Splitting {
    gravity: Vec3,
    movers: Vec<Mover>,
    /// The motions at the beginning of the step, to which an error returns.
    start: Vec<Motion>,
    half: Vec<Half>,
    loads: Vec<[Vec3; 2]>,
    reuse: bool,
    /// The time of `left` and `loads`, where both are those at the end of a step.
    kept: Option<f64>,
    left: Vec<Motion>,
    evaluations: usize,
}

impl Splitting {
    /// For the bodies and the gravity of a model; finds the principal axes.
    pub fn new(model: &Model) -> Self {
        let n = model.bodies().len();
        let still = Motion::at_rest(rattleback_geom::Pose::identity());
        Self {
            gravity: model.gravity(),
            movers: model.bodies().iter().map(Mover::of).collect(),
            start: vec![still; n],
            half: vec![
                Half { velocity: Vec3::zeros(), momentum: Vec3::zeros(), before: [Vec3::zeros(); 2] };
                n
            ],
            loads: vec![[Vec3::zeros(); 2]; n],
            reuse: false,
            kept: None,
            left: vec![still; n],
            evaluations: 0,
        }
    }

    /// The same, taking the loads at the end of a step for the beginning of the next: one evaluation per step. For
    /// loads by poses and time alone that changes no bit; what it means for others is said at the head of this file.
    #[must_use]
    pub fn reusing_loads(mut self) -> Self {
        self.reuse = true;
        self
    }

    /// Calls of `loads` so far.
    pub fn evaluations(&self) -> usize {
        self.evaluations
    }

    /// The loads of the last kick: force and torque per body at the end of the last step.
    pub fn loads(&self) -> &[[Vec3; 2]] {
        &self.loads
    }

    /// Makes one step from `time` to `time + dt`. After an error the motions are those before the step.
    pub fn step(&mut self, motions: &mut [Motion], time: f64, dt: f64, loads: &mut Loads<'_>) -> Result<()> {
        if motions.len() != self.movers.len() {
            let (found, expected) = (motions.len(), self.movers.len());
            return Err(DynamicsError::Dimension { field: "motions", found, expected });
        }
        for (field, value) in [("time", time), ("dt", dt)] {
            if !value.is_finite() {
                return Err(DynamicsError::OutOfRange { field: field.to_owned(), value, allowed: "finite" });
            }
        }
        self.start.copy_from_slice(motions);
        let done = self.advance(motions, time, dt, loads);
        if done.is_err() {
            motions.copy_from_slice(&self.start);
            self.kept = None;
        }
        done
    }

    fn advance(&mut self, motions: &mut [Motion], time: f64, dt: f64, loads: &mut Loads<'_>) -> Result<()> {
        if !(self.keeps(time) && self.left == motions) {
            self.prescribe(motions, time);
            self.evaluate(motions, time, loads)?;
        }
        for (((mover, motion), half), load) in
            self.movers.iter().zip(&mut *motions).zip(&mut self.half).zip(&self.loads)
        {
            mover.open(motion, half, load, &self.gravity, dt);
        }
        let end = time + dt;
        self.prescribe(motions, end);
        self.evaluate(motions, end, loads)?;
        for (((mover, motion), half), load) in
            self.movers.iter().zip(&mut *motions).zip(&mut self.half).zip(&self.loads)
        {
            mover.close(motion, half, load, &self.gravity, dt);
            if !is_finite(motion) {
                return Err(DynamicsError::NotFinite { time, what: "the motion of a body" });
            }
        }
        if self.reuse {
            self.left.copy_from_slice(motions);
            self.kept = Some(end);
        }
        Ok(())
    }

    /// Whether the loads at hand are those at the end of the last step, and that is at `time`: k h and (k − 1) h + h
    /// differ by two units in the last place at most.
    fn keeps(&self, time: f64) -> bool {
        let same = |end: f64| (time - end).abs() <= 4.0 * f64::EPSILON * time.abs();
        self.reuse && self.kept.is_some_and(same)
    }

    fn prescribe(&self, motions: &mut [Motion], time: f64) {
        for (mover, motion) in self.movers.iter().zip(motions) {
            if let Mover::Prescribed(prescribed) = mover {
                *motion = prescribed.at(time).motion;
            }
        }
    }

    fn evaluate(&mut self, motions: &[Motion], time: f64, loads: &mut Loads<'_>) -> Result<()> {
        self.loads.fill([Vec3::zeros(); 2]);
        self.evaluations += 1;
        loads(time, motions, &mut self.loads)
    }
}

impl Mover {
    fn of(body: &BodyModel) -> Self {
        match &body.mobility {
            Mobility::Free => Self::Free { mass: body.body.mass, rotor: Rotor::new(&body.body.inertia) },
            Mobility::Fixed => Self::Fixed,
            Mobility::Prescribed(prescribed) => Self::Prescribed(prescribed.clone()),
        }
    }

    /// First kick and drift; leaves the velocities after the kick in `half` and the predicted ones in `motion`.
    fn open(&self, motion: &mut Motion, half: &mut Half, load: &[Vec3; 2], gravity: &Vec3, dt: f64) {
        let Self::Free { mass, rotor } = self else { return };
        let [force, torque] = load;
        let push = (force / *mass + gravity) * (0.5 * dt);
        let twist = torque * (0.5 * dt);
        let to_world = rotor.frame(&motion.pose.orientation);
        half.velocity = motion.velocity + push;
        half.before = [motion.angular_velocity_body, rotor.momentum(&motion.angular_velocity_body)];
        half.momentum = half.before[1] + to_world.inverse_transform_vector(&twist);
        motion.pose.position += half.velocity * dt;
        rotor.turn(&mut motion.pose.orientation, &mut half.momentum, dt);
        let to_world = rotor.frame(&motion.pose.orientation);
        motion.velocity = half.velocity + push;
        motion.angular_velocity_body =
            half.angular_velocity(rotor, to_world.inverse_transform_vector(&twist));
    }

    /// Last kick.
    fn close(&self, motion: &mut Motion, half: &Half, load: &[Vec3; 2], gravity: &Vec3, dt: f64) {
        let Self::Free { mass, rotor } = self else { return };
        let [force, torque] = load;
        let to_world = rotor.frame(&motion.pose.orientation);
        motion.velocity = half.velocity + (force / *mass + gravity) * (0.5 * dt);
        let twist = to_world.inverse_transform_vector(&(torque * (0.5 * dt)));
        motion.angular_velocity_body = half.angular_velocity(rotor, twist);
    }
}

impl Half {
    /// The angular velocity in body axes, with one more change of momentum in principal axes.
    fn angular_velocity(&self, rotor: &Rotor, gained: Vec3) -> Vec3 {
        let [angular_velocity, momentum] = self.before;
        angular_velocity + rotor.angular_velocity(&(self.momentum + gained - momentum))
    }
}

fn is_finite(motion: &Motion) -> bool {
    let finite = |v: &Vec3| v.iter().all(|x| x.is_finite());
    finite(&motion.pose.position) && finite(&motion.velocity) && finite(&motion.angular_velocity_body)
}
