//! The support function of a rounded polyhedron.

use super::{ConvexHull, Facet, Farthest};
use crate::surface::{FLAT, Face, Kink, Support, SupportJet};
use crate::{Mat3, Vec3};

impl Support for ConvexHull {
    fn support(&self, n: &Vec3) -> f64 {
        let most = self.vertices().iter().map(|v| n.dot(v)).fold(f64::NEG_INFINITY, f64::max);
        most + self.rounding * n.norm()
    }

    fn support_point(&self, n: &Vec3) -> Vec3 {
        let on_core = match self.farthest(n) {
            Farthest::Corner(v) => self.vertices()[v],
            Farthest::Edge(e) => self.edges[e].ends.iter().map(|k| self.corner(*k)).sum::<Vec3>() * 0.5,
            Farthest::Facet(f) => self.facets[f].middle,
        };
        let length = n.norm();
        on_core + if length > 0.0 { n * (self.rounding / length) } else { Vec3::zeros() }
    }

    fn face(&self, n: &Vec3) -> Face {
        let out = n * (self.rounding / n.norm());
        match self.farthest(n) {
            Farthest::Corner(v) => Face::Point(self.vertices()[v] + out),
            Farthest::Edge(e) => {
                let [a, b] = self.edges[e].ends.map(|k| self.corner(k));
                Face::Segment { centre: (a + b) * 0.5 + out, half: (b - a) * 0.5 }
            }
            Farthest::Facet(f) => {
                let Facet { normal, face, middle, .. } = &self.facets[f];
                Face::Polygon { centre: *middle, axis: *normal, corners: face.clone() }.moved(&out)
            }
        }
    }

    fn kinks(&self) -> &[Kink] {
        &self.kinks
    }

    fn support_jet(&self, n: &Vec3) -> SupportJet {
        let length = n.norm();
        let unit = n / length;
        let across = Mat3::identity() - unit * unit.transpose();
        let flat = FLAT * self.size / length;
        let mut hessian = across * (self.rounding / length);
        match self.farthest(n) {
            Farthest::Corner(_) => {}
            Farthest::Edge(e) => hessian += self.edges[e].along * self.edges[e].along.transpose() * flat,
            Farthest::Facet(_) => hessian += across * flat,
        }
        SupportJet { value: self.support(n), point: self.support_point(n), hessian }
    }

    /// The flat parts, at normals of faces and edges, are held constant.
    fn support_third(&self, n: &Vec3, d: &Vec3) -> Mat3 {
        // d/dn of r (1/∣n∣ − nnᵀ/∣n∣³) along d.
        let length = n.norm();
        let (u, along) = (n / length, n.dot(d) / length);
        let turn = u * d.transpose();
        (u * u.transpose() * (3.0 * along) - Mat3::identity() * along - turn - turn.transpose())
            * (self.rounding / (length * length))
    }
}
