//! Bodies that overlap at the start: the energy of their contacts is in the books from then on, the same in every
//! engine.

use super::stage::{STIFFNESS, engines, model};
use rattleback_dynamics::geom::surface::{Cuboid, Cylinder, Ellipsoid, Mesh, Plane, Sphere, Surface};
use rattleback_dynamics::geom::{Pose, Vec3};
use rattleback_dynamics::{Motion, Run, RunEvent, Scheme, State, mechanism};

const RADIUS: f64 = 0.01;
const DEPTH: f64 = 1e-3;

#[test]
fn the_energy_of_an_overlap_at_the_start_is_booked_before_the_first_step_and_kept() {
    let floor = Plane::new([0.0, 0.0, 1.0], 0.0).unwrap();
    let model = model(floor.into(), Sphere::new(RADIUS).unwrap().into(), &Vec3::z());
    let ball = Motion::at_rest(Pose::from_position(0.0, 0.0, RADIUS - DEPTH));
    let motions = vec![Motion::at_rest(Pose::identity()), ball];
    let stored = 0.5 * STIFFNESS * DEPTH * DEPTH;
    for (engine, scheme) in engines() {
        let mut run = Run::new(&model, State::new(motions.clone()), &scheme).unwrap();
        let overlaps = run.overlaps().unwrap();
        assert_eq!(overlaps.len(), 1, "{engine}: {overlaps:?}");
        assert!((overlaps[0].depth - DEPTH).abs() < 1e-15, "{engine}: {overlaps:?}");
        let start = run.energy().unwrap();
        if engine == "rolling" {
            // Bodies that do not yield store nothing.
            assert_eq!((overlaps[0].stored, start.contacts.stored), (0.0, 0.0));
            continue;
        }
        for found in [overlaps[0].stored, start.contacts.stored] {
            assert!((found / stored - 1.0).abs() < 1e-12, "{engine}: {found} instead of {stored}");
        }
        let mut begun = 0;
        run.advance(0.02, &mut |seen| {
            begun += usize::from(matches!(seen.event, RunEvent::Begin(_)));
            Ok(())
        })
        .unwrap();
        assert_eq!(begun, 0, "{engine}: it was in contact from the start");
        let drift = (run.energy().unwrap().total() - start.total()).abs();
        assert!(drift < 5e-3 * stored, "{engine}: {drift} of {stored} J");
    }
}

#[test]
fn the_energy_of_regions_that_overlap_at_the_start_is_booked_too() {
    let floor = Plane::new([0.0, 0.0, 1.0], 0.0).unwrap();
    let mesh = Ellipsoid::new([0.5, 0.3, 0.4]).and_then(|e| e.tessellate(0.02)).and_then(Mesh::new).unwrap();
    let lowest = -mesh.bounds().min.z;
    let model = model(floor.into(), mesh.into(), &Vec3::z());
    let stone = Motion::at_rest(Pose::from_position(0.0, 0.0, lowest - DEPTH));
    let state = State::new(vec![Motion::at_rest(Pose::identity()), stone]);
    let scheme = Scheme::Mechanism(mechanism::Settings::default().with_step(1e-4));
    let mut run = Run::new(&model, state, &scheme).unwrap();
    let overlaps = run.overlaps().unwrap();
    let start = run.energy().unwrap();
    let stored: f64 = overlaps.iter().map(|overlap| overlap.stored).sum();
    assert!(stored > 0.1 * 0.5 * STIFFNESS * DEPTH * DEPTH, "{overlaps:?}");
    assert!((start.contacts.stored - stored).abs() < 1e-12 * stored);
    run.advance(0.02, &mut |_| Ok(())).unwrap();
    let drift = (run.energy().unwrap().total() - start.total()).abs();
    assert!(drift < 0.02 * stored, "{drift} of {stored} J");
}

#[test]
fn a_run_that_goes_on_from_its_state_does_not_begin_its_contacts_again() {
    let floor = Plane::new([0.0, 0.0, 1.0], 0.0).unwrap();
    let model = model(floor.into(), Sphere::new(RADIUS).unwrap().into(), &Vec3::z());
    let ball = Motion::at_rest(Pose::from_position(0.0, 0.0, RADIUS - DEPTH));
    let motions = vec![Motion::at_rest(Pose::identity()), ball];
    for (engine, scheme) in engines() {
        let mut whole = Run::new(&model, State::new(motions.clone()), &scheme).unwrap();
        whole.advance(0.001, &mut |_| Ok(())).unwrap();
        let mut resumed = Run::new(&model, whole.state().clone(), &scheme).unwrap();
        for run in [&mut whole, &mut resumed] {
            run.advance(0.005, &mut |_| Ok(())).unwrap();
        }
        assert_eq!(whole.state(), resumed.state(), "{engine}");
    }
}

/// A cylinder on a box touches it at up to nine points.
#[test]
fn a_pair_that_overlaps_at_several_points_is_told_once_with_all_that_it_stores() {
    let table = Cuboid::new([0.4, 0.3, 0.1], 0.0).unwrap();
    let model = model(table.into(), Cylinder::new(0.05, 0.03).unwrap().into(), &Vec3::z());
    let can = Motion::at_rest(Pose::from_position(0.0, 0.0, 0.05 + 0.03 - DEPTH));
    let motions = vec![Motion::at_rest(Pose::identity()), can];
    for (engine, scheme) in engines() {
        if engine == "rolling" {
            continue;
        }
        let mut run = Run::new(&model, State::new(motions.clone()), &scheme).unwrap();
        let overlaps = run.overlaps().unwrap();
        assert_eq!(overlaps.len(), 1, "{engine}: {overlaps:?}");
        assert!((overlaps[0].depth - DEPTH).abs() < 1e-12, "{engine}: {overlaps:?}");
        let stored = run.energy().unwrap().contacts.stored;
        assert!(stored > 0.0 && (overlaps[0].stored / stored - 1.0).abs() < 1e-12, "{engine}: {overlaps:?}");
    }
}
