//! The import pipeline: from an uploaded file to entries in the ledger.
//!
//! The API and the command line are siblings over the same calls: [`upload::Upload`] reads and
//! stores, [`publish::queue`] queues, [`publish::run`] executes. See `docs/imports.md`.

mod basis;
mod carrying_out;
pub mod change;
mod draft;
pub mod events;
pub mod local;
mod names;
mod opened;
pub mod parts;
pub mod planning;
pub mod preview;
pub mod progress;
pub mod publish;
pub mod reading;
mod reasons;
pub mod rejection;
pub mod replans;
pub mod request;
pub mod retries;
pub mod revert;
pub mod revision;
pub mod row_change;
pub mod rows;
pub mod sample;
pub mod stored;
pub mod template;
pub mod template_changes;
pub mod upload;

pub use purser_store::imports::{
    Created, Import, Kept, KeptFill, Listed, Listing, Mapping, Nameable, OtherImport, Others,
    Progress, Removal, Survey, Template, fail_enqueue, file_names, get, list, mappings, nameable,
    progress, remove, row_edits, template_get, templates,
};
