//! Rows of an import as the API shows them.

use std::collections::BTreeMap;

use purser_app::imports::Mapping;
use purser_app::imports::row_content::{Content, Named, PlainContent, ShownRow};
use purser_core::ids::{ImportId, part_id};
use purser_core::import::kinds::Kind;
use purser_core::import::mapping::MappingKind;
use purser_core::import::row_edit::RowChoice;
use purser_core::money::decimal::amount_text;
use purser_core::money::format::money_text;
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::trade_row_view::ImportedTrade;
use crate::http::named::{AccountTypeName, RowChoiceName, VerdictName};

/// A row of an import.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct ImportRow {
    /// The id of the row, which follows from the import and the number of the row. Null in a
    /// preflight, where nothing is stored.
    #[schema(required)]
    id: Option<Uuid>,
    /// The number of the row, counted from 1. Blank lines and totals have no number.
    row_number: u64,
    /// The line of the row in the file, counted from 1.
    line: u64,
    /// Whether it can be imported as it is.
    valid: bool,
    /// The reasons why it can't be imported; empty if it can.
    errors: Vec<String>,
    /// The values of the row; null if it is not valid.
    #[schema(required)]
    fields: Option<ImportRowFields>,
    /// What the names of the row stand for; null if it is not valid.
    #[schema(required)]
    mappings: Option<ImportRowMappings>,
    /// What becomes of the row, or what became of it; null while there is no plan.
    #[schema(required, example = "matched_by_id")]
    verdict: Option<VerdictName>,
    /// The reason for the verdict as a sentence; null for an ordinary new transaction.
    #[schema(
        required,
        example = "It matches the transaction \"Rent\" of 2024-03-01 by the bank's id"
    )]
    reason: Option<String>,
    /// The id of the transaction that the verdict refers to, which may be deleted by now; null if
    /// it refers to none.
    #[schema(required)]
    entry_id: Option<Uuid>,
    /// The id of the transaction, or of the other record, that the verdict refers to; null if it
    /// refers to none.
    #[schema(required)]
    record_id: Option<Uuid>,
    /// The texts in the file by the header of their column; by its number, counted from 1, if the
    /// header is blank or not unique.
    #[schema(example = json!({ "Date": "2024-03-01", "Amount": "-12,50" }))]
    cells: BTreeMap<String, String>,
    /// The texts that a person entered in place of those in the file.
    corrected_cells: BTreeMap<String, String>,
    /// What a person chose to become of it; `plan` if nobody chose.
    choice: RowChoiceName,
    /// Whether a person corrected it or chose for it.
    edited: bool,
}

/// The values of a row, by the type of the import.
#[derive(Debug, Serialize, ToSchema)]
#[serde(untagged)]
enum ImportRowFields {
    Transaction(ImportedTransaction),
    Category(ImportedCategory),
    Merchant(ImportedMerchant),
    Rule(ImportedRule),
    Account(ImportedAccount),
    Trade(ImportedTrade),
    Record(ImportedRecord),
}

/// A record of a file in the server's own format.
#[derive(Debug, Serialize, ToSchema)]
struct ImportedRecord {
    /// The type of the record.
    #[schema(required)]
    r#type: Option<String>,
    /// The name of the record; null if it has none.
    #[schema(required)]
    name: Option<String>,
}

/// The values of a row of categories.
#[derive(Debug, Serialize, ToSchema)]
struct ImportedCategory {
    /// The name without the parent's; null if there is none.
    #[schema(required)]
    name: Option<String>,
    /// The name of the parent; null on the first level.
    #[schema(required)]
    parent: Option<String>,
    /// The color as the file has it; null if there is none.
    #[schema(required)]
    color: Option<String>,
    /// The name of the icon; null if there is none.
    #[schema(required)]
    icon: Option<String>,
}

/// The values of a row of merchants.
#[derive(Debug, Serialize, ToSchema)]
struct ImportedMerchant {
    /// The name of the merchant.
    #[schema(required)]
    name: Option<String>,
    /// The color as the file has it; null if there is none.
    #[schema(required)]
    color: Option<String>,
    /// The website; null if there is none.
    #[schema(required)]
    website: Option<String>,
}

