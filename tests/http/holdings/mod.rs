//! Holdings over HTTP: what follows from trades.

mod change;
mod converted;
mod list;
mod show;

pub(crate) const PATH: &str = "/api/v1/holdings";
