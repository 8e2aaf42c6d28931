//! One input after the other, for fuzzers that make them elsewhere.

use crate::input::{Input, Target};
use crate::sandbox::Sandbox;
use std::cell::OnceCell;

thread_local! {
    static SANDBOX: OnceCell<Sandbox> = const { OnceCell::new() };
}

/// Does with an input what the command does.
///
/// # Panics
///
/// On a finding: that is how a fuzzer takes notice.
pub fn examine(target: Target, name: &str, bytes: &[u8]) {
    SANDBOX.with(|cell| {
        let sandbox = cell.get_or_init(|| match Sandbox::temporary() {
            Ok(sandbox) => sandbox,
            Err(error) => panic!("{error}"),
        });
        let outcome = sandbox.run(&Input::new(target, name, bytes));
        if let Some(finding) = outcome.findings.first() {
            panic!("{finding}");
        }
    });
}
