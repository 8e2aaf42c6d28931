//! Clients of the studio that mean no good, with and without its secret.

use super::runs::endless;
use super::{SCENE, Served};
use crate::command::{folder, rattleback};
use serde_json::json;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

#[test]
fn the_studio_writes_nothing_but_its_own_scenes() {
    let folder = folder("studio_hostile");
    std::fs::write(folder.join("mine.toml"), "mine").unwrap();
    #[cfg(unix)]
    std::os::unix::fs::symlink(folder.join("mine.toml"), folder.join("link.toml")).unwrap();
    let served = Served::new(&folder, &["studio"]);
    for name in ["mine", "link", "../out", "a/b", "", "a.b", "é", "C:x"] {
        for path in ["api/save", "api/run"] {
            let (status, told) = served.post(path, json!({"text": SCENE, "name": name}));
            assert_eq!(status, 400, "{path} {name}: {told}");
        }
    }
    assert_eq!(std::fs::read_to_string(folder.join("mine.toml")).unwrap(), "mine");
    assert!(!folder.parent().unwrap().join("out.toml").exists());
    assert_eq!(served.post("api/save", json!({"text": "a", "name": "new"})).0, 200);
    assert_eq!(served.post("api/save", json!({"text": "b", "name": "new"})).0, 200);
    assert_eq!(std::fs::read_to_string(folder.join("new.toml")).unwrap(), "b");
    for (path, body) in [
        ("api/stop", json!({"run": 9})),
        ("api/resume", json!({})),
        ("api/step", json!({})),
        ("api/step", json!({"run": 9})),
        ("api/edit", json!({"text": "a"})),
        ("api/task", json!({"tool": "rm", "input": "x"})),
        ("api/end", json!({"task": 3})),
    ] {
        assert_eq!(served.post(path, body).0, 400, "{path}");
    }
    assert_eq!(served.ask("view/7/api/about", None).0, 400);
    assert_eq!(served.ask("view/preview/../../etc/passwd", None).0, 400);
}

#[test]
fn no_file_outside_the_folder_is_read_by_name_by_link_or_by_a_scene() {
    let above = folder("studio_confined");
    let inner = above.join("inner");
    std::fs::create_dir_all(inner.join("results/away")).unwrap();
    let secret = "password = hunter2 [[[";
    std::fs::write(above.join("secret.toml"), secret).unwrap();
    std::fs::write(above.join("secret.trc"), secret).unwrap();
    std::fs::write(inner.join(".hidden.toml"), secret).unwrap();
    std::fs::write(inner.join("notes.txt"), secret).unwrap();
    std::fs::write(above.join("run.json"), secret).unwrap();
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(above.join("secret.trc"), inner.join("link.trc")).unwrap();
        std::os::unix::fs::symlink(above.join("secret.toml"), inner.join("link.toml")).unwrap();
        std::os::unix::fs::symlink(&above, inner.join("results/linked")).unwrap();
        std::os::unix::fs::symlink(&above, inner.join("out")).unwrap();
    }
    let served = Served::new(&inner, &["studio"]);
    assert_eq!(served.get("api/files"), json!([]));
    assert_eq!((served.get("api/scenes"), served.get("api/runs")), (json!([]), json!([])));
    let names = [
        "../secret.toml",
        "..%2fsecret.toml",
        "link.toml",
        "link.trc",
        ".hidden.toml",
        "notes.txt",
        "results",
        "/etc/passwd",
        "out/secret.toml",
        "%00",
    ];
    for name in names {
        for path in ["api/file?name=", "api/open?name=", "api/left?task=0&name="] {
            let (status, body) = served.ask(&format!("{path}{name}"), None);
            assert_eq!(status, 400, "{path}{name}");
            assert!(!String::from_utf8_lossy(&body).contains("hunter2"), "{path}{name}");
        }
    }
    let mesh = "[[bodies]]\nname = \"m\"\nshape = { type = \"mesh\", file = \"FILE\" }";
    for (text, file) in [
        ("include = \"FILE\"", "../secret.toml"),
        ("include = [\"FILE\"]", "/etc/passwd"),
        ("include = [\"FILE\"]", "out/secret.toml"),
        (mesh, "../secret.stl"),
    ] {
        let text = text.replace("FILE", file);
        let (_, told) = served.post("api/check", json!({"text": text, "name": "x"}));
        let message = told["complaints"][0]["message"].as_str().unwrap();
        assert!(message.contains("is not in the studio's folder"), "{told}");
        assert!(!told.to_string().contains("hunter2"), "{told}");
        assert_eq!(served.post("api/run", json!({"text": text, "name": "x"})).0, 400);
    }
    for task in [
        json!({"tool": "gait check", "input": "../secret.trc"}),
        json!({"tool": "gait check", "input": "link.trc"}),
        json!({"tool": "gait check", "input": "--help"}),
        json!({"tool": "run", "input": "demonstration"}),
    ] {
        assert_eq!(served.post("api/task", task.clone()).0, 400, "{task}");
    }
}

