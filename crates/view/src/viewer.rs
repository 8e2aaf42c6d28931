//! The viewer: which request gets what.
//!
//! | path | answer |
//! |---|---|
//! | `` | the page; its parts by their names |
//! | `api/about`, `api/status`, `api/events` | JSON |
//! | `api/geometry`, `api/charts` | triangles, borders of charts |
//! | `api/contours?frame=` | contours of regions |
//! | `api/frames?first=&count=&stride=&contacts=` | poses and contacts |
//! | `api/series?curve=&first=&count=&stride=` | columns over time |

use crate::error::{Result, ViewError};
use crate::feed::Feed;
use crate::page::{self, Mode};
use crate::server::{Handler, Request, Response};
use std::sync::Arc;

const BYTES: &str = "application/octet-stream";

/// Shows a run.
#[derive(Debug)]
pub struct Viewer {
    feed: Arc<Feed>,
}

impl Viewer {
    /// A viewer of a run.
    pub fn new(feed: Arc<Feed>) -> Self {
        Self { feed }
    }
}

impl Handler for Viewer {
    fn respond(&self, request: &Request) -> Response {
        if request.method == "POST" {
            return Response::refused(405, "there is nothing to change here");
        }
        match request.path.strip_prefix("api/") {
            Some(what) => answer(&self.feed, what, request).unwrap_or_else(|error| refusal(&error)),
            None => page::serve(&request.path, Mode::View),
        }
    }
}

/// An error as an answer.
pub(crate) fn refusal(error: &ViewError) -> Response {
    let status = match error {
        ViewError::Request { .. } | ViewError::Record(rattleback_record::RecordError::Curve { .. }) => 400,
        _ => 500,
    };
    Response::refused(status, error.to_string())
}

/// What a page asks of a run.
pub(crate) fn answer(feed: &Feed, what: &str, request: &Request) -> Result<Response> {
    let count = |key: &str, usual: u64| request.count(key).unwrap_or(usual);
    Ok(match what {
        "about" => Response::json(&feed.about()?),
        "status" => Response::json(&feed.status()?),
        "events" => Response::json(&feed.events()?),
        "geometry" => Response::new(BYTES, feed.geometry_bytes()),
        "charts" => Response::new(BYTES, feed.chart_bytes()),
        "contours" => Response::new(BYTES, feed.contour_bytes(count("frame", 0))?),
        "frames" => {
            let contacts = request.query("contacts") != Some("0");
            let bytes =
                feed.frame_bytes(count("first", 0), count("count", 1), count("stride", 1), contacts)?;
            Response::new(BYTES, bytes)
        }
        "series" => {
            let names: Vec<&str> = request.queries("curve").collect();
            let bytes =
                feed.series_bytes(&names, count("first", 0), count("count", u64::MAX), count("stride", 1))?;
            Response::new(BYTES, bytes)
        }
        _ => Response::not_found(),
    })
}
