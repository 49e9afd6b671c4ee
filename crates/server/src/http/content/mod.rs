//! Receiving the content of an import, for the API and for the page with the form: from the body of
//! a request to a file that no row names yet.

mod body;
#[cfg(test)]
mod body_tests;
mod pieces;
mod spool;

pub(crate) use body::{Content, FILE_FIELD, receive, receive_any, receive_form};
pub(crate) use spool::ContentLimits;
