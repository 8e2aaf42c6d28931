//! Every figure and table of the five papers, in their order.

use super::Paper::{Dopico, KryPai, Lopes, Marques, Roemer};
use super::Place::{Section, Study};
use super::{Paper, PaperItem, Place};

const fn item(paper: Paper, name: &'static str, shows: &'static str, places: &'static [Place]) -> PaperItem {
    PaperItem { paper, name, shows, places }
}

/// All of them. A place that does not exist is told as missing, and so is an item without places.
pub const ITEMS: &[PaperItem] = &[
    item(Lopes, "Fig. 1", "scheme of a contact pair with its frames and vectors", &[Study("lopes", "fig-1")]),
    item(Lopes, "Fig. 2", "the square plate mechanism", &[Study("lopes", "fig-2")]),
    item(
        Lopes,
        "Fig. 3",
        "auxiliary vectors that are not collinear with the normal",
        &[Study("lopes", "fig-3")],
    ),
    item(
        Lopes,
        "Fig. 4",
        "multiple solutions of the common normal",
        &[Study("lopes", "fig-4"), Study("lopes", "Fig. 4")],
    ),
    item(Lopes, "Fig. 5", "flowchart of the algorithm", &[Study("lopes", "Fig. 5")]),
    item(Lopes, "Fig. 6", "snapshots of the pairs of Table 5", &[Study("lopes", "fig-6")]),
    item(Lopes, "Fig. 7", "snapshots of the pairs of Table 6", &[Study("lopes", "fig-7")]),
    item(Lopes, "Table 1", "auxiliary vectors by the signs of the normal", &[Study("lopes", "Table 1")]),
    item(Lopes, "Table 2", "contact states", &[Study("lopes", "Table 2"), Study("lopes", "table-2")]),
    item(Lopes, "Table 3", "quadrics with thumbnails", &[Study("lopes", "table-3")]),
    item(Lopes, "Table 4", "superquadrics with thumbnails", &[Study("lopes", "table-4")]),
    item(Lopes, "Table 5", "iterations of four pairs of ellipsoids", &[Study("lopes", "Table 5")]),
    item(Lopes, "Table 6", "iterations of three pairs of superellipsoids", &[Study("lopes", "Table 6")]),
    item(Roemer, "Fig. 1", "normal parameterisation of a plane curve", &[Study("roemer", "fig-1")]),
    item(
        Roemer,
        "Fig. 2",
        "an object with two kinks, equidistant to an ellipse",
        &[Study("roemer", "fig-2")],
    ),
    item(Roemer, "Fig. 3", "normal parameterisation of a surface", &[Study("roemer", "fig-3")]),
    item(
        Roemer,
        "Fig. 4",
        "contact with a line as a case of contact with a plane",
        &[Study("roemer", "fig-4"), Study("roemer", "fig-4b")],
    ),
    item(Roemer, "Fig. 5", "turning about an axis parallel to the plane", &[Study("roemer", "fig-5")]),
    item(Roemer, "Fig. 6", "orientation by three turns", &[Study("roemer", "fig-6")]),
    item(
        Roemer,
        "Fig. 7",
        "three fixed-point schemes",
        &[Study("roemer", "fig-7"), Study("roemer", "Fig. 7")],
    ),
    item(Roemer, "Fig. 8", "two ellipsoids in a box", &[Section("roemer_box")]),
    item(Roemer, "Fig. 9", "snapshots and total energy", &[Study("box", "energy"), Study("box", "fig-9")]),
    item(Roemer, "animation", "the motion of Fig. 9", &[Study("box", "animation")]),
    item(Roemer, "Table 1", "successful iterations", &[Study("roemer", "Table 1")]),
    item(Roemer, "Table 2", "iterations for an accuracy", &[Study("roemer", "Table 2")]),
    item(Roemer, "Table C.3", "parameters of the case study", &[Section("roemer_box")]),
    item(KryPai, "Fig. 1", "frames of simulations", &[Section("bowl"), Section("patch")]),
    item(KryPai, "Fig. 2", "contact frames and coordinates", &[Study("kry-pai", "fig-2")]),
    item(KryPai, "Fig. 3", "change of reference frames", &[Study("kry-pai", "fig-3")]),
    item(KryPai, "Fig. 4", "the angle ψ on another patch", &[Study("kry-pai", "fig-4")]),
    item(KryPai, "Fig. 5", "contact through a corner of patches", &[Study("kry-pai", "fig-5")]),
    item(KryPai, "Fig. 6", "three columns of six frames of the bowl", &[Study("kry-pai", "fig-6")]),
    item(KryPai, "Fig. 7", "trajectories under three limits", &[Study("kry-pai", "fig-7")]),
    item(KryPai, "Fig. 8", "histograms of steps", &[Study("kry-pai", "fig-8-64ms")]),
    item(KryPai, "Fig. 9", "x of the mass centre in the first second", &[Study("kry-pai", "fig-9")]),
    item(KryPai, "Fig. 10", "the rattleback from above and in front", &[Study("kry-pai", "fig-10")]),
    item(
        KryPai,
        "Fig. 11",
        "the rattleback turns back",
        &[Study("kry-pai", "fig-11-frames"), Study("kry-pai", "fig-11")],
    ),
    item(KryPai, "Table I", "times of evaluations", &[Study("kry-pai", "Table I:")]),
    item(KryPai, "Table II", "times of the bowl", &[Study("kry-pai", "Table II:")]),
    item(Dopico, "Fig. 1", "mesh of a body", &[Study("dopico", "fig-1")]),
    item(Dopico, "Fig. 2", "colliding triangles and segments", &[Study("dopico", "fig-2")]),
    item(Dopico, "Fig. 3", "intersection of two triangles", &[Study("dopico", "fig-3")]),
    item(Dopico, "Fig. 4", "contact plane", &[Study("dopico", "fig-4")]),
    item(Dopico, "Fig. 5", "chain link: cylinders and half tori", &[Study("dopico", "fig-5")]),
    item(Dopico, "Fig. 6", "anchor with chain", &[Section("stow")]),
    item(Dopico, "Fig. 7", "simulation of the manoeuvre", &[Section("stow"), Study("anchor", "tension")]),
    item(
        Marques,
        "Fig. 1",
        "candidate points with normal, tangent and binormal",
        &[Study("marques", "fig-1")],
    ),
    item(Marques, "Fig. 2", "restitution asked for and obtained", &[Study("restitution", "restitution")]),
    item(Marques, "Fig. 3", "cradle, y, restitution 1", &[Study("marques", "fig-3")]),
    item(Marques, "Fig. 4", "cradle, y, restitution 0.5 (by the text)", &[Study("marques", "fig-4")]),
    item(Marques, "Fig. 5", "cradle, z, restitution 1 (by the text)", &[Study("marques", "fig-5")]),
    item(Marques, "Fig. 6", "cradle, z, restitution 0.5", &[Study("marques", "fig-6")]),
    item(Marques, "Fig. 7", "force over penetration", &[Study("marques", "fig-7")]),
    item(Marques, "Fig. 8", "an ellipsoid rolls down a plane", &[Section("marques_ellipsoid")]),
];
