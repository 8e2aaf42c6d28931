//! The page: files of this crate's folder `page/`, part of the program. Nothing is fetched from elsewhere and nothing
//! is built: the browser gets the modules as they were written.
//!
//! A page to send is one file: the modules follow each other in the order of [`MODULES`], without their imports and
//! the words `export`. Names at their top are therefore unique among all modules.

use crate::server::Response;

/// A file of the page.
#[derive(Debug, Clone, Copy)]
pub struct Asset {
    /// Its name.
    pub name: &'static str,
    /// The kind of its content.
    pub kind: &'static str,
    /// The content.
    pub text: &'static str,
}

/// What the page is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// To watch a run.
    View,
    /// To write scenes and to run them.
    Studio,
}

const SCRIPT: &str = "text/javascript; charset=utf-8";

macro_rules! scripts {
    ($($name:literal),* $(,)?) => {
        [$(Asset { name: $name, kind: SCRIPT, text: include_str!(concat!("../page/", $name)) }),*]
    };
}

/// The modules, each after those that it imports.
const MODULES: [Asset; 33] = scripts![
    "algebra.js",
    "format.js",
    "source.js",
    "frame_store.js",
    "shaders.js",
    "flat_shaders.js",
    "ball_shaders.js",
    "batch.js",
    "parts.js",
    "targets.js",
    "ground_planes.js",
    "links.js",
    "line_art.js",
    "mark_batches.js",
    "renderer.js",
    "marks.js",
    "camera.js",
    "player.js",
    "pace.js",
    "legend.js",
    "timeline.js",
    "plot_input.js",
    "plot_painting.js",
    "plot.js",
    "chosen_tables.js",
    "chosen_links.js",
    "chosen.js",
    "panels.js",
    "controls.js",
    "choosing.js",
    "curves.js",
    "painting.js",
    "main.js",
];
/// The modules of the studio, beside those of the page.
const STUDIO_MODULES: [Asset; 25] = scripts![
    "api.js",
    "tabs.js",
    "stepping.js",
    "measure.js",
    "chart.js",
    "form_schema.js",
    "form_inputs.js",
    "form.js",
    "editor.js",
    "gallery.js",
    "run_list.js",
    "handles.js",
    "storage.js",
    "markers.js",
    "gait_tasks.js",
    "gait.js",
    "compare.js",
    "anchor_fields.js",
    "anchor_groups.js",
    "anchor.js",
    "anchor_result.js",
    "verdict_table.js",
    "studio_views.js",
    "studio_runs.js",
    "studio.js",
];
/// The page that measures frame times.
const BENCH_MODULES: [Asset; 1] = scripts!["bench.js"];
const BENCH: Asset =
    Asset { name: "bench.html", kind: "text/html; charset=utf-8", text: include_str!("../page/bench.html") };
const INDEX: &str = include_str!("../page/index.html");
const STUDIO: &str = include_str!("../page/studio.html");
const STUDIO_STYLE: Asset =
    Asset { name: "studio.css", kind: "text/css; charset=utf-8", text: include_str!("../page/studio.css") };
const STYLE: Asset =
    Asset { name: "style.css", kind: "text/css; charset=utf-8", text: include_str!("../page/style.css") };
/// A drawn stone, so that browsers do not ask for an icon.
const ICON: Asset = Asset { name: "icon.svg", kind: "image/svg+xml", text: include_str!("../page/icon.svg") };

/// The answer to a request for the page or a file of it.
pub(crate) fn serve(path: &str, mode: Mode) -> Response {
    let index = match mode {
        Mode::View => INDEX,
        Mode::Studio => STUDIO,
    };
    if path.is_empty() {
        return Response::new("text/html; charset=utf-8", preloading(index, mode).into_bytes());
    }
    let all = MODULES.iter().chain(&STUDIO_MODULES).chain(&BENCH_MODULES).chain([
        &STYLE,
        &STUDIO_STYLE,
        &ICON,
        &BENCH,
    ]);
    let own = all.into_iter().find(|asset| asset.name == path);
    own.map_or_else(Response::not_found, |asset| Response::new(asset.kind, asset.text.as_bytes()))
}

