//! What a label was taken from can be read back from the audit trail, whatever pointed to it.

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::date;
use purser_core::ids::{AccountId, CategoryId, MerchantId, TagId};
use purser_core::money::Currency;
use purser_core::plan::{Change, Target, TransactionDraft};
use serde_json::{Value, json};

use super::*;
use crate::accounts::tests::{input, make};
use crate::audit::{self, KeptImages, Recorded, Selection};
use crate::families::FamilyId;
use crate::ledger::Event;
use crate::ledger::records::kinds::find;
use crate::testing::{Fixture, on_both};
use crate::{categories, merchants, tags};

const FOOD: Uuid = Uuid::from_u128(0xf00d);
const OTHER: Uuid = Uuid::from_u128(0x07e4);
const BAKER: Uuid = Uuid::from_u128(0xbac);
const GROCER: Uuid = Uuid::from_u128(0x64);
const TRIP: Uuid = Uuid::from_u128(0x74);
const BUDGETS: [Uuid; 2] = [Uuid::from_u128(0xb1), Uuid::from_u128(0xb2)];
const LINES: [Uuid; 3] = [Uuid::from_u128(0x11), Uuid::from_u128(0x12), Uuid::from_u128(0x13)];
const SERIES: Uuid = Uuid::from_u128(0x5e);
const RULES: [Uuid; 2] = [Uuid::from_u128(0x41), Uuid::from_u128(0x42)];

/// A family with labels, and with everything that points to them.
struct Labelled<'f> {
    fixture: &'f Fixture,
    family: FamilyId,
    entries: BTreeSet<Uuid>,
    /// What points to labels besides entries, by kind and id.
    pointing: BTreeMap<(&'static str, Uuid), Value>,
}

fn line(budget: Uuid, category: Uuid, amount: i64) -> Value {
    json!({ "budget": budget, "category": category, "budgeted_spending": amount })
}

fn rule(name: &str, active: bool) -> Value {
    let action = |kind: &str, value: Uuid| json!({ "action_type": kind, "value": value });
    let actions = [
        action("set_transaction_category", FOOD),
        action("set_transaction_merchant", BAKER),
        action("set_transaction_tags", TRIP),
    ];
    json!({ "name": name, "active": active, "position": 1, "effective_date": null,
        "conditions": [], "actions": actions })
}

/// What points to labels besides entries.
fn pointing(account: AccountId) -> BTreeMap<(&'static str, Uuid), Value> {
    let series = json!({ "account": account, "merchant": BAKER, "category": FOOD, "name": "Bread",
        "amount": 5, "currency": "EUR", "day": 3, "last": "2024-01-03", "next": "2024-02-03",
        "status": "active", "count": 2, "made_by": "person" });
    BTreeMap::from([
        (("budget_category", LINES[0]), line(BUDGETS[0], FOOD, 70)),
        (("budget_category", LINES[1]), line(BUDGETS[0], OTHER, 30)),
        (("budget_category", LINES[2]), line(BUDGETS[1], FOOD, 50)),
        (("recurring_transaction", SERIES), series),
        (("rule", RULES[0]), rule("On", true)),
        (("rule", RULES[1]), rule("Off", false)),
    ])
}

