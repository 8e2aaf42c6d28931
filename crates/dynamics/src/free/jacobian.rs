//! The Jacobian of the equations of motion, exact from the tangents of all loads.
//!
//! A change δq of the quaternion turns the body by θ = 2 Im(δq ∘ q̄)/‖q‖² in world axes; δω turns into Rδω + θ × Rω
//! there. With the wrenches' derivatives P by poses (dx, θ) and W by twists (world axes):
//!
//!   δ(f, τ) = P (dx, θ) + W (δv, Rδω + θ × Rω)
//!   δv̇ = δf/m,   δω̇ = I⁻¹[Rᵀδτ + Rᵀ(τ × θ) − δω × Iω − ω × Iδω],   δq̇ = ½ δq ∘ ω + ½ q ∘ δω
//!
//! The sums at the end of the vector depend on everything and nothing depends on them: their rows stay zero, which an
//! iteration that corrects itself does not notice once the motion has converged.

use super::equations::FreeEquations;
use crate::error::Result;
use crate::flight::BODY;
use crate::load::LoadTangent;
use crate::model::BodyId;
use rattleback_geom::nalgebra::{DMatrix, Quaternion, SMatrix};
use rattleback_geom::{Mat3, Vec3};

/// Fills the matrix, where no contact has a bristle; the bodies are placed already.
pub fn fill(eq: &FreeEquations<'_>, t: f64, y: &[f64], out: &mut DMatrix<f64>) -> Result<()> {
    out.as_mut_slice().fill(0.0);
    let mut torques = vec![Vec3::zeros(); eq.motions.len()];
    for force in eq.model.forces() {
        let load = force.load(t, &eq.motions, true)?;
        for side in 0..2 {
            if let Some(body) = load.bodies[side] {
                torques[body.0] += load.on(side)[1];
            }
        }
        if let Some(tangent) = &load.tangent {
            add(eq, load.bodies, tangent, y, out);
        }
    }
    for (k, pair) in eq.layout.active_contacts.iter().enumerate() {
        let (state, normal) = &eq.active_contacts[k];
        let found = eq.contacts.apply_law_without_rates(pair, state, normal.at(&eq.contacts, pair))?;
        let bodies = [pair.a.body, pair.b.body];
        let centres = bodies.map(|body| eq.motions[body.0].pose.position);
        for side in 0..2 {
            torques[bodies[side].0] += found.wrench(side, &centres[side])[1];
        }
        let asked = bodies.map(|body| eq.layout.place[body.0].is_some());
        let origins = [&centres[0], &centres[1]];
        let tangent = eq.contacts.tangent(pair, &found, state, (origins, asked), None)?;
        add(eq, bodies.map(Some), &tangent, y, out);
    }
    for (k, &id) in eq.layout.free.iter().enumerate() {
        own(eq, k, id, &torques[id.0], y, out);
    }
    Ok(())
}

/// θ = G δq.
fn turning(y: &[f64], k: usize) -> SMatrix<f64, 3, 4> {
    let y = &y[BODY * k..];
    let (w, v) = (y[3], Vec3::new(y[4], y[5], y[6]));
    let mut g = SMatrix::<f64, 3, 4>::zeros();
    // Im(δq ∘ q̄) = −δw v + w δv − δv × v.
    g.set_column(0, &-v);
    g.fixed_columns_mut::<3>(1).copy_from(&(Mat3::identity() * w + v.cross_matrix()));
    g * (2.0 / (w * w + v.norm_squared()))
}

