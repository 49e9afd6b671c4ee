//! A family of which a key sees three accounts, and what it may have beside them.

use serde_json::{Value, json};

use crate::isolation_data::Data;
use crate::support::{Client, Family, Server};
use crate::trades::broker;

/// Nouns of which the key sees something alone.
pub(super) const NOUNS: [&str; 15] = [
    "accounts",
    "balances",
    "categories",
    "exchange_rates",
    "holdings",
    "imports",
    "merchants",
    "recurring_transactions",
    "securities",
    "security_prices",
    "statements",
    "tags",
    "trades",
    "transactions",
    "valuations",
];

/// What the key sees: an account for money and two for shares, with something of each kind.
pub(super) struct Visible {
    pub(super) key: Client,
    pub(super) giro: String,
    pub(super) depot: String,
    /// Another one for shares, without any.
    pub(super) empty: String,
    pub(super) published: String,
    /// Two transactions that leave the first account.
    pub(super) moved: [String; 2],
    /// One that comes into the second.
    pub(super) arrived: String,
}

impl Visible {
    #[track_caller]
    pub(super) fn make(server: &Server, family: &Family) -> Self {
        let api = &family.api;
        api.patch("/api/v1/family_settings", &json!({ "transfer_matching": "off" }))
            .expect_status(200);
        let rate = json!({ "base": "EUR", "quote": "USD", "date": "2026-01-05", "rate": "1.1" });
        api.post("/api/v1/exchange_rates", &rate);
        let opened = json!({ "name": "Giro", "account_type": "depository",
            "opening_balance": "1000.00", "opening_date": "2025-12-31" });
        let (giro, depot) = (family.account_with(opened), broker(family, "Depot", "100"));
        let empty = broker(family, "Second depot", "100");
        let labels = labels(api);
        let transaction = |account: &str, day: &str, amount: &str, more: Value| {
            let mut fields = json!({ "account_id": account, "date": day, "amount": amount,
                "name": "Something" });
            fields.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            api.post("/api/v1/transactions", &fields).expect_status(201).id()
        };
        let [food, leaf, tag, shop] = &labels;
        transaction(&giro, "2026-01-03", "5", json!({ "category_id": food, "tag_ids": [tag] }));
        transaction(&giro, "2026-01-04", "6", json!({ "category_id": leaf, "merchant_id": shop }));
        let moved =
            ["2026-01-10", "2026-01-11"].map(|day| transaction(&giro, day, "25", json!({})));
        let arrived = transaction(&depot, "2026-01-11", "-25", json!({}));
        let both = [(&giro, "30"), (&depot, "-30")];
        let [out, into] =
            both.map(|(account, sum)| transaction(account, "2026-01-12", sum, json!({})));
        let pair = json!({ "outflow_transaction_id": out, "inflow_transaction_id": into });
        api.post("/api/v1/transfers", &pair).expect_status(201);
        let rent = json!({ "account_id": giro, "name": "Rent", "amount": "9",
            "category_id": food, "expected_day_of_month": 1 });
        api.post("/api/v1/recurring_transactions", &rent).expect_status(201);
        invest(api, &depot);
        let csv = "date,amount,name,category,tags\n2026-01-20,1000,Opening balance,,\n\
                   2026-01-20,-3,Lunch,Food,Holiday\n2026-01-20,997,Closing balance,,\n";
        let published = family.import(&giro, csv)["id"].as_str().unwrap().to_owned();
        let key = restricted_to(server, family, &[&giro, &depot, &empty]);
        Self { key, giro, depot, empty, published, moved, arrived }
    }
}

/// A category of each level, a tag and a merchant, all with colors of their own.
fn labels(api: &Client) -> [String; 4] {
    let create = |noun: &str, fields: Value| {
        api.post(&format!("/api/v1/{noun}"), &fields).expect_status(201).id()
    };
    let food = create("categories", json!({ "name": "Food", "color": "#101010" }));
    let leaf = json!({ "name": "Leaf", "parent_id": food, "color": "#202020" });
    let leaf = create("categories", leaf);
    // Nothing has it, so it may be chosen.
    create("categories", json!({ "name": "Free", "color": "#303030" }));
    let tag = create("tags", json!({ "name": "Holiday", "color": "#404040" }));
    let shop = create("merchants", json!({ "name": "Shop", "color": "#505050" }));
    [food, leaf, tag, shop]
}

