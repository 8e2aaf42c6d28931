//! The page in a browser: played, scrubbed, picked and plotted.

use super::browser::Browser;
use super::sample::{BALLS, Folder, PENDULUM, Recording, Serving, feed, recorded};
use std::sync::Arc;
use std::time::Duration;

/// A page with the run of a scene, ready.
pub fn opened(folder: &Folder, text: &str, width: u32, height: u32) -> Option<(Browser, Serving)> {
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
pub fn assert_quiet(browser: &mut Browser, serving: &Serving) {
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
    let told = browser.evaluate(&format!("(rattleback.paint(), rattleback.renderer.marks.count('{name}'))"));
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
        "(() => { const { marks } = rattleback.renderer; const c = rattleback.frame.contacts; const d = marks.instances('disc'); \
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
    // Marks keep their colours: arrows of forces are red, which is none of those of curvatures.
    let red = "(() => { rattleback.paint(); const gl = rattleback.renderer.gl; const [w, h] = [gl.drawingBufferWidth, gl.drawingBufferHeight]; \
               const p = new Uint8Array(4 * w * h); gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, p); \
               let n = 0; for (let k = 0; k < p.length; k += 4) n += p[k] > 120 && p[k + 1] < 70 && p[k + 2] < 70 ? 1 : 0; return n; })()";
    browser.evaluate("rattleback.show.ellipses = false");
    assert_eq!(browser.evaluate(red), 0);
    browser.evaluate("rattleback.show.forces = true");
    assert!(browser.evaluate(red).as_u64().unwrap() > 50);
    browser.evaluate("rattleback.show.forces = false");
    browser.evaluate("rattleback.show.charts = true; rattleback.paint()");
    browser.wait_for("rattleback.renderer.lineArt.outlines.length === 2");
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
    // Its tension over time, k (L − L₀), is that at every frame, and the panel tells it.
    browser.evaluate("rattleback.keepsCurves = false, rattleback.choose({ line: 0 }), 0");
    browser.wait_for(
        "rattleback.plot.curves[0] === 'spring 1.tension_N' && rattleback.plot.data?.y.length === 1",
    );
    let plotted = browser.evaluate("rattleback.plot.data.y[0][20]").as_f64().unwrap();
    let tension = 20.0 * (length - 0.4);
    assert!((plotted - tension).abs() < 1e-4 && tension > 1.0, "{plotted} {tension}");
    browser.wait_for("rattleback.now.values.length === 4");
    let now = browser.evaluate("rattleback.now.values");
    assert!((now[0].as_f64().unwrap() - length).abs() < 1e-6 && now[2] == plotted, "{now}");
    assert!((now[3].as_f64().unwrap() - 10.0 * (length - 0.4).powi(2)).abs() < 1e-4, "{now}");
    let told = browser.evaluate("document.querySelector('#panel').textContent");
    assert!(told.as_str().unwrap().contains("tension"), "{told}");
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

/// A speck of dust and a moon, with names and a title of markup and quotation marks; nothing touches.
const STRANGE: &str = r#"
title = "</script><img src=x onerror='globalThis.hit=1'>\"quoted\" & <b>bold</b>"
gravity = [0, 0, 0]

[[bodies]]
name = "<i>dust's</i> & co"
mass = "1e-15 kg"
inertia = [1e-28, 1e-28, 1e-28]
velocity = [1e-6, 0, 0]
position = [0, 0, 0]
shape = { type = "sphere", radius = "1 um" }

[[bodies]]
name = "moon \"quoted\""
mass = "7e22 kg"
inertia = [8e34, 8e34, 8e34]
position = [4e8, 0, 0]
shape = { type = "sphere", radius = "1.7e6 m" }

[run]
duration = "0.1 s"

[output]
every = "50 ms"
"#;

#[test]
fn markup_in_names_is_text_and_bodies_of_all_sizes_are_brought_before_the_eye() {
    let folder = Folder::new();
    let Some((mut browser, serving)) = opened(&folder, STRANGE, 1200, 800) else { return };
    let told = browser.evaluate("[...document.querySelectorAll('.bodies .name')].map((e) => e.textContent)");
    assert_eq!(told, serde_json::json!(["<i>dust's</i> & co", "moon \"quoted\""]));
    for body in [0, 1] {
        browser.evaluate(&format!("rattleback.choose({{ body: {body} }})"));
        browser.press("z");
        browser.wait_for("rattleback.view.distance === rattleback.camera.distance && !rattleback.dirty");
        browser.evaluate(
            "(() => { const c = document.getElementById('canvas'); rattleback.choose(null); \
             rattleback.pick(c.clientWidth / 2, c.clientHeight / 2); })()",
        );
        assert_eq!(browser.evaluate("rattleback.choice?.body"), body);
        browser.wait_for("document.querySelectorAll('#panel td.number').length > 4");
    }
    assert_quiet(&mut browser, &serving);
    // The same in a page to send.
    let page = folder.join("page.html");
    let feed = feed(STRANGE, &folder.join("run"));
    rattleback_view::export(&feed, &page, &rattleback_view::FilmOptions::default()).unwrap();
    browser.open(&format!("file://{}", page.display()));
    browser.wait_for("location.protocol === 'file:' && document.documentElement.dataset.ready");
    let title = browser.evaluate("document.getElementById('title').textContent");
    assert!(title.as_str().unwrap().starts_with("</script><img"), "{title}");
    assert_eq!(browser.evaluate("typeof globalThis.hit"), "undefined");
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
