//! Prescribed motions: where a body has to be, whatever the forces on it.
//!
//! | type | motion | keys |
//! |---|---|---|
//! | `harmonic` | swings about the body's position and orientation | `terms`, each with `freedom`, `amplitude`, `frequency`, `phase` |
//! | `seaway` | as a ship in waves, about a centre in the body's own frame | `spectrum`, `responses`, `centre`, `components`, `seed`, `ramp` |
//! | `turning` | turns at a constant rate about an axis | `axis`, `rate`, `point`, `velocity` |
//! | `table` | through given poses with continuous accelerations | `times`, `positions`, `orientations`, `ends` |
//! | `expression` | by expressions of the time `t` | `position`, `axis`, `angle` |
//!
//! A term is amplitude · cos(2π frequency · t + phase). Surge, sway and heave run along the body's axes x, y, z at
//! rest; roll, pitch and yaw turn about x, y, z: yaw first, then pitch about the new y, then roll about the newest x.

use super::amount::{Amount, Aspect, Measure, as_many, times};
use super::force::EndsSpec;
use super::formula::FormulaSpec;
use super::frequency::CircularFrequency;
use super::joint_frame::direction;
use crate::orientation::Orientation;
use crate::read::{
    Angle, AngularVelocity, At, Length, Range, Reader, Time, Velocity, choice, entry, number, triple, words,
};
use rattleback_dynamics::Ends;
use rattleback_dynamics::formula::{Formula, Operation};
use rattleback_dynamics::model::{FormulaMotion, Freedom, Harmonic, PrescribedMotion};
use rattleback_geom::{Pose, Vec3};
use seaway::SeawayMotionSpec;

pub(crate) mod seaway;
#[cfg(test)]
mod tests;

words! {
    /// A degree of freedom of a body about its rest.
    pub enum MotionFreedomSpec {
        /// Along x.
        "surge" => Surge,
        /// Along y.
        "sway" => Sway,
        /// Along z.
        "heave" => Heave,
        /// About x.
        "roll" => Roll,
        /// About y.
        "pitch" => Pitch,
        /// About z.
        "yaw" => Yaw,
    }
}

entry! {
    /// A harmonic of one degree of freedom.
    pub struct HarmonicTermSpec {
        /// The degree of freedom.
        freedom: MotionFreedomSpec,
        /// The length or angle by which it swings to either side.
        amplitude: At<Amount>,
        /// How often it swings.
        frequency: CircularFrequency,
        /// The phase of the cosine at time zero.
        phase: Angle = Angle(0.0),
    }
}

entry! {
    /// Swings about the position and orientation that the body has at rest.
    pub struct HarmonicMotionSpec {
        /// What is added up.
        terms: Vec<HarmonicTermSpec>,
    }
}

entry! {
    /// Moves through given poses. Before the first time and after the last it stands still.
    pub struct TableMotionSpec {
        /// Two times at least, each after the one before it.
        times: Vec<Time>,
        /// The position at each time; the body's own by default.
        positions: Option<Vec<[Length; 3]>>,
        /// The orientation at each time; the body's own by default. Neighbours may differ by 120° at most.
        orientations: Option<Vec<Orientation>>,
        /// How it begins and ends.
        ends: EndsSpec = EndsSpec::AtRest,
    }
}

entry! {
    /// Turns at a constant rate about an axis of the world, from the body's position and orientation on.
    pub struct TurningMotionSpec {
        /// The axis, in the world.
        axis: [f64; 3] = [0.0, 0.0, 1.0],
        /// The angular velocity about it.
        rate: AngularVelocity = AngularVelocity(0.0),
        /// A point of the axis at the start, in the world; the body's own origin by default.
        point: Option<[Length; 3]>,
        /// The velocity at which the axis, and the body with it, moves along.
        velocity: [Velocity; 3] = [Velocity(0.0); 3],
    }
}

entry! {
    /// Moves by expressions of the time `t`.
    pub struct FormulaMotionSpec {
        /// Where the body's own frame is in the world; the body's own position by default.
        position: Option<[At<FormulaSpec>; 3]>,
        /// The axis of the world about which the body turns, at its own origin.
        axis: [f64; 3] = [0.0, 0.0, 1.0],
        /// By how much it has turned from the body's own orientation; none by default.
        angle: Option<At<FormulaSpec>>,
    }
}

choice! {
    /// A prescribed motion by its type.
    pub enum PrescribedMotionSpec by "type" {
        "expression" => Formula(FormulaMotionSpec),
        "harmonic" => Harmonic(HarmonicMotionSpec),
        "seaway" => Seaway(SeawayMotionSpec),
        "table" => Table(TableMotionSpec),
        "turning" => Turning(TurningMotionSpec),
    }
}

impl PrescribedMotionSpec {
    /// The motion; without it the body's mass centre, which is at `mass_centre` in its own frame, stands at `rest`.
    pub fn lower(&self, rest: &Pose, mass_centre: &Vec3, reader: &mut Reader) -> Option<PrescribedMotion> {
        match self {
            Self::Seaway(spec) => spec.lower(rest, mass_centre, reader),
            Self::Formula(spec) => spec.lower(rest, mass_centre, reader),
            Self::Harmonic(spec) => spec.lower(rest, reader),
            Self::Table(spec) => spec.lower(rest, reader),
            Self::Turning(spec) => spec.lower(rest, mass_centre, reader),
        }
    }
}

