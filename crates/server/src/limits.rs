//! Every limit of the server, in one place. Units are in the names.
//!
//! What an operator may change is a setting (`config.rs`); what is here is fixed. The time limits
//! are a value, so that tests can shorten them.

use std::time::Duration;

use purser_core::guessing::Pace;

/// Header fields of one request.
pub(crate) const HEADER_FIELDS_MAX: usize = 64;
/// The request line and all header fields of one request.
pub(crate) const HEADER_BYTES_MAX: usize = 16 * 1024;
/// What a connection buffers of a request that nobody reads yet.
pub(crate) const CONNECTION_BUFFER_BYTES_MAX: usize = 64 * 1024;
/// The body of an ordinary JSON request; uploads have their own.
pub(crate) const JSON_BODY_BYTES_MAX: usize = 1024 * 1024;
/// A file of merchants.
pub(crate) const MERCHANT_FILE_BYTES_MAX: usize = 1024 * 1024;
/// The body of a form of the web pages; uploads have their own.
pub(crate) const FORM_BODY_BYTES_MAX: usize = 256 * 1024;
/// Tries to sign in from one network, whatever the names: a household, or a small office.
pub(crate) const SIGN_IN_PACE_OF_NETWORK: Pace =
    Pace { free: 30, wait_max: Duration::from_secs(60) };
/// Families that are asked for from one network.
pub(crate) const SIGN_UP_PACE: Pace = Pace { free: 10, wait_max: Duration::from_secs(600) };
/// A table of rates or prices in a request.
pub(crate) const TABLE_FILE_BYTES_MAX: usize = 10 * 1024 * 1024;
/// Names and networks for which attempts are counted at a time.
pub(crate) const SIGN_IN_WATCHED_MAX: usize = 20_000;
/// What is read and thrown away after an answer that came before the end of the request, so that
/// the client gets to see the answer instead of a reset.
pub(crate) const LINGER_BYTES_MAX: u64 = 64 * 1024 * 1024;
/// A shorter answer isn't worth compressing.
pub(crate) const COMPRESSION_BYTES_MIN: usize = 1024;
/// A longer answer is compressed on a blocking thread.
pub(crate) const COMPRESSION_INLINE_BYTES_MAX: usize = 128 * 1024;
/// Characters of an `X-Request-Id` that is taken over.
pub(crate) const REQUEST_ID_CHARS_MAX: usize = 128;
/// Characters of an `Idempotency-Key`.
pub(crate) const IDEMPOTENCY_KEY_CHARS_MAX: usize = 255;
/// The time that the rate limit counts requests by.
pub(crate) const RATE_WINDOW: Duration = Duration::from_secs(60);
/// Requests per minute and key, unless the operator sets another number.
pub(crate) const RATE_LIMIT: u32 = 600;
/// Requests of a key at once: a first import by a client that never waits goes through.
pub(crate) const RATE_BURST: u32 = 10_000;
/// How often the last use of keys is written: at most once per key and interval.
pub(crate) const LAST_USED_INTERVAL: Duration = Duration::from_secs(60);
/// How long a server that stops waits until that is written.
pub(crate) const LAST_USED_STOP_TIME: Duration = Duration::from_secs(5);
/// The time between two questions to machines with families that were away at the start.
pub(crate) const MACHINES_INTERVAL: Duration = Duration::from_secs(60);
/// How much of an upload is written before the free space is looked at again.
pub(crate) const UPLOAD_SPACE_CHECK_BYTES: u64 = 8 * 1024 * 1024;
/// Uploads are refused when less is free: the database needs room too.
pub(crate) const FREE_SPACE_BYTES_MIN: u64 = 64 * 1024 * 1024;
/// How often things that are too old are forgotten.
pub(crate) const TIDY_INTERVAL: Duration = Duration::from_secs(3600);
/// How often collected durations are summed up.
pub(crate) const METRICS_UPKEEP_INTERVAL: Duration = Duration::from_secs(30);
/// How often a silent stream sends a comment to keep the connection open.
pub(crate) const KEEP_ALIVE_INTERVAL: Duration = Duration::from_secs(15);
/// Threads that run the asynchronous part.
pub(crate) const WORKER_THREADS: usize = 2;
/// Threads that run database work and other blocking calls.
pub(crate) const BLOCKING_THREADS_MAX: usize = 16;
/// How long an idle blocking thread stays.
pub(crate) const BLOCKING_THREAD_KEEP_ALIVE: Duration = Duration::from_secs(5);
/// How long to wait before accepting again when the system has no more file descriptors.
pub(crate) const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// The memory of all requests in flight, unless the operator sets another number.
pub(crate) const BYTES_IN_FLIGHT_MAX: u64 = 48 * 1024 * 1024;
/// The memory that a request takes before its answer is made: as many as there are connections
/// leave room for answers.
pub(crate) const REQUEST_BYTES: u64 = 32 * 1024;
/// A larger body takes memory of its own.
pub(crate) const SMALL_BODY_BYTES_MAX: u64 = 16 * 1024;
/// How long a request waits for its memory.
pub(crate) const REQUEST_WAIT: Duration = Duration::from_secs(30);
/// An answer that would be larger is refused.
pub(crate) const ANSWER_BYTES_MAX: usize = 16 * 1024 * 1024;

/// JSON may write a character of one byte in six (`\u0041`), and many programs write every
/// character that is not ASCII so: the body of an upload may be so much larger than its content.
pub(crate) const UPLOAD_OVERHEAD_FACTOR: u64 = 6;
/// And what stands around the content.
pub(crate) const UPLOAD_OVERHEAD_BYTES: u64 = 2 * 1024 * 1024;

/// How long a peer may take.
#[derive(Debug, Clone)]
pub(crate) struct TimeLimits {
    /// From the start of the connection, or from the end of the request before, to the end of the
    /// header block.
    pub(crate) header: Duration,
    /// An ordinary body, in total.
    pub(crate) body: Duration,
    /// An upload: between two pieces.
    pub(crate) upload_idle: Duration,
    /// An upload: how long before the floor of its rate counts.
    pub(crate) upload_grace: Duration,
    /// An upload: the floor of its mean rate.
    pub(crate) upload_bytes_per_second_min: u64,
    /// A peer that doesn't read: the window in which [`Self::write_bytes_min`] must go out.
    pub(crate) write_stall: Duration,
    /// The number of bytes for [`Self::write_stall`].
    pub(crate) write_bytes_min: u64,
    /// Throwing away the rest of a request after its answer.
    pub(crate) linger: Duration,
    /// Requests in flight when the server stops; a second less than what the whole stop may take.
    pub(crate) drain: Duration,
}

impl Default for TimeLimits {
    fn default() -> Self {
        Self {
            header: Duration::from_secs(10),
            body: Duration::from_secs(30),
            upload_idle: Duration::from_secs(10),
            upload_grace: Duration::from_secs(10),
            upload_bytes_per_second_min: 8 * 1024,
            write_stall: Duration::from_secs(10),
            write_bytes_min: 80 * 1024,
            linger: Duration::from_secs(5),
            drain: Duration::from_secs(9),
        }
    }
}
