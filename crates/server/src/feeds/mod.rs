//! Feeds of exchange rates and of prices: off until an operator names their addresses.
//!
//! * [`client`]: the one place that makes HTTP clients, and a fetch with limits.
//! * [`address`]: what an address may be.
//! * [`rates`], [`prices`]: asking, and taking over what came.
//! * [`apply`]: the job that brings a family's ledger up to date with new rates.
//! * [`tables`]: files of rates and prices that people bring themselves.
//!
//! One task asks, beside everything else: nothing waits for it, and whatever goes wrong is noted
//! (per feed, per security) and tried again later. Nodes on one database take turns, because each
//! notes that it asks before it does.

pub(crate) mod address;
pub(crate) mod apply;
mod client;
mod prices;
mod rates;
pub(crate) mod tables;

use crate::config::Feeds;
use crate::limits::FEED_LOOK_INTERVAL;
use crate::state::AppState;

/// Asks what is configured, until the server stops. Does nothing if nothing is.
pub(crate) async fn run(app: AppState, feeds: Feeds) {
    let (rates_url, prices_url) = (feeds.rates_url(), feeds.prices_url());
    if rates_url.is_none() && prices_url.is_none() {
        return;
    }
    let client = match client::Fetcher::new() {
        Ok(client) => client,
        Err(error) => {
            tracing::error!(cause = ?error, "no feed can be asked");
            return;
        }
    };
    let mut interval = tokio::time::interval(FEED_LOOK_INTERVAL);
    let mut stopping = app.stopping.clone();
    loop {
        tokio::select! {
            _ = interval.tick() => {}
            _ = stopping.changed() => return,
        }
        let look = async {
            if let Some(url) = rates_url {
                rates::look(&app, &client, url).await;
            }
            if let Some(template) = prices_url {
                prices::look(&app, &client, template).await;
            }
        };
        // What a stop breaks off is asked again the next day, or by hand after a restart.
        tokio::select! {
            () = look => {}
            _ = stopping.changed() => return,
        }
    }
}