impl MotionFreedomSpec {
    fn parts(self) -> (Freedom, Measure) {
        match self {
            Self::Surge => (Freedom::Surge, Measure::Length),
            Self::Sway => (Freedom::Sway, Measure::Length),
            Self::Heave => (Freedom::Heave, Measure::Length),
            Self::Roll => (Freedom::Roll, Measure::Angle),
            Self::Pitch => (Freedom::Pitch, Measure::Angle),
            Self::Yaw => (Freedom::Yaw, Measure::Angle),
        }
    }
}

impl TurningMotionSpec {
    fn lower(&self, rest: &Pose, mass_centre: &Vec3, reader: &mut Reader) -> Option<PrescribedMotion> {
        let place = &self.place;
        if !place.has("rate") && !place.has("velocity") {
            reader.wrong(place, "", "found neither; expected `rate`, `velocity` or both");
            return None;
        }
        let axis = direction(place, "axis", self.axis, reader);
        let rate = number(place, "rate", self.rate.0, Range::Finite, reader);
        let velocity = triple(place, "velocity", self.velocity.map(|x| x.0), reader);
        let point = match self.point {
            Some(point) => triple(place, "point", point.map(|x| x.0), reader).map(Vec3::from),
            None => Some(rest.position - rest.vector_to_world(mass_centre)),
        };
        match PrescribedMotion::turning(*rest, axis? * rate?, point?, velocity?.into()) {
            Ok(prescribed) => Some(prescribed),
            Err(error) => {
                reader.wrong(place, "rate", error.to_string());
                None
            }
        }
    }
}

impl FormulaMotionSpec {
    fn lower(&self, rest: &Pose, mass_centre: &Vec3, reader: &mut Reader) -> Option<PrescribedMotion> {
        let place = &self.place;
        if self.position.is_none() && self.angle.is_none() {
            reader.wrong(place, "", "found neither; expected `position`, `angle` or both");
            return None;
        }
        let constant = |x: f64| Formula::new(vec![Operation::Number(x)]).ok();
        let position = match &self.position {
            Some(position) => position
                .each_ref()
                .map(|formula| formula.take_smooth(Aspect::Value, Measure::Length, "", reader)),
            None => {
                let own = rest.position - rest.vector_to_world(mass_centre);
                [own.x, own.y, own.z].map(constant)
            }
        };
        let angle = match &self.angle {
            Some(angle) => angle.take_smooth(Aspect::Value, Measure::Angle, "", reader),
            None => constant(0.0),
        };
        let axis = direction(place, "axis", self.axis, reader);
        let [x, y, z] = position;
        let motion = FormulaMotion {
            position: [x?, y?, z?],
            axis: axis?,
            angle: angle?,
            orientation: rest.orientation,
            mass_centre: *mass_centre,
        };
        match PrescribedMotion::formulas(motion) {
            Ok(prescribed) => Some(prescribed),
            Err(error) => {
                reader.wrong(place, "axis", error.to_string());
                None
            }
        }
    }
}

impl HarmonicTermSpec {
    fn lower(&self, reader: &mut Reader) -> Option<Harmonic> {
        let (freedom, measure) = self.freedom.parts();
        let amplitude = self.amplitude.take(Aspect::Value, measure, Range::Finite, reader);
        let frequency = number(&self.place, "frequency", self.frequency.0, Range::Finite, reader);
        let phase = number(&self.place, "phase", self.phase.0, Range::Finite, reader);
        Some(Harmonic { freedom, amplitude: amplitude?, frequency: frequency?, phase: phase? })
    }
}

impl HarmonicMotionSpec {
    fn lower(&self, rest: &Pose, reader: &mut Reader) -> Option<PrescribedMotion> {
        if self.terms.is_empty() {
            reader.wrong(&self.place, "terms", "found none; expected one at least");
            return None;
        }
        let terms: Vec<Option<Harmonic>> = self.terms.iter().map(|term| term.lower(reader)).collect();
        let terms: Option<Vec<Harmonic>> = terms.into_iter().collect();
        match PrescribedMotion::harmonic(*rest, &terms?) {
            Ok(prescribed) => Some(prescribed),
            Err(error) => {
                reader.wrong(&self.place, "terms", error.to_string());
                None
            }
        }
    }
}

impl TableMotionSpec {
    fn lower(&self, rest: &Pose, reader: &mut Reader) -> Option<PrescribedMotion> {
        let (place, count) = (&self.place, self.times.len());
        let moments = times(place, &self.times, reader);
        if self.positions.is_none() && self.orientations.is_none() {
            reader.wrong(place, "", "found neither; expected `positions`, `orientations` or both");
            return None;
        }
        let positions = match &self.positions {
            None => Some(vec![rest.position; count]),
            Some(list) => {
                let fit = as_many(place, "positions", list.len(), count, reader);
                let each = |(i, x): (usize, &[Length; 3])| {
                    triple(place, &format!("positions[{i}]"), x.map(|x| x.0), reader).map(Into::into)
                };
                let list: Vec<Option<_>> = list.iter().enumerate().map(each).collect();
                fit.and(list.into_iter().collect::<Option<_>>())
            }
        };
        let turns = match &self.orientations {
            None => Some(vec![rest.orientation; count]),
            Some(list) => as_many(place, "orientations", list.len(), count, reader)
                .map(|()| list.iter().map(|turn| turn.0).collect()),
        };
        let poses: Vec<Pose> =
            positions?.into_iter().zip(turns?).map(|(x, turn)| Pose::new(x, turn)).collect();
        match PrescribedMotion::table(&moments?, &poses, Ends::from(self.ends)) {
            Ok(prescribed) => Some(prescribed),
            Err(error) => {
                // Numbers and lengths of lists are right: what is left are turns.
                reader.wrong(place, "orientations", error.to_string().replace("poses[", "orientations["));
                None
            }
        }
    }
}
