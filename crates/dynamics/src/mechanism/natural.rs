//! Natural coordinates of a rigid body: q = (r, e₁, e₂, e₃), the mass centre and the body's axes as vectors in world
//! axes.
//!
//!   M = diag(m·1, [J_ij·1]),   J = ½ tr(I)·1 − I        constant, since a point is r + Σ sᵢ eᵢ and J = ∫ s sᵀ dm
//!   dθ = ½ Σ eᵢ × deᵢ,   ω = ½ Σ eᵢ × ėᵢ,   ėᵢ = ω × eᵢ
//!   Q_r = f,   Q_{eᵢ} = ½ τ × eᵢ                         since f·dr + τ·dθ = Qᵀdq
//!
//! With P(q) = ∂(dr, dθ)/∂dq the force is Q = Pᵀ(f, τ), and with W = ∂ω/∂q at fixed q̇
//!
//!   ∂Q/∂q = Pᵀ(w_x P + w_v W) + ½[τ]× on each eᵢ,   ∂Q/∂q̇ = Pᵀ w_v P,
//!
//! where w_x and w_v are a load's derivatives by pose and by twist.
//!
//! | symbol | here | unit |
//! |---|---|---|
//! | r, eᵢ | coordinates 0…3 and 3i…3i + 3 of a body | m, 1 |
//! | m, I, J | mass, inertia and Euler tensor about the mass centre | kg, kg m² |
//! | f, τ | force, torque about the mass centre, world axes | N, N m |
//!
//! Source: J. García de Jalón, E. Bayo, Kinematic and Dynamic Simulation of Multibody Systems, Springer 1994,
//! chapter 4. Departure: the body's own basic points are the mass centre and three unit vectors for every body, so that
//! one mass matrix serves all; the rotation is read off as the polar factor, whose derivative at orthonormal axes is dθ
//! above.

use crate::body::{Body, Motion};
use crate::load::Load;
use crate::model::PrescribedState;
use rattleback_geom::nalgebra::{Matrix3, Rotation3, SMatrix, UnitQuaternion};
use rattleback_geom::{Mat3, Pose, Vec3};

/// Coordinates per body.
pub(super) const BODY: usize = 12;

type Motor6x12 = SMatrix<f64, 6, 12>;
/// Derivatives of the forces on two bodies.
pub(super) type Tangent = SMatrix<f64, 24, 24>;

/// J = ½ tr(I)·1 − I.
pub(super) fn euler_tensor(body: &Body) -> Mat3 {
    Mat3::identity() * (0.5 * body.inertia.trace()) - body.inertia
}

fn vector(q: &[f64], k: usize) -> Vec3 {
    Vec3::new(q[3 * k], q[3 * k + 1], q[3 * k + 2])
}

/// The coordinates and their rates.
pub(super) fn write(motion: &Motion, q: &mut [f64], v: &mut [f64]) {
    let r = motion.pose.rotation();
    let angular_velocity = r * motion.angular_velocity_body;
    q[..3].copy_from_slice(motion.pose.position.as_slice());
    v[..3].copy_from_slice(motion.velocity.as_slice());
    for i in 0..3 {
        let e: Vec3 = r.column(i).into();
        q[3 * i + 3..3 * i + 6].copy_from_slice(e.as_slice());
        v[3 * i + 3..3 * i + 6].copy_from_slice(angular_velocity.cross(&e).as_slice());
    }
}

/// The accelerations of a prescribed body's coordinates: ëᵢ = ω̇ × eᵢ + ω × (ω × eᵢ).
pub(super) fn write_accelerations(there: &PrescribedState, a: &mut [f64]) {
    let r = there.motion.pose.rotation();
    let (angular_velocity, rate) =
        (r * there.motion.angular_velocity_body, r * there.angular_acceleration_body);
    a[..3].copy_from_slice(there.acceleration.as_slice());
    for i in 0..3 {
        let e: Vec3 = r.column(i).into();
        let turning = rate.cross(&e) + angular_velocity.cross(&angular_velocity.cross(&e));
        a[3 * i + 3..3 * i + 6].copy_from_slice(turning.as_slice());
    }
}

