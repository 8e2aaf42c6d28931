//! Contacts: which materials or bodies touch, and by which laws.
//!
//! A pair of parts touches by the entry that names both bodies; failing that, by the one that names both materials;
//! failing that, by the one that names neither. Where there is none, they pass through each other.

use super::lower::found;
use crate::read::unit::Dimension;
use crate::read::{
    AngularVelocity, At, Damping, Definitions, Field, Length, Mass, Place, Reader, SourceValue, Stiffness,
    Value, Velocity, choice, entry, is_expression, parse_unit, words,
};
use rattleback_contact::ContactError;
use rattleback_contact::law::friction::{Bristle, Coulomb, FrictionLaw};
use rattleback_contact::law::normal::{Hysteresis, KelvinVoigt, NormalLaw, Rule};
use rattleback_contact::law::{Application, ContactLaw, RegionLaw, Resistance};
use rattleback_contact::material::{self, Material};
use serde_json::{Value as Json, json};

entry! {
    /// The contact law of two materials or of two bodies.
    pub struct ContactSpec {
        /// The two materials.
        materials: Option<[At<String>; 2]>,
        /// The two bodies.
        bodies: Option<[At<String>; 2]>,
        /// "hertz" (from the materials and the curvatures where they touch), "hertz-circular" (the same as if the
        /// ellipse of contact were a circle), or K in N/m^n.
        stiffness: StiffnessSpec = StiffnessSpec::Hertz,
        /// How hard they push.
        normal: NormalSpec,
        /// The friction law; no friction without it.
        friction: Option<FrictionSpec>,
        /// What resists rolling and spinning.
        resistance: Option<ResistanceSpec>,
        /// Where the force acts.
        application: ApplicationSpec = ApplicationSpec::HalfDepth,
        /// What overlaps exert that have a contour: of meshes, of boxes with true edges, of meshes and half-spaces.
        regions: RegionsSpec = RegionsSpec::Energy,
        /// Bodies that meet slower than this are damped as if they met at it.
        least_speed: Velocity = Velocity(ContactLaw::LEAST_SPEED),
    }
}

/// Where K comes from.
#[derive(Debug, Clone, PartialEq)]
pub enum StiffnessSpec {
    /// From the materials and the local curvatures.
    Hertz,
    /// The same as if the ellipse of contact were a circle.
    CircularHertz,
    /// Given, with the power of the metre in its unit where it had one.
    Given(f64, Option<f64>),
}

impl Field for StiffnessSpec {
    fn read(node: &SourceValue, reader: &mut Reader) -> Option<Self> {
        match &node.value {
            Value::Text(text) if text == "hertz" => Some(Self::Hertz),
            Value::Text(text) if text == "hertz-circular" => Some(Self::CircularHertz),
            Value::Text(text) => {
                let found = if is_expression(text) {
                    let found = reader.evaluate(node, text)?;
                    if found.dimension == Dimension::NONE {
                        return Some(Self::Given(found.value, None));
                    }
                    Some(found)
                } else {
                    parse_unit(text).ok()
                };
                if let Some(found) = found {
                    let [m, kg, s, rad] = found.dimension.0;
                    if kg == 1.0 && s == -2.0 && rad == 0.0 {
                        // N/mⁿ = kg m¹⁻ⁿ s⁻².
                        return Some(Self::Given(found.value, Some(1.0 - m)));
                    }
                }
                reader
                    .expected(node, "\"hertz\", \"hertz-circular\", or a stiffness such as \"2e8 N/m^1.5\"");
                None
            }
            Value::Float(_) | Value::Integer(_) => f64::read(node, reader).map(|k| Self::Given(k, None)),
            _ => {
                reader
                    .expected(node, "\"hertz\", \"hertz-circular\", or a stiffness such as \"2e8 N/m^1.5\"");
                None
            }
        }
    }

    fn schema(_: &mut Definitions) -> Json {
        json!({"anyOf": [{"enum": ["hertz", "hertz-circular"]}, {"type": "number"}, {"type": "string", "pattern": "N|^\\s*="}]})
    }
}

