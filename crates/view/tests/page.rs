//! The page in a browser: played, scrubbed, picked and plotted.

use super::browser::{Browser, decode_base64};
use super::sample::{BALLS, BOXES, Folder, PENDULUM, Recording, Serving, feed, recorded, scene};
use rattleback_dynamics::Motion;
use rattleback_geom::Pose;
use rattleback_record::picture::{Camera, Shot, Stage};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// A page with the run of a scene, ready.
fn opened(folder: &Folder, text: &str, width: u32, height: u32) -> Option<(Browser, Serving)> {
    let mut browser = Browser::launch(width, height)?;
    let path = folder.join("run");
    recorded(text, &path);
    let serving = Serving::new(Arc::new(feed(text, &path)));
    browser.open(&serving.url);
    browser.wait_for("document.documentElement.dataset.ready");
    browser.wait_for("rattleback.plot.data");
    Some((browser, serving))
}

/// All went well, and nothing was asked of other hosts.
fn assert_quiet(browser: &mut Browser, serving: &Serving) {
    assert_eq!(browser.complaints(), Vec::<String>::new());
    for url in browser.requests() {
        assert!(url.starts_with(&serving.url) || url.starts_with("blob:") || url == "about:blank", "{url}");
    }
}

#[test]
fn a_run_is_played_stepped_scrubbed_and_looped() {
    let folder = Folder::new();
    let Some((mut browser, serving)) = opened(&folder, BALLS, 1200, 800) else { return };
    assert_eq!(browser.evaluate("document.title"), "Two balls – Rattleback");
    assert_eq!(browser.evaluate("rattleback.frame.number"), 0);
    browser.press(".");
    browser.wait_for("rattleback.frame.number === 1");
    browser.click_on("#next");
    browser.wait_for("rattleback.frame.number === 2");
    browser.press(",");
    browser.wait_for("rattleback.frame.number === 1");
    // Half way along the line of time.
    browser.click_on("#timeline");
    browser.wait_for("rattleback.frame.number === 50");
    assert_eq!(browser.evaluate("document.getElementById('time').textContent"), "0.250 s");
    browser.press("End");
    browser.wait_for("rattleback.frame.number === 100");
    browser.press("Home");
    browser.click_on("#play");
    browser.wait_for("rattleback.player.playing && rattleback.frame.number > 5");
    // Played to its end, it begins again.
    browser.evaluate("rattleback.player.time = 0.49");
    browser.wait_for("rattleback.player.time < 0.4");
    browser.click_on("#play");
    browser.wait_for("!rattleback.player.playing");
    browser.evaluate("rattleback.player.seek(0.05)");
    browser.press("]");
    let first =
        browser.evaluate("rattleback.events.find((event) => event.start > 0.06).start").as_f64().unwrap();
    let time = browser.evaluate("rattleback.player.time").as_f64().unwrap();
    assert!(time > first && time < first + 0.02, "{first} {time}");
    assert_quiet(&mut browser, &serving);
}

