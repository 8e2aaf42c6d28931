//! Rolling and sliding on smooth surfaces, held to formulations of another kind and to closed forms.

mod against_body_axes;
mod compliant;
mod engine;
mod known_motions;
mod long_runs;
mod loops;
mod reference;
mod thin_rings;
mod vertices;
