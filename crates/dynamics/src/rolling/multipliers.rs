//! Contacts that close loops of a tree, by multipliers.
//!
//! For the axis e_k of a contact's frame, k = 0, 1, 2 of the turning and 3, 4, 5 of the motion at the point P, with (α,
//! a) the accelerations of both bodies about their mass centres,
//!
//!   ẇ_k = d_A·(α, a)_A + d_B·(α, a)_B − d_A·ζ,   d_A = (e, 0) or (r_A × e, e),   d_B = −(e, 0) or −(r_B × e, e)
//!
//! and d is also the wrench on both bodies of a unit torque or force on A. Held are the normal, k = 5, and what the
//! contact's mode holds; each held velocity has a multiplier λ. That of the normal is the normal force: it acts on A
//! along −e_z, and with it act friction and resistance, d_k N for what is not held, as in the tree. So with the
//! columns c of all multipliers, the rows d of what is held, and M⁻¹ the response of the tree (`response.rs`),
//!
//!   (d M⁻¹ c) λ = wanted ẇ − that without multipliers
//!
//! The matrix is symmetric and not negative without sliding friction. Rows and columns are scaled by 1/√(d·I⁻¹d), I the
//! bodies' own inertias. Where it is regular, it is solved by elimination. Where constraints are redundant, as of a
//! table on four feet, the rigid bodies do not determine how contacts share what they bear: of all λ that give the
//! least residual that is taken for which the sum of f·I⁻¹f is least over the wrenches f of all contacts, those of the
//! tree too. The motion does not depend on that choice.

use super::response::{Response, respond};
use super::singular::Singular;
use super::tree::{ArticulatedBody, Attachment, Vec6, solve, split};
use rattleback_geom::nalgebra::{DMatrix, DVector, SVector};

/// The least pivot as a share of the greatest with which the scaled matrix counts as regular.
const REGULAR: f64 = 1e-9;
/// Singular values that are a smaller share of the greatest count as zero.
const RANK: f64 = 1e-10;
/// A residual that is a smaller share than this of what is wanted and of the accelerations that make it up is rounding.
pub const SOLVED: f64 = 1e-5;
/// What is wanted as a share of the accelerations that make it up, below which it is rounding.
const ROUNDING: f64 = 1e-9;

/// A contact that closes a loop.
#[derive(Debug, Clone, Copy)]
pub struct ClosingJoint {
    /// A and B.
    pub bodies: [usize; 2],
    /// d_A and d_B for each axis.
    pub directions: [[Vec6; 6]; 2],
    /// d_A·ζ.
    pub drift: [f64; 6],
    /// Which velocities are held.
    pub held: [bool; 6],
    /// What N brings along of the components that are not held.
    pub share: SVector<f64, 5>,
    /// What acts besides.
    pub given: SVector<f64, 5>,
    /// The wanted ẇ of what is held.
    pub wanted: [f64; 6],
}

impl ClosingJoint {
    /// ẇ_k.
    pub fn rate(&self, k: usize, acceleration: impl Fn(usize) -> Vec6) -> f64 {
        let [a, b] = self.bodies;
        let [on_a, on_b] = [&self.directions[0][k], &self.directions[1][k]];
        on_a.dot(&acceleration(a)) + on_b.dot(&acceleration(b)) - self.drift[k]
    }

    /// The components on A of a unit of the multiplier of k.
    fn column(&self, k: usize) -> SVector<f64, 6> {
        let mut column = SVector::zeros();
        column[k] = 1.0;
        if k == 5 {
            column[k] = -1.0;
            for l in (0..5).filter(|&l| !self.held[l]) {
                column[l] = self.share[l];
            }
        }
        column
    }

    /// Adds the wrenches on both bodies of components on A.
    fn add(&self, components: &SVector<f64, 6>, wrenches: &mut [Vec6]) {
        for (side, &body) in self.bodies.iter().enumerate() {
            for (direction, x) in self.directions[side].iter().zip(components) {
                wrenches[body] += direction * *x;
            }
        }
    }

    /// d·I⁻¹d, with the bodies' own inverse inertias.
    fn own_mobility(&self, k: usize, inverses: &[Option<Inverse>]) -> f64 {
        let of = |side: usize| {
            inverses[self.bodies[side]].as_ref().map_or(0.0, |m| m.square(&self.directions[side][k]))
        };
        of(0) + of(1)
    }
}

/// I⁻¹ of a body that moves, about its mass centre.
struct Inverse {
    turning: rattleback_geom::Mat3,
    mass: f64,
}

