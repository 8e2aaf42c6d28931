//! The motion of a ship in a seaway: a spectrum of waves, and how the degrees of freedom answer them.

use super::super::amount::{Amount, Aspect};
use super::super::frequency::CircularFrequency;
use super::MotionFreedomSpec;
use crate::read::quantity::{given, schema};
use crate::read::unit::Dimension;
use crate::read::{
    Angle, At, Definitions, Field, Length, Place, Range, Reader, SourceValue, Time, choice, entry, number,
    triple,
};
use rattleback_dynamics::DynamicsError;
use rattleback_dynamics::model::{Gain, PrescribedMotion, Response, Seaway, Spectrum};
use rattleback_geom::{Brief, Pose, Vec3};
use serde_json::Value as Json;
use std::f64::consts::TAU;

/// A density of variance of waves over angular frequency in m² s/rad: a number in m²/Hz, or text in m^2/Hz or m^2
/// s/rad.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WaveDensity(pub f64);

impl Field for WaveDensity {
    fn read(node: &SourceValue, reader: &mut Reader) -> Option<Self> {
        let expected = "a density in m^2/Hz or with a unit, such as \"3 m^2/Hz\" or \"0.5 m^2 s/rad\"";
        let found = given(node, expected, reader)?;
        match found.unit {
            None => Some(Self(found.value / TAU)),
            Some((_, Dimension([2.0, 0.0, 1.0, 0.0]))) => Some(Self(found.value / TAU)),
            Some((_, Dimension([2.0, 0.0, 1.0, -1.0]))) => Some(Self(found.value)),
            Some((text, dimension)) => {
                let name = dimension.name();
                reader.refuse(&node.span, format!("found \"{text}\", {name}; expected {expected}"));
                None
            }
        }
    }

    fn schema(definitions: &mut Definitions) -> Json {
        definitions.define("WaveDensity", &mut |_| {
            schema("A number in m²/Hz, or text with a unit, such as \"3 m^2/Hz\" or \"0.5 m^2 s/rad\".")
        })
    }
}

entry! {
    /// The JONSWAP spectrum.
    pub struct JonswapSpec {
        /// The significant wave height.
        height: Length,
        /// The period at the peak.
        peak_period: Time,
        /// γ, from 1 to 10.
        peakedness: f64 = 3.3,
    }
}
entry! {
    /// Pierson and Moskowitz's spectrum of a fully developed sea.
    pub struct PiersonMoskowitzSpec {
        /// The significant wave height.
        height: Length,
        /// The period at the peak.
        peak_period: Time,
    }
}
entry! {
    /// A spectrum of straight lines; there are no waves beyond its ends.
    pub struct SpectrumTableSpec {
        /// Two at least, above zero, each above the one before it.
        frequencies: Vec<CircularFrequency>,
        /// The density of variance at each.
        densities: Vec<WaveDensity>,
    }
}
choice! {
    /// A spectrum of waves by its type.
    pub enum SpectrumSpec by "type" {
        "jonswap" => Jonswap(JonswapSpec),
        "pierson-moskowitz" => PiersonMoskowitz(PiersonMoskowitzSpec),
        "table" => Table(SpectrumTableSpec),
    }
}
entry! {
    /// How a degree of freedom answers waves: `per_metre` or `significant`.
    pub struct ResponseSpec {
        /// The degree of freedom.
        freedom: MotionFreedomSpec,
        /// Its amplitude over that of a wave, such as 0.8 for what slides or "1.5 deg/m" for what turns.
        per_metre: Option<At<Amount>>,
        /// Its significant amplitude to either side, the mean of the highest third.
        significant: Option<At<Amount>>,
        /// How far it is ahead of the waves.
        phase: Angle = Angle(0.0),
    }
}
entry! {
    /// Moves as a ship does in a seaway about the position and orientation that the body has at rest: x forward, y to
    /// port, z up.
    pub struct SeawayMotionSpec {
        /// The waves.
        spectrum: SpectrumSpec,
        /// What they do to the body; degrees of freedom that are not named do not move.
        responses: Vec<ResponseSpec>,
        /// The centre about which it moves, in the body's own frame.
        centre: [Length; 3] = [Length(0.0); 3],
        /// How many waves are added up.
        components: usize = 40,
        /// Which phases they have; every seed is another stretch of the same sea.
        seed: usize = 0,
        /// The time over which the motion grows from rest; zero to be under way at once.
        ramp: Time = Time(20.0),
    }
}

