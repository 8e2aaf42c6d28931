//! A run that goes on as far as it is asked to.
//!
//! It holds the state alone: a run that is taken up from the state between two calls has the same bits as one that was
//! not, so that a stored state is a checkpoint.

use crate::array::floats;
use crate::errors;
use crate::scene::Scene;
use crate::watch::Watch;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyDict};
use rattleback_dynamics::health::Health;
use rattleback_dynamics::{DynamicsError, Instant as Seen, Run as Moving, RunEvent, State, active_contacts};
use rattleback_scene::Scene as Parsed;
use serde_json::json;
use std::sync::Arc;

/// A scene on its way through time.
#[pyclass(module = "rattleback._rattleback")]
pub struct Run {
    scene: Arc<Parsed>,
    state: State,
    health: Health,
    #[pyo3(get)]
    steps: u64,
}

#[pymethods]
impl Run {
    /// Begins at the start of a scene, or in a stored state.
    #[new]
    fn new(py: Python<'_>, scene: PyRef<'_, Scene>, stored: Option<Vec<u8>>) -> PyResult<Self> {
        let scene = Arc::clone(&scene.parsed);
        let state = match stored {
            None => scene.state.clone(),
            Some(bytes) => serde_json::from_slice(&bytes).map_err(|error| {
                errors::argument(py, "checkpoint", &error.to_string(), "what Run.checkpoint() has given")
            })?,
        };
        crate::pool::ready(py)?;
        let begun = py.detach(|| -> Result<State, DynamicsError> {
            state.check(&scene.model)?;
            let run = Moving::new(&scene.model, state, &scene.scheme)?;
            Ok(run.state().clone())
        });
        let state = begun.map_err(|error| errors::motion(py, &error, None))?;
        let mut health = Health::new(&scene.model, state.time, scene.duration);
        health.set_scheme(&scene.scheme);
        health.begin(&state);
        Ok(Self { scene, state, health, steps: 0 })
    }

    /// The time in s.
    #[getter]
    fn time(&self) -> f64 {
        self.state.time
    }

    /// Moves on to a time in s.
    fn advance(&mut self, py: Python<'_>, end: f64, progress: Option<Py<PyAny>>) -> PyResult<()> {
        if !(end >= self.state.time && end.is_finite()) {
            let expected = format!("a time in s from {} on", self.state.time);
            return Err(errors::argument(py, "time", &end.to_string(), &expected));
        }
        crate::pool::ready(py)?;
        let watch = Watch::new(progress);
        let Self { scene, state, health, steps } = self;
        let moved = py.detach(|| -> Result<(), DynamicsError> {
            let mut run = Moving::new(&scene.model, state.clone(), &scene.scheme)?;
            let moved = run.advance(end, &mut |seen: &Seen<'_>| {
                if matches!(seen.event, RunEvent::Step) {
                    *steps += 1;
                    health.step(seen.state, seen.active_contacts);
                }
                match watch.is_stopped_at(seen.state.time, end) {
                    true => Err(DynamicsError::Stopped { time: seen.state.time }),
                    false => Ok(()),
                }
            });
            // After an error it is the last one that is whole.
            *state = run.state().clone();
            moved?;
            let contacts = active_contacts(&scene.model, state)?;
            health.output(state, &run.energy()?, &contacts);
            Ok(())
        });
        watch.end(end)?;
        moved.map_err(|error| errors::motion(py, &error, Some(self.state.time)))
    }

    /// The state as bytes that a run can begin with.
    fn checkpoint<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = serde_json::to_vec(&self.state);
        let bytes = bytes.map_err(|error| errors::raise(py, "MotionError", &error.to_string(), json!({})))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Per body thirteen numbers: mass centre, quaternion, velocity, angular velocity in the body's axes.
    fn states<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyByteArray>> {
        let mut all = Vec::with_capacity(13 * self.state.motions.len());
        for motion in &self.state.motions {
            all.extend_from_slice(motion.pose.position.as_slice());
            all.extend_from_slice(&motion.pose.wxyz());
            all.extend_from_slice(motion.velocity.as_slice());
            all.extend_from_slice(motion.angular_velocity_body.as_slice());
        }
        floats(py, &all)
    }

    /// The contacts, in the order of the model: names of the bodies and arrays.
    fn contacts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        crate::pool::ready(py)?;
        let found = py.detach(|| active_contacts(&self.scene.model, &self.state));
        let found = found.map_err(|error| errors::motion(py, &error, Some(self.state.time)))?;
        let bodies = self.scene.model.bodies();
        let names = |side: fn(&rattleback_dynamics::model::PairId) -> usize| -> Vec<&str> {
            found.iter().map(|(pair, _)| bodies[side(pair)].name.as_str()).collect()
        };
        let dict = PyDict::new(py);
        dict.set_item("body_a", names(|pair| pair.a.body.0))?;
        dict.set_item("body_b", names(|pair| pair.b.body.0))?;
        let numbers = |of: &dyn Fn(&rattleback_dynamics::ActiveContact) -> f64| -> Vec<f64> {
            found.iter().map(|(_, contact)| of(contact)).collect()
        };
        dict.set_item("gap_m", floats(py, &numbers(&|c| c.touch.gap))?)?;
        dict.set_item("normal_force_N", floats(py, &numbers(&|c| c.force.normal))?)?;
        dict.set_item("friction_force_N", floats(py, &numbers(&|c| c.force.friction.norm()))?)?;
        dict.set_item("gap_rate_m_per_s", floats(py, &numbers(&|c| c.kinematics.gap_rate))?)?;
        let vectors = |of: &dyn Fn(&rattleback_dynamics::ActiveContact) -> [f64; 3]| {
            let all: Vec<f64> = found.iter().flat_map(|(_, contact)| of(contact)).collect();
            floats(py, &all)
        };
        dict.set_item("point_m", vectors(&|c| c.force.point.into())?)?;
        dict.set_item("normal", vectors(&|c| c.touch.normal.into())?)?;
        dict.set_item("force_N", vectors(&|c| c.force.force.into())?)?;
        Ok(dict)
    }

    /// Where the energy is and where it went, in J.
    fn energy<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        crate::pool::ready(py)?;
        let energy = py.detach(|| {
            let mut run = Moving::new(&self.scene.model, self.state.clone(), &self.scene.scheme)?;
            run.energy()
        });
        let energy = energy.map_err(|error| errors::motion(py, &error, Some(self.state.time)))?;
        let dict = PyDict::new(py);
        dict.set_item("kinetic_J", energy.kinetic)?;
        dict.set_item("potential_J", energy.potential)?;
        dict.set_item("stored_J", energy.contacts.stored)?;
        dict.set_item("mechanical_J", energy.mechanical())?;
        dict.set_item("damped_J", energy.contacts.damped)?;
        dict.set_item("total_J", energy.total())?;
        Ok(dict)
    }

    /// Whether it can be trusted so far, and in one line why.
    #[getter]
    fn health(&self) -> (bool, String) {
        let verdict = self.health.verdict();
        (verdict.is_healthy(), verdict.line)
    }
}
