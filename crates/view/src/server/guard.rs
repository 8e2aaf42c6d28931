//! Who may ask: whoever knows the token, names this host, and is no page of another origin.
//!
//! A page of another site can send requests to this machine, and by a name that it resolves anew it can even read the
//! answers; the first cannot know the token, the second names another host.

use super::request::{Incoming, decode};
use super::response::Response;
use crate::error::{Result, ViewError};
use std::net::SocketAddr;

/// Bytes of the token.
const TOKEN: usize = 16;

#[derive(Debug)]
pub(super) struct Guard {
    token: String,
    hosts: Vec<String>,
}

impl Guard {
    pub(super) fn new(address: SocketAddr) -> Result<Self> {
        let mut bytes = [0; TOKEN];
        getrandom::fill(&mut bytes).map_err(|error| ViewError::Random { reason: error.to_string() })?;
        let token = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let mut hosts = vec![address.to_string()];
        if address.ip().is_loopback() {
            hosts.push(format!("localhost:{}", address.port()));
        }
        Ok(Self { token, hosts })
    }

    pub(super) fn token(&self) -> &str {
        &self.token
    }

    /// The path after the token of a request that may be asked; the refusal of any other. All refusals look the same,
    /// so that nothing is learnt from them.
    pub(super) fn admit(&self, incoming: &Incoming) -> std::result::Result<String, Response> {
        let refused = || Response::refused(403, "not allowed");
        let path = incoming.target.split(['?', '#']).next().unwrap_or_default();
        let path = path.strip_prefix('/').ok_or_else(refused)?;
        let (token, rest) = path.split_once('/').ok_or_else(refused)?;
        if !is_equal(token.as_bytes(), self.token.as_bytes()) {
            return Err(refused());
        }
        let hosts: Vec<&str> = incoming.header("host").collect();
        let [host] = hosts.as_slice() else { return Err(refused()) };
        if !self.hosts.iter().any(|own| own.eq_ignore_ascii_case(host)) {
            return Err(refused());
        }
        let is_own = |origin: &str| {
            origin.strip_prefix("http://").is_some_and(|origin| origin.eq_ignore_ascii_case(host))
        };
        if !incoming.header("origin").all(is_own) {
            return Err(refused());
        }
        let site = |site: &str| matches!(site, "same-origin" | "none");
        if !incoming.header("sec-fetch-site").all(site) {
            return Err(refused());
        }
        Ok(decode(rest))
    }
}

/// Compares in a time that does not depend on where the texts differ.
fn is_equal(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && a.iter().zip(b).fold(0, |sum, (x, y)| sum | (x ^ y)) == 0
}
