//! The pages of the studio in a browser, which is started once.

use super::browser::Browser;
use super::{SCENE, Served, assert_same};
use crate::command::{folder, rattleback};
use serde_json::json;

#[test]
fn mistakes_are_told_at_their_place() {
    let folder = folder("studio_check");
    let served = Served::new(&folder, &["studio"]);
    let wrong = SCENE.replace("\"5 cm\"", "\"5 kg\"");
    let (_, told) = served.post("api/check", json!({"text": wrong, "name": "ball"}));
    let complaint = &told["complaints"][0];
    assert_eq!(
        (complaint["line"].as_u64(), complaint["key"].as_str()),
        (Some(17), Some("bodies[1].shape.radius"))
    );
}

#[test]
fn the_pages_of_the_studio_do_what_they_say() {
    let Some(mut browser) = Browser::launch(1440, 900) else { return };
    texts_forms_handles_and_runs(&mut browser);
    a_run_goes_on_step_by_step(&mut browser);
    an_anchor_is_heaved(&mut browser);
    a_walk_is_checked(&mut browser);
}

/// Asserts that the page complained of nothing and asked nobody but the studio; then leaves it.
fn leave(browser: &mut Browser, served: &Served) {
    let complaints = browser.complaints();
    assert!(complaints.is_empty(), "{complaints:?}");
    for url in browser.requests() {
        assert!(url.starts_with("http://127.0.0.1:") || url == "about:blank", "{url}");
    }
    assert!(browser.requests().iter().any(|url| url.starts_with(&served.url)));
    // Before the server is gone.
    browser.open("about:blank");
    browser.wait_for("location.href === 'about:blank'");
}

/// Asserts that what is shown can be read and used, on a laptop and a telephone, light and dark.
fn assert_looks(browser: &mut Browser, what: &str) {
    const NOTHING: [&str; 0] = [];
    assert_eq!(browser.looks("studio", what), NOTHING);
}

/// Types a text in place of that of the scene.
fn typed(text: &str) -> String {
    format!(
        "(() => {{ const t = document.getElementById('text'); t.value = {}; t.dispatchEvent(new Event('input')); }})()",
        json!(text)
    )
}

/// Puts a value into a field and says that it changed.
fn filled(selector: &str, value: &str) -> String {
    format!(
        "(() => {{ const i = document.querySelector({selector:?}); i.value = {value:?}; i.dispatchEvent(new Event('change')); }})()"
    )
}

const TEXT: &str = "document.getElementById('text').value";

