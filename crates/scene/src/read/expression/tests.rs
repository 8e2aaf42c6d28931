use super::*;
use crate::read::unit;

fn scope() -> Scope {
    let mut scope = Scope::default();
    for (name, text) in [("radius", "12 mm"), ("n", "5"), ("omega", "2 rad/s"), ("wrong", "")] {
        scope.set(name, unit::parse(text).ok());
    }
    scope
}

fn value(text: &str) -> Result<Measured, Mistake> {
    Expression::parse(text)?.value(&scope(), 0).map(|found| found.expect(text))
}

/// What is said, and the part of the text under which it stands.
fn refused(text: &str) -> (String, String) {
    let mistake = value(text).expect_err(text);
    (mistake.message, text.get(mistake.span).expect(text).to_owned())
}

#[test]
fn expressions_have_values_and_dimensions() {
    for (text, expected, name) in [
        ("3*radius + 2 mm", 0.038, "a length"),
        ("12 mm", 0.012, "a length"),
        ("2 mm/4 s", 0.0005, "a velocity"),
        ("-2^2", -4.0, "a number without unit"),
        ("2^3^2", 512.0, "a number without unit"),
        ("2^-1", 0.5, "a number without unit"),
        ("2*cm", 0.02, "a length"),
        ("3 mm^2/mm", 0.003, "a length"),
        ("7.8 g/cm³", 7800.0, "a density"),
        ("9.81 m s⁻²", 9.81, "an acceleration"),
        ("2 N s/m", 2.0, "a damping"),
        ("omega*radius", 0.024, "a velocity"),
        ("omega*3 s", 6.0, "an angle"),
        ("pi/2 + 0*30 deg", std::f64::consts::FRAC_PI_2, "an angle"),
        ("sin(30 deg)", 0.5, "a number without unit"),
        ("atan2(radius, radius)", std::f64::consts::FRAC_PI_4, "an angle"),
        ("sqrt(2*g0*(10 cm))", (2.0_f64 * 9.80665 * 0.1).sqrt(), "a velocity"),
        ("(4 m^2)^0.5", 2.0, "a length"),
        ("max(0, radius)", 0.012, "a length"),
        ("mod(7, n)", 2.0, "a number without unit"),
        ("mod(-1, n)", 4.0, "a number without unit"),
        ("floor(radius/(5 mm))", 2.0, "a number without unit"),
        ("2 − 3 × 4 · 0.5", -4.0, "a number without unit"),
        ("smoothstep(0, 1 s, 0.5 s)", 0.5, "a number without unit"),
        ("210 GPa", 210e9, "a pressure"),
        ("0.5 kN m", 500.0, "a torque or an energy"),
    ] {
        let found = value(text).unwrap_or_else(|mistake| panic!("{text}: {mistake:?}"));
        assert!((found.value - expected).abs() <= 1e-14 * expected.abs().max(1e-3), "{text}: {found:?}");
        assert_eq!(found.dimension.name(), name, "{text}");
    }
    for text in ["77.85 mm", "0.3 µm", "7.85E+0 km"] {
        let plain = unit::parse(text).expect("a quantity").value;
        assert_eq!(value(text).expect(text).value, plain, "{text} to the last bit");
    }
}

