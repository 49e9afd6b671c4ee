//! The server's life: open the data, listen, announce the address, and on a signal stop in order.
//!
//! Standard output gets one line when the server can be reached (and what to do with the demo);
//! everything else goes to the log. The first SIGTERM or SIGINT stops accepting and lets requests
//! finish; the second ends the process at once.

use std::io::{self, Write as _};
use std::time::Duration;

use metrics_exporter_prometheus::PrometheusHandle;
use purser_app::backup::schedule;
use purser_app::blocking::blocking;
use purser_app::data::Data;
use purser_app::demo;
use purser_app::files::{FileStore, Swept};
use purser_app::providers::Providers;
use purser_app::system::random_bytes;
use purser_app::webhooks::address::WebhookHosts;
use purser_app::webhooks::delivery;
use purser_app::{App, connections, feeds, inbox, jobs, settings};
use purser_app::{Store, due, guesses, idempotency, sessions};
use purser_core::error::{Error, Result};
use tokio::net::TcpListener;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::watch;

use crate::config::{Backups, Feeds, Imports, Inbox, ProviderArgs, Server, Storage, WebhookArgs};
use crate::demo_banks::DemoBanks;
use crate::edge::listener::Edge;
use crate::edge::untrusted_proxy;
use crate::limits::{
    BLOCKING_THREAD_KEEP_ALIVE, BLOCKING_THREADS_MAX, MACHINES_INTERVAL, METRICS_UPKEEP_INTERVAL,
    TIDY_INTERVAL, WORKER_THREADS,
};
use crate::router;
use crate::state::AppState;
use crate::telemetry;
use crate::welcome::Welcome;

/// How long blocking work may go on after the last request, before the process ends anyway. What
/// it breaks off is rolled back, and taken up again at the next start.
const BLOCKING_GRACE: Duration = Duration::from_millis(500);

/// Runs the server until a signal stops it.
pub(crate) fn run(
    storage: &Storage,
    settings: Server,
    (imports, feeds, (backups, inbox), (providers, webhooks)): (
        Imports,
        Feeds,
        (Backups, Inbox),
        (ProviderArgs, WebhookArgs),
    ),
    with_demo: bool,
) -> Result<()> {
    let metrics = telemetry::start_metrics().map_err(Error::internal)?;
    let Data { store, files, lock } = Data::open_as_server(&storage.location()?)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(WORKER_THREADS)
        .max_blocking_threads(BLOCKING_THREADS_MAX)
        .thread_keep_alive(BLOCKING_THREAD_KEEP_ALIVE)
        .enable_all()
        .build()
        .map_err(Error::internal)?;
    let (welcome, banks) = if with_demo {
        let credentials = demo::prepare(&store, &files)?;
        let first_day = demo::banks::first_day(&store)?;
        let banks = runtime.block_on(DemoBanks::start(&store, first_day))?;
        (Welcome::Demo(credentials), Some(banks))
    } else {
        (Welcome::find(&store)?, None)
    };
    let imports = settings::Imports {
        max_csv_bytes: imports.max_csv_bytes,
        publish_part_rows: settings.publish_part_rows,
    };
    let demo_host = banks.as_ref().map(DemoBanks::origin).transpose()?;
    let providers = providers.providers(&store, storage.secret_keys()?, demo_host);
    let others = (providers, webhooks.into());
    let backups = backups.settings()?;
    schedule::require_place(&backups, &files)?;
    let use_cases = (imports, feeds.into(), (backups, inbox.into()), others);
    let result =
        runtime.block_on(serve(store, files, settings, use_cases, metrics, (welcome, banks)));
    runtime.shutdown_timeout(BLOCKING_GRACE);
    // Not before everything that writes has ended.
    drop(lock);
    result
}

