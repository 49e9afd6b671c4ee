//! The sheet of a spreadsheet that is read, as CSV: the one that was named, the only one with the
//! table, or the one that an earlier file of the kind had. Else it is a question.

use purser_core::error::{Error, Result};
use purser_core::import::settings::Settings;
use purser_formats::sheets::{SheetError, SheetTable, Workbook, find_table, survey};
use purser_store::files::{FileStore, io_failed};
use purser_store::{FamilyId, Store};

use super::decoded_file::{DecodedFile, Records, not_readable, rewound, write_file, written};

impl DecodedFile {
    /// Looks through the sheets, and reads the one with the table if it is certain.
    pub(super) fn look_for_table(
        &mut self,
        store: &Store,
        files: &FileStore,
        family: FamilyId,
        settings: &Settings,
    ) -> Result<()> {
        let source = rewound(&self.text, 0).map_err(io_failed)?;
        let mut book = Workbook::open(source).map_err(unreadable)?;
        let tables = survey(&mut book, self.kind, settings).map_err(unreadable)?;
        self.source.sheets = tables.iter().map(|table| table.sheet.clone()).collect();
        match find_table(&tables, settings.sheet.as_deref()) {
            Ok(table) => {
                let table = table.clone();
                self.read_sheet(store, files, family, &table)
            }
            Err(problem) => {
                self.problem = Some(problem);
                self.open_sheets = tables;
                Ok(())
            }
        }
    }

    /// Reads a sheet of those that are open.
    pub(super) fn read_sheet(
        &mut self,
        store: &Store,
        files: &FileStore,
        family: FamilyId,
        table: &SheetTable,
    ) -> Result<()> {
        let file = &self.text;
        let write = |doubtful: &[usize]| {
            let mut found = Vec::new();
            let records = write_file(store, files, family, |target| {
                let source = rewound(file, 0).map_err(io_failed)?;
                let mut book = Workbook::open(source).map_err(unreadable)?;
                found = book.write_sheet_with(table.at, doubtful, target).map_err(unreadable)?;
                Ok(())
            })?;
            Ok::<_, Error>((records, found))
        };
        let (mut records, doubtful) = write(&[])?;
        if !doubtful.is_empty() {
            (records, _) = write(&doubtful)?;
        }
        self.source.sheet = Some(table.sheet.name.clone());
        self.problem = None;
        self.open_sheets.clear();
        self.take(files, family, records)
    }

    /// Opens the content again if another sheet is wanted now, or if it still is a question.
    pub(super) fn with_sheet_of(
        mut self,
        store: &Store,
        files: &FileStore,
        family: FamilyId,
        (evidence, before, settings): (purser_core::ids::FileId, &Settings, &Settings),
    ) -> Result<Self> {
        if self.source.sheets.is_empty()
            || (self.source.sheet.is_some() && before.sheet == settings.sheet)
        {
            return Ok(self);
        }
        self.text = files.read(family, evidence)?;
        self.records = Records::Evidence;
        self.source.sheet = None;
        self.look_for_table(store, files, family, settings)?;
        Ok(self)
    }
}

fn unreadable(error: SheetError) -> Error {
    match error {
        SheetError::Io(error) if !is_of_content(&error) => written(error),
        error => not_readable(&error),
    }
}

/// Bytes that don't inflate are the archive's fault.
fn is_of_content(error: &std::io::Error) -> bool {
    use std::io::ErrorKind::{InvalidData, InvalidInput, UnexpectedEof};
    matches!(error.kind(), InvalidData | InvalidInput | UnexpectedEof)
}
