//! The report on the three tests.

use super::{GRAVITY, ball, cradle, rolling_sphere, tumbling_ellipsoid};
use crate::{Result, StudyError};
use rattleback_contact::law::normal::{Rule, restitution_of_factor};
use rattleback_dynamics::{Mechanism, Run, RunEvent, Scheme};
use rattleback_record::Document;
use rattleback_record::{Axis, Figure, Series, Table};
use rattleback_scene::Scene;

/// The restitution asked of the ball's laws.
const ASKED: f64 = 0.7;
/// How long the files follow the cradle, in s.
const SWINGING: f64 = 8.0;

/// Runs the three tests.
pub fn report() -> Result<Document> {
    let mut report = Document::new("Marques et al.: ball, cradle, incline");
    let mut balls = Vec::new();
    let mut table = Table::new(["law", "predicted", "first bounce", "second bounce"].map(str::to_owned));
    for rule in Rule::ALL {
        let (points, bounces) = bounces(rule)?;
        let predicted = restitution_of_factor(rule.factor(ASKED)?)?;
        let shown = |k: usize| bounces.get(k).map_or("-".to_owned(), |e| format!("{e:.5}"));
        table.push([rule.name().to_owned(), format!("{predicted:.5}"), shown(0), shown(1)]);
        balls.push(Series { name: rule.name().to_owned(), points, dashed: false });
    }
    report.table(
        format!("Ball on a floor, restitution {ASKED} asked for: speed after over speed before"),
        table,
    );
    report.figure("ball", figure("A ball falls 0.1 m", "height in m", 0.5, [0.0, 0.12], balls));
    let mut table = Table::new(
        [
            "balls",
            "restitution",
            "energy left",
            "greatest ledger error",
            "greatest height of the last, of the first's",
        ]
        .map(str::to_owned),
    );
    for (count, restitution) in [(2, 1.0), (2, 0.5), (5, 1.0), (5, 0.5)] {
        let swing = swing(count, restitution)?;
        table.push([
            count.to_string(),
            restitution.to_string(),
            format!("{:.4}", swing.left),
            format!("{:.1e}", swing.lost),
            format!("{:.4}", swing.top),
        ]);
        let title = format!("Newton's cradle of {count}, restitution {restitution}");
        let name = format!("cradle-{count}-{}", (10.0 * restitution).round());
        report.figure(name, figure(&title, "displacement in m", SWINGING, [-0.3, 0.3], swing.curves));
    }
    report
        .table(format!("Newton's cradle after {SWINGING} s, energies as shares of the raised ball's"), table);
    report.table("On an incline", incline()?);
    Ok(report)
}

/// Height over time, and the restitution of each bounce.
fn bounces(rule: Rule) -> Result<(Vec<[f64; 2]>, Vec<f64>)> {
    let scene = ball(rule, ASKED)?;
    let mut run = Run::new(&scene.model, scene.state.clone(), &scene.scheme)?;
    let (mut points, mut bounces, mut arrived) = (Vec::new(), Vec::new(), 0.0);
    for k in 0..=250 {
        run.advance(scene.duration * f64::from(k) / 250.0, &mut |now| {
            let speed = now.state.motions[1].velocity.z;
            match now.event {
                RunEvent::Begin(_) => arrived = -speed,
                RunEvent::End(_) => bounces.push(speed / arrived),
                RunEvent::Step => {}
            }
            Ok(())
        })?;
        let state = run.state();
        points.push([state.time, state.motions[1].pose.position.z]);
    }
    Ok((points, bounces))
}

struct Swing {
    curves: Vec<Series>,
    left: f64,
    lost: f64,
    top: f64,
}

fn swing(count: usize, restitution: f64) -> Result<Swing> {
    let Scene { model, mut state, scheme, duration, .. } = cradle(count, restitution)?;
    let Scheme::Mechanism(settings) = scheme else {
        return Err(StudyError::Unexpected { case: "marques_cradle", expected: "a mechanism" });
    };
    // Balls at rest have their centres at z = 0, below their hinges.
    let raised = state.motions[1].pose.position.z;
    let hinges: Vec<f64> = model.joints().iter().map(|hinge| hinge.a.pose.position.x).collect();
    let whole = model.bodies()[1].body.mass * GRAVITY * raised;
    let mut mechanism = Mechanism::new(&model, settings)?;
    mechanism.assemble(&mut state)?;
    let start = mechanism.energy(&state)?.total();
    let curve = |k: usize| Series { name: format!("ball {}", k + 1), points: Vec::new(), dashed: false };
    let mut swing = Swing { curves: (0..count).map(curve).collect(), left: 0.0, lost: 0.0, top: 0.0 };
    mechanism.advance(&mut state, duration, &mut |mechanism, state| {
        let energy = mechanism.energy(state)?;
        swing.lost = swing.lost.max((energy.total() - start).abs() / whole);
        swing.left = 1.0 + (energy.mechanical() - start) / whole;
        for (k, curve) in swing.curves.iter_mut().enumerate() {
            let position = state.motions[k + 1].pose.position;
            // A thousand points make a smooth curve.
            let due = curve.points.last().is_none_or(|last| state.time - last[0] >= duration / 1000.0);
            if due {
                curve.points.push([state.time, position.x - hinges[k]]);
            }
            if k + 1 == count {
                swing.top = swing.top.max(position.z / raised);
            }
        }
        Ok(())
    })?;
    Ok(swing)
}

/// What a sphere and an ellipsoid do on an incline.
fn incline() -> Result<Table> {
    let mut table = Table::new(["quantity", "found", "expected"].map(str::to_owned));
    for angle in [0.1f64, 0.3, 0.6] {
        let scene = rolling_sphere(angle)?;
        let mut run = Run::new(&scene.model, scene.state.clone(), &scene.scheme)?;
        let mut speeds = [0.0; 2];
        for (time, speed) in [0.5, 1.0].into_iter().zip(&mut speeds) {
            run.advance(time, &mut |_| Ok(()))?;
            *speed = run.state().motions[1].velocity.norm();
        }
        let expected = 5.0 / 7.0 * GRAVITY * angle.sin();
        table.push([
            format!("acceleration of a rolling sphere at {angle} rad, m/s^2"),
            format!("{:.4}", 2.0 * (speeds[1] - speeds[0])),
            format!("{expected:.4}"),
        ]);
    }
    let scene = tumbling_ellipsoid()?;
    let mut run = Run::new(&scene.model, scene.state.clone(), &scene.scheme)?;
    let mut lifted = None;
    run.advance(scene.duration, &mut |now| {
        if matches!(now.event, RunEvent::End(_)) {
            lifted = lifted.or(Some(now.state.time));
        }
        Ok(())
    })?;
    let shown = lifted.map_or("never".to_owned(), |time| format!("{time:.3}"));
    table.push(["the ellipsoid lifts off at, s".to_owned(), shown, "it does".to_owned()]);
    Ok(table)
}

fn figure(title: &str, label: &str, end: f64, range: [f64; 2], series: Vec<Series>) -> Figure {
    Figure {
        title: title.to_owned(),
        x: Axis { label: "time in s".to_owned(), range: [0.0, end], logarithmic: false },
        y: Axis { label: label.to_owned(), range, logarithmic: false },
        series,
    }
}
