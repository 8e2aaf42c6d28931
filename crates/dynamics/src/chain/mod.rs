//! Chains: links of several kinds, laid along a path and joined.
//!
//! | what | file |
//! |---|---|
//! | kinds of links, their tubes, masses and shapes | `link_kind.rs` |
//! | stepping joints along a path | `path.rs` |
//! | joints between links, and at the ends | `joining.rs` |
//!
//! A link is long along its z axis and flat in its yz plane, so that the bars at its crowns run along its y axis. Two
//! links touch where these bars cross, at the ends of both links' inner lengths; there they are joined by a universal
//! joint about both bars. In a row z_i is the direction from joint to joint and y_{i+1} = z_{i+1} × y_i, normalised,
//! which is orthogonal to y_i as the joint asks for: every second link lies flat. After a swivel the joint is a ball,
//! which leaves the twist free.
//!
//! A solid may stand for the links of a kind: it is joined where their tubes would be, and touches other bodies as a
//! mesh.
//!
//! Links of one chain do not touch each other, nor do the first and the last one touch the bodies that hold them.

mod joining;
mod link_kind;
mod path;

pub use link_kind::{LinkForm, LinkKind};

use crate::body::{Body, Motion};
use crate::error::{DynamicsError, Result, demand, not_negative, positive};
use crate::joint::JointId;
use crate::model::{BodyId, BodyModel, ModelBuilder, SurfaceId};
use rattleback_geom::nalgebra::{Matrix3, Rotation3, UnitQuaternion};
use rattleback_geom::surface::{Mesh, Shape};
use rattleback_geom::{Pose, Vec3};
use std::sync::Arc;

/// The most links of a chain: two kilometres of a bar of 56 mm, far more than a ship carries, in some megabytes. A
/// diameter or a path that asks for more is a slip of the decimal point.
pub const MAX_LINKS: usize = 10_000;

/// Several links of one kind in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LinkRun {
    /// Their kind.
    pub kind: LinkKind,
    /// Whether they have studs.
    pub stud: bool,
    /// How many.
    pub count: usize,
}

/// Friction of links on each other: μ r N tanh(φ̇/w) about each of two crossing bars of radius r.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChainFriction {
    /// μ.
    pub coefficient: f64,
    /// w, in rad/s.
    pub rate: f64,
}

/// How an end of a chain is held.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EndJoint {
    /// As by another link: about the bar of the last link and one across it.
    Universal,
    /// By a ball.
    Spherical,
}

/// What holds an end of a chain.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ChainEnd {
    /// The body.
    pub body: BodyId,
    /// The point in the body's frame where the chain is to end; wherever it does if none is given.
    pub point: Option<Vec3>,
    /// How.
    pub joint: EndJoint,
}

/// A chain in words.
#[derive(Debug, Clone, PartialEq)]
pub struct Chain {
    /// Its name; its links are "NAME 1", "NAME 2" and so on.
    pub name: String,
    /// d, in m.
    pub diameter: f64,
    /// In kg/m³.
    pub density: f64,
    /// The links from the path's beginning to its end.
    pub links: Vec<LinkRun>,
    /// Solids that stand for all links of a kind, in place of their tubes: in the frame of the link, in true size, the
    /// origin halfway between the points where its neighbours touch it. They have the chain's density.
    pub meshes: Vec<(LinkKind, Arc<Mesh>)>,
    /// The points of a polyline in the world along which it lies.
    pub path: Vec<Vec3>,
    /// The direction of the first link's y axis, as far as it is across the link; any if none is given.
    pub across: Option<Vec3>,
    /// Friction in its joints.
    pub friction: Option<ChainFriction>,
    /// What holds the first link.
    pub from: Option<ChainEnd>,
    /// What holds the last link.
    pub to: Option<ChainEnd>,
}

/// A link in its place.
#[derive(Debug, Clone, PartialEq)]
pub struct LaidLink {
    /// Its name.
    pub name: String,
    /// Its kind.
    pub kind: LinkKind,
    /// Its tube, which says where it is joined.
    pub form: LinkForm,
    /// The solid that stands for the tube, if one does.
    pub mesh: Option<Arc<Mesh>>,
    /// Its inertia.
    pub body: Body,
    /// Its mass centre in the frame of the link: zero for tubes.
    pub centre: Vec3,
    /// Where its mass centre lies, and how it is turned.
    pub pose: Pose,
}

impl LaidLink {
    /// A point of the frame of the link in that of its body, whose origin is the mass centre.
    fn in_body(&self, point: Vec3) -> Vec3 {
        point - self.centre
    }

    /// Where its neighbours touch it at both ends, in the world.
    pub fn ends(&self) -> [Vec3; 2] {
        let half = Vec3::z() * (0.5 * self.form.pitch());
        [-half, half].map(|end| self.pose.point_to_world(&self.in_body(end)))
    }

