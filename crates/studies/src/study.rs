//! The index of the studies that the gallery shows: what each is made with, and what is shown of it.

use crate::draw;
use crate::{
    Result, benchmark, dopico, errata, kry_pai, lopes, marques, restitution, roemer, roemer_box, thin,
};
use rattleback_record::Document;

pub use draw::Drawn;

/// How much is to be done.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Extent {
    /// The random pairs of those that draw any.
    pub drawn: Drawn,
    /// How long motions are followed at most, in s, where all is to be short.
    pub short: Option<f64>,
}

/// A study and what the gallery shows of it.
#[derive(Debug, Clone, Copy)]
pub struct Study {
    /// Its name.
    pub name: &'static str,
    /// How many of its tables, from the first on.
    pub tables: usize,
    /// The name of its main figure.
    pub figure: &'static str,
    /// What is to be compared by eye, or has nothing to be compared with.
    pub remark: &'static str,
    /// Makes it.
    pub report: fn(&Extent) -> Result<Document>,
}

/// All of them, in the order of the gallery.
pub const ALL: &[Study] = &[
    Study { name: "lopes", tables: 2, figure: "table-6-pair-2", remark: "", report: |_| lopes::report() },
    Study {
        name: "roemer",
        tables: 2,
        figure: "study-a",
        remark: "",
        report: |extent| roemer::report(extent.drawn),
    },
    Study {
        name: "restitution",
        tables: 1,
        figure: "restitution",
        remark: "Fig. 2 of the paper draws the restitution obtained over the restitution asked for under several of these laws, \
                 without printed numbers; ours is to be compared with it by eye.",
        report: |_| restitution::report(),
    },
    Study {
        name: "marques",
        tables: 3,
        figure: "ball",
        remark: "The paper prints no numbers for these tests: what is predicted and expected are closed forms and its words.",
        report: |_| marques::report(),
    },
    Study {
        name: "box",
        tables: 2,
        figure: "energy",
        remark: "Fig. 9 of the paper draws the total energy over 4 s, a curve without printed numbers; \"mechanical\" is to be \
                 compared with it by eye.",
        report: |extent| roemer_box::report(extent.short),
    },
    Study {
        name: "kry-pai",
        tables: 5,
        figure: "fig-7-64ms",
        remark: "Figs 7 to 9 and 11 of the paper are curves without printed numbers, of a bowl thrown in a way that it does not \
                 say; ours are to be compared with them by their kind.",
        report: |extent| {
            let all =
                if extent.short.is_some() { kry_pai::Extent::short() } else { kry_pai::Extent::default() };
            kry_pai::report(&all)
        },
    },
    Study { name: "dopico", tables: 1, figure: "fig-3", remark: "", report: |_| dopico::report() },
    Study { name: "errata", tables: 5, figure: "errata", remark: "", report: |_| errata::report() },
    Study {
        name: "thin",
        tables: 1,
        figure: "iterations",
        remark: "Of no paper: no answer may fail or stay without its certificate.",
        report: |extent| Ok(thin::report(extent.drawn)),
    },
    Study {
        name: "benchmark",
        tables: 5,
        figure: "accuracy",
        remark: "Of no paper: data for the next one. The files are on its page.",
        report: |extent| {
            let samples = extent.drawn.samples.min(benchmark::PAIRS);
            let data = benchmark::data(Drawn { samples, ..extent.drawn })?;
            benchmark::report(&data, benchmark::Peers::default())
        },
    },
];
