//! Bodies of revolution: the proof of [`super::prove`] in the angles about an axis.
//!
//! A thing inside a cylinder, or on the axis of a capsule, leaves a whole circle of normals with almost the same depth:
//! a ridge, on which the proof by cones does not end. With z the axis, e(φ) the unit vector across it and
//!
//!   n = sin θ e(φ) + cos θ z,   H(n) = ρ sin θ + ζ cos θ + x·n,
//!
//! (ρ, ζ) is a point of the profile of what is of revolution about z, whatever φ is, and x a point of the rest of D. In
//! a cell φ₁ ≤ φ ≤ φ₂, θ₁ ≤ θ ≤ θ₂ with x·e(φ₁) ≥ c and x·e(φ₂) ≥ c, x·e(φ) ≥ min(c, c/cos ½(φ₂ − φ₁)) in between, so
//! that
//!
//!   (ρ + c) sin θ + (ζ + x·z) cos θ ≥ t   at θ₁ and θ₂
//!
//! proves H ≥ t in the cell (a cone of two normals, as in [`super::prove`]). Points of the corners are mixed: those of
//! φ₁ and φ₂ until they reach alike across the axis, those of θ₁ and θ₂ until they reach alike along n. What is lost is
//! of second order in the rest of D alone; the ridge itself costs nothing.
//!
//! A second body of revolution whose axis is z + u, u small and across z, has n at the angle θ − u·e(φ) from its own
//! axis, to ½u² cot θ: its profile is turned in its plane by as much.

use super::prove::{BUDGET, Claim, Proof};
use super::relative::Relative;
use rattleback_geom::Vec3;
use rattleback_geom::curvature::tangents;
use rattleback_geom::surface::Revolution;
use std::f64::consts::FRAC_PI_2;

/// Axes that differ by more than this are two: its cube is a share of what a claim leaves open.
const SAME_AXIS: f64 = 2e-5;

/// Cells narrower than this are as narrow as normals are rounded.
const NARROW: f64 = 1e-15;

/// Cells narrower about the axis than this share of their height are divided along it.
const NARROWER: f64 = 1.0 / 64.0;

/// What a body is to an axis.
#[derive(Debug, Clone, Copy)]
enum Role {
    /// Of revolution about an axis through its origin, a unit vector in its own frame, which is z + `tilt` in A's.
    Profile { own: Vec3, tilt: Vec3 },
    /// Anything else.
    Rest,
}

/// A and B as seen about an axis.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Axial {
    axis: Vec3,
    roles: [Role; 2],
}

impl Axial {
    /// About the axes of A and of B; one where they are the same.
    pub fn all(of: [Option<Revolution>; 2], rel: &Relative) -> impl Iterator<Item = Self> + use<> {
        let turn = rel.rotation;
        let in_a = |body: usize, v: &Vec3| if body == 0 { *v } else { turn * v };
        let about = move |body: usize| {
            let Some(Revolution::About(own)) = of[body] else { return None };
            let axis = in_a(body, &own);
            let roles = std::array::from_fn(|k| match of[k] {
                _ if k == body => Role::Profile { own, tilt: Vec3::zeros() },
                Some(Revolution::All) => {
                    let own = if k == 0 { axis } else { turn.tr_mul(&axis) };
                    Role::Profile { own, tilt: Vec3::zeros() }
                }
                Some(Revolution::About(own)) => {
                    let (own, other) = match in_a(k, &own) {
                        other if other.dot(&axis) < 0.0 => (-own, -other),
                        other => (own, other),
                    };
                    let tilt = other - axis * axis.dot(&other);
                    if tilt.norm() <= SAME_AXIS { Role::Profile { own, tilt } } else { Role::Rest }
                }
                None => Role::Rest,
            });
            Some(Self { axis, roles })
        };
        let [a, b] = [about(0), about(1)];
        let once = a.is_some_and(|a| matches!(a.roles[1], Role::Profile { .. }));
        a.into_iter().chain(b.filter(move |_| !once))
    }

