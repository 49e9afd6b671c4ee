//! What the names in a file stand for, as choices: accounts, categories, tags.

use purser_app::imports::change::MappingChange;
use purser_app::imports::{Mapping, Nameable};
use purser_core::error::{Error, Result};
use purser_core::import::mapping::{Choice as Chosen, MappingKind};
use purser_core::ledger::account::AccountType;
use purser_core::text::label::name_key;
use uuid::Uuid;

use super::counted;
use crate::web::form::{Form, as_sent};
use crate::web::view::Choice;

/// How many names of one kind are shown: those that need a choice, then those of most rows.
const SHOWN_MAX: usize = 50;

/// What is sent for a new one.
pub(super) const CREATE: &str = "create";
const PER_CURRENCY: &str = "per_currency";

/// The number of choices up to which they are listed. Of more a name is typed instead: fifty lists
/// of ten thousand would be megabytes.
const CHOICES_MAX: usize = 100;
/// Bytes that the lists of one kind of name take; of longer ones a name is typed instead, too.
const LISTS_BYTES_MAX: usize = 48 * 1024;
/// Bytes of a choice in a list beside its label.
const CHOICE_BYTES: usize = 80;

/// A name in the file, with what it can stand for.
pub(super) struct Name {
    /// The kind of thing that it names, such as `account`.
    pub(super) kind: &'static str,
    /// The name as the file has it.
    pub(super) value: String,
    /// The name as people see it.
    pub(super) shown: String,
    /// The number of rows with it.
    pub(super) rows: String,
    /// What it can stand for; the first is what is found by the name.
    pub(super) choices: Vec<Choice>,
    /// What a person chose.
    pub(super) chosen: String,
    /// The name of the new account, if one can be given.
    pub(super) new_name: String,
    /// Why a person must choose.
    pub(super) problem: Option<String>,
}

/// The names of one kind.
pub(super) struct Names {
    /// `Accounts`, `Categories` or `Tags`.
    pub(super) title: &'static str,
    /// What may be typed where there are too many to list, once for all names.
    pub(super) known: Vec<String>,
    /// Those that are shown.
    pub(super) names: Vec<Name>,
    /// How many are not.
    pub(super) more: usize,
    /// One of them needs a choice.
    pub(super) is_open: bool,
}

/// Rows without an account: why they need one, and the name of a new one for them.
pub(super) struct Nameless {
    pub(super) problem: Option<String>,
    pub(super) is_new: bool,
    pub(super) new_name: String,
}

impl Nameless {
    /// A new account is wanted that has no name yet.
    pub(super) fn unnamed(problem: Option<String>) -> Self {
        Self { problem, is_new: true, new_name: String::new() }
    }
}

/// The mapping of rows without an account.
pub(super) fn nameless(mappings: &[Mapping]) -> Option<Nameless> {
    let one = mappings.iter().find(|one| is_nameless(one))?;
    let new_name = match &one.choice {
        Some(Chosen::Create { name }) => Some(name.clone().unwrap_or_default()),
        _ => None,
    };
    Some(Nameless {
        problem: one.problem.clone(),
        is_new: new_name.is_some(),
        new_name: new_name.unwrap_or_default(),
    })
}

/// What a person must choose before the rows can go anywhere.
pub(super) fn to_choose(mappings: &[Mapping]) -> Option<String> {
    let open = mappings.iter().find(|one| one.problem.is_some())?;
    Some(match is_nameless(open) {
        true => "Choose the account that the rows go to.".to_owned(),
        false if open.kind == MappingKind::Parent => {
            format!("Choose what the parent “{}” stands for.", open.value)
        }
        false if open.kind == MappingKind::AccountType && open.value.is_empty() => {
            "Choose what the accounts without a type are.".to_owned()
        }
        false if open.kind == MappingKind::AccountType => {
            format!("Choose what an account of the type “{}” is.", open.value)
        }
        false => format!("Choose the account that “{}” stands for.", open.value),
    })
}

fn is_nameless(mapping: &Mapping) -> bool {
    mapping.kind == MappingKind::Account && mapping.value.is_empty()
}

