//! Provider connections over HTTP: what is shown of each, what never is, and what people do with
//! them.

mod banked;
mod booking;
mod canaries;
mod deciding;
mod holdings;
mod links;
mod managing;
mod numbers;
mod put;
mod secrets;
mod shape;
mod shortcomings;
mod states;
mod syncing;
mod undoing;

pub(crate) use managing::{PATH, connect, show};
pub(crate) use syncing::{request, synced};