entry! {
    /// F = K d^n (1 + c d'/v0), with c from the restitution by an author's rule.
    pub struct HysteresisSpec {
        /// The restitution that is asked for, from 0 to 1.
        restitution: f64,
        /// n; 1.5 is Hertz's.
        exponent: f64 = material::Stiffness::HERTZ_EXPONENT,
        /// Whether the force may pull.
        adhesive: bool = false,
    }
}

entry! {
    /// F = K d^n, which damps nothing.
    pub struct ElasticSpec {
        /// n; 1.5 is Hertz's.
        exponent: f64 = material::Stiffness::HERTZ_EXPONENT,
    }
}

entry! {
    /// F = K d^n (1 + c d'/v0) with a factor c of one's own.
    pub struct FactorSpec {
        /// c.
        factor: f64,
        /// n; 1.5 is Hertz's.
        exponent: f64 = material::Stiffness::HERTZ_EXPONENT,
        /// Whether the force may pull.
        adhesive: bool = false,
    }
}

entry! {
    /// F = K d + D d', for a given stiffness in N/m.
    pub struct KelvinVoigtSpec {
        /// D; or `restitution` and `mass` in its place.
        damping: Option<Damping>,
        /// The restitution that is asked for.
        restitution: Option<f64>,
        /// The effective mass for which the restitution holds: 1/(1/m_A + 1/m_B).
        mass: Option<Mass>,
        /// Whether the force may pull.
        adhesive: bool = false,
    }
}

choice! {
    /// The normal law.
    pub enum NormalSpec by "law" {
        "hertz" => Hertz(ElasticSpec),
        "hunt-crossley" => HuntCrossley(HysteresisSpec),
        "lankarani-nikravesh" => LankaraniNikravesh(HysteresisSpec),
        "gonthier" => Gonthier(HysteresisSpec),
        "flores" => Flores(HysteresisSpec),
        "hu-guo" => HuGuo(HysteresisSpec),
        "exact" => Exact(HysteresisSpec),
        "factor" => Factor(FactorSpec),
        "kelvin-voigt" => KelvinVoigt(KelvinVoigtSpec),
    }
}

entry! {
    /// Coulomb's friction, smooth about zero slip.
    pub struct CoulombSpec {
        /// The coefficient.
        coefficient: f64,
        /// The slip at which 76 % of it act.
        transition: Velocity,
        /// A viscous term.
        viscous: Damping = Damping(0.0),
        /// The lever at which it resists pure spin about the normal, where slip and spin share it: 0.59 of the radius
        /// of Hertz's contact, two thirds of it for an even pressure.
        spin_radius: Length = Length(0.0),
    }
}

entry! {
    /// Stiction by a bristle, blended with sliding and viscous friction.
    pub struct BristleSpec {
        /// The sliding coefficient.
        coefficient: f64,
        /// The static coefficient; the sliding one unless it is given.
        static_coefficient: Option<f64>,
        /// The slip at which sticking gives way to sliding.
        transition: Velocity,
        /// The bristle's stiffness.
        stiffness: Stiffness,
        /// The bristle's damping.
        damping: Damping = Damping(0.0),
        /// A viscous term.
        viscous: Damping = Damping(0.0),
    }
}

choice! {
    /// The friction law.
    pub enum FrictionSpec by "law" {
        "coulomb" => Coulomb(CoulombSpec),
        "bristle" => Bristle(BristleSpec),
    }
}

entry! {
    /// Torques against rolling and spinning, proportional to the normal force.
    pub struct ResistanceSpec {
        /// How far ahead of its middle a rolling contact carries.
        rolling: Length = Length(0.0),
        /// The same against spinning.
        spinning: Length = Length(0.0),
        /// The angular velocity at which 76 % of them act.
        transition: AngularVelocity,
    }
}

words! {
    /// Where the force acts on the line between the touching points.
    pub enum ApplicationSpec {
        /// Halfway.
        "half_depth" => HalfDepth,
        /// Nearer to the stiffer body, by the materials' Young's moduli.
        "by_stiffness" => ByStiffness,
    }
}

words! {
    /// What overlaps with a contour exert.
    pub enum RegionsSpec {
        /// The gradient of an energy of their thickness.
        "energy" => Energy,
        /// A force by the depth along a normal, at four points that stand for the area.
        "depth" => Depth,
        /// One force at the centroid of the contour, along the normal of the plane fitted to it and by the indentation
        /// beyond that plane, as Dopico et al. have it.
        "contact_plane" => ContactPlane,
    }
}

