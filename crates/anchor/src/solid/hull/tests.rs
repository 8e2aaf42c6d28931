use super::super::testing::sound;
use super::*;
use std::f64::consts::TAU;

fn degrees(x: f64) -> f64 {
    x.to_radians()
}

fn plane() -> Hull {
    Hull::new(0.5)
}

fn curved() -> Hull {
    Hull { section_radius: Some(6.0), pipe_heading: Some(degrees(45.0)), ..plane() }
}

fn meshed(hull: &Hull) -> TriMesh {
    hull.mesh().unwrap_or_else(|e| panic!("{hull:?}: {e}"))
}

#[test]
fn every_hull_is_a_clean_solid_with_one_hole() {
    let steep = Hull { pipe_angle: degrees(80.0), flare: degrees(10.0), lip_radius: 0.05, ..plane() };
    let square = Hull { pipe_angle: 0.0, flare: 0.0, entrance: 0.0, ..plane() };
    let thick = Hull { thickness: 0.3, lip_radius: 0.1, ..plane() };
    let inwards = Hull { flare: degrees(-20.0), pipe_angle: degrees(20.0), ..curved() };
    for hull in [plane(), curved(), steep, square, thick, inwards, Hull { lip_radius: 0.05, ..plane() }] {
        let mesh = meshed(&hull);
        assert!(mesh.triangles().len() < 40_000, "{} triangles for {hull:?}", mesh.triangles().len());
        sound(&mesh, 1);
    }
}

/// The distance from `p` to the path of the centre of a ball: dense samples, then golden section.
fn from_path(form: &Form, ball: f64, p: &Vec3) -> f64 {
    let gap = |angle: f64| (form.ball(angle, ball).unwrap().centre - p).norm();
    let step = TAU / 360.0;
    let best = (0..360).map(|i| f64::from(i) * step).min_by(|a, b| gap(*a).total_cmp(&gap(*b))).unwrap();
    let (mut low, mut high) = (best - step, best + step);
    for _ in 0..40 {
        let (a, b) = (low + 0.382 * (high - low), high - 0.382 * (high - low));
        if gap(a) < gap(b) { high = b } else { low = a }
    }
    gap(0.5 * (low + high))
}

#[test]
fn every_triangle_is_within_the_chord_error_of_the_face_it_stands_for() {
    for hull in [plane(), curved(), Hull { thickness: 0.2, ..curved() }] {
        let (mesh, form, plate, axis) = (meshed(&hull), Form::new(&hull), hull.plate(), hull.pipe_axis());
        let (stations, counts) = form.layout().unwrap();
        let height = mesh.vertices().len() / stations.len();
        let depth = |p: &Vec3| {
            let place = plate.place(p);
            (plate.at(&place, 0.0) - p).dot(&plate.normal(&place))
        };
        let from_axis = |p: &Vec3| (p - axis * p.dot(&axis)).norm();
        let (fillet, ball) = form.fillet();
        let ends = [counts.bore, counts.arc, counts.rings, 1, counts.rings, counts.fillet, counts.bore]
            .iter()
            .scan(0, |sum, n| {
                *sum += n;
                Some(*sum)
            })
            .collect::<Vec<usize>>();
        let mut seen = [0; 8];
        for t in (0..mesh.triangles().len()).step_by(3) {
            let part = ends.iter().position(|end| t / 2 % height < *end).unwrap_or(7);
            seen[part] += 1;
            let [a, b, c] = mesh.corners(t);
            for p in [(a + b + c) / 3.0, (a + b) / 2.0, (b + c) / 2.0, (c + a) / 2.0] {
                let miss = match part {
                    0 => from_axis(&p) - 0.5 * hull.pipe_diameter,
                    1 => from_path(&form, hull.lip_radius, &p) - hull.lip_radius,
                    2 => depth(&p),
                    4 => depth(&p) - hull.thickness,
                    5 => from_path(&form, ball, &p) - fillet,
                    6 => from_axis(&p) - 0.5 * hull.pipe_diameter - hull.thickness,
                    _ => 0.0,
                };
                assert!(miss.abs() <= hull.chord, "part {part} of {hull:?}: {miss} at {p}");
            }
        }
        let wanted = |part: usize| if part == 5 && fillet == 0.0 { 0 } else { 1 };
        assert!((0..8).all(|part| seen[part] >= wanted(part)), "{seen:?}");
    }
}

