//! Figs 1, 6 and 7: pairs with their nearest points and the normal, tangent and binormal there; pictures of Tables 2
//! to 4.

use super::{Case, Run, STEPS, Shape, cases, state_name};
use crate::Result;
use crate::still::{BLUE, FIRST, GREEN, GREY, RED, SECOND, Stood, View, still, vector};
use rattleback_contact::narrow::lopes::TangentFrame;
use rattleback_contact::{Collider, Solver};
use rattleback_geom::surface::{
    Ellipsoid, Quadric, Shape as Surface, Sheet, Superellipsoid, Superhyperboloid, Superquadric,
};
use rattleback_geom::{Pose, Vec3};
use rattleback_record::picture::{Image, Marks, contact_sheet};
use rattleback_record::{Document, Table};

/// The steps that are shown of a pair.
const SHOWN: [u32; 3] = [0, 70, 140];
/// What counts as touching in Table 2, in m.
const TOUCHING: f64 = 1e-9;

fn surface(shape: &Shape) -> Result<Surface> {
    Ok(if shape.exponent == 2.0 {
        Ellipsoid::new(shape.semi_axes)?.into()
    } else {
        Superquadric::new(shape.semi_axes, [shape.exponent; 3])?.into()
    })
}

/// n, t and b in red, green and blue at both points, `length` m long, and the points.
pub(super) fn frames(points: [Vec3; 2], normal: Vec3, length: f64) -> Marks {
    let mut marks = Marks { points: points.to_vec(), ..Marks::default() };
    for (at, n) in points.into_iter().zip([normal, -normal]) {
        let tangents = TangentFrame::Householder.at(&n);
        for (v, colour) in [(tangents.b, BLUE), (tangents.t, GREEN), (n, RED)] {
            marks.vectors.push(vector(at, v.normalize() * length, colour));
        }
    }
    marks
}

/// A pair at a step of its motion.
fn snapshot(case: &Case, run: &Run, step: u32) -> Result<Image> {
    let [pose_i, pose_j] = case.poses(step)?;
    let bodies =
        vec![Stood::new(surface(&case.i)?, pose_i, FIRST), Stood::new(surface(&case.j)?, pose_j, SECOND)];
    let size = case.i.semi_axes.iter().chain(&case.j.semi_axes).copied().fold(0.0, f64::max);
    let marks = run.solutions.get(step as usize).copied().flatten().map_or_else(Marks::default, |found| {
        frames([found.point_a, found.point_b], found.normal, 0.45 * size)
    });
    still(bodies, marks, &format!("pair {}, step {step} of {STEPS}", case.pair), View::SMALL)
}

/// Figs 6 and 7: three steps of every pair; `runs` are with the Householder frame, in the order of the cases.
pub(super) fn add(report: &mut Document, runs: &[Run]) -> Result<()> {
    for (table, name) in [(5, "fig-6"), (6, "fig-7")] {
        let mut images = Vec::new();
        for (case, run) in cases().iter().zip(runs).filter(|(case, _)| case.table == table) {
            for step in SHOWN {
                images.push(snapshot(case, run, step)?);
            }
        }
        let sheet = contact_sheet(&images, SHOWN.len())?;
        report.picture(
            name,
            sheet.to_png()?,
            format!(
                "Fig. {}: the pairs of Table {table}; normal, tangent and binormal in red, green and blue at both \
                 points. Steps and placements are ours.",
                table + 1
            ),
        );
    }
    Ok(())
}

/// Fig. 1: a contact pair, the frames of both bodies in grey, n, t, b and the distance.
pub(super) fn add_scheme(report: &mut Document) -> Result<()> {
    let poses = [
        Pose::identity().rotated(Vec3::new(0.3, 1.0, 0.2), 0.5)?,
        Pose {
            position: Vec3::new(2.6, 0.9, 0.7),
            ..Pose::identity().rotated(Vec3::new(1.0, 0.2, 0.6), -0.7)?
        },
    ];
    let bodies = [Ellipsoid::new([1.2, 0.8, 0.6])?, Ellipsoid::new([0.7, 1.0, 0.5])?];
    let [a, b] = [0, 1].map(|k| Collider::new(bodies[k], poses[k]));
    let found = Solver::Own.solve(&a, &b)?;
    let mut marks = frames([found.point_a, found.point_b], found.normal, 0.5);
    marks.vectors.push(vector(found.point_a, found.point_b - found.point_a, [0; 3]));
    for (body, pose) in bodies.iter().zip(&poses) {
        for k in 0..3 {
            let axis = pose.rotation().column(k) * (1.3 * body.semi_axes()[k]);
            marks.vectors.push(vector(pose.position, axis, GREY));
        }
    }
    let [first, second] = bodies;
    let stood = vec![Stood::new(first, poses[0], FIRST), Stood::new(second, poses[1], SECOND)];
    let image = still(stood, marks, "", View { width: 900, height: 520, from: None })?;
    report.picture(
        "fig-1",
        image.to_png()?,
        "Fig. 1: a contact pair. Grey: the axes of the surfaces' frames; black: the distance from P to Q; red, green, blue: \
         normal, tangent, binormal.",
    );
    Ok(())
}