#[test]
fn bodies_and_contacts_are_picked_and_plotted_over_each_other() {
    let folder = Folder::new();
    let Some((mut browser, serving)) = opened(&folder, BALLS, 1200, 800) else { return };
    // Where the ball is on the screen.
    let place = |browser: &mut Browser, point: &str| {
        let told = browser.evaluate(&format!(
            "(async () => {{ const {{ project }} = await import('./algebra.js'); const [x, y] = project(rattleback.view.matrix, {point}); \
             const b = document.getElementById('canvas').getBoundingClientRect(); \
             return [b.x + (0.5 + 0.5 * x) * b.width, b.y + (0.5 - 0.5 * y) * b.height]; }})()"
        ));
        [told[0].as_f64().unwrap(), told[1].as_f64().unwrap()]
    };
    let [x, y] = place(&mut browser, "rattleback.frame.poses.subarray(7, 10)");
    browser.click(x, y);
    browser.wait_for("rattleback.choice?.body === 1");
    assert_eq!(browser.evaluate("document.querySelector('#panel h2').textContent"), "ball");
    // Its height is plotted already; its speed is added from the list.
    browser.evaluate("[...document.querySelectorAll('#panel .row-link')].find((b) => b.textContent.startsWith('vz')).click()");
    browser.wait_for("rattleback.plot.curves.includes('ball.vz_m_per_s') && rattleback.plot.data.y.length === rattleback.plot.curves.length");
    // A contact of the second body.
    browser.evaluate("rattleback.player.seek(0.4)");
    browser.wait_for("rattleback.frame.number === 80");
    let [x, y] = place(&mut browser, "rattleback.frame.contacts.subarray(15, 18)");
    browser.click(x, y);
    browser.wait_for("rattleback.choice?.contact");
    let title = browser.evaluate("document.querySelector('#panel h2').textContent");
    assert!(title.as_str().unwrap().starts_with("floor – "), "{title}");
    // Force over depth.
    browser.evaluate("rattleback.setCurves(['floor|ball.normal_force_N'], 'floor|ball.gap_m')");
    browser.wait_for("rattleback.plot.over === 'floor|ball.gap_m' && rattleback.plot.data");
    let told = browser.evaluate(
        "(() => { const d = rattleback.plot.data; const k = d.x.findIndex((x) => x < 0); return [d.x[k], d.y[0][k], d.times[k]]; })()",
    );
    // The law gives the elastic part of the force: 1e5 δ^1.5 times 1 + c δ̇/v₀, within the factor of its restitution.
    let (depth, force) = (-told[0].as_f64().unwrap(), told[1].as_f64().unwrap());
    let elastic = 1e5 * depth.powf(1.5);
    assert!(force > 0.3 * elastic && force < 2.0 * elastic, "{depth} {force} {elastic}");
    // A click on the plot shows that instant.
    browser.click_on("#plot");
    assert!(browser.evaluate("rattleback.plot.data.times.includes(rattleback.player.time)") == true);
    assert_quiet(&mut browser, &serving);
}

#[test]
fn buttons_stay_where_they_are_while_numbers_beside_them_change() {
    let folder = Folder::new();
    let Some((mut browser, serving)) = opened(&folder, BALLS, 1200, 800) else { return };
    browser.evaluate("rattleback.choose({ body: 2 })");
    browser.evaluate("globalThis.kept = [...document.querySelectorAll('#panel button')].find((b) => b.textContent === 'follow')");
    browser.evaluate("kept.focus()");
    let height = "document.querySelectorAll('#panel td.number')[2].textContent";
    let before = browser.evaluate(height);
    browser.evaluate("rattleback.player.seek(0.2)");
    browser.wait_for(&format!("{height} !== '{}'", before.as_str().unwrap()));
    assert_eq!(browser.evaluate("kept.isConnected && document.activeElement === kept"), true);
    // A button that stayed does what it should do now.
    browser.evaluate("kept.click()");
    browser.wait_for("rattleback.follow === 2 && kept.getAttribute('aria-pressed') === 'true'");
    browser.evaluate("kept.click()");
    browser.wait_for("rattleback.follow === null && kept.getAttribute('aria-pressed') === 'false'");
    assert_quiet(&mut browser, &serving);
}

#[test]
fn bodies_are_hidden_cut_and_seen_from_the_sides() {
    let folder = Folder::new();
    let Some((mut browser, serving)) = opened(&folder, BALLS, 1200, 800) else { return };
    let ink = "(() => { rattleback.paint(); const gl = rattleback.renderer.gl; const [w, h] = [gl.drawingBufferWidth, gl.drawingBufferHeight]; \
               const p = new Uint8Array(4 * w * h); gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, p); \
               let n = 0; for (let k = 0; k < p.length; k += 4) if (p[k] < 250 || p[k + 1] < 250) n++; return n; })()";
    browser.evaluate("rattleback.show.flat = true");
    let whole = browser.evaluate(ink).as_f64().unwrap();
    assert!(whole > 1000.0);
    browser.evaluate("document.querySelectorAll('.bodies input[type=checkbox]')[1].click()");
    let less = browser.evaluate(ink).as_f64().unwrap();
    assert!(less > 500.0 && less < 0.7 * whole, "{less} of {whole}");
    browser.evaluate("document.querySelectorAll('.bodies input[type=checkbox]')[1].click()");
    browser.evaluate("rattleback.show.cut = 'x'; rattleback.show.cutPlace = -10");
    assert_eq!(browser.evaluate(ink), 0);
    browser.evaluate("rattleback.show.cut = ''");
    for (key, axis) in [("1", 1), ("4", 0), ("5", 2)] {
        browser.press(key);
        let back = browser.evaluate("rattleback.camera.back");
        let along: f64 = back[axis].as_f64().unwrap();
        assert!(along.abs() > 0.999, "{key}: {back}");
    }
    browser.press("o");
    assert_eq!(browser.evaluate("rattleback.camera.parallel"), true);
    browser.press("0");
    assert_quiet(&mut browser, &serving);
}

