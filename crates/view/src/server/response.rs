//! Answers, with the headers that keep a page to itself.

use super::{LONGEST, PATIENCE};
use std::borrow::Cow;
use std::io::{Error, ErrorKind, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// Nothing but what this server sends is run, shown or asked for.
pub(crate) const CONTENT_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
     img-src 'self' data: blob:; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; \
     frame-ancestors 'self'";
/// Bytes that are written in one go.
const PART: usize = 64 * 1024;

/// An answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Response {
    /// The code, 200 where all is well.
    pub status: u16,
    /// The kind of the body, such as `application/json`.
    pub kind: &'static str,
    /// What is sent.
    pub body: Cow<'static, [u8]>,
    length: usize,
}

impl Response {
    /// An answer with a body.
    pub fn new(kind: &'static str, body: impl Into<Cow<'static, [u8]>>) -> Self {
        let body = body.into();
        Self { status: 200, kind, length: body.len(), body }
    }

    /// An answer in JSON.
    pub fn json(value: &serde_json::Value) -> Self {
        Self::new("application/json", value.to_string().into_bytes())
    }

    /// A refusal with its reason.
    pub fn refused(status: u16, reason: impl Into<String>) -> Self {
        let text = serde_json::json!({"error": reason.into()}).to_string();
        Self { status, ..Self::new("application/json", text.into_bytes()) }
    }

    /// There is no such thing.
    pub fn not_found() -> Self {
        Self::refused(404, "there is nothing here")
    }

    /// The headers alone.
    pub(super) fn without_body(self) -> Self {
        Self { body: Cow::Borrowed(&[]), ..self }
    }

    pub(super) fn write(&self, stream: &mut TcpStream, keep: bool) -> std::io::Result<()> {
        let head = format!(
            "HTTP/1.1 {} {}\r\nContent-Type: {}\r\nContent-Length: {}\r\nConnection: {}\r\nCache-Control: no-store\r\n\
             Content-Security-Policy: {CONTENT_POLICY}\r\nX-Content-Type-Options: nosniff\r\nX-Frame-Options: SAMEORIGIN\r\n\
             Referrer-Policy: no-referrer\r\nCross-Origin-Opener-Policy: same-origin\r\n\
             Cross-Origin-Resource-Policy: same-origin\r\n\r\n",
            self.status,
            phrase(self.status),
            self.kind,
            self.length,
            if keep { "keep-alive" } else { "close" },
        );
        let deadline = Instant::now() + LONGEST;
        stream.set_write_timeout(Some(PATIENCE))?;
        for mut part in std::iter::once(head.as_bytes()).chain(self.body.chunks(PART)) {
            while !part.is_empty() {
                // A reader that takes a byte now and then is not waited for.
                if deadline.saturating_duration_since(Instant::now()) == Duration::ZERO {
                    return Err(Error::from(ErrorKind::TimedOut));
                }
                let written = stream.write(part)?;
                part = &part[written..];
            }
        }
        stream.flush()
    }
}

fn phrase(status: u16) -> &'static str {
    match status {
        200 => "OK",
        400 => "Bad Request",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        408 => "Request Timeout",
        409 => "Conflict",
        411 => "Length Required",
        413 => "Content Too Large",
        431 => "Request Header Fields Too Large",
        _ => "Internal Server Error",
    }
}