#[test]
fn the_way_from_the_bore_over_the_lip_to_the_plating_has_no_edge() {
    let finest = |hull: &Hull| {
        let mesh = meshed(hull);
        let (stations, counts) = Form::new(hull).layout().unwrap();
        let (height, outer) =
            (mesh.vertices().len() / stations.len(), counts.bore + counts.arc + counts.rings);
        let topology = rattleback_geom::mesh::Topology::new(&mesh);
        let is_outer = |t: usize| t / 2 % height < outer;
        (0..mesh.triangles().len())
            .filter(|t| is_outer(*t))
            .flat_map(|t| topology.neighbours(t).into_iter().flatten().map(move |o| (t, o)))
            .filter(|(_, o)| is_outer(*o))
            .map(|(t, o)| mesh.normal(t).angle(&mesh.normal(o)))
            .fold(0.0, f64::max)
    };
    for hull in [plane(), curved()] {
        let [coarse, fine] = [hull, Hull { chord: hull.chord / 4.0, ..hull }].map(|hull| finest(&hull));
        // Angles between chords of a smooth face are halved with the chords.
        assert!(coarse < 0.45 && fine < 0.6 * coarse, "{coarse} {fine}");
    }
}

#[test]
fn the_axes_are_those_of_a_ship() {
    let hull = plane();
    let (outward, axis) = (hull.outward(), hull.pipe_axis());
    assert!(outward.x > 0.0 && outward.y > 0.0 && outward.z < 0.0, "{outward}");
    assert!(axis.x < 0.0 && axis.y < 0.0 && axis.z > 0.0, "{axis}");
    assert!((outward.norm() - 1.0).abs() < 1e-15 && (axis.norm() - 1.0).abs() < 1e-15);
    // Square to the plating seen from above, 50° up through plating that leans by 25°.
    assert!((hull.obliquity() - degrees(25.0)).abs() < 1e-12);
    assert!((hull.inboard_end() - axis * 3.0).norm() < 1e-15);
    let solid = sound(&meshed(&hull), 1);
    // Nothing is in the way from far outside through the mouth to the inboard end; the wall is met beside it.
    let clear = |p: Vec3| solid.signed_distance(&p).unwrap();
    for k in -10..=10 {
        let on_axis = clear(axis * (0.3 * f64::from(k)));
        assert!(on_axis > 0.2, "{on_axis} at {k}");
    }
    assert!(clear(hull.plate().at(&rattleback_geom::Vec2::new(1.5, -1.0), 0.5 * hull.thickness)) < 0.0);
    assert!((clear(hull.plate().at(&rattleback_geom::Vec2::new(1.5, -1.0), -0.1)) - 0.1).abs() < 1e-12);
}

#[test]
fn curved_plating_has_the_radius_of_its_horizontal_section() {
    let hull = curved();
    let plate = hull.plate();
    // Three points of the section z = 0: h U.z compensates what the cylinder does with height.
    let section = |w: f64| {
        let flat = plate.at(&rattleback_geom::Vec2::new(w, 0.0), 0.0);
        flat - plate.up * (flat.z / plate.up.z)
    };
    let [a, b, c] = [-1e-3, 0.0, 1e-3].map(section);
    let area = (b - a).cross(&(c - a)).norm();
    let radius = (b - a).norm() * (c - b).norm() * (c - a).norm() / (2.0 * area);
    assert!((radius - 6.0).abs() < 1e-4, "{radius}");
}

