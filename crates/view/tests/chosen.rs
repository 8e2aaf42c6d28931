//! Bodies, contacts, joints and springs in the page: marked, picked, told and plotted.

use super::browser::Browser;
use super::page::{assert_quiet, opened};
use super::sample::{BALLS, Folder, PENDULUM};

/// How many instances a batch of marks has, after a picture.
fn marks(browser: &mut Browser, name: &str) -> u64 {
    let told = browser.evaluate(&format!("(rattleback.paint(), rattleback.renderer.marks.count('{name}'))"));
    told.as_u64().unwrap()
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
