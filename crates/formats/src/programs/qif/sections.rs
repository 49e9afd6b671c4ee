//! The sections of a file, and to which account each record belongs.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read};

use purser_core::import::transaction::names_opening;
use purser_core::limits::{CSV_RECORD_BYTES_MAX, IMPORT_MAPPINGS_MAX};
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
    /// The list of categories.
    Categories,
    /// Classes, which are tags.
    Classes,
    /// Lists of anything else: memorized transactions and their like.
    List,
}

/// What a line with a price counts as, which has no letter in front of it.
pub(super) const PRICE_LINE: char = '"';

/// What types of sections hold, in lower case; every other one holds transactions.
#[rustfmt::skip]
const TYPES: [(&str, Section); 14] = [
    ("invst", Section::Investments),
    ("port", Section::Investments),
    ("security", Section::Securities),
    ("prices", Section::Prices),
    ("cat", Section::Categories),
    ("class", Section::Classes),
    ("tag", Section::Classes),
    ("memorized", Section::List),
    ("budget", Section::List),
    ("invoice", Section::List),
    ("tax", Section::List),
    ("bill", Section::List),
    ("template", Section::List),
    ("invitem", Section::List),
];
/// Types of accounts that every program writes like this.
const PLAIN: [&str; 5] = ["bank", "cash", "ccard", "oth a", "oth l"];
/// What stands before a year from 2000 on.
const APOSTROPHES: [char; 2] = ['\'', '\u{2019}'];

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
    /// The word for the type of the section.
    pub(super) section_type: String,
    /// The word may be one of another language, of which only the records show what it means.
    is_translated: bool,
    /// Whether a section of records has begun.
    pub(super) has_begun: bool,
    /// The number of the section, counted from 1.
    pub(super) number: u32,
    /// The numbers of sections of which the type is translated, and some record is one of a depot.
    depots: Vec<u32>,
}

impl<R: Read> Sections<R> {
    pub(super) fn new(input: R) -> Self {
        Self::of_survey(input, Vec::new())
    }

    /// The records of a file of which is known which sections are those of depots.
    pub(super) fn of_survey(input: R, depots: Vec<u32>) -> Self {
        Self {
            input: BufReader::new(input),
            buffer: Vec::new(),
            line: 0,
            pending: None,
            section: Section::List,
            account: String::new(),
            section_type: String::new(),
            is_translated: false,
            has_begun: false,
            number: 0,
            depots,
        }
    }

    /// The next record of the file.
    pub(super) fn next(&mut self) -> Result<Option<Fields>, RewriteError> {
        let Some(fields) = self.record()? else { return Ok(None) };
        if self.is_translated {
            let is_depot = self.depots.binary_search(&self.number).is_ok();
            self.section = match fields.section() {
                Section::Transactions if is_depot => Section::Investments,
                section => section,
            };
        }
        match self.section {
            Section::Accounts => fields.get('N').clone_into(&mut self.account),
            Section::Transactions => {
                let own = meaning(fields.get('L')).account;
                // The opening balance of a single account names it.
                if self.account.is_empty() && is_opening(&fields) && !own.is_empty() {
                    own.clone_into(&mut self.account);
                }
            }
            _ => {}
        }
        Ok(Some(fields))
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
                self.number = self.number.saturating_add(1);
                let known = TYPES.iter().find(|(name, _)| *name == kind);
                self.section = known.map_or(Section::Transactions, |(_, section)| *section);
                self.is_translated = known.is_none() && !PLAIN.contains(&kind);
                kind.clone_into(&mut self.section_type);
            }
            None if command == "account" => {
                (self.section, self.is_translated) = (Section::Accounts, false);
            }
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
            let read = read_line(&mut self.input, limit, &mut self.buffer)?;
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

/// Reads a line with its end, which old programs write without a line feed. The line feed behind a
/// carriage return belongs to it.
fn read_line(input: &mut impl BufRead, limit: u64, line: &mut Vec<u8>) -> std::io::Result<usize> {
    let mut read = 0;
    loop {
        let available = input.fill_buf()?;
        let room = available.len().min((limit as usize).saturating_sub(read));
        let end = memchr::memchr2(b'\n', b'\r', &available[..room]);
        let taken = end.map_or(room, |at| at + 1);
        line.extend_from_slice(&available[..taken]);
        input.consume(taken);
        read += taken;
        if line.last() == Some(&b'\r') && input.fill_buf()?.first() == Some(&b'\n') {
            input.consume(1);
        }
        if taken == 0 || end.is_some() {
            return Ok(read);
        }
    }
}

/// Whether a record is an opening balance.
pub(super) fn is_opening(fields: &Fields) -> bool {
    let payee = fields.get('P');
    payee.is_empty() || names_opening(payee)
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
    /// The numbers of sections with a translated type that are those of depots, in their order.
    pub(super) depots: Vec<u32>,
    /// The securities that the file names.
    pub(super) securities: Securities,
    /// The accounts that the file names.
    pub(super) accounts: Accounts,
}

/// An account of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NamedAccount {
    /// The line on which it is named first.
    pub(super) line: u64,
    pub(super) name: String,
    /// What it is, in the words of the file; blank if it doesn't state that.
    pub(super) account_type: String,
    pub(super) notes: String,
}

/// The accounts of a file in the order of their appearance.
#[derive(Debug, Default)]
pub(super) struct Accounts {
    named: Vec<NamedAccount>,
    places: HashMap<String, usize>,
}

impl Accounts {
    /// Takes what a record states about an account. What is stated first counts.
    fn name(&mut self, line: u64, [name, account_type, notes]: [&str; 3]) {
        let key = name_key(name);
        if key.is_empty() {
            return;
        }
        if let Some(known) = self.places.get(&key).and_then(|at| self.named.get_mut(*at)) {
            if known.account_type.is_empty() {
                account_type.clone_into(&mut known.account_type);
            }
            return;
        }
        if self.named.len() < IMPORT_MAPPINGS_MAX {
            self.places.insert(key, self.named.len());
            let [name, account_type, notes] = [name, account_type, notes].map(str::to_owned);
            self.named.push(NamedAccount { line, name, account_type, notes });
        }
    }

    /// All accounts that the file names.
    pub(super) fn all(&self) -> &[NamedAccount] {
        &self.named
    }
}

/// Looks at all records.
pub(super) fn survey(input: &mut impl Read) -> Result<Survey, RewriteError> {
    let mut survey = Survey::default();
    let mut sections = Sections::new(input);
    while let Some(fields) = sections.next()? {
        let is_list = match sections.section {
            Section::Accounts => {
                let stated = ['N', 'T', 'D'].map(|letter| fields.get(letter));
                survey.accounts.name(fields.line, stated);
                true
            }
            Section::Categories | Section::Classes | Section::List => true,
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
                if sections.is_translated && survey.depots.last() != Some(&sections.number) {
                    survey.depots.push(sections.number);
                }
                survey.securities.mention_in(fields.get('Y'), &sections.account)?;
                false
            }
            Section::Transactions => false,
        };
        if !is_list {
            let stated = [sections.account.as_str(), sections.section_type.as_str(), ""];
            survey.accounts.name(fields.line, stated);
        }
        survey.names_accounts |= !is_list && !sections.account.is_empty();
        survey.has_apostrophes |= fields.get('D').contains(APOSTROPHES);
    }
    survey.has_sections = sections.has_begun;
    survey.securities.name();
    Ok(survey)
}
