//! Rules in a ledger: what they point to, what runs change, and what an undo leaves of it.

use std::collections::BTreeMap;

use jiff::SignedDuration;
use jiff::civil::date;
use purser_core::error::texts;
use purser_core::ids::{AccountId, EntryId, RuleRunId, TagId};
use purser_core::import::transaction::duplicates::Aspect;
use purser_core::money::Currency;
use purser_core::plan::{Change, Target, TransactionDraft};
use purser_core::rules::{RuleValues, Rules};
use serde_json::json;

use super::judging::EvaluatedPart;
use super::running::Part;
use super::runs::{Listing, RunStatus};
use super::*;
use crate::access::FamilyTx;
use crate::accounts::tests::{input, make};
use crate::families::FamilyId;
use crate::files::FileStore;
use crate::imports::candidates::{Candidate, Comparable, candidates};
use crate::ledger::{Executor, Range};
use crate::testing::{Fixture, event, on_both, renaming};
use crate::transactions::{self, Listing as Transactions};
use crate::{labels, merchants, tags};

/// A family with an account of so many transactions, "Shop 0" and so on, a day each.
struct Ledger<'f> {
    fixture: &'f Fixture,
    family: FamilyId,
    account: AccountId,
    range: Range,
}

impl<'f> Ledger<'f> {
    fn new(fixture: &'f Fixture, count: u64) -> Self {
        Self::with_notes(fixture, count, None)
    }

    fn with_notes(fixture: &'f Fixture, count: u64, notes: Option<&str>) -> Self {
        let (family, _) = fixture.family("one");
        let account = make(fixture, family, &input("Cash", "depository", "0")).summary.id;
        let range = fixture.store.write_blocking(family, |tx| {
            let mut executor = Executor::begin(tx, count)?;
            for number in 0..count {
                let name = format!("Shop {number}");
                let day = i64::try_from(number % 300).unwrap();
                executor.apply(
                    tx,
                    &Change::AddTransaction(TransactionDraft {
                        account: Target::Existing(account.0),
                        date: date(2024, 1, 1).saturating_add(jiff::Span::new().days(day)),
                        amount: 10_000 + i64::try_from(number).unwrap(),
                        currency: Currency::EUR,
                        rate: None,
                        name: &name,
                        source_name: None,
                        notes,
                        category: None,
                        merchant: None,
                        tags: &[],
                        excluded: false,
                        source: None,
                        external_id: None,
                    }),
                )?;
            }
            Ok(executor.finish(tx, event())?.range)
        });
        Self { fixture, family, account, range: range.unwrap().unwrap() }
    }

