//! COLLADA files (`.dae`): scenes of nodes that place meshes, in XML.
//!
//! Taken are the triangles of the scene that the file shows (without one, of all geometries as they are): `triangles`,
//! `polylist`, `polygons`, `tristrips` and `trifans`, under the maps of their nodes, which are applied in the order in
//! which they are written: `matrix`, `translate`, `rotate`, `scale`. Lengths are returned in metres, by the file's
//! unit. Axes are taken as they are, as the tools around URDF take them; an up axis other than z is remarked. Lines are
//! counted. Skins are taken as the meshes that they bend. Holes in polygons, splines, `lookat` and `skew` are refused
//! by name. (Khronos, COLLADA 1.4.1 and 1.5 Specification, chapter 5.)

mod mesh;

use super::placement::Affine;
use mesh::Geometry;
use rattleback_geom::mesh::{Facets, PassedOver};
use rattleback_geom::nalgebra::{Rotation3, Unit};
use rattleback_geom::{GeomError, Mat3, Vec3};
use roxmltree::{Document, Node};
use std::collections::HashMap;

type Result<T> = std::result::Result<T, GeomError>;

/// Nodes stand in nodes to at most this depth.
const DEPTH: usize = 64;

/// So many nodes are placed at most: nodes can be instances of others.
const PLACED: usize = 1 << 20;

/// Whether a text is a COLLADA file, by its beginning.
pub(super) fn is_header(head: &str) -> bool {
    head.contains("<COLLADA")
}

/// What a file shows, what was passed over, and what is to be said of it.
pub(super) fn read(bytes: &[u8]) -> Result<(Facets, PassedOver, Option<String>)> {
    let text = String::from_utf8_lossy(bytes);
    let document =
        Document::parse(text.trim_start_matches('\u{feff}')).map_err(|error| GeomError::Parse {
            line: error.pos().row as usize,
            found: error.to_string(),
            expected: "XML".to_owned(),
        })?;
    let root = document.root_element();
    if root.tag_name().name() != "COLLADA" {
        return Err(error(&root, root.tag_name().name(), "the element COLLADA"));
    }
    let mut by_id = HashMap::new();
    for node in root.descendants().filter(Node::is_element) {
        if let Some(id) = node.attribute("id") {
            by_id.entry(id).or_insert(node);
        }
    }
    let asset = within(&root, "asset").next();
    let unit = match asset.and_then(|asset| within(&asset, "unit").next()) {
        None => 1.0,
        Some(unit) => match unit.attribute("meter").map_or(Ok(1.0), str::parse::<f64>) {
            Ok(metres) if metres > 0.0 && metres.is_finite() => metres,
            _ => {
                return Err(error(
                    &unit,
                    unit.attribute("meter").unwrap_or(""),
                    "a length above zero at meter",
                ));
            }
        },
    };
    let up =
        asset.and_then(|asset| within(&asset, "up_axis").next()).and_then(|up| up.text()).unwrap_or("Y_UP");
    let mut placing = Placing {
        by_id,
        geometries: HashMap::new(),
        placed: 0,
        facets: Facets { vertices: Vec::new(), triangles: Vec::new() },
        passed_over: PassedOver::default(),
    };
    let map = Affine::scaling(unit);
    let shown = within(&root, "scene").flat_map(|scene| children(&scene, "instance_visual_scene")).next();
    match shown {
        Some(instance) => {
            let scene = placing.target(&instance)?;
            placing.nodes(&scene, &map, 0)?;
        }
        None => {
            for library in within(&root, "library_geometries") {
                for geometry in within(&library, "geometry") {
                    placing.geometry(&geometry, &map)?;
                }
            }
        }
    }
    if placing.facets.triangles.is_empty() {
        return Err(GeomError::EmptyMesh { found: "no triangle in what the file shows".to_owned() });
    }
    let up = up.trim();
    let remark = (up != "Z_UP").then(|| format!("its up axis is {up}; its axes are taken as they are"));
    Ok((placing.facets, placing.passed_over, remark))
}

/// An element that is not as it should be.
fn error(node: &Node, found: &str, expected: &str) -> GeomError {
    let line = node.document().text_pos_at(node.range().start).row as usize;
    // Lists of numbers are long.
    let found: String = found.chars().take(60).collect();
    GeomError::Parse {
        line,
        found: format!("{found:?} in {}", node.tag_name().name()),
        expected: expected.to_owned(),
    }
}

/// The elements of a name, whatever its name space.
fn within<'t, 'i>(node: &Node<'t, 'i>, name: &'static str) -> impl Iterator<Item = Node<'t, 'i>> {
    node.children().filter(move |child| child.is_element() && child.tag_name().name() == name)
}

/// The same, collected.
fn children<'t, 'i>(node: &Node<'t, 'i>, name: &'static str) -> Vec<Node<'t, 'i>> {
    within(node, name).collect()
}

/// The numbers of an element.
fn numbers<T: std::str::FromStr>(node: &Node) -> Result<Vec<T>> {
    let text = node.text().unwrap_or_default();
    let parse = |word: &str| word.parse().map_err(|_| error(node, word, "a number"));
    text.split_ascii_whitespace().map(parse).collect()
}

