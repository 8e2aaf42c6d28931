//! The query as its users see it: known answers, symmetries, hard inputs, derivatives.

mod batch;
mod by_charts;
mod certificates;
mod charted;
mod degenerate;
mod derivatives;
mod differences;
mod every_pair;
mod features;
mod flat;
mod flat_faces;
mod flat_spot;
mod global;
mod hard;
mod hollow;
mod known;
mod manifold;
mod random;
mod surfaces;
mod symmetry;
mod tally;
