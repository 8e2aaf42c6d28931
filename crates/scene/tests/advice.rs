//! What is said of a scene beside its mistakes: the solver that is chosen and why, remarks, and hints.

use super::language::{CRANK, scene, source};
use rattleback_scene::{Scene, SceneError, parse_scene};

/// A floor and balls of a material and a contact of one's own.
fn balls(young: &str, count: usize, contact: &str, rest: &str) -> Result<Scene, SceneError> {
    let text = format!(
        r#"
title = "Balls"
gravity = [0, 0, -9.81]
[materials.steel]
density = 7800
young = "{young}"
poisson = 0.3
[[bodies]]
name = "floor"
fixed = true
shape = {{ type = "plane", normal = [0, 0, 1] }}
material = "steel"
[[repeat]]
index = "i"
count = {count}
[[repeat.bodies]]
name = "ball {{i}}"
position = ["=3 cm*i", 0, "2 cm"]
shape = {{ type = "sphere", radius = "1 cm" }}
material = "steel"
[[contacts]]
{contact}
[run]
duration = "1 s"
{rest}"#
    );
    parse_scene(source("scene.toml", text, &[]))
}

const EXACT: &str = "normal = { law = \"exact\", restitution = 0.7 }";

#[test]
fn a_scene_without_solver_gets_the_one_that_suits_it_and_is_told_why() {
    use rattleback_dynamics::Scheme;
    let few = balls("210 GPa", 3, EXACT, "").unwrap();
    assert_eq!(few.scheme.name(), "explicit");
    assert!(few.choice.contains("\"explicit\", since 3 bodies move freely"), "{}", few.choice);
    let many = balls("1 MPa", 60, EXACT, "").unwrap();
    let Scheme::Many { step } = many.scheme else { panic!("{:?}", many.scheme) };
    assert!(
        many.choice.contains("\"many\" with a step of") && many.choice.contains("60 bodies"),
        "{}",
        many.choice
    );
    // A tenth of 1/ω, at the latest where the damping of what rests is resolved: v₀/(2 c g) with the law's own v₀.
    let slowest = many.model.contact_estimates(&many.state)[0].contact;
    assert!(
        step <= 0.1 * slowest.oscillation
            && step <= 0.5 * slowest.damping
            && step > 0.02 * slowest.oscillation.min(slowest.damping)
    );
    let stiff = balls(
        "210 GPa",
        1,
        &format!("{EXACT}\nfriction = {{ law = \"coulomb\", coefficient = 0.5, transition = 1e-8 }}"),
        "",
    );
    let stiff = stiff.unwrap();
    assert_eq!(stiff.scheme.name(), "stiff", "{}", stiff.choice);
    let jointed = scene(CRANK).unwrap();
    assert!(
        jointed.choice.contains("\"mechanism\" with a step of 1e-3 s, since the scene has joints"),
        "{}",
        jointed.choice
    );
    let named = balls("210 GPa", 3, EXACT, "[solver]\ntype = \"stiff\"\n").unwrap();
    assert!(named.choice.is_empty());
}

#[test]
fn slips_in_scenes_that_run_are_remarked_with_the_key_to_change() {
    let told = |scene: Result<Scene, SceneError>, said: &str| {
        let remarks = scene.unwrap().remarks;
        assert_eq!(
            remarks.iter().filter(|remark| remark.contains(said)).count(),
            usize::from(!said.is_empty()),
            "{said}: {remarks:?}"
        );
        remarks.len()
    };
    let none = balls("210 GPa", 2, EXACT, "").unwrap().remarks;
    assert_eq!(none, Vec::<String>::new());
    told(balls("210 Pa", 2, EXACT, ""), "`young` of its material or `stiffness` of its contact is too small");
    let long = "[solver]\ntype = \"many\"\nstep = \"1 ms\"\n";
    told(balls("210 GPa", 2, EXACT, long), "The step of 1e-3 s is long against a contact of ball");
    let fine = "[solver]\ntype = \"many\"\nstep = \"0.1 µs\"\n";
    assert_eq!(balls("210 GPa", 2, EXACT, fine).unwrap().remarks, Vec::<String>::new());
    let others = format!("materials = [\"steel\", \"wood\"]\n{EXACT}\nstiffness = 1e6");
    let others = balls("210 GPa", 2, &others, "[materials.wood]\ndensity = 700\n").unwrap().remarks;
    assert!(
        others.iter().any(|remark| remark.contains("Nothing touches ball 0, ball 1: no entry of `contacts`")),
        "{others:?}"
    );
    assert!(
        others.iter().any(|remark| remark.contains("contacts[0] of materials steel and wood is for no pair")),
        "{others:?}"
    );
    let shot = "[[bodies]]\nname = \"shot\"\nvelocity = [\"300 m/s\", 0, 0]\nposition = [0, 1, 1]\nshape = { type = \"sphere\", radius = \"1 mm\" }\nmaterial = \"steel\"\n";
    told(
        balls("210 GPa", 1, EXACT, &format!("{shot}{long}")),
        "shot moves 300.0 times its half width in a step",
    );
}

#[test]
fn a_body_that_is_called_by_the_singular_is_one_complaint_with_a_hint() {
    let text = "title = \"x\"\ngravity = [0, 0, 0]\n[[body]]\nname = \"a\"\n[run]\nduration = 1\n";
    let message = parse_scene(source("scene.toml", text.to_owned(), &[])).unwrap_err().to_string();
    assert!(
        message.contains("unknown key `body`") && message.contains("did you mean `bodies`?"),
        "{message}"
    );
    assert!(message.ends_with("1 mistake in scene.toml"), "{message}");
}

