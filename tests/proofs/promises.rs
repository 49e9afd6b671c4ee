//! What clients were promised, and whether it was kept.
//!
//! A client creates transactions, publishes imports and states balances. Each request has a name of
//! its own; whatever becomes of it, what is there of it must be whole, and what was acknowledged
//! must be there.

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{Answer, Client, Family, Server, Sql, within};

/// Rows of each file.
const ROWS: u64 = 5;
/// The day of all stated balances.
const DAY: &str = "2024-05-01";
/// How long work in the background may take to come to its end.
const SETTLING: Duration = Duration::from_secs(60);

/// Every kind of request.
pub(crate) const WISHES: [Wish; 3] = [Wish::Transaction, Wish::Import, Wish::Balance];

/// What a client asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wish {
    Transaction,
    Import,
    Balance,
}

/// A request, with the moment of its acknowledgement if there was one.
#[derive(Debug)]
struct Request {
    wish: Wish,
    acknowledged: Option<u64>,
}

/// Everything that was asked for, by its number.
pub(crate) struct Promises {
    api: Client,
    account: String,
    stated: String,
    asked: Vec<Request>,
}

impl Promises {
    /// With two accounts of a family: one for entries, one for stated balances.
    pub(crate) fn of(family: &Family) -> Self {
        Self {
            api: family.api.clone(),
            account: family.account("Entries", "depository"),
            stated: family.account("Balances", "depository"),
            asked: Vec::new(),
        }
    }

    /// Sends the next request. `now` is the moment when the answer is there.
    pub(crate) fn ask(&mut self, wish: Wish, now: impl Fn() -> u64) -> Option<Answer> {
        self.ask_at(&self.api.clone(), wish, now)
    }

    /// As [`Promises::ask`], by a client of another node.
    pub(crate) fn ask_at(
        &mut self,
        api: &Client,
        wish: Wish,
        now: impl Fn() -> u64,
    ) -> Option<Answer> {
        let (path, body) = self.request(wish, self.asked.len());
        let answer = api.try_post(path, &body);
        let acknowledged = answer.as_ref().filter(|answer| answer.status == 201).map(|_| now());
        self.asked.push(Request { wish, acknowledged });
        answer
    }

    /// Sends the last request again, as if it had been done twice.
    pub(crate) fn repeat_last(&self) {
        let last = self.asked.len() - 1;
        let (path, body) = self.request(self.asked[last].wish, last);
        self.api.post(path, &body).expect_status(201);
    }

    fn request(&self, wish: Wish, number: usize) -> (&'static str, Value) {
        match wish {
            Wish::Transaction => (
                "/api/v1/transactions",
                json!({ "account_id": self.account, "date": "2024-03-01", "amount": "-1.25",
                    "name": format!("n{number} 0") }),
            ),
            Wish::Import => {
                let rows = (0..ROWS).map(|row| format!("2024-03-02,+1.25,n{number} {row}\n"));
                let csv = format!("Date,Amount,Name\n{}", rows.collect::<String>());
                let body = json!({ "account_id": self.account, "publish": "true",
                    "raw_file_content": csv });
                ("/api/v1/imports", body)
            }
            Wish::Balance => {
                let valuation = json!({ "account_id": self.stated, "date": DAY,
                    "amount": number.to_string(), "upsert": true });
                ("/api/v1/valuations", json!({ "valuation": valuation }))
            }
        }
    }

    /// Compares what is there with what was promised until a moment. The error is what is wrong.
    pub(crate) fn verify(&self, server: &Server, until: u64) -> Result<(), String> {
        self.settle(server)?;
        self.compare(server, until).or_else(|_| {
            // What nobody was promised may have come to its end only now.
            self.settle(server)?;
            self.compare(server, until)
        })?;
        let checked = server.run(&["check"], "");
        if checked.status.success() { Ok(()) } else { Err(checked.stdout + &checked.stderr) }
    }

