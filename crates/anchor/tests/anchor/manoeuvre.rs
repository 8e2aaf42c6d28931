//! The first second of an anchor manoeuvre: the chain settles on the lip and carries what hangs from it, nothing goes
//! through the hull, and the books are closed. Whole manoeuvres are run by `rattleback study anchor`.

use rattleback_anchor::manoeuvre::{AnchorParts, Bow, Manoeuvre, ManoeuvreOutcome, Rig, Sample, Watch};
use rattleback_anchor::solid::{Anchor, Hull};
use rattleback_dynamics::{Run, Scheme};
use rattleback_geom::Vec3;

fn manoeuvre() -> Manoeuvre {
    let hull = Hull { chord: 0.01, ..Hull::new(0.6) };
    let anchor = AnchorParts::from_anchor(&Anchor::new(3000.0).unwrap()).unwrap();
    Manoeuvre { depth: 2.5, ..Manoeuvre::new(Bow::from_hull(&hull).unwrap(), anchor, 0.056) }
}

#[test]
fn the_chain_settles_on_the_lip_and_carries_what_hangs_below() {
    let rig = manoeuvre().build().unwrap();
    let mut run = Run::new(&rig.model, rig.state.clone(), &Scheme::Mechanism(Rig::settings())).unwrap();
    let before = run.energy().unwrap();
    let mut watch = Watch::default();
    // The links still tremble: forces are averaged over the last fifth of a second.
    let mut forces = vec![Vec3::zeros(); rig.model.joints().len()];
    for k in 0..=20 {
        run.advance(0.79 + 0.01 * f64::from(k), &mut |instant| {
            watch.see(&rig, instant);
            Ok(())
        })
        .unwrap();
        for (sum, reaction) in forces.iter_mut().zip(run.reactions().unwrap()) {
            *sum += reaction.force / 21.0;
        }
    }
    // The last joints of the chain are in its straight part; each carries the links and the anchor below it.
    let mass = |body: rattleback_dynamics::BodyId| rig.model.bodies()[body.0].body.mass;
    let mut below = mass(rig.head) + mass(rig.shank);
    let held = forces[rig.chain.to.unwrap().0].norm();
    assert!((held / (9.81 * below) - 1.0).abs() < 0.02, "{held} at the shackle, {below} kg below");
    for (joint, link) in rig.chain.joints.iter().rev().zip(rig.chain.links.iter().rev()).take(3) {
        below += mass(*link);
        let held = forces[joint.0].norm();
        assert!((held / (9.81 * below) - 1.0).abs() < 0.02, "{held} at a joint, {below} kg below");
    }
    // On its way over the lip friction may hold the pull up or down, by exp(±μθ) with the bend θ of 40° and less in
    // the pipe.
    let tension = watch.samples.last().unwrap().tension;
    let all = below + rig.chain.links.iter().rev().skip(3).map(|link| mass(*link)).sum::<f64>();
    let held = (0.3 * 40_f64.to_radians()).exp();
    assert!(tension > 9.81 * below / held && tension < 9.81 * all * held, "{tension}");
    assert!(watch.deepest < 2e-3, "{} m deep", watch.deepest);
    let after = run.energy().unwrap();
    let turned = after.contacts.damped + after.contacts.friction_loss + after.dissipated;
    let lost = after.total() - before.total();
    assert!(lost.abs() < 0.1 * turned, "{lost} J lost of {turned} J dissipated");
    assert!(matches!(
        watch.verdict(&rig).unwrap().outcome,
        ManoeuvreOutcome::Hanging | ManoeuvreOutcome::Swinging
    ));
}