    /// Whether both bodies are of revolution about the axis, and their centres on it to `near`: a ridge without end.
    pub fn is_ridge(&self, rel: &Relative, near: f64) -> bool {
        let both = self.roles.iter().all(|r| matches!(r, Role::Profile { .. }));
        both && rel.r.cross(&self.axis).norm() <= near
    }
}

/// A corner of a cell.
#[derive(Debug, Clone, Copy)]
struct Corner {
    e: Vec3,
    /// sin θ and cos θ.
    s: [f64; 2],
    /// The unit normal, and H there.
    v: Vec3,
    height: f64,
    /// ρ and ζ of all profiles, and of that which is tilted alone.
    profile: [f64; 2],
    tilted: [f64; 2],
    /// The point of the rest.
    rest: Vec3,
}

/// A cell of normals.
#[derive(Debug, Clone, Copy)]
struct Cell {
    phi: [f64; 2],
    theta: [f64; 2],
    /// By φ, then by θ.
    corners: [[Corner; 2]; 2],
}

/// Which sides of a cell are halved.
enum Sides {
    Phi,
    Theta,
}

/// The cells that are left.
pub(crate) struct AxialProver<'a, F: Fn([&Vec3; 2]) -> [Vec3; 2]> {
    axial: Axial,
    rel: &'a Relative,
    /// Across the axis.
    across: [Vec3; 2],
    /// The tilt of a second axis.
    tilt: Vec3,
    /// The shares of the rolling balls that are those of the profiles, of the tilted one, and of the rest.
    shares: [f64; 3],
    /// The points of A and B farthest along a normal, each in its own frame.
    points: F,
    cells: Vec<Cell>,
    /// How often the points have been asked for.
    pub spent: u32,
}

impl<'a, F: Fn([&Vec3; 2]) -> [Vec3; 2]> AxialProver<'a, F> {
    /// `points` gives the points of A and B farthest along a normal of each, `balls` the radii that roll inside them.
    pub fn new(axial: Axial, rel: &'a Relative, balls: [f64; 2], points: F) -> Self {
        let (t, u) = tangents(&axial.axis);
        let tilts = axial.roles.map(|r| match r {
            Role::Profile { tilt, .. } => tilt,
            Role::Rest => Vec3::zeros(),
        });
        let total = balls[0] + balls[1];
        let mut shares = [0.0; 3];
        for (role, ball) in axial.roles.iter().zip(balls.map(|b| if total > 0.0 { b / total } else { 0.0 })) {
            match role {
                Role::Rest => shares[2] += ball,
                Role::Profile { tilt, .. } => {
                    shares[0] += ball;
                    shares[1] += if tilt.norm() > 0.0 { ball } else { 0.0 };
                }
            }
        }
        let (tilt, cells) = (tilts[0] + tilts[1], Vec::with_capacity(64));
        let mut prover = Self { axial, rel, across: [t, u], tilt, shares, points, cells, spent: 0 };
        for k in 0..4 {
            for j in 0..2 {
                let from = |i: u32| f64::from(i) * FRAC_PI_2;
                let cell = prover.cell([from(k), from(k + 1)], [from(j), from(j + 1)]);
                prover.cells.push(cell);
            }
        }
        prover
    }

    fn cell(&mut self, phi: [f64; 2], theta: [f64; 2]) -> Cell {
        let corners = phi.map(|phi| theta.map(|theta| self.corner(phi, theta)));
        Cell { phi, theta, corners }
    }

    fn corner(&mut self, phi: f64, theta: f64) -> Corner {
        self.spent += 1;
        let (rel, [t, u], z) = (self.rel, self.across, self.axial.axis);
        let e = t * phi.cos() + u * phi.sin();
        let s = [theta.sin(), theta.cos()];
        let v = e * s[0] + z * s[1];
        let to_b = |v: &Vec3| -rel.in_b(v);
        let [p, q] = (self.points)([&v, &to_b(&v)]);
        let q = rel.in_a(&q);
        let height = v.dot(&(p - q)) - v.dot(&rel.r);
        let mut corner = Corner { e, s, v, height, profile: [0.0; 2], tilted: [0.0; 2], rest: -rel.r };
        for (body, x) in [(0, p), (1, -q)] {
            match self.axial.roles[body] {
                Role::Rest => corner.rest += x,
                Role::Profile { tilt, .. } if tilt == Vec3::zeros() => {
                    corner.profile[0] += x.dot(&e);
                    corner.profile[1] += x.dot(&z);
                }
                Role::Profile { own, .. } => {
                    let (sin, cos) = self.tilt.dot(&e).sin_cos();
                    let turned = [s[0] * cos - s[1] * sin, s[1] * cos + s[0] * sin];
                    corner.tilted = self.profile_of(body, &own, turned);
                    corner.profile[0] += corner.tilted[0];
                    corner.profile[1] += corner.tilted[1];
                }
            }
        }
        corner
    }

