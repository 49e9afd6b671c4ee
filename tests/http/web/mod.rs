//! The pages: what a browser gets, and what nobody gets who shouldn't. Journeys in a real browser
//! are elsewhere.

mod accounts;
mod first_start;
mod forgery;
mod isolation;
mod keys;
mod sessions;
mod settings;
mod throttle;
mod transactions;
mod views;
mod visitor;

pub(crate) use visitor::Visitor;
