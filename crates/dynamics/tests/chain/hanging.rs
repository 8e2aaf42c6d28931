//! Chains at rest.

use super::catenary::{of_line, of_links};
use super::{built, chain, held, joints};
use rattleback_dynamics::chain::{Chain, ChainEnd, ChainFriction, EndJoint};
use rattleback_dynamics::force::{End, Force, SpringDamper};
use rattleback_dynamics::mechanism::Settings;
use rattleback_dynamics::{BodyId, Mechanism, Motion};
use rattleback_geom::Vec3;

#[test]
fn a_chain_between_two_points_comes_to_rest_on_the_catenary() {
    let end = [2.0, 0.5];
    let path = vec![Vec3::zeros(), Vec3::new(1.0, 0.0, -0.95), Vec3::new(end[0], 0.0, end[1])];
    let last = ChainEnd { body: BodyId(0), point: Some(path[2]), joint: EndJoint::Universal };
    let chain = Chain { from: held(EndJoint::Universal), to: Some(last), ..chain(16, path) };
    // Dampers from far away on every link: drag along x and z that all waves feel alike, near the critical one of the
    // lowest.
    let (model, mut state, ids) = built(&chain, |builder, ids| {
        for &link in &ids.links {
            for far in [Vec3::new(1e3, 0.0, 0.0), Vec3::new(0.0, 0.0, 1e3)] {
                builder.force(Force::SpringDamper(SpringDamper {
                    a: End { body: BodyId(0), point: far },
                    b: End { body: link, point: Vec3::zeros() },
                    length: 1e3,
                    stiffness: 0.0,
                    damping: 80.0,
                    never_pushes: false,
                }));
            }
        }
    });
    let mut mechanism = Mechanism::new(&model, Settings::default().with_step(0.02)).unwrap();
    mechanism.advance(&mut state, 16.0, &mut |_, _| Ok(())).unwrap();
    let found: Vec<[f64; 2]> = joints(&ids, &state).iter().map(|p| [p.x, p.z]).collect();
    let apart = |other: &[[f64; 2]]| {
        let each = found.iter().zip(other).map(|(a, b)| (a[0] - b[0]).hypot(a[1] - b[1]));
        each.fold(0.0, f64::max)
    };
    let (links, line) = (apart(&of_links(16, 0.2, end)), apart(&of_line(16, 3.2, end)));
    assert!(links < 1e-6 * 3.2, "{links:e}");
    // Links are straight: a line of the same length is away from them by the share of one link.
    assert!(line < 3.2 / 16.0 / 10.0, "{line:e}");
    assert!(state.motions.iter().all(|motion| motion.pose.position.y.abs() < 1e-9));
}

#[test]
fn every_joint_of_a_hanging_chain_carries_the_weight_below() {
    let down = vec![Vec3::zeros(), Vec3::new(0.0, 0.0, -2.0)];
    let friction = Some(ChainFriction { coefficient: 0.3, rate: 0.1 });
    let chain = Chain { from: held(EndJoint::Spherical), friction, ..chain(10, down) };
    let (model, mut state, ids) = built(&chain, |_, _| ());
    let mut mechanism = Mechanism::new(&model, Settings::default().with_step(0.01)).unwrap();
    mechanism.advance(&mut state, 0.5, &mut |_, _| Ok(())).unwrap();
    let reactions = mechanism.reactions(&state).unwrap();
    let weight = model.bodies()[ids.links[0].0].body.mass * 9.81;
    for (below, joint) in ids.from.iter().chain(&ids.joints).enumerate() {
        let expected = Vec3::new(0.0, 0.0, weight * (10 - below) as f64);
        assert!((reactions[joint.0].force - expected).norm() < 1e-7 * weight, "{:?}", reactions[joint.0]);
    }
}

#[test]
fn links_are_laid_where_their_joints_close() {
    // Corners in space, links of every kind, both ends held.
    use rattleback_dynamics::chain::{LinkKind::*, LinkRun};
    let run = |kind, count| LinkRun { kind, stud: false, count };
    let corner = Vec3::new(1.0, 1.0, -1.0);
    let path = vec![Vec3::zeros(), Vec3::new(1.0, 0.0, 0.0), corner, Vec3::new(2.95, 2.365, -1.0)];
    let links = vec![
        run(EndShackle, 1),
        run(End, 1),
        run(Enlarged, 1),
        run(Swivel, 1),
        run(Enlarged, 1),
        run(Common, 3),
        run(JoiningShackle, 1),
        run(Common, 12),
    ];
    let chain =
        Chain { links, from: held(EndJoint::Universal), to: held(EndJoint::Universal), ..chain(0, path) };
    let (model, state, ids) = built(&chain, |_, _| ());
    assert_eq!((ids.links.len(), ids.joints.len()), (21, 20));
    let spherical = rattleback_dynamics::joint::JointKind::Spherical;
    let balls: Vec<usize> = (0..20).filter(|&k| model.joints()[ids.joints[k].0].kind == spherical).collect();
    assert_eq!(balls, [3]);
    let mut mechanism = Mechanism::new(&model, Settings::default()).unwrap();
    let open = mechanism.violation(&state).unwrap();
    assert!(open.position < 1e-13, "{open:?}");
    assert!(model.all_pairs().is_empty());
    assert_eq!(model.bodies()[ids.links[20].0].name, "chain 21");
    assert!(state.motions[1..].iter().all(|motion| *motion == Motion::at_rest(motion.pose)));
}
