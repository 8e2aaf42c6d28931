//! A small HTTP/1.1 server for one user on one machine.
//!
//! | what | file |
//! |---|---|
//! | listening, connections, their number and their time | `mod.rs` |
//! | requests, read within bounds | `request.rs` |
//! | who may ask | `guard.rs` |
//! | how many at once, and who has to go | `place.rs` |
//! | answers and their headers | `response.rs` |
//!
//! It listens on the loopback address unless told otherwise. Every address begins with a random token of 128 bits; a
//! request without it, or for another host, or from a page of another origin, is refused before anything is looked at.
//! A body is read after that alone. At most [`CONNECTIONS`] are served at once, each by a thread of its own; where all
//! are taken, the oldest that has shown no token has to go. A request has [`PATIENCE`] to arrive and as
//! long to begin to be taken, and [`LONGEST`] to be taken whole.

mod guard;
mod place;
mod request;
mod response;

pub use request::Request;
pub use response::Response;

use crate::error::{Result, ViewError};
use guard::Guard;
use place::{Place, Places};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The most connections at once.
pub const CONNECTIONS: usize = 64;
/// The time that a request has to arrive, and an idle connection to bring another one.
pub const PATIENCE: Duration = Duration::from_secs(10);
/// The time that an answer has to be taken.
pub const LONGEST: Duration = Duration::from_secs(60);
/// Requests of one connection; it is closed after them.
const REQUESTS: usize = 10_000;

/// What answers requests.
pub trait Handler: Send + Sync {
    /// The answer to a request that may be asked.
    fn respond(&self, request: &Request) -> Response;
}

/// A server that listens.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    guard: Arc<Guard>,
    stopped: Arc<AtomicBool>,
}

/// Stops a server from another thread.
#[derive(Debug, Clone)]
pub struct StopHandle {
    address: SocketAddr,
    stopped: Arc<AtomicBool>,
}

impl StopHandle {
    /// Ends [`Server::serve`]; connections under way end with their answers.
    pub fn stop(&self) {
        self.stopped.store(true, Ordering::SeqCst);
        // Wakes the listener.
        let _ = TcpStream::connect_timeout(&self.address, Duration::from_secs(1));
    }
}

impl Server {
    /// Listens on an address, by default loopback, at a port, by default any that is free.
    pub fn bind(address: Option<IpAddr>, port: Option<u16>) -> Result<Self> {
        let ip = address.unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
        let wanted = SocketAddr::new(ip, port.unwrap_or(0));
        let failed = |source| ViewError::Listen { address: wanted, source };
        // Requests name the host that they are for: that of one interface.
        if ip.is_unspecified() {
            return Err(failed(std::io::Error::other("expected the address of one interface")));
        }
        let listener = TcpListener::bind(wanted).map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let guard = Arc::new(Guard::new(address)?);
        Ok(Self { listener, address, guard, stopped: Arc::new(AtomicBool::new(false)) })
    }

    /// The address to open, with the token.
    pub fn url(&self) -> String {
        format!("http://{}/{}/", self.address, self.guard.token())
    }

    /// What stops it.
    pub fn stop_handle(&self) -> StopHandle {
        StopHandle { address: self.address, stopped: self.stopped.clone() }
    }

    /// Answers until it is stopped.
    pub fn serve(&self, handler: &Arc<dyn Handler>) {
        let places = Arc::new(Places::default());
        for stream in self.listener.incoming() {
            if self.stopped.load(Ordering::SeqCst) {
                return;
            }
            // A connection that was given up before it was taken, or for which there is no place, is closed.
            let Ok(stream) = stream else { continue };
            let Some(place) = places.take(&stream) else { continue };
            let (handler, guard, stopped) = (handler.clone(), self.guard.clone(), self.stopped.clone());
            let serve = move || Connection { stream, guard, stopped, place }.serve(handler.as_ref());
            // Without room for another thread the connection is closed.
            let _ = std::thread::Builder::new().name("connection".to_owned()).spawn(serve);
        }
    }
}

struct Connection {
    stream: TcpStream,
    guard: Arc<Guard>,
    stopped: Arc<AtomicBool>,
    place: Place,
}

impl Connection {
    /// Answers the requests of a connection, one after the other.
    fn serve(&mut self, handler: &dyn Handler) {
        let mut rest = Vec::new();
        // Small answers go at once.
        let _ = self.stream.set_nodelay(true);
        for _ in 0..REQUESTS {
            let deadline = Instant::now() + PATIENCE;
            let admit = |incoming: &request::Incoming| {
                let path = self.guard.admit(incoming)?;
                self.place.admit();
                Ok(path)
            };
            let (response, keep) = match request::read(&mut self.stream, &mut rest, deadline, admit) {
                Ok(Some((incoming, path))) => {
                    let keep = incoming.keep_alive;
                    let head = incoming.method == "HEAD";
                    let response = handler.respond(&incoming.admitted(path));
                    (if head { response.without_body() } else { response }, keep)
                }
                Ok(None) => return,
                // Whoever may not ask is not listened to any further.
                Err(refused) => (refused, false),
            };
            let keep = keep && !self.stopped.load(Ordering::SeqCst);
            if response.write(&mut self.stream, keep).is_err() || !keep {
                return;
            }
        }
    }
}
