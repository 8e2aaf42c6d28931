//! `rattleback view`: a run in motion, on a page that this program serves to this machine alone.

use crate::console::Console;
use crate::failure::Failure;
use crate::interrupt;
use crate::report;
use crate::run::scene_of;
use clap::Args;
use rattleback_record::ResultFolder;
use rattleback_record::report::PAGE;
use rattleback_sweep::StopRequest;
use rattleback_view::{
    Feed, FilmMark, FilmMarks, FilmOptions, Handler, Server, StopHandle, Subject, Viewer, export,
};
use serde_json::json;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Watch a run in a browser, also while it goes on
///
/// The page is served to this machine alone, at an address with a secret in it, until Ctrl-C.
#[derive(Args)]
#[command(after_help = "\
Examples:
  rattleback view results/roemer_box
  rattleback view results/roemer_box --open
  rattleback view results/roemer_box --export page.html
  rattleback view results/roemer_box --export motion.gif --speed 0.2 --size 640x360
  rattleback view results/roemer_box --export motion.gif --show points,forces,slip,frames,paths
  rattleback view results/roemer_box --export motion.mp4 --export scene.glb --export paraview.pvd")]
pub struct Arguments {
    /// The result folder, of a run that has ended, goes on or was killed
    folder: PathBuf,
    /// Listen at this port [default: any that is free]
    #[arg(long)]
    port: Option<u16>,
    /// Listen on this address of the machine instead of loopback; whoever knows the page's address can read it then
    #[arg(long, value_name = "IP")]
    address: Option<IpAddr>,
    /// Open the page in the browser of the desktop
    #[arg(long)]
    open: bool,
    /// Write a file instead: .html, one page that opens from disk; .gif, .apng, .mp4 and .webm, a film, the latter two
    /// by ffmpeg; .png, its pictures; .glb, animated glTF 2.0; .pvd, files for ParaView. May stand several times
    #[arg(long = "export", value_name = "FILE", conflicts_with_all = ["port", "address", "open"])]
    exports: Vec<PathBuf>,
    /// Pictures per second of a film
    #[arg(long, value_name = "NUMBER", default_value_t = 25.0, requires = "exports")]
    rate: f64,
    /// Simulated seconds per second of a film
    #[arg(long, value_name = "NUMBER", default_value_t = 1.0, requires = "exports")]
    speed: f64,
    /// Pixels of a film
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value = "960x540", value_parser = size, requires = "exports")]
    size: [u32; 2],
    /// What a film shows over the bodies: points, forces, friction, normals, frames, slip, ellipses of contacts,
    /// contours of regions, joints, paths of all bodies that move
    #[arg(
        long,
        value_name = "WHAT,...",
        value_delimiter = ',',
        default_value = "points,forces,ellipses",
        requires = "exports"
    )]
    show: Vec<FilmMark>,
    /// Show nothing but bodies in a film
    #[arg(long, requires = "exports", conflicts_with = "show")]
    no_contacts: bool,
}

fn size(text: &str) -> Result<[u32; 2], String> {
    let sides = text.split_once('x').and_then(|(w, h)| Some([w.parse().ok()?, h.parse().ok()?]));
    match sides {
        Some([width, height]) if (1..=8192).contains(&width) && (1..=8192).contains(&height) => {
            Ok([width, height])
        }
        _ => Err("expected two numbers from 1 to 8192, as 960x540".to_owned()),
    }
}

/// Runs the verb.
pub fn run(arguments: &Arguments, console: &Console) -> Result<ExitCode, Failure> {
    let feed = Arc::new(feed(&arguments.folder)?);
    if !arguments.exports.is_empty() {
        return write_files(&feed, arguments, console);
    }
    let server = Server::bind(arguments.address, arguments.port)?;
    let stopped = Arc::new(AtomicBool::new(false));
    follow(&feed, &stopped)?;
    let viewer: Arc<dyn Handler> = Arc::new(Viewer::new(feed));
    serve(&server, &viewer, arguments.open, console)?;
    stopped.store(true, Ordering::SeqCst);
    Ok(ExitCode::SUCCESS)
}

