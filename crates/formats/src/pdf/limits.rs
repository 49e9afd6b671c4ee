//! Every limit of the reader of PDF documents. Units are in the names.

/// Bytes of a document.
pub const DOCUMENT_BYTES_MAX: usize = 25 * 1024 * 1024;
/// Pages that are read; a statement of a year has some dozens.
pub const PAGES_MAX: usize = 1_000;
/// Objects of a document.
pub const OBJECTS_MAX: usize = 500_000;
/// Arrays and dictionaries in each other, and forms drawn by forms.
pub const NESTED_MAX: usize = 32;
/// Bytes of one stream after it was inflated.
pub const STREAM_BYTES_MAX: usize = 64 * 1024 * 1024;
/// Letters of one page.
pub const PAGE_GLYPHS_MAX: usize = 200_000;
/// Letters of all pages.
pub const GLYPHS_MAX: usize = 4_000_000;
/// Pictures of pages without text in which words are recognised.
pub const SCANNED_PAGES_MAX: usize = 20;
/// The width of a picture of a page in pixels at least: A4 at 150 dots an inch has 1,240.
pub const SCAN_WIDTH_MIN: u32 = 1_200;
/// Pixels of a picture: a page at 600 dots an inch.
pub const PIXELS_MAX: u64 = 40_000_000;
/// Bytes of the words that are recognised in a picture.
pub const WORDS_BYTES_MAX: u64 = 1024 * 1024;
/// Bytes of a page as it was read, in the file of pages.
pub const PAGE_BYTES_MAX: u64 = 16 * 1024 * 1024;
/// Fonts that are kept at once.
pub const FONTS_MAX: usize = 2_000;
/// Steps of reading: bytes that are inflated, operators, letters. It bounds the time.
pub const WORK_MAX: u64 = 600_000_000;
