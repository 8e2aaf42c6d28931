//! Springs, ropes and winches: straight lines between a point of A and a point of B.

use super::super::amount::{as_many, times};
use super::super::frames::Frames;
use super::super::joint_frame::two;
use crate::read::{
    At, Damping, Force, Length, Place, Range, Reader, Stiffness, Time, Velocity, entry, number, triple,
};
use rattleback_dynamics::force::{End, SpringDamper, Winch};
use rattleback_dynamics::{Beyond, Interpolation, Track};
use rattleback_geom::Pose;

entry! {
    /// A spring and a damper side by side between two points.
    pub struct LineForceSpec {
        /// The names of the bodies, A and B.
        bodies: [At<String>; 2],
        /// The points of A and B, each in its body's own frame.
        points: [[Length; 3]; 2],
        /// The length at rest; the distance at the start by default.
        length: Option<Length>,
        /// Force per length.
        stiffness: Stiffness,
        /// Force per velocity.
        damping: Damping = Damping(0.0),
    }
}

entry! {
    /// A winch on A and an elastic line to B, with a limit to its tension. It winds by `speed`, `start` and `ramp`, or
    /// by `times` and `speeds`.
    pub struct WinchForceSpec {
        /// The names of the bodies: that of the winch and that at the end of the line.
        bodies: [At<String>; 2],
        /// Where the line leaves the winch and where it ends, each in its body's own frame.
        points: [[Length; 3]; 2],
        /// The unstretched length before it winds; the distance at the start by default.
        length: Option<Length>,
        /// The speed of winding in after the ramp, negative for paying out.
        speed: Option<Velocity>,
        /// When winding begins; at time zero by default.
        start: Option<Time>,
        /// How long the speed takes to grow.
        ramp: Option<Time>,
        /// In place of `speed`: two times at least, each after the one before it.
        times: Option<Vec<Time>>,
        /// The speed of winding in at each time, straight in between.
        speeds: Option<Vec<Velocity>>,
        /// The unstretched length at which winding ends.
        shortest: Length,
        /// Tension per strain.
        rigidity: Force,
        /// Force per velocity.
        damping: Damping = Damping(0.0),
        /// The tension that is never exceeded.
        limit: Force,
        /// The share of the limit, above 0 and up to 1, over which the tension levels off.
        shoulder: f64 = 0.1,
    }
}

/// Both ends of a line and their distance at the start.
pub(super) fn ends(
    names: &[At<String>; 2],
    points: &[[Length; 3]; 2],
    place: &Place,
    frames: &Frames,
    reader: &mut Reader,
) -> Option<([End; 2], f64)> {
    let [a, b] = [0, 1]
        .map(|k| triple(place, &format!("points[{k}]"), points[k].map(|x| x.0), reader))
        .map(|point| point.map(|[x, y, z]| Pose::from_position(x, y, z)));
    let bodies = two(names, frames, reader)?;
    let poses = [a?, b?];
    let ends = [0, 1].map(|k| End { body: bodies[k], point: frames.in_model(bodies[k], &poses[k]).position });
    let [from, to] = [0, 1].map(|k| frames.in_world(bodies[k], &poses[k]).position);
    Some((ends, (to - from).norm()))
}

impl LineForceSpec {
    pub(super) fn lower(
        &self,
        never_pushes: bool,
        frames: &Frames,
        reader: &mut Reader,
    ) -> Option<SpringDamper> {
        let place = &self.place;
        let length = self.length.map(|x| number(place, "length", x.0, Range::NotNegative, reader));
        let stiffness = number(place, "stiffness", self.stiffness.0, Range::NotNegative, reader);
        let damping = number(place, "damping", self.damping.0, Range::NotNegative, reader);
        let ([a, b], apart) = ends(&self.bodies, &self.points, place, frames, reader)?;
        let length = length.unwrap_or(Some(apart))?;
        Some(SpringDamper { a, b, length, stiffness: stiffness?, damping: damping?, never_pushes })
    }
}

