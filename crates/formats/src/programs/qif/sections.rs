//! The sections of a file, and to which account each record belongs.

use std::io::{BufRead, BufReader, Read};

use purser_core::limits::CSV_RECORD_BYTES_MAX;
use purser_core::text::label::name_key;

use super::record::{Fields, meaning};
use super::securities::Securities;
use crate::csv::ReadError;
use crate::programs::RewriteError;

/// What the records of a section are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Section {
    /// Transactions of an account. Their types are translated in some languages, so every type is
    /// one that is none of the others.
    Transactions,
    /// Trades and what else happens in a depot.
    Investments,
    /// Accounts: the one that the next section is about.
    Accounts,
    /// Securities with their symbols.
    Securities,
    /// Prices of securities, one on each line.
    Prices,
    /// Categories, classes and other lists.
    List,
}

/// What a line with a price counts as, which has no letter in front of it.
pub(super) const PRICE_LINE: char = '"';

/// What stands before a year from 2000 on.
const APOSTROPHES: [char; 2] = ['\'', '\u{2019}'];

/// Types of lists, in lower case.
const LISTS: [&str; 10] =
    ["cat", "class", "memorized", "budget", "invoice", "tax", "bill", "template", "tag", "invitem"];
/// Types of depots, in lower case.
const DEPOTS: [&str; 2] = ["invst", "port"];

/// The records of a file, one after the other.
pub(super) struct Sections<R> {
    input: BufReader<R>,
    buffer: Vec<u8>,
    line: u64,
    /// The section that begins behind the record that was read last.
    pending: Option<String>,
    /// The section of the record that was read last.
    pub(super) section: Section,
    /// Its account; blank if the file names none.
    pub(super) account: String,
    /// Whether a section of records has begun.
    pub(super) has_begun: bool,
}

impl<R: Read> Sections<R> {
    pub(super) fn new(input: R) -> Self {
        Self {
            input: BufReader::new(input),
            buffer: Vec::new(),
            line: 0,
            pending: None,
            section: Section::List,
            account: String::new(),
            has_begun: false,
        }
    }

    /// The next record that isn't one of accounts.
    pub(super) fn next(&mut self) -> Result<Option<Fields>, RewriteError> {
        loop {
            let Some(fields) = self.record()? else { return Ok(None) };
            match self.section {
                Section::Accounts => fields.get('N').clone_into(&mut self.account),
                Section::Transactions => {
                    let own = meaning(fields.get('L')).account;
                    // The opening balance of a single account names it.
                    if self.account.is_empty() && is_opening(&fields) && !own.is_empty() {
                        own.clone_into(&mut self.account);
                    }
                    return Ok(Some(fields));
                }
                Section::Investments | Section::Securities | Section::Prices | Section::List => {
                    return Ok(Some(fields));
                }
            }
        }
    }

    /// The lines up to the next `^`, a new section, or the end.
    fn record(&mut self) -> Result<Option<Fields>, RewriteError> {
        if let Some(command) = self.pending.take() {
            self.begin(&command);
        }
        let mut fields = Fields::default();
        while let Some(text) = self.text()? {
            let text = text.trim_end();
            if let Some(command) = text.strip_prefix('!') {
                let command = name_key(command);
                if !fields.is_empty() {
                    // Nothing ends the record but the next section.
                    self.pending = Some(command);
                    return Ok(Some(fields));
                }
                self.begin(&command);
            } else if self.section == Section::Prices && !text.starts_with('^') {
                let mut price = Fields::new(self.line);
                price.push(PRICE_LINE, text);
                return Ok(Some(price));
            } else if text.starts_with('^') {
                if !fields.is_empty() {
                    return Ok(Some(fields));
                }
            } else if let Some(letter) = text.chars().next() {
                if fields.is_empty() {
                    fields = Fields::new(self.line);
                }
                fields.push(letter, &text[letter.len_utf8()..]);
            }
        }
        Ok((!fields.is_empty()).then_some(fields))
    }

    fn begin(&mut self, command: &str) {
        match command.strip_prefix("type:").map(str::trim) {
            Some(kind) => {
                self.has_begun = true;
                self.section = if kind == "security" {
                    Section::Securities
                } else if kind == "prices" {
                    Section::Prices
                } else if LISTS.contains(&kind) {
                    Section::List
                } else if DEPOTS.contains(&kind) {
                    Section::Investments
                } else {
                    Section::Transactions
                };
            }
            None if command == "account" => self.section = Section::Accounts,
            // The list of accounts ends, and none of them is meant.
            None if command.starts_with("clear:") => self.account.clear(),
            None => {}
        }
    }

    /// The next line that isn't blank.
    fn text(&mut self) -> Result<Option<String>, RewriteError> {
        loop {
            self.buffer.clear();
            let limit = CSV_RECORD_BYTES_MAX as u64;
            let read = self.input.by_ref().take(limit).read_until(b'\n', &mut self.buffer)?;
            if read == 0 {
                return Ok(None);
            }
            self.line += 1;
            if read as u64 == limit {
                return Err(ReadError::RecordTooLong {
                    line: self.line,
                    max: CSV_RECORD_BYTES_MAX,
                }
                .into());
            }
            let text = std::str::from_utf8(&self.buffer)
                .map_err(|_| ReadError::NotUtf8 { line: self.line })?;
            let text = text.trim_start_matches('\u{feff}').trim_end();
            if !text.trim().is_empty() {
                return Ok(Some(text.to_owned()));
            }
        }
    }
}

/// Whether a record is an opening balance.
fn is_opening(fields: &Fields) -> bool {
    let payee = name_key(fields.get('P'));
    payee.is_empty() || payee == "opening balance"
}

/// What has to be known before the first record is written.
#[derive(Debug, Default)]
pub(super) struct Survey {
    /// There is a section of any type.
    pub(super) has_sections: bool,
    /// Some transaction has an account.
    pub(super) names_accounts: bool,
    /// Some year stands behind an apostrophe.
    pub(super) has_apostrophes: bool,
    /// Some record is one of investments, or a price.
    pub(super) has_trades: bool,
    /// The securities that the file names.
    pub(super) securities: Securities,
}

/// Looks at all records.
pub(super) fn survey(input: &mut impl Read) -> Result<Survey, RewriteError> {
    let mut survey = Survey::default();
    let mut sections = Sections::new(input);
    while let Some(fields) = sections.next()? {
        let is_list = match sections.section {
            Section::List => true,
            Section::Prices => {
                survey.has_trades = true;
                let day = fields.get(PRICE_LINE).rsplit(',').next().unwrap_or_default();
                survey.has_apostrophes |= day.contains(APOSTROPHES);
                true
            }
            Section::Securities => {
                survey.securities.list(fields.get('N'), fields.get('S'))?;
                true
            }
            Section::Investments => {
                survey.has_trades = true;
                survey.securities.mention_in(fields.get('Y'), &sections.account)?;
                false
            }
            Section::Accounts | Section::Transactions => false,
        };
        survey.names_accounts |= !is_list && !sections.account.is_empty();
        survey.has_apostrophes |= fields.get('D').contains(APOSTROPHES);
    }
    survey.has_sections = sections.has_begun;
    survey.securities.name();
    Ok(survey)
}
