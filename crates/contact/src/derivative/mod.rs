//! How gap, points, normal and curvatures change with both poses, by the implicit function theorem.
//!
//! A pose moves by dx of its origin and a small rotation ω in world axes (R ← exp(ω×)R). With p, q the touching
//! points, x_A, x_B the origins, n the normal, f the gap and δp, δq how the points move over their bodies:
//!
//!   dp = dx_A + ω_A × (p − x_A) + δp,   dq = dx_B + ω_B × (q − x_B) + δq
//!   df = n·(dx_B + ω_B × (q − x_B) − dx_A − ω_A × (p − x_A))
//!
//! Each body ties its δp to the change of its own normal, dn − ω_A × n = S_A δp, whatever its curvatures are, from zero
//! to infinity (`side.rs`); q − p = f n ties the bodies to each other (`order.rs`). Nothing happens at f = 0. A
//! half-space is a body without curvature.
//!
//! Curvature: on the tangent plane S changes with the bending of the surface along δp, and turns with the body about n
//! at w = n·ω: in a frame (e₁, e₂, n)
//!
//!   dS₁₁ = S′₁₁ − 2w S₁₂,   dS₁₂ = S′₁₂ + w (S₁₁ − S₂₂),   dS₂₂ = S′₂₂ + 2w S₁₂
//!
//! A principal curvature changes by the diagonal entry of its direction, a relative one by that of the sum over both
//! bodies. What is not differentiable where it is said by [`Regularity`].

mod order;
mod regularity;
mod side;

pub use regularity::Regularity;

use crate::contact::{Collider, Contact, curvature_at};
use crate::error::{ContactError, Result};
use crate::kinematics::Twist;
use crate::narrow::Touch;
use order::Order;
use rattleback_geom::nalgebra::{SMatrix, SVector};
use rattleback_geom::surface::Shape;
use rattleback_geom::{Curvature, Vec3};
use side::{Bend, Side};

/// Two curvatures closer to each other than this share count as equal: their directions are known to rounding over
/// their difference, and six digits of the rates are left.
const UMBILIC: f64 = 1e-9;

/// Gaps up to this share of the size are none: points are known to be on a seam no better.
const TOUCHING: f64 = 1e-9;

/// Derivatives with respect to (dx_A, ω_A, dx_B, ω_B): twelve columns.
#[derive(Debug, Clone, PartialEq)]
pub struct Derivatives {
    /// Of the gap.
    pub gap: SVector<f64, 12>,
    /// Of the normal.
    pub normal: SMatrix<f64, 3, 12>,
    /// Of A's point.
    pub point_a: SMatrix<f64, 3, 12>,
    /// Of B's point.
    pub point_b: SMatrix<f64, 3, 12>,
    /// Of A's two principal curvatures.
    pub curvature_a: SMatrix<f64, 2, 12>,
    /// Of B's two principal curvatures.
    pub curvature_b: SMatrix<f64, 2, 12>,
    /// Of the two relative principal curvatures.
    pub relative: SMatrix<f64, 2, 12>,
    /// Of the weight.
    pub weight: SVector<f64, 12>,
    /// What of them is differentiable.
    pub regularity: Regularity,
}

/// How a contact changes along one motion.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rates {
    /// Of the gap.
    pub gap: f64,
    /// Of the normal.
    pub normal: Vec3,
    /// Of A's touching point, which moves over A.
    pub point_a: Vec3,
    /// Of B's touching point.
    pub point_b: Vec3,
    /// Of A's principal curvatures.
    pub curvature_a: [f64; 2],
    /// Of B's principal curvatures.
    pub curvature_b: [f64; 2],
    /// Of the relative principal curvatures.
    pub relative: [f64; 2],
    /// Of the weight with which it counts.
    pub weight: f64,
    /// What of them is differentiable.
    pub regularity: Regularity,
}

impl Rates {
    /// The rate of the gap alone; the other rates are zero or not needed.
    pub fn of_gap(gap: f64) -> Self {
        let none = Vec3::zeros();
        Self {
            gap,
            normal: none,
            point_a: none,
            point_b: none,
            curvature_a: [0.0; 2],
            curvature_b: [0.0; 2],
            relative: [0.0; 2],
            weight: 0.0,
            regularity: Regularity::Smooth,
        }
    }
}

/// The rates of a contact of `a` and `b` while they move; a small change of pose is a motion too.
pub fn rates(a: &Collider, b: &Collider, contact: &Contact, motion: [&Twist; 2]) -> Result<Rates> {
    let both = Both::new(a, b, contact)?;
    let (mut rates, turns) = both.along(motion);
    let bends = [0, 1].map(|k| both.sides[k].bend(both.size, turns[k]));
    both.bend(&mut rates, motion, turns, bends);
    Ok(rates)
}