type LawResult<T> = Result<T, ContactError>;

impl ContactSpec {
    /// The law between two materials, the first of them that of the body declared first.
    pub(crate) fn lower(&self, materials: [Option<Material>; 2], reader: &mut Reader) -> Option<ContactLaw> {
        let elastic = match materials {
            [Some(a), Some(b)] => Some((a, b)),
            _ => None,
        };
        if elastic.is_none() {
            for (wants, key) in [
                (!matches!(self.stiffness, StiffnessSpec::Given(..)), "stiffness"),
                (self.application == ApplicationSpec::ByStiffness, "application"),
            ] {
                if wants {
                    let reason = "its materials must have `young` and `poisson`";
                    reader.wrong(
                        &self.place,
                        key,
                        format!("{reason}, for Hertz's stiffness or an application by it"),
                    );
                    return None;
                }
            }
        }
        let exponent = self.normal.exponent();
        if let StiffnessSpec::Given(_, Some(power)) = self.stiffness
            && (power - exponent).abs() > 1e-9
        {
            let message =
                format!("found N/m^{power}; the exponent {exponent} of the law expects N/m^{exponent}");
            reader.wrong(&self.place, "stiffness", message);
            return None;
        }
        match self.law(elastic) {
            Ok(law) => Some(law),
            Err(error) => {
                self.blame(&error, reader);
                None
            }
        }
    }

    fn law(&self, elastic: Option<(Material, Material)>) -> LawResult<ContactLaw> {
        let stiffness = match (&self.stiffness, &elastic) {
            (StiffnessSpec::Given(k, _), _) => material::Stiffness::given(*k)?,
            (StiffnessSpec::Hertz, Some((a, b))) => material::Stiffness::hertz(a, b),
            (StiffnessSpec::CircularHertz, Some((a, b))) => material::Stiffness::circular_hertz(a, b),
            // `lower` has refused it.
            (StiffnessSpec::Hertz | StiffnessSpec::CircularHertz, None) => {
                material::Stiffness::given(f64::NAN)?
            }
        };
        let mut law = ContactLaw::new(stiffness, self.normal.lower(&self.stiffness)?)?;
        law = law.with_regions(match self.regions {
            RegionsSpec::Energy => RegionLaw::Energy,
            RegionsSpec::Depth => RegionLaw::Depth,
            RegionsSpec::ContactPlane => RegionLaw::ContactPlane,
        });
        if let Some(friction) = &self.friction {
            law = law.with_friction(friction.lower()?);
        }
        if let Some(r) = &self.resistance {
            law = law.with_resistance(Resistance::new(r.rolling.0, r.spinning.0, r.transition.0)?);
        }
        if let (ApplicationSpec::ByStiffness, Some((a, b))) = (self.application, &elastic) {
            law = law.with_application(Application::by_stiffness(a, b))?;
        }
        law.with_least_speed(self.least_speed.0)
    }

    /// Puts an error of the engine where its field stands.
    fn blame(&self, error: &ContactError, reader: &mut Reader) {
        let (field, message) = found(error);
        let friction = self.friction.as_ref().map_or(&self.place, FrictionSpec::place);
        let resistance = self.resistance.as_ref().map_or(&self.place, |spec| &spec.place);
        let (place, key) = match field {
            "restitution" | "exponent" | "factor" | "damping" | "mass" => (self.normal.place(), field),
            "friction" => (friction, "coefficient"),
            "static friction" => (friction, "static_coefficient"),
            "viscous" => (friction, "viscous"),
            "spin radius" => (friction, "spin_radius"),
            "bristle stiffness" => (friction, "stiffness"),
            "bristle damping" => (friction, "damping"),
            "rolling resistance" => (resistance, "rolling"),
            "spinning resistance" => (resistance, "spinning"),
            // Friction and resistance both have one; friction is built first.
            "transition" if self.friction.as_ref().is_none_or(|spec| spec.lower().is_ok()) => {
                (resistance, "transition")
            }
            "transition" => (friction, "transition"),
            "least_speed" => (&self.place, "least_speed"),
            _ => (&self.place, "stiffness"),
        };
        reader.wrong(place, key, message);
    }
}

