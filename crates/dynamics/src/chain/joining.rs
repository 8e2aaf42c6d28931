//! The joints of a chain.
//!
//! Between links i and i + 1 the universal joint's frames are at the end of the inner length of each, z along the
//! links. That of A has its x axis along y_i, that of B its y axis along y_{i+1}; both joint angles are zero where the
//! links are in line. The body that holds an end counts as a link beyond it that is in line with it.

use super::{Chain, ChainEnd, ChainIds, EndJoint, LaidLink, LinkKind};
use crate::error::Result;
use crate::joint::{Action, Freedom, Joint, JointAction, JointFrame, JointId, JointKind};
use crate::model::{BodyId, ModelBuilder};
use rattleback_geom::{Pose, Vec3};
use std::f64::consts::FRAC_PI_2;

/// A frame of a joint, and the radius of the bar about which it turns.
struct Side {
    anchor: JointFrame,
    bar: f64,
}

impl Chain {
    /// Adds the joints of links that are in a model already, keeps the links from touching each other and what holds
    /// them; `stands` says where the bodies stand that hold the ends.
    pub fn join(
        &self,
        laid: &[LaidLink],
        links: &[BodyId],
        stands: &dyn Fn(BodyId) -> Pose,
        builder: &mut ModelBuilder,
    ) -> Result<ChainIds> {
        let held = |end: &ChainEnd, world: &Pose, bar: f64| {
            let pose = stands(end.body).inverse().compose(world);
            Side { anchor: JointFrame { body: end.body, pose }, bar }
        };
        let kind = |joint: EndJoint| match joint {
            EndJoint::Universal => JointKind::Universal,
            EndJoint::Spherical => JointKind::Spherical,
        };
        let mut ids = ChainIds { links: links.to_vec(), joints: Vec::new(), from: None, to: None };
        let last = laid.len() - 1;
        if let Some(end) = &self.from {
            let b = head(&laid[0], links[0])?;
            let world = laid[0].pose.compose(&b.anchor.pose);
            let a = held(end, &world, b.bar);
            ids.from = Some(self.connect(0, kind(end.joint), a, b, builder));
            builder.exclude_contact(end.body, links[0]);
        }
        for k in 0..last {
            let kind =
                if laid[k].kind == LinkKind::Swivel { JointKind::Spherical } else { JointKind::Universal };
            let (a, b) = (tail(&laid[k], links[k])?, head(&laid[k + 1], links[k + 1])?);
            ids.joints.push(self.connect(k + 1, kind, a, b, builder));
        }
        if let Some(end) = &self.to {
            let a = tail(&laid[last], links[last])?;
            let world = laid[last].pose.compose(&a.anchor.pose);
            let b = held(end, &world, a.bar);
            let swivel = laid[last].kind == LinkKind::Swivel;
            let kind = if swivel { JointKind::Spherical } else { kind(end.joint) };
            ids.to = Some(self.connect(last + 1, kind, a, b, builder));
            builder.exclude_contact(end.body, links[last]);
        }
        builder.exclude_contacts_among(links);
        Ok(ids)
    }

    fn connect(
        &self,
        number: usize,
        kind: JointKind,
        a: Side,
        b: Side,
        builder: &mut ModelBuilder,
    ) -> JointId {
        let name = format!("{} joint {number}", self.name);
        let joint = builder.joint(Joint { name, kind, a: a.anchor, b: b.anchor });
        if let (Some(friction), JointKind::Universal) = (self.friction, kind) {
            for (freedom, radius) in [(Freedom::Turn, a.bar), (Freedom::SecondTurn, b.bar)] {
                let action =
                    Action::Bearing { coefficient: friction.coefficient, radius, rate: friction.rate };
                builder.action(JointAction { joint, freedom, action });
            }
        }
        joint
    }
}

/// Where a link begins.
fn head(link: &LaidLink, body: BodyId) -> Result<Side> {
    let [x, y, z] = link.in_body(Vec3::z() * (-0.5 * link.form.pitch())).into();
    let pose = Pose::from_position(x, y, z);
    Ok(Side { anchor: JointFrame { body, pose }, bar: link.form.bar_radius })
}

/// Where a link ends.
fn tail(link: &LaidLink, body: BodyId) -> Result<Side> {
    let [x, y, z] = link.in_body(Vec3::z() * (0.5 * link.form.pitch())).into();
    let pose = Pose::from_position(x, y, z).rotated(Vec3::z(), FRAC_PI_2)?;
    Ok(Side { anchor: JointFrame { body, pose }, bar: link.form.bar_radius })
}
