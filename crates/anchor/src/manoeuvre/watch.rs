//! What is watched on the way: the pull of the windlass, where the anchor is, and the hardest contacts.
//!
//! The anchor is seen from the hull, in the bow's frame. `entered` is how far the shackle has come up the pipe,
//! (x_shackle − mouth)·a, negative while it hangs outside.

use super::Rig;
use rattleback_dynamics::model::{BodyId, PairId};
use rattleback_dynamics::{ActiveContact, Instant, RunEvent, State};
use rattleback_geom::Vec3;

/// The manoeuvre at an instant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    /// The instant in s.
    pub time: f64,
    /// The pull of the windlass in N.
    pub tension: f64,
    /// The speed at which the line comes in, in m/s.
    pub heaving: f64,
    /// How far the shackle has come up the pipe, in m.
    pub entered: f64,
    /// The pin in the bow's frame.
    pub pin: Vec3,
    /// The fastest of head and shank against the hull, in m/s: mass centres, and turning over half the shank's length.
    pub speed: f64,
    /// The angle of the head against the shank, in rad.
    pub tilt: f64,
    /// The angle between the shank and the pipe's axis, in rad.
    pub askew: f64,
    /// The normal forces of the hull on head, shank and chain, summed up, in N.
    pub contact_force: [f64; 3],
    /// Those on the head left and right of its middle, in N.
    pub flukes: [f64; 2],
}

/// The hardest contact of a body with the hull.
#[derive(Debug, Clone, PartialEq)]
pub struct Peak {
    /// The body.
    pub body: String,
    /// The normal force in N.
    pub force: f64,
    /// When, in s.
    pub time: f64,
    /// Where, in the bow's frame.
    pub point: Vec3,
}

/// What has been seen so far.
#[derive(Debug, Clone, Default)]
pub struct Watch {
    /// Samples, in the order of time.
    pub samples: Vec<Sample>,
    /// The hardest contacts of head, shank and chain, where there were any.
    pub peaks: [Option<Peak>; 3],
    /// The contacts of head and shank with the hull when last seen, the hardest first.
    pub last: Vec<Peak>,
    /// The deepest overlap of anything with the hull so far, in m.
    pub deepest: f64,
    /// How often head or shank have begun to touch the hull.
    pub hits: usize,
    /// How far they have slipped over it, in m: the fastest slip of any contact, over time.
    pub slip: f64,
    /// The time last seen, in s.
    pub seen: Option<f64>,
    /// The manoeuvre at that time.
    pub latest: Option<Sample>,
    /// The greatest pull of the windlass at any step so far, in N.
    pub greatest_pull: f64,
}

impl Watch {
    /// How often samples are taken, in s.
    pub const INTERVAL: f64 = 0.05;

    /// Sees an instant of a run of the rig.
    pub fn see(&mut self, rig: &Rig, instant: &Instant<'_>) {
        if let RunEvent::Begin(id) = instant.event
            && rig.touches_hull(id)
            && rig.kind(id) < 2
        {
            self.hits += 1;
        }
        if instant.event != RunEvent::Step {
            return;
        }
        let state = instant.state;
        let anchor =
            instant.active_contacts.iter().filter(|(id, _)| rig.touches_hull(*id) && rig.kind(*id) < 2);
        let fastest = anchor.map(|(_, found)| found.kinematics.slip.norm()).fold(0.0, f64::max);
        self.slip += fastest * self.seen.map_or(0.0, |seen| (state.time - seen).max(0.0));
        self.seen = Some(state.time);
        for (id, found) in instant.active_contacts.iter().filter(|(id, _)| rig.touches_hull(*id)) {
            self.deepest = self.deepest.max(-found.touch.gap);
            // Before the windlass heaves, the chain that was laid in the pipe comes to lie on it.
            if state.time < rig.windlass.start {
                continue;
            }
            let seen = peak(rig, state, *id, found);
            let best = &mut self.peaks[rig.kind(*id)];
            if best.as_ref().is_none_or(|best| best.force < seen.force) {
                *best = Some(seen);
            }
        }
        let latest = sample(rig, state, instant.active_contacts);
        self.greatest_pull = self.greatest_pull.max(latest.tension);
        self.latest = Some(latest);
        let due =
            self.samples.last().is_none_or(|last| state.time >= last.time + Self::INTERVAL * (1.0 - 1e-9));
        if due {
            self.samples.push(latest);
            self.last = instant
                .active_contacts
                .iter()
                .filter(|(id, _)| rig.touches_hull(*id) && rig.kind(*id) < 2)
                .map(|(id, found)| peak(rig, state, *id, found))
                .collect();
            self.last.sort_by(|a, b| b.force.total_cmp(&a.force));
        }
    }

