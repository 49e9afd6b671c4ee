//! Every limit of the domain, in one place. Units are in the names.

/// A CSV file or inline content, unless the operator raises it. Equal is accepted.
pub const CSV_BYTES_MAX: u64 = 10 * 1024 * 1024;
/// Columns of a CSV record; more make the record invalid.
pub const CSV_COLUMNS_MAX: usize = 512;
/// One CSV record, quotes included; a longer one ends the reading with an error.
pub const CSV_RECORD_BYTES_MAX: usize = 256 * 1024;
/// Characters of a transaction's name; a longer one makes the row invalid.
pub const NAME_CHARS_MAX: usize = 500;
/// Characters of the notes of an entry.
pub const NOTES_CHARS_MAX: usize = 10_000;
/// Characters of the name of a category, a tag, an account.
pub const LABEL_CHARS_MAX: usize = 200;
/// Characters of the name of an icon.
pub const ICON_CHARS_MAX: usize = 60;
/// Tags of one row.
pub const ROW_TAGS_MAX: usize = 50;
/// The number of reasons that are reported for one invalid row.
pub const ROW_REASONS_MAX: usize = 10;
/// Headers that a message lists.
pub const HEADERS_LISTED_MAX: usize = 30;
/// Characters of a header that are kept with an import.
pub const HEADER_CHARS_MAX: usize = 200;
/// Rows of an import of which the rows are judged together.
pub const IMPORT_WHOLE_ROWS_MAX: usize = 10_000;
/// Distinct categories, tags and accounts that one import may name.
pub const IMPORT_MAPPINGS_MAX: usize = 10_000;
/// Rows of one import that a person corrected or chose for.
pub const IMPORT_ROW_EDITS_MAX: usize = 2_000;
/// Characters of all corrected cells of a row.
pub const ROW_EDIT_CHARS_MAX: usize = 20_000;
/// Characters of a template's name.
pub const TEMPLATE_NAME_CHARS_MAX: usize = 100;
/// Choices for names that a template keeps.
pub const TEMPLATE_CHOICES_MAX: usize = 1_000;
/// The first findings that an import keeps for its error messages.
pub const IMPORT_FINDINGS_MAX: usize = 20;
/// Reasons for which rows of a file are left out that are counted apart.
pub const LEFT_OUT_REASONS_MAX: usize = 20;
/// Values that a filter of rows may have.
pub const ROW_FILTER_VALUES_MAX: usize = 100;
/// Rows with a balance that doesn't follow from the row before. A file with more of them is asked
/// about as a whole.
pub const BALANCE_BREAKS_MAX: usize = 100;
/// Accounts of a file for which the balances before and after the file are kept.
pub const BALANCE_ENDS_MAX: usize = 50;
/// Lines before the header that are looked at.
pub const CSV_PREAMBLE_LINES_MAX: usize = 50;
/// Records per entry of the offset index.
pub const OFFSET_INDEX_STRIDE: u64 = 64;
/// The absolute value of any amount, in whole currency units.
pub const AMOUNT_UNITS_MAX: i64 = 900_000_000_000_000;
/// Amount limit for currencies that keep eight decimals (the 64-bit integer allows no more).
pub const AMOUNT_UNITS_MAX_SCALE_8: i64 = 90_000_000_000;
/// First day that an entry may have, as year, month, day.
pub const DATE_MIN: (i16, i8, i8) = (1900, 1, 1);
/// Items of a page when the client names none.
pub const PAGE_ITEMS_DEFAULT: u32 = 25;
/// Items of a page at most.
pub const PAGE_ITEMS_MAX: u32 = 100;
/// Rows that a publish or an undo writes in one commit on SQLite. Other writes wait for the whole
/// commit, because there is only one writer, and the log must hold it.
pub const PUBLISH_PART_ROWS: u64 = 20_000;
/// Tries of a job before it is given up.
pub const JOB_ATTEMPTS_MAX: u32 = 6;
/// How often in a row the process may end while a job runs, before the job is given up: it may be
/// what ends the process.
pub const JOB_DEATHS_MAX: u32 = 10;
/// Digits of a quantity, a price or a rate: every number of so many is kept exactly.
pub const DECIMAL_DIGITS_MAX: u32 = 28;
/// Decimals of a quantity, a price or a rate.
pub const DECIMAL_PLACES_MAX: u32 = 18;
/// Items of a page of a list without an envelope.
pub const UNWRAPPED_LIST_ITEMS_MAX: u32 = 1_000;
/// Days for which a cost of one position can be stated.
pub const STATED_COSTS_MAX: usize = 400;
/// Categories of a family; tags, and merchants, as many again.
pub const LABELS_MAX: u64 = 10_000;
/// Recurring series of a family.
pub const SERIES_MAX: u64 = 10_000;
/// Import templates of a family; of more, those go that were used longest ago.
pub const TEMPLATES_MAX: u64 = 1_000;
/// API keys of a family that are not revoked.
pub const KEYS_MAX: u64 = 1_000;
/// Rules of a family.
pub const RULES_MAX: usize = 500;
/// Conditions of a rule, those inside of others included.
pub const RULE_CONDITIONS_MAX: usize = 100;
/// How deep conditions may be nested.
pub const RULE_CONDITIONS_NESTED_MAX: usize = 4;
/// Actions of a rule.
pub const RULE_ACTIONS_MAX: usize = 20;
/// Characters of a value that a condition compares with.
pub const RULE_VALUE_CHARS_MAX: usize = 500;
/// Shares of one trade.
pub const QUANTITY_MAX: i64 = 1_000_000_000_000_000;
/// Either number of a split.
pub const SPLIT_PART_MAX: u32 = 1_000_000;
/// Parts that a transaction is split into.
pub const SPLIT_PARTS_MAX: usize = 100;
/// Work of rules (`rules::Work`) after which a part of a run or of a publish ends: about a tenth of
/// a second.
pub const RULE_WORK_MAX: u64 = 100_000_000;
/// Work of a rule after which its preview looks at no more transactions: about two seconds.
pub const RULE_PREVIEW_WORK_MAX: u64 = 2_000_000_000;
/// Days of which a report shows figures.
pub const REPORT_POINTS_MAX: usize = 4_000;
/// Lines of a report by month and category.
pub const REPORT_LINES_MAX: usize = 20_000;
/// Exchange rates that a report lists.
pub const REPORT_RATES_MAX: usize = 10_000;
/// Conversions from a currency on a day that a report makes.
pub const REPORT_CONVERSIONS_MAX: usize = 100_000;
/// Series that one detection creates; the others are found by the next.
pub const SERIES_FOUND_MAX: usize = 500;
/// The longest line of a file in the server's own NDJSON: more than the longest notes and parts.
pub const NATIVE_LINE_BYTES_MAX: usize = 4 * 1024 * 1024;
/// A file that isn't a table as text: statements of banks, QIF, spreadsheets, archives.
pub const STATEMENT_BYTES_MAX: u64 = 32 * 1024 * 1024;
/// A file in the server's own format, also once it is unpacked.
pub const NATIVE_FILE_BYTES_MAX: u64 = 256 * 1024 * 1024;
/// Content in the server's own format that is a text in the request.
pub const NATIVE_INLINE_BYTES_MAX: u64 = 32 * 1024 * 1024;
/// Records of a file in the server's own format, and parts of its transactions.
pub const NATIVE_ROWS_MAX: u64 = 2_000_000;
/// Chunks that a file in the server's own format may be sent in.
pub const SESSION_CHUNKS_MAX: u64 = 1_000;
/// Sessions of a family that aren't published.
pub const OPEN_SESSIONS_MAX: u64 = 20;
/// What the chunks of all of these sessions may have together.
pub const OPEN_SESSIONS_BYTES_MAX: u64 = 1024 * 1024 * 1024;
/// Characters of the names that a client gives to a session and to a chunk.
pub const CLIENT_ID_CHARS_MAX: usize = 255;
/// The longest id that a file gives to one of its records.
pub const SOURCE_ID_CHARS_MAX: usize = 255;
/// Exports of a family that are kept after their end; older ones are removed.
pub const FAMILY_EXPORTS_KEPT_MAX: usize = 5;
/// Syncs of a whole family that are kept; older ones are removed.
pub const SYNCS_KEPT_MAX: i64 = 500;
/// Connections to providers of a family.
pub const CONNECTIONS_MAX: u64 = 50;
/// Webhooks of a family.
pub const WEBHOOKS_MAX: usize = 20;
/// Deliveries of a webhook that are kept after their end.
pub const DELIVERIES_KEPT_MAX: i64 = 100;
/// Deliveries of a webhook that may wait; the oldest beyond are given up, and counted.
pub const DELIVERIES_WAITING_MAX: i64 = 2_000;
/// Characters of the address of a webhook.
pub const WEBHOOK_URL_CHARS_MAX: usize = 2_000;
/// Characters of the secret of a webhook, at least and at most.
pub const WEBHOOK_SECRET_CHARS_MIN: usize = 16;
/// The longest secret of a webhook.
pub const WEBHOOK_SECRET_CHARS_MAX: usize = 200;
/// Accounts of one connection that are kept; a provider may report more.
pub const FOUND_ACCOUNTS_MAX: usize = 500;
/// Characters of a key or a setup token of a provider.
pub const PROVIDER_KEY_CHARS_MAX: usize = 4_000;
/// Syncs of one connection that are kept although they changed nothing.
pub const CONNECTION_SYNCS_KEPT_MAX: i64 = 100;
