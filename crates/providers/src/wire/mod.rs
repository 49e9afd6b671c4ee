//! Reading JSON of which the types can't be relied on: numbers come as numbers or as texts, truth
//! values as texts, ids as numbers, days as times.
//!
//! A member is read as the text that was sent ([`Scalar`]) and then as what it should be. Lists are
//! read row by row, so that one that can't be read doesn't take the others with it.

mod scalar;

use serde::Deserialize;
use serde_json::value::RawValue;

pub(crate) use scalar::{Scalar, utc_day};

use crate::error::{Call, ErrorClass, ProviderError};
use crate::snapshot::{RowProblem, UnreadableRow};

/// A list, each row as it was sent.
#[derive(Debug, Deserialize)]
#[serde(transparent)]
pub(crate) struct Rows<'a>(#[serde(borrow)] Vec<&'a RawValue>);

impl<'a> Rows<'a> {
    /// How many rows there are, readable or not.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Reads each row; those that can't be read are returned apart.
    pub(crate) fn read<W: Deserialize<'a>, T>(
        &self,
        read: impl Fn(&W) -> Result<T, (RowProblem, Option<String>)>,
    ) -> (Vec<T>, Vec<UnreadableRow>) {
        let (mut rows, mut unreadable) = (Vec::with_capacity(self.0.len()), Vec::new());
        for (position, raw) in self.0.iter().enumerate() {
            let row = serde_json::from_str::<W>(raw.get()).map_err(|_| (RowProblem::Shape, None));
            match row.and_then(|row| read(&row)) {
                Ok(row) => rows.push(row),
                Err((problem, id)) => unreadable.push(UnreadableRow { position, id, problem }),
            }
        }
        (rows, unreadable)
    }
}

/// The body of an answer; anything but the documented form is an error that quotes nothing of it.
pub(crate) fn body<'a, W: Deserialize<'a>>(call: Call, body: &'a [u8]) -> crate::Result<W> {
    let text = std::str::from_utf8(body).ok();
    let read = text
        .and_then(|text| serde_json::from_str(text.strip_prefix('\u{feff}').unwrap_or(text)).ok());
    read.ok_or(ProviderError::new(ErrorClass::InvalidResponse, call))
}
