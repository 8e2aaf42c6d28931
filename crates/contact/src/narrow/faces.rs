//! Bodies with flat faces and straight generators: at their normals f has kinks, where a climb finds no slope to
//! follow. The maximum is often just there.
//!
//! Where it can be ([`Kink`]): at the normal of a flat face; on the circle of normals of straight generators, where f
//! is smooth along the circle; where two circles cross. At a kink f has many slopes, one for each pair of points of
//! the two faces: the points nearest to each other give the least one, along which f rises if it rises at all; and
//! where they are opposite each other f has its maximum, and the bounds close like anywhere else.
//!
//! So [`ascend`] is Newton's method that knows on which kink it stands: beside kinks on the tangent plane, on a circle
//! along it, f″ = −(R + f) with R the radii of both bodies along it; a step that crosses a kink is offered the place
//! where it does; a kink is left along its least slope.

use super::blend::blend;
use super::bodies::Bodies;
use super::candidate::Candidate;
use super::climb::{Climb, Reading, Update, climb, followed, read, step as newton, update};
use super::kinks::{Circle, Kinks, Stand};
use super::nearest::nearest;
use super::relative::Relative;
use rattleback_geom::Vec3;
use rattleback_geom::surface::Face;

/// How far a kink is left before its surroundings are asked: far beyond rounding, and within the reach of Newton's
/// method.
const ASIDE: f64 = 1e-8;

/// How far to either side of a kink the ends of its face are looked for, where the bodies do not know it: beyond the
/// rounding of normals that went through the frames of parts.
const TILT: f64 = 1e-12;

/// Slopes below this share of the size are mostly rounding.
const SMALLEST: f64 = 1e-14;

/// Steps of an ascent: ten are the usual.
const MAX_STEPS: u32 = 80;

/// A reading with the least slope at its normal.
#[derive(Debug, Clone, Copy)]
struct State {
    at: Reading,
    stand: Stand,
    /// The tangent part of q − p for the points of the faces that are nearest to each other, and its length.
    slope: Vec3,
    length: f64,
}

/// Climbs from `start` over kinks to a maximum of f.
pub(crate) fn ascend<P: Bodies>(
    bodies: &P,
    rel: &Relative,
    start: &Vec3,
    kinks: Option<&Kinks>,
    known: Option<&Reading>,
) -> Climb {
    let Some(kinks) = kinks else { return climb(bodies, rel, start, known) };
    let ascent = Ascent { bodies, rel, kinks };
    let mut here = ascent.state(start, kinks.stand(&start.normalize()));
    let mut iterations = 1;
    for _ in 0..MAX_STEPS {
        let size = here.at.size();
        // On a kink the points are those of the faces, whatever the rounding of n makes of its own.
        let exact = here.stand != Stand::Smooth && bodies.has_exact_faces();
        let blur = if exact { 0.0 } else { here.at.blur };
        if here.length <= (2e-15 * size).max(blur) || !here.at.f.is_finite() {
            break;
        }
        let next = ascent.step(&here, &mut iterations);
        match next {
            Some(next) => here = next,
            None => break,
        }
    }
    Climb { at: here.at, iterations }
}

struct Ascent<'a, P: Bodies> {
    bodies: &'a P,
    rel: &'a Relative,
    kinks: &'a Kinks,
}

