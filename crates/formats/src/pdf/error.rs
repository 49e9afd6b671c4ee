//! Why a document can't be read.

use super::limits::{
    DOCUMENT_BYTES_MAX, OBJECTS_MAX, PAGES_MAX, SCAN_WIDTH_MIN, SCANNED_PAGES_MAX,
};

/// Why a document isn't read. Each is a sentence without a full stop.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PdfError {
    /// Larger than any statement.
    #[error("The document has more than {} MiB", DOCUMENT_BYTES_MAX / 1024 / 1024)]
    TooLarge,
    /// The first bytes are those of something else.
    #[error("The file is no PDF document")]
    NotAPdf,
    /// A password is needed before anything can be read.
    #[error("The document is protected with a password, which is missing")]
    Encrypted,
    /// The password that was sent isn't the document's.
    #[error("The password is not that of the document")]
    WrongPassword,
    /// Certificates, or a cipher that nobody knows.
    #[error(
        "The document is encrypted in a way that isn't read: save a copy without protection and \
         send that"
    )]
    UnknownEncryption,
    /// What a page needs isn't there, or isn't what it should be.
    #[error("The document is damaged: {0}")]
    Damaged(&'static str),
    /// A way of compressing that isn't for texts, or that nobody uses.
    #[error("The document has text that is stored in a way that isn't read")]
    UnknownFilter,
    /// More pages than are read.
    #[error("The document has more than {PAGES_MAX} pages")]
    TooManyPages,
    /// More objects than are read.
    #[error("The document has more than {OBJECTS_MAX} objects")]
    TooManyObjects,
    /// More work than any statement is.
    #[error("The document is too complex to be read")]
    TooComplex,
    /// Pictures of pages, as a scanner makes them.
    #[error(
        "The document has no text, only pictures of it, as a scan has: \
         download the statement from the bank as PDF or CSV, or have tesseract installed on the \
         server"
    )]
    NoText,
    /// Neither text nor pictures that could be pages.
    #[error(
        "The document has no text and no pictures of pages: download the statement from the bank \
         as PDF or CSV"
    )]
    NoPictures,
    /// A picture of a page that is stored in a way that isn't read.
    #[error(
        "The document has no text, only pictures of it that are stored in a way that isn't read: \
         download the statement from the bank as PDF or CSV, or scan it in grey"
    )]
    UnknownPicture,
    /// Nothing was recognised in pictures of pages.
    #[error("The document has no text, and no words were recognised in its pictures")]
    NoWords,
    /// Letters are drawn, but which ones isn't stated.
    #[error("The document doesn't state which letters it shows, so that its text can't be read")]
    UnknownLetters,
    /// More pictures of pages than are recognised.
    #[error("The document is a scan of more than {SCANNED_PAGES_MAX} pages: send it in parts")]
    TooManyScans,
    /// Words were recognised, but not so that they can be trusted.
    #[error("The document is a scan, and {0}: download the statement from the bank as PDF or CSV")]
    ScanNotProven(&'static str),
    /// A picture of a page has too few dots to distinguish its letters.
    #[error(
        "The document is a scan with a picture of fewer than {SCAN_WIDTH_MIN} dots across: scan it \
         with 300 dots an inch, or download the statement from the bank as PDF or CSV"
    )]
    TooCoarse,
    /// The program that recognises words ended without a result.
    #[error(
        "The document is a scan, and its words could not be recognised within the limits of the \
         server, or tesseract lacks its data for English: scan it in grey with 300 dots an inch, \
         or download the statement from the bank as PDF or CSV"
    )]
    NotRecognised,
    /// Some pages are pictures, and what the others have doesn't prove itself. The text names them.
    #[error(
        "{0}, and nothing proves that no rows are there: download the statement from the bank as PDF \
         or CSV, or send a copy without these pages if they have no rows"
    )]
    PagesNotRead(String),
    /// Text, but no rows with days and amounts.
    #[error("No table with days and amounts was found in the document")]
    NoTable,
    /// The table has fewer lines.
    #[error("The document has no such row")]
    NoSuchLine,
    /// Statements of several accounts, of which nothing proves the rows.
    #[error(
        "The document has statements of several accounts, and nothing proves which of them each \
         row belongs to: send the statement of each account by itself"
    )]
    SeveralAccounts,
}

/// The result of reading something of a document.
pub(super) type Result<T> = std::result::Result<T, PdfError>;
