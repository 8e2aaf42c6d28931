//! Units: text such as `37.5 mm`, `210 GPa`, `0.2 N s/m`, `30 deg/s` as a number in SI units with its dimension.
//!
//!   quantity = number unit?        unit = factor (("/" | "*" | " " | "·") factor)*        factor = name ("^"
//!   exponent)?
//!
//! A slash divides by the one factor after it: `N s/m` is N·s/m, and J/(kg m) is written `J/kg/m`. Exponents may be
//! fractions (`N/m^1.5`) or superscripts (`kg/m³`). Angles are counted as a dimension of their own, so that `30 deg` is
//! no length; where an angle's power does not matter (`N m` for N m/rad, `1/s` for rad/s) it may be left out, but not
//! put in.

/// Powers of metre, kilogram, second and radian.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Dimension(pub(crate) [f64; 4]);

/// A number with the unit it came in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Measured {
    /// In SI units.
    pub(crate) value: f64,
    pub(crate) dimension: Dimension,
}

/// Names, factors to SI and dimensions; those with `true` take prefixes.
const UNITS: &[(&str, f64, [f64; 4], bool)] = &[
    ("m", 1.0, [1.0, 0.0, 0.0, 0.0], true),
    ("g", 1e-3, [0.0, 1.0, 0.0, 0.0], true),
    ("t", 1e3, [0.0, 1.0, 0.0, 0.0], false),
    ("s", 1.0, [0.0, 0.0, 1.0, 0.0], true),
    ("min", 60.0, [0.0, 0.0, 1.0, 0.0], false),
    ("h", 3600.0, [0.0, 0.0, 1.0, 0.0], false),
    ("rad", 1.0, [0.0, 0.0, 0.0, 1.0], true),
    ("deg", std::f64::consts::PI / 180.0, [0.0, 0.0, 0.0, 1.0], false),
    ("°", std::f64::consts::PI / 180.0, [0.0, 0.0, 0.0, 1.0], false),
    ("rev", std::f64::consts::TAU, [0.0, 0.0, 0.0, 1.0], false),
    ("rpm", std::f64::consts::TAU / 60.0, [0.0, 0.0, -1.0, 1.0], false),
    ("Hz", 1.0, [0.0, 0.0, -1.0, 0.0], true),
    ("N", 1.0, [1.0, 1.0, -2.0, 0.0], true),
    ("Pa", 1.0, [-1.0, 1.0, -2.0, 0.0], true),
    ("bar", 1e5, [-1.0, 1.0, -2.0, 0.0], true),
    ("J", 1.0, [2.0, 1.0, -2.0, 0.0], true),
    ("W", 1.0, [2.0, 1.0, -3.0, 0.0], true),
    ("in", 0.0254, [1.0, 0.0, 0.0, 0.0], false),
    ("ft", 0.3048, [1.0, 0.0, 0.0, 0.0], false),
    ("lb", 0.453_592_37, [0.0, 1.0, 0.0, 0.0], false),
    ("lbf", 4.448_221_615_260_5, [1.0, 1.0, -2.0, 0.0], false),
    ("1", 1.0, [0.0; 4], false),
];

/// Powers of ten.
const PREFIXES: &[(&str, f64)] = &[
    ("n", 1e-9),
    ("µ", 1e-6),
    ("μ", 1e-6),
    ("u", 1e-6),
    ("m", 1e-3),
    ("c", 1e-2),
    ("d", 1e-1),
    ("k", 1e3),
    ("M", 1e6),
    ("G", 1e9),
    ("T", 1e12),
];

/// What dimensions are called, for messages.
const NAMES: &[(&str, [f64; 4])] = &[
    ("a length", [1.0, 0.0, 0.0, 0.0]),
    ("a mass", [0.0, 1.0, 0.0, 0.0]),
    ("a time", [0.0, 0.0, 1.0, 0.0]),
    ("an angle", [0.0, 0.0, 0.0, 1.0]),
    ("a velocity", [1.0, 0.0, -1.0, 0.0]),
    ("an acceleration", [1.0, 0.0, -2.0, 0.0]),
    ("an angular velocity", [0.0, 0.0, -1.0, 1.0]),
    ("a frequency", [0.0, 0.0, -1.0, 0.0]),
    ("a force", [1.0, 1.0, -2.0, 0.0]),
    ("a torque or an energy", [2.0, 1.0, -2.0, 0.0]),
    ("a power", [2.0, 1.0, -3.0, 0.0]),
    ("a pressure", [-1.0, 1.0, -2.0, 0.0]),
    ("a density", [-3.0, 1.0, 0.0, 0.0]),
    ("a stiffness", [0.0, 1.0, -2.0, 0.0]),
    ("a damping", [0.0, 1.0, -1.0, 0.0]),
    ("a moment of inertia", [2.0, 1.0, 0.0, 0.0]),
    ("a number without unit", [0.0; 4]),
];

/// Exponents are sums of few decimal fractions.
const CLOSE: f64 = 1e-9;

