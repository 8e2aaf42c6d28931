//! The coordinates and the constraint equations of a model.
//!
//! The coordinates of the free bodies come first, then the relative ones; the fixed bodies follow as constants, so that
//! one equation serves bodies that move and bodies that do not. Every free body has six equations of its own,
//!
//!   Φ = ½(eᵢ·eᵢ − 1),   Φ = eᵢ·eⱼ,
//!
//! then come the joints in the order of declaration, then the coordinates on which something acts, then the motors.

use super::natural::{BODY, euler_tensor};
use crate::error::Result;
use crate::joint::{Action, Driven, Form, Freedom, JointFrame, JointId, Quadratic, Relative, Row};
use crate::model::Model;
use rattleback_geom::Vec3;
use std::collections::BTreeMap;

/// Whose equation it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    Body(usize),
    Joint(usize),
}

/// Coordinates and equations.
#[derive(Debug, Clone)]
pub(super) struct System {
    pub(super) rows: Vec<Row>,
    pub(super) owners: Vec<Owner>,
    /// Where the gradient of each row starts in the list of all gradients, and its end.
    pub(super) starts: Vec<usize>,
    pub(super) relatives: Vec<Relative>,
    /// The joint of each relative coordinate and the row that defines it.
    pub(super) defined: Vec<(usize, usize)>,
    /// The coordinate of each action of the model.
    pub(super) acted: Vec<usize>,
    /// For each action of the model that is a bearing the first of the three rows that hold its joint together.
    pub(super) bearings: Vec<Option<usize>>,
    /// The first row of each joint.
    first_rows: Vec<usize>,
    /// The row of each motor of the model.
    pub(super) motors: Vec<Option<usize>>,
    /// Where the coordinates of each body start.
    pub(super) at: Vec<usize>,
    /// Bodies with coordinates of their own.
    pub(super) free: Vec<usize>,
    /// Coordinates that are unknown.
    pub(super) active: usize,
    /// Coordinates with those of the fixed bodies.
    pub(super) total: usize,
    /// The mass matrix: (row, column, value).
    pub(super) mass: Vec<(usize, usize, f64)>,
    /// For each coordinate of a body a mass that is never zero: m for r, ½tr I for the vectors.
    pub(super) weight: Vec<f64>,
    /// Gravity's generalised force.
    pub(super) gravity: Vec<f64>,
}

impl System {
    pub(super) fn new(model: &Model) -> Result<Self> {
        let bodies = model.bodies();
        let free: Vec<usize> = (0..bodies.len()).filter(|&b| bodies[b].is_free()).collect();
        let relatives = count_relatives(model);
        let active = BODY * free.len() + relatives;
        let mut at = vec![0; bodies.len()];
        let mut fixed = active;
        for (b, body) in bodies.iter().enumerate() {
            if body.is_free() {
                at[b] = BODY * free.partition_point(|&f| f < b);
            } else {
                at[b] = fixed;
                fixed += BODY;
            }
        }
        let mut system = Self {
            rows: Vec::new(),
            owners: Vec::new(),
            starts: vec![0],
            relatives: Vec::new(),
            defined: Vec::new(),
            acted: Vec::new(),
            bearings: Vec::new(),
            first_rows: Vec::new(),
            motors: Vec::new(),
            at,
            free,
            active,
            total: fixed,
            mass: Vec::new(),
            weight: vec![0.0; active],
            gravity: vec![0.0; active],
        };
        system.add_bodies(model);
        system.add_joints(model)?;
        system.add_actions(model);
        Ok(system)
    }

    fn push(&mut self, row: Row, owner: Owner) {
        self.starts.push(self.starts[self.rows.len()] + row.columns().len());
        self.rows.push(row);
        self.owners.push(owner);
    }