/// The names of an import, by kind.
pub(super) fn of(mappings: &[Mapping], nameable: &Nameable) -> Vec<Names> {
    let kinds = [
        (MappingKind::Account, "Accounts"),
        (MappingKind::Category, "Categories"),
        (MappingKind::Tag, "Tags"),
        (MappingKind::Parent, "Parents"),
        (MappingKind::AccountType, "Types"),
    ];
    let names = kinds.into_iter().map(|(kind, title)| {
        let mut all: Vec<&Mapping> =
            mappings.iter().filter(|one| one.kind == kind && !is_nameless(one)).collect();
        all.sort_by_key(|one| (one.problem.is_none(), std::cmp::Reverse(one.rows)));
        let existing = existing(kind, nameable);
        let is_listed = is_listed(&existing, all.len());
        Names {
            title,
            known: if is_listed { Vec::new() } else { known(&existing) },
            more: all.len().saturating_sub(SHOWN_MAX),
            is_open: all.iter().any(|one| one.problem.is_some()),
            names: all.iter().take(SHOWN_MAX).map(|one| name(one, &existing, is_listed)).collect(),
        }
    });
    names.filter(|names| !names.names.is_empty()).collect()
}

/// Whether each of some names has a list of all choices.
fn is_listed(existing: &[Choice], names: usize) -> bool {
    existing.len() <= CHOICES_MAX
        && bytes_of(existing).saturating_mul(names.min(SHOWN_MAX)) <= LISTS_BYTES_MAX
}

fn bytes_of(existing: &[Choice]) -> usize {
    existing.iter().map(|choice| choice.label.len() + CHOICE_BYTES).sum()
}

/// The labels that are proposed while a name is typed; all or none of them.
fn known(existing: &[Choice]) -> Vec<String> {
    let is_short = bytes_of(existing) <= LISTS_BYTES_MAX;
    existing.iter().filter(|_| is_short).map(|choice| choice.label.clone()).collect()
}

fn existing(kind: MappingKind, nameable: &Nameable) -> Vec<Choice> {
    let named = |all: &[(Uuid, String)]| {
        all.iter().map(|(id, name)| Choice::new(id.to_string(), name.clone())).collect()
    };
    match kind {
        MappingKind::Account => nameable
            .accounts
            .iter()
            .map(|(id, name, currency)| {
                Choice::new(id.to_string(), format!("{name} ({})", currency.code()))
            })
            .collect(),
        MappingKind::Category => named(&nameable.categories),
        MappingKind::Tag => named(&nameable.tags),
        // A path has a colon, and a category of the first level has none.
        MappingKind::Parent => nameable
            .categories
            .iter()
            .filter(|(_, path)| !path.contains(':'))
            .map(|(id, name)| Choice::new(id.to_string(), name.clone()))
            .collect(),
        MappingKind::AccountType => {
            AccountType::ALL.iter().map(|one| Choice::new(one.as_str(), words(*one))).collect()
        }
    }
}

/// The name of a type, in words.
fn words(account_type: AccountType) -> String {
    account_type.as_str().replace('_', " ")
}

fn name(mapping: &Mapping, existing: &[Choice], is_listed: bool) -> Name {
    let target = mapping.target.map(|id| id.to_string());
    let by_name = match (&mapping.choice, &mapping.problem, &target) {
        (Some(_), ..) => "as found by the name".to_owned(),
        (None, None, _) if mapping.kind == MappingKind::AccountType => {
            mapping.account_type().map_or_else(|| "choose…".to_owned(), words)
        }
        (None, Some(_), _) => "choose…".to_owned(),
        (None, None, Some(id)) => {
            let known = existing.iter().find(|choice| choice.value == *id);
            known.map_or_else(|| "known".to_owned(), |choice| choice.label.clone())
        }
        (None, None, None) => format!("new: {}", mapping.value),
    };
    let create = if !is_listed { "the one with the name, else a new one" } else { "a new one" };
    let mut choices = vec![Choice::new("", by_name)];
    if mapping.kind != MappingKind::AccountType {
        choices.push(Choice::new(CREATE, create));
    }
    if mapping.kind == MappingKind::Account && mapping.currencies.len() > 1 {
        choices.push(Choice::new(PER_CURRENCY, "a new one for each currency"));
    }
    let before = match &mapping.choice {
        Some(Chosen::Existing(id)) => id.to_string(),
        Some(Chosen::AccountType(chosen)) => chosen.as_str().to_owned(),
        _ => String::new(),
    };
    let is_chosen = |choice: &&Choice| choice.value == before;
    choices.extend(existing.iter().filter(|choice| is_listed || is_chosen(choice)).cloned());
    let (chosen, new_name) = match &mapping.choice {
        None => (String::new(), None),
        Some(Chosen::Existing(id)) => (id.to_string(), None),
        Some(Chosen::AccountType(chosen)) => (chosen.as_str().to_owned(), None),
        Some(Chosen::Create { name }) => (CREATE.to_owned(), name.clone()),
        Some(Chosen::PerCurrency { name }) => (PER_CURRENCY.to_owned(), name.clone()),
    };
    Name {
        kind: mapping.kind.as_str(),
        value: mapping.value.clone(),
        shown: match mapping.value.as_str() {
            "" => "no type".to_owned(),
            value => value.to_owned(),
        },
        rows: counted(mapping.rows, "row", "rows"),
        choices,
        chosen,
        new_name: new_name.unwrap_or_default(),
        problem: mapping.problem.clone(),
    }
}