    /// The point of a body's profile at an angle from its own axis, of D's side: B's is −B's.
    fn profile_of(&self, body: usize, own: &Vec3, s: [f64; 2]) -> [f64; 2] {
        let (out, _) = tangents(own);
        let n = out * s[0] + own * s[1];
        let (n, sign) = if body == 0 { (n, 1.0) } else { (-n, -1.0) };
        let x = (self.points)([&n, &n])[body] * sign;
        [x.dot(&out), x.dot(own)]
    }

    /// Goes on with the proof of a claim, as [`super::prove::Prover::advance`] does.
    pub fn advance(&mut self, claim: &Claim) -> Proof {
        let ball = claim.peel();
        let threshold = claim.threshold() - ball;
        while let Some(cell) = self.cells.pop() {
            let low =
                cell.corners.iter().flatten().find(|c| c.height < claim.threshold() - 2.0 * claim.slack);
            if let Some(better) = low.map(|c| c.v) {
                self.cells.push(cell);
                return Proof::Better(better);
            }
            let Some(sides) = self.open(&cell, threshold, ball) else { continue };
            let (width, height) = (cell.phi[1] - cell.phi[0], cell.theta[1] - cell.theta[0]);
            if self.spent >= BUDGET || width.max(height) < NARROW {
                self.cells.push(cell);
                return Proof::Open;
            }
            self.halve(&cell, &sides);
        }
        Proof::Holds
    }

    /// None where the cell is proved; else the sides along which more is lost.
    fn open(&self, cell: &Cell, threshold: f64, ball: f64) -> Option<Sides> {
        let c = &cell.corners;
        let (e, z) = ([c[0][0].e, c[1][0].e], self.axial.axis);
        let narrow = (0.5 * (cell.phi[1] - cell.phi[0])).cos();
        // Without the balls that roll inside: those of the profiles are in the plane of z and e, those of the rest
        // along n.
        let [of_profiles, of_tilted, of_rest] = self.shares.map(|s| s * ball);
        let rest = c.map(|c| c.map(|c| c.rest - c.v * of_rest));
        // Across the axis: the mixture of the two φ that reaches alike at both.
        let apart = e[0] - e[1];
        let mean = |i: usize| (rest[i][0] + rest[i][1]) * 0.5;
        let of_second = alike(mean(0).dot(&apart), -mean(1).dot(&apart));
        // The profile that is tilted is turned by u·e(φ), which is between these; what that leaves out is ½u² cot θ.
        let turned = e.map(|e| self.tilt.dot(&e));
        let beyond = self.tilt.norm() * (1.0 - narrow);
        let turned = [turned[0].min(turned[1]) - beyond, turned[0].max(turned[1]) + beyond];
        let (mut reach, mut lost_across) = ([[0.0; 2]; 2], 0.0f64);
        for k in 0..2 {
            let x = rest[0][k] * (1.0 - of_second) + rest[1][k] * of_second;
            let least = x.dot(&e[0]).min(x.dot(&e[1]));
            let least = if least < 0.0 { least / narrow } else { least };
            let s = c[0][k].s;
            let own = rest[0][k].dot(&e[0]).max(rest[1][k].dot(&e[1]));
            lost_across = lost_across.max(s[0] * (own - least));
            // What is tilted is mixed in equal parts, and the rest of the profiles is the same at both φ.
            let tilted = [0, 1].map(|i| 0.5 * (c[0][k].tilted[i] + c[1][k].tilted[i]) - of_tilted * s[i]);
            let plain = [0, 1].map(|i| c[0][k].profile[i] - c[0][k].tilted[i]);
            lost_across = lost_across.max((turned[1] - turned[0]) * tilted[0].hypot(tilted[1]));
            let w = [
                plain[0] - (of_profiles - of_tilted) * s[0] + least,
                plain[1] - (of_profiles - of_tilted) * s[1] + x.dot(&z),
            ];
            let left_out = self.left_out(cell, turned) * tilted[0].hypot(tilted[1]);
            for j in 0..2 {
                let to = c[0][j].s;
                let turning = turned.map(|by| {
                    let (sin, cos) = by.sin_cos();
                    let [rho, zeta] = tilted;
                    (rho * cos + zeta * sin) * to[0] + (zeta * cos - rho * sin) * to[1]
                });
                let turning = turning[0].min(turning[1]) - left_out;
                reach[k][j] = w[0] * to[0] + w[1] * to[1] + turning - threshold;
            }
        }
        let share = alike(reach[0][0] - reach[0][1], reach[1][1] - reach[1][0]);
        let at = |j: usize| (1.0 - share) * reach[0][j] + share * reach[1][j];
        let holds = at(0) >= 0.0 && at(1) >= 0.0;
        if holds || reach.iter().any(|r| r[0] >= 0.0 && r[1] >= 0.0) {
            return None;
        }
        let lost_along = reach[0][0].max(reach[1][1]) - at(0).min(at(1));
        // Where the points of the rest jump, what is lost across stays as it is however narrow the cell becomes.
        let is_narrow = cell.phi[1] - cell.phi[0] < NARROWER * (cell.theta[1] - cell.theta[0]);
        Some(if lost_across > lost_along && !is_narrow { Sides::Phi } else { Sides::Theta })
    }

