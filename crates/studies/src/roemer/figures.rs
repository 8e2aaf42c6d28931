//! Figs 1 to 6: the normal parameterisation in the plane and in space, and contact with a plane, drawn from potentials.

use crate::Result;
use crate::still::{BLUE, FIRST, GREEN, GREY, RED, Stood, View, still, vector};
use rattleback_geom::curve::{Curve, Ellipse};
use rattleback_geom::spherical::Angles;
use rattleback_geom::surface::{Ellipsoid, Plane, Support};
use rattleback_geom::{Pose, Vec2, Vec3};
use rattleback_record::picture::{Marks, contact_sheet};
use rattleback_record::{Axis, Document, Figure, Series};
use std::f64::consts::{PI, TAU};

/// Width over height of a figure between its axes, so that circles are round.
const SHAPE: f64 = 1.75;
/// Points of a curve.
const POINTS: usize = 721;
/// Potential contact points that are marked on a body.
const MARKED: usize = 48;

/// Axes with one scale, from −`tall` to `tall` upwards.
fn axes(tall: f64) -> [Axis; 2] {
    let axis =
        |label: &str, half: f64| Axis { label: label.to_owned(), range: [-half, half], logarithmic: false };
    [axis("x in m", SHAPE * tall), axis("y in m", tall)]
}

fn line(name: &str, points: Vec<[f64; 2]>, dashed: bool) -> Series {
    Series { name: name.to_owned(), points, dashed }
}

/// r = g e_n + g′ e_φ, (2), all around, from g and g′.
fn boundary(potential: impl Fn(f64) -> [f64; 2]) -> Vec<[f64; 2]> {
    let point = |k: usize| {
        let phi = TAU * k as f64 / (POINTS - 1) as f64;
        let ([g, slope], (sin, cos)) = (potential(phi), phi.sin_cos());
        [g * cos - slope * sin, g * sin + slope * cos]
    };
    (0..POINTS).map(point).collect()
}

/// g and g′ of an ellipse, (12), moved outwards by d, (11).
fn ellipse(a: f64, b: f64, d: f64) -> impl Fn(f64) -> [f64; 2] {
    move |phi| {
        let g = (a * phi.cos()).hypot(b * phi.sin());
        [g + d, (b * b - a * a) * phi.sin() * phi.cos() / g]
    }
}

/// Adds Figs 1 to 6.
pub(super) fn add(report: &mut Document) -> Result<()> {
    report.figure("fig-1", plane_curve()?);
    report.figure("fig-2", kinks());
    add_surface(report)?;
    add_contact_lines(report)?;
    add_turns(report)
}

/// Fig. 1: an ellipse, a point of it by its normal, the circle of curvature there.
fn plane_curve() -> Result<Figure> {
    let (a, b, phi) = (1.0, 0.55, 1.1f64);
    let [g, slope] = ellipse(a, b, 0.0)(phi);
    let (sin, cos) = phi.sin_cos();
    let (n, along) = (Vec2::new(cos, sin), Vec2::new(-sin, cos));
    let p = n * g + along * slope;
    let radius = Ellipse::new([a, b])?.at_angle(phi)?.radius;
    let centre = p - n * radius;
    let circle = boundary(|_| [radius, 0.0]).into_iter().map(|[x, y]| [x + centre.x, y + centre.y]).collect();
    let [x, y] = axes(0.85);
    Ok(Figure {
        title: "Fig. 1: a point P by its outer normal n, r = g n + g′ t".to_owned(),
        x,
        y,
        series: vec![
            line("boundary", boundary(ellipse(a, b, 0.0)), false),
            line("g n from B", vec![[0.0; 2], [g * cos, g * sin]], false),
            line("g′ t to P", vec![[g * cos, g * sin], p.into()], false),
            line("n at P", vec![p.into(), (p + n * 0.25).into()], false),
            line("circle of curvature", circle, false),
            Series::marks("B, P", [[0.0; 2], p.into()]),
        ],
    })
}

