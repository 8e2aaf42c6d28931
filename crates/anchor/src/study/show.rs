//! Tables and figures of manoeuvres.

use super::follow::{Durations, Followed};
use super::sea;
use crate::manoeuvre::Sample;
use crate::monitor::{kilonewtons, point};
use rattleback_record::{Axis, Document, Figure, Series, Table};

pub(super) fn add(all: &[Followed<'_>], durations: &Durations, report: &mut Document) {
    report.text(format!(
        "Each anchor is heaved until it lies still and the line no longer comes in, or for {} s. The frame is the hull's: x forward, y \
         to port, z up, the origin at the mouth of the pipe.",
        durations.longest
    ));
    report.table("How they ended", ends(all));
    let above =
        |one: &&Followed<'_>| one.verdict.as_ref().is_some_and(|v| v.tension > one.rig.windlass.limit);
    if let Some(one) = all.iter().find(above) {
        report.text(format!(
            "The drive of the windlass stalls at {}: it winds nothing in above that. A greater pull is that of the line, which the \
             stalled drive and the brake hold up to {}, where the brake slips: the anchor that is brought to a stop by the hull \
             stretches it.",
            kilonewtons(one.rig.windlass.limit),
            kilonewtons(one.rig.windlass.brake)
        ));
    }
    report.table("Hardest contacts with the hull, from when the windlass begins to heave", peaks(all));
    report.table("What the computing cost", costs(all));
    if durations.seaway > 0.0 && all.iter().any(|one| !one.holding.is_empty()) {
        report.text(format!(
            "Those that are stowed then lie for {} s in a seaway of {} m significant height and {} s peak period that grows over \
             its first seconds, held by the brake alone.{} Hits are contacts of head or shank with the hull that begin anew, \
             slip is the way of the fastest of their contacts.",
            durations.seaway,
            sea::HEIGHT,
            sea::PERIOD,
            if durations.raise {
                format!(
                    " The sea is raised by {} m at a time until the anchor does not hold, to {} m at most.",
                    sea::RAISE,
                    sea::HIGHEST
                )
            } else {
                String::new()
            }
        ));
        report.table("In a seaway", seaway(all));
    }
    for one in all {
        if let Some(trouble) = &one.trouble {
            report.text(format!("{}: {trouble}.", one.case.name()));
        }
    }
    report.figure("tension", figure(all, "Pull of the windlass", "in kN", |s| 1e-3 * s.tension));
    report.figure("entered", figure(all, "How far the shackle has come up the pipe", "in m", |s| s.entered));
}

fn table<const N: usize>(columns: [&str; N]) -> Table {
    Table::new(["hull", "start"].into_iter().chain(columns).map(str::to_owned))
}

fn push<const N: usize>(table: &mut Table, one: &Followed<'_>, cells: [String; N]) {
    table.push([one.case.variant.clone(), one.case.start.clone()].into_iter().chain(cells));
}

fn ends(all: &[Followed<'_>]) -> Table {
    let mut table = table([
        "verdict",
        "at rest, s",
        "shackle in pipe, m",
        "shank, m",
        "to pipe, °",
        "head, °",
        "pull at end",
        "pull at most",
    ]);
    for one in all {
        let Some(verdict) = &one.verdict else { continue };
        let last = &verdict.last;
        let cells = [
            verdict.outcome.word().to_owned(),
            format!("{:.1}", verdict.time),
            format!("{:.2}", last.entered),
            format!("{:.2}", one.rig.shank_length),
            format!("{:.1}", last.askew.to_degrees()),
            format!("{:.1}", last.tilt.to_degrees()),
            kilonewtons(last.tension),
            kilonewtons(verdict.tension),
        ];
        push(&mut table, one, cells);
    }
    table
}

fn peaks(all: &[Followed<'_>]) -> Table {
    let mut table = table(["of", "force", "at, s", "where"]);
    for one in all {
        for peak in one.watch.peaks.iter().flatten() {
            let cells =
                [peak.body.clone(), kilonewtons(peak.force), format!("{:.2}", peak.time), point(&peak.point)];
            push(&mut table, one, cells);
        }
    }
    table
}

fn costs(all: &[Followed<'_>]) -> Table {
    let mut table = table([
        "simulated, s",
        "deepest overlap, mm",
        "work of windlass, kJ",
        "missing, kJ",
        "share",
        "computed in, s",
    ]);
    for one in all {
        let (work, missing) = (one.energy.work, one.energy.missing);
        let share = if work > 0.0 { format!("{:.1} %", 100.0 * missing / work) } else { "–".to_owned() };
        let cells = [
            format!("{:.1}", one.state.time),
            format!("{:.2}", 1e3 * one.watch.deepest),
            format!("{:.2}", 1e-3 * work),
            format!("{:.3}", 1e-3 * missing),
            share,
            format!("{:.0}", one.wall),
        ];
        push(&mut table, one, cells);
    }
    table
}

fn seaway(all: &[Followed<'_>]) -> Table {
    let mut table = table(["height, m", "holds", "moved, mm", "hits", "slip, mm", "pull at most"]);
    for one in all {
        for (k, (height, holding)) in one.holding.iter().enumerate() {
            // What went wrong went wrong in the last sea.
            let sound = one.trouble.is_none() || k + 1 < one.holding.len();
            let cells = [
                height.to_string(),
                if holding.holds && sound { "yes" } else { "no" }.to_owned(),
                format!("{:.1}", 1e3 * holding.moved),
                holding.hits.to_string(),
                format!("{:.1}", 1e3 * holding.slip),
                kilonewtons(holding.tension),
            ];
            push(&mut table, one, cells);
        }
    }
    table
}

fn figure(all: &[Followed<'_>], title: &str, unit: &str, value: fn(&Sample) -> f64) -> Figure {
    let series: Vec<Series> = all
        .iter()
        .map(|one| Series {
            name: one.case.name(),
            points: one.watch.samples.iter().map(|s| [s.time, value(s)]).collect(),
            dashed: false,
        })
        .collect();
    let numbers = |k: usize| series.iter().flat_map(move |s| s.points.iter().map(move |p| p[k]));
    Figure {
        title: title.to_owned(),
        x: Axis::spanning(numbers(0), "time in s"),
        y: Axis::spanning(numbers(1), unit),
        series,
    }
}
