//! Why a file isn't read to its end.

use std::io;

use super::limits::{
    ELEMENTS_NESTED_MAX, ENTRY_BYTES_MAX, ENTRY_ELEMENTS_MAX, OFX_ITEMS_MAX, STATEMENTS_MAX,
    TOKEN_BYTES_MAX,
};
use super::model::Location;

/// Why reading ended before the end of the file. What was delivered before is not a whole file.
#[derive(Debug, thiserror::Error)]
pub enum StatementError {
    /// Reading the source failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file is broken, hostile, or not of the format.
    #[error("Line {}: {refusal}", location.line)]
    Refused {
        /// The place at which reading ended.
        location: Location,
        /// The reason for it.
        refusal: Refusal,
    },
}

/// Why a file is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The caller hands on text; this isn't any.
    #[error("The text is not valid UTF-8")]
    NotUtf8,
    /// A tag, a text or a field is larger than any of a bank.
    #[error("A tag, a text or a field is longer than {TOKEN_BYTES_MAX} bytes")]
    TokenTooLong,
    /// Elements in elements in elements.
    #[error("More than {ELEMENTS_NESTED_MAX} elements are nested")]
    TooDeep,
    /// One entry is larger than any of a bank.
    #[error("An entry has more than {ENTRY_BYTES_MAX} bytes or {ENTRY_ELEMENTS_MAX} elements")]
    EntryTooLarge,
    /// An aggregate of OFX isn't closed, or has more in it than any of a bank.
    #[error("{name} has more than {OFX_ITEMS_MAX} items")]
    TooManyItems {
        /// The name of the aggregate.
        name: String,
    },
    /// More statements than a file of a bank has.
    #[error("The file has more than {STATEMENTS_MAX} statements")]
    TooManyStatements,
    /// Declarations could define entities that expand without end, or point to other files.
    #[error("The file has a document type declaration, which isn't read")]
    DocumentType,
    /// An entity that only a declaration could define.
    #[error("The entity &{name}; is not known")]
    UnknownEntity {
        /// The name without its signs.
        name: String,
    },
    /// `<` without a tag behind it.
    #[error("A tag can't be read")]
    BadTag,
    /// An element is closed by the tag of another one.
    #[error("</{closed}> stands where </{open}> should be")]
    TagMismatch {
        /// The innermost open element.
        open: String,
        /// The element of the tag.
        closed: String,
    },
    /// An element is closed that isn't open.
    #[error("</{closed}> stands where no element is open")]
    NothingOpen {
        /// The element of the tag.
        closed: String,
    },
    /// The file ends within something.
    #[error("The file is cut off: {what} has no end")]
    CutOff {
        /// The file ends within a tag or an element.
        what: String,
    },
    /// Text or a second document behind the end.
    #[error("Something follows after the end of the document")]
    AfterTheEnd,
    /// An entry of which nobody knows the account would be lost.
    #[error("An entry stands outside of any statement")]
    EntryOutside,
    /// Nothing of it is a statement.
    #[error("The file has no statement of an account")]
    NoStatement,
}

/// How a reader ends early.
#[derive(Debug)]
pub(crate) enum Halt {
    /// The caller needs no more.
    Stopped,
    /// The file can't be read to its end.
    Failed(StatementError),
}

impl From<StatementError> for Halt {
    fn from(error: StatementError) -> Self {
        Self::Failed(error)
    }
}

impl From<io::Error> for Halt {
    fn from(error: io::Error) -> Self {
        Self::Failed(error.into())
    }
}
