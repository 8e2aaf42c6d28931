//! The book says what the program does: its scenes, shapes and commands run, its tables are those of the code.
//!
//! | block | what is done with it |
//! |---|---|
//! | `toml` with a first line `# NAME.toml` | written into the chapter's folder under that name |
//! | `toml` with `title` and no `scene` | checked, and run for a short time |
//! | `toml` that begins with `type` | measured by `shape` |
//! | `json` | written as `pairs.jsonl` |
//! | `sh` | run, line by line, in the chapter's folder |
//! | `console` | what the command has in it has its verbs and options; it is not run |

mod keys;
mod sources;

use crate::command::{command, folder, rattleback, text};
use std::path::{Path, PathBuf};

/// The folder of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The names and texts of the chapters, in the order of the summary.
fn chapters() -> Vec<(String, String)> {
    let folder = root().join("book/src");
    let summary = std::fs::read_to_string(folder.join("SUMMARY.md")).unwrap();
    let names = summary.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    names.map(|name| (name.to_owned(), std::fs::read_to_string(folder.join(name)).unwrap())).collect()
}

/// The texts of fenced blocks of a language.
fn blocks<'t>(text: &'t str, language: &str) -> Vec<&'t str> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(begin) = rest.find("```") {
        let inner = &rest[begin + 3..];
        let Some((head, body)) = inner.split_once('\n') else { break };
        let Some(end) = body.find("```") else { break };
        if head == language {
            found.push(&body[..end]);
        }
        rest = &body[end + 3..];
    }
    found
}

/// The name that a block says in its first line.
fn name_of(block: &str) -> Option<&str> {
    block.lines().next()?.strip_prefix("# ").filter(|name| name.ends_with(".toml"))
}

fn has_key(block: &str, key: &str) -> bool {
    let mut lines = block.lines().take_while(|line| !line.starts_with('['));
    lines.any(|line| line.starts_with(&format!("{key} = ")))
}

/// Writes the files of a chapter into a folder of its own.
fn write_files(chapter: &str, body: &str) -> PathBuf {
    let here = folder(&format!("book/{chapter}"));
    for block in blocks(body, "toml") {
        if let Some(name) = name_of(block) {
            assert!(!here.join(name).exists(), "{chapter} has two files {name}");
            std::fs::write(here.join(name), block).unwrap();
        }
    }
    let puck = std::fs::read(root().join("scenes/shapes/puck.obj")).unwrap();
    std::fs::write(here.join("puck.obj"), puck).unwrap();
    for block in blocks(body, "json") {
        std::fs::write(here.join("pairs.jsonl"), block).unwrap();
    }
    here
}

fn assert_succeeds(here: &Path, arguments: &[&str]) {
    let output = rattleback(here, arguments);
    assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
}

#[test]
fn every_scene_of_the_book_is_checked_and_runs_and_every_shape_is_measured() {
    let (mut scenes, mut shapes) = (0, 0);
    for (chapter, body) in chapters() {
        let here = write_files(&format!("files/{chapter}"), &body);
        for block in blocks(&body, "toml") {
            let Some(name) = name_of(block) else {
                assert!(block.starts_with("[dependencies]"), "{chapter}: a block without a name:\n{block}");
                continue;
            };
            if has_key(block, "type") {
                shapes += 1;
                assert_succeeds(&here, &["shape", name]);
            } else if has_key(block, "title") && !has_key(block, "scene") {
                scenes += 1;
                assert_succeeds(&here, &["check", name]);
                let out = format!("run-{name}");
                let short = ["run", name, "--duration", "20ms", "--no-report", "--quiet", "-o", &out];
                assert_succeeds(&here, &short);
            }
        }
    }
    assert!(scenes >= 12 && shapes >= 20, "only {scenes} scenes and {shapes} shapes found");
}

/// The words of a line, with what stands in single quotes as one.
fn words(line: &str) -> Vec<String> {
    let parts = line.split('\'').enumerate();
    parts
        .flat_map(|(k, part)| match k % 2 {
            0 => part.split_whitespace().map(str::to_owned).collect::<Vec<_>>(),
            _ => vec![part.to_owned()],
        })
        .collect()
}

/// The arguments of the command in a line, if it calls it.
fn arguments(line: &str) -> Option<Vec<String>> {
    let rest = line.strip_prefix("rattleback ").or_else(|| line.strip_prefix("cargo run --release -- "))?;
    Some(words(rest))
}

#[test]
fn every_command_of_the_book_runs_as_it_stands() {
    let mut count = 0;
    for (chapter, body) in chapters() {
        let here = write_files(&format!("commands/{chapter}"), &body);
        for line in blocks(&body, "sh").into_iter().flat_map(str::lines) {
            let words = arguments(line).unwrap_or_else(|| panic!("{chapter}: no call of rattleback: {line}"));
            assert_succeeds(&here, &words.iter().map(String::as_str).collect::<Vec<_>>());
            count += 1;
        }
    }
    assert!(count >= 20, "only {count} commands found");
}

/// Lines that are not run, of the book and of README: the program knows their verbs and options.
#[test]
fn every_command_that_is_only_shown_has_verbs_and_options_that_exist() {
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    let indented = readme.lines().filter_map(|line| line.strip_prefix("    "));
    let mut shown: Vec<String> = indented.map(str::to_owned).collect();
    for (_, body) in chapters() {
        shown.extend(blocks(&body, "console").into_iter().flat_map(str::lines).map(str::to_owned));
    }
    let here = folder("book/shown");
    let calls: Vec<Vec<String>> = shown.iter().filter_map(|line| arguments(line)).collect();
    assert!(calls.len() >= 20, "only {} calls found", calls.len());
    for words in calls {
        let output = command(&here, &[]).args(&words).arg("--help").output().unwrap();
        assert!(output.status.success(), "{words:?}: {}", text(&output.stderr));
    }
}

#[test]
fn links_between_chapters_and_files_that_are_named_lead_somewhere() {
    let folder = root().join("book/src");
    let mut count = 0;
    for (chapter, body) in chapters() {
        for target in body.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if target.ends_with(".md") || target.ends_with(".png") {
                assert!(folder.join(target).exists(), "{chapter} leads to {target}");
                count += 1;
            }
        }
        for (k, piece) in body.split('`').enumerate() {
            let plain = piece.chars().all(|c| c.is_ascii_alphanumeric() || "/._-".contains(c));
            let ours = ["crates/", "scenes/", "docs/", "book/"].iter().any(|top| piece.starts_with(top));
            if k % 2 == 1 && plain && ours {
                assert!(root().join(piece).exists(), "{chapter} names {piece}");
                count += 1;
            }
        }
    }
    assert!(count >= 40, "only {count} found");
}

/// The part of a chapter that is made from the code, between two marks; written anew where that is asked for.
fn compare(chapter: &str, mark: &str, made: &str) {
    let path = root().join("book/src").join(chapter);
    let whole = std::fs::read_to_string(&path).unwrap();
    let [begin, end] = ["begin", "end"].map(|which| format!("<!-- {mark}: {which} -->\n"));
    let (before, rest) = whole.split_once(&begin).unwrap();
    let (found, after) = rest.split_once(&end).unwrap();
    let wanted = format!("\n{made}\n");
    if std::env::var_os("RATTLEBACK_BLESS").is_some() {
        std::fs::write(&path, format!("{before}{begin}{wanted}{end}{after}")).unwrap();
        return;
    }
    assert!(
        found == wanted,
        "book/src/{chapter} is not what the code says: RATTLEBACK_BLESS=1 writes it anew"
    );
}
