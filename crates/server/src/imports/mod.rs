//! The import pipeline: from an uploaded file to entries in the ledger.
//!
//! The API and the command line are siblings over the same calls: [`upload::Upload`] reads and
//! stores, [`publish::queue`] queues, [`publish::run`] carries out. See `docs/imports.md`.

pub(crate) mod local;
mod names;
pub(crate) mod preview;
pub(crate) mod publish;
pub(crate) mod reading;
pub(crate) mod rejection;
pub(crate) mod request;
pub(crate) mod retries;
pub(crate) mod rows;
pub(crate) mod stored;
pub(crate) mod upload;
