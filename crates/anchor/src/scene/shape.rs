//! Things on ships, made from a few measures: bow plating with a hawse pipe, and the two bodies of a stockless anchor.

use crate::solid::{Anchor, Hull};
use rattleback_geom::surface::{Mesh, Shape};
use rattleback_geom::{GeomError, TriMesh, Vec3};
use rattleback_scene::read::{Angle, Density, Entry, Length, Mass, Place, Reader, entry};
use rattleback_scene::{ShapeTable, ShapeType, refuse};
use std::sync::Arc;

/// A type of shapes by its word and its table.
const fn shape_type<T: Entry + ShapeTable + 'static>(word: &'static str) -> ShapeType {
    ShapeType {
        word,
        read: |node, tag, reader| {
            T::read_tagged(node, tag, reader).map(|table| Arc::new(table) as Arc<dyn ShapeTable>)
        },
        schema: |definitions, tag, word| definitions.tagged::<T>(tag, word),
    }
}

/// The shapes of ships.
pub(crate) const SHAPES: &[ShapeType] = &[
    shape_type::<HullSpec>("hull"),
    shape_type::<AnchorHeadSpec>("anchor-head"),
    shape_type::<AnchorShankSpec>("anchor-shank"),
];

entry! {
    /// Bow plating around a hawse pipe with a rounded lip, on the port side: x forward, y to port, z up, the origin
    /// where the pipe's axis meets the outer face of the plating.
    pub struct HullSpec {
        /// Inner diameter D of the pipe.
        pipe_diameter: Length,
        /// Angle of the pipe's axis above the horizontal, going inboard.
        pipe_angle: Angle = Angle(50_f64.to_radians()),
        /// Angle by which the pipe, seen from above, runs aft of straight inboard; square to the plating by default.
        pipe_heading: Option<Angle>,
        /// From the mouth to the pipe's inboard end; 6 D by default.
        pipe_length: Option<Length>,
        /// Radius of the ball that rounds the mouth; D/4 by default.
        lip_radius: Option<Length>,
        /// Inclination of the plating from the vertical, outwards going up.
        flare: Angle = Angle(25_f64.to_radians()),
        /// Angle of the plating's horizontal tangent against the centreline, closing towards the bow.
        entrance: Angle = Angle(30_f64.to_radians()),
        /// Radius of curvature of the plating's horizontal section at the mouth; plane plating by default.
        section_radius: Option<Length>,
        /// How far the plating reaches forward and aft of the mouth; 5 D by default.
        half_width: Option<Length>,
        /// How far it reaches up and down from the mouth; 6 D by default.
        half_height: Option<Length>,
        /// Thickness of plating and pipe; D/10 by default.
        thickness: Option<Length>,
        /// The largest distance of the mesh from the surface that it stands for; D/200 by default.
        chord: Option<Length>,
    }
}
entry! {
    /// Crown and flukes of a stockless anchor: the pin along x through the origin, the flukes along z on both sides
    /// of the shank.
    pub struct AnchorHeadSpec {
        /// Mass of the whole anchor, head and shank.
        mass: Mass,
        /// Its density, steel by default; bodies made of it should have the same.
        density: Density = Density(7850.0),
    }
}
entry! {
    /// The shank of a stockless anchor: the pin along x through the origin, the shackle on z.
    pub struct AnchorShankSpec {
        /// Mass of the whole anchor, head and shank.
        mass: Mass,
        /// Its density, steel by default; bodies made of it should have the same.
        density: Density = Density(7850.0),
    }
}

impl HullSpec {
    pub(crate) fn hull(&self) -> Hull {
        let usual = Hull::new(self.pipe_diameter.0);
        let or = |given: Option<Length>, usual: f64| given.map_or(usual, |length| length.0);
        Hull {
            flare: self.flare.0,
            entrance: self.entrance.0,
            section_radius: self.section_radius.map(|radius| radius.0),
            pipe_diameter: self.pipe_diameter.0,
            pipe_angle: self.pipe_angle.0,
            pipe_heading: self.pipe_heading.map(|angle| angle.0),
            pipe_length: or(self.pipe_length, usual.pipe_length),
            lip_radius: or(self.lip_radius, usual.lip_radius),
            half_width: or(self.half_width, usual.half_width),
            half_height: or(self.half_height, usual.half_height),
            thickness: or(self.thickness, usual.thickness),
            chord: or(self.chord, usual.chord),
        }
    }
}

impl ShapeTable for HullSpec {
    fn lower(&self, remarks: &mut Vec<String>, reader: &mut Reader) -> Option<Shape> {
        let hull = self.hull();
        let shape = closed(hull.mesh(), &self.place, reader)?;
        remarks.push(format!(
            "hull: the pipe runs from the mouth at the origin to {}; the plating's outer normal is {}",
            written(&hull.inboard_end()),
            written(&hull.outward())
        ));
        Some(shape)
    }
}

impl ShapeTable for AnchorHeadSpec {
    fn lower(&self, remarks: &mut Vec<String>, reader: &mut Reader) -> Option<Shape> {
        let anchor = anchor(self.mass, self.density, &self.place, reader)?;
        let tips = anchor.fluke_tips().map(|tip| written(&tip));
        remarks.push(format!(
            "anchor-head: {:.6} kg of {} kg, tips of the flukes at {} and {}",
            anchor.head_mass(),
            anchor.mass(),
            tips[0],
            tips[1]
        ));
        closed(anchor.head(), &self.place, reader)
    }
}

