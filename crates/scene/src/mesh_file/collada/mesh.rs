//! The triangles of one geometry of a COLLADA file.

use super::{Result, children, error, numbers, within};
use rattleback_geom::Vec3;
use rattleback_geom::mesh::{PassedOver, Polygons};
use roxmltree::Node;

/// A mesh as its file has it.
pub(super) struct Geometry {
    pub(super) vertices: Vec<Vec3>,
    pub(super) triangles: Vec<[u32; 3]>,
    pub(super) passed_over: PassedOver,
}

/// The lists of a mesh, as they are read.
#[derive(Default)]
struct Lists {
    polygons: Polygons,
    /// Strips and fans.
    triangles: Vec<[u32; 3]>,
}

impl Geometry {
    /// Reads a geometry; `named` finds what a key of an element refers to.
    pub(super) fn read<'t, 'i>(
        node: &Node<'t, 'i>,
        named: impl Fn(&Node<'t, 'i>, &str) -> Result<Node<'t, 'i>>,
    ) -> Result<Self> {
        if let Some(other) = node.children().find(|child| {
            child.is_element() && matches!(child.tag_name().name(), "spline" | "convex_mesh" | "brep")
        }) {
            return Err(error(&other, other.tag_name().name(), "a mesh"));
        }
        let Some(mesh) = within(node, "mesh").next() else {
            return Err(error(node, "no mesh", "a mesh"));
        };
        let Some(vertices) = within(&mesh, "vertices").next() else {
            return Err(error(&mesh, "no vertices", "the element vertices"));
        };
        let position =
            children(&vertices, "input").into_iter().find(|i| i.attribute("semantic") == Some("POSITION"));
        let Some(position) = position else {
            return Err(error(&vertices, "no positions", "an input of the semantic POSITION"));
        };
        let mut lists = Lists::default();
        lists.polygons.vertices = positions(&named(&position, "source")?)?;
        for part in mesh.children().filter(Node::is_element) {
            match part.tag_name().name() {
                name @ ("triangles" | "polylist" | "polygons" | "tristrips" | "trifans") => {
                    lists.add(name, &part)?;
                }
                "lines" | "linestrips" => {
                    let count = part.attribute("count").and_then(|count| count.parse().ok());
                    lists.polygons.passed_over.lines += count.unwrap_or(1);
                }
                _ => {}
            }
        }
        let passed_over = lists.polygons.passed_over;
        let facets = lists.polygons.into_facets()?;
        let mut triangles = facets.triangles;
        triangles.extend(lists.triangles);
        Ok(Self { vertices: facets.vertices, triangles, passed_over })
    }
}

impl Lists {
    /// Adds the faces of one list.
    fn add(&mut self, name: &str, part: &Node) -> Result<()> {
        let inputs = children(part, "input");
        let offset = |input: &Node| input.attribute("offset").unwrap_or("0").parse::<usize>();
        let (mut stride, mut at) = (0, None);
        for input in &inputs {
            // A file names few inputs.
            let own = offset(input).ok().filter(|own| *own < 64);
            let own =
                own.ok_or_else(|| error(input, input.attribute("offset").unwrap_or(""), "a small offset"))?;
            stride = stride.max(own + 1);
            at = at.or((input.attribute("semantic") == Some("VERTEX")).then_some(own));
        }
        if let Some(hole) = within(part, "ph").next() {
            return Err(error(&hole, "a polygon with holes", "polygons without holes"));
        }
        let lists = children(part, "p");
        let Some(at) = at else {
            return match lists.is_empty() {
                true => Ok(()),
                false => Err(error(part, "no vertices", "an input of the semantic VERTEX")),
            };
        };
        for list in lists {
            let all: Vec<u32> = numbers(&list)?;
            if !all.len().is_multiple_of(stride) {
                return Err(error(
                    &list,
                    &format!("{} numbers", all.len()),
                    &format!("a multiple of {stride}"),
                ));
            }
            let corners: Vec<u32> = all.chunks_exact(stride).map(|corner| corner[at]).collect();
            if let Some(wrong) = corners.iter().find(|k| **k as usize >= self.polygons.vertices.len()) {
                let expected = format!("one of the {} vertices", self.polygons.vertices.len());
                return Err(error(&list, &format!("vertex {wrong}"), &expected));
            }
            match name {
                "triangles" => self.lists(&corners, &vec![3; corners.len() / 3], &list)?,
                "polygons" => self.lists(&corners, &[corners.len()], &list)?,
                "polylist" => {
                    let counts = within(part, "vcount").next();
                    let counts: Vec<usize> =
                        counts.map(|counts| numbers(&counts)).transpose()?.unwrap_or_default();
                    self.lists(&corners, &counts, &list)?;
                }
                "tristrips" => {
                    let turned = |(k, three): (usize, &[u32])| match k % 2 {
                        0 => [three[0], three[1], three[2]],
                        _ => [three[1], three[0], three[2]],
                    };
                    self.triangles.extend(corners.windows(3).enumerate().map(turned));
                }
                _ => {
                    let first = corners.first().copied().unwrap_or(0);
                    let rest = corners.get(1..).unwrap_or_default();
                    self.triangles.extend(rest.windows(2).map(|two| [first, two[0], two[1]]));
                }
            }
        }
        Ok(())
    }

    /// Adds polygons of so many corners each.
    fn lists(&mut self, corners: &[u32], counts: &[usize], list: &Node) -> Result<()> {
        let mut rest = corners;
        for &count in counts {
            let Some((polygon, others)) = rest.split_at_checked(count) else {
                return Err(error(
                    list,
                    &format!("{} corners", corners.len()),
                    "as many as the polygons have",
                ));
            };
            rest = others;
            self.polygons.push(polygon);
        }
        if !rest.is_empty() {
            return Err(error(list, &format!("{} corners", corners.len()), "as many as the polygons have"));
        }
        Ok(())
    }
}

/// The points of a source.
fn positions(source: &Node) -> Result<Vec<Vec3>> {
    let Some(array) = within(source, "float_array").next() else {
        return Err(error(source, "no numbers", "the element float_array"));
    };
    let values: Vec<f64> = numbers(&array)?;
    let accessor = within(source, "technique_common").flat_map(|common| children(&common, "accessor")).next();
    let value = |key: &str, default: usize| match accessor.and_then(|accessor| accessor.attribute(key)) {
        None => Ok(default),
        Some(text) => text.parse::<usize>().map_err(|_| error(source, text, &format!("a number at {key}"))),
    };
    let (stride, offset) = (value("stride", 3)?, value("offset", 0)?);
    if stride < 3 {
        return Err(error(source, &format!("stride {stride}"), "three numbers for a point"));
    }
    let count = value("count", values.len() / stride)?;
    let rest = values.get(offset..).unwrap_or_default();
    let points: Vec<Vec3> = rest
        .chunks(stride)
        .take(count)
        .filter(|p| p.len() >= 3)
        .map(|p| Vec3::new(p[0], p[1], p[2]))
        .collect();
    let is_whole = points.len() == count && points.iter().all(|p| p.iter().all(|x| x.is_finite()));
    if !is_whole {
        return Err(error(
            source,
            &format!("{} numbers", values.len()),
            &format!("{count} points of finite numbers"),
        ));
    }
    Ok(points)
}
