//! The sheets of a result folder and their columns: the one place that names them.
//!
//! A sheet is long: one row per instant and body, contact or joint. A column's name ends in its unit (`x_m`,
//! `vx_m_per_s`), one without a unit is dimensionless or no quantity. Vectors are in world axes unless the meaning says
//! otherwise.

use crate::table::Table;

/// A table of a run's results, kept as CSV and as Parquet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sheet {
    /// Where the bodies are and how they move, at every output.
    States,
    /// The contacts at every output.
    Contacts,
    /// Whole contacts from beginning to end, in the order of their ends.
    Events,
    /// Where the energy is, at every output.
    Energies,
    /// The forces in the joints, at every output.
    Joints,
    /// The windlasses, at every output.
    Windlasses,
    /// The rigid contacts of bodies that are moved in contact coordinates, at every output.
    Rolling,
}

/// What the cells of a column are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A number in double precision.
    Float,
    /// A number that counts, from zero on.
    Integer,
    /// A name.
    Text,
}

impl Kind {
    /// The word for it in manifests and messages.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Float => "float",
            Self::Integer => "integer",
            Self::Text => "text",
        }
    }
}

/// A column of a sheet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Column {
    /// Its name, which ends in the unit.
    pub name: &'static str,
    /// The unit; empty where there is none.
    pub unit: &'static str,
    /// What its cells are.
    pub kind: Kind,
    /// Whether a cell may be empty.
    pub optional: bool,
    /// What it says, in one sentence.
    pub meaning: &'static str,
}

const fn float(name: &'static str, unit: &'static str, meaning: &'static str) -> Column {
    Column { name, unit, kind: Kind::Float, optional: false, meaning }
}

const fn integer(name: &'static str, meaning: &'static str) -> Column {
    Column { name, unit: "", kind: Kind::Integer, optional: false, meaning }
}

const fn text(name: &'static str, meaning: &'static str) -> Column {
    Column { name, unit: "", kind: Kind::Text, optional: false, meaning }
}

const fn optional(column: Column) -> Column {
    Column { optional: true, ..column }
}

const TIME: Column = float("time_s", "s", "The instant.");
const BODY_A: Column = text("body_a", "Body A of the pair, the one declared first.");
const PART_A: Column = integer("part_a", "The place of the part among the shapes of A, from 0.");
const BODY_B: Column = text("body_b", "Body B of the pair.");
const PART_B: Column = integer("part_b", "The place of the part among the shapes of B, from 0.");
const REGION: Column = integer(
    "region",
    "Which of the parts' contacts: 0 unless they press on each other in several regions, which keep their numbers while they last.",
);
const APPROACH: Column = float(
    "approach_speed_m_per_s",
    "m/s",
    "The speed at which the parts met; the law's least speed where they met slower.",
);

const STATES: &[Column] = &[
    TIME,
    text("body", "The body."),
    float("x_m", "m", "Mass centre, x."),
    float("y_m", "m", "Mass centre, y."),
    float("z_m", "m", "Mass centre, z."),
    float("qw", "", "Orientation from body to world axes as a unit quaternion, real part."),
    float("qx", "", "Orientation, i."),
    float("qy", "", "Orientation, j."),
    float("qz", "", "Orientation, k."),
    float("vx_m_per_s", "m/s", "Velocity of the mass centre, x."),
    float("vy_m_per_s", "m/s", "Velocity of the mass centre, y."),
    float("vz_m_per_s", "m/s", "Velocity of the mass centre, z."),
    float("wx_rad_per_s", "rad/s", "Angular velocity in body axes, x."),
    float("wy_rad_per_s", "rad/s", "Angular velocity in body axes, y."),
    float("wz_rad_per_s", "rad/s", "Angular velocity in body axes, z."),
];