    /// The shape that touches others, and its pose in the body's frame.
    pub fn shape(&self) -> Result<(Shape, Pose)> {
        let shape = match &self.mesh {
            Some(mesh) => Shape::Mesh(Arc::clone(mesh)),
            None => Shape::from(self.form.surface()?),
        };
        let place = self.in_body(Vec3::zeros());
        Ok((shape, Pose::from_position(place.x, place.y, place.z)))
    }
}

/// What a chain has become in a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChainIds {
    /// The links.
    pub links: Vec<BodyId>,
    /// The joints between them.
    pub joints: Vec<JointId>,
    /// The joint that holds the first link.
    pub from: Option<JointId>,
    /// The joint that holds the last link.
    pub to: Option<JointId>,
}

impl Chain {
    /// How many links of one kind fit on a path.
    pub fn count_along(kind: LinkKind, diameter: f64, points: &[Vec3]) -> Result<usize> {
        path::check("a chain", points)?;
        let pitch = kind.form(diameter, false)?.pitch();
        let (length, most) = (path::length(points), MAX_LINKS as f64 * pitch);
        if !(length <= most) {
            return Err(DynamicsError::Invalid {
                what: "a chain".to_owned(),
                reason: format!(
                    "its path is {length:.6} m long; {MAX_LINKS} links of {pitch} m, the most of a chain, reach {most:.6} m"
                ),
            });
        }
        Ok(path::count(points, pitch))
    }

    /// The sum of the links' inner lengths, in m.
    pub fn length(&self) -> Result<f64> {
        Ok(self.forms()?.iter().map(|(_, form)| form.pitch()).sum())
    }

