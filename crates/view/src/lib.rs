//! Results seen: a page served on this machine, a page to send, films, glTF and VTK.
//!
//! | what | file |
//! |---|---|
//! | the server: loopback, a secret address, bounds | `server/mod.rs` |
//! | what is shown of a result folder, as it grows | `feed/mod.rs` |
//! | the page and its parts, `page/` | `page.rs` |
//! | the viewer: which request gets what | `viewer.rs` |
//! | the studio: scenes written, drawn and run | `studio/mod.rs` |
//! | files to send | `export/mod.rs` |
//!
//! Frames go to the page as binary numbers, only those that it asks for. Of a result folder the server keeps the
//! indices of its sheets, 4 MiB each at most, and the triangles of its bodies; everything else is read when it is asked
//! for.
//!
//! | new | file | and it must pass |
//! |---|---|---|
//! | file to send | `export/` | read back in `tests/export.rs` |
//! | module of the page | `page/`, its line in `page.rs` | a browser: `tests/page.rs` |

mod error;
mod export;
mod feed;
mod page;
mod server;
mod studio;
mod viewer;

pub use error::{Result, ViewError};
pub use export::{ENDINGS, Export, FilmMark, FilmMarks, FilmOptions, export};
pub use feed::{Feed, Subject};
pub use page::{Asset, bundle};
pub use server::{CONNECTIONS, Handler, LONGEST, PATIENCE, Request, Response, Server, StopHandle};
pub use studio::{Studio, StudioOptions, Tool, ToolOption, ToolOptionKind};
pub use viewer::Viewer;