/// Shows what was typed for names, where what is stored is still something else.
pub(super) fn overlay(shown: &mut [Names], typed: &Form) {
    let names = typed.all("name_kind").zip(typed.all("name_value"));
    let picked = typed.all("name_pick").zip(typed.all("name_new"));
    for ((kind, value), (pick, new)) in names.zip(picked) {
        let mut all = shown.iter_mut().flat_map(|names| &mut names.names);
        let its = all.find(|name| name.kind == kind && as_sent(&name.value) == value);
        if let Some(name) = its
            && name.choices.iter().any(|choice| choice.value == pick)
        {
            pick.clone_into(&mut name.chosen);
            new.clone_into(&mut name.new_name);
        }
    }
}

/// Whether a form has names of new ones, which something that exists may have.
pub(super) fn has_typed(form: &Form) -> bool {
    form.all("name_pick").any(|pick| pick == CREATE)
}

/// The mappings that a form changes. `nameable` is what typed names are looked for in.
pub(super) fn sent(
    form: &Form,
    mappings: &[Mapping],
    nameable: &Nameable,
) -> Result<Vec<MappingChange>> {
    let mut changes = Vec::new();
    let names = form.all("name_kind").zip(form.all("name_value"));
    let picked = form.all("name_pick").zip(form.all("name_new"));
    for ((kind, value), (pick, new)) in names.zip(picked) {
        let kind =
            MappingKind::parse(kind).ok_or_else(|| Error::invalid("The form is not whole"))?;
        let new = Some(new.trim()).filter(|new| !new.is_empty()).map(str::to_owned);
        let choice = match pick {
            "" => None,
            pick if kind == MappingKind::AccountType => {
                let chosen = AccountType::parse(pick).map(Chosen::AccountType);
                Some(chosen.ok_or_else(|| Error::invalid(format!("{pick:?} is no choice")))?)
            }
            CREATE => Some(match by_name(kind, new.as_deref(), mappings, nameable) {
                Some(id) => Chosen::Existing(id),
                None => Chosen::Create { name: new },
            }),
            PER_CURRENCY => Some(Chosen::PerCurrency { name: new }),
            id => Some(Chosen::Existing(
                id.parse().map_err(|_| Error::invalid(format!("{id:?} is no choice")))?,
            )),
        };
        let value = as_sent(value);
        let now = mappings.iter().find(|one| one.kind == kind && as_sent(&one.value) == value);
        if let Some(now) = now.filter(|now| now.choice != choice) {
            changes.push(MappingChange { kind, name: now.value.clone(), choice });
        }
    }
    changes.extend(for_nameless(form, mappings));
    Ok(changes)
}

/// What has the name that was typed, where there are too many to list. Its case doesn't matter.
fn by_name(
    kind: MappingKind,
    name: Option<&str>,
    mappings: &[Mapping],
    nameable: &Nameable,
) -> Option<Uuid> {
    let key = name_key(name?);
    let all = existing(kind, nameable);
    let found = all.iter().find(|one| name_key(&one.label) == key)?;
    let names = mappings.iter().filter(|one| one.kind == kind && !is_nameless(one)).count();
    if is_listed(&all, names) { None } else { found.value.parse().ok() }
}

/// A new account for rows without one. Before it has a name nothing changes.
fn for_nameless(form: &Form, mappings: &[Mapping]) -> Option<MappingChange> {
    if !form.is_on("account_id") || is_unnamed(form) {
        return None;
    }
    let name = form.filled("account_new").filter(|_| form.text("account_id") == CREATE);
    let wanted = name.map(|name| Chosen::Create { name: Some(name.to_owned()) });
    // There is none while all rows go to one account.
    let now = mappings.iter().find(|one| is_nameless(one)).and_then(|one| one.choice.clone());
    (now != wanted).then(|| MappingChange {
        kind: MappingKind::Account,
        name: String::new(),
        choice: wanted,
    })
}

/// A new account was chosen, but it has no name yet.
pub(super) fn is_unnamed(form: &Form) -> bool {
    form.text("account_id") == CREATE && form.filled("account_new").is_none()
}
