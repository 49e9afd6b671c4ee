//! Pictures of the pages of documents that are imports: what was read of them, where it was read.

use std::io::{self, BufReader, Write};

use purser_core::error::{Error, Result};
use purser_core::ids::{FileId, ImportId};
use purser_core::import::import_type::ImportType;
use purser_formats::pdf;
pub use purser_formats::pdf::{PageRows, PictureOf};
use purser_store::files::io_failed;
use purser_store::imports::{self, Import};
use purser_store::shares::Holder;
use purser_store::{Access, FamilyTx};

use super::decoded_file::written;
use super::{get, pdf_process};
use crate::App;
use crate::blocking::blocking;

/// Bytes of a picture at most; a page of a statement has a thirtieth of it.
const PICTURE_BYTES_MAX: usize = 4 * 1024 * 1024;

/// What pictures are made of.
enum Basis {
    /// The pages as they were read.
    Pages(FileId),
    /// The document of an import that an earlier version read.
    Document(FileId),
}

/// Draws a page of an import's document as it was read, as SVG.
///
/// # Errors
/// The import is no document, or has no such page or line. Of imports that an earlier version has
/// read, only the page of a line can be drawn, unless the document is protected with a password.
pub async fn draw(app: &App, access: Access, id: ImportId, shown: PictureOf) -> Result<Vec<u8>> {
    let (family, holder) = (access.family(), Holder::from(&access));
    let basis = app.store.read(access, move |tx| basis_of(tx, id)).await?;
    let files = app.files.clone();
    let reading = app.readings.take(holder, 1).await?;
    blocking(move || {
        let _reading = reading;
        let mut picture = Picture(Vec::new());
        match (basis, &shown) {
            (Basis::Pages(file), _) => {
                let pages = BufReader::new(files.read(family, file)?);
                if !pdf::draw(pages, &shown, &mut picture).map_err(written)? {
                    return Err(Error::NotFound { what: "Page" });
                }
            }
            (Basis::Document(file), PictureOf::Lines(lines)) => {
                let line = lines.first().copied().unwrap_or_default();
                pdf_process::draw(&files.read(family, file)?, line, &mut picture)?;
            }
            (Basis::Document(_), PictureOf::Page(_)) => {
                return Err(Error::NotFound { what: "Page" });
            }
        }
        Ok(picture.0)
    })
    .await
}

/// The pages of an import's document, with the lines of its table that were made of each; none of
/// what is no document, or was read by an earlier version.
///
/// # Errors
/// There is no such import.
pub async fn pages(app: &App, access: Access, id: ImportId) -> Result<Vec<PageRows>> {
    let (family, holder) = (access.family(), Holder::from(&access));
    let Some(file) = app.store.read(access, move |tx| imports::pages_file(tx, id)).await? else {
        return Ok(Vec::new());
    };
    let files = app.files.clone();
    let reading = app.readings.take(holder, 1).await?;
    blocking(move || {
        let _reading = reading;
        let pages = BufReader::new(files.read(family, file)?);
        pdf::rows_of_pages(pages).map_err(io_failed)
    })
    .await
}

fn basis_of(tx: &mut FamilyTx<'_>, id: ImportId) -> Result<Basis> {
    let Import { file, import_type, .. } = get(tx, id)?;
    let pages = imports::pages_file(tx, id)?.map(Basis::Pages);
    let document = file.filter(|_| import_type == ImportType::Pdf).map(Basis::Document);
    pages.or(document).ok_or(Error::NotFound { what: "Document" })
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