/// The acceleration of the mass centre and the angular acceleration ½ Σ eᵢ × ëᵢ, in world axes: what comes from the
/// turning, ω × (ω × eᵢ), cancels in the sum.
pub(super) fn accelerations_of(pose: &Pose, a: &[f64]) -> [Vec3; 2] {
    let r = pose.rotation();
    let turning = (0..3).map(|i| r.column(i).cross(&vector(a, i + 1))).sum::<Vec3>();
    [vector(a, 0), turning * 0.5]
}

/// The motion nearest to the coordinates; of the two quaternions the one nearer to `near`.
pub(super) fn read(q: &[f64], v: &[f64], near: &UnitQuaternion<f64>) -> Motion {
    let axes = Matrix3::from_columns(&[vector(q, 1), vector(q, 2), vector(q, 3)]);
    let r = polar(&axes);
    let turn = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(r));
    let orientation = if turn.coords.dot(&near.coords) < 0.0 {
        UnitQuaternion::new_unchecked(-turn.into_inner())
    } else {
        turn
    };
    let angular_velocity = 0.5 * (1..4).map(|i| vector(q, i).cross(&vector(v, i))).sum::<Vec3>();
    Motion {
        pose: Pose { position: vector(q, 0), orientation },
        velocity: vector(v, 0),
        angular_velocity_body: r.tr_mul(&angular_velocity),
    }
}

/// The rotation nearest to a matrix that is nearly one: Newton's iteration X ← ½(X + X⁻ᵀ), which doubles the digits
/// each time (N. J. Higham, SIAM J. Sci. Stat. Comput. 7 (1986) 1160–1174). A matrix without an inverse is returned as
/// it is, which the caller's check for convergence refuses.
fn polar(axes: &Mat3) -> Mat3 {
    let mut x = *axes;
    // Six doublings take any iterate of a step that converges to rounding.
    for _ in 0..6 {
        let Some(inverse) = x.try_inverse() else { return x };
        let next = 0.5 * (x + inverse.transpose());
        let change = (next - x).amax();
        x = next;
        if change < 1e-15 {
            break;
        }
    }
    x
}

/// P: (dr, dθ) of dq.
fn pose_map(q: &[f64]) -> Motor6x12 {
    let mut p = Motor6x12::zeros();
    p.fixed_view_mut::<3, 3>(0, 0).fill_with_identity();
    for i in 1..4 {
        p.fixed_view_mut::<3, 3>(3, 3 * i).copy_from(&(0.5 * vector(q, i).cross_matrix()));
    }
    p
}

/// W: (0, dω) of dq at fixed q̇.
fn angular_velocity_map(v: &[f64]) -> Motor6x12 {
    let mut w = Motor6x12::zeros();
    for i in 1..4 {
        w.fixed_view_mut::<3, 3>(3, 3 * i).copy_from(&(-0.5 * vector(v, i).cross_matrix()));
    }
    w
}

/// Adds a wrench on the body whose coordinates are `q` to its generalised force.
pub(super) fn add_force(q: &[f64], [force, torque]: [Vec3; 2], out: &mut [f64]) {
    for k in 0..3 {
        out[k] += force[k];
    }
    for i in 1..4 {
        let turn = 0.5 * torque.cross(&vector(q, i));
        for k in 0..3 {
            out[3 * i + k] += turn[k];
        }
    }
}

/// Force, and torque about the mass centre, of a generalised force.
pub(super) fn wrench(q: &[f64], force: &[f64]) -> [Vec3; 2] {
    let torque = (1..4).map(|i| vector(q, i).cross(&vector(force, i))).sum();
    [vector(force, 0), torque]
}

