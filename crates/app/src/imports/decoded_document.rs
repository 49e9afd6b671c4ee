//! Documents and archives of statements that become a table, with what they state about themselves.

use purser_core::error::Result;
use purser_core::import::source_file::SourceFile;
use purser_store::files::FileStore;
use purser_store::{FamilyId, Store};

use super::decoded_file::{DecodedFile, Evidence, write_file};
use super::pdf_process::{self, DocumentFacts, Input};
use super::statement_tables;

impl DecodedFile {
    /// Reads a document, and keeps its pages.
    pub(super) fn take_document(
        &mut self,
        store: &Store,
        files: &FileStore,
        family: FamilyId,
        Evidence { password, words, .. }: Evidence<'_>,
    ) -> Result<()> {
        let document = &self.text;
        let input = words.map_or(Input::Document(document, password), Input::Words);
        let mut found = (DocumentFacts::default(), None);
        let table = write_file(store, files, family, |table| {
            let pages = write_file(store, files, family, |pages| {
                found.0 = pdf_process::read(input, table, pages)?;
                Ok(())
            })?;
            found.1 = Some(pages);
            Ok(())
        })?;
        let (facts, pages) = found;
        self.source.unproven = facts.unproven();
        self.source.unstated_ends = facts.unstated_ends;
        self.statements = Some(facts.statements);
        self.pages = pages;
        self.take(files, family, table)
    }

    /// Reads the statements of an archive.
    pub(super) fn take_archived_statements(
        &mut self,
        store: &Store,
        files: &FileStore,
        family: FamilyId,
    ) -> Result<()> {
        let text = &self.text;
        let mut found = (SourceFile::default(), Vec::new());
        let records = write_file(store, files, family, |target| {
            found = statement_tables::write_archived(text, target)?;
            Ok(())
        })?;
        let (source, statements) = found;
        self.source = source;
        self.statements = Some(statements);
        self.take(files, family, records)
    }
}
