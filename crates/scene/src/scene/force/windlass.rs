//! Windlasses: a drive that stalls and a brake that slips, and the elastic line from a point of A to a point of B.

use super::super::frames::Frames;
use super::line::ends;
use crate::read::{At, Damping, Force, Length, Range, Reader, Time, Velocity, entry, number};
use rattleback_dynamics::force::Windlass;

entry! {
    /// A windlass on A and an elastic line to B. It winds in, stalls at a pull, holds beyond it and slips at a greater
    /// one. It takes the solver "mechanism".
    pub struct WindlassForceSpec {
        /// The names of the bodies: that of the windlass and that at the end of the line.
        bodies: [At<String>; 2],
        /// Where the line leaves the windlass and where it ends, each in its body's own frame.
        points: [[Length; 3]; 2],
        /// The unstretched length at the start; the distance then by default.
        length: Option<Length>,
        /// The speed at which it winds in.
        speed: Velocity,
        /// When it begins to wind.
        start: Time = Time(0.0),
        /// How long its speed takes to grow.
        ramp: Time = Time(0.0),
        /// The unstretched length at which winding ends.
        shortest: Length,
        /// Tension per strain.
        rigidity: Force,
        /// Force per velocity.
        damping: Damping = Damping(0.0),
        /// The pull at which the drive stalls.
        limit: Force,
        /// The share of the limit, above 0 and up to 1, over which the drive slows down.
        shoulder: f64 = 0.1,
        /// The pull at which it slips, not below the limit.
        brake: Force,
        /// When the brake is put on.
        brake_at: Option<Time>,
        /// After how long a stall the brake is put on.
        brake_after_stall: Option<Time>,
    }
}

impl WindlassForceSpec {
    pub(super) fn lower(&self, frames: &Frames, reader: &mut Reader) -> Option<Windlass> {
        let place = &self.place;
        let mut check = |field: &str, value: f64, range: Range| number(place, field, value, range, reader);
        let given = self.length.map(|x| check("length", x.0, Range::Positive));
        let speed = check("speed", self.speed.0, Range::NotNegative);
        let start = check("start", self.start.0, Range::Finite);
        let ramp = check("ramp", self.ramp.0, Range::NotNegative);
        let shortest = check("shortest", self.shortest.0, Range::Positive);
        let rigidity = check("rigidity", self.rigidity.0, Range::Positive);
        let damping = check("damping", self.damping.0, Range::NotNegative);
        let limit = check("limit", self.limit.0, Range::Positive);
        let brake = check("brake", self.brake.0, Range::Positive);
        let at = self.brake_at.map(|x| check("brake_at", x.0, Range::Finite));
        let after = self.brake_after_stall.map(|x| check("brake_after_stall", x.0, Range::NotNegative));
        let share = self.shoulder > 0.0 && self.shoulder <= 1.0;
        if !share {
            let message = format!("found {}; expected a number above 0 and up to 1", self.shoulder);
            reader.wrong(place, "shoulder", message);
        }
        if let (Some(limit), Some(brake)) = (limit, brake)
            && brake < limit
        {
            let message = format!("found {brake}; expected at least the limit, {limit}");
            reader.wrong(place, "brake", message);
            return None;
        }
        let ([a, b], apart) = ends(&self.bodies, &self.points, place, frames, reader)?;
        let (length, shortest) = (given.unwrap_or(Some(apart))?, shortest?);
        if length < shortest {
            let message = format!("found {length}; expected at least the shortest length, {shortest}");
            reader.wrong(place, "length", message);
            return None;
        }
        share.then_some(Windlass {
            a,
            b,
            length,
            speed: speed?,
            start: start?,
            ramp: ramp?,
            shortest,
            rigidity: rigidity?,
            damping: damping?,
            limit: limit?,
            shoulder: self.shoulder,
            brake: brake?,
            brake_at: at.map_or(Some(None), |x| x.map(Some))?,
            brake_after_stall: after.map_or(Some(None), |x| x.map(Some))?,
        })
    }
}