impl<'f> Labelled<'f> {
    fn new(fixture: &'f Fixture, name: &str, count: u64) -> Self {
        let (family, _) = fixture.family(name);
        let account = make(fixture, family, &input("Main", "depository", "0")).summary.id;
        let pointing = pointing(account);
        let named = |name: &str| match name {
            "Food" | "Other" => json!({ "name": name, "parent_id": null, "color": null,
                "icon": null }),
            "Trip" => json!({ "name": name, "color": null }),
            _ => json!({ "name": name, "color": null, "website": null }),
        };
        let budget = |month: &str| {
            json!({ "start_date": month, "currency": "EUR", "budgeted_spending": null,
                "expected_income": null })
        };
        let mut rows = vec![
            ("category", FOOD, named("Food")),
            ("category", OTHER, named("Other")),
            ("merchant", BAKER, named("Baker")),
            ("merchant", GROCER, named("Grocer")),
            ("tag", TRIP, named("Trip")),
            ("budget", BUDGETS[0], budget("2024-01-01")),
            ("budget", BUDGETS[1], budget("2024-02-01")),
        ];
        rows.extend(pointing.iter().map(|((kind, id), image)| (*kind, *id, image.clone())));
        let write = |tx: &mut FamilyTx<'_>| {
            let mut executor = Executor::begin(tx, count)?;
            for (kind, id, image) in &rows {
                find(kind).unwrap().write(tx, &mut executor, *id, (None, Some(image)))?;
            }
            let mut entries = BTreeSet::new();
            let tags = [Target::Existing(TRIP)];
            let bread = bread(account, &tags);
            for _ in 0..count {
                entries.insert(executor.apply(tx, &bread)?.entry.0);
            }
            let (actor, subject_id) = (tx.actor(), account.0);
            let (action, subject_kind, details) = ("test", "account", json!({}));
            executor.finish(tx, Event { actor, action, subject_kind, subject_id, details })?;
            Ok(entries)
        };
        let entries = fixture.store.write_blocking(family, write).unwrap();
        Self { fixture, family, entries, pointing }
    }

    /// Does something, and returns the event and everything that it has images of.
    fn event(
        &self,
        change: impl Fn(&mut FamilyTx<'_>) -> Result<()> + Send,
    ) -> (Recorded, Vec<KeptImages>) {
        let write = |tx: &mut FamilyTx<'_>| {
            change(tx)?;
            let event = audit::list(tx, Selection::default(), 1)?.remove(0);
            let mut kept = Vec::new();
            audit::images_of(tx, event.id, |one| {
                kept.push(one);
                Ok(())
            })?;
            Ok((event, kept))
        };
        self.fixture.store.write_blocking(self.family, write).unwrap()
    }

    /// Compares what an event has with all entries, and with the images before of some records.
    #[track_caller]
    fn assert_whole(&self, kept: &[KeptImages], changed: &[Uuid]) {
        let of_entries = kept.iter().filter(|one| one.kind == "entry");
        assert_eq!(of_entries.map(|one| one.id).collect::<BTreeSet<_>>(), self.entries);
        let others: BTreeMap<(&str, Uuid), &Value> = kept
            .iter()
            .filter(|one| one.kind != "entry")
            .map(|one| ((one.kind.as_str(), one.id), one.before.as_ref().unwrap()))
            .collect();
        let expected = self.pointing.iter().filter(|((_, id), _)| changed.contains(id));
        assert_eq!(others, expected.map(|(key, image)| (*key, image)).collect());
    }
}

fn bread(account: AccountId, tags: &[Target]) -> Change<'_> {
    Change::AddTransaction(TransactionDraft {
        account: Target::Existing(account.0),
        date: date(2024, 1, 1),
        amount: 10_000,
        currency: Currency::EUR,
        rate: None,
        name: "Bread",
        source_name: None,
        notes: None,
        category: Some(Target::Existing(FOOD)),
        merchant: Some(Target::Existing(BAKER)),
        tags,
        excluded: false,
        source: None,
        external_id: None,
    })
}

