//! Pictures of the pages of documents that are imports: what was read of them, where it was read.

use std::io::{self, Write};

use purser_core::error::{Error, Result};
use purser_core::ids::ImportId;
use purser_core::import::import_type::ImportType;
use purser_store::Access;
use purser_store::shares::Holder;

use super::{get, pdf_process};
use crate::App;
use crate::blocking::blocking;

/// Bytes of a picture at most; a page of a statement has a thirtieth of it.
const PICTURE_BYTES_MAX: usize = 4 * 1024 * 1024;

/// Draws the page of an import's document that a line of its table was made of, as SVG with the
/// lines of that row marked. The document is read again, in a process of its own.
///
/// # Errors
/// The import is no document, has no such line, or its document is protected with a password, which
/// nobody keeps.
pub async fn of_line(app: &App, access: Access, id: ImportId, line: u64) -> Result<Vec<u8>> {
    let family = access.family();
    let import = app.store.read(access.clone(), move |tx| get(tx, id)).await?;
    let file = import.file.filter(|_| import.import_type == ImportType::Pdf);
    let file = file.ok_or(Error::NotFound { what: "Document" })?;
    let files = app.files.clone();
    let reading = app.readings.take(Holder::from(&access), 1).await?;
    blocking(move || {
        let _reading = reading;
        let document = files.read(family, file)?;
        let mut picture = Picture(Vec::new());
        pdf_process::draw(&document, line, &mut picture)?;
        Ok(picture.0)
    })
    .await
}

/// A picture, as long as it isn't too large.
struct Picture(Vec<u8>);

impl Write for Picture {
    fn write(&mut self, part: &[u8]) -> io::Result<usize> {
        if self.0.len() + part.len() > PICTURE_BYTES_MAX {
            return Err(io::Error::other(Error::invalid("the page has too much on it")));
        }
        self.0.extend_from_slice(part);
        Ok(part.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
