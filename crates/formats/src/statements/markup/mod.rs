//! Tags and texts of XML, and of the SGML that OFX 1 has.
//!
//! One reader for both: [`tokens`] goes from tag to tag over a window, [`entities`] decodes what
//! stands for a character, [`element`] is a part of a file that is kept whole. It reads no
//! declarations, so nothing expands and nothing outside of the file is opened.

pub(crate) mod element;
pub(crate) mod entities;
#[cfg(test)]
mod tests;
pub(crate) mod tokens;

pub(crate) use element::{Element, ElementBuilder};
pub(crate) use tokens::{Strictness, Token, Tokens};
