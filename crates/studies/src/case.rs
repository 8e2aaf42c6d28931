//! The index of the cases: scene files that are built into the program, each with the numbers of its source.
//!
//! A new case is a file under `scenes/` and a line in [`ALL`]. Where its source prints numbers, or closed forms say
//! what must come out, the line names the function of `comparison/` that sets them beside ours.

use crate::comparison::{Compare, chains, free, marques, mechanisms, rolling};
use crate::error::{Result, StudyError};
use rattleback_scene::{BuiltIn, Scene};

/// A case.
#[derive(Debug, Clone, Copy)]
pub struct Case {
    /// Its scene file.
    pub file: BuiltIn,
    /// When its picture is taken, in s: where something is to be seen. Half way through it by default.
    pub instant: Option<f64>,
    /// The numbers of its source beside ours.
    pub compare: Option<Compare>,
}

macro_rules! case {
    ($name:literal, $path:literal $(with $folder:literal $($beside:literal)+)?, $instant:expr, $compare:expr) => {
        Case {
            file: BuiltIn {
                name: $name,
                text: include_str!(concat!("../../../scenes/", $path)),
                beside: &[$($(($beside, include_str!(concat!("../../../scenes/", $folder, $beside)))),+)?],
            },
            instant: $instant,
            compare: $compare,
        }
    };
}

/// All of them, in the order of lists and of the gallery: name, scene file, instant of the picture, numbers of the
/// source.
pub const ALL: &[Case] = &[
    case!("demonstration", "demonstration.toml", Some(2.0), Some(free::demonstration)),
    case!("heap", "heap.toml", Some(1.0), Some(free::heap)),
    // One of the snapshots of the paper's Fig. 9.
    case!("roemer_box", "papers/roemer_box.toml", Some(1.0), Some(free::roemer_box)),
    case!("marques_ball", "papers/marques_ball.toml", Some(0.24), Some(marques::ball)),
    case!("marques_cradle", "papers/marques_cradle.toml", Some(0.7), Some(marques::cradle)),
    case!(
        "marques_cradle_damped",
        "papers/marques_cradle_damped.toml",
        Some(0.7),
        Some(marques::cradle_damped)
    ),
    case!("marques_cradle_two", "papers/marques_cradle_two.toml", Some(0.7), Some(marques::cradle_two)),
    case!(
        "marques_cradle_two_damped",
        "papers/marques_cradle_two_damped.toml",
        Some(0.7),
        Some(marques::cradle_two_damped)
    ),
    case!(
        "marques_rolling_sphere",
        "papers/marques_rolling_sphere.toml",
        Some(0.5),
        Some(marques::rolling_sphere)
    ),
    case!("marques_ellipsoid", "papers/marques_ellipsoid.toml", Some(0.6), Some(marques::ellipsoid)),
    case!(
        "marques_ellipsoid_viscous",
        "papers/marques_ellipsoid_viscous.toml",
        Some(0.6),
        Some(marques::ellipsoid)
    ),
    case!("pendulum", "mechanisms/pendulum.toml", Some(0.3), Some(mechanisms::pendulum)),
    case!("four_bar", "mechanisms/four_bar.toml", Some(0.5), Some(mechanisms::four_bar)),
    case!("bricard", "mechanisms/bricard.toml", Some(1.0), Some(mechanisms::bricard)),
    case!("flyball", "mechanisms/flyball.toml", Some(0.5), Some(mechanisms::flyball)),
    case!("squeezer", "mechanisms/squeezer.toml", Some(0.005), Some(mechanisms::squeezer)),
    case!("dominoes", "boxes/dominoes.toml", Some(0.3), Some(chains::books)),
    case!("hanging_chain", "mechanisms/hanging_chain.toml", None, Some(chains::books)),
    case!("rattleback", "rolling/rattleback.toml", Some(2.0), Some(free::demonstration)),
    case!("patch", "rolling/patch.toml", None, Some(rolling::patch)),
    case!("bowl", "rolling/bowl.toml" with "rolling/" "bowl.obj" "table.obj", Some(0.6), Some(rolling::bowl)),
    case!(
        "bowl_14",
        "rolling/bowl_14.toml" with "rolling/" "bowl_14.obj" "table.obj",
        Some(0.6),
        Some(rolling::bowl_at_rest)
    ),
    case!("incline", "rolling/incline.toml", None, Some(rolling::incline)),
    case!("ring", "rolling/ring.toml", None, Some(rolling::ring)),
    case!("stack", "rolling/stack.toml", Some(0.3), Some(rolling::stack)),
];

impl Case {
    /// The case of an application's scene: its energy must be accounted for.
    pub const fn of_application(file: BuiltIn) -> Self {
        Self { file, instant: None, compare: Some(chains::books) }
    }

    /// The case of that name.
    pub fn find(name: &str) -> Result<&'static Self> {
        let found = ALL.iter().find(|case| case.file.name == name);
        found.ok_or_else(|| StudyError::UnknownCase { name: name.to_owned() })
    }

    /// The scene of the case of that name.
    pub fn scene_of(name: &str) -> Result<Scene> {
        Ok(rattleback_scene::parse_scene(Self::find(name)?.file.source())?)
    }
}
