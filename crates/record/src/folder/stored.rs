//! A state as JSON, every bit of it: numbers are written with the digits that give the same bits back, and one that JSON
//! cannot hold is refused by name.

use super::lasting::{Follow, Lasting};
use super::peak::Peak;
use crate::error::{RecordError, Result};
use rattleback_contact::Ledger;
use rattleback_contact::law::ContactState;
use rattleback_dynamics::force::WindlassState;
use rattleback_dynamics::model::PairId;
use rattleback_dynamics::rolling::{Mode, Seat};
use rattleback_dynamics::{BodyId, JointState, Motion, PairState, State};
use rattleback_geom::chart::Place;
use rattleback_geom::nalgebra::{Quaternion, UnitQuaternion};
use rattleback_geom::{Pose, Vec3};
use serde::{Deserialize, Serialize};

/// The mirror of [`State`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct StoredState {
    time: f64,
    motions: Vec<StoredMotion>,
    pairs: Vec<StoredPair>,
    #[serde(with = "StoredLedger")]
    parted: Ledger,
    dissipated: f64,
    step: Option<f64>,
    joints: Option<StoredJoints>,
    #[serde(default)]
    seats: Option<Vec<Option<StoredSeat>>>,
    #[serde(default)]
    windlasses: Vec<StoredWindlass>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct StoredMotion {
    position: [f64; 3],
    /// w, x, y, z.
    orientation: [f64; 4],
    velocity: [f64; 3],
    spin: [f64; 3],
}