/// The derivatives of a contact of `a` and `b`.
pub fn derivatives(a: &Collider, b: &Collider, contact: &Contact) -> Result<Derivatives> {
    derivatives_by(a, b, contact, [true; 2])
}

/// The derivatives by the poses of those of both bodies that are asked for.
pub(crate) fn derivatives_by(
    a: &Collider,
    b: &Collider,
    contact: &Contact,
    asked: [bool; 2],
) -> Result<Derivatives> {
    let both = Both::new(a, b, contact)?;
    // Bending is linear in a: two directions of each body serve all columns.
    let basis = [0, 1].map(|k| {
        let side: &Side<'_> = &both.sides[k];
        Some([side.bend(both.size, [1.0, 0.0])?, side.bend(both.size, [0.0, 1.0])?])
    });
    Ok(Derivatives::of_rates_by(asked, |motion| {
        let (mut rates, turns) = both.along(motion);
        let bends = [0, 1].map(|k| basis[k].map(|basis| Bend::combined(basis, turns[k])));
        both.bend(&mut rates, motion, turns, bends);
        rates
    }))
}

impl Derivatives {
    /// The rates along each of the twelve motions, which are linear in them.
    pub(crate) fn of_rates(rates: impl Fn([&Twist; 2]) -> Rates) -> Self {
        Self::of_rates_by([true; 2], rates)
    }

    /// The same along the motions of those bodies that are asked for; the other columns are zero.
    fn of_rates_by(asked: [bool; 2], rates: impl Fn([&Twist; 2]) -> Rates) -> Self {
        let mut out = Self {
            gap: SVector::zeros(),
            normal: SMatrix::zeros(),
            point_a: SMatrix::zeros(),
            point_b: SMatrix::zeros(),
            curvature_a: SMatrix::zeros(),
            curvature_b: SMatrix::zeros(),
            relative: SMatrix::zeros(),
            weight: SVector::zeros(),
            regularity: Regularity::Smooth,
        };
        for column in (0..12).filter(|column| asked[column / 6]) {
            let unit = |first: usize| Vec3::from_fn(|i, _| if column == first + i { 1.0 } else { 0.0 });
            let motion = [0, 6].map(|side| Twist { velocity: unit(side), angular_velocity: unit(side + 3) });
            let rates = rates([&motion[0], &motion[1]]);
            out.gap[column] = rates.gap;
            out.normal.set_column(column, &rates.normal);
            out.point_a.set_column(column, &rates.point_a);
            out.point_b.set_column(column, &rates.point_b);
            out.weight[column] = rates.weight;
            for k in 0..2 {
                out.curvature_a[(k, column)] = rates.curvature_a[k];
                out.curvature_b[(k, column)] = rates.curvature_b[k];
                out.relative[(k, column)] = rates.relative[k];
            }
            out.regularity = out.regularity.max(rates.regularity);
        }
        out
    }
}

/// Both bodies at their contact, with what every direction of motion shares.
struct Both<'a> {
    touch: &'a Touch,
    relative: Curvature,
    sides: [Side<'a>; 2],
    /// L.
    size: f64,
    /// The equations solved for a body, and where the points are not unique for the other one as well.
    order: Order,
    other: Option<Order>,
    regularity: Regularity,
}

impl<'a> Both<'a> {
    fn new(a: &'a Collider, b: &'a Collider, contact: &'a Contact) -> Result<Self> {
        if [a, b].iter().any(|body| matches!(body.shape, Shape::Mesh(_))) {
            let reason = "triangles have no curvature of their own to differentiate; regions of meshes have derivatives while \
                          they are held";
            return Err(ContactError::Unsupported {
                a: a.shape.surface().kind(),
                b: b.shape.surface().kind(),
                reason,
            });
        }
        let touch = &contact.touch;
        let curvature = match contact.curvature {
            Some(known) => known,
            None => curvature_at(a, b, touch)?,
        };
        let mut sides = [
            Side::new(a, &touch.normal, &touch.point_a, curvature.a),
            Side::new(b, &-touch.normal, &touch.point_b, curvature.b),
        ];
        // The smaller body's: what moves a point by so much moves the contact from end to end.
        let size = sides[0].size().min(sides[1].size());
        let size = if size > 0.0 && size.is_finite() { size } else { 1.0 };
        sides.iter_mut().for_each(|side| side.measure(size));
        let phi = touch.gap / size;
        // A half-space has its normal whatever the other body does.
        let (order, mut regularity) = Order::new(usize::from(sides[1].is_half_space()), &sides, phi);
        let shared = regularity > Regularity::Smooth && !sides.iter().any(Side::is_half_space);
        let other = shared.then(|| Order::new(1, &sides, phi).0);
        if sides.iter().any(Side::has_seam) {
            // A seam may be the end of a face at an edge, which an edge or a corner that touches it there can turn
            // about.
            let turns = |k: usize| sides[k].has_seam() && sides[1 - k].has_edge();
            let sharp = phi.abs() <= TOUCHING && (turns(0) || turns(1));
            regularity = regularity.max(if sharp { Regularity::Focal } else { Regularity::Seam });
        }
        if sides.iter().any(Side::has_edge) {
            regularity = regularity.max(Regularity::Edge);
        }
        Ok(Self { touch, relative: curvature.relative, sides, size, order, other, regularity })
    }

