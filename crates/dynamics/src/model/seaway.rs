//! How a ship moves in a seaway: every wave of a spectrum makes all degrees of freedom swing with it.
//!
//!   qⱼ(t) = w(t) Σᵢ gⱼ a cos(ωᵢ t + εᵢ + δⱼ),   a = √(2 m₀/N)
//!
//! The N frequencies are the means of bands of equal variance, so that the series has the variance gⱼ² m₀ whatever N,
//! and does not repeat itself soon. The phases εᵢ are drawn from a seed by SplitMix64 (Steele, Lea, Flood 2014) and are
//! the same for all degrees of freedom, which answer the same waves. A response is g in m/m or rad/m, or the
//! significant amplitude of the motion, the mean of the highest third of its amplitudes: 2 √(g² m₀). From time zero on
//! the motion grows from rest by w = 10 s³ − 15 s⁴ + 6 s⁵, s = t/ramp, whose first and second derivatives vanish at
//! both ends.
//!
//! Displacements and turns are those of a centre that is given in the body's frame, not of its origin.

use super::harmonics::{Freedom, Harmonic, Harmonics};
use super::prescribed_motion::PrescribedMotion;
use super::spectrum::Spectrum;
use crate::error::{DynamicsError, Result, finite, not_negative};
use rattleback_geom::{Pose, Vec3};
use rattleback_random::unit;
use std::f64::consts::TAU;

/// How strongly a degree of freedom answers waves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Gain {
    /// Its amplitude over that of a wave, in m/m or rad/m, at all frequencies.
    PerMetre(f64),
    /// Its significant amplitude to either side in this seaway, in m or rad.
    Significant(f64),
}

/// How one degree of freedom answers waves.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Response {
    /// The degree of freedom.
    pub freedom: Freedom,
    /// How strongly.
    pub gain: Gain,
    /// How far it is ahead of the waves at the centre, in rad.
    pub phase: f64,
}

/// The motion of a ship in a seaway.
#[derive(Debug, Clone, PartialEq)]
pub struct Seaway {
    /// The waves.
    pub spectrum: Spectrum,
    /// What they do to the ship; degrees of freedom that are not named do not move.
    pub responses: Vec<Response>,
    /// How many waves are added up, from 1 to 10 000.
    pub components: usize,
    /// Which phases they have: every seed is another stretch of the same sea.
    pub seed: u64,
    /// The time in s over which the motion grows from rest; zero to be under way at once.
    pub ramp: f64,
    /// The centre of the motion in the body's frame, in m.
    pub centre: Vec3,
}

impl Seaway {
    /// A sea of 40 waves that grows over 20 s, about the body's origin.
    pub fn new(spectrum: Spectrum, responses: Vec<Response>) -> Self {
        Self { spectrum, responses, components: 40, seed: 0, ramp: 20.0, centre: Vec3::zeros() }
    }

    /// The harmonics that are added up once the ramp is over.
    pub fn terms(&self) -> Result<Vec<Harmonic>> {
        if !(1..=10_000).contains(&self.components) {
            let reason = format!("{} of them: from 1 to 10 000 are allowed", self.components);
            return Err(DynamicsError::Invalid { what: "components".to_owned(), reason });
        }
        let deviation = self.spectrum.moment(0).sqrt();
        let amplitude = deviation * (2.0 / self.components as f64).sqrt();
        let mut state = self.seed;
        let waves: Vec<(f64, f64)> = self
            .spectrum
            .bands(self.components)
            .into_iter()
            .map(|frequency| (frequency, TAU * unit(&mut state)))
            .collect();
        let mut terms = Vec::with_capacity(waves.len() * self.responses.len());
        for (i, response) in self.responses.iter().enumerate() {
            finite(&format!("phase of response {i}"), response.phase)?;
            let factor = match response.gain {
                Gain::PerMetre(gain) => gain,
                Gain::Significant(value) => 0.5 * value / deviation,
            };
            finite(&format!("gain of response {i}"), factor)?;
            terms.extend(waves.iter().map(|(frequency, phase)| Harmonic {
                freedom: response.freedom,
                amplitude: factor * amplitude,
                frequency: *frequency,
                phase: phase + response.phase,
            }));
        }
        Ok(terms)
    }

    pub(super) fn prescribed(&self, rest: Pose) -> Result<Harmonics> {
        not_negative("ramp", self.ramp)?;
        for (i, x) in self.centre.iter().enumerate() {
            finite(&format!("centre[{i}]"), *x)?;
        }
        Ok(Harmonics::new(rest, &self.terms()?)?.about(self.centre).growing_over(self.ramp))
    }
}

impl PrescribedMotion {
    /// The motion of a ship in a seaway about a pose of rest.
    pub fn seaway(rest: Pose, seaway: &Seaway) -> Result<Self> {
        Ok(Self::of_harmonics(seaway.prescribed(rest)?))
    }
}

#[cfg(test)]
mod tests {
    use super::super::prescribed_motion::testing::check_rates;
    use super::*;

    fn response(freedom: Freedom, gain: Gain) -> Response {
        Response { freedom, gain, phase: 0.3 }
    }

    fn seaway() -> Seaway {
        let spectrum = Spectrum::jonswap(2.5, 9.0, 3.3).unwrap();
        let responses = vec![
            response(Freedom::Heave, Gain::PerMetre(0.8)),
            response(Freedom::Pitch, Gain::PerMetre(0.02)),
            response(Freedom::Roll, Gain::Significant(0.1)),
        ];
        Seaway { ramp: 0.0, ..Seaway::new(spectrum, responses) }
    }