fn texts_forms_handles_and_runs(browser: &mut Browser) {
    let folder = folder("studio_page");
    std::fs::write(folder.join("ball.toml"), SCENE).unwrap();
    let served = Served::new(&folder, &["studio", "ball.toml"]);
    browser.open(&served.url);
    browser.wait_for("document.documentElement.dataset.ready && studio.viewer('preview')?.frame");
    assert_eq!(browser.evaluate("studio.viewer('preview').about.bodies.length"), 2);
    // A mistake is typed.
    let wrong = SCENE.replace("\"5 cm\"", "\"5 kg\"");
    browser.evaluate(&typed(&wrong));
    browser.wait_for("studio.complaints.length === 1");
    assert_eq!(browser.evaluate("document.querySelector('#marks u').textContent"), "\"5 kg\"");
    assert_eq!(browser.evaluate("document.getElementById('run').disabled"), true);
    browser.evaluate("studio.setMode('both')");
    assert_looks(browser, "a mistake in text and form");
    browser.evaluate("studio.setMode('text')");
    // The form opens what has become wrong, and says so there.
    let told = "(() => { const f = document.querySelector('[data-path=\"bodies[1].shape.radius\"] .complaint'); \
                const closed = f.closest('details:not([open])'); return closed ? '' : f.textContent; })()";
    assert!(browser.evaluate(told).as_str().unwrap().contains("expected a length"));
    browser.evaluate(&typed(SCENE));
    browser.wait_for("studio.complaints.length === 0 && studio.checked.valid");
    // The form changes the text, and the picture follows.
    browser.click_on("#mode-form");
    browser.evaluate(
        "studio.form.open = new Set(['bodies', 'bodies[1]', 'bodies[1].shape']), studio.form.show(studio.checked.tree, []), 0",
    );
    browser.evaluate(&filled("[data-path=\"bodies[1].shape.radius\"] input", "7 cm"));
    browser.wait_for(&format!(
        "{TEXT}.includes('radius = \"7 cm\"') && studio.checked.tree.bodies[1].shape.radius === '7 cm'"
    ));
    assert_eq!(browser.evaluate(TEXT).as_str().unwrap(), SCENE.replace("\"5 cm\"", "\"7 cm\""));
    // Shapes are chosen among all that there are; what a field takes is told where it has the focus.
    let kind = "document.querySelector('[data-path=\"bodies[1].shape\"] select')";
    assert_eq!(browser.evaluate(&format!("{kind}.value")), "sphere");
    assert!(browser.evaluate(&format!("{kind}.options.length")).as_u64().unwrap() > 30);
    browser.evaluate("document.querySelector('[data-path=\"bodies[1].shape.radius\"] input').focus()");
    let hint = browser.evaluate("document.querySelector('.hint').textContent");
    assert!(hint.as_str().unwrap().contains("text with a unit"), "{hint}");
    browser.evaluate(&format!("{kind}.value = 'ellipsoid', {kind}.dispatchEvent(new Event('change')), 0"));
    browser.wait_for("studio.checked.tree.bodies[1].shape.semi_axes?.length === 3");
    browser.evaluate("studio.undo()");
    browser.wait_for("studio.checked.tree.bodies[1].shape.radius === '7 cm' && studio.checked.valid");
    // A copy has a name of its own, and can be taken away.
    browser.evaluate("document.querySelector('[aria-label=\"Copy bodies[1]\"]').click()");
    browser.wait_for("studio.checked.tree.bodies.length === 3 && studio.checked.valid");
    assert_eq!(browser.evaluate("studio.checked.tree.bodies[2].name"), "ball 2");
    browser.evaluate("document.querySelector('[aria-label=\"Remove bodies[2]\"]').click()");
    browser.wait_for("studio.checked.tree.bodies.length === 2 && studio.checked.valid");
    handles_move_and_turn(browser);
    // It is run and watched while it goes on.
    browser.wait_for("studio.checked.valid && !document.getElementById('run').disabled");
    browser.click_on("#run");
    browser.wait_for("studio.viewer(0)?.player?.status.state === 'finished' && studio.viewer(0).frame");
    assert_eq!(browser.evaluate("studio.viewer(0).player.status.frames"), 501);
    assert!(
        rattleback(&folder, &["run", "ball.toml", "--quiet", "--no-report", "-o", "own"]).status.success()
    );
    assert_same(&folder.join("results/ball"), &folder.join("own"));
    two_runs_are_compared(browser);
    leave(browser, &served);
}

/// The ball is chosen; keys at its handles move it up by a step and turn it by a degree, and the text follows.
fn handles_move_and_turn(browser: &mut Browser) {
    browser
        .wait_for("studio.viewer('preview').handles && studio.viewer('preview').about.bodies.length === 2");
    browser.evaluate("studio.viewer('preview').choose({ body: 1 }), studio.viewer('preview').paint(), 0");
    let press = |handle: &str, key: &str| {
        format!(
            "studio.views.get('preview').contentDocument.querySelector('[data-handle={handle}]')\
             .dispatchEvent(new KeyboardEvent('keydown', {{ key: '{key}' }}))"
        )
    };
    let height = "Number.parseFloat(studio.checked.tree.bodies[1].position[2])";
    assert_eq!(browser.evaluate(height), 12.0);
    browser.evaluate(&press("move-z", "ArrowUp"));
    browser.wait_for(&format!("{height} > 12 && studio.checked.valid"));
    assert!(browser.evaluate(TEXT).as_str().unwrap().contains("position = [0, 0, \"12."), "the unit stays");
    browser.evaluate(&press("turn-y", "ArrowRight"));
    browser.wait_for("studio.checked.tree.bodies[1].orientation?.angle === '1 deg'");
    assert_eq!(browser.evaluate("studio.checked.tree.bodies[1].orientation.axis"), json!([0, 1, 0]));
    // By mouse: the arrow is dragged upwards.
    let tip = browser.evaluate(
        "(() => { const f = studio.views.get('preview'); const b = f.getBoundingClientRect(); \
         const d = f.contentDocument.querySelector('[data-handle=move-z]').getAttribute('d'); \
         const [, x, y] = /L([0-9.]+) ([0-9.]+)/.exec(d); return [b.x + Number(x), b.y + Number(y) + 6]; })()",
    );
    let before = browser.evaluate(height).as_f64().unwrap();
    let [x, y] = [0, 1].map(|k| tip[k].as_f64().unwrap());
    for (kind, lift) in
        [("mousePressed", 0.0), ("mouseMoved", 15.0), ("mouseMoved", 30.0), ("mouseReleased", 30.0)]
    {
        let event =
            json!({"type": kind, "x": x, "y": y - lift, "button": "left", "buttons": 1, "clickCount": 1});
        browser.call("Input.dispatchMouseEvent", event);
    }
    browser.wait_for(&format!("{height} > {} && studio.checked.valid", before + 0.2));
    // All of it is undone.
    (0..3).for_each(|_| drop(browser.evaluate("studio.undo()")));
    browser.wait_for(&format!("{height} === 12 && studio.checked.valid"));
}

