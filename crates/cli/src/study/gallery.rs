//! `rattleback study all`: every built-in scene and every study, and one page that shows them.

use super::exhibit::{Exhibit, Item, exists, page};
use super::map::failure;
use crate::applications::FORMAT;
use crate::console::Console;
use crate::failure::Failure;
use crate::gait;
use crate::interrupt;
use crate::progress::{clock, rounded};
use crate::run::{broken, free_folder, record};
use clap::Args;
use rattleback_anchor::study::Durations;
use rattleback_record::report::{Sheets, figure};
use rattleback_record::{Document, Manifest, ResultFolder, WholeFile, claim_folder};
use rattleback_studies::comparison::Records;
use rattleback_studies::map::{self as maps, MapWatcher};
use rattleback_studies::paper::{ITEMS, PaperItem, Place};
use rattleback_studies::study::{Drawn, Extent};
use rattleback_studies::{Case, Study, case, study};
use rattleback_sweep::{RunOptions, StopRequest};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

/// How long scenes and the studies of motions are followed where all is to be short, in s.
const SHORT: f64 = 0.05;
/// Random pairs where all is to be short.
const FEW: u64 = 200;
/// Manoeuvres of the gallery: each takes a minute or more.
const MANOEUVRES: usize = 2;
/// The width of pictures, in pixels.
const WIDTH: u32 = 640;

/// What the gallery is made with.
#[derive(Args)]
pub struct Arguments {
    /// The folder, which must not exist or be empty [default: results/gallery, or gallery-2 and so on]
    #[arg(short, long, value_name = "FOLDER")]
    output: Option<PathBuf>,
    /// How many pairs the random studies draw [default: 20000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    samples: Option<u64>,
    /// Follow every scene for 50 ms at most and draw 200 pairs: a look at whether all works
    #[arg(long)]
    short: bool,
}

/// Runs the study.
pub fn run(arguments: &Arguments, console: &Console) -> Result<ExitCode, Failure> {
    let begun = Instant::now();
    let folder = arguments.output.clone().unwrap_or_else(|| free_folder("gallery"));
    claim_folder(&folder)?;
    interrupt::listen();
    let mut items = Vec::new();
    let applied = FORMAT.scenes().map(|file| Case::of_application(*file));
    for case in case::ALL.iter().copied().chain(applied) {
        let make = |path: &Path| scene(&case, path, arguments.short);
        if !add(&mut items, ("scene", case.file.name.to_owned()), &folder, console, make) {
            break;
        }
    }
    for study in study::ALL {
        let make = |path: &Path| examine(study, path, arguments);
        if !add(&mut items, ("study", format!("study-{}", study.name)), &folder, console, make) {
            break;
        }
    }
    if interrupt::stop_request() == StopRequest::GoOn {
        let make = |path: &Path| manoeuvres(path, arguments.short);
        add(&mut items, ("application", "study-anchor".to_owned()), &folder, console, make);
    }
    if interrupt::stop_request() == StopRequest::GoOn {
        add(&mut items, ("application", "gait".to_owned()), &folder, console, walk);
    }
    for name in ["atlas", "stowage"] {
        let make = |path: &Path| map(name, path, arguments.short);
        if !add(&mut items, ("map", format!("study-{name}")), &folder, console, make) {
            break;
        }
    }
    let seconds = begun.elapsed().as_secs_f64();
    let path = folder.join("index.html");
    WholeFile::write(&path, page(&items, seconds)?.to_html().as_bytes())?;
    conclude(&items, &path, seconds, console)
}