/// Body and part of A, body and part of B, and the contact's place among theirs.
type StoredId = [usize; 5];

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct StoredPair {
    pair: StoredId,
    normal: Option<[f64; 3]>,
    mark: Option<[f64; 3]>,
    contact: Option<StoredContact>,
    since: f64,
    #[serde(with = "StoredLedger")]
    ledger: Ledger,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct StoredContact {
    approach_speed: f64,
    bristle: [f64; 3],
}

#[derive(Serialize, Deserialize)]
#[serde(remote = "Ledger")]
struct StoredLedger {
    stored: f64,
    damped: f64,
    rubbed: f64,
    stiffened: f64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct StoredJoints {
    accelerations: Vec<f64>,
    averaged: Vec<f64>,
    multipliers: Vec<f64>,
    relative: Vec<f64>,
    relative_rates: Vec<f64>,
    power: f64,
}

/// The mirror of [`Seat`].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct StoredSeat {
    part: usize,
    /// Body and part.
    carrier: [usize; 2],
    /// Chart and parameters, on the body itself and on its carrier.
    places: [(usize, f64, f64); 2],
    angle: f64,
    velocities: [f64; 5],
    mode: StoredMode,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum StoredMode {
    Sliding,
    Rolling,
    Spinless,
}

/// The mirror of [`WindlassState`].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct StoredWindlass {
    length: f64,
    rate: f64,
    stalled: f64,
    braked: bool,
}

/// The mirror of [`Follow`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct StoredFollow {
    lasting: Vec<StoredLasting>,
    looked: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct StoredLasting {
    pair: StoredId,
    start: f64,
    approach_speed: f64,
    #[serde(with = "StoredLedger")]
    first: Ledger,
    #[serde(with = "StoredLedger")]
    last: Ledger,
    force: Peak,
    overlap: Peak,
}

impl StoredState {
    /// The mirror of a state of finite numbers; `bodies` are the names of the bodies.
    pub(super) fn new(state: &State, bodies: &[String]) -> Result<Self> {
        finite(&|| "time".to_owned(), [state.time])?;
        finite(&|| "ledger of parted pairs".to_owned(), numbers(&state.parted))?;
        finite(&|| "dissipated".to_owned(), [state.dissipated])?;
        finite(&|| "step".to_owned(), state.step)?;
        for (motion, name) in state.motions.iter().zip(bodies) {
            let pose = motion.pose.position.iter().chain(&motion.pose.orientation.coords);
            let all = pose.chain(&motion.velocity).chain(&motion.spin);
            finite(&|| format!("motion of body {name}"), all.copied())?;
        }
        for (id, pair) in &state.pairs {
            let name = || format!("memory of the pair {}, {}", bodies[id.0.0.0], bodies[id.1.0.0]);
            let normal = pair.normal.iter().chain(&pair.mark).flatten().copied();
            let contact =
                pair.contact.iter().flat_map(|c| c.bristle.into_iter().copied().chain([c.approach_speed]));
            finite(&name, normal.chain(contact).chain([pair.since]).chain(numbers(&pair.ledger)))?;
        }
        let joints = state.joints.as_ref().map(StoredJoints::new).transpose()?;
        let seats = state.seats.as_deref().map(|seats| StoredSeat::all(seats, bodies)).transpose()?;
        for windlass in &state.windlasses {
            let all = [windlass.length, windlass.rate, windlass.stalled];
            finite(&|| "memory of a windlass".to_owned(), all)?;
        }
        Ok(Self {
            time: state.time,
            motions: state.motions.iter().map(StoredMotion::new).collect(),
            pairs: state.pairs.iter().map(|(&id, pair)| StoredPair::new(id, pair)).collect(),
            parted: state.parted,
            dissipated: state.dissipated,
            step: state.step,
            joints,
            seats,
            windlasses: state.windlasses.iter().map(StoredWindlass::new).collect(),
        })
    }

    /// The state.
    pub(super) fn state(&self) -> State {
        State {
            time: self.time,
            motions: self.motions.iter().map(StoredMotion::motion).collect(),
            pairs: self.pairs.iter().map(|pair| (id(&pair.pair), pair.memory())).collect(),
            parted: self.parted,
            dissipated: self.dissipated,
            step: self.step,
            joints: self.joints.as_ref().map(StoredJoints::joints),
            seats: self
                .seats
                .as_ref()
                .map(|seats| seats.iter().map(|s| s.as_ref().map(StoredSeat::seat)).collect()),
            windlasses: self.windlasses.iter().map(StoredWindlass::windlass).collect(),
        }
    }
}

impl StoredMotion {
    fn new(motion: &Motion) -> Self {
        Self {
            position: motion.pose.position.into(),
            orientation: motion.pose.wxyz(),
            velocity: motion.velocity.into(),
            spin: motion.spin.into(),
        }
    }

    fn motion(&self) -> Motion {
        let [w, x, y, z] = self.orientation;
        // Normalising again would change the last bits.
        let orientation = UnitQuaternion::new_unchecked(Quaternion::new(w, x, y, z));
        let pose = Pose::new(self.position.into(), orientation);
        Motion { pose, velocity: self.velocity.into(), spin: self.spin.into() }
    }
}

impl StoredPair {
    fn new(id: PairId, pair: &PairState) -> Self {
        let contact = |contact: ContactState| StoredContact {
            approach_speed: contact.approach_speed,
            bristle: contact.bristle.into(),
        };
        Self {
            pair: stored_id(id),
            normal: pair.normal.map(Into::into),
            mark: pair.mark.map(Into::into),
            contact: pair.contact.map(contact),
            since: pair.since,
            ledger: pair.ledger,
        }
    }

    fn memory(&self) -> PairState {
        let contact = |contact: StoredContact| ContactState {
            approach_speed: contact.approach_speed,
            bristle: contact.bristle.into(),
        };
        PairState {
            normal: self.normal.map(Vec3::from),
            mark: self.mark.map(Vec3::from),
            contact: self.contact.map(contact),
            since: self.since,
            ledger: self.ledger,
        }
    }
}

impl StoredJoints {
    fn new(joints: &JointState) -> Result<Self> {
        for (name, list) in [
            ("accelerations", &joints.accelerations),
            ("averaged accelerations", &joints.averaged),
            ("multipliers", &joints.multipliers),
            ("relative coordinates", &joints.relative),
            ("relative rates", &joints.relative_rates),
        ] {
            finite(&|| format!("{name} of the joints"), list.iter().copied())?;
        }
        finite(&|| "power of the joints".to_owned(), [joints.power])?;
        Ok(Self {
            accelerations: joints.accelerations.clone(),
            averaged: joints.averaged.clone(),
            multipliers: joints.multipliers.clone(),
            relative: joints.relative.clone(),
            relative_rates: joints.relative_rates.clone(),
            power: joints.power,
        })
    }

    fn joints(&self) -> JointState {
        JointState {
            accelerations: self.accelerations.clone(),
            averaged: self.averaged.clone(),
            multipliers: self.multipliers.clone(),
            relative: self.relative.clone(),
            relative_rates: self.relative_rates.clone(),
            power: self.power,
        }
    }
}

impl StoredSeat {
    fn all(seats: &[Option<Seat>], bodies: &[String]) -> Result<Vec<Option<Self>>> {
        for (seat, name) in seats.iter().zip(bodies) {
            let places = seat.iter().flat_map(|seat| seat.places).flat_map(|place| [place.u, place.v]);
            let rest = seat.iter().flat_map(|seat| seat.velocities.iter().copied().chain([seat.angle]));
            finite(&|| format!("seat of body {name}"), places.chain(rest))?;
        }
        Ok(seats.iter().map(|seat| seat.as_ref().map(Self::new)).collect())
    }

    fn new(seat: &Seat) -> Self {
        Self {
            part: seat.part,
            carrier: [seat.carrier.0.0, seat.carrier.1],
            places: seat.places.map(|place| (place.chart, place.u, place.v)),
            angle: seat.angle,
            velocities: seat.velocities.into(),
            mode: match seat.mode {
                Mode::Sliding => StoredMode::Sliding,
                Mode::Rolling => StoredMode::Rolling,
                Mode::Spinless => StoredMode::Spinless,
            },
        }
    }

    fn seat(&self) -> Seat {
        Seat {
            part: self.part,
            carrier: (BodyId(self.carrier[0]), self.carrier[1]),
            places: self.places.map(|(chart, u, v)| Place { chart, u, v }),
            angle: self.angle,
            velocities: self.velocities.into(),
            mode: match self.mode {
                StoredMode::Sliding => Mode::Sliding,
                StoredMode::Rolling => Mode::Rolling,
                StoredMode::Spinless => Mode::Spinless,
            },
        }
    }
}

impl StoredWindlass {
    fn new(windlass: &WindlassState) -> Self {
        let WindlassState { length, rate, stalled, braked } = *windlass;
        Self { length, rate, stalled, braked }
    }

    fn windlass(&self) -> WindlassState {
        let Self { length, rate, stalled, braked } = *self;
        WindlassState { length, rate, stalled, braked }
    }
}

impl StoredFollow {
    pub(super) fn new(follow: &Follow, bodies: &[String]) -> Result<Self> {
        for lasting in &follow.lasting {
            let PairId(a, b, _) = lasting.pair;
            let name = || format!("record of the contact of {}, {}", bodies[a.0.0], bodies[b.0.0]);
            let peaks = lasting.force.numbers().chain(lasting.overlap.numbers());
            let all = peaks.chain(numbers(&lasting.first)).chain(numbers(&lasting.last));
            finite(&name, all.chain([lasting.start, lasting.approach_speed]))?;
        }
        let stored = |lasting: &Lasting| StoredLasting {
            pair: stored_id(lasting.pair),
            start: lasting.start,
            approach_speed: lasting.approach_speed,
            first: lasting.first,
            last: lasting.last,
            force: lasting.force,
            overlap: lasting.overlap,
        };
        Ok(Self { lasting: follow.lasting.iter().map(stored).collect(), looked: follow.looked })
    }

    pub(super) fn follow(&self) -> Follow {
        let lasting = |stored: &StoredLasting| Lasting {
            pair: id(&stored.pair),
            start: stored.start,
            approach_speed: stored.approach_speed,
            first: stored.first,
            last: stored.last,
            force: stored.force,
            overlap: stored.overlap,
        };
        Follow { lasting: self.lasting.iter().map(lasting).collect(), looked: self.looked }
    }
}

fn stored_id(PairId(a, b, place): PairId) -> StoredId {
    [a.0.0, a.1, b.0.0, b.1, place]
}

fn id(&[a, part_a, b, part_b, place]: &StoredId) -> PairId {
    PairId((BodyId(a), part_a), (BodyId(b), part_b), place)
}

fn numbers(ledger: &Ledger) -> [f64; 4] {
    [ledger.stored, ledger.damped, ledger.rubbed, ledger.stiffened]
}

/// Refuses numbers that JSON cannot hold.
pub(super) fn finite(field: &dyn Fn() -> String, numbers: impl IntoIterator<Item = f64>) -> Result<()> {
    match numbers.into_iter().find(|x| !x.is_finite()) {
        Some(value) => Err(RecordError::NotFinite { field: field(), value }),
        None => Ok(()),
    }
}