#[test]
fn a_replaced_category_leaves_every_pointer_in_the_audit_trail() {
    on_both(|fixture| {
        let labelled = Labelled::new(fixture, "replaced", 2_500);
        let (event, kept) =
            labelled.event(|tx| categories::remove(tx, CategoryId(FOOD), Some(CategoryId(OTHER))));
        let detached = json!({ "entries": 2_500, "rules_changed": 2, "rules_switched_off": 0,
            "budget_categories": 2, "recurring_transactions": 1 });
        let food = json!({ "name": "Food", "parent_id": null, "color": null, "icon": null });
        assert_eq!(
            event.details,
            json!({ "before": food, "replacement": OTHER, "detached": detached, "images": 2_506 })
        );
        let changed = [&LINES[..], &[SERIES], &RULES].concat();
        labelled.assert_whole(&kept, &changed);
        let after = |id: Uuid| kept.iter().find(|one| one.id == id).unwrap().after.clone();
        assert_eq!(after(LINES[0]), None, "its amount is in the other line");
        assert_eq!(after(LINES[1]), Some(line(BUDGETS[0], OTHER, 100)));
        assert_eq!(after(LINES[2]), Some(line(BUDGETS[1], OTHER, 50)));
        assert_eq!(after(SERIES).unwrap()["category"], json!(OTHER));
        assert_eq!(after(RULES[1]).unwrap()["actions"][0]["value"], json!(OTHER));
    });
}

#[test]
fn a_removed_category_leaves_every_pointer_in_the_audit_trail() {
    on_both(|fixture| {
        let labelled = Labelled::new(fixture, "removed", 1_000);
        let (event, kept) = labelled.event(|tx| categories::remove(tx, CategoryId(FOOD), None));
        let detached = json!({ "entries": 1_000, "rules_changed": 0, "rules_switched_off": 1,
            "budget_categories": 2, "recurring_transactions": 1 });
        assert_eq!(event.details["detached"], detached);
        // The rule that was off and the line for the other category stay as they were.
        labelled.assert_whole(&kept, &[LINES[0], LINES[2], SERIES, RULES[0]]);
        let after = |id: Uuid| kept.iter().find(|one| one.id == id).unwrap().after.clone();
        assert_eq!((after(LINES[0]), after(LINES[2])), (None, None));
        assert_eq!(after(RULES[0]).unwrap()["active"], json!(false));
        assert_eq!(after(SERIES).unwrap()["category"], json!(null));
    });
}

#[test]
fn merchants_and_tags_leave_every_pointer_in_the_audit_trail() {
    on_both(|fixture| {
        let labelled = Labelled::new(fixture, "others", 1_001);
        let (event, kept) = labelled
            .event(|tx| merchants::merge(tx, MerchantId(BAKER), MerchantId(GROCER)).map(drop));
        assert_eq!(event.details["detached"]["entries"], 1_001);
        assert_eq!(event.details["replacement"], json!(GROCER));
        labelled.assert_whole(&kept, &[SERIES, RULES[0], RULES[1]]);
        let labelled = Labelled::new(fixture, "tagged", 2_000);
        let (event, kept) = labelled.event(|tx| tags::remove(tx, TagId(TRIP)));
        assert_eq!(event.details["detached"]["entries"], 2_000);
        assert_eq!(event.details["before"], json!({ "name": "Trip", "color": null }));
        labelled.assert_whole(&kept, &[RULES[0]]);
    });
}

/// The images of few are in the event itself.
#[test]
fn few_pointers_stand_in_the_event() {
    on_both(|fixture| {
        let labelled = Labelled::new(fixture, "few", 2);
        let (event, kept) = labelled.event(|tx| categories::remove(tx, CategoryId(FOOD), None));
        assert_eq!(kept, []);
        assert_eq!(event.details["detached"]["entries"], 2);
        assert_eq!(event.details["before"]["name"], "Food");
        let changes = event.details["changes"].as_array().unwrap();
        let entries = labelled.entries.iter().map(|id| json!({ "entry": id }));
        assert_eq!(changes[..2], entries.collect::<Vec<_>>());
        for key in [("recurring_transaction", SERIES), ("rule", RULES[0])] {
            let change = changes.iter().find(|one| one[key.0] == json!(key.1)).unwrap();
            assert_eq!(change["before"], labelled.pointing[&key]);
        }
        assert_eq!(changes.len(), 2 + 4);
    });
}
