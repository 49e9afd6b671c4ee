//! Provider connections over HTTP: what is said of each, and what never is.

mod put;
mod secrets;
mod shape;
mod states;