impl ShapeTable for AnchorShankSpec {
    fn lower(&self, remarks: &mut Vec<String>, reader: &mut Reader) -> Option<Shape> {
        let anchor = anchor(self.mass, self.density, &self.place, reader)?;
        let (own, whole) = (anchor.shank_mass(), anchor.mass());
        let shackle = written(&anchor.shackle());
        remarks.push(format!("anchor-shank: {own:.6} kg of {whole} kg, shackle at {shackle}"));
        closed(anchor.shank(), &self.place, reader)
    }
}

fn anchor(mass: Mass, density: Density, place: &Place, reader: &mut Reader) -> Option<Anchor> {
    Anchor::with_density(mass.0, density.0).map_err(|error| refuse(&error, place, "", reader)).ok()
}

fn closed(mesh: Result<TriMesh, GeomError>, place: &Place, reader: &mut Reader) -> Option<Shape> {
    let built = mesh.and_then(Mesh::new).map(Shape::from);
    built.map_err(|error| refuse(&error, place, "", reader)).ok()
}

fn written(p: &Vec3) -> String {
    format!("({:.6}, {:.6}, {:.6})", p.x, p.y, p.z)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use rattleback_scene::read::{SourceValue, Value};

    fn lowered(toml: &str) -> Result<(TriMesh, Vec<String>), Vec<String>> {
        let (node, complaints) = SourceValue::from_toml(toml);
        assert!(complaints.is_empty(), "{complaints:?}");
        let Some(Value::Text(word)) = node.get("type").map(|node| node.value.clone()) else {
            panic!("{toml}")
        };
        let (mut reader, mut remarks) = (Reader::default(), Vec::new());
        let kind = SHAPES.iter().find(|kind| kind.word == word).unwrap();
        let table = (kind.read)(&node, "type", &mut reader);
        match table.and_then(|table| table.lower(&mut remarks, &mut reader)) {
            Some(Shape::Mesh(solid)) if reader.is_content() => Ok((solid.mesh().clone(), remarks)),
            _ => Err(reader.into_complaints().iter().map(|c| format!("{}: {}", c.key, c.message)).collect()),
        }
    }

    #[test]
    fn a_hull_has_the_measures_of_its_table() {
        let (found, remarks) =
            lowered("type = \"hull\"\npipe_diameter = \"50 cm\"\nlip_radius = 0.1\n").unwrap();
        let wanted = Hull { lip_radius: 0.1, ..Hull::new(0.5) };
        assert_eq!(found, wanted.mesh().unwrap());
        assert!(
            remarks[0].starts_with("hull: the pipe runs from the mouth at the origin to (-0.964"),
            "{remarks:?}"
        );
        let all = "type = \"hull\"\npipe_diameter = 0.5\npipe_angle = \"40 deg\"\npipe_heading = \"20 deg\"\n\
                   pipe_length = 2\nlip_radius = 0.1\nflare = \"10 deg\"\nentrance = \"15 deg\"\nsection_radius = 8\n\
                   half_width = 2\nhalf_height = 1.5\nthickness = 0.04\nchord = \"5 mm\"\n";
        let wanted = Hull {
            flare: 10_f64.to_radians(),
            entrance: 15_f64.to_radians(),
            section_radius: Some(8.0),
            pipe_diameter: 0.5,
            pipe_angle: 40_f64.to_radians(),
            pipe_heading: Some(20_f64.to_radians()),
            pipe_length: 2.0,
            lip_radius: 0.1,
            half_width: 2.0,
            half_height: 1.5,
            thickness: 0.04,
            chord: 0.005,
        };
        assert_eq!(lowered(all).unwrap().0, wanted.mesh().unwrap());
    }

    #[test]
    fn head_and_shank_are_those_of_one_anchor() {
        let anchor = Anchor::with_density(1500.0, 7850.0).unwrap();
        let (head, said) = lowered("type = \"anchor-head\"\nmass = \"1500 kg\"\n").unwrap();
        assert_eq!(head, anchor.head().unwrap());
        assert!(said[0].starts_with("anchor-head: 1"), "{said:?}");
        let (shank, said) = lowered("type = \"anchor-shank\"\nmass = 1500\ndensity = 7850\n").unwrap();
        assert_eq!(shank, anchor.shank().unwrap());
        assert!(said[0].contains("shackle at (0.000000, 0.000000, 1."), "{said:?}");
    }

    #[test]
    fn what_cannot_be_is_told_at_its_key() {
        for (text, said) in [
            ("type = \"hull\"\npipe_diameter = 0.5\nflare = \"80 deg\"\n", "flare: found 1.396"),
            ("type = \"hull\"\npipe_diameter = -1\n", "pipe_diameter: found -1; expected"),
            (
                "type = \"hull\"\npipe_diameter = 0.5\nhalf_width = 0.3\n",
                "half_width: found 0.3; expected more",
            ),
            ("type = \"anchor-head\"\nmass = 0\n", "mass: found 0; expected a finite number above zero"),
            ("type = \"anchor-shank\"\nmass = 1\ndensity = nan\n", "density: found NaN; expected"),
        ] {
            let complaints = lowered(text).unwrap_err();
            assert!(complaints.len() == 1 && complaints[0].starts_with(said), "{complaints:?}");
        }
    }
}
