//! The cells of a sheet, row by row.
//!
//! Excel writes them in the order of the rows, but some programs as they come. So the places of all
//! records with cells are collected first, eight bytes each, and sorted.

use std::ops::ControlFlow;

use super::super::mixed::of_text;
use super::super::number::{double, moment, plain};
use super::super::{SHEET_TEXT_BYTES_MAX, SheetError, SheetRow, Shows, TOO_MUCH_TEXT};
use super::texts::Segments;
use super::{Record, Xls, id, record, u16_at, u32_at};

/// The rows of one sheet while they are read.
pub(super) struct Cells<'b> {
    book: &'b Xls,
    /// Row and column, and the place of the record.
    places: Vec<(u32, u32)>,
    row: Vec<String>,
    bytes: u64,
}

impl<'b> Cells<'b> {
    /// Finds the records with cells of the sheet that begins there.
    pub(super) fn new(book: &'b Xls, start: usize) -> Result<Self, SheetError> {
        let records = book.records.as_slice();
        let first = record(records, start)?;
        if first.id != id::BOF {
            return Err(SheetError::Damaged("a sheet has no beginning"));
        }
        let mut places = Vec::new();
        let (mut at, mut inner) = (first.next, 0_u32);
        loop {
            let found = record(records, at)?;
            match found.id {
                // Charts within the sheet have records of their own.
                id::BOF => inner += 1,
                id::EOF if inner == 0 => break,
                id::EOF => inner -= 1,
                id::FORMULA
                | id::MULRK
                | id::RSTRING
                | id::LABELSST
                | id::NUMBER
                | id::LABEL
                | id::BOOLERR
                | id::RK
                    if inner == 0 =>
                {
                    let (row, column) = (u16_at(found.data, 0)?, u16_at(found.data, 2)?);
                    let place = u32::try_from(at).map_err(|_| SheetError::TooLarge)?;
                    places.push((u32::from(row) << 16 | u32::from(column), place));
                }
                _ => {}
            }
            at = found.next;
        }
        places.sort_by_key(|(cell, _)| *cell);
        Ok(Self { book, places, row: Vec::new(), bytes: 0 })
    }