/// A scene goes on output by output, by a button and by a key, to the bytes of a run that was not stopped.
fn a_run_goes_on_step_by_step(browser: &mut Browser) {
    let folder = folder("studio_steps");
    std::fs::write(
        folder.join("ball.toml"),
        SCENE.replace("\"0.5 s\"", "\"4 ms\"\n\n[output]\nevery = \"1 ms\""),
    )
    .unwrap();
    let served = Served::new(&folder, &["studio", "ball.toml"]);
    browser.open(&served.url);
    browser.wait_for("document.documentElement.dataset.ready && studio.viewer('preview')?.frame");
    browser.click_on("#step");
    let at = |frame: u32, state: &str| {
        format!(
            "!studio.isStepping && studio.runs.length === 1 && studio.runs[0].state === '{state}' && \
             studio.viewer(0)?.frame?.number === {frame} && studio.viewer(0).player.status.frames === {}",
            frame + 1
        )
    };
    browser.wait_for(&at(1, "stopped"));
    browser.press("F10");
    browser.wait_for(&at(2, "stopped"));
    // From the list of runs, and from within the picture.
    browser.evaluate(
        "[...document.querySelectorAll('#runs button')].find((own) => own.textContent === 'step').click()",
    );
    browser.wait_for(&at(3, "stopped"));
    browser.evaluate(
        "studio.views.get(0).contentDocument.getElementById('canvas').dispatchEvent(new KeyboardEvent('keydown', { key: 'F10', bubbles: true }))",
    );
    browser.wait_for(&at(4, "finished"));
    // What has ended goes no further.
    browser.press("F10");
    browser.wait_for("document.getElementById('said').textContent.includes('has ended')");
    assert!(
        rattleback(&folder, &["run", "ball.toml", "--quiet", "--no-report", "-o", "own"]).status.success()
    );
    assert_same(&folder.join("results/ball"), &folder.join("own"));
    leave(browser, &served);
}

fn two_runs_are_compared(browser: &mut Browser) {
    browser.evaluate(&format!("studio.setMode('text'), {}", typed(&SCENE.replace("0.7", "0.3"))));
    browser.wait_for("studio.checked.valid && studio.checked.tree.contacts[0].normal.restitution === 0.3");
    browser.click_on("#run");
    browser.wait_for("studio.runs.length === 2 && studio.runs[0].state === 'finished'");
    browser.click_on("#tab-compare");
    browser.wait_for("studio.compare.chart?.curves.length === 2 && document.querySelector('#differences')");
    let told = browser.evaluate("document.querySelector('#differences tbody').textContent");
    assert!(told.as_str().unwrap().contains("contacts[0].normal.restitution"), "{told}");
    browser.wait_for("studio.shown.length === 2 && studio.viewer(0)?.frame && studio.viewer(1)?.frame");
    browser.evaluate(&filled("#compare-curve", "energy.kinetic_J"));
    browser.wait_for("studio.compare.chart.labels.y === 'energy.kinetic_J'");
    assert_looks(browser, "runs compared");
    let apart = "(() => { const [a, b] = studio.compare.chart.curves; return a.values.some((x, k) => Math.abs(x - b.values[k]) > 1e-3); })()";
    assert_eq!(browser.evaluate(apart), true);
    // The second motion is where the first one is.
    browser.wait_for("studio.viewer(studio.shown[0]).linked");
    browser.evaluate("studio.viewer(studio.shown[0]).player.seek(0.25)");
    browser.wait_for("Math.abs(studio.viewer(studio.shown[1]).player.time - studio.viewer(studio.shown[0]).player.time) < 1e-9");
    browser.click_on("#tab-scene");
}

