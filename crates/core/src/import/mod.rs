//! Imports: types, states, what was sent, what is in effect, and what a record means.
//!
//! ```text
//! settings (what was sent) ─┐
//! header ─► columns ────────┼─► layout (what is in effect) ─► interpret ─► row or reasons
//! cells  ─► formats found ──┘
//! ```
//!
//! What differs from type to type is a record kind ([`kind`]), a folder each; [`kinds`] is the
//! table of them.
//!
//! The file itself is read by `purser_formats`, which calls the functions here for its header,
//! for each record of the pass that finds formats, and for each record that becomes a row.

pub mod account;
pub mod category;
pub mod cells;
pub mod columns;
mod configuration;
pub mod dispatch;
pub mod file_statement;
pub mod import_type;
pub mod kind;
pub mod kinds;
pub mod layout;
pub mod layout_problem;
pub mod left_out;
pub mod mapping;
pub mod merchant;
pub mod native;
pub mod pdf;
mod plain;
pub mod planned_flow;
pub mod questions;
pub mod rate;
pub mod register;
pub mod restore;
pub mod row_edit;
pub mod row_filter;
pub mod rule;
pub mod scratch;
pub mod session;
pub mod settings;
pub mod source_file;
pub mod status;
pub mod streamed;
pub mod template;
pub mod trade;
pub mod transaction;
pub mod verdict;
pub mod whole;
