//! What tests of the whole program share: the real binary, a fresh database, clients.
//!
//! Nothing here reaches into the program. A test starts `purser serve` on a free port with a data
//! folder (and, for PostgreSQL, a database) of its own, makes families and keys with the command
//! line, and talks HTTP. When the test ends, everything is removed; when it fails, what the server
//! logged is shown.

#![allow(dead_code, unused_imports, reason = "each test program uses its own part of this")]

mod banks;
mod both;
mod client;
mod command_line;
mod database;
mod dice;
mod disk;
mod events;
mod family;
mod faults;
mod length;
mod multipart;
mod object_store;
pub(crate) mod pdf;
mod raw;
mod secrets;
pub(crate) mod sentences;
mod server;
pub(crate) mod sheets;
pub(crate) mod sql;
mod state;
pub(crate) mod tls;
mod wait;

pub(crate) use banks::Banks;
pub(crate) use client::{Answer, Client};
pub(crate) use command_line::Outcome;
pub(crate) use database::Backend;
pub(crate) use dice::Dice;
pub(crate) use events::{Event, EventStream};
pub(crate) use family::{Family, Scope};
pub(crate) use faults::{Fault, Faults};
pub(crate) use length::{Rounds, repeats, rounds};
pub(crate) use multipart::Multipart;
pub(crate) use object_store::ObjectStore;
pub(crate) use raw::RawAnswer;
pub(crate) use server::{Node, Options, Server};
pub(crate) use sql::Sql;
pub(crate) use state::State;
pub(crate) use wait::{until, until_within, within};