/// From the defaults to a verdict: a short manoeuvre, then a table of one hull and two starts.
fn an_anchor_is_heaved(browser: &mut Browser) {
    let folder = folder("studio_anchor");
    let served = Served::new(&folder, &["studio"]);
    browser.open(&served.url);
    browser.wait_for("document.documentElement.dataset.ready");
    browser.click_on("#tab-anchor");
    browser.wait_for(
        "studio.checked.tree.manoeuvre && document.querySelector('[data-path=\"run.duration\"] input')",
    );
    let field = |path: &str| format!("[data-path=\"{path}\"] input");
    browser.evaluate(&filled(&field("manoeuvre.anchor.mass"), "-1 t"));
    browser.wait_for("studio.complaints.length > 0");
    assert_eq!(browser.evaluate("document.getElementById('run').disabled"), true);
    // It is told beside its field, and above the fields what has none.
    browser.wait_for(
        "document.querySelector('[data-path=\"manoeuvre.anchor.mass\"] .complaint')?.textContent.length > 5",
    );
    assert_eq!(browser.evaluate("document.querySelectorAll('#part-anchor .complaint.wide').length"), 0);
    assert_looks(browser, "a mistake in the anchor panel");
    browser.click_on("#anchor-table");
    assert_eq!(browser.evaluate("document.querySelectorAll('#part-anchor .complaint.wide').length"), 1);
    browser.click_on("#anchor-one");
    for (path, value) in
        [("manoeuvre.anchor.mass", "4 t"), ("run.duration", "0.15 s"), ("manoeuvre.limit", "120 kN")]
    {
        browser.evaluate(&filled(&field(path), value));
        browser.wait_for(&format!("{TEXT}.includes('{value}') && studio.checked.valid"));
    }
    let links = browser.evaluate("Number(document.getElementById('link-count').value)").as_f64().unwrap();
    browser.evaluate(&filled("#link-count", &(links + 3.0).to_string()));
    browser.wait_for(&format!(
        "studio.checked.valid && Number(document.getElementById('link-count').value) === {}",
        links + 3.0
    ));
    browser.evaluate("(() => { document.getElementById('name').value = 'heave'; })()");
    browser.click_on("#run");
    browser.wait_for("studio.runs[0]?.verdict && document.querySelector('#result .outcome')");
    let told = browser.evaluate("document.querySelector('#result .facts').textContent");
    assert!(told.as_str().unwrap().starts_with("Hanging"), "{told}");
    browser.wait_for("studio.result.chart.curves[0].values.length > 1");
    assert!(
        rattleback(&folder, &["run", "heave.toml", "--quiet", "--no-report", "-o", "own"]).status.success()
    );
    assert_same(&folder.join("results/heave"), &folder.join("own"));
    // The table: one hull, two starts.
    browser.evaluate("studio.table.hulls.splice(1), studio.table.starts.splice(2), 0");
    browser.evaluate("document.querySelector('#anchor-table').click()");
    browser.evaluate("document.querySelector('#run-table').click()");
    browser.wait_for("[...document.querySelectorAll('.verdicts .verdict span:first-child')].map((own) => own.textContent).join() === 'hanging,hanging'");
    browser.evaluate("document.querySelector('.verdicts .verdict').click()");
    browser.wait_for("studio.viewer(studio.shown[0])?.frame && studio.runs.find((run) => run.run === studio.shown[0]).label.table");
    assert!(folder.join("results/heave-steep-pipe-quiet/verdict.txt").is_file());
    leave(browser, &served);
}

/// A trial of the engine's own is checked, and its markers and plates are seen.
fn a_walk_is_checked(browser: &mut Browser) {
    let folder = folder("studio_gait");
    assert!(rattleback(&folder, &["gait", "example", "-o", "trial", "--quiet"]).status.success());
    let served = Served::new(&folder.join("trial"), &["studio"]);
    browser.open(&served.url);
    browser.wait_for("document.documentElement.dataset.ready");
    browser.click_on("#tab-gait");
    browser.wait_for("studio.gait.walk?.markers.length === 16 && studio.gait.chart.curves.length === 2");
    assert_eq!(browser.evaluate("studio.gait.quantity"), "vy");
    browser.click_on("#task-gait-check");
    browser.wait_for("document.querySelector('.report')?.textContent.includes('Stance: right')");
    // Its forces are predicted and laid over those measured.
    browser.evaluate("(() => { studio.gait.values.mass = '71.38'; })()");
    browser.click_on("#task-gait-predict");
    browser.wait_for("studio.gait.chart.curves.length === 4 && studio.gait.chart.curves[2].dashed");
    let far = "(() => { const [a, , b] = studio.gait.chart.curves; \
               return Math.max(...a.values.map((x, k) => Math.abs(x - b.values[k]))) / Math.max(...a.values); })()";
    let far = browser.evaluate(far).as_f64().unwrap();
    assert_looks(browser, "a walk and its forces");
    assert!(far > 0.0 && far < 0.3, "predicted and measured are apart by {far} of the highest force");
    leave(browser, &served);
}
