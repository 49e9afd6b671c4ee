//! How many connections are in which state, for whoever watches the server. Every node counts those
//! of all families, so the numbers of several nodes are the same and don't add up.

use purser_store::connections::numbers;
use tokio::time::MissedTickBehavior;

use crate::App;
use crate::limits::CONNECTIONS_COUNT_INTERVAL;
use crate::metric_names::PROVIDER_CONNECTIONS;

/// Counts until the server stops.
pub async fn run(app: App) {
    let mut stopping = app.stopping.clone();
    let mut interval = tokio::time::interval(CONNECTIONS_COUNT_INTERVAL);
    interval.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            _ = interval.tick() => {}
            _ = stopping.changed() => return,
        }
        match app.store.read_every_family(numbers::by_state).await {
            Ok(counted) => {
                for (state, count) in counted {
                    let count = u32::try_from(count).unwrap_or(u32::MAX);
                    metrics::gauge!(PROVIDER_CONNECTIONS, "state" => state).set(count);
                }
            }
            Err(error) => tracing::warn!(cause = ?error, "connections can't be counted just now"),
        }
    }
}