/// Shares, a stated price before them, and a valuation that depends on what they are worth.
fn invest(api: &Client, depot: &str) {
    for (kind, day, qty) in [("buy", "2026-01-05", "10"), ("sell", "2026-01-08", "2")] {
        let trade = trade(depot, kind, day, json!({ "qty": qty, "price": "10" }));
        api.post("/api/v1/trades", &trade).expect_status(201);
    }
    let list = api
        .get("/api/v1/securities?ticker=ACME&exchange_operating_mic=XNAS")
        .expect_status(200)
        .json();
    let price = json!({ "security_id": list["securities"][0]["id"], "date": "2026-01-06",
        "price": "11", "currency": "USD" });
    api.post("/api/v1/security_prices", &price).expect_status(201);
    let valuation = json!({ "account_id": depot, "amount": "600", "date": "2026-02-01" });
    api.post("/api/v1/valuations", &valuation).expect_status(201);
}

fn trade(account: &str, kind: &str, day: &str, more: Value) -> Value {
    let mut fields = json!({ "account_id": account, "type": kind, "date": day, "ticker": "ACME",
        "exchange_operating_mic": "XNAS" });
    fields.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    fields
}

/// What the key doesn't see.
pub(super) struct Hidden {
    account: String,
    depot: String,
    /// A category, a tag and an account.
    pub(super) choices: [String; 3],
}

impl Hidden {
    /// What is there before anything that the key sees.
    #[track_caller]
    pub(super) fn before(server: &Server, family: &Family) -> Self {
        let everything = Data::fill(server, family, "canary");
        let account = family.account("Secret", "depository");
        let depot = broker(family, "Secret depot", "0");
        // A header of its own: its template is not the visible file's.
        let csv = "date,name,amount,category,tags\n2026-01-02,Doctor,-1,Secret,Secret\n\
                   2026-01-03,Doctor,-2,Health: Leaf,Secret\n";
        family.import(&account, csv);
        let list = format!("/api/v1/transactions?account_id={account}&search=doctor");
        let list = family.api.get(&list).expect_status(200).json();
        let secret = &list["transactions"][1];
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let choices =
            [text(&secret["category"]["id"]), text(&secret["tags"][0]["id"]), account.clone()];
        let twice = ["TWICE", "HUSH"].into_iter().flat_map(|it| [(it, "XNAS"), (it, "XLON")]);
        for (ticker, market) in twice.chain([("ACME", "XLON")]) {
            let fields = json!({ "ticker": ticker, "exchange_operating_mic": market,
                "qty": "1", "price": "2" });
            family.api.post("/api/v1/trades", &trade(&depot, "buy", "2026-01-02", fields));
        }
        drop(everything);
        Self { account, depot, choices }
    }

    /// What is connected with what the key sees: its shares at other prices, a split of them, other
    /// sides of its transactions, and a label below one of its own.
    #[track_caller]
    pub(super) fn after(self, family: &Family, visible: &Visible) -> Self {
        let api = &family.api;
        let day = "2026-01-25";
        for fields in [
            trade(&self.depot, "buy", day, json!({ "qty": "4", "price": "99" })),
            trade(&self.depot, "split", "2026-01-27", json!({ "split_to": 2, "split_from": 1 })),
        ] {
            api.post("/api/v1/trades", &fields).expect_status(201);
        }
        for (transaction, day) in visible.moved.iter().zip(["2026-01-10", "2026-01-11"]) {
            let fields = json!({ "account_id": self.account, "date": day, "amount": "-25",
                "name": "Secret arrival" });
            let into = api.post("/api/v1/transactions", &fields).expect_status(201).id();
            let pair =
                json!({ "outflow_transaction_id": transaction, "inflow_transaction_id": into });
            api.post("/api/v1/transfers", &pair).expect_status(201);
        }
        let csv = "date,amount,name,category\n2026-01-28,-1,Doctor,Food: Secret\n";
        family.import(&self.account, csv);
        let rent = json!({ "name": "Secret rent", "amount": "9", "expected_day_of_month": 1 });
        api.post("/api/v1/recurring_transactions", &rent).expect_status(201);
        self
    }
}

/// A key that may do everything in these accounts.
pub(super) fn restricted_to(server: &Server, family: &Family, accounts: &[&str]) -> Client {
    let key = ["key", "add", "--user", &family.email, "--name", "some", "--scope", "read_write"];
    let accounts = accounts.iter().flat_map(|account| ["--account", *account]);
    let arguments: Vec<&str> = key.into_iter().chain(accounts).collect();
    let made = server.run_json(&arguments, "");
    server.client().with_key(made["key"].as_str().unwrap())
}
