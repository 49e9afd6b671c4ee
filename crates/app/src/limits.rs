//! Every limit of the use cases, in one place. Units are in the names.
//!
//! What an operator may change is a setting ([`crate::settings`]); what is here is fixed.

use std::time::Duration;

/// Passwords that are hashed at the same time: each takes 19 MiB and keeps a core busy.
pub const HASHINGS_MAX: usize = 2;
/// What is collected of an upload before it is written to disk.
pub const UPLOAD_BUFFER_BYTES: usize = 256 * 1024;
/// How long a job belongs to its worker without a sign of life.
pub const JOB_LEASE: Duration = Duration::from_secs(15);
/// How often a worker gives a sign of life.
pub const JOB_LEASE_RENEWAL: Duration = Duration::from_secs(5);
/// How long a process that stops tries to give back the jobs that it leaves unfinished.
pub const JOB_RELEASE_TIME: Duration = Duration::from_millis(500);
/// How long a run of rules keeps a worker, before other families get their turn.
pub const RULES_TURN: Duration = Duration::from_secs(1);
/// How often workers look for jobs that nobody woke them for.
pub const JOB_POLL_INTERVAL: Duration = Duration::from_millis(500);
/// How often a start that could write nothing tries again.
pub const START_RETRY_INTERVAL: Duration = Duration::from_secs(5);
/// Uploads that are read at the same time; reading keeps a core busy.
pub const READINGS_MAX: u64 = 2;
/// Scans in which words are recognised at the same time: each keeps a core busy for seconds a page.
pub const RECOGNITIONS_MAX: u64 = 2;
/// How long the recognition of a scan may take as a whole, before it is refused.
pub const RECOGNITION_TIME: Duration = Duration::from_secs(180);
/// Uploads that are sent to a bucket at the same time: each keeps a thread, if the bucket is slow.
pub const SENDINGS_MAX: u64 = 4;
/// Reports and previews that are computed at the same time: each may keep a core and a reader of
/// the database busy for seconds, and lists must not wait for them.
pub const COMPUTATIONS_MAX: u64 = 2;
/// An export of fewer transactions is written within seconds on a slow machine, too: it reads the
/// database itself.
pub const COPIED_EXPORT_TRANSACTIONS_MIN: u64 = 200_000;
/// A larger export reads a copy of a SQLite database, unless that is larger than this for each of
/// the transactions: then copying takes longer than the export.
pub const COPIED_BYTES_PER_TRANSACTION_MAX: u64 = 5 * 1024;
/// With less room in the data directory an export to standard output is in no temporary file.
pub const TEMPORARY_EXPORT_ROOM: u64 = 1024 * 1024 * 1024;
/// How often the server looks for what is to be removed.
pub const REMOVAL_LOOK_INTERVAL: Duration = Duration::from_secs(60);
/// How much of a look may go to families that can't be asked.
pub const LOOK_FAILURES_TIME: Duration = Duration::from_secs(5);
/// How often a running publish or undo notes for other processes how far it is.
pub const PROGRESS_INTERVAL: Duration = Duration::from_secs(1);
/// How often a stream of events looks for new ones.
pub const EVENT_LOOK_INTERVAL: Duration = Duration::from_millis(100);
/// How often it asks the database, if the work happens in another process.
pub const EVENT_READ_INTERVAL: Duration = Duration::from_millis(500);
/// Open streams of events of one key, or of one person in the browser.
pub const EVENT_STREAMS_MAX: u32 = 8;
/// How long a stream stays open: whoever comes back shows again that they may look.
pub const EVENT_STREAM_LIFETIME: Duration = Duration::from_secs(300);
/// How often the server looks whether a feed is to be asked.
pub const FEED_LOOK_INTERVAL: Duration = Duration::from_secs(10 * 60);
/// How long a feed, or a security in it, is left alone after it answered: feeds change once a day,
/// not always at the same hour.
pub const FEED_REST: jiff::SignedDuration = jiff::SignedDuration::from_hours(20);
/// And after it didn't.
pub const FEED_REST_AFTER_ERROR: jiff::SignedDuration = jiff::SignedDuration::from_hours(1);
/// How long a connection to a feed may take.
pub const FEED_CONNECT_TIME: Duration = Duration::from_secs(10);
/// How long an answer may take, all of it.
pub const FEED_TIME: Duration = Duration::from_secs(60);
/// The pauses before further tries.
pub const FEED_PAUSES: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(4)];
/// The pause between two symbols: feeds count requests.
pub const FEED_SYMBOL_PAUSE: Duration = Duration::from_millis(200);
/// Symbols that are asked for in one look, of each family.
pub const FEED_SYMBOLS_MAX: usize = 1_000;
/// Symbols in a row that a feed may be in trouble with before it is left alone until the next look.
pub const FEED_FAILURES_MAX: u32 = 3;
/// Rates that one commit stores: others want to write too.
pub const FEED_RATES_PER_COMMIT: usize = 20_000;
/// How often the command line looks whether an import has ended.
pub const LOCAL_POLL_INTERVAL: Duration = Duration::from_millis(25);
/// How often the server looks whether a backup is due.
pub const BACKUP_LOOK_INTERVAL: Duration = Duration::from_secs(20);
/// How long it waits after a backup that failed, if they aren't made more often anyway.
pub const BACKUP_REST_AFTER_ERROR: jiff::SignedDuration = jiff::SignedDuration::from_mins(10);
/// How often the server looks into its inbox.
pub const INBOX_LOOK_INTERVAL: Duration = Duration::from_secs(1);
/// How long a file of the inbox rests after an error that isn't its own.
pub const INBOX_REST_AFTER_ERROR: Duration = Duration::from_secs(30);
/// How long the publish of a file of the inbox is waited for before it is looked at again later.
pub const INBOX_PUBLISH_WAIT: Duration = Duration::from_secs(600);
/// How often it is looked at.
pub const INBOX_PUBLISH_LOOK: Duration = Duration::from_millis(200);
/// How long a file that was taken from the inbox is watched: its writer may go on.
pub const INBOX_WATCH: Duration = Duration::from_secs(3_600);
/// Files of the inbox that one look takes; the others come later.
pub const INBOX_FILES_MAX: usize = 1_000;
/// Keys of providers that are tried at the same time: each waits for a provider.
pub const ENROLMENTS_MAX: u64 = 4;
/// How often a node looks for connections that are due.
pub const SYNC_LOOK_INTERVAL: Duration = Duration::from_secs(1);
/// Connections that a process syncs at the same time, of a family one: each mostly waits for its
/// provider, but an answer takes several times 10 MiB at most.
pub const SYNCS_MAX: usize = 8;
/// How often a node counts connections for `/metrics`.
pub const CONNECTIONS_COUNT_INTERVAL: Duration = Duration::from_secs(30);
/// How long a connection belongs to the process that syncs it without a sign of life.
pub const SYNC_LEASE: Duration = Duration::from_secs(15);
/// How often that process gives a sign of life.
pub const SYNC_LEASE_RENEWAL: Duration = Duration::from_secs(5);
/// How often a node looks for webhooks that are to be sent something.
pub const DELIVERY_LOOK_INTERVAL: Duration = Duration::from_secs(1);
/// Deliveries that a process has under way, of a family one.
pub const DELIVERIES_MAX: usize = 8;
/// How long a delivery belongs to the process that sends it: longer than the request may take.
pub const DELIVERY_LEASE: Duration = Duration::from_secs(60);
/// The time to connect to a receiver.
pub const DELIVERY_CONNECT_TIME: Duration = Duration::from_secs(5);
/// The time of a whole request to a receiver.
pub const DELIVERY_TIME: Duration = Duration::from_secs(15);
/// Bytes of a receiver's answer that are read.
pub const DELIVERY_ANSWER_BYTES: usize = 4_096;
