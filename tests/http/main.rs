//! The program from outside, over HTTP: one file for each noun of the interface, each test on
//! both databases.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a failed test should stop")]

#[path = "../support/mod.rs"]
mod support;

mod auth;
mod auth_order;
mod edge;
mod edge_clients;
mod edge_errors;
mod edge_headers;
mod edge_pages;
mod imports;
mod isolation_sql;
mod ledger;
mod openapi_document;
mod usage;
mod valuations;
