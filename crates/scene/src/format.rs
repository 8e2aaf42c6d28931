//! The files that a program reads: those of the core, with what its applications add.

use crate::application::Application;
use crate::built_in::BuiltIn;
use crate::curve::{CurveSpec, ReadCurve};
use crate::error::{Result, SceneError};
use crate::pair::{self, PairQuery};
use crate::read::{Definitions, Field, Json, Reader, Source, SourceValue};
use crate::scene::{self, Scene, Setting};
use crate::shape::{self, ShapeSpec};
use rattleback_geom::surface::Shape;
use std::path::{Path, PathBuf};

/// Which files can be read.
#[derive(Debug, Clone, Copy, Default)]
pub struct Format {
    applications: &'static [Application],
}

impl Format {
    /// The core's files with what applications add.
    pub const fn new(applications: &'static [Application]) -> Self {
        Self { applications }
    }

    /// Reads a scene; every mistake in it is told at once.
    pub fn read_scene(&self, path: &Path) -> Result<Scene> {
        self.parse_scene(Source::read(path)?)
    }

    /// The scene of a text that has been read; the files that it names are those beside it, or are looked for from its
    /// path.
    pub fn parse_scene(&self, source: Source) -> Result<Scene> {
        self.parse_scene_with(source, &[])
    }

    /// The same, with other values of some of its parameters; each must be there.
    pub fn parse_scene_with(&self, source: Source, settings: &[Setting]) -> Result<Scene> {
        scene::parse(source, settings, self.applications)
    }

    /// Reads a shape from a `.toml` or `.json` description, or a mesh from a mesh file; with it come remarks on
    /// what was made of the description.
    pub fn read_shape(&self, path: &Path) -> Result<(Shape, Vec<String>)> {
        shape::read(path, &mut self.reader(Vec::new()))
    }

    /// Reads a plane curve from a `.toml` or `.json` description.
    pub fn read_curve(&self, path: &Path) -> Result<ReadCurve> {
        self.parse_entry(Source::read(path)?, |spec: CurveSpec, reader| {
            let mut remarks = Vec::new();
            let curve = spec.lower(&mut remarks, reader)?;
            Some(ReadCurve { curve, remarks })
        })
    }

    /// The shape of a description in TOML or JSON that has been read, as the ending of its path says.
    pub fn parse_shape(&self, source: Source) -> Result<(Shape, Vec<String>)> {
        shape::parse_source(source, &mut self.reader(Vec::new()))
    }

    /// The value of any other description in TOML or JSON, as the ending of its path says: a table with keys of its
    /// own. `lower` makes of it what is wanted; what it complains of is told with the rest.
    pub fn parse_entry<E: Field, T>(
        &self,
        source: Source,
        lower: impl FnOnce(E, &mut Reader) -> Option<T>,
    ) -> Result<T> {
        let (node, complaints) = SourceValue::from_source(&source);
        if !complaints.is_empty() {
            return Err(SceneError::Refused { file: source, complaints });
        }
        let mut reader = self.reader(Vec::new());
        reader.set_text(source.text.as_str());
        let lowered = E::read(&node, &mut reader).and_then(|entry| lower(entry, &mut reader));
        match lowered {
            Some(value) if reader.is_content() => Ok(value),
            _ => Err(SceneError::Refused { file: source, complaints: reader.into_complaints() }),
        }
    }

    /// Reads a line of a file of pairs; `file` is where it stands, for the files that its shapes name.
    pub fn parse_pair(&self, line: &str, file: &Path) -> Result<PairQuery> {
        pair::parse(line, file, self.reader(Vec::new()))
    }

    /// The JSON Schema of a scene file.
    pub fn scene_schema(&self) -> Json {
        scene::schema(self.applications)
    }

    /// The JSON Schema of a shape file.
    pub fn shape_schema(&self) -> Json {
        Definitions::of(self.applications).document::<ShapeSpec>("Rattleback shape")
    }

    /// The JSON Schema of a curve file.
    pub fn curve_schema(&self) -> Json {
        Definitions::of(self.applications).document::<CurveSpec>("Rattleback curve")
    }

    /// The scenes that the applications bring along.
    pub fn scenes(&self) -> impl Iterator<Item = &'static BuiltIn> {
        self.applications.iter().flat_map(|application| application.scenes)
    }

    fn reader(&self, beside: Vec<(PathBuf, String)>) -> Reader {
        Reader::new(self.applications, beside)
    }
}

/// Reads a scene of the core; every mistake in it is told at once.
pub fn read_scene(path: &Path) -> Result<Scene> {
    Format::default().read_scene(path)
}

/// The scene of the core of a text that has been read.
pub fn parse_scene(source: Source) -> Result<Scene> {
    Format::default().parse_scene(source)
}

/// Reads a shape of the core, with remarks on what was made of its description.
pub fn read_shape(path: &Path) -> Result<(Shape, Vec<String>)> {
    Format::default().read_shape(path)
}

/// Reads a line of a file of pairs with shapes of the core.
pub fn parse_pair(line: &str, file: &Path) -> Result<PairQuery> {
    Format::default().parse_pair(line, file)
}

/// The JSON Schema of scenes of the core.
pub fn scene_schema() -> Json {
    Format::default().scene_schema()
}

/// The JSON Schema of shapes of the core.
pub fn shape_schema() -> Json {
    Format::default().shape_schema()
}
