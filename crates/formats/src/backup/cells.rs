//! A row as a line of JSON: an array with a value for each column.
//!
//! Integers are numbers, truth values `true` and `false`, texts strings, ids strings in their usual
//! form, and bytes strings of hexadecimal digits. Which of them a string is follows from the type
//! of the column.

use std::borrow::Cow;
use std::fmt;

use serde::de::{DeserializeSeed, Error as _, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use uuid::Uuid;

/// The type of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CellType {
    /// An integer of 64 bits, which days, times and amounts are, too.
    Int,
    /// A text in UTF-8.
    Text,
    /// A UUID, such as an id.
    Uuid,
    /// Bytes of any content.
    Bytes,
    /// One of the truth values.
    Bool,
}

/// A value of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cell<'a> {
    /// No value; of any type.
    Null,
    /// The value of a [`CellType::Int`].
    Int(i64),
    /// The value of a [`CellType::Text`].
    Text(Cow<'a, str>),
    /// The value of a [`CellType::Uuid`].
    Uuid(Uuid),
    /// The value of a [`CellType::Bytes`].
    Bytes(Cow<'a, [u8]>),
    /// The value of a [`CellType::Bool`].
    Bool(bool),
}

/// Appends a row as a line.
pub fn write_row(line: &mut Vec<u8>, row: &[Cell<'_>]) {
    line.push(b'[');
    for (at, cell) in row.iter().enumerate() {
        if at > 0 {
            line.push(b',');
        }
        write_cell(line, cell);
    }
    line.extend_from_slice(b"]\n");
}

fn write_cell(line: &mut Vec<u8>, cell: &Cell<'_>) {
    match cell {
        Cell::Null => line.extend_from_slice(b"null"),
        Cell::Bool(true) => line.extend_from_slice(b"true"),
        Cell::Bool(false) => line.extend_from_slice(b"false"),
        // Writing to memory can't fail.
        Cell::Int(number) => drop(serde_json::to_writer(line, number)),
        Cell::Text(text) => drop(serde_json::to_writer(line, text)),
        Cell::Uuid(id) => {
            let mut buffer = Uuid::encode_buffer();
            line.push(b'"');
            line.extend_from_slice(id.hyphenated().encode_lower(&mut buffer).as_bytes());
            line.push(b'"');
        }
        Cell::Bytes(bytes) => {
            line.push(b'"');
            for byte in bytes.iter() {
                line.extend_from_slice(&[digit(byte >> 4), digit(byte & 15)]);
            }
            line.push(b'"');
        }
    }
}

fn digit(value: u8) -> u8 {
    if value < 10 { b'0' + value } else { b'a' + value - 10 }
}

/// Reads a line, which has a value of each of these types or null. The error is for the log of a
/// damaged file and may quote a value.
pub fn read_row<'a>(line: &'a [u8], types: &[CellType]) -> Result<Vec<Cell<'a>>, String> {
    let mut json = serde_json::Deserializer::from_slice(line);
    let row = Deserializer::deserialize_seq(&mut json, RowVisitor(types));
    let row = row.map_err(|error| error.to_string())?;
    json.end().map_err(|error| error.to_string())?;
    Ok(row)
}

struct RowVisitor<'t>(&'t [CellType]);

impl<'de> Visitor<'de> for RowVisitor<'_> {
    type Value = Vec<Cell<'de>>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an array of {} values", self.0.len())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut sequence: A) -> Result<Self::Value, A::Error> {
        let mut row = Vec::with_capacity(self.0.len());
        for cell_type in self.0 {
            let cell = sequence.next_element_seed(CellSeed(*cell_type))?;
            row.push(cell.ok_or_else(|| A::Error::custom("a value is missing"))?);
        }
        match sequence.next_element::<serde::de::IgnoredAny>()? {
            None => Ok(row),
            Some(_) => Err(A::Error::custom("there are too many values")),
        }
    }
}

struct CellSeed(CellType);

impl<'de> DeserializeSeed<'de> for CellSeed {
    type Value = Cell<'de>;

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<Cell<'de>, D::Error> {
        let cell = match self.0 {
            CellType::Int => Option::<i64>::deserialize(json)?.map(Cell::Int),
            CellType::Bool => Option::<bool>::deserialize(json)?.map(Cell::Bool),
            CellType::Text => {
                Option::<JsonText<'de>>::deserialize(json)?.map(|it| Cell::Text(it.0))
            }
            CellType::Uuid => Option::<JsonText<'de>>::deserialize(json)?
                .map(|text| Uuid::try_parse(&text.0).map(Cell::Uuid))
                .transpose()
                .map_err(D::Error::custom)?,
            CellType::Bytes => Option::<JsonText<'de>>::deserialize(json)?
                .map(|text| bytes_of(&text.0).map(|bytes| Cell::Bytes(Cow::Owned(bytes))))
                .map(|bytes| bytes.ok_or_else(|| D::Error::custom("bytes have wrong digits")))
                .transpose()?,
        };
        Ok(cell.unwrap_or(Cell::Null))
    }
}

/// A text that is borrowed if nothing in it is escaped.
#[derive(Deserialize)]
struct JsonText<'a>(#[serde(borrow)] Cow<'a, str>);

fn bytes_of(digits: &str) -> Option<Vec<u8>> {
    let value = |digit: u8| match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        _ => None,
    };
    let (pairs, rest) = digits.as_bytes().as_chunks::<2>();
    let bytes = pairs.iter().map(|[high, low]| Some(value(*high)? << 4 | value(*low)?));
    if rest.is_empty() { bytes.collect() } else { None }
}
