//! Fig. 2: the square plate mechanism, run by the engine, beside the auxiliary vectors (18).

use super::auxiliary::vectors;
use crate::Result;
use rattleback_dynamics::{Motion, Run};
use rattleback_geom::Vec3;
use rattleback_record::{Axis, Document, Figure, Series};
use rattleback_scene::{Scene, Source, parse_scene};

/// The scene's file.
const FILE: &str = include_str!("../../../../scenes/papers/lopes_plate.toml");
/// The instants that are drawn, in s; a turn takes four.
const SHOWN: [f64; 3] = [0.0, 0.75, 2.5];
/// Width over height of a figure between its axes, so that squares are square.
const SHAPE: f64 = 1.75;

/// The scene.
pub fn scene() -> Result<Scene> {
    let (path, text) = ("lopes_plate.toml".into(), FILE.to_owned());
    Ok(parse_scene(Source { path, text, beside: Vec::new() })?)
}

/// The crank as a vector, and the corners of the plate in the order of v₁ to v₄.
fn places(motions: &[Motion]) -> (Vec3, [Vec3; 4]) {
    let (crank, plate) = (&motions[1].pose, &motions[2].pose);
    let corners = [[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]];
    (crank.position * 2.0, corners.map(|[x, y]| plate.point_to_world(&Vec3::new(x, y, 0.0))))
}

/// The greatest distance of a corner from its auxiliary vector over a run of the scene, in m, and the motions at the
/// instants that are drawn.
pub fn follow() -> Result<(f64, Vec<Vec<Motion>>)> {
    let scene = scene()?;
    let mut run = Run::new(&scene.model, scene.state.clone(), &scene.scheme)?;
    let mut farthest = 0.0f64;
    let mut shown = Vec::new();
    let steps = 80;
    for k in 0..=steps {
        run.advance(scene.duration * f64::from(k) / f64::from(steps), &mut |_| Ok(()))?;
        let state = run.state();
        let (n, corners) = places(&state.motions);
        for (corner, v) in corners.iter().zip(vectors(&n)) {
            farthest = farthest.max((corner - v).norm());
        }
        if SHOWN.iter().any(|time| (time - state.time).abs() < 1e-9) {
            shown.push(state.motions.clone());
        }
    }
    Ok((farthest, shown))
}

/// Adds the figure.
pub(super) fn add(report: &mut Document) -> Result<()> {
    let (farthest, shown) = follow()?;
    let mut series = Vec::new();
    let mut marks = Vec::new();
    for (motions, time) in shown.iter().zip(SHOWN) {
        let (n, corners) = places(motions);
        let flat = |v: &Vec3| [v.x, v.y];
        let degrees = 90.0 * time;
        series.push(Series {
            name: format!("crank n at {degrees:.0}°"),
            points: vec![[0.0; 2], flat(&n)],
            dashed: false,
        });
        let outline = corners.iter().chain(&corners[..1]).map(flat).collect();
        series.push(Series { name: format!("plate at {degrees:.0}°"), points: outline, dashed: true });
        marks.extend(corners.iter().map(flat));
    }
    let circle = (0..=180).map(|k| f64::from(2 * k).to_radians().sin_cos()).map(|(y, x)| [x, y]);
    series.push(Series { name: "path of the pin".to_owned(), points: circle.collect(), dashed: false });
    series.push(Series::marks("corners: v₁ to v₄", marks));
    let axis =
        |label: &str, half: f64| Axis { label: label.to_owned(), range: [-half, half], logarithmic: false };
    report.figure(
        "fig-2",
        Figure {
            title: "Fig. 2: the square plate mechanism".to_owned(),
            x: axis("x in m", SHAPE * 2.2),
            y: axis("y in m", 2.2),
            series,
        },
    );
    report.text(format!(
        "Fig. 2 is drawn from a run of scenes/papers/lopes_plate.toml: two hinges with motors of the same rate in opposite \
         senses. Over a turn the corners of the plate are {farthest:.1e} m at most from the auxiliary vectors (18) of the crank.",
    ));
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn the_corners_of_the_plate_are_the_auxiliary_vectors_of_the_crank() {
        let (farthest, shown) = follow().unwrap();
        assert!(farthest < 1e-6 && shown.len() == SHOWN.len(), "{farthest:e}");
        // The crank has turned: what is compared is not the start.
        let (n, _) = places(&shown[2]);
        assert!((n - Vec3::new(-1.0, -1.0, 0.0).normalize()).norm() < 1e-6, "{n}");
    }
}