/// The values of a row of rules.
#[derive(Debug, Serialize, ToSchema)]
struct ImportedRule {
    /// The name of the rule; null if it has none.
    #[schema(required)]
    name: Option<String>,
    /// `true` or `false`; null if the row doesn't state it.
    #[schema(required)]
    active: Option<String>,
    /// The day from which on the rule counts; null if the row doesn't state it.
    #[schema(required)]
    effective_date: Option<String>,
    /// The conditions as they are understood, a list in JSON.
    #[schema(required)]
    conditions: Option<String>,
    /// The actions as they are understood, a list in JSON.
    #[schema(required)]
    actions: Option<String>,
}

/// The values of a row of accounts.
#[derive(Debug, Serialize, ToSchema)]
struct ImportedAccount {
    /// The name of the account.
    #[schema(required)]
    name: Option<String>,
    /// What the account is, in the words of the file; null if the row doesn't state it.
    #[schema(required)]
    r#type: Option<String>,
    /// The subtype; null if the row doesn't state it.
    #[schema(required)]
    subtype: Option<String>,
    /// The exact balance with the sign that the file has. The reason of the row states what it
    /// means.
    #[schema(required, example = "1200.50")]
    balance: Option<String>,
    /// The code of the currency.
    #[schema(required, example = "EUR")]
    currency: Option<String>,
    /// The day of the balance; null if the row doesn't state it.
    #[schema(required)]
    date: Option<String>,
}

/// The values of a row of transactions.
#[derive(Debug, Serialize, ToSchema)]
struct ImportedTransaction {
    /// The day of the transaction.
    #[schema(format = Date)]
    date: String,
    /// The amount, formatted; positive for money out.
    #[schema(example = "$12.50")]
    amount: String,
    /// The exact amount; positive for money out.
    #[schema(example = "12.50")]
    amount_decimal: String,
    /// The code of the amount's currency.
    currency: &'static str,
    /// The name of the transaction.
    name: String,
    /// The notes; null if there are none.
    #[schema(required)]
    notes: Option<String>,
    /// The id that the bank gave it; null if there is none.
    #[schema(required)]
    external_id: Option<String>,
    /// The name of the account; null if the row has none.
    #[schema(required)]
    account: Option<String>,
    /// The name of the category; null if the row has none.
    #[schema(required)]
    category: Option<String>,
    /// The names of the tags, separated by commas; null if the row has none.
    #[schema(required, example = "Holiday, Shared")]
    tags: Option<String>,
}

/// What the names of a row stand for.
#[derive(Debug, Serialize, ToSchema)]
struct ImportRowMappings {
    /// The account; null if the row names none.
    #[schema(required)]
    account: Option<ImportRowMapping>,
    /// The category; null if the row names none.
    #[schema(required)]
    category: Option<ImportRowMapping>,
    /// The tags; empty if the row names none.
    tags: Vec<ImportRowMapping>,
    /// The parent of a category; null if the row names none, or if it is in the file.
    #[schema(required)]
    parent: Option<ImportRowMapping>,
    /// The type of an account; null in imports of other types.
    #[schema(required)]
    account_type: Option<ImportRowMapping>,
}

/// What a name in the file stands for.
#[derive(Debug, Serialize, ToSchema)]
struct ImportRowMapping {
    /// The name as the file has it.
    key: String,
    /// The id of what the name stands for; null if that doesn't exist.
    #[schema(required)]
    id: Option<Uuid>,
    /// Whether the publish creates what the name stands for.
    create: bool,
    /// The type of accounts that a text stands for; null for other names, and if a person must
    /// choose.
    #[schema(required)]
    value: Option<AccountTypeName>,
    /// The reason why a person must choose; null if nobody needs to.
    #[schema(required)]
    problem: Option<String>,
}

impl ImportRow {
    /// A row of a stored import.
    pub(super) fn of(import: ImportId, shown: ShownRow) -> Self {
        let position = i32::try_from(shown.row).unwrap_or(i32::MAX);
        Self { id: Some(part_id(import.0, position)), ..Self::from(shown) }
    }
}

