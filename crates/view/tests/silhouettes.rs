//! The page's picture held to that of the software renderer.

use super::browser::{Browser, decode_base64};
use super::page::assert_quiet;
use super::sample::{BALLS, BOXES, Folder, PENDULUM, Serving, feed, recorded, scene};
use rattleback_dynamics::Motion;
use rattleback_geom::Pose;
use rattleback_record::picture::{Camera, Shot, Stage};
use std::path::Path;
use std::sync::Arc;

/// The share of the pixels of a body, in either picture, that are a body's in one of them alone: of the page and of the
/// software renderer, in the same size from the same camera at the same frame. A pixel of the latter is a body's where
/// it differs by more than `least` from the empty picture.
fn silhouettes_differ(
    browser: &mut Browser,
    text: &str,
    path: &Path,
    number: u64,
    [width, height]: [u32; 2],
    least: u8,
) -> f64 {
    let serving = Serving::new(Arc::new(feed(text, path)));
    browser.open(&serving.url);
    browser.wait_for("document.documentElement.dataset.ready && rattleback.pace");
    browser.evaluate(&format!("rattleback.player.seek(rattleback.player.timeOf({number}))"));
    browser.wait_for(&format!("rattleback.frame.number === {number}"));
    // Bodies in plain colours on white, without floor and marks, with all pixels as of what stands still.
    let url = browser.evaluate(&format!(
        "(() => {{ const a = rattleback; a.show.flat = true; a.looks[0].hidden = a.about.bodies[0].name === 'floor'; \
         a.renderer.moving = false; a.renderer.coarse = 0; \
         const c = a.renderer.canvas; c.style.width = '{width}px'; c.style.height = '{height}px'; a.paint(); \
         return c.toDataURL('image/png'); }})()"
    ));
    let png = decode_base64(url.as_str().unwrap().split(',').nth(1).unwrap());
    let mut reader = png::Decoder::new(std::io::Cursor::new(png)).read_info().unwrap();
    let mut page = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut page).unwrap();
    assert_eq!((info.width, info.height), (width, height));
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
    let (mut both, mut either) = (0u32, 0u32);
    for y in 0..height {
        for x in 0..width {
            let at = channels * (y * width + x) as usize;
            let in_page = page[at] < 200 || page[at + 1] < 200;
            let (seen, empty) = (own.pixel(x, y), blank.pixel(x, y));
            let in_own = (0..3).any(|k| seen[k].abs_diff(empty[k]) > least);
            both += u32::from(in_page && in_own);
            either += u32::from(in_page || in_own);
        }
    }
    assert!(either > 2000, "{either}");
    assert_quiet(browser, &serving);
    // The page asks on until another one takes its place.
    browser.open("about:blank");
    browser.wait_for("location.href === 'about:blank'");
    browser.forget();
    f64::from(either - both) / f64::from(either)
}

#[test]
fn silhouettes_are_those_of_the_software_renderer() {
    let folder = Folder::new();
    let Some(mut browser) = Browser::launch(1200, 800) else { return };
    for (name, text, number) in [("balls", BALLS, 0), ("balls later", BALLS, 60), ("boxes", BOXES, 10)] {
        let path = folder.join(name);
        recorded(text, &path);
        let differing = silhouettes_differ(&mut browser, text, &path, number, [640, 400], 0);
        assert!(differing < 0.02, "{name}: {differing}");
    }
}

#[test]
fn springs_and_rods_are_drawn_as_the_software_renderer_draws_them() {
    let folder = Folder::new();
    let Some(mut browser) = Browser::launch(1200, 800) else { return };
    let path = folder.join("run");
    recorded(PENDULUM, &path);
    // Pixels that a wire covers by less than a third are no one's. The page takes four samples of a pixel and the other
    // renderer nine, so that a wire of two pixels differs by the samples alone; in four times as many pixels to each
    // side it is eight wide, and what is left is what is drawn.
    for (size, most) in [([640, 400], 0.08), ([2560, 1600], 0.02)] {
        let differing = silhouettes_differ(&mut browser, PENDULUM, &path, 20, size, 50);
        assert!(differing < most, "{size:?}: {differing}");
    }
}