    fn write<T: Send>(&self, write: impl FnMut(&mut FamilyTx<'_>) -> Result<T> + Send) -> T {
        self.fixture.store.write_blocking(self.family, write).unwrap()
    }

    fn read<T: Send>(&self, read: impl Fn(&mut FamilyTx<'_>) -> Result<T> + Send) -> T {
        self.fixture.store.read_blocking(self.family, |tx| read(tx)).unwrap()
    }

    fn make(&self, conditions: &str, actions: &str) -> Rule {
        let values = values(conditions, actions);
        self.write(|tx| create(tx, &values)).0
    }

    fn evaluate(&self, runs: &[RuleRunId]) -> EvaluatedPart {
        judging::evaluate(&self.fixture.store, &self.family.into(), runs).unwrap()
    }

    fn part(&self, evaluated: &EvaluatedPart) -> Part {
        self.write(|tx| running::run_part(tx, evaluated))
    }

    /// A person calls a transaction so.
    fn rename(&self, entry: EntryId, name: &str) {
        let revision = renaming(entry, name);
        self.write(|tx| {
            let mut executor = Executor::begin(tx, 0)?;
            executor.apply(tx, &Change::ReviseTransaction(revision.clone()))?;
            executor.finish(tx, event())
        });
    }

    /// Runs rules to their end; how many parts that took.
    fn run(&self, rules: &[&Rule]) -> (Vec<runs::RuleRun>, usize) {
        let ids: Vec<RuleRunId> =
            self.write(|tx| rules.iter().map(|rule| Ok(runs::begin(tx, rule)?.id)).collect());
        let mut parts = 1;
        while !matches!(self.part(&self.evaluate(&ids)), Part::Done { is_last: true, .. }) {
            parts += 1;
        }
        let read = |tx: &mut FamilyTx<'_>| ids.iter().map(|id| runs::get(tx, *id)).collect();
        (self.read(read), parts)
    }

    fn transactions(&self) -> BTreeMap<EntryId, transactions::Transaction> {
        let listing = Transactions::default();
        let (found, _) = self.read(|tx| transactions::list(tx, &listing, i64::MAX, 0));
        found.into_iter().map(|one| (one.id, one)).collect()
    }

    /// What rows of files are compared with.
    fn names(&self) -> Vec<(Aspect, String)> {
        let found: Vec<Candidate> = self.read(|tx| {
            let mut found = Vec::new();
            let (from, to) = (date(2024, 1, 1), date(2025, 1, 1));
            let (account, which) = (self.account, Comparable::Transactions);
            candidates(tx, account, which, from, to, &mut |_, _| true, &mut |one| {
                found.push(one);
                Ok(())
            })?;
            Ok(found)
        });
        let mut names: Vec<_> = found.into_iter().map(|one| (one.aspect, one.name)).collect();
        names.sort_by(|one, other| one.1.cmp(&other.1));
        names
    }

    fn check(&self) {
        let files = FileStore::open(&self.fixture.directory, &self.fixture.store).unwrap();
        let outcomes = crate::check::run(&self.fixture.store, &files, |_| {});
        let wrong: Vec<_> = outcomes.into_iter().filter(|outcome| !outcome.holds()).collect();
        assert!(wrong.is_empty(), "{wrong:#?}");
    }
}

fn values(conditions: &str, actions: &str) -> RuleValues {
    RuleValues {
        conditions: Some(conditions.to_owned()),
        actions: Some(actions.to_owned()),
        ..RuleValues::default()
    }
}

const ALL: &str = "[]";
const RENAME: &str = r#"[{"action_type": "set_transaction_name", "value": "Groceries"}]"#;
const SHOP_1: &str =
    r#"[{"condition_type": "transaction_name", "operator": "like", "value": "shop 1"}]"#;

#[test]
fn names_become_ids_and_what_actions_name_is_created() {
    on_both(|fixture| {
        let ledger = Ledger::new(fixture, 1);
        let actions = r#"[{"action_type": "set_transaction_category", "value": "Food: Bars"},
            {"action_type": "set_transaction_category", "value": "food:bars"},
            {"action_type": "set_transaction_tags", "value": "Fun"},
            {"action_type": "set_transaction_merchant", "value": "Corner Shop"}]"#;
        let conditions = r#"[{"condition_type": "transaction_account", "operator": "=",
            "value": " cash"}]"#;
        let rule = ledger.make(conditions, actions);
        assert_eq!((rule.position, rule.is_active()), (1, true));
        let paths = ledger.read(labels::categories);
        let paths: Vec<_> = paths.into_iter().map(|one| one.path).collect();
        assert_eq!(paths, ["Food", "Food: Bars"]);
        let again = ledger.make(conditions, actions);
        assert_eq!((again.position, &again.rule), (2, &rule.rule));
        let written = json::write_conditions(&rule.rule.conditions);
        assert_eq!(written[0]["value"], json!(ledger.account.to_string()));
        let refused = values(
            r#"[{"condition_type": "transaction_tag", "operator": "=", "value": "Nothing"},
                {"condition_type": "transaction_account", "operator": "=",
                    "value": "0190f5f0-7c00-7a10-8000-00000000dead"}]"#,
            RENAME,
        );
        let refused = fixture.store.write_blocking(ledger.family, |tx| create(tx, &refused));
        assert_eq!(
            texts(&refused.unwrap_err().into_problems()),
            [
                "The conditions[0].value is not a tag of this family",
                "The conditions[1].value is not an account of this family",
            ]
        );
    });
}

#[test]
fn a_rule_is_off_while_something_that_it_names_is_gone() {
    on_both(|fixture| {
        let ledger = Ledger::new(fixture, 3);
        let family = ledger.family;
        let actions = r#"[{"action_type": "set_transaction_tags", "value": "Fun"}]"#;
        let rule = ledger.make(ALL, actions);
        let tag = ledger.read(labels::tags)[0].id;
        ledger.write(|tx| tags::remove(tx, tag));
        let (rule, _) = ledger.read(|tx| get(tx, rule.id));
        assert!(!rule.is_active());
        let reason = "An action names a tag that does not exist any more";
        assert_eq!(rule.problem.as_deref(), Some(reason));
        assert!(ledger.read(active).is_empty());
        let (runs, _) = ledger.run(&[&rule]);
        assert_eq!(runs[0].status, RunStatus::Failed);
        assert_eq!(runs[0].error.as_deref(), Some(reason));
        let on = RuleValues { active: Some(true), ..RuleValues::default() };
        let refused = fixture.store.write_blocking(family, |tx| revise(tx, rule.id, &on));
        assert!(matches!(refused, Err(Error::Invalid { .. })), "{refused:?}");
        let mended = RuleValues { actions: Some(actions.to_owned()), ..on };
        let (mended, _) = ledger.write(|tx| revise(tx, rule.id, &mended));
        assert!(mended.is_active() && mended.problem.is_none());
        ledger.check();
    });
}

