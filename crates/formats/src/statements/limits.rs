//! Every limit of the readers of statements. Units are in the names.

/// One text, tag, comment or field of a file, as it stands there.
pub const TOKEN_BYTES_MAX: usize = 256 * 1024;
/// Elements that are open at once.
pub const ELEMENTS_NESTED_MAX: usize = 64;
/// All that is kept of one entry at a time, but for the parts of a batch.
pub const ENTRY_BYTES_MAX: usize = 512 * 1024;
/// Elements of one entry, but for the parts of a batch.
pub const ENTRY_ELEMENTS_MAX: usize = 10_000;
/// Items of one OFX aggregate, such as a transaction: those of real ones are fewer than 50.
pub const OFX_ITEMS_MAX: usize = 500;
/// Parts of a batch that are kept; of more, the entry is read without the rest.
pub const ENTRY_DETAILS_MAX: usize = 10_000;
/// Bytes of all parts of a batch that are kept.
pub const ENTRY_DETAILS_BYTES_MAX: usize = 8 * 1024 * 1024;
/// Texts of what a payer wrote that are kept of one entry or part.
pub const REMITTANCE_TEXTS_MAX: usize = 100;
/// Statements of a file.
pub const STATEMENTS_MAX: u64 = 100_000;
/// Positions of a file of investments.
pub const POSITIONS_MAX: usize = 10_000;
/// Balances, and totals, of one statement that are kept.
pub const STATEMENT_FACTS_MAX: usize = 1_000;
/// Problems of one statement that are kept with their reasons.
pub const STATEMENT_PROBLEMS_MAX: usize = 20;
/// Currencies of the entries of one statement of which sums are kept.
pub const CURRENCIES_MAX: usize = 50;
/// Identifiers of entries of one statement that are compared; those of later ones aren't.
pub const REFERENCES_COMPARED_MAX: usize = 500_000;
