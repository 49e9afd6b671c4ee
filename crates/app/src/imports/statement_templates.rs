//! Templates of files of statements: one for each account, because the tables of all of them have
//! one header, and a bank may leave out the accounts in which nothing happened.
//!
//! A file is of a known kind if each account of it is known: by its format, its bank and its
//! number, and for a file that is to go into one account, because an earlier one went there.

use purser_core::error::Result;
use purser_core::ids::AccountId;
use purser_core::import::file_statement::{FileAccount, accounts_of};
use purser_core::import::import_type::ImportType;
use purser_core::import::template::key_text;
use purser_store::Store;
use purser_store::imports::{self, Template};

use super::decoded_file::DecodedFile;
use super::reading::InterpretationContext;
use super::template::hash;
use super::template_accounts::known_accounts;

/// The key of the template of an account; no header of a table is like it.
pub(super) fn key_of(account: &FileAccount) -> [u8; 32] {
    hash(&key_text(&[], Some(&format!("statements\u{1e}{}", account.key))))
}

/// What is known of all accounts of a file, as one template; nothing if one of them is new.
pub(super) fn find(
    store: &Store,
    decoded: &DecodedFile,
    (import_type, target): (ImportType, Option<AccountId>),
    context: &InterpretationContext,
) -> Result<Option<Template>> {
    let (Some(format), Some(statements)) = (decoded.source.format, &decoded.statements) else {
        return Ok(None);
    };
    let visible = context.access.accounts();
    let mut all: Option<Template> = None;
    for account in accounts_of(format.as_str(), statements) {
        let key = key_of(&account);
        let known = store.read_blocking(context.access.clone(), |tx| {
            imports::template_by_header(tx, import_type, &key)
        })?;
        let is_known = |template: &Template| {
            let accounts = known_accounts(Some(template.clone()));
            // Files of several accounts show only where all of them went together.
            let went_there = |target| accounts.iter().any(|one| one.accounts == [target]);
            visible.covers(template.account) && target.is_none_or(went_there)
        };
        let Some(known) = known.filter(is_known) else { return Ok(None) };
        match &mut all {
            None => all = Some(known),
            Some(all) => {
                all.choices.extend(known.choices);
                all.account = all.account.filter(|account| known.account == Some(*account));
            }
        }
    }
    Ok(all)
}
