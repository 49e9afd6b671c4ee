//! Workbooks of Excel 97 to 2003 (XLS): records of BIFF8 in a compound file.
//!
//! Numbers are doubles or shortened ones (`RK`); their decimal digits are found with integers, see
//! [`super::number::double`]. A formula is the value that was computed last.

mod cells;
mod compound;
mod texts;

use std::io::{Read, Seek};
use std::ops::ControlFlow;

use super::number::{Shows, shows, shows_builtin};
use super::parts::SharedTexts;
use super::{SHEETS_MAX, Sheet, SheetError, SheetRow};
use cells::Cells;
use compound::Compound;
pub(super) use compound::SIGNATURE;

/// Records that are read, by their numbers.
mod id {
    pub(super) const FORMULA: u16 = 0x06;
    pub(super) const EOF: u16 = 0x0A;
    pub(super) const DATEMODE: u16 = 0x22;
    pub(super) const FILEPASS: u16 = 0x2F;
    pub(super) const CONTINUE: u16 = 0x3C;
    pub(super) const BOUNDSHEET: u16 = 0x85;
    pub(super) const MULRK: u16 = 0xBD;
    pub(super) const RSTRING: u16 = 0xD6;
    pub(super) const XF: u16 = 0xE0;
    pub(super) const SST: u16 = 0xFC;
    pub(super) const LABELSST: u16 = 0xFD;
    pub(super) const NUMBER: u16 = 0x203;
    pub(super) const LABEL: u16 = 0x204;
    pub(super) const BOOLERR: u16 = 0x205;
    pub(super) const STRING: u16 = 0x207;
    pub(super) const RK: u16 = 0x27E;
    pub(super) const FORMAT: u16 = 0x41E;
    pub(super) const BOF: u16 = 0x809;
}

/// The version of BIFF that is read.
const BIFF8: u16 = 0x600;

/// What was read of a workbook besides its rows.
#[derive(Debug)]
pub(super) struct Xls {
    pub(super) sheets: Vec<Sheet>,
    /// Where the records of each sheet begin.
    starts: Vec<usize>,
    since_1904: bool,
    styles: Vec<Shows>,
    shared: SharedTexts,
    records: Vec<u8>,
}

/// A record, and the place behind it.
struct Record<'b> {
    id: u16,
    data: &'b [u8],
    next: usize,
}

fn record(bytes: &[u8], at: usize) -> Result<Record<'_>, SheetError> {
    let cut = || SheetError::Damaged("its records are cut off");
    let head = bytes.get(at..at + 4).ok_or_else(cut)?;
    let length = usize::from(u16::from_le_bytes([head[2], head[3]]));
    let next = at + 4 + length;
    let data = bytes.get(at + 4..next).ok_or_else(cut)?;
    Ok(Record { id: u16::from_le_bytes([head[0], head[1]]), data, next })
}

fn u16_at(data: &[u8], at: usize) -> Result<u16, SheetError> {
    let two = data.get(at..at + 2).and_then(|two| two.try_into().ok());
    two.map(u16::from_le_bytes).ok_or(SheetError::Damaged("a record is too short"))
}

fn u32_at(data: &[u8], at: usize) -> Result<u32, SheetError> {
    let four = data.get(at..at + 4).and_then(|four| four.try_into().ok());
    four.map(u32::from_le_bytes).ok_or(SheetError::Damaged("a record is too short"))
}

impl Xls {
    /// Reads what describes the sheets.
    pub(super) fn open(source: impl Read + Seek) -> Result<Self, SheetError> {
        let file = Compound::open(source)?;
        let Some(records) = file.stream("Workbook")? else {
            return Err(match (file.stream("EncryptedPackage")?, file.stream("Book")?) {
                (Some(_), _) => SheetError::Encrypted,
                (_, Some(_)) => SheetError::TooOld,
                _ => SheetError::NotAWorkbook,
            });
        };
        drop(file);
        let mut globals = Globals::default();
        let mut at = 0;
        loop {
            let found = record(&records, at)?;
            if found.id == id::EOF {
                break;
            }
            at = globals.take(&records, &found, at == 0)?;
        }
        let Globals { sheets, starts, since_1904, formats, styles, shared } = globals;
        let shows_of = |format: &u16| {
            let own = formats.iter().find(|(id, _)| id == format).map(|(_, shows)| *shows);
            own.unwrap_or_else(|| shows_builtin(u32::from(*format)))
        };
        let styles = styles.iter().map(shows_of).collect();
        Ok(Self { sheets, starts, since_1904, styles, shared, records })
    }

    /// Hands on the rows of a sheet that have a text, until `each` needs no more.
    pub(super) fn rows(
        &self,
        sheet: usize,
        each: impl FnMut(SheetRow<'_>) -> ControlFlow<()>,
    ) -> Result<(), SheetError> {
        let Some(start) = self.starts.get(sheet).copied() else { return Ok(()) };
        Cells::new(self, start)?.rows(each)
    }
}

/// The first records of a workbook while they are read.
#[derive(Default)]
struct Globals {
    sheets: Vec<Sheet>,
    starts: Vec<usize>,
    since_1904: bool,
    formats: Vec<(u16, Shows)>,
    /// The format of each style.
    styles: Vec<u16>,
    shared: SharedTexts,
}

impl Globals {
    /// The place of the next record.
    fn take(
        &mut self,
        records: &[u8],
        found: &Record<'_>,
        is_first: bool,
    ) -> Result<usize, SheetError> {
        let text = |bytes, count_bytes| {
            texts::text(bytes, count_bytes).ok_or(SheetError::Damaged("a text is cut off"))
        };
        match found.id {
            id::BOF if u16_at(found.data, 0)? != BIFF8 => return Err(SheetError::TooOld),
            id::BOF => {}
            _ if is_first => return Err(SheetError::NotAWorkbook),
            id::FILEPASS => return Err(SheetError::Encrypted),
            id::DATEMODE => self.since_1904 = u16_at(found.data, 0)? == 1,
            id::FORMAT => {
                let code = text(found.data.get(2..).unwrap_or_default(), 2)?;
                self.formats.push((u16_at(found.data, 0)?, shows(&code)));
            }
            id::XF => self.styles.push(u16_at(found.data, 2)?),
            // Only sheets with cells; the others are charts and macros.
            id::BOUNDSHEET if found.data.get(5) == Some(&0) => {
                let start = u32_at(found.data, 0)? as usize;
                let is_hidden = found.data.get(4).is_some_and(|state| state & 3 != 0);
                let name = text(found.data.get(6..).unwrap_or_default(), 1)?;
                self.sheets.push(Sheet { name, is_hidden, part: String::new() });
                self.starts.push(start);
            }
            id::SST => {
                let mut segments = vec![found.data];
                let mut next = found.next;
                loop {
                    let more = record(records, next)?;
                    if more.id != id::CONTINUE {
                        break;
                    }
                    segments.push(more.data);
                    next = more.next;
                }
                self.shared = texts::shared(segments)?;
                return Ok(next);
            }
            _ => {}
        }
        if self.sheets.len() > SHEETS_MAX
            || self.styles.len().max(self.formats.len()) > 100 * SHEETS_MAX
        {
            return Err(SheetError::TooLarge);
        }
        Ok(found.next)
    }
}
