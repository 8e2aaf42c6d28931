//! Clients that mean no good: refused, nothing leaks, and others are still served.

use super::sample::{BALLS, Folder, Serving, feed, recorded};
use rattleback_view::CONNECTIONS;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::time::Duration;

fn serving(folder: &Folder) -> Serving {
    recorded(BALLS, &folder.join("run"));
    Serving::new(Arc::new(feed(BALLS, &folder.join("run"))))
}

/// Sends bytes and reads all that comes back until the other side closes.
fn exchange(serving: &Serving, request: &str) -> String {
    let mut stream = TcpStream::connect(serving.host()).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    // The other side may close before it has read all.
    let _ = stream.write_all(request.as_bytes());
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

fn get(serving: &Serving, path: &str, headers: &str) -> String {
    exchange(serving, &format!("GET {path} HTTP/1.1\r\n{headers}Connection: close\r\n\r\n"))
}

fn status(answer: &str) -> u16 {
    answer.split(' ').nth(1).and_then(|code| code.parse().ok()).unwrap_or(0)
}

#[test]
fn whoever_knows_the_address_gets_the_page_and_its_policy() {
    let folder = Folder::new();
    let serving = serving(&folder);
    let host = format!("Host: {}\r\n", serving.host());
    let page = get(&serving, &format!("/{}/", serving.token()), &host);
    assert_eq!(status(&page), 200);
    assert!(page.contains("Content-Security-Policy: default-src 'none'; script-src 'self'"), "{page}");
    assert!(
        page.contains("X-Content-Type-Options: nosniff") && page.contains("Referrer-Policy: no-referrer")
    );
    assert!(page.contains("<canvas id=\"canvas\""));
    let port = serving.host().rsplit(':').next().unwrap();
    let local =
        get(&serving, &format!("/{}/api/status", serving.token()), &format!("Host: localhost:{port}\r\n"));
    assert!(local.contains("\"frames\":101"), "{local}");
}

#[test]
fn a_wrong_token_another_host_and_another_origin_are_refused_alike() {
    let folder = Folder::new();
    let serving = serving(&folder);
    let (token, host) = (serving.token(), serving.host());
    let own = format!("Host: {host}\r\n");
    let wrong: String = token.chars().rev().collect();
    let page = format!("/{token}/api/about");
    let cases = [
        ("/".to_owned(), own.clone()),
        ("/api/about".to_owned(), own.clone()),
        (format!("/{wrong}/api/about"), own.clone()),
        (format!("/{token}"), own.clone()),
        (format!("/{}/api/about", &token[..31]), own.clone()),
        (page.clone(), String::new()),
        (page.clone(), "Host: example.org\r\n".to_owned()),
        (page.clone(), format!("{own}{own}")),
        (page.clone(), format!("{own}Origin: http://example.org\r\n")),
        (page.clone(), format!("{own}Origin: null\r\n")),
        (page.clone(), format!("{own}Origin: https://{host}\r\n")),
        (page.clone(), format!("{own}Sec-Fetch-Site: cross-site\r\n")),
        (page.clone(), format!("{own}Sec-Fetch-Site: same-site\r\n")),
    ];
    for (path, headers) in &cases {
        let answer = get(&serving, path, headers);
        assert_eq!(status(&answer), 403, "{path} {headers}");
        assert!(answer.ends_with("{\"error\":\"not allowed\"}") && !answer.contains(token), "{answer}");
    }
    assert_eq!(status(&get(&serving, &page, &format!("{own}Origin: http://{host}\r\n"))), 200);
}

#[test]
fn no_path_leads_out_of_the_page() {
    let folder = Folder::new();
    let serving = serving(&folder);
    let host = format!("Host: {}\r\n", serving.host());
    for path in [
        "../run.json",
        "run.json",
        "states.csv",
        "%2e%2e/run.json",
        "..%2f..%2f..%2fetc%2fpasswd",
        "/etc/passwd",
        "api/../../etc/passwd",
        "api/",
        "api/nothing",
        "page/main.js",
        "main.js%00",
    ] {
        let answer = get(&serving, &format!("/{}/{path}", serving.token()), &host);
        assert_eq!(status(&answer), 404, "{path}: {answer}");
    }
}

#[test]
fn requests_that_are_too_long_or_make_no_sense_are_refused() {
    let folder = Folder::new();
    let serving = serving(&folder);
    let (token, host) = (serving.token(), format!("Host: {}\r\n", serving.host()));
    let post = |rest: &str| exchange(&serving, &format!("POST /{token}/api/about HTTP/1.1\r\n{host}{rest}"));
    assert_eq!(status(&post("Content-Length: 99999999999\r\n\r\n")), 413);
    assert_eq!(status(&post("Content-Length: 5000000\r\n\r\n")), 413);
    assert_eq!(status(&post("Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n")), 411);
    assert_eq!(status(&post("Content-Length: 2\r\nConnection: close\r\n\r\n{}")), 405);
    let long = "x".repeat(40_000);
    assert_eq!(status(&get(&serving, &format!("/{token}/{long}"), &host)), 431);
    assert_eq!(status(&exchange(&serving, "\u{1}\u{2}\u{3}nonsense\r\n\r\n")), 400);
    let get_api = |query: &str| status(&get(&serving, &format!("/{token}/api/{query}"), &host));
    assert_eq!(get_api("series?curve=nobody.x_m"), 400);
    assert_eq!(get_api(&format!("series?{}", "curve=ball.z_m&".repeat(100))), 400);
    assert_eq!(
        get_api("frames?first=18446744073709551615&count=18446744073709551615&stride=18446744073709551615"),
        200
    );
    assert_eq!(get_api("frames?first=-1&count=x"), 200);
}

#[test]
fn connections_that_say_half_a_word_do_not_keep_out_those_who_know_the_address() {
    let folder = Folder::new();
    let serving = serving(&folder);
    let host = format!("Host: {}\r\n", serving.host());
    let page = format!("/{}/api/status", serving.token());
    let mut slow: Vec<TcpStream> = Vec::new();
    for _ in 0..3 * CONNECTIONS {
        let mut stream = TcpStream::connect(serving.host()).unwrap();
        let _ = stream.write_all(b"GET /");
        slow.push(stream);
    }
    // All are still held open from here, and whoever has the token is served.
    assert_eq!(status(&get(&serving, &page, &host)), 200);
    // Those who came first had to go.
    slow[0].set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    assert!(matches!(slow[0].read(&mut [0]), Ok(0) | Err(_)));
}

#[test]
fn more_connections_of_those_who_know_the_address_than_are_allowed_are_closed() {
    let folder = Folder::new();
    let serving = serving(&folder);
    let request = format!("GET /{}/api/status HTTP/1.1\r\nHost: {}\r\n\r\n", serving.token(), serving.host());
    let ask = |stream: &mut TcpStream| {
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let _ = stream.write_all(request.as_bytes());
        let mut answer = [0; 64];
        stream.read(&mut answer).is_ok_and(|read| read > 12 && answer.starts_with(b"HTTP/1.1 200"))
    };
    // They keep their connections.
    let mut kept: Vec<TcpStream> =
        (0..CONNECTIONS).map(|_| TcpStream::connect(serving.host()).unwrap()).collect();
    assert!(kept.iter_mut().all(ask));
    assert!(!ask(&mut TcpStream::connect(serving.host()).unwrap()));
    drop(kept);
    let served = (0..200).any(|_| {
        std::thread::sleep(Duration::from_millis(20));
        ask(&mut TcpStream::connect(serving.host()).unwrap())
    });
    assert!(served);
}

#[test]
fn the_body_of_a_request_without_the_token_is_not_read() {
    let folder = Folder::new();
    let serving = serving(&folder);
    // A body that never comes is not waited for.
    let head =
        format!("POST /0/api/check HTTP/1.1\r\nHost: {}\r\nContent-Length: 4000000\r\n\r\n", serving.host());
    assert_eq!(status(&exchange(&serving, &head)), 403);
}

#[test]
fn a_client_that_says_half_a_request_is_given_up_after_a_while() {
    let folder = Folder::new();
    let serving = serving(&folder);
    let answer = exchange(&serving, &format!("GET /{}/ HTTP/1.1\r\nHost:", serving.token()));
    assert_eq!(status(&answer), 408, "{answer}");
}

#[test]
fn many_requests_of_one_connection_are_answered_in_order() {
    let folder = Folder::new();
    let serving = serving(&folder);
    let (token, host) = (serving.token(), serving.host());
    let mut stream = TcpStream::connect(host).unwrap();
    stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    let mut reader = std::io::BufReader::new(stream.try_clone().unwrap());
    for k in 0..2000 {
        let first = k % 101;
        let head =
            format!("GET /{token}/api/frames?first={first}&contacts=0 HTTP/1.1\r\nHost: {host}\r\n\r\n");
        stream.write_all(head.as_bytes()).unwrap();
        let mut length = 0;
        loop {
            let mut line = String::new();
            std::io::BufRead::read_line(&mut reader, &mut line).unwrap();
            if let Some(value) = line.strip_prefix("Content-Length: ") {
                length = value.trim().parse().unwrap();
            }
            if line == "\r\n" {
                break;
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).unwrap();
        assert_eq!(u32::from_le_bytes(body[..4].try_into().unwrap()), first);
    }
}
