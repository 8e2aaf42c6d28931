//! Which parts of a model may touch: parts of different bodies, of which one is free, whose surfaces have a law and
//! which are not kept apart.

use super::{BodyId, BodyModel, Model, PairId, PartId, PartPair, SurfaceId};
use rattleback_contact::feature_count;
use rattleback_contact::law::ContactLaw;
use std::collections::BTreeMap;

/// Parts of one surface, counted: all of them, and those of bodies that are not free.
#[derive(Debug, Clone, Copy, Default)]
struct Tally {
    all: u128,
    held: u128,
}

impl Model {
    /// Two parts that may touch, with their law: parts of different bodies, of which one is free, whose surfaces have a
    /// law and which are not kept apart. None for all others, those that the model does not have among them.
    pub fn pair(&self, PairId { a, b, .. }: PairId) -> Option<PartPair> {
        let (body_a, body_b) = (self.get(a.body)?, self.get(b.body)?);
        if a.body == b.body
            || !(body_a.is_free() || body_b.is_free())
            || self.excluded_pairs.has(a.body, b.body)
        {
            return None;
        }
        let (one, other) = (body_a.parts.get(a.index)?.surface, body_b.parts.get(b.index)?.surface);
        let law = *self.law(one, other)?;
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        Some(PartPair { a, b, feature: None, law })
    }

    /// The contact of that name.
    pub(crate) fn contact(&self, id: PairId) -> Option<PartPair> {
        let pair = self.pair(id)?;
        let feature = (self.feature_count(&pair) > 1).then_some(id.region);
        Some(PartPair { feature, ..pair })
    }

    /// How many contacts a pair has: one, or one for each point of its features.
    pub(crate) fn feature_count(&self, pair: &PartPair) -> usize {
        let [a, b] = [pair.a, pair.b].map(|PartId { body, index: part }| &self.body(body).parts[part].shape);
        feature_count(a, b, pair.law.asks_for_curvature())
    }

    /// The law between two surfaces, in either order.
    pub fn law(&self, one: SurfaceId, other: SurfaceId) -> Option<&ContactLaw> {
        self.laws.get(&(one.min(other), one.max(other)))
    }

    /// Of parts of one surface as many as meet all that any of them meets: what a body meets is decided by whether it
    /// is free, by its group, and by itself where single pairs keep it from others. Two bodies of each such class.
    pub(crate) fn two_of_each_class(&self, parts: &[PartId]) -> Vec<PartId> {
        let paired = self.excluded_pairs.paired();
        let mut classes: BTreeMap<(bool, Option<usize>, Option<BodyId>), Vec<BodyId>> = BTreeMap::new();
        let mut keep = |body: BodyId| {
            let alone = paired.contains(&body).then_some(body);
            let class = (self.body(body).is_free(), self.excluded_pairs.group(body), alone);
            let kept = classes.entry(class).or_default();
            let is_new = kept.len() < 2 && !kept.contains(&body);
            kept.extend(is_new.then_some(body));
            is_new
        };
        parts.iter().copied().filter(|part| keep(part.body)).collect()
    }

    /// Whether parts of a surface may touch anything.
    pub fn has_law(&self, surface: SurfaceId) -> bool {
        self.laws.keys().any(|&(one, other)| one == surface || other == surface)
    }

    /// All pairs of parts that may touch, in the order of declaration: a number that may grow with the square of the
    /// parts'; [`Model::count_pairs`] says it beforehand.
    pub fn all_pairs(&self) -> Vec<PartPair> {
        let mut parts: BTreeMap<SurfaceId, Vec<PartId>> = BTreeMap::new();
        for (i, body) in self.bodies.iter().enumerate() {
            for (k, part) in body.parts.iter().enumerate() {
                parts.entry(part.surface).or_default().push(PartId::new(BodyId(i), k));
            }
        }
        let mut meets: BTreeMap<SurfaceId, Vec<SurfaceId>> = BTreeMap::new();
        for &(one, other) in self.laws.keys() {
            meets.entry(one).or_default().push(other);
            if one != other {
                meets.entry(other).or_default().push(one);
            }
        }
        let mut pairs = Vec::new();
        for (i, body) in self.bodies.iter().enumerate() {
            let begin = pairs.len();
            for (k, part) in body.parts.iter().enumerate() {
                let a = PartId::new(BodyId(i), k);
                for surface in meets.get(&part.surface).into_iter().flatten() {
                    let Some(others) = parts.get(surface) else { continue };
                    // Parts are listed in the order of their bodies.
                    let later = others.partition_point(|other| other.body <= a.body);
                    pairs.extend(others[later..].iter().filter_map(|&b| self.pair(PairId::new(a, b, 0))));
                }
            }
            pairs[begin..].sort_unstable_by_key(|pair| (pair.b.body, pair.a.index, pair.b.index));
        }
        pairs
    }

