//! A scene of a foot through its run: what the ground does to each body under it, joint angles, energies.
//!
//! Per body, over all its contacts, from step to step by the trapezoidal rule: W = ∮ N dδ, the work of its normal
//! force on the ground's depth. What goes in and does not come out is damped: W equals the ledger's energy where
//! contacts have ended, which is how the loop of force over depth (Marques et al., Fig. 7) is read.

use super::foot_scene::SEGMENTS;
use crate::foot::{FootModel, Segment};
use crate::{GaitError, Result};
use rattleback_dynamics::model::{PairId, PartId};
use rattleback_dynamics::{ActiveContact, Instant, Motion, Run, RunEvent, State, active_contacts};
use rattleback_geom::Vec3;
use rattleback_scene::{Scene, Source, parse_scene};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// What one body under the foot does.
#[derive(Debug, Clone, PartialEq)]
pub struct BodyTrace {
    /// Its name.
    pub name: String,
    /// δ at the outputs, in m; zero where it does not touch.
    pub depth: Vec<f64>,
    /// The normal force there, in N.
    pub force: Vec<f64>,
    /// ∮ N dδ over the whole run, in J.
    pub work: f64,
    /// What the ledger says was damped, in J.
    pub damped: f64,
    /// What the indentation stores at the end, in J.
    pub stored: f64,
}

/// A run.
#[derive(Debug)]
pub struct SceneRun {
    /// The scene.
    pub scene: Scene,
    /// Times of the outputs, in s.
    pub times: Vec<f64>,
    /// The ground's force on the foot, in N.
    pub force: Vec<Vec3>,
    /// The centre of pressure; none where the ground carries nothing.
    pub centre: Vec<Option<Vec3>>,
    /// The bodies under the foot.
    pub bodies: Vec<BodyTrace>,
    /// Turns of the joints, by their names, in rad.
    pub turns: Vec<(String, Vec<f64>)>,
    /// What the motor of a slide exerts, in N; empty where there is none.
    pub guide: Vec<f64>,
    /// The motions of all bodies at the outputs.
    pub motions: Vec<Vec<Motion>>,
    /// How far the total energy strays, in J.
    pub drift: f64,
    /// The largest kinetic energy, in J.
    pub kinetic: f64,
}

