//! Maps of a fit: which parameters its data do not tell apart, and how its error grows about it.
//!
//!   ρ_ij = C_ij/√(C_ii C_jj),   C the covariance of the parameters; those that ended at a bound have none
//!   e(s, Δy): root mean square of the vertical force's error with one body's force times s, its centre moved by Δy

use crate::Result;
use crate::fit::fit_errors;
use crate::foot::Element;
use crate::predict::Calibration;
use rattleback_record::{HeatMap, Panel, Steps};

/// The factors s and the changes of height Δy, in m.
const FACTORS: [f64; 7] = [0.5, 0.7, 0.85, 1.0, 1.2, 1.4, 2.0];
const HEIGHTS: [f64; 7] = [-1e-3, -0.5e-3, -0.25e-3, 0.0, 0.25e-3, 0.5e-3, 1e-3];
/// The places of a body's parameters: height, logarithm of its force.
const HEIGHT: usize = 1;
const FORCE: usize = 3;

/// The correlations of all parameters with each other.
pub(super) fn correlations(calibration: &Calibration) -> HeatMap {
    let c = &calibration.fitted.covariance;
    let n = c.nrows();
    // 0/0 of a parameter without variance is a cell without a value.
    let cell = |k: usize| c[(k / n, k % n)] / (c[(k / n, k / n)] * c[(k % n, k % n)]).sqrt();
    let names = calibration.fitted.parameters.iter().enumerate();
    HeatMap {
        title: "Correlations of the parameters; grey are those at a bound".to_owned(),
        x: Steps {
            label: "parameter, by its number".to_owned(),
            values: (1..=n).map(|k| k.to_string()).collect(),
        },
        y: Steps {
            label: "parameter".to_owned(),
            values: names.map(|(k, parameter)| format!("{} {}", parameter.name, k + 1)).collect(),
        },
        panels: vec![Panel { title: String::new(), cells: (0..n * n).map(cell).collect() }],
        range: [-1.0, 1.0],
        label: "correlation".to_owned(),
    }
}

/// The error of the vertical force over the force and the height of each body.
pub(super) fn error_about_fit(calibration: &Calibration) -> Result<HeatMap> {
    let foot = &calibration.foot;
    let (values, settings) = (foot.model.values(), &foot.settings);
    let mut panels = Vec::new();
    let mut most = 0.0f64;
    for (k, element) in foot.model.elements.iter().enumerate() {
        let mut cells = Vec::new();
        for height in HEIGHTS {
            for factor in FACTORS {
                let mut changed = values.clone();
                changed[k * Element::PARAMETERS + HEIGHT] += height;
                changed[k * Element::PARAMETERS + FORCE] += factor.ln();
                let model = foot.model.with_values(&changed);
                let error = 100.0 * fit_errors(&model, &calibration.stance, settings)?[1];
                most = most.max(error);
                cells.push(error);
            }
        }
        panels.push(Panel { title: element.name.clone(), cells });
    }
    Ok(HeatMap {
        title: "Error of the vertical force about the fit".to_owned(),
        x: Steps { label: "force, times".to_owned(), values: FACTORS.iter().map(f64::to_string).collect() },
        y: Steps {
            label: "height of the body in mm".to_owned(),
            values: HEIGHTS.iter().map(|height| (1e3 * height).to_string()).collect(),
        },
        panels,
        range: [0.0, if most > 0.0 { most } else { 1.0 }],
        label: "root mean square in % of body weight".to_owned(),
    })
}
