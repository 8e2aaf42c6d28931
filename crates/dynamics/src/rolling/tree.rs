//! Accelerations of bodies that hang on each other by contacts, in a number of operations that grows linearly with
//! theirs: the articulated-body method (Featherstone), with contacts as joints (Kry and Pai 2002, end of 3.3).
//!
//! Six-vectors are (angular, linear), about mass centres, in world axes. A body A on its parent B has
//!
//!   α_A = X α_B + S ẇ + ζ,   X = [1 0; −[ρ]ₓ 1],   ρ = x_A − x_B
//!
//! and takes a wrench f of its contact with T f = k, one row for each velocity in w: for an ideal contact T = Sᵀ and k
//! = 0, with friction T mixes in the normal force ((21) to (27)). Of a body with all that hangs on it, f = I α + p.
//! From the leaves to the roots,
//!
//!   D = T I S,   I′ = I − I S D⁻¹ T I,   p′ = p + I′ζ + I S D⁻¹(k − T p)
//!   I_B += Xᵀ I′ X,   p_B += Xᵀ p′
//!
//! and back from the roots, ẇ = D⁻¹(k − T(I(X α_B + ζ) + p)). A free root has I α + p = 0; others have a given α. With
//! impulses in the place of forces and jumps in the place of accelerations the same equations hold, p = 0 and ζ the
//! jump of the velocities that are stopped.

use rattleback_geom::nalgebra::{SMatrix, SVector};
use rattleback_geom::{Mat3, Vec3};

/// Six numbers: angular, linear.
pub type Vec6 = SVector<f64, 6>;
type Mat6 = SMatrix<f64, 6, 6>;

/// What holds a body.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::large_enum_variant, reason = "a box would be allocated at every evaluation")]
pub enum Attachment {
    /// Nothing.
    Free,
    /// Its acceleration is given.
    Given(Vec6),
    /// A contact with its parent.
    Contact(ContactJoint),
}

/// A contact as a joint of five velocities.
#[derive(Debug, Clone, Copy)]
pub struct ContactJoint {
    /// The parent's place in the list of bodies.
    pub parent: usize,
    /// ρ.
    pub arm: Vec3,
    /// S.
    pub directions: SMatrix<f64, 6, 5>,
    /// Tᵀ.
    pub tests: SMatrix<f64, 6, 5>,
    /// k.
    pub given: SVector<f64, 5>,
    /// ζ.
    pub drift: Vec6,
    /// The velocities that do not change: their columns of S and Tᵀ and their k are zero.
    pub held: [bool; 5],
}

impl ContactJoint {
    /// The numbers of the velocities that change, and how many they are.
    pub(super) fn free(&self) -> ([usize; 5], usize) {
        let (mut free, mut count) = ([0; 5], 0);
        for k in (0..5).filter(|&k| !self.held[k]) {
            free[count] = k;
            count += 1;
        }
        (free, count)
    }
}

/// A body on its way through the method.
#[derive(Debug, Clone, Copy)]
pub struct ArticulatedBody {
    /// What holds it.
    pub hold: Attachment,
    /// I: its own inertia at first, then with all that hangs on it.
    pub inertia: Mat6,
    /// p: what it takes to keep it from accelerating, I α + p = f.
    pub bias: Vec6,
    /// α.
    pub acceleration: Vec6,
    /// ẇ.
    pub rates: SVector<f64, 5>,
    /// f: the wrench of the contact with its parent.
    pub wrench: Vec6,
    /// D⁻¹, in rows and columns of the velocities that change.
    pub(super) inverse: Square,
}

/// Rows and columns of the velocities of a contact that change, as many as there are.
pub(super) type Square = [[f64; 5]; 5];

impl ArticulatedBody {
    /// Nothing, and nothing holds it.
    pub fn at_rest() -> Self {
        Self {
            hold: Attachment::Free,
            inertia: Mat6::zeros(),
            bias: Vec6::zeros(),
            acceleration: Vec6::zeros(),
            rates: SVector::zeros(),
            wrench: Vec6::zeros(),
            inverse: [[0.0; 5]; 5],
        }
    }

    /// Takes a mass, an inertia about the mass centre in world axes, and p.
    pub fn set_body(&mut self, mass: f64, inertia: &Mat3, bias: Vec6) {
        self.inertia = Mat6::zeros();
        self.inertia.fixed_view_mut::<3, 3>(0, 0).copy_from(inertia);
        for k in 3..6 {
            self.inertia[(k, k)] = mass;
        }
        self.bias = bias;
    }
}