    /// Hands on the rows that have a text, until `each` needs no more.
    pub(super) fn rows(
        mut self,
        mut each: impl FnMut(SheetRow<'_>) -> ControlFlow<()>,
    ) -> Result<(), SheetError> {
        let places = std::mem::take(&mut self.places);
        for of_row in places.chunk_by(|(one, _), (other, _)| one >> 16 == other >> 16) {
            let number = u64::from(of_row[0].0 >> 16) + 1;
            self.row.clear();
            for (_, place) in of_row {
                self.take(*place as usize, number)?;
            }
            let filled = self.row.iter().rposition(|cell| !cell.trim().is_empty());
            if let Some(last) = filled {
                let row = SheetRow { number, cells: &self.row[..=last] };
                if each(row).is_break() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Adds the cells of a record to the row.
    fn take(&mut self, place: usize, number: u64) -> Result<(), SheetError> {
        let refuse = |reason: &str| SheetError::Cell { row: number, reason: reason.to_owned() };
        let unreadable = || refuse("a number can't be read");
        let book = self.book;
        let found = record(&book.records, place)?;
        let data = found.data;
        let column = u16_at(data, 2)?;
        let style = u16_at(data, 4)?;
        let text = match found.id {
            id::MULRK => {
                let cells = data.get(4..data.len().saturating_sub(2)).unwrap_or_default();
                for (at, cell) in cells.chunks_exact(6).enumerate() {
                    let column = column.saturating_add(u16::try_from(at).unwrap_or(u16::MAX));
                    let text =
                        book.rk(u32_at(cell, 2)?, u16_at(cell, 0)?).ok_or_else(unreadable)?;
                    self.set(column, text, number)?;
                }
                return Ok(());
            }
            id::RK => book.rk(u32_at(data, 6)?, style).ok_or_else(unreadable)?,
            id::NUMBER => book.number(bits_at(data, 6)?, style).ok_or_else(unreadable)?,
            id::LABELSST => {
                let text = book.shared.get(u32_at(data, 6)? as usize);
                let text =
                    text.ok_or_else(|| refuse("a cell points to a text that isn't there"))?;
                of_text(text.to_owned())
            }
            id::BOOLERR => truth_or_error(&[data.get(6..8).unwrap_or_default()].concat()),
            id::FORMULA => match (u16_at(data, 12)?, data.get(6)) {
                (0xFFFF, Some(0)) => of_text(self.computed_text(found.next)?),
                (0xFFFF, Some(1)) => truth_or_error(&[data[8], 0]),
                (0xFFFF, Some(2)) => truth_or_error(&[data[8], 1]),
                (0xFFFF, _) => String::new(),
                _ => book.number(bits_at(data, 6)?, style).ok_or_else(unreadable)?,
            },
            _ => of_text(self.long_text(data.get(6..).unwrap_or_default(), found.next)?),
        };
        self.set(column, text, number)
    }

    /// The text that a formula came to, in the record behind it or behind what it shares.
    fn computed_text(&self, mut at: usize) -> Result<String, SheetError> {
        // An array or a shared formula may stand between.
        for _ in 0..3 {
            let Record { id, data, next } = record(&self.book.records, at)?;
            if id == id::STRING {
                return self.long_text(data, next);
            }
            at = next;
        }
        Err(SheetError::Damaged("the text of a formula isn't there"))
    }

    /// A text in a record and in those that continue it.
    fn long_text(&self, first: &'b [u8], mut next: usize) -> Result<String, SheetError> {
        let mut segments = vec![first];
        while let Ok(Record { id: id::CONTINUE, data, next: after }) =
            record(&self.book.records, next)
        {
            segments.push(data);
            next = after;
        }
        let mut text = String::new();
        let read = Segments::new(segments).text(2, &mut text);
        read.map(|()| text).ok_or(SheetError::Damaged("a text is cut off"))
    }

    fn set(&mut self, column: u16, text: String, number: u64) -> Result<(), SheetError> {
        let column = usize::from(column);
        self.bytes += text.len() as u64;
        if self.bytes > SHEET_TEXT_BYTES_MAX {
            return Err(SheetError::Cell { row: number, reason: TOO_MUCH_TEXT.to_owned() });
        }
        // The format has 256 columns.
        if column > 255 {
            let reason = "it has more columns than a sheet can have".to_owned();
            return Err(SheetError::Cell { row: number, reason });
        }
        if self.row.len() <= column {
            self.row.resize(column + 1, String::new());
        }
        self.row[column] = text;
        Ok(())
    }
}

fn bits_at(data: &[u8], at: usize) -> Result<u64, SheetError> {
    Ok(u64::from(u32_at(data, at)?) | u64::from(u32_at(data, at + 4)?) << 32)
}

/// A truth value, or the error that programs show for a number.
fn truth_or_error(value: &[u8]) -> String {
    match value {
        [0, 0] => "FALSE",
        [_, 0] => "TRUE",
        [0x00, _] => "#NULL!",
        [0x07, _] => "#DIV/0!",
        [0x0F, _] => "#VALUE!",
        [0x17, _] => "#REF!",
        [0x1D, _] => "#NAME?",
        [0x24, _] => "#NUM!",
        _ => "#N/A",
    }
    .to_owned()
}

impl Xls {
    fn number(&self, bits: u64, style: u16) -> Option<String> {
        self.shown(&double(bits)?, style)
    }

    fn shown(&self, text: &str, style: u16) -> Option<String> {
        let shows = self.styles.get(usize::from(style)).copied().unwrap_or(Shows::Number);
        moment(text, shows, self.since_1904).or_else(|| plain(text))
    }

    /// A number in 30 bits: an integer or the first bits of a double, perhaps to be divided by 100.
    fn rk(&self, rk: u32, style: u16) -> Option<String> {
        let text = if rk & 2 != 0 {
            // The sign is kept: the two lowest bits are no part of the number.
            i32::from_le_bytes(rk.to_le_bytes()).div_euclid(4).to_string()
        } else {
            double(u64::from(rk & !3) << 32)?
        };
        let text = if rk & 1 != 0 { format!("{text}E-2") } else { text };
        self.shown(&text, style)
    }
}
