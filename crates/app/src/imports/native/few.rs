//! Adding the records of which there are few, before and after the entries.

use std::collections::HashMap;

use purser_core::error::{Error, Result};
use purser_core::ids::{AccountId, BudgetId, CategoryId, UserId};
use purser_core::import::native::{Account, RecordType, SourceId};
use purser_core::ledger::account::{AccountStatus, NewAccount, Opening};
use purser_core::ledger::security::SecurityValues;
use purser_core::plan::{Creation, RuleDraft, Target};
use purser_store::restoring::Restorable;
use purser_store::{FamilyTx, users};
use uuid::Uuid;

use super::entries::Pointers;
use super::opening::OpeningBalance;
use super::publication::Publication;
use super::records::{of_budget, of_series, resolved};

impl Publication {
    fn put(&mut self, of: RecordType, id: &SourceId, record: Uuid) {
        self.ids.put(of, id, record);
    }

    fn create(&mut self, tx: &mut FamilyTx<'_>, creation: &Creation) -> Result<Uuid> {
        let slot = self.executor.create(tx, creation)?;
        self.executor.created_id(slot)
    }

    /// Everything that others point to, but for entries and budgets.
    pub(super) fn records(&mut self, tx: &mut FamilyTx<'_>) -> Result<()> {
        self.categories(tx)?;
        let basis = self.basis.clone();
        let collected = &basis.collected;
        for (row, tag) in &collected.tags {
            if self.creates(*row)? {
                let creation = Creation::Tag { name: tag.name.clone(), color: tag.color.clone() };
                let id = self.create(tx, &creation)?;
                self.put(RecordType::Tag, &tag.id, id);
            }
        }
        for (row, merchant) in &collected.merchants {
            if self.creates(*row)? {
                let creation = Creation::Merchant {
                    name: merchant.name.clone(),
                    color: merchant.color.clone(),
                    website: merchant.website.clone(),
                };
                let id = self.create(tx, &creation)?;
                self.put(RecordType::Merchant, &merchant.id, id);
            }
        }
        self.same(RecordType::Merchant);
        self.same(RecordType::Tag);
        for (key, name) in &collected.merchant_names {
            let source = super::collected::merchant_id(key);
            if self.ids.get(RecordType::Merchant, &source).is_some() {
                continue;
            }
            let (name, color, website) = (name.clone(), None, None);
            let id = self.create(tx, &Creation::Merchant { name, color, website })?;
            self.beside.add(RecordType::Merchant);
            self.put(RecordType::Merchant, &source, id);
        }
        self.accounts(tx)?;
        self.securities(tx)
    }

    /// Records that are the same as an earlier one stand for what that stands for.
    fn same(&mut self, of: RecordType) {
        for ((its, id), first) in &self.basis.clone().decisions.same {
            if *its == of
                && let Some(record) = self.ids.get(of, first)
            {
                self.ids.put(of, id, record);
            }
        }
    }

    fn categories(&mut self, tx: &mut FamilyTx<'_>) -> Result<()> {
        let basis = self.basis.clone();
        let collected = &basis.collected;
        for is_child in [false, true] {
            for (row, category) in &collected.categories {
                if category.parent.is_some() != is_child || !self.creates(*row)? {
                    continue;
                }
                let find = |id: &SourceId| {
                    let missing = || Error::internal("a category is below nothing");
                    let parent = self.ids.get(RecordType::Category, id);
                    parent.map(Target::Existing).ok_or_else(missing)
                };
                let creation = Creation::Category {
                    name: category.name.clone(),
                    key: String::new(),
                    parent: category.parent.as_ref().map(find).transpose()?,
                    color: category.color.clone(),
                    icon: category.icon.clone(),
                };
                let id = self.create(tx, &creation)?;
                self.put(RecordType::Category, &category.id, id);
            }
            self.same(RecordType::Category);
        }
        Ok(())
    }

