//! Something of every kind in one account, with a mark in every text: whoever sees the mark and
//! isn't meant to has found a leak.

use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::{Value, json};

use crate::family_exports;
pub(crate) use crate::imports::native_sessions;
use crate::isolation_things::{bought, pairs, planned, ruled};
use crate::openapi::document::{Operation, UNKNOWN_ID};
use crate::support::{Client, Family, Multipart, Server, Sql, until};

/// What was made, by its id.
#[derive(Debug, Clone)]
pub(crate) struct Data {
    /// A mark that every text contains.
    pub(crate) mark: String,
    /// The account that everything is in.
    pub(crate) account: String,
    /// The balance of the account on its latest day.
    pub(crate) balance: String,
    /// Published into the account.
    pub(crate) import: String,
    /// Into the account, not published.
    pub(crate) pending_import: String,
    /// Kept when the import was published.
    pub(crate) import_template: String,
    /// With category, tag and merchant.
    pub(crate) transaction: String,
    pub(crate) valuation: String,
    pub(crate) holding: String,
    /// The trade that made the holding.
    pub(crate) trade: String,
    pub(crate) category: String,
    pub(crate) tag: String,
    pub(crate) merchant: String,
    /// The budget of a month of its own.
    pub(crate) budget: String,
    /// The line of that budget for the category.
    pub(crate) budget_category: String,
    /// A recurring series of the account.
    pub(crate) recurring: String,
    pub(crate) connection: String,
    /// A file with everything that the family has.
    pub(crate) family_export: String,
    /// A session with the first of two chunks.
    pub(crate) import_session: String,
    /// A sync of the connection.
    pub(crate) sync: String,
    /// A pair of transactions that may be one.
    pub(crate) duplicate: String,
    pub(crate) statement: String,
    pub(crate) security: String,
    /// A price of the security.
    pub(crate) price: String,
    /// The family's, whatever the accounts: not among what a restricted key must not see.
    pub(crate) rate: String,
    /// Another account, with two of its transactions in pairs with those of the first.
    pub(crate) other_account: String,
    pub(crate) transfer: String,
    pub(crate) rejected_transfer: String,
    /// A rule that is switched off.
    pub(crate) rule: String,
    /// A run of that rule.
    pub(crate) rule_run: String,
}

impl Data {
    /// Creates one thing of each kind.
    #[track_caller]
    pub(crate) fn fill(server: &Server, family: &Family, mark: &str) -> Self {
        Self::match_nothing(family);
        let account = family.account_with(json!({
            "name": format!("{mark} account"),
            "account_type": "investment",
            "subtype": format!("{mark} subtype"),
            "opening_balance": "1000.00",
            "opening_date": "2025-12-31",
            "institution_name": format!("{mark} bank"),
            "institution_domain": format!("{mark}.example"),
        }));
        let import = upload(&family.api, &account, mark, "true");
        assert_eq!(family.api.wait_for_import(&import)["status"], "complete");
        let pending_import = upload(&family.api, &account, mark, "false");
        let templates = family.api.get("/api/v1/import_templates").expect_status(200).json();
        let import_template = templates["data"][0]["id"].as_str().unwrap().to_owned();
        let (other_account, transfer, rejected_transfer) = pairs(family, &account, mark);
        let (rule, rule_run) = ruled(family, &account, mark);
        let valuation = family.api.post(
            "/api/v1/valuations",
            &json!({
                "valuation": {
                    "account_id": account, "amount": "2000.00", "date": "2026-01-09",
                    "notes": format!("{mark} notes"),
                }
            }),
        );
        let valuation = valuation.expect_status(201).id();
        let list = format!("/api/v1/transactions?account_id={account}");
        let first = family.api.get(&list).expect_status(200).json()["transactions"][0].clone();
        let id = |value: &Value| value.as_str().expect("an id").to_owned();
        let (trade, security, holding) = bought(family, &account, mark);
        let price = json!({ "security_id": security, "date": "2026-01-06", "price": "19",
            "currency": "USD" });
        let price = family.api.post("/api/v1/security_prices", &price).expect_status(201).id();
        let rate = json!({ "base": "EUR", "quote": "USD", "date": "2026-01-05", "rate": "1.1" });
        let rate = family.api.post("/api/v1/exchange_rates", &rate).id();
        let category = id(&first["category"]["id"]);
        let (budget, budget_category, recurring) = planned(family, &account, &category, mark);
        let balance = latest_balance(family, &account);
        let data = Self {
            mark: mark.to_owned(),
            account,
            balance,
            import,
            pending_import,
            import_template,
            transaction: id(&first["id"]),
            valuation,
            holding,
            trade,
            category,
            tag: id(&first["tags"][0]["id"]),
            merchant: new_id(),
            budget,
            budget_category,
            recurring,
            connection: new_id(),
            sync: new_id(),
            duplicate: new_id(),
            family_export: id(&family_exports::export(&family.api)["id"]),
            import_session: native_sessions::begun(&family.api, mark),
            statement: new_id(),
            security,
            price,
            rate,
            other_account,
            transfer,
            rejected_transfer,
            rule,
            rule_run,
        };
        data.insert_the_rest(&Sql::open(server), &family.email);
        data
    }

    /// The path of an operation with ids of what is there.
    #[track_caller]
    pub(crate) fn address(&self, operation: &Operation) -> String {
        operation.address(self.id_for(&operation.path)).replace(UNKNOWN_ID, &self.sync)
    }

