//! A row as it is shown: what it contains, and what is to become of it.

use jiff::civil::Date;
use purser_core::ids::EntryId;
use purser_core::import::kinds::Kind;
use purser_core::import::mapping::MappingKind;
use purser_core::import::row_edit::RowChoice;
use purser_core::import::verdict::Verdict;
use purser_core::money::Money;
use purser_store::imports::{Mapping, Referred};
use uuid::Uuid;

use super::reasons::reason;

/// A row as it is shown.
#[derive(Debug, Clone)]
pub struct ShownRow {
    /// 1-based over the rows.
    pub row: u64,
    /// 1-based over the lines of the file.
    pub line: u64,
    /// The fields of the row, or every reason why it is invalid.
    pub outcome: std::result::Result<Content, Vec<String>>,
    /// What is to become of it, or became of it; `None` if there is no plan yet.
    pub verdict: Option<Verdict>,
    /// The entry that the verdict refers to, or the record of another kind.
    pub record: Option<Uuid>,
    /// What the rows of the import are.
    pub kind: Kind,
    /// Why it has its verdict, where its kind knows that better than the verdict.
    pub(super) kind_reason: Option<String>,
    /// What is known of it.
    pub(super) known: Option<Referred>,
    /// Why it is left out, if no person chose that.
    pub(super) left_out: Option<String>,
    /// Why nobody knows its account.
    pub(super) problem: Option<String>,
    /// Its cells as they stand in the file, with their names.
    pub cells: Vec<(String, String)>,
    /// Texts that stand in for some of them.
    pub corrected: Vec<(String, String)>,
    /// Only the direction of its amount is missing, which a person can state.
    pub asks_direction: bool,
    /// The choice of a person for the row.
    pub choice: RowChoice,
}

impl ShownRow {
    /// The transaction that the verdict refers to, living or deleted.
    pub fn entry(&self) -> Option<EntryId> {
        let is_trade = self.known.as_ref().is_some_and(|known| known.is_trade);
        let has_entries = !self.kind.spec().is_whole && self.kind != Kind::Native;
        self.record.filter(|_| has_entries && !is_trade).map(EntryId)
    }

    /// Gives the row the reason that its kind knows.
    pub(super) fn explain(&mut self, reason: Option<String>) {
        self.kind_reason = reason;
    }

    /// Why it has its verdict, as a sentence; nothing if there is nothing to explain. `day` writes
    /// days.
    pub fn reason(&self, day: fn(Date) -> String) -> Option<String> {
        if let (Some(reason), true) = (&self.kind_reason, self.outcome.is_ok()) {
            return Some(reason.clone());
        }
        if let (Some(reason), Some(Verdict::LeftOut)) = (&self.left_out, self.verdict) {
            return Some(reason.clone());
        }
        let errors = self.outcome.as_ref().err().map_or(&[] as &[String], Vec::as_slice);
        reason(self.verdict?, self.known.as_ref(), errors, self.problem.as_deref(), day)
    }
}

/// What a row contains.
#[derive(Debug, Clone)]
pub enum Content {
    /// The row is a transaction.
    Transaction(Box<TransactionContent>),
    /// A row of any other kind: its fields, in the order of its columns, and its names.
    Plain(PlainContent),
}

/// The fields of a row of another kind than transactions.
#[derive(Debug, Clone)]
pub struct PlainContent {
    /// What the row is.
    pub kind: Kind,
    /// Those that are not blank, by their names.
    pub fields: Vec<(&'static str, String)>,
    /// Names of the row that stand for something besides it, such as a parent that isn't in the
    /// file.
    pub names: Vec<(MappingKind, Named)>,
}

impl Content {
    /// What a person knows the row by.
    pub fn name(&self) -> String {
        match self {
            Self::Transaction(content) => content.name.clone(),
            Self::Plain(content) => match content.field("type").filter(|_| content.is_trade()) {
                Some(trade_type) => {
                    let security = content.field("ticker").or_else(|| content.field("isin"));
                    let texts = [Some(trade_type), content.field("qty"), security];
                    texts.into_iter().flatten().collect::<Vec<_>>().join(" ")
                }
                None => content.field("name").unwrap_or_default().to_owned(),
            },
        }
    }

    /// The name of a kind, if the row has one.
    pub fn named(&self, kind: MappingKind) -> Option<&Named> {
        match self {
            Self::Transaction(content) if kind == MappingKind::Account => content.account.as_ref(),
            Self::Transaction(_) => None,
            Self::Plain(content) => content.named(kind),
        }
    }

    /// The transaction, if it is one.
    pub fn transaction(&self) -> Option<&TransactionContent> {
        match self {
            Self::Transaction(content) => Some(content),
            Self::Plain(_) => None,
        }
    }
}

impl PlainContent {
    /// Whether it is a row of a file of trades.
    pub fn is_trade(&self) -> bool {
        self.kind == Kind::Trade
    }

    /// The name of a kind, if the row has one.
    pub fn named(&self, kind: MappingKind) -> Option<&Named> {
        self.names.iter().find(|(known, _)| *known == kind).map(|(_, named)| named)
    }

    /// A field, if it isn't blank.
    pub fn field(&self, name: &str) -> Option<&str> {
        self.fields.iter().find(|(known, _)| *known == name).map(|(_, text)| text.as_str())
    }
}

/// What a row of transactions contains.
#[derive(Debug, Clone)]
pub struct TransactionContent {
    /// The day of the transaction.
    pub date: Date,
    /// The amount; positive is money out.
    pub amount: Money,
    /// The name of the transaction.
    pub name: String,
    /// The notes, which are free text.
    pub notes: Option<String>,
    /// The bank's own id.
    pub external_id: Option<String>,
    /// The account column, and what it stands for.
    pub account: Option<Named>,
    /// The category column, and what it stands for.
    pub category: Option<Named>,
    /// The tags, and what they stand for.
    pub tags: Vec<Named>,
}

/// A name in a row and its mapping.
#[derive(Debug, Clone)]
pub struct Named {
    /// The name as the row has it.
    pub name: String,
    /// What it stands for.
    pub mapping: Option<Mapping>,
}