/// Runs a scene of this crate; `show` sees every step, and the end of the run in s.
pub fn run_scene(
    name: &str,
    text: String,
    foot: &FootModel,
    show: &mut dyn FnMut(&Instant<'_>, f64),
) -> Result<SceneRun> {
    let failed = |reason: String| GaitError::motion(name, reason);
    let source = Source { path: PathBuf::from(format!("{name}.toml")), text, beside: Vec::new() };
    let scene = parse_scene(source).map_err(|e| failed(e.to_string()))?;
    let traces = Traces::of(&scene, foot, name)?;
    let (duration, every) = (scene.duration, scene.output.every);
    let model = scene.model.clone();
    let mut run = Run::new(&model, scene.state.clone(), &scene.scheme).map_err(|e| failed(e.to_string()))?;
    let names: Vec<String> = model.joints().iter().map(|joint| joint.name.clone()).collect();
    let mut out = SceneRun {
        scene,
        times: Vec::new(),
        force: Vec::new(),
        centre: Vec::new(),
        bodies: traces.traces(),
        turns: names.into_iter().map(|name| (name, Vec::new())).collect(),
        guide: Vec::new(),
        motions: Vec::new(),
        drift: 0.0,
        kinetic: 0.0,
    };
    let mut loops = Loops::default();
    let mut total = None;
    let count = (duration / every).round().max(1.0) as usize;
    for k in 0..=count {
        let end = if k == count { duration } else { every * k as f64 };
        run.advance(end, &mut |seen| {
            if seen.event == RunEvent::Step {
                traces.follow(seen, &mut loops, &mut out.bodies);
                show(seen, duration);
            }
            Ok(())
        })
        .map_err(|e| failed(e.to_string()))?;
        let energy = run.energy().map_err(|e| failed(e.to_string()))?;
        let first = *total.get_or_insert(energy.total());
        out.drift = out.drift.max((energy.total() - first).abs());
        out.kinetic = out.kinetic.max(energy.kinetic);
        let contacts = active_contacts(&model, run.state()).map_err(|e| failed(e.to_string()))?;
        traces.sample(&contacts, &mut out);
        out.times.push(run.state().time);
        out.motions.push(run.state().motions.clone());
        for (slot, reading) in
            out.turns.iter_mut().zip(run.joint_readings().map_err(|e| failed(e.to_string()))?)
        {
            slot.1.push(reading.turn.map_or(f64::NAN, |turn| turn.value));
            out.guide.extend(reading.slide.and_then(|slide| slide.motor));
        }
    }
    traces.stored(run.state(), &mut out.bodies);
    out.turns.retain(|(_, values)| values.iter().all(|v| v.is_finite()));
    Ok(out)
}

/// Which part of which body of the model is which body under the foot.
struct Traces {
    parts: Vec<(PartId, String)>,
}

impl Traces {
    fn of(scene: &Scene, foot: &FootModel, name: &str) -> Result<Self> {
        let mut parts = Vec::new();
        for (body, segment) in SEGMENTS {
            let id = scene
                .model
                .find(body)
                .ok_or_else(|| GaitError::motion(name, format!("the scene has no body \"{body}\"")))?;
            let own = foot.elements.iter().filter(|e| e.segment == segment);
            parts.extend(own.enumerate().map(|(k, e)| (PartId::new(id, k), e.name.clone())));
            debug_assert!(matches!(segment, Segment::Rear | Segment::Toes));
        }
        Ok(Self { parts })
    }

    fn traces(&self) -> Vec<BodyTrace> {
        let trace = |(_, name): &(_, String)| BodyTrace {
            name: name.clone(),
            depth: Vec::new(),
            force: Vec::new(),
            work: 0.0,
            damped: 0.0,
            stored: 0.0,
        };
        self.parts.iter().map(trace).collect()
    }

    fn find(&self, pair: PairId) -> Option<usize> {
        self.parts.iter().position(|(part, _)| *part == pair.a || *part == pair.b)
    }

    /// Adds a step to the loops of force over depth.
    fn follow(&self, seen: &Instant<'_>, loops: &mut Loops, bodies: &mut [BodyTrace]) {
        let mut now = BTreeMap::new();
        for (id, contact) in seen.active_contacts {
            now.insert(*id, [contact.force.normal, (-contact.touch.gap).max(0.0)]);
        }
        let all: BTreeSet<PairId> = loops.last.keys().chain(now.keys()).copied().collect();
        for id in all {
            let Some(k) = self.find(id) else { continue };
            let [[f0, d0], [f1, d1]] = [&loops.last, &now].map(|at| at.get(&id).copied().unwrap_or([0.0; 2]));
            bodies[k].work += 0.5 * (f0 + f1) * (d1 - d0);
        }
        loops.last = now;
        // A pair that is forgotten and found again begins its books anew.
        let mut books = BTreeMap::new();
        for (id, pair) in seen.state.pairs.iter() {
            let Some(k) = self.find(*id) else { continue };
            let before = loops.damped.get(id).copied().unwrap_or(0.0);
            bodies[k].damped += (pair.ledger.damped - before).max(0.0);
            books.insert(*id, pair.ledger.damped);
        }
        loops.damped = books;
    }

    /// Takes the contacts of an output.
    fn sample(&self, contacts: &[(PairId, ActiveContact)], out: &mut SceneRun) {
        for body in &mut out.bodies {
            body.depth.push(0.0);
            body.force.push(0.0);
        }
        let (mut sum, mut moment) = (Vec3::zeros(), Vec3::zeros());
        for (id, contact) in contacts {
            let Some(k) = self.find(*id) else { continue };
            let force = contact.force.force * if self.parts[k].0 == id.b { 1.0 } else { -1.0 };
            sum += force;
            moment += contact.force.point * force.y;
            let body = &mut out.bodies[k];
            if let (Some(d), Some(f)) = (body.depth.last_mut(), body.force.last_mut()) {
                *d = d.max(-contact.touch.gap);
                *f += contact.force.normal;
            }
        }
        out.force.push(sum);
        out.centre.push((sum.y > 0.0).then(|| moment / sum.y));
    }

    /// Takes what is stored at the end.
    fn stored(&self, state: &State, bodies: &mut [BodyTrace]) {
        for (id, pair) in state.pairs.iter() {
            if let Some(k) = self.find(*id) {
                bodies[k].stored += pair.ledger.stored - pair.ledger.bristle;
            }
        }
    }
}

/// What the step before had: normal force and depth of each contact, and what was damped in it.
#[derive(Default)]
struct Loops {
    last: BTreeMap<PairId, [f64; 2]>,
    damped: BTreeMap<PairId, f64>,
}
