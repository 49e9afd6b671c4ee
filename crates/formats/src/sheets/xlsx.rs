//! Workbooks of Office Open XML (XLSX).

use std::io::{Read, Seek};
use std::ops::ControlFlow;

use purser_core::limits::CSV_COLUMNS_MAX;

use super::mixed::of_text;
use super::number::{Shows, moment, plain};
use super::parts::{Relationship, SharedTexts, each_start, relationships, styles};
use super::{
    NOT_COMPUTED, SHARED_BYTES_MAX, SHEET_BYTES_MAX, SHEET_ROWS_MAX, SHEET_TEXT_BYTES_MAX,
    SHEETS_MAX, Sheet, SheetError, SheetRow, TOO_MUCH_TEXT,
};
use crate::archive::Archive;
use crate::statements::markup::element::attribute;
use crate::statements::markup::{Strictness, Token, Tokens};

/// Bytes of the parts that describe a workbook.
const SMALL_PART_BYTES_MAX: u64 = 16 * 1024 * 1024;

/// What was read of a workbook besides its rows.
#[derive(Debug)]
pub(super) struct Xlsx {
    pub(super) sheets: Vec<Sheet>,
    since_1904: bool,
    styles: Vec<Shows>,
    shared: SharedTexts,
}

impl Xlsx {
    /// Reads what describes the sheets.
    pub(super) fn open<R: Read + Seek>(archive: &mut Archive<R>) -> Result<Self, SheetError> {
        let of_root = small(archive, "_rels/.rels", |part| relationships(part, ""))?;
        let main = of_root.iter().find(|it| it.kind == "officeDocument");
        let main = main.map_or("xl/workbook.xml".to_owned(), |it| it.target.clone());
        let (folder, file) = main.rsplit_once('/').unwrap_or(("", &main));
        let (folder, file) = (folder.to_owned(), file.to_owned());
        let rels = format!("{folder}/_rels/{file}.rels");
        let rels =
            small(archive, rels.trim_start_matches('/'), |part| relationships(part, &folder))?;
        let target =
            |kind: &str| rels.iter().find(|it| it.kind == kind).map(|it| it.target.clone());
        let mut since_1904 = false;
        let mut sheets = Vec::new();
        small(archive, &main, |part| {
            each_start(part, |name, attributes| {
                match name {
                    "workbookPr" => {
                        let since = attribute(attributes, "date1904");
                        since_1904 = matches!(since.as_deref(), Some("1" | "true"));
                    }
                    "sheet" => sheets.extend(sheet(attributes, &rels)),
                    _ => {}
                }
                if sheets.len() > SHEETS_MAX { Err(SheetError::TooLarge) } else { Ok(()) }
            })
        })?;
        let styles = match target("styles") {
            Some(part) => small(archive, &part, |part| styles(part))?,
            None => Vec::new(),
        };
        let shared = match target("sharedStrings") {
            Some(name) => {
                let part = archive.read(&name, 8 * SHARED_BYTES_MAX as u64)?;
                SharedTexts::read(part).map_err(|error| error.within(&name))?
            }
            None => SharedTexts::default(),
        };
        // Sheets that are looked at together are as large as one may be, also if they share a part.
        let size = |sheet: &Sheet| {
            let part = archive.parts().iter().find(|part| part.name == sheet.part);
            part.map_or(0, |part| part.size)
        };
        if sheets.iter().map(size).sum::<u64>() > SHEET_BYTES_MAX {
            return Err(SheetError::TooLarge);
        }
        Ok(Self { sheets, since_1904, styles, shared })
    }

    /// Hands on the rows of a sheet that have a text, until `each` needs no more.
    pub(super) fn rows<R: Read + Seek>(
        &self,
        archive: &mut Archive<R>,
        sheet: usize,
        mut each: impl FnMut(SheetRow<'_>) -> ControlFlow<()>,
    ) -> Result<(), SheetError> {
        let Some(Sheet { part: name, .. }) = self.sheets.get(sheet).cloned() else { return Ok(()) };
        let part = archive.read(&name, SHEET_BYTES_MAX)?;
        let mut tokens = Tokens::new(part, Strictness::Xml);
        let facts =
            Facts { since_1904: self.since_1904, styles: &self.styles, shared: &self.shared };
        let mut table = Table::default();
        loop {
            let token = tokens.next();
            let token = token.map_err(|error| SheetError::Part { part: name.clone(), error })?;
            match token {
                None => return Ok(()),
                Some(Token::Start { name, attributes }) => table.start(&name, attributes)?,
                Some(Token::Text(text)) => table.text(&text),
                Some(Token::End { name }) => {
                    if table.end(&name, &facts)? {
                        let (number, cells) = (table.row, &table.cells[..table.filled]);
                        if each(SheetRow { number, cells }).is_break() {
                            return Ok(());
                        }
                    }
                }
            }
        }
    }
}

fn small<R: Read + Seek, T>(
    archive: &mut Archive<R>,
    name: &str,
    read: impl FnOnce(&mut dyn Read) -> Result<T, super::parts::EachError>,
) -> Result<T, SheetError> {
    let mut part = archive.read(name, SMALL_PART_BYTES_MAX)?;
    read(&mut part).map_err(|error| error.within(name))
}

fn sheet(attributes: &str, relationships: &[Relationship]) -> Option<Sheet> {
    let id = attribute(attributes, "id")?;
    let its = relationships.iter().find(|it| it.id == id && it.kind == "worksheet")?;
    let state = attribute(attributes, "state").unwrap_or_default();
    Some(Sheet {
        name: attribute(attributes, "name").unwrap_or_default(),
        is_hidden: state.to_ascii_lowercase().contains("hidden"),
        part: its.target.clone(),
    })
}

/// What is the same for all cells of a workbook.
struct Facts<'w> {
    since_1904: bool,
    styles: &'w [Shows],
    shared: &'w SharedTexts,
}

