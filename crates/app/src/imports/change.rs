//! Another configuration for an import: what changes, and what is wrong with it.

use std::collections::{BTreeMap, HashMap, HashSet};

use purser_core::error::{Error, Problem, Problems, Result, texts};
use purser_core::ids::AccountId;
use purser_core::import::mapping::{Choice, MappingChoice, MappingKind};
use purser_core::import::settings::Settings;
use purser_store::VisibleAccounts;

use super::draft::{Draft, ImportSpec};

/// What names stand for, by kind and key.
type Choices = BTreeMap<(MappingKind, String), Choice>;

/// What changes; what isn't named stays.
#[derive(Debug, Clone, Default)]
pub struct Change {
    /// Settings by the names of the interface; nothing lets them be found.
    pub settings: BTreeMap<String, Option<String>>,
    /// Whoever names the column of the amount knows the convention of its signs: a program, not a
    /// person who answers which column it is.
    pub knows_signs: bool,
    /// The account that every row goes to; `Some(None)` if the rows decide.
    pub account: Option<Option<AccountId>>,
    /// Publish the valid rows and leave out the others.
    pub skip_invalid: Option<bool>,
    /// Choices for names, in the order in which they were sent.
    pub mappings: Vec<MappingChange>,
}

/// What a name stands for from now on.
#[derive(Debug, Clone)]
pub struct MappingChange {
    /// The kind of thing that is named.
    pub kind: MappingKind,
    /// The name as the file has it.
    pub name: String,
    /// What was chosen; nothing resolves it by name again.
    pub choice: Option<Choice>,
}

impl MappingChange {
    fn key(&self) -> String {
        self.kind.key_fn()(&self.name)
    }

    /// The account for rows without one in the file: then it is the account of the import.
    fn account_of_all(&self) -> Option<AccountId> {
        match self.choice {
            Some(Choice::Existing(id))
                if self.kind == MappingKind::Account && self.key().is_empty() =>
            {
                Some(AccountId(id))
            }
            _ => None,
        }
    }
}

impl Change {
    /// The account that every row goes to from now on.
    pub(super) fn account(
        &self,
        current: Option<AccountId>,
        visible: &VisibleAccounts,
    ) -> Result<Option<AccountId>> {
        let chosen = self.mappings.iter().find_map(MappingChange::account_of_all);
        let account = self.account.unwrap_or(chosen.or(current));
        match (visible.only(), account) {
            (Some(_), None) => {
                Err(Error::invalid(Problem::about("account_id", "This key needs an account_id")))
            }
            (Some(accounts), Some(id)) if !accounts.contains(&id) => {
                Err(Problem::unknown("account_id", "account").into())
            }
            _ => Ok(account),
        }
    }

    /// Puts everything but the account into what is asked for.
    pub(super) fn apply(&self, spec: &mut ImportSpec) -> Result<()> {
        spec.skip_invalid = self.skip_invalid.unwrap_or(spec.skip_invalid);
        let mut fields: BTreeMap<String, String> = owned(&spec.settings);
        for (name, value) in &self.settings {
            match value {
                Some(value) => fields.insert(name.clone(), value.clone()),
                None => fields.remove(name),
            };
        }
        if !self.settings.contains_key("balance_check") && self.moves_account(&spec.choices) {
            // It was about the account before.
            fields.remove("balance_check");
        }
        let preferred = std::mem::take(&mut spec.settings.preferred);
        let read = Settings::from_fields(|name| fields.get(name).cloned());
        let mut problems = Problems::new();
        match read {
            Ok(settings) => {
                let names_amount = self.settings.contains_key("amount_col_label");
                let settings = match self.knows_signs && names_amount {
                    true => settings.of_caller(),
                    false => spec.settings.with_caller(settings),
                };
                spec.settings = Settings { preferred, ..settings };
            }
            Err(all) => problems.extend(all),
        }
        if let Some(template) = &mut spec.template {
            template.settings_taken.retain(|name| !self.settings.contains_key(name));
            template.not_fitting.retain(|name| !self.settings.contains_key(name));
            template.account_id = template.account_id.filter(|_| spec.account.is_none());
        }
        let known = std::mem::take(&mut spec.choices).into_iter();
        let mut choices: Choices = known.map(|one| ((one.kind, one.key), one.choice)).collect();
        for (position, mapping) in self.mappings.iter().enumerate() {
            if let Err(problem) = self.choose(mapping, spec.account, &mut choices) {
                problems.remark(format!("mappings[{position}]"), problem);
            }
        }
        let chosen = |((kind, key), choice)| MappingChoice { kind, key, choice };
        spec.choices = choices.into_iter().map(chosen).collect();
        problems.into_result()
    }