impl<P: Bodies> Ascent<'_, P> {
    fn state(&self, n: &Vec3, stand: Stand) -> State {
        let at = read(self.bodies, self.rel, n);
        let across = |g: Vec3| g - at.n * at.n.dot(&g);
        let slope = match stand {
            Stand::Smooth => across(at.q - at.p),
            _ if self.bodies.has_exact_faces() => {
                let (p, q) = points(self.bodies, self.rel, &at);
                across(q - p)
            }
            // Between the ends of the face: the points a little to either side.
            Stand::Circle(circle) => {
                let [e, other] = [TILT, -TILT].map(|tilt| {
                    let way = at.n + circle.across(&at.n) * tilt;
                    let [p, q] = self.bodies.points([&way, &-self.rel.in_b(&way)]);
                    across(self.rel.r + self.rel.in_a(&q) - p)
                });
                let along = other - e;
                let share = -e.dot(&along) / along.norm_squared();
                e + along * if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.5 }
            }
            Stand::Corner => {
                let from = Candidate { n: at.n, p: at.p, q: at.q, f: at.f, margin: 0.0, size: at.size() };
                let (blended, _) = blend(self.bodies, self.rel, &from);
                across(blended.q - blended.p)
            }
        };
        State { at, stand, slope, length: slope.norm() }
    }

    /// One step that gains; none where there is none.
    fn step(&self, here: &State, spent: &mut u32) -> Option<State> {
        let n = here.at.n;
        let delta = match here.stand {
            Stand::Smooth => {
                let d = newton(&here.at);
                here.at.basis.0 * d[0] + here.at.basis.1 * d[1]
            }
            Stand::Circle(circle) => {
                let off = circle.across(&n).dot(&here.slope);
                // Rounding of points of the size of the bodies.
                if off.abs() > 1e-13 * here.at.size() {
                    return self.leave(here, spent);
                }
                let t = circle.along(&n);
                // On a small circle too: f bends along it by f″ = −R − (f − c g·axis)/s² with the height c, the radius
                // s and the slope g + f n, of which g has no part off the circle.
                let curvature = self.radius_along(here, &circle, &t) + here.at.f;
                // Towards the top also where f bends upwards, as it does on the far side of a ridge; what is too long
                // is cut.
                t * (t.dot(&here.slope) / curvature.abs().max(f64::MIN_POSITIVE))
            }
            Stand::Corner => return self.leave(here, spent),
        };
        let length = delta.norm();
        let mut delta = if length > 0.7 { delta * (0.7 / length) } else { delta };
        let plain = self.best_of(here, &delta, spent);
        if plain.is_some_and(|b| gains(here, &b) && b.length < 0.6 * here.length) {
            return plain;
        }
        // A flat face is better followed along its surface.
        let d = [here.at.basis.0.dot(&delta), here.at.basis.1.dot(&delta)];
        let ends =
            [Update::AlongA, Update::AlongB].map(|way| update(way, self.bodies, self.rel, &here.at, &d));
        let mut ends: Vec<Vec3> = ends.into_iter().flatten().collect();
        followed(self.bodies, self.rel, &n, &delta, &mut |end| ends.push(end));
        let rivals = ends.iter().filter_map(|end| self.best_of(here, &(end - n), spent));
        let best = rivals.chain(plain).max_by(|x, y| x.at.f.total_cmp(&y.at.f));
        if best.is_some_and(|b| gains(here, &b)) {
            return best;
        }
        // A slope of rounding is not lessened by shorter steps.
        if here.length <= SMALLEST * here.at.size() {
            return None;
        }
        delta *= 0.125;
        // Cut until the step is rounding.
        while delta.norm() > 1e-16 {
            let best = self.best_of(here, &delta, spent);
            if best.is_some_and(|b| gains(here, &b)) {
                return best;
            }
            delta *= 0.125;
        }
        None
    }

    /// The radii of both bodies along a circle. Along a generator of a cone the radius changes evenly from end to end:
    /// that at the point which is nearest to the other body counts, and not that of the middle.
    fn radius_along(&self, here: &State, circle: &Circle, t: &Vec3) -> f64 {
        let all = along(&here.at, t);
        if circle.height == 0.0 {
            return all;
        }
        let (body, n) = (circle.body, here.at.n);
        let face = face_in_a(self.bodies, self.rel, body, &n);
        let Face::Segment { centre, half } = face else { return all };
        let (p, q) = points(self.bodies, self.rel, &here.at);
        let place = if body == 0 { p } else { q };
        // Towards the end that the body's outer normal selects when n is tilted across the circle.
        let across = circle.across(&n) * if body == 0 { 1.0 } else { -1.0 };
        let share = half.dot(&(place - centre)) / half.norm_squared() * across.dot(&half).signum();
        let [upper, lower] = [TILT, -TILT]
            .map(|tilt| read(self.bodies, self.rel, &(n + circle.across(&n) * tilt)))
            .map(|beside| along_of(&beside, body, t));
        let share = if share.is_finite() { share.clamp(-1.0, 1.0) } else { 0.0 };
        all - along_of(&here.at, body, t) + 0.5 * ((1.0 + share) * upper + (1.0 - share) * lower)
    }

    /// The highest of the end of a step and the kinks that it crosses.
    fn best_of(&self, here: &State, delta: &Vec3, spent: &mut u32) -> Option<State> {
        let (n, end) = (here.at.n, here.at.n + delta);
        let own = match here.stand {
            Stand::Circle(circle) => Some(circle),
            _ => None,
        };
        let to_own = |v: Vec3| own.map_or(v, |circle| circle.onto(&v)).normalize();
        let mut best: Option<State> = None;
        let mut offer = |v: &Vec3, stand: Stand| {
            *spent += 1;
            let state = self.state(v, stand);
            best = best.filter(|b| b.at.f >= state.at.f).or(Some(state));
        };
        offer(&to_own(end), own.map_or(Stand::Smooth, Stand::Circle));
        for circle in self.kinks.circles.iter().filter(|&circle| own != Some(*circle)) {
            let (from, to) = (circle.off(&n), circle.off(&end));
            if from * to < 0.0 {
                let crossing = n + delta * (from / (from - to));
                match own {
                    // Where two circles cross.
                    Some(own) => {
                        let nearer = |x: &Vec3, y: &Vec3| x.dot(&crossing).total_cmp(&y.dot(&crossing));
                        if let Some(corner) = own.crossings(circle).max_by(nearer) {
                            offer(&corner, Stand::Corner);
                        }
                    }
                    None => offer(&circle.onto(&crossing).normalize(), Stand::Circle(*circle)),
                }
            }
        }
        let reach = delta.norm_squared();
        for normal in &self.kinks.normals {
            let corner = normal * normal.dot(&n).signum();
            let way = corner - n;
            // Ahead, and no farther than twice the step.
            if way.dot(delta) > 0.0 && way.norm_squared() < 4.0 * reach {
                offer(&corner, Stand::Corner);
            }
        }
        best
    }

    /// Beside the kink, along its least slope; along a circle where the slope does not leave it.
    fn leave(&self, here: &State, spent: &mut u32) -> Option<State> {
        let (n, way) = (here.at.n, here.slope / here.length);
        let stays = |circle: &&Circle| circle.holds(&n) && circle.across(&n).dot(&way).abs() <= 1e-9;
        let circle = self.kinks.circles.iter().find(stays).filter(|_| here.stand == Stand::Corner);
        let mut aside = ASIDE;
        for attempt in 0..4 {
            *spent += 1;
            let end = n + way * aside;
            let next = match circle {
                Some(circle) => self.state(&circle.onto(&end), Stand::Circle(*circle)),
                None => self.state(&end, Stand::Smooth),
            };
            if next.at.f > here.at.f || attempt > 0 && gains(here, &next) {
                return Some(next);
            }
            // A narrow top beside a kink is met by Newton's step with the radii there, or by smaller ones.
            let newton = here.length / (along(&next.at, &way) + here.at.f);
            let believed = attempt == 0 && newton > 0.0 && newton < aside;
            aside = if believed { newton } else { aside.min(ASIDE) * 1e-3 };
        }
        None
    }
}