    /// The links where they lie; `stands` says where the bodies stand that hold the ends.
    pub fn lay(&self, stands: &dyn Fn(BodyId) -> Pose) -> Result<Vec<LaidLink>> {
        self.check()?;
        let forms = self.forms()?;
        let joints = self.joints(&forms, stands)?;
        let mut y = Vec3::zeros();
        let mut laid = Vec::new();
        for (k, ((kind, form), ends)) in forms.iter().zip(joints.windows(2)).enumerate() {
            let z = (ends[1] - ends[0]).normalize();
            y = if k == 0 { self.first_across(&z)? } else { beside(&z, &y) };
            let axes = Matrix3::from_columns(&[y.cross(&z), y, z]);
            let turn = UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(axes));
            let mesh = self.meshes.iter().find(|(of, _)| of == kind).map(|(_, mesh)| Arc::clone(mesh));
            let (body, centre) = match &mesh {
                Some(mesh) => {
                    let mass = mesh.mesh().moments().with_density(self.density)?;
                    (Body { mass: mass.mass, inertia: mass.inertia }, mass.centroid)
                }
                None => (form.body(self.density), Vec3::zeros()),
            };
            let middle = 0.5 * (ends[0] + ends[1]);
            let pose = Pose::new(middle + turn * centre, turn);
            let name = format!("{} {}", self.name, k + 1);
            laid.push(LaidLink { name, kind: *kind, form: *form, mesh, body, centre, pose });
        }
        Ok(laid)
    }

    /// Adds the links and their joints to a model, at rest, by the first motions of the bodies that are there. The
    /// tubes have the given surface; studs are only drawn.
    pub fn add_to(&self, builder: &mut ModelBuilder, surface: SurfaceId) -> Result<ChainIds> {
        let mut motions = builder.motions();
        self.build(builder, surface, &mut motions)
    }

    /// Adds the links and their joints to a model and their motions, at rest, to the list of motions, which has those
    /// of all bodies before. The tubes have the given surface; studs are only drawn.
    pub fn build(
        &self,
        builder: &mut ModelBuilder,
        surface: SurfaceId,
        motions: &mut Vec<Motion>,
    ) -> Result<ChainIds> {
        for end in self.from.iter().chain(&self.to) {
            if end.body.0 >= motions.len() {
                return Err(self.invalid(format!("body number {} does not exist", end.body.0)));
            }
        }
        let held = motions.clone();
        let stands = |body: BodyId| held[body.0].pose;
        let laid = self.lay(&stands)?;
        let mut drawn = None;
        let mut links = Vec::new();
        for link in &laid {
            let (shape, place) = link.shape()?;
            let mut body = BodyModel::free(&link.name, link.body).with_part(shape, place, surface);
            if let Some((stud, pose)) = link.form.stud()?.filter(|_| link.mesh.is_none()) {
                let only = *drawn.get_or_insert_with(|| builder.surface(format!("studs of {}", self.name)));
                body = body.with_part(stud, pose, only);
            }
            let motion = Motion::at_rest(link.pose);
            links.push(builder.body(body.with_motion(motion)));
            motions.push(motion);
        }
        self.join(&laid, &links, &stands, builder)
    }

    /// Kinds and forms of all links in a row.
    fn forms(&self) -> Result<Vec<(LinkKind, LinkForm)>> {
        let mut forms = Vec::new();
        for run in &self.links {
            let form = run.kind.form(self.diameter, run.stud)?;
            forms.extend(std::iter::repeat_n((run.kind, form), run.count));
        }
        Ok(forms)
    }

    /// The points between the links, and those at both ends.
    fn joints(&self, forms: &[(LinkKind, LinkForm)], stands: &dyn Fn(BodyId) -> Pose) -> Result<Vec<Vec3>> {
        let mut points = self.path.clone();
        let last = points.len() - 1;
        self.begin_at(self.from.as_ref(), &mut points[0], stands)?;
        self.begin_at(self.to.as_ref(), &mut points[last], stands)?;
        path::check(&self.label(), &points)?;
        let pitches: Vec<f64> = forms.iter().map(|(_, form)| form.pitch()).collect();
        let stepped = path::step(&points, &pitches);
        let slack = pitches[pitches.len() - 1];
        let misfit = || DynamicsError::ChainLength {
            chain: self.name.clone(),
            length: pitches.iter().sum(),
            path: path::length(&points),
        };
        let exact = path::ROUNDING * slack;
        if stepped.beyond.abs() >= slack {
            return Err(misfit());
        }
        if self.to.is_some_and(|end| end.point.is_some()) {
            if stepped.beyond.abs() <= exact {
                return Ok(stepped.joints);
            }
            return path::fit(&points, &pitches).ok_or_else(misfit);
        }
        if stepped.beyond > exact { Err(misfit()) } else { Ok(stepped.joints) }
    }

    /// Puts an end of the path where a body holds it, which must be near.
    fn begin_at(
        &self,
        end: Option<&ChainEnd>,
        point: &mut Vec3,
        stands: &dyn Fn(BodyId) -> Pose,
    ) -> Result<()> {
        let Some((end, own)) = end.and_then(|end| Some((end, end.point?))) else { return Ok(()) };
        let held = stands(end.body).point_to_world(&own);
        let apart = (held - *point).norm();
        if !(apart <= self.diameter) {
            return Err(self.invalid(format!(
                "its path ends at ({}, {}, {}), {apart} m from the point that holds it, ({}, {}, {})",
                point.x, point.y, point.z, held.x, held.y, held.z
            )));
        }
        *point = held;
        Ok(())
    }

    /// The first link's y axis.
    fn first_across(&self, z: &Vec3) -> Result<Vec3> {
        let wanted = self.across.unwrap_or_else(|| {
            let mut axis = Vec3::zeros();
            axis[z.iamin()] = 1.0;
            axis
        });
        let across = wanted - z * z.dot(&wanted);
        let size = wanted.norm();
        demand(size > 0.0, &format!("across of chain {}", self.name), size, "a direction")?;
        if across.norm() <= 1e-6 * size {
            return Err(self.invalid("its first link lies along `across`".to_owned()));
        }
        Ok(across.normalize())
    }

    fn label(&self) -> String {
        format!("chain {}", self.name)
    }

    fn check(&self) -> Result<()> {
        let what = self.label();
        let field = |name: &str| format!("{name} of {what}");
        positive(&field("diameter"), self.diameter)?;
        positive(&field("density"), self.density)?;
        path::check(&what, &self.path)?;
        if let Some(friction) = self.friction {
            not_negative(&field("coefficient"), friction.coefficient)?;
            positive(&field("rate"), friction.rate)?;
        }
        let count = self.links.iter().try_fold(0_usize, |sum, run| sum.checked_add(run.count));
        match count {
            Some(0) => return Err(self.invalid("it has no links".to_owned())),
            Some(1..=MAX_LINKS) => {}
            _ => {
                let found =
                    count.map_or("more links than can be counted".to_owned(), |n| format!("{n} links"));
                return Err(self.invalid(format!("it has {found}; at most {MAX_LINKS} are allowed")));
            }
        }
        Ok(())
    }

    fn invalid(&self, reason: String) -> DynamicsError {
        DynamicsError::Invalid { what: format!("chain {}", self.name), reason }
    }
}

/// A direction across z and across y; where y runs along z there are many, and any of them will do.
fn beside(z: &Vec3, y: &Vec3) -> Vec3 {
    let both = z.cross(y);
    // Beyond this share of rounding the direction would be noise.
    if both.norm() > 1e-8 {
        return both.normalize();
    }
    let mut axis = Vec3::zeros();
    axis[z.iamin()] = 1.0;
    z.cross(&axis).normalize()
}