    /// Whether an account of the file for which something was chosen becomes another one.
    fn moves_account(&self, known: &[MappingChoice]) -> bool {
        self.mappings.iter().filter(|one| one.kind == MappingKind::Account).any(|one| {
            let key = one.key();
            let is_its = |it: &&MappingChoice| it.kind == one.kind && it.key == key;
            known.iter().find(is_its).is_some_and(|it| Some(&it.choice) != one.choice.as_ref())
        })
    }

    /// Adds a choice, or returns what is wrong with it before any row is read.
    fn choose(
        &self,
        mapping: &MappingChange,
        account: Option<AccountId>,
        choices: &mut Choices,
    ) -> std::result::Result<(), String> {
        let name = (mapping.kind, mapping.key());
        choices.remove(&name);
        let Some(choice) = mapping.choice.clone() else { return Ok(()) };
        if let Some(of_all) = mapping.account_of_all() {
            if self.account.is_some() && account != Some(of_all) {
                return Err("account_id says another account".to_owned());
            }
            return Ok(());
        }
        if mapping.kind == MappingKind::Account && account.is_some() {
            return Err("every row goes to the account of the import".to_owned());
        }
        choice.check(mapping.kind, &mapping.name)?;
        choices.insert(name, choice);
        Ok(())
    }

    /// Requires that every choice of this change fits the rows.
    pub(super) fn require_chosen(&self, draft: &Draft) -> Result<()> {
        let mut problems = Problems::new();
        let names = draft.content.as_ref().map(|content| content.reading.names.as_slice());
        let names = names.unwrap_or_default().iter().map(|name| (name.kind, name.key.as_str()));
        let names: HashSet<_> = names.collect();
        let refused = draft.refused.iter().map(|(one, why)| ((one.kind, one.key.as_str()), why));
        let refused: HashMap<_, _> = refused.collect();
        for (position, mapping) in self.mappings.iter().enumerate() {
            let key = mapping.key();
            let name = (mapping.kind, key.as_str());
            let problem = match refused.get(&name) {
                _ if mapping.account_of_all().is_some() => None,
                Some(why) => Some((*why).clone()),
                None if names.contains(&name) => None,
                None => {
                    Some(format!("no row names the {} {:?}", mapping.kind.as_str(), mapping.name))
                }
            };
            if let Some(problem) = problem {
                problems.remark(format!("mappings[{position}]"), problem);
            }
        }
        problems.into_result()
    }
}

fn owned(settings: &Settings) -> BTreeMap<String, String> {
    settings.fields().into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// Settings without those of these names.
pub(super) fn without(settings: &Settings, names: &[String]) -> Result<Settings> {
    let fields = owned(settings);
    let stays = |name: &str| !names.iter().any(|taken| taken == name);
    Settings::from_fields(|name| fields.get(name).filter(|_| stays(name)).cloned())
        .map(|kept| settings.with_caller(kept))
        .map_err(|problems| Error::internal(texts(&problems).join("; ")))
}

#[cfg(test)]
mod tests {
    use purser_core::import::import_type::ImportType;
    use purser_core::import::row_edit::RowEdits;

    use super::*;

    #[test]
    fn an_answer_about_balances_is_dropped_when_its_account_changes() {
        let [one, other] = [1, 2].map(uuid::Uuid::from_u128);
        let ignore = |name: &str| (name == "balance_check").then(|| "ignore".to_owned());
        let spec = || ImportSpec {
            settings: Settings::from_fields(ignore).unwrap(),
            choices: vec![MappingChoice {
                kind: MappingKind::Account,
                key: MappingKind::Account.key_fn()("Main"),
                choice: Choice::Existing(one),
            }],
            left_names: Vec::new(),
            all_left: false,
            import_type: ImportType::Transaction,
            account: None,
            skip_invalid: false,
            edits: RowEdits::default(),
            template: None,
        };
        let to = |id| MappingChange {
            kind: MappingKind::Account,
            name: "Main".to_owned(),
            choice: Some(Choice::Existing(id)),
        };
        let again = BTreeMap::from([("balance_check".to_owned(), Some("ignore".to_owned()))]);
        for (settings, id, is_kept) in
            [(BTreeMap::new(), one, true), (BTreeMap::new(), other, false), (again, other, true)]
        {
            let mut spec = spec();
            let change = Change { settings, mappings: vec![to(id)], ..Change::default() };
            change.apply(&mut spec).unwrap();
            assert_eq!(spec.settings.balance_check.is_some(), is_kept, "{id}");
        }
    }
}
