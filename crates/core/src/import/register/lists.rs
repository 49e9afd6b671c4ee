//! Lists that a program's file has beside its transactions: categories and tags, which become
//! records of the family, and what is only described there, such as accounts and securities.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::columns::{
    ACCOUNT_OF_LIST, CATEGORY_OF_LIST, OTHER_OF_LIST, SECURITY_OF_LIST, TAG_OF_LIST,
};
use super::row::SideRecord;
use crate::import::account::type_words;
use crate::import::kind::Interpreted;
use crate::import::left_out::Cause;
use crate::ledger::account::AccountType;
use crate::limits::LABEL_CHARS_MAX;

/// A category or a tag of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LabelRow<'r> {
    /// The name of the tag, or the category or its path.
    pub name: &'r str,
}

/// A record of a list that is only described there: nothing is made of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ListedRow<'r> {
    /// The role of the record.
    pub role: &'r str,
    /// What people know it by.
    pub name: &'r str,
    /// What an account is, in the words of the file.
    pub account_type: &'r str,
}

/// What an account of a program's file is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatedAccountType {
    /// The account as the file calls it.
    pub account: String,
    /// The type of the account.
    pub account_type: AccountType,
    /// The subtype, if the word of the file is narrower than the type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subtype: Option<String>,
}

impl StatedAccountType {
    /// The type for people.
    pub(in crate::import) fn shown(&self) -> Value {
        json!({
            "account": self.account,
            "account_type": self.account_type,
            "subtype": self.subtype,
        })
    }
}

impl ListedRow<'_> {
    /// What an account is, if the file states it in a word that is known.
    pub fn stated_account_type(&self) -> Option<StatedAccountType> {
        let (account_type, subtype) =
            type_words::meaning(self.account_type).filter(|_| self.role == ACCOUNT_OF_LIST)?;
        let (account, subtype) = (self.name.to_owned(), subtype.map(str::to_owned));
        Some(StatedAccountType { account, account_type, subtype })
    }
}

/// The record of a list, by its role and the cells of its name and its category.
pub(super) fn row<'r>(role: &'r str, name: &'r str, category: &'r str) -> SideRecord<'r> {
    match role {
        CATEGORY_OF_LIST => SideRecord::Category(LabelRow { name }),
        TAG_OF_LIST => SideRecord::Tag(LabelRow { name }),
        _ => SideRecord::Listed(ListedRow { role, name, account_type: category }),
    }
}

/// A label must have a name that one can have.
pub(super) fn checked(row: SideRecord<'_>) -> Interpreted<SideRecord<'_>> {
    let (what, name) = match row {
        SideRecord::Category(LabelRow { name }) => ("category", name),
        SideRecord::Tag(LabelRow { name }) => ("tag", name),
        row => return Interpreted::Row(row),
    };
    if name.is_empty() {
        return Interpreted::Invalid(vec![format!("The {what} of the list has no name")]);
    }
    if name.chars().count() > LABEL_CHARS_MAX {
        let long = format!("The name of the {what} is longer than {LABEL_CHARS_MAX} characters");
        return Interpreted::Invalid(vec![long]);
    }
    Interpreted::Row(row)
}

/// Whether a record with this role stands in a list.
pub(super) fn is_of_list(role: &str) -> bool {
    matches!(
        role,
        ACCOUNT_OF_LIST | CATEGORY_OF_LIST | OTHER_OF_LIST | SECURITY_OF_LIST | TAG_OF_LIST
    )
}

/// Why nothing is made of a record of a list.
pub(super) fn cause(role: &str) -> Cause {
    match role {
        ACCOUNT_OF_LIST | SECURITY_OF_LIST => Cause::Described,
        _ => Cause::Listed,
    }
}
