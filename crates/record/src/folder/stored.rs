//! A state as JSON, every bit of it: numbers are written with the digits that give the same bits back, and one that
//! JSON cannot hold is refused by name.

use super::ongoing::OngoingContacts;
use crate::error::{RecordError, Result};
use rattleback_contact::Ledger;
use rattleback_dynamics::State;
use rattleback_dynamics::model::PairId;

/// Refuses a state that has numbers which are not finite; `bodies` are the names of the bodies.
pub(super) fn check_state(state: &State, bodies: &[String]) -> Result<()> {
    finite(&|| "time".to_owned(), [state.time])?;
    finite(&|| "ledger of ended pairs".to_owned(), numbers(&state.ended_pairs))?;
    finite(&|| "dissipated".to_owned(), [state.dissipated])?;
    finite(&|| "step".to_owned(), state.step)?;
    finite(&|| "first step of a contact".to_owned(), state.begin_step)?;
    for (motion, name) in state.motions.iter().zip(bodies) {
        let pose = motion.pose.position.iter().chain(&motion.pose.orientation.coords);
        let all = pose.chain(&motion.velocity).chain(&motion.angular_velocity_body);
        finite(&|| format!("motion of body {name}"), all.copied())?;
    }
    for (id, pair) in state.pairs.iter() {
        let name = || format!("memory of the pair {}, {}", bodies[id.a.body.0], bodies[id.b.body.0]);
        let normal = pair.normal.iter().chain(&pair.region_point).flatten().copied();
        let contact =
            pair.contact.iter().flat_map(|c| c.bristle.into_iter().copied().chain([c.approach_speed]));
        let ledgers = numbers(&pair.ledger).into_iter().chain(numbers(&pair.ledger_at_start));
        finite(&name, normal.chain(contact).chain([pair.start_time]).chain(ledgers))?;
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
    for (rigid_contact, name) in state.rigid_contacts.iter().flatten().zip(bodies) {
        let places = rigid_contact
            .iter()
            .flat_map(|rigid_contact| rigid_contact.places)
            .flat_map(|place| [place.u, place.v]);
        let rest = rigid_contact
            .iter()
            .flat_map(|rigid_contact| rigid_contact.velocities.iter().copied().chain([rigid_contact.angle]));
        finite(&|| format!("rigid contact of body {name}"), places.chain(rest))?;
    }
    for windlass in &state.windlasses {
        let all = [windlass.length, windlass.rate, windlass.stalled];
        finite(&|| "memory of a windlass".to_owned(), all)?;
    }
    Ok(())
}

/// Refuses contacts under way that have numbers which are not finite.
pub(super) fn check_ongoing(ongoing_contacts: &OngoingContacts, bodies: &[String]) -> Result<()> {
    for ongoing in &ongoing_contacts.ongoing {
        let PairId { a, b, .. } = ongoing.pair;
        let name = || format!("record of the contact of {}, {}", bodies[a.body.0], bodies[b.body.0]);
        let peaks = ongoing.force.numbers().chain(ongoing.overlap.numbers());
        let all = peaks.chain(numbers(&ongoing.first)).chain(numbers(&ongoing.last));
        finite(&name, all.chain([ongoing.start, ongoing.approach_speed]))?;
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
