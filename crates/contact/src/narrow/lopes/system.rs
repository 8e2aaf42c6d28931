//! The six equations of a common normal and their Jacobian, Lopes (9–14).
//!
//! q = (s_A, s_B), the points in the surfaces' frames (10), m; R_A, R_B rotations to the world; g = ∇F, H = ∇²F;
//! n = R_A g_A, d = x_B − x_A in world axes (11); t, b the tangents of B from its frame.
//!
//! | row | Φ | ∂Φ/∂s_A | ∂Φ/∂s_B |
//! |---|---|---|---|
//! | 1, 2 | n·t, n·b | tᵀR_A H_A | nᵀR_B (∂t/∂g_B) H_B |
//! | 3, 4 | d·t, d·b | −tᵀR_A | tᵀR_B + dᵀR_B (∂t/∂g_B) H_B |
//! | 5 | F_A | g_Aᵀ | 0 |
//! | 6 | F_B | 0 | g_Bᵀ |
//!
//! The conditions hold for any common normal: on facing sides of the bodies and on averted ones.

use super::{ImplicitBody, TangentFrame};
use rattleback_geom::Vec3;
use rattleback_geom::nalgebra::{Matrix6, Vector6};

/// The two points, each in its surface's own frame.
pub type Unknowns = Vector6<f64>;

/// The equations of one pair.
#[derive(Clone, Copy)]
pub struct System<'a> {
    /// Body i of the paper.
    pub a: ImplicitBody<'a>,
    /// Body j of the paper, which gives the tangents.
    pub b: ImplicitBody<'a>,
    /// How the tangents are made.
    pub frame: TangentFrame,
}

/// The halves of the unknowns.
pub(super) fn halves(q: &Unknowns) -> (Vec3, Vec3) {
    (q.fixed_rows::<3>(0).into_owned(), q.fixed_rows::<3>(3).into_owned())
}

/// The unknowns from the two points in their own frames.
pub(super) fn joined(s_a: &Vec3, s_b: &Vec3) -> Unknowns {
    Unknowns::new(s_a.x, s_a.y, s_a.z, s_b.x, s_b.y, s_b.z)
}

impl System<'_> {
    /// From world to the surfaces' own frames.
    pub fn unknowns(&self, x_a: &Vec3, x_b: &Vec3) -> Unknowns {
        joined(&self.a.pose.point_to_local(x_a), &self.b.pose.point_to_local(x_b))
    }

    /// From the surfaces' own frames to the world.
    pub fn points(&self, q: &Unknowns) -> [Vec3; 2] {
        let (s_a, s_b) = halves(q);
        [self.a.pose.point_to_world(&s_a), self.b.pose.point_to_world(&s_b)]
    }

    /// Φ (9).
    pub fn residual(&self, q: &Unknowns) -> Vector6<f64> {
        let (s_a, s_b) = halves(q);
        let at = self.frame.at(&self.b.surface.gradient(&s_b));
        let (t, b) = (self.b.pose.vector_to_world(&at.t), self.b.pose.vector_to_world(&at.b));
        let n = self.a.pose.vector_to_world(&self.a.surface.gradient(&s_a));
        let [x_a, x_b] = self.points(q);
        let d = x_b - x_a;
        Vector6::new(
            n.dot(&t),
            n.dot(&b),
            d.dot(&t),
            d.dot(&b),
            self.a.surface.value(&s_a),
            self.b.surface.value(&s_b),
        )
    }

    /// What the rows of the Jacobian are of the order of where no curvature vanishes, a body's size being 1/∣g∣.
    pub(super) fn row_sizes(&self, q: &Unknowns) -> Vector6<f64> {
        let (s_a, s_b) = halves(q);
        let (g_a, g_b) = (self.a.surface.gradient(&s_a), self.b.surface.gradient(&s_b));
        let (at, n) = (self.frame.at(&g_b), g_a.norm());
        let (t, b) = (at.t.norm(), at.b.norm());
        Vector6::new(n * n * t, n * n * b, t, b, n, g_b.norm())
    }

    /// Φ and ∂Φ/∂q (12).
    pub fn linearise(&self, q: &Unknowns) -> (Vector6<f64>, Matrix6<f64>) {
        let (s_a, s_b) = halves(q);
        let (g_a, g_b) = (self.a.surface.gradient(&s_a), self.b.surface.gradient(&s_b));
        let (h_a, h_b) = (self.a.surface.hessian(&s_a), self.b.surface.hessian(&s_b));
        let (r_a, r_b) = (self.a.pose.rotation(), self.b.pose.rotation());
        let at = self.frame.at(&g_b);
        let [x_a, x_b] = self.points(q);
        // n and d in B's axes, where the tangents are.
        let (n, d) = (r_b.tr_mul(&(r_a * g_a)), r_b.tr_mul(&(x_b - x_a)));
        let mut phi = Vector6::zeros();
        let mut jacobian = Matrix6::zeros();
        for (row, (t, dt)) in [(at.t, at.dt), (at.b, at.db)].into_iter().enumerate() {
            let t_in_a = r_a.tr_mul(&(r_b * t));
            let bend = dt * h_b;
            phi[row] = n.dot(&t);
            phi[row + 2] = d.dot(&t);
            jacobian.fixed_view_mut::<1, 3>(row, 0).copy_from(&(h_a * t_in_a).transpose());
            jacobian.fixed_view_mut::<1, 3>(row, 3).copy_from(&bend.tr_mul(&n).transpose());
            jacobian.fixed_view_mut::<1, 3>(row + 2, 0).copy_from(&-t_in_a.transpose());
            jacobian.fixed_view_mut::<1, 3>(row + 2, 3).copy_from(&(t + bend.tr_mul(&d)).transpose());
        }
        phi[4] = self.a.surface.value(&s_a);
        phi[5] = self.b.surface.value(&s_b);
        jacobian.fixed_view_mut::<1, 3>(4, 0).copy_from(&g_a.transpose());
        jacobian.fixed_view_mut::<1, 3>(5, 3).copy_from(&g_b.transpose());
        (phi, jacobian)
    }
}