/// Whether f has grown; near the top, where f is rounding, the slope must shrink instead.
fn gains(here: &State, next: &State) -> bool {
    let rounding = 2e-15 * here.at.size();
    next.at.f > here.at.f + rounding || next.at.f >= here.at.f - rounding && next.length < 0.7 * here.length
}

/// The radii of both bodies along the tangent t.
fn along(at: &Reading, t: &Vec3) -> f64 {
    (0..2).map(|body| along_of(at, body, t)).sum()
}

fn along_of(at: &Reading, body: usize, t: &Vec3) -> f64 {
    let (x, y) = (at.basis.0.dot(t), at.basis.1.dot(t));
    let [a, b, c] = at.radii[body];
    a * x * x + 2.0 * b * x * y + c * y * y
}

/// The face of a body with the normal n from A to B, in A's frame.
fn face_in_a<P: Bodies>(bodies: &P, rel: &Relative, body: usize, n: &Vec3) -> Face {
    if body == 0 {
        return bodies.face(0, n);
    }
    bodies.face(1, &-rel.in_b(n)).turned(|v| rel.in_a(v)).moved(&rel.r)
}

/// The points of the faces with normals n and −n that are nearest to each other, in A's frame.
pub(crate) fn points<P: Bodies>(bodies: &P, rel: &Relative, at: &Reading) -> (Vec3, Vec3) {
    if bodies.kinks(0).is_empty() && bodies.kinks(1).is_empty() {
        return (at.p, at.q);
    }
    nearest(&bodies.face(0, &at.n), &face_in_a(bodies, rel, 1, &at.n), &at.n)
}
