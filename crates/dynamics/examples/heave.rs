//! scratch
use rattleback_dynamics::manoeuvre::{AnchorParts, Bow, Manoeuvre, Rig, Watch};
use rattleback_dynamics::{Run, Scheme};
use rattleback_geom::solid::{Anchor, Hull};
fn main() {
    let args: Vec<f64> = std::env::args().skip(1).map(|a| a.parse().unwrap()).collect();
    let end = args.first().copied().unwrap_or(2.0);
    let h = args.get(1).copied().unwrap_or(2e-3);
    let d = 0.056;
    let hull = Hull { chord: 0.005, ..Hull::new(0.6) };
    let anchor = Anchor::new(3000.0).unwrap();
    let mut m = Manoeuvre::new(Bow::from_hull(&hull).unwrap(), AnchorParts::from_anchor(&anchor).unwrap(), d);
    m.heading = args.get(2).copied().unwrap_or(0.0);
    let rig = m.build().unwrap();
    println!(
        "bodies {} joints {} hull triangles {} head {} shank L {}",
        rig.model.bodies().len(),
        rig.model.joints().len(),
        rig.bow.solid.mesh().triangles().len(),
        m.anchor.head.mesh().triangles().len(),
        rig.shank_length
    );
    let settings = Rig::settings().with_step(h);
    let begun = std::time::Instant::now();
    let mut run = Run::new(&rig.model, rig.state.clone(), &Scheme::Mechanism(settings)).unwrap();
    println!("assembled {:?}", begun.elapsed());
    let before = run.energy().unwrap();
    let mut watch = Watch::default();
    let mut next = 0.0;
    let (mut wd, mut tl, mut pl, mut lt) = (0.0, 0.0, 0.0, 0.0);
    let mut lastd = 0.0;
    while next < end {
        next += 0.1;
        let r = run.advance(next, &mut |i| {
            watch.see(&rig, i);
            if i.happening == rattleback_dynamics::Happening::Step {
                let p = rig.windlass.load(&i.state.windlasses[0], &i.state.motions, false).dissipated;
                wd += 0.5 * (p + pl) * (i.state.time - tl);
                let dd = i.state.dissipated - lastd;
                let l: rattleback_contact::Ledger = i.state.pairs.values().fold(Default::default(), |mut a: rattleback_contact::Ledger, p| { a += p.ledger; a}); if (l.taken()-lt).abs() > 100.0 { for (id,f) in i.pressed { let q=&i.state.pairs[id]; println!("   {:?} gap {:.6} rate {:.4} N {:.0} fr {:.0} slip {:.3} app {:.3} ledger {:.1?}", id, f.contact.touch.gap, f.kinematics.gap_rate, f.force.normal.force, f.force.friction.force.value.norm(), f.kinematics.slip.norm(), q.contact.map_or(0.0,|c|c.approach_speed), q.ledger);} println!("  t {:.5} h {:.6} {:?} by {:.1}", i.state.time, i.state.time-tl, l, l.taken()-lt); } lt = l.taken(); if dd.abs() > 200.0 {
                    println!(
                        "   t {:.5} h {:.5} dissipated by {:.1} windlass P {:.1} total {:.1}",
                        i.state.time,
                        i.state.time - tl,
                        dd,
                        p,
                        i.state.dissipated
                    );
                }
                tl = i.state.time;
                pl = p;
                lastd = i.state.dissipated;
            }
            Ok(())
        });
        let s = watch.samples.last().unwrap();
        let e = run.energy().unwrap();
        println!(
            "wd {wd:.1} dis {:.1} t {:.2} T {:.0} heave {:.3} entered {:.3} pin {:.2} {:.2} {:.2} speed {:.3} tilt {:.2} askew {:.2} pressed {:.0?} flukes {:.0?} deepest {:.5} E {:.1} drift {:.2} st {:.2} | {:?} wall {:.1}",
            run.state().dissipated,
            s.time,
            s.tension,
            s.heaving,
            s.entered,
            s.pin.x,
            s.pin.y,
            s.pin.z,
            s.speed,
            s.tilt,
            s.askew,
            s.pressed,
            s.flukes,
            watch.deepest,
            e.mechanical(),
            e.total() - before.total(),
            e.contacts.stiffened,
            run.statistics(),
            begun.elapsed().as_secs_f64()
        );
        if let Err(e) = r {
            println!("{e}");
            break;
        }
        if watch.is_over(&rig) {
            break;
        }
    }
    println!("{:#?}", watch.verdict(&rig));
}
