//! A scene of free bodies followed through time: samples at even intervals, contacts counted, energy watched at every
//! step.

use crate::error::{Result, positive};
use rattleback_dynamics::integrator::Statistics;
use rattleback_dynamics::{Accuracy, Energy, Method, Motion, RunEvent, Simulation, State};
use rattleback_geom::Vec3;
use rattleback_scene::Scene;

/// The scene at an instant.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    /// The time in s.
    pub time: f64,
    /// The energies.
    pub energy: Energy,
    /// The mass centre of every body, in the order of the model.
    pub positions: Vec<Vec3>,
    /// Where the bodies are and how they move.
    pub motions: Vec<Motion>,
}

/// A scene that was followed.
#[derive(Debug, Clone)]
pub struct Followed {
    /// At the start and after every interval.
    pub samples: Vec<Sample>,
    /// How many contacts began.
    pub contacts: usize,
    /// The greatest distance of the total energy from its start, over all steps, in J.
    pub lost: f64,
    /// The greatest rise of the mechanical energy from one step to the next, in J.
    pub rise: f64,
    /// What the integrator spent.
    pub statistics: Statistics,
}

/// Follows a scene for its duration by a method, sampled `count` times.
pub fn follow(case: &Scene, method: Method, accuracy: Accuracy, count: u32) -> Result<Followed> {
    positive("duration", case.duration)?;
    let mut simulation = Simulation::new(&case.model, case.state.clone(), method, accuracy)?;
    let sample = |state: &State| -> Result<Sample> {
        let positions = state.motions.iter().map(|motion| motion.pose.position).collect();
        let (energy, motions) = (Energy::of(&case.model, state)?, state.motions.clone());
        Ok(Sample { time: state.time, energy, positions, motions })
    };
    let mut samples = vec![sample(simulation.state())?];
    let total = samples[0].energy.total();
    let (mut contacts, mut lost, mut rise) = (0, 0.0f64, 0.0f64);
    let mut last = samples[0].energy.mechanical();
    for k in 1..=count {
        let end = case.duration * f64::from(k) / f64::from(count);
        simulation.advance(end, &mut |now| {
            contacts += usize::from(matches!(now.event, RunEvent::Begin(_)));
            let energy = Energy::of(&case.model, now.state)?;
            lost = lost.max((energy.total() - total).abs());
            rise = rise.max(energy.mechanical() - last);
            last = energy.mechanical();
            Ok(())
        })?;
        samples.push(sample(simulation.state())?);
    }
    Ok(Followed { samples, contacts, lost, rise, statistics: simulation.statistics() })
}

/// How two runs of a case differ.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Difference {
    /// The greatest distance between a body of one run and the same body of the other at the same time, in m.
    pub greatest: f64,
    /// The time of the first sample at which it exceeds the given distance, if it ever does.
    pub parting: Option<f64>,
}

/// Compares two runs; farther than `distance` metres they are on different ways.
pub fn difference(one: &[Sample], other: &[Sample], distance: f64) -> Difference {
    let apart = |(a, b): (&Sample, &Sample)| {
        let each = a.positions.iter().zip(&b.positions).map(|(p, q)| (p - q).norm());
        (a.time, each.fold(0.0, f64::max))
    };
    let distances: Vec<(f64, f64)> = one.iter().zip(other).map(apart).collect();
    Difference {
        greatest: distances.iter().fold(0.0, |most, (_, d)| d.max(most)),
        parting: distances.iter().find(|(_, d)| *d > distance).map(|(time, _)| *time),
    }
}
