//! Contact laws, and the forces of single contacts: what `rattleback_contact` makes of the nearest points of two
//! bodies.
//!
//! A twist is a row of six numbers: velocity of the body's origin in m/s, angular velocity in rad/s, in world axes.
//! What a contact remembers is a row of four: approach speed in m/s, stretch of the bristle in m.

use crate::memory::{Fresh, Numbers};
use crate::query::{Errors, pose};
use crate::shape::Shape;
use crate::watch::Watch;
use crate::{FORMAT, errors, pool};
use pyo3::prelude::*;
use rattleback_contact::law::{ContactLaw, ContactState};
use rattleback_contact::{
    Collider, ContactError, ContactQuery, Kinematics, Rates, Start, Twist, derivatives as derive,
};
use rattleback_geom::Vec3;
use rattleback_scene::Source;
use std::path::PathBuf;

/// Rows of one side and of the other.
type Sides<'py> = [Bound<'py, PyAny>; 2];
/// A tuple of both shapes, their poses and twists, and what the contacts remember.
type Asked<'py> = (Bound<'py, Shape>, Bound<'py, Shape>, Sides<'py>, Sides<'py>, Option<Bound<'py, PyAny>>);

/// Contacts handed to a thread at a time.
const CHUNK: usize = 32;
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
    fn forces<'py>(&self, py: Python<'py>, asked: Asked<'py>) -> PyResult<Bound<'py, PyAny>> {
        Contacts::new(py, &asked)?.all::<FORCE>(py, |one| one.row(&self.law))
    }

    /// Derivatives of the generalised forces of contacts: [`TANGENT`] numbers each.
    fn tangents<'py>(&self, py: Python<'py>, asked: Asked<'py>) -> PyResult<Bound<'py, PyAny>> {
        Contacts::new(py, &asked)?.all::<TANGENT>(py, |one| one.tangent(&self.law))
    }
}

/// Contacts that are asked for: one shape against another, with one row for all or for each.
struct Contacts<'p> {
    shapes: [&'p Shape; 2],
    poses: [Numbers<'p, 7>; 2],
    twists: [Numbers<'p, 6>; 2],
    states: Option<Numbers<'p, 4>>,
    count: usize,
}

impl<'p> Contacts<'p> {
    fn new(py: Python<'_>, (a, b, poses, twists, states): &'p Asked<'_>) -> PyResult<Self> {
        let poses = [Numbers::of(&poses[0], "pose_a")?, Numbers::of(&poses[1], "pose_b")?];
        let twists = [Numbers::of(&twists[0], "twist_a")?, Numbers::of(&twists[1], "twist_b")?];
        let states = states.as_ref().map(|states| Numbers::of(states, "state")).transpose()?;
        let lengths = [poses[0].len(), poses[1].len(), twists[0].len(), twists[1].len()];
        let lengths = lengths.into_iter().chain(states.iter().map(Numbers::len));
        let count = lengths.clone().find(|&n| n != 1).unwrap_or(1);
        if let Some(other) = lengths.clone().find(|&n| n != 1 && n != count) {
            let found = format!("{other} rows beside {count}");
            return Err(errors::argument(py, "rows", &found, "as many of all, or one for all"));
        }
        Ok(Self { shapes: [a.get(), b.get()], poses, twists, states, count })
    }

    /// So many numbers of each, on all threads, in an array of NumPy's.
    fn all<'py, const N: usize>(
        &self,
        py: Python<'py>,
        ask: impl Fn(&One) -> Result<[f64; N], ContactError> + Sync + Send,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mut all = Fresh::<[f64; N]>::new(py, self.count)?;
        let errors = Errors::new(false);
        let parts = all.places().chunks_mut(CHUNK).enumerate().collect();
        pool::share(
            py,
            &Watch::new(None),
            parts,
            || (),
            |(), (part, places)| {
                for (k, place) in places.iter_mut().enumerate() {
                    let k = part * CHUNK + k;
                    match self.one(k).and_then(|one| ask(&one)) {
                        Ok(row) => drop(place.write(row)),
                        Err(error) => errors.keep(k, error),
                    }
                }
            },
        )?;
        errors.told(py)?;
        Ok(all.into_array())
    }

    /// One of them, before its law is asked.
    fn one(&self, k: usize) -> Result<One, ContactError> {
        let collider = |side: usize, field: &'static str| -> Result<Collider, ContactError> {
            let place = pose(&self.poses[side].row(k), field)?;
            Ok(Collider::new(self.shapes[side].solid.clone(), place))
        };
        let twist = |side: usize, field: &'static str| -> Result<Twist, ContactError> {
            let row = self.twists[side].row(k);
            finite(&row, field, "six finite numbers: m/s, then rad/s")?;
            let [vx, vy, vz, wx, wy, wz] = row;
            Ok(Twist { velocity: Vec3::new(vx, vy, vz), angular_velocity: Vec3::new(wx, wy, wz) })
        };
        let state = match self.states {
            None => None,
            Some(states) => {
                let row = states.row(k);
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

    fn tangent(&self, law: &ContactLaw) -> Result<[f64; TANGENT], ContactError> {
        let query = self.query();
        let contact = query.contact(query.touch(Start::Cold)?)?;
        let (kinematics, state) = self.moving(law, &contact.touch)?;
        let change = derive(&self.a, &self.b, &contact)?;
        let twists = [&self.twists[0], &self.twists[1]];
        let moved = kinematics.derivatives(&change, twists, law.share());
        let partials = law.partials(&contact, &kinematics, &state)?;
        let tangent = partials.tangent(&change, &kinematics, &moved, &state);
        // Row after row; nalgebra's order is by columns.
        let by_pose = tangent.by_pose.transpose();
        let by_twist = tangent.by_twist.transpose();
        let by_bristle = tangent.by_bristle.transpose();
        let of_normal = tangent.normal_by_pose.iter().chain(tangent.normal_by_twist.iter());
        let all = by_pose.iter().chain(by_twist.iter()).chain(by_bristle.iter()).chain(of_normal);
        let mut row = [0.0; TANGENT];
        for (place, value) in row.iter_mut().zip(all) {
            *place = *value;
        }
        Ok(row)
    }
}
