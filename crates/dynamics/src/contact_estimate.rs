//! What the contacts of a model are expected to be like before it moves: how deep and how fast, body by body.
//!
//! A body may fall by the height H over which the bodies are spread along gravity, and meet the fastest of the others:
//! it approaches with v = ∣v∣ + max ∣v∣ + √(2 g H). Of two bodies that meet, the lighter one's mass counts, halved as
//! that of two equal ones is: the shortest time scale there can be.

use crate::model::{BodyId, BodyModel, Model, PartId, SurfaceId};
use crate::state::State;
use rattleback_contact::law::{ContactEstimate, ContactLaw, Pressed};
use std::collections::{BTreeMap, BTreeSet};

/// The contact of a part of a free body, as it is expected.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PartEstimate {
    /// The part.
    pub part: PartId,
    /// The least half width of the part, in m.
    pub half_width: f64,
    /// The speed at which it may meet others, in m/s.
    pub speed: f64,
    /// What its contact is expected to be like, by the law for which it is fastest.
    pub contact: ContactEstimate,
}

impl Model {
    /// Estimates for free bodies with parts that may touch; of parts that are alike in mass, width and surface, one.
    pub fn contact_estimates(&self, state: &State) -> Vec<PartEstimate> {
        let surfaces: BTreeSet<SurfaceId> =
            self.bodies().iter().flat_map(|body| body.parts.iter().map(|part| part.surface)).collect();
        let mut laws: BTreeMap<SurfaceId, Vec<&ContactLaw>> = BTreeMap::new();
        for &one in &surfaces {
            let found: Vec<&ContactLaw> = surfaces.iter().filter_map(|other| self.law(one, *other)).collect();
            laws.insert(one, found);
        }
        let (speed, mut told, mut found) = (self.greatest_speed(state), BTreeSet::new(), Vec::new());
        for (i, body) in self.bodies().iter().enumerate().filter(|(_, body)| body.is_free()) {
            let speed = speed + state.motions.get(i).map_or(0.0, |motion| motion.velocity.norm());
            for (k, part) in body.parts.iter().enumerate() {
                let half_width = part.shape.surface().bounds().extents().min() * 0.5;
                let alike = [body.body.mass, half_width, speed].map(f64::to_bits);
                let is_bounded = half_width > 0.0 && half_width.is_finite();
                if !is_bounded || !told.insert((part.surface, alike)) {
                    continue;
                }
                let own = laws.get(&part.surface).map_or(&[][..], Vec::as_slice);
                if let Some(contact) = fastest(self, body, half_width, speed, own) {
                    found.push(PartEstimate { part: PartId::new(BodyId(i), k), half_width, speed, contact });
                }
            }
        }
        found
    }

    /// The speed of the fastest body, and of one that falls as far as the bodies are spread.
    fn greatest_speed(&self, state: &State) -> f64 {
        let fastest = state.motions.iter().map(|motion| motion.velocity.norm()).fold(0.0, f64::max);
        let gravity = self.gravity();
        let heights = state.motions.iter().map(|motion| gravity.dot(&motion.pose.position));
        let (least, most) =
            heights.fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), x| (a.min(x), b.max(x)));
        // g · H already is the product of gravity and height.
        let fall = if most > least { (2.0 * (most - least)).sqrt() } else { 0.0 };
        fastest + fall
    }
}

/// The contact of a body by the law for which it is fastest.
fn fastest(
    model: &Model,
    body: &BodyModel,
    half_width: f64,
    speed: f64,
    laws: &[&ContactLaw],
) -> Option<ContactEstimate> {
    let mass = body.body.mass;
    let pressed = Pressed { mass, weight: mass * model.gravity().norm(), half_width, speed };
    let mut found: Option<ContactEstimate> = None;
    for law in laws {
        let Ok(mut contact) = law.estimate(&pressed) else { continue };
        contact.oscillation *= std::f64::consts::FRAC_1_SQRT_2;
        if found.is_none_or(|other| contact.oscillation < other.oscillation) {
            found = Some(contact);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use rattleback_contact::law;
    use rattleback_geom::Pose;
    use rattleback_geom::surface::Sphere;

    #[test]
    fn a_ball_above_a_floor_meets_it_at_the_speed_of_its_fall() {
        let mut builder = Model::builder();
        builder.gravity([0.0, 0.0, -9.81]);
        let surface = builder.surface_with("steel", law::spring(1e5).unwrap());
        builder.floor(surface);
        for (name, height) in [("low", 0.1), ("high", 0.8)] {
            let ball = BodyModel::solid(name, Sphere::new(0.05).unwrap(), 1000.0, surface).unwrap();
            builder.body(ball.at(Pose::from_position(0.0, 0.0, height)));
        }
        let model = builder.build().unwrap();
        let found = model.contact_estimates(&model.initial_state());
        assert_eq!(found.len(), 1, "both balls are alike: {found:?}");
        let PartEstimate { speed, half_width, contact, .. } = found[0];
        let mass = model.bodies()[1].body.mass;
        assert!((speed - (2.0_f64 * 9.81 * 0.8).sqrt()).abs() < 1e-12 && (half_width - 0.05).abs() < 1e-15);
        assert!((contact.oscillation - (0.5 * mass / 1e5).sqrt()).abs() < 1e-12);
        assert!((contact.depth_at_rest - mass * 9.81 / 1e5).abs() < 1e-12);
    }
}