#[test]
fn an_option_of_a_tool_has_one_of_its_values() {
    let folder = folder("studio_options");
    std::fs::write(folder.join("walk.trc"), "no markers").unwrap();
    let served = Served::new(&folder, &["studio"]);
    for options in [
        json!({"mass": "--output=/tmp/x"}),
        json!({"table": "../x"}),
        json!({"output": "x"}),
        json!({"forces": "/etc/passwd"}),
        json!({"stance": "1"}),
        json!({"mass": [1]}),
    ] {
        let (status, told) =
            served.post("api/task", json!({"tool": "gait fit", "input": "walk.trc", "options": options}));
        assert_eq!(status, 400, "{told}");
    }
    assert_eq!(served.get("api/tasks"), json!([]));
    let sent = json!({"tool": "gait check", "input": "walk.trc", "options": {"mass": 70, "table": "winter"}});
    assert_eq!(served.post("api/task", sent), (200, json!({"task": 0})));
    let done = served.wait_for("api/tasks", |tasks| tasks[0]["alive"] == false);
    assert_eq!(done[0]["code"], 1, "{done}");
    assert!(done[0]["words"].as_str().is_some_and(|words| words.contains("walk.trc")), "{done}");
}

/// Sends bytes and takes what comes.
fn attack(host: &str, bytes: &[u8]) -> u16 {
    let Ok(mut stream) = TcpStream::connect(host) else { return 0 };
    let _ = stream.set_read_timeout(Some(Duration::from_secs(30)));
    let _ = stream.write_all(bytes);
    let mut answer = [0; 16];
    let read = stream.read(&mut answer).unwrap_or(0);
    std::str::from_utf8(answer.get(9..12.min(read)).unwrap_or_default())
        .ok()
        .and_then(|c| c.parse().ok())
        .unwrap_or(0)
}

#[test]
fn a_run_goes_on_undisturbed_while_the_studio_is_attacked() {
    let folder = folder("studio_attacked");
    let served = Served::new(&folder, &["studio"]);
    assert_eq!(served.post("api/run", json!({"text": endless(), "name": "ball"})).0, 200);
    served.wait_for_frames(0);
    let (host, token) = served.url.strip_prefix("http://").unwrap().split_once('/').unwrap();
    let token = token.trim_end_matches('/');
    let huge = format!(
        "POST /{token}/api/check HTTP/1.1\r\nHost: {host}\r\nContent-Length: 99999999\r\n\r\n{}",
        "x".repeat(100_000)
    );
    let requests = [
        (format!("GET /{} HTTP/1.1\r\nHost: {host}\r\n\r\n", "0".repeat(32)), 403),
        (format!("GET /{token}/api/runs HTTP/1.1\r\nHost: evil.example\r\n\r\n"), 403),
        (
            format!(
                "POST /{token}/api/stop HTTP/1.1\r\nHost: {host}\r\nOrigin: http://evil.example\r\nContent-Length: 9\r\n\r\n{{\"run\":0}}"
            ),
            403,
        ),
        (format!("GET /{token}/../../etc/passwd HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"), 404),
        ("\0\0\0\0\r\n\r\n".to_owned(), 400),
    ];
    let slow: Vec<TcpStream> = (0..40).filter_map(|_| TcpStream::connect(host).ok()).collect();
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                for k in 0..1000 {
                    let (request, status) = &requests[k % requests.len()];
                    let answer = attack(host, request.as_bytes());
                    // Beyond the number of connections they are closed without a word.
                    assert!(answer == *status || answer == 0, "{answer} to {request}");
                }
                let answer = attack(host, huge.as_bytes());
                assert!(answer == 413 || answer == 0, "{answer}");
            });
        }
    });
    drop(slow);
    let before = served.get("api/runs")[0]["reached"].as_f64().unwrap();
    served.wait_for("api/runs", |runs| runs[0]["reached"].as_f64().is_some_and(|reached| reached > before));
    assert_eq!(served.post("api/stop", json!({"run": 0})).0, 200);
    let done = served.wait_for("api/runs", |runs| runs[0]["alive"] == false);
    assert_eq!(done[0]["state"], "stopped", "{done}");
    // As far as it came it is what the command leaves.
    let reached = format!("{}s", done[0]["reached"]);
    let options = ["run", "ball.toml", "--quiet", "--no-report", "-o", "own", "--duration", &reached];
    assert!(rattleback(&folder, &options).status.success());
    for name in ["states.csv", "contacts.csv", "energies.csv"] {
        let [own, attacked] =
            ["own", "results/ball"].map(|at| std::fs::read(folder.join(at).join(name)).unwrap());
        assert!(attacked.len() > 1000 && own.starts_with(&attacked), "{name} differs");
    }
}