    /// The samples of the last `span` seconds.
    pub fn recent(&self, span: f64) -> &[Sample] {
        let Some(last) = self.samples.last() else { return &[] };
        let from = self.samples.partition_point(|sample| sample.time < last.time - span);
        &self.samples[from..]
    }
}

impl Rig {
    /// The body of a pair that is not the hull.
    fn other(&self, PairId { a, b, .. }: PairId) -> BodyId {
        if a.body == self.hull { b.body } else { a.body }
    }

    /// Whether a pair is one of the hull; the others are of links and the anchor.
    fn touches_hull(&self, PairId { a, b, .. }: PairId) -> bool {
        a.body == self.hull || b.body == self.hull
    }

    /// Head 0, shank 1, chain 2.
    fn kind(&self, id: PairId) -> usize {
        match self.other(id) {
            body if body == self.head => 0,
            body if body == self.shank => 1,
            _ => 2,
        }
    }
}

fn peak(rig: &Rig, state: &State, id: PairId, found: &ActiveContact) -> Peak {
    Peak {
        body: rig.model.bodies()[rig.other(id).0].name.clone(),
        force: found.force.normal,
        time: state.time,
        point: state.motions[rig.hull.0].pose.point_to_local(&found.force.point),
    }
}

fn sample(rig: &Rig, state: &State, active_contacts: &[(PairId, ActiveContact)]) -> Sample {
    let hull = &state.motions[rig.hull.0];
    let windlass = state.windlasses.first().copied().unwrap_or_else(|| rig.windlass.first());
    let [head, shank] = [rig.head, rig.shank].map(|body| &state.motions[body.0]);
    let pin = shank.pose.point_to_world(&rig.pins[1]);
    let along = shank.pose.vector_to_world(&Vec3::z());
    let shackle = hull.pose.point_to_local(&(pin + along * rig.shank_length));
    let axis = hull.pose.vector_to_world(&rig.bow.axis);
    let own = hull.pose.vector_to_world(&hull.angular_velocity_body);
    let mut speed = 0.0_f64;
    for motion in [head, shank] {
        let carried = hull.velocity + own.cross(&(motion.pose.position - hull.pose.position));
        let turning = (motion.pose.vector_to_world(&motion.angular_velocity_body) - own).norm();
        speed = speed.max((motion.velocity - carried).norm()).max(0.5 * rig.shank_length * turning);
    }
    let flukes = head.pose.vector_to_world(&Vec3::z());
    let about = shank.pose.vector_to_world(&Vec3::x());
    let tilt = along.cross(&flukes).dot(&about).atan2(along.dot(&flukes));
    let mut sums = ([0.0; 3], [0.0; 2]);
    for (id, found) in active_contacts.iter().filter(|(id, _)| rig.touches_hull(*id)) {
        let force = found.force.normal;
        sums.0[rig.kind(*id)] += force;
        if rig.kind(*id) == 0 {
            let side = (head.pose.point_to_local(&found.force.point) - rig.pins[0]).x;
            sums.1[usize::from(side > 0.0)] += force;
        }
    }
    Sample {
        time: state.time,
        tension: rig.windlass.tension(&windlass, &state.motions),
        heaving: -windlass.rate,
        entered: (shackle - rig.bow.mouth).dot(&rig.bow.axis),
        pin: hull.pose.point_to_local(&pin),
        speed,
        tilt,
        askew: along.dot(&axis).clamp(-1.0, 1.0).acos(),
        contact_force: sums.0,
        flukes: sums.1,
    }
}
