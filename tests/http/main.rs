//! The program from outside, over HTTP: one file for each noun of the interface, each test on
//! both databases.

#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a failed test should stop")]

#[path = "../support/mod.rs"]
mod support;

mod accounts;
mod auth;
mod auth_order;
mod backup;
mod budgets;
mod categories;
mod command_line;
mod command_line_types;
mod compatibility;
mod distribution;
mod dry_run;
mod edge;
mod edge_clients;
mod edge_errors;
mod edge_headers;
mod edge_pages;
mod family_exports;
mod family_settings;
mod gone_machine;
mod hanging_machine;
mod holdings;
mod idempotency;
mod imports;
mod inbox;
mod isolation;
mod isolation_data;
mod isolation_paths;
mod isolation_rows;
mod isolation_things;
mod jobs;
mod journals;
mod ledger;
mod load;
mod log;
mod log_size;
mod long_reads;
mod lost_database;
mod many_names;
mod merchants;
mod nodes;
mod object_store;
mod object_store_hangs;
mod object_store_large;
mod object_store_tls;
mod openapi;
mod prices;
mod provider_connections;
mod random_family;
mod rates;
mod recurring_transactions;
mod removal;
mod reports;
mod restricted;
mod retries;
mod rules;
mod securities;
mod sentences;
mod statements;
mod storage;
mod syncs;
mod tags;
pub(crate) mod trades;
mod transactions;
mod transfers;
mod usage;
mod valuations;
mod web;
mod webhooks;