/// Solves for all accelerations and wrenches; `order` lists parents before children. False where friction is so strong
/// that a contact's equations have no answer.
pub fn solve(nodes: &mut [ArticulatedBody], order: &[usize]) -> bool {
    if !order.iter().rev().all(|&i| fold(nodes, i)) {
        return false;
    }
    for &i in order {
        let node = &nodes[i];
        match &node.hold {
            Attachment::Given(acceleration) => nodes[i].acceleration = *acceleration,
            Attachment::Free => match node.inertia.lu().solve(&-node.bias) {
                Some(acceleration) => nodes[i].acceleration = acceleration,
                None => return false,
            },
            Attachment::Contact(joint) => {
                let carried = shift(&joint.arm, &nodes[joint.parent].acceleration) + joint.drift;
                let resisted = times(&node.inertia, &carried) + node.bias;
                let (mut acceleration, mut rates) = (carried, SVector::<f64, 5>::zeros());
                let rest = joint.given - joint.tests.tr_mul(&resisted);
                let (free, count) = joint.free();
                for (row, &k) in node.inverse.iter().zip(&free[..count]) {
                    rates[k] = row.iter().zip(&free[..count]).map(|(inverse, &l)| inverse * rest[l]).sum();
                    acceleration += joint.directions.column(k) * rates[k];
                }
                let wrench = times(&node.inertia, &acceleration) + node.bias;
                let node = &mut nodes[i];
                (node.rates, node.acceleration, node.wrench) = (rates, acceleration, wrench);
            }
        }
    }
    true
}

/// M v. A loop of known length over columns takes a third of the time of the general product.
pub(super) fn times(m: &Mat6, v: &Vec6) -> Vec6 {
    let mut out = [0.0; 6];
    for (column, x) in m.data.0.iter().zip(v.iter()) {
        for (sum, a) in out.iter_mut().zip(column) {
            *sum += a * x;
        }
    }
    Vec6::from_column_slice(&out)
}

/// Adds a body with all that hangs on it to its parent, unless its own motion is given. False where D has no inverse.
fn fold(nodes: &mut [ArticulatedBody], i: usize) -> bool {
    let Attachment::Contact(joint) = &nodes[i].hold else { return true };
    let node = &nodes[i];
    let (free, count) = joint.free();
    let mut pushed = SMatrix::<f64, 6, 5>::zeros();
    let mut d = Square::default();
    for (column, &l) in free[..count].iter().enumerate() {
        pushed.set_column(l, &times(&node.inertia, &joint.directions.column(l).into()));
        for (row, &k) in free[..count].iter().enumerate() {
            d[row][column] = joint.tests.column(k).dot(&pushed.column(l));
        }
    }
    let Some(inverse) = inverted(d, count) else { return false };
    let given = matches!(nodes[joint.parent].hold, Attachment::Given(_));
    let share = (!given).then(|| {
        let mut whole = SMatrix::<f64, 5, 5>::zeros();
        for (row, column) in (0..count).flat_map(|row| (0..count).map(move |column| (row, column))) {
            whole[(free[row], free[column])] = inverse[row][column];
        }
        let gain = pushed * whole;
        let inertia = node.inertia - gain * joint.tests.tr_mul(&node.inertia);
        let rest = joint.given - joint.tests.tr_mul(&node.bias);
        let bias = node.bias + times(&inertia, &joint.drift) + gain * rest;
        let x = transport(&joint.arm);
        (joint.parent, x.tr_mul(&(inertia * x)), x.tr_mul(&bias))
    });
    nodes[i].inverse = inverse;
    if let Some((parent, inertia, bias)) = share {
        nodes[parent].inertia += inertia;
        nodes[parent].bias += bias;
    }
    true
}

/// The inverse of the first `count` rows and columns; none where there is none. Gauss and Jordan's elimination, the
/// largest entry of a column first.
fn inverted(mut d: Square, count: usize) -> Option<Square> {
    let mut out = Square::default();
    (0..count).for_each(|k| out[k][k] = 1.0);
    for k in 0..count {
        let size = |row: usize| d[row][k].abs();
        let pivot = (k..count).max_by(|&a, &b| size(a).total_cmp(&size(b)))?;
        if !(size(pivot) > 0.0) {
            return None;
        }
        d.swap(pivot, k);
        out.swap(pivot, k);
        let inverse = 1.0 / d[k][k];
        for l in 0..count {
            d[k][l] *= inverse;
            out[k][l] *= inverse;
        }
        let (pivot_row, pivot_out) = (d[k], out[k]);
        for row in (0..count).filter(|&row| row != k) {
            let factor = d[row][k];
            for l in 0..count {
                d[row][l] -= factor * pivot_row[l];
                out[row][l] -= factor * pivot_out[l];
            }
        }
    }
    Some(out)
}

/// X.
fn transport(arm: &Vec3) -> Mat6 {
    let mut x = Mat6::identity();
    x.fixed_view_mut::<3, 3>(3, 0).copy_from(&-arm.cross_matrix());
    x
}

/// X α.
pub(super) fn shift(arm: &Vec3, a: &Vec6) -> Vec6 {
    let (angular, linear) = split(a);
    join(&angular, &(linear + angular.cross(arm)))
}

/// The angular and the linear part.
pub fn split(v: &Vec6) -> (Vec3, Vec3) {
    (v.fixed_rows::<3>(0).into(), v.fixed_rows::<3>(3).into())
}

