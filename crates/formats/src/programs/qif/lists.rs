//! Lists of a file: categories and classes become records of the family; everything else is only
//! described there, and is counted.

use std::io::Write;

use purser_core::import::register::{
    ACCOUNT_OF_LIST, CATEGORY_OF_LIST, OTHER_OF_LIST, SECURITY_OF_LIST, TAG_OF_LIST,
};

use super::record::{Fields, meaning};
use super::sections::{Accounts, Section};
use crate::programs::RewriteError;
use crate::programs::register::{Entry, Register};

/// Writes what a record of a list states.
pub(super) fn write<W: Write>(
    fields: &Fields,
    section: Section,
    register: &mut Register<W>,
) -> Result<(), RewriteError> {
    let named = |letters: [char; 3]| {
        let texts = letters.map(|letter| fields.get(letter));
        texts.into_iter().find(|text| !text.is_empty()).unwrap_or_default()
    };
    let (role, name) = match section {
        Section::Categories => (CATEGORY_OF_LIST, meaning(fields.get('N')).category),
        Section::Classes => (TAG_OF_LIST, fields.get('N')),
        Section::Securities => (SECURITY_OF_LIST, named(['N', 'S', 'T'])),
        _ => (OTHER_OF_LIST, named(['N', 'P', 'M'])),
    };
    let amounts = [""];
    let listed =
        Entry { line: fields.line, role, payee: name, amounts: &amounts, ..Entry::default() };
    Ok(register.push(&listed)?)
}

/// Writes what the file states about its accounts.
pub(super) fn accounts<W: Write>(
    accounts: &Accounts,
    register: &mut Register<W>,
) -> Result<(), RewriteError> {
    for account in accounts.all() {
        register.push(&Entry {
            line: account.line,
            role: ACCOUNT_OF_LIST,
            payee: &account.name,
            category: &account.account_type,
            notes: &account.notes,
            amounts: &[""],
            ..Entry::default()
        })?;
    }
    Ok(())
}
