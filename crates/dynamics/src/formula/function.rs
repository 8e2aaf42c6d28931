//! The functions of formulas: their values and how they carry jets on.
//!
//! | function | value | |
//! |---|---|---|
//! | `x + y`, `x - y`, `x*y`, `x/y`, `-x`, `x^y` | | x^y of a moving y is exp(y ln x) |
//! | `sin`, `cos`, `tan`, `asin`, `acos`, `atan`, `atan2(y, x)` | | |
//! | `sqrt`, `exp`, `ln`, `tanh`, `hypot(x, y)` | | |
//! | `abs`, `min`, `max` | | their rates jump |
//! | `floor`, `ceil`, `round`, `mod(x, y)` = x − y ⌊x/y⌋ | | they jump |
//! | `smoothstep(a, b, x)` | s³(10 − 15s + 6s²), s = (x − a)/(b − a) within [0, 1] | its acceleration does not jump |

use super::Jet;

/// A function or an operator.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "their names in scenes are in `NAMED`, what they do is above")]
pub enum Function {
    Add,
    Subtract,
    Multiply,
    Divide,
    Negate,
    Power,
    Sine,
    Cosine,
    Tangent,
    ArcSine,
    ArcCosine,
    ArcTangent,
    ArcTangent2,
    SquareRoot,
    Exponential,
    Logarithm,
    HyperbolicTangent,
    Hypotenuse,
    Absolute,
    Least,
    Greatest,
    Floor,
    Ceiling,
    Round,
    Modulo,
    SmoothStep,
}

impl Function {
    /// All of them.
    pub const ALL: [Self; 26] = [
        Self::Add,
        Self::Subtract,
        Self::Multiply,
        Self::Divide,
        Self::Negate,
        Self::Power,
        Self::Sine,
        Self::Cosine,
        Self::Tangent,
        Self::ArcSine,
        Self::ArcCosine,
        Self::ArcTangent,
        Self::ArcTangent2,
        Self::SquareRoot,
        Self::Exponential,
        Self::Logarithm,
        Self::HyperbolicTangent,
        Self::Hypotenuse,
        Self::Absolute,
        Self::Least,
        Self::Greatest,
        Self::Floor,
        Self::Ceiling,
        Self::Round,
        Self::Modulo,
        Self::SmoothStep,
    ];

