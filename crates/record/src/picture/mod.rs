//! Pictures of models, drawn by this machine's processors alone: no window, no graphics card, the same bytes on any
//! number of threads.
//!
//! | what | file |
//! |---|---|
//! | a model made ready, and a picture of it | `stage.rs` |
//! | cameras | `camera.rs` |
//! | what is drawn of a body, triangles with normals | `fittings.rs`, `soup.rs` |
//! | sticks, coils and lines of mechanisms | `links.rs` |
//! | planes | `ground.rs` |
//! | contact points, forces, vectors, ellipses, lines | `marks.rs`, `strokes.rs` |
//! | which triangle is seen where | `raster.rs` |
//! | light, shadows | `lamps.rs`, `shadow.rs` |
//! | samples, pixels | `render.rs` |
//! | colours, bytes | `colour.rs`, `image.rs` |
//! | the same for other renderers | `drawing.rs`, `ball.rs` |
//!
//! ```
//! use rattleback_dynamics::{BodyModel, Model, Motion};
//! use rattleback_geom::Pose;
//! use rattleback_geom::surface::Sphere;
//! use rattleback_record::picture::{Shot, Stage};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let mut builder = Model::builder();
//! let surface = builder.surface("any");
//! builder.body(BodyModel::fixed("ball").with_part(Sphere::new(0.1)?, Pose::identity(), surface));
//! let (model, motions) = (builder.build()?, vec![Motion::at_rest(Pose::identity())]);
//! let stage = Stage::new(&model)?;
//! let camera = stage.camera([motions.as_slice()], 16.0 / 9.0)?;
//! let shot = Shot { width: 320, height: 180, label: "t = 0 s".to_owned(), ..Shot::new(camera) };
//! let picture = stage.draw(&motions, &shot)?;
//! assert_eq!(&picture.image.to_png()?[1..4], b"PNG");
//! assert_eq!(picture.caption, "t = 0 s");
//! # Ok(())
//! # }
//! ```

mod ball;
mod camera;
mod colour;
mod drawing;
mod fittings;
mod ground;
mod image;
mod lamps;
mod links;
mod marks;
mod raster;
mod render;
mod shadow;
mod soup;
mod stage;
mod strokes;

pub use crate::png::animated as animated_png;
pub use camera::Camera;
pub use drawing::{Drawing, DrawnLine, DrawnMesh, DrawnPart, DrawnPlane, round_length};
pub use image::{Image, contact_sheet};
pub use marks::{Arrow, Marks, Spot, Trace, Vector, number, round_up};
pub use stage::{Look, Picture, Shot, Stage};