#[test]
fn what_is_wrong_is_told_under_the_part_that_is_wrong() {
    for (text, said, place) in [
        ("radius + 2 s", "found a time together with a length", "2 s"),
        ("2*(radius - 3)", "found a number without unit together with a length", "3"),
        ("radus*2", "nothing is named `radus`", "radus"),
        ("sine(3)", "there is no function `sine`", "sine"),
        ("sin(2 mm)", "found a length; expected a number or an angle", "2 mm"),
        ("exp(radius)", "found a length", "radius"),
        ("2^radius", "found a length; expected a number without unit", "radius"),
        ("1 m/(radius - 12 mm)", "this is no finite number", "1 m/(radius - 12 mm)"),
        ("3 + sqrt(-4)", "this is no real number", "sqrt(-4)"),
        ("10^400 + 1", "this is no finite number", "10^400"),
        ("1e999", "found a number that is too large", "1e999"),
        ("2 radius", "found `radius`; expected an operator or the end", "radius"),
        ("(1 + 2", "this parenthesis is not closed", "("),
        ("1 + 2)", "found `)`; expected an operator or the end", ")"),
        ("1 +", "it ends where", "+"),
        ("2 ** 3", "found `*`; expected a number", "*"),
        ("atan2(1)", "found 1 arguments of `atan2`; expected 2", "atan2(1)"),
        ("min()", "found 0 arguments", "min()"),
        ("3 § 4", "found `§`", "§"),
        ("1.2.3", "found `1.2.3`, which is no number", "1.2.3"),
        ("sin", "the function `sin` has no arguments", "sin"),
        ("(1, 2)", "found `,` outside of a function", ","),
        ("floor(radius)", "found a length", "radius"),
        ("größe + 1", "nothing is named `größe`", "größe"),
    ] {
        let (message, under) = refused(text);
        assert!(message.contains(said), "{text}: {message}");
        assert_eq!(under, place, "{text}: {message}");
    }
    let help = value("radus*2").expect_err("unknown").help;
    assert_eq!(help.as_deref(), Some("did you mean `radius`?"));
    assert!(Expression::parse("").is_err() && Expression::parse("  ").is_err());
}

#[test]
fn what_uses_a_wrong_parameter_is_not_complained_of_again() {
    let expression = Expression::parse("2*wrong + 1 s").expect("syntax");
    assert_eq!(expression.value(&scope(), 0), Ok(None));
}

#[test]
fn long_and_deep_texts_end_with_a_value_or_a_mistake() {
    let long = vec!["1"; 50_000].join("+");
    assert_eq!(value(&long).expect("a sum").value, 50_000.0);
    for opening in ["(", "-", "sin(", "2^", "2^-("] {
        let deep = opening.repeat(100_000 / opening.len()) + "1";
        let mistake = Expression::parse(&deep).expect_err(opening);
        assert!(mistake.message.contains("nested more than"), "{opening}: {}", mistake.message);
    }
    assert_eq!(value(&format!("{}7{}", "(".repeat(90), ")".repeat(90))).expect("nested").value, 7.0);
}

#[test]
fn what_depends_on_time_becomes_a_formula_and_the_rest_a_number() {
    let parse = |text: &str| Expression::parse_of_time(text).and_then(|e| e.evaluate(&scope(), 0));
    let found = parse("0.2 rad * sin(2*pi*t/1 s)^2").expect("a formula").expect("known");
    assert_eq!(found.dimension.name(), "an angle");
    let (t, w): (f64, f64) = (0.3, std::f64::consts::TAU);
    let [value, rate, second] = found.formula.at(t);
    assert!((value - 0.2 * (w * t).sin().powi(2)).abs() < 1e-15);
    assert!((rate - 0.2 * w * (2.0 * w * t).sin()).abs() < 1e-14);
    assert!((second - 0.4 * w * w * (2.0 * w * t).cos()).abs() < 1e-13);
    let jump = parse("radius*abs(t/1 s) + max(1 mm, 2 mm)").expect("a formula").expect("known").jump;
    assert_eq!(jump, Some(7..17));
    let message = parse("2 mm + t").expect_err("dimensions").message;
    assert!(message.contains("found a time together with a length"), "{message}");
    assert_eq!(
        parse("2 t*1 s").expect_err("no unit here").message,
        "found `t`; expected an operator or the end"
    );
    assert!(parse("(2 m)^(t/1 s)").expect_err("a power").message.contains("raised to a power that moves"));
}

#[test]
fn units_are_written_so_that_they_are_read_back() {
    for text in ["3 m", "7800 kg/m^3", "2e8 N/m^1.5", "4 rad/s", "5", "0.1 N m s"] {
        let found = unit::parse(text).expect(text);
        let again = unit::parse(&format!("{:?} {}", found.value, found.dimension.unit())).expect(text);
        assert_eq!(again, found, "{text}");
    }
}
