//! Proxies that nobody has named in the settings.
//!
//! Behind such a proxy everybody seems to come from its address: limits that are meant for one
//! client hold for all of them together, and cookies aren't bound to https. The server can't know
//! whether a header is a proxy's or a client's own invention, so it only reports what it saw.

use std::net::IpAddr;
use std::sync::{Arc, OnceLock};

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use http::HeaderMap;

use super::peer::{self, Peer};
use crate::config::Server;
use crate::state::AppState;

/// The first address that sent a proxy's header without being trusted.
#[derive(Debug, Default, Clone)]
pub(crate) struct UntrustedProxy(Arc<OnceLock<IpAddr>>);

impl UntrustedProxy {
    /// The address, if there was one since the start.
    pub(crate) fn address(&self) -> Option<IpAddr> {
        self.0.get().copied()
    }

    fn look(&self, settings: &Server, peer: Peer, headers: &HeaderMap) {
        let address = peer.0.to_canonical();
        if self.0.get().is_some() || settings.trusts(address) || !peer::is_passed_on(headers) {
            return;
        }
        if self.0.set(address).is_ok() {
            tracing::warn!(
                %address,
                "a request has a proxy's header, but comes from an address that is not trusted: if \
                 it is your proxy, name it in PURSER_TRUSTED_PROXIES; until then all of its \
                 clients count as one"
            );
        }
    }
}

/// The middleware that looks for them.
pub(crate) async fn layer(State(app): State<AppState>, request: Request, next: Next) -> Response {
    if let Some(peer) = request.extensions().get::<Peer>() {
        app.untrusted_proxy.look(&app.settings, *peer, request.headers());
    }
    next.run(request).await
}

/// The line for the log of a server that others can reach without a proxy that it trusts.
pub(crate) fn warn_at_start(settings: &Server) {
    if !settings.listen.ip().is_loopback() && !settings.has_trusted_proxies() {
        tracing::warn!(
            listen = %settings.listen,
            "others can reach the server and no proxy is trusted: without TLS passwords and keys \
             can be read on their way; behind a proxy, name it in PURSER_TRUSTED_PROXIES"
        );
    }
}
