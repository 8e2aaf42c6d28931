//! An input: which readers it is for, under which name it stands, and its bytes.

/// What an input is read as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Target {
    /// A scene.
    Scene,
    /// A description of a shape, in TOML or JSON.
    Shape,
    /// Lines of pairs.
    Pair,
    /// A mesh, in STL or OBJ.
    Mesh,
    /// A robot, URDF or MJCF.
    Robot,
    /// A file of a gait laboratory: `.trc`, `.mot`, `.sto`, or roles of markers.
    Gait,
    /// One file of a result folder; the others are as a run left them.
    Folder,
}

impl Target {
    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::Scene, Self::Shape, Self::Pair, Self::Mesh, Self::Robot, Self::Gait, Self::Folder];

    /// The word for it: on the command line, and the name of its folder under `found`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Scene => "scene",
            Self::Shape => "shape",
            Self::Pair => "pair",
            Self::Mesh => "mesh",
            Self::Robot => "robot",
            Self::Gait => "gait",
            Self::Folder => "folder",
        }
    }

    /// The target that a word stands for.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|target| target.word() == word)
    }
}

/// An input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    /// What it is read as.
    pub target: Target,
    /// Its name, whose ending says the format; of a result folder's file the folder's name comes before it, as in
    /// `ball/run.json`.
    pub name: String,
    /// What the file holds.
    pub bytes: Vec<u8>,
}

impl Input {
    /// An input.
    pub fn new(target: Target, name: impl Into<String>, bytes: impl Into<Vec<u8>>) -> Self {
        Self { target, name: name.into(), bytes: bytes.into() }
    }
}