    /// All but the rates of curvatures, and the numbers a and b of the bodies.
    fn along(&self, motion: [&Twist; 2]) -> (Rates, [[f64; 2]; 2]) {
        let n = &self.touch.normal;
        let moves = [0, 1].map(|k| motion[k].at(&self.sides[k].arm));
        let solve = |order: &Order| order.solve(&self.sides, n, self.size, motion, [&moves[0], &moves[1]]);
        let (mut turns, mut dn) = solve(&self.order);
        if let Some(other) = &self.other {
            let (theirs, theirs_dn) = solve(other);
            dn = (dn + theirs_dn) * 0.5;
            turns = [0, 1].map(|k| [0, 1].map(|l| 0.5 * (turns[k][l] + theirs[k][l])));
        }
        let mut rates = Rates::of_gap(n.dot(&(moves[1] - moves[0])));
        rates.normal = dn;
        let point = |k: usize| {
            let side = &self.sides[k];
            moves[k] + side.along(&side.cos, turns[k]) * self.size
        };
        (rates.point_a, rates.point_b, rates.regularity) = (point(0), point(1), self.regularity);
        (rates, turns)
    }

    /// Adds the rates of curvatures where both bodies bend smoothly.
    fn bend(&self, rates: &mut Rates, motion: [&Twist; 2], turns: [[f64; 2]; 2], bends: [Option<Bend>; 2]) {
        let [Some(a), Some(b)] = bends else {
            rates.regularity = rates.regularity.max(Regularity::Kink);
            return;
        };
        (rates.curvature_a, rates.curvature_b) = (a.kappa, b.kappa);
        let n = &self.touch.normal;
        let spins = motion.map(|m| n.dot(&m.angular_velocity));
        let change = self.relative_change(&[a, b], spins);
        rates.relative = [change[0], change[2]];
        let pace = |k: usize| self.sides[k].along(&self.sides[k].sin, turns[k]).norm();
        let paces = [pace(0), pace(1), pace(0) + pace(1) + (spins[1] - spins[0]).abs()];
        let entries = |bend: &Bend| [bend.kappa[0], bend.cross, bend.kappa[1]];
        let parts = is_parting(&self.sides[0].curvature.kappa, &entries(&a), paces[0])
            || is_parting(&self.sides[1].curvature.kappa, &entries(&b), paces[1])
            || is_parting(&self.relative.kappa, &change, paces[2]);
        if parts {
            rates.regularity = rates.regularity.max(Regularity::Kink);
        }
    }

    /// The entries (11, 12, 22) of the change of the relative curvature in its own directions.
    fn relative_change(&self, bends: &[Bend; 2], spins: [f64; 2]) -> [f64; 3] {
        let frame = &self.relative.direction;
        let smooth = |k: usize, frame: &[Vec3; 2]| {
            let [s, bent] = self.sides[k].in_frame(frame, &bends[k]);
            let w = spins[k];
            [bent[0] - 2.0 * w * s[1], bent[1] + w * (s[0] - s[2]), bent[2] + 2.0 * w * s[1]]
        };
        match [0, 1].map(|k| self.sides[k].has_edge()) {
            [false, false] => {
                let (a, b) = (smooth(0, frame), smooth(1, frame));
                [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
            }
            [true, true] => [0.0; 3],
            [first, _] => {
                // Along the edge e the curvatures add up; e turns at τ about n, and e·S e of the other body with it.
                let k = usize::from(!first);
                if !self.relative.kappa[1].is_finite() {
                    return [0.0; 3];
                }
                let [d1, e] = self.sides[k].curvature.direction;
                let hand = if k == 0 { 1.0 } else { -1.0 };
                let frame = [d1 * hand, e];
                let turn = spins[k] + hand * bends[k].cross;
                let [s, _] = self.sides[1 - k].in_frame(&frame, &bends[1 - k]);
                let along = smooth(1 - k, &frame)[2] - 2.0 * turn * s[1];
                [0.0, 0.0, bends[k].kappa[1] + along]
            }
        }
    }
}

/// Whether two equal curvatures part, at more than rounding of the pace at which their normal turns.
fn is_parting(kappa: &[f64; 2], [s11, s12, s22]: &[f64; 3], pace: f64) -> bool {
    let equal = (kappa[0] - kappa[1]).abs() <= UMBILIC * kappa[0].abs();
    equal && (s11 - s22).abs() + s12.abs() > UMBILIC * kappa[0].abs() * pace
}
