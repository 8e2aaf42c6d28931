//! H and its rate against differences of poses, Montana's inverse, and the motion of the engine against Kry and Pai's
//! (20).
mod equations;
mod samples;

use rattleback_dynamics::rolling::{ContactFrames, Frame, Velocities};
use rattleback_geom::Vec3;
use rattleback_geom::nalgebra::{SMatrix, SVector};
use samples::{On, contacts};

type Five = SVector<f64, 5>;

fn contact_frames(bodies: &[On; 2], q: &Five) -> ContactFrames {
    let jet = |k: usize| bodies[k].atlas.jet(&bodies[k].at(q[2 * k], q[2 * k + 1])).unwrap();
    ContactFrames { frames: [Frame::new(&jet(0)), Frame::new(&jet(1))], angle: 0.8 + q[4] }
}

/// The twist (ω, v at the contact point) of A against B in A's contact frame, per unit of q̇_k, by differences of
/// poses.
fn twist(bodies: &[On; 2], k: usize) -> SVector<f64, 6> {
    let h = 1e-3;
    let here = contact_frames(bodies, &Five::zeros());
    let moved = |s: f64| {
        let mut q = Five::zeros();
        q[k] = s * h;
        contact_frames(bodies, &q).pose()
    };
    let now = here.pose();
    let rotation = |s: f64| (moved(s).orientation * now.orientation.inverse()).scaled_axis();
    let contact = here.frames[0].point;
    let point = |s: f64| moved(s).point_to_world(&contact);
    let slope = |f: &dyn Fn(f64) -> Vec3| -> Vec3 {
        let delta = |k: f64| f(k) - f(-k);
        (delta(1.0) * 45.0 - delta(2.0) * 9.0 + delta(3.0)) / (60.0 * h)
    };
    let axes = now.rotation() * here.frames[0].axes;
    let (angular_velocity, velocity) = (axes.tr_mul(&slope(&rotation)), axes.tr_mul(&slope(&point)));
    SVector::from([
        angular_velocity.x,
        angular_velocity.y,
        angular_velocity.z,
        velocity.x,
        velocity.y,
        velocity.z,
    ])
}

#[test]
fn the_matrix_is_the_derivative_of_the_pose() {
    for bodies in contacts() {
        let matrix = contact_frames(&bodies, &Five::zeros()).matrix();
        for k in 0..5 {
            let error = (matrix.column(k) - twist(&bodies, k)).norm();
            assert!(
                error < 1e-9 * matrix.norm(),
                "{} on {}, {k}: {error}",
                name(&bodies, 0),
                name(&bodies, 1)
            );
        }
        assert_eq!(matrix.row(5).norm(), 0.0);
    }
}

fn name(bodies: &[On; 2], side: usize) -> &'static str {
    bodies[side].name
}

#[test]
fn its_rate_is_the_derivative_of_the_matrix() {
    let rates = Five::new(0.7, -0.4, 0.9, 0.3, -1.1);
    for bodies in contacts() {
        let jet = |k: usize| bodies[k].atlas.jet(&bodies[k].at(0.0, 0.0)).unwrap();
        let rate = contact_frames(&bodies, &Five::zeros()).matrix_rate([&jet(0), &jet(1)], &rates);
        let h = 1e-3;
        let at = |s: f64| contact_frames(&bodies, &(rates * (s * h))).matrix();
        let delta = |k: f64| at(k) - at(-k);
        let slope: SMatrix<f64, 6, 5> = (delta(1.0) * 45.0 - delta(2.0) * 9.0 + delta(3.0)) / (60.0 * h);
        let error = (rate - slope).norm();
        assert!(error < 1e-9 * slope.norm(), "{} on {}: {error}", name(&bodies, 0), name(&bodies, 1));
    }
}

#[test]
fn velocities_and_rates_of_coordinates_belong_together() {
    let w = Velocities::new(0.3, -0.7, 1.1, 0.2, -0.5);
    for bodies in contacts() {
        let here = contact_frames(&bodies, &Five::zeros());
        let found = here.point_rates(&w);
        let [a, b] = found.rates;
        let back = here.matrix() * Five::new(a.x, a.y, b.x, b.y, found.angle_rate);
        let error = (back.fixed_rows::<5>(0) - w).norm() + back[5].abs();
        assert!(error < 1e-12, "{} on {}: {error}", name(&bodies, 0), name(&bodies, 1));
        let over = found.over_b - found.over_a;
        assert!((over.x - w[3]).abs() + (over.y - w[4]).abs() < 1e-14);
    }
}

#[test]
fn the_frames_share_a_point_and_have_opposite_normals() {
    for bodies in contacts() {
        let here = contact_frames(&bodies, &Five::zeros());
        let ([a, b], pose) = (&here.frames, here.pose());
        assert!((pose.point_to_world(&a.point) - b.point).norm() < 1e-15);
        assert!((pose.vector_to_world(&a.normal()) + b.normal()).norm() < 1e-14);
        let angle = ContactFrames::angle_between(&(pose.rotation() * a.axes), &b.axes);
        assert!((angle - here.angle).abs() < 1e-14);
    }
}

#[test]
fn the_curvature_of_a_frame_is_that_of_the_surface() {
    for bodies in contacts() {
        for (k, frame) in contact_frames(&bodies, &Five::zeros()).frames.iter().enumerate() {
            let expected = bodies[k].atlas.jet(&bodies[k].at(0.0, 0.0)).unwrap().curvature();
            let found = frame.curvature();
            assert!((found.trace() - 2.0 * expected.mean()).abs() < 1e-10 * (1.0 + found.norm()));
            assert!((found.determinant() - expected.gaussian()).abs() < 1e-10 * (1.0 + found.norm_squared()));
        }
    }
}