const CONTACTS: &[Column] = &[
    TIME,
    BODY_A,
    PART_A,
    BODY_B,
    PART_B,
    REGION,
    float("gap_m", "m", "The gap between the parts; negative where they overlap."),
    float("point_a_x_m", "m", "The touching point of A, x."),
    float("point_a_y_m", "m", "The touching point of A, y."),
    float("point_a_z_m", "m", "The touching point of A, z."),
    float("point_b_x_m", "m", "The touching point of B, x."),
    float("point_b_y_m", "m", "The touching point of B, y."),
    float("point_b_z_m", "m", "The touching point of B, z."),
    float("normal_x", "", "Unit normal from A to B, x."),
    float("normal_y", "", "Unit normal from A to B, y."),
    float("normal_z", "", "Unit normal from A to B, z."),
    float("force_point_x_m", "m", "Where the force acts, x."),
    float("force_point_y_m", "m", "Where the force acts, y."),
    float("force_point_z_m", "m", "Where the force acts, z."),
    float("force_x_N", "N", "The force on B, x; A gets the opposite."),
    float("force_y_N", "N", "The force on B, y."),
    float("force_z_N", "N", "The force on B, z."),
    float("normal_force_N", "N", "The force along the normal; positive where it pushes."),
    float("friction_force_N", "N", "The magnitude of the force across the normal."),
    float(
        "torque_x_N_m",
        "N m",
        "The torque of rolling and spinning resistance on B, x; A gets the opposite.",
    ),
    float("torque_y_N_m", "N m", "The torque of rolling and spinning resistance on B, y."),
    float("torque_z_N_m", "N m", "The torque of rolling and spinning resistance on B, z."),
    optional(float(
        "patch_long_m",
        "m",
        "The longer semi-axis of Hertz's ellipse of contact; empty where the stiffness is given.",
    )),
    optional(float("patch_short_m", "m", "The shorter semi-axis of Hertz's ellipse of contact.")),
    optional(float("pressure_Pa", "Pa", "The greatest pressure in Hertz's ellipse of contact.")),
    float("gap_rate_m_per_s", "m/s", "The rate of the gap; negative while the parts approach."),
    float("slip_m_per_s", "m/s", "The speed of B's material against A's across the normal."),
    APPROACH,
    float("stored_J", "J", "Energy that the contact stores."),
    float(
        "damped_J",
        "J",
        "Energy damped by the normal law in all contacts of the pair at this `region` so far.",
    ),
    float("friction_J", "J", "Energy lost to friction in all contacts of the pair at this `region` so far."),
    float(
        "stiffness_change_J",
        "J",
        "Energy brought along by changes of stiffness in all contacts of the pair at this `region` so far.",
    ),
];

const EVENTS: &[Column] = &[
    BODY_A,
    PART_A,
    BODY_B,
    PART_B,
    REGION,
    float("start_s", "s", "When the contact began."),
    optional(float("end_s", "s", "When the contact ended; empty where it still lasted when the run ended.")),
    integer("ongoing", "1 where the contact still lasted when the run ended, 0 otherwise."),
    APPROACH,
    optional(float(
        "peak_force_N",
        "N",
        "The greatest normal force: from the dense output of adaptive steps of explicit, stiff and rolling, by a parabola through the steps about it elsewhere; empty where no step saw one.",
    )),
    optional(float("peak_time_s", "s", "When that was.")),
    optional(float("deepest_overlap_m", "m", "The greatest overlap, found likewise.")),
    float("damped_J", "J", "Energy damped by the normal law in this contact."),
    float("friction_J", "J", "Energy lost to friction in this contact."),
    float("stiffness_change_J", "J", "Energy brought along by changes of stiffness in this contact."),
];

const ENERGIES: &[Column] = &[
    TIME,
    float("kinetic_J", "J", "Kinetic energy of the free bodies."),
    float("potential_J", "J", "Energy of the free bodies in gravity; zero at the world's origin."),
    float("applied_J", "J", "Energy stored by applied forces and springs."),
    float("stored_J", "J", "Energy stored by contacts."),
    float("mechanical_J", "J", "The sum of the four: what could still be turned into motion."),
    float("damped_J", "J", "Energy damped by the normal laws of contacts so far."),
    float("friction_J", "J", "Energy lost to friction in contacts so far."),
    float("stiffness_change_J", "J", "Energy brought along by changes of stiffness in contacts so far."),
    float("dissipated_J", "J", "Energy dissipated by applied forces and taken by prescribed bodies so far."),
    float(
        "total_J",
        "J",
        "mechanical + damped + friction − stiffness change + dissipated: constant but for what the numbers lose.",
    ),
];

const JOINTS: &[Column] = &[
    TIME,
    text("joint", "The joint."),
    float("force_x_N", "N", "The force of the joint on its second body, x; the first gets the opposite."),
    float("force_y_N", "N", "The force of the joint on its second body, y."),
    float("force_z_N", "N", "The force of the joint on its second body, z."),
    float(
        "torque_x_N_m",
        "N m",
        "The torque of the joint on its second body about the origin of the joint's frame there, x.",
    ),
    float("torque_y_N_m", "N m", "The torque of the joint on its second body, y."),
    float("torque_z_N_m", "N m", "The torque of the joint on its second body, z."),
    optional(float(
        "turn_rad",
        "rad",
        "The angle of the joint; with whole turns where something acts on it.",
    )),
    optional(float("turn_rate_rad_per_s", "rad/s", "Its rate.")),
    optional(float("turn_motor_N_m", "N m", "The torque that motors, controls and efforts exert on it.")),
    optional(float("second_turn_rad", "rad", "The second angle of a universal joint.")),
    optional(float("second_turn_rate_rad_per_s", "rad/s", "Its rate.")),
    optional(float(
        "second_turn_motor_N_m",
        "N m",
        "The torque that motors, controls and efforts exert on it.",
    )),
    optional(float("slide_m", "m", "The distance along the axis of the joint.")),
    optional(float("slide_rate_m_per_s", "m/s", "Its rate.")),
    optional(float("slide_motor_N", "N", "The force that motors, controls and efforts exert on it.")),
];

