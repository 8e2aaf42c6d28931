//! What the studio offers beside runs: verbs on files of gait laboratories.

use rattleback_view::{Tool, ToolOption, ToolOptionKind};

const STILL: ToolOption = ToolOption {
    name: "static",
    meaning: "The markers of a static trial; found beside the walk by its name where it is not given",
    kind: ToolOptionKind::File(&["trc"]),
};
const FORCES: ToolOption = ToolOption {
    name: "forces",
    meaning: "The force plates; found beside the walk by its name where they are not given",
    kind: ToolOptionKind::File(&["mot", "sto"]),
};
const MASS: ToolOption =
    ToolOption { name: "mass", meaning: "The body's mass in kg", kind: ToolOptionKind::Number };
const TABLE: ToolOption = ToolOption {
    name: "table",
    meaning: "The table of mass shares, Winter's by default",
    kind: ToolOptionKind::Choice(&["winter", "de-leva-women", "de-leva-men"]),
};
const FOOT: ToolOption = ToolOption {
    name: "foot",
    meaning: "The foot that is fitted; the first one with a whole stance on a plate by default",
    kind: ToolOptionKind::Choice(&["right", "left"]),
};
const STANCE: ToolOption = ToolOption {
    name: "stance",
    meaning: "An interval of time in s that holds the stance, as 0.6,1.5",
    kind: ToolOptionKind::Interval,
};
const FOOT_MODEL: ToolOption = ToolOption {
    name: "foot-model",
    meaning: "A foot that was fitted before; fitted to this trial's own plates by default",
    kind: ToolOptionKind::Result("foot.json"),
};

/// The tools, in the order in which they are used.
pub const TOOLS: &[Tool] = &[
    Tool {
        name: "gait check",
        meaning: "What to know of a trial before it is trusted",
        ending: "trc",
        writes: false,
        options: &[STILL, FORCES, MASS, TABLE],
    },
    Tool {
        name: "gait fit",
        meaning: "The bodies under a foot from one stance on a force plate",
        ending: "trc",
        writes: true,
        options: &[STILL, FORCES, MASS, TABLE, FOOT, STANCE],
    },
    Tool {
        name: "gait predict",
        meaning: "The ground forces of both feet from markers",
        ending: "trc",
        writes: true,
        options: &[STILL, FORCES, MASS, TABLE, FOOT_MODEL],
    },
];
