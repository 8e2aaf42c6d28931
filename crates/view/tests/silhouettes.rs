//! The page's picture held to that of the software renderer.

use super::browser::{Browser, decode_base64};
use super::page::assert_quiet;
use super::sample::{BALLS, BOXES, Folder, PENDULUM, Serving, feed, recorded, scene};
use rattleback_dynamics::Motion;
use rattleback_geom::Pose;
use rattleback_record::picture::{Camera, Shot, Stage};
use std::path::Path;
use std::sync::Arc;

/// Pixels of the pictures that are compared.
const SIZE: [u32; 2] = [640, 400];

/// How pictures are made and compared.
#[derive(Debug, Clone, Copy)]
struct Comparison {
    /// Pixels to each side that are drawn for one that is compared, whose share that bodies cover is that of those.
    fine: u32,
    /// A pixel of the software renderer is a body's where it differs by more than this from the empty picture.
    least: u8,
    /// Whether the page draws as while things move: in three quarters of the pixels, one sample each, small balls without
    /// triangles. These pixels are held to those that are covered by more than half.
    moving: bool,
}

const WHOLE: Comparison = Comparison { fine: 1, least: 0, moving: false };

/// The area that bodies cover in one picture alone as a share of what they cover in either: of the page and of the
/// software renderer, in the same size from the same camera at the same frame.
fn silhouettes_differ(
    browser: &mut Browser,
    text: &str,
    path: &Path,
    number: u64,
    Comparison { fine, least, moving }: Comparison,
) -> f64 {
    let [width, height] = SIZE.map(|side| side * fine);
    let page_fine = if moving { 1 } else { fine };
    let [page_width, page_height] = SIZE.map(|side| side * page_fine);
    let serving = Serving::new(Arc::new(feed(text, path)));
    browser.open(&serving.url);
    browser.wait_for("document.documentElement.dataset.ready && rattleback.pace");
    browser.evaluate(&format!("rattleback.player.seek(rattleback.player.timeOf({number}))"));
    browser.wait_for(&format!("rattleback.frame.number === {number}"));
    // What moves is drawn in three quarters of the pixels to each side, and small balls without triangles.
    let (coarse, share) = if moving { (1, 0.75) } else { (0, 1.0) };
    // Bodies in plain colours on white, without floor and marks, with all pixels as of what stands still.
    let drawn = browser.evaluate(&format!(
        "(() => {{ const a = rattleback; a.show.flat = true; a.looks[0].hidden = a.about.bodies[0].name === 'floor'; \
         a.renderer.moving = {moving}; a.renderer.coarse = {coarse}; \
         const c = a.renderer.canvas; c.style.width = '{}px'; c.style.height = '{}px'; a.paint(); \
         return [c.toDataURL('image/png'), a.renderer.parts.smallBalls?.instances ?? 0]; }})()",
        f64::from(page_width) / share,
        f64::from(page_height) / share,
    ));
    let png = decode_base64(drawn[0].as_str().unwrap().split(',').nth(1).unwrap());
    let mut reader = png::Decoder::new(std::io::Cursor::new(png)).read_info().unwrap();
    let mut page = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut page).unwrap();
    assert_eq!((info.width, info.height), (page_width, page_height));
    let channels = info.color_type.samples();
    let told = browser.evaluate("rattleback.about.camera");
    let vector = |key: &str| rattleback_geom::Vec3::from_fn(|i, _| told[key][i].as_f64().unwrap());
    let camera = Camera {
        eye: vector("eye"),
        target: vector("target"),
        up: vector("up"),
        field_of_view: told["fov"].as_f64().unwrap(),
    };
    let scene = scene(text);
    let mut stage = Stage::new(&scene.model).unwrap();
    if let Some(floor) = scene.model.find("floor") {
        stage.set_look(floor, rattleback_record::picture::Look { colour: None, hidden: true }).unwrap();
    }
    let poses = browser.evaluate("[...rattleback.frame.poses]");
    let motions: Vec<Motion> = (0..scene.model.bodies().len())
        .map(|body| {
            let number = |k: usize| poses[7 * body + k].as_f64().unwrap();
            let [x, y, z, w, i, j, k] = [0, 1, 2, 3, 4, 5, 6].map(number);
            Motion::at_rest(Pose::from_parts([x, y, z], [w, i, j, k]).unwrap())
        })
        .collect();
    let shot = Shot { width, height, ..Shot::new(camera) };
    let own = stage.draw(&motions, &shot).unwrap().image;
    let away: Vec<Motion> =
        motions.iter().map(|_| Motion::at_rest(Pose::from_position(1e6, 1e6, -1e6))).collect();
    let blank = stage.draw(&away, &shot).unwrap().image;
    let (mut apart, mut either) = (0u32, 0u32);
    for block in 0..SIZE[0] * SIZE[1] {
        let [column, row] = [block % SIZE[0], block / SIZE[0]];
        let (mut in_page, mut in_own) = (0u32, 0u32);
        for k in 0..fine * fine {
            let (x, y) = (column * fine + k % fine, row * fine + k / fine);
            let (seen, empty) = (own.pixel(x, y), blank.pixel(x, y));
            in_own += u32::from((0..3).any(|k| seen[k].abs_diff(empty[k]) > least));
            let [x, y] = if moving { [column, row] } else { [x, y] };
            let at = channels * (y * page_width + x) as usize;
            in_page += u32::from(page[at] < 200 || page[at + 1] < 200);
        }
        if moving {
            in_own = if 2 * in_own > fine * fine { fine * fine } else { 0 };
        }
        apart += in_page.abs_diff(in_own);
        either += in_page.max(in_own);
    }
    assert!(either > 2000 * fine * fine, "{either}");
    let smalls = drawn[1].as_u64().unwrap();
    assert_eq!(smalls > 0, moving && text.contains("ellipsoid"), "{smalls}");
    assert_quiet(browser, &serving);
    // The page asks on until another one takes its place.
    browser.open("about:blank");
    browser.wait_for("location.href === 'about:blank'");
    browser.forget();
    f64::from(apart) / f64::from(either)
}

