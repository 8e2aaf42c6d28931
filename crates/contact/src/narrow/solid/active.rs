//! Which constraints hold the points of a common normal: one for a face, two for an edge, three for a corner.

use super::body::{Body, Constraint};
use super::polish::Common;
use rattleback_geom::Vec3;

/// Constraints that can be active at once for one body: a corner has three.
pub(super) const ACTIVE: usize = 3;

/// A constraint is violated by more than rounding beyond this share of the size.
const VIOLATED: f64 = 1e-13;

/// A multiplier below minus this is negative, and not by rounding.
const SLACK: f64 = 1e-11;

/// Indices of active constraints.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Active {
    pub list: [Constraint; ACTIVE],
    pub count: usize,
}

impl PartialEq for Active {
    /// The order does not matter.
    fn eq(&self, other: &Self) -> bool {
        self.count == other.count && self.iter().all(|k| other.list[..other.count].contains(&k))
    }
}

impl Active {
    /// The constraints that a point fulfils with no more than `room` to spare.
    pub fn at(body: &Body<'_>, x: &Vec3, room: f64) -> Self {
        let mut out = Self::default();
        for k in 0..body.constraints() {
            if body.beyond(k, x) > -room {
                out.add(k);
            }
        }
        if out.count == 0 && body.constraints() > 0 {
            let nearest = (0..body.constraints()).map(|k| (k, body.beyond(k, x)));
            out.add(nearest.fold((0, f64::NEG_INFINITY), |m, x| if x.1 > m.1 { x } else { m }).0);
        }
        out
    }

    pub fn add(&mut self, k: Constraint) -> bool {
        let room = self.count < ACTIVE && !self.list[..self.count].contains(&k);
        if room {
            self.list[self.count] = k;
            self.count += 1;
        }
        room
    }

    pub fn remove(&mut self, at: usize) {
        self.list.copy_within(at + 1..self.count, at);
        self.count -= 1;
    }

    pub fn iter(&self) -> impl Iterator<Item = Constraint> + '_ {
        self.list[..self.count].iter().copied()
    }
}

/// Drops the multiplier that is most below zero, or adds the constraint that is most violated; false where there is
/// none.
pub(super) fn change(
    bodies: &[Body<'_>; 2],
    sets: &mut [Active; 2],
    found: &Common,
    multipliers: &[[f64; ACTIVE]; 2],
    size: f64,
) -> bool {
    let mut worst = (VIOLATED * size, [0, 0]);
    for (side, x) in [&found.p, &found.q].into_iter().enumerate() {
        for k in 0..bodies[side].constraints() {
            let beyond = bodies[side].beyond(k, x);
            if beyond > worst.0 && !sets[side].list[..sets[side].count].contains(&k) {
                worst = (beyond, [side, k]);
            }
        }
    }
    let mut least = (-SLACK, [0, 0]);
    for side in 0..2 {
        for k in 0..sets[side].count {
            if multipliers[side][k] < least.0 {
                least = (multipliers[side][k], [side, k]);
            }
        }
    }
    if least.0 < -SLACK {
        sets[least.1[0]].remove(least.1[1]);
    }
    if worst.0 > VIOLATED * size {
        let [side, k] = worst.1;
        if !sets[side].add(k) {
            sets[side].remove(0);
            sets[side].add(k);
        }
    }
    least.0 < -SLACK || worst.0 > VIOLATED * size
}

/// Whether a multiplier is below −`room`, or a constraint violated by more than that, in sizes.
pub(super) fn is_to_change(
    bodies: &[Body<'_>; 2],
    sets: &[Active; 2],
    found: &Common,
    multipliers: &[[f64; ACTIVE]; 2],
    room: f64,
    size: f64,
) -> bool {
    [&found.p, &found.q].into_iter().enumerate().any(|(side, x)| {
        let (body, set) = (&bodies[side], &sets[side].list[..sets[side].count]);
        let negative = multipliers[side][..set.len()].iter().any(|m| *m < -room);
        negative || (0..body.constraints()).any(|k| !set.contains(&k) && body.beyond(k, x) > room * size)
    })
}