/// A page that asks for all of its modules at once, not for each when another one is found to import it.
fn preloading(index: &str, mode: Mode) -> String {
    let own: &[Asset] = match mode {
        Mode::View => &MODULES,
        Mode::Studio => &STUDIO_MODULES,
    };
    let links = own.iter().map(|asset| format!("<link rel=\"modulepreload\" href=\"{}\">\n", asset.name));
    index.replacen("</head>", &format!("{}</head>", links.collect::<String>()), 1)
}

/// The page as one file with data in it, each a name and a text that holds no markup.
pub fn bundle(data: &[(&str, String)]) -> String {
    let script: String = MODULES.iter().flat_map(|asset| plain_lines(asset.text)).collect();
    let stored: String = data
        .iter()
        .map(|(name, text)| {
            format!("<script type=\"text/plain\" id=\"data-{name}\">{}</script>\n", escape(text))
        })
        .collect();
    let policy = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; \
                  base-uri 'none'; form-action 'none'";
    let head = format!(
        "<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n<style>\n{}</style>\n",
        STYLE.text
    );
    let without =
        ["<link rel=\"stylesheet\" href=\"style.css\">\n", "<link rel=\"icon\" href=\"icon.svg\">\n"];
    let mut page = INDEX.to_owned();
    for line in without {
        page = page.replace(line, "");
    }
    let end = format!("{stored}<script type=\"module\">\n{script}</script>\n");
    page.replacen("</head>", &format!("{head}</head>"), 1).replacen(
        "<script type=\"module\" src=\"main.js\"></script>\n",
        &end,
        1,
    )
}

/// The lines of a module without what joins it to others: imports, which end with the first line that has a semicolon,
/// and the word `export`.
fn plain_lines(text: &'static str) -> impl Iterator<Item = String> {
    let mut in_import = false;
    let lines = text.lines().filter(move |line| {
        let is_import = in_import || line.starts_with("import ");
        in_import = is_import && !line.ends_with(';');
        !is_import
    });
    lines.map(|line| format!("{}\n", line.strip_prefix("export ").unwrap_or(line)))
}

/// Text in a script element ends at nothing but its own end.
fn escape(text: &str) -> String {
    text.replace("</", "<\\/")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// What a line at the top of a module declares.
    fn declared(line: &str) -> Option<&str> {
        let line = line.strip_prefix("export ").unwrap_or(line);
        let rest = ["const ", "let ", "class ", "function ", "async function "]
            .iter()
            .find_map(|word| line.strip_prefix(word))?;
        rest.split(|c: char| !(c.is_alphanumeric() || c == '_')).next()
    }

    #[test]
    fn modules_can_be_put_into_one_file() {
        let (mut names, mut known) = (BTreeSet::new(), BTreeSet::new());
        for asset in MODULES {
            for line in asset.text.lines() {
                if let Some(rest) = line.split(" from \"./").nth(1) {
                    let from = rest.split('"').next().unwrap_or_default();
                    assert!(known.contains(from), "{} imports {from}, which comes later", asset.name);
                    assert!(line.ends_with(';') && !line.contains(" as "), "{}: {line}", asset.name);
                }
                assert!(!line.starts_with("export default") && !line.starts_with("export {"), "{line}");
                if let Some(name) = declared(line) {
                    assert!(names.insert(name), "{name} is declared again in {}", asset.name);
                }
                assert!(!line.contains("</script"), "{}: {line}", asset.name);
            }
            known.insert(asset.name);
        }
        let page = bundle(&[("about", "{\"title\": \"</script>\"}".to_owned())]);
        assert!(!page.contains("src=\"main.js\"") && !page.contains("href=\"style.css\""));
        assert!(page.contains("id=\"data-about\">{\"title\": \"<\\/script>\"}</script>"));
        assert!(page.lines().all(|line| !line.starts_with("import ") && !line.starts_with("export ")));
    }

    #[test]
    fn the_page_asks_nothing_of_other_hosts() {
        for asset in
            MODULES.iter().chain(&STUDIO_MODULES).chain(&BENCH_MODULES).chain([&STYLE, &STUDIO_STYLE, &BENCH])
        {
            for word in ["http://", "https://", "//cdn", "@import", "eval(", "innerHTML"] {
                let allowed = word == "http://" && asset.text.contains("http://www.w3.org/2000/svg");
                assert!(allowed || !asset.text.contains(word), "{} has {word}", asset.name);
            }
        }
    }
}