    /// Those that are called by a name.
    pub const NAMED: [(&'static str, Self); 20] = [
        ("sin", Self::Sine),
        ("cos", Self::Cosine),
        ("tan", Self::Tangent),
        ("asin", Self::ArcSine),
        ("acos", Self::ArcCosine),
        ("atan", Self::ArcTangent),
        ("atan2", Self::ArcTangent2),
        ("sqrt", Self::SquareRoot),
        ("exp", Self::Exponential),
        ("ln", Self::Logarithm),
        ("tanh", Self::HyperbolicTangent),
        ("hypot", Self::Hypotenuse),
        ("abs", Self::Absolute),
        ("min", Self::Least),
        ("max", Self::Greatest),
        ("floor", Self::Floor),
        ("ceil", Self::Ceiling),
        ("round", Self::Round),
        ("mod", Self::Modulo),
        ("smoothstep", Self::SmoothStep),
    ];

    /// How many arguments it takes.
    pub const fn arguments(self) -> usize {
        match self {
            Self::Add
            | Self::Subtract
            | Self::Multiply
            | Self::Divide
            | Self::Power
            | Self::ArcTangent2
            | Self::Hypotenuse
            | Self::Least
            | Self::Greatest
            | Self::Modulo => 2,
            Self::SmoothStep => 3,
            _ => 1,
        }
    }

    /// Whether value and rate go on without jumps wherever they are finite.
    pub const fn is_smooth(self) -> bool {
        !matches!(
            self,
            Self::Absolute
                | Self::Least
                | Self::Greatest
                | Self::Floor
                | Self::Ceiling
                | Self::Round
                | Self::Modulo
        )
    }

    /// Its value for numbers.
    pub fn value(self, arguments: &[f64]) -> f64 {
        let mut jets = [[0.0; 3]; 3];
        for (jet, value) in jets.iter_mut().zip(arguments) {
            jet[0] = *value;
        }
        self.jet(&jets[..self.arguments()])[0]
    }

    /// Its value for jets; there are as many as it has arguments.
    pub(super) fn jet(self, x: &[Jet]) -> Jet {
        match (self, x) {
            (_, [x]) => self.of_one(x),
            (_, [x, y]) => self.of_two(x, y),
            (_, [a, b, x]) => smooth_step(a, b, x),
            _ => [f64::NAN; 3],
        }
    }

    fn of_one(self, x: &Jet) -> Jet {
        let v = x[0];
        let [f, slope, bend] = match self {
            Self::Negate => return x.map(|x| -x),
            Self::Absolute => return if v < 0.0 { x.map(|x| -x) } else { *x },
            Self::Floor => return [v.floor(), 0.0, 0.0],
            Self::Ceiling => return [v.ceil(), 0.0, 0.0],
            Self::Round => return [v.round(), 0.0, 0.0],
            Self::Sine => {
                let (s, c) = libm::sincos(v);
                [s, c, -s]
            }
            Self::Cosine => {
                let (s, c) = libm::sincos(v);
                [c, -s, -c]
            }
            Self::Tangent => {
                let f = libm::tan(v);
                let slope = 1.0 + f * f;
                [f, slope, 2.0 * f * slope]
            }
            Self::ArcSine => {
                let root = (1.0 - v * v).sqrt();
                [libm::asin(v), 1.0 / root, v / (root * root * root)]
            }
            Self::ArcCosine => {
                let root = (1.0 - v * v).sqrt();
                [libm::acos(v), -1.0 / root, -v / (root * root * root)]
            }
            Self::ArcTangent => {
                let slope = 1.0 / (1.0 + v * v);
                [libm::atan(v), slope, -2.0 * v * slope * slope]
            }
            Self::SquareRoot => {
                let root = v.sqrt();
                [root, 0.5 / root, -0.25 / (root * v)]
            }
            Self::Exponential => [libm::exp(v); 3],
            Self::Logarithm => [libm::log(v), 1.0 / v, -1.0 / (v * v)],
            Self::HyperbolicTangent => {
                let f = libm::tanh(v);
                let slope = 1.0 - f * f;
                [f, slope, -2.0 * f * slope]
            }
            _ => [f64::NAN; 3],
        };
        chain(f, slope, bend, x)
    }

    fn of_two(self, x: &Jet, y: &Jet) -> Jet {
        let zip = |f: fn(f64, f64) -> f64| [f(x[0], y[0]), f(x[1], y[1]), f(x[2], y[2])];
        match self {
            Self::Add => zip(|x, y| x + y),
            Self::Subtract => zip(|x, y| x - y),
            Self::Multiply => product(x, y),
            Self::Divide => quotient(x, y),
            Self::Power => power(x, y),
            // What is no number is kept.
            Self::Least => {
                if x[0] < y[0] || x[0].is_nan() {
                    *x
                } else {
                    *y
                }
            }
            Self::Greatest => {
                if x[0] > y[0] || x[0].is_nan() {
                    *x
                } else {
                    *y
                }
            }
            Self::Modulo => {
                let times = (x[0] / y[0]).floor();
                [0, 1, 2].map(|k| x[k] - times * y[k])
            }
            Self::ArcTangent2 => arc_tangent(x, y),
            Self::Hypotenuse => {
                let f = libm::hypot(x[0], y[0]);
                let rate = (x[0] * x[1] + y[0] * y[1]) / f;
                let second = x[1] * x[1] + x[0] * x[2] + y[1] * y[1] + y[0] * y[2];
                still_or([f, rate, (second - rate * rate) / f], &[x, y])
            }
            _ => [f64::NAN; 3],
        }
    }
}

/// f(x) by the derivatives of f; those of what stands still are none, whatever f has there.
fn chain(f: f64, slope: f64, bend: f64, x: &Jet) -> Jet {
    still_or([f, slope * x[1], bend * x[1] * x[1] + slope * x[2]], &[x])
}

/// A jet whose derivatives are none where no argument moves.
fn still_or(jet: Jet, arguments: &[&Jet]) -> Jet {
    let is_still = arguments.iter().all(|x| x[1] == 0.0 && x[2] == 0.0);
    if is_still { [jet[0], 0.0, 0.0] } else { jet }
}

fn product(x: &Jet, y: &Jet) -> Jet {
    [x[0] * y[0], x[1] * y[0] + x[0] * y[1], x[2] * y[0] + 2.0 * x[1] * y[1] + x[0] * y[2]]
}

/// q = x/y: q̇ = (ẋ − q ẏ)/y, q̈ = (ẍ − 2 q̇ ẏ − q ÿ)/y.
fn quotient(x: &Jet, y: &Jet) -> Jet {
    let q = x[0] / y[0];
    let rate = (x[1] - q * y[1]) / y[0];
    still_or([q, rate, (x[2] - 2.0 * rate * y[1] - q * y[2]) / y[0]], &[x, y])
}

fn power(x: &Jet, y: &Jet) -> Jet {
    let n = y[0];
    if y[1] == 0.0 && y[2] == 0.0 {
        // A factor of zero takes what follows away, though that be infinite.
        let times = |factor: f64, exponent: f64| {
            if factor == 0.0 { 0.0 } else { factor * libm::pow(x[0], exponent) }
        };
        return chain(libm::pow(x[0], n), times(n, n - 1.0), times(n * (n - 1.0), n - 2.0), x);
    }
    let exponent = product(y, &Function::Logarithm.of_one(x));
    Function::Exponential.of_one(&exponent)
}

/// The angle of (x, y): with n = x ẏ − y ẋ and q = x² + y², its rate is n/q.
fn arc_tangent(y: &Jet, x: &Jet) -> Jet {
    let q = x[0] * x[0] + y[0] * y[0];
    let n = x[0] * y[1] - y[0] * x[1];
    let n_rate = x[0] * y[2] - y[0] * x[2];
    let q_rate = 2.0 * (x[0] * x[1] + y[0] * y[1]);
    still_or([libm::atan2(y[0], x[0]), n / q, (n_rate - n / q * q_rate) / q], &[x, y])
}

fn smooth_step(a: &Jet, b: &Jet, x: &Jet) -> Jet {
    let subtract = |x: &Jet, y: &Jet| [x[0] - y[0], x[1] - y[1], x[2] - y[2]];
    let share = quotient(&subtract(x, a), &subtract(b, a));
    let s = share[0];
    if s <= 0.0 {
        return [0.0; 3];
    }
    if s >= 1.0 {
        return [1.0, 0.0, 0.0];
    }
    let r = 1.0 - s;
    let f = s * s * s * (10.0 + s * (6.0 * s - 15.0));
    chain(f, 30.0 * s * s * r * r, 60.0 * s * r * (1.0 - 2.0 * s), &share)
}
