//! What a person does to transactions and transfers, at random, and to which entries it counts as a
//! change.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::tables;
use crate::imports::{all, text};
use crate::support::{Dice, Family, Sql};

/// Someone who works in a family's ledger, and what was touched.
pub(super) struct Person<'t> {
    pub(super) family: &'t Family,
    pub(super) sql: &'t Sql,
    /// Entries that count as changed by what was done, in the database's words.
    pub(super) changed: BTreeSet<String>,
}

impl Person<'_> {
    /// Does something to some transaction or transfer.
    pub(super) fn does_something(&mut self, dice: &mut Dice) {
        let found = all(&self.family.api, "/api/v1/transactions", "transactions");
        if found.is_empty() {
            return;
        }
        match dice.below(10) {
            0..=3 => self.edits(&found, dice),
            4 => self.pairs(&found, dice),
            5..=7 => match self.is_proposed(&found, dice) {
                // Some proposals are left alone for now.
                Some(proposal) if !dice.one_in(4) => self.decides(&proposal, dice),
                _ => {}
            },
            _ => {
                let transfers = all(&self.family.api, "/api/v1/transfers", "transfers");
                if !transfers.is_empty() {
                    self.decides(dice.one_of(&transfers), dice);
                }
            }
        }
    }

    /// Renames, moves, fills or deletes. Nothing is emptied: an import may fill it.
    fn edits(&mut self, found: &[Value], dice: &mut Dice) {
        let one = dice.one_of(found);
        let path = format!("/api/v1/transactions/{}", text(&one["id"]));
        let some = |field: &str| -> Option<Value> {
            let mut with = found.iter().map(|other| &other[field]);
            with.rfind(|value| !value.is_null() && **value != json!([])).cloned()
        };
        let body = match dice.below(7) {
            0 => return drop(self.family.api.delete(&path).expect_status(200)),
            1 => json!({ "name": format!("Renamed {}", dice.below(3)) }),
            2 => json!({ "amount": format!("{}.25", dice.below(9)) }),
            3 => json!({ "date": format!("2024-01-0{}", 1 + dice.below(8)) }),
            4 => json!({ "notes": format!("note {}", dice.below(3)) }),
            5 => match some("category") {
                Some(category) => json!({ "category_id": category["id"] }),
                None => return,
            },
            _ => match some("tags") {
                Some(tags) => json!({ "tag_ids": [tags[0]["id"]] }),
                None => return,
            },
        };
        let mut shown = self.family.api.patch(&path, &body).expect_status(200).json();
        shown["updated_at"] = one["updated_at"].clone();
        // Sending a value that is there already is no change.
        if shown != *one {
            self.changed.insert(tables::id(text(&one["id"])));
        }
    }

    /// Makes a transfer of two transactions, if there are two that can be one.
    fn pairs(&mut self, found: &[Value], dice: &mut Dice) {
        let confirmed = self.sides("transfers WHERE status = 'confirmed'");
        let is_free = |one: &Value| {
            let id = tables::id(text(&one["id"]));
            confirmed.iter().all(|(out, into)| ![out, into].contains(&&id))
        };
        let free: Vec<Value> = found.iter().filter(|one| is_free(one)).cloned().collect();
        let Some((out, into)) = opposite(&free, dice) else { return };
        let body = json!({ "outflow_transaction_id": out["id"],
            "inflow_transaction_id": into["id"] });
        let made = self.family.api.post("/api/v1/transfers", &body).expect_status(201).json();
        assert_eq!(made["status"], "confirmed", "{made}");
        self.count_decision(&made);
    }

    /// A pair is proposed as the matching does it, which is off; none that it wouldn't propose.
    fn is_proposed(&mut self, found: &[Value], dice: &mut Dice) -> Option<Value> {
        let mut known = self.sides("transfers WHERE 1 = 1");
        known.extend(self.sides("rejected_transfers WHERE 1 = 1"));
        let confirmed = self.sides("transfers WHERE status = 'confirmed'");
        let (out, into) = opposite(found, dice)?;
        let (from, to) = (text(&out["id"]), text(&into["id"]));
        let pair = (tables::id(from), tables::id(to));
        if known.contains(&pair)
            || confirmed.iter().any(|(out, into)| *out == pair.0 || *into == pair.1)
        {
            return None;
        }
        let id =
            format!("{:08x}-7c00-7a10-8000-{:08x}0000", dice.below(1 << 31), dice.below(1 << 31));
        let Self { family, sql, .. } = self;
        sql.run(&format!(
            "INSERT INTO transfers (family_id, id, outflow_id, inflow_id, status, made_by, score,
                reasons, created_at, updated_at)
             SELECT {}, {}, {}, {}, 'pending', 'matching', 50, '[]', 0, 0",
            tables::family_id(family),
            sql.uuid(&id),
            sql.uuid(from),
            sql.uuid(to),
        ));
        Some(family.api.get(&format!("/api/v1/transfers/{id}")).expect_status(200).json())
    }

    /// Confirms, rejects or takes a transfer away. Only the first counts as a change of its sides.
    fn decides(&mut self, transfer: &Value, dice: &mut Dice) {
        let api = &self.family.api;
        let path = format!("/api/v1/transfers/{}", text(&transfer["id"]));
        match dice.below(3) {
            0 => {
                let body = json!({ "status": "confirmed" });
                let confirmed = api.patch(&path, &body).expect_status(200).json();
                assert_eq!(confirmed["status"], "confirmed", "{confirmed}");
                self.count_decision(&confirmed);
            }
            1 => {
                let body = json!({ "status": "rejected" });
                let rejected = api.patch(&path, &body).expect_status(200).json();
                assert_eq!(rejected["status"], "rejected", "{rejected}");
            }
            _ => drop(api.delete(&path).expect_status(200)),
        }
    }

    fn count_decision(&mut self, transfer: &Value) {
        self.changed.extend(["outflow", "inflow"].map(|which| side(transfer, which)));
    }

    /// The sides of the family's pairs, out and in.
    fn sides(&self, of: &str) -> Vec<(String, String)> {
        let family = tables::family_id(self.family);
        let query = format!("SELECT outflow_id, inflow_id FROM {of} AND family_id = {family}");
        let rows = self.sql.query(&query);
        rows.iter().map(|row| (tables::id(&row[0]), tables::id(&row[1]))).collect()
    }
}

fn side(transfer: &Value, which: &str) -> String {
    tables::id(text(&transfer[format!("{which}_transaction")]["id"]))
}

/// Some two transactions of different accounts that cancel each other: out and in.
fn opposite<'t>(found: &'t [Value], dice: &mut Dice) -> Option<(&'t Value, &'t Value)> {
    let amount = |one: &'t Value| text(&one["signed_amount_decimal"]);
    let mut pairs = Vec::new();
    for out in found {
        let Some(positive) = amount(out).strip_prefix('-') else { continue };
        let fits = |into: &&Value| {
            text(&into["signed_amount_decimal"]) == positive
                && into["account"]["id"] != out["account"]["id"]
        };
        pairs.extend(found.iter().filter(fits).map(|into| (out, into)));
    }
    (!pairs.is_empty()).then(|| dice.pick(&pairs))
}
