//! Files of statements, written from ledgers that are known, as banks write them.
//!
//! Each file is made by chance from a seed, with the habits and the mistakes of banks. Read back,
//! it must be the ledger to the last entry, and its balances must prove it; with any digit changed
//! no amount may be another one and still be proven.

#![expect(clippy::unwrap_used, reason = "a failed test should stop")]

mod archive;
mod camt;
mod camt_writing;
mod hostile;
mod import_proof;
mod investments;
mod ledger;
mod mt940;
mod mt940_writing;
mod mutations;
mod ofx;
mod ofx_writing;
#[path = "../bank_files/random.rs"]
mod random;
mod reading;
mod table;