/// Table 2: the three states, with a picture of each.
pub(super) fn add_states(report: &mut Document) -> Result<()> {
    let mut table =
        Table::new(["contact", "gap set in m", "d by lopes-householder in m", "state", "d by own in m"]);
    let mut images = Vec::new();
    let bodies = [Ellipsoid::new([1.0, 0.7, 0.6])?, Ellipsoid::new([0.6, 0.9, 0.8])?];
    for (words, gap) in [("no contact", 0.4), ("at a single point", 0.0), ("with pseudo-penetration", -0.2)] {
        let poses = [Pose::identity(), Pose::from_position(1.6 + gap, 0.0, 0.0)];
        let [a, b] = [0, 1].map(|k| Collider::new(bodies[k], poses[k]));
        let (paper, own) = (Solver::LopesHouseholder.solve(&a, &b)?, Solver::Own.solve(&a, &b)?);
        let state = state_name(paper.gap, TOUCHING).unwrap_or("-");
        table.push([
            words.to_owned(),
            gap.to_string(),
            format!("{:.3e}", paper.gap),
            state.to_owned(),
            format!("{:.3e}", own.gap),
        ]);
        let marks = frames([own.point_a, own.point_b], own.normal, 0.4);
        let stood = [0, 1].map(|k| Stood::new(bodies[k], poses[k], [FIRST, SECOND][k]));
        images.push(still(Vec::from(stood), marks, words, View::SMALL)?);
    }
    report.table(format!("Table 2: contact states, zero being ±{TOUCHING:.0e} m"), table);
    let caption = "Table 2: apart, touching, overlapping.";
    report.picture("table-2", contact_sheet(&images, 3)?.to_png()?, caption);
    Ok(())
}

/// Tables 3 and 4: the families, each within planes that bound it.
pub(super) fn add_families(report: &mut Document) -> Result<()> {
    let axes = [0.5, 0.4, 0.6];
    let quadrics: [(&str, Surface); 5] = [
        ("ellipsoid", Quadric::ellipsoid(axes)?.into()),
        ("hyperboloid, one sheet", Quadric::hyperboloid_one_sheet(axes, 0.8)?.into()),
        ("hyperboloid, two sheets", Quadric::hyperboloid_two_sheets(axes, Sheet::Upper, 1.4)?.into()),
        ("elliptic paraboloid", Quadric::elliptic_paraboloid(axes, 1.0)?.into()),
        ("hyperbolic paraboloid", Quadric::hyperbolic_paraboloid([1.0, 1.0, 0.8], [0.8, 0.8], 1.1)?.into()),
    ];
    let exponents = [4.0, 3.0];
    let supers: [(&str, Surface); 3] = [
        ("superellipsoid", Superellipsoid::new(axes, exponents)?.into()),
        ("superhyperboloid, one sheet", Superhyperboloid::one_sheet(axes, exponents, 0.8)?.into()),
        (
            "superhyperboloid, two sheets",
            Superhyperboloid::two_sheets(axes, exponents, Sheet::Upper, 1.0)?.into(),
        ),
    ];
    let one = |(name, shape): (&str, Surface)| {
        still(vec![Stood::new(shape, Pose::identity(), FIRST)], Marks::default(), name, View::SMALL)
    };
    for (name, images, what) in [
        ("table-3", quadrics.into_iter().map(one).collect::<Result<Vec<_>>>()?, "quadrics"),
        ("table-4", supers.into_iter().map(one).collect::<Result<Vec<_>>>()?, "superquadrics"),
    ] {
        let number = &name["table-".len()..];
        let caption = format!("Table {number}: {what}; open ones end at the planes that bound them.");
        report.picture(name, contact_sheet(&images, 3)?.to_png()?, caption);
    }
    Ok(())
}
