//! Which accounts a file goes to, and what a template knows of them.
//!
//! For an account that is known, the template has what was decided for its last file. A file that
//! names its accounts itself is read with what was decided for the last files of several, and that
//! counts if it names no other account; where a file names none, nothing of it is taken over.

use purser_core::error::Result;
use purser_core::ids::AccountId;
use purser_core::import::kinds::Kind;
use purser_core::import::mapping::{
    Choice, DistinctName, MappingChoice, MappingKind, Resolution, resolve,
};
use purser_core::import::settings::Settings;
use purser_core::import::template::{AccountSettings, for_account};
use purser_store::imports::{Import, Mapping, Template};

use super::draft::{Draft, ImportSpec};
use super::reading::InterpretationContext;

/// So many earlier files are tried for one that names its accounts itself.
const TRIED_MAX: usize = 3;

/// Reads a file with what a template knows of the accounts that it goes to.
pub(super) fn for_accounts(
    mut template: Template,
    spec: &ImportSpec,
    context: &InterpretationContext,
    read: impl Fn(Template) -> Result<Draft>,
) -> Result<Draft> {
    if !Kind::of(spec.import_type).spec().has_account {
        return read(template);
    }
    let visible = context.access.accounts();
    let may_see = |one: &AccountSettings| one.accounts.iter().all(|id| visible.covers(Some(*id)));
    let mut known = known_accounts(Some(template.clone()));
    known.retain(may_see);
    template.found.accounts = known.clone();
    let with = |one: Option<&AccountSettings>| {
        let mut template = template.clone();
        template.settings = for_account(&template.settings, one);
        template.found.formats = one.map(|one| one.found.clone()).unwrap_or_default();
        read(template)
    };
    if let Some(account) = spec.account {
        return with(known.iter().find(|one| one.covers(&[account])));
    }
    let draft = with(None)?;
    if draft.layout().is_some_and(|layout| layout.is_readable()) {
        // Nothing is open, so that only settings that were chosen can change anything.
        let named = named_accounts(&draft, context).unwrap_or_default();
        let counts = |one: &&AccountSettings| one.covers(&named) || one.is_of_unknown_accounts();
        return match known.iter().find(counts) {
            Some(one) if one.settings != Settings::default() => with(Some(one)),
            _ => Ok(draft),
        };
    }
    let names_accounts = draft.layout().is_some_and(|layout| layout.columns.account.is_some());
    let counts = |one: &&AccountSettings| {
        !one.is_blank() && (names_accounts || one.is_of_unknown_accounts())
    };
    for one in known.iter().filter(counts).take(TRIED_MAX) {
        let tried = with(Some(one))?;
        let covers = |named: Vec<AccountId>| one.covers(&named);
        if one.is_of_unknown_accounts() || named_accounts(&tried, context).is_some_and(covers) {
            return Ok(tried);
        }
    }
    Ok(draft)
}

/// The accounts that the rows of a file name; nothing if one of them isn't there, or isn't named.
fn named_accounts(draft: &Draft, context: &InterpretationContext) -> Option<Vec<AccountId>> {
    let names = &draft.content.as_ref()?.reading.names;
    let names = names.iter().filter(|name| name.kind == MappingKind::Account);
    let account = |name| {
        let chosen = |one: &&_| is_choice_for(one, name);
        let choice = draft.spec.choices.iter().find(chosen).map(|one| &one.choice);
        let id = match (choice, resolve(name, &context.existing)) {
            (Some(Choice::Existing(id)), _) => *id,
            (None, Resolution::Existing(id)) => id,
            _ => return None,
        };
        Some(AccountId(id))
    };
    names.map(account).collect()
}

fn is_choice_for(choice: &MappingChoice, name: &DistinctName) -> bool {
    choice.kind == name.kind && choice.key == name.key
}

/// What a template knows of accounts.
pub(super) fn known_accounts(template: Option<Template>) -> Vec<AccountSettings> {
    let Some(Template { found, account, settings, .. }) = template else { return Vec::new() };
    found.known(&settings, account)
}

/// The accounts that the rows of an import went to.
pub(super) fn accounts_of(import: &Import, mappings: &[Mapping]) -> Vec<AccountId> {
    if let Some(account) = import.account {
        return vec![account];
    }
    let accounts = mappings.iter().filter(|one| one.kind == MappingKind::Account);
    accounts.filter_map(|one| one.target).map(AccountId).collect()
}