impl From<ShownRow> for ImportRow {
    fn from(shown: ShownRow) -> Self {
        let reason = shown.reason(|date| date.to_string());
        let entry_id = shown.entry().map(|entry| entry.0);
        let (content, errors) = match shown.outcome {
            Ok(content) => (Some(content), Vec::new()),
            Err(errors) => (None, errors),
        };
        Self {
            id: None,
            row_number: shown.row,
            line: shown.line,
            valid: content.is_some(),
            errors,
            verdict: shown.verdict.map(Into::into),
            reason,
            entry_id,
            record_id: shown.record,
            edited: !shown.corrected.is_empty() || shown.choice != RowChoice::Plan,
            cells: shown.cells.into_iter().collect(),
            corrected_cells: shown.corrected.into_iter().collect(),
            choice: shown.choice.into(),
            mappings: content.as_ref().map(ImportRowMappings::of),
            fields: content.map(ImportRowFields::from),
        }
    }
}

impl From<Content> for ImportRowFields {
    fn from(content: Content) -> Self {
        let content = match content {
            Content::Transaction(content) => *content,
            Content::Plain(content) => return Self::of_plain(&content),
        };
        Self::Transaction(ImportedTransaction {
            date: content.date.to_string(),
            amount: money_text(content.amount),
            amount_decimal: amount_text(content.amount.amount, content.amount.currency),
            currency: content.amount.currency.code(),
            name: content.name,
            notes: content.notes,
            external_id: content.external_id,
            account: content.account.map(|named| named.name),
            category: content.category.map(|named| named.name),
            tags: (!content.tags.is_empty()).then(|| {
                let names: Vec<&str> =
                    content.tags.iter().map(|named| named.name.as_str()).collect();
                names.join(", ")
            }),
        })
    }
}

impl ImportRowFields {
    fn of_plain(content: &PlainContent) -> Self {
        let field = |name: &str| content.field(name).map(str::to_owned);
        match content.kind {
            Kind::Merchant => Self::Merchant(ImportedMerchant {
                name: field("name"),
                color: field("color"),
                website: field("website"),
            }),
            Kind::Rule => Self::Rule(ImportedRule {
                name: field("name"),
                active: field("active"),
                effective_date: field("effective_date"),
                conditions: field("conditions"),
                actions: field("actions"),
            }),
            Kind::Account => Self::Account(ImportedAccount {
                name: field("name"),
                r#type: field("type"),
                subtype: field("subtype"),
                balance: field("balance"),
                currency: field("currency"),
                date: field("date"),
            }),
            Kind::Trade => Self::Trade(ImportedTrade::of(content)),
            Kind::Native => {
                Self::Record(ImportedRecord { r#type: field("type"), name: field("name") })
            }
            _ => Self::Category(ImportedCategory {
                name: field("name"),
                parent: field("parent"),
                color: field("color"),
                icon: field("icon"),
            }),
        }
    }
}

impl ImportRowMappings {
    fn of(content: &Content) -> Self {
        let content = match content {
            Content::Transaction(content) => content,
            Content::Plain(content) => {
                let named = |kind| content.named(kind).map(ImportRowMapping::of);
                let (parent, account_type) =
                    (named(MappingKind::Parent), named(MappingKind::AccountType));
                return Self {
                    account: named(MappingKind::Account),
                    category: None,
                    tags: Vec::new(),
                    parent,
                    account_type,
                };
            }
        };
        Self {
            account: content.account.as_ref().map(ImportRowMapping::of),
            category: content.category.as_ref().map(ImportRowMapping::of),
            tags: content.tags.iter().map(ImportRowMapping::of).collect(),
            parent: None,
            account_type: None,
        }
    }
}

impl ImportRowMapping {
    fn of(named: &Named) -> Self {
        let mapping = named.mapping.as_ref();
        Self {
            key: named.name.clone(),
            id: mapping.and_then(|mapping| mapping.target),
            create: mapping.is_some_and(|mapping| mapping.creates && mapping.target.is_none()),
            value: mapping.and_then(Mapping::account_type).map(Into::into),
            problem: mapping.and_then(|mapping| mapping.problem.clone()),
        }
    }
}
