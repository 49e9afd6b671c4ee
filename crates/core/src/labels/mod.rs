//! Labels: categories, tags and merchants, the names that entries are sorted by.
//!
//! What somebody writes for one is checked here ([`input`]); whether a name is free and a parent
//! exists is for the store to say. A label without a color of its own has one all the same, which
//! follows from its id ([`color`]). [`defaults`] is a first set of categories for a family.

pub mod color;
pub mod defaults;
pub mod input;

/// The icon that answers show of a category that nobody gave one. It is not stored.
pub const DEFAULT_ICON: &str = "shapes";