    /// How many pairs of parts may touch, counted by surfaces without listing them.
    pub fn count_pairs(&self) -> u128 {
        let everybody = self.tally(&mut self.bodies.iter());
        let mut count = self.between_laws(&everybody);
        for body in self.bodies.iter().filter(|body| body.parts.len() > 1) {
            count -= self.between_laws(&self.tally(&mut std::iter::once(body)));
        }
        for group in self.excluded_pairs.groups() {
            let members = self.tally(&mut group.iter().map(|&id| self.body(id)));
            count -= self.between_laws(&members);
            for &id in group.iter().filter(|&&id| self.body(id).parts.len() > 1) {
                // Parts of one body are no pair, and were taken off already.
                count += self.between_laws(&self.tally(&mut std::iter::once(self.body(id))));
            }
        }
        for (a, b) in self.excluded_pairs.pairs() {
            let of = |id: BodyId| self.tally(&mut std::iter::once(self.body(id)));
            let both = self.tally(&mut [self.body(a), self.body(b)].into_iter());
            count -= self.between_laws(&both) - self.between_laws(&of(a)) - self.between_laws(&of(b));
        }
        count
    }

    fn tally(&self, bodies: &mut dyn Iterator<Item = &BodyModel>) -> BTreeMap<SurfaceId, Tally> {
        let mut tallies: BTreeMap<SurfaceId, Tally> = BTreeMap::new();
        for body in bodies {
            for part in &body.parts {
                let tally = tallies.entry(part.surface).or_default();
                tally.all += 1;
                tally.held += u128::from(!body.is_free());
            }
        }
        tallies
    }

    /// Pairs of parts whose surfaces have a law and of which one is of a free body, whichever bodies they are of.
    fn between_laws(&self, tallies: &BTreeMap<SurfaceId, Tally>) -> u128 {
        let two = |n: u128| n * n.saturating_sub(1) / 2;
        let mut count = 0;
        for (k, (one, a)) in tallies.iter().enumerate() {
            for (other, b) in
                tallies.iter().skip(k).filter(|(other, _)| self.laws.contains_key(&(*one, **other)))
            {
                count +=
                    if one == other { two(a.all) - two(a.held) } else { a.all * b.all - a.held * b.held };
            }
        }
        count
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Body;
    use crate::model::ModelBuilder;
    use rattleback_contact::law::ContactLaw;
    use rattleback_contact::law::normal::{Hysteresis, Rule};
    use rattleback_contact::material::Stiffness;
    use rattleback_geom::surface::Sphere;
    use rattleback_geom::{Mat3, Pose};

    fn bodies(builder: &mut ModelBuilder) -> Vec<BodyId> {
        let surfaces = ["a", "b", "c"].map(|name| builder.surface(name));
        let normal = Hysteresis::new(Rule::Exact, 0.5, 1.5).unwrap();
        let law = ContactLaw::new(Stiffness::given(1e5).unwrap(), normal).unwrap();
        builder.law(surfaces[0], surfaces[0], law).law(surfaces[1], surfaces[2], law);
        builder.law(surfaces[2], surfaces[0], law);
        let mut all = Vec::new();
        for k in 0..14_usize {
            let mut body = if k % 4 == 0 {
                BodyModel::fixed(format!("{k}"))
            } else {
                BodyModel::free(format!("{k}"), Body { mass: 1.0, inertia: Mat3::identity() })
            };
            for part in 0..=k % 3 {
                let ball = Sphere::new(0.1).unwrap();
                body = body.with_part(ball, Pose::identity(), surfaces[(k * k + part) % 3]);
            }
            all.push(builder.body(body));
        }
        all
    }

    /// By asking about every pair of parts, in the order of declaration.
    fn asked(model: &Model) -> Vec<PartPair> {
        let parts = |i: usize| (0..model.bodies()[i].parts.len()).map(move |k| PartId::new(BodyId(i), k));
        let mut pairs = Vec::new();
        for i in 0..model.bodies().len() {
            for j in i + 1..model.bodies().len() {
                for a in parts(i) {
                    pairs.extend(parts(j).filter_map(|b| model.pair(PairId::new(a, b, 0))));
                }
            }
        }
        pairs
    }

    #[test]
    fn pairs_are_listed_and_counted_as_by_asking_about_every_two_parts() {
        let mut builder = Model::builder();
        let all = bodies(&mut builder);
        for step in 0..4 {
            match step {
                0 => {}
                1 => {
                    _ = builder
                        .exclude_contact(all[5], all[2])
                        .exclude_contact(all[1], all[13])
                        .exclude_contact(all[3], all[3])
                }
                2 => _ = builder.exclude_contacts_among(&all[3..9]).exclude_contact(all[7], all[4]),
                // One of them is in a group already.
                _ => _ = builder.exclude_contacts_among(&all[8..12]),
            }
            let model = builder.build().unwrap();
            let expected = asked(&model);
            assert_eq!(model.all_pairs(), expected, "step {step}");
            assert_eq!(model.count_pairs(), expected.len() as u128, "step {step}");
            assert!(expected.len() > 50);
        }
    }

    #[test]
    fn bodies_of_a_group_do_not_touch_each_other_and_touch_others() {
        let mut builder = Model::builder();
        let all = bodies(&mut builder);
        let before = builder.build().unwrap();
        builder.exclude_contacts_among(&all[1..8]);
        let model = builder.build().unwrap();
        let within = |body: BodyId| (1..8).contains(&body.0);
        for pair in before.all_pairs() {
            assert_eq!(
                model.pair(pair.id()).is_none(),
                within(pair.a.body) && within(pair.b.body),
                "{pair:?}"
            );
        }
    }
}