/// As many finite numbers as are asked for.
fn finite<const N: usize>(node: &Node) -> Result<[f64; N]> {
    let all: Vec<f64> = numbers(node)?;
    let all: Option<[f64; N]> =
        all.try_into().ok().filter(|all: &[f64; N]| all.iter().all(|x| x.is_finite()));
    all.ok_or_else(|| error(node, node.text().unwrap_or_default(), &format!("{N} finite numbers")))
}

/// Meshes as their nodes place them.
struct Placing<'t, 'i> {
    by_id: HashMap<&'t str, Node<'t, 'i>>,
    geometries: HashMap<roxmltree::NodeId, Geometry>,
    placed: usize,
    facets: Facets,
    passed_over: PassedOver,
}

impl<'t, 'i> Placing<'t, 'i> {
    /// What an instance is one of.
    fn target(&self, instance: &Node<'t, 'i>) -> Result<Node<'t, 'i>> {
        self.named(instance, "url")
    }

    fn named(&self, node: &Node<'t, 'i>, key: &str) -> Result<Node<'t, 'i>> {
        let url = node.attribute(key).unwrap_or_default();
        let found = url.strip_prefix('#').and_then(|id| self.by_id.get(id));
        found.copied().ok_or_else(|| error(node, url, &format!("the id of an element of this file at {key}")))
    }

    /// The nodes of a scene, or of another node.
    fn nodes(&mut self, parent: &Node<'t, 'i>, map: &Affine, depth: usize) -> Result<()> {
        for node in children(parent, "node") {
            self.node(&node, map, depth)?;
        }
        Ok(())
    }

    fn node(&mut self, node: &Node<'t, 'i>, map: &Affine, depth: usize) -> Result<()> {
        self.placed += 1;
        if depth > DEPTH || self.placed > PLACED {
            return Err(error(node, "nodes in nodes without end", "fewer"));
        }
        let map = node.children().filter(Node::is_element).try_fold(*map, |map, child| {
            Ok(match transform(&child)? {
                Some(own) => map.after(&own),
                None => map,
            })
        })?;
        for instance in children(node, "instance_geometry") {
            let geometry = self.target(&instance)?;
            self.geometry(&geometry, &map)?;
        }
        for instance in children(node, "instance_controller") {
            let controller = self.target(&instance)?;
            let Some(skin) = within(&controller, "skin").next() else {
                return Err(error(&controller, "no skin", "a skin"));
            };
            let geometry = self.named(&skin, "source")?;
            let bound =
                within(&skin, "bind_shape_matrix").next().map(|matrix| matrix_of(&matrix)).transpose()?;
            self.geometry(&geometry, &bound.map_or(map, |own| map.after(&own)))?;
        }
        for instance in children(node, "instance_node") {
            let target = self.target(&instance)?;
            self.node(&target, &map, depth + 1)?;
        }
        self.nodes(node, &map, depth + 1)
    }

    fn geometry(&mut self, node: &Node<'t, 'i>, map: &Affine) -> Result<()> {
        if !self.geometries.contains_key(&node.id()) {
            let read = Geometry::read(node, |node, key| self.named(node, key))?;
            self.geometries.insert(node.id(), read);
        }
        let geometry = &self.geometries[&node.id()];
        self.passed_over.lines += geometry.passed_over.lines;
        self.passed_over.faces += geometry.passed_over.faces;
        map.place(&geometry.vertices, &geometry.triangles, &mut self.facets)
    }
}

/// The map of an element of a node; none for elements that are no map.
fn transform(node: &Node) -> Result<Option<Affine>> {
    Ok(Some(match node.tag_name().name() {
        "matrix" => matrix_of(node)?,
        "translate" => Affine { shift: finite::<3>(node)?.into(), ..Affine::identity() },
        "scale" => {
            let factors = Vec3::from(finite::<3>(node)?);
            Affine { linear: Mat3::from_diagonal(&factors), ..Affine::identity() }
        }
        "rotate" => {
            let [x, y, z, degrees] = finite::<4>(node)?;
            let linear = match Unit::try_new(Vec3::new(x, y, z), f64::MIN_POSITIVE) {
                Some(axis) => Rotation3::from_axis_angle(&axis, degrees.to_radians()).into_inner(),
                None if degrees == 0.0 => Mat3::identity(),
                None => return Err(error(node, node.text().unwrap_or_default(), "an axis that is not zero")),
            };
            Affine { linear, ..Affine::identity() }
        }
        name @ ("lookat" | "skew") => {
            return Err(error(node, name, "matrix, translate, rotate or scale"));
        }
        _ => return Ok(None),
    }))
}

/// A matrix, written row by row.
fn matrix_of(node: &Node) -> Result<Affine> {
    let m = finite::<16>(node)?;
    if m[12..] != [0.0, 0.0, 0.0, 1.0] {
        return Err(error(node, node.text().unwrap_or_default(), "a matrix with the last row 0 0 0 1"));
    }
    Ok(Affine { linear: Mat3::from_fn(|i, j| m[4 * i + j]), shift: Vec3::new(m[3], m[7], m[11]) })
}
