//! The places of connections: so many at once. Where all are taken, the oldest that has not shown the token yet is
//! closed: whoever does not know it cannot keep out those who do, however many connections are opened and left to wait.

use super::CONNECTIONS;
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

#[derive(Debug, Default)]
pub(super) struct Places {
    /// The oldest first.
    taken: Mutex<Vec<Arc<Taken>>>,
}

#[derive(Debug)]
struct Taken {
    stream: TcpStream,
    is_admitted: AtomicBool,
}

/// A place that is taken; given back when it is dropped.
#[derive(Debug)]
pub(super) struct Place {
    places: Arc<Places>,
    own: Arc<Taken>,
}

impl Places {
    fn taken(&self) -> MutexGuard<'_, Vec<Arc<Taken>>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A place for a connection; none where all are taken by those who may ask.
    pub(super) fn take(self: &Arc<Self>, stream: &TcpStream) -> Option<Place> {
        let own = Arc::new(Taken { stream: stream.try_clone().ok()?, is_admitted: AtomicBool::new(false) });
        let mut taken = self.taken();
        if taken.len() >= CONNECTIONS {
            let oldest = taken.iter().position(|other| !other.is_admitted.load(Ordering::SeqCst))?;
            // Its thread waits for it and ends now.
            let _ = taken.remove(oldest).stream.shutdown(Shutdown::Both);
        }
        taken.push(own.clone());
        drop(taken);
        Some(Place { places: self.clone(), own })
    }
}

impl Place {
    /// Marks the connection as one of those who may ask.
    pub(super) fn admit(&self) {
        self.own.is_admitted.store(true, Ordering::SeqCst);
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.places.taken().retain(|other| !Arc::ptr_eq(other, &self.own));
    }
}
