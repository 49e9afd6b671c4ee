//! Imports: types, states, what was sent, what is in effect, and what a record means.
//!
//! ```text
//! settings (what was sent) ─┐
//! header ─► columns ────────┼─► layout (what is in effect) ─► interpret ─► row or reasons
//! cells  ─► formats found ──┘
//! ```
//!
//! The file itself is read by `purser_formats`, which calls the functions here for its header,
//! for each record of the pass that finds formats, and for each record that becomes a row.

pub mod cells;
pub mod columns;
pub mod detection;
mod direction_words;
pub mod duplicates;
mod footer;
pub mod header_names;
pub mod import_type;
pub mod interpret;
pub mod layout;
pub mod mapping;
pub mod row_edit;
pub mod settings;
pub mod status;
mod tags;
pub mod template;
pub mod verdict;
