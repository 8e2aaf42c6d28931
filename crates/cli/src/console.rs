//! The output of the command: results on standard output, everything else on standard error; quiet, in JSON, with
//! colours on a terminal only.

use crate::failure::Failure;
use serde::Serialize;
use std::io::{self, IsTerminal, Write};

/// The manner of speaking.
#[derive(Debug, Clone, Copy)]
pub struct Console {
    /// Whether only errors are told.
    pub quiet: bool,
    /// Whether results are JSON.
    pub json: bool,
}

const RED: &str = "\x1b[1;31m";
const BLUE: &str = "\x1b[34m";
const BOLD: &str = "\x1b[1m";
const PLAIN: &str = "\x1b[0m";

impl Console {
    /// Whether words for a person are welcome on standard output.
    pub fn speaks(&self) -> bool {
        !self.quiet && !self.json
    }

    /// A result for a person; nothing in JSON, and nothing when quiet.
    pub fn say(&self, text: &str) -> Result<(), Failure> {
        if self.speaks() { print(text) } else { Ok(()) }
    }

    /// A result for a program, where JSON was asked for.
    pub fn tell(&self, value: &impl Serialize) -> Result<(), Failure> {
        if !self.json {
            return Ok(());
        }
        let text = serde_json::to_string_pretty(value).map_err(|e| Failure::output(e.to_string()))?;
        print(&format!("{text}\n"))
    }

    /// A remark beside the results.
    pub fn remark(&self, text: &str) {
        if !self.quiet {
            remark(text);
        }
    }
}

/// Writes a line to standard error. One that nobody reads any more is no error, and there is no other place to say so.
pub fn remark(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}

/// Writes to standard output; a reader that has enough is no error.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(e) if e.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::output(format!("standard output: {e}")))
        }
        _ => Ok(()),
    }
}

/// Tells what went wrong, on standard error.
pub fn complain(message: &str) {
    // Complaints about files begin with the word already.
    let text = if message.starts_with("error: ") { message.to_owned() } else { format!("error: {message}") };
    let text = text.trim_end();
    if io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none() {
        remark(&coloured(text));
    } else {
        remark(text);
    }
}

fn coloured(text: &str) -> String {
    let line = |line: &str| {
        let inner = line.trim_start();
        if let Some(rest) = line.strip_prefix("error: ") {
            format!("{RED}error{PLAIN}{BOLD}: {rest}{PLAIN}")
        } else if inner.starts_with("--> ") {
            format!("{BLUE}{line}{PLAIN}")
        } else if let Some((margin, marks)) = line.split_once('|')
            && !marks.trim().is_empty()
            && marks.trim().chars().all(|c| c == '^')
        {
            format!("{BLUE}{margin}|{PLAIN}{RED}{marks}{PLAIN}")
        } else {
            line.to_owned()
        }
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_add_nothing_but_colours() {
        let text = "error: radius: no\n --> a.toml:2:10\n  |\n2 | x | y\n  |    ^^^\n   = help: yes";
        let mut plain = coloured(text);
        for code in [RED, BLUE, BOLD, PLAIN] {
            plain = plain.replace(code, "");
        }
        assert_eq!(plain, text);
    }
}
