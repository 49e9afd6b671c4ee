//! Provider connections over HTTP: what is shown of each, and what never is.

mod put;
mod secrets;
mod shape;
mod states;
