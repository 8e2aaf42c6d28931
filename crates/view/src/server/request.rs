//! Requests, read within bounds: so many bytes of headers, so many of a body, so much time.

use super::response::Response;
use std::io::Read;
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// The most bytes of the first line and the headers.
pub(super) const HEAD: usize = 16 * 1024;
/// The most headers.
const HEADERS: usize = 64;
/// The most bytes of a body: a scene is text that somebody has written.
pub(super) const BODY: usize = 4 * 1024 * 1024;

/// A request that may be asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Request {
    /// `GET`, `HEAD` or `POST`.
    pub method: String,
    /// The path after the token, without its first slash.
    pub path: String,
    query: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

impl Request {
    /// A request as the page would send it.
    pub fn get(path: &str, query: &str) -> Self {
        Self { method: "GET".to_owned(), path: path.to_owned(), query: parse_query(query), body: Vec::new() }
    }

    /// The first value of a key of the query.
    pub fn query(&self, key: &str) -> Option<&str> {
        self.query.iter().find(|(own, _)| own == key).map(|(_, value)| value.as_str())
    }

    /// All values of a key of the query.
    pub fn queries(&self, key: &str) -> impl Iterator<Item = &str> {
        self.query.iter().filter(move |(own, _)| own == key).map(|(_, value)| value.as_str())
    }

    /// A whole number of the query.
    pub fn count(&self, key: &str) -> Option<u64> {
        self.query(key).and_then(|text| text.parse().ok())
    }
}

/// A request as it arrived.
#[derive(Debug)]
pub(super) struct Incoming {
    pub(super) method: String,
    pub(super) target: String,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Vec<u8>,
    pub(super) keep_alive: bool,
}

impl Incoming {
    /// The values of a header.
    pub(super) fn header<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.headers.iter().filter(move |(own, _)| own.eq_ignore_ascii_case(name)).map(|(_, v)| v.as_str())
    }

    pub(super) fn admitted(self, path: String) -> Request {
        let query = self.target.split_once('?').map_or("", |(_, query)| query);
        Request { query: parse_query(query), method: self.method, path, body: self.body }
    }
}

/// Reads a request; none where the other side has no more to ask. `rest` is what was read beyond the last one. Of a
/// request that is not admitted by its head the body is not read.
pub(super) fn read(
    stream: &mut TcpStream,
    rest: &mut Vec<u8>,
    deadline: Instant,
    admit: impl Fn(&Incoming) -> Result<String, Response>,
) -> Result<Option<(Incoming, String)>, Response> {
    let (mut incoming, length, head) = loop {
        if let Some(parsed) = parse(rest)? {
            break parsed;
        }
        if rest.len() > HEAD {
            return Err(Response::refused(431, "the headers are too long"));
        }
        if !more(stream, rest, deadline)? {
            return Ok(None);
        }
    };
    let path = admit(&incoming)?;
    rest.drain(..head);
    while rest.len() < length {
        if !more(stream, rest, deadline)? {
            return Ok(None);
        }
    }
    incoming.body = rest.drain(..length).collect();
    Ok(Some((incoming, path)))
}

/// Reads some bytes; says whether there were any.
fn more(stream: &mut TcpStream, rest: &mut Vec<u8>, deadline: Instant) -> Result<bool, Response> {
    let late = || Response::refused(408, "the request took too long");
    let left = deadline.saturating_duration_since(Instant::now());
    if left < Duration::from_millis(1) {
        return Err(late());
    }
    stream.set_read_timeout(Some(left)).map_err(|_| late())?;
    let mut room = [0; 16 * 1024];
    match stream.read(&mut room) {
        Ok(0) => Ok(false),
        Ok(read) => {
            rest.extend_from_slice(&room[..read]);
            Ok(true)
        }
        // An idle connection is closed without a word, one in the middle of a request is told.
        Err(_) if rest.is_empty() => Ok(false),
        Err(_) => Err(late()),
    }
}

