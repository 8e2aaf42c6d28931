//! 3MF files: a zip archive with models in XML (3MF Core Specification 1.3).
//!
//! A model has objects; an object is a mesh or made of components, which are other objects under a map. What is built
//! are the items of `build`, each an object under a map. A map is written m₀₀ m₀₁ m₀₂ m₁₀ … m₃₂ and takes the row
//! (x, y, z, 1) to (x', y', z'). Coordinates are in the model's unit and returned in metres. Supports are left out.
//! Objects in other parts of the archive (`p:path`, Production Extension) are found; models that require other
//! extensions than those of looks are refused by name.

use super::placement::Affine;
use super::zip::Archive;
use rattleback_geom::mesh::{Facets, PassedOver};
use rattleback_geom::{GeomError, Mat3, Vec3};
use roxmltree::{Document, Node};
use std::collections::HashMap;

/// Components stand in components to at most this depth.
const DEPTH: usize = 32;

/// So many objects are placed at most; an object made of nothing costs time too.
const PLACED: usize = 1 << 20;

/// Extensions that change no surface: materials and the division into parts.
const HARMLESS: [&str; 2] = [
    "http://schemas.microsoft.com/3dmanufacturing/material/",
    "http://schemas.microsoft.com/3dmanufacturing/production/",
];

type Result<T> = std::result::Result<T, GeomError>;

/// Reads what is built.
pub(super) fn read(bytes: &[u8]) -> Result<(Facets, PassedOver)> {
    let archive = Archive::open(bytes)?;
    let root = root_part(&archive)?;
    let mut models = Models { archive, models: HashMap::new(), placed: 0 };
    models.load(&root)?;
    let (scale, items) = (models.models[&root].scale, std::mem::take(&mut models.model(&root).items));
    if items.is_empty() {
        return Err(GeomError::EmptyMesh { found: "no item in the model's build".to_owned() });
    }
    let mut facets = Facets { vertices: Vec::new(), triangles: Vec::new() };
    for item in items {
        let map = Affine::scaling(scale).after(&item.map);
        models.place(&item.path.unwrap_or_else(|| root.clone()), item.object, &map, 0, &mut facets)?;
    }
    Ok((facets, PassedOver::default()))
}

/// The part that the archive's relationships name as the model; without them the only model.
fn root_part(archive: &Archive) -> Result<String> {
    if let Some(text) = archive.part("_rels/.rels") {
        let text = text?;
        let text = String::from_utf8_lossy(&text);
        let document = parse("_rels/.rels", &text)?;
        let model = document.descendants().find(|node| {
            is_named(node, "Relationship")
                && node.attribute("Type").is_some_and(|kind| kind.ends_with("/3dmodel"))
        });
        if let Some(target) = model.and_then(|node| node.attribute("Target")) {
            return Ok(part_name(target));
        }
    }
    let model = archive.names().find(|name| name.ends_with(".model")).map(part_name);
    model.ok_or_else(|| GeomError::EmptyMesh { found: "an archive without a 3D model".to_owned() })
}

fn part_name(path: &str) -> String {
    path.trim_start_matches('/').to_lowercase()
}

struct Models<'a> {
    archive: Archive<'a>,
    models: HashMap<String, Model>,
    placed: usize,
}

#[derive(Default)]
struct Model {
    /// Metres per unit.
    scale: f64,
    objects: HashMap<u64, Object>,
    items: Vec<Component>,
}

#[derive(Default)]
struct Object {
    is_support: bool,
    vertices: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    components: Vec<Component>,
}

#[derive(Clone)]
struct Component {
    path: Option<String>,
    object: u64,
    map: Affine,
}

impl Models<'_> {
    fn model(&mut self, part: &str) -> &mut Model {
        self.models.entry(part.to_owned()).or_default()
    }

    fn load(&mut self, part: &str) -> Result<()> {
        if self.models.contains_key(part) {
            return Ok(());
        }
        let content = self.archive.part(part).unwrap_or_else(|| {
            Err(GeomError::Inconsistent {
                field: "archive".to_owned(),
                found: format!("one without the part {part}"),
                allowed: "one with all parts that it names".to_owned(),
            })
        })?;
        let text = String::from_utf8_lossy(&content);
        let model = Model::read(part, text.trim_start_matches('\u{feff}'))?;
        self.models.insert(part.to_owned(), model);
        Ok(())
    }

    fn place(&mut self, part: &str, id: u64, map: &Affine, depth: usize, out: &mut Facets) -> Result<()> {
        self.load(part)?;
        self.placed += 1;
        let refused = |found: &str, allowed: &str| GeomError::Inconsistent {
            field: format!("{part}: object {id}"),
            found: found.to_owned(),
            allowed: allowed.to_owned(),
        };
        if depth > DEPTH || self.placed > PLACED {
            return Err(refused("components in components without end", "fewer"));
        }
        let object = self.models[part].objects.get(&id).ok_or_else(|| refused("missing", "in the model"))?;
        if object.is_support {
            return Ok(());
        }
        map.place(&object.vertices, &object.triangles, out)?;
        for component in object.components.clone() {
            let path = component.path.as_deref().unwrap_or(part);
            self.place(path, component.object, &map.after(&component.map), depth + 1, out)?;
        }
        Ok(())
    }
}