    fn accounts(&mut self, tx: &mut FamilyTx<'_>) -> Result<()> {
        let people: HashMap<String, UserId> =
            users::list(tx)?.into_iter().map(|user| (user.email, user.id)).collect();
        let collected = &self.basis.clone().collected;
        for (row, account) in &collected.accounts {
            if !self.creates(*row)? {
                continue;
            }
            let balance = collected.openings.of(account);
            let opening = match balance {
                OpeningBalance::Stated(opening) => opening,
                _ => Opening { amount: 0, date: None },
            };
            if opening.date.is_some() {
                self.beside.add(RecordType::Valuation);
            }
            let creation = Creation::Account(new_account(account, opening, &people));
            let id = self.create(tx, &creation)?;
            if let OpeningBalance::Derived(known) = balance {
                self.openings.push((AccountId(id), known));
            }
            if account.status != AccountStatus::Active {
                self.executor.set_restored_status(tx, AccountId(id), account.status)?;
            }
            self.put(RecordType::Account, &account.id, id);
        }
        Ok(())
    }

    fn securities(&mut self, tx: &mut FamilyTx<'_>) -> Result<()> {
        let basis = self.basis.clone();
        let collected = &basis.collected;
        for (row, security) in &collected.securities {
            if self.creates(*row)? {
                let values = Restorable::Security(Box::new(security.values.clone()));
                let id = values.restore(tx, &mut self.executor)?;
                self.put(RecordType::Security, &security.id, id);
            }
        }
        self.same(RecordType::Security);
        for (source, (listing, name)) in &collected.listings {
            if self.ids.get(RecordType::Security, source).is_some() {
                continue;
            }
            let values =
                SecurityValues { name: name.clone(), ..SecurityValues::new(listing.clone()) };
            let values = Restorable::Security(Box::new(values));
            // A record of the file may have the same ticker.
            let id = match values.holder(tx)? {
                Some(id) => id,
                None => values.restore(tx, &mut self.executor)?,
            };
            self.put(RecordType::Security, source, id);
        }
        Ok(())
    }

    /// Budgets, recurring series and rules.
    pub(super) fn plans(&mut self, tx: &mut FamilyTx<'_>) -> Result<()> {
        let basis = self.basis.clone();
        let collected = &basis.collected;
        for (row, budget) in &collected.budgets {
            if self.creates(*row)? {
                let id = of_budget(budget).restore(tx, &mut self.executor)?;
                self.put(RecordType::Budget, &budget.id, id);
            }
        }
        self.same(RecordType::Budget);
        for (row, line) in &collected.lines {
            if self.creates(*row)? {
                let pointers = Pointers { collected, ids: &self.ids };
                let line = Restorable::BudgetCategory {
                    budget: BudgetId(pointers.find(RecordType::Budget, &line.budget)?),
                    category: CategoryId(pointers.find(RecordType::Category, &line.category)?),
                    spending: line.spending,
                };
                line.restore(tx, &mut self.executor)?;
            }
        }
        for (row, series) in &collected.series {
            if self.creates(*row)? {
                let labels = [
                    (RecordType::Merchant, &series.merchant),
                    (RecordType::Category, &series.category),
                ];
                for (of, id) in labels {
                    let known = id.as_ref().map(|id| self.ids.get(of, id));
                    self.missing_labels += u64::from(known == Some(None));
                }
                of_series(series, collected, &self.ids).restore(tx, &mut self.executor)?;
            }
        }
        for (at, (row, rule)) in (1..).zip(&collected.rules) {
            if self.creates(*row)? {
                let missing = || Error::internal("a rule names what isn't there");
                let draft = RuleDraft {
                    name: rule.rule.name.clone().flatten(),
                    active: rule.rule.active.unwrap_or(true),
                    position: rule.position.and_then(|one| u32::try_from(one).ok()).unwrap_or(at),
                    rule: resolved(rule, collected, &self.ids).ok_or_else(missing)?,
                    named: Vec::new(),
                };
                self.create(tx, &Creation::Rule(Box::new(draft)))?;
            }
        }
        Ok(())
    }
}

fn new_account(
    account: &Account,
    opening: Opening,
    people: &HashMap<String, UserId>,
) -> NewAccount {
    let owner = account.owner.as_ref();
    NewAccount {
        name: account.name.clone(),
        account_type: account.account_type,
        subtype: account.subtype.clone(),
        currency: account.currency,
        opening,
        institution_name: account.institution_name.clone(),
        institution_domain: account.institution_domain.clone(),
        notes: account.notes.clone(),
        owner: owner.and_then(|email| people.get(&email.to_lowercase()).copied()),
        cost_method: account.cost_method,
        current_amount: None,
    }
}