/// Writes the files that were asked for.
fn write_files(feed: &Feed, arguments: &Arguments, console: &Console) -> Result<ExitCode, Failure> {
    let options = FilmOptions {
        rate: arguments.rate,
        speed: arguments.speed,
        size: arguments.size,
        marks: if arguments.no_contacts { FilmMarks::NONE } else { arguments.show.iter().copied().collect() },
    };
    let mut told = Vec::new();
    for path in &arguments.exports {
        let written = export(feed, path, &options)?;
        let remark = written.remark.map(|remark| format!(" ({remark})")).unwrap_or_default();
        console.say(&format!(
            "Written: {}, {} instants{remark}\n",
            written.path.display(),
            written.instants
        ))?;
        told.push(json!({"file": written.path, "instants": written.instants}));
    }
    link_from_report(arguments)?;
    console.tell(&told)?;
    Ok(ExitCode::SUCCESS)
}

/// Has the report of the folder made again where files were written beside it, so that it links to them.
fn link_from_report(arguments: &Arguments) -> Result<(), Failure> {
    let whole = |path: &Path| path.canonicalize().ok();
    let above = |path: &PathBuf| {
        path.parent().map(|own| if own == Path::new("") { Path::new(".") } else { own }.to_owned())
    };
    let beside = |path: &PathBuf| above(path).and_then(|own| whole(&own)) == whole(&arguments.folder);
    if !arguments.exports.iter().any(beside) || !arguments.folder.join(PAGE).is_file() {
        return Ok(());
    }
    let folder = ResultFolder::open(&arguments.folder)?;
    report::write(&scene_of(folder.scene()?, folder.manifest())?, &arguments.folder)?;
    Ok(())
}

/// A result folder, to be shown.
pub fn feed(folder: &Path) -> Result<Feed, Failure> {
    let result = ResultFolder::open(folder)?;
    let scene = scene_of(result.scene()?, result.manifest())?;
    Ok(Feed::open(Subject { scene, folder: Some(folder.to_owned()) })?)
}

/// Follows a folder in a thread of its own.
fn follow(feed: &Arc<Feed>, stopped: &Arc<AtomicBool>) -> Result<(), Failure> {
    let (feed, stopped) = (feed.clone(), stopped.clone());
    let follow = move || feed.keep_following(|| stopped.load(Ordering::SeqCst));
    std::thread::Builder::new()
        .name("follow".to_owned())
        .spawn(follow)
        .map_err(|error| Failure::output(format!("no thread to follow the run: {error}")))?;
    Ok(())
}

/// Says where the page is, and answers until Ctrl-C or SIGTERM.
pub fn serve(
    server: &Server,
    handler: &Arc<dyn Handler>,
    open: bool,
    console: &Console,
) -> Result<(), Failure> {
    let url = server.url();
    console.tell(&json!({"address": url}))?;
    console.say(&format!("Open {url} in a browser; Ctrl-C ends it.\n"))?;
    interrupt::listen();
    let stop = server.stop_handle();
    let wait = move || wait_for_interrupt(&stop);
    std::thread::Builder::new()
        .name("wait".to_owned())
        .spawn(wait)
        .map_err(|error| Failure::output(format!("no thread to wait for Ctrl-C: {error}")))?;
    if open {
        open_browser(&url, console);
    }
    server.serve(handler);
    Ok(())
}

fn wait_for_interrupt(stop: &StopHandle) {
    while interrupt::stop_request() == StopRequest::GoOn {
        std::thread::sleep(Duration::from_millis(50));
    }
    stop.stop();
}

/// Asks the desktop to show an address. A machine without one is told by the line that says the address.
fn open_browser(url: &str, console: &Console) {
    let (program, before): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(windows) {
        ("cmd", &["/C", "start", ""])
    } else {
        ("xdg-open", &[])
    };
    let opened = std::process::Command::new(program)
        .args(before)
        .arg(url)
        .stdin(std::process::Stdio::null())
        .stdout(std::process::Stdio::null())
        .stderr(std::process::Stdio::null())
        .spawn();
    if let Err(error) = opened {
        console.remark(&format!("No browser could be opened with {program}: {error}"));
    }
}