fn parse<'t>(part: &str, text: &'t str) -> Result<Document<'t>> {
    Document::parse(text).map_err(|error| GeomError::Parse {
        line: error.pos().row as usize,
        found: format!("{error} in {part}"),
        expected: "XML".to_owned(),
    })
}

/// Whether an element has this name, whatever its name space.
fn is_named(node: &Node, name: &str) -> bool {
    node.is_element() && node.tag_name().name() == name
}

impl Model {
    fn read(part: &str, text: &str) -> Result<Self> {
        let document = parse(part, text)?;
        let root = Place { part, node: document.root_element() };
        if root.node.tag_name().name() != "model" {
            return Err(root.error(root.node.tag_name().name(), "the element model"));
        }
        root.check_extensions()?;
        let scale = match root.node.attribute("unit").unwrap_or("millimeter") {
            "micron" => 1e-6,
            "millimeter" => 1e-3,
            "centimeter" => 1e-2,
            "inch" => 0.0254,
            "foot" => 0.3048,
            "meter" => 1.0,
            other => return Err(root.error(other, "micron, millimeter, centimeter, inch, foot or meter")),
        };
        let mut model = Self { scale, ..Self::default() };
        for object in root.within("resources").flat_map(|resources| resources.within("object")) {
            let id = object.number("id")?;
            model.objects.insert(id, Object::read(&object)?);
        }
        for item in root.within("build").flat_map(|build| build.within("item")) {
            model.items.push(item.component()?);
        }
        Ok(model)
    }
}

impl Object {
    fn read(place: &Place) -> Result<Self> {
        let kind = place.node.attribute("type").unwrap_or("model");
        let mut object = Self { is_support: matches!(kind, "support" | "solidsupport"), ..Self::default() };
        for mesh in place.within("mesh") {
            for vertex in mesh.within("vertices").flat_map(|list| list.within("vertex")) {
                object.vertices.push(Vec3::new(
                    vertex.coordinate("x")?,
                    vertex.coordinate("y")?,
                    vertex.coordinate("z")?,
                ));
            }
            for triangle in mesh.within("triangles").flat_map(|list| list.within("triangle")) {
                let mut corners = [0u32; 3];
                for (corner, key) in corners.iter_mut().zip(["v1", "v2", "v3"]) {
                    let index = triangle.number(key)?;
                    if index >= object.vertices.len() as u64 {
                        let expected = format!("one of the {} vertices", object.vertices.len());
                        return Err(triangle.error(&format!("vertex {index}"), &expected));
                    }
                    *corner = index as u32;
                }
                object.triangles.push(corners);
            }
        }
        for component in place.within("components").flat_map(|list| list.within("component")) {
            object.components.push(component.component()?);
        }
        Ok(object)
    }
}

/// An element and the part that it stands in.
#[derive(Clone, Copy)]
struct Place<'p, 't, 'i> {
    part: &'p str,
    node: Node<'t, 'i>,
}

impl<'p, 't, 'i> Place<'p, 't, 'i> {
    fn within(self, name: &'static str) -> impl Iterator<Item = Place<'p, 't, 'i>> {
        let part = self.part;
        self.node.children().filter(move |child| is_named(child, name)).map(move |node| Place { part, node })
    }

    fn error(&self, found: &str, expected: &str) -> GeomError {
        let line = self.node.document().text_pos_at(self.node.range().start).row as usize;
        GeomError::Parse { line, found: format!("{found:?} in {}", self.part), expected: expected.to_owned() }
    }

    fn value<T: std::str::FromStr>(&self, key: &str, expected: &str) -> Result<T> {
        let value = self.node.attribute(key);
        let parsed = value.and_then(|value| value.trim().parse().ok());
        parsed.ok_or_else(|| self.error(value.unwrap_or("no value"), &format!("{expected} at {key}")))
    }

    fn number(&self, key: &str) -> Result<u64> {
        self.value(key, "a number")
    }

    fn coordinate(&self, key: &str) -> Result<f64> {
        let value: f64 = self.value(key, "a coordinate")?;
        if value.is_finite() { Ok(value) } else { Err(self.error(&value.to_string(), "a finite coordinate")) }
    }

    /// An item of the build or a component.
    fn component(&self) -> Result<Component> {
        // The only attribute of this name: that of the production extension.
        let path = self.node.attributes().find(|a| a.name() == "path").map(|a| part_name(a.value()));
        Ok(Component { path, object: self.number("objectid")?, map: self.map()? })
    }

    fn map(&self) -> Result<Affine> {
        let Some(text) = self.node.attribute("transform") else { return Ok(Affine::identity()) };
        let numbers: Vec<f64> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        let is_sound = numbers.len() == 12
            && text.split_whitespace().count() == 12
            && numbers.iter().all(|x| x.is_finite());
        if !is_sound {
            return Err(self.error(text, "twelve finite numbers"));
        }
        // Rows of the file are columns of A.
        Ok(Affine {
            linear: Mat3::from_column_slice(&numbers[..9]),
            shift: Vec3::from_column_slice(&numbers[9..]),
        })
    }

    fn check_extensions(&self) -> Result<()> {
        let required = self.node.attribute("requiredextensions").unwrap_or_default();
        for prefix in required.split_whitespace() {
            let space = self.node.lookup_namespace_uri(Some(prefix)).unwrap_or(prefix);
            if !HARMLESS.iter().any(|harmless| space.starts_with(harmless)) {
                return Err(self.error(space, "no required extension but materials and production"));
            }
        }
        Ok(())
    }
}