/// How many instances a batch of marks has, after a picture.
fn marks(browser: &mut Browser, name: &str) -> u64 {
    let told = browser.evaluate(&format!("(rattleback.paint(), rattleback.renderer.marks.{name}.instances)"));
    told.as_u64().unwrap()
}

#[test]
fn contacts_show_frames_slip_and_ellipses_and_bodies_their_curvature_and_charts() {
    let folder = Folder::new();
    let elastic = BALLS
        .replace("stiffness = \"1e5 N/m^1.5\"", "")
        .replace("density = \"1100 kg/m^3\"", "density = \"1100 kg/m^3\"\nyoung = \"5 MPa\"\npoisson = 0.49");
    let Some((mut browser, serving)) = opened(&folder, &elastic, 1200, 800) else { return };
    browser.evaluate("rattleback.player.seek(0.4)");
    browser.wait_for("rattleback.frame.number === 80");
    let contacts = browser.evaluate("rattleback.frame.contacts.length / 33").as_u64().unwrap();
    assert!(contacts > 0);
    browser.evaluate("Object.assign(rattleback.show, { forces: false, ellipses: false })");
    assert_eq!((marks(&mut browser, "shaft"), marks(&mut browser, "disc")), (0, 0));
    browser.evaluate("Object.assign(rattleback.show, { frames: true, ellipses: true })");
    assert_eq!((marks(&mut browser, "shaft"), marks(&mut browser, "disc")), (3 * contacts, contacts));
    // An ellipse is as wide as the run says, times what the legend says.
    let told = browser.evaluate(
        "(() => { const { marks } = rattleback.renderer; const c = rattleback.frame.contacts; const d = marks.disc.data; \
         return [d[7] / c[24], d[8] / c[25], document.getElementById('legend-text').textContent]; })()",
    );
    let (long, short) = (told[0].as_f64().unwrap(), told[1].as_f64().unwrap());
    assert!((long / short - 1.0).abs() < 1e-5, "{told}");
    let legend = told[2].as_str().unwrap();
    let factor = format!("contact ellipses {} times as large", long.round());
    assert!(
        legend.contains(&factor) || legend.contains("as large as they are") && long.round() == 1.0,
        "{told}"
    );
    browser.evaluate("Object.assign(rattleback.show, { frames: false, slip: true })");
    let slipping = browser.evaluate("rattleback.frame.contacts[23] > 0") == true;
    assert!(!slipping || marks(&mut browser, "shaft") > 0);
    // Curvature colours every pixel of the bodies anew.
    let sum = "(() => { rattleback.paint(); const gl = rattleback.renderer.gl; const [w, h] = [gl.drawingBufferWidth, gl.drawingBufferHeight]; \
               const p = new Uint8Array(4 * w * h); gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, p); \
               let n = 0; for (let k = 0; k < p.length; k += 4) n += p[k] + 2 * p[k + 1] + 3 * p[k + 2]; return n; })()";
    let before = browser.evaluate(sum);
    browser.evaluate("rattleback.show.curvature = true");
    let coloured = browser.evaluate(sum);
    assert_ne!(before, coloured);
    let range = browser.evaluate("rattleback.renderer.parts.curvatureRange(rattleback.looks)");
    // The egg, semi-axes 0.05, 0.04, 0.05: ½(20 + 31.25) at the end of a long axis; the ball 1/0.05.
    assert!(
        (range[0].as_f64().unwrap() - 16.0).abs() < 1e-3
            && (range[1].as_f64().unwrap() - 25.625).abs() < 1e-3
    );
    browser.evaluate("rattleback.show.charts = true; rattleback.paint()");
    browser.wait_for("rattleback.renderer.outlines.length === 2");
    assert_ne!(browser.evaluate(sum), coloured);
    assert_quiet(&mut browser, &serving);
}