impl Inverse {
    fn of(node: &ArticulatedBody) -> Option<Self> {
        if matches!(node.hold, Attachment::Given(_)) {
            return None;
        }
        let turning = node.inertia.fixed_view::<3, 3>(0, 0).into_owned().try_inverse()?;
        Some(Self { turning, mass: 1.0 / node.inertia[(5, 5)] })
    }

    /// f·I⁻¹f.
    fn square(&self, f: &Vec6) -> f64 {
        let (torque, force) = split(f);
        torque.dot(&(self.turning * torque)) + force.norm_squared() * self.mass
    }

    /// A vector of the length √(f·I⁻¹f), linear in f.
    fn root(&self, f: &Vec6) -> Vec6 {
        let (torque, force) = split(f);
        let turning = self.turning.cholesky().map_or(torque, |root| root.l().tr_mul(&torque));
        super::tree::join(&turning, &(force * self.mass.sqrt()))
    }
}

/// What closing contacts do.
#[derive(Debug, Clone)]
pub struct Closed {
    /// The components of each one's wrench on A in the axes of its frame: torque, force.
    pub components: Vec<SVector<f64, 6>>,
    /// The share of what is wanted that cannot be had.
    pub unmet: f64,
}

/// Solves a tree with contacts that close its loops: as [`solve`], and what these do. None where the equations have no
/// answer; where constraints contradict each other, the answer of the least residual.
pub fn solve_closed(
    nodes: &mut [ArticulatedBody],
    order: &[usize],
    joints: &[ClosingJoint],
) -> Option<Closed> {
    let inverses: Vec<Option<Inverse>> = nodes.iter().map(Inverse::of).collect();
    let mut components: Vec<SVector<f64, 6>> = joints.iter().map(given).collect();
    let mut wrenches = vec![Vec6::zeros(); nodes.len()];
    for (joint, components) in joints.iter().zip(&components) {
        joint.add(components, &mut wrenches);
    }
    for (node, wrench) in nodes.iter_mut().zip(&wrenches) {
        node.bias -= wrench;
    }
    if !solve(nodes, order) {
        return None;
    }
    let system = System::new(nodes, order, joints, inverses)?;
    let (lambda, unmet) = system.solve(nodes)?;
    wrenches.fill(Vec6::zeros());
    for (&(j, k), lambda) in system.rows.iter().zip(lambda.iter()) {
        let added = joints[j].column(k) * *lambda;
        joints[j].add(&added, &mut wrenches);
        components[j] += added;
    }
    let added = respond(nodes, order, &wrenches)?;
    for (node, added) in nodes.iter_mut().zip(added) {
        node.acceleration += added.acceleration;
        node.rates += added.rates;
        node.wrench += added.wrench;
    }
    Some(Closed { components, unmet })
}

/// What acts without multipliers.
fn given(joint: &ClosingJoint) -> SVector<f64, 6> {
    let mut components = SVector::zeros();
    for k in (0..5).filter(|&k| !joint.held[k]) {
        components[k] = joint.given[k];
    }
    components
}

/// The equations of the multipliers, scaled.
struct System<'j> {
    joints: &'j [ClosingJoint],
    /// Which contact and axis each row and column is of.
    rows: Vec<(usize, usize)>,
    /// 1/√(d·I⁻¹d).
    scales: Vec<f64>,
    matrix: DMatrix<f64>,
    rest: DVector<f64>,
    responses: Vec<Vec<Response>>,
    inverses: Vec<Option<Inverse>>,
}

impl<'j> System<'j> {
    fn new(
        nodes: &[ArticulatedBody],
        order: &[usize],
        joints: &'j [ClosingJoint],
        inverses: Vec<Option<Inverse>>,
    ) -> Option<Self> {
        let held = |j: usize| (0..6).filter(move |&k| joints[j].held[k]).map(move |k| (j, k));
        let rows: Vec<(usize, usize)> = (0..joints.len()).flat_map(held).collect();
        let scales: Vec<f64> =
            rows.iter().map(|&(j, k)| 1.0 / joints[j].own_mobility(k, &inverses).sqrt()).collect();
        let mut responses = Vec::with_capacity(rows.len());
        let mut matrix = DMatrix::zeros(rows.len(), rows.len());
        for (column, &(j, k)) in rows.iter().enumerate() {
            let mut wrenches = vec![Vec6::zeros(); nodes.len()];
            joints[j].add(&joints[j].column(k), &mut wrenches);
            let response = respond(nodes, order, &wrenches)?;
            for (row, &(i, l)) in rows.iter().enumerate() {
                let rate = joints[i].rate(l, |body| response[body].acceleration) + joints[i].drift[l];
                matrix[(row, column)] = rate * scales[row] * scales[column];
            }
            responses.push(response);
        }
        let rest = rows.iter().zip(&scales).map(|(&(j, k), scale)| {
            (joints[j].wanted[k] - joints[j].rate(k, |body| nodes[body].acceleration)) * scale
        });
        let rest = DVector::from_iterator(rows.len(), rest);
        Some(Self { joints, rows, scales, matrix, rest, responses, inverses })
    }

