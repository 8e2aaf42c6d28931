//! The paper's own equations of a contact without friction, (20), and what they cost: section 4.1.
//!
//! With ν = H q̇ the twist (ω, v) of body 1 against the fixed body 2 in the axes of body 1 at its mass centre, M =
//! diag(I, m) and f the weight there,
//!
//!   HᵀMH q̈ = Hᵀ(f + b − M Ḣ q̇),   b = (−ω × Iω, −m ω × v)
//!
//! H of the contact frame (`rolling::ContactFrames::matrix`) is taken to the axes of body 1 by ω = F ω_c and
//! v = F v_c − ω × c, F the axes and c the point of the contact frame of body 1; its rate by differences of the same in
//! time: Ḟ = F Ω̃ with Ω = W (ṡ, ṫ) and ċ = F N (ṡ, ṫ).

use super::stone;
use crate::Result;
use rattleback_dynamics::Body;
use rattleback_dynamics::rolling::{ContactFrames, Frame, Velocities};
use rattleback_geom::nalgebra::{SMatrix, SVector, Vector2};
use rattleback_geom::patch::BezierPatch;
use rattleback_geom::surface::{Parametric, ParametricJet};
use rattleback_geom::{Mat3, Pose, Vec3};
use std::hint::black_box;
use std::time::Instant;

type Twists = SMatrix<f64, 6, 5>;

/// A contact of two patches.
#[derive(Debug, Clone, Copy)]
pub struct Contact {
    /// The points of both with their derivatives, in the axes of their bodies.
    pub jets: [ParametricJet; 2],
    /// The contact frames.
    pub frames: ContactFrames,
}

impl Contact {
    /// Of two jets that meet under an angle.
    pub fn new(jets: [ParametricJet; 2], angle: f64) -> Self {
        let frames = jets.each_ref().map(Frame::new);
        Self { jets, frames: ContactFrames { frames, angle } }
    }

    /// H in the axes of body 1 at its origin.
    pub fn matrix(&self) -> Twists {
        at_origin(&self.frames.frames[0], &self.frames.matrix())
    }

    /// Ḣ in the same, under q̇.
    pub fn matrix_rate(&self, rates: &SVector<f64, 5>) -> Twists {
        let [own, _] = &self.frames.frames;
        let h = self.frames.matrix();
        let moving = Vector2::new(rates[0], rates[1]);
        let turning = own.axes * (own.turn * moving);
        let along = own.stretch * moving;
        let velocity = own.axes * Vec3::new(along.x, along.y, 0.0);
        let mut out = at_origin(own, &self.frames.matrix_rate([&self.jets[0], &self.jets[1]], rates));
        for k in 0..5 {
            let (omega, slip) =
                (own.axes * h.fixed_view::<3, 1>(0, k), own.axes * h.fixed_view::<3, 1>(3, k));
            let omega_rate = turning.cross(&omega);
            let slip_rate = turning.cross(&slip) - omega_rate.cross(&own.point) - omega.cross(&velocity);
            for i in 0..3 {
                out[(i, k)] += omega_rate[i];
                out[(i + 3, k)] += slip_rate[i];
            }
        }
        out
    }

    /// q̈ of (20), for a gravity in the axes of body 1; none where HᵀMH is singular.
    pub fn acceleration(
        &self,
        body: &Body,
        gravity: &Vec3,
        rates: &SVector<f64, 5>,
    ) -> Option<SVector<f64, 5>> {
        let (h, rate) = (self.matrix(), self.matrix_rate(rates));
        let mut inertia = SMatrix::<f64, 6, 6>::zeros();
        inertia.fixed_view_mut::<3, 3>(0, 0).copy_from(&body.inertia);
        inertia.fixed_view_mut::<3, 3>(3, 3).copy_from(&(Mat3::identity() * body.mass));
        let twist = h * rates;
        let (omega, velocity) =
            (Vec3::new(twist[0], twist[1], twist[2]), Vec3::new(twist[3], twist[4], twist[5]));
        let torque = -omega.cross(&(body.inertia * omega));
        let force = (gravity - omega.cross(&velocity)) * body.mass;
        let load = SVector::<f64, 6>::from_iterator(torque.iter().chain(force.iter()).copied());
        let weighed = h.transpose() * inertia;
        (weighed * h).lu().solve(&(h.transpose() * load - weighed * (rate * rates)))
    }
}

fn at_origin(own: &Frame, contact: &Twists) -> Twists {
    let mut out = Twists::zeros();
    for k in 0..5 {
        let omega = own.axes * contact.fixed_view::<3, 1>(0, k);
        let velocity = own.axes * contact.fixed_view::<3, 1>(3, k) - omega.cross(&own.point);
        out.fixed_view_mut::<3, 1>(0, k).copy_from(&omega);
        out.fixed_view_mut::<3, 1>(3, k).copy_from(&velocity);
    }
    out
}

/// The rattleback on another one that lies upside down, as in the paper's times: Bézier on Bézier.
pub fn stones() -> Result<(BezierPatch, BezierPatch)> {
    let lower = stone::patch()?;
    let turned = |p: &Vec3| Vec3::new(p.x, -p.y, -p.z);
    let control = lower.control().iter().map(turned).collect();
    Ok((lower, BezierPatch::new([3, 3], control)?))
}

/// A line of the times.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Row {
    /// What is computed.
    pub name: &'static str,
    /// Mean time here, in ns.
    pub nanoseconds: f64,
    /// The paper's, in ms.
    pub paper_milliseconds: Option<f64>,
}