async fn serve(
    store: Store,
    files: FileStore,
    settings: Server,
    (imports, feed_settings, (backups, inbox_settings), others): (
        settings::Imports,
        settings::Feeds,
        (settings::Backups, settings::Inbox),
        (Providers, WebhookHosts),
    ),
    metrics: PrometheusHandle,
    (welcome, banks): (Welcome, Option<DemoBanks>),
) -> Result<()> {
    let (stop, stopping) = watch::channel(false);
    let signals = Signals::install().map_err(Error::internal)?;
    let listener = TcpListener::bind(settings.listen).await.map_err(|error| {
        Error::internal(format!("can't listen on {}: {error}", settings.listen))
    })?;
    let address = listener.local_addr().map_err(Error::internal)?;

    untrusted_proxy::warn_at_start(&settings);
    let app = App::new(store, files, imports, feed_settings, others, stopping.clone())?;
    let app = AppState::new(app, settings, metrics);
    tokio::spawn(signals.pass_on(stop));
    tokio::spawn(app.last_used.clone().run(app.store.clone()));
    tokio::spawn(keep_metrics_small(app.metrics.clone()));
    tokio::spawn(tidy(app.app.clone()));
    tokio::spawn(ask_machines(app.store.clone()));
    tokio::spawn(due::run(app.app.clone()));
    // Before the first request: what a crash left behind is taken up again.
    end_claims(&app.store).await;
    jobs::start(&app.app).await;
    tokio::spawn(feeds::run(app.app.clone()));
    tokio::spawn(schedule::run(app.app.clone(), backups));
    tokio::spawn(inbox::run(app.app.clone(), inbox_settings));
    tokio::spawn(connections::schedule::run(app.app.clone()));
    tokio::spawn(connections::numbers::run(app.app.clone()));
    tokio::spawn(delivery::run(app.app.clone()));
    if let Some(banks) = banks {
        tokio::spawn(banks.run(app.app.clone()));
    }
    let router = router::router(app.clone());
    let edge = Edge::new(router, app.settings.clone(), app.times.clone(), stopping);

    announce(address, &welcome);
    edge.run(listener).await;
    jobs::stop(&app.app).await;
    app.last_used.flush_at_stop(&app.store).await;
    tracing::info!("stopped");
    Ok(())
}

/// Lets the retry of a request that died with the server before go on at once. On PostgreSQL, where
/// other nodes may have claims, and where nothing can be written, claims end by themselves.
async fn end_claims(store: &Store) {
    if !store.is_sqlite() {
        return;
    }
    if let Err(error) = store.write_directory(idempotency::end_all).await {
        tracing::warn!(cause = ?error, "claims of idempotency keys stay until they end");
    }
}

/// Prints the address of the server, and what to do next. A closed output is ignored.
fn announce(address: std::net::SocketAddr, welcome: &Welcome) {
    let mut output = io::stdout();
    let _ = writeln!(output, "purser listening on http://{address}");
    let _ = output.write_all(welcome.text(address).as_bytes());
    let _ = output.flush();
}

/// About the interval, by chance: nodes that started together don't look at all rows together.
fn until_next_tidy() -> Duration {
    let random = random_bytes().map_or(128, |[byte]: [u8; 1]| u32::from(byte));
    TIDY_INTERVAL / 2 + TIDY_INTERVAL / 256 * random
}

/// Lists what is due and isn't listed, forgets answers that were kept for retries, sessions that
/// ended and old guesses, and sets files aside that no row names.
async fn tidy(app: App) {
    loop {
        match due::repair(&app.store).await {
            Ok(0) => {}
            Ok(missed) => {
                tracing::warn!(missed, "what was due and not listed is listed now");
                due::remove_what_is_due(&app).await;
            }
            Err(error) => tracing::warn!(cause = ?error, "what is due can't be compared just now"),
        }
        if let Err(error) = idempotency::purge(&app.store).await {
            tracing::warn!(cause = ?error, "old idempotency keys aren't removed");
        }
        if let Err(error) = app.store.write_directory(sessions::purge).await {
            tracing::warn!(cause = ?error, "sessions that ended aren't removed");
        }
        if let Err(error) = app.store.write_directory(guesses::purge).await {
            tracing::warn!(cause = ?error, "guesses that are long over aren't removed");
        }
        let (store, files) = (app.store.clone(), app.files.clone());
        match blocking(move || files.sweep(&store)).await {
            Ok(Swept { removed: 0, set_aside: 0 }) => {}
            Ok(Swept { removed, set_aside }) => tracing::warn!(
                removed,
                set_aside,
                "removed uploads that never ended, set files aside that nothing refers to"
            ),
            Err(error) => tracing::warn!(cause = ?error, "leftover files aren't tidied up"),
        }
        tokio::time::sleep(until_next_tidy()).await;
    }
}

/// Asks machines with families what they promise that were away at the start.
async fn ask_machines(store: Store) {
    loop {
        match store.ask_machines().await {
            Ok(true) => return,
            Ok(false) => {}
            Err(error) => tracing::warn!(cause = ?error, "machines can't be asked just now"),
        }
        tokio::time::sleep(MACHINES_INTERVAL).await;
    }
}

/// Durations are collected until somebody reads them; without a reader they would pile up.
async fn keep_metrics_small(metrics: PrometheusHandle) {
    let mut interval = tokio::time::interval(METRICS_UPKEEP_INTERVAL);
    loop {
        interval.tick().await;
        metrics.run_upkeep();
    }
}

struct Signals {
    terminate: Signal,
    interrupt: Signal,
}

impl Signals {
    fn install() -> io::Result<Self> {
        Ok(Self {
            terminate: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
        })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }

    async fn pass_on(mut self, stop: watch::Sender<bool>) {
        self.next().await;
        tracing::info!("stopping; a second signal ends the process at once");
        stop.send_replace(true);
        self.next().await;
        tracing::warn!("ended at once");
        std::process::exit(1);
    }
}