/// Fig. 2: the curve at the distance −b²/a from an ellipse with b/a = ½.
fn kinks() -> Figure {
    let (a, b) = (1.0, 0.5);
    let [x, y] = axes(0.65);
    Figure {
        title: "Fig. 2: g = √(a²c² + b²s²) − b²/a, b/a = ½: two kinks".to_owned(),
        x,
        y,
        series: vec![
            line("boundary, d = -b²/a", boundary(ellipse(a, b, -b * b / a)), false),
            line("ellipse", boundary(ellipse(a, b, 0.0)), true),
            Series::marks("radius of curvature zero", [[a - b * b / a, 0.0], [b * b / a - a, 0.0]]),
        ],
    }
}

/// Fig. 3: a point of an ellipsoid by the angles of its normal.
fn add_surface(report: &mut Document) -> Result<()> {
    let body = Ellipsoid::new([1.0, 0.8, 0.6])?;
    let angles = Angles::new(0.9, -0.6)?;
    let [e_phi, e_theta, n] = angles.frame();
    let p = body.support_point(&n);
    let mut marks = Marks { points: vec![p, Vec3::zeros()], ..Marks::default() };
    for k in 0..3 {
        let axis = Vec3::from_fn(|i, _| if i == k { 1.25 * body.semi_axes()[k] } else { 0.0 });
        marks.vectors.push(vector(Vec3::zeros(), axis, GREY));
    }
    for (v, colour) in [(e_theta, BLUE), (e_phi, GREEN), (n, RED)] {
        marks.vectors.push(vector(p, v * 0.5, colour));
    }
    let stood = vec![Stood::new(body, Pose::identity(), FIRST)];
    let image = still(stood, marks, "", View { width: 720, height: 480, from: None })?;
    let caption = "Fig. 3: P by the angles φ, θ of its outer normal; e_n, e_φ, e_θ in red, green, blue, the frame of the body in \
                   grey.";
    report.picture("fig-3", image.to_png()?, caption);
    Ok(())
}

/// The outer normal at the contact with a plane below, in the frame of the body that is turned by α about the axis at
/// the angle β.
fn contact_normal(alpha: f64, beta: f64) -> Vec3 {
    Vec3::new(alpha.sin() * beta.cos(), alpha.sin() * beta.sin(), -alpha.cos())
}

/// The potential contact points as a body turns about an axis at the angle β to b_y, and that axis.
fn contact_line(body: &Ellipsoid, beta: f64) -> Marks {
    let normal = |k: usize| contact_normal(TAU * k as f64 / MARKED as f64, beta);
    let points = (0..MARKED).map(|k| body.support_point(&normal(k))).collect();
    let axis = Vec3::new(-beta.sin(), beta.cos(), 0.0);
    Marks { points, vectors: vec![vector(-axis * 1.3, axis * 2.6, RED)], ..Marks::default() }
}

/// Figs 4 and 5: an ellipse on a line, and the lines of contact on a body that turns about axes parallel to the plane.
fn add_contact_lines(report: &mut Document) -> Result<()> {
    let (a, b) = (0.5, 0.3);
    let mut series = Vec::new();
    let mut touching = Vec::new();
    let mut x_b = 0.0;
    let steps = 400;
    for k in 0..=steps {
        let alpha = PI * f64::from(k) / f64::from(steps);
        // An ellipse on the line below turned by α: (56), (61), and rolling moves B by g dα, (60).
        let g = |alpha: f64| (a * alpha.sin()).hypot(b * alpha.cos());
        if k % 100 == 0 {
            let (sin, cos) = alpha.sin_cos();
            let outline = boundary(ellipse(a, b, 0.0)).into_iter();
            let turned = outline.map(|[x, z]| [x_b + x * cos + z * sin, g(alpha) - x * sin + z * cos]);
            series.push(line(&format!("α = {:.0}°", alpha.to_degrees()), turned.collect(), false));
            touching.push([x_b + (a * a - b * b) * sin * cos / g(alpha), 0.0]);
        }
        x_b += g(alpha + 0.5 * PI / f64::from(steps)) * PI / f64::from(steps);
    }
    series.push(Series::marks("contact", touching));
    let range = [-0.7, 2.1];
    let axis = |label: &str, range| Axis { label: label.to_owned(), range, logarithmic: false };
    report.figure(
        "fig-4",
        Figure {
            title: "Fig. 4a: an ellipse rolls on a line".to_owned(),
            x: axis("x in m", range),
            y: axis("z in m", [-0.2, (range[1] - range[0]) / SHAPE - 0.2]),
            series,
        },
    );
    let body = Ellipsoid::new([1.0, 0.7, 0.5])?;
    for (name, beta, caption) in [
        (
            "fig-4b",
            0.0,
            "Fig. 4b: potential contact points as the body turns about its own axis b_y, in red.",
        ),
        (
            "fig-5",
            0.7,
            "Fig. 5: the same about an axis at β = 0.7 rad to b_y; drilling about the normal changes none of them.",
        ),
    ] {
        let stood = vec![Stood::new(body, Pose::identity(), FIRST)];
        let image =
            still(stood, contact_line(&body, beta), "", View { width: 720, height: 480, from: None })?;
        report.picture(name, image.to_png()?, caption);
    }
    Ok(())
}

