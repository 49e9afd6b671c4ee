//! CSV: records, their places in the file, and the file's dialect.
//!
//! * [`reader`]: a streaming reader of records over UTF-8.
//! * [`dialect`]: the separator, the header, and the lines before it.
//! * [`index`]: where every 64th row starts, so that a page is read without what precedes it.

pub mod dialect;
pub mod index;
pub mod reader;

pub use dialect::{Dialect, HEADER_BYTES, sniff};
pub use index::{IndexBuilder, OffsetIndex};
pub(crate) use reader::count_line_ends;
pub use reader::{ReadError, Reader, Record};
