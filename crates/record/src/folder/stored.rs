//! A state as JSON, every bit of it: numbers are written with the digits that give the same bits back, and one that
//! JSON cannot hold is refused by name.

use super::lasting::Follow;
use crate::error::{RecordError, Result};
use rattleback_contact::Ledger;
use rattleback_dynamics::State;
use rattleback_dynamics::model::PairId;

/// Refuses a state that has numbers which are not finite; `bodies` are the names of the bodies.
pub(super) fn check_state(state: &State, bodies: &[String]) -> Result<()> {
    finite(&|| "time".to_owned(), [state.time])?;
    finite(&|| "ledger of parted pairs".to_owned(), numbers(&state.parted))?;
    finite(&|| "dissipated".to_owned(), [state.dissipated])?;
    finite(&|| "step".to_owned(), state.step)?;
    finite(&|| "first step of a contact".to_owned(), state.begin_step)?;
    for (motion, name) in state.motions.iter().zip(bodies) {
        let pose = motion.pose.position.iter().chain(&motion.pose.orientation.coords);
        let all = pose.chain(&motion.velocity).chain(&motion.spin);
        finite(&|| format!("motion of body {name}"), all.copied())?;
    }
    for (id, pair) in state.pairs.iter() {
        let name = || format!("memory of the pair {}, {}", bodies[id.0.0.0], bodies[id.1.0.0]);
        let normal = pair.normal.iter().chain(&pair.mark).flatten().copied();
        let contact =
            pair.contact.iter().flat_map(|c| c.bristle.into_iter().copied().chain([c.approach_speed]));
        let ledgers = numbers(&pair.ledger).into_iter().chain(numbers(&pair.begin));
        finite(&name, normal.chain(contact).chain([pair.since]).chain(ledgers))?;
    }
    if let Some(joints) = &state.joints {
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
    }
    for (seat, name) in state.seats.iter().flatten().zip(bodies) {
        let places = seat.iter().flat_map(|seat| seat.places).flat_map(|place| [place.u, place.v]);
        let rest = seat.iter().flat_map(|seat| seat.velocities.iter().copied().chain([seat.angle]));
        finite(&|| format!("seat of body {name}"), places.chain(rest))?;
    }
    for windlass in &state.windlasses {
        let all = [windlass.length, windlass.rate, windlass.stalled];
        finite(&|| "memory of a windlass".to_owned(), all)?;
    }
    Ok(())
}

/// Refuses contacts under way that have numbers which are not finite.
pub(super) fn check_follow(follow: &Follow, bodies: &[String]) -> Result<()> {
    for lasting in &follow.lasting {
        let PairId(a, b, _) = lasting.pair;
        let name = || format!("record of the contact of {}, {}", bodies[a.0.0], bodies[b.0.0]);
        let peaks = lasting.force.numbers().chain(lasting.overlap.numbers());
        let all = peaks.chain(numbers(&lasting.first)).chain(numbers(&lasting.last));
        finite(&name, all.chain([lasting.start, lasting.approach_speed]))?;
    }
    Ok(())
}

fn numbers(ledger: &Ledger) -> [f64; 5] {
    [ledger.stored, ledger.bristle, ledger.damped, ledger.friction_loss, ledger.stiffness_change]
}

/// Refuses numbers that JSON cannot hold.
pub(super) fn finite(field: &dyn Fn() -> String, numbers: impl IntoIterator<Item = f64>) -> Result<()> {
    match numbers.into_iter().find(|x| !x.is_finite()) {
        Some(value) => Err(RecordError::NotFinite { field: field(), value }),
        None => Ok(()),
    }
}