#[test]
fn joints_and_springs_are_picked_and_tell_their_numbers() {
    let folder = Folder::new();
    let Some((mut browser, serving)) = opened(&folder, PENDULUM, 1200, 800) else { return };
    browser.evaluate("rattleback.player.seek(0.2)");
    browser.wait_for("rattleback.frame.number === 20");
    browser.evaluate("rattleback.show.joints = true; rattleback.paint()");
    let pick = |browser: &mut Browser, point: &str| {
        browser.evaluate(&format!(
            "(async () => {{ const {{ project }} = await import('./algebra.js'); rattleback.paint(); \
             const [x, y] = project(rattleback.view.matrix, {point}); const c = document.getElementById('canvas'); \
             rattleback.pick((0.5 + 0.5 * x) * c.clientWidth, (0.5 - 0.5 * y) * c.clientHeight); }})()"
        ));
    };
    pick(&mut browser, "[0, 0, 0]");
    assert_eq!(browser.evaluate("rattleback.choice.joint"), 0);
    browser.wait_for(
        "rattleback.plot.curves[0] === 'joint hinge.force_x_N' && rattleback.plot.data.y.length === 3",
    );
    browser.wait_for("document.querySelectorAll('#panel td.number').length > 6");
    let shown = browser.evaluate("rattleback.now.values[0]").as_f64().unwrap();
    let plotted = browser.evaluate("rattleback.plot.data.y[0][20]").as_f64().unwrap();
    assert_eq!(shown, plotted);
    // Off the middle of the spring, whose wire winds about it, lies the wire itself at some place.
    let found = browser.evaluate(
        "(async () => { const { project } = await import('./algebra.js'); const { renderer, frame, view } = rattleback; \
         const c = document.getElementById('canvas'); const [a, b] = renderer.lineEnds(renderer.geometry.lines[0], frame.poses); \
         for (let k = 10; k < 90; k++) { const s = k / 100; const [x, y] = project(view.matrix, a.map((v, i) => v + (b[i] - v) * s)); \
           rattleback.pick((0.5 + 0.5 * x) * c.clientWidth, (0.5 - 0.5 * y) * c.clientHeight); \
           if (rattleback.choice?.line === 0) return rattleback.lineLength(0); } return null; })()",
    );
    let bob = browser.evaluate("[...rattleback.frame.poses.subarray(7, 10)]");
    let place = |k: usize| bob[k].as_f64().unwrap();
    let length = (place(0) - 0.5).hypot(place(2) - 0.6);
    assert!((found.as_f64().unwrap() - length).abs() < 1e-6, "{found} {length}");
    assert_quiet(&mut browser, &serving);
}

#[test]
fn a_bench_page_prints_frame_times() {
    let folder = Folder::new();
    let Some(mut browser) = Browser::launch(600, 400) else { return };
    let path = folder.join("run");
    recorded(BALLS, &path);
    let serving = Serving::new(Arc::new(feed(BALLS, &path)));
    browser.open(&format!("{}bench.html", serving.url));
    browser.wait_for("document.documentElement.dataset.ready && globalThis.bench");
    let told = browser.evaluate("bench(30)");
    for (row, is_moving) in [(0, false), (1, true)] {
        let told = &told[row];
        assert_eq!((told["count"].as_u64(), told["isMoving"].as_bool()), (Some(30), Some(is_moving)));
        assert!(told["median"].as_f64().unwrap() > 0.0 && told["triangles"].as_f64().unwrap() > 30.0 * 12.0);
    }
    assert_eq!(browser.evaluate("document.querySelectorAll('#rows tr').length"), 2);
    assert_quiet(&mut browser, &serving);
}

