//! The free rotation of a rigid body by rotations alone: explicit, symmetric, symplectic, of order 2.
//!
//! In principal axes T = ½ Σ Πᵢ²/Iᵢ and Π̇ = Π × ω, ωᵢ = Πᵢ/Iᵢ. With I₀ the middle moment of the three,
//!
//!   T = ∣Π∣²/2I₀ + ½ r_a Π_a² + ½ r_b Π_b²,   r_j = 1/I_j − 1/I₀,   ∣r_a∣ ≥ ∣r_b∣
//!
//! The flow of the first term leaves Π alone and turns the body by h Π/I₀; that of ½ r_j Π_j² turns the body by
//! θ = h r_j Π_j about its principal axis j and Π by −θ about the same axis. The first commutes with the others, hence
//!
//!   φ(h) = φ_a(h/2) φ_b(h) φ_a(h/2) φ_iso(h)
//!
//! | symbol | field | unit |
//! |---|---|---|
//! | I | `moments`, in the order of the principal axes | kg m² |
//! | – | `axes`: from principal axes to body axes | – |
//! | 0, a, b | `order` | – |
//! | r | `residual` of a and b | 1/(kg m²) |
//! | Π | angular momentum in principal axes | N m s |
//!
//! Every factor is a rotation of the body that leaves R Π alone: angular momentum in world axes is kept to rounding.
//!
//! Sources: McLachlan, Explicit Lie–Poisson integration and the Euler equations, Phys. Rev. Lett. 71 (1993) 3043;
//! Dullweber, Leimkuhler, McLachlan, Symplectic splitting methods for rigid body molecular dynamics, J. Chem. Phys. 107
//! (1997) 5840, section III; Touma, Wisdom, Lie–Poisson integrators for rigid body dynamics in the solar system,
//! Astron. J. 107 (1994) 1189; Fassò, Comparison of splitting algorithms for the rigid body, J. Comput. Phys. 189
//! (2003) 527.
//!
//! Departure from Dullweber et al., who turn about the axes 1, 2, 3, 2, 1: splitting the isotropic part off is the
//! symmetric top plus a rotation of Touma and Wisdom written in four turns. It is exact for bodies with two equal
//! moments and, since the error is made of products of r_a and r_b, the more accurate the closer two moments are. The
//! middle moment makes ∣r_a r_b∣ the smallest of the three choices.

use rattleback_geom::nalgebra::{Quaternion, Rotation3, UnitQuaternion};
use rattleback_geom::{Mat3, Vec3};

/// A rigid body's rotation: principal moments and axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Rotor {
    moments: Vec3,
    axes: UnitQuaternion<f64>,
    order: [usize; 3],
    residual: [f64; 2],
}

