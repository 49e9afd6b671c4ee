//! Requests that leave the server: the one place that makes HTTP clients.
//!
//! Feeds, providers of bank data, webhooks and the store of files ask others over HTTP. What must
//! hold for all of them is here:
//!
//! * [`client`]: a client with limits of time and size that follows redirects only on the host that
//!   was asked, and failures that name neither the address nor anything of the answer.
//! * `resolver`: names don't lead to this machine or to networks behind it.
//! * [`network`]: networks, and which addresses are of the Internet.
//! * [`origin`]: scheme, host and port, which is what a list of permitted hosts consists of.
//! * [`base64`]: the one encoding that addresses and credentials come in.
//!
//! Whom to ask, how often, and what an answer means is for the callers to decide.

#![cfg_attr(
    test,
    allow(clippy::unwrap_used, clippy::expect_used, reason = "a failed test should stop")
)]

pub mod base64;
pub mod client;
pub mod network;
pub mod origin;
mod resolver;
mod upload;

pub use client::{Answer, Client, ClientError, Failure, Limits, Request};
pub use reqwest::Url;
