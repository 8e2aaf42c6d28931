//! What touches what, and by which laws.

use super::joints::Holding;
use super::robot::RobotBody;
use super::toml::{number, remark, text};
use super::write::{Found, Scenery};
use std::fmt::Write;

/// How deep the weight presses one contact in, in m: what the stiffness is chosen for.
const SAG: f64 = 1e-3;
/// The exponent of the contact law.
const EXPONENT: f64 = 1.5;
/// The friction of the ground.
const GROUND_FRICTION: f64 = 0.8;

impl Scenery<'_> {
    /// Pairs that never touch: joined bodies, those that the source names, those that overlap at the start.
    pub(super) fn exclusions<'s>(&'s self, found: &Found, out: &mut String) {
        let mut lines: Vec<([&'s str; 2], String)> = Vec::new();
        let mut add = |pair: [&'s str; 2], reason: String| {
            if !lines.iter().any(|(other, _)| *other == pair || *other == [pair[1], pair[0]]) {
                lines.push((pair, reason));
            }
        };
        for (k, body) in self.robot.bodies.iter().enumerate() {
            // What is joined to the world touches the rest of it, as the tree's own root does its first link.
            let Some(parent) = body.parent else { continue };
            let is_world = self.stands(parent) && self.robot.world_touches;
            if !is_world && self.is_joined(parent, k) && self.may_touch(parent, k) {
                add([self.name(parent), self.name(k)], "joined".to_owned());
            }
        }
        for ([a, b], reason) in &self.robot.excluded {
            add([self.name(*a), self.name(*b)], reason.clone());
        }
        for ([a, b], depth) in &found.overlaps {
            let named = |name: &String| self.robot.bodies.iter().position(|body| body.name == *name);
            if let (Some(a), Some(b)) = (named(a), named(b)) {
                add([self.name(a), self.name(b)], format!("overlap at the start by {depth:.2e} m"));
            }
        }
        if lines.is_empty() {
            return;
        }
        writeln!(out, "# Pairs of bodies that never touch.\nexclude_contacts = [").ok();
        for ([a, b], reason) in lines {
            writeln!(out, "  [{}, {}],  # {}", text(a), text(b), remark(&reason)).ok();
        }
        writeln!(out, "]\n").ok();
    }

    /// Whether a joint holds a body on its parent.
    pub(super) fn is_joined(&self, parent: usize, body: usize) -> bool {
        self.robot.bodies[body].parent == Some(parent) && !matches!(self.holdings[body], Holding::Free)
    }

    /// Whether parts of two bodies may touch.
    fn may_touch(&self, a: usize, b: usize) -> bool {
        let surfaces = |body: usize| self.robot.bodies[body].parts.iter().filter_map(|part| part.surface);
        surfaces(a).any(|one| surfaces(b).any(|other| self.robot.touch(one, other)))
    }

    /// The stiffness of all contacts in N/m^1.5: with the weight of all that moves on one contact, it is pressed in by
    /// [`SAG`].
    fn stiffness(&self) -> f64 {
        let moving = (0..self.robot.bodies.len()).filter(|k| !self.stands(*k));
        let mass: f64 =
            moving.filter_map(|k| self.robot.bodies[k].inertial).map(|inertial| inertial.mass).sum();
        let gravity = self.robot.gravity.norm();
        let weight = mass * if gravity > 0.0 { gravity } else { 9.81 };
        let stiffness = weight / SAG.powf(EXPONENT);
        // Two digits: it is a choice.
        if stiffness > 0.0 { format!("{stiffness:.1e}").parse().unwrap_or(stiffness) } else { 1e6 }
    }

    /// Whether two bodies, one of which moves, have these kinds of surface.
    fn meet(&self, a: usize, b: usize) -> bool {
        let with = |kind: usize| {
            let has = move |body: &RobotBody| body.parts.iter().any(|part| part.surface == Some(kind));
            (0..self.robot.bodies.len()).filter(move |k| has(&self.robot.bodies[*k]))
        };
        with(a).any(|one| with(b).any(|other| one != other && !(self.stands(one) && self.stands(other))))
    }

    pub(super) fn contacts(&self, out: &mut String) {
        let (kinds, stiffness) = (&self.robot.surfaces, self.stiffness());
        let mut pairs: Vec<([&str; 2], f64)> = Vec::new();
        for a in 0..kinds.len() {
            for b in (a..kinds.len()).filter(|b| self.robot.touch(a, *b) && self.meet(a, *b)) {
                pairs.push(([&kinds[a].name, &kinds[b].name], kinds[a].friction.max(kinds[b].friction)));
            }
        }
        if self.options.ground {
            pairs.extend(
                kinds.iter().map(|kind| ([kind.name.as_str(), "ground"], kind.friction.max(GROUND_FRICTION))),
            );
        }
        if !pairs.is_empty() {
            writeln!(out, "# Chosen here: the whole weight on one contact presses it in by 1 mm. Change what you know better.").ok();
        }
        for ([a, b], friction) in pairs {
            writeln!(out, "[[contacts]]\nmaterials = [{}, {}]", text(a), text(b)).ok();
            writeln!(out, "stiffness = {}  # N/m^1.5", number(stiffness)).ok();
            writeln!(out, "normal = {{ law = \"exact\", restitution = 0.2 }}").ok();
            if friction > 0.0 {
                let coefficient = number(friction);
                writeln!(
                    out,
                    "friction = {{ law = \"coulomb\", coefficient = {coefficient}, transition = \"1 cm/s\" }}"
                )
                .ok();
            }
            writeln!(out).ok();
        }
    }
}
