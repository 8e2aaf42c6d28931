//! The JSON of a glTF file, as far as it says where triangles are.

use super::{Result, wrong};
use rattleback_geom::GeomError;
use serde::Deserialize;

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Document {
    scene: Option<usize>,
    #[serde(default)]
    scenes: Vec<Scene>,
    #[serde(default)]
    pub(super) nodes: Vec<Node>,
    #[serde(default)]
    pub(super) meshes: Vec<Mesh>,
    #[serde(default)]
    pub(super) accessors: Vec<Accessor>,
    #[serde(default)]
    pub(super) buffer_views: Vec<BufferView>,
    #[serde(default)]
    pub(super) buffers: Vec<Buffer>,
    #[serde(default)]
    extensions_required: Vec<String>,
}

/// What tells version 2, whose lists are lists, from version 1.
#[derive(Debug, Deserialize)]
struct Head {
    asset: Asset,
}

#[derive(Debug, Deserialize)]
struct Asset {
    version: String,
}

#[derive(Debug, Deserialize)]
struct Scene {
    #[serde(default)]
    nodes: Vec<usize>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Node {
    #[serde(default)]
    pub(super) children: Vec<usize>,
    pub(super) mesh: Option<usize>,
    pub(super) matrix: Option<[f64; 16]>,
    #[serde(default)]
    pub(super) translation: [f64; 3],
    #[serde(default = "no_turn")]
    pub(super) rotation: [f64; 4],
    #[serde(default = "ones")]
    pub(super) scale: [f64; 3],
}

fn no_turn() -> [f64; 4] {
    [0.0, 0.0, 0.0, 1.0]
}

fn ones() -> [f64; 3] {
    [1.0; 3]
}

#[derive(Debug, Deserialize)]
pub(super) struct Mesh {
    #[serde(default)]
    pub(super) primitives: Vec<Primitive>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Primitive {
    pub(super) attributes: Attributes,
    pub(super) indices: Option<usize>,
    #[serde(default = "triangles")]
    pub(super) mode: u32,
}

fn triangles() -> u32 {
    4
}

#[derive(Debug, Deserialize)]
pub(super) struct Attributes {
    #[serde(rename = "POSITION")]
    pub(super) position: Option<usize>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Accessor {
    pub(super) buffer_view: Option<usize>,
    #[serde(default)]
    pub(super) byte_offset: usize,
    pub(super) component_type: u32,
    pub(super) count: usize,
    #[serde(rename = "type")]
    pub(super) kind: String,
    pub(super) sparse: Option<serde::de::IgnoredAny>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BufferView {
    pub(super) buffer: usize,
    #[serde(default)]
    pub(super) byte_offset: usize,
    pub(super) byte_length: usize,
    pub(super) byte_stride: Option<usize>,
}

#[derive(Debug, Deserialize)]
pub(super) struct Buffer {
    pub(super) uri: Option<String>,
}

impl Document {
    pub(super) fn read(json: &[u8]) -> Result<Self> {
        let json = json.strip_prefix(b"\xef\xbb\xbf").unwrap_or(json);
        let wrong_text = |error: serde_json::Error| GeomError::Parse {
            line: error.line(),
            found: error.to_string(),
            expected: "a glTF 2.0 file".to_owned(),
        };
        let head: Head = serde_json::from_slice(json).map_err(wrong_text)?;
        if head.asset.version.split('.').next() != Some("2") {
            return Err(wrong("asset.version", &head.asset.version, "2.0"));
        }
        serde_json::from_slice(json).map_err(wrong_text)
    }

    pub(super) fn required(&self) -> impl Iterator<Item = &str> {
        self.extensions_required.iter().map(String::as_str)
    }

    /// The nodes at the top of what is shown.
    pub(super) fn roots(&self) -> Result<Vec<usize>> {
        if self.scenes.is_empty() && self.scene.is_none() {
            let mut is_child = vec![false; self.nodes.len()];
            for child in self.nodes.iter().flat_map(|node| &node.children) {
                if let Some(slot) = is_child.get_mut(*child) {
                    *slot = true;
                }
            }
            return Ok((0..self.nodes.len()).filter(|node| !is_child[*node]).collect());
        }
        let number = self.scene.unwrap_or(0);
        let scene = self
            .scenes
            .get(number)
            .ok_or_else(|| wrong("scene", &number.to_string(), "one of the scenes"))?;
        Ok(scene.nodes.clone())
    }
}
