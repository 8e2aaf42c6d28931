use super::scene::{Scene, all};
use rattleback_contact::geom::nalgebra::{Matrix6, UnitQuaternion, Vector6};
use rattleback_contact::geom::{Mat3, Pose, Vec3};
use rattleback_contact::{Start, derivatives};

const MASS: f64 = 2.0;
const INERTIA: f64 = 0.05;
const STEP: f64 = 5e-3;

/// B after a step with the velocities `w`, A at rest.
fn stepped(scene: &Scene, w: &Vector6<f64>) -> Scene {
    let mut scene = scene.clone();
    let (v, angular_velocity): (Vec3, Vec3) = (w.fixed_rows::<3>(0).into(), w.fixed_rows::<3>(3).into());
    let pose = &mut scene.bodies[1].pose;
    *pose = Pose::new(
        pose.position + v * STEP,
        UnitQuaternion::from_scaled_axis(angular_velocity * STEP) * pose.orientation,
    );
    scene.twist[1].velocity = v;
    scene.twist[1].angular_velocity = angular_velocity;
    scene
}

/// The left Jacobian of the rotation vector: how exp(θ) turns when θ changes.
fn left_jacobian(theta: &Vec3) -> Mat3 {
    let (x, k) = (theta.norm(), theta.cross_matrix());
    if x < 1e-6 {
        return Mat3::identity() + k * 0.5;
    }
    Mat3::identity() + k * ((1.0 - x.cos()) / (x * x)) + k * k * ((x - x.sin()) / (x * x * x))
}

#[test]
fn an_implicit_step_with_the_tangents_converges_quadratically() {
    for mut scene in all() {
        scene.twist[0].velocity.fill(0.0);
        scene.twist[0].angular_velocity.fill(0.0);
        let twist = scene.twist[1];
        let mut before = Vector6::zeros();
        before.fixed_rows_mut::<3>(0).copy_from(&twist.velocity);
        before.fixed_rows_mut::<3>(3).copy_from(&twist.angular_velocity);
        let mass = Matrix6::from_diagonal(&Vector6::new(MASS, MASS, MASS, INERTIA, INERTIA, INERTIA));
        let start = Start::Warm(scene.evaluate(Start::Cold).0.touch.normal);
        let mut w = before;
        let mut residuals = Vec::new();
        for _ in 0..12 {
            let there = stepped(&scene, &w);
            let (contact, kinematics, force) = there.evaluate(start);
            let [a, b] = &there.bodies;
            let d = derivatives(a, b, &contact).unwrap();
            let twist = [&there.twist[0], &there.twist[1]];
            let k = kinematics.derivatives(&d, twist, there.law.share());
            let partials = there.law.partials(&contact, &kinematics, &there.state).unwrap();
            let tangent = partials.tangent(&d, &kinematics, &k, &there.state);
            let mut q = Vector6::zeros();
            let [_, [f, torque]] = force.wrenches(&kinematics);
            q.fixed_rows_mut::<3>(0).copy_from(&f);
            q.fixed_rows_mut::<3>(3).copy_from(&torque);
            let residual = mass * (w - before) - q * STEP;
            residuals.push(residual.norm());
            let mut turned = Matrix6::identity() * STEP;
            let angular_velocity: Vec3 = w.fixed_rows::<3>(3).into();
            turned
                .fixed_view_mut::<3, 3>(3, 3)
                .copy_from(&(left_jacobian(&(angular_velocity * STEP)) * STEP));
            let by_pose: Matrix6<f64> = tangent.by_pose.fixed_view::<6, 6>(6, 6).into();
            let by_twist: Matrix6<f64> = tangent.by_twist.fixed_view::<6, 6>(6, 6).into();
            let matrix = mass - (by_pose * turned + by_twist) * STEP;
            w -= matrix.lu().solve(&residual).unwrap();
        }
        let last = residuals
            .iter()
            .position(|r| *r < 1e-13)
            .unwrap_or_else(|| panic!("{} {:?} does not converge: {residuals:?}", scene.name, scene.law));
        assert!(last <= 9, "{} takes {last} iterations: {residuals:?}", scene.name);
        // Quadratic: once small, each residual is of the order of the square of the one before.
        let sizes = &residuals[..last];
        if let [.., r0, r1] = sizes
            && *r0 < 1e-2
        {
            assert!(*r1 < 10.0 * r0 * r0 + 1e-13, "{}: {residuals:?}", scene.name);
        }
    }
}
