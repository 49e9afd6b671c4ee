//! What every request can reach: the use cases, and what only the edges need.

use std::ops::Deref;
use std::sync::Arc;

use metrics_exporter_prometheus::PrometheusHandle;
use purser_app::App;
use purser_app::shares::Shares;

use crate::config::Server;
use crate::edge::last_used::LastUsed;
use crate::edge::rate_limit::RateLimiter;
use crate::edge::untrusted_proxy::UntrustedProxy;
use crate::limits::TimeLimits;
use crate::web::kept::TypedForms;
use crate::web::throttle::Throttle;

/// Shared by all; cheap to clone.
#[derive(Clone)]
pub(crate) struct AppState(Arc<Shared>);

/// The parts that all requests share.
pub(crate) struct Shared {
    /// The use cases and what they work on.
    pub(crate) app: App,
    /// How the server behaves.
    pub(crate) settings: Arc<Server>,
    /// How long peers may take.
    pub(crate) times: TimeLimits,
    /// The limit of requests per key.
    pub(crate) rate_limiter: RateLimiter,
    /// The memory that requests and their answers may take.
    pub(crate) bytes_in_flight: Arc<Shares>,
    /// Tries to sign in.
    pub(crate) sign_ins: Throttle,
    /// What was typed into forms of sessions that had ended.
    pub(crate) typed_forms: TypedForms,
    /// Where a proxy seems to be that isn't trusted.
    pub(crate) untrusted_proxy: UntrustedProxy,
    /// When keys were last used.
    pub(crate) last_used: Arc<LastUsed>,
    /// Renders the metrics for `/metrics`.
    pub(crate) metrics: PrometheusHandle,
}

impl AppState {
    /// Around the use cases.
    pub(crate) fn new(app: App, settings: Server, metrics: PrometheusHandle) -> Self {
        Self(Arc::new(Shared {
            app,
            rate_limiter: RateLimiter::new(settings.rate_limit, settings.rate_burst),
            bytes_in_flight: Shares::new(
                settings.max_bytes_in_flight,
                settings.max_bytes_in_flight / 2,
            ),
            settings: Arc::new(settings),
            times: TimeLimits::default(),
            sign_ins: Throttle::default(),
            typed_forms: TypedForms::default(),
            untrusted_proxy: UntrustedProxy::default(),
            last_used: Arc::default(),
            metrics,
        }))
    }
}

impl Deref for AppState {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}

impl Deref for Shared {
    type Target = App;

    fn deref(&self) -> &App {
        &self.app
    }
}
