//! Every kind of record is taken back: the tests go through the table of kinds.

use std::collections::HashMap;

use purser_core::ids::{AccountId, EntryId, ImportId};
use serde_json::{Value, json};
use uuid::Uuid;

use super::kinds::{KINDS, Kind, find};
use super::undo::{Context, Remaining, Removal, survey, take_back};
use super::*;
use crate::accounts::tests::{input, make};
use crate::audit;
use crate::families::FamilyId;
use crate::imports;
use crate::ledger::records::undo::RecordSurvey;
use crate::testing::{Fixture, new_import, on_both};

/// What records point to.
struct Scene {
    account: AccountId,
    category: Uuid,
    merchant: Uuid,
    budget: Uuid,
    security: Uuid,
}

/// Images of a kind: of three records, then of the first once it is changed, and once more.
fn samples(kind: &str, scene: &Scene) -> [Value; 5] {
    let Scene { account, category, merchant, budget, security } = scene;
    let with = |image: Value, changes: &[(&str, Value)]| {
        let mut image = image;
        changes.iter().for_each(|(field, value)| image[*field] = value.clone());
        image
    };
    let (base, place, other) = match kind {
        "category" => {
            let image = json!({ "name": "A", "parent_id": null, "color": null, "icon": "a" });
            (image, "name", "icon")
        }
        "tag" => (json!({ "name": "A", "color": null }), "name", "color"),
        "merchant" => (json!({ "name": "A", "color": null, "website": null }), "name", "website"),
        "rule" => {
            let actions = json!([{ "action_type": "set_transaction_category", "value": category }]);
            let image = json!({ "name": "A", "active": true, "position": 1,
                "effective_date": "2024-01-02", "conditions": [], "actions": actions });
            (image, "name", "name")
        }
        "budget" => {
            let image = json!({ "start_date": "2023-01-01", "currency": "EUR",
                "budgeted_spending": 5, "expected_income": null });
            (image, "start_date", "expected_income")
        }
        "budget_category" => {
            let image = json!({ "budget": budget, "category": category, "budgeted_spending": 1 });
            (image, "category", "budgeted_spending")
        }
        "security" => {
            let image = json!({ "ticker": "A", "exchange_operating_mic": "", "name": null,
                "kind": "standard", "isin": null, "country_code": null, "currency": "EUR",
                "offline": false, "feed_symbol": null });
            (image, "ticker", "name")
        }
        "security_price" => {
            let image = json!({ "security": security, "date": "2024-01-02", "currency": "EUR",
                "price": "1.5", "source": "manual" });
            (image, "date", "price")
        }
        "exchange_rate" => {
            let image = json!({ "base": "EUR", "quote": "USD", "date": "2024-01-02",
                "rate": "1.5", "source": "manual" });
            (image, "date", "rate")
        }
        "recurring_transaction" => {
            let image = json!({ "account": account, "merchant": merchant, "category": category,
                "name": "A", "amount": 5, "currency": "EUR", "day": 3, "last": "2024-01-03",
                "next": "2024-02-03", "status": "active", "count": 2, "made_by": "person" });
            (image, "name", "count")
        }
        unknown => panic!("the kind {unknown} needs images for this test"),
    };
    let (places, values) = others(place, other);
    [
        base.clone(),
        with(base.clone(), &[(place, places[0].clone())]),
        with(base.clone(), &[(place, places[1].clone())]),
        with(base.clone(), &[(other, values[0].clone())]),
        with(base, &[(other, values[1].clone())]),
    ]
}

/// Other values for the place of a record, and for another member.
fn others(place: &str, other: &str) -> ([Value; 2], [Value; 2]) {
    let places = match place {
        "start_date" => [json!("2023-02-01"), json!("2023-03-01")],
        "date" => [json!("2024-01-03"), json!("2024-01-04")],
        "category" => [json!(line_category(1)), json!(line_category(2))],
        _ => [json!("B"), json!("C")],
    };
    let values = match other {
        "expected_income" | "budgeted_spending" | "count" => [json!(7), json!(8)],
        "price" | "rate" => [json!("7"), json!("8")],
        "color" => [json!("#111111"), json!("#222222")],
        _ => [json!("x"), json!("y")],
    };
    (places, values)
}

/// Ids of categories for lines of budgets, which point to one each.
fn line_category(number: u128) -> Uuid {
    Uuid::from_u128(0xca7e_0000 + number)
}