    /// What `{id}` in this path may name.
    #[track_caller]
    pub(crate) fn id_for(&self, path: &str) -> &str {
        let mut parts = path.trim_start_matches("/api/v1/").split('/');
        match parts.next().expect("a noun") {
            // Where no id stands, any will do.
            _ if !path.contains("{id}") => &self.account,
            "accounts" => &self.account,
            "balances" => &self.balance,
            "holdings" => &self.holding,
            "budget_categories" => &self.budget_category,
            "budgets" => &self.budget,
            "categories" => &self.category,
            "merchants" => &self.merchant,
            "provider_connections" | "webhooks" => &self.connection,
            "recurring_transactions" => &self.recurring,
            "syncs" => &self.sync,
            "duplicates" => &self.duplicate,
            "statements" => &self.statement,
            "family_exports" => &self.family_export,
            "import_sessions" => &self.import_session,
            "tags" => &self.tag,
            "import_templates" => &self.import_template,
            "imports" => &self.pending_import,
            "rejected_transfers" => &self.rejected_transfer,
            "securities" => &self.security,
            "security_prices" => &self.price,
            "exchange_rates" => &self.rate,
            "rule_runs" => &self.rule_run,
            "rules" => &self.rule,
            "trades" => &self.trade,
            "transactions" => &self.transaction,
            "transfers" => &self.transfer,
            "valuations" => &self.valuation,
            other => panic!("nothing was made for {other}"),
        }
    }

    /// Every id of it.
    pub(crate) fn ids(&self) -> [&str; 28] {
        [
            &self.account,
            &self.balance,
            &self.import,
            &self.pending_import,
            &self.import_template,
            &self.transaction,
            &self.valuation,
            &self.holding,
            &self.trade,
            &self.category,
            &self.tag,
            &self.merchant,
            &self.budget,
            &self.budget_category,
            &self.recurring,
            &self.connection,
            &self.sync,
            &self.duplicate,
            &self.statement,
            &self.family_export,
            &self.import_session,
            &self.security,
            &self.price,
            &self.other_account,
            &self.transfer,
            &self.rejected_transfer,
            &self.rule,
            &self.rule_run,
        ]
    }

    /// Everything that its owner can read of it, in one text.
    #[track_caller]
    pub(crate) fn state(&self, owner: &Client) -> String {
        // A look at a plan that the ledger has left behind sets off a new one.
        until("the plan to be of now", || {
            let import = owner.get(&format!("/api/v1/imports/{}", self.pending_import));
            let import = import.expect_status(200).json();
            (import["data"]["plan"]["current"] != json!(false)).then_some(())
        });
        let mut state = String::new();
        for path in [
            "accounts?include_disabled=true&per_page=100",
            "imports?per_page=100",
            "import_templates?per_page=100",
            "transactions?per_page=100",
            "valuations?per_page=100",
            "balances?per_page=100",
            "balance_sheet",
            "reports/net_worth",
            "reports/cash_flow",
            "reports/gains",
            "provider_connections",
            "syncs",
            "duplicates",
            "statements?per_page=100",
            "family_exports",
            "import_sessions",
            &format!("import_sessions/{}", self.import_session),
            "family_settings",
            "feeds",
            "providers",
            "categories?per_page=100",
            "tags",
            "merchants",
            "budgets?per_page=100",
            "budget_categories?per_page=100",
            "recurring_transactions?per_page=100",
            &format!("budgets/{}", self.budget),
            "trades?per_page=100",
            "securities?per_page=100",
            "security_prices?per_page=100",
            "exchange_rates?per_page=100",
            "holdings?per_page=100",
            "transfers",
            "rejected_transfers",
            "rules?per_page=100",
            "rule_runs?per_page=100",
            &format!("accounts/{}", self.account),
            &format!("holdings/{}", self.holding),
            &format!("imports/{}", self.import),
            &format!("imports/{}/rows", self.import),
            &format!("imports/{}", self.pending_import),
            &format!("imports/{}/rows", self.pending_import),
            &format!("trades/{}", self.trade),
            &format!("transactions/{}", self.transaction),
            &format!("valuations/{}", self.valuation),
        ] {
            let answer = owner.get(&format!("/api/v1/{path}")).expect_status(200);
            state.push_str(&format!("{path}\n{}\n", answer.text()));
        }
        state
    }
}

/// Uploads three rows into the account.
fn upload(client: &Client, account: &str, mark: &str, publish: &str) -> String {
    // A header of its own, so that no other file has the same template.
    let mut csv = format!("date,amount,name,notes,category,tags,{mark} column\n");
    for day in 2..5 {
        csv.push_str(&format!(
            "2026-01-0{day},-{day}.50,{mark} payee,{mark} notes,{mark} category,{mark} tag,\n"
        ));
    }
    let form = Multipart::new().text("account_id", account).text("publish", publish).file(
        "file",
        &format!("{mark}.csv"),
        "text/csv",
        csv.as_bytes(),
    );
    client.post_form("/api/v1/imports", &form).expect_status(201).id()
}

/// An id that nothing has yet.
fn new_id() -> String {
    static COUNTER: AtomicU32 = AtomicU32::new(1);
    format!("0190f5f0-7c00-7a10-8000-{:012x}", COUNTER.fetch_add(1, Ordering::Relaxed))
}

/// The id of the balance of an account on its latest day.
#[track_caller]
fn latest_balance(family: &Family, account: &str) -> String {
    let balances = format!("/api/v1/balances?account_id={account}&per_page=1");
    let balances = family.api.get(&balances).expect_status(200).json();
    balances["balances"][0]["id"].as_str().unwrap().to_owned()
}