    #[test]
    fn the_series_has_the_variance_of_the_spectrum() {
        let sea = seaway();
        let prescribed = PrescribedMotion::seaway(Pose::identity(), &sea).unwrap();
        let (count, step) = (200_000, 0.4);
        let (mut heave, mut pitch, mut roll) = (0.0, 0.0, 0.0);
        for k in 0..count {
            let pose = prescribed.at(step * f64::from(k)).motion.pose;
            let (r, p, _) = pose.orientation.euler_angles();
            heave += pose.position.z.powi(2);
            pitch += p * p;
            roll += r * r;
        }
        let [heave, pitch, roll] = [heave, pitch, roll].map(|sum| (sum / f64::from(count)).sqrt());
        let deviation = 2.5 / 4.0;
        // Neighbouring frequencies differ by 5e-3 rad/s or more, 80 000 s are long against their beat.
        assert!((heave / (0.8 * deviation) - 1.0).abs() < 5e-3, "{heave}");
        assert!((pitch / (0.02 * deviation) - 1.0).abs() < 5e-3, "{pitch}");
        assert!((roll / 0.05 - 1.0).abs() < 5e-3, "{roll}");
        let terms = sea.terms().unwrap();
        let half: f64 = terms[..40].iter().map(|term| 0.5 * term.amplitude.powi(2)).sum();
        assert!((half / (0.64 * sea.spectrum.moment(0)) - 1.0).abs() < 1e-13);
    }

    #[test]
    fn velocities_are_derivatives_about_any_centre_and_while_the_motion_grows() {
        let sea = Seaway { ramp: 6.0, centre: Vec3::new(-40.0, -8.0, -6.0), ..seaway() };
        let rest = Pose::from_position(1.0, -2.0, 0.5).rotated(Vec3::new(0.3, 1.0, -0.4), 1.2).unwrap();
        let prescribed = PrescribedMotion::seaway(rest, &sea).unwrap();
        // The arm of 41 m makes rounding larger: 1e-14/2e-3.
        for time in [0.5, 1.0, 3.0, 5.5, 7.0, 50.0] {
            check_rates(&prescribed, time, 1e-10);
        }
    }

    #[test]
    fn it_begins_at_rest_and_joins_the_full_motion_smoothly() {
        let (sea, full) = (Seaway { ramp: 6.0, ..seaway() }, seaway());
        let rest = Pose::from_position(0.0, 3.0, 1.0);
        let [prescribed, full] = [sea, full].map(|sea| PrescribedMotion::seaway(rest, &sea).unwrap());
        for time in [-1.0, 0.0] {
            let first = prescribed.at(time);
            assert_eq!(first.motion.pose.position, rest.position);
            assert_eq!(
                (first.motion.velocity, first.motion.angular_velocity_body),
                (Vec3::zeros(), Vec3::zeros())
            );
            assert_eq!((first.acceleration, first.angular_acceleration_body), (Vec3::zeros(), Vec3::zeros()));
        }
        let (before, after) = (prescribed.at(6.0 - 1e-7), prescribed.at(6.0 + 1e-7));
        assert!((before.acceleration - after.acceleration).norm() < 1e-5);
        assert_eq!(prescribed.at(6.0), full.at(6.0));
        assert_eq!(prescribed.at(100.0), full.at(100.0));
    }

    #[test]
    fn the_centre_moves_by_the_displacements_alone() {
        let centre = Vec3::new(-40.0, -8.0, -6.0);
        let mut sea = Seaway { centre, ..seaway() };
        let prescribed = PrescribedMotion::seaway(Pose::identity(), &sea).unwrap();
        sea.responses.retain(|response| response.freedom == Freedom::Heave);
        let heaving = PrescribedMotion::seaway(Pose::identity(), &sea).unwrap();
        for time in [0.0, 3.3, 17.0] {
            let (moved, heaved) = (prescribed.at(time).motion.pose, heaving.at(time).motion.pose);
            assert!((moved.point_to_world(&centre) - heaved.point_to_world(&centre)).norm() < 1e-13);
        }
    }

    #[test]
    fn a_seed_is_the_same_sea_again_and_another_seed_another_one() {
        let [a, b, c] = [0, 0, 1].map(|seed| Seaway { seed, ..seaway() }.terms().unwrap());
        assert_eq!(a, b);
        assert!(a.iter().zip(&c).all(|(x, y)| x.frequency == y.frequency && x.phase != y.phase));
        // All degrees of freedom answer the same waves.
        assert_eq!((a[3].phase, a[3].frequency), (a[43].phase, a[43].frequency));
    }

    #[test]
    fn seas_that_cannot_be_are_refused_by_name() {
        let said = |sea: Seaway| PrescribedMotion::seaway(Pose::identity(), &sea).unwrap_err().to_string();
        assert!(said(Seaway { components: 0, ..seaway() }).starts_with("components: 0 of them"));
        assert!(said(Seaway { ramp: -1.0, ..seaway() }).starts_with("ramp = -1"));
        assert!(
            said(Seaway { centre: Vec3::new(0.0, f64::NAN, 0.0), ..seaway() }).starts_with("centre[1] = NaN")
        );
        let mut wrong = seaway();
        wrong.responses[1].gain = Gain::PerMetre(f64::INFINITY);
        assert!(said(wrong).starts_with("gain of response 1 = inf"));
    }
}