impl SpectrumSpec {
    fn lower(&self, reader: &mut Reader) -> Option<Spectrum> {
        let (built, place) = match self {
            Self::Jonswap(s) => (Spectrum::jonswap(s.height.0, s.peak_period.0, s.peakedness), &s.place),
            Self::PiersonMoskowitz(s) => (Spectrum::pierson_moskowitz(s.height.0, s.peak_period.0), &s.place),
            Self::Table(s) => {
                let frequencies: Vec<f64> = s.frequencies.iter().map(|f| f.0).collect();
                let densities: Vec<f64> = s.densities.iter().map(|d| d.0).collect();
                (Spectrum::table(&frequencies, &densities), &s.place)
            }
        };
        built.map_err(|error| refuse(&error, place, reader)).ok()
    }
}

impl ResponseSpec {
    fn lower(&self, reader: &mut Reader) -> Option<Response> {
        let (freedom, measure) = self.freedom.parts();
        let phase = number(&self.place, "phase", self.phase.0, Range::Finite, reader);
        let gain = match (&self.per_metre, &self.significant) {
            (Some(gain), None) => {
                gain.take(Aspect::PerLength, measure, Range::Finite, reader).map(Gain::PerMetre)
            }
            (None, Some(value)) => {
                value.take(Aspect::Value, measure, Range::NotNegative, reader).map(Gain::Significant)
            }
            (given, _) => {
                let found = if given.is_some() { "both" } else { "neither" };
                let message = format!("found {found}; expected `per_metre` or `significant`");
                reader.wrong(&self.place, "", message);
                None
            }
        };
        Some(Response { freedom, gain: gain?, phase: phase? })
    }
}

impl SeawayMotionSpec {
    /// The motion; the body's mass centre stands at `rest` and, in its own frame, at `mass_centre`.
    pub(super) fn lower(
        &self,
        rest: &Pose,
        mass_centre: &Vec3,
        reader: &mut Reader,
    ) -> Option<PrescribedMotion> {
        let spectrum = self.spectrum.lower(reader);
        if self.responses.is_empty() {
            reader.wrong(&self.place, "responses", "found none; expected one at least");
        }
        let responses: Vec<Option<Response>> = self.responses.iter().map(|r| r.lower(reader)).collect();
        let responses: Option<Vec<Response>> = responses.into_iter().collect();
        let centre = triple(&self.place, "centre", self.centre.map(|x| x.0), reader);
        let ramp = number(&self.place, "ramp", self.ramp.0, Range::NotNegative, reader);
        let sea = Seaway {
            components: self.components,
            seed: self.seed as u64,
            ramp: ramp?,
            centre: Vec3::from(centre?) - mass_centre,
            ..Seaway::new(spectrum?, responses?)
        };
        PrescribedMotion::seaway(*rest, &sea).map_err(|error| refuse(&error, &self.place, reader)).ok()
    }
}