/// Takes the head of a request apart; none where it is not whole. With it come the lengths of the body and of the head.
fn parse(bytes: &[u8]) -> Result<Option<(Incoming, usize, usize)>, Response> {
    let bad = |what: &'static str| Response::refused(400, what);
    let mut room = [httparse::EMPTY_HEADER; HEADERS];
    let mut request = httparse::Request::new(&mut room);
    let head = match request.parse(&bytes[..bytes.len().min(HEAD)]) {
        Ok(httparse::Status::Complete(head)) => head,
        Ok(httparse::Status::Partial) => return Ok(None),
        Err(httparse::Error::TooManyHeaders) => return Err(Response::refused(431, "too many headers")),
        Err(_) => return Err(bad("this is no HTTP")),
    };
    let mut headers = Vec::new();
    for header in request.headers.iter() {
        let value = std::str::from_utf8(header.value).map_err(|_| bad("a header is not text"))?;
        headers.push((header.name.to_owned(), value.trim().to_owned()));
    }
    let incoming = Incoming {
        method: request.method.unwrap_or_default().to_owned(),
        target: request.path.unwrap_or_default().to_owned(),
        keep_alive: request.version == Some(1)
            && !headers.iter().any(|(name, value)| {
                name.eq_ignore_ascii_case("connection") && value.eq_ignore_ascii_case("close")
            }),
        headers,
        body: Vec::new(),
    };
    if !matches!(incoming.method.as_str(), "GET" | "HEAD" | "POST") {
        return Err(Response::refused(405, "expected GET, HEAD or POST"));
    }
    // Two ways to say where a body ends are one too many.
    if incoming.header("transfer-encoding").next().is_some() {
        return Err(Response::refused(411, "expected a content length"));
    }
    let lengths: Vec<&str> = incoming.header("content-length").collect();
    let length = match lengths.as_slice() {
        [] => 0,
        [one] if one.bytes().all(|c| c.is_ascii_digit()) && !one.is_empty() => {
            one.parse().unwrap_or(usize::MAX)
        }
        _ => return Err(bad("the content length is no number")),
    };
    if length > BODY {
        return Err(Response::refused(413, "the body is too long"));
    }
    Ok(Some((incoming, length, head)))
}

/// The keys and values of a query, decoded.
fn parse_query(query: &str) -> Vec<(String, String)> {
    let pairs = query.split('&').filter(|pair| !pair.is_empty());
    pairs
        .map(|pair| {
            let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
            (decode(key), decode(value))
        })
        .collect()
}

/// Percent signs and plus signs resolved; what is not UTF-8 then is replaced.
pub(super) fn decode(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut letters = text.bytes();
    while let Some(letter) = letters.next() {
        let hex = |c: Option<u8>| c.and_then(|c| char::from(c).to_digit(16));
        match letter {
            b'+' => bytes.push(b' '),
            b'%' => match (hex(letters.next()), hex(letters.next())) {
                (Some(high), Some(low)) => bytes.push((16 * high + low) as u8),
                _ => bytes.push(b'?'),
            },
            other => bytes.push(other),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn queries_are_decoded_and_kept_in_order() {
        let request = Request::get("api/series", "curve=floor%7Cball.z_m&curve=a+b%C3%BC&first=12&bad=%4");
        assert_eq!(request.queries("curve").collect::<Vec<_>>(), ["floor|ball.z_m", "a bü"]);
        assert_eq!(
            (request.count("first"), request.count("none"), request.query("bad")),
            (Some(12), None, Some("?"))
        );
    }

    #[test]
    fn heads_that_are_no_http_or_that_say_two_lengths_are_refused() {
        let whole = b"GET /x HTTP/1.1\r\nHost: a\r\n\r\nrest";
        let (incoming, length, head) = parse(whole).unwrap().unwrap();
        assert_eq!((incoming.target.as_str(), length, head, incoming.keep_alive), ("/x", 0, 28, true));
        assert!(parse(&whole[..20]).unwrap().is_none());
        for (text, status) in [
            ("GET /x\r\n\r\n", 400),
            ("DELETE /x HTTP/1.1\r\n\r\n", 405),
            ("POST /x HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400),
            ("POST /x HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400),
            ("POST /x HTTP/1.1\r\nContent-Length: 99999999999999999999999\r\n\r\n", 413),
            ("POST /x HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n", 411),
        ] {
            assert_eq!(parse(text.as_bytes()).unwrap_err().status, status, "{text}");
        }
        let many = format!("GET / HTTP/1.1\r\n{}\r\n", "a: b\r\n".repeat(HEADERS + 1));
        assert_eq!(parse(many.as_bytes()).unwrap_err().status, 431);
    }
}
