//! The examples run to their end, and what README and the book show of Rust is in one of them, so that it is compiled.

#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::path::Path;

/// Declares examples, and a test of each that its program, or the named part of it, runs to its end.
macro_rules! examples {
    ($($(#[$only:meta])* $name:ident: $run:ident $test:ident $file:literal),+ $(,)?) => {
        const NAMES: &[&str] = &[$(stringify!($name)),+];
        $(
            $(#[$only])*
            #[path = $file]
            #[allow(dead_code, reason = "a program that reads its arguments is run without them")]
            mod $name;

            $(#[$only])*
            #[test]
            fn $test() {
                $name::$run().unwrap();
            }
        )+
    };
}

examples! {
    bounce: main bounce_runs_to_its_end "../examples/bounce.rs",
    chain: main chain_runs_to_its_end "../examples/chain.rs",
    derivatives: main derivatives_runs_to_its_end "../examples/derivatives.rs",
    heap: main heap_runs_to_its_end "../examples/heap.rs",
    mechanism: main mechanism_runs_to_its_end "../examples/mechanism.rs",
    query: main query_runs_to_its_end "../examples/query.rs",
    #[cfg(feature = "record")]
    result: record_and_show result_runs_to_its_end "../examples/result.rs",
    rolling: main rolling_runs_to_its_end "../examples/rolling.rs",
}

fn read(path: &str) -> String {
    std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

/// The lines of a text without what they are indented by; empty ones and ends of lines left out.
fn lines(text: &str) -> Vec<&str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty()).collect()
}

#[test]
fn every_example_is_run_here_and_named_in_the_readme() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let mut found: Vec<String> = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        found.push(entry.unwrap().path().file_stem().unwrap().to_string_lossy().into_owned());
    }
    found.sort();
    assert_eq!(found, NAMES);
    let readme = read("../../README.md");
    for name in NAMES {
        assert!(readme.contains(&format!("| `{name}` |")), "README.md does not list {name}");
    }
}

#[test]
fn rust_in_the_readme_and_the_book_is_part_of_an_example() {
    let [readme, book] =
        ["../../README.md", "../../book/src"].map(|p| Path::new(env!("CARGO_MANIFEST_DIR")).join(p));
    let chapters = std::fs::read_dir(book).unwrap().map(|entry| entry.unwrap().path());
    let chapters = chapters.filter(|path| path.extension().is_some_and(|ending| ending == "md"));
    let texts: Vec<String> =
        chapters.chain([readme]).map(|path| std::fs::read_to_string(path).unwrap()).collect();
    let after = texts.iter().flat_map(|text| text.split("```rust\n").skip(1));
    let blocks: Vec<&str> = after.map(|rest| rest.split("```").next().unwrap()).collect();
    assert!(blocks.len() >= 7, "{} blocks", blocks.len());
    let sources: Vec<String> = NAMES.iter().map(|name| read(&format!("examples/{name}.rs"))).collect();
    for block in blocks {
        let wanted = lines(block);
        let has = |source: &String| lines(source).windows(wanted.len()).any(|part| part == wanted);
        assert!(!wanted.is_empty() && sources.iter().any(has), "in no example:\n{block}");
    }
}
