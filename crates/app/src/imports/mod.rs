//! The import pipeline: from an uploaded file to entries and other records in the ledger.
//!
//! The API and the command line are siblings over the same calls: [`upload::Upload`] reads and
//! stores, [`publish::queue`] queues, `publish_job` executes. See `docs/imports.md`.

mod basis;
mod built_plan;
pub mod cells;
pub mod change;
mod creations;
mod decoded_document;
mod decoded_file;
pub mod document_picture;
mod draft;
pub mod edit;
pub mod events;
mod expected_content;
pub(crate) mod file_removal_job;
mod interpretation;
pub mod local;
mod names;
mod native;
pub mod objections;
pub mod own_balances;
pub(crate) mod parts;
pub mod pdf_process;
pub mod pdf_scans;
pub mod planning;
pub mod preview;
pub mod progress;
pub mod publish;
pub(crate) mod publish_job;
pub mod questions;
pub mod reading;
mod reasons;
pub mod recognition;
pub mod rejection;
pub mod relations;
pub mod replans;
pub mod request;
pub mod retries;
pub mod revert;
pub(crate) mod revert_job;
pub mod revision;
pub mod row_change;
pub mod row_content;
pub mod rows;
pub mod same_file;
pub mod sample;
pub mod sessions;
pub mod size;
mod spreadsheets;
pub mod stated_directions;
mod statement_tables;
mod statement_templates;
pub mod stored;
mod streamed;
pub(crate) mod take_up_job;
pub mod template;
mod template_accounts;
pub mod template_changes;
pub mod upload;
mod whole;

pub use file_removal_job::remove;
pub use purser_store::imports::{
    Created, Import, KeptEntry, KeptFill, KeptRecord, Listed, Listing, Mapping, Nameable,
    OtherImport, OtherImports, Progress, RecordSurvey, Removal, Survey, Template, file_names, get,
    list, mappings, nameable, note_made_account, progress, row_edits, template_get, templates,
};