/// Makes an item unless the user has had enough; says whether to go on.
fn add(
    items: &mut Vec<Item>,
    (kind, name): (&'static str, String),
    folder: &Path,
    console: &Console,
    make: impl FnOnce(&Path) -> Result<Exhibit, Failure>,
) -> bool {
    if interrupt::stop_request() != StopRequest::GoOn {
        return false;
    }
    let begun = Instant::now();
    let outcome = make(&folder.join(&name));
    let seconds = begun.elapsed().as_secs_f64();
    match &outcome {
        Ok(_) => console.remark(&format!("{name}: {}", clock(seconds))),
        Err(failure) => console.remark(&format!("{name}: failed: {}", failure.message)),
    }
    items.push(Item { name, kind, seconds, outcome });
    true
}

fn conclude(items: &[Item], page: &Path, seconds: f64, console: &Console) -> Result<ExitCode, Failure> {
    let told: Vec<Value> = items.iter().map(Item::told).collect();
    let (count, missing) = PaperItem::missing(|place| exists(items, place));
    let papers = json!({"figures_and_tables": count, "missing": missing});
    console.tell(&json!({"page": page, "seconds": seconds, "items": told, "papers": papers}))?;
    console.say(&format!("{} scenes and studies in {}\n", items.len(), clock(seconds)))?;
    console.say(&format!("Figures and tables of the papers: {count}, missing: {}\n", missing.len()))?;
    console.say(&format!("Gallery: {}\n", page.display()))?;
    if interrupt::stop_request() != StopRequest::GoOn {
        return Ok(ExitCode::from(130));
    }
    match items.iter().filter(|item| item.outcome.is_err()).count() {
        0 => Ok(ExitCode::SUCCESS),
        failed => {
            let page = page.display();
            Err(Failure::motion(format!("{failed} of {} failed; {page} says why", items.len())))
        }
    }
}

/// Runs a scene into a folder of its own.
fn scene(case: &Case, path: &Path, short: bool) -> Result<Exhibit, Failure> {
    let source = case.file.source();
    let scene = FORMAT.parse_scene(source.clone())?;
    let whole = scene.duration;
    let options = RunOptions { duration: (short && whole > SHORT).then_some(SHORT), ..RunOptions::default() };
    let mut scene = options.apply(scene)?;
    if short {
        // Pictures take longer than the motion between them.
        scene.output.instants.truncate(1);
    }
    let silent = Console { quiet: true, json: false };
    let ended = record(&scene, &source, &options, path, None, &silent)?;
    if let Some(verdict) = broken(&ended.manifest) {
        return Err(Failure::broken(verdict));
    }
    let report = crate::report::of(&scene)?;
    let folder = ResultFolder::open(path)?;
    let written = report.write(&folder)?;
    let sheets = Sheets::read(&folder)?;
    let mut exhibit = Exhibit { title: scene.title.clone(), link: link(&written), ..Exhibit::default() };
    exhibit.texts.push(scene.description.trim().to_owned());
    if !scene.origin.is_empty() {
        exhibit.texts.push(format!("Source: {}", scene.origin));
    }
    let instant = case.instant.unwrap_or(0.5 * whole);
    if let Some(picture) = report.picture(&sheets, instant, WIDTH)? {
        exhibit.picture = Some((picture.image.to_png()?, picture.caption));
    }
    if let Some(plot) = report.plots.first() {
        let drawn = figure(&plot.title, plot.label.as_deref(), &plot.curves, &sheets)?;
        exhibit.figure = Some(drawn.to_svg()?);
    }
    let records = Records::new(&folder, &sheets, whole)?;
    if let Some(compare) = case.compare {
        let comparison = compare(&records)?;
        exhibit.tables.push(("Numbers beside their references".to_owned(), comparison.table()));
        exhibit.remarks.extend((!comparison.remark.is_empty()).then(|| comparison.remark.to_owned()));
    }
    exhibit.remarks.push(course(folder.manifest()));
    Ok(exhibit)
}

/// How a run went, in a line.
fn course(manifest: &Manifest) -> String {
    format!(
        "{} s simulated in {:.2} s, {} times real time; steps: {}, contacts: {}.",
        manifest.reached_s - manifest.begin_s,
        manifest.wall_s,
        rounded(manifest.speed),
        manifest.steps,
        manifest.events
    )
}

/// A page's address from the gallery's folder, which is the one above the page's own.
fn link(page: &Path) -> Option<String> {
    let folder = page.parent()?.file_name()?.to_str()?;
    Some(format!("{folder}/{}", page.file_name()?.to_str()?))
}

/// Follows some of the built-in manoeuvres.
fn manoeuvres(path: &Path, short: bool) -> Result<Exhibit, Failure> {
    let durations = if short {
        Durations { longest: SHORT, seaway: 0.0, raise: false }
    } else {
        Durations { longest: 60.0, seaway: 20.0, raise: true }
    };
    let built_in = rattleback_anchor::study::built_in(durations.longest);
    let mut cases = built_in.map_err(|error| Failure::input(error.to_string()))?;
    let count = cases.len();
    cases.truncate(if short { 1 } else { MANOEUVRES });
    let report = rattleback_anchor::study::report(&cases, &durations, true, &|_| ())?;
    let written = report.write(path)?;
    let places = places_on(&report, "anchor");
    Ok(Exhibit {
        title: report.title().to_owned(),
        texts: report.texts().take(1).map(str::to_owned).collect(),
        figure: report.find_figure("tension").map(rattleback_record::Figure::to_svg).transpose()?,
        tables: report.tables().take(2).map(|(heading, table)| (heading.to_owned(), table.clone())).collect(),
        remarks: vec![format!("{} of the {count} manoeuvres that `study anchor` follows.", cases.len())],
        link: link(&written),
        places,
        ..Exhibit::default()
    })
}

/// The figures and tables of papers that are on the page of a study, with what leads to them there.
fn places_on(report: &Document, study: &str) -> Vec<(Place, String)> {
    let shown = |place: Place| match place {
        Place::Study(name, part) if name == study => report.anchor(part).map(|anchor| (place, anchor)),
        _ => None,
    };
    ITEMS.iter().flat_map(|item| item.places).copied().filter_map(shown).collect()
}

/// Fits the foot of a walk of the engine's own, and predicts its forces.
fn walk(path: &Path) -> Result<Exhibit, Failure> {
    let (fit, prediction) = gait::example_documents(&path.join("trial"))?;
    let written = fit.write(&path.join("fit"))?;
    prediction.write(&path.join("prediction"))?;
    let figure =
        prediction.find_figure("left-vertical").map(rattleback_record::Figure::to_svg).transpose()?;
    let tables = fit.tables().take(2).chain(prediction.tables());
    Ok(Exhibit {
        title: "Gait: ground forces from markers".to_owned(),
        texts: fit.texts().take(1).map(str::to_owned).collect(),
        figure,
        tables: tables.map(|(heading, table)| (heading.to_owned(), table.clone())).collect(),
        remarks: vec![
            "The page of the fit has maps of its sensitivity: correlations of the parameters, and the error about the fit.".to_owned(),
            "A walk of the engine's own, whose forces are known; the left foot is seen nowhere in the fit."
                .to_owned(),
        ],
        link: link(&written).map(|page| format!("gait/{page}")),
        ..Exhibit::default()
    })
}

/// Makes a map on its smaller grid.
fn map(name: &str, path: &Path, short: bool) -> Result<Exhibit, Failure> {
    let duration = short.then_some(SHORT);
    let (report, shown) = if name == "atlas" {
        let study = maps::atlas::SHORT.read(&FORMAT, duration).map_err(failure)?;
        (maps::atlas::report(&study, &FORMAT, &Asked), "reversals")
    } else {
        let study = maps::stowage::SHORT.read(&FORMAT, duration).map_err(failure)?;
        (maps::stowage::report(&study, &path.join("runs"), &FORMAT, &Asked), "jammed")
    };
    let report = report.map_err(failure)?;
    let written = report.write(path)?;
    Ok(Exhibit {
        title: report.title().to_owned(),
        texts: report.texts().take(2).map(str::to_owned).collect(),
        figure: report.find_map(shown).map(rattleback_record::HeatMap::to_svg).transpose()?,
        tables: report.tables().map(|(heading, table)| (heading.to_owned(), table.clone())).collect(),
        remarks: vec![format!("A small grid; `study {name}` has the whole one.")],
        link: link(&written),
        ..Exhibit::default()
    })
}

/// A map ends where the user has had enough.
struct Asked;

impl MapWatcher for Asked {
    fn goes_on(&self) -> bool {
        interrupt::stop_request() == StopRequest::GoOn
    }
}

/// Makes a study into a folder of its own.
fn examine(study: &Study, path: &Path, arguments: &Arguments) -> Result<Exhibit, Failure> {
    let usual = Drawn::default();
    let samples = arguments.samples.unwrap_or(if arguments.short { FEW } else { usual.samples });
    let extent = Extent { drawn: Drawn { samples, ..usual }, short: arguments.short.then_some(SHORT) };
    let report = (study.report)(&extent).map_err(|e| Failure::motion(e.to_string()))?;
    let written = report.write(path)?;
    let places = places_on(&report, study.name);
    let tables = report.tables().take(study.tables);
    let figure = report.find_figure(study.figure).map(rattleback_record::Figure::to_svg).transpose()?;
    Ok(Exhibit {
        title: report.title().to_owned(),
        texts: report.texts().take(1).map(str::to_owned).collect(),
        figure,
        tables: tables.map(|(heading, table)| (heading.to_owned(), table.clone())).collect(),
        remarks: (!study.remark.is_empty()).then(|| study.remark.to_owned()).into_iter().collect(),
        link: link(&written),
        places,
        ..Exhibit::default()
    })
}
