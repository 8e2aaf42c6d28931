//! The page in a browser: played, scrubbed, picked and plotted.

use super::browser::Browser;
use super::sample::{BALLS, Folder, Recording, Serving, feed, recorded};
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
