//! Transfers between the family's own accounts.

mod after_changes;
mod link;
mod matching;
mod review;
mod settings;

use serde_json::{Value, json};

use crate::support::{Client, Family, until};

pub(crate) const PATH: &str = "/api/v1/transfers";
pub(crate) const REJECTED: &str = "/api/v1/rejected_transfers";
pub(crate) const SETTINGS: &str = "/api/v1/family_settings";

/// A family with two accounts: checking and savings.
pub(crate) struct Accounts {
    pub(crate) family: Family,
    pub(crate) checking: String,
    pub(crate) savings: String,
}

impl Accounts {
    #[track_caller]
    pub(crate) fn new(family: Family) -> Self {
        let checking = family.account("Everyday", "depository");
        let savings = family.account("Rainy Day", "depository");
        Self { family, checking, savings }
    }

    /// Publishes lines of `day,amount,name` of January 2026 into an account.
    #[track_caller]
    pub(crate) fn import(&self, account: &str, lines: &[(u8, &str, &str)]) {
        let mut csv = "date,amount,name\n".to_owned();
        for (day, amount, name) in lines {
            csv.push_str(&format!("2026-01-{day:02},{amount},{name}\n"));
        }
        self.family.import(account, &csv);
    }

    #[track_caller]
    pub(crate) fn want(&self, matching: &str) {
        let settings = json!({ "transfer_matching": matching });
        self.family.api.patch(SETTINGS, &settings).expect_status(200);
    }

    /// The id of the transaction with a name.
    #[track_caller]
    pub(crate) fn id(&self, name: &str) -> String {
        let path = format!("/api/v1/transactions?search={name}");
        let listed = self.family.api.get(&path).expect_status(200).json();
        listed["transactions"][0]["id"].as_str().unwrap_or_else(|| panic!("{name}")).to_owned()
    }

    /// Asks for a matching over all days and waits for its end.
    #[track_caller]
    pub(crate) fn look_again(&self) {
        // A later job of the family runs after it.
        self.family.api.request("POST", "/api/v1/transfers/match", None).expect_status(202);
        self.settle();
    }

    /// Waits until the matchings that are queued have run: jobs of a family run one by one.
    #[track_caller]
    pub(crate) fn settle(&self) {
        let lone = self.family.account("Lone", "loan");
        self.family.import(&lone, "date,amount,name\n1999-01-01,0.01,x\n");
    }

    /// Waits for the matchings that are queued, until there are so many transfers; all of them. On
    /// PostgreSQL a worker passes over a job that another one is about to claim, so a later job may
    /// end a moment before it.
    #[track_caller]
    pub(crate) fn settled(&self, count: usize) -> Vec<(String, String, String)> {
        self.settle();
        let all = || Some(listed(&self.family.api, "per_page=100"));
        until("the transfers", || all().filter(|found| found.len() == count))
    }
}

/// Transfers as names of the transactions where money went out and came in, and the status.
#[track_caller]
pub(crate) fn listed(client: &Client, query: &str) -> Vec<(String, String, String)> {
    let body = client.get(&format!("{PATH}?{query}")).expect_status(200).json();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let transfers = body["transfers"].as_array().unwrap();
    assert_eq!(body["pagination"]["total_count"], transfers.len());
    let mut found: Vec<_> = transfers
        .iter()
        .map(|one| {
            let name = |side: &str| text(&one[side]["name"]);
            (name("outflow_transaction"), name("inflow_transaction"), text(&one["status"]))
        })
        .collect();
    found.sort();
    found
}

/// A pair as [`listed`] shows it.
pub(crate) fn pair(out: &str, into: &str, status: &str) -> (String, String, String) {
    (out.to_owned(), into.to_owned(), status.to_owned())
}