/// The share of the pixels of a body, in either picture, that are a body's in one of them alone: of the page and of the
/// software renderer, in the same size from the same camera at the same frame. A pixel of the latter is a body's where it
/// differs by more than `least` from the empty picture.
fn silhouettes_differ(browser: &mut Browser, text: &str, path: &Path, number: u64, least: u8) -> f64 {
    let (width, height) = (640u32, 400u32);
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
        let differing = silhouettes_differ(&mut browser, text, &path, number, 0);
        assert!(differing < 0.02, "{name}: {differing}");
    }
}

#[test]
fn springs_and_rods_are_drawn_as_the_software_renderer_draws_them() {
    let folder = Folder::new();
    let Some(mut browser) = Browser::launch(1200, 800) else { return };
    let path = folder.join("run");
    recorded(PENDULUM, &path);
    // Wires are two pixels wide: those that they cover by less than a third are no one's.
    let differing = silhouettes_differ(&mut browser, PENDULUM, &path, 20, 50);
    assert!(differing < 0.08, "{differing}");
}

#[test]
fn a_run_is_watched_while_it_goes_on() {
    let folder = Folder::new();
    let Some(mut browser) = Browser::launch(1200, 800) else { return };
    let path = folder.join("run");
    let mut recording = Recording::new(BALLS, &path);
    let feed = Arc::new(feed(BALLS, &path));
    let serving = Serving::new(feed.clone());
    let (go, wait) = std::sync::mpsc::channel::<()>();
    let run = std::thread::spawn(move || {
        recording.run(|outputs| {
            if outputs == 40 {
                wait.recv().unwrap();
            }
            std::thread::sleep(Duration::from_millis(5));
        });
    });
    let stopped = Arc::new(std::sync::atomic::AtomicBool::new(false));
    let follower = {
        let (feed, stopped) = (feed.clone(), stopped.clone());
        std::thread::spawn(move || feed.keep_following(|| stopped.load(std::sync::atomic::Ordering::SeqCst)))
    };
    browser.open(&serving.url);
    browser.wait_for("document.documentElement.dataset.ready");
    browser.wait_for("rattleback.player.status.state === 'running'");
    browser.evaluate("rattleback.player.follow(true)");
    go.send(()).unwrap();
    browser.wait_for("rattleback.player.status.state === 'finished' && rattleback.frame.number === 100");
    run.join().unwrap();
    stopped.store(true, std::sync::atomic::Ordering::SeqCst);
    follower.join().unwrap();
    assert_quiet(&mut browser, &serving);
}

/// With `RATTLEBACK_SCREENSHOTS` a folder gets the pictures, to be looked at.
#[test]
fn the_page_fits_laptops_and_telephones_in_light_and_dark_and_names_all_its_parts() {
    let folder = Folder::new();
    let Some((mut browser, serving)) = opened(&folder, BALLS, 1440, 900) else { return };
    let shots = std::env::var_os("RATTLEBACK_SCREENSHOTS").map(std::path::PathBuf::from);
    browser.evaluate("rattleback.player.seek(0.15)");
    for (width, height) in [(1440, 900), (390, 844)] {
        for scheme in ["light", "dark"] {
            browser.prefer(scheme);
            browser.resize(width, height);
            browser.evaluate(&format!("rattleback.setTheme('{scheme}')"));
            for tab in ["bodies", "chosen", "show", "run"] {
                browser.evaluate("rattleback.choose({ body: 1 })");
                browser.evaluate(&format!("rattleback.panels.open('{tab}')"));
                let wide = browser.evaluate("document.documentElement.scrollWidth").as_f64().unwrap();
                assert!(wide <= f64::from(width), "{tab} is {wide} wide at {width}");
                let nameless = browser.evaluate(
                    "[...document.querySelectorAll('button, input, select, canvas')].filter((e) => !(e.textContent.trim() \
                     || e.ariaLabel || e.closest('label')?.textContent.trim())).map((e) => e.outerHTML)",
                );
                assert_eq!(nameless, serde_json::json!([]), "{tab}");
                if let Some(shots) = &shots {
                    std::thread::sleep(Duration::from_millis(500));
                    browser.screenshot(&shots.join(format!("view-{tab}-{width}-{scheme}.png")));
                }
            }
        }
    }
    assert_quiet(&mut browser, &serving);
}