#[test]
fn what_cannot_be_built_is_refused_by_name() {
    let refused = |hull: Hull| hull.mesh().unwrap_err().to_string();
    for (hull, said) in [
        (
            Hull { pipe_diameter: f64::NAN, ..plane() },
            "pipe_diameter = NaN: must be a finite number above zero",
        ),
        (Hull { flare: 2.0, ..plane() }, "flare = 2: must be from -45° to 75°"),
        (
            Hull { pipe_angle: 0.0, pipe_heading: Some(degrees(-60.0)), ..plane() },
            "pipe_angle = a pipe 90.0° off the plating's normal: must be such that it is 75° at most",
        ),
        (
            Hull { pipe_angle: degrees(90.0), flare: degrees(20.0), lip_radius: 0.3, ..plane() },
            "lip_radius = 0.3 m: must be smaller around a mouth 70.0° off the plating's normal",
        ),
        (Hull { half_width: 0.3, ..plane() }, "half_width = 0.3: must be more: the lip reaches"),
        (Hull { pipe_length: 0.2, ..plane() }, "pipe_length = 0.2: must be more: the lip reaches"),
        (Hull { section_radius: Some(0.05), half_width: 0.05, ..plane() }, "section_radius = "),
        (
            Hull { section_radius: Some(0.4), half_width: 0.5, lip_radius: 0.2, ..plane() },
            "pipe_diameter = a pipe of 0.5 m: must be narrower than the curved plating",
        ),
        (Hull { chord: 1e-9, ..plane() }, "chord = 1e-9: must be such that 2048 columns"),
        // Its arcs alone would make a million triangles.
        (
            Hull { chord: 1e-3, ..Hull::new(100.0) },
            "chord = 0.001: must be such that 2048 columns, 1024 rings and 200000 triangles are enough",
        ),
        (
            Hull { lip_radius: 1e3, half_width: 1e5, half_height: 1e5, pipe_length: 1e5, ..plane() },
            "chord = 0.0025",
        ),
        (Hull { half_width: 20.0, ..curved() }, "half_width = 20: must be at most a quarter"),
    ] {
        let message = refused(hull);
        assert!(message.starts_with(said), "{message}");
    }
}

#[test]
fn triangles_are_counted_before_they_are_made() {
    for hull in [plane(), curved(), Hull { lip_radius: 0.02, ..plane() }] {
        let (stations, counts) = Form::new(&hull).layout().unwrap();
        assert_eq!(hull.mesh().unwrap().triangles().len(), 2 * stations.len() * counts.points(), "{hull:?}");
    }
}

#[test]
fn measures_at_random_make_a_clean_solid_or_are_refused_by_name() {
    let mut random = 7_u64;
    let (mut made, mut refused) = (0, 0);
    for _ in 0..60 {
        let mut between = |low: f64, high: f64| low + (high - low) * rattleback_random::unit(&mut random);
        let hull = Hull {
            flare: degrees(between(-30.0, 60.0)),
            entrance: degrees(between(-20.0, 60.0)),
            section_radius: (between(0.0, 1.0) < 0.5).then(|| between(1.0, 20.0)),
            pipe_diameter: between(0.2, 0.8),
            pipe_angle: degrees(between(0.0, 85.0)),
            pipe_heading: (between(0.0, 1.0) < 0.5).then(|| degrees(between(-30.0, 60.0))),
            pipe_length: between(1.0, 5.0),
            lip_radius: between(0.02, 0.4),
            half_width: between(0.8, 4.0),
            half_height: between(0.8, 4.0),
            thickness: between(0.02, 0.2),
            chord: 0.01,
        };
        match hull.mesh() {
            Ok(mesh) => {
                sound(&mesh, 1);
                made += 1;
            }
            Err(GeomError::OutOfRange { .. } | GeomError::Inconsistent { .. }) => refused += 1,
            Err(other) => panic!("{hull:?}: {other}"),
        }
    }
    assert!(made > 20 && refused > 5, "{made} made, {refused} refused");
}
