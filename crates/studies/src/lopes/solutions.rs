//! Fig. 4: all common normals of a pair, and which of them are mirrors of the nearest.
//!
//! Newton's method (8) starts from every pair of surface points with the normals of a cube's faces, edges and corners;
//! solutions that differ by less than [`SAME`] are one. What is found are solutions; that there are no others is not
//! proved.

use crate::Result;
use crate::still::{FIRST, GREY, RED, SECOND, Stood, View, still, vector};
use rattleback_contact::narrow::lopes::{CommonNormal, ImplicitBody, Settings, Start, mirrors, solve};
use rattleback_geom::surface::{Ellipsoid, Support};
use rattleback_geom::{Pose, Vec3};
use rattleback_record::picture::{Marks, contact_sheet};
use rattleback_record::{Document, Table};

/// Points this near are the same, in m.
const SAME: f64 = 1e-6;

/// A pair with what the paper says of it.
struct Pair {
    name: &'static str,
    paper: &'static str,
    semi_axes: [[f64; 3]; 2],
    poses: [Pose; 2],
}

/// The paper's two pairs, placed by us, and a third in general position.
fn pairs() -> Result<[Pair; 3]> {
    let (sphere, ellipsoid) = ([0.8; 3], [1.5, 1.0, 0.7]);
    let turned = Pose::identity().rotated(Vec3::new(1.0, 2.0, 0.5), 0.8)?;
    let general = Pose { position: Vec3::new(0.4, 0.3, 1.9), ..turned };
    Ok([
        Pair {
            name: "A: sphere and ellipsoid, aligned",
            paper: "4",
            semi_axes: [sphere, ellipsoid],
            poses: [Pose::identity(), Pose::from_position(3.0, 0.0, 0.0)],
        },
        Pair {
            name: "B: sphere and ellipsoid, not aligned",
            paper: "2",
            semi_axes: [sphere, ellipsoid],
            poses: [Pose::identity(), Pose { position: Vec3::new(2.6, 1.2, 0.9), ..turned }],
        },
        Pair {
            name: "C: two ellipsoids, not aligned",
            paper: "1",
            semi_axes: [[2.0, 1.6, 0.3], [1.5, 0.3, 0.9]],
            poses: [Pose::identity(), general],
        },
    ])
}

/// Every common normal that the starts lead to, the nearest first.
fn all(surfaces: &[Ellipsoid; 2], poses: &[Pose; 2]) -> Vec<CommonNormal> {
    let [a, b] = [0, 1].map(|k| ImplicitBody::new(&surfaces[k], poses[k]));
    let settings = Settings { tolerance: 1e-12, ..Settings::default() };
    let cube = || {
        let steps = || [-1.0, 0.0, 1.0].into_iter();
        let all =
            steps().flat_map(move |x| steps().flat_map(move |y| steps().map(move |z| Vec3::new(x, y, z))));
        all.filter(|n| n.norm() > 0.5).map(|n| n.normalize())
    };
    let mut found: Vec<CommonNormal> = Vec::new();
    for (n_a, n_b) in cube().flat_map(|n_a| cube().map(move |n_b| (n_a, n_b))) {
        let start = Start::Points {
            a: poses[0].point_to_world(&surfaces[0].support_point(&n_a)),
            b: poses[1].point_to_world(&surfaces[1].support_point(&n_b)),
        };
        // A start that leads nowhere is one of many.
        let Ok(solution) = solve(&a, &b, start, &settings) else { continue };
        if found.iter().all(|old| (old.unknowns - solution.unknowns).norm() > SAME) {
            found.push(solution);
        }
    }
    let length = |found: &CommonNormal| (found.solution.point_b - found.solution.point_a).norm();
    found.sort_by(|x, y| length(x).total_cmp(&length(y)));
    found
}

/// Adds Fig. 4 and the table of its solutions.
pub(super) fn add(report: &mut Document) -> Result<()> {
    let columns = ["pair", "solutions of (9)", "of the paper", "mirrors of the nearest", "∣d∣ of all in m"];
    let mut table = Table::new(columns);
    let mut images = Vec::new();
    for pair in pairs()? {
        let surfaces = [Ellipsoid::new(pair.semi_axes[0])?, Ellipsoid::new(pair.semi_axes[1])?];
        let found = all(&surfaces, &pair.poses);
        let Some(nearest) = found.first() else { continue };
        let mirrored = mirrors(nearest, &pair.poses[0], &pair.poses[1]).pairs;
        let is_mirror = |one: &&CommonNormal| {
            let points = [one.solution.point_a, one.solution.point_b];
            mirrored[1..].iter().any(|[p, q]| (p - points[0]).norm() + (q - points[1]).norm() < SAME)
        };
        let lengths: Vec<String> = found
            .iter()
            .map(|one| format!("{:.3}", (one.solution.point_b - one.solution.point_a).norm()))
            .collect();
        table.push([
            pair.name.to_owned(),
            found.len().to_string(),
            pair.paper.to_owned(),
            found.iter().filter(is_mirror).count().to_string(),
            lengths.join(", "),
        ]);
        let mut marks = Marks::default();
        for one in found.iter().rev() {
            let (p, q) = (one.solution.point_a, one.solution.point_b);
            let colour = if one == nearest { RED } else { GREY };
            marks.vectors.push(vector(p, q - p, colour));
            marks.points.extend([p, q]);
        }
        let [first, second] = surfaces;
        let stood = vec![Stood::new(first, pair.poses[0], FIRST), Stood::new(second, pair.poses[1], SECOND)];
        images.push(still(stood, marks, &pair.name[..1], View::SMALL)?);
    }
    report.table("Fig. 4: common normals of a pair", table);
    report.text(
        "The paper allows four solutions, mirrors of each other. With a sphere, its far point is one more solution for every \
         point of the other body; two ellipsoids in general position have others that mirror nothing. The starts are many, \
         and nothing proves that there are no further solutions.",
    );
    let caption = "Fig. 4: from P to Q at every common normal that was found, the nearest in red.";
    report.picture("fig-4", contact_sheet(&images, 3)?.to_png()?, caption);
    Ok(())
}
