//! The pages: what a browser gets, and what nobody gets who shouldn't. Journeys in a real browser
//! are elsewhere.

mod accounts;
mod connections;
mod exports;
mod first_start;
mod forgery;
mod imports;
mod imports_account;
mod imports_document;
mod imports_mapping;
mod imports_questions;
mod isolation;
mod keys;
mod lost_forms;
mod once;
mod sessions;
mod settings;
mod templates;
mod throttle;
mod transactions;
mod views;
mod visitor;

pub(crate) use visitor::{PASSWORD, Visitor};