fn scene(fixture: &Fixture, family: FamilyId) -> Scene {
    let account = make(fixture, family, &input("Main", "depository", "0")).summary.id;
    let write = |tx: &mut FamilyTx<'_>| {
        let ids = [1, 2, 3, 4].map(|number| Uuid::from_u128(0x5ce0 + number));
        let [category, merchant, budget, security] = ids;
        let names = ["category", "merchant", "budget", "security"];
        let mut rows: Vec<(&str, Uuid, Value)> = Vec::new();
        let scene = Scene { account, category, merchant, budget, security };
        for (name, id) in names.into_iter().zip(ids) {
            let mut image = samples(name, &scene)[0].clone();
            for field in ["name", "ticker"] {
                if image.get(field).is_some_and(Value::is_string) {
                    image[field] = json!("SCENE");
                }
            }
            if name == "budget" {
                image["start_date"] = json!("2020-01-01");
            }
            rows.push((name, id, image));
        }
        for number in [1, 2] {
            let name = format!("Line {number}");
            let image = json!({ "name": name, "parent_id": null, "color": null, "icon": null });
            rows.push(("category", line_category(number), image));
        }
        plan(tx, None, |tx, executor| {
            rows.iter().try_for_each(|(name, id, image)| {
                find(name).unwrap().write(tx, executor, *id, (None, Some(image)))
            })
        })?;
        Ok(scene)
    };
    fixture.store.write_blocking(family, write).unwrap()
}

/// Has an executor write a plan, of an import or of a person.
pub(in crate::ledger::records) fn plan(
    tx: &mut FamilyTx<'_>,
    import: Option<ImportId>,
    work: impl FnOnce(&mut FamilyTx<'_>, &mut Executor) -> Result<()>,
) -> Result<()> {
    let mut executor = Executor::begin(tx, 0)?;
    if let Some(import) = import {
        executor = executor.of_import(import);
    }
    work(tx, &mut executor)?;
    let (actor, subject_id) = (tx.actor(), Uuid::from_u128(0xe7));
    let event =
        Event { actor, action: "test", subject_kind: "test", subject_id, details: json!({}) };
    executor.finish(tx, event).map(drop)
}

pub(in crate::ledger::records) fn import(tx: &mut FamilyTx<'_>) -> Result<ImportId> {
    imports::insert(tx, &new_import(0))
}

pub(in crate::ledger::records) fn undo_survey(
    tx: &mut FamilyTx<'_>,
    import: ImportId,
) -> Result<RecordSurvey> {
    let range = (EntryId(Uuid::nil()), EntryId(Uuid::nil()));
    survey(tx, &Remaining { range, import }, &Context::default())
}

const IDS: [Uuid; 3] = [Uuid::from_u128(0xa), Uuid::from_u128(0xb), Uuid::from_u128(0xc)];

/// An import changed the first record, removed the second and created the third.
fn imported(tx: &mut FamilyTx<'_>, kind: &dyn Kind, images: &[Value; 5]) -> Result<ImportId> {
    let [first, second, third, changed, _] = images;
    plan(tx, None, |tx, executor| {
        kind.write(tx, executor, IDS[0], (None, Some(first)))?;
        kind.write(tx, executor, IDS[1], (None, Some(second)))
    })?;
    let import = import(tx)?;
    plan(tx, Some(import), |tx, executor| {
        kind.write(tx, executor, IDS[0], (Some(first), Some(changed)))?;
        kind.write(tx, executor, IDS[1], (Some(second), None))?;
        kind.write(tx, executor, IDS[2], (None, Some(third)))
    })?;
    Ok(import)
}

#[test]
fn what_an_import_did_is_taken_back_whatever_the_kind() {
    on_both(|fixture| {
        for (number, kind) in KINDS.iter().enumerate() {
            let name = kind.name();
            let (family, _) = fixture.family(&format!("back{number}"));
            let images = samples(name, &scene(fixture, family));
            let write = |tx: &mut FamilyTx<'_>| {
                let import = imported(tx, *kind, &images)?;
                let present = kind.read(tx, &IDS)?;
                let expected =
                    HashMap::from([(IDS[0], images[3].clone()), (IDS[2], images[2].clone())]);
                assert_eq!(present, expected, "{name}");
                let survey = undo_survey(tx, import)?;
                let goes = survey.created.iter().map(|one| (one.id, one.goes()));
                assert_eq!(goes.collect::<Vec<_>>(), [(IDS[2], true)], "{name}");
                let mut restored: Vec<Uuid> = survey.restored.iter().map(|one| one.id).collect();
                restored.sort_unstable();
                assert_eq!((restored, survey.kept.len()), (IDS[..2].to_vec(), 0), "{name}");
                plan(tx, None, |tx, executor| take_back(tx, executor, import, &survey))?;
                let before =
                    HashMap::from([(IDS[0], images[0].clone()), (IDS[1], images[1].clone())]);
                assert_eq!(kind.read(tx, &IDS)?, before, "{name}");
                let events = audit::list(tx, audit::Selection::default(), 9)?;
                let changes = events.iter().find_map(|event| event.details.get("changes"));
                let changes = changes.and_then(Value::as_array).unwrap();
                let image = |id: Uuid, side: &str| {
                    let its = changes.iter().find(|one| one[name] == json!(id)).unwrap();
                    its.get(side).cloned()
                };
                assert_eq!(image(IDS[0], "before"), Some(images[3].clone()), "{name}");
                assert_eq!(image(IDS[0], "after"), Some(images[0].clone()), "{name}");
                assert_eq!(image(IDS[1], "before"), None, "{name}");
                assert_eq!(image(IDS[2], "before"), Some(images[2].clone()), "{name}");
                Ok(())
            };
            fixture.store.write_blocking(family, write).unwrap();
        }
    });
}

