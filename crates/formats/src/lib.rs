//! Readers of files: bytes in, records out. Pure, streaming, with flat memory.
//!
//! * [`backup`]: archives of a whole database, written and read.
//! * [`decode`]: which encoding a file has, what kind of content it looks like, and its text as
//!   UTF-8.
//! * [`csv`]: records with line numbers and offsets, the separator and the header, and the index
//!   through which any row is found again.
//! * [`feeds`]: files of exchange rates and of prices.
//! * [`journal`]: journals for hledger and Beancount.
//! * [`json_upload`]: the JSON body of an upload, from which the file content is passed on to a
//!   sink at once.
//! * [`pdf`]: statements of banks as PDF documents, as one table.
//! * [`sheets`]: spreadsheets as tables. [`archive`]: the ZIP archives around them.
//! * [`statements`]: statements of banks in the formats of their interfaces.
//! * [`programs`]: exports of other programs, rewritten as one table of transactions.
//! * [`tables`]: tables for spreadsheets, made of an export.
//! * [`records`]: the drivers that read a CSV: analysis at upload, rows at publish and for a page.
//!
//! The meaning of a cell is decided in `purser_core::import`. But for statements, which have days
//! and amounts by their formats, nothing here knows about money. No reader holds more than its
//! buffers (at most 1 MiB together; of a statement one entry), whatever the size of the file.

#![cfg_attr(
    test,
    allow(clippy::unwrap_used, clippy::expect_used, reason = "a failed test should stop")
)]

pub mod archive;
pub mod backup;
pub mod csv;
pub mod decode;
pub mod feeds;
pub mod journal;
pub mod json_upload;
pub mod pdf;
pub mod programs;
pub mod records;
pub mod sheets;
pub mod statements;
pub mod tables;