#[test]
fn a_run_changes_what_nobody_has_set_and_keeps_what_sources_reported() {
    on_both(|fixture| {
        let ledger = Ledger::new(fixture, 20);
        let first = ledger.range.0;
        ledger.rename(first, "Shop 1 of mine");
        let rule = ledger.make(SHOP_1, RENAME);
        let before = ledger.transactions();
        let (runs, parts) = ledger.run(&[&rule]);
        assert_eq!(parts, 1);
        // The person's, 1, and 10 to 19.
        assert_eq!(
            (runs[0].status, runs[0].matched, runs[0].changed),
            (RunStatus::Success, 12, 11)
        );
        let after = ledger.transactions();
        assert_eq!(after[&first].name, "Shop 1 of mine");
        assert_eq!(after.values().filter(|one| one.name == "Groceries").count(), 11);
        for (id, one) in &after {
            assert_eq!(one.locked, before[id].locked, "a rule locks nothing");
        }
        // A changed entry is matched by both: its present fields and its origin.
        let names = ledger.names();
        let count = |aspect| names.iter().filter(|one| one.0 == aspect).count();
        assert_eq!((count(Aspect::Unchanged), count(Aspect::Current)), (8, 12));
        assert_eq!(count(Aspect::Source), 12);
        assert!(names.contains(&(Aspect::Source, "Shop 19".to_owned())));
        ledger.check();
        let (again, _) = ledger.run(&[&rule]);
        assert_eq!((again[0].matched, again[0].changed), (1, 0), "the others have other names now");
        assert_eq!(ledger.transactions(), after);
        // No person changed them, so all go but the first.
        let removed = ledger.write(|tx| {
            let mut executor = Executor::begin(tx, 0)?;
            executor.count_out_range(tx, ledger.range)?;
            let removed = executor.delete_range(tx, ledger.range, &|_| {})?;
            executor.finish(tx, event()).map(|_| removed)
        });
        assert_eq!(removed, 19);
        let names = ledger.names();
        let left = [(Aspect::Source, "Shop 0"), (Aspect::Current, "Shop 1 of mine")];
        assert_eq!(names, left.map(|(aspect, name)| (aspect, name.to_owned())));
        ledger.check();
    });
}

#[test]
fn rules_together_see_each_other_and_parts_count_once() {
    on_both(|fixture| {
        // More than a part changes.
        let ledger = Ledger::new(fixture, 4_500);
        let rename = ledger.make(ALL, RENAME);
        let groceries = r#"[{"condition_type": "transaction_name", "operator": "=",
            "value": "Groceries"},
            {"condition_type": "transaction_amount", "operator": "<", "value": "1.1"}]"#;
        let tag = ledger.make(
            groceries,
            r#"[{"action_type": "set_transaction_tags", "value": "Small"},
                {"action_type": "set_transaction_merchant", "value": "Corner Shop"},
                {"action_type": "exclude_transaction"}]"#,
        );
        let (runs, parts) = ledger.run(&[&tag, &rename]);
        assert_eq!(parts, 3);
        let of = |rule: &Rule| {
            let run = runs.iter().find(|run| run.rule == rule.id).unwrap();
            (run.matched, run.changed, run.status)
        };
        assert_eq!(of(&rename), (4_500, 4_500, RunStatus::Success));
        assert_eq!(of(&tag), (1_000, 1_000, RunStatus::Success));
        let tagged = ledger.read(|tx| {
            let tags: Vec<TagId> = labels::tags(tx)?.iter().map(|tag| tag.id).collect();
            let listing = Transactions { tags, ..Transactions::default() };
            transactions::list(tx, &listing, 1, 0)
        });
        assert_eq!(tagged.1, 1_000);
        let one = &tagged.0[0];
        assert!(one.excluded && one.merchant.as_ref().unwrap().name == "Corner Shop");
        let runs = ledger.read(|tx| runs::list(tx, Listing::default(), 10, 0));
        assert_eq!(runs.1, 2);
        ledger.check();
    });
}