/// The row that is being read.
#[derive(Default)]
struct Table {
    row: u64,
    cells: Vec<String>,
    /// How many of the cells are of this row, up to the last one with a text.
    filled: usize,
    column: usize,
    kind: String,
    style: usize,
    value: String,
    /// The cell has a formula, or a value that isn't blank.
    has_formula: bool,
    has_value: bool,
    /// Bytes of the texts of all rows up to now.
    bytes: u64,
    /// The text of the cell is in an element that is its value.
    is_in_value: bool,
    is_in_phonetic: bool,
}

impl Table {
    fn refuse(&self, reason: impl Into<String>) -> SheetError {
        SheetError::Cell { row: self.row, reason: reason.into() }
    }

    fn start(&mut self, name: &str, attributes: &str) -> Result<(), SheetError> {
        match name {
            "row" => {
                let before = self.row;
                let number = attribute(attributes, "r").map(|it| it.parse::<u64>());
                self.row = match number {
                    Some(number) => number.map_err(|_| self.refuse("its number can't be read"))?,
                    None => before + 1,
                };
                if self.row <= before || self.row > SHEET_ROWS_MAX {
                    return Err(self.refuse("its number doesn't follow from the one before"));
                }
                (self.filled, self.column) = (0, 0);
            }
            "c" => {
                if let Some(place) = attribute(attributes, "r") {
                    let column = column(&place)
                        .ok_or_else(|| self.refuse("a cell has a place that can't be read"))?;
                    if column < self.column {
                        return Err(self.refuse("its cells are not in the order of the columns"));
                    }
                    self.column = column;
                }
                self.kind = attribute(attributes, "t").unwrap_or_default();
                let style = attribute(attributes, "s").map_or(Ok(0), |it| it.parse());
                self.style = style.map_err(|_| self.refuse("a cell has no style"))?;
                self.value.clear();
                (self.has_formula, self.has_value) = (false, false);
            }
            "f" => self.has_formula = true,
            "v" | "t" => {
                self.is_in_value = !self.is_in_phonetic;
                self.has_value = true;
            }
            "rPh" => self.is_in_phonetic = true,
            _ => {}
        }
        Ok(())
    }

    fn text(&mut self, text: &str) {
        if self.is_in_value {
            self.value.push_str(text);
        }
    }

    /// Whether a row ended that has a text.
    fn end(&mut self, name: &str, facts: &Facts<'_>) -> Result<bool, SheetError> {
        match name {
            "v" | "t" => self.is_in_value = false,
            "rPh" => self.is_in_phonetic = false,
            "c" => {
                let text = self.cell(facts)?;
                if !text.trim().is_empty() {
                    self.set(text)?;
                }
                self.column += 1;
            }
            "row" => return Ok(self.filled > 0),
            _ => {}
        }
        Ok(false)
    }

    fn set(&mut self, text: String) -> Result<(), SheetError> {
        if self.column >= CSV_COLUMNS_MAX {
            return Err(self.refuse(format!("it has more than {CSV_COLUMNS_MAX} columns")));
        }
        if self.cells.len() <= self.column {
            self.cells.resize(self.column + 1, String::new());
        }
        self.bytes += text.len() as u64;
        if self.bytes > SHEET_TEXT_BYTES_MAX {
            return Err(self.refuse(TOO_MUCH_TEXT));
        }
        self.cells[self.filled..self.column].iter_mut().for_each(String::clear);
        self.cells[self.column] = text;
        self.filled = self.column + 1;
        Ok(())
    }

    fn cell(&self, facts: &Facts<'_>) -> Result<String, SheetError> {
        let value = self.value.as_str();
        if self.has_formula && !self.has_value {
            return Ok(NOT_COMPUTED.to_owned());
        }
        Ok(match self.kind.as_str() {
            "s" => of_text({
                let text = value.trim().parse().ok().and_then(|at| facts.shared.get(at));
                text.ok_or_else(|| self.refuse("a cell points to a text that isn't there"))?
                    .to_owned()
            }),
            "inlineStr" | "str" => of_text(value.to_owned()),
            "e" | "d" => value.to_owned(),
            "b" => if value.trim() == "1" { "TRUE" } else { "FALSE" }.to_owned(),
            "" | "n" if value.trim().is_empty() => String::new(),
            "" | "n" => {
                let shows = facts.styles.get(self.style).copied().unwrap_or(Shows::Number);
                let text = moment(value, shows, facts.since_1904).or_else(|| plain(value));
                text.ok_or_else(|| self.refuse("a number can't be read"))?
            }
            _ => return Err(self.refuse("a cell has a type that isn't read")),
        })
    }
}

/// The column of a place such as `AB12`, from 0.
fn column(place: &str) -> Option<usize> {
    let letters = place.bytes().take_while(u8::is_ascii_alphabetic).count();
    if !(1..=3).contains(&letters) {
        return None;
    }
    let number = place.bytes().take(letters).fold(0, |number, letter| {
        number * 26 + usize::from(letter.to_ascii_uppercase() - b'A') + 1
    });
    number.checked_sub(1)
}
