//! How outputs of a scene change with its parameters: `sensitivities SCENE PARAMETERS OUTPUTS`, names apart by commas.
//!
//! Written as bytes of doubles, for the tests of the Python package: the outputs, then per output the derivatives by
//! all parameters and what each may be off by.

use rattleback_scene::{Format, Source};
use rattleback_sweep::Sensitivity;
use std::error::Error;
use std::io::Write;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [scene, parameters, outputs] = &arguments[..] else {
        return Err("sensitivities SCENE PARAMETERS OUTPUTS".into());
    };
    let names = |list: &str| list.split(',').map(str::to_owned).collect::<Vec<_>>();
    let (outputs, parameters) = (names(outputs), names(parameters));
    let source = Source::read(Path::new(scene))?;
    let found = Sensitivity::of((&Format::default(), &source), &[], &outputs, &parameters, || ())?;
    let of = |output: usize| found.derivatives.iter().map(move |by| by[output]);
    let derivatives = (0..outputs.len()).flat_map(|o| of(o).map(|d| d.value).collect::<Vec<_>>());
    let errors = (0..outputs.len()).flat_map(|o| of(o).map(|d| d.error).collect::<Vec<_>>());
    let all: Vec<f64> = found.values.iter().copied().chain(derivatives).chain(errors).collect();
    let bytes: Vec<u8> = all.iter().flat_map(|x| x.to_le_bytes()).collect();
    Ok(std::io::stdout().write_all(&bytes)?)
}