impl Dimension {
    /// Whether a number of this dimension can stand where `wanted` is expected.
    pub(crate) fn serves(&self, wanted: &Self) -> bool {
        let close = |k: usize| (self.0[k] - wanted.0[k]).abs() < CLOSE;
        (0..3).all(close) && (close(3) || self.0[3] == 0.0 && wanted.0[..3] != [0.0; 3])
    }

    /// Of a number without unit.
    pub(crate) const NONE: Self = Self([0.0; 4]);

    /// The product with another one raised to a power. An angle is counted where there is no length and no mass:
    /// (rad/s) s is an angle, (rad/s) m a velocity.
    pub(super) fn times(&self, other: &Self, power: f64) -> Self {
        let mut found = [0, 1, 2, 3].map(|k| self.0[k] + power * other.0[k]);
        for exponent in &mut found {
            // Fractions add up to whole numbers but for rounding.
            if (*exponent - exponent.round()).abs() < CLOSE {
                *exponent = exponent.round();
            }
        }
        if found[0] != 0.0 || found[1] != 0.0 {
            found[3] = 0.0;
        }
        Self(found)
    }

    /// That of a sum of the two, if there is one: an angle and a number without unit make an angle.
    pub(super) fn sum(&self, other: &Self) -> Option<Self> {
        let close = |k: usize| (self.0[k] - other.0[k]).abs() < CLOSE;
        let angle = if self.0[3] == 0.0 { other.0[3] } else { self.0[3] };
        let fits = close(3) || self.0[3] == 0.0 || other.0[3] == 0.0;
        ((0..3).all(close) && fits).then_some(Self([self.0[0], self.0[1], self.0[2], angle]))
    }

    /// Whether it is a number without unit, or an angle.
    pub(super) fn is_number_or_angle(&self) -> bool {
        self.sum(&Self::NONE).is_some() && (self.0[3] == 0.0 || self.0[3] == 1.0)
    }

    /// As text that is read back, such as `kg m^-3`; empty for a number without unit.
    pub(crate) fn unit(&self) -> String {
        let factor = |(name, power): (&str, f64)| match power {
            0.0 => None,
            1.0 => Some(name.to_owned()),
            power => Some(format!("{name}^{power}")),
        };
        let all = ["m", "kg", "s", "rad"].into_iter().zip(self.0);
        all.filter_map(factor).collect::<Vec<_>>().join(" ")
    }

    /// What it is called.
    pub(crate) fn name(&self) -> &'static str {
        let same = |other: &[f64; 4]| (0..4).all(|k| (self.0[k] - other[k]).abs() < CLOSE);
        NAMES.iter().find(|(_, other)| same(other)).map_or("another quantity", |(name, _)| name)
    }
}

/// Reads a number with its unit; the error says what is not understood.
pub(crate) fn parse(text: &str) -> Result<Measured, String> {
    let text = text.trim();
    let end = number_end(text);
    let value: f64 = text[..end].parse().map_err(|_| "it does not begin with a number".to_owned())?;
    let rest = text[end..].trim();
    let (mut factor, mut dimension) = (1.0, [0.0; 4]);
    let mut divide = false;
    let mut expects = !rest.is_empty();
    for token in tokens(rest) {
        match token {
            "/" | "*" | "·" => {
                if expects {
                    return Err(format!("\"{token}\" stands where a unit is expected"));
                }
                divide = token == "/";
                expects = true;
            }
            name => {
                let (unit, power) = raised(name)?;
                let power = if divide { -power } else { power };
                let (own, dimensions) = find(unit)?;
                factor *= if power == 1.0 { own } else { own.powf(power) };
                for k in 0..4 {
                    dimension[k] += power * dimensions[k];
                }
                divide = false;
                expects = false;
            }
        }
    }
    if expects {
        return Err("a unit is missing at its end".to_owned());
    }
    Ok(Measured { value: scaled(&text[..end], value, factor), dimension: Dimension(dimension) })
}

/// value · factor. A power of ten moves the point of `number`, so that 77.85 mm is 0.07785 m to the last bit; other
/// factors that are the inverse of a whole number divide by it.
pub(super) fn scaled(number: &str, value: f64, factor: f64) -> f64 {
    let power = factor.log10().round();
    if (factor / 10.0_f64.powf(power) - 1.0).abs() < CLOSE {
        let (digits, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
        let moved = exponent.parse::<i32>().map(|exponent| exponent.saturating_add(power as i32));
        if let Ok(Ok(moved)) = moved.map(|exponent| format!("{digits}e{exponent}").parse()) {
            return moved;
        }
    }
    let inverse = 1.0 / factor;
    if factor < 1.0 && (inverse - inverse.round()).abs() < CLOSE * inverse {
        value / inverse.round()
    } else {
        value * factor
    }
}

/// Where the number at the beginning ends.
pub(super) fn number_end(text: &str) -> usize {
    let bytes = text.as_bytes();
    let digit = |i: usize| bytes.get(i).is_some_and(u8::is_ascii_digit);
    let mut i = usize::from(matches!(bytes.first(), Some(b'+' | b'-')));
    while digit(i) || bytes.get(i) == Some(&b'.') {
        i += 1;
    }
    if matches!(bytes.get(i), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(i + 1), Some(b'+' | b'-')));
        if digit(i + 1 + sign) {
            i += 1 + sign;
            while digit(i) {
                i += 1;
            }
        }
    }
    i
}