impl WinchForceSpec {
    pub(super) fn lower(&self, frames: &Frames, reader: &mut Reader) -> Option<Winch> {
        let place = &self.place;
        let given = self.length.map(|x| number(place, "length", x.0, Range::Positive, reader));
        let shortest = number(place, "shortest", self.shortest.0, Range::Positive, reader);
        let rigidity = number(place, "rigidity", self.rigidity.0, Range::Positive, reader);
        let damping = number(place, "damping", self.damping.0, Range::NotNegative, reader);
        let limit = number(place, "limit", self.limit.0, Range::Positive, reader);
        let share = self.shoulder > 0.0 && self.shoulder <= 1.0;
        if !share {
            let message = format!("found {}; expected a number above 0 and up to 1", self.shoulder);
            reader.wrong(place, "shoulder", message);
        }
        let speed = self.speed(reader);
        let ([a, b], apart) = ends(&self.bodies, &self.points, place, frames, reader)?;
        let (length, shortest) = (given.unwrap_or(Some(apart))?, shortest?);
        if length < shortest {
            let message = format!("found {length}; expected at least the shortest length, {shortest}");
            reader.wrong(place, "length", message);
            return None;
        }
        share.then_some(Winch {
            a,
            b,
            length,
            speed: speed?,
            shortest,
            rigidity: rigidity?,
            damping: damping?,
            limit: limit?,
            shoulder: self.shoulder,
        })
    }

    /// The speed of winding in over time.
    fn speed(&self, reader: &mut Reader) -> Option<Track<1>> {
        let place = &self.place;
        let by_ramp = ["speed", "start", "ramp"].iter().any(|key| place.has(key));
        let by_table = ["times", "speeds"].iter().any(|key| place.has(key));
        if by_ramp == by_table {
            let found = if by_ramp { "both" } else { "neither" };
            let expected = "`speed` and `ramp`, or `times` and `speeds`";
            reader.wrong(place, "speed", format!("found {found}; expected {expected}"));
            return None;
        }
        let track = if by_ramp { self.ramp(reader)? } else { self.table(reader)? };
        match track {
            Ok(track) => Some(track),
            Err(error) => {
                reader.wrong(place, if by_ramp { "ramp" } else { "speeds" }, error.to_string());
                None
            }
        }
    }

    fn ramp(&self, reader: &mut Reader) -> Option<rattleback_dynamics::Result<Track<1>>> {
        let place = &self.place;
        for (key, missing) in [("speed", self.speed.is_none()), ("ramp", self.ramp.is_none())] {
            if missing {
                reader.wrong(place, "", format!("missing key `{key}`"));
            }
        }
        let (speed, ramp) = (self.speed?.0, self.ramp?.0);
        let speed = number(place, "speed", speed, Range::Finite, reader);
        let start = number(place, "start", self.start.map_or(0.0, |x| x.0), Range::Finite, reader);
        let ramp = number(place, "ramp", ramp, Range::Positive, reader);
        Some(Winch::ramp(start?, ramp?, speed?))
    }

    fn table(&self, reader: &mut Reader) -> Option<rattleback_dynamics::Result<Track<1>>> {
        let place = &self.place;
        for (key, missing) in [("times", self.times.is_none()), ("speeds", self.speeds.is_none())] {
            if missing {
                reader.wrong(place, "", format!("missing key `{key}`"));
            }
        }
        let (moments, speeds) = (self.times.as_ref()?, self.speeds.as_ref()?);
        as_many(place, "speeds", speeds.len(), moments.len(), reader)?;
        let moments = times(place, moments, reader);
        let speeds: Vec<Option<[f64; 1]>> = speeds
            .iter()
            .enumerate()
            .map(|(i, x)| number(place, &format!("speeds[{i}]"), x.0, Range::Finite, reader).map(|x| [x]))
            .collect();
        let speeds: Option<Vec<[f64; 1]>> = speeds.into_iter().collect();
        Some(Track::new(&moments?, &speeds?, Interpolation::Linear, Beyond::Hold))
    }
}