/// Both parts in one.
pub fn join(angular: &Vec3, linear: &Vec3) -> Vec6 {
    Vec6::new(angular.x, angular.y, angular.z, linear.x, linear.y, linear.z)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rattleback_geom::nalgebra::{DMatrix, DVector};

    /// Numbers from −1 to 1 that are the same every time.
    struct Dice(u64);

    impl Dice {
        fn roll(&mut self) -> f64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 11) as f64 / (1u64 << 52) as f64 - 1.0
        }

        fn vector<const N: usize>(&mut self) -> SVector<f64, N> {
            SVector::from_fn(|_, _| self.roll())
        }

        fn node(&mut self, hold: Attachment) -> ArticulatedBody {
            let root = Mat3::from_fn(|_, _| self.roll());
            let inertia = root * root.transpose() + Mat3::identity();
            let mut node = ArticulatedBody { hold, ..ArticulatedBody::at_rest() };
            node.set_body(1.5 + self.roll(), &inertia, self.vector());
            node
        }

        /// A contact with friction: T is S with some of the normal force mixed in.
        fn contact(&mut self, parent: usize, held: [bool; 5]) -> Attachment {
            let mut directions = SMatrix::<f64, 6, 5>::from_fn(|_, _| self.roll());
            let mut tests = directions + SMatrix::<f64, 6, 5>::from_fn(|_, _| 0.1 * self.roll());
            for k in (0..5).filter(|&k| held[k]) {
                directions.column_mut(k).fill(0.0);
                tests.column_mut(k).fill(0.0);
            }
            let (arm, mut given, drift) = (self.vector(), self.vector(), self.vector());
            for k in (0..5).filter(|&k| held[k]) {
                given[k] = 0.0;
            }
            Attachment::Contact(ContactJoint { parent, arm, directions, tests, given, drift, held })
        }
    }

    /// All equations at once, in α, f and ẇ of every body.
    fn dense(nodes: &[ArticulatedBody]) -> DVector<f64> {
        let n = nodes.len();
        let (mut m, mut rhs) = (DMatrix::zeros(17 * n, 17 * n), DVector::zeros(17 * n));
        for (i, node) in nodes.iter().enumerate() {
            let (alpha, force, rates) = (17 * i, 17 * i + 6, 17 * i + 12);
            // I α + p = f − Σ Xᵀ f of what it carries.
            m.view_mut((alpha, alpha), (6, 6)).copy_from(&node.inertia);
            m.view_mut((alpha, force), (6, 6)).copy_from(&-Mat6::identity());
            rhs.rows_mut(alpha, 6).copy_from(&-node.bias);
            match node.hold {
                Attachment::Free => {
                    m.view_mut((force, force), (6, 6)).copy_from(&Mat6::identity());
                    m.view_mut((rates, rates), (5, 5)).fill_with_identity();
                }
                Attachment::Given(a) => {
                    m.view_mut((force, alpha), (6, 6)).copy_from(&Mat6::identity());
                    rhs.rows_mut(force, 6).copy_from(&a);
                    m.view_mut((rates, rates), (5, 5)).fill_with_identity();
                }
                Attachment::Contact(joint) => {
                    let (parent, x) = (17 * joint.parent, transport(&joint.arm));
                    m.view_mut((parent, force), (6, 6)).copy_from(&x.transpose());
                    m.view_mut((force, alpha), (6, 6)).copy_from(&Mat6::identity());
                    m.view_mut((force, parent), (6, 6)).copy_from(&-x);
                    m.view_mut((force, rates), (6, 5)).copy_from(&-joint.directions);
                    rhs.rows_mut(force, 6).copy_from(&joint.drift);
                    m.view_mut((rates, force), (5, 6)).copy_from(&joint.tests.transpose());
                    rhs.rows_mut(rates, 5).copy_from(&joint.given);
                    for k in (0..5).filter(|&k| joint.held[k]) {
                        m[(rates + k, rates + k)] = 1.0;
                    }
                }
            }
        }
        m.lu().solve(&rhs).unwrap()
    }

    #[test]
    fn the_tree_solves_what_all_equations_at_once_say() {
        let mut dice = Dice(7);
        let rolls = [false, false, false, true, true];
        for round in 0..20 {
            let root = if round % 2 == 0 { Attachment::Free } else { Attachment::Given(dice.vector()) };
            // 0 carries 1 and 4, 1 carries 3 and 3 carries 2; 5 flies.
            let holds = [
                root,
                dice.contact(0, rolls),
                dice.contact(3, [false; 5]),
                dice.contact(1, [false, false, true, true, true]),
                dice.contact(0, [false; 5]),
                Attachment::Free,
            ];
            let mut nodes = holds.map(|hold| dice.node(hold));
            let expected = dense(&nodes);
            assert!(solve(&mut nodes, &[0, 1, 3, 2, 4, 5]));
            for (i, node) in nodes.iter().enumerate() {
                let at = |from: usize, count: usize| expected.rows(17 * i + from, count);
                assert!((node.acceleration - at(0, 6)).norm() < 1e-10, "round {round}, body {i}");
                if let Attachment::Contact(_) = node.hold {
                    assert!((node.wrench - at(6, 6)).norm() < 1e-9, "round {round}, body {i}");
                    assert!((node.rates - at(12, 5)).norm() < 1e-9, "round {round}, body {i}");
                }
            }
        }
    }
}
