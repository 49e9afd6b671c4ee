//! What a person must decide before a stored import can be read, with rows of its file.

use purser_core::error::Result;
use purser_core::import::layout::Layout;
use purser_core::import::questions::{Question, questions};
use purser_store::FamilyTx;
use purser_store::files::FileStore;
use purser_store::imports::Import;

use super::reading::InterpretationContext;
use super::sample;

/// Records among which those are looked for that the answers read differently.
pub(super) const RECORDS_SEARCHED: usize = 200;

/// The questions about an import that is stored; none if its rows can be read.
pub fn of_import(
    tx: &mut FamilyTx<'_>,
    files: &FileStore,
    import: &Import,
    layout: &Layout,
) -> Result<Vec<Question>> {
    if layout.is_readable() {
        return Ok(Vec::new());
    }
    let records = sample::records(tx, files, import, layout, RECORDS_SEARCHED)?;
    let context = InterpretationContext::of_import(tx, import, layout)?;
    Ok(questions(layout, context.row_context(None), &records))
}
