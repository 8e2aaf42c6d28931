//! Surfaces by charts: derivatives, the way over borders, corners and vertices, places found again, cells.
mod atlases;
mod borders;
mod derivatives;
mod enclosures;
mod places;
mod quads;
mod vertices;
mod walk;
