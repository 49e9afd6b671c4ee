//! A small bank: a list of purchases, and how the bank reports them on a day.

use proptest::prelude::*;

use super::*;

/// Days on which something is bought.
pub(super) const DAYS: i64 = 10;
const SHOPS: [&str; 4] = ["Corner Bakery", "Night Owl Café", "City Transit", "Corner Books"];

/// Something that was bought.
#[derive(Debug, Clone)]
pub(super) struct Purchase {
    authorised: i64,
    delay: i64,
    amount: i64,
    shop: usize,
    /// It is held for a while and never booked.
    is_cancelled: bool,
    /// It is never reported as pending.
    is_late: bool,
}

/// What the bank does wrong.
#[derive(Debug, Clone, Copy)]
pub(super) struct Quirks {
    /// Pending rows have no id.
    blank_pending: bool,
    /// No row has an id.
    blank: bool,
    /// Each row has another id every third day.
    rotates: bool,
    /// The booked row has another id than the pending one.
    changes_id: bool,
    /// All rows have one id.
    one_id: bool,
    /// Each pending row is there twice.
    twins: bool,
    /// What is booked is more than was authorised.
    tips: bool,
    /// The booked row has the name in more words.
    renames: bool,
}

/// A bank with everything that happens at it.
#[derive(Debug, Clone)]
pub(super) struct Bank {
    pub(super) purchases: Vec<Purchase>,
    pub(super) quirks: Quirks,
}

fn purchase() -> impl Strategy<Value = Purchase> {
    let flags = (prop::bool::weighted(0.1), prop::bool::weighted(0.2));
    (0..DAYS, 0i64..4, 1i64..4, 0..SHOPS.len(), flags).prop_map(
        |(authorised, delay, amount, shop, (is_cancelled, is_late))| Purchase {
            authorised,
            delay,
            amount: amount * 100,
            shop,
            is_cancelled,
            is_late,
        },
    )
}

pub(super) fn bank() -> impl Strategy<Value = Bank> {
    let one = || prop::bool::weighted(0.3);
    let ids = (one(), one(), one(), one(), one());
    let others = (one(), one(), one());
    let quirks = (ids, others).prop_map(|(ids, (twins, tips, renames))| {
        let (blank_pending, blank, rotates, changes_id, one_id) = ids;
        Quirks { blank_pending, blank, rotates, changes_id, one_id, twins, tips, renames }
    });
    (prop::collection::vec(purchase(), 0..12), quirks)
        .prop_map(|(purchases, quirks)| Bank { purchases, quirks })
}

impl Bank {
    /// The whole answer of a day about other days.
    pub(super) fn answer(&self, today: i64, days: (i64, i64), has_pending: bool) -> ReportedRows {
        let rows = self.rows(today).into_iter().filter(|row| {
            (has_pending || !row.pending) && row.date >= day(days.0) && row.date <= day(days.1)
        });
        let whole = answer(rows);
        ReportedRows { from: day(days.0), to: day(days.1), has_pending, ..whole }
    }

    /// Whether a row may come with another id than before.
    pub(super) fn has_moving_ids(&self) -> bool {
        self.quirks.rotates
    }

    /// Everything that is booked by a day, without ids.
    pub(super) fn booked(&self, today: i64) -> Vec<SourceRow> {
        let rows = self.rows(today).into_iter().filter(|row| !row.pending);
        rows.map(|row| SourceRow { id: None, ..row }).collect()
    }

    fn rows(&self, today: i64) -> Vec<SourceRow> {
        let mut rows = Vec::new();
        for (number, one) in self.purchases.iter().enumerate() {
            let is_booked = one.authorised + one.delay <= today && !one.is_cancelled;
            let is_held = one.authorised <= today && today < one.authorised + one.delay;
            let id = self.id(number, today, is_booked);
            let shop = SHOPS[one.shop];
            if is_booked {
                let amount = one.amount + if self.quirks.tips { 15 } else { 0 };
                let name = match self.quirks.renames {
                    true => format!("CARD 0423 {shop}"),
                    false => shop.to_owned(),
                };
                rows.push(booked(&id, one.authorised + one.delay, amount, &name));
            } else if is_held && !one.is_late {
                let row = pending(&id, one.authorised, one.amount, shop);
                rows.extend(std::iter::repeat_n(row, if self.quirks.twins { 2 } else { 1 }));
            }
        }
        rows
    }

    fn id(&self, number: usize, today: i64, is_booked: bool) -> String {
        let Quirks { blank_pending, blank, rotates, changes_id, one_id, .. } = self.quirks;
        if blank || (blank_pending && !is_booked) {
            return String::new();
        }
        if one_id {
            return "NONREF".to_owned();
        }
        let block = if rotates { today / 3 } else { 0 };
        let side = if changes_id && is_booked { "b" } else { "a" };
        format!("{side}{number}/{block}")
    }
}
