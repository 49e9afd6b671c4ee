//! The import pipeline: from an uploaded file to entries in the ledger.
//!
//! The API and the command line are siblings over the same calls: [`upload::Upload`] reads and
//! stores, [`publish::queue`] queues, [`publish::run`] carries out. See `docs/imports.md`.

mod basis;
mod carrying_out;
pub(crate) mod change;
mod draft;
pub(crate) mod events;
pub(crate) mod local;
mod names;
mod opened;
pub(crate) mod parts;
pub(crate) mod planning;
pub(crate) mod preview;
pub(crate) mod progress;
pub(crate) mod publish;
pub(crate) mod reading;
mod reasons;
pub(crate) mod rejection;
pub(crate) mod replans;
pub(crate) mod request;
pub(crate) mod retries;
pub(crate) mod revert;
pub(crate) mod revision;
pub(crate) mod row_change;
pub(crate) mod rows;
pub(crate) mod sample;
pub(crate) mod stored;
pub(crate) mod template;
pub(crate) mod template_changes;
pub(crate) mod upload;