/// Fig. 6: the orientation (66) by a passive turn β of the axis and turns α and γ of the body, each with its contact.
fn add_turns(report: &mut Document) -> Result<()> {
    let body = Ellipsoid::new([0.6, 0.42, 0.3])?;
    let (alpha, beta, gamma) = (0.8, 0.6, 0.9);
    let mut images = Vec::new();
    for (label, [alpha, beta, gamma]) in [
        ("a: aligned", [0.0, 0.0, 0.0]),
        ("b: axis turned by β", [0.0, beta, 0.0]),
        ("c: turned by α about it", [alpha, beta, 0.0]),
        ("d: and by γ about the normal", [alpha, beta, gamma]),
    ] {
        let turned = Pose::identity().rotated(Vec3::z(), -beta)?.rotated(Vec3::y(), alpha)?;
        let turned = turned.rotated(Vec3::z(), beta + gamma)?;
        let n = contact_normal(alpha, beta);
        let pose = Pose { position: Vec3::z() * body.support(&n), ..turned };
        let contact = pose.point_to_world(&body.support_point(&n));
        let mut marks = Marks { points: vec![contact, pose.position], ..Marks::default() };
        for (k, colour) in [RED, GREEN, BLUE].into_iter().enumerate() {
            let axis = pose.rotation().column(k) * (1.4 * body.semi_axes()[k]);
            marks.vectors.push(vector(pose.position, axis, colour));
        }
        let axis = Vec3::new(-(beta + gamma).sin(), (beta + gamma).cos(), 0.0);
        marks.vectors.push(vector(pose.position - axis * 0.7, axis * 1.4, GREY));
        let floor = Plane::new([0.0, 0.0, 1.0], 0.0)?;
        let stood = vec![Stood::new(body, pose, FIRST), Stood::new(floor, Pose::identity(), [226, 226, 224])];
        images.push(still(stood, marks, label, View::SMALL)?);
    }
    let caption = "Fig. 6: position and orientation by β, α and γ, (66); axes of the body in red, green, blue, the axis of the turn \
                   by α in grey, the contact point on the plane marked.";
    report.picture("fig-6", contact_sheet(&images, 2)?.to_png()?, caption);
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn the_boundary_of_a_potential_is_that_of_the_ellipse_and_of_its_offset() {
        for [x, y] in boundary(ellipse(1.0, 0.5, 0.0)) {
            assert!((x * x + 4.0 * y * y - 1.0).abs() < 1e-12, "{x} {y}");
        }
        // Kinks are where the outline comes back on itself: all points near φ = 0 are one to second order.
        let offset = boundary(ellipse(1.0, 0.5, -0.25));
        let [first, second] = [offset[0], offset[1]];
        assert!(
            (first[0] - 0.75).abs() < 1e-12 && (first[1] - second[1]).abs() < 1e-6,
            "{first:?} {second:?}"
        );
    }

    #[test]
    fn the_contact_normal_is_the_one_that_the_turned_body_shows_the_plane() {
        let (alpha, beta, gamma) = (0.8, 0.6, 0.9);
        let turned = Pose::identity().rotated(Vec3::z(), -beta).unwrap().rotated(Vec3::y(), alpha).unwrap();
        let turned = turned.rotated(Vec3::z(), beta + gamma).unwrap();
        let down = turned.vector_to_world(&contact_normal(alpha, beta));
        assert!((down + Vec3::z()).norm() < 1e-14, "{down}");
    }
}
