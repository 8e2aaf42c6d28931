//! Every panel of the page on a laptop and on a telephone, light and dark: nothing is cut off, lies over something else,
//! is too faint to read, too small to touch or without a name.

use super::browser::Browser;
use super::page::{assert_quiet, opened};
use super::sample::{BALLS, Folder, PENDULUM};

const NOTHING: [&str; 0] = [];

/// Asserts that nothing is wrong with what is shown.
fn assert_looks(browser: &mut Browser, what: &str) {
    assert_eq!(browser.looks("rattleback", what), NOTHING);
}

#[test]
fn panels_can_be_read_and_used_wide_and_narrow_light_and_dark() {
    let folder = Folder::new();
    let Some((mut browser, serving)) = opened(&folder, BALLS, 1440, 900) else { return };
    browser.evaluate("rattleback.player.seek(0.4)");
    browser.wait_for("rattleback.frame.number === 80");
    for panel in ["bodies", "chosen", "show", "run"] {
        browser.evaluate(&format!("rattleback.panels.open('{panel}')"));
        assert_looks(&mut browser, panel);
    }
    browser.evaluate("Object.assign(rattleback.show, { curvature: true, slip: true, frames: true }), rattleback.setCut('x'), 0");
    browser.evaluate("rattleback.choose({ contact: 0 })");
    assert_looks(&mut browser, "a contact");
    browser.evaluate("rattleback.choose({ body: 1 })");
    assert_looks(&mut browser, "a body");
    browser.evaluate("document.getElementById('help').click()");
    assert_looks(&mut browser, "keys");
    browser.evaluate(
        "document.getElementById('dialog').close(), document.getElementById('add-curve').click(), 0",
    );
    assert_looks(&mut browser, "the choice of a curve");
    assert_quiet(&mut browser, &serving);
}

#[test]
fn what_is_told_of_joints_and_springs_can_be_read() {
    let folder = Folder::new();
    let Some((mut browser, serving)) = opened(&folder, PENDULUM, 1440, 900) else { return };
    for (what, choice) in
        [("a joint", "{ joint: 0 }"), ("a spring", "{ line: 0 }"), ("joints and springs", "null")]
    {
        browser.evaluate(&format!("rattleback.choose({choice}), rattleback.panels.open('chosen'), 0"));
        assert_looks(&mut browser, what);
    }
    assert_quiet(&mut browser, &serving);
}

#[test]
fn faults_of_looks_are_found() {
    let Some(mut browser) = Browser::launch(1440, 900) else { return };
    // One each: too wide, too faint, cut off, without a name, too small, under another one.
    let page = "<body style='margin:0;background:#fff'><p style='width:2000px'>wide</p><p style='color:#aaa'>faint</p>\
        <p style='width:20px;overflow:hidden;white-space:nowrap'>cut off at its end</p><button style='width:40px;height:40px'></button>\
        <button style='width:9px;height:9px' title='small'></button>\
        <button style='position:absolute;left:9px;top:300px;width:90px;height:40px'>below</button>\
        <div style='position:absolute;left:0;top:290px;width:200px;height:80px;background:#ccc'>above</div>";
    browser.evaluate(&format!(
        "(() => {{ document.head.innerHTML = '<meta name=viewport content=\"width=device-width, initial-scale=1\">'; document.body.outerHTML = {page:?}; globalThis.page = {{ setTheme() {{}} }}; }})()"
    ));
    let told = browser.looks("page", "faults").join("\n");
    for word in [
        "reaches from",
        "is faint: 2.3",
        "is cut off",
        "has no name",
        "is small to touch: 16 × 9",
        "lies under",
    ] {
        assert!(told.contains(word), "{word}: {told}");
    }
}
