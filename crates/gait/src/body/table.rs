//! Mass shares of segments and where their centres of mass lie.
//!
//! - de Leva 1996, J. Biomech. 29, 1223, Table 4 (women and men): trunk from mid-shoulder to mid-hip, head from vertex
//!   to the seventh cervical vertebra, forearm and upper arm between joint centres, hand from wrist to third knuckle,
//!   thigh and shank between joint centres, foot from heel to toe tip.
//! - Winter, Biomechanics and Motor Control of Human Movement, 4th ed., Table 4.1 (after Dempster 1955): trunk from
//!   glenohumeral joints to greater trochanters, foot from ankle to second metatarsal head, head and neck from the
//!   first rib to the ear.
//!
//! Files of gait laboratories do not tell whether a subject is a man or a woman: Winter's, which does not ask, is
//! taken unless one is named.

/// A kind of segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "the words of anatomy")]
pub enum SegmentKind {
    Head,
    Trunk,
    UpperArm,
    Forearm,
    Hand,
    Thigh,
    Shank,
    Foot,
}

impl SegmentKind {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Head => "head",
            Self::Trunk => "trunk",
            Self::UpperArm => "upper arm",
            Self::Forearm => "forearm",
            Self::Hand => "hand",
            Self::Thigh => "thigh",
            Self::Shank => "shank",
            Self::Foot => "foot",
        }
    }
}

/// A published table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum MassTable {
    /// Winter, after Dempster.
    #[default]
    Winter,
    /// de Leva, women.
    DeLevaWomen,
    /// de Leva, men.
    DeLevaMen,
}

impl MassTable {
    /// Where it is from.
    pub fn source(self) -> &'static str {
        match self {
            Self::Winter => "Winter 2009, Table 4.1 (Dempster)",
            Self::DeLevaWomen => "de Leva 1996, Table 4, women",
            Self::DeLevaMen => "de Leva 1996, Table 4, men",
        }
    }

    /// The share of the body's mass, and of the segment's length from its upper end to the centre of mass.
    pub fn of(self, kind: SegmentKind) -> (f64, f64) {
        use SegmentKind as S;
        match (self, kind) {
            (Self::Winter, S::Head) => (0.081, 1.0),
            (Self::Winter, S::Trunk) => (0.497, 0.50),
            (Self::Winter, S::UpperArm) => (0.028, 0.436),
            (Self::Winter, S::Forearm) => (0.016, 0.430),
            (Self::Winter, S::Hand) => (0.006, 0.506),
            (Self::Winter, S::Thigh) => (0.100, 0.433),
            (Self::Winter, S::Shank) => (0.0465, 0.433),
            (Self::Winter, S::Foot) => (0.0145, 0.50),
            (Self::DeLevaWomen, S::Head) => (0.0668, 0.4841),
            (Self::DeLevaWomen, S::Trunk) => (0.4257, 0.3782),
            (Self::DeLevaWomen, S::UpperArm) => (0.0255, 0.5754),
            (Self::DeLevaWomen, S::Forearm) => (0.0138, 0.4559),
            (Self::DeLevaWomen, S::Hand) => (0.0056, 0.7474),
            (Self::DeLevaWomen, S::Thigh) => (0.1478, 0.3612),
            (Self::DeLevaWomen, S::Shank) => (0.0481, 0.4352),
            (Self::DeLevaWomen, S::Foot) => (0.0129, 0.4014),
            (Self::DeLevaMen, S::Head) => (0.0694, 0.5002),
            (Self::DeLevaMen, S::Trunk) => (0.4346, 0.4310),
            (Self::DeLevaMen, S::UpperArm) => (0.0271, 0.5772),
            (Self::DeLevaMen, S::Forearm) => (0.0162, 0.4574),
            (Self::DeLevaMen, S::Hand) => (0.0061, 0.7900),
            (Self::DeLevaMen, S::Thigh) => (0.1416, 0.4095),
            (Self::DeLevaMen, S::Shank) => (0.0433, 0.4395),
            (Self::DeLevaMen, S::Foot) => (0.0137, 0.4415),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shares_of_a_body_make_a_whole() {
        use SegmentKind as S;
        for table in [MassTable::Winter, MassTable::DeLevaWomen, MassTable::DeLevaMen] {
            let one = |kind| table.of(kind).0;
            let limbs = [S::UpperArm, S::Forearm, S::Hand, S::Thigh, S::Shank, S::Foot];
            let sum = one(S::Head) + one(S::Trunk) + 2.0 * limbs.map(one).iter().sum::<f64>();
            assert!((sum - 1.0).abs() < 2e-3, "{table:?}: {sum}");
        }
    }
}