impl NormalSpec {
    fn place(&self) -> &Place {
        match self {
            Self::Hertz(spec) => &spec.place,
            Self::Factor(spec) => &spec.place,
            Self::KelvinVoigt(spec) => &spec.place,
            Self::HuntCrossley(spec)
            | Self::LankaraniNikravesh(spec)
            | Self::Gonthier(spec)
            | Self::Flores(spec)
            | Self::HuGuo(spec)
            | Self::Exact(spec) => &spec.place,
        }
    }

    fn exponent(&self) -> f64 {
        match self {
            Self::Hertz(spec) => spec.exponent,
            Self::Factor(spec) => spec.exponent,
            Self::KelvinVoigt(_) => 1.0,
            other => other.rule().map_or(f64::NAN, |(_, spec)| spec.exponent),
        }
    }

    /// The author's rule, if it is one of those that take a restitution.
    fn rule(&self) -> Option<(Rule, &HysteresisSpec)> {
        Some(match self {
            Self::HuntCrossley(spec) => (Rule::HuntCrossley, spec),
            Self::LankaraniNikravesh(spec) => (Rule::LankaraniNikravesh, spec),
            Self::Gonthier(spec) => (Rule::Gonthier, spec),
            Self::Flores(spec) => (Rule::Flores, spec),
            Self::HuGuo(spec) => (Rule::HuGuo, spec),
            Self::Exact(spec) => (Rule::Exact, spec),
            Self::Hertz(_) | Self::Factor(_) | Self::KelvinVoigt(_) => return None,
        })
    }

    fn lower(&self, stiffness: &StiffnessSpec) -> LawResult<NormalLaw> {
        let pulling = |law: NormalLaw, adhesive: bool| if adhesive { law.adhesive() } else { law };
        if let Some((rule, spec)) = self.rule() {
            let law = Hysteresis::new(rule, spec.restitution, spec.exponent)?;
            return Ok(pulling(law.into(), spec.adhesive));
        }
        Ok(match self {
            Self::Factor(spec) => {
                pulling(Hysteresis::with_factor(spec.factor, spec.exponent)?.into(), spec.adhesive)
            }
            Self::KelvinVoigt(spec) => pulling(spec.lower(stiffness)?.into(), spec.adhesive),
            Self::Hertz(spec) => Hysteresis::with_factor(0.0, spec.exponent)?.into(),
            // `rule` has taken the others.
            _ => Hysteresis::with_factor(f64::NAN, 1.0)?.into(),
        })
    }
}

impl KelvinVoigtSpec {
    fn lower(&self, stiffness: &StiffnessSpec) -> LawResult<KelvinVoigt> {
        let refuse = |value: f64, allowed: &'static str| {
            Err(ContactError::OutOfRange { field: "damping".to_owned(), value, allowed })
        };
        match (self.damping, self.restitution, self.mass, stiffness) {
            (Some(damping), None, None, _) => KelvinVoigt::new(damping.0),
            (None, Some(restitution), Some(mass), StiffnessSpec::Given(k, _)) => {
                KelvinVoigt::with_restitution(restitution, *k, mass.0)
            }
            (damping, ..) => refuse(
                damping.map_or(f64::NAN, |damping| damping.0),
                "given by itself, or replaced by `restitution` and `mass` where the stiffness is a number",
            ),
        }
    }
}

impl FrictionSpec {
    fn place(&self) -> &Place {
        match self {
            Self::Coulomb(spec) => &spec.place,
            Self::Bristle(spec) => &spec.place,
        }
    }

    fn lower(&self) -> LawResult<FrictionLaw> {
        Ok(match self {
            Self::Coulomb(spec) => {
                let law = Coulomb::with_viscous(spec.coefficient, spec.viscous.0, spec.transition.0)?;
                law.with_spin_radius(spec.spin_radius.0)?.into()
            }
            Self::Bristle(spec) => {
                let law =
                    Bristle::new(spec.coefficient, spec.transition.0, spec.stiffness.0, spec.damping.0)?;
                let law = law.with_static(spec.static_coefficient.unwrap_or(spec.coefficient))?;
                law.with_viscous(spec.viscous.0)?.into()
            }
        })
    }
}
