//! Feeds of exchange rates and of prices: off until an operator names their addresses.
//!
//! * `client`: a fetch with further tries; what may be reached at all is for `purser_outbound`.
//! * [`address`]: what an address may be.
//! * `rates`, `prices`: asking, and taking over what came.
//! * [`tables`]: files of rates and prices that people bring themselves.
//!
//! Each feed has a task that asks, beside everything else: nothing waits for it, not even the other
//! feed, and whatever goes wrong is noted (per feed, per security) and tried again later. Nodes on
//! one database take turns, because each notes that it asks before it does.

pub mod address;
mod client;
mod prices;
mod rates;
pub mod tables;

use tokio::sync::watch;
use tokio::time::Interval;

use crate::App;
use crate::limits::FEED_LOOK_INTERVAL;

/// Asks what is configured, until the server stops. Does nothing if nothing is.
pub async fn run(app: App) {
    let (rates_url, prices_url) = (app.feeds.rates_url.as_ref(), app.feeds.prices_url.as_ref());
    if rates_url.is_none() && prices_url.is_none() {
        return;
    }
    let client = match client::Fetcher::new(&app.feeds.networks) {
        Ok(client) => client,
        Err(error) => {
            tracing::error!(cause = ?error, "no feed can be asked");
            return;
        }
    };
    let keep_rates = async {
        let Some(url) = rates_url else { return };
        let mut schedule = FeedSchedule::of(&app);
        while schedule.next().await {
            schedule.run(rates::look(&app, &client, url)).await;
        }
    };
    let keep_prices = async {
        let Some(template) = prices_url else { return };
        let mut schedule = FeedSchedule::of(&app);
        while schedule.next().await {
            schedule.run(prices::look(&app, &client, template)).await;
        }
    };
    tokio::join!(keep_rates, keep_prices);
}

/// When to look whether there is something to ask.
struct FeedSchedule {
    interval: Interval,
    stopping: watch::Receiver<bool>,
}

impl FeedSchedule {
    fn of(app: &App) -> Self {
        let interval = tokio::time::interval(FEED_LOOK_INTERVAL);
        Self { interval, stopping: app.stopping.clone() }
    }

    /// Waits until the next look is due; false if the server stops instead.
    async fn next(&mut self) -> bool {
        tokio::select! {
            _ = self.interval.tick() => !*self.stopping.borrow(),
            _ = self.stopping.changed() => false,
        }
    }

    /// Runs one look. A request that the stop breaks off is repeated later, as if no answer had
    /// come.
    async fn run(&mut self, look: impl Future<Output = ()>) {
        tokio::select! {
            () = look => {}
            _ = self.stopping.changed() => {}
        }
    }
}
