//! Labels: categories, tags and merchants, by which entries are sorted.
//!
//! The fields of a request are checked here ([`input`]); whether a name is free and a parent exists
//! is checked by the store. A label without a color of its own gets one that follows from its id
//! ([`color`]). [`defaults`] is a first set of categories for a family.

pub mod color;
pub mod defaults;
pub mod icons;
pub mod input;

/// The icon that answers show of a category that nobody gave one. It is not stored.
pub const DEFAULT_ICON: &str = "shapes";