/// Adds the derivatives of a load's wrenches to the rows of v̇ and ω̇.
fn add(
    eq: &FreeEquations<'_>,
    bodies: [Option<BodyId>; 2],
    tangent: &LoadTangent,
    y: &[f64],
    out: &mut DMatrix<f64>,
) {
    let place = |side: usize| bodies[side].and_then(|body| eq.layout.place[body.0].map(|k| (k, body)));
    for column in 0..2 {
        let Some((k, body)) = place(column) else { continue };
        let motion = &eq.motions[body.0];
        let r = motion.pose.rotation();
        let angular_velocity = (r * motion.angular_velocity_body).cross_matrix();
        let x = 6 * column;
        let by_turn = tangent.by_pose.fixed_columns::<3>(x + 3)
            - tangent.by_twist.fixed_columns::<3>(x + 3) * angular_velocity;
        let by_quaternion = by_turn * turning(y, k);
        let by_spin = tangent.by_twist.fixed_columns::<3>(x + 3) * r;
        for row in 0..2 {
            let Some((l, target)) = place(row) else { continue };
            let per_mass = 1.0 / eq.model.body(target).body.mass;
            let per_inertia = eq.inverse[l] * eq.motions[target.0].pose.rotation().transpose();
            for (from, to, factor) in [(0, 7, Mat3::identity() * per_mass), (3, 10, per_inertia)]
                .map(|(f, t, m)| (6 * row + f, BODY * l + t, m))
            {
                let at = BODY * k;
                let mut put = |column: usize, block: SMatrix<f64, 3, 3>| {
                    let mut view = out.fixed_view_mut::<3, 3>(to, at + column);
                    view += factor * block;
                };
                put(0, tangent.by_pose.fixed_view::<3, 3>(from, x).into());
                put(7, tangent.by_twist.fixed_view::<3, 3>(from, x).into());
                put(10, by_spin.fixed_rows::<3>(from).into());
                let mut view = out.fixed_view_mut::<3, 4>(to, at + 3);
                view += factor * by_quaternion.fixed_rows::<3>(from);
            }
        }
    }
}

