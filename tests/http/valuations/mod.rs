//! Valuations over HTTP: every rule of writing, reading, changing and removing them.

mod amounts;
mod change;
mod concurrency;
mod days;
mod list;
mod notes;
mod required;
mod shape;
mod upsert;