/// ∂Q/∂q and ∂Q/∂q̇ of a load; `bodies` are the coordinates and rates of its two bodies, absent for those without.
pub(super) fn tangents(load: &Load, bodies: [Option<(&[f64], &[f64])>; 2]) -> Option<[Tangent; 2]> {
    let tangent = load.tangent.as_ref()?;
    let mut p = SMatrix::<f64, 12, 24>::zeros();
    let mut w = SMatrix::<f64, 12, 24>::zeros();
    let mut geometric = Tangent::zeros();
    for (side, body) in bodies.iter().enumerate() {
        let Some((q, v)) = body else { continue };
        p.fixed_view_mut::<6, 12>(6 * side, 12 * side).copy_from(&pose_map(q));
        w.fixed_view_mut::<6, 12>(6 * side, 12 * side).copy_from(&angular_velocity_map(v));
        let half = 0.5 * load.on(side)[1].cross_matrix();
        for i in 1..4 {
            let at = 12 * side + 3 * i;
            geometric.fixed_view_mut::<3, 3>(at, at).copy_from(&half);
        }
    }
    let by_rate = tangent.by_twist * p;
    let by_value = tangent.by_pose * p + tangent.by_twist * w;
    Some([p.tr_mul(&by_value) + geometric, p.tr_mul(&by_rate)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::force::{Axes, Constant, End, Force, SpringDamper};
    use crate::model::BodyId;

    fn motion() -> Motion {
        let pose = Pose::from_parts([0.3, -0.2, 0.9], [0.5, 0.1, -0.7, 0.5]).unwrap();
        Motion { pose, velocity: Vec3::new(1.0, 0.2, -0.4), angular_velocity_body: Vec3::new(0.7, -1.1, 0.4) }
    }

    #[test]
    fn coordinates_there_and_back_and_the_kinetic_energy() {
        let motion = motion();
        let (mut q, mut v) = ([0.0; 12], [0.0; 12]);
        write(&motion, &mut q, &mut v);
        let back = read(&q, &v, &motion.pose.orientation);
        assert!((back.pose.orientation.coords - motion.pose.orientation.coords).norm() < 1e-15);
        assert!((back.angular_velocity_body - motion.angular_velocity_body).norm() < 1e-15);
        let inertia = Mat3::new(2.0, 0.1, 0.2, 0.1, 1.5, -0.1, 0.2, -0.1, 1.8);
        let body = Body { mass: 1.3, inertia };
        let j = euler_tensor(&body);
        let mut twice = body.mass * vector(&v, 0).norm_squared();
        for a in 0..3 {
            for b in 0..3 {
                twice += j[(a, b)] * vector(&v, a + 1).dot(&vector(&v, b + 1));
            }
        }
        assert!((0.5 * twice - body.kinetic_energy(&motion)).abs() < 1e-14);
    }

    #[test]
    fn tangents_of_a_load_agree_with_differences() {
        let motion = motion();
        let (mut q, mut v) = ([0.0; 12], [0.0; 12]);
        write(&motion, &mut q, &mut v);
        for axes in [Axes::World, Axes::Body] {
            let force = Force::Constant(Constant {
                body: BodyId(0),
                point: Vec3::new(0.2, 0.5, -0.3),
                force: Vec3::new(1.0, -2.0, 0.7),
                torque: Vec3::new(0.3, 0.4, -0.9),
                axes,
            });
            // A drag on the spin makes the load depend on the twist too.
            let drag = Mat3::new(0.9, 0.1, 0.0, -0.2, 0.7, 0.3, 0.1, 0.0, 1.1);
            let load = |q: &[f64; 12], v: &[f64; 12]| {
                let m = read(q, v, &motion.pose.orientation);
                let mut load = force.load(0.0, &[m], true).unwrap();
                let torque = load.on(0)[1] - drag * m.twist().angular_velocity;
                load.wrench.fixed_rows_mut::<3>(3).copy_from(&torque);
                let tangent = load.tangent.as_mut().unwrap();
                tangent.by_twist.fixed_view_mut::<3, 3>(3, 3).copy_from(&-drag);
                load
            };
            let generalised = |q: &[f64; 12], v: &[f64; 12]| {
                let mut out = [0.0; 12];
                add_force(q, load(q, v).on(0), &mut out);
                out
            };
            let [by_q, by_v] = tangents(&load(&q, &v), [Some((&q, &v)), None]).unwrap();
            let h = 1e-6;
            for c in 0..12 {
                let shifted = |x: &[f64; 12], by: f64| {
                    let mut y = *x;
                    y[c] += by;
                    y
                };
                let (a, b) = (generalised(&shifted(&q, h), &v), generalised(&shifted(&q, -h), &v));
                let (d, e) = (generalised(&q, &shifted(&v, h)), generalised(&q, &shifted(&v, -h)));
                for r in 0..12 {
                    assert!((by_q[(r, c)] - (a[r] - b[r]) / (2.0 * h)).abs() < 1e-8, "{axes:?} {r} {c}");
                    assert!((by_v[(r, c)] - (d[r] - e[r]) / (2.0 * h)).abs() < 1e-8, "{axes:?} {r} {c}");
                }
            }
        }
    }

    #[test]
    fn tangents_of_a_load_on_two_bodies_agree_with_differences() {
        let mut other = motion();
        other.pose = Pose::from_parts([-0.5, 0.4, 0.1], [0.7, -0.1, 0.1, 0.7]).unwrap();
        other.angular_velocity_body = Vec3::new(-0.2, 0.9, 0.6);
        let force = Force::SpringDamper(SpringDamper {
            a: End { body: BodyId(0), point: Vec3::new(0.1, 0.3, -0.2) },
            b: End { body: BodyId(1), point: Vec3::new(-0.2, 0.1, 0.4) },
            stiffness: 12.0,
            damping: 0.8,
            length: 0.4,
            never_pushes: false,
        });
        let motions = [motion(), other];
        let (mut q, mut v) = ([0.0; 24], [0.0; 24]);
        for (b, motion) in motions.iter().enumerate() {
            write(motion, &mut q[12 * b..][..12], &mut v[12 * b..][..12]);
        }
        let load = |q: &[f64; 24], v: &[f64; 24]| {
            let motions =
                [0, 1].map(|b| read(&q[12 * b..][..12], &v[12 * b..][..12], &motions[b].pose.orientation));
            force.load(0.0, &motions, true).unwrap()
        };
        let generalised = |q: &[f64; 24], v: &[f64; 24]| {
            let (load, mut out) = (load(q, v), [0.0; 24]);
            for side in 0..2 {
                add_force(&q[12 * side..][..12], load.on(side), &mut out[12 * side..][..12]);
            }
            out
        };
        let known = [0, 1].map(|b| Some((&q[12 * b..][..12], &v[12 * b..][..12])));
        let [by_q, by_v] = tangents(&load(&q, &v), known).unwrap();
        let h = 1e-6;
        for c in 0..24 {
            let mut step = [0.0; 24];
            step[c] = h;
            let moved = |x: &[f64; 24], sign: f64| std::array::from_fn(|i| x[i] + sign * step[i]);
            let (a, b) = (generalised(&moved(&q, 1.0), &v), generalised(&moved(&q, -1.0), &v));
            let (d, e) = (generalised(&q, &moved(&v, 1.0)), generalised(&q, &moved(&v, -1.0)));
            for r in 0..24 {
                assert!((by_q[(r, c)] - (a[r] - b[r]) / (2.0 * h)).abs() < 1e-8, "{r} {c}");
                assert!((by_v[(r, c)] - (d[r] - e[r]) / (2.0 * h)).abs() < 1e-8, "{r} {c}");
            }
        }
    }
}