/// The kinematic rows of a body and its gyroscopic terms.
fn own(eq: &FreeEquations<'_>, k: usize, id: BodyId, torque: &Vec3, y: &[f64], out: &mut DMatrix<f64>) {
    let (at, motion) = (BODY * k, &eq.motions[id.0]);
    let (w, inertia) = (motion.angular_velocity_body, eq.model.body(id).body.inertia);
    let rotation = motion.pose.rotation();
    out.fixed_view_mut::<3, 3>(at, at + 7).copy_from(&Mat3::identity());
    let q = Quaternion::new(y[at + 3], y[at + 4], y[at + 5], y[at + 6]);
    for column in 0..4 {
        let unit = |i: usize| if column == i { 0.5 } else { 0.0 };
        let by_q = Quaternion::new(unit(0), unit(1), unit(2), unit(3)) * Quaternion::new(0.0, w.x, w.y, w.z);
        for (row, value) in [by_q.w, by_q.i, by_q.j, by_q.k].into_iter().enumerate() {
            out[(at + 3 + row, at + 3 + column)] = value;
        }
        if column > 0 {
            let by_w = q * Quaternion::new(0.0, unit(1), unit(2), unit(3));
            for (row, value) in [by_w.w, by_w.i, by_w.j, by_w.k].into_iter().enumerate() {
                out[(at + 3 + row, at + 9 + column)] = value;
            }
        }
    }
    let turned = eq.inverse[k] * rotation.transpose() * torque.cross_matrix() * turning(y, k);
    let mut view = out.fixed_view_mut::<3, 4>(at + 10, at + 3);
    view += turned;
    let gyroscopic = eq.inverse[k] * ((inertia * w).cross_matrix() - w.cross_matrix() * inertia);
    let mut view = out.fixed_view_mut::<3, 3>(at + 10, at + 10);
    view += gyroscopic;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::{Body, Motion};
    use crate::force::{Axes, Constant, Force};
    use crate::free::Layout;
    use crate::integrator::Equations;
    use crate::model::{BodyModel, Model};
    use crate::state::State;
    use rattleback_contact::law::ContactLaw;
    use rattleback_contact::law::friction::Coulomb;
    use rattleback_contact::law::normal::{Hysteresis, Rule};
    use rattleback_contact::material::{Material, Stiffness};
    use rattleback_geom::Pose;
    use rattleback_geom::nalgebra::UnitQuaternion;
    use rattleback_geom::surface::{Ellipsoid, Plane};

    /// Two ellipsoids with shifted mass centres that overlap each other and the floor, spinning, under a force.
    fn several_contacts() -> (Model, State) {
        let rubber = Material::new(5e5, 0.4).unwrap();
        let normal = Hysteresis::new(Rule::Flores, 0.6, 1.5).unwrap();
        let law = ContactLaw::new(Stiffness::hertz(&rubber, &rubber), normal)
            .unwrap()
            .with_friction(Coulomb::new(0.4, 0.1).unwrap());
        let mut builder = Model::builder();
        let surface = builder.surface("rubber");
        builder.law(surface, surface, law);
        let plane = Plane::new([0.0, 0.0, 1.0], 0.0).unwrap();
        builder.body(BodyModel::fixed("floor").with_part(plane, Pose::identity(), surface));
        let inertia = Mat3::new(0.02, 0.002, 0.0, 0.002, 0.03, 0.001, 0.0, 0.001, 0.025);
        let mut motions = vec![Motion::at_rest(Pose::identity())];
        for (name, x) in [("left", -0.14), ("right", 0.14)] {
            let shape = Ellipsoid::new([0.15, 0.2, 0.1]).unwrap();
            let part = Pose::from_position(0.02, 0.01, -0.03);
            let body = Body { mass: 3.0, inertia };
            let id = builder.body(BodyModel::free(name, body).with_part(shape, part, surface));
            builder.force(Force::Constant(Constant {
                body: id,
                point: Vec3::new(0.1, 0.0, 0.05),
                force: Vec3::new(1.0, 2.0, -3.0),
                torque: Vec3::new(0.1, -0.2, 0.3),
                axes: if x < 0.0 { Axes::World } else { Axes::Body },
            }));
            let orientation = UnitQuaternion::from_scaled_axis(Vec3::new(0.1, 0.2, x));
            motions.push(Motion {
                pose: Pose::new(Vec3::new(x, 0.0, 0.11), orientation),
                velocity: Vec3::new(-x, 0.1, -0.1),
                angular_velocity_body: Vec3::new(0.5, -1.0, 2.0),
            });
        }
        let model = builder.build().unwrap();
        let mut state = State::new(motions);
        for pair in model.all_pairs() {
            state.pairs.entry(pair.id()).contact = Some(pair.law.begin(-0.3).unwrap());
        }
        (model, state)
    }

    #[test]
    fn the_jacobian_agrees_with_differences_while_several_contacts_press() {
        let (model, state) = several_contacts();
        let layout = Layout::new(&model, &state);
        let (y, n) = (layout.pack(&state), layout.dimension());
        let mut equations = FreeEquations::new(&model, &state, layout.clone());
        let mut dy = vec![0.0; n];
        equations.rate(0.0, &y, &mut dy).unwrap();
        assert!(
            layout.active_contacts.len() == 3
                && dy[layout.ledger_start(0)] > 0.0
                && dy[layout.ledger_start(2)] > 0.0
        );
        let mut exact = DMatrix::zeros(n, n);
        equations.jacobian(0.0, &y, &mut exact).unwrap();
        for column in 0..layout.moving {
            let h = 1e-5;
            let mut at = |d: f64| {
                let mut moved = y.clone();
                moved[column] += d;
                let mut dy = vec![0.0; n];
                equations.rate(0.0, &moved, &mut dy).unwrap();
                dy
            };
            let [a, b, c, d] = [h, -h, 2.0 * h, -2.0 * h].map(&mut at);
            let scale = exact.column(column).amax();
            for row in 0..layout.moving {
                let slope = (8.0 * (a[row] - b[row]) - (c[row] - d[row])) / (12.0 * h);
                let error = (slope - exact[(row, column)]).abs() / scale;
                assert!(error < 1e-8, "{row} {column}: {slope} against {}", exact[(row, column)]);
            }
        }
    }
}
