//! Contact laws, and the forces of single contacts: what `rattleback_contact` makes of the nearest points of two bodies.
//!
//! A twist is a row of six numbers: velocity of the body's origin in m/s, angular velocity in rad/s, in world axes. What a
//! contact remembers is a row of four: approach speed in m/s, stretch of the bristle in m.

use crate::array::{self, Rows};
use crate::query::pose;
use crate::shape::Shape;
use crate::{FORMAT, errors};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes};
use rattleback_contact::law::{ContactLaw, ContactState};
use rattleback_contact::{
    Collider, ContactError, ContactQuery, Kinematics, Rates, Start, Twist, derivatives as derive,
};
use rattleback_geom::Vec3;
use rattleback_scene::Source;
use rayon::prelude::*;
use std::path::PathBuf;

/// Numbers per contact: see `row`.
const FORCE: usize = 49;
/// Numbers per tangent: by poses 12 × 12, by twists 12 × 12, by the bristle 12 × 3, of the normal force by poses and by
/// twists 12 each.
const TANGENT: usize = 2 * 144 + 36 + 24;

/// The law of a contact between two materials.
#[pyclass(frozen, module = "rattleback._rattleback")]
pub struct Law {
    law: ContactLaw,
    text: String,
}

#[pymethods]
impl Law {
    /// The law of the one pair of bodies that a scene has, which is JSON.
    #[new]
    fn new(py: Python<'_>, text: String) -> PyResult<Self> {
        let source = Source { path: PathBuf::from("law.json"), text: text.clone(), beside: Vec::new() };
        let scene = py.detach(|| FORMAT.parse_scene(source)).map_err(|error| errors::scene(py, &error))?;
        match scene.model.all_pairs().first() {
            Some(pair) => Ok(Self { law: pair.law, text }),
            None => Err(errors::argument(py, "law", "a scene whose bodies have none", "a law of two bodies")),
        }
    }

    /// The scene that it was made of.
    #[getter]
    fn source(&self) -> &str {
        &self.text
    }

    /// The exponent of its normal law.
    #[getter]
    fn exponent(&self) -> f64 {
        self.law.exponent()
    }

    /// Forces and powers of contacts: [`FORCE`] numbers each.
    #[allow(clippy::too_many_arguments, reason = "they are those of the Python function")]
    fn forces<'py>(
        &self,
        py: Python<'py>,
        a: PyRef<'py, Shape>,
        b: PyRef<'py, Shape>,
        poses: [Bound<'py, PyBytes>; 2],
        twists: [Bound<'py, PyBytes>; 2],
        states: Option<&[u8]>,
    ) -> PyResult<Bound<'py, PyByteArray>> {
        let contacts = Contacts::new(py, (&a, &b), bytes(&poses), bytes(&twists), states)?;
        self.all(py, &contacts, FORCE, |one, place| {
            place.copy_from_slice(&one.row(&self.law)?);
            Ok(())
        })
    }

    /// Derivatives of the generalised forces of contacts: [`TANGENT`] numbers each.
    #[allow(clippy::too_many_arguments, reason = "they are those of the Python function")]
    fn tangents<'py>(
        &self,
        py: Python<'py>,
        a: PyRef<'py, Shape>,
        b: PyRef<'py, Shape>,
        poses: [Bound<'py, PyBytes>; 2],
        twists: [Bound<'py, PyBytes>; 2],
        states: Option<&[u8]>,
    ) -> PyResult<Bound<'py, PyByteArray>> {
        let contacts = Contacts::new(py, (&a, &b), bytes(&poses), bytes(&twists), states)?;
        self.all(py, &contacts, TANGENT, |one, place| one.tangent(&self.law, place))
    }
}

/// The bytes of both sides.
fn bytes<'b>(sides: &'b [Bound<'_, PyBytes>; 2]) -> [&'b [u8]; 2] {
    sides.each_ref().map(|side| side.as_bytes())
}

