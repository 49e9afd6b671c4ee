//! ISO 20022: CAMT.053 (statements), CAMT.052 (reports of a day), CAMT.054 (notifications).
//!
//! All versions are read by one reader, because they differ in where a few elements stand: a name
//! directly or in `Pty`, a status as text or in `Cd`, an amount of a part directly or in `TxAmt`.
//! Each child of a statement is kept whole until it was read; the parts of a batch are taken out of
//! their entry one by one.

mod details;
mod entry;
mod facts;

use std::borrow::Cow;
use std::io::Read;

use super::error::Halt;
use super::markup::{Element, ElementBuilder, Strictness, Token, Tokens};
use super::model::Location;
use super::reporter::Reporter;
use details::Details;

/// The element of a report of a day.
const REPORT: &str = "Rpt";

/// The messages, and in each of them the elements that are a statement of one account.
const STATEMENTS: [(&str, &str); 3] =
    [("BkToCstmrStmt", "Stmt"), ("BkToCstmrAcctRpt", REPORT), ("BkToCstmrDbtCdtNtfctn", "Ntfctn")];

/// Reads a file to its end.
pub(super) fn read(source: impl Read, mut reporter: Reporter<'_>) -> Result<(), Halt> {
    let mut tokens = Tokens::new(source, Strictness::Xml);
    let mut reader = Reader::default();
    loop {
        match tokens.next()? {
            None => break,
            Some(Token::Text(text)) => {
                let added = reader.builder.text(&text);
                added.map_err(|refusal| tokens.refuse(refusal))?;
            }
            Some(Token::Start { name, attributes }) => {
                let (name, attributes) = (name.into_owned(), attributes.to_owned());
                let (line, offset) = tokens.place();
                if reader.is_outside(&name) {
                    if reader.enters(&name) {
                        reporter.begin(Location { line, offset, path: Cow::Owned(name) })?;
                    }
                } else {
                    let begun = reader.start(name, attributes, (line, offset));
                    begun.map_err(|refusal| tokens.refuse(refusal))?;
                }
            }
            Some(Token::End { name }) => {
                let name = name.into_owned();
                reader.end(&name, &mut reporter)?;
            }
        }
    }
    reporter.finish(tokens.location())
}

/// Where the reader is in a file.
#[derive(Default)]
struct Reader {
    builder: ElementBuilder,
    /// The message that the reader is in.
    message: Option<&'static str>,
    /// The statement that the reader is in.
    statement: Option<&'static str>,
    details: Details,
}

impl Reader {
    /// Whether an element that begins is no part of a statement.
    fn is_outside(&self, name: &str) -> bool {
        let begins = STATEMENTS.iter().any(|(_, statement)| *statement == name);
        self.statement.is_none() && (begins || self.builder.depth() == 0)
    }

    /// Notes an element outside of statements; whether it begins one.
    fn enters(&mut self, name: &str) -> bool {
        if let Some((message, _)) = STATEMENTS.iter().find(|(message, _)| *message == name) {
            self.message = Some(message);
        }
        let of_message = STATEMENTS.iter().find(|(message, _)| Some(*message) == self.message);
        self.statement = of_message.map(|(_, its)| *its).filter(|statement| *statement == name);
        self.statement.is_some()
    }

    fn start(
        &mut self,
        name: String,
        attributes: String,
        at: (u64, u64),
    ) -> Result<(), super::error::Refusal> {
        if name == "TxDtls" && self.builder.innermost() == Some("NtryDtls") {
            self.details.begin(self.builder.mark());
        }
        self.builder.start(name, attributes, at)
    }

    fn end(&mut self, name: &str, reporter: &mut Reporter<'_>) -> Result<(), Halt> {
        let is_part = name == "TxDtls" && self.builder.depth() > 2;
        let after = self.builder.mark();
        let Some(element) = self.builder.end() else {
            if self.statement == Some(name) {
                self.statement = None;
                if name == REPORT
                    && let Some(statement) = reporter.statement()
                {
                    facts::close_report(statement);
                }
                reporter.end()?;
            } else if self.message == Some(name) {
                self.message = None;
            }
            return Ok(());
        };
        if self.builder.depth() == 0 {
            return self.finish(&element, reporter);
        }
        match self.details.mark().filter(|_| is_part) {
            Some(before) => {
                self.details.add(&element, after.0.saturating_sub(before.0));
                self.builder.forget(before);
            }
            None => self.builder.attach(element),
        }
        Ok(())
    }

    /// Hands on what a child of a statement is.
    fn finish(&mut self, element: &Element, reporter: &mut Reporter<'_>) -> Result<(), Halt> {
        if element.name != "Ntry" {
            facts::take(element, reporter);
            return Ok(());
        }
        let details = std::mem::take(&mut self.details);
        let is_statement = self.statement == Some("Stmt");
        let currency = reporter.statement().and_then(|its| its.currency().map(str::to_owned));
        match entry::entry(element, details, currency.as_deref(), is_statement) {
            Ok(entry) => reporter.entry(entry),
            Err(unreadable) => reporter.unreadable(unreadable),
        }
    }
}
