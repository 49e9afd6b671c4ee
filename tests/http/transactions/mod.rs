//! Transactions over HTTP: filters, search, pages, and the members of each.

mod change;
mod conversions;
mod create;
mod filters;
mod moved;
mod pages;
mod search;
mod shape;
mod split;
mod visibility;
