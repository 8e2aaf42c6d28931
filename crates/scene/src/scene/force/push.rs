//! Forces and torques on one body: constant, over time, or by expressions of it.

use super::super::amount::{Aspect, Measure, as_many, times};
use super::super::formula::FormulaSpec;
use super::super::frames::Frames;
use crate::read::{At, Force, Length, Place, Reader, Time, Torque, entry, triple, words};
use rattleback_dynamics::force::{Axes, Constant, FormulaForce, Table};
use rattleback_dynamics::formula::{Formula, Operation};
use rattleback_dynamics::{Beyond, BodyId, Ends, Interpolation, Track};
use rattleback_geom::{Pose, Vec3};

words! {
    /// The axes in which a force and a torque are given.
    pub enum ForceAxesSpec {
        /// The world's.
        "world" => World,
        /// The body's own, which turn with it.
        "body" => Body,
    }
}

words! {
    /// What lies between two times of a table.
    pub enum InterpolationSpec {
        /// Straight lines.
        "linear" => Linear,
        /// Cubics with continuous slopes that do not overshoot.
        "monotone" => Monotone,
        /// Cubics with continuous slopes and curvatures, which may overshoot.
        "spline" => Spline,
    }
}

words! {
    /// How cubics begin and end.
    pub enum EndsSpec {
        /// With a rate of zero.
        "at_rest" => AtRest,
        /// As the nearest values go; splines with a second derivative of zero.
        "natural" => Natural,
    }
}

words! {
    /// What lies before the first time of a table and after the last.
    pub enum BeyondSpec {
        /// The first and the last value.
        "hold" => Hold,
        /// Nothing.
        "zero" => Zero,
        /// Straight on, with the rate at the end.
        "continue" => Continue,
        /// The table again and again.
        "repeat" => Repeat,
    }
}

impl From<BeyondSpec> for Beyond {
    fn from(beyond: BeyondSpec) -> Self {
        match beyond {
            BeyondSpec::Hold => Self::Hold,
            BeyondSpec::Zero => Self::Zero,
            BeyondSpec::Continue => Self::Continue,
            BeyondSpec::Repeat => Self::Repeat,
        }
    }
}

/// What lies between the times of a table, where cubics that `ends` does not describe end as `default` says.
pub(crate) fn interpolation(
    interpolation: InterpolationSpec,
    ends: Option<EndsSpec>,
    default: Ends,
    place: &Place,
    reader: &mut Reader,
) -> Option<Interpolation> {
    match (interpolation, ends) {
        (InterpolationSpec::Linear, None) => Some(Interpolation::Linear),
        (InterpolationSpec::Linear, Some(_)) => {
            let message = "found `ends` of straight lines; expected it with \"monotone\" or \"spline\"";
            reader.wrong(place, "ends", message);
            None
        }
        (InterpolationSpec::Monotone, ends) => {
            Some(Interpolation::Monotone(ends.map_or(default, Ends::from)))
        }
        (InterpolationSpec::Spline, ends) => Some(Interpolation::Spline(ends.map_or(default, Ends::from))),
    }
}

entry! {
    /// A constant force at a point of a body, and a torque on it.
    pub struct ConstantForceSpec {
        /// The name of the body.
        body: At<String>,
        /// Where the force acts, in the body's own frame; the mass centre by default.
        point: Option<[Length; 3]>,
        /// The force; none by default.
        force: Option<[Force; 3]>,
        /// The torque; none by default.
        torque: Option<[Torque; 3]>,
        /// The axes in which both are constant.
        axes: ForceAxesSpec = ForceAxesSpec::World,
    }
}

entry! {
    /// A force at a point of a body, and a torque on it, over time.
    pub struct TableForceSpec {
        /// The name of the body.
        body: At<String>,
        /// Where the force acts, in the body's own frame; the mass centre by default.
        point: Option<[Length; 3]>,
        /// Two times at least, each after the one before it.
        times: Vec<Time>,
        /// The force at each time; none by default.
        forces: Option<Vec<[Force; 3]>>,
        /// The torque at each time; none by default.
        torques: Option<Vec<[Torque; 3]>>,
        /// The axes in which both are given.
        axes: ForceAxesSpec = ForceAxesSpec::World,
        /// What lies between the times.
        interpolation: InterpolationSpec = InterpolationSpec::Linear,
        /// How cubics begin and end; natural by default.
        ends: Option<EndsSpec>,
        /// What lies before the first time and after the last.
        beyond: BeyondSpec = BeyondSpec::Hold,
    }
}

entry! {
    /// A force at a point of a body, and a torque on it, by expressions of time.
    pub struct FormulaForceSpec {
        /// The name of the body.
        body: At<String>,
        /// Where the force acts, in the body's own frame; the mass centre by default.
        point: Option<[Length; 3]>,
        /// The force as expressions of the time `t`; none by default.
        force: Option<[At<FormulaSpec>; 3]>,
        /// The torque as expressions of the time `t`; none by default.
        torque: Option<[At<FormulaSpec>; 3]>,
        /// The axes in which both are given.
        axes: ForceAxesSpec = ForceAxesSpec::World,
    }
}

