//! Accounts, categories, tags and merchants.

use jiff::civil::Date;

use super::fields::Fields;
use super::{Context, SourceId};
use crate::labels::color;
use crate::labels::input::{is_path, website_of};
use crate::ledger::account::{AccountStatus, AccountType};
use crate::ledger::trade::CostMethod;
use crate::limits::{ICON_CHARS_MAX, LABEL_CHARS_MAX};
use crate::money::Currency;

/// An account of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// What other records of the file call it.
    pub id: SourceId,
    /// The name of the account.
    pub name: String,
    /// What the account is.
    pub account_type: AccountType,
    /// Free text such as `checking`.
    pub subtype: Option<String>,
    /// The currency of its balance.
    pub currency: Currency,
    /// The balance at the end of all entries of the file.
    pub balance: Option<i64>,
    /// The cash in it at that time, where securities are held beside it.
    pub cash_balance: Option<i64>,
    /// The balance before the first entry.
    pub opening_balance: Option<i64>,
    /// The day of the opening balance, if it has one.
    pub opening_date: Option<Date>,
    /// Whether the account is shown; one that was being deleted is hidden.
    pub status: AccountStatus,
    /// The name of the bank.
    pub institution_name: Option<String>,
    /// The bank's web domain.
    pub institution_domain: Option<String>,
    /// Free text about the account.
    pub notes: Option<String>,
    /// The e-mail address of the user to whom it belongs.
    pub owner: Option<String>,
    /// How the cost of what is sold is found.
    pub cost_method: CostMethod,
}

/// A category of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Category {
    /// What other records of the file call it.
    pub id: SourceId,
    /// The name of its own level.
    pub name: String,
    /// The category above it, if there is one.
    pub parent: Option<SourceId>,
    /// The color as `#rrggbb`.
    pub color: Option<String>,
    /// The name of an icon.
    pub icon: Option<String>,
}

/// A tag of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tag {
    /// What other records of the file call it.
    pub id: SourceId,
    /// The name of the tag.
    pub name: String,
    /// The color as `#rrggbb`.
    pub color: Option<String>,
}

/// A merchant of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Merchant {
    /// What other records of the file call it.
    pub id: SourceId,
    /// The name of the merchant.
    pub name: String,
    /// The color as `#rrggbb`.
    pub color: Option<String>,
    /// The domain or the address of its website.
    pub website: Option<String>,
}

impl Account {
    pub(super) fn read(fields: &mut Fields<'_, '_>, context: &Context<'_>) -> Self {
        let account_type = account_type(fields);
        let currency = fields.currency("currency").unwrap_or(context.family_currency);
        let nested =
            fields.object("accountable", |inner| inner.label(&["subtype"], LABEL_CHARS_MAX));
        let id = fields.required_id("id");
        let opening_balance = fields.amount(&["opening_balance"], currency);
        let balance = fields.amount(&["balance"], currency);
        if balance.is_none() && opening_balance.is_none() && fields.raw("balance").is_none() {
            fields.problem("balance", "must be there");
        }
        Self {
            id,
            name: fields.required_label(&["name"], LABEL_CHARS_MAX),
            account_type,
            subtype: fields.label(&["subtype"], LABEL_CHARS_MAX).or(nested.flatten()),
            currency,
            balance,
            cash_balance: fields.amount(&["cash_balance"], currency),
            opening_balance,
            opening_date: fields
                .day(&["opening_balance_date", "opening_balance_on"], context.as_of),
            status: status(fields),
            institution_name: fields.label(&["institution_name"], LABEL_CHARS_MAX),
            institution_domain: fields.label(&["institution_domain"], LABEL_CHARS_MAX),
            notes: fields.notes("notes"),
            owner: fields.label(&["owner"], LABEL_CHARS_MAX),
            cost_method: fields.named("cost_method").unwrap_or(CostMethod::Average),
        }
    }
}

fn account_type(fields: &mut Fields<'_, '_>) -> AccountType {
    let text = fields.required_label(&["accountable_type"], LABEL_CHARS_MAX);
    let found = AccountType::read(&text);
    if found.is_none() && !text.is_empty() {
        let known: Vec<&str> = AccountType::ALL.iter().map(|one| one.as_str()).collect();
        fields.problem("accountable_type", format!("must be one of {}", known.join(", ")));
    }
    found.unwrap_or(AccountType::Depository)
}

/// An account that was being deleted comes back hidden: nobody wanted to see it.
fn status(fields: &mut Fields<'_, '_>) -> AccountStatus {
    match fields.named("status") {
        Some(AccountStatus::PendingDeletion) => AccountStatus::Disabled,
        Some(status) => status,
        None => AccountStatus::Active,
    }
}

impl Category {
    pub(super) fn read(fields: &mut Fields<'_, '_>) -> Self {
        let name = fields.required_label(&["name"], LABEL_CHARS_MAX);
        if is_path(&name) {
            fields.problem("name", "must not contain a colon: it stands between the two levels");
        }
        let (id, parent) = (fields.required_id("id"), fields.id("parent_id"));
        if parent.as_ref() == Some(&id) {
            fields.problem("parent_id", "must be another category");
        }
        let icon = fields.label(&["lucide_icon", "icon"], ICON_CHARS_MAX);
        Self { id, name, parent, color: color_of(fields), icon }
    }
}

impl Tag {
    pub(super) fn read(fields: &mut Fields<'_, '_>) -> Self {
        let name = fields.required_label(&["name"], LABEL_CHARS_MAX);
        Self { id: fields.required_id("id"), name, color: color_of(fields) }
    }
}

impl Merchant {
    pub(super) fn read(fields: &mut Fields<'_, '_>) -> Self {
        let name = fields.required_label(&["name"], LABEL_CHARS_MAX);
        let website = fields.checked("website_url", website_of);
        Self { id: fields.required_id("id"), name, color: color_of(fields), website }
    }
}

fn color_of(fields: &mut Fields<'_, '_>) -> Option<String> {
    fields.checked("color", |text, problems| color::read("color", text, problems))
}
