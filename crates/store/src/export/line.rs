//! Lines of an export on their way to the sink.

use purser_core::error::{Error, Result};
use purser_core::money::Currency;
use purser_core::money::decimal::amount_text;
use serde::{Serialize, Serializer};

use super::records::Kind;

/// Bytes that are handed to the sink together.
const PIECE_BYTES: usize = 64 * 1024;

/// Writes records, each on a line of its own.
pub(super) struct Lines<'s> {
    sink: &'s mut dyn FnMut(&[u8]) -> Result<()>,
    buffer: Vec<u8>,
    count: u64,
}

/// A line: the kind of the record, and its fields.
#[derive(Serialize)]
struct Line<'l, D> {
    #[serde(rename = "type")]
    kind: &'static str,
    /// The version of the form of the fields; only rules have one.
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<u8>,
    data: &'l D,
}

impl<'s> Lines<'s> {
    pub(super) fn new(sink: &'s mut dyn FnMut(&[u8]) -> Result<()>) -> Self {
        Self { sink, buffer: Vec::with_capacity(2 * PIECE_BYTES), count: 0 }
    }

    /// Writes a record on its line.
    pub(super) fn put<D: Kind>(&mut self, data: &D) -> Result<()> {
        let line = Line { kind: D::NAME, version: D::VERSION, data };
        serde_json::to_writer(&mut self.buffer, &line).map_err(Error::internal)?;
        self.buffer.push(b'\n');
        self.count += 1;
        if self.buffer.len() >= PIECE_BYTES { self.hand_over() } else { Ok(()) }
    }

    /// Hands the last lines over, and returns how many there were in all.
    pub(super) fn finish(mut self) -> Result<u64> {
        self.hand_over()?;
        Ok(self.count)
    }

    fn hand_over(&mut self) -> Result<()> {
        if !self.buffer.is_empty() {
            (self.sink)(&self.buffer)?;
            self.buffer.clear();
        }
        Ok(())
    }
}

/// An amount in the scale of its currency, as exact decimal text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Amount(pub(super) i64, pub(super) Currency);

impl Serialize for Amount {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.serialize_str(&amount_text(self.0, self.1))
    }
}

/// A truth value that is only written if it is true.
pub(super) fn flag(is_set: bool) -> Option<bool> {
    is_set.then_some(true)
}
