//! A study: a scene, parameters that are varied, outputs that are collected.
//!
//! ```toml
//! scene = "bounce.toml"            # beside the study, or the name of a built-in scene
//! outputs = ["max ball.z_m"]       # expressions as `rattleback sensitivity` takes them
//! design = "grid"
//!
//! [parameters.restitution]
//! from = 0.2
//! to = 0.9
//! count = 8
//!
//! [parameters.radius]
//! values = ["10 mm", "15 mm"]
//! ```
//!
//! | design | runs |
//! |---|---|
//! | `grid` | all combinations of the values, the last parameter changes fastest |
//! | `list` | the first values of all parameters, the second ones, and so on |
//! | `latin_hypercube` | `samples`, one of them in each of as many strata of every parameter |
//! | `sobol` | the first `samples` points of Sobol's sequence |

mod design;
mod lower;
mod sobol;

pub use lower::{Study, Sweepable};

use rattleback_scene::ParameterValue;
use rattleback_scene::read::{At, Definitions, Field, Fields, Json, Named, Reader, SourceValue, Time, entry};
use serde_json::json;
use std::path::PathBuf;

entry! {
    /// A study: runs of one scene with different parameters.
    pub struct StudySpec {
        /// What it is called.
        title: Option<String>,
        /// What it is for.
        description: Option<String>,
        /// The scene: a file, from where the study stands, or the name of a built-in one.
        scene: At<PathBuf>,
        /// How the parameters are varied.
        design: Design = Design::Grid,
        /// How many runs a Latin hypercube or a Sobol sequence has.
        samples: Option<At<usize>>,
        /// Which random numbers are drawn; a Sobol sequence without it is not shifted.
        seed: Option<usize>,
        /// What is collected: curves at the end of the run, or `max CURVE` and `min CURVE`.
        outputs: Vec<At<String>>,
        /// How long runs are, instead of what the scene says.
        duration: Option<At<Time>>,
        /// The time between records, instead of what the scene says.
        every: Option<At<Time>>,
        /// The parameters of the scene that are varied.
        parameters: Named<ParameterSpec>,
    }
}

entry! {
    /// The values of a parameter: a list, or a range.
    pub struct ParameterSpec {
        /// The values.
        values: Option<At<Vec<ParameterValue>>>,
        /// Where a range begins.
        from: Option<At<ParameterValue>>,
        /// Where a range ends.
        to: Option<At<ParameterValue>>,
        /// How many values of a range a grid has, both ends included.
        count: Option<At<usize>>,
        /// How values lie between the ends.
        scale: Scale = Scale::Linear,
    }
}

/// How parameters are varied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Design {
    /// All combinations.
    Grid,
    /// Value by value.
    List,
    /// Stratified random points.
    LatinHypercube,
    /// Points of low discrepancy.
    Sobol,
}

/// How values lie between the ends of a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// At equal differences.
    Linear,
    /// At equal ratios.
    Log,
}

impl Design {
    const WORDS: [(&'static str, &'static str); 4] = [
        ("grid", "All combinations of the values; the last parameter changes fastest."),
        ("list", "The first values of all parameters, the second ones, and so on."),
        ("latin_hypercube", "Random points, one in each of as many strata of every parameter."),
        ("sobol", "The first points of Sobol's sequence."),
    ];
}

impl Field for Design {
    fn read(node: &SourceValue, reader: &mut Reader) -> Option<Self> {
        match Fields::word(node, &Self::WORDS.map(|(word, _)| word), reader)? {
            "grid" => Some(Self::Grid),
            "list" => Some(Self::List),
            "sobol" => Some(Self::Sobol),
            _ => Some(Self::LatinHypercube),
        }
    }

    fn schema(definitions: &mut Definitions) -> Json {
        definitions.words("Design", "How parameters are varied.", &Self::WORDS)
    }
}

impl Field for Scale {
    fn read(node: &SourceValue, reader: &mut Reader) -> Option<Self> {
        let log = Fields::word(node, &["linear", "log"], reader)? == "log";
        Some(if log { Self::Log } else { Self::Linear })
    }

    fn schema(definitions: &mut Definitions) -> Json {
        let words = [("linear", "At equal differences."), ("log", "At equal ratios.")];
        definitions.words("Scale", "How values lie between the ends of a range.", &words)
    }
}

/// The JSON Schema of a study file.
pub fn study_schema() -> Json {
    let mut definitions = Definitions::of(&[]);
    let mut schema = definitions.document::<StudySpec>("Rattleback study");
    schema["description"] = json!("Runs of one scene with different parameters, by `rattleback sweep`.");
    schema
}
