//! The least depth of overlapping bodies: a top of f is proved to be the highest, or the proof leads to a higher one.
//!
//! Three proofs take turns, because each is slow where another is not. Cones of normals ([`super::prove`]) end soon
//! unless the top is nearly a ridge; cells about an axis ([`super::axial`]) are not affected by a ridge about it; a
//! polytope ([`super::polytope`]) is not affected by kinks, and needs no top to begin with. So where both bodies are of
//! revolution about one axis and their centres lie on it, the cells begin; else the cones; after what most proofs take
//! the cells, the polytope, and cones that are divided in another way and may take long.

use super::axial::{Axial, AxialProver};
use super::prove::{Claim, Divided, Proof, Prover, SHORT};
use super::relative::Relative;
use super::touch::Branch;
use rattleback_geom::surface::Revolution;
use rattleback_geom::{Mat3, Vec3};

/// Centres of bodies of revolution within this share of the size of their common axis make a ridge.
const RIDGE: f64 = 1e-6;

/// What is left of a body's box without its rolling ball counts as no thinner than this share of it.
const THINNEST: f64 = 1e-6;

/// Most tops that a proof may be led to; there are few.
pub(crate) const MAX_TOPS: u32 = 50;

/// Two bodies as the proofs see them.
pub(crate) struct Overlap<'a, F, G> {
    pub rel: &'a Relative,
    /// The points of A and B farthest along a unit normal, each in its own frame.
    pub points: F,
    /// p − q of those along one unit normal of A's frame.
    pub difference: G,
    /// About what they are of revolution.
    pub of: [Option<Revolution>; 2],
    /// The radii of balls that roll inside them.
    pub balls: [f64; 2],
    /// Half the extents of their boxes.
    pub halves: [Vec3; 2],
    /// Whether both are their own mirror images in their origins.
    pub has_centres: bool,
    /// The length to which tolerances refer.
    pub size: f64,
}

/// The tops of f.
pub(crate) trait Tops {
    /// What is to be proved of the highest one that is known.
    fn claim(&self) -> Claim;

    /// Climbs from a normal with less depth than the claim leaves open.
    fn rise(&mut self, n: &Vec3, claim: &Claim) -> Rise;

    /// Finds the highest one by a polytope; none where that is left open, or is not worth a try.
    fn expand(&mut self) -> Option<Branch> {
        None
    }
}

/// Where a climb from a better normal led.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rise {
    /// To a higher top.
    Higher,
    /// Bodies are separate.
    Apart,
    /// Nowhere.
    Nowhere,
}

impl<F, G> Overlap<'_, F, G>
where
    F: Fn([&Vec3; 2]) -> [Vec3; 2],
    G: Fn(&Vec3) -> Vec3,
{
    /// What is known of the highest top in the end, and the points that were asked for.
    pub fn prove(&self, tops: &mut impl Tops) -> (Branch, u32) {
        let (rel, mut spent) = (self.rel, 0);
        let mut about = |axial: Axial, tops: &mut _| {
            let mut cells = AxialProver::new(axial, rel, self.balls, &self.points);
            let ended = settle(tops, |claim| cells.advance(claim));
            spent += cells.spent;
            ended
        };
        let axials = |ridge: bool| {
            let near = RIDGE * self.size;
            Axial::all(self.of, rel).filter(move |a| a.is_ridge(rel, near) == ridge)
        };
        if let Some(ended) = axials(true).find_map(|a| about(a, tops)) {
            return (ended, spent);
        }
        let apart = self.has_centres.then_some(&rel.r);
        let mut cones = Prover::new(&self.metric(), apart, &self.difference);
        cones.budget = SHORT;
        let mut ended = settle(tops, |claim| cones.advance(claim));
        ended = ended.or_else(|| axials(false).find_map(|a| about(a, tops)));
        spent += cones.spent;
        ended = ended.or_else(|| tops.expand());
        if ended.is_none() {
            let mut cones = Prover::new(&self.metric(), apart, &self.difference);
            cones.divided = Divided::InTurn;
            ended = settle(tops, |claim| cones.advance(claim));
            spent += cones.spent;
        }
        (ended.unwrap_or(Branch::Compared), spent)
    }

    /// The second moments of the boxes of the bodies without their rolling balls, added.
    fn metric(&self) -> Mat3 {
        let core = |k: usize| {
            let (half, ball) = (&self.halves[k], self.balls[k]);
            let core = half.map(|x| (x - ball).max(THINNEST * half.amax()));
            Mat3::from_diagonal(&core.component_mul(&core))
        };
        let turn = &self.rel.rotation;
        core(0) + turn * core(1) * turn.transpose()
    }
}

/// Goes on with a proof from top to top: how it ended, none where it is open.
fn settle(tops: &mut impl Tops, mut advance: impl FnMut(&Claim) -> Proof) -> Option<Branch> {
    for _ in 0..MAX_TOPS {
        let claim = tops.claim();
        let better = match advance(&claim) {
            Proof::Holds => return Some(Branch::Global),
            Proof::Open => return None,
            Proof::Better(n) => n,
        };
        match tops.rise(&better, &claim) {
            Rise::Higher => {}
            Rise::Apart => return Some(Branch::Compared),
            Rise::Nowhere => return None,
        }
    }
    None
}
