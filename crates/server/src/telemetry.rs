//! The log and the numbers.
//!
//! The log goes to standard error, one event a line, every event of a request inside its span
//! (request id, method, route). What can't be written is lost and counted.
//!
//! Numbers are kept in the process and rendered for Prometheus at
//! `/metrics`; there is no listener of its own.

use metrics_exporter_prometheus::{BuildError, Matcher, PrometheusBuilder, PrometheusHandle};
use tracing_subscriber::EnvFilter;

use crate::config::{Log, LogFormat};

mod log_writer;

use log_writer::LogWriter;

/// Names of the numbers.
pub(crate) mod names {
    /// Requests by method, route and status.
    pub(crate) const REQUESTS: &str = "purser_http_requests_total";
    /// Duration of requests by method and route.
    pub(crate) const REQUEST_SECONDS: &str = "purser_http_request_duration_seconds";
    /// The number of statements that requests sent to the database, by method and route.
    pub(crate) const REQUEST_STATEMENTS: &str = "purser_http_request_statements";
    /// The number of open connections.
    pub(crate) const CONNECTIONS: &str = "purser_http_connections";
    /// Connections that were turned away, by reason.
    pub(crate) const CONNECTIONS_REFUSED: &str = "purser_http_connections_refused_total";
    /// The memory that requests in flight take.
    pub(crate) const BYTES_IN_FLIGHT: &str = "purser_bytes_in_flight";
    /// Lines of the log that could not be written.
    pub(crate) const LOG_LINES_LOST: &str = "purser_log_lines_lost_total";
    pub(crate) use purser_app::metric_names::{
        BACKUP_AGE_SECONDS, BACKUPS, JOB_SECONDS, JOBS, PROVIDER_CONNECTIONS, SYNCS,
    };
}

/// Upper bounds of the groups of durations, in seconds.
const SECONDS: &[f64] =
    &[0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0];

/// Upper bounds of the groups of numbers of statements.
const STATEMENTS: &[f64] = &[2.0, 5.0, 10.0, 15.0, 20.0, 30.0, 50.0, 100.0, 1_000.0];

/// Starts the log, for panics too. An invalid filter is an error and not a silent log. `filter` is
/// the default.
pub(crate) fn start_log(
    log: &Log,
    filter: &str,
) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    let filter = EnvFilter::try_new(log.filter.as_deref().unwrap_or(filter))
        .map_err(|error| format!("PURSER_LOG is not a filter: {error}"))?;
    // Its own report of a line that can't be written would end the process: there is no place
    // for that report either.
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(|| LogWriter)
        .log_internal_errors(false);
    match log.format {
        LogFormat::Text => {
            use std::io::IsTerminal as _;
            builder.with_ansi(std::io::stderr().is_terminal()).try_init()
        }
        LogFormat::Json => builder.json().flatten_event(true).try_init(),
    }?;
    std::panic::set_hook(Box::new(|panic| {
        let location = panic.location().map(ToString::to_string).unwrap_or_default();
        tracing::error!(location, "panic: a defect");
    }));
    Ok(())
}

/// Starts to keep numbers and returns what renders them.
pub(crate) fn start_metrics() -> Result<PrometheusHandle, BuildError> {
    let builder = [names::REQUEST_SECONDS, names::JOB_SECONDS]
        .into_iter()
        .try_fold(PrometheusBuilder::new(), |builder, name| {
            builder.set_buckets_for_metric(Matcher::Full(name.to_owned()), SECONDS)
        })?
        .set_buckets_for_metric(Matcher::Full(names::REQUEST_STATEMENTS.to_owned()), STATEMENTS)?;
    let recorder = builder.build_recorder();
    let handle = recorder.handle();
    // Somebody else's recorder stays in place only in tests, where several servers share a process.
    if metrics::set_global_recorder(recorder).is_err() {
        tracing::debug!("numbers are kept elsewhere already");
    }
    describe();
    Ok(handle)
}

fn describe() {
    metrics::describe_counter!(names::REQUESTS, "Requests by method, route and status");
    metrics::describe_histogram!(names::REQUEST_SECONDS, "Duration of requests");
    metrics::describe_histogram!(names::REQUEST_STATEMENTS, "Statements sent to the database");
    metrics::describe_gauge!(names::CONNECTIONS, "Open connections");
    metrics::describe_counter!(names::CONNECTIONS_REFUSED, "Connections turned away");
    metrics::describe_gauge!(names::BYTES_IN_FLIGHT, "Bytes of requests and unsent answers");
    metrics::describe_counter!(names::LOG_LINES_LOST, "Lines of the log that were lost");
    metrics::describe_counter!(names::BACKUPS, "Backups by the server itself, by result");
    metrics::describe_gauge!(names::BACKUP_AGE_SECONDS, "Age of the newest of these backups");
    metrics::describe_counter!(names::JOBS, "Jobs by kind and result");
    metrics::describe_histogram!(names::JOB_SECONDS, "Duration of jobs");
    metrics::describe_counter!(names::SYNCS, "Syncs of provider connections by result");
    metrics::describe_gauge!(names::PROVIDER_CONNECTIONS, "Provider connections by state");
}