/// Operators, and everything between them and blanks.
fn tokens(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start();
        let first = rest.chars().next()?;
        let operator = |c: char| matches!(c, '/' | '*' | '·');
        let end = if operator(first) {
            first.len_utf8()
        } else {
            rest.find(|c: char| operator(c) || c.is_whitespace()).unwrap_or(rest.len())
        };
        let token = &rest[..end];
        rest = &rest[end..];
        Some(token)
    })
}

/// A unit's name and the power that it is raised to.
fn raised(token: &str) -> Result<(&str, f64), String> {
    if let Some((name, power)) = token.split_once('^') {
        let power = power.parse::<f64>().ok().filter(|power| power.is_finite());
        return power
            .map(|power| (name, power))
            .ok_or_else(|| format!("the exponent of \"{token}\" is no number"));
    }
    for (sign, power) in [("⁻¹", -1.0), ("⁻²", -2.0), ("⁻³", -3.0), ("²", 2.0), ("³", 3.0), ("⁴", 4.0)]
    {
        if let Some(name) = token.strip_suffix(sign) {
            return Ok((name, power));
        }
    }
    Ok((token, 1.0))
}

fn find(name: &str) -> Result<(f64, [f64; 4]), String> {
    known(name).ok_or_else(|| format!("the unit \"{name}\" is not known"))
}

/// The factor to SI and the dimension of a unit.
pub(super) fn known(name: &str) -> Option<(f64, [f64; 4])> {
    if let Some((_, factor, dimension, _)) = UNITS.iter().find(|unit| unit.0 == name) {
        return Some((*factor, *dimension));
    }
    for (prefix, power) in PREFIXES {
        let base = name.strip_prefix(prefix);
        if let Some((_, factor, dimension, _)) = UNITS.iter().find(|unit| unit.3 && Some(unit.0) == base) {
            return Some((power * factor, *dimension));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;

    #[test]
    fn units_become_si() {
        for (text, value, name) in [
            ("37.5 mm", 0.0375, "a length"),
            ("37.5mm", 0.0375, "a length"),
            ("-1e-3 km", -1.0, "a length"),
            ("210 GPa", 210e9, "a pressure"),
            ("7.8 g/cm^3", 7800.0, "a density"),
            ("7800 kg/m³", 7800.0, "a density"),
            ("30 deg", std::f64::consts::PI / 6.0, "an angle"),
            ("30°", std::f64::consts::PI / 6.0, "an angle"),
            ("60 rpm", std::f64::consts::TAU, "an angular velocity"),
            ("2 N s/m", 2.0, "a damping"),
            ("2 N*s/m", 2.0, "a damping"),
            ("9.81 m s⁻²", 9.81, "an acceleration"),
            ("1.5 h", 5400.0, "a time"),
            ("3 min", 180.0, "a time"),
            ("5 1/s", 5.0, "a frequency"),
            ("5 kN/mm", 5e6, "a stiffness"),
            ("12", 12.0, "a number without unit"),
        ] {
            let found = parse(text).unwrap();
            assert!((found.value - value).abs() <= 1e-14 * value.abs(), "{text}: {found:?}");
            assert_eq!(found.dimension.name(), name, "{text}");
        }
        for (text, value) in [
            ("37.5 mm", 0.0375),
            ("77.85 mm", 0.07785),
            ("-1.1e-1 km", -110.0),
            ("7.85E+0 g/cm^3", 7850.0),
            ("0.3 µm", 3e-7),
            ("1e99999999999 mm", f64::INFINITY),
        ] {
            assert_eq!(parse(text).unwrap().value, value, "{text} to the last bit");
        }
    }

    #[test]
    fn what_is_not_understood_is_named() {
        for (text, said) in [
            ("mm", "it does not begin with a number"),
            ("3 furlong", "the unit \"furlong\" is not known"),
            ("3 m/", "a unit is missing at its end"),
            ("3 /m", "\"/\" stands where a unit is expected"),
            ("3 m^x", "the exponent of \"m^x\" is no number"),
            ("", "it does not begin with a number"),
            ("1.2.3 m", "it does not begin with a number"),
        ] {
            assert_eq!(parse(text).unwrap_err(), said, "{text}");
        }
    }

    #[test]
    fn an_angle_may_be_left_out_but_not_put_in() {
        let per_radian = Dimension([2.0, 1.0, -2.0, -1.0]);
        assert!(parse("3 N m/rad").unwrap().dimension.serves(&per_radian));
        assert!(parse("3 N m").unwrap().dimension.serves(&per_radian));
        let length = Dimension([1.0, 0.0, 0.0, 0.0]);
        assert!(!parse("3 deg").unwrap().dimension.serves(&length));
        assert!(!parse("3 m rad").unwrap().dimension.serves(&length));
        let angle = Dimension([0.0, 0.0, 0.0, 1.0]);
        assert!(!parse("3 1").unwrap().dimension.serves(&angle));
    }
}
