//! Random families as files in the native format: accounts of all types in several currencies, odd
//! names, transactions with parts, transfers, valuations, and trades of every type. A seed repeats
//! them.

mod trades;

use jiff::ToSpan as _;
use jiff::civil::{Date, date};
use serde_json::{Map, Value, json};

use crate::support::Dice;

/// The currency of these families.
pub(crate) const CURRENCY: &str = "USD";
const DAYS: u64 = 60;

/// The accounts: type, currency, and the cost-basis method.
const ACCOUNTS: [(&str, &str, &str); 14] = [
    ("Depository", "USD", "average"),
    ("Depository", "EUR", "average"),
    ("Depository", "USD", "average"),
    ("CreditCard", "USD", "average"),
    ("Loan", "USD", "average"),
    ("Property", "USD", "average"),
    ("Vehicle", "EUR", "average"),
    ("OtherAsset", "JPY", "average"),
    ("OtherLiability", "EUR", "average"),
    ("Investment", "USD", "fifo"),
    ("Investment", "USD", "lifo"),
    ("Investment", "EUR", "fifo"),
    ("Crypto", "USD", "average"),
    ("Crypto", "EUR", "average"),
];

/// Names that are syntax somewhere.
const NAMES: [&str; 14] = [
    "Corner Shop",
    "(refund) \"quoted\" \\ back",
    "one; two | three",
    "=cmd|' /C calc'!A0",
    "* starred ! flagged",
    "Café  Zoë: #tag ^link",
    "東京 旅行",
    "[2024-01-01] date:2024-99-99",
    "a  :  b",
    "'=odd",
    "-12.50",
    "👍",
    "date:2024-01-01, [=01-02]",
    "2024-01-05 balance Assets:X 1 USD",
];

/// What a family has so far.
pub(crate) struct RandomFamily {
    dice: Dice,
    lines: Vec<String>,
    /// The valuations' accounts and days: there is one of a day.
    valued: Vec<(usize, Date)>,
    count: usize,
}

/// A random family, the same for the same seed.
pub(crate) fn random_family(seed: u64) -> String {
    let mut family = RandomFamily {
        dice: Dice::with_seed(seed),
        lines: Vec::new(),
        valued: Vec::new(),
        count: 0,
    };
    family.labels();
    family.accounts();
    family.rates();
    family.securities();
    for _ in 0..family.dice.between(20, 60) {
        match family.dice.between(0, 10) {
            0 | 1 => family.transfer(),
            2 => family.split(),
            3 => family.valuation(),
            _ => drop(family.transaction(None)),
        }
    }
    for _ in 0..family.dice.between(10, 60) {
        family.trade();
    }
    family.stated();
    family.plans();
    family.changed_and_deleted();
    family.lines.join("\n") + "\n"
}

/// Money in the decimals of a currency, from its smallest unit.
fn money(units: i64, currency: &str) -> String {
    let sign = if units < 0 { "-" } else { "" };
    let units = units.abs();
    match currency {
        "JPY" => format!("{sign}{units}"),
        _ => format!("{sign}{}.{:02}", units / 100, units % 100),
    }
}

impl RandomFamily {
    fn put(&mut self, kind: &str, data: Value) {
        self.lines.push(json!({ "type": kind, "data": data }).to_string());
    }

    fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        let at = self.dice.between(0, all.len() as u64);
        all[usize::try_from(at).unwrap()]
    }

    fn seldom(&mut self) -> bool {
        self.dice.between(0, 5) == 0
    }

    fn day(&mut self) -> Date {
        let days = i64::try_from(self.dice.between(0, DAYS)).unwrap();
        date(2024, 1, 1).saturating_add(days.days())
    }

    fn id(&mut self, kind: &str) -> String {
        self.count += 1;
        format!("{kind}{}", self.count)
    }

    fn amount(&mut self) -> i64 {
        let most = self.pick(&[100, 10_000, 1_000_000]);
        i64::try_from(self.dice.between(0, most)).unwrap() * if self.dice.coin() { 1 } else { -1 }
    }

    fn labels(&mut self) {
        for (at, name) in
            ["Food; \"drinks\"", "Café / x", "[Odd]  (name)", "旅行", "👍"].iter().enumerate()
        {
            let parent = (at == 1).then_some("c0");
            let mut data = json!({ "id": format!("c{at}"), "name": name, "color": "#112233" });
            if let Some(parent) = parent {
                data["parent_id"] = parent.into();
            }
            self.put("Category", data);
        }
        for (at, name) in ["date", "kids ü", "a,b: c", "旅"].iter().enumerate() {
            self.put("Tag", json!({ "id": format!("g{at}"), "name": name }));
        }
        for (at, name) in ["(Shop) | two; \"three\"", "=1+1"].iter().enumerate() {
            self.put("Merchant", json!({ "id": format!("m{at}"), "name": name }));
        }
    }

    fn accounts(&mut self) {
        for (at, (kind, currency, method)) in ACCOUNTS.iter().enumerate() {
            // Several have one name.
            let name = NAMES[at / 2];
            let opening = money(self.amount().abs() * 10, currency);
            self.put(
                "Account",
                json!({
                    "id": format!("a{at}"), "name": name, "accountable_type": kind,
                    "currency": currency, "balance": "0", "opening_balance": opening,
                    "status": if at == 2 { "disabled" } else { "active" }, "cost_method": method,
                    "notes": NAMES[at],
                }),
            );
        }
    }

    fn rates(&mut self) {
        for (from, to, day, rate) in [
            ("EUR", "USD", 1, "1.0837"),
            ("EUR", "USD", 20, "1.1"),
            ("USD", "JPY", 10, "147.123456"),
        ] {
            self.put(
                "ExchangeRate",
                json!({
                    "from_currency": from, "to_currency": to, "date": date(2024, 1, day),
                    "rate": rate, "source": "manual",
                }),
            );
        }
    }

    fn details(&mut self, data: &mut Map<String, Value>) {
        let notes = self.pick(&NAMES);
        let category = self.dice.between(0, 5);
        if self.dice.coin() {
            data.insert("category_id".into(), format!("c{category}").into());
        }
        if self.seldom() {
            data.insert("notes".into(), format!("{notes}\n{notes}").into());
            data.insert("tag_ids".into(), json!(["g0", "g1", "g2", "g3"]));
        }
        if self.seldom() {
            data.insert("merchant_id".into(), self.pick(&["m0", "m1"]).into());
        }
        if self.seldom() {
            data.insert("excluded".into(), true.into());
        }
    }

    /// A transaction, and its id; with parts of these amounts if there are any.
    fn transaction(&mut self, parts: Option<&[i64]>) -> String {
        let account = usize::try_from(self.dice.between(0, ACCOUNTS.len() as u64)).unwrap();
        let own = ACCOUNTS[account].1;
        // Of pounds no rate is known.
        let currency = if self.seldom() { self.pick(&["USD", "EUR", "JPY", "GBP"]) } else { own };
        let whole = parts.map_or_else(|| self.amount(), |parts| parts.iter().sum());
        let id = self.id("t");
        let mut data = json!({
            "id": id, "account_id": format!("a{account}"), "date": self.day(),
            "amount": money(whole, currency), "currency": currency, "name": self.pick(&NAMES),
        });
        let fields = data.as_object_mut().unwrap();
        self.details(fields);
        if currency != own && self.dice.coin() {
            fields.insert("exchange_rate".into(), "0.0123456789".into());
        }
        if parts.is_none() && self.seldom() {
            fields.insert("pending".into(), true.into());
        }
        if self.seldom() {
            fields.insert("external_id".into(), format!("x-{id}, \"y\"").into());
            fields.insert("source".into(), "bank".into());
        }
        if let Some(parts) = parts {
            let part = |part: &i64| {
                let mut line = json!({
                    "id": self.id("p"), "amount": money(*part, currency),
                    "name": self.pick(&NAMES),
                });
                self.details(line.as_object_mut().unwrap());
                if self.dice.coin() && line.get("tag_ids").is_none() {
                    // Without it a part has the labels of the whole.
                    line["tag_ids"] = json!([]);
                }
                line
            };
            fields.insert("split_lines".into(), parts.iter().map(part).collect());
        }
        self.put("Transaction", data);
        id
    }

    /// What people changed since it came in, locked, or deleted.
    fn changed_and_deleted(&mut self) {
        let (day, name) = (self.day(), self.pick(&NAMES));
        let reported = json!({
            "account_id": "a2", "date": day, "amount": "7.77", "currency": "EUR", "name": name,
            "source": "bank", "external_id": "reported",
        });
        let id = self.id("t");
        self.put(
            "Transaction",
            json!({
                "id": id, "account_id": "a0", "date": date(2024, 2, 1), "amount": "8.01",
                "currency": "USD", "name": "Changed", "origin": reported,
                "locked_fields": ["name", "category", "amount"],
            }),
        );
        for (kind, account, name) in
            [("transaction", "a4", "Gone"), ("trade", "a9", "buy VTI 1 2.0")]
        {
            let id = self.id("x");
            self.put(
                "Tombstone",
                json!({
                    "id": id, "kind": kind, "account_id": account, "date": day, "amount": "2.00",
                    "currency": "USD", "name": name, "deleted_at": "2024-05-17T10:00:00Z",
                }),
            );
        }
    }

    fn split(&mut self) {
        let parts: Vec<i64> = (0..self.dice.between(2, 5)).map(|_| self.amount()).collect();
        self.transaction(Some(&parts));
    }

    fn transfer(&mut self) {
        let (from, to) = (self.dice.between(0, 14), self.dice.between(0, 13));
        let (from, to) = (usize::try_from(from).unwrap(), usize::try_from(to).unwrap());
        let to = if to >= from { to + 1 } else { to };
        let day = self.day();
        let amount = self.amount().abs() + 1;
        let (out, into) = (self.id("t"), self.id("t"));
        let (out_name, into_name) = (self.pick(&NAMES), self.pick(&NAMES));
        let (one, other) = (ACCOUNTS[from].1, ACCOUNTS[to].1);
        let arrives = if one == other { amount } else { amount + 7 };
        let days = if self.seldom() { 3 } else { 0 };
        self.put(
            "Transaction",
            json!({
                "id": out, "account_id": format!("a{from}"), "date": day, "currency": one,
                "amount": money(amount, one), "name": out_name, "category_id": "c1",
            }),
        );
        self.put(
            "Transaction",
            json!({
                "id": into, "account_id": format!("a{to}"), "date": day.saturating_add(days.days()),
                "currency": other, "amount": money(-arrives, other), "name": into_name,
                "notes": "arrived", "tag_ids": ["g1"],
            }),
        );
        let status = if one == other && self.seldom() { "pending" } else { "confirmed" };
        self.put(
            "Transfer",
            json!({
                "outflow_transaction_id": out, "inflow_transaction_id": into, "status": status,
                "made_by": "person",
            }),
        );
    }

    fn valuation(&mut self) {
        let account = usize::try_from(self.dice.between(0, ACCOUNTS.len() as u64)).unwrap();
        let day = self.day();
        if self.valued.contains(&(account, day)) {
            return;
        }
        let is_first = !self.valued.iter().any(|(of, _)| *of == account);
        self.valued.push((account, day));
        let kind = match account {
            0 | 9 if is_first => "current_anchor",
            1 | 3 if is_first => "opening_anchor",
            _ => "reconciliation",
        };
        let (id, amount, currency) = (self.id("v"), self.amount(), ACCOUNTS[account].1);
        let notes = self.pick(&NAMES);
        self.put(
            "Valuation",
            json!({
                "id": id, "account_id": format!("a{account}"), "date": day, "kind": kind,
                "amount": money(amount, currency), "currency": currency, "notes": notes,
            }),
        );
    }

    fn plans(&mut self) {
        self.put(
            "Budget",
            json!({
                "id": "b1", "start_date": "2024-01-01", "end_date": "2024-01-31", "currency": "USD",
                "budgeted_spending": "500",
            }),
        );
        self.put(
            "BudgetCategory",
            json!({
                "id": "bc1", "budget_id": "b1", "category_id": "c0", "budgeted_spending": "300",
                "currency": "USD",
            }),
        );
        self.put(
            "RecurringTransaction",
            json!({
                "id": "r1", "account_id": "a0", "name": "Rent", "amount": "800", "currency": "USD",
                "expected_day_of_month": 3, "last_occurrence_date": "2024-01-03",
                "next_expected_date": "2024-02-03", "status": "active", "occurrence_count": 4,
                "manual": true,
            }),
        );
        let rule = json!({ "type": "Rule", "version": 1, "data": {
            "id": "u1", "name": "=Shop", "resource_type": "transaction", "active": true,
            "conditions": [{
                "condition_type": "transaction_name", "operator": "like", "value": "shop",
            }],
            "actions": [{ "action_type": "set_transaction_category", "value": "旅行" }],
        }});
        self.lines.push(rule.to_string());
        self.put(
            "Tombstone",
            json!({
                "id": "x9", "kind": "transaction", "account_id": "a1", "date": "2024-01-09",
                "amount": "1", "currency": "EUR", "name": "Gone",
                "deleted_at": "2024-05-17T10:00:00Z",
            }),
        );
    }
}