impl Rotor {
    /// Of a symmetric, positive inertia in body axes.
    pub(super) fn new(inertia: &Mat3) -> Self {
        let diagonal = inertia.m12 == 0.0 && inertia.m13 == 0.0 && inertia.m23 == 0.0;
        // Axes that are principal already are taken as they are: no rounding, no permutation.
        let (moments, axes) = if diagonal {
            (inertia.diagonal(), UnitQuaternion::identity())
        } else {
            let eigen = inertia.symmetric_eigen();
            let mut axes = eigen.eigenvectors;
            if axes.determinant() < 0.0 {
                axes = -axes;
            }
            (eigen.eigenvalues, UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(axes)))
        };
        let mut order = [0, 1, 2];
        order.sort_by(|&i, &j| moments[i].total_cmp(&moments[j]));
        let [least, middle, most] = order;
        let residual = |i: usize| 1.0 / moments[i] - 1.0 / moments[middle];
        let (a, b) =
            if residual(least).abs() >= residual(most).abs() { (least, most) } else { (most, least) };
        Self { moments, axes, order: [middle, a, b], residual: [residual(a), residual(b)] }
    }

    /// From principal axes to world axes, for a body of that orientation.
    pub(super) fn frame(&self, orientation: &UnitQuaternion<f64>) -> UnitQuaternion<f64> {
        orientation * self.axes
    }

    /// Angular momentum in principal axes from angular velocity in body axes.
    pub(super) fn momentum(&self, angular_velocity: &Vec3) -> Vec3 {
        self.axes.inverse_transform_vector(angular_velocity).component_mul(&self.moments)
    }

    /// Angular velocity in body axes from angular momentum in principal axes.
    ///
    /// Rounded axes are orthogonal to a rounding only, always the same one: whoever takes a state there and back in
    /// every step adds up that bias, and should take the change of momentum instead, whose sum over a motion stays
    /// small.
    pub(super) fn angular_velocity(&self, momentum: &Vec3) -> Vec3 {
        self.axes * momentum.component_div(&self.moments)
    }

    /// Turns a body freely for the time `h`.
    pub(super) fn turn(&self, orientation: &mut UnitQuaternion<f64>, momentum: &mut Vec3, h: f64) {
        let [middle, a, b] = self.order;
        let mut q = self.frame(orientation).into_inner();
        let turn_about = |q: &mut Quaternion<f64>, momentum: &mut Vec3, j: usize, rate: f64| {
            let (sin, cos) = (0.5 * h * rate * momentum[j]).sin_cos();
            let mut vector = Vec3::zeros();
            vector[j] = sin;
            *q *= Quaternion::from_parts(cos, vector);
            // Π turns by −θ about the axis j: sin θ and cos θ from the half angle, so that body and Π turn alike.
            let (double_sin, lost) = (2.0 * sin * cos, 2.0 * sin * sin);
            let (k, l) = ((j + 1) % 3, (j + 2) % 3);
            let (x, y) = (momentum[k], momentum[l]);
            momentum[k] = x + (double_sin * y - lost * x);
            momentum[l] = y - (double_sin * x + lost * y);
        };
        let size = momentum.norm();
        if size > 0.0 {
            let (sin, cos) = (0.5 * h * size / self.moments[middle]).sin_cos();
            q *= Quaternion::from_parts(cos, *momentum * (sin / size));
        }
        turn_about(&mut q, momentum, a, 0.5 * self.residual[0]);
        turn_about(&mut q, momentum, b, self.residual[1]);
        turn_about(&mut q, momentum, a, 0.5 * self.residual[0]);
        q *= self.axes.inverse().into_inner();
        // Newton's step for 1/∣q∣ from one: what rounding took in this step, it gives back to the last digit.
        let unit = q * (1.5 - 0.5 * q.norm_squared());
        *orientation = UnitQuaternion::new_unchecked(unit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn oblique() -> Mat3 {
        let turn = UnitQuaternion::from_euler_angles(0.4, -1.1, 2.0).to_rotation_matrix();
        turn.matrix() * Mat3::from_diagonal(&Vec3::new(1.0, 2.2, 1.7)) * turn.matrix().transpose()
    }

    #[test]
    fn momentum_and_spin_undo_each_other_and_agree_with_the_tensor() {
        for inertia in [oblique(), Mat3::from_diagonal(&Vec3::new(3.0, 1.0, 2.5))] {
            let rotor = Rotor::new(&inertia);
            let angular_velocity = Vec3::new(0.3, -2.0, 1.1);
            let momentum = rotor.momentum(&angular_velocity);
            assert!((rotor.angular_velocity(&momentum) - angular_velocity).norm() < 1e-14);
            assert!((rotor.axes * momentum - inertia * angular_velocity).norm() < 1e-14);
        }
    }

    #[test]
    fn a_symmetric_top_turns_exactly_however_long_the_step() {
        // L/I₁ about the fixed momentum, then (1/I₃ − 1/I₁) Π₃ about the own axis, in one step of 2.4 turns.
        for moments in [[2.0, 2.0, 0.7], [2.0, 2.0, 3.1], [0.7, 2.0, 2.0], [1.3, 1.3, 1.3]] {
            let inertia = Mat3::from_diagonal(&moments.into());
            let rotor = Rotor::new(&inertia);
            let axis = if moments[0] == moments[1] { 2 } else { 0 };
            let across = moments[1];
            let start = UnitQuaternion::from_euler_angles(0.2, 0.5, -1.0);
            let momentum = Vec3::new(0.4, -1.5, 2.0);
            let h = 15.0;
            let (mut orientation, mut left) = (start, momentum);
            rotor.turn(&mut orientation, &mut left, h);
            let mut own = Vec3::zeros();
            own[axis] = h * (1.0 / moments[axis] - 1.0 / across) * momentum[axis];
            let about = UnitQuaternion::from_scaled_axis(start * momentum * (h / across));
            let expected = about * start * UnitQuaternion::from_scaled_axis(own);
            assert!(orientation.angle_to(&expected) < 1e-13, "{moments:?}");
            assert!((orientation * left - start * momentum).norm() < 1e-14, "{moments:?}");
        }
    }

    #[test]
    fn a_turn_and_its_reverse_come_back() {
        let rotor = Rotor::new(&oblique());
        let start = UnitQuaternion::from_euler_angles(1.0, -0.3, 0.1);
        let momentum = Vec3::new(1.0, 2.0, -0.5);
        let (mut orientation, mut left) = (start, momentum);
        rotor.turn(&mut orientation, &mut left, 0.7);
        rotor.turn(&mut orientation, &mut left, -0.7);
        assert!(orientation.angle_to(&start) < 1e-14 && (left - momentum).norm() < 1e-14);
    }
}