#[test]
fn a_preview_shows_what_a_run_does_and_writes_nothing() {
    on_both(|fixture| {
        let ledger = Ledger::new(fixture, 50);
        let values = values(
            SHOP_1,
            r#"[{"action_type": "set_transaction_category", "value": "Food"},
                {"action_type": "set_transaction_tags", "value": "Fun"}]"#,
        );
        let found = ledger.read(|tx| preview::of_values(tx, &values));
        assert_eq!((found.matched, found.changed, found.locked), (11, 11, 0));
        assert_eq!((found.looked_at, found.is_complete), (50, true));
        let created: Vec<_> = found.created.iter().map(|(_, name)| name.as_str()).collect();
        assert_eq!(created, ["Food", "Fun"]);
        let example = &found.examples[0];
        assert_eq!((example.name.as_str(), example.account.1.as_str()), ("Shop 19", "Cash"));
        let changes: Vec<_> = example
            .changes
            .iter()
            .map(|one| (one.field.as_str(), one.before.as_deref(), one.after.as_str()))
            .collect();
        assert_eq!(changes, [("category", None, "Food"), ("tags", None, "Fun")]);
        assert!(ledger.read(merchants::list).is_empty());
        assert!(ledger.read(labels::tags).is_empty());
        let (rule, _) = ledger.write(|tx| create(tx, &values));
        let kept = ledger.read(|tx| preview::of_rule(tx, rule.id));
        assert_eq!((kept.matched, &kept.examples), (found.matched, &found.examples));
        let (runs, _) = ledger.run(&[&rule]);
        assert_eq!((runs[0].matched, runs[0].changed), (11, 11));
        let after = ledger.read(|tx| preview::of_rule(tx, rule.id));
        assert_eq!((after.matched, after.changed, after.examples.len()), (11, 0, 0));
    });
}

#[test]
fn a_part_ends_after_so_much_work() {
    on_both(|fixture| {
        // One character is 33 bytes when it is folded: some 28 transactions make a part.
        let notes = "\u{FDFA}".repeat(5_000);
        let ledger = Ledger::with_notes(fixture, 60, Some(&notes));
        let conditions = r#"[{"condition_type": "transaction_notes", "operator": "not_like",
            "value": "nothing like it"}]"#;
        let rule = ledger.make(conditions, RENAME);
        let (runs, parts) = ledger.run(&[&rule]);
        assert_eq!(parts, 3);
        let run = &runs[0];
        assert_eq!((run.matched, run.changed, run.status), (60, 60, RunStatus::Success));
        assert!(ledger.transactions().values().all(|one| one.name == "Groceries"));
        ledger.check();
    });
}

#[test]
fn what_changed_since_its_evaluation_is_evaluated_again() {
    on_both(|fixture| {
        let ledger = Ledger::new(fixture, 20);
        let rule = ledger.make(SHOP_1, RENAME);
        let entries: Vec<EntryId> = ledger.transactions().into_keys().collect();
        let run = ledger.write(|tx| runs::begin(tx, &rule)).id;
        let progress = || ledger.read(|tx| runs::get(tx, run)).last_entry;

        let evaluated = ledger.evaluate(&[run]);
        ledger.rename(entries[0], "Shop 100");
        assert_eq!(ledger.part(&evaluated), Part::Outdated, "the first is another one now");
        assert_eq!(progress(), None);

        // 1 and 10 met the rule; what is behind them waits.
        let evaluated = ledger.evaluate(&[run]);
        ledger.rename(entries[11], "My own");
        assert_eq!(ledger.part(&evaluated), Part::Done { looked_at: 11, is_last: false });
        assert_eq!(progress(), Some(entries[10]));
        assert_eq!(ledger.part(&evaluated), Part::Outdated, "it is written once");

        let evaluated = ledger.evaluate(&[run]);
        fixture.clock.advance(SignedDuration::from_secs(1));
        let twelve = SHOP_1.replace("shop 1", "shop 12");
        ledger.write(|tx| revise(tx, rule.id, &values(&twelve, RENAME)));
        assert_eq!(ledger.part(&evaluated), Part::Outdated, "the rule says something else");
        let evaluated = ledger.evaluate(&[run]);
        assert_eq!(ledger.part(&evaluated), Part::Done { looked_at: 9, is_last: true });

        let run = ledger.read(|tx| runs::get(tx, run));
        // The person's stays; 1 and 10 by the rule as it was, 12 as it is.
        assert_eq!((run.matched, run.changed, run.status), (4, 3, RunStatus::Success));
        let renamed: Vec<_> = ledger
            .transactions()
            .into_values()
            .filter(|one| one.name == "Groceries")
            .map(|one| one.id)
            .collect();
        assert_eq!(renamed, [entries[1], entries[10], entries[12]]);
        ledger.check();
    });
}

#[test]
fn a_preview_with_too_much_work_is_of_what_was_added_last() {
    on_both(|fixture| {
        let ledger = Ledger::new(fixture, 50);
        let rule = ledger.make(ALL, RENAME);
        let found = ledger.read(|tx| {
            let (rule, catalogue) = get(tx, rule.id)?;
            preview::evaluate(tx, &Rules(vec![rule.rule]), &catalogue, 5_000)
        });
        assert!(!found.is_complete);
        assert!((1..20).contains(&found.looked_at), "{}", found.looked_at);
        assert_eq!((found.matched, found.changed), (found.looked_at, found.looked_at));
        let names: Vec<_> = found.examples.iter().map(|one| one.name.clone()).collect();
        let last: Vec<_> = (0..found.looked_at).map(|back| format!("Shop {}", 49 - back)).collect();
        assert_eq!(names, last);
    });
}