/// A prism, a ring and a superellipsoid at rest beside each other.
const SHAPES: &str = r#"
title = "Shapes"
gravity = [0, 0, 0]

[[bodies]]
name = "prism"
mass = "1 kg"
inertia = [1, 1, 1]
orientation = { axis = [1, 2, 3], angle = "50 deg" }
parts = [{ shape = { type = "mesh", file = "prism.obj" } }]

[[bodies]]
name = "ring"
mass = "1 kg"
inertia = [1, 1, 1]
position = [3, 0, 0]
orientation = { axis = [1, 0, 0], angle = "40 deg" }
parts = [{ shape = { type = "torus", major_radius = 0.8, minor_radius = 0.25 } }]

[[bodies]]
name = "superellipsoid"
mass = "1 kg"
inertia = [1, 1, 1]
position = [6, 0, 0]
orientation = { axis = [1, 1, 0], angle = "30 deg" }
parts = [{ shape = { type = "superellipsoid", semi_axes = [1.0, 0.7, 0.5], exponents = [3, 4] } }]

[solver]
type = "explicit"

[run]
duration = "10 ms"

[output]
every = "10 ms"
"#;

/// Small ellipsoids in a lattice, each turned another way.
const GRAINS: &str = r#"
title = "Grains"
gravity = [0, 0, 0]

[materials.grain]
density = "1000 kg/m^3"

[[bodies]]
name = "grain"
position = [0, 0, 0]
shape = { type = "ellipsoid", semi_axes = [0.10, 0.07, 0.05] }
material = "grain"

[bodies.copies]
count = [9, 8, 8]
spacing = [0.35, 0.35, 0.35]
turn = 1.0

[solver]
type = "many"
step = "1 ms"

[run]
duration = "10 ms"

[output]
every = "10 ms"
"#;

const PRISM: &str = "v -1 -0.6 -0.5\nv 1 -0.6 -0.5\nv 0 0.9 -0.5\nv -1 -0.6 0.5\nv 1 -0.6 0.5\nv 0 0.9 0.5\n\
    f 1 3 2\nf 4 5 6\nf 1 2 5 4\nf 2 3 6 5\nf 3 1 4 6\n";

#[test]
fn silhouettes_are_those_of_the_software_renderer() {
    let folder = Folder::new();
    let Some(mut browser) = Browser::launch(1200, 800) else { return };
    std::fs::write(folder.join("prism.obj"), PRISM).unwrap();
    let shapes = SHAPES.replace("prism.obj", &folder.join("prism.obj").display().to_string());
    // The page takes four samples of a pixel and the other renderer nine: what is a few pixels wide is compared by the
    // area that it covers. Of the finer pixels those of which it covers less than a third are no one's.
    let by_area = Comparison { fine: 3, least: 50, moving: false };
    for (name, text, number, how) in [
        ("balls", BALLS, 0, WHOLE),
        ("balls later", BALLS, 60, WHOLE),
        ("boxes", BOXES, 10, WHOLE),
        ("mesh, ring, superellipsoid", &shapes, 0, WHOLE),
        ("grains", GRAINS, 0, by_area),
        ("grains in motion", GRAINS, 1, Comparison { moving: true, ..by_area }),
        ("springs and rods", PENDULUM, 20, Comparison { fine: 4, ..by_area }),
    ] {
        let path = folder.join(name);
        recorded(text, &path);
        let differing = silhouettes_differ(&mut browser, text, &path, number, how);
        println!("{name}: {differing}");
        assert!(differing < 0.02, "{name}: {differing}");
    }
}