/// Tells what the model refuses at the key that it names, or else at the table.
fn refuse(error: &DynamicsError, place: &Place, reader: &mut Reader) {
    let named = match error {
        DynamicsError::OutOfRange { field, value, allowed } => {
            Some((field, format!("found {}; expected {allowed}", Brief(*value))))
        }
        DynamicsError::Invalid { what, reason } => Some((what, format!("found {reason}"))),
        _ => None,
    };
    match named {
        Some((key, message)) if place.has(key.split('[').next().unwrap_or_default()) => {
            reader.wrong(place, key, message);
        }
        _ => reader.wrong(place, "", error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::testing::{ball, lowered, refused};
    use super::super::PrescribedMotionSpec;
    use super::*;
    use rattleback_dynamics::model::Freedom;

    const MASS_CENTRE: Vec3 = Vec3::new(0.5, 0.0, 0.25);

    fn read(text: &str) -> Result<PrescribedMotion, Vec<String>> {
        lowered(text, |spec: &PrescribedMotionSpec, _, reader| spec.lower(&ball(), &MASS_CENTRE, reader))
    }

    const SEA: &str = "type = \"seaway\"\ncentre = [-40, -8, \"-600 cm\"]\nramp = \"10 s\"\ncomponents = 12\nseed = 3\n\
        responses = [\n{ freedom = \"heave\", per_metre = 0.8 },\n\
        { freedom = \"pitch\", per_metre = \"1.5 deg/m\", phase = \"90 deg\" },\n\
        { freedom = \"roll\", significant = \"6 deg\" },\n]\n\
        [spectrum]\ntype = \"jonswap\"\nheight = 2.5\npeak_period = \"9 s\"\n";

    fn sea() -> Seaway {
        let response = |freedom, gain, phase: f64| Response { freedom, gain, phase: phase.to_radians() };
        Seaway {
            spectrum: Spectrum::jonswap(2.5, 9.0, 3.3).unwrap(),
            responses: vec![
                response(Freedom::Heave, Gain::PerMetre(0.8), 0.0),
                response(Freedom::Pitch, Gain::PerMetre(1.5_f64.to_radians()), 90.0),
                response(Freedom::Roll, Gain::Significant(6_f64.to_radians()), 0.0),
            ],
            components: 12,
            seed: 3,
            ramp: 10.0,
            centre: Vec3::new(-40.0, -8.0, -6.0) - MASS_CENTRE,
        }
    }

    #[test]
    fn a_seaway_moves_the_ship_about_its_centre() {
        assert_eq!(read(SEA), Ok(PrescribedMotion::seaway(ball(), &sea()).unwrap()));
        let short = "type = \"seaway\"\nresponses = [{ freedom = \"heave\", per_metre = 1 }]\n\
                     spectrum = { type = \"pierson-moskowitz\", height = 1, peak_period = 6 }\n";
        let response = Response { freedom: Freedom::Heave, gain: Gain::PerMetre(1.0), phase: 0.0 };
        let plain = Seaway::new(Spectrum::pierson_moskowitz(1.0, 6.0).unwrap(), vec![response]);
        let plain = Seaway { centre: -MASS_CENTRE, ..plain };
        assert_eq!(read(short), Ok(PrescribedMotion::seaway(ball(), &plain).unwrap()));
    }

    #[test]
    fn a_table_of_densities_is_a_spectrum_per_hertz_or_per_radian() {
        let table = |frequencies: &str, densities: &str| {
            let table =
                format!("{{ type = \"table\", frequencies = {frequencies}, densities = {densities} }}");
            read(&format!(
                "type = \"seaway\"\nresponses = [{{ freedom = \"heave\", per_metre = 1 }}]\nspectrum = {table}\n"
            ))
        };
        let plain = table("[0.1, 0.2]", "[1, 3]").unwrap();
        assert_eq!(table("[\"0.1 Hz\", \"0.2 Hz\"]", "[\"1 m^2/Hz\", \"3 m^2 s\"]"), Ok(plain));
        let spectrum = Spectrum::table(&[0.5, 1.0], &[1.0, 3.0]).unwrap();
        let response = Response { freedom: Freedom::Heave, gain: Gain::PerMetre(1.0), phase: 0.0 };
        let sea = Seaway { centre: -MASS_CENTRE, ..Seaway::new(spectrum, vec![response]) };
        let found = table("[\"0.5 rad/s\", \"1 rad/s\"]", "[\"1 m^2 s/rad\", \"3 m^2 s/rad\"]");
        assert_eq!(found, Ok(PrescribedMotion::seaway(ball(), &sea).unwrap()));
        let said = &table("[0.1, 0.2]", "[1, \"3 kg\"]").unwrap_err()[0];
        assert!(said.contains("found \"3 kg\", a mass; expected a density in m^2/Hz"), "{said}");
        let said = &table("[0.1, 0.2, 0.3]", "[1, 3]").unwrap_err()[0];
        assert!(said.contains("3 frequencies and 2 densities"), "{said}");
    }

    #[test]
    fn a_wrong_seaway_is_told() {
        for (change, said) in [
            (
                ("0.8", "\"0.8 deg\""),
                "7:34 responses[0].per_metre: found \"0.8 deg\", an angle; expected a number in SI units or with a unit, such as \"0.8 m/m\"",
            ),
            (
                ("\"1.5 deg/m\"", "\"1.5 mm\""),
                "8:34 responses[1].per_metre: found \"1.5 mm\", a length; expected an angle per length in SI units or with a unit, such as \"1.5 deg/m\"",
            ),
            (
                ("significant = \"6 deg\"", "phase = 1"),
                "9:1 responses[2]: found neither; expected `per_metre` or `significant`",
            ),
            (
                ("height = 2.5", "height = -1"),
                "13:10 spectrum.height: found -1; expected above zero and finite",
            ),
            (
                ("components = 12", "components = 0"),
                "4:14 components: found 0 of them: from 1 to 10 000 are allowed",
            ),
            (("\"10 s\"", "-1"), "3:8 ramp: found -1; expected a finite number, zero or above"),
        ] {
            refused(SEA, change, said, |spec: &PrescribedMotionSpec, _, reader| {
                spec.lower(&ball(), &MASS_CENTRE, reader)
            });
        }
    }
}
