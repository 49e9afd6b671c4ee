//! Imports: types, states, configuration, and what a record means.
//!
//! ```text
//! file ─► formats::read ─► records ─► import::interpret ─► rows ─► plan ─► store ─► balances
//! ```

pub mod configuration;
pub mod import_type;
pub mod status;