/// Times H, its rate and q̈ for two bicubic patches, as the mean of so many.
pub fn rows(evaluations: usize) -> Result<Vec<Row>> {
    let (upper, lower) = stones()?;
    let body = Body { mass: 1.0, inertia: Mat3::from_diagonal(&Vec3::new(0.008, 0.0387, 0.044)) };
    let frames = |k: usize| {
        let s = 0.45 + 0.1 * (k % 97) as f64 / 97.0;
        Contact::new([upper.jet(s, 1.0 - s), lower.jet(1.0 - s, s)], 0.3)
    };
    let w = Velocities::new(0.2, -0.1, 2.0, 0.01, 0.02);
    let rates = |contact: &Contact| {
        let found = contact.frames.point_rates(&w);
        let [a, b] = found.rates;
        SVector::<f64, 5>::new(a.x, a.y, b.x, b.y, found.angle_rate)
    };
    let mean = |evaluate: &dyn Fn(usize)| {
        let begin = Instant::now();
        (0..evaluations).for_each(evaluate);
        begin.elapsed().as_secs_f64() * 1e9 / evaluations.max(1) as f64
    };
    let gravity = Vec3::new(0.0, 0.0, -9.81);
    let h = mean(&|k| {
        black_box(frames(k).matrix());
    });
    // Points, rates and gravity are known where q̈ is asked for.
    let known: Vec<_> = (0..97).map(|k| (frames(k), rates(&frames(k)))).collect();
    let solve = mean(&|k| {
        let (contact, rates) = &known[k % known.len()];
        black_box(contact.acceleration(&body, &gravity, rates));
    });
    let whole = mean(&|k| {
        let contact = frames(k);
        let pose: Pose = contact.frames.pose();
        let gravity = pose.vector_to_local(&gravity);
        black_box(contact.acceleration(&body, &gravity, &rates(&contact)));
    });
    let row = |name, nanoseconds, paper| Row { name, nanoseconds, paper_milliseconds: Some(paper) };
    Ok(vec![
        row("H of two bicubic Bézier patches, their points included", h, 0.3485),
        row("q̈ with LU factorisation", solve, 0.235),
        row("the whole derivative", whole, 0.9),
    ])
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use crate::variation::Variation;
    use rattleback_dynamics::rolling::{Rolling, Settings};
    use rattleback_dynamics::{Accuracy, Motion};

    /// The twist in the body's axes.
    fn twist(motion: &Motion) -> SVector<f64, 6> {
        let v = motion.pose.vector_to_local(&motion.velocity);
        SVector::from_iterator(motion.angular_velocity_body.iter().chain(v.iter()).copied())
    }

    #[test]
    fn the_papers_equation_and_the_engine_agree_on_a_stone_that_slides_without_friction() {
        let scene = Variation::of(stone::CASE).unwrap();
        let scene = scene.set("contacts.0.friction.coefficient", 0.0).unwrap().scene().unwrap();
        let settings =
            Settings { accuracy: Accuracy { relative: 1e-12, absolute: 1e-13 }, ..Settings::default() };
        let mut run = Rolling::new(&scene.model, scene.state.clone(), settings).unwrap();
        let h = 1e-3;
        let mut twists = Vec::new();
        let mut here = None;
        for k in [-1.0, 0.0, 1.0] {
            run.advance(0.5 + k * h, &mut |_| Ok(())).unwrap();
            twists.push(twist(&run.state().motions[1]));
            if k == 0.0 {
                here = Some(run.state().clone());
            }
        }
        let state = here.unwrap();
        let rigid = state.rigid_contacts.as_ref().unwrap()[1].unwrap();
        let bodies = scene.model.bodies();
        let place = rigid.places;
        let own = bodies[1].parts[0].shape.surface().as_atlas().unwrap().jet(&place[0]).unwrap();
        let carrier = bodies[0].parts[0].shape.surface().as_atlas().unwrap().jet(&place[1]).unwrap();
        let contact = Contact::new([own, carrier], rigid.angle);
        let found = contact.frames.point_rates(&rigid.velocities);
        let [a, b] = found.rates;
        let rates = SVector::<f64, 5>::new(a.x, a.y, b.x, b.y, found.angle_rate);
        // H q̇ is the twist of the stone.
        assert!(
            (contact.matrix() * rates - twists[1]).norm() < 1e-9,
            "{}",
            contact.matrix() * rates - twists[1]
        );
        let gravity = state.motions[1].pose.vector_to_local(&Vec3::new(0.0, 0.0, -9.81));
        let q = contact.acceleration(&bodies[1].body, &gravity, &rates).unwrap();
        let rate = contact.matrix() * q + contact.matrix_rate(&rates) * rates;
        let difference = (twists[2] - twists[0]) / (2.0 * h);
        assert!((rate - difference).norm() < 1e-4 * difference.norm().max(1.0), "{rate} {difference}");
    }

    #[test]
    fn two_stones_touch_where_their_lowest_and_highest_points_are() {
        let (upper, lower) = stones().unwrap();
        let (a, b) = (Frame::new(&upper.jet(0.5, 0.5)), Frame::new(&lower.jet(0.5, 0.5)));
        assert!((a.normal() + Vec3::z()).norm() < 1e-12 && (b.normal() - Vec3::z()).norm() < 1e-12);
        assert_eq!(rows(10).unwrap().len(), 3);
    }
}