impl From<ForceAxesSpec> for Axes {
    fn from(axes: ForceAxesSpec) -> Self {
        match axes {
            ForceAxesSpec::World => Self::World,
            ForceAxesSpec::Body => Self::Body,
        }
    }
}

impl From<EndsSpec> for Ends {
    fn from(ends: EndsSpec) -> Self {
        match ends {
            EndsSpec::AtRest => Self::AtRest,
            EndsSpec::Natural => Self::Natural,
        }
    }
}

/// The point in the model's frame of the body, whose origin is the mass centre.
fn acting_at(
    point: Option<[Length; 3]>,
    body: BodyId,
    place: &Place,
    frames: &Frames,
    reader: &mut Reader,
) -> Option<Vec3> {
    let Some(point) = point else { return Some(Vec3::zeros()) };
    let [x, y, z] = triple(place, "point", point.map(|x| x.0), reader)?;
    Some(frames.in_model(body, &Pose::from_position(x, y, z)).position)
}

/// Complains where neither of two keys is there.
fn either(place: &Place, keys: [&str; 2], reader: &mut Reader) -> Option<()> {
    if keys.iter().any(|key| place.has(key)) {
        return Some(());
    }
    reader.wrong(place, "", format!("found neither; expected `{}`, `{}` or both", keys[0], keys[1]));
    None
}

impl ConstantForceSpec {
    pub(super) fn lower(&self, frames: &Frames, reader: &mut Reader) -> Option<Constant> {
        let said = either(&self.place, ["force", "torque"], reader);
        let force = self.force.map_or([0.0; 3], |force| force.map(|x| x.0));
        let torque = self.torque.map_or([0.0; 3], |torque| torque.map(|x| x.0));
        let force = triple(&self.place, "force", force, reader);
        let torque = triple(&self.place, "torque", torque, reader);
        let body = frames.find(&self.body, reader)?;
        let point = acting_at(self.point, body, &self.place, frames, reader)?;
        said?;
        Some(Constant { body, point, force: force?.into(), torque: torque?.into(), axes: self.axes.into() })
    }
}

impl FormulaForceSpec {
    pub(super) fn lower(&self, frames: &Frames, reader: &mut Reader) -> Option<FormulaForce> {
        let said = either(&self.place, ["force", "torque"], reader);
        let mut taken = |formulas: &Option<[At<FormulaSpec>; 3]>, measure: Measure| match formulas {
            Some([x, y, z]) => {
                let each = [x, y, z].map(|formula| formula.take(Aspect::Effort, measure, reader));
                let [x, y, z] = each;
                Some([x?, y?, z?])
            }
            None => {
                let none = Formula::new(vec![Operation::Number(0.0)]).ok()?;
                Some([none.clone(), none.clone(), none])
            }
        };
        // The effort of what slides is a force, of what turns a torque.
        let (force, torque) = (taken(&self.force, Measure::Length), taken(&self.torque, Measure::Angle));
        let body = frames.find(&self.body, reader)?;
        let point = acting_at(self.point, body, &self.place, frames, reader)?;
        said?;
        Some(FormulaForce { body, point, force: force?, torque: torque?, axes: self.axes.into() })
    }
}

impl TableForceSpec {
    pub(super) fn lower(&self, frames: &Frames, reader: &mut Reader) -> Option<Table> {
        let (place, count) = (&self.place, self.times.len());
        let said = either(place, ["forces", "torques"], reader);
        let moments = times(place, &self.times, reader);
        let plain = |list: &Vec<[Force; 3]>| list.iter().map(|v| v.map(|x| x.0)).collect();
        let forces = column(place, "forces", self.forces.as_ref().map(plain), count, reader);
        let plain = |list: &Vec<[Torque; 3]>| list.iter().map(|v| v.map(|x| x.0)).collect();
        let torques = column(place, "torques", self.torques.as_ref().map(plain), count, reader);
        let interpolation = interpolation(self.interpolation, self.ends, Ends::Natural, place, reader);
        let body = frames.find(&self.body, reader)?;
        let point = acting_at(self.point, body, place, frames, reader)?;
        said?;
        let values: Vec<[f64; 6]> = forces?
            .into_iter()
            .zip(torques?)
            .map(|([fx, fy, fz], [tx, ty, tz])| [fx, fy, fz, tx, ty, tz])
            .collect();
        match Track::new(&moments?, &values, interpolation?, self.beyond.into()) {
            Ok(values) => Some(Table { body, point, values, axes: self.axes.into() }),
            Err(error) => {
                reader.wrong(place, "times", error.to_string());
                None
            }
        }
    }
}

/// One vector for each time, zero where the file has none.
fn column(
    place: &Place,
    field: &str,
    values: Option<Vec<[f64; 3]>>,
    count: usize,
    reader: &mut Reader,
) -> Option<Vec<[f64; 3]>> {
    let Some(values) = values else { return Some(vec![[0.0; 3]; count]) };
    as_many(place, field, values.len(), count, reader)?;
    let checked: Vec<Option<[f64; 3]>> = values
        .iter()
        .enumerate()
        .map(|(i, value)| triple(place, &format!("{field}[{i}]"), *value, reader))
        .collect();
    checked.into_iter().collect()
}