#[test]
fn light_links_that_carry_much_stick_to_each_other_and_move_all_the_same() {
    // Four tonnes on links of 20 mm: friction in a joint of 3.9 kN cm against an inertia of some kg cm² turns a link
    // back within a thousandth of a step.
    let anchor = AnchorParts::from_anchor(&Anchor::new(4000.0).unwrap()).unwrap();
    let hull = Hull { chord: 0.01, ..Hull::new(0.6) };
    let bow = Bow::from_hull(&hull).unwrap();
    let light = Manoeuvre { depth: 1.0, link_friction: 0.3, ..Manoeuvre::new(bow, anchor, 0.02) };
    let rig = light.build().unwrap();
    let mut run = Run::new(&rig.model, rig.state.clone(), &Scheme::Mechanism(Rig::settings())).unwrap();
    let before = run.energy().unwrap();
    run.advance(0.05, &mut |_| Ok(())).unwrap();
    let after = run.energy().unwrap();
    let fallen = 9.81 * 4000.0 * 0.01;
    assert!((after.total() - before.total()).abs() < 0.02 * fallen, "{} {}", after.total(), before.total());
    // Links that hold each other carry the anchor as before.
    let held = run.reactions().unwrap()[rig.chain.to.unwrap().0].force.norm();
    assert!((held / (9.81 * 4000.0) - 1.0).abs() < 0.2, "{held}");
}

#[test]
fn what_cannot_be_heaved_is_refused_by_name() {
    let refused = |change: &dyn Fn(&mut Manoeuvre)| {
        let mut manoeuvre = manoeuvre();
        change(&mut manoeuvre);
        manoeuvre.build().unwrap_err().to_string()
    };
    for (said, message) in [
        ("diameter", refused(&|m| m.diameter = -1.0)),
        ("depth", refused(&|m| m.depth = 0.1)),
        ("tilt", refused(&|m| m.tilt = 2.0)),
        ("lean", refused(&|m| m.lean = f64::NAN)),
        ("speed", refused(&|m| m.speed = 0.0)),
        ("the bow", refused(&|m| m.bow.axis = m.bow.outward)),
    ] {
        assert!(message.contains(said), "{message}");
    }
}

#[test]
fn verdicts_are_told_by_the_last_seconds() {
    let rig = manoeuvre().build().unwrap();
    let rest = Sample {
        time: 0.0,
        tension: 1e5,
        heaving: 0.0,
        entered: 0.8 * rig.shank_length,
        pin: Vec3::zeros(),
        speed: 0.001,
        tilt: 0.5,
        askew: 0.1,
        contact_force: [5e4, 1e4, 0.0],
        flukes: [2.5e4, 2.5e4],
    };
    let judged = |end: Sample| {
        let mut watch = Watch::default();
        for k in 0..200 {
            let time = 0.05 * f64::from(k);
            let before = Sample { time, speed: 0.4, heaving: 0.2, ..end };
            watch.samples.push(if k < 120 { before } else { Sample { time, ..end } });
        }
        (watch.verdict(&rig).unwrap(), watch.is_over(&rig))
    };
    let (verdict, over) = judged(rest);
    assert_eq!((verdict.outcome, over), (ManoeuvreOutcome::Stowed, true));
    assert!((verdict.time - 5.95).abs() < 1e-9, "{}", verdict.time);
    let of = |end: Sample| (judged(end).0.outcome, judged(end).1);
    assert_eq!(of(Sample { flukes: [5e4, 0.0], ..rest }), (ManoeuvreOutcome::Askew, true));
    assert_eq!(of(Sample { entered: 0.2, ..rest }), (ManoeuvreOutcome::Jammed, true));
    assert_eq!(of(Sample { heaving: 0.2, speed: 0.2, ..rest }), (ManoeuvreOutcome::Hanging, false));
    assert_eq!(of(Sample { speed: 0.5, ..rest }), (ManoeuvreOutcome::Swinging, false));
    // Off the hull it does not lie, however still it hangs.
    assert_eq!(of(Sample { contact_force: [0.0; 3], ..rest }), (ManoeuvreOutcome::Hanging, false));
    let mut watch = Watch::default();
    watch.samples.extend([rest, Sample { time: 1.0, pin: Vec3::new(0.2, 0.0, 0.0), ..rest }]);
    let holding = watch.holding(&rig, 0.0).unwrap();
    assert!(!holding.holds && holding.moved == 0.2);
    assert!(watch.holding(&rig, 0.5).unwrap().holds && watch.holding(&rig, 2.0).is_none());
}
