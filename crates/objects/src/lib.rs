//! Files in the bucket of a store that speaks the S3 protocol.
//!
//! * [`signature`]: signatures of requests (version 4). Pure.
//! * [`settings`]: which bucket, and the addresses of what is in it. Pure.
//! * [`listing`]: the answers that are XML. Pure.
//! * [`bucket`]: the requests, each checked, repeated where that may help, and bounded in time.
//! * [`failure`]: why one came to nothing.
//!
//! What is kept under which name, and when, is for the callers to decide.

#![cfg_attr(
    test,
    allow(clippy::unwrap_used, clippy::expect_used, reason = "a failed test should stop")
)]

pub mod bucket;
pub mod failure;
pub mod listing;
mod requests;
pub mod settings;
pub mod signature;

pub use bucket::{Bucket, Now, Stated};
pub use failure::Failure;
pub use listing::Listed;
pub use settings::{BucketSettings, SettingsError};