/// What the import created goes first, and makes room for what it removed.
#[test]
fn what_an_import_replaced_comes_back_whatever_the_kind() {
    on_both(|fixture| {
        for (number, kind) in KINDS.iter().enumerate() {
            let name = kind.name();
            let (family, _) = fixture.family(&format!("replaced{number}"));
            let [first, .., changed, _] = samples(name, &scene(fixture, family));
            let write = |tx: &mut FamilyTx<'_>| {
                plan(tx, None, |tx, executor| {
                    kind.write(tx, executor, IDS[0], (None, Some(&first)))
                })?;
                let import = import(tx)?;
                plan(tx, Some(import), |tx, executor| {
                    kind.write(tx, executor, IDS[0], (Some(&first), None))?;
                    kind.write(tx, executor, IDS[2], (None, Some(&changed)))
                })?;
                let survey = undo_survey(tx, import)?;
                assert_eq!((survey.restored_count(), survey.kept_count()), (1, 0), "{name}");
                plan(tx, None, |tx, executor| take_back(tx, executor, import, &survey))?;
                let before = HashMap::from([(IDS[0], first.clone())]);
                assert_eq!(kind.read(tx, &IDS)?, before, "{name}");
                Ok(())
            };
            fixture.store.write_blocking(family, write).unwrap();
        }
    });
}

#[test]
fn what_was_changed_since_stays_and_is_reported_whatever_the_kind() {
    on_both(|fixture| {
        for (number, kind) in KINDS.iter().enumerate() {
            let name = kind.name();
            let (family, _) = fixture.family(&format!("kept{number}"));
            let images = samples(name, &scene(fixture, family));
            let write = |tx: &mut FamilyTx<'_>| {
                let import = imported(tx, *kind, &images)?;
                let [_, second, third, changed, again] = &images;
                let mut other = third.clone();
                for (field, value) in again.as_object().unwrap() {
                    if changed[field] != *value && images[0][field] != *value {
                        other[field] = value.clone();
                    }
                }
                // A person changes the first and the third, and takes the place of the second.
                let taken = Uuid::from_u128(0xd);
                let has_place = !kind.place_fields().is_empty();
                plan(tx, None, |tx, executor| {
                    kind.write(tx, executor, IDS[0], (Some(changed), Some(again)))?;
                    kind.write(tx, executor, IDS[2], (Some(third), Some(&other)))?;
                    match has_place {
                        true => kind.write(tx, executor, taken, (None, Some(second))),
                        false => Ok(()),
                    }
                })?;
                let survey = undo_survey(tx, import)?;
                let stays = survey.created.iter().map(|one| (one.id, one.removal.clone()));
                let changed_since = Removal::Stays("it was changed since");
                assert_eq!(stays.collect::<Vec<_>>(), [(IDS[2], changed_since)], "{name}");
                let kept: Vec<(Uuid, usize)> =
                    survey.kept.iter().map(|one| (one.id, one.fields.len())).collect();
                let expected: &[(Uuid, usize)] =
                    if has_place { &[(IDS[0], 1), (IDS[1], 0)] } else { &[(IDS[0], 1)] };
                assert_eq!(kept, expected, "{name}");
                let present = kind.read(tx, &IDS)?;
                plan(tx, None, |tx, executor| take_back(tx, executor, import, &survey))?;
                let mut after = kind.read(tx, &IDS)?;
                if !has_place {
                    assert_eq!(after.remove(&IDS[1]).as_ref(), Some(second), "{name}");
                }
                assert_eq!(after, present, "{name}");
                Ok(())
            };
            fixture.store.write_blocking(family, write).unwrap();
        }
    });
}

/// The images of many records are beside the event, in blocks, and nothing of them is lost.
#[test]
fn many_records_have_their_images_in_blocks() {
    on_both(|fixture| {
        let (family, _) = fixture.family("many");
        let kind = find("tag").unwrap();
        let tag = |number: u128| json!({ "name": format!("T{number}"), "color": null });
        let count = 2_500;
        let write = |tx: &mut FamilyTx<'_>| {
            plan(tx, None, |tx, executor| {
                (1..=count).try_for_each(|number| {
                    let id = Uuid::from_u128(number);
                    kind.write(tx, executor, id, (None, Some(&tag(number))))
                })
            })?;
            let event = audit::list(tx, audit::Selection::default(), 1)?.remove(0);
            assert_eq!(event.details, json!({ "images": count as u64 }));
            let mut number = 0;
            audit::images_of(tx, event.id, |one| {
                number += 1;
                assert_eq!((one.id, one.before), (Uuid::from_u128(number), None));
                assert_eq!((one.kind.as_str(), one.after), ("tag", Some(tag(number))));
                Ok(())
            })?;
            assert_eq!(number, count);
            Ok(())
        };
        fixture.store.write_blocking(family, write).unwrap();
    });
}