#[test]
fn what_no_solver_can_is_told_at_the_contacts() {
    let cube = "[[bodies]]\nname = \"cube\"\nshape = { type = \"box\", size = [1, 1, 1] }\nmaterial = \"steel\"\n[solver]\ntype = \"explicit\"\n";
    let Err(SceneError::Refused { file, complaints }) = balls("210 GPa", 1, EXACT, cube) else {
        panic!("accepted")
    };
    assert!(complaints[0].message.starts_with("no solver can move this scene"), "{complaints:?}");
    assert!(file.text[complaints[0].span.clone()].starts_with("[[contacts]]"), "{complaints:?}");
}

#[test]
fn the_step_of_many_is_chosen_where_the_scene_leaves_it_open() {
    use rattleback_dynamics::Scheme;
    let open = balls("1 MPa", 60, EXACT, "[solver]\ntype = \"many\"\n").unwrap();
    let chosen = balls("1 MPa", 60, EXACT, "").unwrap();
    let Scheme::Many { step } = open.scheme else { panic!("{:?}", open.scheme) };
    assert!(matches!(chosen.scheme, Scheme::Many { step: other } if other == step), "{:?}", chosen.scheme);
    assert!(
        open.choice.starts_with("Solver \"many\" with a step of ")
            && open.choice.ends_with("; `step` of [solver] chooses another"),
        "{}",
        open.choice
    );
    assert_eq!(open.remarks, chosen.remarks);
}

#[test]
fn the_step_of_mechanism_resolves_the_contacts_where_the_scene_leaves_it_open() {
    use rattleback_dynamics::Scheme;
    use rattleback_dynamics::mechanism::{Settings, Step};
    let step_of = |young: &str, keys: &str| {
        let scene = balls(young, 2, EXACT, &format!("[solver]\ntype = \"mechanism\"\n{keys}")).unwrap();
        let Scheme::Mechanism(Settings { step, rule, .. }) = scene.scheme else {
            panic!("{:?}", scene.scheme)
        };
        assert!(
            !scene.remarks.iter().any(|remark| remark.contains("is long against")),
            "{:?}",
            scene.remarks
        );
        (step, rule, scene.choice)
    };
    let (Step::Fixed(stiff), _, choice) = step_of("210 GPa", "") else { panic!("no fixed step") };
    let (Step::Fixed(soft), ..) = step_of("1 MPa", "") else { panic!("no fixed step") };
    assert!(stiff < 1e-4 && stiff < 0.1 * soft && soft <= 1e-3, "{stiff} {soft}");
    assert!(
        choice.starts_with("Solver \"mechanism\" with a step of ") && choice.contains("`step` of [solver]")
    );
    // Whatever else the scene says of the solver stays.
    let (step, rule, _) = step_of("210 GPa", "rule = \"generalized_alpha\"\nrho = 0.5\n");
    assert!(step == Step::Fixed(stiff));
    assert!(rule == rattleback_dynamics::mechanism::Rule::GeneralizedAlpha { rho: 0.5 });
    assert!(matches!(step_of("210 GPa", "tolerance = 1e-7\n").0, Step::Adaptive { .. }));
}

#[test]
fn steps_that_are_shorter_than_asked_are_told() {
    let remarks = |every: &str| {
        let rest = format!("[solver]\ntype = \"many\"\nstep = \"0.1 ms\"\n[output]\nevery = \"{every}\"\n");
        let mut remarks = balls("1 kPa", 2, EXACT, &rest).unwrap().remarks;
        remarks.retain(|remark| remark.contains("instead of"));
        remarks
    };
    // 0.15 ms are two steps of 0.075 ms; 0.95 ms are ten of 0.095 ms, which is nearly what was asked for.
    let told = remarks("0.15 ms");
    assert!(
        told.len() == 1 && told[0].starts_with("Steps are 7.500e-5 s long instead of 1e-4 s"),
        "{told:?}"
    );
    for every in ["1 ms", "0.95 ms", "0.3 ms"] {
        assert_eq!(remarks(every), Vec::<String>::new(), "{every}");
    }
}

#[test]
fn a_number_that_is_none_is_told_once_and_a_large_one_briefly() {
    let told = |density: &str, shape: &str| {
        let text = format!(
            "title = \"x\"\ngravity = [0, 0, 0]\nrun = {{ duration = 1 }}\nmaterials.m = {{ density = {density} }}\n\
             [[bodies]]\nname = \"b\"\nmaterial = \"m\"\nshape = {shape}\n"
        );
        parse_scene(source("scene.toml", text, &[])).unwrap_err().to_string()
    };
    let ball = "{ type = \"sphere\", radius = 0.1 }";
    for density in ["nan", "-1", "inf", "0"] {
        let said = told(density, ball);
        assert!(said.contains("materials.m.density: found ") && said.contains("1 mistake in"), "{said}");
    }
    let said = told("1", "{ type = \"sphere\", radius = 1e300 }");
    assert!(said.contains("radius: found 1e300; expected"), "{said}");
    let said = told("1", "{ type = \"cube\", size = [1, 1, 1] }");
    assert!(said.contains("did you mean \"box\"?"), "{said}");
}

#[test]
fn a_spin_radius_that_is_none_is_told_where_it_stands() {
    let friction = "friction = { law = \"coulomb\", coefficient = 0.3, transition = 1e-3, spin_radius = -1 }";
    let said = balls("1 GPa", 1, &format!("{EXACT}\n{friction}"), "").unwrap_err().to_string();
    assert!(said.contains("contacts[0].friction.spin_radius: found -1; expected"), "{said}");
    assert!(balls("1 GPa", 1, &format!("{EXACT}\n{}", friction.replace("-1", "\"1 mm\"")), "").is_ok());
}
