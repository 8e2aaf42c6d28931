//! Numbers, units and names at the edge of what is allowed, and beyond it.

use crate::random::Random;

/// Numbers as they can be written: borders of floats and integers, what is no number, and what is none in TOML or JSON.
const EXTREME: &[&str] = &[
    "0",
    "-0.0",
    "1e308",
    "-1e308",
    "1.7976931348623157e308",
    "1e-308",
    "5e-324",
    "-5e-324",
    "1e400",
    "-1e400",
    "1e-400",
    "nan",
    "inf",
    "-inf",
    "1e154",
    "1e-154",
    "1e-170",
    "1e100",
    "1e-100",
    "1e16",
    "1e-16",
    "1e30",
    "-1",
    "-1e-9",
    "2147483648",
    "4294967295",
    "4294967296",
    "9223372036854775807",
    "-9223372036854775808",
    "9223372036854775808",
    "18446744073709551616",
    "340282366920938463463374607431768211456",
    "0x7fffffffffffffff",
    "1_000",
    "0.1e",
    "1.",
    ".5",
    "+1",
    "--1",
    "1e",
    "true",
    "false",
    "\"\"",
    "[]",
    "{}",
    "null",
    "1979-05-27",
    "0b101",
    "1e99999999999",
    "00",
];

/// Numbers that people write.
const COMMON: &[&str] = &[
    "0", "1", "-1", "0.1", "0.5", "2", "3", "10", "0.01", "1e-3", "1e-6", "100", "1e3", "1e6", "-0.25",
    "1.05", "50", "0.3",
];

/// Units, those of other quantities among them, and what is none.
const UNITS: &[&str] = &[
    "m", "mm", "cm", "km", "in", "kg", "t", "g", "s", "ms", "min", "deg", "rad", "rad/s", "deg/s", "rpm",
    "Hz", "m/s", "m/s^2", "N", "kN", "N m", "N/m", "N/m^1.5", "N s/m", "N m/rad", "Pa", "GPa", "kg/m^3",
    "kg m^2", "J", "m^2 s", "%", "parsec", "m/", "m^99999", "m^-1e308", "/s", "m*m", "µm", "\u{0}",
];

/// Names that scenes of the corpus use, and names that are none.
const NAMES: &[&str] = &[
    "floor",
    "ball",
    "table",
    "world",
    "a",
    "b",
    "steel",
    "stone",
    "rubber",
    "rod",
    "mass",
    "rattleback",
    "chain",
    "ball 1",
    "",
    " ",
    "a.b",
    "ball.z_m",
    "energy.kinetic_J",
    "ä",
    "\u{202e}x",
    "x\ny",
    "\"",
    "../stone.obj",
    "stone.obj",
    "puck.obj",
    "box.stl",
    "tetrahedron.obj",
    "none.stl",
    "#4477aa",
    "xyz",
    "ZYX",
    "hertz",
];

/// Parts of expressions, right and wrong.
const OPERANDS: &[&str] = &[
    "1",
    "0",
    "2 mm",
    "3 s",
    "1e308",
    "5e-324",
    "radius",
    "n",
    "i",
    "t",
    "pi",
    "e",
    "g0",
    "m^2",
    "rad",
    "30 deg",
    "(",
    ")",
    "nothing",
    "sin(1)",
    "sqrt(-1)",
    "atan2(1, 2)",
    "mod(7, 0)",
    "min(1)",
    "2^0.5",
    "µm²",
    "1/0",
    "floor(2.5)",
    "smoothstep(0, 0, 0)",
    "-",
    "§",
    "\u{0}",
    "ä",
];

/// An expression.
pub fn expression(random: &mut Random) -> String {
    let mut text = format!("={}", random.pick(OPERANDS));
    for _ in 0..random.below(4) {
        text += *random.pick(&["+", " - ", "*", "/", "^", " ", ",", "**"]);
        text += *random.pick(OPERANDS);
    }
    if random.once_in(200) { format!("={}", text.repeat(1 + random.below(5000))) } else { text }
}

/// A number that is hard on whoever reads it.
pub fn extreme(random: &mut Random) -> String {
    (*random.pick(EXTREME)).to_owned()
}

/// A number such as people write, or now and then an extreme one.
pub fn number(random: &mut Random) -> String {
    match random.below(12) {
        0 => extreme(random),
        1..=3 => format!("{:.3}", 2.0 * random.real() - 0.5),
        4 => format!("{:e}", 10f64.powf(24.0 * random.real() - 12.0)),
        _ => (*random.pick(COMMON)).to_owned(),
    }
}

/// A number that differs from one that stands there: its neighbours, its multiples, its opposite.
pub fn near(text: &str, random: &mut Random) -> String {
    let Ok(x) = text.parse::<f64>() else { return extreme(random) };
    let changed = match random.below(8) {
        0 => -x,
        1 => x.next_up(),
        2 => x.next_down(),
        3 => x * 10f64.powi(random.below(13) as i32 - 6),
        4 => x * 10f64.powi(random.below(601) as i32 - 300),
        5 => x + 1.0,
        6 => x * (0.5 + random.real()),
        _ => return extreme(random),
    };
    if changed.is_finite() && random.once_in(2) { format!("{changed:e}") } else { format!("{changed:?}") }
}

/// A whole number, small as a rule.
pub fn count(random: &mut Random) -> String {
    if random.once_in(16) { extreme(random) } else { random.below(5).to_string() }
}

/// A unit.
pub fn unit(random: &mut Random) -> &'static str {
    UNITS[random.below(UNITS.len())]
}

/// A name.
pub fn name(random: &mut Random) -> String {
    match random.below(40) {
        0 => "n".repeat(1 + random.below(5000)),
        _ => (*random.pick(NAMES)).to_owned(),
    }
}