impl Law {
    fn all<'py>(
        &self,
        py: Python<'py>,
        contacts: &Contacts<'_>,
        width: usize,
        act: impl Fn(&One, &mut [f64]) -> Result<(), ContactError> + Sync,
    ) -> PyResult<Bound<'py, PyByteArray>> {
        let mut all = vec![0.0; contacts.count * width];
        let failed = py.detach(|| {
            let each = all.par_chunks_exact_mut(width).enumerate();
            let outcome = each.map(|(k, place)| {
                contacts.one(k).and_then(|one| act(&one, place)).map_err(|error| (k, error))
            });
            // The first in order, whichever thread found it.
            outcome.filter_map(Result::err).min_by_key(|(k, _)| *k)
        });
        match failed {
            Some((k, error)) => Err(errors::query(py, &error, Some(k))),
            None => array::floats(py, &all),
        }
    }
}

/// Contacts that are asked for: one shape against another, with one row for all or for each.
struct Contacts<'p> {
    shapes: [&'p Shape; 2],
    poses: [Rows<'p, 56>; 2],
    twists: [Rows<'p, 48>; 2],
    states: Option<Rows<'p, 32>>,
    count: usize,
}

impl<'p> Contacts<'p> {
    fn new(
        py: Python<'_>,
        (a, b): (&'p Shape, &'p Shape),
        [pose_a, pose_b]: [&'p [u8]; 2],
        [twist_a, twist_b]: [&'p [u8]; 2],
        states: Option<&'p [u8]>,
    ) -> PyResult<Self> {
        let poses = [array::rows(py, pose_a, "pose_a")?, array::rows(py, pose_b, "pose_b")?];
        let twists = [array::rows(py, twist_a, "twist_a")?, array::rows(py, twist_b, "twist_b")?];
        let states = states.map(|states| array::rows(py, states, "state")).transpose()?;
        let lengths = [poses[0].len(), poses[1].len(), twists[0].len(), twists[1].len()];
        let lengths = lengths.into_iter().chain(states.map(<[_]>::len));
        let count = lengths.clone().find(|&n| n != 1).unwrap_or(1);
        if let Some(other) = lengths.clone().find(|&n| n != 1 && n != count) {
            let found = format!("{other} rows beside {count}");
            return Err(errors::argument(py, "rows", &found, "as many of all, or one for all"));
        }
        Ok(Self { shapes: [a, b], poses, twists, states, count })
    }

    /// One of them, before its law is asked.
    fn one(&self, k: usize) -> Result<One, ContactError> {
        let collider = |side: usize, field: &'static str| -> Result<Collider, ContactError> {
            let place = pose(&array::row(self.poses[side], k), field)?;
            Ok(Collider::new(self.shapes[side].solid.clone(), place))
        };
        let twist = |side: usize, field: &'static str| -> Result<Twist, ContactError> {
            let row: [f64; 6] = array::row(self.twists[side], k);
            finite(&row, field, "six finite numbers: m/s, then rad/s")?;
            let [vx, vy, vz, wx, wy, wz] = row;
            Ok(Twist { velocity: Vec3::new(vx, vy, vz), angular_velocity: Vec3::new(wx, wy, wz) })
        };
        let state = match self.states {
            None => None,
            Some(states) => {
                let row: [f64; 4] = array::row(states, k);
                finite(&row, "state", "four finite numbers: m/s, then m")?;
                let bristle = Vec3::new(row[1], row[2], row[3]);
                if row[0] <= 0.0 {
                    let (field, allowed) = ("approach_speed".to_owned(), "above zero, in m/s");
                    return Err(ContactError::OutOfRange { field, value: row[0], allowed });
                }
                Some(ContactState { approach_speed: row[0], bristle })
            }
        };
        Ok(One {
            a: collider(0, "pose_a")?,
            b: collider(1, "pose_b")?,
            twists: [twist(0, "twist_a")?, twist(1, "twist_b")?],
            state,
        })
    }
}

fn finite(row: &[f64], field: &str, allowed: &'static str) -> Result<(), ContactError> {
    match row.iter().find(|x| !x.is_finite()) {
        Some(&value) => Err(ContactError::OutOfRange { field: field.to_owned(), value, allowed }),
        None => Ok(()),
    }
}

/// Two bodies that move, and what their contact remembers; none where it begins now.
struct One {
    a: Collider,
    b: Collider,
    twists: [Twist; 2],
    state: Option<ContactState>,
}

impl One {
    fn query(&self) -> ContactQuery<'_> {
        ContactQuery { a: &self.a, b: &self.b, feature: None, faces: None }
    }

    /// How they move where they touch, and what the contact remembers.
    fn moving(
        &self,
        law: &ContactLaw,
        touch: &rattleback_contact::Touch,
    ) -> Result<(Kinematics, ContactState), ContactError> {
        let twists = [&self.twists[0], &self.twists[1]];
        let kinematics = Kinematics::new(&self.a, &self.b, touch, twists, law.share());
        let state = match self.state {
            Some(state) => state,
            None => law.begin(kinematics.gap_rate)?,
        };
        Ok((kinematics, state))
    }

    /// gap, gap rate, spin, approach speed, normal force, greatest pressure, semi-axes of the patch (2), energy stored,
    /// that of the bristle, power damped, lost to friction, brought by a change of stiffness; then vectors: point,
    /// normal, force on B, free torque on B, friction on B, slip, rate of the bristle, stretch of the bristle; then
    /// force and torque about the origin of A, of B.
    fn row(&self, law: &ContactLaw) -> Result<[f64; FORCE], ContactError> {
        let query = self.query();
        let touch = query.touch(Start::Cold)?;
        let contact = match law.asks_for_curvature() {
            true => query.contact(touch)?,
            false => query.contact_without_curvature(touch)?,
        };
        let (kinematics, state) = self.moving(law, &touch)?;
        let force = law.force(&contact, &kinematics, &state)?;
        let rates = match law.asks_for_rates() {
            true => query.rates(&contact, [&self.twists[0], &self.twists[1]])?,
            false => Rates::of_gap(kinematics.gap_rate),
        };
        let powers = force.powers(&rates);
        let bristle_rate = match law.has_bristle() {
            true => force.bristle_rate(&kinematics, &rates, &state),
            false => Vec3::zeros(),
        };
        let [of_a, of_b] = force.wrenches(&kinematics);
        let numbers = [
            touch.gap,
            kinematics.gap_rate,
            kinematics.spin(),
            state.approach_speed,
            force.normal,
            force.greatest_pressure().unwrap_or(f64::NAN),
            force.patch[0],
            force.patch[1],
            powers.stored,
            powers.bristle,
            powers.damped,
            powers.friction_loss,
            powers.stiffness_change,
        ];
        let vectors = [
            force.point,
            touch.normal,
            force.force,
            force.torque,
            force.friction,
            kinematics.slip,
            bristle_rate,
            state.bristle,
            of_a[0],
            of_a[1],
            of_b[0],
            of_b[1],
        ];
        let mut all = numbers.into_iter().chain(vectors.into_iter().flat_map(<[f64; 3]>::from));
        Ok(std::array::from_fn(|_| all.next().unwrap_or(f64::NAN)))
    }

    fn tangent(&self, law: &ContactLaw, place: &mut [f64]) -> Result<(), ContactError> {
        let query = self.query();
        let contact = query.contact(query.touch(Start::Cold)?)?;
        let (kinematics, state) = self.moving(law, &contact.touch)?;
        let change = derive(&self.a, &self.b, &contact)?;
        let twists = [&self.twists[0], &self.twists[1]];
        let moved = kinematics.derivatives(&change, twists, law.share());
        let partials = law.partials(&contact, &kinematics, &state)?;
        let tangent = partials.tangent(&change, &kinematics, &moved, &state);
        // Row after row; nalgebra's order is by columns.
        let rows = tangent.by_pose.transpose().iter().copied().collect::<Vec<_>>();
        let all = rows
            .into_iter()
            .chain(tangent.by_twist.transpose().iter().copied().collect::<Vec<_>>())
            .chain(tangent.by_bristle.transpose().iter().copied().collect::<Vec<_>>())
            .chain(tangent.normal_by_pose.iter().copied())
            .chain(tangent.normal_by_twist.iter().copied());
        for (place, value) in place.iter_mut().zip(all) {
            *place = value;
        }
        Ok(())
    }
}