const WINDLASSES: &[Column] = &[
    TIME,
    text("windlass", "The windlass, by its number among the windlasses of the scene, from 1."),
    text("body_a", "The body that it stands on."),
    text("body_b", "The body that its line pulls."),
    text(
        "mode",
        "What it does: waiting for its start, winding, stalled under the pull, wound as short as may be, braked, slipping.",
    ),
    float("pull_N", "N", "The tension of its line."),
    float("length_m", "m", "The unstretched length of the line that is out."),
    float("rate_m_per_s", "m/s", "The rate of that length in the last step; negative where it winds in."),
];

const ROLLING: &[Column] = &[
    TIME,
    text("body", "The body that touches another in a rigid contact."),
    integer("part", "The place of the part that touches among its shapes, from 0."),
    text("carrier", "The body that it touches."),
    integer("carrier_part", "The place of the part of that body among its shapes, from 0."),
    text("mode", "Sliding, rolling without slip, or spinless: rolling without spin about the normal either."),
    integer("chart", "The chart of the part's surface in which the contact point is."),
    float("u", "", "The first parameter of the contact point in that chart."),
    float("v", "", "The second parameter."),
    integer("carrier_chart", "The chart of the carrier's surface in which the contact point is."),
    float("carrier_u", "", "The first parameter of the contact point in that chart."),
    float("carrier_v", "", "The second parameter."),
    float("angle_rad", "rad", "The angle between the contact frames of both surfaces."),
    float(
        "wx_rad_per_s",
        "rad/s",
        "Angular velocity of the body against its carrier in axes of its contact frame, x along the first parameter.",
    ),
    float("wy_rad_per_s", "rad/s", "The same, y, across it."),
    float("wz_rad_per_s", "rad/s", "The same, z, along the normal out of the body: its spin."),
    float(
        "slip_x_m_per_s",
        "m/s",
        "Velocity of the body's material against its carrier's at the contact, x.",
    ),
    float("slip_y_m_per_s", "m/s", "The same, y."),
];

impl Sheet {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::States,
        Self::Contacts,
        Self::Events,
        Self::Energies,
        Self::Joints,
        Self::Windlasses,
        Self::Rolling,
    ];

    /// Whether every run has it, or every run with joints; the others begin with their first rows.
    pub(crate) const fn is_there_from_the_start(self) -> bool {
        !matches!(self, Self::Windlasses | Self::Rolling)
    }

    /// The name, which is that of its files without the ending.
    pub const fn name(self) -> &'static str {
        match self {
            Self::States => "states",
            Self::Contacts => "contacts",
            Self::Events => "events",
            Self::Energies => "energies",
            Self::Joints => "joints",
            Self::Windlasses => "windlasses",
            Self::Rolling => "rolling",
        }
    }

    /// The sheet of that name.
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|sheet| sheet.name() == name)
    }

    /// The columns in the order of the files.
    pub const fn columns(self) -> &'static [Column] {
        match self {
            Self::States => STATES,
            Self::Contacts => CONTACTS,
            Self::Events => EVENTS,
            Self::Energies => ENERGIES,
            Self::Joints => JOINTS,
            Self::Windlasses => WINDLASSES,
            Self::Rolling => ROLLING,
        }
    }

    /// The columns as a table for people.
    pub fn describe(self) -> Table {
        let mut table = Table::new(["column", "unit", "kind", "meaning"]);
        for column in self.columns() {
            table.push([column.name, column.unit, column.kind.word(), column.meaning]);
        }
        table
    }

    pub(crate) fn csv(self) -> String {
        format!("{}.csv", self.name())
    }

    pub(crate) fn parquet(self) -> String {
        format!("{}.parquet", self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn names_end_in_their_units_and_are_unique_in_a_sheet() {
        for sheet in Sheet::ALL {
            let mut names = BTreeSet::new();
            for column in sheet.columns() {
                let ending = column.unit.replace('/', "_per_").replace(' ', "_");
                let known = ["", "_m", "_s", "_N", "_J", "_Pa", "_N_m", "_m_per_s", "_rad", "_rad_per_s"];
                let ending = if ending.is_empty() { ending } else { format!("_{ending}") };
                assert!(known.contains(&ending.as_str()), "{} of {sheet:?}: {ending}", column.name);
                let longest =
                    known.iter().filter(|known| column.name.ends_with(**known)).max_by_key(|e| e.len());
                assert_eq!(longest, Some(&ending.as_str()), "{} of {sheet:?}", column.name);
                assert!(names.insert(column.name), "{} is there twice in {sheet:?}", column.name);
                assert!(column.meaning.ends_with('.') || column.name == "total_J", "{}", column.name);
            }
            assert_eq!(Sheet::find(sheet.name()), Some(sheet));
        }
    }

    #[test]
    fn the_printed_table_names_unit_kind_and_meaning() {
        let text = Sheet::States.describe().to_string();
        assert!(
            text.lines().any(|line| line.starts_with("x_m") && line.ends_with("Mass centre, x.")),
            "{text}"
        );
        assert_eq!(Sheet::States.describe().len(), STATES.len());
    }
}