    /// λ, not scaled, and the share of what is wanted that it leaves.
    fn solve(&self, nodes: &[ArticulatedBody]) -> Option<(DVector<f64>, f64)> {
        let elimination = self.matrix.clone().full_piv_lu();
        let pivots = elimination.u().diagonal().map(f64::abs);
        let scaled = if pivots.min() > REGULAR * pivots.max() {
            elimination.solve(&self.rest)?
        } else {
            self.least(nodes)
        };
        let residual = (&self.matrix * &scaled - &self.rest).amax();
        let wanted = self.rest.amax().max(ROUNDING * self.terms(nodes));
        let lambda = scaled.component_mul(&DVector::from_column_slice(&self.scales));
        let unmet = if residual > 0.0 { residual / wanted } else { 0.0 };
        lambda.iter().all(|x| x.is_finite()).then_some((lambda, unmet))
    }

    /// The greatest term of the rates that the rest is made of, scaled.
    fn terms(&self, nodes: &[ArticulatedBody]) -> f64 {
        let of = |(&(j, k), scale): (&(usize, usize), &f64)| {
            let joint = &self.joints[j];
            let term = |side: usize| {
                let (direction, a) = (&joint.directions[side][k], &nodes[joint.bodies[side]].acceleration);
                direction.iter().zip(a.iter()).map(|(x, y)| (x * y).abs()).sum::<f64>()
            };
            (term(0) + term(1) + joint.drift[k].abs() + joint.wanted[k].abs()) * scale
        };
        self.rows.iter().zip(&self.scales).map(of).fold(0.0, f64::max)
    }

    /// The multipliers, scaled, that solve a singular system with the least forces of all contacts.
    fn least(&self, nodes: &[ArticulatedBody]) -> DVector<f64> {
        let singular = Singular::new(self.matrix.clone(), RANK);
        let (particular, free) = (singular.solve(&self.rest), singular.null_space());
        if free.ncols() == 0 {
            return particular;
        }
        let forces = self.forces(nodes, &particular, true);
        let changes: Vec<_> =
            free.column_iter().map(|column| self.forces(nodes, &column.into_owned(), false)).collect();
        particular - &free * Singular::new(DMatrix::from_columns(&changes), RANK).solve(&forces)
    }

    /// The wrenches of all contacts that belong to scaled multipliers, each of the length √(f·I⁻¹f); with those of the
    /// tree without multipliers if `whole`.
    fn forces(&self, nodes: &[ArticulatedBody], scaled: &DVector<f64>, whole: bool) -> DVector<f64> {
        let mut closing = vec![Vec6::zeros(); self.joints.len()];
        let mut tree: Vec<Vec6> =
            nodes.iter().map(|node| if whole { node.wrench } else { Vec6::zeros() }).collect();
        for (n, &(j, k)) in self.rows.iter().enumerate() {
            let lambda = scaled[n] * self.scales[n];
            let column = self.joints[j].column(k);
            for (direction, x) in self.joints[j].directions[0].iter().zip(&column) {
                closing[j] += direction * (*x * lambda);
            }
            for (wrench, response) in tree.iter_mut().zip(&self.responses[n]) {
                *wrench += response.wrench * lambda;
            }
        }
        let root = |body: usize, f: &Vec6| self.inverses[body].as_ref().map_or(Vec6::zeros(), |m| m.root(f));
        let of_closing = self.joints.iter().zip(&closing).map(|(joint, f)| root(joint.bodies[0], f));
        let carried = |body: &usize| matches!(nodes[*body].hold, Attachment::Contact(_));
        let of_tree = (0..nodes.len()).filter(carried).map(|body| root(body, &tree[body]));
        let all: Vec<f64> = of_closing.chain(of_tree).flat_map(|f| f.data.0[0]).collect();
        DVector::from_vec(all)
    }
}