    fn add_bodies(&mut self, model: &Model) {
        for b in self.free.clone() {
            let (at, body) = (self.at[b], &model.bodies()[b].body);
            let axes = [Vec3::x(), Vec3::y(), Vec3::z()].map(|u| Form::direction(at, &u));
            for i in 0..3 {
                for j in i..3 {
                    let row = if i == j {
                        Quadratic::dot(&axes[i], &axes[i], -1.0).scaled(0.5)
                    } else {
                        Quadratic::dot(&axes[i], &axes[j], 0.0)
                    };
                    self.push(Row::Quadratic(row), Owner::Body(b));
                }
            }
            let tensor = euler_tensor(body);
            for k in 0..3 {
                self.mass.push((at + k, at + k, body.mass));
                self.weight[at + k] = body.mass;
                self.gravity[at + k] = body.mass * model.gravity()[k];
                for i in 0..3 {
                    self.weight[at + 3 * i + 3 + k] = tensor.trace();
                    for j in 0..3 {
                        self.mass.push((at + 3 * i + 3 + k, at + 3 * j + 3 + k, tensor[(i, j)]));
                    }
                }
            }
        }
    }

    fn next_column(&self) -> usize {
        BODY * self.free.len() + self.relatives.len()
    }

    fn add_joints(&mut self, model: &Model) -> Result<()> {
        let at = self.at.clone();
        let at = |anchor: &JointFrame| at[anchor.body.0];
        for (number, joint) in model.joints().iter().enumerate() {
            self.first_rows.push(self.rows.len());
            let column = self.next_column();
            let equations = joint.equations(model.bodies(), &at, column)?;
            // The rows that define the new coordinates stand before the one that couples them, last of all.
            let first =
                (self.rows.len() + equations.rows.len()).saturating_sub(1 + equations.relatives.len());
            self.defined.extend((0..equations.relatives.len()).map(|k| (number, first + k)));
            for row in equations.rows {
                self.push(row, Owner::Joint(number));
            }
            self.relatives.extend(equations.relatives);
        }
        Ok(())
    }

    fn add_actions(&mut self, model: &Model) {
        let at = self.at.clone();
        let at = |anchor: &JointFrame| at[anchor.body.0];
        let mut known: BTreeMap<(JointId, Freedom), usize> = BTreeMap::new();
        for acting in model.actions() {
            let key = (acting.joint, acting.freedom);
            let column = known.get(&key).copied().unwrap_or_else(|| {
                let column = self.next_column();
                let joint = &model.joints()[acting.joint.0];
                let (relative, row) = joint.coordinate(acting.freedom, &at, column);
                self.relatives.push(relative);
                self.defined.push((acting.joint.0, self.rows.len()));
                self.push(row, Owner::Joint(acting.joint.0));
                column
            });
            known.insert(key, column);
            self.acted.push(column);
            let bearing = matches!(acting.action, Action::Bearing { .. });
            self.bearings.push(bearing.then(|| self.first_rows[acting.joint.0]));
        }
        for (number, acting) in model.actions().iter().enumerate() {
            let Action::Motor(law) = &acting.action else {
                self.motors.push(None);
                continue;
            };
            self.motors.push(Some(self.rows.len()));
            self.push(
                Row::Driven(Driven::new(self.acted[number], law.clone())),
                Owner::Joint(acting.joint.0),
            );
        }
    }

    /// The name of what owns a coordinate.
    pub(super) fn name_of_coordinate(&self, model: &Model, column: usize) -> String {
        let bodies = BODY * self.free.len();
        if column < bodies {
            return model.bodies()[self.free[column / BODY]].name.clone();
        }
        model.joints()[self.defined[column - bodies].0].name.clone()
    }

    /// The name of what owns an equation.
    pub(super) fn name_of_row(&self, model: &Model, row: usize) -> String {
        match self.owners[row] {
            Owner::Body(b) => model.bodies()[b].name.clone(),
            Owner::Joint(j) => model.joints()[j].name.clone(),
        }
    }
}

/// Relative coordinates: two for each screw and gear, one for each coordinate on which something acts.
fn count_relatives(model: &Model) -> usize {
    use crate::joint::JointKind;
    let coupled = |kind: &JointKind| matches!(kind, JointKind::Screw { .. } | JointKind::Gear(_));
    let mut acted: Vec<_> = model.actions().iter().map(|a| (a.joint, a.freedom)).collect();
    acted.sort_unstable();
    acted.dedup();
    acted.len() + 2 * model.joints().iter().filter(|joint| coupled(&joint.kind)).count()
}