    /// What a turn by u·e(φ) leaves out of the angle between the tilted axis and n. With c = u·e(φ) its cosine is c sin
    /// θ + √(1 − u²) cos θ, that of θ − c is sin c sin θ + cos c cos θ: they differ by ½(u² − c²) cos θ to third order,
    /// and the angles by that over sin θ. Between the two ends of c, what is turned falls by no more than half their
    /// distance squared.
    fn left_out(&self, cell: &Cell, turned: [f64; 2]) -> f64 {
        let u = self.tilt.norm();
        if u == 0.0 {
            return 0.0;
        }
        let cot =
            cell.corners[0].iter().map(|c| c.s[1].abs() / c.s[0].max(f64::MIN_POSITIVE)).fold(0.0, f64::max);
        0.5 * u * u * cot.min(2.0) + 4.0 * u.powi(3) + 0.5 * (turned[1] - turned[0]).powi(2)
    }

    fn halve(&mut self, cell: &Cell, sides: &Sides) {
        let ([p0, p1], [t0, t1], c) = (cell.phi, cell.theta, &cell.corners);
        match sides {
            Sides::Phi => {
                let middle = 0.5 * (p0 + p1);
                let new = cell.theta.map(|theta| self.corner(middle, theta));
                self.cells.push(Cell { phi: [p0, middle], corners: [c[0], new], ..*cell });
                self.cells.push(Cell { phi: [middle, p1], corners: [new, c[1]], ..*cell });
            }
            Sides::Theta => {
                let middle = 0.5 * (t0 + t1);
                let new = cell.phi.map(|phi| self.corner(phi, middle));
                let below = [[c[0][0], new[0]], [c[1][0], new[1]]];
                let above = [[new[0], c[0][1]], [new[1], c[1][1]]];
                self.cells.push(Cell { theta: [t0, middle], corners: below, ..*cell });
                self.cells.push(Cell { theta: [middle, t1], corners: above, ..*cell });
            }
        }
    }
}

/// The share of the second of two points that loses as much at the first's place as it wins at its own: the first is
/// better by `first` at its own place than at the other's, the second by `second`.
fn alike(first: f64, second: f64) -> f64 {
    let share = first / (first + second);
    if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.5 }
}

#[cfg(test)]
mod tests;