    fn compare(&self, server: &Server, until: u64) -> Result<(), String> {
        let api = self.client_of(server);
        let rows = rows_by_request(&api)?;
        for (number, count) in &rows {
            let asked =
                self.asked.get(*number).ok_or_else(|| format!("{number} was never sent"))?;
            let whole = if asked.wish == Wish::Import { ROWS } else { 1 };
            if *count != whole {
                return Err(format!("{count} rows of request {number}, which has {whole}"));
            }
        }
        let kept = |asked: &Request| asked.acknowledged.is_some_and(|moment| moment <= until);
        for (number, asked) in self.asked.iter().enumerate() {
            if kept(asked) && asked.wish != Wish::Balance && !rows.contains_key(&number) {
                return Err(format!("request {number} was acknowledged and is lost: {asked:?}"));
            }
        }
        let last = self.asked.iter().rposition(|asked| asked.wish == Wish::Balance && kept(asked));
        self.verify_stated(&api, last)?;
        self.verify_sum(&api, rows.values().sum())
    }

    /// Waits until nothing is left to do in the background. What waits for its next try has it at
    /// once.
    pub(crate) fn settle(&self, server: &Server) -> Result<(), String> {
        let (api, sql) = (self.client_of(server), Sql::open(server));
        let refused = self
            .asked
            .iter()
            .filter(|asked| asked.wish == Wish::Import && asked.acknowledged.is_none());
        let refused = refused.count() as u64;
        let settled = within(SETTLING, || {
            let is_settled = (|| {
                let is_idle = sql.query("SELECT id FROM jobs").is_empty();
                Ok(is_idle && count(&api, "importing")? == 0 && count(&api, "pending")? <= refused)
            })();
            sql.run("UPDATE jobs SET run_at = 0 WHERE state = 'queued'");
            match is_settled {
                Ok(false) => None,
                Ok(true) => Some(Ok(())),
                Err(problem) => Some(Err(problem)),
            }
        });
        settled.unwrap_or_else(|| {
            let jobs = sql.query("SELECT kind, state, last_error FROM jobs");
            Err(format!("imports or jobs are stuck: {jobs:?}"))
        })
    }

    fn client_of(&self, server: &Server) -> Client {
        server.client().with_same_headers(&self.api)
    }

    /// The stated balance is the last that was acknowledged, or one that was sent after it.
    fn verify_stated(&self, api: &Client, last: Option<usize>) -> Result<(), String> {
        let path = format!("/api/v1/valuations?account_id={}", self.stated);
        let answer = expect(api, &path)?;
        let stated = answer["valuations"].as_array().into_iter().flatten();
        let mut stated = stated.filter(|valuation| valuation["date"] == DAY);
        let Some(valuation) = stated.next() else {
            return last.map_or(Ok(()), |last| Err(format!("the stated balance {last} is lost")));
        };
        let amount = valuation["amount_decimal"].as_str().ok_or("no amount")?;
        let number = amount.trim_end_matches(".00").parse::<usize>();
        let number = number.map_err(|error| format!("{error} in {amount}"))?;
        let is_known = self.asked.get(number).is_some_and(|asked| asked.wish == Wish::Balance);
        if !is_known || last.is_some_and(|last| number < last) || stated.next().is_some() {
            return Err(format!("stated balance {number}, acknowledged {last:?}"));
        }
        Ok(())
    }

    fn verify_sum(&self, api: &Client, rows: u64) -> Result<(), String> {
        let account = expect(api, &format!("/api/v1/accounts/{}", self.account))?;
        if account["balance_cents"] == rows * 125 {
            return Ok(());
        }
        Err(format!("{rows} rows and a balance of {}", account["balance"]))
    }
}

/// How many imports have a status.
fn count(api: &Client, status: &str) -> Result<u64, String> {
    let list = expect(api, &format!("/api/v1/imports?status={status}"))?;
    list["meta"]["total_count"].as_u64().ok_or_else(|| "no count".to_owned())
}

/// How many transactions there are of each request.
fn rows_by_request(api: &Client) -> Result<BTreeMap<usize, u64>, String> {
    let mut rows = BTreeMap::new();
    for page in 1.. {
        let list = expect(api, &format!("/api/v1/transactions?per_page=100&page={page}"))?;
        let part = list["transactions"].as_array().ok_or("no transactions")?;
        if part.is_empty() {
            break;
        }
        for transaction in part {
            let name = transaction["name"].as_str().ok_or("no name")?;
            let number = name.trim_start_matches('n').split(' ').next().expect("a part");
            *rows.entry(number.parse().map_err(|_| format!("{name}?"))?).or_insert(0) += 1;
        }
    }
    Ok(rows)
}

fn expect(api: &Client, path: &str) -> Result<Value, String> {
    let answer = api.get(path);
    if answer.status == 200 { Ok(answer.json()) } else { Err(answer.text()) }
}
